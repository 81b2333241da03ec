"""Which format a configuration file has, by its path alone; string work only, since hooks ask for every path."""

from __future__ import annotations

from agentgate_git.model.known_paths import (
    CI_NAMES,
    CI_TOP_FILES,
    CI_TOP_FOLDERS,
    CONFIG_NAMES,
    FORGE_FOLDERS,
    JS_TOOLS,
)

TOML = "toml"
INI = "ini"
YAML = "yaml"
JSON = "json"
XML = "xml"
CODE = "code"
MAKE = "make"
SHELL = "shell"
LINES = "lines"
IMAGE = "image"
PYTHON = "python"

_BY_NAME = {
    "setup.cfg": INI,
    ".coveragerc": INI,
    ".flake8": INI,
    ".pylintrc": INI,
    "pylintrc": INI,
    ".noserc": INI,
    "makefile": MAKE,
    "gnumakefile": MAKE,
    "bsdmakefile": MAKE,
    "justfile": MAKE,
    ".justfile": MAKE,
    "jenkinsfile": CODE,
    "cmakelists.txt": CODE,
    "rakefile": CODE,
    "package.swift": CODE,
    "mix.exs": CODE,
    "build.bazel": CODE,
    "build.sbt": LINES,
    ".npmrc": INI,
    ".rspec": LINES,
    ".simplecov": CODE,
    ".bazelrc": LINES,
    ".eslintignore": LINES,
    "phpunit.xml.dist": XML,
    ".runsettings": XML,
    "psalm.xml": XML,
    "psalm.xml.dist": XML,
    ".rubocop.yml": YAML,
    "analysis_options.yaml": YAML,
    "phpstan.neon": LINES,
    "phpstan.neon.dist": LINES,
    "phpstan.dist.neon": LINES,
    "go.work": LINES,
    "noxfile.py": PYTHON,
    "spec_helper.rb": CODE,
    "rails_helper.rb": CODE,
    "test_helper.exs": CODE,
    "setup.py": "",
    "manifest.in": "",
    ".nycrc": JSON,
    ".jestrc": JSON,
    ".mocharc": JSON,
    ".eslintrc": JSON,
    ".c8rc": JSON,
}
_BY_ENDING = {
    "toml": TOML,
    "ini": INI,
    "cfg": INI,
    "yml": YAML,
    "yaml": YAML,
    "json": JSON,
    "jsonc": JSON,
    "json5": JSON,
    "xml": XML,
    "gradle": CODE,
    "kts": CODE,
    "groovy": CODE,
    "jenkinsfile": CODE,
    "js": CODE,
    "cjs": CODE,
    "mjs": CODE,
    "ts": CODE,
    "cts": CODE,
    "mts": CODE,
    "exs": CODE,
    "rb": CODE,
    "cmake": CODE,
    "mk": MAKE,
    "mak": MAKE,
    "just": MAKE,
    "sh": SHELL,
    "bash": SHELL,
    "zsh": SHELL,
    "bats": "",
    "runsettings": XML,
    "csproj": XML,
    "fsproj": XML,
    "vbproj": XML,
    "props": XML,
    "targets": XML,
    "xctestplan": JSON,
    "xcscheme": XML,
}
_TASK_FILES = frozenset(("tasks.py", "dodo.py", "fabfile.py"))
_ALWAYS = frozenset(
    (
        *("mk", "mak", "sh", "bash", "runsettings", "csproj", "fsproj", "vbproj", "gradle", "jenkinsfile", "just"),
        *("xctestplan", "xcscheme"),
    )
)
_SCRIPT_FOLDERS = frozenset(("scripts", "script", "ci", "bin", "tools", "tool", "hack", "build", "dev", "etc", ""))
_GIT_HOOKS = frozenset(
    ("pre-commit", "pre-push", "commit-msg", "prepare-commit-msg", "pre-receive", "update", "pre-merge-commit")
)
_PYTHON_WORDS = frozenset(
    (
        *("run", "runtest", "runtests", "test", "tests", "check", "checks", "lint", "ci", "verify", "presubmit"),
        *("testall", "suite", "suites"),
    )
)
_RUNS_WORDS = ("run", "test", "check", "lint", "ci", "verify", "gate", "presubmit", "cibuild", "coverage")
_RC_ENDINGS = ("", "json", "yml", "yaml", "js", "cjs", "mjs", "jsonc", "json5", "toml", "ts")


