"""E_TEST_REMOVED: tests that are gone, and those that only look so."""

from __future__ import annotations

import pytest

from agentgate_git.model.code import TEST_REMOVED
from agentgate_git.model.facts import FileFacts
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.policy.weakening.assertion_ledger import settled
from agentgate_git.policy.weakening.test_removed import removal_findings
from agentgate_git.source.facts import read_facts

HEAD = "from app.calc import total, scale\n\n"
A = "def test_total():\n    assert total([1, 2]) == 3\n"
B = "def test_scale():\n    assert scale(2, 3) == 6\n"
RUN = "def test_run():\n    total(1)\n"
CODE = "def total(xs):\n    return sum(xs)\n\n\ndef scale(a, b):\n    return a * b\n"
DOCTEST = 'def total(xs):\n    """Add.\n\n    >>> total([1, 2])\n    3\n    """\n    return sum(xs)\n'

RUN = "def test_run():\n    total([1])\n"

MADE = "def test_{}():\n    with made({}) as task:\n        assert task.wait() == 0\n"

Files = dict[str, str]


def findings(base: Files, head: Files) -> list[tuple[str, str, str]]:
    def facts(files: Files) -> tuple[FileFacts, ...]:
        return tuple(
            read_facts(path, ((HEAD if path.startswith("tests") else "") + text).encode())
            for path, text in files.items()
        )

    return [(one.code, one.severity, one.path) for one in removal_findings(settled(facts(base), facts(head)))]


LEFT_OUT = "def test_total_is_left_out():\n    got = report([])\n    assert 'total' not in got\n\n\n"
NOTHING = "def test_total_is_nothing_and_not_left_out():\n    got = report([])\n    assert got['total'] == 0\n\n\n"
EDITED = CODE.replace("sum(xs)", "sum(xs) + 1")
KEPT: dict[str, tuple[Files, Files]] = {
    "renamed": ({"tests/test_a.py": A + B}, {"tests/test_a.py": A.replace("total()", "sum()") + B}),
    "moved": ({"tests/test_a.py": A + B}, {"tests/test_a.py": B, "tests/test_b.py": A}),
    "renamed and edited": (
        {"tests/test_a.py": "def test_both():\n    assert total(1) == 1\n    assert total(2) == 2\n"},
        {"tests/test_a.py": "def test_two():\n    x = 1\n    assert total(1) == 1\n    assert total(2) == 2\n"},
    ),
    "merged": (
        {"tests/test_a.py": A + B},
        {"tests/test_a.py": "def test_all():\n    assert total([1, 2]) == 3\n    assert scale(2, 3) == 6\n"},
    ),
    "rows of one test": (
        {"tests/test_a.py": A + "def test_none():\n    assert total([]) == 0\n"},
        {
            "tests/test_a.py": "import pytest\n@pytest.mark.parametrize('xs, want', [([1, 2], 3), ([], 0)])\n"
            "def test_sums(xs, want):\n    assert total(xs) == want\n"
        },
    ),
    "with its subject": (
        {"tests/test_a.py": A + B, "app/calc.py": CODE},
        {"tests/test_a.py": B, "app/calc.py": CODE.partition("\n\n\n")[2]},
    ),
    "without an assertion, beside a new test": ({"tests/test_a.py": A + RUN}, {"tests/test_a.py": A + B}),
    "without an assertion, beside new code": (
        {"tests/test_a.py": A + RUN, "app/calc.py": CODE},
        {"tests/test_a.py": A, "app/calc.py": CODE.replace("a * b", "b * a")},
    ),
    "without an assertion or a call": ({"tests/test_a.py": A + "def test_run():\n    pass\n"}, {"tests/test_a.py": A}),
    "without an assertion, beside code": (
        {"tests/test_a.py": A + RUN, "app/calc.py": CODE},
        {"tests/test_a.py": A, "app/calc.py": CODE.replace("sum(xs)", "sum(list(xs))")},
    ),
    "without an assertion, renamed": (
        {"tests/test_a.py": A + RUN},
        {"tests/test_a.py": A + RUN.replace("test_run", "test_it_runs").replace("(1)", "(2)")},
    ),
    "without a call": ({"tests/test_a.py": A + "def test_todo():\n    pass\n"}, {"tests/test_a.py": A}),
    "skipped before": ({"tests/test_a.py": A + "import pytest\n@pytest.mark.skip\n" + B}, {"tests/test_a.py": A}),
    "a doctest that became a test": (
        {"app/calc.py": DOCTEST},
        {"app/calc.py": DOCTEST.replace(">>> ", ""), "tests/test_b.py": A},
    ),
    "merged, with another argument": (
        {"tests/test_a.py": A + "def test_x():\n    x = total([2, 1])\n    assert x.size == 2\n"},
        {"tests/test_a.py": "def test_x():\n    assert total([2, 1]) == 3\n    assert total([2, 1]).size == 2\n"},
    ),
    "two tests that became rows of a third, whose values say nothing": (
        {"tests/test_a.py": MADE.format("a", "'a.py'") + MADE.format("b", "'b.py'") + B},
        {
            "tests/test_a.py": "import pytest\n@pytest.mark.parametrize('name', ['a.py', 'b.py'])\n"
            + MADE.format("all", "name").replace("()", "(name)")
            + B
        },
    ),
    "asked anew under another name, as the code changed": (
        {"tests/test_a.py": LEFT_OUT + B, "app/calc.py": CODE},
        {"tests/test_a.py": NOTHING + B, "app/calc.py": EDITED},
    ),
    "a doctest that moved": ({"app/calc.py": DOCTEST}, {"app/sums.py": DOCTEST}),
}


