"""Names of what differs from run to run: clock, chance, time zone, locale, network, file system, order, threads."""

from __future__ import annotations

CLOCK = "clock"
RNG = "rng"
TZ = "tz"
LOCALE = "locale"
NETWORK = "network"
FILESYSTEM = "fs"
ORDER = "order"
CONCURRENCY = "concurrency"
SOURCES = (CLOCK, RNG, TZ, LOCALE, NETWORK, FILESYSTEM, ORDER, CONCURRENCY)

_TIME = "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time localtime gmtime ctime"
_READS = {
    CLOCK: (
        *(f"time.{name}" for name in _TIME.split()),
        *("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today"),
        *("timeit.default_timer", "django.utils.timezone.now", "pendulum.now", "arrow.now", "arrow.utcnow"),
        *("os.times", "calendar.timegm"),
    ),
    RNG: (
        *("os.urandom", "os.getrandom", "uuid.uuid1", "uuid.uuid4", "random.SystemRandom"),
        *("numpy.random.default_rng", "numpy.random.RandomState", "torch.rand", "torch.randn", "torch.randint"),
    ),
    TZ: ("time.tzname", "time.timezone", "tzlocal.get_localzone", "datetime.datetime.astimezone"),
    LOCALE: (
        *("locale.getlocale", "locale.getdefaultlocale", "locale.getpreferredencoding", "locale.localeconv"),
        *("sys.getdefaultencoding", "sys.getfilesystemencoding", "locale.getencoding"),
    ),
    NETWORK: (
        *("socket.socket", "socket.create_connection", "socket.getaddrinfo", "socket.gethostbyname"),
        *("socket.gethostname", "socket.getfqdn", "urllib.request.urlopen", "urllib.request.urlretrieve"),
        *("http.client.HTTPConnection", "http.client.HTTPSConnection", "dns.resolver.resolve", "smtplib.SMTP"),
        *("ftplib.FTP", "aiohttp.ClientSession", "httpx.Client", "httpx.AsyncClient", "urllib3.PoolManager"),
    ),
    FILESYSTEM: (
        *("os.listdir", "os.scandir", "os.walk", "os.stat", "os.lstat", "os.getcwd", "os.umask", "os.access"),
        *("glob.glob", "glob.iglob", "tempfile.mkdtemp", "tempfile.mkstemp", "tempfile.gettempdir"),
        *("tempfile.NamedTemporaryFile", "tempfile.TemporaryDirectory", "tempfile.mktemp", "shutil.disk_usage"),
        *("os.path.getmtime", "os.path.getsize", "os.path.exists", "os.path.isfile", "os.path.isdir"),
        *("pathlib.Path.stat", "pathlib.Path.exists", "pathlib.Path.cwd", "pathlib.Path.home", "pathlib.Path.iterdir"),
    ),
    ORDER: ("builtins.set", "builtins.frozenset", "builtins.hash"),
    CONCURRENCY: (
        *("threading.Thread", "threading.Timer", "multiprocessing.Process", "multiprocessing.Pool"),
        *("concurrent.futures.ThreadPoolExecutor", "concurrent.futures.ProcessPoolExecutor", "os.cpu_count"),
    ),
}
_BY_NAME = {name: source for source, names in _READS.items() for name in names}
_FAMILIES = (
    ("random.", RNG),
    ("numpy.random.", RNG),
    ("secrets.", RNG),
    ("requests.", NETWORK),
    ("httpx.", NETWORK),
)
_NOT_READ = frozenset(
    (
        *("random.seed", "random.Random", "random.setstate", "random.getstate", "numpy.random.seed"),
        *("secrets.compare_digest", "requests.Request", "requests.codes", "httpx.Request", "httpx.Response"),
        *("numpy.random.Generator", "numpy.random.PCG64", "numpy.random.set_state", "numpy.random.get_state"),
    )
)
# How the tail of a name tells what it is, where it is patched inside the module that uses it.
_TAILS = (
    ("time.time", CLOCK),
    ("time.monotonic", CLOCK),
    ("time.perf_counter", CLOCK),
    ("datetime.datetime", CLOCK),
    ("datetime.now", CLOCK),
    ("datetime.utcnow", CLOCK),
    ("timezone.now", CLOCK),
    ("datetime", CLOCK),
    ("utcnow", CLOCK),
    ("time_ns", CLOCK),
    ("perf_counter", CLOCK),
    ("monotonic", CLOCK),
    ("uuid4", RNG),
    ("uuid1", RNG),
    ("urandom", RNG),
    ("randint", RNG),
    ("random.random", RNG),
    ("random.choice", RNG),
    ("token_hex", RNG),
    ("token_bytes", RNG),
    ("token_urlsafe", RNG),
    ("getaddrinfo", NETWORK),
    ("gethostbyname", NETWORK),
    ("urlopen", NETWORK),
    ("create_connection", NETWORK),
    ("requests.get", NETWORK),
    ("requests.post", NETWORK),
    ("getpreferredencoding", LOCALE),
    ("os.listdir", FILESYSTEM),
    ("os.stat", FILESYSTEM),
)
_FREEZERS = (
    ("freezegun.freeze_time", CLOCK),
    ("freezegun.api.freeze_time", CLOCK),
    ("time_machine.travel", CLOCK),
    ("timecop.freeze", CLOCK),
    ("libfaketime.fake_time", CLOCK),
    ("pendulum.set_test_now", CLOCK),
    ("pendulum.travel_to", CLOCK),
    ("random.seed", RNG),
    ("numpy.random.seed", RNG),
    ("torch.manual_seed", RNG),
    ("tensorflow.random.set_seed", RNG),
    ("hypothesis.seed", RNG),
    ("faker.Faker.seed", RNG),
    ("locale.setlocale", LOCALE),
    ("time.tzset", TZ),
    ("os.umask", FILESYSTEM),
)
FREEZING_PACKAGES = frozenset(("freezegun", "time_machine", "libfaketime", "pyfakefs", "responses", "vcr"))
_SET_BY = {
    "TZ": TZ,
    "LANG": LOCALE,
    "LC_ALL": LOCALE,
    "LC_CTYPE": LOCALE,
    "LANGUAGE": LOCALE,
    "PYTHONIOENCODING": LOCALE,
    "PYTHONUTF8": LOCALE,
    "PYTHONHASHSEED": ORDER,
    "SOURCE_DATE_EPOCH": CLOCK,
}
LAST_NAMES = frozenset(
    (
        *(name.rpartition(".")[2] for name in _BY_NAME),
        *(name.rpartition(".")[2] for name, _ in _FREEZERS),
        *(name for name, _ in _TAILS if "." not in name),
        *("choice", "choices", "shuffle", "sample", "randint", "randrange", "uniform", "gauss", "random", "rand"),
        *("getrandbits", "randbytes", "randn", "integers", "normal", "permutation", "token_hex", "token_bytes"),
        *("token_urlsafe", "randbelow", "get", "post", "put", "delete", "head", "request", "Session", "Random"),
    )
)


def source_read(name: str) -> str:
    """What a dotted name reads: one of SOURCES, or empty."""
    found = _BY_NAME.get(name, "")
    if found or name in _NOT_READ:
        return found
    return next((source for prefix, source in _FAMILIES if name.startswith(prefix)), "")


def source_patched(name: str) -> str:
    """What is frozen when a dotted name is replaced, in its own module or in one that imported it."""
    if name.rpartition(".")[2].isupper():
        return ""  # a constant of whatever module
    found = source_read(name) or source_read(name.rpartition(".")[0])
    if found:
        return found
    return next((source for tail, source in _TAILS if name.endswith(f".{tail}") or name == tail), "")


def source_frozen(name: str) -> str:
    """What a call of a dotted name freezes: one of SOURCES, or empty."""
    return next((source for freezer, source in _FREEZERS if name == freezer), "")


def source_of_variable(name: str) -> str:
    """What an environment variable decides: one of SOURCES, or empty."""
    return _SET_BY.get(name, "")
