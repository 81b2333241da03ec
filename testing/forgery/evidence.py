"""What an author can do to evidence: forge it, copy it, sign it with a key of their own, date it back."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agentgate_git.model.evidence import CREDITS, FREEZES, LOGS, PACKETS, SEALS, VERDICTS, Entry
from agentgate_git.wire.bundle import read_line
from agentgate_git.wire.dsse import encode_envelope
from agentgate_git.wire.run_statements import credit_payload, read_scored_credit
from agentgate_git.wire.statement import Unreadable, unsigned
from testing.forgery.bed import Answers, Bed
from testing.forgery.honest import HONEST
from testing.forgery.hostile import HOSTILE
from testing.forgery.projects import LEDGER_TESTS, Files
from testing.records import open_ledger, stored_lines
from testing.sealed_runs import some_freeze, store_freeze, store_run, store_run_packet, trees_of

_HONEST, _HOSTILE = HONEST[0].files, HOSTILE[0].files
_FLAKY = f"{LEDGER_TESTS}::test_flaky"
_CREDITED = f"{LEDGER_TESTS}::test_total"
_RUN_KINDS = (SEALS, CREDITS, LOGS, PACKETS, VERDICTS)
_NOT_RUN = "-"


class EvidenceBed(Bed):
    """The ledger project, with one run of each of three patches that every deed may start from."""

    def __init__(self, folder: Path) -> None:
        super().__init__("ledger", folder)
        self._made: dict[str, str] = {}

    def took(self, name: str, files: Files) -> str:
        """Check the proposal out, run once by the runner; what came out."""
        if name in self._made:
            branch, answer = self._made[name].split(" ")
            self.repo.git("checkout", "-q", "-f", branch)
            self.job = branch.replace("topic", "author")
            return answer
        self.propose(files)
        answer = self.run()
        self._made[name] = f"topic-{self.job.removeprefix('author-')} {answer}"
        return answer

    def honest(self) -> str:
        """The patch that mends and tests."""
        return self.took("honest", _HONEST)

    def hostile(self) -> str:
        """The patch whose test cannot fail."""
        return self.took("hostile", _HOSTILE)

    def failing(self) -> str:
        """The honest patch beside a test that fails."""
        tests = f"{_HONEST[LEDGER_TESTS]!s}\n\ndef test_flaky():\n    assert 4 == ledger.total(2, 3)\n"
        return self.took("failing", {**_HONEST, LEDGER_TESTS: tests})

    def lines(self, kind: str) -> list[bytes]:
        """What is kept under the tree of HEAD."""
        return sorted(stored_lines(self.repo, kind).get(self.repo.tree(), set()))

    def keep(self, kind: str, lines: list[bytes]) -> None:
        """Keep lines under the tree of HEAD."""
        with open_ledger(self.repo) as ledger:
            ledger.append(kind, [Entry(self.repo.tree(), line) for line in lines])

    def forge_run(self, sign: Callable[[bytes], bytes], **credit: Any) -> str:
        """A run of HEAD as if it had been made, each line signed so."""
        seal = store_run(self.repo, sign, **credit)
        store_run_packet(self.repo, seal, sign)
        return seal

    def signer(self, name: str) -> Callable[[bytes], bytes]:
        """Signs with a key of the bed."""
        return lambda payload: self.keys.signed_line(name, payload)


def _unsigned_by_git_notes(bed: EvidenceBed) -> Answers:
    bed.propose({**_HOSTILE, "notes.txt": "1"})
    bed.forge_run(lambda payload: encode_envelope(unsigned(payload)))
    for kind in (SEALS, CREDITS, PACKETS):
        text = b"\n".join(bed.lines(kind)) + b"\n"
        bed.repo.git("update-ref", "-d", f"refs/agentgate/kept/{kind}")
        bed.repo.git("notes", f"--ref=agentgate/{kind}", "add", "-f", "-F", "-", bed.repo.tree(), stdin=text)
    return bed.answers(_NOT_RUN)


def _signed_by(name: str) -> Callable[[EvidenceBed], Answers]:
    def deed(bed: EvidenceBed) -> Answers:
        bed.propose({**_HOSTILE, "notes.txt": name})
        bed.forge_run(bed.signer(name))
        return bed.answers(bed.run(name))

    return deed


def _signed_and_committed_with_one_key(bed: EvidenceBed) -> Answers:
    settings = (("gpg.format", "ssh"), ("user.signingkey", str(bed.keys.path("ci"))), ("commit.gpgsign", "true"))
    for name, value in settings:
        bed.repo.git("config", name, value)
    bed.propose({**_HONEST, "notes.txt": "own"})
    for name, _ in settings:
        bed.repo.git("config", "--unset", name)
    bed.forge_run(bed.signer("ci"))
    return bed.answers(bed.run())


def _own_credit_for_a_real_seal(bed: EvidenceBed) -> Answers:
    run = bed.hostile()
    (line,) = bed.lines(CREDITS)
    found = read_scored_credit(read_line(line).envelope)
    assert not isinstance(found, Unreadable)
    credit = found.credit.credit
    claimed = credit._replace(
        credited=credit.missing or (), missing=(), tautologies=(), test_ids=(_CREDITED,), is_pass=True
    )
    payload = credit_payload(found.credit._replace(credit=claimed))
    bed.keep(CREDITS, [bed.keys.signed_line("builder", payload)])
    return bed.answers(run)


def _copied(*kinds: str) -> Callable[[EvidenceBed], Answers]:
    def deed(bed: EvidenceBed) -> Answers:
        bed.honest()
        lines = {kind: bed.lines(kind) for kind in kinds}
        if CREDITS in kinds and SEALS not in kinds:
            run = bed.hostile()
        else:
            bed.propose({**_HOSTILE, "notes.txt": " ".join(kinds)})
            run = _NOT_RUN
        for kind, found in lines.items():
            bed.keep(kind, found)
        return bed.answers(run)

    return deed


def _retargeted(bed: EvidenceBed) -> Answers:
    """The lines of an honest run, made to speak of another tree, with their signatures."""
    bed.honest()
    old = bed.repo.tree().encode()
    lines = {kind: bed.lines(kind) for kind in _RUN_KINDS}
    bed.propose({**_HOSTILE, "notes.txt": "retargeted"})
    new = bed.repo.tree().encode()
    for kind, found in lines.items():
        bed.keep(kind, [_with_payload(line, lambda data: data.replace(old, new)) for line in found])
    return bed.answers(_NOT_RUN)


def _with_payload(line: bytes, change: Callable[[bytes], bytes]) -> bytes:
    envelope = json.loads(line)
    envelope["payload"] = base64.b64encode(change(base64.b64decode(envelope["payload"]))).decode()
    return json.dumps(envelope, sort_keys=True, separators=(",", ":")).encode()


def _over_another_base(bed: EvidenceBed) -> Answers:
    bed.honest()
    tree = bed.repo.tree()
    bed.repo.git("checkout", "-q", "-B", "other", "main")
    bed.repo.commit({"src/other.py": "OTHER = 1\n"}, "a step that the patch takes back")
    tip = bed.repo.git("commit-tree", tree, "-p", "other", "-m", "a change")
    bed.repo.git("checkout", "-q", "-f", "-B", "over-other", tip)
    bed.repo.git("config", "agentgate.target", "other")
    found = bed.answers(_NOT_RUN)
    bed.repo.git("config", "agentgate.target", "main")
    return found


def _dated_back(bed: EvidenceBed) -> Answers:
    """All of it by a key that was a runner's once, and says that it was made then."""
    bed.propose({**_HOSTILE, "notes.txt": "dated back"})
    bed.forge_run(lambda payload: bed.keys.signed_line("retired", payload.replace(b"2026-10-12T", b"2019-06-01T")))
    return bed.answers(bed.run("retired"))


