"""Configuration of Python's tools: pytest, coverage, mypy, nose2, entry points."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from agentgate_git.model.config_node import SCALAR, TABLE, ConfigNode, scalar
from agentgate_git.model.facts import Setting
from agentgate_git.source.commands.runner_options import option_marks
from agentgate_git.source.commands.runner_tables import THRESHOLD
from agentgate_git.source.settings.python_scripts import hatch_environment, script_tasks
from agentgate_git.source.settings.runs import key

_LISTS = ("testpaths", "python_files", "python_classes", "python_functions", "norecursedirs", "filterwarnings")
_SCALARS = (
    "asyncio_mode",
    "xfail_strict",
    "strict",
    "strict_xfail",
    "strict_markers",
    "strict_config",
    "empty_parameter_set_mark",
)
_RETRIES = ("reruns", "retries", "force_flaky", "max_runs", "timeout_func_only")
_STRICT_MYPY = (
    *("strict", "disallow_untyped_defs", "disallow_incomplete_defs", "check_untyped_defs", "warn_return_any"),
    *("disallow_any_generics", "no_implicit_optional", "strict_optional", "disallow_untyped_calls", "strict_equality"),
)
_LINT_LISTS = (
    *("ignore", "extend-ignore", "exclude", "extend-exclude", "select", "extend-select", "enable", "disable"),
)
# What pyright makes of a rule, in the words of the other checkers.
_LEVELS = {"error": "error", "true": "error", "warning": "warn", "information": "warn", "none": "off", "false": "off"}
_COV, _PROFILE = "--cov=", "--hypothesis-profile="
_RUFF = ("ruff.toml", ".ruff.toml")
_PYLINT = (".pylintrc", "pylintrc")
_LOOSE_MYPY = ("ignore_errors", "ignore_missing_imports", "allow_untyped_defs", "follow_imports_for_stubs")


def pytest_settings(section: ConfigNode) -> Iterator[Setting]:
    """One section of pytest options, wherever it stands."""
    yield Setting(key("pytest", "section"), "", section.line)
    for name in _LISTS:
        node = section.get(name)
        values = node.words() if node.kind != SCALAR else _split(name, node.text)
        if section.has(name) and not values:
            yield Setting(key("pytest", name), "", node.line)
        for value in values:
            for one in _split(name, value):
                yield Setting(key("pytest", name), one, node.line)
    for name in _SCALARS:
        if section.has(name):
            yield Setting(key("pytest", name), section.get(name).text.lower(), section.get(name).line)
    for name in _RETRIES:
        if section.has(name):
            yield Setting(key("pytest", "retries"), f"{name}={section.get(name).text}", section.get(name).line)
    for word in [one for listed in section.get("pythonpath").words() for one in listed.split()][:1]:
        yield Setting(key("pytest", "first path"), word, section.get("pythonpath").line)
    yield from _addopts(section.get("addopts"))


def _split(name: str, text: str) -> tuple[str, ...]:
    if name == "filterwarnings":
        return tuple(line.strip() for line in text.split("\n") if line.strip())
    return tuple(text.split())


def _addopts(node: ConfigNode) -> Iterator[Setting]:
    words: list[str] = []
    for line in node.words():
        try:
            words.extend(shlex.split(line) if node.kind == SCALAR or line.startswith("-") else [line])
        except ValueError:
            words.extend(line.split())
    for at, word in enumerate(words):
        plugin = words[at + 1] if word == "-p" and at + 1 < len(words) else word[2:] if word.startswith("-p") else ""
        if plugin and not plugin.startswith("no:"):
            yield Setting(key("pytest", "loaded"), plugin, node.line)
        measured = (
            word.removeprefix(_COV)
            if word.startswith(_COV)
            else words[at + 1]
            if word == "--cov" and words[at + 1 :]
            else ""
        )
        if measured and not measured.startswith("-"):
            yield Setting(key("pytest", "cov"), measured, node.line)
        profile = word.removeprefix(_PROFILE) if word.startswith(_PROFILE) else ""
        if profile:
            yield Setting(key("pytest", "hypothesis profile"), profile, node.line)
    for mark in option_marks("pytest", tuple(words)):
        kind, _, text = mark.partition(": ")
        if kind == THRESHOLD:
            yield Setting(key("coverage", "fail_under"), text.rpartition(" ")[2].replace("--no-cov", "0"), node.line)
        else:
            yield Setting(key("pytest", "addopts", kind), text, node.line)


def coverage_settings(run: ConfigNode, report: ConfigNode) -> Iterator[Setting]:
    """`run` and `report` of coverage.py."""
    if report.has("fail_under"):
        yield Setting(key("coverage", "fail_under"), report.get("fail_under").text, report.get("fail_under").line)
    if run.has("branch"):
        yield Setting(key("coverage", "branch"), run.get("branch").text.lower(), run.get("branch").line)
    for section in (run, report):
        for name in ("omit", "source", "include", "exclude_lines", "exclude_also", "source_pkgs"):
            for word in _lines(section.get(name)):
                yield Setting(key("coverage", name), word, section.get(name).line)


def _lines(node: ConfigNode) -> tuple[str, ...]:
    return tuple(one.strip() for word in node.words() for one in re.split(r"[,\n]", word) if one.strip())


def mypy_settings(section: ConfigNode, where: str = "") -> Iterator[Setting]:
    """Switches of mypy that make it see more or less; `where` names the modules they hold for."""
    for name in _STRICT_MYPY:
        if section.has(name):
            yield Setting(key("mypy", "strict", name, where), section.get(name).text.lower(), section.get(name).line)
    for name in _LOOSE_MYPY:
        if section.get(name).is_true():
            yield Setting(key("mypy", "loose", name), where or "everywhere", section.get(name).line)
    follows = section.get("follow_imports")
    if follows.text.lower() in ("skip",):
        yield Setting(key("mypy", "loose", "follow_imports"), where or "everywhere", follows.line)
    for name in ("files", "packages"):
        for word in _lines(section.get(name)):
            yield Setting(key("mypy", "looks", name), word, section.get(name).line)
    for word in _lines(section.get("exclude")):
        yield Setting(key("mypy", "loose", "exclude"), word, section.get("exclude").line)
    for word in _lines(section.get("disable_error_code")):
        yield Setting(key("mypy", "loose", "disable_error_code"), f"{where}{word}", section.line)


def pyproject_settings(name: str, tree: ConfigNode) -> Iterator[Setting]:
    """The sections of pyproject.toml and of files, known by their `name`, that hold one of its tools alone."""
    tool = tree.get("tool")
    for section in (tool.get("pytest", "ini_options"), tool.get("pytest"), tree.get("pytest")):
        if section.kind == TABLE and section.entries and not section.has("ini_options"):
            yield from pytest_settings(section)
    yield from coverage_settings(tool.get("coverage", "run"), tool.get("coverage", "report"))
    yield from mypy_settings(tool.get("mypy"))
    for override in tool.get("mypy", "overrides").items:
        yield from mypy_settings(override, " ".join(override.get("module").words()))
    yield from lint_settings("ruff", tree if name in _RUFF or tree.has("lint") else tree.get("lint"))
    for tool_name in ("ruff", "pyright", "basedpyright"):
        yield from lint_settings(tool_name, tool.get(tool_name))
    for _, section in tool.get("pylint").entries:
        yield from pylint_settings(section)
    yield from script_tasks(tool)
    for environment, node in tree.get("envs").entries if name == "hatch.toml" else ():
        yield from hatch_environment(environment, node)
    for name, value in tree.get("project", "entry-points", "pytest11").entries:
        yield Setting(key("pytest", "plugin"), f"{name} = {value.text}", value.line)
    for name, value in tool.get("poetry", "plugins", "pytest11").entries:
        yield Setting(key("pytest", "plugin"), f"{name} = {value.text}", value.line)


def lint_settings(tool: str, section: ConfigNode) -> Iterator[Setting]:
    """What a linter is told to leave out, and how strict it is."""
    for part in (section, section.get("lint")):
        for name in _LINT_LISTS:
            for word in _lines(part.get(name)):
                yield Setting(key("lint", tool, name), word, part.get(name).line)
        held = part.get("per-file-ignores")
        listed = [*held.entries, *part.get("extend-per-file-ignores").entries]
        listed.extend(_patterns(held))
        for pattern, codes in listed:
            for word in _lines(codes):
                yield Setting(key("lint", tool, "per-file-ignores"), f"{pattern}: {word}", codes.line)
    for name, node in section.entries if tool in ("pyright", "basedpyright") else ():
        if name.startswith("report") and node.text.lower() in _LEVELS:
            yield Setting(key("level", tool, name), _LEVELS[node.text.lower()], node.line)
    if section.has("typeCheckingMode"):
        yield Setting(key("lint", tool, "typeCheckingMode"), section.get("typeCheckingMode").text, section.line)


def pylint_settings(section: ConfigNode) -> Iterator[Setting]:
    """One section of pylint's own: what it leaves out, and the score below which it fails."""
    for name in ("disable", "enable"):
        for word in _lines(section.get(name)):
            yield Setting(key("lint", "pylint", name), word, section.get(name).line)
    for name in ("ignore", "ignore-patterns", "ignore-paths"):
        for word in _lines(section.get(name)):
            yield Setting(key("lint", "pylint", "exclude"), word, section.get(name).line)
    for name in ("fail-under", "fail_under"):
        if section.has(name):
            yield Setting(key("score", "pylint", "fail-under"), section.get(name).text, section.get(name).line)


