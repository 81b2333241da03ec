"""Times as numbers: agreement with datetime, and texts that are no instant."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentgate_git.model.instant import instant_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ZONES = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))
DAYS = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29))


@given(DAYS, ZONES)
def test_every_instant_is_that_of_datetime(day: datetime, zone: timezone) -> None:
    at = day.replace(tzinfo=zone)
    assert (at - EPOCH) // timedelta(microseconds=1) * 1000 == instant_of(at.isoformat())


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("2026-10-12T12:00:00Z", "2026-10-12T12:00:00+00:00"),
        ("2026-10-12t12:00:00z", "2026-10-12T14:00:00+02:00"),
        ("2026-10-12 12:00:00-00:00", "2026-10-12T12:00:00.000+00:00"),
        ("2024-02-29T23:30:00-01:00", "2024-03-01T00:30:00Z"),
    ],
)
def test_one_instant_has_many_texts(text: str, same: str) -> None:
    assert instant_of(text) == instant_of(same) is not None


def test_a_nanosecond_is_seen() -> None:
    assert 1 == instant_of("1970-01-01T00:00:00.000000001Z")


@pytest.mark.parametrize(
    "text",
    [
        *("", "now", "2026-10-19", "2026-10-19T00:00:00", "2026-10-19T00:00Z", "20261019T000000Z"),
        *("2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z"),
        *("2026-04-31T00:00:00Z", "2026-04-00T00:00:00Z", "0000-01-01T00:00:00Z", "2026-10-19T24:00:00Z"),
        *("2026-10-19T00:60:00Z", "2026-10-19T00:00:60Z", "2026-10-19T00:00:00+24:00", "2026-10-19T00:00:00+00:60"),
        *("2026-10-19T00:00:00+0000", "2026-10-19T00:00:00+00", "2026-10-19T00:00:00 UTC", "2026-10-19T00:00:00Z "),
        *(
            " 2026-10-19T00:00:00Z",
            "2026-10-19T00:00:00.Z",
            "2026-10-19T00:00:00.0000000001Z",
            "2026-10-19T00:00:00,5Z",
        ),
        *("２０２６-10-19T00:00:00Z", "+026-10-19T00:00:00Z", "2026-10-19T00:00:00.٣Z", "2026-10-19T00:00:00Z\n"),
    ],
)
def test_what_is_no_instant(text: str) -> None:
    assert instant_of(text) is None


@given(st.text(max_size=40))
def test_no_text_breaks_it(text: str) -> None:
    assert instant_of(text) is None or len(text) >= 20
