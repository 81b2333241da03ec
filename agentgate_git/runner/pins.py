"""Pins of the manifest as a run can hold them: variables, pytest's arguments, and what the folder of pins does."""

from __future__ import annotations

import importlib.util
import os
import re
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping
from hashlib import sha256

from agentgate_git.model.failure import Undecided
from agentgate_git.model.manifest import PIN_NAMES, Manifest
from agentgate_git.model.paths import MANIFEST_PATH
from agentgate_git.model.policy import Policy
from agentgate_git.model.record import Record
from agentgate_git.model.sandbox import NO_BOX
from agentgate_git.runner.box import Box
from agentgate_git.runner.boxed_process import BoxedProcess

IMPORT_FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "inside", "pins")
ARGS = ("-p", "no:randomly", "-p", "no:cacheprovider", "-p", "_agentgate_pins")
CLOCK_REAL = "real"
CLOCK_PINNED = "starts at clock_unix with each test, and runs"
ZONES = "/usr/share/zoneinfo"
# The last second that datetime knows.
_LAST_UNIX = 253402300799
_PROBE_SECONDS = 60.0
_LONGEST_ANSWER = 4096
_NO_BOX = Box(NO_BOX)
_PLAIN_LOCALES = frozenset(("C", "POSIX"))
_POSIX_ZONE = re.compile(r"(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)[+-]?[0-9]{1,2}(?::[0-9]{2}){0,2}[A-Za-z0-9<>+:,./-]*")
_UMASK = re.compile(r"0?[0-7]{3}")
# Asked of the interpreter that will run the tests; it imports nothing of the project.
_PROBE = """
import importlib.util, locale, sysconfig
names = ("time_machine", "_time_machine")
print(sysconfig.get_config_var("SOABI"))
print(int(all(importlib.util.find_spec(name) is not None for name in names)))
try:
    locale.setlocale(locale.LC_ALL, "")
except locale.Error:
    print(0)
else:
    print(1)
"""


class Pins(Record):
    """What a run is given so that its pins hold.

    `environment` goes over the run's variables, `import_folder` first on PYTHONPATH, `args` before pytest's other
    arguments; pinned() does all three. `umask` is set in the child, None leaves it. `temp_root` is the directory that
    TMPDIR names, made by the run, empty where none is pinned. `held` pairs each pin with its value, for the seal.
    `readable` are the folders of ours that the child must be able to read.
    """

    environment: tuple[tuple[str, str], ...]
    import_folder: str
    args: tuple[str, ...]
    umask: int | None
    temp_root: str
    held: tuple[tuple[str, str], ...]
    readable: tuple[str, ...]


class _Interpreter(Record):
    """What an interpreter can hold: its binary interface, whether it has time_machine, whether it knows the locale."""

    abi: str
    has_time_machine: bool
    has_locale: bool


def pins_of(
    manifests: tuple[Manifest, ...],
    python: str,
    environ: Mapping[str, str],
    settings: tuple[tuple[str, str], ...] = Policy().environment,
    cassettes_sha256: str = "",
    *,
    refuses_network: bool = False,
    box: Box = _NO_BOX,
) -> Pins:
    """The pins of all properties of all manifests together; Undecided where one cannot be held by `python`.

    `environ` is what `python` is started in, `settings` are the policy's variables, which hold where no pin speaks;
    `cassettes_sha256` is the digest of the tree's own recordings (cassettes_digest). With `refuses_network` the Pythons
    of the run refuse what leaves the machine: for runs that no sandbox holds. What `python` can hold it is asked in
    `box`: it may be one that a proposal had a hand in.
    """
    pinned = _agreed(manifests)
    values = _Values(pinned, {**dict(Policy().environment), **dict(settings)})
    values.require_cassettes(cassettes_sha256)
    lent = values.require_of(python, environ, box)
    inner = tuple(values.inner(lent, refuses_network=refuses_network))
    return Pins(
        environment=(*values.environment(), ("AGENTGATE_PINS", "\n".join(f"{name}={value}" for name, value in inner))),
        import_folder=IMPORT_FOLDER,
        args=ARGS,
        umask=values.umask,
        temp_root=values.temp_root,
        held=tuple(values.held(refuses_network=refuses_network)),
        readable=(IMPORT_FOLDER, lent) if lent else (IMPORT_FOLDER,),
    )


