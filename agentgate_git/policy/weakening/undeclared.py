"""E_SKIP_MARKER: files of tests in Rust that are still there, and that no module declares any more."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model import code
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, Finding
from agentgate_git.model.inventory import CONDITIONAL, RUNS, SETUP, TEST

_RUST = "rust"
# How the name of what stands before the tests of another file begins.
_MODULE = "mod "


def undeclared_findings(before: tuple[FileFacts, ...], after: tuple[FileFacts, ...]) -> Iterator[Finding]:
    """Modules of tests that no file declares any more, while the files that they stand in are still there."""
    heads = {one.path: one for one in after}
    declared = {test.name for one in after for test in one.tests.tests if test.kind == SETUP}
    inside = {test.name.partition("::")[0] for one in after for test in one.tests.tests if test.kind == TEST}
    gone = {one.path for one in before} - heads.keys()
    for file in before:
        for test in file.tests.tests if file.path in heads and file.language == _RUST else ():
            name = test.name.removeprefix(_MODULE)
            if (
                test.kind != SETUP
                or test.state not in (RUNS, CONDITIONAL)
                or name == test.name
                or test.name in declared
            ):
                continue
            if name in inside or any(path.endswith((f"/{name}.rs", f"/{name}/mod.rs")) for path in gone):
                continue
            message = f"{test.name} is declared no more: its tests are not compiled"
            yield Finding(code.SKIP_MARKER, BLOCK, file.path, message, code.next_step(code.SKIP_MARKER))