def config_format(path: str) -> str:
    """The format of a file that is read for settings, empty for a file that is not."""
    folded = path.lower()
    folder, _, name = folded.rpartition("/")
    ending = name.rpartition(".")[2] if "." in name[1:] else ""
    if (not folder and name in _TASK_FILES) or _is_python_script(folder, name):
        return PYTHON
    if name in _BY_NAME:
        return _BY_NAME[name]
    if path.rpartition("/")[2] == "BUILD":
        return CODE
    if name in ("dockerfile", "containerfile") or name.startswith("dockerfile.") or ending == "dockerfile":
        return IMAGE
    if is_compose(name):
        return YAML
    if ending == "xml" and name.startswith("testng"):
        return XML
    if ending == "props" and name.startswith("directory."):
        return XML
    if folder.rpartition("/")[2] == ".cargo" and name in ("config.toml", "config"):
        return TOML
    if name in CONFIG_NAMES or name in CI_NAMES or ending in _ALWAYS:
        return _BY_ENDING.get(ending, "")
    top = folded.partition("/")[0]
    if top in CI_TOP_FOLDERS or top in FORGE_FOLDERS:
        return _in_ci(folder, name, ending)
    if not folder and name in CI_TOP_FILES:
        return _BY_ENDING.get(ending, "")
    if name.startswith(("azure-pipelines", "jenkinsfile", ".gitlab-ci")) or name.endswith(".gitlab-ci.yml"):
        return CODE if name.startswith("jenkinsfile") else _BY_ENDING.get(ending, "")
    if name.endswith("_test.exs"):
        return CODE
    if _is_js_tool(name):
        return _BY_ENDING.get(ending, JSON)
    return SHELL if not ending and _is_script(folder, name) else ""


def is_compose(name: str) -> bool:
    """True for the folded name of a file that tells Docker which services to start."""
    return name.startswith(("docker-compose", "compose.")) and name.endswith((".yml", ".yaml"))


def is_task_file(path: str) -> bool:
    """True for a file whose functions are tasks that a runner of tasks calls by their names."""
    name = path.lower().rpartition("/")[2]
    return name == "noxfile.py" or name in _TASK_FILES


def _is_python_script(folder: str, name: str) -> bool:
    """A script of Python that runs tests or checks, by its name, where such scripts stand; none that is a test."""
    stem, _, ending = name.rpartition(".")
    is_test = stem.startswith("test_") or stem.endswith("_test")
    if ending != "py" or is_test or folder.rpartition("/")[2] not in _SCRIPT_FOLDERS:
        return False
    head, _, rest = stem.replace("-", "_").partition("_")
    return head in _PYTHON_WORDS and (not rest or head != "run" or not _PYTHON_WORDS.isdisjoint(rest.split("_")))


def _in_ci(folder: str, name: str, ending: str) -> str:
    if not ending:
        return SHELL if folder.endswith(("hooks", ".husky")) or _is_script("", name) else ""
    found = _BY_ENDING.get(ending, "")
    if found == YAML and folder.startswith((".github", ".gitea", ".forgejo")):
        is_read = folder.endswith("/workflows") or "/actions" in folder
        return YAML if is_read else ""
    return found if found in (YAML, SHELL, CODE) and ending not in ("js", "cjs", "mjs", "ts", "rb", "exs") else ""


def _is_js_tool(name: str) -> bool:
    if name.startswith("."):
        tool, found, ending = name[1:].partition("rc")
        return bool(found) and tool in JS_TOOLS and ending.lstrip(".") in _RC_ENDINGS
    if name.rpartition(".")[2] not in ("js", "cjs", "mjs", "ts", "cts", "mts", "json"):
        return False
    tool, found, _ = name.partition(".config.") if ".config." in name else name.partition(".conf.")
    return bool(found) and tool.partition(".")[0] in JS_TOOLS


def _is_script(folder: str, name: str) -> bool:
    """A script without an ending, by its name, in a folder where such scripts stand."""
    last = folder.rpartition("/")[2]
    if last in ("hooks", "githooks", ".hooks", "git-hooks"):
        return name in _GIT_HOOKS
    if last not in _SCRIPT_FOLDERS:
        return False
    return name.startswith(_RUNS_WORDS)
