"""What `run` came to, for whoever asked for it."""

from __future__ import annotations

from agentgate_git.model.falsification import SymbolResult
from agentgate_git.model.oid import Oid
from agentgate_git.model.packet import Packet
from agentgate_git.model.record import Record
from agentgate_git.model.run_evidence import ScoredCredit, Seal
from agentgate_git.model.run_record import RunDecision


class SealedRunResult(Record):
    """One call of `run`: `decision` is about this run alone.

    `seal` is None when the run was refused before there was one, and `seal_sha256` names its line. `packet` and
    `credit` are what is kept of the run; `symbols` say what came of each changed symbol, empty where an earlier call
    had scored it already. `notes` are sentences without a full stop for the reader.
    """

    rev: str
    commit: Oid
    tree: Oid
    base_tree: Oid
    decision: RunDecision
    exit_status: int
    seal: Seal | None = None
    seal_sha256: str = ""
    packet: Packet | None = None
    credit: ScoredCredit | None = None
    symbols: tuple[SymbolResult, ...] = ()
    notes: tuple[str, ...] = ()
