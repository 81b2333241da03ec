"""Assertions of any language from names and normalised texts: what is compared with what, and how strictly."""

from __future__ import annotations

import re

from agentgate_git.model.inventory import BOUND, CLOSE, EXACT, NONE, PRESENT, SOUGHT, STRENGTHS, TYPE, Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.source.languages.always import ANYTHING, is_always
from agentgate_git.source.languages.nearness import (
    allowed_by,
    compared_near,
    is_hair,
    near_value,
    of_digits,
    tolerance_of,
)
from agentgate_git.source.languages.relations import NEAR, canonical, is_any_error
from agentgate_git.source.languages.syntax import closing, split, unquoted
from agentgate_git.source.languages.words import is_bare_truth, strength_of, stronger, weaker, words

SAME = "it compares a value with itself"
CONSTANT = "it compares constants"
SWALLOWED = "what fails here is caught and goes nowhere"
UNREACHED = "nothing reaches it"
NEVER_UNDEFINED = "it is null where nothing is found, and null is defined"
BOTH_DEFINED = "it is true or false, and both are defined"
NOT_AWAITED = "nothing waits for it"

_LITERAL = pattern_of(
    r"-?\d[\w.]*|\"[^\"]*\"|`[^`$]*`|'[^']*'|:\w+|true|false|null|nil|None|undefined|True|False|NULL|nullptr"
)
_DIFFERENCE = pattern_of(r"\b(?:f?abs|Abs|ABS)\(|\.abs\b|\babs ")
_OPPOSITES = (
    *(("!==", "==="), ("===", "!=="), ("!=", "=="), ("==", "!="), ("<=", ">"), (">=", "<"), ("<", ">="), (">", "<=")),
)
_DEEP = pattern_of(r"\b(?:DeepEqual|Equal|EqualFold)\(")
_NOT_ORACLES = frozenset(("", "0"))
_OPERATORS = (
    *((operator, EXACT) for operator in ("===", "==", " eq ", "=:=")),
    *((operator, BOUND) for operator in ("!==", "!=", " ne ", "<=", ">=", " -lt ", " -gt ", " -ge ", " -le ", " -ne ")),
    *((operator, SOUGHT) for operator in ("=~", " in ", "~=")),
    *((operator, TYPE) for operator in (" instanceof ", " is ", " kind_of ")),
    *((operator, BOUND) for operator in ("<", ">")),
)
# One word for one value in every language, said as a value or in the name of a matcher: isNull(), be_nil, Boolean.TRUE.
_VALUES = {
    **dict.fromkeys(("null", "nil", "None", "none", "nullptr", "NULL", "nullValue()"), "null"),
    **dict.fromkeys(("true", "True", "TRUE", "Boolean.TRUE", "YES"), "true"),
    **dict.fromkeys(("false", "False", "FALSE", "Boolean.FALSE", "NO"), "false"),
    "undefined": "undefined",
    "empty": "empty",
}
_NOTHING = frozenset(("null", "nil", "None", "undefined", "nullptr", "NULL"))
# In the place of an arrow where a sign of comparison is sought, and as long.
_ARROW = "\0\0"
# A comparison, or a call of a method that answers with yes or no.
_ASKED = pattern_of(
    r"[=!]==?|[<>]| is | instanceof |(?:\.|->|::)(?:is_?[A-Za-z]*|has\w*|contain\w*|include\w*|starts?_?[wW]ith"
    r"|ends?_?[wW]ith|equals?|eql|casecmp|match\w*|exists?|nil|empty|none|null|respond_to|key|member)\??(?:\(.*\))?$"
)
# What says that letters may be written large or small.
_ANY_CASE = pattern_of(r"(?i)ignore_?case ?[:=] ?true|ordinalIgnoreCase|(?:current|invariant)CultureIgnoreCase")
# What a value differs from that is merely there.
_NO_VALUE = _NOTHING | {'""', "[]", "{}"}
_CALLED = pattern_of(r"(?:\.|->|::|&\.)(\w+)[?!]?\((.*)\)$")
_OPEN_PART = pattern_of(
    r"\b(?:expect|jasmine)\.(?:any|anything|objectContaining|arrayContaining|string(?:Containing|Matching))\("
    r"|\b(?:an_instance_of|a_kind_of|kind_of|hash_including|array_including|a_hash_including|instance_of)\(|\bany(?:Int|String|Long)?\(\)"
)
_EMPTY = pattern_of(r"(.+?)(?:\.|->)(?:is_?)?(empty|Empty|EMPTY|none|None|null|Null|nil|Nil)\??(?:\(\))?")
_BELOW = frozenset(("less", "below", "most", "lt", "lte", "under"))
# What gives null where it finds nothing, and never undefined.
_FOUND_OR_NULL = pattern_of(
    r"\b(?:query(?:All)?By\w+|querySelector(?:All)?|getElementById|closest)\([^()]*(?:\([^()]*\))?[^()]*\)$"
)
_YES_OR_NO = pattern_of(r"\.(?:is|has)[A-Z]\w*\([^()]*\)$")
_TOLERANT = frozenset(("close", "within", "delta", "near", "approx", "approximately", "float", "double", "almost"))
_BARE = frozenset(("throw", "throws", "raise", "raises", "error", "called", "invoked"))
_EQUALITY = {"equals", "Equals", "equal", "eql", "is_equal", "isEqual", "contentEquals"}


