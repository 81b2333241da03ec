"""The pytest plugin of a pinned run: every test starts from the pins, whatever ran before it.

It is asked for by `-p` and found by held.py alone, so a run whose pins nobody holds cannot start.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from importlib import import_module

import pytest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator

_held: Any = import_module("_agentgate_held").held
_SAVED = (("random", "getstate", "setstate"), ("numpy.random", "get_state", "set_state"))


def begin(subject: str) -> None:
    """Back to the pinned time, and to the seed for `subject`: a test, a fixture or a file that is imported."""
    if _held.clock is not None:
        _held.clock.begin()
    _held.subject = subject
    _held.seed()


def hold() -> None:
    """What the process that runs the tests does itself, before anything of the project is imported."""
    if _held.clock is not None:
        _held.clock.renew()
    time.tzset()
    root = _held.pins.get("temp_root", "")
    if root:
        os.makedirs(root, 0o700, exist_ok=True)
        tempfile.tempdir = None
    begin("")


def unheld() -> Iterator[str]:
    """What is asked for and does not hold here."""
    pins = _held.pins
    if "clock_unix" in pins and not 0 <= time.time() - int(pins["clock_unix"]) < 60:
        yield "clock_unix"
    root = pins.get("temp_root", "")
    if root and os.path.realpath(tempfile.gettempdir()) != os.path.realpath(root):
        yield "temp_root"
    if "umask" in pins and _umask() != int(pins["umask"]):
        yield "umask"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.hookimpl(tryfirst=True)
def pytest_configure() -> None:
    """Refuse to run where a pin is not held."""
    missing = ", ".join(unheld())
    if missing:
        raise pytest.UsageError("agentgate: these pins are not held here: {}".format(missing))


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """What a file does when it is imported does not depend on the files before it."""
    if isinstance(collector, pytest.File):
        begin(collector.nodeid)
    yield


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test starts, or starts again."""
    begin(item.nodeid)


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_fixture_setup(fixturedef: Any) -> Iterator[None]:
    """What several tests share draws for itself; the test that comes first draws as if it were not there."""
    if fixturedef.scope == "function" or "rng_seed" not in _held.pins:
        yield
        return
    states = [(sys.modules[name], set_, getattr(sys.modules[name], get)()) for name, get, set_ in _loaded()]
    subject, _held.subject = _held.subject, "{}::{}".format(fixturedef.baseid, fixturedef.argname)
    _held.seed()
    yield
    _held.subject = subject
    known = {module.__name__ for module, _, _ in states}
    for module, set_, state in states:
        getattr(module, set_)(state)
    if any(name not in known for name, _, _ in _loaded()):
        _held.seed()


def _loaded() -> Iterator[Any]:
    return (row for row in _SAVED if hasattr(sys.modules.get(row[0]), row[1]))


try:
    hold()
except (OSError, ImportError) as error:
    raise pytest.UsageError("agentgate: {}".format(error)) from error
