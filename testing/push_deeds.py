"""What developers push: honest work that must go in, and what must be refused with nothing left behind.

Deeds are done in one clone after the other: each begins from what the server holds then.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator

from testing.evidence_keys import Keys, some_payload, unsigned_line
from testing.server_repo import (
    BASELINE,
    MANIFEST,
    PACKETS,
    SEALS,
    SKIPPING,
    TEST_FILE,
    WORKFLOW,
    Remote,
    add_lines,
    set_note,
    take_notes,
)

Deed = Callable[[Remote], None]


def _agent_work(remote: Remote) -> None:
    remote.begin("work")
    remote.repo.commit_as_agent({"orders.py": "LIMIT = 3  # at most\n"})
    remote.accepts("work")
    remote.repo.commit_as_agent({"new.py": "x = 1\n"})
    remote.accepts("work")


def _human_workflow(remote: Remote) -> None:
    remote.begin("flow")
    remote.repo.commit({WORKFLOW: "on: [push, pull_request]\n"})
    remote.accepts("flow")


def _forward(remote: Remote) -> None:
    remote.begin("main")
    remote.repo.commit({"README": f"after {remote.repo.git('rev-parse', 'HEAD')}\n"})
    remote.accepts("main")


def _tags(remote: Remote) -> None:
    remote.begin("main")
    blob = remote.repo.git("hash-object", "-w", "--stdin", stdin=b"a key\n")
    remote.repo.git("tag", "-f", "-a", "-m", "a release", "v1")
    remote.repo.git("tag", "-f", "key", blob)
    remote.accepts("v1", "key")


def _delete_branch(remote: Remote) -> None:
    remote.begin("done")
    remote.accepts("done")
    remote.accepts(":done")


def _rewrite_branch(remote: Remote) -> None:
    for number in (1, 2):
        remote.begin("again")
        remote.repo.commit({"again.py": f"x = {number}\n"})
        remote.accepts("-f", "again")


def _packets(remote: Remote) -> None:
    remote.begin("main")
    for number in (1, 2):
        add_lines(remote, PACKETS, [unsigned_line(remote.repo.tree(), number)])
        remote.accepts(PACKETS)


def _seals(remote: Remote) -> None:
    remote.begin("main")
    payload = some_payload(remote.repo.tree())
    for is_armoured in (True, False):
        add_lines(remote, SEALS, [remote.keys.signed_line("ci", payload, is_armoured=is_armoured)])
        remote.accepts(SEALS)


HONEST: dict[str, Deed] = {
    "an agent's work on a branch": _agent_work,
    "a human's change of a workflow": _human_workflow,
    "a commit on main": _forward,
    "tags on main and on a blob": _tags,
    "a branch that is deleted": _delete_branch,
    "a branch that is rewritten": _rewrite_branch,
    "packets that nobody signed": _packets,
    "seals that the runner signed": _seals,
}


def _guarded(remote: Remote) -> None:
    remote.begin("bad")
    remote.repo.commit_as_agent({WORKFLOW: "on: never\n"})
    assert WORKFLOW in remote.refuses("E_GUARDED_PATH", "bad")
    remote.refuses("E_GUARDED_PATH", "bad:main")


def _guarded_by_a_tag(remote: Remote) -> None:
    remote.begin("bad")
    remote.repo.commit_as_agent({BASELINE: MANIFEST.replace("7", "8")})
    remote.repo.git("tag", "-f", "-a", "-m", "a release", "inner")
    remote.repo.git("tag", "-f", "-a", "-m", "a tag of a tag", "outer", "inner")
    remote.refuses("E_GUARDED_PATH", "outer")
    remote.refuses("E_GUARDED_PATH", "bad:refs/odd/place")


def _dropped_pin(remote: Remote) -> None:
    remote.begin("bad")
    remote.repo.commit_as_agent({"entropy.yaml": MANIFEST.replace("  rng_seed: 7\n", "")})
    remote.refuses("E_PIN_DROPPED", "bad")


def _silenced_test(remote: Remote) -> None:
    remote.begin("bad")
    remote.repo.commit({TEST_FILE: SKIPPING})
    assert TEST_FILE in remote.refuses("E_SKIP_MARKER", "bad")


def _forced_main(remote: Remote) -> None:
    remote.begin("main")
    remote.repo.git("commit", "-q", "--amend", "-m", "another history")
    remote.refuses("E_REF_GUARDED", "-f", "main")
    remote.refuses("E_REF_GUARDED", ":main")


def _deleted_main_made_again(remote: Remote) -> None:
    """With the old main gone, the new one would have nothing to be compared with."""
    remote.begin("bad")
    remote.repo.commit_as_agent({WORKFLOW: "on: never\n"})
    remote.refuses("E_REF_GUARDED", ":main", "bad:other")
    remote.refuses("E_GUARDED_PATH", "bad:main")


def _good_and_bad(remote: Remote) -> None:
    remote.begin("good")
    remote.repo.commit({"good.py": "x = 1\n"})
    remote.begin("bad")
    remote.repo.commit({TEST_FILE: SKIPPING})
    said = remote.refuses("E_SKIP_MARKER", "good", "bad", "good:refs/tags/fine")
    assert "refused: refs/heads/bad:" in said
    assert "refs/heads/good:" not in said


def _with_a_packet(remote: Remote) -> str:
    """See that the server holds a packet; the tree it is about."""
    remote.begin("main")
    take_notes(remote, PACKETS)
    if not remote.repo.run("git", "rev-parse", "--verify", "--quiet", PACKETS).stdout:
        add_lines(remote, PACKETS, [unsigned_line(remote.repo.tree())])
        remote.accepts(PACKETS)
    return remote.repo.git("notes", f"--ref={PACKETS}", "list").split()[1]


def _rewound_notes(remote: Remote) -> None:
    _with_a_packet(remote)
    other = remote.repo.git("commit-tree", "-m", "the same notes", f"{PACKETS}^{{tree}}")
    remote.refuses("E_NOTE_LOST", "-f", f"{other}:{PACKETS}")
    remote.refuses("E_NOTE_LOST", f":{PACKETS}")


def _removed_line(remote: Remote) -> None:
    key = _with_a_packet(remote)
    set_note(remote.repo, PACKETS, key, [unsigned_line(key, 99)])
    assert "would be gone" in remote.refuses("E_NOTE_LOST", PACKETS)
    take_notes(remote, PACKETS)
    remote.repo.git("notes", f"--ref={PACKETS}", "remove", key)
    remote.refuses("E_NOTE_LOST", PACKETS)


def _forged_seals(remote: Remote) -> None:
    remote.begin("main")
    for line in _forgeries(remote.repo.tree(), remote.keys):
        add_lines(remote, SEALS, [line])
        remote.refuses("E_NOTE_UNTRUSTED", SEALS)


def _forgeries(tree: str, keys: Keys) -> Iterator[bytes]:
    """Seals by nobody, by a stranger, by a human, and the runner's signature on other bytes or for another use."""
    payload, other = some_payload(tree, 50), some_payload(tree, 51)
    yield unsigned_line(tree, 50)
    yield keys.signed_line("stranger", payload)
    yield keys.signed_line("pat", payload)
    yield keys.signed_line("ci", other).replace(base64.b64encode(other), base64.b64encode(payload))
    yield keys.signed_line("ci", payload, namespace="git")


