"""What another value in place of the one that was expected says by itself: a wider bound, a crash, a computed one."""

from __future__ import annotations

from collections.abc import Callable

from agentgate_git.model.inventory import EXACT, QUERIES, Assertion
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.assertion_order import EMPTY, is_alike, is_same_value, literals_of, types_added
from agentgate_git.policy.weakening.assertion_pool import FROM_OTHER_FILE, Loss
from agentgate_git.policy.weakening.test_matching import Pair

_WIDE = 10.0
_SLOW = 20.0
# A test that asserts more than that is not asked what all of it has to do with one value.
_MOST = 60
# A value may miss what is expected by this part of it: hardly any does not.
_MOST_OF_IT = 0.75
_FEW_SIGNS = 2
_PARTS: dict[str, Callable[[str, str], bool]] = {
    "startswith": str.startswith,
    "endswith": str.endswith,
    "contains": lambda text, part: part in text,
}
_NUMBER = pattern_of(r"\d+(?:\.\d+)?(?:e-?\d+)?")
# What a defect raises by itself, and no code raises on purpose; and what it raises elsewhere.
_CRASHES = frozenset(
    (
        *("AttributeError", "NameError", "UnboundLocalError", "ZeroDivisionError", "RecursionError", "AssertionError"),
        *("SystemError", "MemoryError", "StopIteration"),
    )
)
_MISUSES = frozenset(("TypeError", "KeyError", "IndexError", "LookupError", "UnicodeDecodeError", "ValueError"))
# A function that is called by the modules it stands in: the name of the first of them.
_DOTTED_CALL = pattern_of(r"(?<![\w.])([a-z_]\w*)\.(?:\w+\.)*[a-z_]\w*\(")
_ORDERS = pattern_of(r"\.(?:order_by|sort_values|sort_index|sort_by|orderBy)\(|(?i:\border by\b)")
# A function with the modules it stands in, and the last name of whatever is called.
_CALLS = pattern_of(r"(?<![\w.])((?:[a-z_]\w*\.)+)([a-z_]\w*)\(")
_CALL = pattern_of(r"(?<!\w)([^\W\d]\w*)\(")
_OF_TESTS = pattern_of(r"_*(?:tests?|testing|helpers?|conftest|utils?|factor|fixtures?|expect|make|mock|fake|faker)")
# What makes values and is not what a project tests.
_OF_OTHERS = frozenset(
    (
        *(
            "base64",
            "calendar",
            "collections",
            "copy",
            "csv",
            "datetime",
            "decimal",
            "fractions",
            "functools",
            "hashlib",
        ),
        *("html", "io", "ipaddress", "itertools", "json", "locale", "math", "operator", "os", "pathlib", "pickle"),
        *("platform", "random", "re", "socket", "statistics", "string", "struct", "sys", "tempfile", "textwrap"),
        *("time", "types", "urllib", "uuid", "zlib", "zoneinfo", "builtins", "unittest", "inspect", "ast", "email"),
        *("self", "cls", "pytest", "hypothesis", "np", "pd", "sa", "tmp_path", "tmpdir"),
        *("numpy", "pandas", "polars", "scipy", "torch", "tensorflow", "jax", "xarray", "pyarrow", "astropy", "sympy"),
        *(
            "django",
            "flask",
            "werkzeug",
            "fastapi",
            "starlette",
            "rest_framework",
            "sqlalchemy",
            "jinja2",
            "markupsafe",
        ),
        *("yaml", "dateutil", "pytz", "arrow", "pendulum", "six", "attr", "attrs", "pydantic", "packaging", "orjson"),
        *(
            "requests",
            "httpx",
            "aiohttp",
            "boto3",
            "botocore",
            "google",
            "babel",
            "freezegun",
            "dirty_equals",
            "syrupy",
        ),
    )
)


def is_crash(loss: Loss) -> bool:
    """True for an error that a defect raises by itself, where one was expected that the code raises on purpose."""
    if loss.new is None or loss.old.relation != "raises" or loss.new.relation != "raises":
        return False
    old, new = (one.expected.removeprefix("builtins.") for one in (loss.old, loss.new))
    if old == new or old in _CRASHES:
        return False
    return new in _CRASHES or (new in _MISUSES and old not in _MISUSES and "." in loss.old.expected)


def is_crash_let_in(loss: Loss) -> bool:
    """True for an error that a defect raises by itself and that is taken now beside the one that was expected."""
    added = types_added(loss.old, loss.new) if loss.new is not None else frozenset[str]()
    others = (loss._replace(new=loss.new._replace(expected=one)) for one in added if loss.new is not None)
    return any(is_crash(one) for one in others)