def _patterns(node: ConfigNode) -> Iterator[tuple[str, ConfigNode]]:
    """flake8: `PATTERN: CODES`, a line each."""
    for line in node.items or (node,):
        pattern, found, codes = line.text.partition(":")
        if found:
            yield pattern.strip(), scalar(codes.strip(), line.line)


def ini_settings(name: str, tree: ConfigNode) -> Iterator[Setting]:
    """setup.cfg, tox.ini, pytest.ini, .coveragerc, mypy.ini, unittest.cfg: sections by their names."""
    for section in ("pytest", "tool:pytest"):
        if tree.has(section):
            yield from pytest_settings(tree.get(section))
    prefix = "" if name == ".coveragerc" else "coverage:"
    yield from coverage_settings(tree.get(f"{prefix}run"), tree.get(f"{prefix}report"))
    for section, node in tree.entries:
        if section == "mypy" or section.startswith("mypy-"):
            yield from mypy_settings(node, section.removeprefix("mypy").removeprefix("-"))
        elif section in ("flake8", "pycodestyle"):
            yield from lint_settings(section, node)
        elif section.startswith("pylint") or name in _PYLINT:
            yield from pylint_settings(node)
        elif section == "unittest":
            for option in ("test-file-pattern", "test-method-prefix", "exclude-hooks", "start-dir"):
                if node.has(option):
                    yield Setting(key("nose2", option), node.get(option).text, node.get(option).line)
        elif section == "attrib" and node.get("always-on").is_true():
            for option in ("attribs", "eval-attribs"):
                for word in _lines(node.get(option)):
                    yield Setting(key("nose", option), word, node.get(option).line)
        elif section == "nosetests":
            for option in ("exclude", "exclude-dir", "exclude-test", "attr", "match", "ignore-files", "testmatch"):
                if node.has(option):
                    yield Setting(key("nose", option), node.get(option).text, node.get(option).line)
        elif section == "options.entry_points" and node.has("pytest11"):
            for word in node.get("pytest11").words():
                yield Setting(key("pytest", "plugin"), word, node.get("pytest11").line)
