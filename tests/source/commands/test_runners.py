"""Which commands test or check something, and what their options do to that."""

from __future__ import annotations

import shlex

import pytest

from agentgate_git.source.commands.runner_marks import marks_of
from agentgate_git.source.commands.runners import runner_of

NONE = (
    "pip install pytest",
    "sudo apt-get install python3-pytest",
    "echo pytest",
    "pytest --version",
    "npm ci",
    "npm install",
    "make docs",
    "make -C docs html",
    "ci/install-test-deps.sh",
    "git commit -m test",
    "docker build -t test .",
    "cargo build --tests",
    "python -c 'import pytest'",
    "pre-commit install",
    "playwright install",
    "tox -e docs",
    "cat tests/log",
    "curl https://example.invalid/tests.sh",
    "go build ./...",
    "coverage html",
)


@pytest.mark.parametrize("command", NONE)
def test_a_command_that_tests_nothing(command: str) -> None:
    assert runner_of(tuple(shlex.split(command))) is None


RUNNERS = {
    "pytest -q": ("test", "pytest"),
    "python3.12 -Im pytest": ("test", "pytest"),
    "py.test": ("test", "pytest"),
    "$(PYTHON) -m pytest": ("test", "pytest"),
    "poetry run pytest": ("test", "pytest"),
    "uv run --frozen pytest": ("test", "pytest"),
    "coverage run --branch -m pytest": ("test", "pytest"),
    "env A=1 timeout 60 pytest": ("test", "pytest"),
    "docker compose run --rm web pytest": ("test", "pytest"),
    "xvfb-run -a npm run e2e": ("test", "npm e2e"),
    "python -m unittest discover": ("test", "unittest"),
    "python manage.py test": ("test", "manage.py test"),
    "npm test": ("test", "npm test"),
    "pnpm -r run test:unit": ("test", "pnpm test:unit"),
    "npx jest": ("test", "jest"),
    "c8 --lines 90 mocha": ("test", "mocha"),
    "go test ./...": ("test", "go test"),
    "cargo nextest run": ("test", "cargo nextest"),
    "./mvnw -B verify": ("test", "mvn verify"),
    "./gradlew clean check": ("test", "gradle check"),
    "bundle exec rspec": ("test", "rspec"),
    "rake": ("test", "rake"),
    "make -j4 check": ("test", "make check"),
    "make richtest": ("test", "make richtest"),
    "cmake --build . --target test": ("test", "cmake test"),
    "vendor/bin/phpunit": ("test", "phpunit"),
    "bash runtests unit": ("test", "runtests unit"),
    "./ci/test.sh --all": ("test", "ci/test.sh --all"),
    "tox -e py311": ("test", "tox"),
    "tox -e $ENV": ("test", "tox"),
    "tox -e lint": ("lint", "tox lint"),
    "ruff check .": ("lint", "ruff"),
    "npm run lint": ("lint", "npm lint"),
    "cargo clippy": ("lint", "cargo clippy"),
    "scripts/check-format": ("lint", "scripts/check-format"),
    "pre-commit run --all-files": ("hooks", "pre-commit"),
    "git agentgate check": ("hooks", "git"),
}


@pytest.mark.parametrize(("command", "expected"), RUNNERS.items(), ids=RUNNERS)
def test_a_command_that_tests_or_checks(command: str, expected: tuple[str, str]) -> None:
    found = runner_of(tuple(shlex.split(command)))
    assert found is not None
    assert expected == (found.kind, found.name)


MARKS: dict[str, list[str]] = {
    "pytest -q -ra -n auto --maxfail 1 -x --junitxml out.xml": [],
    "pytest -p no:cacheprovider -p xdist -W default": [],
    "pytest --record-mode=none --inline-snapshot=disable": [],
    "mvn verify -DskipTests=false": [],
    "make -j4 -k test": [],
    "go test -count=1 ./...": ["wider: ./..."],
    "go test -count=1 -race ./...": ["wider: -race", "wider: ./..."],
    "cargo test --all-features": ["wider: --all-features"],
    "jest --ci --coverage": ["measured: --coverage"],
    "pytest tests -k 'not x'": ["narrowed: -k not x", "paths: tests"],
    "pytest -mslow --deselect=a::b": ["filtered: -m slow", "narrowed: --deselect a::b"],
    "pytest --ignore tests/a.py --lf --co": ["narrowed: --ignore tests/a.py", "narrowed: --lf", "off: --co"],
    "pytest -o python_files=ok.py -c other.ini": ["narrowed: -o python_files=ok.py", "unplugged: -c other.ini"],
    "python -O -m pytest --assert=plain": ["hollow: --assert plain", "hollow: -O takes `assert` out"],
    "PYTEST_ADDOPTS='-k a' pytest": ["narrowed: -k a"],
    "tox -- -k a": ["narrowed: -k a"],
    "go test -run TestOk ./...": ["narrowed: -run TestOk", "wider: ./..."],
    "cargo test -- --skip a": ["narrowed: --skip a"],
    "npx jest -t a --passWithNoTests": ["ignored: --passWithNoTests", "narrowed: -t a"],
    "npm test -- --testNamePattern a": ["narrowed: --testNamePattern a"],
    "mvn verify -DskipTests": ["off: -DskipTests"],
    "gradle build -x test": ["off: -x test"],
    "rspec --failure-exit-code 0": ["ignored: --failure-exit-code 0"],
    "make -i test": ["ignored: -i"],
    "ctest -E slow": ["narrowed: -E slow"],
    "ruff check --exit-zero .": ["ignored: --exit-zero"],
    "GTEST_FILTER=-a.b ctest": ["narrowed: GTEST_FILTER=-a.b"],
}


@pytest.mark.parametrize(("command", "expected"), MARKS.items(), ids=MARKS)
def test_options_leave_marks(command: str, expected: list[str]) -> None:
    found = runner_of(tuple(shlex.split(command)))
    assert found is not None
    assert expected == sorted(marks_of(found))
