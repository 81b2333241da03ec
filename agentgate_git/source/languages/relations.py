"""One word for one relation, whatever a framework calls it, so that tests which moved to another are compared."""

from __future__ import annotations

from functools import lru_cache

from agentgate_git.model.inventory import BUT_FOR, CLOSE, EXACT, PRESENT, SOUGHT
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.words import is_negated, weaker, word_set, words

# The call comes back, and no more is known.
NO_THROW = "does not throw"
NEAR = "is near"
# In a relation that holds but for what is named behind it.
_LEAVING_OUT = word_set("ignoring ignore excluding")
_THROWING = word_set("throw throws thrown raise raises raised panic panics exception exceptions nothrow nothrows")
_QUIETLY = word_set("nothrow nothrows nothing")
_MATCHING = word_set("match matches matching regex regexp")
_HOLDING = word_set("contain contains containing include includes")
# What else a name says that begins in the same way, and means more.
_OTHER = word_set(
    "snapshot screenshot object pattern array elements exactly only key keys value values entry all any in"
)
_ERRORS = r"(?:Exception|RuntimeException|Throwable|Error|StandardError|exception|AnyError|Object|NSError)"
_ANY = pattern_of(rf"(?:const )?\\?(?:[\w.]+(?:\.|::|\\))?{_ERRORS}&?(?:\.class|\.self|::class(?:\.java)?)?")
_ANY_TYPED = pattern_of(
    rf"(?:ThrowsAny(?:Async)?|Catch(?:Async)?|Throw(?:Async)?|InstanceOf|assertFailsWith|(?:should|assert)Throws?)<(?:System\.)?{_ERRORS}>"
    rf"|(?:intercept|assertThrows|\ban?)\[{_ERRORS}\]|throwsA\(isA<(?:Exception|Error|Object)>|should(?:Throw|Throws)\({_ERRORS}\)"
)
_THROWN = pattern_of(r"[tT]hrow|[rR]aise|FailsWith|expectException")


def canonical(relation: str, strength: str) -> tuple[str, str]:
    """(relation, strength) of a check in the words that all frameworks share; others as they are."""
    if is_quiet(relation):
        return NO_THROW, weaker(PRESENT, strength)
    if strength == CLOSE:
        return NEAR, strength
    if strength == EXACT and (BUT_FOR in relation or not _LEAVING_OUT.isdisjoint(words(relation))):
        return relation if BUT_FOR in relation else f"{relation}{BUT_FOR}a part", SOUGHT
    if strength == SOUGHT and (family := _family(relation)):
        return family, strength
    return relation, strength


@lru_cache(maxsize=1024)
def is_quiet(relation: str) -> bool:
    """True for what only asks that a call comes back: `assertDoesNotThrow`, `NotPanics`, `returnsNormally`."""
    told = frozenset(words(relation))
    if {"returns", "normally"} <= told or relation == NO_THROW:
        return True
    if _THROWING.isdisjoint(told):
        return False
    return is_negated(relation) or not _QUIETLY.isdisjoint(told)


def is_any_error(text: str, expected: str) -> bool:
    """True for an assertion that something is thrown, of a type that all errors are of, whatever went wrong.

    `text` is the whole of it, `expected` what has to be thrown. `Assert.Throws<Exception>` of C# takes no other type.
    """
    if _ANY_TYPED.search(text) is not None:
        return True
    return _ANY.fullmatch(expected) is not None and _THROWN.search(text) is not None


@lru_cache(maxsize=1024)
def _family(relation: str) -> str:
    told = frozenset(words(relation))
    if is_negated(relation) or not _OTHER.isdisjoint(told):
        return ""
    if relation == "=~" or not _MATCHING.isdisjoint(told):
        return "matches"
    return "contains" if not _HOLDING.isdisjoint(told) else ""
