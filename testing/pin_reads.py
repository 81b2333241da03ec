"""What pins hold, measured: `python -m testing.pin_reads write` puts the table into docs/what-it-does-not-prove.md.

A little project reads whatever differs from run to run, in its test process and in several kinds of children. It runs
twice under the same pins, in two directories, and once under others: what is equal in the first two and differs in the
third follows its pin.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from agentgate_git.model.record import Record
from agentgate_git.runner.pins import pinned, pins_of
from agentgate_git.runner.run_tests import run_tests
from agentgate_git.wire.manifest import load_manifest
from testing import suites

PAGE = Path(__file__).resolve().parents[1] / "docs" / "what-it-does-not-prove.md"
BEGIN = "<!-- The table is made by `python -m testing.pin_reads write`. -->"
END = "<!-- End of the table. -->"

HELD = "pinned"
REFUSED = "refused"
FREE = "no"
# How long a run may take for its clock still to be that of the pin, in seconds.
_LONG = 300

PLACES = {
    "test": "test process",
    "child": "child Python",
    "isolated": "`python -I`",
    "bare": "`env={}`",
    "program": "other program",
}
_PINS = """\
version: 1
property_id: reads
pins:
  clock_unix: {clock}
  rng_seed: {seed}
  tz: {tz}
  lang: {lang}
  umask: "{umask}"
  temp_root: {root}
"""
_READS = '''
"""Reads of what differs from run to run: by name, each as text; times are seconds since 1970."""

import datetime, json, locale, os, random, secrets, sys, tempfile, time, uuid
import _socket, socket, sqlite3
from datetime import datetime as early_datetime
from time import time as early_time

numpy = None
if "AGENTGATE_PINS" in os.environ and not sys.flags.isolated:  # it takes long to load, and holds nowhere else
    import numpy

def of_uuid1():
    return (uuid.uuid1().time - 0x01B21DD213814000) // 10000000

def of_mtime():
    handle, path = tempfile.mkstemp()
    os.close(handle)
    try:
        return int(os.stat(path).st_mtime)
    finally:
        os.unlink(path)

def refusal(connect):
    try:
        connect()
    except OSError as error:
        return "refused" if "agentgate" in str(error) else "tried"
    return "tried"

def of_socket(kind):
    with kind() as one:
        one.setblocking(False)
        return refusal(lambda: one.connect(("192.0.2.1", 9)))

class Raw(_socket.socket):
    def __enter__(self):
        return self
    def __exit__(self, *error):
        self.close()

def of_sqlite():
    with sqlite3.connect(":memory:") as connection:
        return int(connection.execute("select strftime('%s', 'now')").fetchone()[0])

def of_umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask

def together(*times):
    """One of several times that should be the same second or two; 0 where they are not."""
    return int(min(times)) if max(times) - min(times) < 2 else 0

def of_time():
    real = time.clock_gettime(time.CLOCK_REALTIME)
    return together(early_time(), time.time(), time.time_ns() / 1e9, real, time.mktime(time.localtime()))

def of_datetime():
    utc = datetime.datetime.utcnow().replace(tzinfo=datetime.timezone.utc)
    aware = datetime.datetime.now(datetime.timezone.utc)
    now = early_datetime.now()
    return together(now.timestamp(), utc.timestamp(), aware.timestamp()) if now.date() == datetime.date.today() else 0

CLOCK = {
    "`time.time`, `time_ns`, `localtime`, `clock_gettime`": of_time,
    "`datetime.now`, `utcnow`, `date.today`": of_datetime,
    "the time in `uuid1`": of_uuid1,
    "`monotonic`, `perf_counter`": lambda: int(time.monotonic()),
    "the clock of C code: `now` of SQLite": of_sqlite,
    "the clock of C code: `datetime64('now')` of numpy": lambda: int(numpy.datetime64("now").astype(int)),
    "times of files": of_mtime,
}
VALUES = {
    "`random.random` and the like": random.random,
    "the functions of `numpy.random`": lambda: float(numpy.random.rand()),
    "`random.Random()`": lambda: random.Random().random(),
    "`numpy.random.default_rng()`": lambda: float(numpy.random.default_rng().random()),
    "`os.urandom`, `secrets`, `SystemRandom`": lambda: secrets.token_hex(8),
    "`uuid4`": lambda: str(uuid.uuid4()),
    "`hash` of text, order of sets": lambda: [hash("text"), list({"a", "b", "c", "d"})],
    "`id`, process ids": lambda: [id(object()), os.getpid()],
    "local time, `tzname`": lambda: [time.tzname, time.localtime(0)[:6]],
    "`locale`": lambda: locale.setlocale(locale.LC_ALL, ""),
    "`umask`": of_umask,
    "`gettempdir`": tempfile.gettempdir,
    "names that `tempfile` makes": lambda: os.path.basename(tempfile.mktemp()),
    "the current directory": os.getcwd,
    "host name, home directory, number of processors": lambda: [socket.gethostname(), os.path.expanduser("~")],
}
NETWORK = {
    "`socket`": lambda: of_socket(socket.socket),
    "`_socket`": lambda: of_socket(Raw),
}

def resolve():
    return refusal(lambda: socket.getaddrinfo("name.invalid", 80))

def reads():
    found = {
        kind: {name: read() for name, read in rows.items() if numpy or "numpy" not in name}
        for kind, rows in (("clock", CLOCK), ("values", VALUES), ("network", NETWORK))
    }
    found["values"] = {name: json.dumps(value) for name, value in found["values"].items()}
    if "AGENTGATE_PINS" in os.environ and not sys.flags.isolated:
        found["network"]["names (`getaddrinfo`)"] = resolve()
    return found

if __name__ == "__main__":
    print(json.dumps(reads()))
'''
_TEST = """
import json, os, random, socket, subprocess, sys, threading

