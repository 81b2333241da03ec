"""Words of which one stands in every file that has a trait: looked for before anything is parsed.

In plain bytes, since that is a tenth of the time that one pattern of them all takes.
"""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.traits import fakes, helped

TEST_SIDE = (
    *(
        b"pytest_",
        b"outcome",
        b"exit",
        b"environ",
        b"setattr",
        b"patch",
        b"sys.modules",
        b"builtins",
        b"seed",
        b"random",
    ),
    *(b"time", b"freez", b"travel", b"socket", b"locale", b"uuid", b"unittest.TestCase.", b"flaky", b"retry", b"kill"),
    *(
        b"execl",
        b"execv",
        b"abort",
        b"load_tests",
        b"setenv",
        b"putenv",
        b"umask",
        b"chdir",
        b"record_mode",
        b"match_on",
    ),
    *(
        b"match_requests_on",
        b"RECORD_MODE",
        b"MATCH_ON",
        b"sorted(",
        b"listdir",
        b"urandom",
        b"write",
        b"copy",
        b"replace",
    ),
    *(b"SystemExit", b"def assert", b"def addFailure", b"wasSuccessful", b"except AssertionError", b"except Exception"),
    *(
        b"TestLoader",
        b"TestSuite",
        b"testMethodPrefix",
        b".discover(",
        b"makeSuite",
        b"def addError",
        b"def suite_result",
        b"def run_tests",
    ),
    *(b"SKIP", b"XFAIL", b"QUARANTINE", b"FLAKY", b"KNOWN_", b"DISABLED", b"BROKEN", b"UNSTABLE", b".failures"),
    *(b".errors", b".unexpectedSuccesses", b"TestResult()", b"filterwarnings"),
    *(b"json.load", b"safe_load", b"DictReader", b"csv.reader", b"read_text", b"yaml.load", b"iterdir", b".glob("),
    b"pytest_generate_tests",
    *(
        *fakes.WORDS,
        *fakes.MAKERS,
        *helped.WORDS,
        b"atexit",
        b"signal",
        b"__dict__",
        b"_pytest",
        b"requests",
        b"rerun",
        b"excinfo",
        b"lambda",
        b"Mock",
    ),
)
IN_PRODUCTION = (
    *(b"import time", b"from time ", b", time", b"random", b"datetime", b"uuid", b"secrets", b"socket", b"builtins"),
    *(
        b"atexit",
        b"freezegun",
        b"time_machine",
        b"urandom",
        b"._exit",
        b" _exit",
        b'"_exit',
        b"'_exit",
        b"pytest",
        b"PYTEST",
        b"CURRENT_TEST",
        b"environ",
        b"getenv",
        b"unittest",
        b"py.test",
    ),
    *(
        b"conftest",
        b"__main__.",
        b"_called_from_test",
        b"_getframe",
        b"inspect.stack",
        b"tests/",
        b"test/",
        b"golden",
        b"from tests",
        b"from test",
    ),
    *(
        b"errors=",
        b"tzinfo=None",
        b".get(tuple",
        b"= getattr(",
        b"next(_",
        b"pop(0)",
        b"popleft",
        b"{(",
        b"}.get(",
        b'"TESTING"',
    ),
    *(b"sys.modules", b"orig_argv", b"def suite_result", b"def run_tests"),
    *(b"def __eq__", b"'TESTING'", b"_TEST", b'"CI"', b"'CI'", b"TEST_MODE", b"UNITTEST", b"_TESTS"),
    *(b"settings.TESTING", b"conf.TESTING"),
)
LITERALS = pattern_of(
    rb"\bin[ \t]{1,9}\w{1,60}:[ \t]{0,9}\n[ \t]{1,80}return[ \t]{1,9}\w{1,60}\["
    rb"|\d{9}|[12]\d\d\d-[01]\d-|==[ \t]{0,9}(?:[\[({]|-?\d\d|['\"][^'\"\n]{6})|case[ \t]{1,9}[\[(\d]"
    rb"|except(?:[ \t]{1,9}\w{0,40}Exception[^:\n]{0,40})?:[ \t]{0,9}\n[ \t]{1,80}return"
    rb"|(?:\)[^\n]{0,99}:|['\"]{3})[ \t]{0,9}\n(?:[ \t]{1,80}['\"][^\n]{0,200}\n)?[ \t]{1,80}return[ \t](?:True\b|-?\d)"
)
HOOKS = (
    *(b"def suite_result", b"def run_tests"),
    *(b"def pytest_", b"TestReport", b"load_tests", b"TestLoader", b"TestSuite", b"TextTestRunner", b"TestResult"),
    *(b"def addFailure", b"testMethodPrefix", b"wasSuccessful", b".discover(", b"unittest.main", b".failures"),
)
# Rows that are picked of a table, beside parameters.
PICKED = pattern_of(rb"\bfor \w{1,60} in [\w.]{1,80} if ")