@pytest.mark.parametrize(("base", "head"), KEPT.values(), ids=KEPT)
def test_a_test_that_is_still_there_or_had_to_go_is_nothing(base: Files, head: Files) -> None:
    assert [] == findings(base, head)


IMPORT = "import pytest\n"
TWICE = "@pytest.fixture(params=(1, 2))\ndef many(request):\n    return [request.param, 3 - request.param]\n"
GONE: dict[str, tuple[Files, Files]] = {
    "deleted, and nothing else": ({"tests/test_a.py": A + B}, {"tests/test_a.py": B}),
    "its subject is edited": (
        {"tests/test_a.py": A + B, "app/calc.py": CODE},
        {"tests/test_a.py": B, "app/calc.py": CODE.replace("sum(xs)", "sum(xs) + 1")},
    ),
    "asked anew less closely, as the code changed": (
        {"tests/test_a.py": LEFT_OUT + B, "app/calc.py": CODE},
        {"tests/test_a.py": NOTHING.replace("got['total'] == 0", "got") + B, "app/calc.py": EDITED},
    ),
    "another is asked under such a name, as the code changed": (
        {"tests/test_a.py": LEFT_OUT + B, "app/calc.py": CODE},
        {"tests/test_a.py": NOTHING.replace("report(", "summary(") + B, "app/calc.py": EDITED},
    ),
    "with its file, as another came": ({"tests/test_a.py": A}, {"tests/test_b.py": B}),
    "with its file, as settings changed": (
        {"tests/test_a.py": A, "pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-q'\n"},
        {"pyproject.toml": "[tool.pytest.ini_options]\naddopts = '-v'\n"},
    ),
    "without an assertion, and nothing else": ({"tests/test_a.py": A + RUN}, {"tests/test_a.py": A}),
    "told of in a comment": ({"tests/test_a.py": A + B}, {"tests/test_a.py": "# def of test_total was odd\n" + B}),
    "commented out before as well": (
        {"tests/test_a.py": A + "# def test_total():\n" + B},
        {"tests/test_a.py": "# def test_total():\n" + B},
    ),
    "taken over by a fixture with rows": (
        {"tests/test_a.py": IMPORT + A + A.replace("total()", "total_of_few()").replace("[1, 2]", "few()")},
        {"tests/test_a.py": IMPORT + TWICE + A.replace("total()", "total(many)").replace("[1, 2]", "many")},
    ),
    "two thirds of it, the rest asserted by another": (
        {
            "tests/test_a.py": "def test_lax():\n    x = total([2, 1])\n    assert x.size == 2\n"
            "    assert x.kind == 'lax'\n    assert total([9]) == 8\n\n\n" + B
        },
        {"tests/test_a.py": B.rstrip() + "\n    assert total([9]) == 8\n"},
    ),
    "a doctest turned to prose": ({"app/calc.py": DOCTEST}, {"app/calc.py": DOCTEST.replace(">>> ", "")}),
}
OTHER = B.replace("assert", "got = 6\n    assert")
BESIDE: dict[str, tuple[Files, Files]] = {
    "commented out": ({"tests/test_a.py": A + B}, {"tests/test_a.py": "# " + A.replace("\n    ", "\n#     ") + B}),
    "inside another": (
        {"tests/test_a.py": B + A},
        {"tests/test_a.py": B + "    " + A.replace("\n    ", "\n        ")},
    ),
    "merged, with another value": (
        {"tests/test_a.py": A + "def test_x():\n    x = total([2, 1])\n    assert x.size == 2\n"},
        {"tests/test_a.py": "def test_x():\n    assert total([2, 1]) == 4\n    assert total([2, 1]).size == 2\n"},
    ),
    "with its file": ({"tests/test_a.py": A}, {}),
    "while another is edited": ({"tests/test_a.py": A + B}, {"tests/test_a.py": OTHER}),
}


