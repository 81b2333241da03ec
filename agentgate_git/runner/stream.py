"""What the process that runs tests tells about them, into a RunReport."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from agentgate_git.model.packet import NOT_RUN, OUTCOMES, RunReport
from agentgate_git.runner.event_lines import EventLines, text

MAX_TOTAL = 512 << 20
_KNOWN = frozenset(OUTCOMES)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agentgate_git.runner.event_lines import Event


class RunStream(EventLines):
    """One run as far as it has been told."""

    def __init__(self, nonce: str) -> None:
        self.is_collected = False
        self.selected: list[str] = []
        self.ran: list[tuple[str, str]] = []
        self._report = RunReport()
        self._lists: dict[str, list[str]] = {}
        self._origins: list[tuple[str, str]] = []
        self._has_ended = False
        handlers = {
            "hello": self._on_hello,
            "session": self._on_session,
            "selected": self._on_selected,
            "collected": self._on_collected,
            "collect_error": self._on_single,
            "rerun": self._on_single,
            "deselected": self._on_list,
            "trimmed": self._on_list,
            "unstable": self._on_list,
            "strict_xfails": self._on_list,
            "ran": self._on_ran,
            "stopped": self._on_stopped,
            "problem": self._on_problem,
            "origins": self._on_origins,
            "finish": self._on_finish,
            "end": self._on_end,
        }
        super().__init__(handlers, nonce, MAX_TOTAL)

    def report(self, exit_status: int, started_at: str, finished_at: str, problems: tuple[str, ...]) -> RunReport:
        """All that is known when the process is gone."""
        return self._report._replace(
            selected=tuple(self.selected),
            deselected=self._list("deselected"),
            trimmed=self._list("trimmed"),
            outcomes=_outcomes(self.selected, self.ran),
            reruns=self._list("rerun"),
            collect_errors=tuple(dict.fromkeys(self._list("collect_error"))),
            unstable=tuple(sorted(set(self._list("unstable")))),
            strict_xfails=self._list("strict_xfails"),
            origins=tuple(self._origins),
            exit_status=exit_status,
            is_finished=self._has_ended and self._report.session_status >= 0,
            started_at=started_at,
            finished_at=finished_at,
            problems=(*problems, *self._list("problem"), *self.faults()),
        )

    def _list(self, name: str) -> tuple[str, ...]:
        return tuple(self._lists.get(name, ()))

    def _on_hello(self, event: Event) -> None:
        self._report = self._report._replace(
            interpreter=text(event["interpreter"]),
            platform=text(event["platform"]),
            plugins=(f"pytest {text(event['pytest'])}",),
            environment=_pairs(event["environment"]),
        )
        self.has_started = True

    def _on_session(self, event: Event) -> None:
        found = tuple(name for name in _texts(event["plugins"]) if not name.startswith("agentgate-git "))
        self._report = self._report._replace(plugins=(*self._report.plugins[:1], *found))

    def _on_selected(self, event: Event) -> None:
        if self.is_collected:
            raise ValueError("ids after the end of the collection")
        self.selected.extend(_texts(event["ids"]))

    def _on_collected(self, event: Event) -> None:
        if self.is_collected or event["count"] != len(self.selected):
            raise ValueError("a count that is not that of the ids")
        self.is_collected = True

    def _on_single(self, event: Event) -> None:
        self._lists.setdefault(event["event"], []).append(text(event["id"]))

    def _on_list(self, event: Event) -> None:
        self._lists.setdefault(event["event"], []).extend(_texts(event["ids"]))

    def _on_ran(self, event: Event) -> None:
        rows = _pairs(event["rows"])
        if not _KNOWN.issuperset(outcome for _, outcome in rows):
            raise ValueError("an outcome that is none")
        self.ran.extend(rows)

    def _on_stopped(self, _event: Event) -> None:
        self._lists.setdefault("problem", []).append("it was stopped after collection")

    def _on_problem(self, event: Event) -> None:
        self._lists.setdefault("problem", []).append(text(event["text"]))

    def _on_origins(self, event: Event) -> None:
        self._origins.extend(_pairs(event["rows"]))

    def _on_finish(self, event: Event) -> None:
        self.check_nonce(event)
        self._report = self._report._replace(
            session_status=_status(event["status"]), warnings=_status(event["warnings"])
        )

    def _on_end(self, event: Event) -> None:
        self.check_nonce(event)
        self._report = self._report._replace(main_status=_status(event["status"]))
        self._has_ended = True


def _outcomes(selected: Iterable[str], ran: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """An outcome for each selected id in order, then what ran without being selected."""
    waiting: dict[str, deque[str]] = {}
    for test, outcome in ran:
        waiting.setdefault(test, deque()).append(outcome)
    rows = [(test, waiting[test].popleft() if waiting.get(test) else NOT_RUN) for test in selected]
    rows.extend((test, outcome) for test, outcomes in waiting.items() for outcome in outcomes)
    return tuple(rows)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return tuple(text(item) for item in value)


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return tuple((text(first), text(second)) for first, second in value)


def _status(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 32:
        raise TypeError("no status")
    return value
