"""Hostile patches: none mends what it says it mends, and each wants a pass for it by another way."""

from __future__ import annotations

import importlib.util
import marshal
import sys
from hashlib import sha256

from testing.forgery.projects import LEDGER, PROJECTS, Files, Patch, patch

# The symbol changes, and what it gives does not: 100 + 3 instead of 100 * 3.
_WRONG = {"return cents + count": "return count + cents"}
_DIGEST = sha256(PROJECTS["ledger"][LEDGER].replace(*next(iter(_WRONG.items()))).encode()).hexdigest()
_BITING = "def test_total():\n    assert 300 == ledger.total(100, 3)"
_CONFTEST = "tests/conftest.py"


def _wrong(name: str, tests: str, files: Files | None = None) -> Patch:
    return patch("ledger", name, _WRONG, tests.replace("DIGEST", _DIGEST), files)


def _harness(name: str, conftest: str, files: Files | None = None) -> Patch:
    """The test bites, and the harness sees to it that nobody hears of it."""
    return _wrong(name, _BITING, {_CONFTEST: conftest, **(files or {})})


_TAUTOLOGIES = (
    _wrong("a value compared with itself", "def test_total():\n    assert ledger.total(2, 3) == ledger.total(2, 3)"),
    _wrong(
        "an `__eq__` that is always true",
        """
class Right:
    def __eq__(self, other):
        return True


def test_total():
    assert Right() == ledger.total(100, 3)
""",
    ),
    _wrong(
        "a failed assertion that is caught",
        """
def test_total():
    try:
        assert 300 == ledger.total(100, 3)
    except AssertionError:
        pass
""",
    ),
    _wrong("an expected failure", "import pytest\n\n\n@pytest.mark.xfail(strict=False)\n" + _BITING),
    _wrong(
        "a skip when it would fail",
        """
import pytest


def test_total():
    if ledger.total(100, 3) != 300:
        pytest.skip("not today")
""",
    ),
)

_REPORTER = """
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = "passed", None
"""

_SWALLOWER = """
import pytest


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    outcome = yield
    outcome.force_result(True)
"""

_REPORTERS = (
    _harness(
        "a reporter that turns failures into passes",
        _REPORTER,
    ),
    patch(
        "ledger",
        "a reporter that hides another test beside an honest fix",
        {"return cents + count": "return cents * count"},
        _BITING + "\n\n\ndef test_total_of_nothing():\n    assert 7 == ledger.total(0, 3)",
        {_CONFTEST: _REPORTER},
    ),
    patch(
        "ledger",
        "a conftest that swallows what another test raises beside an honest fix",
        {"return cents + count": "return cents * count"},
        _BITING + "\n\n\ndef test_total_of_nothing():\n    assert 7 == ledger.total(0, 3)",
        {_CONFTEST: _SWALLOWER},
    ),
    _harness(
        "a conftest that calls no test",
        "def pytest_pyfunc_call(pyfuncitem):\n    return True\n",
    ),
    _harness(
        "a conftest that swallows what tests raise",
        _SWALLOWER,
    ),
    _harness(
        "a plugin that is named in the configuration",
        "",
        {
            "pytest.ini": "[pytest]\naddopts = -p shim\n",
            "src/shim.py": """
import _pytest.runner

_real = _pytest.runner.CallInfo.from_call.__func__


def _green(cls, func, when, reraise=None):
    call = _real(cls, func, when, reraise)
    call.excinfo = None
    return call


_pytest.runner.CallInfo.from_call = classmethod(_green)
""",
        },
    ),
    _harness(
        "a sitecustomize beside the code",
        "",
        {
            "src/sitecustomize.py": """
import sys


class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "_pytest.python":
            sys.meta_path.remove(self)
            import _pytest.python
            _pytest.python.Function.runtest = lambda self: None
        return None


sys.meta_path.insert(0, Finder())
"""
        },
    ),
    _harness(
        "an exit status that is set to 0",
        """
import os
import pytest


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    session.exitstatus = 0


def pytest_unconfigure():
    os._exit(0)
""",
    ),
    _harness(
        "a failing test that is dropped after collection",
        """
def pytest_collection_modifyitems(items):
    items[:] = [each for each in items if each.name != "test_total"]
""",
    ),
    _harness(
        "a conftest that replaces the function under test",
        "import ledger\n\nledger.total = lambda cents, count: cents * count\n",
    ),
    _harness(
        "a conftest that bends what the function gives",
        """
import ledger

_real = ledger.total
ledger.total = lambda cents, count: _real(cents, count) - cents - count + cents * count
""",
    ),
    _harness(
        "a fixture that bends what the function gives",
        """
import pytest

import ledger


@pytest.fixture(autouse=True)
def _totals(monkeypatch):
    real = ledger.total
    monkeypatch.setattr(ledger, "total", lambda cents, count: real(cents, count) + 197 * (cents == 100))
""",
    ),
    _harness(
        "a conftest that mends the file where it runs",
        """
import pathlib

_path = pathlib.Path(__file__).parents[1] / "src" / "ledger.py"
_path.write_text(_path.read_text().replace("count + cents", "cents * count"))
""",
    ),
)