@pytest.mark.parametrize(("base", "head"), GONE.values(), ids=GONE)
def test_a_test_that_is_gone_warns(base: Files, head: Files) -> None:
    path = next(iter(base))
    assert [(TEST_REMOVED, WARN, path)] == findings(base, head)


@pytest.mark.parametrize(("base", "head"), BESIDE.values(), ids=BESIDE)
def test_a_test_that_is_hidden_or_gone_beside_other_edits_blocks(base: Files, head: Files) -> None:
    assert [(TEST_REMOVED, BLOCK, "tests/test_a.py")] == findings(base, head)


def test_a_row_that_lists_what_several_tests_lost_is_spent_once() -> None:
    twice = A + A.replace("test_total", "test_again").replace("3", "4")
    rows = "import pytest\n@pytest.mark.parametrize('xs', [[1, 2, 3]])\ndef test_sums(xs):\n    assert total(xs) == 3\n"
    assert [(TEST_REMOVED, WARN, "tests/test_a.py")] == findings({"tests/test_a.py": twice}, {"tests/test_a.py": rows})


@pytest.mark.parametrize(
    ("base", "head"),
    [
        pytest.param(
            {"tests/test_a.py": A + B}, {"tests/test_a.py": "# " + A.replace("\n    ", "\n#     ") + B}, id="it"
        ),
        pytest.param(
            {"tests/test_a.py": RUN + B, "app/calc.py": CODE},
            {
                "tests/test_a.py": "#" + RUN.replace("\n    ", "\n    #") + B,
                "app/calc.py": CODE.replace("a * b", "b * a"),
            },
            id="one without an assertion, beside new code",
        ),
        pytest.param(
            {"tests/test_a.py": A + B, "tests/test_b.py": B},
            {"tests/test_a.py": B, "tests/test_b.py": B + "    # async def test_total():\n    #    pass\n"},
            id="it moved into a comment of another file",
        ),
    ],
)
def test_a_test_in_a_comment_blocks(base: Files, head: Files) -> None:
    assert [(TEST_REMOVED, BLOCK, "tests/test_a.py")] == findings(base, head)
