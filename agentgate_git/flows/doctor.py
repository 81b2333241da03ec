"""`doctor`: what is missing in this clone, each with what to do about it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from agentgate_git import __version__
from agentgate_git.flows.clone.doctor_evidence import evidence_rows
from agentgate_git.flows.clone.doctor_hooks import hook_rows, server_hook_rows
from agentgate_git.flows.clone.driver_config import driver_rows
from agentgate_git.flows.clone.note_config import (
    STRATEGY,
    fetch_key,
    fetch_refspecs,
    overwrites_notes,
    remotes,
    strategies,
    wanted_refspec,
)
from agentgate_git.flows.clone.server import server_target, target_row
from agentgate_git.flows.selftest import selftest
from agentgate_git.flows.target import TARGET_KEY, find_target
from agentgate_git.model.evidence import KINDS, REF_PREFIX, ref_of
from agentgate_git.model.failure import Failure, PolicyFailure
from agentgate_git.model.finding import Finding
from agentgate_git.model.oid import Oid
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH, POLICY_PATH, SIGNERS_PATH
from agentgate_git.model.setup import MISSING, OK, WARNING, SetupRow
from agentgate_git.repo.objects import Objects
from agentgate_git.repo.process import Git, scrubbed
from agentgate_git.repo.refs import common_dir, is_unborn, resolve_commit, symbolic_target, work_tree
from agentgate_git.wire.allowed_signers import read_allowed_signers, silent_lines
from agentgate_git.wire.manifest import read_manifest
from agentgate_git.wire.policy import read_policy

OLDEST_GIT = (2, 38)
_INSTALL = "run `git agentgate install`"
_SECONDS = 20


def examine(git: Git, environ: Mapping[str, str]) -> tuple[SetupRow, ...]:
    """Every row, in the order in which a user would repair things."""
    if not work_tree(git):
        return (
            _git_row(git.text("version")),
            _ssh_row(environ),
            _selftest_row(),
            *server_hook_rows(git),
            *_ref_rows(git),
            *_history_rows(git),
            *_server_target_rows(git),
        )
    return (
        _git_row(git.text("version")),
        _tool_row(environ),
        _ssh_row(environ),
        _selftest_row(),
        *hook_rows(git),
        *_note_rows(git),
        *evidence_rows(git),
        *driver_rows(git),
        *_history_rows(git),
        *_target_rows(git),
    )


def is_complete(rows: Iterable[SetupRow]) -> bool:
    """True when nothing is missing; warnings may remain."""
    return all(row.state != MISSING for row in rows)


def _git_row(text: str) -> SetupRow:
    """From `git version 2.39.5 (Apple Git-154)`."""
    version = text.removeprefix("git version ").split(" ")[0]
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers >= OLDEST_GIT:
        return SetupRow(OK, f"git {version}")
    oldest = ".".join(map(str, OLDEST_GIT))
    return SetupRow(MISSING, f"git {version} is older than {oldest}", f"install git {oldest} or newer")


def _tool_row(environ: Mapping[str, str]) -> SetupRow:
    """Hooks start the git-agentgate that they find on PATH, which need not be the one that is running."""
    found = shutil.which("git-agentgate", path=environ.get("PATH", ""))
    if not found:
        return SetupRow(
            MISSING, "git-agentgate is not on PATH", "add the directory of its installation to PATH (`pipx ensurepath`)"
        )
    try:
        done = subprocess.run(
            (found, "--version"), env=scrubbed(environ), capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return SetupRow(MISSING, f"{found} cannot be started ({error})", "install agentgate-git again")
    answer = done.stdout.decode("utf-8", "replace").strip()
    if done.returncode != 0:
        return SetupRow(MISSING, f"{found} ends with status {done.returncode}", "install agentgate-git again")
    if answer.split(" ")[-1] != __version__:
        return SetupRow(
            WARNING, f"{found} is {answer}, this is agentgate-git {__version__}", "keep one version, or upgrade both"
        )
    return SetupRow(OK, f"{found} is {answer}")


def _ssh_row(environ: Mapping[str, str]) -> SetupRow:
    if shutil.which("ssh-keygen", path=environ.get("PATH", "")):
        return SetupRow(OK, "ssh-keygen is on PATH")
    return SetupRow(MISSING, "ssh-keygen is not on PATH: no signature can be made or checked", "install OpenSSH")


def _selftest_row() -> SetupRow:
    try:
        result = selftest()
    except Failure as failure:
        return SetupRow(MISSING, failure.message, failure.next_step)
    if not result.differing:
        return SetupRow(OK, f"{result.total} expected codes hold")
    names = ", ".join(name for name, _, _ in result.differing)
    return SetupRow(MISSING, f"decisions differ from expected codes: {names}", "install agentgate-git again")


def _note_rows(git: Git) -> Iterator[SetupRow]:
    yield _strategy_row(git)
    for remote in remotes(git):
        yield from _remote_rows(git, remote)
    yield from _ref_rows(git)


def _strategy_row(git: Git) -> SetupRow:
    wrong = [key for key, value in strategies(git) if value != STRATEGY]
    if wrong:
        return SetupRow(MISSING, f"{', '.join(wrong)} is not {STRATEGY}: `git notes merge` would lose lines", _INSTALL)
    return SetupRow(OK, f"notes are merged by {STRATEGY}")


def _remote_rows(git: Git, remote: str) -> Iterator[SetupRow]:
    refspecs = fetch_refspecs(git, remote)
    wanted = wanted_refspec(remote)
    if wanted in refspecs:
        yield SetupRow(OK, f"{remote} is fetched with {wanted}")
    else:
        yield SetupRow(MISSING, f"{remote} is fetched without {wanted}: its evidence stays unseen", _INSTALL)
    for refspec in filter(overwrites_notes, refspecs):
        yield SetupRow(
            WARNING,
            f"{remote} is fetched with {refspec}, which overwrites notes that were not published yet",
            f"run `git config --fixed-value --unset-all {fetch_key(remote)} '{refspec}'`",
        )


def _ref_rows(git: Git) -> Iterator[SetupRow]:
    """Refs that evidence cannot be written to."""
    above = REF_PREFIX.rstrip("/")
    for ref in (above, *map(ref_of, KINDS)):
        target = symbolic_target(git, ref)
        if target is not None:
            yield SetupRow(
                MISSING,
                f"{ref} is symbolic: a note would be written into {target}",
                f"run `git symbolic-ref --delete {ref}`",
            )
        elif ref == above and git.try_run("show-ref", "--verify", "--quiet", ref).status == 0:
            yield SetupRow(
                MISSING, f"{ref} stands where our refs need a folder", f"move it: `git update-ref -d {ref}` removes it"
            )


def _history_rows(git: Git) -> Iterator[SetupRow]:
    if git.text("rev-parse", "--is-shallow-repository") == "true":
        yield SetupRow(
            WARNING, "this clone is shallow: a base may lie beyond its boundary", "run `git fetch --unshallow`"
        )
    replaced = git.text("for-each-ref", "--format=%(refname)", "refs/replace").splitlines()
    if replaced:
        yield SetupRow(
            WARNING,
            f"{len(replaced)} replace ref(s): plain git shows other objects than agentgate judges",
            "see `git replace --list`, remove with `git replace -d`",
        )
    grafts = os.path.join(common_dir(git), "info", "grafts")
    if os.path.lexists(grafts):
        yield SetupRow(
            WARNING, f"{grafts} changes what plain git shows as parents; agentgate does not read it", "remove it"
        )


def _target_rows(git: Git) -> Iterator[SetupRow]:
    """The files that a judgement reads from the target."""
    try:
        commit, name = find_target(git)
    except Failure as failure:
        yield SetupRow(MISSING, failure.message, f"run `git config {TARGET_KEY} <branch>`")
        return
    if not commit:
        yield SetupRow(
            WARNING,
            "no target is known, so a commit is judged against its first parent",
            f"run `git remote set-head origin -a`, or `git config {TARGET_KEY} <branch>`",
        )
        if is_unborn(git):
            return
        commit, name = resolve_commit(git, "HEAD"), "HEAD"
    yield from _enrolled_rows(git, commit, name)


def _server_target_rows(git: Git) -> Iterator[SetupRow]:
    """What pushes are judged against, and the files that a judgement reads from it."""
    row = target_row(git, OK, MISSING)
    yield row
    if row.state == OK:
        target = server_target(git)
        yield from _enrolled_rows(git, target.oid, target.ref)


def _enrolled_rows(git: Git, commit: Oid, name: str) -> Iterator[SetupRow]:
    with Objects(git) as objects:
        yield _policy_row(objects, commit, name)
        yield from _signer_rows(objects, commit, name)
        yield from _manifest_rows(objects, commit, name)


def _signer_rows(objects: Objects, commit: Oid, name: str) -> Iterator[SetupRow]:
    """Whom the target enrols, by role; what looks like a line and enrols nobody."""
    data = objects.file_at(commit, SIGNERS_PATH)
    if data is None:
        return
    roles = Counter(one.role or "no role" for one in read_allowed_signers(data))
    told = ", ".join(f"{count} {role}" for role, count in sorted(roles.items())) or "nobody"
    yield SetupRow(OK, f"{SIGNERS_PATH} of {name} enrols {told}")
    if silent := silent_lines(data):
        yield SetupRow(
            WARNING,
            f"{silent} line(s) of {SIGNERS_PATH} of {name} hold no key and a name, and enrol nobody",
            'write `human:NAME namespaces="git,agentgate" ssh-ed25519 AAAA...`, one key a line',
        )


def _policy_row(objects: Objects, commit: Oid, name: str) -> SetupRow:
    found = objects.find(f"{commit}:{POLICY_PATH}")
    if found is None:
        return SetupRow(OK, f"{name} has no {POLICY_PATH}: built-in defaults hold")
    try:
        policy = read_policy(found.data)
    except PolicyFailure as failure:
        return SetupRow(MISSING, f"{failure.message} ({name})", failure.next_step)
    return SetupRow(OK, f"{POLICY_PATH} of {name} is read: mode {policy.mode or 'lenient until a human is enrolled'}")


def _manifest_rows(objects: Objects, commit: Oid, name: str) -> Iterator[SetupRow]:
    has_file = {}
    for path in (MANIFEST_PATH, BASELINE_PATH):
        found = objects.find(f"{commit}:{path}")
        has_file[path] = found is not None
        if found is None:
            continue
        read = read_manifest(path, found.data)
        if isinstance(read, Finding):
            yield SetupRow(MISSING, f"{path} of {name}, line {read.line}: {read.message}", "repair that line there")
        else:
            yield SetupRow(OK, f"{path} of {name} is read")
    if has_file[MANIFEST_PATH] and not has_file[BASELINE_PATH]:
        yield SetupRow(
            WARNING, f"{name} has {MANIFEST_PATH} but no {BASELINE_PATH}", "run `git agentgate snapshot` and commit it"
        )