class Check(Record):
    """What an assertion says, without where it stands; `text` is the whole of it."""

    text: str
    subject: str
    relation: str
    expected: str
    strength: str
    tolerance: str = ""
    void: str = ""
    truth: str = ""

    def at(self, line: int, void: str = "") -> Assertion:
        """The assertion on a line; `void` is a reason from where it stands."""
        reason = self.void or void
        expected = _VALUES.get(self.expected, self.expected)
        relation, strength = canonical(self.relation, self.strength)
        if strength in (SOUGHT, TYPE) and is_any_error(self.text, expected or self.subject):
            strength = PRESENT
        if strength == EXACT:
            expected = expected or next((_VALUES[word] for word in words(relation) if word in _VALUES), "")
            relation = "==" if not relation.startswith(("not ", "!")) and expected else relation
        found = Assertion(self.text, self.subject, relation, expected, strength, line, self.tolerance, reason)
        return found._replace(truth=self.truth) if self.truth else found


def is_literal(text: str) -> bool:
    """True for one constant: a number, a string, true, null."""
    return _LITERAL.fullmatch(text) is not None


def condition_check(text: str, condition: str, relation: str = "") -> Check:
    """A check of a condition alone: its comparison is what it says."""
    while condition.startswith("(") and condition.endswith(")") and len(split(condition[1:-1])) == 1:
        inner = condition[1:-1]
        if not _is_balanced(inner):
            break
        condition = inner
    strength, subject, operator, expected = _compared(condition)
    if subject[:1] == "(" and closing(subject, 0) == len(subject) - 1:
        subject = subject[1:-1]
    if operator in ("<", "<=") and _DIFFERENCE.search(subject) and _is_number(expected):
        return _near(text, subject, tolerance_of(expected))
    if strength == EXACT and (near := near_value(expected)) is not None:
        return near_check(text, subject, *near)
    void = SAME if expected and subject == expected else ""
    if not void and is_always(condition):
        return Check(text, condition, "true", "", NONE, void=ANYTHING)
    if not void and is_literal(subject) and (not expected or is_literal(expected)):
        void = CONSTANT
    return Check(text, subject, operator or relation or "true", expected, strength, void=void)


def opposite_check(condition: str) -> Check:
    """What a statement that fails under a condition checks."""
    text = f"!({condition})"
    if condition.startswith("[") and condition.endswith("]"):
        condition = re.sub(r'"(\$[^"]*)"', r"\1", condition.strip("[]"))
    sides = split(condition, "||")
    if len(sides) > 1:  # it fails where any of them holds: the one that tells most says what it is about
        asked = [opposite_check(side) for side in sides[:8]]
        most = min(asked, key=lambda one: STRENGTHS.index(one.strength))
        return most._replace(text=text, subject=condition)
    parts = split(condition, "&&")
    if len(parts) > 1:  # it fails only where all of them hold
        told = (opposite_check(part).strength for part in parts[:8])
        return Check(text, condition, "&&", "", weaker(SOUGHT, *told))
    for operator, opposite in _OPPOSITES:
        if len(split(condition, operator)) == 2:
            left, right = split(condition, operator)
            return condition_check(text, f"{left}{opposite}{right}")
    inner = condition[1:] if condition.startswith("!") else f"!{condition}"
    if condition.startswith("!") and _DEEP.search(condition):
        arguments = split(condition[condition.find("(") + 1 : condition.rfind(")")])
        return Check(text, arguments[0] if arguments else "", "DeepEqual", ",".join(arguments[1:]), EXACT)
    return condition_check(text, inner)