def pinned(environment: Mapping[str, str], args: tuple[str, ...], pins: Pins) -> tuple[dict[str, str], tuple[str, ...]]:
    """A run's variables and arguments with the pins over them."""
    path = environment.get("PYTHONPATH", "")
    joined = os.pathsep.join((pins.import_folder, path) if path else (pins.import_folder,))
    return {**environment, **dict(pins.environment), "PYTHONPATH": joined}, (*pins.args, *args)


def _agreed(manifests: tuple[Manifest, ...]) -> dict[str, str | int]:
    """Each pin with its value; a run has one clock, one locale and so on, so properties must agree."""
    found: dict[str, tuple[str | int, str]] = {}
    for one in (one for manifest in manifests for one in manifest.properties):
        owner = one.property_id or one.module or "the property"
        for name, value in one.pins:
            if value is None or value == "":
                continue
            if isinstance(value, str) and not value.isprintable():
                raise Undecided(f"{MANIFEST_PATH} pins {name} to {value!r}", "write it without control characters")
            if name not in PIN_NAMES:
                known = ", ".join(PIN_NAMES)
                raise Undecided(f"{MANIFEST_PATH} pins {name}, which nothing here can hold", f"pin one of {known}")
            first, first_owner = found.setdefault(name, (value, owner))
            if first != value:
                raise Undecided(
                    f"{MANIFEST_PATH} pins {name} to {first!r} for {first_owner} and to {value!r} for {owner},"
                    " and a run has one",
                    "give both the same value, or leave the pin to the test that wants another and sets it itself",
                )
    return {name: value for name, (value, _) in found.items()}


class _Values:
    """The values of pins, checked one by one."""

    def __init__(self, pins: Mapping[str, str | int], settings: Mapping[str, str]) -> None:
        self._pins = pins
        self._settings = settings
        self.tz = _zone(str(pins["tz"])) if "tz" in pins else settings["TZ"]
        self.lang = str(pins.get("lang", ""))
        self.clock = _clock(pins["clock_unix"]) if "clock_unix" in pins else None
        self.seed = str(pins.get("rng_seed", 0))
        self.umask = _umask(pins["umask"]) if "umask" in pins else None
        self.temp_root = _temp_root(str(pins["temp_root"])) if "temp_root" in pins else ""
        self.hash_seed = settings["PYTHONHASHSEED"]
        if "rng_seed" in pins:
            self.hash_seed = str(int.from_bytes(sha256(f"hash\0{self.seed}".encode()).digest()[:4], "big"))

    def require_cassettes(self, actual: str) -> None:
        wanted = str(self._pins.get("cassette_sha256", ""))
        if wanted and wanted.lower() != actual:
            has = f"have the sha256 {actual}" if actual else "are not there"
            raise Undecided(
                f"{MANIFEST_PATH} pins cassette_sha256 to {wanted}, and the cassettes of the tree {has}",
                "put the recordings back, or have a human rotate the pin",
            )

    def require_of(self, python: str, environ: Mapping[str, str], box: Box) -> str:
        """The folder of a time_machine that has to be lent, empty where none has to."""
        is_plain = not self.lang or self.lang in _PLAIN_LOCALES
        if self.clock is None and is_plain:
            return ""
        found = _ask(python, {**environ, **({"LC_ALL": self.lang} if self.lang else {})}, box)
        if not is_plain and not found.has_locale:
            step = "install that locale on this machine, or pin one that `locale -a` lists"
            raise Undecided(f"{MANIFEST_PATH} pins lang to {self.lang}, which this machine does not have", step)
        if self.clock is None or found.has_time_machine:
            return ""
        lent = _own_time_machine() if found.abi == sysconfig.get_config_var("SOABI") else ""
        if not lent:
            raise Undecided(
                f"{MANIFEST_PATH} pins clock_unix, and {python} has no time_machine to hold it with",
                "install time-machine for that interpreter",
            )
        return lent

    def environment(self) -> Iterator[tuple[str, str]]:
        yield "CI", self._settings["CI"]
        yield "TZ", self.tz
        yield "LANG", self.lang or self._settings["LANG"]
        yield "LC_ALL", self.lang or self._settings["LC_ALL"]
        yield "LANGUAGE", ""
        yield "PYTHONHASHSEED", self.hash_seed
        yield "ENTROPY_RNG_SEED", self.seed
        if self.clock is not None:
            yield "ENTROPY_CLOCK_UNIX", str(self.clock)
        if self.temp_root:
            yield "TMPDIR", self.temp_root

    def inner(self, lent: str, *, refuses_network: bool) -> Iterator[tuple[str, str]]:
        """What the folder of pins is told."""
        yield "rng_seed", self.seed
        if self.clock is not None:
            yield "clock_unix", str(self.clock)
        if lent:
            yield "lent", lent
        if self.umask is not None:
            yield "umask", str(self.umask)
        if self.temp_root:
            yield "temp_root", self.temp_root
        if "cassette_sha256" in self._pins:
            yield "cassette_sha256", str(self._pins["cassette_sha256"])
        if refuses_network:
            yield "network", "refused"

    def held(self, *, refuses_network: bool) -> Iterator[tuple[str, str]]:
        yield "clock_mode", CLOCK_REAL if self.clock is None else CLOCK_PINNED
        if self.clock is not None:
            yield "clock_unix", str(self.clock)
        yield "rng_seed", self.seed
        yield "hash_seed", self.hash_seed
        yield "tz", self.tz
        yield "lang", self.lang or self._settings["LC_ALL"]
        if self.umask is not None:
            yield "umask", f"{self.umask:04o}"
        if self.temp_root:
            yield "temp_root", self.temp_root
        if "cassette_sha256" in self._pins:
            yield "cassette_sha256", str(self._pins["cassette_sha256"])
        if refuses_network:
            yield "network", "refused by the Pythons of the run"