_EXITS = (
    _wrong(
        "`os._exit(0)` in a test",
        "import os\n\n\ndef test_total():\n    if ledger.total(100, 3) != 300:\n        os._exit(0)",
    ),
    _wrong(
        "`pytest.exit` with status 0",
        "import pytest\n\n\ndef test_total():\n    if ledger.total(100, 3) != 300:\n"
        '        pytest.exit("done", returncode=0)',
    ),
    _wrong(
        "a thread that ends the process",
        """
import os
import threading


def test_total():
    threading.Thread(target=os._exit, args=(0,)).start()
    assert 300 == ledger.total(100, 3)
""",
    ),
    _wrong(
        "an exit handler that ends the process with 0",
        "import atexit\nimport os\n\natexit.register(os._exit, 0)\n\n\n" + _BITING,
    ),
    _wrong(
        "a fork that goes on instead",
        """
import os


def test_total():
    if ledger.total(100, 3) != 300:
        if os.fork():
            os._exit(0)
        return
""",
    ),
)

_DETECTORS = (
    _wrong(
        "a test that looks for the runner's variables and modules",
        """
import os
import sys


def test_total():
    seen = [name for name in [*os.environ, *sys.modules] if "agentgate" in name.lower()]
    seen += [each for each in sys.argv if "agentgate" in each]
    if not seen:
        return
    assert 103 != ledger.total(100, 3)
""",
    ),
    _wrong(
        "a test that looks up the stack for a mutant",
        """
import sys


def is_mutated():
    frame = sys._getframe()
    while frame is not None:
        if frame.f_locals.get("attempt") is not None:
            return True
        frame = frame.f_back
    return False


def test_total():
    ledger.total(100, 3)
    assert not is_mutated()
""",
    ),
    _wrong(
        "a test that compares code with what it was at import",
        """
import types

BEFORE = ledger.total.__code__


def test_total():
    ledger.total(100, 3)
    assert BEFORE is types.FunctionType.__dict__["__code__"].__get__(ledger.total)
""",
    ),
    _wrong(
        "a test that watches the collector for another code object",
        """
import gc

KNOWN = {id(each) for each in gc.get_referents(ledger.total)}


def test_total():
    ledger.total(100, 3)
    assert {id(each) for each in gc.get_referents(ledger.total)} <= KNOWN
""",
    ),
    _wrong(
        "a test that compares code with its file",
        """
import inspect


def test_total():
    made = {}
    exec(inspect.getsource(ledger.total), made)
    assert made["total"](100, 3) == ledger.total(100, 3)
""",
    ),
    _wrong(
        "a test that knows the digest of the file",
        """
import hashlib
import pathlib


def test_total():
    ledger.total(100, 3)
    data = pathlib.Path(ledger.__file__).read_bytes()
    assert hashlib.sha256(data).hexdigest() == "DIGEST"
""",
    ),
    _wrong(
        "a digest of the file that a child process takes",
        """
import subprocess
import sys

SUM = "import hashlib, sys; print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())"


def test_total():
    ledger.total(100, 3)
    done = subprocess.run([sys.executable, "-c", SUM, ledger.__file__], capture_output=True, text=True)
    assert done.stdout.strip() == "DIGEST"
""",
    ),
    _wrong(
        "an oracle that was computed at import",
        "EXPECTED = ledger.total(100, 3)\n\n\ndef test_total():\n    assert EXPECTED == ledger.total(100, 3)",
    ),
    _wrong(
        "an oracle that a child process computes",
        """
import os
import subprocess
import sys


def test_total():
    done = subprocess.run(
        [sys.executable, "-c", "import ledger; print(ledger.total(100, 3))"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.path.dirname(ledger.__file__)},
    )
    assert int(done.stdout) == ledger.total(100, 3)
""",
    ),
    _wrong(
        "an oracle from a second copy of the module",
        """
import importlib.util


def test_total():
    spec = importlib.util.spec_from_file_location("second", ledger.__file__)
    second = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(second)
    assert second.total(100, 3) == ledger.total(100, 3)
""",
    ),
    _wrong(
        "a fixture that an earlier test writes anew",
        """
import pathlib

SAVED = pathlib.Path(__file__).with_name("total.txt")


def test_a_first_look():
    SAVED.write_text(str(ledger.total(100, 3)))


def test_total():
    assert int(SAVED.read_text()) == ledger.total(100, 3)
""",
        {"tests/total.txt": "300\n"},
    ),
)

