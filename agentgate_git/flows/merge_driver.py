"""The merge driver `agentgate-pins`: git hands over three files, and the first takes the result.

What git sees of a driver that fails is its exit status; what a person sees is the file. So the file holds both
versions between conflict markers from the first moment on, and a result takes their place only when all is well:
however the driver ends, one side alone is never left as if it were the resolution.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping

from agentgate_git.flows.files import replace_file
from agentgate_git.model.manifest import Manifest
from agentgate_git.model.paths import BASELINE_PATH
from agentgate_git.model.record import Record
from agentgate_git.policy.merge_pins import Side, means_the_same, merge_pins
from agentgate_git.repo.process import Git
from agentgate_git.wire.manifest import dump_manifest, load_manifest
from agentgate_git.wire.strict_yaml import StrictYamlError
from agentgate_git.wire.unknown_keys import unknown_keys

# Shorter markers than git's own would not be recognised, by people or by the strict reader.
SHORTEST_MARKER = 7


class MergeRequest(Record):
    """What git puts for %O, %A, %B, %L and %P: three files, the length of markers, the path being merged."""

    base: str
    ours: str
    theirs: str
    marker_size: int
    path: str


class Versions(Record):
    """The bytes of the three versions."""

    base: bytes
    ours: bytes
    theirs: bytes


def merge_files(directory: str, environ: Mapping[str, str], request: MergeRequest) -> tuple[str, ...]:
    """Merge into the file `ours`; when that was left with both versions between markers, why."""
    versions = Versions(*map(_read, (request.base, request.ours, request.theirs)))
    mode = os.stat(request.ours).st_mode & 0o777
    replace_file(request.ours, conflict_text(versions, request.marker_size), mode)
    one, other = _side("ours", versions.ours), _side("theirs", versions.theirs)
    if isinstance(one, str) or isinstance(other, str):
        return tuple(problem for problem in (one, other) if isinstance(problem, str))
    merged = merge_pins(_base(versions.base), one, other)
    if merged.side is None:
        return merged.conflicts
    is_baseline = os.path.basename(request.path) == BASELINE_PATH
    result = _written(Git.in_repository(directory, environ), versions, merged.side, is_baseline)
    if result is None:
        return ("the pins agree, but no text can be made that keeps every comment and unknown key",)
    replace_file(request.ours, result, mode)
    return ()


def conflict_text(versions: Versions, marker_size: int) -> bytes:
    """Both versions, whole, between markers that no strict reader takes."""
    size = max(marker_size, SHORTEST_MARKER)
    start, middle, end = b"<" * size + b" ours\n", b"=" * size + b"\n", b">" * size + b" theirs\n"
    parts = (start, versions.ours, middle, versions.theirs, end)
    return b"".join(part if part.endswith(b"\n") or not part else part + b"\n" for part in parts)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _side(name: str, data: bytes) -> Side | str:
    """A side as records, or why it cannot be read."""
    try:
        return Side(load_manifest(data), unknown_keys(data))
    except StrictYamlError as error:
        return f"{name} cannot be read ({error})"


def _base(data: bytes) -> Manifest | None:
    """The base; None where both sides added the file, and where the base is a merge that ended in a conflict.

    Without a base nothing counts as taken back, so the result keeps what either side has.
    """
    try:
        return load_manifest(data)
    except StrictYamlError:
        return None


def _written(git: Git, versions: Versions, merged: Side, is_baseline: bool) -> bytes | None:
    """The first text that, read again, means what was merged."""
    canonical = dump_manifest(merged.manifest)
    candidates = (
        (canonical,) if is_baseline else (*_line_merges(git, versions), *_unless_commented(versions, canonical))
    )
    for text in candidates:
        again = _side("the result", text)
        if isinstance(again, Side) and means_the_same(again, merged):
            return text
    return None


def _line_merges(git: Git, versions: Versions) -> Iterator[bytes]:
    """Merges of the lines, which keep comments and order, where git finds one."""
    with tempfile.TemporaryDirectory(prefix="agentgate-merge-") as directory:
        # In the order of their bytes, so that the text does not depend on which side is whose either.
        first, second = sorted((versions.ours, versions.theirs))
        paths = [os.path.join(directory, name) for name in ("first", "base", "second")]
        for path, data in zip(paths, (first, versions.base, second), strict=True):
            replace_file(path, data, 0o600)
        for options in ((), ("--union",)):
            answer = git.try_run("merge-file", "-p", "-q", *options, "--", *paths)
            if answer.status == 0:
                yield answer.stdout


def _unless_commented(versions: Versions, canonical: bytes) -> Iterator[bytes]:
    """The canonical form has no comments, so it may stand for versions that have none."""
    if b"#" not in versions.ours + versions.theirs:
        yield canonical
