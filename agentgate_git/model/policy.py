"""The project's policy, read from the base commit and from nowhere else."""

from __future__ import annotations

from agentgate_git.model.record import Record


class Policy(Record):
    """`.agentgate/policy.yaml`; every field has a default that holds when there is no file.

    `mode` is one of report, lenient, strict; empty means lenient until the base enrols a human's key, then strict.
    `guarded` are further guarded path patterns; they add to the built-in ones, never replace them.
    `bot_paths` are patterns of guarded paths that a bot may touch (a commit of rule B_KEY); none unless named.
    `import_roots` are directories of the tree put first on the import path of a scratch run; empty means
    found by looking. `pytest_args` are the arguments a run has; `environment` the variables it is given.
    `time_limit` is in seconds. `agents` are project identities (exact addresses) that count as agents.
    `notes` say who may write which kind of evidence on a server: rows of a kind and `anyone`, roles or principals.
    `setup` are shell commands that make the environment of a sealed run from `locks`, paths of the tree.
    `requires_run`: `verify` allows only what a sealed run allows.
    """

    mode: str = ""
    guarded: tuple[str, ...] = ()
    bot_paths: tuple[str, ...] = ()
    import_roots: tuple[str, ...] = ()
    pytest_args: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = (
        ("CI", "true"),
        ("LANG", "C.UTF-8"),
        ("LC_ALL", "C.UTF-8"),
        ("PYTHONHASHSEED", "0"),
        ("TZ", "UTC"),
    )
    time_limit: int = 3600
    agents: tuple[str, ...] = ()
    notes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    setup: tuple[str, ...] = ()
    locks: tuple[str, ...] = ()
    requires_run: bool = False
    is_builtin: bool = True