def is_computed(loss: Loss) -> bool:
    """True for a value that stood there, where what a function of the project computes is expected now."""
    if loss.new is None or not (loss.old.relation.endswith("==") and loss.new.relation == loss.old.relation):
        return False
    called = _DOTTED_CALL.findall(loss.new.expected)
    is_value = bool(literals_of(loss.old.expected)) and "(" not in loss.old.expected
    return is_value and any(top not in _OF_OTHERS and not _OF_TESTS.match(top) for top in called)


def is_put_in_order(loss: Loss) -> bool:
    """True for a list of which the test asks the database, or a frame, for its order now, and did not before."""
    if loss.new is None or loss.new.expected != loss.old.expected or loss.old.expected[:1] not in ("[", "("):
        return False
    return _ORDERS.search(loss.new.text) is not None and _ORDERS.search(loss.old.text) is None


def is_of_private(old: Assertion, new: Assertion) -> bool:
    """True for a function of a module whose value was told, where one is asked now that the module keeps for itself."""
    was, now = ({(top, name) for top, name in _CALLS.findall(one.subject)} for one in (old, new))
    public = {(top, name) for top, name in was - now if not name.startswith("_")}
    hidden = {(top, name) for top, name in now - was if name[:1] == "_" and (top, name[1:]) not in was}
    return any(top in {one for one, _ in public} and name[:2] != "__" for top, name in hidden)


def is_unrelated(loss: Loss, pair: Pair) -> bool:
    """True for a value that was told of a call, where nothing that the test asserts now has to do with that call.

    What stands in its place is about another call, or about none; or it is what is empty of the same, like its errors.
    """
    if loss.new is None or pair.new is None or loss.old.strength != EXACT or not literals_of(loss.old.expected):
        return False
    asked = frozenset(_CALL.findall(loss.old.subject))
    live = [one for one in pair.new.test.assertions if not one.void]
    if len(live) > _MOST or any(one.relation.startswith(FROM_OTHER_FILE) for one in live):
        return False
    if not asked or is_alike(loss.old, loss.new) or any(is_same_value(loss.old, one) for one in live):
        return False
    told = frozenset(_CALL.findall(loss.old.text))
    if not any(told.intersection(_CALL.findall(one.text)) for one in live):
        return True
    known = {one.text for one in pair.old.test.assertions}
    fresh = [one for one in live if one.text not in known]
    return bool(fresh) and all(one.expected in EMPTY for one in fresh)


def is_slower(loss: Loss) -> bool:
    """True for a limit of time that is many times as long now: slow machines have a few."""
    if loss.new is None or loss.old.relation not in ("<", "<=") or loss.new.relation not in ("<", "<="):
        return False
    is_of_time = "time" in loss.old.subject or "elapsed" in loss.old.subject or "perf_counter" in loss.old.subject
    numbers = [_NUMBER.fullmatch(one.expected) for one in (loss.old, loss.new)]
    if not is_of_time or numbers[0] is None or numbers[1] is None:
        return False
    return float(numbers[1][0]) >= _SLOW * float(numbers[0][0]) > 0


def is_bound_moved(loss: Loss) -> bool:
    """True for the same bound of the same value that lets ten times as much pass, as `< 5` for `< 0.1`.

    Of queries of a data base it is twice as much.
    """
    if loss.new is None or loss.old.subject != loss.new.subject or loss.old.relation != loss.new.relation:
        return False
    try:
        old, new = float(loss.old.expected), float(loss.new.expected)
    except ValueError:
        return False
    if loss.old.relation == QUERIES:
        return new >= 2 * old and new > old + 1
    if loss.old.relation in ("<", "<="):
        return old > 0 and new >= _WIDE * old
    return loss.old.relation in (">", ">=") and old > 0 and new <= old / _WIDE


def is_shorter(loss: Loss) -> bool:
    """True for a part of the text that the same value was asked to begin or end with, or to hold."""
    old, new = loss.old, loss.new
    if new is None or old.subject != new.subject or old.relation != new.relation or old.relation not in _PARTS:
        return False
    was, now = (one.expected.strip("'\"") for one in (old, new))
    return old.expected[:1] in "'\"" and len(now) < len(was) and _PARTS[old.relation](was, now)


def is_little_left(loss: Loss) -> bool:
    """True for a text of which hardly a sign, or a word alone that is less than a fourth, is asked for still."""
    was, now = (one.expected.strip("'\"") for one in (loss.old, loss.new) if one is not None)
    return len(now) <= _FEW_SIGNS or (len(now) * 4 <= len(was) and " " not in now.strip())


def is_wide(loss: Loss) -> bool:
    """True for a tolerance that is ten times as wide, or as most of what is expected."""
    if loss.new is None or not loss.old.tolerance or not loss.new.tolerance:
        return False
    old, new = float(loss.old.tolerance), float(loss.new.tolerance)
    whole = _NUMBER.fullmatch(loss.new.expected)
    is_most = whole is not None and new >= _MOST_OF_IT * float(whole[0]) > 0 and new >= 2 * old
    return new >= _WIDE * old or is_most
