"""Runs that take less, scripts whose names say nothing of what they run, and files that a runner looks for no more."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN

TYPE_CHECKING = False
if TYPE_CHECKING:
    Files = dict[str, str]

CI = ".github/workflows/ci.yml"
TESTS = "#!/bin/sh\nset -e\ngo test ./...\n"
OF_JS = "test('a', () => {\n  expect(f(1)).toBe(2)\n  expect(f(2)).toBe(3)\n})\n"
OF_GO = 'package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tif F(1) != 2 {\n\t\tt.Fatal("a")\n\t}\n}\n'
VITEST = {"package.json": '{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "3"}}'}
JEST = {"package.json": '{"scripts": {"test": "jest"}, "devDependencies": {"jest": "29"}}'}
SPARING = {"vitest.config.ts": "export default defineConfig({ test: { exclude: ['**/e2e/**'] } })\n"}
TAKING = {"vitest.config.ts": "export default defineConfig({ test: { include: ['**/__tests__/*.ts'] } })\n"}


def steps(command: str) -> Files:
    """A pipeline of one command."""
    return {CI: f"on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: {command}\n"}


def worst(base: Files, head: Files, beside: Files | None = None) -> str:
    sides = ({path: text.encode() for path, text in {**files, **(beside or {})}.items()} for files in (base, head))
    found = {one.severity for one in judge_files(*sides).findings}
    return next((one for one in (BLOCK, WARN) if one in found), "")


SCRIPTS = [
    pytest.param("script/cibuild", "./script/cibuild", {"script/cibuild": TESTS}, "", id="started in another way"),
    pytest.param("echo", "script/cibuild", {"script/cibuild": TESTS}, "", id="started now"),
    pytest.param("script/cibuild", "script/cibuild || true", {"script/cibuild": "#!/bin/sh\nnpm ci\n"}, "",
                 id="tests nothing"),
    pytest.param("script/cibuild", "script/cibuild || true", {}, "", id="not there"),
    pytest.param("script/cibuild", "script/cibuild || true", {"script/cibuild": TESTS}, BLOCK, id="failure dropped"),
    pytest.param("bash ci/pipeline.sh", "bash ci/pipeline.sh || true", {"ci/pipeline.sh": TESTS}, BLOCK,
                 id="failure dropped, given to a shell"),
    pytest.param("script/cibuild", "echo", {"script/cibuild": TESTS}, BLOCK, id="started no more"),
    pytest.param("script/cibuild", "script/cibuild || true",
                 {"script/cibuild": "#!/bin/sh\nexec script/inner\n", "script/inner": TESTS}, BLOCK,
                 id="by another script"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "beside", "said"), SCRIPTS)
def test_a_script_is_what_it_runs(old: str, new: str, beside: Files, said: str) -> None:
    assert said == worst(steps(old), steps(new), beside)


RUNS = [
    pytest.param("cargo test --features a", "cargo test --all-features", "", id="all features in place of one"),
    pytest.param("cargo test --features a", "cargo test --features a,b", "", id="one more feature"),
    pytest.param("cargo test --all-targets", "cargo test", "", id="documentation instead of benches"),
    pytest.param("go test -tags a ./...", "go test -tags a,b ./...", "", id="one more build tag"),
    pytest.param("cargo test --all-features", "cargo test", WARN, id="features left out"),
    pytest.param("go test -tags integration ./...", "go test ./...", WARN, id="a build tag less"),
    pytest.param("npx vitest run", "npx vitest run --dir src", WARN, id="one folder"),
    pytest.param("npx vitest run", "npx vitest run --typecheck.only", BLOCK, id="types alone"),
    pytest.param("npx vitest run", "npx vitest related --run README.md", BLOCK, id="what has to do with a page"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), RUNS)
def test_a_run_that_takes_less(old: str, new: str, said: str) -> None:
    assert said == worst(steps(old), steps(new))


MAKE = "PKGS = a\nPKGS += b\nPKGS += c\n\ntest:\n\tgo test $(addprefix ./,$(PKGS))\n"
MADE = [
    pytest.param({"Makefile": MAKE}, {"Makefile": MAKE.replace("PKGS += c", "PKGS += c d")}, "", id="one more"),
    pytest.param({"Makefile": MAKE}, {"Makefile": MAKE.replace("= a\nPKGS += b", "= a b")}, "", id="in one line"),
    pytest.param({"Makefile": MAKE}, {"Makefile": MAKE.replace("PKGS += b\n", "")}, BLOCK, id="one less"),
    pytest.param({"Cargo.toml": '[package]\nname = "a"\n'},
                 {"Cargo.toml": '[package]\nname = "a"\n\n[lib]\nbench = false\n'}, "", id="no benches"),
    pytest.param({"Cargo.toml": '[package]\nname = "a"\n'},
                 {"Cargo.toml": '[package]\nname = "a"\n\n[lib]\nharness = false\n'}, BLOCK, id="no harness"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "head", "said"), MADE)
def test_what_a_build_takes(base: Files, head: Files, said: str) -> None:
    assert said == worst(base, head)


MOVED = [
    pytest.param("__tests__/a.spec.ts", "__tests__/a.test.ts", OF_JS, VITEST, "", id="another word for a test"),
    pytest.param("__tests__/a.spec.ts", "__tests__/a.ts", OF_JS, JEST, "", id="jest takes all of the folder"),
    pytest.param("__tests__/a.spec.ts", "__tests__/a.ts", OF_JS, {**VITEST, **TAKING}, "", id="taken by a pattern"),
    pytest.param("src/a.spec.ts", "e2e/a.spec.ts", OF_JS, VITEST, "", id="another folder"),
    pytest.param("a_test.go", "b_test.go", OF_GO, {}, "", id="another name of Go"),
    pytest.param("__tests__/a.spec.ts", "__tests__/a.ts", OF_JS, {}, WARN, id="no word, by whatever runner"),
    pytest.param("src/a.spec.ts", "e2e/a.spec.ts", OF_JS, {**VITEST, **SPARING}, WARN, id="a folder left out"),
    pytest.param("__tests__/a.spec.ts", "__tests__/a.ts", OF_JS, VITEST, BLOCK, id="no word, by vitest"),
    pytest.param("__tests__/a.spec.ts", "__tests__/a.specs.ts", OF_JS, VITEST, BLOCK, id="a word of the project's own"),
    pytest.param("a_test.go", "testdata/a_test.go", OF_GO, {}, BLOCK, id="among data of tests"),
    pytest.param("a_test.go", "_a_test.go", OF_GO, {}, BLOCK, id="behind an underscore"),
    pytest.param("a_test.go", "a_tests.go", OF_GO, {}, BLOCK, id="a name of production"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "target", "text", "beside", "said"), MOVED)
def test_a_file_that_is_called_otherwise(path: str, target: str, text: str, beside: Files, said: str) -> None:
    assert said == worst({path: text}, {target: text}, beside)
