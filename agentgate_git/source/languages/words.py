"""What the names of assertions say, in any language: how much they still tell apart.

A name is read as words (`toBeGreaterThan`: to, be, greater, than; `EXPECT_EQ`: expect, eq), so that one table
serves every framework; an unknown word counts as something that is sought in a value.
"""

from __future__ import annotations

from agentgate_git.model.inventory import BOUND, CLOSE, EXACT, NONE, PRESENT, SOUGHT, STRENGTHS, TYPE
from agentgate_git.model.pattern import pattern_of


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


_PART = pattern_of(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_LEFT_OUT = word_set(
    "assert expect expects to be have has should check require ensure verify that a an is are it the must t not "
    "never does no and of with my our than xct cu boost gtest "
    "cppunit"
)
# The first row whose words the name has says what it is worth.
_ROWS = (
    (NONE, "nofail nothrow pass passes passed succeed success warn multiple anything nothing"),
    (SOUGHT, "snapshot screenshot"),
    (CLOSE, "close approx approximately within delta near almost float double epsilon tolerance"),
    (
        BOUND,
        (
            "greater less above below least most positive negative between gt lt ge le gte lte more after before "
            "lesser "
            "bigger smaller min max ne differ different distinct unequal notequal"
        ),
    ),
    (
        SOUGHT,
        (
            "contain contains containing include includes match matches matching regex regexp start starts end "
            "ends prefix "
            "suffix key keys property member members throw throws thrown raise raises error errors exception called "
            "invoked substring like panics panic attribute class"
        ),
    ),
    (
        TYPE,
        (
            "instance instanceof type typeof kind int integer string array number numeric bool boolean object iterable "
            "callable scalar resource isa"
        ),
    ),
    (
        EXACT,
        (
            "equal equals eq eql eqls same identical strict strictequal deep exactly exact identity true false null "
            "nil none "
            "undefined zero empty nan equivalent length size count text value values output"
        ),
    ),
    (PRESENT, "truthy falsy defined exist exists ok present visible invoked blank some"),
)
_TABLE = {word: strength for strength, words in reversed(_ROWS) for word in words.split()}
_ORDER = {strength: place for place, (strength, _) in enumerate(_ROWS)}
_ABSENT = word_set("null nil none undefined empty")
_EQUAL = word_set("equal equals eq")
_OF_TYPE = word_set("instance instanceof type typeof kind isa")
# `containsExactly`, `contain only`, `match_array`, `theSameElementsAs`: all that a collection holds.
_WHOLE = word_set("exactly only elements array members")
_PARTS = word_set("contain contains containing match same include elements")
# Equal but for something: how letters are written, blanks.
_LOOSE = word_set("fold ignore ignores ignoring insensitive casecmp")
_BARE_TRUTH = frozenset(("true", "false", "ok", "truthy", "falsy"))
_NEGATIONS = frozenset(("not", "never", "no", "doesnt", "isnt", "refute", "non"))


def words(name: str) -> tuple[str, ...]:
    """The words of a name, in lower case."""
    return tuple(part.lower() for part in _PART.findall(name))


def is_negated(name: str) -> bool:
    """True for a name that says what must not be."""
    return not _NEGATIONS.isdisjoint(words(name))


def is_bare_truth(name: str) -> bool:
    """True for a check of a condition alone: assertTrue, ok, assert."""
    telling = [word for word in words(name) if word not in _LEFT_OUT]
    return all(word in _BARE_TRUTH for word in telling) and (
        bool(telling) or name.lower() in ("assert", "verify", "check")
    )


def strength_of(name: str, *, is_negative: bool, has_expected: bool) -> str:
    """What a check of this name tells apart, one of STRENGTHS."""
    telling = [word for word in words(name) if word not in _LEFT_OUT]
    found = {_TABLE[word] for word in telling if word in _TABLE}
    if not _EQUAL.isdisjoint(telling) and _OF_TYPE.isdisjoint(telling):
        found.discard(TYPE)  # assertArrayEquals compares arrays, and asks for no type
    if "inline" in telling and has_expected:
        return EXACT
    if not is_negative and {"same", "instance"} <= set(telling):
        return EXACT
    if not is_negative and not _WHOLE.isdisjoint(told := words(name)) and not _PARTS.isdisjoint(told):
        return EXACT
    absent = not _ABSENT.isdisjoint(telling)
    if is_negative:
        if absent or NONE in found:
            return PRESENT if absent else NONE
        return PRESENT if found <= {PRESENT} and not (has_expected and not telling) else weaker(BOUND, *found)
    if EXACT in found and not _LOOSE.isdisjoint(telling):
        return weaker(SOUGHT, *found)
    if not found:
        return EXACT if not telling and has_expected else PRESENT if not telling else SOUGHT
    return min(found, key=_ORDER.__getitem__)


def weaker(*strengths: str) -> str:
    """The weakest of some strengths."""
    return max(strengths, key=STRENGTHS.index)


def stronger(*strengths: str) -> str:
    """The strongest of some strengths."""
    return min(strengths, key=STRENGTHS.index)
