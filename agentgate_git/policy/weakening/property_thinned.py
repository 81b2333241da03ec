"""Rows and properties: whether a test is tried on less than before."""

from __future__ import annotations

import unicodedata
from collections import Counter

from agentgate_git.model.finding import ADVICE, BLOCK, WARN
from agentgate_git.model.inventory import PUT_ASIDE, CollectedTest
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.record import Record
from agentgate_git.policy.weakening.assertion_order import literals_of

_DEFAULT_EXAMPLES = 100
_FEW_EXAMPLES = 10
_FIXED = pattern_of(
    r"\b(?:just|none|nothing)\(|\bsampled_from\((?:\[[^,]*\]|\([^,]*,?\))\)$"
    r"|^hypothesis\.strategies\.(?:just|none|nothing)\b"
)
_ANYTHING = pattern_of(r"\binline_snapshot\.snapshot\(\)|\bmock\.ANY\b")
_CALLED = pattern_of(r"(\w+)\(")
# What leaves out nothing but the empty value.
_NEVER = ("False", "false", "0", "None")
_THERE = pattern_of(r"(?!False|None|false)[^\W\d]\w*|\(?len\([^\W\d]\w*\) (?:> 0|>= 1|!= 0)\)?")
# A half of the values of one parameter: `a >= 0`.
_REGION = pattern_of(
    r"[^\W\d]\w* ?(?:>=?|<=?) ?-?\d{1,3}|-?\d{1,3} ?(?:>=?|<=?) ?[^\W\d]\w*(?: ?(?:>=?|<=?) ?-?\d{1,3})?"
)
# One value of one parameter: `step != 0`.
_BUT_ONE = pattern_of(r"([^\W\d]\w*) ?!= ?(?:-?\d{1,3}|'[^']*'|\"[^\"]*\"|None)")
_GENERAL = frozenset(
    ("all", "any", "len", "set", "sorted", "isinstance", "GeneratorExp", "ListComp", "str", "int", "abs")
)
_FILTERS = pattern_of(
    r"\.filter\(|\bassume\(|\balphabet=|\bunique(?:_by)?=(?!False)|\ballow_(?:nan|infinity|subnormal)=False"
)
# What makes other values of those that a strategy gives.
_MADE = pattern_of(r"\.(?:flat)?map\((?!(?:list|sorted|tuple|set|frozenset|dict|str|bytes|int|float)\))|\bbuilds\(")
# Strategies that give few values by themselves.
_FEW = pattern_of(r"\bbooleans\(|\bsampled_from\(|\bnone\(|\bjust\(")
# A strategy that gives what it lists, and one that makes texts of what it lists.
_ONE_OF = pattern_of(r"(?:\w{1,40}\.){0,4}sampled_from\(")
_ALPHABET = pattern_of(r"\balphabet=(?:['\"]([^'\"]*)['\"]|(?:\w{1,40}\.){0,4}sampled_from\(([^()]*)\))")
_LETTER = pattern_of(r"['\",\[\]\s]+")
_RULE = "rule"
_INVARIANT = "invariant"
_ROUNDS = "rounds"
_RAISING = "raising"
_PRECONDITION = "precondition"
_BOUND = pattern_of(r"\b(min_value|max_value|min_size|max_size)=(-?\d+(?:\.\d+)?)")
_GIVEN = "given"
_EACH = "each "
_EXAMPLES_GONE = " fewer examples, without "
_OF_PROPERTIES = frozenset(("given", "example", "settings", "assume", "note", "integers", "lists", "text", "floats"))
_EXAMPLE = "example "
_OPEN = "*"
_NAMED = ": "
_BLANKS = pattern_of(r"(?<=['\"])(?:\s|\\[nt])+|(?:\s|\\[nt])+(?=['\"])")
_VALUE = pattern_of(r"'[^']*'|\"[^\"]*\"|(?<![\w.])-?\d[\w.]*|\b(?:true|false|null|None|True|False|nil)\b")
# What proptest draws from: values of a type or almost any text, and texts of some letters or numbers of a range.
_ANY_TEXT = pattern_of(r"\bany::?<|\bany\(\)|\\PC|\"\.[*+{]|\\w")
_SOME_TEXT = pattern_of(r"\"\[[^\]]+\]|\d\.\.=?\d|\bJust\(|\bselect\(")
_SUFFIX = pattern_of(r"(?<=\d)[mMfFdDlLuU]{1,2}$")
_NO_WORD = pattern_of(r"[\W_]+")
_MIN_ROW = 4
_TOLD = 100
_MAX_PAIRS = 10_000
_SMALL_VALUE = 1000.0
_SMALL_SIZE = 5.0


