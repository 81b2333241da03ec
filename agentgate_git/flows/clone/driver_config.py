"""The merge driver's place in git: the configuration that names the program, and the attribute that asks for it.

The configuration is this clone's, the attribute stands in a tracked file. Either without the other is of no use:
git takes the text merge without a word.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator

from agentgate_git.flows.files import read_file, replace_file
from agentgate_git.model.paths import BASELINE_PATH, MANIFEST_PATH
from agentgate_git.model.setup import BY_HAND, DONE, MISSING, OK, PRESENT, WARNING, SetupRow
from agentgate_git.repo.process import Git
from agentgate_git.repo.refs import top_level

DRIVER = "agentgate-pins"
SECTION = f"merge.{DRIVER}"
TITLE = "pins of entropy.yaml, by agentgate-git"
PATHS = (MANIFEST_PATH, BASELINE_PATH)
ATTRIBUTES_PATH = ".gitattributes"

_ASK = "run `git agentgate install --attributes` and commit .gitattributes"
_INSTALL = "run `git agentgate install`"
# Values of the attribute `merge` that need no configuration.
_BUILT_IN = ("unspecified", "set", "unset", "text", "binary", "union")
# When the program cannot be started, or dies before it could, the shell leaves both versions between markers: git
# takes every failure for a conflict, and one side alone in the file would look like its resolution.
_GUARD = (
    "|| { grep -q '^<<<<<<<' %A ||"
    " { { echo '<<<<<<< ours'; cat %A; echo; echo '======='; cat %B; echo; echo '>>>>>>> theirs'; } >%A.agentgate"
    " && mv -f %A.agentgate %A; }; exit 1; }"
)


def attribute_line(path: str) -> str:
    """The line of .gitattributes that gives a path to the driver."""
    return f"{path} merge={DRIVER}"


def driver_command(program: str) -> str:
    """What git hands to the shell; `program` is an absolute path, with any characters in it."""
    return f"{shlex.quote(program).replace('%', '%%')} merge-driver -- %O %A %B %L %P {_GUARD}"


def install_driver(git: Git, program: str, *, is_asked_for_attributes: bool) -> Iterator[SetupRow]:
    """Configure the driver, and write the attributes where that was asked for."""
    wanted = ((f"{SECTION}.name", TITLE), (f"{SECTION}.driver", driver_command(program)))
    stale = [(key, value) for key, value in wanted if _values(git, "--local", key) != (value,)]
    for key, value in stale:
        git.run("config", "--local", "--replace-all", key, value)
    yield SetupRow(DONE if stale else PRESENT, f"the merge driver {DRIVER} is configured")
    top = top_level(git)
    lacking = _lacking(git, top)
    if not lacking or not (is_asked_for_attributes or _tracks_pins(git, top)):
        return
    path = os.path.join(top, ATTRIBUTES_PATH)
    step = _write_step(lacking) if os.path.islink(path) else _step(lacking)
    if step != _ASK or not is_asked_for_attributes:
        yield SetupRow(BY_HAND, f"no attribute gives {_listed(lacking)} to the merge driver", step)
        return
    _append(path, [attribute_line(name) for name, _ in lacking])
    yield SetupRow(DONE, f"{ATTRIBUTES_PATH} gives {_listed(lacking)} to the merge driver: commit it")


def uninstall_driver(git: Git) -> Iterator[SetupRow]:
    """Take the configuration out; lines of .gitattributes are the project's."""
    keys = [key for key in (f"{SECTION}.name", f"{SECTION}.driver") if _values(git, "--local", key)]
    for key in keys:
        git.run("config", "--local", "--unset-all", key)
    if keys:
        yield SetupRow(DONE, f"removed the configuration of the merge driver {DRIVER}")
    asked = [path for path, value in _attributes(git, top_level(git)) if value == DRIVER]
    if asked:
        lines = ", ".join(f"`{attribute_line(path)}`" for path in asked)
        step = f"take out {lines} when no clone uses agentgate-git any more"
        yield SetupRow(BY_HAND, f"{ATTRIBUTES_PATH} names the merge driver {DRIVER}", step)


def driver_rows(git: Git) -> Iterator[SetupRow]:
    """What `doctor` says: an attribute without a driver, a driver without attributes, a program that is gone."""
    top = top_level(git)
    attributes = _attributes(git, top)
    for value in dict.fromkeys(value for _, value in attributes if value not in _BUILT_IN):
        yield _asked_row(git, value)
    lacking = [(path, value) for path, value in attributes if value in _BUILT_IN]
    if lacking and _values(git, f"{SECTION}.driver") and _tracks_pins(git, top):
        yield SetupRow(WARNING, f"no attribute gives {_listed(lacking)} to the merge driver {DRIVER}", _step(lacking))


def _asked_row(git: Git, value: str) -> SetupRow:
    """Whether the driver that an attribute asks for can run."""
    commands = _values(git, f"merge.{value}.driver")
    if not commands:
        step = _INSTALL if value == DRIVER else f"configure merge.{value}.driver, or write merge={DRIVER}"
        return SetupRow(
            MISSING, f"pins are to be merged by {value}, which is not configured: git merges them as text", step
        )
    if value != DRIVER:
        return SetupRow(WARNING, f"pins are merged by the driver {value}, not by {DRIVER}", f"write merge={DRIVER}")
    try:
        program = shlex.split(commands[-1])[0].replace("%%", "%")
    except (ValueError, IndexError):
        program = ""
    if not os.access(program, os.X_OK):
        return SetupRow(MISSING, f"{SECTION}.driver runs {program or 'nothing'}, which cannot be started", _INSTALL)
    return SetupRow(OK, f"pins are merged by {program}")


def _step(lacking: list[tuple[str, str]]) -> str:
    return _ASK if all(value == "unspecified" for _, value in lacking) else _write_step(lacking)


def _write_step(lacking: list[tuple[str, str]]) -> str:
    """For paths whose attribute somebody else chose or keeps: theirs to change."""
    lines = " and ".join(f"`{attribute_line(path)}`" for path, _ in lacking)
    return f"write {lines} in place of the attribute that is there"


def _listed(rows: list[tuple[str, str]]) -> str:
    return " and ".join(path for path, _ in rows)


def _lacking(git: Git, top: str) -> list[tuple[str, str]]:
    """The paths that no attribute gives to the driver, each with the value it has instead."""
    return [(path, value) for path, value in _attributes(git, top) if value != DRIVER]


def _attributes(git: Git, top: str) -> tuple[tuple[str, str], ...]:
    """The attribute `merge` of each path, as the work tree has it."""
    fields = os.fsdecode(git.run("-C", top, "check-attr", "-z", "merge", "--", *PATHS)).split("\0")
    return tuple(zip(fields[0::3], fields[2::3], strict=False))


def _tracks_pins(git: Git, top: str) -> bool:
    return git.run("-C", top, "ls-files", "-z", "--", *PATHS) != b""


def _append(path: str, lines: list[str]) -> None:
    before = read_file(path) or b""
    start = before if before.endswith(b"\n") or not before else before + b"\n"
    mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644
    replace_file(path, start + "".join(f"{line}\n" for line in lines).encode(), mode)


def _values(git: Git, *args: str) -> tuple[str, ...]:
    """Every value of a configuration key; the last argument is the key, a scope may stand before it."""
    *scope, key = args
    answer = git.try_run("config", *scope, "--null", "--get-all", key)
    return tuple(os.fsdecode(value) for value in answer.stdout.split(b"\0")[:-1])
