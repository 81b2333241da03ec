"""Instants: RFC 3339 times as whole numbers, so that a policy can compare them without a clock or a calendar."""

from __future__ import annotations

_SECOND = 1_000_000_000
_PLACES = (slice(0, 4), slice(5, 7), slice(8, 10), slice(11, 13), slice(14, 16), slice(17, 19))
_MARKS = ("-", "-", "T", ":", ":")
_LONGEST_FRACTION = 9
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def instant_of(text: str) -> int | None:
    """Nanoseconds since 1970 in UTC of `2026-01-31T00:00:00.5+01:00`; None for any other text.

    A time without a zone is no instant. `T` may be a blank or small, `Z` small; there are no leap seconds.
    """
    clock, rest = text[:19], text[19:]
    marks = tuple(clock[at : at + 1] for at in (4, 7, 10, 13, 16))
    numbers = [_number(clock[place], place.stop - place.start) for place in _PLACES]
    if (*marks[:2], "T" if marks[2] in ("t", " ") else marks[2], *marks[3:]) != _MARKS or None in numbers:
        return None
    year, month, day, hour, minute, second = (number or 0 for number in numbers)
    fraction, zone = _fraction(rest)
    offset = _offset(zone)
    if fraction is None or offset is None or not _is_date(year, month, day) or hour > 23 or max(minute, second) > 59:
        return None
    seconds = ((_days_since_1970(year, month, day) * 24 + hour) * 60 + minute - offset) * 60 + second
    return seconds * _SECOND + fraction


def _number(text: str, width: int) -> int | None:
    """The number that exactly `width` ASCII digits stand for."""
    return int(text) if len(text) == width and text.isascii() and text.isdigit() else None


def _fraction(rest: str) -> tuple[int | None, str]:
    """Nanoseconds behind the point, and what follows; None for a point with no digits or too many."""
    if not rest.startswith("."):
        return 0, rest
    zone = rest[1:].lstrip("0123456789")
    digits = rest[1 : len(rest) - len(zone)]
    if not 0 < len(digits) <= _LONGEST_FRACTION:
        return None, zone
    return int(digits.ljust(_LONGEST_FRACTION, "0")), zone


def _offset(zone: str) -> int | None:
    """Minutes that a zone is ahead of UTC, None for no zone."""
    if zone in ("Z", "z"):
        return 0
    hours, minutes = _number(zone[1:3], 2), _number(zone[4:], 2)
    if zone[:1] not in ("+", "-") or zone[3:4] != ":" or hours is None or minutes is None:
        return None
    if hours > 23 or minutes > 59:
        return None
    return (hours * 60 + minutes) * (1 if zone[0] == "+" else -1)


def _is_date(year: int, month: int, day: int) -> bool:
    if year < 1 or not 1 <= month <= 12:
        return False
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _DAYS[month - 1] + (is_leap and month == 2)


def _days_since_1970(year: int, month: int, day: int) -> int:
    """In years that start in March, so that a leap day is the last of its year."""
    years = year - (month < 3)
    months = (month + 9) % 12
    return years * 365 + years // 4 - years // 100 + years // 400 + (153 * months + 2) // 5 + day - 719469