class Thinned(Record):
    """What a test is tried on less than before; `is_arguable` where a change of the production code explains it.

    `is_of_domain` where it only blocks when no production code changed, since that may now take less. `is_moved_by`
    are calls: a new test that makes one of them may hold what is gone. `lost` are the rows that are gone.
    """

    severity: str
    text: str
    is_arguable: bool = False
    is_of_domain: bool = False
    is_moved_by: frozenset[str] = frozenset()
    lost: tuple[str, ...] = ()


def thinned(old: CollectedTest | None, new: CollectedTest) -> Thinned | None:
    """The worst that was done to the rows and knobs of a test; `old` is None for one that is new."""
    before, after = dict(old.knobs) if old else {}, dict(new.knobs)
    if before == after and (old is None or old.rows == new.rows):
        return None
    found = [*_settings(before, after), *_strategies(before, after), *_discards(before, after, new)]
    if old is not None:
        found += _settled(before, after, new)
        found += [*_put_aside(old, new), *(_movable(one, old) for one in _rows(old.rows, new.rows))]
    order = (BLOCK, WARN, ADVICE)
    return min(found, key=lambda one: order.index(one.severity), default=None)


def _settings(before: dict[str, str], after: dict[str, str]) -> list[Thinned]:
    found = []
    old, new = _number(before.get("max_examples")), _number(after.get("max_examples"))
    was, now = _DEFAULT_EXAMPLES if old is None else old, _DEFAULT_EXAMPLES if new is None else new
    if now < was:
        severity = BLOCK if now < _FEW_EXAMPLES <= was else WARN
        found.append(Thinned(severity, f"is tried on {now} examples instead of {was}"))
    one, several = _number(before.get(_RAISING)), _number(after.get(_RAISING))
    if one == 1 and several is not None and several > 1:
        text = f"expects an error of {several} calls, any of which may raise it"
        found.append(Thinned(WARN, text, is_arguable=True))
    rounds, fewer = _number(before.get(_ROUNDS)), _number(after.get(_ROUNDS))
    if rounds is not None and fewer is not None and fewer * _FEW_EXAMPLES <= rounds:
        is_few = fewer < _FEW_EXAMPLES and rounds >= _DEFAULT_EXAMPLES
        found.append(
            Thinned(BLOCK if is_few else WARN, f"goes round {fewer} times instead of {rounds}", is_of_domain=True)
        )
    phases = after.get("phases", "")
    if phases and phases != before.get("phases") and "generate" not in phases and "Phase)" not in phases:
        found.append(Thinned(BLOCK, f"generates no examples any more: phases={phases}"))
    if "example.xfail" in after and "example.xfail" not in before:
        found.append(Thinned(WARN, f"expects an example to fail: {after['example.xfail']}"))
    return found


def _discards(before: dict[str, str], after: dict[str, str], new: CollectedTest) -> list[Thinned]:
    """Values that a property leaves out: by what the code under test says of them is beyond argument.

    A test of one value that became a property is tried on more than before, whatever it leaves out.
    """
    condition = after.get("assume", "")
    was_property = any(name.startswith(_GIVEN) for name in before)
    if not was_property or not condition or condition == before.get("assume"):
        return []
    asked = {name for one in new.assertions for name in _CALLED.findall(f"{one.subject} {one.expected}")} - _GENERAL
    is_clear = condition in _NEVER or not asked.isdisjoint(_CALLED.findall(condition))
    if _filters(after) < _filters(before):
        return []  # the strategy left it out before
    but_one = _BUT_ONE.fullmatch(condition.strip("()"))
    if but_one is not None and before.get(f"{_GIVEN} {but_one[1]}") != after.get(f"{_GIVEN} {but_one[1]}"):
        return []  # it is tried on other values, all but one of them
    is_of_empty = _THERE.fullmatch(condition) is not None
    is_of_region = _REGION.fullmatch(condition.strip("()")) is not None
    severity = BLOCK if (is_clear or is_of_region) and not is_of_empty else WARN
    text = f"leaves out what is not {condition}"
    return [Thinned(severity, text, is_arguable=is_of_empty, is_of_domain=is_of_region and not is_clear)]


def _filters(knobs: dict[str, str]) -> int:
    """How many filters the strategies of a property have."""
    return sum(len(_FILTERS.findall(value)) for name, value in knobs.items() if name.startswith(_GIVEN))


def _settled(before: dict[str, str], after: dict[str, str], new: CollectedTest) -> list[Thinned]:
    """A property that became a test of fixed values: of rows, which may be many, or of one."""
    if not any(name.startswith(_GIVEN) for name in before) or any(name.startswith(_GIVEN) for name in after):
        return []
    return [Thinned(WARN if new.rows else BLOCK, "is tried on fixed values instead of any")]


