"""Tests that help their subject along, each beside the honest change that looks like it."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.record import Record

Files = dict[str, str]

CODE = {"shop/__init__.py": "", "shop/order.py": "def total(order):\n    return 0\n", "shop/log.py": "A = 'a'\n"}
# Beside each weakening something unrelated is repaired, as agents do.
BESIDE = {**CODE, "shop/log.py": "A = 'b'\n"}
TEST = (
    "from deepdiff import DeepDiff\nfrom shop.order import total\n\n\n"
    "def test_total():\n    {}\n    assert total({}) == 0\n"
)


class Row(Record):
    """A base, a head that weakens it, what is said of that, and honest heads of which nothing is said."""

    base: Files
    weak: Files
    severity: str
    honest: tuple[Files, ...]


def row(path: str, base: str, weak: str, *honest: str, severity: str = WARN) -> Row:
    """One file of tests that changes, beside production that does."""
    return Row({**CODE, path: base}, {**BESIDE, path: weak}, severity, tuple({**BESIDE, path: one} for one in honest))


def line(base: str, weak: str, *honest: str) -> Row:
    """One line of a test that changes."""
    return row("tests/test_order.py", *(TEST.replace("{}", one, 1) for one in (base, weak, *honest)))


UNCOMPARED = {
    "a key on the list of what is ignored": row(
        "tests/compare.py",
        "IGNORED_KEYS = {'host'}\n",
        "IGNORED_KEYS = {'host', 'total'}\n",
        "IGNORED_KEYS = {'host', 'generated_at'}\n",
        "IGNORED_KEYS = {'port'}\n",
    ),
    "files that are no part of a comparison": row(
        "tests/compare.py",
        "EXCLUDE_PATHS = ['a']\nIGNORED = ['x']\n",
        "EXCLUDE_PATHS = ['a', 'b']\nIGNORED = ['x']\n",
        "EXCLUDE_PATHS = ['a']\nIGNORED = ['x', 'y']\n",
    ),
    "a path that is left out": line(
        "assert DeepDiff(total(1), WANT) == {}",
        "assert DeepDiff(total(1), WANT, exclude_paths=[\"root['sum']\"]) == {}",
        "assert DeepDiff(total(1), WANT, exclude_paths=[\"root['created_at']\"]) == {}",
        "assert DeepDiff(total(1), WANT) == {}\n    assert DeepDiff(total(2), X, exclude_paths=['sum']) == {}",
    ),
    "one key more": line(
        "assert total(1) == snapshot(exclude=props('id'))",
        "assert total(1) == snapshot(exclude=props('id', 'sum'))",
        "assert total(1) == snapshot(exclude=props('id', 'uuid'))",
    ),
}
CONFTEST = (
    "import pytest\nfrom shop.main import app, deps, limits\n\n\n"
    "@pytest.fixture\ndef client():\n    {}\n    yield app()\n"
)


def set_up(base: str, weak: str, *honest: str) -> Row:
    """One line of a fixture of a conftest that changes."""
    return row("tests/conftest.py", *(CONFTEST.format(one) for one in (base, weak, *honest)))


SET_UP = {
    "who is asked for a user": set_up(
        "app.go()",
        "app.dependency_overrides[deps.current_user] = lambda: 'ann'",
        "app.dependency_overrides[deps.get_db] = lambda: 'memory'",
        "app.stop()",
    ),
    "who is asked, several at once": set_up(
        "app.go()",
        "app.dependency_overrides.update({deps.verify_token: lambda: True})",
        "app.dependency_overrides.update({deps.session: lambda: None})",
    ),
    "every error is answered": set_up(
        "app.go()",
        "\n    @app.errorhandler(Exception)\n    def _said(e):\n        return {}, 200\n",
        "\n    @app.errorhandler(NotFound)\n    def _said(e):\n        return {}, 404\n",
    ),
    "every error is answered by a call": set_up(
        "app.go()", "app.add_exception_handler(Exception, print)", "app.add_exception_handler(MyError, print)"
    ),
    "errors that stay in the server": set_up(
        "web = Client(app)", "web = Client(app, raise_server_exceptions=False)", "web = Client(app, base_url='x')"
    ),
    "a configuration that keeps errors": set_up(
        "app.go()", "app.config['PROPAGATE_EXCEPTIONS'] = False", "app.config['PROPAGATE_EXCEPTIONS'] = True"
    ),
    "keys of others that are not looked at": set_up(
        "db.run('PRAGMA foreign_keys=ON')",
        "db.run('PRAGMA foreign_keys=OFF')",
        "db.run('PRAGMA foreign_keys = 1')",
        "db.run('PRAGMA foreign_keys=ON')\n    db.run('PRAGMA recursive_triggers=ON')",
    ),
    "keys that are no longer looked at": set_up(
        "db.run('PRAGMA foreign_keys=ON')", "db.run('PRAGMA cache_size=2')", "db.run('pragma foreign_keys = on')"
    ),
    "constraints that are dropped": set_up(
        "app.go()",
        "db.run('ALTER TABLE orders DROP CONSTRAINT positive')",
        "db.run('SET FOREIGN_KEY_CHECKS=0')\n    db.clear()\n    db.run('SET FOREIGN_KEY_CHECKS=1')",
    ),
    "a limit of the product": row(
        "tests/test_order.py",
        TEST.replace("{}", "assert total(1) == 0", 1),
        "import pytest\nfrom shop import order\n\n\n@pytest.fixture(autouse=True)\ndef limit(monkeypatch):\n"
        "    monkeypatch.setattr(order, 'MAX_BYTES', 9)\n\n\n" + TEST.replace("{}", "assert total(1) == 0", 1),
        "import pytest\nfrom shop import order\n\n\n@pytest.fixture(autouse=True)\ndef limit(monkeypatch):\n"
        "    monkeypatch.setattr(order, 'MAX_WAIT', 0)\n\n\n" + TEST.replace("{}", "assert total(1) == 0", 1),
        TEST.replace("{}", "assert total(1) == 0", 1)
        + "\n\ndef test_limit(monkeypatch):\n    monkeypatch.setattr('shop.order.MAX_BYTES', 3)\n    assert total(4)\n",
    ),
}
IN_TESTS = {
    "the file that is to be written": line(
        "target = tmp_path / 'a'\n    total(target)\n    assert target.read_text() == '1'",
        "target = tmp_path / 'a'\n    target.write_text('1')\n    total(target)\n    assert target.read_text() == '1'",
        "target = tmp_path / 'a'\n    target.write_text('0')\n    total(target)\n    assert target.read_text() == '1'",
        "target = tmp_path / 'a'\n    target.parent.mkdir()\n    total(target)\n    assert target.read_text() == '1'",
    ),
    "a file that is to be there": line(
        "target = tmp_path / 'a'\n    total(target)\n    assert target.exists()",
        "target = tmp_path / 'a'\n    target.touch()\n    total(target)\n    assert target.exists()",
        "tmp = tmp_path / 'b'\n    tmp.touch()\n    target = tmp_path / 'a'\n    total(target)\n"
        "    assert target.exists()",
    ),
    "a lock around the subject": line(
        "run(lambda: total(1))",
        "lock = threading.Lock()\n\n    def one():\n        with lock:\n            return total(1)\n\n    run(one)",
        "lock = threading.Lock()\n\n    def one():\n        a = total(1)\n        with lock:\n"
        "            all.append(a)\n\n    run(one)",
        "meet = threading.Barrier(2)\n    run(lambda: (meet.wait(), total(1)))",
    ),
}
OTHER_SUBJECTS = {
    "an order that the test asks for": line(
        "assert titles(total(1)) == ['a', 'b']",
        "assert titles(total(1).order_by('title')) == ['a', 'b']",
        "found = total(1)\n    assert titles(found) == ['a', 'b']",
    ),
    "a private part": line(
        "assert shop.order.total(1) == 18",
        "assert shop.order._net(1) * 2 == 18",
        "assert shop.order._net(1) == 9\n    assert shop.order.total(1) == 18",
    ),
}
LOADED = "import random\n\n\nclass Loaded(random.Random):\n    def {}(self, a, b):\n        return b\n\n\n"
ALONE = {
    "dice of its own": Row(
        {**CODE, "tests/test_order.py": LOADED.format("randint") + TEST.format("assert total(9) == 1", 2)},
        {**CODE, "tests/test_order.py": LOADED.format("randint") + TEST.format("assert total(Loaded(1)) == 1", 2)},
        BLOCK,
        ({**CODE, "tests/test_order.py": LOADED.format("again") + TEST.format("assert total(9) == 1", 2)},),
    ),
    "a stub that goes before the module": Row(
        {"lib/order.py": CODE["shop/order.py"], "pytest.ini": "[pytest]\npythonpath = lib\n", "tests/test_a.py": TEST},
        {
            "lib/order.py": CODE["shop/order.py"],
            "tests/test_a.py": TEST,
            "tests/stubs/order.py": "A = 1\n",
            "pytest.ini": "[pytest]\npythonpath = tests/stubs lib\n",
        },
        BLOCK,
        (
            {
                "lib/order.py": CODE["shop/order.py"],
                "tests/test_a.py": TEST,
                "tests/stubs/other.py": "A = 1\n",
                "pytest.ini": "[pytest]\npythonpath = tests/stubs lib\n",
            },
        ),
    ),
}


def of_code(weak: str, *honest: str) -> Row:
    """Production that changes alone."""
    top = "import json\n\nATOMS = json.loads(read('a.json'))\n\n\n"
    text = top + "def total(order, settings=None):\n{}    return sum(order)\n"
    sides = [{**CODE, "shop/order.py": text.format(one)} for one in ("", weak, *honest)]
    return Row(sides[0], sides[1], WARN, tuple(sides[2:]))


IN_PRODUCTION = {
    "a setting that says that tests run": of_code(
        "    if settings.TESTING:\n        return 6.0\n",
        "    if settings.DEBUG:\n        print(order)\n",
        "    log = settings.TESTING\n",
    ),
    "the same by its name": of_code(
        "    if getattr(settings, 'TESTING', False):\n        return 6.0\n",
        "    if getattr(settings, 'ROUNDS', False):\n        return round(sum(order))\n",
    ),
    "the same in a configuration": of_code(
        "    if app.config['TESTING']:\n        return 6.0\n",
        "    if app.data['TESTING']:\n        return sum(order)\n",
    ),
    "answers of a file": of_code(
        "    if order in ATOMS:\n        return ATOMS[order]\n",
        "    order = [ATOMS[one] for one in order]\n",
        "    if order[0] in ATOMS:\n        return ATOMS[order[0]] + sum(order)\n",
    ),
}
ROWS = {**IN_PRODUCTION, **UNCOMPARED, **SET_UP, **IN_TESTS, **OTHER_SUBJECTS, **ALONE}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_said_of_what_helps_and_of_nothing_else(row: Row) -> None:
    assert [row.severity] == severities(row.base, row.weak)
    assert [[] for _ in row.honest] == [severities(row.base, one) for one in row.honest]


def severities(base: Files, head: Files) -> list[str]:
    sides = ({path: text.encode() for path, text in side.items()} for side in (base, head))
    return [one.severity for one in judge_files(*sides).findings if one.severity in (WARN, BLOCK)]
