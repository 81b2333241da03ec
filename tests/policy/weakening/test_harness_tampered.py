"""E_HARNESS_TAMPERED: base and head of a change set, allow rows first."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import HARNESS_TAMPERED
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.harness_tampered import harness_findings
from agentgate_git.policy.weakening.trait_changes import Changes
from testing.change_sets import Files, facts_of

BASE: Files = {
    "tests/test_calc.py": ("from app.calc import total\n\ndef test_total():\n    assert total([1, 2]) == 3\n"),
    "app/calc.py": ("def total(xs):\n    return sum(xs) + 1\n\n\ndef verify(x, y):\n    return x == y\n"),
}

RUN = (
    "import sys, unittest\n"
    "from tests.test_a import ATest, BTest\n"
    "def suite():\n"
    "    loader = unittest.TestLoader()\n"
    "    suite = unittest.TestSuite()\n"
    "    suite.addTest(loader.loadTestsFromTestCase(ATest))\n"
    "    suite.addTest(loader.loadTestsFromTestCase(BTest))\n"
    "    return suite\n"
    "class Result(unittest.TextTestResult):\n"
    "    pass\n"
    "if __name__ == '__main__':\n"
    "    result = unittest.TextTestRunner(resultclass=Result).run(suite())\n"
    "    sys.exit(not result.wasSuccessful())\n"
)
SUITE = (
    "import unittest\nclass {0}(unittest.TestCase):\n    pass\n"
    "def suite():\n    suite = unittest.TestSuite()\n    suite.addTest(unittest.makeSuite({0}))\n    return suite\n"
)
FOUND = "import unittest\nloader = unittest.TestLoader()\nsuite = loader.discover('tests')\n"
ROWS = "import json\n\n\ndef load_cases():\n    return json.loads((HERE / 'cases.json').read_text())\n"
BASED = "import unittest\nfrom unittest import mock\nclass Base(unittest.TestCase):\n    maxDiff = None\n"


def run(there: str, now: str, text: str = RUN, path: str = "run_tests.py") -> tuple[Files, Files]:
    """A runner of unittest before and after one change of it."""
    assert 1 == text.count(there)
    return {path: text}, {path: text.replace(there, now)}


def base_class(body: str) -> tuple[Files, Files]:
    """A base class of tests that gets a method."""
    return {"tests/base.py": BASED}, {"tests/base.py": BASED + body}


def conftest(head: str, base: str = "import pytest\n") -> tuple[Files, Files]:
    """A conftest that gets more."""
    return {"tests/conftest.py": base}, {"tests/conftest.py": base + head}


ALLOWED: dict[str, tuple[Files, Files]] = {
    "the project's own package, whose modules were there": (
        {"pluggy/manager.py": "def a():\n    return 1\n"},
        {"pluggy/manager.py": "def b():\n    return 1\n", "pluggy/__init__.py": "from .manager import b\n"},
    ),
    "the project's own module becomes a package": (
        {"mock.py": "def patch():\n    return 1\n"},
        {"src/mock/__init__.py": "def patch():\n    return 1\n"},
    ),
    "a wrapper under test that forces a result": (
        {},
        {
            "tests/test_hooks.py": (
                "def test_result(pm):\n"
                "    class Plugin:\n"
                "        @hookimpl(hookwrapper=True)\n"
                "        def hello(self):\n"
                "            outcome = yield\n"
                "            outcome.force_result(0)\n"
                "    pm.register(Plugin())\n"
                "    assert pm.hook.hello() == 0\n"
            )
        },
    ),
    "pyfunc_call async runner": (
        {},
        {
            "tests/conftest.py": (
                "import asyncio, inspect\n"
                "def pytest_pyfunc_call(pyfuncitem):\n"
                "    if inspect.iscoroutinefunction(pyfuncitem.obj):\n"
                "        asyncio.run(pyfuncitem.obj(**pyfuncitem.funcargs))\n"
                "        return True\n"
            )
        },
    ),
    "builtins gettext": ({}, {"tests/conftest.py": ("import builtins\nbuiltins._ = lambda s: s\n")}),
    "maxdiff": ({}, {"tests/conftest.py": ("import unittest\nunittest.TestCase.maxDiff = None\n")}),
    "py2 alias": (
        {},
        {
            "tests/conftest.py": (
                "import unittest\n"
                'if not hasattr(unittest.TestCase, "assertItemsEqual"):\n'
                "    unittest.TestCase.assertItemsEqual = unittest.TestCase.assertCountEqual\n"
            )
        },
    ),
    "rep attach": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "@pytest.hookimpl(hookwrapper=True, tryfirst=True)\n"
                "def pytest_runtest_makereport(item, call):\n"
                "    outcome = yield\n"
                "    rep = outcome.get_result()\n"
                '    setattr(item, "rep_" + rep.when, rep)\n'
            )
        },
    ),
    "stricter": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "@pytest.hookimpl(hookwrapper=True)\n"
                "def pytest_runtest_makereport(item, call):\n"
                "    rep = (yield).get_result()\n"
                "    if rep.skipped:\n"
                '        rep.outcome = "failed"\n'
            )
        },
    ),
    "incremental recipe": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "def pytest_runtest_makereport(item, call):\n"
                '    if "incremental" in item.keywords:\n'
                "        if call.excinfo is not None:\n"
                "            item.parent._previousfailed = item\n"
            )
        },
    ),
    "reorder": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_collection_modifyitems(items):\n    items[:] = sorted(items, key=lambda i: i.name)\n"
            )
        },
    ),
    "reorder2": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_collection_modifyitems(items):\n"
                '    first = [i for i in items if "a" in i.name]\n'
                "    rest = [i for i in items if i not in first]\n"
                "    items[:] = first + rest\n"
            )
        },
    ),
    "shuffle": (
        {},
        {
            "tests/conftest.py": (
                "import random\ndef pytest_collection_modifyitems(items):\n    random.shuffle(items)\n"
            )
        },
    ),
    "mark": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "def pytest_collection_modifyitems(items):\n"
                "    for i in items:\n"
                "        i.add_marker(pytest.mark.asyncio)\n"
            )
        },
    ),
    "load_tests discover": (
        {
            "tests/test_calc.py": (
                "import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)\n"
            )
        },
        {
            "tests/test_calc.py": (
                "import unittest\n"
                "class A(unittest.TestCase):\n"
                "    def test_a(self):\n"
                "        self.assertEqual(1, 1)\n"
                "import os\n"
                "def load_tests(loader, tests, pattern):\n"
                "    here = os.path.dirname(__file__)\n"
                "    suite = loader.discover(here, pattern)\n"
                "    suite.addTests(tests)\n"
                "    return suite\n"
            )
        },
    ),
    "load_tests classes": (
        {
            "tests/test_calc.py": (
                "import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)\n"
            )
        },
        {
            "tests/test_calc.py": (
                "import unittest\n"
                "class A(unittest.TestCase):\n"
                "    def test_a(self):\n"
                "        self.assertEqual(1, 1)\n"
                "def load_tests(loader, tests, pattern):\n"
                "    suite = unittest.TestSuite()\n"
                "    for c in (A,):\n"
                "        suite.addTests(loader.loadTestsFromTestCase(c))\n"
                "    return suite\n"
            )
        },
    ),
    "raises exit": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app.calc import total\n"
                "\n"
                "def test_total():\n"
                "    assert total([1, 2]) == 3\n"
                "\n"
                "import pytest, sys\n"
                "def test_exit():\n"
                "    with pytest.raises(SystemExit):\n"
                "        sys.exit(0)\n"
            )
        },
    ),
    "fork child": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app.calc import total\n"
                "\n"
                "def test_total():\n"
                "    assert total([1, 2]) == 3\n"
                "\n"
                "import os\n"
                "def test_fork():\n"
                "    pid = os.fork()\n"
                "    if pid == 0:\n"
                "        os._exit(0)\n"
                "    os.waitpid(pid, 0)\n"
            )
        },
    ),
    "nested target": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app.calc import total\n"
                "\n"
                "def test_total():\n"
                "    assert total([1, 2]) == 3\n"
                "\n"
                "import os, multiprocessing\n"
                "def test_p():\n"
                "    def child():\n"
                "        os._exit(0)\n"
                "    p = multiprocessing.Process(target=child); p.start(); p.join()\n"
            )
        },
    ),
    "main guard": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app.calc import total\n"
                "\n"
                "def test_total():\n"
                "    assert total([1, 2]) == 3\n"
                "\n"
                'if __name__ == "__main__":\n'
                "    import sys, pytest\n"
                "    sys.exit(pytest.main([__file__]))\n"
            )
        },
    ),
    "exit nonzero": (
        {},
        {
            "tests/conftest.py": (
                "import os\ndef pytest_sessionfinish(session):\n    if session.testsfailed:\n        os._exit(1)\n"
            )
        },
    ),
    "prod signal": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
                "import signal, os\n"
                "def serve():\n"
                "    signal.signal(signal.SIGTERM, lambda *a: os._exit(0))\n"
            )
        },
    ),
    "args xdist": (
        {},
        {"tests/conftest.py": ('def pytest_load_initial_conftests(args):\n    args[:] = ["-n", "2"] + args\n')},
    ),
    "markers ini": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_configure(config):\n"
                '    config.addinivalue_line("markers", "slow: takes long (deselect with -m \'not slow\')")\n'
            )
        },
    ),
    "test collaborator": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app import calc\n"
                "def test_total(monkeypatch):\n"
                '    monkeypatch.setattr(calc, "fetch", lambda: 3)\n'
                "    assert calc.total([1, 2]) == 3\n"
            )
        },
    ),
    "optional stub": (
        {},
        {
            "tests/conftest.py": (
                "import sys, types\n"
                "try:\n"
                "    import gpu\n"
                "except ImportError:\n"
                '    sys.modules["gpu"] = types.ModuleType("gpu")\n'
            )
        },
    ),
    "magicmock stub": (
        {},
        {
            "tests/conftest.py": (
                'import sys\nfrom unittest.mock import MagicMock\nsys.modules["RPi.GPIO"] = MagicMock()\n'
            )
        },
    ),
    "settings const": ({}, {"tests/conftest.py": ("import app.settings\napp.settings.DEBUG = True\n")}),
    "mpl use": ({}, {"tests/conftest.py": ('import matplotlib\nmatplotlib.use("Agg")\n')}),
    "own support": ({}, {"app/pytest_support.py": ("def helper():\n    return 1\n")}),
    "pth path": ({}, {"dev.pth": "../src\n"}),
    "coverage sitecustomize": ({}, {"sitecustomize.py": ("import coverage\ncoverage.process_startup()\n")}),
    "tmp write": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app.calc import total\n"
                "\n"
                "def test_total(tmp_path):\n"
                '    (tmp_path / "coverage.xml").write_text("x")\n'
                "    assert total([1, 2]) == 3\n"
            )
        },
    ),
    "plugin project": (
        {},
        {
            "src/pytest_foo/plugin.py": (
                "import pytest, os\n"
                "@pytest.hookimpl(hookwrapper=True)\n"
                "def pytest_runtest_makereport(item, call):\n"
                "    rep = (yield).get_result()\n"
                '    rep.outcome = "passed"\n'
                'if "PYTEST_CURRENT_TEST" in os.environ:\n'
                "    x = 1\n"
                "def pytest_collection_modifyitems(items):\n"
                "    items.clear()\n"
            )
        },
    ),
    "move conftest": (
        {
            "conftest.py": (
                "import pytest\n"
                "@pytest.hookimpl(hookwrapper=True)\n"
                "def pytest_runtest_makereport(item, call):\n"
                "    rep = (yield).get_result()\n"
                '    rep.outcome = "passed"\n'
            )
        },
        {
            "tests/conftest.py": (
                "import pytest\n"
                "@pytest.hookimpl(hookwrapper=True)\n"
                "def pytest_runtest_makereport(item, call):\n"
                "    rep = (yield).get_result()\n"
                '    rep.outcome = "passed"\n'
            )
        },
    ),
    "a suite by the names of its tests": run(
        "    suite.addTest(loader.loadTestsFromTestCase(ATest))\n",
        "    for name in loader.getTestCaseNames(ATest):\n        suite.addTest(ATest(name))\n",
    ),
    "a suite that loads more": run("BTest))\n", "BTest))\n    suite.addTest(loader.loadTestsFromTestCase(CTest))\n"),
    "a suite that finds its tests": run(
        "    suite.addTest(loader.loadTestsFromTestCase(ATest))\n"
        "    suite.addTest(loader.loadTestsFromTestCase(BTest))\n",
        "    suite.addTests(loader.discover('tests'))\n",
    ),
    "a suite that loses a class which is gone": (
        {"run_tests.py": RUN, "tests/test_a.py": "class ATest(TestCase):\n    def test_a(self):\n        assert 1\n"},
        {
            "run_tests.py": RUN.replace("    suite.addTest(loader.loadTestsFromTestCase(ATest))\n", ""),
            "tests/test_a.py": "",
        },
    ),
    "a suite of a class without tests that has another name now": (
        {"tests/test_a.py": SUITE.format("OldCase")},
        {"tests/test_a.py": SUITE.format("NewCase")},
    ),
    "a result that tells more": run(
        "    pass\n",
        "    def addFailure(self, test, err):\n"
        "        super().addFailure(test, err)\n"
        "        self.stream.writeln(test.id())\n",
    ),
    "every part of the result": run(
        "sys.exit(not result.wasSuccessful())", "sys.exit(1 if result.errors or result.failures else 0)"
    ),
    "a loader that sorts": run("suite = loader", "loader.sortTestMethodsUsing = None\nsuite = loader", FOUND),
    "a usual pattern": run("'tests'", "'tests', pattern='*_test.py'", FOUND),
    "load_tests with the pattern it is given": run(
        "'tests'", "'tests', pattern=pattern or 'test*.py'", FOUND, "tests/__init__.py"
    ),
    "what a module tidies up": conftest("import os\ndef tearDownModule():\n    os.environ.pop('LANG', None)\n"),
    "an exit as a failure for tests of one name": conftest(
        "def pytest_runtest_setup(item):\n    if item.name == 'test_a':\n        pytest.exit('x', returncode=3)\n"
    ),
    "a variable in the set-up of a base class": base_class(
        "    def setUp(self):\n        mock.patch.dict('os.environ', {'LANG': 'C'}).start()\n"
    ),
    "a stand-in for a service in a base class": base_class(
        "    def setUp(self):\n        mock.patch('app.mail.send', lambda *a: None).start()\n"
    ),
    "a limit for all tests": conftest(
        "import sys\n@pytest.fixture(autouse=True)\ndef _limit(monkeypatch):\n"
        "    monkeypatch.setattr('app.calc.MAX_SIZE', sys.maxsize)\n"
    ),
    "a hook that refuses names": conftest(
        "def pytest_pycollect_makeitem(collector, name, obj):\n"
        "    if name.startswith('tset_'):\n        raise collector.CollectError(name)\n"
    ),
    "rows without an id": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    rows = json.loads((HERE / 'cases.json').read_text())\n    return [row for row in rows if row['id']]\n",
        ROWS,
        "tests/conftest.py",
    ),
    "rows of the kind that the caller asks for": run(
        "def load_cases():\n    return json.loads((HERE / 'cases.json').read_text())\n",
        "def load_cases(kind):\n    rows = json.loads((HERE / 'cases.json').read_text())\n"
        "    return [row for row in rows if row['kind'] == kind]\n",
        ROWS,
        "tests/conftest.py",
    ),
    "a new loader of some rows": (
        {"tests/conftest.py": ROWS},
        {
            "tests/conftest.py": ROWS
            + "def load_words():\n    return [row for row in json.load(open('a')) if row['kind'] == 'word']\n"
        },
    ),
    "a text without its last line": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    return (HERE / 'cases.json').read_text()[:-1]\n",
        ROWS,
        "tests/conftest.py",
    ),
    "rows without their times": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    rows = json.load(open('a'))\n    rows.pop('time')\n    del rows['at']\n    return rows\n",
        ROWS,
        "tests/conftest.py",
    ),
    "rows behind their heading": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    return list(csv.reader(open('a')))[1:]\n",
        ROWS,
        "tests/conftest.py",
    ),
    "a new list of names that get a mark": conftest(
        "SLOW = {'test_b'}\ndef pytest_collection_modifyitems(items):\n    for item in items:\n"
        "        if item.name in SLOW:\n            item.add_marker(pytest.mark.slow)\n"
    ),
}

SIGNERS = (
    "import os, tempfile, pytest_helper\n"
    "def is_good(keys):\n"
    "    with tempfile.TemporaryDirectory() as folder:\n"
    '        allowed, signed = os.path.join(folder, "allowed_signers"), os.path.join(folder, "signed")\n'
    '        with open(allowed, "wb") as file:\n'
    "            file.write(keys)\n"
)
ALLOWED["signers in a folder of its own"] = ({}, {"app/keys.py": SIGNERS})
CALLED = "class Calls:\n    def pytest_pyfunc_call(self, pyfuncitem):\n        return True\n"
KEPT = "def test_other():\n    assert 1\n"
OF_A_TEST = (
    KEPT + "def test_hook(testdir):\n    " + CALLED.replace("\n", "\n    ") + "assert testdir.run(Calls()) == 1\n"
)
ALLOWED["a hook of a runner that a new test starts"] = (
    {"tests/test_hooks.py": KEPT},
    {"tests/test_hooks.py": OF_A_TEST},
)


WARNED: dict[str, tuple[Files, Files]] = {
    "a first version of a project called like a tool": (
        {},
        {"mock.py": "def patch():\n    return 1\n", "test_mock.py": "def test_a():\n    assert patch() == 1\n"},
    ),
    "a package called like a tool, with a new build file": (
        {},
        {"src/coverage/__init__.py": "from .core import run\n", "setup.py": "setup(name='coverage')\n"},
    ),
    "force_result in a helper of a conftest": (
        {},
        {"tests/conftest.py": "def settle(outcome):\n    outcome.force_result([])\n"},
    ),
    "exit 5 -> 0": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_sessionfinish(session, exitstatus):\n"
                "    if exitstatus == 5:\n"
                "        session.exitstatus = 0\n"
            )
        },
    ),
    "option deselect": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_collection_modifyitems(config, items):\n"
                '    if config.getoption("--fast"):\n'
                '        slow = [i for i in items if i.get_closest_marker("slow")]\n'
                "        items[:] = [i for i in items if i not in slow]\n"
                "        config.hook.pytest_deselected(items=slow)\n"
            )
        },
    ),
    "autouse mock": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "@pytest.fixture(autouse=True)\n"
                "def _m(monkeypatch):\n"
                '    monkeypatch.setattr("app.mail.send", lambda *a: None)\n'
            )
        },
    ),
    "flaky class": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {"tests/test_calc.py": ("import pytest\n@pytest.mark.flaky(max_runs=3)\ndef test_total():\n    assert 1\n")},
    ),
    "retry loop": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app.calc import total\n"
                "def test_total():\n"
                "    for _ in range(5):\n"
                "        try:\n"
                "            assert total([1, 2]) == 3\n"
                "            break\n"
                "        except AssertionError:\n"
                "            continue\n"
            )
        },
    ),
    "golden write": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app.calc import total\n"
                "\n"
                "def test_total():\n"
                "    from pathlib import Path\n"
                '    Path("tests/golden/out.txt").write_text(str(total([1, 2])))\n'
                "    assert total([1, 2]) == 3\n"
            )
        },
    ),
}

AGAIN = KEPT + "{}\ndef test_a():\n    assert 2\n"
ALLOWED["as many times by another mark"] = (
    {"tests/test_a.py": AGAIN.format("@flaky(max_runs=3)")},
    {"tests/test_a.py": AGAIN.format("@pytest.mark.flaky(reruns=3)")},
)
WARNED["more times by the same mark"] = (
    {"tests/test_a.py": AGAIN.format("@pytest.mark.flaky(reruns=2)")},
    {"tests/test_a.py": AGAIN.format("@pytest.mark.flaky(reruns=5)")},
)
WARNED["a hook that has tests run again"] = conftest(
    "def pytest_collection_modifyitems(items):\n    for one in items:\n        if 'net' in one.keywords:\n"
    "            one.add_marker(pytest.mark.flaky(reruns=2))\n"
)
ALLOWED["a hook that marks tests"] = conftest(
    "def pytest_collection_modifyitems(items):\n    for one in items:\n        if 'net' in one.keywords:\n"
    "            one.add_marker(pytest.mark.slow)\n"
)
WARNED["a hook of a runner that an existing test starts"] = (
    {"tests/test_hooks.py": "def test_hook(testdir):\n    assert testdir.run() == 0\n"},
    {"tests/test_hooks.py": OF_A_TEST},
)


BLOCKED: dict[str, tuple[Files, Files]] = {
    "a hook beside the tests": ({"tests/test_hooks.py": KEPT}, {"tests/test_hooks.py": KEPT + CALLED}),
    "hooks of a module that a conftest loads": (
        {},
        {
            "src/app/testing.py": (
                "def pytest_runtest_makereport(item, call):\n    report = yield\n    report.outcome = 'passed'\n"
            ),
            "tests/conftest.py": 'pytest_plugins = ["app.testing"]\n',
        },
    ),
    "items that are not made, by the start of a name": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_pycollect_makeitem(collector, name, obj):\n"
                "    if name.startswith('test_to'):\n"
                "        return []\n"
            )
        },
    ),
    "a package called like a module of Python": (
        {},
        {
            "unittest/__init__.py": "class TestCase:\n    pass\n",
            "unittest/__main__.py": "print('OK')\n",
            "test_unittest.py": "x = 1\n",
        },
    ),
    "one new module called like a tool": ({}, {"tests/hypothesis.py": "def given(*_):\n    return lambda f: f\n"}),
    "makereport setattr": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "@pytest.hookimpl(wrapper=True)\n"
                "def pytest_runtest_makereport(item, call):\n"
                "    rep = yield\n"
                '    setattr(rep, "outcome", "passed")\n'
                "    return rep\n"
            )
        },
    ),
    **{
        f"makereport {statement}": (
            {},
            {"tests/conftest.py": f"def pytest_runtest_logreport(report):\n    {statement}\n"},
        )
        for statement in (
            'report.outcome, report.longrepr = "passed", None',
            '[report.outcome] = ["passed"]',
            'vars(report)["outcome"] = "passed"',
            'report.__dict__.update(outcome="passed")',
        )
    },
    "excinfo none tryfirst": (
        {},
        {"tests/conftest.py": ("def pytest_runtest_makereport(item, call):\n    call.excinfo = None\n")},
    ),
    "logreport failed->passed": (
        {},
        {
            "tests/conftest.py": (
                'def pytest_runtest_logreport(report):\n    if report.failed:\n        report.outcome = "passed"\n'
            )
        },
    ),
    "pyfunc_call True": ({}, {"tests/conftest.py": ("def pytest_pyfunc_call(pyfuncitem):\n    return True\n")}),
    "pyfunc_call swallow": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "@pytest.hookimpl(tryfirst=True)\n"
                "def pytest_pyfunc_call(pyfuncitem):\n"
                "    try:\n"
                "        pyfuncitem.obj()\n"
                "    except Exception:\n"
                "        pass\n"
                "    return True\n"
            )
        },
    ),
    "runtest_call wrapper swallow": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "@pytest.hookimpl(wrapper=True)\n"
                "def pytest_runtest_call(item):\n"
                "    try:\n"
                "        return (yield)\n"
                "    except BaseException:\n"
                "        return None\n"
            )
        },
    ),
    "force_result": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "@pytest.hookimpl(hookwrapper=True)\n"
                "def pytest_runtest_call(item):\n"
                "    out = yield\n"
                "    out.force_result(None)\n"
            )
        },
    ),
    "sessionfinish exitstatus": (
        {},
        {"tests/conftest.py": ("def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n")},
    ),
    "sessionfinish exitstatus enum": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "def pytest_sessionfinish(session, exitstatus):\n"
                "    session.exitstatus = pytest.ExitCode.OK\n"
            )
        },
    ),
    "testsfailed": ({}, {"tests/conftest.py": ("def pytest_sessionfinish(session):\n    session.testsfailed = 0\n")}),
    "runtestloop": ({}, {"tests/conftest.py": ("def pytest_runtestloop(session):\n    return True\n")}),
    "TestReport patch": (
        {},
        {
            "tests/conftest.py": (
                "from _pytest.reports import TestReport\n"
                "_o = TestReport.from_item_and_call\n"
                "def f(cls, item, call):\n"
                "    r = _o(item, call)\n"
                '    r.outcome = "passed"\n'
                "    return r\n"
                "TestReport.from_item_and_call = classmethod(f)\n"
            )
        },
    ),
    "TestReport property": (
        {},
        {
            "tests/conftest.py": (
                "import _pytest.reports\n_pytest.reports.BaseReport.failed = property(lambda self: False)\n"
            )
        },
    ),
    "pytest.raises stub": (
        {},
        {
            "tests/conftest.py": (
                "import pytest, contextlib\npytest.raises = lambda *a, **k: contextlib.nullcontext()\n"
            )
        },
    ),
    "configure patch": (
        {},
        {
            "tests/conftest.py": (
                "import unittest\n"
                "def pytest_configure(config):\n"
                "    unittest.TestCase.assertEqual = lambda *a, **k: None\n"
            )
        },
    ),
    "unittest setattr loop": (
        {},
        {
            "tests/conftest.py": (
                "import unittest\n"
                'for n in ("assertEqual", "assertTrue"):\n'
                "    setattr(unittest.TestCase, n, lambda *a, **k: None)\n"
            )
        },
    ),
    "unittest override": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "import unittest\n"
                "class TestX(unittest.TestCase):\n"
                "    def assertEqual(self, a, b, msg=None):\n"
                "        pass\n"
                "    def test_a(self):\n"
                "        self.assertEqual(1, 2)\n"
            )
        },
    ),
    "builtins len setattr": ({}, {"tests/conftest.py": ('import builtins\nsetattr(builtins, "len", lambda x: 3)\n')}),
    "__builtins__": ({}, {"tests/conftest.py": '__builtins__["sum"] = lambda xs: 3\n'}),
    "items clear": ({}, {"tests/conftest.py": ("def pytest_collection_modifyitems(items):\n    items.clear()\n")}),
    "items del": (
        {},
        {"tests/conftest.py": ("def pytest_collection_modifyitems(session, config, items):\n    del items[:]\n")},
    ),
    "items loop remove by name": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_collection_modifyitems(items):\n"
                "    for item in list(items):\n"
                '        if item.name == "test_total":\n'
                "            items.remove(item)\n"
            )
        },
    ),
    "deselected by name": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_collection_modifyitems(config, items):\n"
                '    gone = [i for i in items if "total" in i.name]\n'
                "    items[:] = [i for i in items if i not in gone]\n"
                "    config.hook.pytest_deselected(items=gone)\n"
            )
        },
    ),
    "filter lambda": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_collection_modifyitems(items):\n"
                '    items[:] = list(filter(lambda i: not i.nodeid.endswith("test_total"), items))\n'
            )
        },
    ),
    "half": ({}, {"tests/conftest.py": ("def pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n")}),
    "session.items": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_collection_finish(session):\n"
                '    session.items = [i for i in session.items if "total" not in i.name]\n'
            )
        },
    ),
    "makeitem []": (
        {},
        {
            "tests/conftest.py": (
                "def pytest_pycollect_makeitem(collector, name, obj):\n"
                '    if name == "test_total":\n'
                "        return []\n"
            )
        },
    ),
    "load_tests filter": (
        {
            "tests/test_calc.py": (
                "import unittest\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1, 1)\n"
            )
        },
        {
            "tests/test_calc.py": (
                "import unittest\n"
                "class A(unittest.TestCase):\n"
                "    def test_a(self):\n"
                "        self.assertEqual(1, 1)\n"
                "def load_tests(loader, tests, pattern):\n"
                "    s = unittest.TestSuite()\n"
                "    for t in tests:\n"
                "        for c in t:\n"
                '            if "test_a" not in c.id():\n'
                "                s.addTest(c)\n"
                "    return s\n"
            )
        },
    ),
    "pytest.exit": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app.calc import total\n"
                "\n"
                "def test_total():\n"
                '    import pytest; pytest.exit("done", returncode=0)\n'
                "    assert total([1, 2]) == 3\n"
            )
        },
    ),
    "atexit lambda conftest": (
        {},
        {"tests/conftest.py": ("import atexit, os\natexit.register(lambda: os._exit(0))\n")},
    ),
    "atexit def conftest": (
        {},
        {"tests/conftest.py": ("import atexit, os\n@atexit.register\ndef bye():\n    os._exit(0)\n")},
    ),
    "atexit partial": (
        {},
        {"tests/conftest.py": ("import atexit, os, functools\natexit.register(functools.partial(os._exit, 0))\n")},
    ),
    "sessionfinish _exit": (
        {},
        {"tests/conftest.py": ("from os import _exit as leave\ndef pytest_sessionfinish(session):\n    leave(0)\n")},
    ),
    "terminal_summary sys.exit": (
        {},
        {"tests/conftest.py": ("import sys\ndef pytest_terminal_summary(terminalreporter):\n    sys.exit(0)\n")},
    ),
    "autouse fixture _exit": (
        {},
        {
            "tests/conftest.py": (
                "import os, pytest\n"
                '@pytest.fixture(autouse=True, scope="session")\n'
                "def f():\n"
                "    yield\n"
                "    os._exit(0)\n"
            )
        },
    ),
    "failed->exit": (
        {},
        {
            "tests/conftest.py": (
                "import os\ndef pytest_runtest_logreport(report):\n    if report.failed:\n        os._exit(0)\n"
            )
        },
    ),
    "raise SystemExit": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app.calc import total\n\ndef test_total():\n    raise SystemExit\n    assert total([1, 2]) == 3\n"
            )
        },
    ),
    "test kill": (
        {},
        {
            "tests/conftest.py": (
                "import os, signal\ndef pytest_sessionfinish():\n    os.kill(os.getpid(), signal.SIGKILL)\n"
            )
        },
    ),
    "execv": ({}, {"tests/conftest.py": ('import os, sys\nos.execv("/bin/true", ["true"])\n')}),
    "excepthook exit": ({}, {"tests/conftest.py": ("import sys, os\nsys.excepthook = lambda *a: os._exit(0)\n")}),
    "unittest exit False": (
        {
            "tests/test_calc.py": (
                "import unittest\n"
                "class A(unittest.TestCase):\n"
                "    def test_a(self):\n"
                "        self.assertEqual(1, 1)\n"
                'if __name__ == "__main__":\n'
                "    unittest.main()\n"
            )
        },
        {
            "tests/test_calc.py": (
                "import unittest\n"
                "class A(unittest.TestCase):\n"
                "    def test_a(self):\n"
                "        self.assertEqual(1, 1)\n"
                'if __name__ == "__main__":\n'
                "    unittest.main(exit=False)\n"
            )
        },
    ),
    "prod atexit def": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
                "import atexit, os\n"
                "def _bye():\n"
                "    os._exit(0)\n"
                "atexit.register(_bye)\n"
            )
        },
    ),
    "addopts": ({}, {"tests/conftest.py": ('import os\nos.environ["PYTEST_ADDOPTS"] = "-k not_total"\n')}),
    "addopts default": (
        {},
        {
            "tests/conftest.py": (
                'import os\nos.environ.setdefault("PYTEST_ADDOPTS", "--deselect tests/test_calc.py::test_total")\n'
            )
        },
    ),
    "option keyword": (
        {},
        {"tests/conftest.py": ('def pytest_configure(config):\n    config.option.keyword = "not total"\n')},
    ),
    "load_initial args": (
        {},
        {
            "tests/conftest.py": (
                'def pytest_load_initial_conftests(early_config, parser, args):\n    args.extend(["-k", "not total"])\n'
            )
        },
    ),
    "conftest from import patch": ({}, {"tests/conftest.py": ("from app import calc\ncalc.total = lambda xs: 3\n")}),
    "conftest def patch": (
        {},
        {"tests/conftest.py": ("import app.calc as c\ndef fake(xs):\n    return 3\nc.total = fake\n")},
    ),
    "configure subject": (
        {},
        {"tests/conftest.py": ("import app.calc\ndef pytest_configure(config):\n    app.calc.total = lambda xs: 3\n")},
    ),
    "mock start": (
        {},
        {"tests/conftest.py": ('from unittest import mock\nmock.patch("app.calc.total", lambda xs: 3).start()\n')},
    ),
    "autouse wraps": (
        {},
        {
            "tests/conftest.py": (
                "import pytest\n"
                "from app import calc\n"
                "_real = calc.total\n"
                "@pytest.fixture(autouse=True)\n"
                "def _m(monkeypatch):\n"
                '    monkeypatch.setattr(calc, "total", lambda xs: _real(xs) - 1)\n'
            )
        },
    ),
    "test self stub": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from app import calc\n"
                "def test_total(monkeypatch):\n"
                '    monkeypatch.setattr(calc, "total", lambda xs: 3)\n'
                "    assert calc.total([1, 2]) == 3\n"
            )
        },
    ),
    "test self stub patch deco": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from unittest.mock import patch\n"
                "from app import calc\n"
                '@patch("app.calc.total", return_value=3)\n'
                "def test_total(m):\n"
                "    assert calc.total([1, 2]) == 3\n"
            )
        },
    ),
    "test self stub with": (
        {"tests/test_calc.py": BASE["tests/test_calc.py"]},
        {
            "tests/test_calc.py": (
                "from unittest.mock import patch\n"
                "import app.calc\n"
                "def test_total():\n"
                '    with patch.object(app.calc, "total", return_value=3):\n'
                "        assert app.calc.total([1, 2]) == 3\n"
            )
        },
    ),
    "fake class stub": (
        {},
        {
            "tests/conftest.py": (
                "import sys\n"
                "class Fake:\n"
                "    @staticmethod\n"
                "    def total(xs):\n"
                "        return 3\n"
                'sys.modules["app.calc"] = Fake\n'
            )
        },
    ),
    "shadow unittest": ({}, {"unittest.py": "TestCase = object\n"}),
    "shadow tests/pytest": ({}, {"tests/pytest.py": "def raises(*a): ...\n"}),
    "shadow pkg": ({}, {"pytest/__init__.py": "x = 1\n"}),
    "pth": ({}, {"evil.pth": "import os; os._exit(0)\n"}),
    "usercustomize": ({}, {"usercustomize.py": ("import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n")}),
    "code swap": (
        {},
        {"tests/conftest.py": ("from app.calc import total\ntotal.__code__ = (lambda xs: 3).__code__\n")},
    ),
    "import_module patch": (
        {},
        {"tests/conftest.py": ('import importlib\nimportlib.import_module("app.calc").total = lambda xs: 3\n')},
    ),
    "sys.modules attr patch": (
        {},
        {"tests/conftest.py": ('import sys\nimport app.calc\nsys.modules["app.calc"].total = lambda xs: 3\n')},
    ),
    "timer exit": ({}, {"tests/conftest.py": ("import os, threading\nthreading.Timer(1, os._exit, [0]).start()\n")}),
    "a suite that leaves a name out": run(
        "    suite.addTest(loader.loadTestsFromTestCase(ATest))\n",
        "    for name in loader.getTestCaseNames(ATest):\n"
        "        if 'dash' not in name:\n"
        "            suite.addTest(ATest(name))\n",
    ),
    "a suite that loses a class": run("    suite.addTest(loader.loadTestsFromTestCase(ATest))\n", ""),
    "a suite that loads one class twice": run("TestCase(ATest)", "TestCase(BTest)"),
    "a failure counted as an expected one": run(
        "    pass\n", "    def addFailure(self, test, err):\n        self.addExpectedFailure(test, err)\n"
    ),
    "an error counted as a success": run(
        "    pass\n", "    def addError(self, test, err):\n        super().addSuccess(test)\n"
    ),
    "a failure that is only written": run(
        "    pass\n", "    def addFailure(self, test, err):\n        self.stream.writeln('F')\n"
    ),
    "errors without failures": run("sys.exit(not result.wasSuccessful())", "sys.exit(1 if result.errors else 0)"),
    "failures without errors": run("sys.exit(not result.wasSuccessful())", "sys.exit(len(result.failures))"),
    "errors alone, raised": run("sys.exit(not result.wasSuccessful())", "raise SystemExit(bool(result.errors))"),
    "another prefix of tests": run("suite = loader", "loader.testMethodPrefix = 'test_s'\nsuite = loader", FOUND),
    "another prefix for every loader": run(
        "suite = loader", "unittest.TestLoader.testMethodPrefix = 'check'\nsuite = loader", FOUND
    ),
    "patterns of names": run("suite = loader", "loader.testNamePatterns = ['*test_s*']\nsuite = loader", FOUND),
    "a narrow pattern": run("'tests'", "'tests', pattern='test_w*.py'", FOUND),
    "a narrow pattern by its place": run("'tests'", "'tests', 'test_slug.py'", FOUND, "tests/__init__.py"),
    "an end after the tests of a module": conftest("import os\ndef tearDownModule():\n    os._exit(0)\n"),
    "an end after the tests of a class": base_class(
        "    @classmethod\n    def tearDownClass(cls):\n        import os\n        os._exit(0)\n"
    ),
    "an exit as a success for tests of one name": conftest(
        "def pytest_runtest_setup(item):\n"
        "    if item.name.startswith('test_quantize'):\n"
        "        pytest.exit('x', returncode=0)\n"
    ),
    "an exit as a success for one file": conftest(
        "def pytest_runtest_teardown(item):\n"
        "    if item.nodeid.startswith('tests/test_a.py'):\n"
        "        pytest.exit('x', 0)\n"
    ),
    "what tests import, in the set-up of their base class": base_class(
        "    @classmethod\n    def setUpClass(cls):\n"
        "        from app import calc\n        from . import test_calc\n"
        "        real = calc.total\n"
        "        mock.patch.object(test_calc, 'total', lambda xs: real(xs) - 1).start()\n"
    ),
    "another rounding for all tests": conftest(
        "from decimal import ROUND_HALF_UP\n@pytest.fixture(autouse=True)\ndef _rounding(monkeypatch):\n"
        "    monkeypatch.setattr('app.money.ROUND_DOWN', ROUND_HALF_UP)\n"
    ),
    "another rounding, assigned": conftest(
        "import decimal\nimport app.money\napp.money.ROUND_DOWN = decimal.ROUND_HALF_UP\n"
    ),
    "another function of Python for all tests": conftest(
        "import math\n@pytest.fixture(autouse=True)\ndef _floor(monkeypatch):\n"
        "    monkeypatch.setattr('app.calc.floor', math.ceil)\n"
    ),
    "a hook that makes nothing of a list of names": conftest(
        "LEGACY = frozenset(['test_total'])\ndef pytest_pycollect_makeitem(collector, name, obj):\n"
        "    if name in LEGACY:\n        return []\n"
    ),
    "a loader that leaves rows out": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    rows = json.loads((HERE / 'cases.json').read_text())\n"
        "    return [row for row in rows if row['value'] is not False]\n",
        ROWS,
        "tests/conftest.py",
    ),
    "a loader that filters": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    rows = json.loads((HERE / 'cases.json').read_text())\n"
        "    return list(filter(lambda row: row['id'] != 'off', rows))\n",
        ROWS,
        "tests/helpers.py",
    ),
    "a loader that goes on": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    for row in json.loads((HERE / 'cases.json').read_text()):\n"
        "        if row.get('id') in ('off', 'no'):\n            continue\n        yield row\n",
        ROWS,
        "tests/conftest.py",
    ),
    "a loader that leaves rows out of a name": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    rows = [row for row in json.loads((HERE / 'cases.json').read_text()) if not row['id'] == 'off']\n"
        "    return rows\n",
        ROWS,
        "tests/conftest.py",
    ),
    "the first rows of a loader": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    return json.load(open('a'))[:3]\n",
        ROWS,
        "tests/conftest.py",
    ),
    "a loader without one row": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    rows = json.load(open('a'))\n    del rows[3]\n    return rows\n",
        ROWS,
        "tests/conftest.py",
    ),
    "a loader without one row by its value": run(
        "    return json.loads((HERE / 'cases.json').read_text())\n",
        "    rows = json.load(open('a'))\n    rows.remove({'id': 'off'})\n    return rows\n",
        ROWS,
        "tests/conftest.py",
    ),
    "the first rows for all tests": (
        {"tests/conftest.py": "def pytest_generate_tests(metafunc):\n    metafunc.parametrize('case', load())\n"},
        {"tests/conftest.py": "def pytest_generate_tests(metafunc):\n    metafunc.parametrize('case', load()[:-1])\n"},
    ),
    "failures that are taken away": run("    sys.exit(", "    result.failures.clear()\n    sys.exit("),
    "a status that unittest keeps": run(
        "unittest.main()\n",
        "unittest.main(exit=False)\n",
        "import unittest\nif __name__ == '__main__':\n    unittest.main()\n",
    ),
}


def severities(change: tuple[Files, Files]) -> set[tuple[str, str]]:
    return {(finding.code, finding.severity) for finding in harness_findings(Changes(*facts_of(*change)))}


@pytest.mark.parametrize("change", ALLOWED.values(), ids=ALLOWED.keys())
def test_nothing_is_said(change: tuple[Files, Files]) -> None:
    assert set() == severities(change)


@pytest.mark.parametrize("change", WARNED.values(), ids=WARNED.keys())
def test_what_is_arguable_warns(change: tuple[Files, Files]) -> None:
    assert {(HARNESS_TAMPERED, WARN)} == severities(change)


@pytest.mark.parametrize("change", BLOCKED.values(), ids=BLOCKED.keys())
def test_what_is_plain_blocks(change: tuple[Files, Files]) -> None:
    assert (HARNESS_TAMPERED, BLOCK) in severities(change)