def _no_records(remote: Remote) -> None:
    remote.begin("main")
    tree = remote.repo.tree()
    add_lines(remote, PACKETS, [b"looks good to me"])
    remote.refuses("E_NOTE_MALFORMED", PACKETS)
    add_lines(remote, PACKETS, [unsigned_line(tree, 60)], remote.repo.git("rev-parse", f"{tree}:tests"))
    remote.refuses("E_SUBJECT_MISMATCH", PACKETS)


def _closed_refs(remote: Remote) -> None:
    remote.begin("main")
    for ref in ("refs/agentgate/kept/packets", "refs/notes/agentgate", "refs/notes/agentgate/other"):
        remote.refuses("E_REF_GUARDED", f"main:{ref}")
    remote.refuses("E_REF_GUARDED", f"main:refs/replace/{remote.repo.git('rev-parse', 'main')}")


REFUSED: dict[str, Deed] = {
    "a guarded path by an agent": _guarded,
    "a guarded path behind tags and odd refs": _guarded_by_a_tag,
    "a dropped pin": _dropped_pin,
    "a silenced test": _silenced_test,
    "main forced or deleted": _forced_main,
    "main deleted and made again": _deleted_main_made_again,
    "a good ref and a bad one": _good_and_bad,
    "notes rewound or deleted": _rewound_notes,
    "a line of a note removed": _removed_line,
    "forged seals": _forged_seals,
    "lines that are no records": _no_records,
    "closed refs": _closed_refs,
}
