"""`.agentgate/policy.yaml`: strict YAML to the Policy record; any fault is a PolicyFailure that names its line."""

from __future__ import annotations

import re

from agentgate_git.model.actor import MODES
from agentgate_git.model.evidence import KINDS
from agentgate_git.model.failure import PolicyFailure
from agentgate_git.model.paths import POLICY_PATH
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.policy import Policy
from agentgate_git.wire.strict_yaml import Entry, Node, StrictYamlError, read_documents
from agentgate_git.wire.yaml_fields import entries_of, integer_of, mapping_of, text_of, texts_of

VERSION = 1
KEYS = ("version", "mode", "guarded", "bot_paths", "agents", "notes", "capture", "environment", "sealed_run")
ENVIRONMENT_KEYS = ("setup", "locks")
SEALED_RUN = ("optional", "required")
CAPTURE_KEYS = ("pytest_args", "import_roots", "environment", "time_limit")

_VARIABLE = pattern_of(r"[A-Za-z_][A-Za-z0-9_]*")
_MAX_SECONDS = 7 * 24 * 3600


def read_policy(data: bytes, path: str = POLICY_PATH) -> Policy:
    """The policy a file sets; what it does not name keeps its built-in value."""
    try:
        documents = read_documents(data)
        if len(documents) != 1:
            line = documents[1].line if documents else 1
            raise StrictYamlError(line, f"a policy is one document; this file holds {len(documents)}")
        return _policy(documents[0])
    except StrictYamlError as error:
        raise PolicyFailure(
            f"{path}, line {error.line}: {error.reason}", "repair that line on the base branch"
        ) from None


def _policy(document: Node) -> Policy:
    entries = entries_of(document, "the policy", KEYS)
    if "version" not in entries:
        raise StrictYamlError(document.line, "`version: 1` is missing")
    if integer_of(entries["version"]) != VERSION:
        raise StrictYamlError(entries["version"].line, f"this reads version {VERSION} of the policy")
    policy = Policy(is_builtin=False)
    if "mode" in entries:
        policy = policy._replace(mode=_one_of(entries["mode"], MODES))
    if "guarded" in entries:
        policy = policy._replace(guarded=_patterns(entries["guarded"]))
    if "bot_paths" in entries:
        policy = policy._replace(bot_paths=_patterns(entries["bot_paths"]))
    if "agents" in entries:
        policy = policy._replace(agents=_addresses(entries["agents"]))
    if "notes" in entries:
        policy = policy._replace(notes=_writers(entries["notes"]))
    if "environment" in entries:
        policy = _with_environment(policy, entries["environment"])
    if "sealed_run" in entries:
        policy = policy._replace(requires_run=_one_of(entries["sealed_run"], SEALED_RUN) == "required")
    return _with_capture(policy, entries["capture"]) if "capture" in entries else policy


def _with_environment(policy: Policy, entry: Entry) -> Policy:
    """How the environment of a sealed run is made: from the named files of the tree, and from nothing else of it."""
    entries = entries_of(entry.value, "environment", ENVIRONMENT_KEYS)
    setup = texts_of(entries["setup"]) if "setup" in entries else ()
    locks = _folders(entries["locks"]) if "locks" in entries else ()
    if locks and not setup:
        raise StrictYamlError(entry.line, "`locks` are read by the commands of `setup`, and there are none")
    return policy._replace(setup=setup, locks=locks)


def _with_capture(policy: Policy, entry: Entry) -> Policy:
    entries = entries_of(entry.value, "capture", CAPTURE_KEYS)
    if "pytest_args" in entries:
        policy = policy._replace(pytest_args=texts_of(entries["pytest_args"]))
    if "import_roots" in entries:
        policy = policy._replace(import_roots=_folders(entries["import_roots"]))
    if "environment" in entries:
        given = _environment(entries["environment"])
        policy = policy._replace(environment=tuple(sorted({**dict(policy.environment), **given}.items())))
    if "time_limit" in entries:
        policy = policy._replace(time_limit=_seconds(entries["time_limit"]))
    return policy


def _one_of(entry: Entry, words: tuple[str, ...]) -> str:
    word = text_of(entry)
    if word not in words:
        raise StrictYamlError(entry.line, f"`{entry.key}` must be one of {', '.join(words)}, not `{word}`")
    return word


def _patterns(entry: Entry) -> tuple[str, ...]:
    patterns = texts_of(entry)
    for pattern in patterns:
        if not pattern.strip("/") or pattern.startswith("!") or any(character in "[]\\" for character in pattern):
            raise StrictYamlError(entry.line, f"`{pattern}` is no pattern; use names with *, ? and ** only")
        if {".", ".."} & set(pattern.split("/")):
            raise StrictYamlError(entry.line, f"`{pattern}` must be written from the top of the tree, without . or ..")
    return patterns


def _addresses(entry: Entry) -> tuple[str, ...]:
    addresses = texts_of(entry)
    for address in addresses:
        if not re.fullmatch(r"[^\s<>@]+@[^\s<>@]+", address):
            raise StrictYamlError(entry.line, f"`{address}` must be one exact mail address")
    return addresses


def _writers(entry: Entry) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Who may write each kind of evidence; a kind that is not named keeps its built-in writers."""
    kinds = entries_of(entry.value, "notes", KINDS)
    for kind in kinds.values():
        for writer in texts_of(kind):
            if not re.fullmatch(r"[^\s,\"]+", writer):
                raise StrictYamlError(
                    kind.line, f"`{writer}` must be anyone, a role, or one principal such as runner:ci"
                )
    return tuple((name, texts_of(kind)) for name, kind in kinds.items())


def _folders(entry: Entry) -> tuple[str, ...]:
    folders = texts_of(entry)
    for folder in folders:
        if not folder or folder.startswith("/") or ".." in folder.split("/"):
            raise StrictYamlError(entry.line, f"`{folder}` must be a folder of the tree, such as src")
    return folders


def _environment(entry: Entry) -> dict[str, str]:
    variables = {}
    for variable in mapping_of(entry.value, "environment").entries:
        if not _VARIABLE.fullmatch(variable.key):
            raise StrictYamlError(variable.line, f"`{variable.key}` is no name of a variable")
        variables[variable.key] = text_of(variable)
    return variables


def _seconds(entry: Entry) -> int:
    seconds = integer_of(entry)
    if not 1 <= seconds <= _MAX_SECONDS:
        raise StrictYamlError(entry.line, f"`time_limit` is in seconds, from 1 to {_MAX_SECONDS}")
    return seconds
