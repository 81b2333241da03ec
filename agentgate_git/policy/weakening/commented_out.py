"""Which tests and assertions of the base stand in comments at the head, and stood in none before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record

_TEST, _CHECK, _SCRIPT = "commented.test", "commented.check", "script.check"
_WORD = pattern_of(r"'[^']*'|\"[^\"]*\"|[^\W\d]\w*|\d[\w.]*")
_SAYS_NOTHING = frozenset(
    (
        *("assert", "self", "with", "pytest", "not", "is", "in", "and", "or", "None", "True", "False"),
        *(
            "Assert",
            "expect",
            "require",
            "should",
            "to",
            "t",
            "true",
            "false",
            "null",
            "nil",
            "undefined",
            "await",
            "async",
        ),
        *("toBe", "toEqual", "toStrictEqual", "toThrow", "Equal", "equal", "equals", "isEqualTo", "eq", "be"),
    )
)
_MIN_WORDS = 2
_LONG = 10
# The part of its words that a check has in common with the assertion that it was; less of one that is told in part.
_SHARE = 1 / 2
_CUT_SHARE = 1 / 3
TYPE_CHECKING = False
if TYPE_CHECKING:
    _Words = frozenset[str]


class CommentedOut(Record):
    """The names of tests that a comment of any file holds now, and by path the words of each check that one holds.

    `scripts` are the same of checks that are made only where a file is run as a script.
    """

    tests: frozenset[str]
    checks: Mapping[str, tuple[_Words, ...]]
    scripts: Mapping[str, tuple[_Words, ...]]

    def has_test(self, name: str) -> bool:
        """True for a test by the last part of its name."""
        return name.rpartition("::")[2] in self.tests

    def has_check(self, path: str, text: str) -> bool:
        """True for an assertion whose words are most of those of a check in a comment: names may be written anew."""
        return _has(self.checks.get(path, ()), text)

    def has_script(self, path: str, text: str) -> bool:
        """True for an assertion whose words are most of those of a check that only a script makes."""
        return _has(self.scripts.get(path, ()), text)


def _has(checks: tuple[_Words, ...], text: str) -> bool:
    words = _words(text) if checks else frozenset()
    share = _CUT_SHARE if "…" in text else _SHARE
    return any(len(one & words) >= share * len(one) and _tells(one & words, len(one)) for one in checks)


def _tells(shared: _Words, of: int) -> bool:
    """True for two words in common, for all there are, and for one that hardly stands there by chance."""
    return len(shared) >= min(_MIN_WORDS, of) or any(len(word) >= _LONG for word in shared)


def commented_out(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> CommentedOut:
    """What was put into comments, in files of both sides."""
    had = {one.path: Counter((trait.kind, trait.what) for trait in one.traits) for one in before}
    tests: set[str] = set()
    checks: dict[str, tuple[_Words, ...]] = {}
    scripts: dict[str, tuple[_Words, ...]] = {}
    for facts in after:
        if facts.path not in had:
            continue
        found = Counter((one.kind, one.what) for one in facts.traits if one.kind in (_TEST, _CHECK, _SCRIPT))
        fresh = found - had[facts.path]
        tests.update(what for kind, what in fresh if kind == _TEST)
        checks[facts.path] = tuple(words for kind, what in fresh if kind == _CHECK and (words := _words(what)))
        scripts[facts.path] = tuple(words for kind, what in fresh if kind == _SCRIPT and (words := _words(what)))
    return CommentedOut(frozenset(tests), checks, scripts)


def _words(text: str) -> _Words:
    found = (word.strip("'\"") for word in _WORD.findall(text))
    return frozenset(word for word in found if word and word not in _SAYS_NOTHING and not word.startswith("assert"))
