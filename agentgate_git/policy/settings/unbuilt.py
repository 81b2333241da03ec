"""Tests that a job builds no more, and starts all the same: `cmake -DBUILD_TESTING=OFF` before `ctest`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import BLOCK
from agentgate_git.policy.settings.change import GateChange

_BUILT = "built > "
_OFF = "no tests"


def unbuilt_tests(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """Jobs of the base that built their tests, and that start tests at the head without having built any."""
    for path, after in head.items():
        built = {one.key for one in base.get(path, ()) if one.key.startswith(_BUILT) and one.value != _OFF}
        off = {one.key: one for one in after if one.key.startswith(_BUILT) and one.value == _OFF}
        for name in sorted(built.intersection(off)):
            place = name.removeprefix(_BUILT)
            is_started = any(one.key.startswith(f"run > test > {place} > ctest") for one in after)
            if is_started and not any(one.key == name and one.value != _OFF for one in after):
                yield GateChange(BLOCK, path, off[name].line, f"no tests are built for `ctest` in {place}")
