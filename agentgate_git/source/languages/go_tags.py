"""Where files of Go are built: by their build tags, and by the names of systems at their ends."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.inventory import BUILD_TAG, CONDITIONAL, NO_TAG, NOT_COLLECTED
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import Code
from agentgate_git.source.languages.truth import negation, truth
from agentgate_git.source.python.conditions import ALWAYS, NEVER
from agentgate_git.source.python.effects import Effect

_BUILD = pattern_of(r"//\s*(?:go:build|\+build)\s+(.+)")
_TAG = pattern_of(r"[\w.]+")
_TAGGED = "a build tag"
_REFUSED = pattern_of(r"! ?([\w.]+)")
_KNOWN_TAGS = {
    **dict.fromkeys(("linux", "unix", "amd64", "cgo", "gc"), "true"),
    **dict.fromkeys(
        ("windows", "darwin", "freebsd", "plan9", "js", "wasm", "ignore", "android", "ios", "race"), "false"
    ),
}
_OTHER_SYSTEM = pattern_of(
    r"_(?:windows|darwin|freebsd|netbsd|openbsd|plan9|js|wasm|solaris|aix|android|ios)(?:_\w+)?_test\.go$"
)


def is_of_other_system(path: str) -> bool:
    """True for a file of tests that is only built on a system that the gate does not run on."""
    return _OTHER_SYSTEM.search(path) is not None


def tag_effects(code: Code) -> Iterator[Effect]:
    """What the build tags before the code of a file do to its tests."""
    for comment in code.comments:
        if code.items and comment.start > code.items[0].start:
            break
        found = _BUILD.match(code.text(comment.span))
        if found:
            yield from _tag_effect(found[1].strip(), comment.line)


def tags_asked(effect: Effect, condition: str) -> tuple[str, ...]:
    """Build tags that nothing but an option of the command sets."""
    if effect.marker != _TAGGED or not (condition.startswith("!(") and condition.endswith(")")):
        return ()
    expression = condition[2:-1]
    if (refused := _REFUSED.fullmatch(expression)) is not None and refused[1] not in _KNOWN_TAGS:
        return (NO_TAG + refused[1],)
    if truth(_known_tags(expression, "false"), {}) != NEVER:
        return ()
    return tuple(BUILD_TAG + name for name in _TAG.findall(expression) if name not in _KNOWN_TAGS)


def _tag_effect(expression: str, line: int) -> Iterator[Effect]:
    verdict = truth(_known_tags(expression), {})
    if verdict == NEVER:
        yield Effect(NOT_COLLECTED, f"//go:build {expression}", line)
    elif verdict != ALWAYS:
        yield Effect(CONDITIONAL, _TAGGED, line, negation(expression))


def _known_tags(expression: str, unknown: str = "") -> str:
    """A build expression with what is known of the gate's machine in the place of its tags."""
    return _TAG.sub(
        lambda found: _KNOWN_TAGS.get(found[0], "true" if found[0].startswith("go1.") else unknown or found[0]),
        expression,
    )
