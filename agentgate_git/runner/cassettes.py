"""Recordings of network traffic: which files of a tree they are, and the one digest over all of them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

FOLDERS = frozenset(("cassettes", "vcr_cassettes"))


def is_cassette(path: str) -> bool:
    """True for a file in a folder that is named for cassettes, however deep."""
    return not FOLDERS.isdisjoint(path.split("/")[:-1])


def cassettes_digest(files: Iterable[tuple[str, bytes]]) -> str:
    """`cassette_sha256`: over the files in the order of their paths, each as path and bytes with both lengths."""
    digest = sha256()
    for path, data in sorted((path.encode("utf-8", "surrogateescape"), data) for path, data in files):
        digest.update(b"%d:%s%d:" % (len(path), path, len(data)))
        digest.update(data)
    return digest.hexdigest()
