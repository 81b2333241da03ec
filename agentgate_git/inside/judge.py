"""How a case ended: passed, killed by an assertion outside production code, killed by anything else, or neither."""

from __future__ import annotations

import os
import sys
import sysconfig
import traceback

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, FrozenSet, Iterator, List, Tuple

PASSED = "passed"
STRONG = "strong"
WEAK = "weak"
SUSPECT = "suspect"
UNCLEAR = "unclear"
HIDDEN = "hidden"
_INSTALLED = ("site-packages", "dist-packages")
_DOCTESTS = frozenset(("DocTestFailure", "MultipleDoctestFailures"))
_DETAIL = 200


class Places:
    """What a file is: production, the project's tests and what they use, or somebody else's."""

    def __init__(self, root: str, production: FrozenSet[str], changed: FrozenSet[str]) -> None:
        self.production = production
        self.changed = changed
        self._root = os.path.join(os.path.realpath(root), "")
        self._known: Dict[str, str] = {}
        self._stdlib = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})

    def kind(self, filename: str) -> str:
        """`production`, `tests`, `library` for the standard library, or `other`."""
        if filename not in self._known:
            self._known[filename] = self._kind(os.path.realpath(filename))
        return self._known[filename]

    def _kind(self, path: str) -> str:
        if path in self.production:
            return "production"
        if path.startswith(self._root) and not any(part in _INSTALLED for part in path.split(os.sep)):
            return "tests"
        return "library" if path.startswith(self._stdlib) and "-packages" + os.sep not in path else "other"


class Judge:
    """The plugin that keeps what each phase of the running case raised, whatever its report says."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._phases: List[Tuple[str, Any, Any]] = []
        self._watched = ""
        self._called: List[Any] = []

    def begin(self) -> None:
        """A case starts."""
        self._phases = []
        self._watched = ""
        self._called = []

    def watch(self) -> None:
        """From now on note when tests look at the code that was broken; there is no way back."""
        sys.addaudithook(self._on_audit)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> Iterator[None]:
        """A hook within may fill in what was raised, as that for unittest does, or take it away."""
        before = call.excinfo
        kept = list(getattr(item, "_excinfo", None) or ())
        outcome: Any = yield
        report = outcome.get_result()
        raised = [each for each in (before, call.excinfo, *kept) if each is not None]
        self._phases.append((call.when, raised, report))

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_pyfunc_call(self) -> Iterator[None]:
        """As near to the test as can be: what is raised here may be swallowed further out."""
        outcome: Any = yield
        if outcome.excinfo is not None:
            self._called.append(outcome.excinfo[1])

    def verdict(self) -> Tuple[str, str]:
        """How the case ended, and in words what ended it."""
        raised = [each for _, found, _ in self._phases for each in found]
        if not raised:
            return self._without_exception()
        skips = (pytest.skip.Exception, pytest.xfail.Exception)
        failures = [each for each in raised if not isinstance(each.value, skips)]
        if not failures:
            return UNCLEAR, "skipped"
        strong = [each for each in failures if self._is_strong(each.value)]
        shown = _shown((strong or failures)[0])
        if not strong:
            return WEAK, shown
        return (SUSPECT, self._watched) if self._watched else (STRONG, shown)

    def is_hidden(self) -> bool:
        """True when something was raised in a phase whose report says that it passed."""
        skips = (pytest.skip.Exception, pytest.xfail.Exception)
        return any(
            report.passed and not hasattr(report, "wasxfail") and not isinstance(each, skips)
            for when, raised, report in self._phases
            for each in [*(each.value for each in raised), *(self._called if when == "call" else ())]
        )

    def _without_exception(self) -> Tuple[str, str]:
        phases = [when for when, _, _ in self._phases]
        if not {"setup", "call", "teardown"}.issubset(phases):
            return UNCLEAR, "it did not run to its end"
        for _, _, report in self._phases:
            if not report.passed or hasattr(report, "wasxfail"):
                return UNCLEAR, "its report says {}".format(report.outcome)
        return PASSED, ""

    def _is_strong(self, error: BaseException) -> bool:
        """True for an assertion whose innermost frame in the project is none of production code."""
        parts = getattr(error, "exceptions", None)
        if isinstance(parts, (list, tuple)):
            return any(self._is_strong(each) for each in parts)
        if type(error).__name__ in _DOCTESTS and (type(error).__module__ or "").startswith(("doctest", "_pytest")):
            return True
        if not isinstance(error, (AssertionError, pytest.fail.Exception)):
            return False
        innermost = ""
        trace = error.__traceback__
        while trace is not None:
            kind = self._places.kind(trace.tb_frame.f_code.co_filename)
            innermost = kind if kind in ("production", "tests") else innermost
            trace = trace.tb_next
        return innermost == "tests"

    def _on_audit(self, event: str, arguments: Any) -> None:
        if event == "object.__getattr__":
            if arguments[1] == "__code__":
                self._note(sys._getframe(1), "reads __code__", is_direct=True)
        elif event == "open" and isinstance(arguments[0], str) and arguments[0].endswith(".py"):
            if os.path.realpath(arguments[0]) in self._places.changed:
                self._note(sys._getframe(1), "opens the source of what was broken", is_direct=False)

    def _note(self, frame: Any, what: str, *, is_direct: bool) -> None:
        while not is_direct and frame is not None and self._places.kind(frame.f_code.co_filename) == "library":
            frame = frame.f_back
        if frame is not None and self._places.kind(frame.f_code.co_filename) == "tests":
            self._watched = "{} {}".format(frame.f_code.co_name, what)


def _shown(found: Any) -> str:
    lines = traceback.format_exception_only(type(found.value), found.value)
    return (lines[0].splitlines() or [""])[0][:_DETAIL]
