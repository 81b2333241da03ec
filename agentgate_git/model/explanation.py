"""What evidence alone answers about a proposal, each answer with the line that it rests on."""

from __future__ import annotations

from agentgate_git.model.evidence import ref_of
from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record
from agentgate_git.model.run_evidence import Probe


class Cited(Record):
    """A line of evidence: its kind, the sha256 of its text, and the enrolled principals whose signature is good."""

    kind: str
    sha256: str
    signers: tuple[str, ...]

    @property
    def ref(self) -> str:
        """Where it is kept."""
        return ref_of(self.kind)


class SaidAuthor(Record):
    """The job that wrote the patch, as a seal or a packet says."""

    job: str
    line: Cited


class SaidSeal(Record):
    """The job that sealed the inputs, and when it says it did."""

    job: str
    sealed_at: str
    line: Cited


class SaidCredit(Record):
    """What a credit says that changed symbols earned in the run of a seal.

    `tests` can fail, `tautologies` cannot, and where there are no tests `credited` is empty: it would rest on nothing.
    `problem` says why the credit is none, completing "the credit …", and `untrusted` why nobody enrolled stands behind
    seal and credit; both are empty when all is well. `failed_probes` did not hold, which decides nothing.
    """

    credit_id: str
    seal_sha256: str
    credited: tuple[str, ...]
    tests: tuple[str, ...]
    missing: tuple[str, ...]
    tautologies: tuple[str, ...]
    failed_probes: tuple[Probe, ...]
    problem: str
    untrusted: str
    line: Cited


class SaidFreeze(Record):
    """A freeze and what it has of what a freeze needs; `problem` is why its line counts for nothing, "it …"."""

    test_id: str
    job: str
    expires_at: str
    seal_sha256: str
    credit_id: str
    has_digest: bool
    has_passing_credit: bool
    is_other_test: bool
    has_future_expiry: bool
    problem: str
    line: Cited


class Explanation(Record):
    """Four questions and what is kept to answer them; `commit_signers` signed commits of the proposal."""

    rev: str
    commit: Oid
    tree: Oid
    base_tree: Oid
    commit_signers: tuple[str, ...]
    authors: tuple[SaidAuthor, ...]
    seals: tuple[SaidSeal, ...]
    credits: tuple[SaidCredit, ...]
    freezes: tuple[SaidFreeze, ...]
