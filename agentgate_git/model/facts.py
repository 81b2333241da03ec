"""What one file says about tests and about how they are run, as far as a change of it can weaken them."""

from __future__ import annotations

from agentgate_git.model.inventory import Inventory
from agentgate_git.model.record import Record

# How the problem of a file begins that Python itself would refuse to run.
NO_PYTHON = "it is no Python"
# How it begins where either version could be read, and both together are too much to be compared.
OF_BOTH = "the code of both versions holds"
# Where no version of Python 3, older or newer than the one that reads it, would run the file.
NO_PYTHON_EVER = f"{NO_PYTHON} of any version"

# Before the name of a part of a file that may alter others by being there.
ALTERS = "+"


class Setting(Record):
    """One key of a configuration, or one step of a pipeline, that decides which tests run or what a failure does.

    `key` is a dotted path that stays the same when the file is laid out anew (`tool.pytest.ini_options.addopts`,
    `jobs.test.steps.pytest.continue-on-error`, `scripts.test`), `value` its normalised value. `line` counts from 1,
    0 where it is not known.
    """

    key: str
    value: str
    line: int = 0


class Trait(Record):
    """Something a file does that can change what a run of tests means, wherever in the file it stands.

    `kind` is a dotted word (`hook.outcome`, `exit.process`, `entropy.freeze.clock`, `silence.lint`); `what` the
    normalised source, the same in both versions of a file when nothing about it changed; `owner` the qualified name
    of the function or class it stands in, empty at module level. `line` counts from 1.
    """

    kind: str
    what: str
    line: int
    owner: str = ""


class FileFacts(Record):
    """All facts of one file. `role` is one of model.role.ROLES, `language` empty for one that is not read.

    `tests` is what it tests; `settings` its keys and steps; `traits` what else it does; `defines` the names of the
    functions and classes of a Python file, `interfaces` their (name, digest of the line that defines them), and `parts`
    (name, digest) of all that it is made of, the name empty for what stands outside of definitions, and for items of
    data of tests.
    `problem` says why the file could not be read, else empty. `is_apart` is True for tests of a head that reach none of
    the production that changed beside them, as far as anybody looked.
    """

    path: str
    role: str
    language: str
    tests: Inventory
    settings: tuple[Setting, ...] = ()
    traits: tuple[Trait, ...] = ()
    problem: str = ""
    defines: tuple[str, ...] = ()
    interfaces: tuple[tuple[str, str], ...] = ()
    parts: tuple[tuple[str, str], ...] = ()
    is_apart: bool = False
