"""Started as `<python> falsify.py EVENTS CONTROL`: looks for cases that fail when a changed symbol is broken.

This process never runs anything of the project: it imports pytest, and forks a child for everything else. So each
mutant that has to be there at import starts from a process in which nothing was imported. The descriptors and the
order are those of launch.py; the order has more in it (symbols, old, production, limits).
What is `known` is not searched; an event `finished` follows the last that is told about a symbol.
With `only` in the order nothing is broken: these cases are run and judged, in a tree that may be broken itself. Of what
is `changed` it is then noted who reads it.
"""

from __future__ import annotations

import json
import os
import sys
import types
from importlib import import_module
from itertools import islice, takewhile
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, Iterable, Iterator, List, Set

PACKAGE = "_agentgate_inside"
OPTIONS = ("-p", "no:cacheprovider", "-p", "no:randomly")
_PARTS = ("targets", "forks", "hunt", "judge", "cases", "sessions")


def load_parts(folder: str, names: Iterable[str]) -> Dict[str, Any]:
    """Files beside this one, under names that no project uses; sys.modules forgets them at once."""
    package = types.ModuleType(PACKAGE)
    package.__path__ = [folder]
    sys.modules[PACKAGE] = package
    parts = {name: import_module("{}.{}".format(PACKAGE, name)) for name in names}
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
    return parts


class Falsifier:
    """The whole of one order."""

    def __init__(self, parts: Dict[str, Any], pytest: Any, order: Dict[str, Any], channel: Any) -> None:
        self._parts = parts
        self._pytest = pytest
        self._order = order
        self._channel = channel
        self._limits: Dict[str, Any] = order["limits"]
        self._targets = parts["targets"].Targets(order)
        production = frozenset(os.path.realpath(path) for path in order["production"])
        changed = self._targets.paths | {os.path.realpath(path) for path in order["changed"]}
        self._places = parts["judge"].Places(os.getcwd(), production | changed, changed)
        self._passed: Dict[str, List[Any]] = {}
        self._groups: Dict[str, List[str]] = {}
        self._rows: Dict[int, Dict[str, Any]] = {}
        self._collect_seconds = 0.0
        self._is_finished = False
        self._imported: Set[int] = set()
        self._known: Set[int] = set(order["known"])
        self._spent = 0.0

    def run(self) -> None:
        """First what forks can do after collection, then what needs a fresh collection for each mutant."""
        if self._order["only"]:
            self._repeat(self._order["only"])
            return
        seconds = self._limits["seconds"] + self._limits["unbroken_seconds"]
        child = self._parts["forks"].Child(self._collected, seconds)
        for message in child:
            self._take(message)
        if not child.has_ended_well:
            self._channel.send("problem", text="the session ended before its time")
        hunt = self._parts["hunt"].Hunt(self._start, self._limits, 2 * self._collect_seconds)
        deadline = monotonic() + self._limits["seconds"] - self._spent
        for number, target in enumerate(self._targets.all):
            if monotonic() > deadline:
                break
            if self._needs_fresh_process(number, target):
                self._hunt_freshly(hunt, number, target)
                self._tell_finished(number)

    def _repeat(self, cases: List[str]) -> None:
        """Run some cases of a tree as it lies there. Nobody in here knows whether it is broken."""
        self._groups = self._order["groups"]
        for row in self._start(None, cases, self._limits["seconds"]):
            if isinstance(row, list):
                self._channel.send("case", id=cases[row[0]], verdict=row[1], seconds=0.0, symbols=[], detail=row[2])
                self._channel.flush()

    def _collected(self, send: Any) -> None:
        self._channel.close()
        session = self._parts["sessions"].Collected(self._targets, self._places, self._limits, self._known, send)
        status = self._main([session, session.judge, session.fixtures])
        send({"status": status})

    def _main(self, plugins: List[Any]) -> int:
        args = [*self._parts["launch"].root_options(self._order["args"], self._pytest), *OPTIONS, *self._order["args"]]
        sys.argv = [os.path.join(os.path.dirname(self._pytest.__file__), "__main__.py"), *args]
        return int(self._pytest.main(args, plugins=[*plugins, self._parts["cases"].Settings()]))

    def _take(self, message: Dict[str, Any]) -> None:
        if "status" in message:
            if not self._is_finished:
                text = "pytest ended with status {} before all cases had been tried".format(message["status"])
                self._channel.send("problem", text=text)
        elif "imported" in message:
            self._imported = set(message["imported"])
        elif "finished" in message:
            self._is_finished = True
            self._spent = message["finished"]
        elif "collected" in message:
            self._collect_seconds = message["seconds"]
            self._channel.send("collected", count=message["collected"], threads=message["threads"])
        elif "cases" in message:
            for row in message["cases"]:
                self._take_case(*row)
        elif "symbol" in message:
            number = message["symbol"]
            self._rows[number] = message["row"]
            self._channel.send("symbol", symbol=number, is_fresh=False, **message["row"])
            if not self._needs_fresh_process(number, self._targets.all[number]):
                self._tell_finished(number)
        if self._channel.is_due():
            self._channel.flush()

    def _take_case(self, case: str, verdict: str, seconds: float, hits: List[int], detail: str) -> None:
        if verdict:
            self._groups.setdefault(self._parts["hunt"].function_of(case), []).append(case)
        if verdict == "passed":
            self._passed[case] = [seconds, set(hits)]
        elif not verdict and case in self._passed:
            self._passed[case][1].update(hits)
        self._channel.send("case", id=case, verdict=verdict, seconds=seconds, symbols=hits, detail=detail)

    def _tell_finished(self, number: int) -> None:
        self._channel.send("finished", symbol=number)
        self._channel.flush()

    def _needs_fresh_process(self, number: int, target: Any) -> bool:
        row = self._rows.get(number)
        if target.needs not in ("credit", "reverse") or number in self._known:
            return False
        if row is None or (number in self._imported and not _is_strong(row)):
            return True
        return bool(row["left"]) and (not _is_strong(row) or _is_unreverted(row))

    def _hunt_freshly(self, hunt: Any, number: int, target: Any) -> None:
        """What could be swapped was tried; of a symbol that only some mutants of could, the others are left."""
        near, rest = self._in_order(number)
        known = self._rows.get(number, {"tries": [], "left": []})
        has_run_again = not target.is_function or number in self._imported
        tried = set() if has_run_again else {(each[0], each[1]) for each in known["tries"]}
        attempts = (each for each in target.attempts() if (each.kind, each.label) not in tried)
        has_kill = _is_strong(known)
        if has_run_again:
            near += rest
        elif target.is_defined_otherwise:
            row = self._hunt(hunt, number, islice(attempts, 1), near + rest)
            has_kill = has_kill or _is_strong(row)
        self._hunt(hunt, number, takewhile(_is_revert, attempts) if has_kill else attempts, near)

    def _hunt(self, hunt: Any, number: int, attempts: Iterator[Any], cases: List[Any]) -> Dict[str, Any]:
        if not cases:
            return {"tries": []}
        row: Dict[str, Any] = hunt.symbol(attempts, cases, self._targets.all[number].control())
        self._channel.send("symbol", symbol=number, is_fresh=True, **row)
        self._channel.flush()
        return row

    def _in_order(self, number: int) -> List[List[Any]]:
        """The cases that ran a symbol, and the others."""
        groups: List[List[Any]] = [[], []]
        for case, (seconds, hits) in self._passed.items():
            groups[number not in hits].append((case, seconds))
        return [self._parts["hunt"].in_order(each, self._targets.favoured) for each in groups]

    def _start(self, attempt: Any, cases: List[str], seconds: float) -> Any:
        return self._parts["forks"].Child(lambda send: self._fresh(attempt, cases, send), seconds)

    def _fresh(self, attempt: Any, cases: List[str], send: Any) -> None:
        self._channel.close()
        session = self._parts["sessions"].Single(cases, self._groups, self._places, send)
        session.runs_each_alone = bool(self._order["only"])
        used = [("", "")]
        if attempt is not None:
            try:
                used = self._parts["targets"].patch_loader(attempt)
            except (SyntaxError, ValueError) as error:
                send({"error": str(error)})
                return
        if attempt is not None or self._order["only"]:
            session.judge.watch()
        self._main([session, session.judge])
        if not used:
            send({"error": "its module was not imported"})
        elif not session.has_run:
            send([0, "crash", "nothing could be collected"])


