"""Settings of properties that stand in another file: `@settings(**QUICK)`, `@QUICK`, `max_examples=COUNT`."""

from __future__ import annotations

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import TAKEN, CollectedTest
from agentgate_git.model.pattern import pattern_of

_EXAMPLES = "max_examples"
_COUNT = pattern_of(r"\bmax_examples['\"]?\s*[:=]\s*(\d+)")
_NAME = pattern_of(r"[^\W\d][\w.]*")

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]


def with_settings(side: Side) -> Side:
    """The facts of one side with the number of examples in place of the names that its files give it."""
    held = {name: value for one in side for name, value in one.tests.held if value.isdigit() or _EXAMPLES in value}
    return tuple(_of_file(one, held) for one in side) if held else side


def _of_file(file: FileFacts, held: dict[str, str]) -> FileFacts:
    tests = tuple(_of_test(one, held) if one.knobs else one for one in file.tests.tests)
    return file._replace(tests=file.tests._replace(tests=tests))


def _of_test(test: CollectedTest, held: dict[str, str]) -> CollectedTest:
    found = dict(test.knobs)
    for name, value in test.knobs:
        if name == _EXAMPLES and _NAME.fullmatch(value):
            known = held.get(value.rpartition(".")[2], "")
            found[_EXAMPLES] = known if known.isdigit() else value
        elif name.startswith(TAKEN):
            count = _COUNT.search(held.get(name.rpartition(".")[2], ""))
            if count and _EXAMPLES not in found:
                found[_EXAMPLES] = count[1]
    return test._replace(knobs=tuple(found.items()))
