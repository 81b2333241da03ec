"""Tests that newly carry a word by which the runs of the project leave tests out: a tag, a group, a category."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from agentgate_git.model.facts import FileFacts
from agentgate_git.model.inventory import AS_TAG, RUNS, SKIPPED, CollectedTest

TYPE_CHECKING = False
if TYPE_CHECKING:
    Side = tuple[FileFacts, ...]

_LEAD = f"{AS_TAG} "


def tags_gained(before: Iterable[FileFacts], after: Iterable[FileFacts]) -> tuple[str, ...]:
    """The words that tests of the head carry and that they did not carry at the base."""
    known = _tagged(before)
    gained = (tag for one in after for test in one.tests.tests for tag in _gained(one.path, test, known))
    return tuple(dict.fromkeys(gained))


def without_left_out(before: Side, after: Side, left_out: dict[str, str]) -> Side:
    """The head, with tests skipped that newly carry one of the words; `left_out` are the files that leave them out."""
    known = _tagged(before)
    return tuple(
        one._replace(
            tests=one.tests._replace(tests=tuple(_judged(one.path, test, known, left_out) for test in one.tests.tests))
        )
        if any(test.takes for test in one.tests.tests)
        else one
        for one in after
    )


@lru_cache(maxsize=64)
def leaves_out(tag: str) -> re.Pattern[bytes]:
    """What a file says that keeps tests with this word from running."""
    told = rb"\b" + re.escape(tag.encode()) + rb"\b"
    return re.compile(
        rb"(?i:exclude)[a-zA-Z_-]*\W{1,6}(?:[^\n]{0,120}?\W)?"
        + told
        + rb"|<exclude>\s*(?:<group>[^<]*</group>\s*)*<group>"
        + told
        + rb"|filter_run_excluding[^\n]{0,80}?"
        + told
        + rb"|--tag[ =]~"
        + told
        + rb"|~\["
        + told
        + rb"|(?:Category|Trait|Priority)\s*!=\s*"
        + told
        + rb"|(?:groups|tags)[^\n]{0,60}?!\s*['\"]?"
        + told
        + rb"|--exclude-(?:tag|group)s?[ =]"
        + told
    )


@lru_cache(maxsize=64)
def takes_in(tag: str) -> re.Pattern[bytes]:
    """What a file says that runs tests with this word, beside a run that leaves them out."""
    told = rb"\b" + re.escape(tag.encode()) + rb"\b"
    return re.compile(
        rb"(?:--only|--include|--tag|--group|(?i:include)[a-zA-Z_-]*|-Dgroups=|--filter|Category=)[^\w\n~!]{0,6}(?:[^\n~!]{0,60}?\W)?"
        + told
    )


def _tagged(side: Iterable[FileFacts]) -> dict[tuple[str, str], frozenset[str]]:
    """The words on each test that ran, by its path and name."""
    return {
        (one.path, test.name): frozenset(_tags(test)) for one in side for test in one.tests.tests if test.state == RUNS
    }


def _tags(test: CollectedTest) -> Iterator[str]:
    return (one.removeprefix(_LEAD) for one in test.takes if one.startswith(_LEAD))


def _gained(path: str, test: CollectedTest, known: dict[tuple[str, str], frozenset[str]]) -> Iterator[str]:
    old = known.get((path, test.name))
    return (tag for tag in _tags(test) if old is not None and tag not in old)


def _judged(
    path: str, test: CollectedTest, known: dict[tuple[str, str], frozenset[str]], left_out: dict[str, str]
) -> CollectedTest:
    tag = next((one for one in _gained(path, test, known) if one in left_out), "")
    if not tag or test.state != RUNS:
        return test
    return test._replace(state=SKIPPED, marker=f"tagged {tag}, which {left_out[tag]} leaves out")
