"""Commits from their raw bytes, and the ways between them."""

from __future__ import annotations

from agentgate_git.model.commit import Commit, Ident
from agentgate_git.model.failure import Undecided
from agentgate_git.model.oid import Oid, is_oid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agentgate_git.repo.objects import Objects
    from agentgate_git.repo.process import Git

_SIGNATURES = ("gpgsig", "gpgsig-sha256")
_MOST_DIGITS = 18


def parse_commit(oid: Oid, data: bytes) -> Commit:
    """A commit from the bytes of its object; Undecided when the object is no readable commit."""
    head, _, body = data.partition(b"\n\n")
    headers = _headers(head)
    encoding = headers.get("encoding", [b"utf-8"])[0].decode("ascii", "replace")
    trees = headers.get("tree", [])
    author = headers.get("author", [])
    committer = headers.get("committer", [])
    if len(trees) != 1 or len(author) != 1 or len(committer) != 1:
        raise Undecided(f"commit {oid} has a malformed header", "run `git fsck`")
    tree = trees[0].decode("ascii", "replace")
    parents = tuple(parent.decode("ascii", "replace") for parent in headers.get("parent", []))
    if not all(map(is_oid, (tree, *parents))):
        raise Undecided(f"commit {oid} names no valid tree or parent", "run `git fsck`")
    signature = next((headers[name][0] for name in _SIGNATURES if name in headers), b"")
    return Commit(
        oid=oid,
        tree=tree,
        parents=parents,
        author=_ident(author[0], encoding),
        committer=_ident(committer[0], encoding),
        message=_decode(body, encoding),
        signature=signature.decode("utf-8", "replace"),
    )


def signed_payload(data: bytes) -> bytes:
    """What the signature of a commit is over: its object without the signature headers."""
    head, separator, body = data.partition(b"\n\n")
    kept: list[bytes] = []
    is_signature = False
    for line in head.split(b"\n"):
        if not line.startswith(b" "):
            is_signature = line.partition(b" ")[0].decode("ascii", "replace") in _SIGNATURES
        if not is_signature:
            kept.append(line)
    return b"\n".join(kept) + separator + body


def read_commit(objects: Objects, oid: Oid) -> Commit:
    """The commit of an id, hashed again."""
    return parse_commit(oid, objects.read(oid, "commit"))


def read_commits(objects: Objects, oids: Iterable[Oid]) -> Iterator[Commit]:
    """Commits in the order asked for, streamed."""
    for found in objects.read_many(oids):
        yield parse_commit(found.oid, found.data)


def commits_between(git: Git, objects: Objects, base: Oid, tip: Oid) -> tuple[Commit, ...]:
    """Every commit reachable from `tip` and not from `base` (empty: none excluded), parents first."""
    exclude = (f"^{base}",) if base else ()
    listed = git.text("rev-list", "--topo-order", "--reverse", tip, *exclude).split()
    return tuple(read_commits(objects, listed))


def first_parents(git: Git, objects: Objects, tip: Oid, limit: int) -> tuple[Commit, ...]:
    """At most `limit` commits from `tip` back along first parents, newest first."""
    listed = git.text("rev-list", "--first-parent", f"--max-count={limit}", tip).split()
    return tuple(read_commits(objects, listed))


def merge_base(git: Git, one: Oid, other: Oid) -> Oid | None:
    """The best common ancestor, None when the two share no history."""
    answer = git.try_run("merge-base", one, other)
    if answer.status == 1 and not answer.stderr:
        return None
    if answer.status != 0:
        raise Undecided(
            f"the history between {one[:12]} and {other[:12]} is not all here",
            "run `git fetch --unshallow`, or give --base",
        )
    return answer.stdout.decode("ascii").strip()


def is_ancestor(git: Git, one: Oid, other: Oid) -> bool:
    """True when `one` is reachable from `other`; False also where the history between them is not all here."""
    return git.try_run("merge-base", "--is-ancestor", one, other).status == 0


def _headers(head: bytes) -> dict[str, list[bytes]]:
    """Header lines by name; a line that begins with a space continues the one before."""
    headers: dict[str, list[bytes]] = {}
    name = ""
    for line in head.split(b"\n"):
        if line.startswith(b" ") and name:
            headers[name][-1] += b"\n" + line[1:]
            continue
        key, _, value = line.partition(b" ")
        name = key.decode("ascii", "replace")
        headers.setdefault(name, []).append(value)
    return headers


def _ident(value: bytes, encoding: str) -> Ident:
    """`Name <address> seconds zone`; whatever cannot be read is empty or 0."""
    text = _decode(value, encoding)
    name, _, rest = text.partition("<")
    email, _, when = rest.rpartition(">")
    seconds = when.split()[0] if when.split() else "0"
    digits = seconds.removeprefix("-")
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS
    return Ident(name.strip(), email.strip(), int(seconds) if is_number else 0)


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (LookupError, ValueError):  # an encoding that is none, or one that reads no bytes
        return data.decode("utf-8", "surrogateescape")
