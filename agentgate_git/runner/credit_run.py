"""Look for cases that fail when a changed symbol is broken: start the search, follow it, end it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from time import monotonic
from types import MappingProxyType

from agentgate_git.model.falsification import Falsification
from agentgate_git.model.record import Record
from agentgate_git.model.symbol import CREDIT, EXECUTION, REVERSE, SymbolChange
from agentgate_git.runner.box import Box
from agentgate_git.runner.credit_stream import CreditStream
from agentgate_git.runner.dialogue import Dialogue, Script
from agentgate_git.runner.search_memory import SearchMemory

FALSIFIER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "inside", "falsify.py")
_NEEDS = (CREDIT, REVERSE, EXECUTION)


class CreditRequest(Record):
    """One search: `python` runs pytest with `args` in `directory`, with exactly `environment`.

    `symbols` are the changes to look at; `old_sources` the files as they were before, by the path they had then, for
    all that changed or went; `production` the paths of all production files of the tree; `favoured` begin the node
    ids of the cases that are asked first, such as those that the change set brings: `path::test`, or a path. A symbol
    may take `symbol_seconds` and `mutants` mutants of at most `cases` cases each; the search may take `seconds` and the
    unbroken run before it `unbroken_seconds`. `boundaries` mutants that move a bound of a changed line by one are tried
    for each function even where another mutant was killed. With `only`, nothing is looked for: see `verdicts_of`.
    `confirmation_seconds` are for all that becomes of the kills then. Output goes to the file `log`. With a `box` it
    runs in that; `umask` is set in the child, -1 leaves it.
    """

    python: str
    directory: str
    args: tuple[str, ...]
    environment: Mapping[str, str]
    nonce: str
    symbols: tuple[SymbolChange, ...]
    old_sources: Mapping[str, bytes]
    production: tuple[str, ...]
    favoured: tuple[str, ...] = ()
    log: str = ""
    seconds: float = 300.0
    unbroken_seconds: float = 600.0
    symbol_seconds: float = 30.0
    mutants: int = 40
    cases: int = 200
    boundaries: int = 0
    confirmation_seconds: float = 300.0
    only: tuple[str, ...] = ()
    groups: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    changed: tuple[str, ...] = ()
    box: Box | None = None
    umask: int = -1


class CreditObserver:
    """Somebody who may like to know how far it is; this one does not."""

    def examined(self, done: int, count: int) -> None:
        """`done` of `count` symbols have been looked at."""

    def confirmed(self, done: int, count: int) -> None:
        """Of `done` of `count` kills it is known whether they stand."""


def find_kills(
    request: CreditRequest, observer: CreditObserver | None = None, memory: SearchMemory | None = None
) -> Falsification:
    """Run one search; Undecided when that interpreter cannot run pytest at all.

    Symbols that `memory` recalls are not searched. The unbroken run is made all the same: it says which cases pass.
    """
    longest = 2 * request.seconds + request.unbroken_seconds + request.symbol_seconds
    return _Search(request, observer or CreditObserver(), longest, memory).to_the_end()


def verdicts_of(request: CreditRequest) -> dict[str, tuple[str, str]]:
    """How each of the cases `only` ends in a tree as it lies there, and in words what ended it.

    Empty for one that did not come to its end within `seconds`, which are for all of them. Several cases are run in
    forks of one process that has collected them. What is said is by the project's own process, which cannot tell from
    what it is asked whether the tree is a broken one. `changed` are the files that it had better not look at. `groups`
    are all cases of each function in order: by its place in there a case is found whose id is another in this tree.
    """
    search = _Search(request._replace(symbols=()), CreditObserver(), request.seconds)
    return search.verdicts(request.only)


class _Search:
    def __init__(
        self,
        request: CreditRequest,
        observer: CreditObserver,
        longest: float,
        memory: SearchMemory | None = None,
    ) -> None:
        self._request = request._replace(symbols=tuple(each for each in request.symbols if each.needs in _NEEDS))
        self._observer = observer
        self._stream = CreditStream(self._request.symbols, request.nonce, memory)
        self._known = self._stream.recall()
        self._dialogue = Dialogue(
            Script(
                request.python,
                FALSIFIER,
                request.directory,
                request.environment,
                request.log,
                request.box,
                umask=request.umask,
            ),
            self._stream,
            monotonic() + longest,
            "it took longer than all its time limits together",
        )
        self._done = 0

    def to_the_end(self) -> Falsification:
        status = self._dialogue.to_the_end(self._begin, self._heard)
        return self._stream.result(status, self._dialogue.problems)

    def verdicts(self, cases: tuple[str, ...]) -> dict[str, tuple[str, str]]:
        """Run to the end; how each case ended, empty where the run has problems."""
        result = self.to_the_end()
        problem = ("", result.problems[0]) if result.problems else None
        return {case: problem or self._stream.verdict(case) for case in cases}

    def _begin(self) -> None:
        self._dialogue.say(json.dumps(self._order()))

    def _heard(self) -> None:
        if self._stream.done > self._done:
            self._done = self._stream.done
            self._observer.examined(self._done, len(self._request.symbols))

    def _order(self) -> dict[str, object]:
        request = self._request
        wanted = {change.old_path for change in request.symbols if change.old_path}
        return {
            "args": request.args,
            "nonce": request.nonce,
            "symbols": [change._asdict() for change in request.symbols],
            "old": {
                path: data.decode("utf-8", "surrogateescape")
                for path, data in request.old_sources.items()
                if path in wanted
            },
            "known": self._known,
            "production": request.production,
            "only": request.only,
            "groups": dict(request.groups),
            "changed": request.changed,
            "favoured": request.favoured,
            "limits": {
                "seconds": request.seconds,
                "unbroken_seconds": request.unbroken_seconds,
                "symbol_seconds": request.symbol_seconds,
                "mutants": request.mutants,
                "cases": request.cases,
                "boundaries": request.boundaries,
            },
        }