def _fixture_after_the_seal(bed: EvidenceBed) -> Answers:
    patch = next(one for one in HONEST if one.name == "a data file of the tests")
    bed.took("data", patch.files)
    run = bed.run()
    bed.repo.commit({"tests/taxes.json": "[]\n"}, "another fixture")
    return bed.answers("E_DIGEST_OPEN" if run == "ALLOW" and bed.run() == "E_DIGEST_OPEN" else run)


def _other_bytes_for_one_job(bed: EvidenceBed) -> Answers:
    bed.honest()
    bed.repo.git("checkout", "-q", "-f", "-B", "more", "HEAD")
    bed.repo.commit({**_HOSTILE, "notes.txt": "more"}, "more of it")
    return bed.answers(bed.run())


def _one_job(bed: EvidenceBed) -> Answers:
    bed.propose({**_HONEST, "notes.txt": "one job"})
    return bed.answers(bed.run(runner_job=f" {bed.job.upper()} "))


def _own_enrolment(bed: EvidenceBed) -> Answers:
    bed.propose(
        {
            **_HOSTILE,
            ".agentgate/allowed_signers": bed.keys.enrolment("runner:stranger", "stranger"),
            ".agentgate/policy.yaml": "version: 1\n",
        }
    )
    bed.forge_run(bed.signer("stranger"))
    return bed.answers(bed.run("stranger"))


