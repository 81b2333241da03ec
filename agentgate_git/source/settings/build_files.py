"""Makefiles, justfiles, scripts, package scripts, tox and Jenkins: where commands stand outside of YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model.config_node import LIST, SCALAR, TABLE, ConfigNode, TreeError
from agentgate_git.model.facts import Setting
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_names import LINT_VERB, PREPARES, TEST_NAME, VERB
from agentgate_git.source.commands.runner_tables import IGNORED, OFF, RETRIED
from agentgate_git.source.commands.shell_status import ShellKind
from agentgate_git.source.settings.python_commands import quoted
from agentgate_git.source.settings.runs import Around, joined, key, runs

_PREFIX = pattern_of(r"[@+\s]*(-)?[@+\s-]*")
_KEEP_GOING = pattern_of(r"(?:^|\s)(?:-?[a-zA-Z]*i[a-zA-Z]*|--ignore-errors)(?:\s|$)")
_NO_ASSERTS = pattern_of(r"-D ?NDEBUG\b|\bpython[\d.]* -O|-DCMAKE_BUILD_TYPE=(?:Release|MinSizeRel)|b_ndebug=true")
_POSARGS = pattern_of(r"\{posargs(?::((?:[^{}]|\{[^{}]*\})*))?\}")
_ENVIRONMENT = pattern_of(r"\{env:\w+:([^{}]*)\}")
_REFERENCE = pattern_of(r"\{\[([^\]{}]+)\](\w+)\}")
_RETHROWN = pattern_of(r"error|throw|FAILURE|failed|fail\b")
# Every recipe is looked at with every variable.
_MAX_PAIRS = 400_000
_FACTORS = pattern_of(r"^[\w,.!{}-]+:\s+(?=\w+\s*=)")
_LOOSE = ShellKind()
_GRADES = ("sh", "bat", "powershell", "pwsh")


def make_settings(tree: ConfigNode) -> Iterator[Setting]:
    """Recipes of a Makefile or a justfile: every line has a shell of its own."""
    targets, variables = tree.get("targets"), tree.get("variables")
    ignoring = [node.get("needs").text.split() for node in targets.all(".IGNORE")]
    flags = [value.text for name, value in variables.entries if name in ("MAKEFLAGS", ".MAKEFLAGS", "GNUMAKEFLAGS")]
    values = _values(variables)
    options = f"{values.get('.SHELLFLAGS', '')} {values.get('SHELL', '').partition(' ')[2]}".split()
    short = "".join(word[1:] for word in options if word[:1] == "-" and word[:2] != "--")
    shell = ShellKind("e" in short, "pipefail" in options)
    everywhere = [f"{IGNORED}: `MAKEFLAGS` has `{flag}`" for flag in flags if _KEEP_GOING.search(flag.split("=")[0])]
    program = values.get("SHELL", "").partition(" ")[0].rpartition("/")[2]
    if program in ("true", ":", "echo", "cat", "printf") or "n" in short:
        everywhere.append(f"{OFF}: its recipes are given to `{values.get('SHELL', '')} {' '.join(options)}`")
    if len(targets.entries) * len(values) > _MAX_PAIRS:
        raise TreeError(f"it has {len(targets.entries)} targets and {len(values)} variables, which is too many of both")
    has_one_shell = targets.has(".ONESHELL")
    listed_values = tuple(values.items())
    for name, target in targets.entries:
        marks = list(everywhere)
        if any(not names or name in names for names in ignoring):
            marks.append(f"{IGNORED}: `.IGNORE` names it")
        around = Around(name, tuple(marks), listed_values, shell)
        yield from _needs(name, target)
        yield from _without_asserts(name, target, values)
        if has_one_shell:
            text, lines = joined(target.get("recipe").items)
            yield from runs(_expanded(text.lstrip("@-+"), values), around, lines)
            continue
        for line in target.get("recipe").items:
            prefix = _PREFIX.match(line.text)
            text = line.text[prefix.end() :] if prefix else line.text
            is_ignored = prefix is not None and prefix[1]
            within = around._replace(marks=(*marks, f"{IGNORED}: `-` before it")) if is_ignored else around
            yield from runs(_expanded(text, values), within, (line.line,))


def _values(variables: ConfigNode) -> dict[str, str]:
    """The variables of the file; flags are added to from several places, of others the last counts."""
    found: dict[str, str] = {}
    for name, value in variables.entries:
        is_added = name.endswith("FLAGS") and name not in (".SHELLFLAGS", "MAKEFLAGS")
        found[name] = f"{found[name]} {value.text}" if is_added and name in found else value.text
    return found


def _without_asserts(name: str, target: ConfigNode, values: dict[str, str]) -> Iterator[Setting]:
    """A recipe that builds or runs tests with `assert` compiled out."""
    if not (VERB.search(name) or TEST_NAME.search(name)):
        return
    for line in target.get("recipe").items:
        if _NO_ASSERTS.search(_expanded(_expanded(line.text, values), values)):
            yield Setting(key("build", "hollow", name), "NDEBUG", line.line)
            return


def _expanded(text: str, values: dict[str, str]) -> str:
    """Variables of the file itself, one level deep; `$$` is a dollar of the shell."""

    def value(found: re.Match[str]) -> str:
        return values.get(found[1], found[0]) if found[1] != "MAKE" else "make"

    return re.sub(r"\$[({]([\w.-]+)[)}]", value, text).replace("$$", "$")


def _needs(name: str, target: ConfigNode) -> Iterator[Setting]:
    """What a target runs before itself, as far as that tests or checks something."""
    for need in target.get("needs").text.split() if not name.startswith(".") else ():
        if (VERB.search(need) or LINT_VERB.search(need)) and not PREPARES.search(need):
            yield Setting(key("needs", name), need, target.line)


def script_settings(path: str, tree: ConfigNode) -> Iterator[Setting]:
    """A script of shell; those of hook managers stop at the first failure only when they say so."""
    yield from runs(tree.text, Around(path.rpartition("/")[2], shell=_LOOSE))


def package_settings(tree: ConfigNode) -> Iterator[Setting]:
    """The scripts of package.json, composer.json and deno.json."""
    for holder in ("scripts", "tasks"):
        for name, value in tree.get(holder).entries:
            node = value.get("command") if value.kind == TABLE else value
            nodes = node.items if node.kind == LIST else (node,)
            for one in nodes:
                text, lines = joined((one,))
                yield from runs(text, Around(name, shell=_LOOSE), lines)


def tox_settings(tree: ConfigNode) -> Iterator[Setting]:
    """tox.ini, tox.toml and their copies in setup.cfg and pyproject.toml, as sections of `commands`."""
    for option in ("envlist", "env_list"):
        node = tree.get("tox", option) if tree.get("tox").has(option) else tree.get(option)
        for word in re.split(r"[,\s]+(?![^{]*\})", " ".join(node.words())):
            if word:
                yield Setting(key("default", "tox"), word, node.line)
    for name, section in tree.entries:
        if section.kind != TABLE or not (name.startswith("testenv") or name in ("env", "env_run_base", "tox")):
            continue
        if name == "env":
            for inner, environment in section.entries:
                yield from _environment(inner, environment, tree)
        else:
            yield from _environment(name, section, tree)


def _environment(name: str, section: ConfigNode, tree: ConfigNode) -> Iterator[Setting]:
    marks = (f"{IGNORED}: `ignore_outcome`",) if section.get("ignore_outcome").is_true() else ()
    variables = (*_variables(section.get("setenv")), *_variables(section.get("set_env")))
    for part in ("commands", "commands_pre", "commands_post"):
        for words, line in _tox_commands(section.get(part)):
            text = _POSARGS.sub(lambda found: found[1] or "", _referred(words, tree))
            text = _ENVIRONMENT.sub(r"\1", text)
            is_ignored = text.lstrip().startswith(("- ", "-\t"))
            text = text.lstrip().removeprefix("-").lstrip("! ") if is_ignored else text
            marks_of_it = (*marks, f"{IGNORED}: `-` before it") if is_ignored else marks
            around = Around(name, marks_of_it, variables, _LOOSE)
            yield from runs(re.sub(r"^[\w,.!-]+:\s+", "", text), around, (line,))


def _variables(node: ConfigNode) -> tuple[tuple[str, str], ...]:
    """`setenv`: a line `NAME = VALUE` each, perhaps of some factors alone, or a table."""
    if node.kind == TABLE:
        return tuple((name, value.text) for name, value in node.entries)
    lines = (line for word in node.words() for line in word.split("\n"))
    pairs = (_FACTORS.sub("", line.strip()).partition("=") for line in lines)
    return tuple((name.strip(), value.strip()) for name, found, value in pairs if found)


def _referred(words: str, tree: ConfigNode) -> str:
    """`{[section]key}` is what stands there, as far as that is one command."""

    def value(found: re.Match[str]) -> str:
        return " ".join(tree.get(found[1], found[2]).words()[:1])

    return _REFERENCE.sub(value, words)


def _tox_commands(node: ConfigNode) -> Iterator[tuple[str, int]]:
    if node.kind == SCALAR:
        yield from ((line, node.line + offset) for offset, line in enumerate(node.text.split("\n")) if line.strip())
        return
    held = ""
    for item in node.items:
        if item.kind == LIST:  # tox.toml: a command is a list of its words
            yield " ".join(quoted(word) for word in item.words()), item.line
        elif item.text.endswith("\\"):
            held += item.text[:-1] + " "
        else:
            yield held + item.text, item.line
            held = ""


def jenkins_settings(tree: ConfigNode) -> Iterator[Setting]:
    """The shell steps of a Jenkinsfile, with what the blocks around them do with a failure."""
    yield from _jenkins(tree, Around(shell=ShellKind(True, False)))


def _jenkins(node: ConfigNode, around: Around) -> Iterator[Setting]:
    for position, (name, value) in enumerate(node.entries):
        if value.kind != TABLE:
            continue
        if name in _GRADES:
            yield from _shell_step(value, around)
        else:
            yield from _jenkins(value, _inside(name, value, node.entries[position + 1 :], around))
    for item in node.items:
        if item.kind == TABLE:
            yield from _jenkins(item, around)


def _inside(name: str, value: ConfigNode, following: tuple[tuple[str, ConfigNode], ...], around: Around) -> Around:
    marks = list(around.marks)
    place = around.place
    if name == "stage":
        place = next((item.text for item in value.items if item.kind == SCALAR), place)
        holds = value.get("when", "expression")
        if holds.has("false") or any(item.is_false() for item in holds.items) or value.get("when").has("never"):
            marks.append(f"{OFF}: `when` never holds")
    elif name == "catchError" and value.get("buildResult").text in ("SUCCESS", "UNSTABLE", "NOT_BUILT"):
        marks.append(f"{IGNORED}: `catchError(buildResult: '{value.get('buildResult').text}')`")
    elif name in ("warnError", "unstable"):
        marks.append(f"{IGNORED}: `{name}`")
    elif name == "try":
        caught = [one for follower, one in following[:2] if follower in ("catch", "finally")][:1]
        if any(follower == "catch" for follower, _ in following[:1]) and not _RETHROWN.search(_words_of(caught[0])):
            marks.append(f"{IGNORED}: `try` catches its failure")
    elif name == "retry":
        marks.append(f"{RETRIED}: `retry`")
    elif name == "if" and [item.text for item in value.items] == ["false"]:
        marks.append(f"{OFF}: `if (false)`")
    return around._replace(place=place, marks=tuple(marks))


def _words_of(node: ConfigNode) -> str:
    parts = [node.text]
    parts.extend(_words_of(item) for item in node.items)
    parts.extend(f"{name} {_words_of(value)}" for name, value in node.entries)
    return " ".join(parts)


def _shell_step(value: ConfigNode, around: Around) -> Iterator[Setting]:
    script = value.get("script") if value.has("script") else next(iter(value.items), value.get("script"))
    marks = around.marks
    if value.get("returnStatus").is_true():
        marks = (*marks, f"{IGNORED}: `returnStatus: true`")
    text, lines = joined((script,))
    yield from runs(text, around._replace(marks=marks), lines)
