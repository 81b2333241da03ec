"""Which commands run tests or checks, by their words alone."""

from __future__ import annotations

from functools import lru_cache

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.commands.runner_names import (
    CHECK_NAME,
    CHOOSING,
    HOOK_PROGRAMS,
    HOOKS,
    INTERPRETERS,
    LINT,
    LINT_PROGRAMS,
    LINT_VERB,
    MAX_WRAPPERS,
    MEASURING,
    NO_RUN,
    PREPARES,
    PYTHON_VALUED,
    RUNNING,
    RUNS_ALL,
    SCRIPT_HOSTS,
    SHELLS,
    TEST,
    TEST_KIND,
    TEST_NAME,
    TEST_PROGRAMS,
    VALUED,
    VERB,
    VERB_TOOLS,
    WRAPPERS,
)
from agentgate_git.source.commands.runner_verbs import Runner, by_verb

_ASSIGNED = pattern_of(r"[A-Za-z_]\w*=")
# A folder that a variable holds, with its last sign: `${PREFIX}` is `venv/bin/` or nothing.
_IN_FOLDER = pattern_of(r"^\$\{[A-Za-z_]\w*\}(?=[A-Za-z_])")
# A word of which only a run can tell what stands there: variables for the command, a wrapper around it, nothing.
HELD = pattern_of(r"\$\{\{[^{}]{1,200}\}\}|\$\{?\w{1,60}\}?|\$\(\w{1,60}\)|%\w{1,60}%")

__all__ = ["HELD", "Runner", "runner_of"]


@lru_cache(maxsize=4096)
def runner_of(words: tuple[str, ...]) -> Runner | None:
    """The runner that a simple command starts, None for any other command."""
    before: list[str] = []
    for _ in range(MAX_WRAPPERS):
        rest = _unwrapped(words, before)
        if rest == words:
            break
        words = rest
    if not words or not NO_RUN.isdisjoint(words[1:3]):
        return None
    found = _known(words, tuple(before))
    if found is not None and found.arguments[:1] in (("install",), ("uninstall",), ("init",), ("completion",)):
        return None
    return found


def _unwrapped(words: tuple[str, ...], before: list[str]) -> tuple[str, ...]:
    """The command without its outermost wrapper; the same words when it has none."""
    count = next((at for at, word in enumerate(words) if not _ASSIGNED.match(word)), len(words))
    before.extend(words[:count])
    words = words[count:]
    if not words:
        return words
    head = _base(words[0])
    if head in TEST_PROGRAMS:
        return words
    if len(words) > 1 and HELD.fullmatch(words[0]) and _base(words[1]) in TEST_PROGRAMS:
        before.append(words[0])
        return words[1:]
    if head in MEASURING and words[1:2] != ("report",):
        before.append(head)
    following = RUNNING.get(head)
    if following and len(words) > 1:
        rest = _past_options(words[1:], before)
        if rest and rest[0] in following:
            rest = _past_options(rest[1:], before)
            return rest or words
    if head == "coverage":
        return words
    if head in WRAPPERS and len(words) > 1:
        rest = _past_options(words[1:], before)[WRAPPERS[head] :]
        return rest or words
    if INTERPRETERS.fullmatch(head):
        return _past_interpreter(words, before)
    return words


def _past_options(words: tuple[str, ...], before: list[str]) -> tuple[str, ...]:
    at = 0
    while at < len(words) and words[at].startswith("-"):
        before.append(words[at])
        is_ended = words[at] == "--"
        at += 2 if words[at] in VALUED else 1
        if at < len(words) and words[at].isdigit():
            before[-1] += f"={words[at]}"
            at += 1
        if is_ended:
            break
    return words[at:]