def pair_check(text: str, name: str, arguments: tuple[str, ...], *, expected_first: bool) -> Check:
    """A check by a function: `assertEquals(3, total)`, `assert.equal(total, 3)`, `assertNotNull(x)`.

    Of two arguments a constant is what is expected, wherever it stands; `expected_first` says which one is when
    neither or both are constants.
    """
    relation = name
    if not arguments:
        return Check(text, "", relation, "", strength_of(name, is_negative=False, has_expected=False))
    if is_bare_truth(name) or len(arguments) == 1:
        return _single(text, name, arguments[0])
    first, second = arguments[:2]
    if is_literal(first) != is_literal(second):
        expected, subject = (first, second) if is_literal(first) else (second, first)
    else:
        expected, subject = (first, second) if expected_first else (second, first)
    strength = strength_of(name, is_negative=_negative(name), has_expected=True)
    if strength == BOUND and expected in _NO_VALUE:
        strength = PRESENT
    is_told = len(arguments) > 2 and (_is_number(arguments[2]) or not _TOLERANT.isdisjoint(words(name)))
    if strength == EXACT and any(_ANY_CASE.search(one) for one in arguments[2:]):
        return Check(text, subject, f"{relation} in any case", expected, SOUGHT)
    third = tolerance_of(arguments[2]) if is_told else allowed_by(arguments[2:])
    if strength == EXACT and (near := near_value(expected)) is not None:
        return near_check(text, subject, *near)
    if third and strength == EXACT:
        strength = EXACT if is_hair(tolerance_of(third)) else CLOSE
    third = tolerance_of(third) if strength == CLOSE else third
    return Check(text, subject, relation, expected, strength, third, _void(subject, expected))


def matcher_check(text: str, subject: str, name: str, arguments: tuple[str, ...], *, is_negative: bool) -> Check:
    """A check by a matcher on a subject: `expect(x).toBe(3)`, `assertThat(x).isEqualTo(3)`, `x shouldBe 3`."""
    negative = is_negative != _negative(name)
    strength = strength_of(name, is_negative=negative, has_expected=bool(arguments))
    told = set(words(name))
    if told & _BARE and not arguments:
        strength = weaker(strength, PRESENT)
    expected = ",".join(arguments)
    tolerance = ""
    if told & _TOLERANT and len(arguments) > 1:
        expected, tolerance = arguments[0], tolerance_of(",".join(arguments[1:]))
        tolerance = of_digits(arguments[1]) if name == "toBeCloseTo" else tolerance
    elif name == "moreOrLessEquals" and not negative:
        return near_check(text, subject, arguments[0], allowed_by(arguments[1:]) or "0.000001")
    elif strength == EXACT and not is_negative and arguments:
        given = (arguments[0], allowed_by(arguments[1:])) if len(arguments) == 2 else None
        near = given if given and given[1] else near_value(expected)
        if near is not None:
            return near_check(text, subject, *near)
    is_absent = strength == BOUND and expected in _NO_VALUE and told.isdisjoint(("contain", "contains", "include"))
    if (strength == EXACT and is_wildcard(expected)) or is_absent:
        strength = PRESENT
    elif strength == EXACT and _OPEN_PART.search(expected):
        strength = SOUGHT
    if strength == SOUGHT and is_wildcard(expected):
        strength = PRESENT
    is_below = strength == BOUND and not negative and bool(told & _BELOW)
    if is_below and arguments and _is_number(expected) and _DIFFERENCE.search(subject):
        return _near(text, subject, tolerance_of(expected))
    if strength == PRESENT and "defined" in told and _FOUND_OR_NULL.search(subject):
        return Check(text, subject, name, "", NONE, void=NEVER_UNDEFINED)
    if strength == PRESENT and "defined" in told and _YES_OR_NO.search(subject):
        return Check(text, subject, name, "", NONE, void=BOTH_DEFINED)
    if strength == EXACT and not is_negative and (asked := _asked(name, expected)):
        inner = condition_check(text, subject)
        if inner.expected and _ASKED.search(subject) is not None:
            return inner if asked == "true" else _refuted(inner)
        if asked == "true" and inner.relation == "||":
            return inner
    relation = f"not {name}" if is_negative else name
    return Check(text, subject, relation, expected, strength, tolerance, _void(subject, expected))


def near_check(text: str, subject: str, expected: str, tolerance: str) -> Check:
    """A check that a value is near another; what is allowed may be no more than arithmetic needs."""
    return Check(text, subject, NEAR, expected, EXACT if is_hair(tolerance) else CLOSE, tolerance)