def _strategies(before: dict[str, str], after: dict[str, str]) -> list[Thinned]:
    found = []
    for name, new in after.items():
        old = before.get(name)
        if name.startswith(_GIVEN) and old is not None and old != new:
            found.append(narrowed(old, new))
    if before.get(_RULE) and not after.get(_RULE):
        is_clear = before[_RULE] == _INVARIANT
        found.append(Thinned(BLOCK if is_clear else WARN, "is no rule of its machine any more", is_of_domain=is_clear))
    asked = after.get(_PRECONDITION, "")
    if asked and asked != before.get(_PRECONDITION) and (_RULE in before or _PRECONDITION in before):
        is_clear = asked in _NEVER or before.get(_RULE) == _INVARIANT
        text = f"is a rule that is only tried when {asked}"
        found.append(
            Thinned(BLOCK, text, is_of_domain=asked not in _NEVER)
            if is_clear
            else Thinned(WARN, text, is_arguable=True)
        )
    return [one for one in found if one]


def narrowed(old: str, new: str) -> Thinned | None:
    """What a strategy gives less of than before; None where nothing shows it, and where it is one of several now."""
    if old in new and ("one_of(" in new or " | " in new):
        return None
    if _FIXED.search(new) and not _FIXED.search(old):
        return Thinned(BLOCK, f"is tried on one value only: {new}")
    chosen, known = _choices(new), _choices(old)
    if chosen is not None and known is None and chosen < _FEW_EXAMPLES and not _FEW.search(old):
        if _ONE_OF.match(new):
            return Thinned(BLOCK, f"is tried on {chosen} values only: {new}")
        if not _letters(old) or _letters(old) != _letters(new):
            return Thinned(WARN, f"is tried on values made of {chosen} only: {new}")
        chosen = None
    if _ANY_TEXT.search(old) and not _ANY_TEXT.search(new) and _SOME_TEXT.search(new):
        return Thinned(WARN, f"is tried on fewer values: {old} became {new}")
    gone = set(_letters(old)).difference(_letters(new)) if _letters(new) else set()
    if gone:
        return Thinned(WARN, f"is tried on texts without {''.join(sorted(gone))[:_FEW_EXAMPLES]}: {new}")
    is_fewer = chosen is not None and known is not None and chosen < known
    is_filtered = len(_FILTERS.findall(new)) > len(_FILTERS.findall(old))
    is_one_of_them = "one_of(" in old and "one_of(" not in new and new in old
    if is_fewer or is_filtered or is_one_of_them or _is_narrower(old, new):
        return Thinned(WARN, f"is tried on fewer values: {old} became {new}")
    if len(_MADE.findall(new)) > len(_MADE.findall(old)):
        return Thinned(WARN, f"is tried on other values: {old} became {new}")
    return None


def _letters(text: str) -> str:
    """The letters that texts are made of, sorted, however they are listed; empty where that is not known."""
    found = _ALPHABET.search(text)
    return "".join(sorted(set(_LETTER.sub("", found[1] or found[2])))) if found else ""


def _choices(text: str) -> int | None:
    """How many values a strategy chooses from, where they are listed."""
    start = next((mark for mark in ("sampled_from([", "sampled_from((") if mark in text), "")
    if not start or "…" in text:
        return None
    depth, count, has_item = 1, 0, False
    for sign in text.partition(start)[2]:
        depth += (sign in "([{") - (sign in ")]}")
        if depth == 0:
            return count + has_item
        has_item = has_item or not sign.isspace()
        if depth == 1 and sign == ",":
            count, has_item = count + 1, False
    return None


def _is_narrower(old: str, new: str) -> bool:
    known = Counter(_BOUND.findall(old))
    for name, value in (Counter(_BOUND.findall(new)) - known).elements():
        limit = _SMALL_SIZE if name == "max_size" else _SMALL_VALUE
        if name != "min_size" and abs(float(value)) < limit:
            return True
    return False


def _rows(old: tuple[str, ...], new: tuple[str, ...]) -> list[Thinned]:
    """Rows are compared for the same parameters; those whose parameters are gone come from somewhere else now."""
    before, after = _by_parameters(old), _by_parameters(new)
    found = []
    everywhere = [row for key, rows in after.items() if key != _EACH for row in rows]
    for names, rows in before.items():
        others = after.get(names, []) + (everywhere if names == _EACH else [])
        lost, gained = _reworded(_without(rows, others), Counter(others) - Counter(rows))
        is_open = any(row.startswith(_OPEN) for row in (*rows, *others))
        if not lost or is_open or not (others or names in (_EXAMPLE, _EACH)):
            continue
        found.append(_lost_rows(names, lost, gained))
    return [one for one in found if one]


