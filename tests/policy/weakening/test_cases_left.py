"""Cases that tests are made of, and that are read no more: files that match nothing, rows that are left out."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK

Files = dict[str, str]

HEAD = "import glob, json, os\nfrom pathlib import Path\nimport pytest\nfrom app import right, ROWS\n"
TEST = '@pytest.mark.parametrize("case", {})\ndef test_a(case):\n    assert right(case)\n'
LOADED = 'CASES = json.loads(Path("tests/cases.json").read_text())\n'


def of(cases: str, before: str = "", **others: str) -> Files:
    return {
        "app.py": "ROWS = load()\n\n\ndef right(case):\n    return bool(case)\n",
        "tests/data/a.txt": "3 4 5\n",
        "tests/deep/in/b.json": "{}\n",
        "tests/test_a.py": f"{HEAD}{before}\n\n{TEST.format(cases)}",
        **others,
    }


def blocked(base: Files, head: Files) -> list[str]:
    sides = ({path: text.encode() for path, text in side.items()} for side in (base, head))
    return [one.code for one in judge_files(*sides).findings if one.severity == BLOCK]


BASE = of('Path(__file__).parent.glob("data/*.txt")')


@pytest.mark.parametrize(
    ("cases", "before"),
    [
        ('sorted(Path(__file__).parent.glob("data/*"))', ""),
        ('list(HERE.rglob("*.json"))', "HERE = Path(__file__).resolve().parent\n"),
        ('glob.glob(os.path.join(os.path.dirname(__file__), "data", "*.txt"))', ""),
        ('(Path(__file__).parents[2] / "nothing").glob("*.txt")', ""),
        ('Path(os.environ["CASES"]).glob("*.txt")', ""),
        ('(Path(__file__).parent.parent / "tests" / "deep").glob("**/*.json")', ""),
        ('(Path(__file__).parent / "data").iterdir()', ""),
    ],
)
def test_a_pattern_that_matches_or_may_is_allowed(cases: str, before: str) -> None:
    assert [] == blocked(BASE, of(cases, before))


@pytest.mark.parametrize(
    ("cases", "before"),
    [
        ('sorted(Path(__file__).parent.glob("cases/*.txt"))', ""),
        ('list(HERE.rglob("*.yaml"))', "HERE = Path(__file__).resolve().parent\n"),
        ('[one for one in glob.glob(os.path.join(os.path.dirname(__file__), "data", "*.csv"))]', ""),
        ("FILES", 'FILES = sorted((Path(__file__).parent / "gone").iterdir())\n'),
        ('(Path(__file__).parent.parent / "tests" / "deep").glob("*.json")', ""),
    ],
)
def test_a_pattern_that_matches_nothing_leaves_no_test(cases: str, before: str) -> None:
    assert ["E_SKIP_MARKER"] == blocked(BASE, of(cases, before))


def test_files_that_came_with_the_pattern_are_cases() -> None:
    head = of('Path(__file__).parent.glob("cases/*.txt")', **{"tests/cases/a.txt": "3 4 5\n"})
    assert [] == blocked(BASE, head)


def read(after: str) -> Files:
    return of("CASES", f"KNOWN_BAD = {{'zero'}}\n{after}")


@pytest.mark.parametrize(
    "after",
    [
        'CASES = [one for one in json.loads(Path("tests/cases.json").read_text()) if not one["id"].startswith("#")]\n',
        'CASES = [one for one in json.loads(Path("tests/cases.json").read_text()) if one]\n',
        'CASES = [one["raw"] for one in json.loads(Path("tests/cases.json").read_text())]\n',
    ],
)
def test_a_table_that_drops_comments_is_allowed(after: str) -> None:
    assert [] == blocked(read(LOADED), read(after))


@pytest.mark.parametrize(
    "after",
    [
        'CASES = [one for one in json.loads(Path("tests/cases.json").read_text()) if one["id"] not in KNOWN_BAD]\n',
        f'{LOADED}if os.environ.get("FULL") != "1":\n    CASES = [one for one in CASES if one != "zero"]\n',
        f"{LOADED}CASES = list(filter(lambda one: one not in KNOWN_BAD, CASES))\n",
    ],
)
def test_a_table_that_leaves_out_rows_blocks(after: str) -> None:
    assert "E_HARNESS_TAMPERED" in blocked(read(LOADED), read(after))


def test_a_new_table_has_the_rows_that_its_author_wants() -> None:
    new = (
        read(LOADED)["tests/test_a.py"] + '\n\nMORE = [one for one in json.load(open("more.json")) if one["id"] != 3]\n'
    )
    assert [] == blocked(read(LOADED), {**read(LOADED), "tests/test_a.py": new})


def test_parameters_that_are_taken_of_a_table_elsewhere() -> None:
    assert [] == blocked(of("ROWS"), of("sorted(ROWS)"))
    assert "E_HARNESS_TAMPERED" in blocked(of("ROWS"), of('[one for one in ROWS if one != "eu"]'))