def _past_interpreter(words: tuple[str, ...], before: list[str]) -> tuple[str, ...]:
    """`python -m NAME` is NAME, `python FILE` is the file."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        if words[at].startswith("-m") or (words[at][1:2] != "-" and words[at].endswith("m") and len(words[at]) < 6):
            before.append(words[at].removesuffix("m"))
            module = words[at].partition("-m")[2]
            return (module, *words[at + 1 :]) if module else words[at + 1 :] or words
        before.append(words[at])
        at += 2 if words[at] in PYTHON_VALUED else 1
    return words[at:] if at < len(words) and words[at - 1] != "-c" else words


def _base(word: str) -> str:
    """The name of a program without its folder, which a variable may hold (`${PREFIX}pytest`).

    A variable that stands alone (`$(PYTEST)`, `{envpython}`) counts for its own name.
    """
    name = word.rpartition("/")[2].rpartition("\\")[2]
    name = _IN_FOLDER.sub("", name).strip("${}()").lower()
    for ending in (".cmd", ".exe", ".bat"):
        name = name.removesuffix(ending)
    return name


def _known(words: tuple[str, ...], before: tuple[str, ...]) -> Runner | None:
    head, rest = _base(words[0]), words[1:]
    if head == "unittest" or head.startswith("unittest."):
        return Runner(TEST, "unittest", rest, before)
    if head in HOOK_PROGRAMS or words[:2] == ("git", "agentgate"):
        return _hooks(head, rest, before)
    if head in TEST_PROGRAMS:
        return _test_tool(head, rest, before)
    if head in LINT_PROGRAMS:
        return Runner(LINT, head, rest, before)
    if _only_reads(head, rest):
        return Runner(LINT, f"{head} {rest[0]}", rest[1:], before)
    if head in SHELLS or head in (".", "source"):
        return _script(tuple(word for word in rest if not word.startswith("-")), before)
    if head == "setup.py":
        return (
            Runner(TEST, "setup.py test", rest[1:], before)
            if rest[:1] in (("test",), ("pytest",), ("nosetests",))
            else None
        )
    if head in ("manage.py", "django-admin"):
        return Runner(TEST, "manage.py test", rest[1:], before) if rest[:1] == ("test",) else None
    if head in ("node", "deno", "bun") and "--test" in rest:
        return Runner(TEST, f"{head} --test", rest, before)
    if head == "coverage":
        return Runner(LINT, "coverage report", rest[1:], before) if rest[:1] == ("report",) else None
    if head in VERB_TOOLS or head in SCRIPT_HOSTS:
        found = by_verb(head, rest, before)
        if found is not None or head not in SCRIPT_HOSTS:
            return found
        return _script(tuple(word for word in rest if not word.startswith("-")), before)
    if head in ("docker", "docker-compose", "podman", "kubectl"):
        return _in_container(rest)
    return _script(words, before) if _looks_like_script(words[0]) else None


def _only_reads(head: str, rest: tuple[str, ...]) -> bool:
    """True for an interpreter that looks at the grammar of a file and runs nothing of it."""
    options = {"node": ("--check", "-c"), "php": ("-l",), "ruby": ("-c", "-wc"), "perl": ("-c", "-wc")}
    if head in SHELLS and rest[:1] and rest[0][:1] in "-" and rest[0][1:2] != "-":
        return "n" in rest[0] and "c" not in rest[0] and head not in ("cmd", "powershell", "pwsh")
    return rest[:1] != () and rest[0] in options.get(head, ())


def _hooks(head: str, rest: tuple[str, ...], before: tuple[str, ...]) -> Runner | None:
    if head == "pre-commit" and rest[:1] not in (("run",), ()):
        return None
    if head == "lint-staged" or head in ("git-agentgate", "agentgate", "git"):
        return Runner(HOOKS, head, rest, before)
    return Runner(HOOKS, head, rest, before) if rest[:1] in (("run",), ("check",), ()) else None


def _test_tool(head: str, rest: tuple[str, ...], before: tuple[str, ...]) -> Runner | None:
    if head in (
        "cypress",
        "playwright",
        "karma",
        "wdio",
        "testcafe",
        "codecept",
        "codecept.phar",
        "molecule",
        "stestr",
    ):
        verb = next((word for word in rest if not word.startswith("-")), "")
        if verb not in ("run", "test", "start", "component", "chrome", "firefox", "converge", "last", "verify"):
            return None
        rest = tuple(word for word in rest if word != verb)
        return Runner(TEST, f"{head} {verb}", rest, before)
    if head in ("tox", "nox"):
        return _environments(head, rest, before)
    name = "pytest" if head in ("py.test", "pytest-3", "py.test3") else head
    return Runner(TEST, name, rest, before)


def _environments(head: str, rest: tuple[str, ...], before: tuple[str, ...]) -> Runner | None:
    """`tox -e lint` checks, `tox -e docs` does neither; anything else is taken for tests."""
    chosen = ""
    for position, word in enumerate(rest):
        for option in ("-e", "-s", "--session", "--sessions", "--env"):
            if word == option:
                chosen = " ".join(rest[position + 1 : position + 2])
            elif word.startswith(option) and not word.startswith("--e"):
                chosen = word.removeprefix(option).lstrip("=")
    if not chosen or "$" in chosen or VERB.search(chosen):
        return Runner(TEST, head, rest, before)
    if LINT_VERB.search(chosen) or chosen in LINT_PROGRAMS | HOOK_PROGRAMS:
        return Runner(LINT, f"{head} {chosen}", rest, before)
    return None if PREPARES.search(chosen) else Runner(TEST, head, rest, before)


def _in_container(rest: tuple[str, ...]) -> Runner | None:
    """`docker compose run SERVICE COMMAND`: the command is the first part of the words that is a runner by itself."""
    if (
        rest[:1] not in (("run",), ("compose",), ("exec",), ("-f",))
        and "run" not in rest[:6]
        and "exec" not in rest[:6]
    ):
        return None
    for position in range(1, min(len(rest), 20)):
        if _base(rest[position]) in TEST_PROGRAMS | LINT_PROGRAMS | {
            "make",
            "npm",
            "yarn",
            "go",
            "cargo",
            "bash",
            "sh",
            "poetry",
        }:
            if _base(rest[position]) == rest[position - 1]:
                continue
            found = runner_of(rest[position:])
            if found is not None:
                return found
    return None


def _looks_like_script(word: str) -> bool:
    return "/" in word or "\\" in word or word.lower().endswith((".sh", ".py", ".bat", ".ps1", ".rb", ".pl", ".cmd"))


def _chosen(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The arguments of a script or a program of tests without those that choose among its tests, and these."""
    rest: list[str] = []
    chosen: list[str] = []
    for position, word in enumerate(words):
        if word.partition("=")[0] in CHOOSING or (
            position and words[position - 1] in CHOOSING and not word.startswith("-")
        ):
            chosen.append(word)
        elif word.startswith(("~[", "exclude:", "~*")):
            chosen.append(f"--exclude={word}")
        else:
            rest.append(word)
    return tuple(rest), tuple(chosen)


