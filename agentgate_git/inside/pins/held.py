"""Holds pins in one process: the clock, the seeds of what gets imported, the network, and recordings.

What to hold stands in AGENTGATE_PINS, a `name=value` on each line; every child reads it too. All processes of a test
share one time line: AGENTGATE_PINS_EPOCH is the pinned time, in nanoseconds, at the zero of the monotonic clock.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, Callable, Dict, List, Optional, Sequence

EPOCH = "AGENTGATE_PINS_EPOCH"
# Our own modules, by names that no project uses.
OWN = {
    "_agentgate_pins": "plugin.py",
    "_agentgate_probe": os.path.join(os.pardir, "entropy_probe.py"),
    "_agentgate_sources": os.path.join(os.pardir, "entropy_sources.py"),
}
_SECOND = 1000000000
_TIME_MACHINE = ("time_machine", "_time_machine")
_LOOKUPS = frozenset("socket." + name for name in ("getaddrinfo", "gethostbyname", "gethostbyaddr", "getnameinfo"))
_LOCAL = frozenset(("", "localhost", "::1", "0.0.0.0", "::", "ip6-localhost"))  # noqa: S104 - names, nothing is bound


class Held:
    """What this process holds; `seed_as` names what the next draws are for."""

    def __init__(self, pins: Dict[str, str], folder: str) -> None:
        self.pins = pins
        self.clock: Optional[Clock] = Clock(int(pins["clock_unix"])) if "clock_unix" in pins else None
        self.subject = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
        sys.meta_path.insert(0, Finder(folder, pins.get("lent", ""), self._afterwards()))

    def _afterwards(self) -> Dict[str, Callable[[Any], None]]:
        acts: Dict[str, Callable[[Any], None]] = {}
        if "rng_seed" in self.pins:
            acts["random"] = self.seed_random
            acts["numpy.random"] = self.seed_numpy
            for name in ("random", "numpy.random"):
                if name in sys.modules:
                    acts[name](sys.modules[name])
        if "cassette_sha256" in self.pins:
            acts["vcr.cassette"] = replay_only
        return acts

    def seed(self) -> None:
        """Seed what is imported, for `subject`; what is imported later is seeded then."""
        if "rng_seed" not in self.pins:
            return
        random = sys.modules.get("random")
        if hasattr(random, "seed"):
            self.seed_random(random)
        numpy = sys.modules.get("numpy.random")
        if hasattr(numpy, "seed"):
            self.seed_numpy(numpy)

    def seed_random(self, module: Any) -> None:
        """The one generator behind the functions of `random`."""
        module.seed(int.from_bytes(self._spread(), "big"))

    def seed_numpy(self, module: Any) -> None:
        """The one generator behind the functions of `numpy.random`; generators that are made have their own."""
        module.seed([int.from_bytes(self._spread()[at : at + 4], "big") for at in range(0, 32, 4)])

    def _spread(self) -> bytes:
        from hashlib import sha256  # noqa: PLC0415 - for processes that draw, and most children do not

        text = "{}\0{}".format(self.pins["rng_seed"], self.subject)
        return sha256(text.encode("utf-8", "surrogatepass")).digest()


class Clock:
    """The pinned clock: it starts at the pin, for each test anew, and runs as fast as the real one.

    By the `time_machine` of the project, or one that is lent; CannotHold where there is none.
    """

    def __init__(self, unix: int) -> None:
        self._unix = unix
        self._module: Any = None
        self._travel: Any = None
        self._traveller: Any = None

    def join(self) -> None:
        """In a child: on the time line of the test that started it."""
        epoch = os.environ.get(EPOCH, "")
        self._start((time.monotonic_ns() + int(epoch)) / _SECOND if epoch else self._unix)

    def begin(self, _now: Callable[[], int] = time.monotonic_ns) -> None:
        """In the process that runs the tests: back to the pin, and children after it."""
        if self._traveller is None:
            self._start(self._unix)
        self._traveller.move_to(self._unix, tick=True)
        time.time()  # the time line starts with the first look at it
        os.environ[EPOCH] = str(self._unix * _SECOND - _now())

    def _start(self, moment: float) -> None:
        self._module = _time_machine()
        self._travel = self._module.travel(moment, tick=True)
        self._traveller = self._travel.start()
        time.time()

    def renew(self) -> None:
        """Import time_machine again where it was imported without pytest, whose fixture it would lack."""
        if self._module is None or getattr(self._module, "HAVE_PYTEST", True):
            return
        self._travel.stop()
        del sys.modules["time_machine"]
        self._traveller = None


class CannotHold(ImportError):
    """A pin that this interpreter has nothing to hold it with."""


def _time_machine() -> Any:
    """Without pytest where none is asked for: importing that takes longer than all the rest."""
    is_hidden = "pytest" not in sys.modules and "pytest" not in _command_line()
    if is_hidden:
        sys.modules["pytest"] = None  # type: ignore[assignment]
    try:
        module = __import__("time_machine")
    except ImportError as error:
        raise CannotHold("clock_unix is not held in {}: {}".format(sys.executable, error)) from error
    finally:
        if is_hidden:
            del sys.modules["pytest"]
    # Where it is a plugin as well, pytest would warn that it came too late to rewrite it.
    module.__doc__ = "{} PYTEST_DONT_REWRITE".format(module.__doc__ or "")
    return module


def _command_line() -> str:
    if hasattr(sys, "orig_argv"):
        return "\0".join(sys.orig_argv)
    try:
        with open("/proc/self/cmdline", "rb") as file:
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


class Finder:
    """Finds our own modules and a lent time_machine, and has something done after other modules were imported."""

    def __init__(self, folder: str, lent: str, afterwards: Dict[str, Callable[[Any], None]]) -> None:
        self._folder = folder
        self._lent = lent
        self._afterwards = afterwards

    def find_spec(
        self, name: str, path: Optional[Sequence[str]] = None, target: Optional[ModuleType] = None
    ) -> Optional[ModuleSpec]:
        """None for nearly everything."""
        if name in self._afterwards:
            return self._followed(name, path, target)
        if name in OWN:
            return _own(name, os.path.normpath(os.path.join(self._folder, OWN[name])))
        if self._lent and name in _TIME_MACHINE:
            return PathFinder.find_spec(name, [self._lent])
        return None

    def _followed(self, name: str, path: Optional[Sequence[str]], target: Optional[ModuleType]) -> Optional[ModuleSpec]:
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            spec = None if finder is self or find is None else find(name, path, target)
            if spec is not None:
                if hasattr(spec.loader, "exec_module"):
                    spec.loader = Followed(spec.loader, self._afterwards[name])
                return spec  # type: ignore[no-any-return]
        return None


def _own(name: str, path: str) -> ModuleSpec:
    spec = ModuleSpec(name, SourceFileLoader(name, path), origin=path)
    spec.has_location = True
    return spec


class Followed:
    """A loader that has something done to the module it has run."""

    def __init__(self, inner: Any, afterwards: Callable[[Any], None]) -> None:
        self._inner = inner
        self._afterwards = afterwards

    def __getattr__(self, name: str) -> Any:
        if name == "_inner":  # a copy in the making
            raise AttributeError(name)
        return getattr(self._inner, name)

    def create_module(self, spec: ModuleSpec) -> Any:
        """As without us."""
        return self._inner.create_module(spec)

    def exec_module(self, module: Any) -> None:
        """Run it as without us, then do it."""
        module.__loader__ = module.__spec__.loader = self._inner
        self._inner.exec_module(module)
        self._afterwards(module)


def replay_only(module: Any) -> None:
    """vcrpy plays what is recorded, refuses the rest, and records nothing."""
    original = module.Cassette.__init__
    mode = module.RecordMode.NONE

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807 - it takes the place of that method
        original(self, *args, **kwargs)
        self.record_mode = mode

    module.Cassette.__init__ = __init__


def refuse_network(event: str, args: Any) -> None:
    """The audit hook that answers as a machine without a network does; the loopback stays."""
    if event[:7] != "socket.":
        return
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        address = args[1]
        if isinstance(address, tuple) and not _is_local(address[0]):
            _tell(event, args)
            raise OSError(errno.ENETUNREACH, "Network is unreachable (agentgate refuses it)")
    elif event in _LOOKUPS and not _is_local(args[0][0] if event == "socket.getnameinfo" else args[0]):
        socket = sys.modules["_socket"]
        _tell(event, args)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution (agentgate refuses it)")


def _tell(event: str, args: Any) -> None:
    for tell in told:
        tell(event, args)


def _is_local(host: Any) -> bool:
    """True for what stays on the machine; so do addresses of families that have no host, such as netlink's."""
    if isinstance(host, (bytes, bytearray)):
        host = bytes(host).decode("ascii", "replace")
    return not isinstance(host, str) or host in _LOCAL or host.startswith("127.") or host == os.uname().nodename


def start(text: str, folder: str) -> None:
    """Hold the pins of `text`. The process that runs the tests starts its clock itself, when pytest is there."""
    global held
    pins = dict(line.split("=", 1) for line in text.split("\n") if "=" in line)
    held = Held(pins, folder)
    if pins.get("network") == "refused":
        sys.addaudithook(refuse_network)
    if held.clock is not None and not _runs_tests(folder):
        try:
            held.clock.join()
        except CannotHold as error:
            sys.stderr.write("agentgate: {}\n".format(error))


def _runs_tests(folder: str) -> bool:
    """True in the processes that the runner itself starts."""
    inside = os.path.dirname(folder)
    return any(os.path.join(inside, name) in _command_line() for name in ("launch.py", "falsify.py"))


held: Any = None
# Who wants to know what is refused: audit hooks that come later are not asked any more.
told: List[Callable[[str, Any], None]] = []