def _clock(value: str | int) -> int:
    if not isinstance(value, int) or not 0 <= value <= _LAST_UNIX:
        raise Undecided(f"{MANIFEST_PATH} pins clock_unix to {value!r}", "write seconds since 1970 as a whole number")
    return value


def _umask(value: str | int) -> int:
    if not isinstance(value, str) or not _UMASK.fullmatch(value):
        raise Undecided(f"{MANIFEST_PATH} pins umask to {value!r}", 'write it in octal and quoted, such as "0022"')
    return int(value, 8)


def _zone(value: str) -> str:
    """A zone that the C library would not know is UTC to it, without a word."""
    name = value.removeprefix(":")
    is_file = ".." not in name.split("/") and os.path.isfile(os.path.join(ZONES, name))
    if not is_file and name not in ("UTC", "GMT") and not _POSIX_ZONE.fullmatch(name):
        raise Undecided(
            f"{MANIFEST_PATH} pins tz to {value}, which is not in {ZONES}", "install tzdata, or pin a zone that it has"
        )
    return value


def _temp_root(value: str) -> str:
    if not os.path.isabs(value) or os.path.normpath(value) in ("/", os.path.normpath("//")) or "\n" in value:
        raise Undecided(f"{MANIFEST_PATH} pins temp_root to {value!r}", "write an absolute path, such as /tmp/project")
    return os.path.normpath(value)


def _ask(python: str, environ: Mapping[str, str], box: Box) -> _Interpreter:
    environment = {name: value for name, value in environ.items() if not name.startswith("PYTHON")}
    with tempfile.NamedTemporaryFile(prefix="agentgate-ask-") as answer:
        child = BoxedProcess(box, (python, "-c", _PROBE), "/", environment, (), answer.name)
        child.run(_PROBE_SECONDS)
        words = answer.read(_LONGEST_ANSWER).decode("ascii", "replace").split()
    if len(words) != 3:
        shown = " ".join(words)[:200]
        raise Undecided(f"{python} does not say what it can hold ({shown})", "name another with --python")
    return _Interpreter(words[0], words[1] == "1", words[2] == "1")


def _own_time_machine() -> str:
    """The folder that our own time_machine is in; empty without one."""
    package, extension = (importlib.util.find_spec(name) for name in ("time_machine", "_time_machine"))
    if package is None or extension is None or package.origin is None or extension.origin is None:
        return ""
    folder = os.path.dirname(extension.origin)
    return folder if os.path.dirname(os.path.dirname(package.origin)) == folder else ""