def _script(words: tuple[str, ...], before: tuple[str, ...]) -> Runner | None:
    """A script is known by what it is called; what it is given tells one run from the other."""
    if not words:
        return None
    path, rest = words[0].removeprefix("./"), words[1:]
    rest, chosen = _chosen(rest)
    name = _base(path)
    stem = name.rpartition(".")[0] or name
    is_check = stem.startswith(("check", "lint", "verify"))
    if PREPARES.search(stem) and not is_check:
        return None
    is_tool = not path.endswith("/") and stem in ("tox", "nox", "pytest")
    if name in TEST_PROGRAMS | LINT_PROGRAMS or is_tool:
        return _known((name, *words[1:]), before)
    shown = " ".join((path, *rest))
    if is_check and not rest:
        return Runner(LINT, shown, (), before)
    if TEST_NAME.search(stem) or (
        TEST_NAME.search(path) and stem in ("run", "all", "main", "__main__", "ci", "start", "index")
    ):
        return Runner(TEST, shown, chosen, before)
    if TEST_KIND.fullmatch(stem) or RUNS_ALL.search(path):
        return Runner(TEST, shown, chosen, before)
    if CHECK_NAME.search(stem) or LINT_VERB.search(stem):
        return Runner(LINT, shown, (), before)
    if rest and VERB.fullmatch(rest[0]):
        return Runner(TEST, shown, (), before)
    return None