def _near(text: str, difference: str, tolerance: str) -> Check:
    """A check that a difference is small: of its two sides, where it has two."""
    sides = compared_near(difference)
    if sides is None:
        return Check(text, difference, NEAR, "", CLOSE, tolerance)
    one, other = sides if not is_literal(sides[0]) else sides[::-1]
    return Check(text, one, NEAR, other, CLOSE, tolerance)


def _asked(name: str, expected: str) -> str:
    """The truth that a matcher asks for, said in its name or as a value: `isTrue()`, `be(false)`; else empty."""
    told = [word for word in words(name) if word in ("true", "false")]
    return _VALUES.get(expected, "") if expected else "".join(told)


def _refuted(check: Check) -> Check:
    """What says that a condition does not hold; that something is not null says only that it is there."""
    weak = check.strength if check.strength != EXACT or not check.expected else BOUND
    if check.strength == EXACT and check.expected == "null":
        weak = PRESENT
    return check._replace(relation=f"not {check.relation}", strength=weak)


def strictly(check: Check, truth: str) -> Check:
    """A check of a bare value that passes for one truth alone, where a name or the types of a language say so."""
    return check._replace(truth=truth) if check.strength == PRESENT and not check.expected else check


def is_wildcard(expected: str) -> bool:
    """True for an expectation that anything meets."""
    return (
        re.fullmatch(r"(?:\w+[.(])*(?:anything|any|ANY|_|AnyOf|everything)(?:\((?:Object)?\))?\)*", expected)
        is not None
    )


def no_check(text: str, name: str) -> Check:
    """A check in name only, which never fails."""
    return Check(text, "", name, "", NONE)


def _single(text: str, name: str, argument: str) -> Check:
    if is_bare_truth(name):
        check = condition_check(text, argument, name)
        told = words(name)
        if not {"false", "falsy", "refute"}.isdisjoint(told):
            return strictly(_refuted(check), "false") if "false" in told else _refuted(check)
        return strictly(check, "true") if "true" in told else check
    strength = strength_of(name, is_negative=_negative(name), has_expected=False)
    if words(name)[-1:] in (("error",), ("errors",)) and not _negative(name):
        strength = weaker(strength, PRESENT)
    return Check(text, argument, name, "", strength, void=CONSTANT if is_literal(argument) else "")


def _negative(name: str) -> bool:
    return not {"not", "never", "doesnt", "isnt", "refute"}.isdisjoint(words(name))


def _void(subject: str, expected: str) -> str:
    if subject and subject == expected:
        return SAME
    return CONSTANT if is_literal(subject) and is_literal(expected) and unquoted(expected) not in _NOT_ORACLES else ""


def _compared(condition: str) -> tuple[str, str, str, str]:
    """(strength, subject, operator, expected) of a condition."""
    for joiner, choose in (("||", weaker), ("&&", stronger)):
        parts = split(condition, joiner)
        if len(parts) > 1:
            strengths = [_compared(part)[0] for part in parts[:8]]
            # Where one of two values will do, neither is told apart from the other.
            return choose(*strengths, *((SOUGHT,) if joiner == "||" else ())), condition, joiner, ""
    for operator, strength in _OPERATORS:
        sides = split(condition.replace("->", _ARROW) if operator == ">" else condition, operator)
        if len(sides) == 2:
            left, right = (side.replace(_ARROW, "->") for side in sides)
            if is_literal(left) and not is_literal(right):
                left, right = right, left
            if strength == BOUND and operator.startswith("!") and right in _NOTHING:
                return PRESENT, left, operator, right
            return strength, left, operator.strip(), right
    if condition.startswith("!"):
        strength, subject, operator, expected = _compared(condition[1:])
        return (BOUND if strength == EXACT else strength), subject, f"not {operator or 'true'}", expected
    empty = _EMPTY.fullmatch(condition)
    if empty is not None:
        return EXACT, empty[1], "==", _VALUES.get(empty[2].lower(), "null")
    called = _CALLED.search(condition)
    if called is not None and called[2]:
        subject, name = condition[: called.start()], called[1]
        if name == "EqualFold" and len(sides := split(called[2])) == 2:
            return SOUGHT, sides[1], name, sides[0]
        if _ANY_CASE.search(called[2]):
            return SOUGHT, subject, name, called[2]
        if name in _EQUALITY:
            return EXACT, subject, name, called[2]
        return strength_of(name, is_negative=False, has_expected=True), subject, name, called[2]
    return PRESENT, condition, "", ""


def _is_balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if depth < 0:
            return False
    return depth == 0


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d[\w.]*(?:[eE][-+]\d+)?", text) is not None