def _put_aside(old: CollectedTest, new: CollectedTest) -> list[Thinned]:
    """Rows that stand in a comment now, or behind the end of what gives them."""
    known = {text for name, text in old.knobs if name == PUT_ASIDE}
    aside = [text for name, text in new.knobs if name == PUT_ASIDE and text not in known]
    lost = Counter(old.rows) - Counter(new.rows) if aside else Counter[str]()
    for row in lost:
        plain = _NO_WORD.sub("", row)
        if len(plain) >= _MIN_ROW and _VALUE.search(row) and any(text.startswith(plain[:_TOLD]) for text in aside):
            return [Thinned(BLOCK, f"has a row in a comment, or where nothing reaches it: {row}")]
    return []


def _movable(found: Thinned, old: CollectedTest) -> Thinned:
    """What is gone from the examples of a property may have become a test of its own."""
    if _EXAMPLES_GONE not in found.text:
        return found
    return found._replace(is_moved_by=frozenset(old.calls) - _GENERAL - _OF_PROPERTIES)


def are_tests_now(lost: tuple[str, ...], old: CollectedTest, fresh: tuple[CollectedTest, ...]) -> bool:
    """True where new tests assert of every row that is gone, by its values, what the test asserts of each."""
    if not lost or len(lost) > _FEW_EXAMPLES:
        return False
    calls = frozenset(old.calls) - _GENERAL
    relations = {one.relation for one in old.assertions}
    told = [
        frozenset(_values(f"{check.subject} {check.expected}"))
        for one in fresh
        if not calls.isdisjoint(one.calls)
        for check in one.assertions
        if check.relation in relations and not check.void and not check.condition
    ]
    return all((values := frozenset(_values(row))) and any(values <= one for one in told) for row in lost)


def _reworded(lost: Counter[str], gained: Counter[str]) -> tuple[Counter[str], Counter[str]]:
    """Both without rows that hold the same values in another notation: `[1, 2]` and `{ a: 1, b: 2 }`."""
    if not lost or not gained or len(lost) * len(gained) > _MAX_PAIRS:
        return lost, gained
    for row in tuple(lost):
        values = _values(row)
        same = next((one for one in gained if values and _values(one) == values), None)
        if same is not None:
            times = min(lost[row], gained[same])
            lost, gained = lost - Counter({row: times}), gained - Counter({same: times})
    return lost, gained


def _values(row: str) -> list[str]:
    """The values in a row: `"1.5"` in one notation is `1.5` in another, and so is `1.5m`."""
    return [_SUFFIX.sub("", one.strip("'\"")) for one in _VALUE.findall(row)]


def _without(rows: list[str], others: list[str]) -> Counter[str]:
    """The rows that others lack; of one that stood there twice, once is enough."""
    there = frozenset(others)
    return Counter(row for row in rows if row not in there)


def _lost_rows(names: str, lost: Counter[str], gained: Counter[str]) -> Thinned | None:
    anything = next((row for row in gained if _ANYTHING.search(row)), None)
    if anything is not None:
        return Thinned(BLOCK, f"has a row that takes whatever comes: {anything}")
    dropped = lost.total() - gained.total()
    first = next(iter(lost))
    if names in (_EXAMPLE, _EACH):
        what = "examples" if names == _EXAMPLE else "values in a loop"
        if dropped > 0:
            return Thinned(WARN, f"is tried on {dropped} fewer {what}, without {first}")
        told = next((row for row in lost if literals_of(row)), "")
        text = f"is tried on other {what}: {told} became {next(iter(gained))}"
        return Thinned(WARN, text, is_arguable=True) if told else None
    if dropped > 0:
        return Thinned(BLOCK, f"has {dropped} fewer rows, without {first}", is_arguable=True, lost=tuple(lost))
    harmless = next((row for row in lost if _is_harmless(row, gained)), "")
    if harmless:
        text = f"has a row that is harmless now: {harmless} became {_folded(harmless)}"
        return Thinned(BLOCK, text, is_of_domain=True)
    return Thinned(WARN, f"has other rows: {first} became {next(iter(gained))}", is_arguable=True)


def _is_harmless(row: str, gained: Counter[str]) -> bool:
    """True for a row of which only the signs beyond ASCII went, or the blanks at the ends of its texts."""
    return any(one in gained and one != row for one in (_folded(row), _BLANKS.sub("", row)))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def _by_parameters(rows: tuple[str, ...]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for row in rows:
        kind = next((kind for kind in (_EXAMPLE, _EACH) if row.startswith(kind)), "")
        names, separator, value = row.partition(_NAMED)
        key, shown = (kind, row.removeprefix(kind)) if kind else (names, value) if separator else ("", row)
        found.setdefault(key, []).append(shown)
    return found


def _number(text: str | None) -> int | None:
    return int(text) if text is not None and text.lstrip("-").isdigit() else None
