"""General tools that run tests or checks when a word after their name says so: `make test`, `npm run lint`."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.commands.runner_names import LINT, LINT_VERB, PREPARES, TEST, VERB, words_of

_ALIASES = {"mvnw": "mvn", "gradlew": "gradle", "gmake": "make", "inv": "invoke"}
_TARGETS = words_of("make gmake just task ninja rake mvn mvnw gradle gradlew ant sbt invoke inv mage grunt gulp doit")
_SCRIPTS = words_of("npm yarn pnpm bun composer hatch pdm poe melos turbo nx lerna ng rush")
_PASSED = words_of("run run-script workspaces workspace foreach affected run-many exec")
_ONE_VERB = words_of("""
    go cargo cross swift dotnet mix zig deno cabal stack dune flutter dart bazel bazelisk julia ruby perl rscript
""")
_BY_TEXT = pattern_of(
    r"Pkg\.test|test_(?:dir|check|local|package)|devtools::(?:test|check)|testthat|-I\S*:?test|-Ispec"
)
_MAVEN_PHASES = words_of("test verify install integration-test package deploy")
# Options of these tools whose next word is their value.
_TAKES_VALUE = {
    "make": words_of("-C -f -j -I"),
    "mvn": words_of("-pl -f -P -s -T --file --projects"),
    "gradle": words_of("-x -p -b --tests --exclude-task --project-dir"),
    "rake": words_of("-f -I -r"),
    "ninja": words_of("-C -f -j"),
}
# What is done about findings, and what looks at something else.
_NO_AUDIT = frozenset(("fix", "signatures"))
_SUBTOOLS = {
    "cargo": (words_of("nextest tarpaulin llvm-cov hack miri"), words_of("clippy fmt deny audit semver-checks")),
    "mix": (frozenset[str](), words_of("credo dialyzer format sobelow")),
    "go": (frozenset[str](), words_of("vet")),
    "dotnet": (frozenset[str](), words_of("format")),
    "zig": (frozenset[str](), words_of("fmt")),
}


class Runner(Record):
    """A command that runs tests, checks or hooks.

    `name` is what it is known by, `arguments` what it is given, `before` the options of the interpreter and the
    wrappers before it. Where a general tool or a script is started, `name` says which part of it (`make test`).
    """

    kind: str
    name: str
    arguments: tuple[str, ...]
    before: tuple[str, ...] = ()


def by_verb(head: str, rest: tuple[str, ...], before: tuple[str, ...]) -> Runner | None:
    """The runner that a general tool becomes by what it is asked for, None when that neither tests nor checks."""
    if head in ("ruby", "perl", "julia", "rscript"):
        return Runner(TEST, f"{head} test", rest, before) if _BY_TEXT.search(" ".join(rest)) else None
    if head in _TARGETS:
        return _by_targets(_ALIASES.get(head, head), rest, before)
    plain = [position for position, word in enumerate(rest) if not word.startswith("-")]
    if head in _SCRIPTS:
        plain = [position for position in plain if rest[position] not in _PASSED]
    for position in plain[: 1 if head in _ONE_VERB else 2]:
        found = _verb(head, rest[position], (*rest[:position], *rest[position + 1 :]), before)
        if found is not None:
            return found
    return None


def _verb(head: str, verb: str, arguments: tuple[str, ...], before: tuple[str, ...]) -> Runner | None:
    tests, checks = _SUBTOOLS.get(head, (frozenset(), frozenset()))
    if verb in tests:
        return Runner(TEST, f"{head} {verb}", arguments, before)
    if verb in checks:
        return Runner(LINT, f"{head} {verb}", arguments, before)
    if verb == "audit" and head in _SCRIPTS and _NO_AUDIT.isdisjoint(arguments):
        return Runner(LINT, f"{head} {verb}", arguments, before)
    if head == "cargo" and verb == "check":
        return None
    if LINT_VERB.search(verb) and not PREPARES.search(verb):
        return Runner(LINT, f"{head} {verb}", arguments, before)
    if VERB.search(verb) and not PREPARES.search(verb) and not (head in ("npm", "yarn", "pnpm") and verb == "ci"):
        return Runner(TEST, f"{head} {verb}", arguments, before)
    return None


def _by_targets(head: str, rest: tuple[str, ...], before: tuple[str, ...]) -> Runner | None:
    """A build tool takes several targets; the first that tests decides, and the others are arguments."""
    takes_value = _TAKES_VALUE.get(head, frozenset())
    previous, checked = "", ""
    for position, word in enumerate(rest):
        is_target = not word.startswith("-") and "=" not in word and previous not in takes_value
        previous = word
        if not is_target:
            continue
        arguments = (*rest[:position], *rest[position + 1 :])
        if _tests(head, word):
            return Runner(TEST, f"{head} {word}", arguments, before)
        if not checked and LINT_VERB.search(word) and not PREPARES.search(word):
            checked = word
    if checked:
        return Runner(LINT, f"{head} {checked}", tuple(word for word in rest if word != checked), before)
    return Runner(TEST, "rake", rest, before) if head == "rake" and not rest else None


def _tests(head: str, target: str) -> bool:
    if head == "mvn" and target in _MAVEN_PHASES:
        return True
    if head == "gradle" and target.rpartition(":")[2] in ("build", "check"):
        return True
    return bool(VERB.search(target)) and not PREPARES.search(target)
