"""How each verb is called, as its help and the documentation show it: the command, and what it is for."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "install": (
        ("git agentgate install", "beside pre-commit: the native pre-push hook, notes and merges"),
        ("git agentgate install --native", "without pre-commit: every hook"),
        ("git agentgate install --server pre-receive", "in a bare repository that others push to"),
    ),
    "uninstall": (("git agentgate uninstall", "take out what install put in"),),
    "doctor": (("git agentgate doctor", "what is missing in this clone"),),
    "selftest": (("git agentgate selftest", "does this version answer as it should"),),
    "snapshot": (("git agentgate snapshot", "after entropy.yaml changed on the target branch"),),
    "pins": (
        ("git agentgate pins suggest", "read the source of what entropy.yaml names"),
        ("git agentgate pins probe --python .venv/bin/python", "run those tests, and see what they read"),
    ),
    "check": (
        ("git agentgate check", "the proposal that ends at HEAD"),
        ("git agentgate check topic --base origin/main", "another one, and what it is merged into"),
        ("git agentgate check --staged", "what a commit would hold"),
        ("git agentgate check --format sarif", "for a forge or a bot; the exit status is the same"),
    ),
    "scan": (
        ("git agentgate scan", "what is changed in the work tree"),
        ("git agentgate scan --range v1.0..HEAD --format json", "each commit of a range"),
        ("git agentgate scan --before old --after new", "two directories, without a repository"),
    ),
    "adopt": (
        ("git agentgate adopt --request --staged --reason 'forks need it'", "an agent asks, before it commits"),
        ("git agentgate adopt --list", "a human sees what is asked for"),
        ("git agentgate adopt HEAD --path .github/workflows/ci.yml --key ~/.ssh/id_ed25519", "and takes it over"),
    ),
    "capture": (
        ("git agentgate capture", "the work tree, with the python of the active environment"),
        ("git agentgate capture HEAD~3 --python .venv/bin/python", "a revision, laid out in a scratch directory"),
        ("git agentgate capture -- services/billing", "a project in a folder of its own"),
    ),
    "verify": (
        ("git agentgate verify", "HEAD"),
        ("git agentgate verify HEAD --base origin/main --fetch origin", "in CI, with the evidence of the remote"),
        ("git agentgate verify origin/main..HEAD --depth lookup", "each commit of a range, without running tests"),
        ("git agentgate verify --log tests.log", "where the output of the tests goes"),
    ),
    "run": (
        (
            "git agentgate run HEAD --author-job agent-17 --runner-job ci-88 --key ~/.ssh/runner",
            "a job name for each run; the key is one that the base enrols as runner:NAME",
        ),
    ),
    "decide": (
        ("git agentgate decide HEAD", "from the evidence that is kept"),
        ("git agentgate decide --record record.json --credit credit.json", "from files"),
    ),
    "freeze": (
        (
            "git agentgate freeze HEAD --test tests/test_a.py::test_b --until 2027-01-31T18:00:00Z --job review-2",
            "leave for one test that failed in the run",
        ),
        ("git agentgate freeze --list", "what is kept about HEAD"),
    ),
    "explain": (
        ("git agentgate explain HEAD", "who wrote it, who ran it, what bites"),
        ("git agentgate explain E_STALE", "the page of a code"),
    ),
    "logs": (("git agentgate logs HEAD", "what the tests of the sealed run printed"),),
    "show": (("git agentgate show HEAD~1", "the records of one tree"),),
    "log": (("git agentgate log -n 5", "which commits have packets that pass"),),
    "sync": (
        ("git agentgate sync", "with origin, both ways"),
        ("git agentgate sync upstream --fetch-only", "where pushing is not for you"),
    ),
    "ledger": (
        ("git agentgate ledger list packets", "how many lines each tree has"),
        ("git agentgate ledger cat packets", "all of them, for `ledger import packets` elsewhere"),
    ),
    "receive": (("git agentgate receive", "what `install --server pre-receive` has git call"),),
    "merge-driver": (("git agentgate merge-driver BASE OURS THEIRS 7 entropy.yaml", "what git calls"),),
    "demo": (("git agentgate demo --python .venv/bin/python", "a story of some twenty seconds"),),
    "help": (
        ("git agentgate help verify", "how a verb is called"),
        ("git agentgate help E_STALE", "what a code means, in two lines"),
    ),
}


def example_lines(name: str) -> tuple[str, ...]:
    """The examples of a verb, each line a command behind what it is for."""
    return tuple(line for command, what in EXAMPLES[name] for line in (f"# {what}", command))