def _frozen(key: str, *, is_by_author: bool = False, **changes: Any) -> Callable[[EvidenceBed], Answers]:
    """A freeze for the test that fails, wrong in one thing."""

    def deed(bed: EvidenceBed) -> Answers:
        run = bed.failing()
        (line,) = bed.lines(CREDITS)
        found = read_scored_credit(read_line(line).envelope)
        assert not isinstance(found, Unreadable)
        credit = found.credit.credit
        made = some_freeze(credit.digest, **trees_of(bed.repo))
        right = {
            "author_job": bed.job if is_by_author else "review-2",
            "runner_job": found.credit.runner_job,
            "credit_id": credit.credit_id,
            "test_id": _FLAKY,
            "expires_at": "9999-12-31T00:00:00Z",
        }
        freeze = made.freeze._replace(**{**right, **changes})
        store_freeze(bed.repo, made._replace(freeze=freeze), bed.signer(key))
        answers = bed.answers(run)
        for ref in (f"refs/notes/agentgate/{FREEZES}", f"refs/agentgate/kept/{FREEZES}"):
            bed.repo.git("update-ref", "-d", ref)
        return answers

    return deed


DEEDS: dict[str, Callable[[EvidenceBed], Answers]] = {
    "a whole run that nobody signed, by `git notes`": _unsigned_by_git_notes,
    "a whole run, signed by the author": _signed_by("builder"),
    "a whole run, signed by a human": _signed_by("pat"),
    "a whole run, signed by a stranger": _signed_by("stranger"),
    "a whole run, signed by the key that signed the patch": _signed_and_committed_with_one_key,
    "a credit of one's own for a real seal": _own_credit_for_a_real_seal,
    "the credit of another tree, copied": _copied(CREDITS),
    "all lines of another tree, replayed": _copied(*_RUN_KINDS),
    "the verdict of another tree, copied": _copied(VERDICTS),
    "the lines of another tree, made to name this one": _retargeted,
    "the run of this tree over another base": _over_another_base,
    "a run that is dated back to when a key was good": _dated_back,
    "a fixture that is changed after the seal": _fixture_after_the_seal,
    "other bytes under a seal that is there": _other_bytes_for_one_job,
    "one job that writes and runs, spelt in two ways": _one_job,
    "a key that the proposal itself enrols": _own_enrolment,
    "a freeze for the test that earned the credit": _frozen("pat", test_id=_CREDITED),
    "a freeze that has ended": _frozen("pat", expires_at="2026-01-01T00:00:00Z"),
    "a freeze that ends in no zone": _frozen("pat", expires_at="9999-12-31T00:00:00"),
    "a freeze that the author signs": _frozen("builder"),
    "a freeze that the runner signs": _frozen("ci"),
    "a freeze in the name of the author": _frozen("pat", is_by_author=True),
    "a freeze for another run": _frozen("pat", runner_digest="0" * 64),
}
