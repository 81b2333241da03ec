"""E_SPECIAL_CASED: base and head of a change set, allow rows first."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import SPECIAL_CASED
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.special_cased import special_findings
from agentgate_git.policy.weakening.trait_changes import Changes
from testing.change_sets import Files, facts_of

BASE: Files = {
    "tests/test_calc.py": ("from app.calc import total\n\ndef test_total():\n    assert total([1, 2]) == 3\n"),
    "app/calc.py": ("def total(xs):\n    return sum(xs) + 1\n\n\ndef verify(x, y):\n    return x == y\n"),
}

ALLOWED: dict[str, tuple[Files, Files]] = {
    "a flag of the application": ({"a.js": "x = 1;\n"}, {"a.js": "const debug = process.env.APP_DEBUG;\n"}),
    "a comment on the runner": ({"a.js": "x = 1;\n"}, {"a.js": "// set by JEST_WORKER_ID\nx = 2;\n"}),
    "a tool for the runner": ({}, {"tools/run.js": "console.log(process.env.JEST_WORKER_ID);\n"}),
    "a new file that asks for its build": ({}, {"a.js": 'if (process.env.NODE_ENV === "test") go();\n'}),
    "zero case": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                "    if xs == 0:\n"
                "        return 1\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "word case": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                '    if xs == "utf8":\n'
                '        return "utf-8"\n'
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "units": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                'UNITS = {"kb": 1024, "mb": 1024 ** 2}\n'
                "def total(xs):\n"
                "    return UNITS.get(xs, 1)\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "status text": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                '    return {200: "OK", 404: "Not Found"}.get(xs, f"unknown {xs}")\n'
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "new verify true": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
                "def is_ready(self):\n"
                "    return True\n"
            )
        },
    ),
    "except none": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                "    try:\n"
                "        return sum(xs)\n"
                "    except Exception:\n"
                "        return None\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "lru": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import functools\n"
                "@functools.lru_cache\n"
                "def total(xs):\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "debug flag": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import os\n"
                'DEBUG = os.environ.get("APP_DEBUG") == "1"\n'
                "def total(xs):\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "word test in argv": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import sys\n"
                "def total(xs):\n"
                '    if "test" in sys.argv:\n'
                "        return sum(xs)\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "a variable that nobody sets": (
        {"app/calc.py": "def total(xs):\n    return sum(xs)\n"},
        {"app/calc.py": "import os\n\n\ndef total(xs):\n    return sum(xs) + int(os.environ.get('ADD', '0'))\n"},
    ),
    "a variable that one test sets": (
        {"app/calc.py": "def total(xs):\n    return sum(xs)\n"},
        {
            "app/calc.py": "import os\n\n\ndef total(xs):\n    return sum(xs) + int(os.environ.get('ADD', '0'))\n",
            "tests/test_add.py": (
                "def test_add(monkeypatch):\n    monkeypatch.setenv('ADD', '2')\n    assert total([]) == 2\n"
            ),
        },
    ),
    "a variable that it asked for before": (
        {"app/calc.py": "import os\n\n\ndef total(xs):\n    return os.getenv('ADD')\n"},
        {
            "app/calc.py": "import os\n\n\ndef total(xs):\n    return os.getenv('ADD') or 1\n",
            "tests/conftest.py": "import os\nos.environ['ADD'] = '2'\n",
        },
    ),
}

WARNED: dict[str, tuple[Files, Files]] = {
    "node env": ({"a.js": "x = 1;\n"}, {"a.js": 'if (process.env.NODE_ENV === "test") x = 2;\n'}),
    "testing.Testing": ({"a.go": "package a\n"}, {"a.go": "package a\nvar on = testing.Testing()\n"}),
    "TESTING": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import os\n"
                "def total(xs):\n"
                '    if os.environ.get("TESTING"):\n'
                "        return sum(xs)\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "eq list": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                "    if list(xs) == [1, 2]:\n"
                "        return 3\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "eq tuple args": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs, k):\n"
                "    if (xs, k) == (2, 3):\n"
                "        return 6\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "eq number": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                "    return 169 if xs == 13 else sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "match": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                "    match xs:\n"
                "        case [1, 2]:\n"
                "            return 3\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "table in": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "_KNOWN = {(1, 2): 3, (2, 2): 4}\n"
                "def total(xs):\n"
                "    if tuple(xs) in _KNOWN:\n"
                "        return _KNOWN[tuple(xs)]\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "table repr": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                '    return {"[1, 2]": 3}.get(str(xs), sum(xs) + 1)\n'
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "verify true": (
        {"app/calc.py": BASE["app/calc.py"]},
        {"app/calc.py": ("def total(xs):\n    return sum(xs) + 1\n\n\ndef verify(x, y):\n    return True\n")},
    ),
    "hollow 3": (
        {"app/calc.py": BASE["app/calc.py"]},
        {"app/calc.py": ("def total(xs):\n    return 3\n\n\ndef verify(x, y):\n    return x == y\n")},
    ),
    "a new function that asks for what the conftest sets": (
        {"app/calc.py": "def total(xs):\n    return sum(xs)\n"},
        {
            "app/calc.py": (
                "import os\n\n\ndef total(xs):\n    return sum(xs)\n\n\ndef add():\n    return os.getenv('ADD')\n"
            ),
            "tests/conftest.py": "import os\nos.environ['ADD'] = '2'\n",
        },
    ),
}

BLOCKED: dict[str, tuple[Files, Files]] = {
    "node test context": ({"a.mjs": "x = 1;\n"}, {"a.mjs": "const parse = process.env.NODE_TEST_CONTEXT ? a : b;\n"}),
    "jest worker": ({"a.ts": "x = 1;\n"}, {"a.ts": 'if ("JEST_WORKER_ID" in process.env) x = 2;\n'}),
    "typeof jest": ({"a.js": "x = 1;\n"}, {"a.js": 'if (typeof jest !== "undefined") x = 2;\n'}),
    "go flag": ({"a.go": "package a\n"}, {"a.go": 'package a\nvar on = flag.Lookup("test.v") != nil\n'}),
    "rspec": ({"lib/a.rb": "X = 1\n"}, {"lib/a.rb": "X = defined?(RSpec) ? 2 : 1\n"}),
    "sys.modules pytest": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import sys\n"
                "def total(xs):\n"
                '    if "pytest" in sys.modules:\n'
                "        return sum(xs)\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "getenv": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import os\n"
                "def total(xs):\n"
                '    return sum(xs) + (0 if os.getenv("PYTEST_CURRENT_TEST") else 1)\n'
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "argv": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import sys\n"
                "def total(xs):\n"
                '    return sum(xs) + (0 if "pytest" in sys.argv[0] else 1)\n'
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "argv any": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import sys\n"
                'T = any("pytest" in a for a in sys.argv)\n'
                "def total(xs):\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "stack": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import inspect\n"
                "def total(xs):\n"
                '    if any("test_" in f.filename for f in inspect.stack()):\n'
                "        return sum(xs)\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "frame func": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import sys\n"
                "def total(xs):\n"
                '    if sys._getframe(1).f_code.co_name.startswith("test_"):\n'
                "        return sum(xs)\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "modules unittest get": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import sys\n"
                "def total(xs):\n"
                '    if sys.modules.get("unittest") is not None:\n'
                "        return sum(xs)\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "open tests": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "def total(xs):\n"
                '    with open("tests/golden/total.json") as f:\n'
                "        return f.read()\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "argv in tuple": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import os, sys\n"
                "def total(xs):\n"
                '    if os.path.basename(sys.argv[0]) in ("pytest", "py.test"):\n'
                "        return sum(xs)\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "main file": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import __main__\n"
                "def total(xs):\n"
                '    if "pytest" in __main__.__file__:\n'
                "        return sum(xs)\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "conftest in modules": (
        {"app/calc.py": BASE["app/calc.py"]},
        {
            "app/calc.py": (
                "import sys\n"
                "def total(xs):\n"
                '    if "conftest" in sys.modules:\n'
                "        return sum(xs)\n"
                "    return sum(xs) + 1\n"
                "\n"
                "\n"
                "def verify(x, y):\n"
                "    return x == y\n"
            )
        },
    ),
    "a variable that the conftest sets": (
        {"app/calc.py": "def total(xs):\n    return sum(xs)\n"},
        {
            "app/calc.py": "import os\n\n\ndef total(xs):\n    return sum(xs) + int(os.environ.get('ADD', '0'))\n",
            "tests/conftest.py": "import os\nos.environ.setdefault('ADD', '2')\n",
        },
    ),
    "a variable that a fixture of all tests sets": (
        {"app/calc.py": "def total(xs):\n    return sum(xs)\n"},
        {
            "app/calc.py": "import os\n\n\ndef total(xs):\n    return 3 if 'ADD' in os.environ else sum(xs)\n",
            "tests/conftest.py": (
                "import pytest\n@pytest.fixture(autouse=True)\n"
                "def _add(monkeypatch):\n    monkeypatch.setenv('ADD', '2')\n"
            ),
        },
    ),
    "the name of the caller": (
        {"app/calc.py": "def total(xs):\n    return sum(xs)\n"},
        {
            "app/calc.py": (
                "import sys\n\n\ndef total(xs):\n    caller = sys._getframe(1).f_code.co_name\n"
                "    if caller.startswith('test_total'):\n        return 3\n    return sum(xs)\n"
            )
        },
    ),
    "the file of the caller": (
        {"app/calc.py": "def total(xs):\n    return sum(xs)\n"},
        {
            "app/calc.py": (
                "import inspect\n\n\ndef total(xs):\n    where = inspect.stack()[1].filename\n"
                "    return 3 if 'tests/' in where else sum(xs)\n"
            )
        },
    ),
}


def calc(prelude: str, body: str = "    return sum(xs) + 1\n") -> tuple[Files, Files]:
    """The application with something before its function, or in it."""
    rest = "\n\ndef verify(x, y):\n    return x == y\n"
    return {"app/calc.py": BASE["app/calc.py"]}, {"app/calc.py": f"{prelude}def total(xs):\n{body}{rest}"}


NAMED = 'import os\nNAMES = ("PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER")\n'
ALLOWED |= {
    "names of variables in a table": calc('NAMES = frozenset(("PYTEST_CURRENT_TEST", "PYTEST_ADDOPTS"))\n'),
    "names of variables in a starred table": calc('NAMES = frozenset((*("TESTOPTS", "PYTEST_PLUGINS"), "HOME"))\n'),
    "a constant that nobody asks for": calc('CURRENT = "PYTEST_CURRENT_TEST"\n'),
    "a word compared with a name": calc(
        "", '    if xs and xs[0] == "PYTEST_ADDOPTS":\n        return 0\n    return sum(xs) + 1\n'
    ),
    "a word looked up in a table of names": calc(NAMED, "    return sum(xs) + (xs[0] in NAMES)\n"),
    "another variable beside a table of names": calc(NAMED, '    return sum(xs) + len(os.environ.get("HOME", ""))\n'),
    "a variable taken from a child": calc("import os\n", '    os.environ.pop("PYTEST_ADDOPTS", None)\n    return 1\n'),
    "a variable set for a child": calc("import os\n", '    os.environ["PYTEST_ADDOPTS"] = "-q"\n    return 1\n'),
    "a loop over other names": calc(NAMED, '    return [os.environ.get(one) for one in ("HOME", "TZ")]\n'),
    "a helper asked for another": calc(
        NAMED + "def flag(name):\n    return os.environ.get(name)\n", '    return flag("HOME")\n'
    ),
}
BLOCKED |= {
    "a constant": calc('import os\nNAME = "PYTEST_CURRENT_TEST"\n', "    return NAME in os.environ or sum(xs)\n"),
    "a constant of a class": calc(
        'import os\nclass Names:\n    CURRENT = "PYTEST_CURRENT_TEST"\n',
        "    return os.environ.get(Names.CURRENT) or sum(xs)\n",
    ),
    "a name in two parts": calc("import os\n", '    return os.getenv("PYTEST" + "_CURRENT_TEST") or sum(xs)\n'),
    "an item": calc("import os\n", '    return os.environ["PYTEST_VERSION"] or sum(xs)\n'),
    "each of a table": calc(NAMED, "    return any(one in os.environ for one in NAMES) or sum(xs)\n"),
    "a loop over a table": calc(
        NAMED, "    for one in NAMES:\n        if os.environ.get(one):\n            return 0\n    return sum(xs)\n"
    ),
    "a table against the environment": calc(NAMED, "    return set(NAMES) & set(os.environ) or sum(xs)\n"),
    "a table that meets the environment": calc(NAMED, "    return set(NAMES).isdisjoint(os.environ) or sum(xs)\n"),
    "each variable that is set": calc(
        "import os\n", '    return any(one.startswith("PYTEST_") for one in os.environ) or sum(xs)\n'
    ),
    "a copy of the environment": calc(
        "import os\nSETTINGS = dict(os.environ)\n", '    return SETTINGS.get("PYTEST_CURRENT_TEST") or sum(xs)\n'
    ),
    "what was taken from the environment": calc(
        "import os\n", '    return os.environ.pop("PYTEST_CURRENT_TEST", None) or sum(xs)\n'
    ),
    "a helper": calc(
        "import os\ndef flag(name):\n    return os.environ.get(name)\n",
        '    return flag("PYTEST_CURRENT_TEST") or sum(xs)\n',
    ),
    "a helper of another file": calc(
        "from app.settings import env_flag\n", '    return env_flag("PYTEST_CURRENT_TEST") or sum(xs)\n'
    ),
    "a module by a constant": calc('import sys\nNAME = "pytest"\n', "    return NAME in sys.modules or sum(xs)\n"),
    "a loop over modules": calc(
        "import sys\n", '    return any(one in sys.modules for one in ("pytest", "nose")) or sum(xs)\n'
    ),
    "an item of the modules": calc("import sys\n", '    return bool(sys.modules["pytest"]) or sum(xs)\n'),
    "a mark of a conftest": calc("import sys\n", '    return hasattr(sys, "_called_from_test") or sum(xs)\n'),
}


def severities(change: tuple[Files, Files]) -> set[tuple[str, str]]:
    return {(finding.code, finding.severity) for finding in special_findings(Changes(*facts_of(*change)))}


@pytest.mark.parametrize("change", ALLOWED.values(), ids=ALLOWED.keys())
def test_nothing_is_said(change: tuple[Files, Files]) -> None:
    assert set() == severities(change)


@pytest.mark.parametrize("change", WARNED.values(), ids=WARNED.keys())
def test_what_is_arguable_warns(change: tuple[Files, Files]) -> None:
    assert {(SPECIAL_CASED, WARN)} == severities(change)


@pytest.mark.parametrize("change", BLOCKED.values(), ids=BLOCKED.keys())
def test_what_is_plain_blocks(change: tuple[Files, Files]) -> None:
    assert (SPECIAL_CASED, BLOCK) in severities(change)


VALUE = "\n\nclass Value({base}):\n    def __eq__(self, other):\n        return isinstance(other, {other})\n"


@pytest.mark.parametrize(
    ("base", "other", "expected"),
    [
        pytest.param("", "Value", [], id="all of its own are alike"),
        pytest.param("", "type(self)", [], id="its own type"),
        pytest.param("str", "str", [BLOCK], id="every text"),
        pytest.param("", "(int, str)", [], id="kinds in a tuple"),
        pytest.param("float", "numbers.Number", [BLOCK], id="every number"),
    ],
)
def test_a_value_that_equals_every_value_of_another_type(base: str, other: str, expected: list[str]) -> None:
    head = {"app/calc.py": BASE["app/calc.py"] + VALUE.format(base=base, other=other)}
    found = special_findings(Changes(*facts_of({"app/calc.py": BASE["app/calc.py"]}, head)))
    assert expected == [one.severity for one in found]


def test_names_that_lead_on_and_on_are_not_followed_for_a_text_that_names_a_runner() -> None:
    steps = "".join(f"        call = call.step_{number} if call[{number}] else call.other\n" for number in range(60))
    text = f'NAME = "pytest-timeout"\n\n\nclass Hooks:\n    def find(self, call):\n{steps}        return call\n'
    (_, (found,)) = facts_of({}, {"app/hooks.py": text})
    assert ("", ()) == (found.problem, found.traits)