import reads

HERE = os.path.dirname(os.path.abspath(__file__))
FOUND = {}

def of(*argv, **options):
    return subprocess.run(argv, stdout=subprocess.PIPE, check=True, **options).stdout.decode().strip()

def python(*options, **more):
    return json.loads(of(sys.executable, *options, os.path.join(HERE, "reads.py"), **more))

def test_here():
    FOUND["test"] = reads.reads()

def test_child():
    FOUND["child"] = python()

def test_isolated():
    FOUND["isolated"] = python("-I")

def test_bare():
    FOUND["bare"] = python(env={})

def test_program():
    FOUND["program"] = {
        "clock": {
            "`time.time`, `time_ns`, `localtime`, `clock_gettime`": int(of("date", "+%s")),
            "times of files": reads.of_mtime(),
        },
        "values": {
            "local time, `tzname`": of("date", "-d", "@0", "+%H %Z"),
            "`locale`": of("sh", "-c", "echo $LC_ALL"),
            "`umask`": of("sh", "-c", "umask"),
            "`gettempdir`": of("sh", "-c", "dirname $(mktemp -u)"),
            "names that `tempfile` makes": of("sh", "-c", "basename $(mktemp -u)"),
        },
        "network": {},
    }

def test_loopback():
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        server.accept()[0].close()

def test_waits():
    start = reads.early_time()
    assert not threading.Event().wait(0.01)
    reads.time.sleep(0.01)
    assert reads.early_time() - start >= 0.02
    assert subprocess.run([sys.executable, "-c", ""], timeout=60).returncode == 0

def test_a_child_is_on_our_time_line():
    before = reads.early_time()
    there = float(of(sys.executable, "-c", "import time; print(time.time())"))
    assert before < there < reads.early_time()

def test_the_end():
    with open(os.path.join(HERE, "found.json"), "w") as file:
        json.dump(FOUND, file)
"""


class Way(Record):
    """One set of pins."""

    clock: int
    seed: int
    tz: str
    lang: str
    umask: str


FIRST = Way(1768003200, 9173, "Asia/Tokyo", "C.UTF-8", "0027")
OTHER = Way(1500000000, 1, "America/New_York", "C", "0077")


def run(directory: Path, way: Way, root: Path) -> dict[str, Any]:
    """What one run of the project read: by place, then by kind and name."""
    directory.mkdir(parents=True)
    suites.write(directory, {"reads.py": _READS, "test_reads.py": _TEST})
    text = _PINS.format(**way._asdict(), root=root)
    request = suites.request(directory)
    pins = pins_of((load_manifest(text.encode()),), request.python, os.environ, refuses_network=True)
    environment, args = pinned(request.environment, request.args, pins)
    report = run_tests(request._replace(environment=environment, args=args, umask=pins.umask))
    bad = [row for row in report.outcomes if row[1] != "passed"]
    if bad or not report.outcomes:
        raise AssertionError(f"{bad}\n{Path(request.log).read_text()}")
    found: dict[str, Any] = json.loads((directory / "found.json").read_text())
    return found


def measure(directory: Path) -> dict[str, dict[str, str]]:
    """For each read, and each place that was tried: HELD, REFUSED or FREE."""
    first, second = (run(directory / name / "project", FIRST, directory / "root") for name in ("one", "two"))
    other = run(directory / "one" / "other", OTHER, directory / "other root")
    states: dict[str, dict[str, str]] = {}
    for place in PLACES:
        for name, values in _of(place, "clock", first, second, other):
            late = zip(values, (FIRST, FIRST, OTHER), strict=True)
            is_held = all(0 <= value - way.clock < _LONG for value, way in late)
            states.setdefault(name, {})[place] = HELD if is_held else FREE
        for name, (one, again, under_others) in _of(place, "values", first, second, other):
            is_held = one == again != under_others
            states.setdefault(name, {})[place] = HELD if is_held else FREE
        for name, values in _of(place, "network", first, second, other):
            states.setdefault(name, {})[place] = REFUSED if set(values) == {"refused"} else FREE
    return states


def _of(place: str, kind: str, *runs: Mapping[str, Any]) -> Iterator[tuple[str, list[Any]]]:
    for name in runs[0][place][kind]:
        yield name, [found[place][kind][name] for found in runs]


def table(states: Mapping[str, Mapping[str, str]]) -> str:
    """The block of the page."""
    lines = [
        BEGIN,
        "",
        "| what is read | " + " | ".join(PLACES.values()) + " |",
        "|---|" + "---|" * len(PLACES),
        *(f"| {name} | " + " | ".join(row.get(place, "") for place in PLACES) + " |" for name, row in states.items()),
        "",
        END,
    ]
    return "\n".join(lines)


def page(states: Mapping[str, Mapping[str, str]]) -> str:
    """The page with the block as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    return text[: text.index(BEGIN)] + table(states) + text[text.index(END) + len(END) :]


def main(argv: list[str]) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("action", choices=("write", "show"))
    action = parser.parse_args(argv).action
    with tempfile.TemporaryDirectory() as directory:
        states = measure(Path(directory))
    if action == "write":
        PAGE.write_text(page(states), encoding="utf-8")
    else:
        print(table(states))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
