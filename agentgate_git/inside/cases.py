"""Running some of the collected cases in this process, one after another, and saying how each ended."""

from __future__ import annotations

from time import monotonic

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, Iterator, List, Set

    # Place in the list, how it ended, in words, seconds; True to stop.
    Ended = Callable[[int, str, str, float], bool]


class Cases:
    """Runs items by pytest's own protocol."""

    def __init__(self, session: Any, judge: Any) -> None:
        self._session = session
        self._judge = judge

    def run(self, items: List[Any], ended: Ended) -> None:
        """Run items until `ended` says to stop, and take down what they set up."""
        for place, item in enumerate(items):
            following = items[place + 1] if place + 1 < len(items) else None
            self._judge.begin()
            started = monotonic()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            verdict, detail = self._judge.verdict()
            if ended(place, verdict, detail, monotonic() - started):
                if following is not None:
                    self._session._setupstate.teardown_exact(None)
                return


class Attribution:
    """The plugin that attributes what runs in a shared fixture to every case that uses it.

    `seen` are the hits of each fixture by its identity.
    """

    def __init__(self, execution: Any) -> None:
        self.seen: Dict[int, Set[Any]] = {}
        self._execution = execution

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        """Collect apart while it is set up, then give back."""
        outer = self._execution.hits
        own: Set[Any] = set()
        self._execution.hits = own
        self._enter()
        yield
        self._leave()
        self._execution.hits = outer
        outer.update(own)
        if fixturedef.scope != "function":
            self.seen.setdefault(id(fixturedef), set()).update(own)

    def _enter(self) -> None:
        """The project's own code comes next."""

    def _leave(self) -> None:
        """It is over for now."""

    def of(self, item: Any) -> Set[Any]:
        """What the shared fixtures of an item ran."""
        info = getattr(item, "_fixtureinfo", None)
        used = [each for found in getattr(info, "name2fixturedefs", {}).values() for each in found]
        return {hit for each in used for hit in self.seen.get(id(each), ())}


class PausingAttribution(Attribution):
    """The same where watching costs much: it says when to watch as well."""

    def __init__(self, execution: Any) -> None:
        super().__init__(execution)
        self._depth = 0

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        """As near to the test as can be: pytest's own code would cost most of the time."""
        self._enter()
        yield
        self._leave()

    @pytest.hookimpl(hookwrapper=True, trylast=True)
    def pytest_runtest_teardown(self) -> Iterator[None]:
        """What fixtures do at their end."""
        self._enter()
        yield
        self._leave()

    def _enter(self) -> None:
        self._depth += 1
        if self._depth == 1:
            self._execution.resume()

    def _leave(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._execution.pause()


class Settings:
    """The plugin that keeps a run in this process: no workers, no second attempts, short reports."""

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_cmdline_main(self, config: Any) -> Iterator[None]:
        """Before any plugin acts on its options."""
        option = config.option
        for name, value in (("numprocesses", 0), ("dist", "no"), ("tx", []), ("reruns", 0), ("maxfail", 0)):
            if hasattr(option, name):
                setattr(option, name, value)
        option.tbstyle = "native"
        option.agentgate = False
        yield