def _is_revert(attempt: Any) -> bool:
    return bool(attempt.kind == "revert")


def _is_strong(row: Dict[str, Any]) -> bool:
    return any(each[2] == "strong" for each in row["tries"])


def _is_unreverted(row: Dict[str, Any]) -> bool:
    """True when what it was before could not be swapped in: that is asked for even where another mutant was killed."""
    return any(each.startswith("revert:") for each in row["left"])


def main(argv: List[str]) -> int:
    """Carry out the order; 0 when it came to its end."""
    folder = os.path.dirname(os.path.abspath(argv[0]))
    launch = load_parts(folder, ("launch",))["launch"]
    channel = launch.Channel(int(argv[1]), int(argv[2]))
    launch.arrange_path(argv[0])
    pytest = launch.find_pytest()
    if isinstance(pytest, str):
        channel.send("unusable", reason=pytest)
        channel.flush()
        return int(launch.UNUSABLE_STATUS)
    line = channel.receive()
    if not line:
        return int(launch.UNUSABLE_STATUS)  # called off
    order = json.loads(line)
    channel.send("hello", **launch.describe(pytest.__version__, []))
    channel.flush()
    try:
        parts = {"launch": launch, **load_parts(folder, _PARTS)}
        falsifier = Falsifier(parts, pytest, order, channel)
    except (OSError, SyntaxError, ValueError, RecursionError) as error:
        channel.send("unusable", reason="its sources cannot be read there ({})".format(error))
        channel.flush()
        return int(launch.UNUSABLE_STATUS)
    falsifier.run()
    channel.send("end", nonce=order["nonce"], status=0)
    channel.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