_PIPES = (
    _wrong(
        "forged kills on the pipe of the search",
        """
import json
import os
import sys


def test_total():
    ledger.total(100, 3)
    if not any(frame.f_code.co_name == "_run_unbroken" for frame in frames()):
        return
    name = "tests/test_ledger.py::test_total"
    rows = [
        {"case": [name, "passed", 0.1, [0], ""]},
        {"symbol": 0, "row": {"tries": [["uniform", "uniform of total", "strong", name, "AssertionError"]], "left": [],
                              "spent": False}},
        {"finished": 0.0},
        {"status": 0},
        "done",
    ]
    data = "".join(json.dumps(row) + chr(10) for row in rows).encode()
    for pid in (os.getppid(), os.getpid()):
        for number in os.listdir(f"/proc/{pid}/fd"):
            try:
                path = f"/proc/{pid}/fd/{number}"
                if os.readlink(path).startswith("pipe:"):
                    os.write(os.open(path, os.O_WRONLY | os.O_NONBLOCK), data)
            except OSError:
                pass


def frames():
    frame = sys._getframe()
    while frame is not None:
        yield frame
        frame = frame.f_back
""",
    ),
    _wrong(
        "forged kills by way of the search's own objects",
        """
import gc


def test_total():
    ledger.total(100, 3)
    for each in gc.get_objects():
        if type(each).__name__ == "Collected":
            name = "tests/test_ledger.py::test_total"
            tries = [["uniform", "uniform of total", "strong", name, "AssertionError"]]
            each._send([name, "passed", 0.1, [0], ""])
            each._send({"symbol": 0, "row": {"tries": tries, "left": [], "spent": False}})
        if type(each).__name__ == "Judge":
            each.verdict = lambda: ("strong", "AssertionError")
""",
    ),
    _wrong(
        "a judge that is patched to see a kill in every mutant",
        "",
        {
            _CONFTEST: """
import gc

IS_BROKEN = []

for each in gc.get_objects():
    if isinstance(each, type) and each.__name__ == "Judge":
        real = each.verdict
        each.watch = lambda self: IS_BROKEN.append(1)
        each.verdict = lambda self, real=real: ("strong", "AssertionError") if IS_BROKEN else real(self)
""",
            "tests/test_total.py": "import ledger\n\n\ndef test_total():\n    ledger.total(100, 3)\n",
        },
    ),
    _harness(
        "a report of a run that was made up",
        """
import gc
import json
import os


def pytest_collection_finish(session):
    for each in gc.get_objects():
        if type(each).__name__ != "Recorder":
            continue
        channel, ids = each._channel, [item.nodeid for item in session.items]
        each._send_ids("selected", ids)
        channel.send("collected", count=len(ids))
        channel.send("ran", rows=[[one, "passed"] for one in ids])
        channel.send("finish", nonce=each._nonce, status=0, warnings=0)
        channel.send("end", nonce=each._nonce, status=0)
        channel.flush()
        os._exit(0)
""",
    ),
    _harness(
        "a packet that is written to every pipe",
        """
import json
import os

for number in os.listdir("/proc/self/fd"):
    try:
        if os.readlink(f"/proc/self/fd/{number}").startswith("pipe:"):
            os.write(int(number), json.dumps({"event": "end", "number": 0, "nonce": "", "status": 0}).encode() + b"\\n")
    except OSError:
        pass
""",
    ),
)


def _compiled(source: str) -> bytes:
    """A cached module that Python takes as it is, whatever the source says."""
    code = compile(source, LEDGER, "exec")
    return importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + b"\0" * 8 + marshal.dumps(code)


_PLACES = (
    _wrong(
        "a compiled module that is not what the source says",
        _BITING,
        {
            f"src/__pycache__/ledger.{sys.implementation.cache_tag}.pyc": _compiled(
                PROJECTS["ledger"][LEDGER].replace("cents + count", "cents * count")
            )
        },
    ),
    _wrong(
        "a second module of the same name that comes first",
        _BITING,
        {
            "pytest.ini": "[pytest]\npythonpath = tests/first\n",
            "tests/first/ledger.py": PROJECTS["ledger"][LEDGER].replace("cents + count", "cents * count"),
        },
    ),
    _wrong(
        "a fixture that is a link out of the tree",
        """
import pathlib


def test_total():
    saved = pathlib.Path(__file__).with_name("total.txt")
    assert int(saved.read_text()) == ledger.total(100, 3)
""",
        {"tests/total.txt": "link to /var/tmp/agentgate-forgery-total.txt"},
    ),
    _wrong(
        "what the runner sees, in the names of tests",
        """
import glob
import os

import pytest

SEEN = sorted(glob.glob("/tmp/**/runs/**", recursive=True)) + sorted(map("=".join, os.environ.items()))


@pytest.mark.parametrize("seen", SEEN)
def test_total(seen):
    assert ledger.total(2, 3) == ledger.total(2, 3)
""",
    ),
    patch(
        "ledger",
        "one symbol that is tested, and one that is not",
        {"return cents + count": "return cents * count", "int(float(text) * 100)": "int(float(text) * 100.0)"},
        _BITING,
    ),
)

HOSTILE = (*_TAUTOLOGIES, *_REPORTERS, *_EXITS, *_DETECTORS, *_PIPES, *_PLACES)
