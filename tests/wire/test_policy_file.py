"""policy.yaml: what it can set, and how a fault is told."""

from __future__ import annotations

import pytest

from agentgate_git.model.failure import PolicyFailure
from agentgate_git.model.policy import Policy
from agentgate_git.wire.policy import read_policy

WHOLE = b"""\
version: 1
mode: strict
guarded: [migrations/**, "*.sql"]
agents: [build-agent@example.org]
notes:
  packets: [runner, human]
  freezes: ["runner:ci"]
  verdicts: []
capture:
  pytest_args: [-q, --maxfail=1]
  import_roots: [src]
  environment:
    TZ: Europe/Paris
    MY_FLAG: "1"
  time_limit: 600
"""


def test_a_minimal_policy_is_the_built_in_one() -> None:
    assert Policy(is_builtin=False) == read_policy(b"version: 1\n")


def test_every_key_sets_its_field() -> None:
    policy = read_policy(WHOLE)
    assert ("strict", ("migrations/**", "*.sql")) == (policy.mode, policy.guarded)
    assert (("build-agent@example.org",), ("-q", "--maxfail=1"), ("src",), 600) == (
        policy.agents,
        policy.pytest_args,
        policy.import_roots,
        policy.time_limit,
    )
    assert (("packets", ("runner", "human")), ("freezes", ("runner:ci",)), ("verdicts", ())) == policy.notes
    assert not policy.is_builtin


def test_a_sealed_run() -> None:
    policy = read_policy(
        b"version: 1\nsealed_run: required\nenvironment:\n  setup: [pip install -r req.lock]\n  locks: [req.lock]\n"
    )
    assert (True, ("pip install -r req.lock",), ("req.lock",)) == (policy.requires_run, policy.setup, policy.locks)
    assert not read_policy(b"version: 1\nsealed_run: optional\n").requires_run


def test_the_environment_adds_to_the_built_in_one() -> None:
    environment = dict(read_policy(WHOLE).environment)
    assert ("Europe/Paris", "1", "true", "0") == tuple(
        environment[name] for name in ("TZ", "MY_FLAG", "CI", "PYTHONHASHSEED")
    )


REFUSED = {
    "nothing": (b"", "line 1"),
    "two documents": (b"version: 1\n---\nversion: 1\n", "line 3"),
    "unknown key": (b"version: 1\nguardd: []\n", "line 2: `guardd` is no key"),
    "unknown key of capture": (b"version: 1\ncapture:\n  time: 5\n", "line 3: `time` is no key"),
    "unknown word for a sealed run": (b"version: 1\nsealed_run: never\n", "line 2: `sealed_run` must be one of"),
    "locks that nothing reads": (b"version: 1\nenvironment:\n  locks: [a]\n", "line 2: `locks`"),
    "locks out of the tree": (b"version: 1\nenvironment:\n  setup: [a]\n  locks: [../a]\n", "line 4"),
    "no version": (b"mode: strict\n", "line 1: `version: 1` is missing"),
    "other version": (b"version: 2\n", "line 1"),
    "unknown mode": (b"version: 1\nmode: loose\n", "line 2: `mode` must be one of report, lenient, strict"),
    "negated pattern": (b"version: 1\nguarded: ['!a']\n", "line 2"),
    "character class": (b"version: 1\nguarded: ['[ab]']\n", "line 2"),
    "pattern that climbs": (b"version: 1\nguarded: [../a]\n", "line 2"),
    "empty pattern": (b"version: 1\nguarded: ['']\n", "line 2"),
    "agent without address": (b"version: 1\nagents: [claude]\n", "line 2"),
    "unknown kind of notes": (b"version: 1\nnotes:\n  other: [runner]\n", "line 3: `other` is no key of notes"),
    "writers that are no list": (b"version: 1\nnotes:\n  packets: runner\n", "line 3: `packets` must be a list"),
    "two writers in one": (b"version: 1\nnotes:\n  packets: ['a,b']\n", "line 3: `a,b` must be anyone, a role"),
    "number in the environment": (b"version: 1\ncapture:\n  environment:\n    A: 1\n", "line 4: `A` must be text"),
    "odd variable": (b"version: 1\ncapture:\n  environment:\n    A-B: x\n", "line 4"),
    "folder outside": (b"version: 1\ncapture:\n  import_roots: [/usr]\n", "line 3"),
    "no time": (b"version: 1\ncapture:\n  time_limit: 0\n", "line 3"),
    "broken YAML": (b"version: 1\nmode: [\n", "line 3"),
}


@pytest.mark.parametrize(("data", "message"), REFUSED.values(), ids=REFUSED)
def test_a_fault_ends_the_command_and_names_its_line(data: bytes, message: str) -> None:
    with pytest.raises(PolicyFailure) as failure:
        read_policy(data)
    assert message in failure.value.message
    assert failure.value.message.startswith(".agentgate/policy.yaml, line ")
    assert 2 == failure.value.exit_status
