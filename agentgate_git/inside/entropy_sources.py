"""What the entropy probe knows by name: C functions, variables and announcements, and which pin each concerns.

A kind is the pin that fixes a read, empty where none does; the source; whether the pin is needed or merely used.
"""

from __future__ import annotations

CLOCK = ("clock_unix", "clock", True)
STEADY = ("", "clock", True)
RNG = ("rng_seed", "rng", True)
STRONG = ("", "rng", True)
ZONE = ("tz", "tz", True)
ZONE_USED = ("tz", "tz", False)
LOCALE = ("lang", "locale", True)
NETWORK = ("cassette_sha256", "network", True)
HOST = ("", "network", True)
MASK = ("umask", "fs", True)
MASK_USED = ("umask", "fs", False)
TEMPORARY = ("temp_root", "fs", True)
PLACE = ("", "fs", True)

# C functions by the module they belong to and their name.
FUNCTIONS = {
    **{("time", name): (CLOCK,) for name in ("time", "time_ns", "clock_gettime", "clock_gettime_ns")},
    **{("time", name): (STEADY,) for name in ("monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns")},
    ("time", "mktime"): (ZONE,),
    **{("posix", name): (STRONG,) for name in ("urandom", "getrandom")},
    **{("_locale", name): (LOCALE,) for name in ("setlocale", "localeconv", "nl_langinfo", "getencoding")},
    ("posix", "umask"): (MASK,),
    ("posix", "mkdir"): (MASK_USED,),
    ("posix", "chmod"): (MASK_USED,),
    **{("posix", name): (PLACE,) for name in ("getcwd", "listdir", "scandir")},
    ("_socket", "gethostname"): (HOST,),
}
# Those that read the clock when they are given no time: how many arguments stand before it.
WITHOUT_TIME = {"localtime": 0, "gmtime": 0, "ctime": 0, "asctime": 0, "strftime": 1}
LOCAL = ("localtime", "ctime")
OF_DATETIME = {
    "now": (CLOCK, ZONE_USED),
    "today": (CLOCK, ZONE_USED),
    "utcnow": (CLOCK,),
    "fromtimestamp": (ZONE_USED,),
    "astimezone": (ZONE_USED,),
}
DRAWS = frozenset(("random", "getrandbits"))
NAMES = frozenset((*(name for _, name in FUNCTIONS), *WITHOUT_TIME, *OF_DATETIME, *DRAWS, "seed"))
AUDITED = {
    "socket.connect": NETWORK,
    "socket.sendto": NETWORK,
    "socket.sendmsg": NETWORK,
    "socket.getaddrinfo": NETWORK,
    "socket.gethostbyname": NETWORK,
    "socket.gethostbyaddr": NETWORK,
    "urllib.Request": NETWORK,
    "tempfile.mkstemp": TEMPORARY,
    "tempfile.mkdtemp": TEMPORARY,
}
VARIABLES = {
    **dict.fromkeys(("LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_TIME", "LANGUAGE"), LOCALE),
    **dict.fromkeys(("TMPDIR", "TMP", "TEMP"), TEMPORARY),
    "TZ": ZONE,
    "SOURCE_DATE_EPOCH": CLOCK,
    "ENTROPY_CLOCK_UNIX": CLOCK,
    "ENTROPY_RNG_SEED": RNG,
}
CASSETTES = ("cassettes", "vcr_cassettes")
LOOPBACK = ("127.", "::1", "localhost")
# What these read for themselves is not what the project asks for: times of log records, names of temporary files.
QUIET = frozenset(("logging", "tempfile", "importlib"))
# Packages that run the tests: what they read is theirs, up to the project's code that they call.
RUNNERS = frozenset(("pluggy", "coverage", "hypothesis", "xdist", "time_machine", "freezegun"))
# Waits read the steady clock and paths the current directory all the time; those of the project's own lines count.
DIRECT = frozenset(("monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "getcwd"))
