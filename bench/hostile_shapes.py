"""Files that are made to be slow to read: for each kind of file a head, a part that is repeated, and a tail."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.record import Record
from bench.hostile_languages import language_shapes
from bench.hostile_python import ELSEWHERE, python_shapes
from bench.hostile_readers import reader_shapes
from bench.hostile_words import word_shapes

_SUITE = "tests/test_a.py"
_CI = ".github/workflows/ci.yml"


class Shape(Record):
    """`part` is repeated until the file has its size; `%d` in it is the number of the repetition.

    Behind `middle`, if there is one, stands another part that is repeated as often.
    """

    kind: str
    name: str
    path: str
    head: str
    part: str
    tail: str = ""
    middle: str = ""
    other: str = ""

    def largest(self) -> int:
        """A size at or beyond all limits of its kind of file."""
        if self.kind.startswith(("Python", "a Python")):
            return 1 << 21
        if self.kind.startswith("data"):
            return 1 << 23
        return 1 << 19 if self.kind.startswith(("code", "commit")) else 1 << 18

    def filled(self, size: int) -> bytes:
        """About `size` bytes of the shape."""
        length = sum(len(part) + 5 * part.count("%d") for part in (self.part, self.other))
        count = max(1, (size - len(self.head) - len(self.middle) - len(self.tail)) // length)
        parts = (_repeated(part, count) for part in (self.part, self.other))
        return (self.head + next(parts) + self.middle + next(parts) + self.tail.replace("%d", "0")).encode()


def _repeated(part: str, count: int) -> str:
    return "".join(part.replace("%d", str(n)) for n in range(count)) if "%d" in part else part * count


def shapes() -> Iterator[Shape]:
    """Every shape."""
    for name, head, part, tail in python_shapes():
        yield Shape("Python tests", name, _SUITE, head, part, tail)
        if name in ELSEWHERE:
            yield Shape("a Python harness", name, "tests/conftest.py", head, part, tail)
            yield Shape("Python production", name, "src/app.py", "import os, time, sys, random\n" + head, part, tail)
    for name, path, head, part, tail in _settings():
        yield Shape(f"configuration ({path.rpartition('/')[2]})", name, path, head, part, tail)
    for name, path, head, first, middle, second, tail in reader_shapes():
        kind = f"{'data' if 'skip_list' in path or 'cases' in path else 'configuration'} ({path.rpartition('/')[2]})"
        yield Shape(kind, name, path, head, first or second, tail, middle, second if first else "")
    for path, name, head, part, tail in (*language_shapes(), *word_shapes()):
        yield Shape(f"code ({path.rpartition('/')[2]})", name, path, head, part, tail)
    for path, rows in _languages().items():
        for name, head, part, tail in rows:
            yield Shape(f"code ({path.rpartition('/')[2]})", name, path, head, part, tail)
    for name, head, part, tail in _messages():
        yield Shape("commit messages", name, "COMMIT_EDITMSG", head, part, tail)


def _settings() -> Iterator[tuple[str, str, str, str, str]]:
    yield "many TOML keys", "pyproject.toml", "[tool.pytest.ini_options]\n", "k%d = 'x'\n", ""
    yield "many TOML tables", "pyproject.toml", "", "[tool.tox.env.e%d]\ncommands = [['pytest', '-k', 'x']]\n", ""
    yield "many ignored codes", "pyproject.toml", "[tool.ruff]\nignore = [\n", "'E%d',\n", "]\n"
    yield "many ignored files", "pyproject.toml", "[tool.ruff.lint.per-file-ignores]\n", "'a%d.py' = ['E1']\n", ""
    yield "many overrides", "pyproject.toml", "", "[[tool.mypy.overrides]]\nmodule = 'a%d'\nignore_errors = true\n", ""
    yield "deep TOML", "pyproject.toml", "a = ", "[", ""
    yield "deep TOML tables", "pyproject.toml", "", "[" + ".".join("a" * 60) + ".b%d]\nx = 1\n", ""
    yield "a long TOML key", "pyproject.toml", "a", ".a", " = 1\n"
    yield "a long addopts of TOML", "pyproject.toml", "[tool.pytest.ini_options]\naddopts = '", " -k x%d", "'\n"
    yield "Cargo", "Cargo.toml", "", "[[test]]\nname = 't%d'\nharness = false\n", ""
    yield "many INI keys", "tox.ini", "[pytest]\n", "k%d = x\n", ""
    yield "many commands", "tox.ini", "[testenv]\ncommands =\n", "    pytest -k x%d\n", ""
    yield "many environments", "tox.ini", "", "[testenv:e%d]\ncommands = pytest -k a\n", ""
    yield "a long addopts", "tox.ini", "[pytest]\naddopts =", " -k x%d", "\n"
    yield "many ignored paths", "pytest.ini", "[pytest]\naddopts =", " --ignore=x%d", "\n"
    yield "many filters", "pytest.ini", "[pytest]\nfilterwarnings =\n", "    ignore:a%d\n", ""
    yield "many sections", "setup.cfg", "", "[s%d]\nk = v\n", ""
    yield "many flake8 codes", "setup.cfg", "[flake8]\nignore = ", "E%d,", "\n"
    yield "many omitted files", ".coveragerc", "[run]\nomit =\n", "    a%d\n", ""
    yield "deep JSON", "package.json", "", "[", ""
    yield "deep JSON objects", "package.json", '{"jest": ', '{"a": ', ""
    half = '{"a":' * 60 + "1" + "}" * 60
    yield "JSON of some depth", "package.json", '{"jest": {"projects": [', half + ",", "1]}}"
    yield "JSON lists", "package.json", '{"jest": {"projects": [', "[" * 90 + "]" * 90 + ",", "1]}}"
    yield "many scripts", "package.json", '{"scripts": {', '"s%d": "jest || true",\n', '"t": "x"}}'
    yield (
        "scripts that call scripts",
        "package.json",
        '{"scripts": {',
        '"s%d": "npm run s && npm run t",\n',
        '"t": "jest"}}',
    )
    yield "many jest keys", "package.json", '{"jest": {', '"k%d": ["a"],\n', '"t": "x"}}'
    yield "many thresholds", "package.json", '{"jest": {"coverageThreshold": {', '"k%d": {"lines": 80},\n', '"t": {}}}}'
    yield "a long script", "package.json", '{"scripts": {"test": "jest', " && jest x%d", '"}}'
    yield "many rules", ".eslintrc.json", '{"rules": {', '"r%d": "off",\n', '"t": "off"}}'
    yield "many compiler options", "tsconfig.json", '{"compilerOptions": {', '"r%d": false,\n', '"strict": false}}'
    yield "many steps", _CI, "jobs:\n  t:\n    steps:\n", "      - run: pytest || true\n", ""
    yield "many named steps", _CI, "jobs:\n  t:\n    steps:\n", "      - name: s%d\n        run: pytest -k a%d\n", ""
    yield "many jobs", _CI, "jobs:\n", "  j%d:\n    steps: [{run: pytest}]\n", ""
    yield (
        "jobs that wait",
        _CI,
        "jobs:\n  j:\n    steps: [{run: pytest}]\n",
        "  j%d:\n    needs: [j, j%d]\n    steps: [{run: pytest}]\n",
        "",
    )
    yield (
        "many matrix values",
        _CI,
        "jobs:\n  t:\n    strategy:\n      matrix:\n        a: [",
        "%d, ",
        "1]\n    steps: [{run: pytest}]\n",
    )
    yield (
        "conditions",
        _CI,
        "jobs:\n  t:\n    steps:\n",
        "      - if: github.ref == 'a%d' || github.event_name == 'push'\n        run: pytest\n",
        "",
    )
    yield "deep YAML", _CI, "a: ", "[", ""
    yield "deep YAML by indentation", _CI, "a: ", "{a: ", ""
    yield "YAML of some depth", _CI, "jobs:\n  t:\n    steps:\n", "      - run: " + "[" * 40 + "]" * 40 + "\n", ""
    yield "aliases", _CI, "a: &a [x]\n", "b%d: &b%d [*a, *a, *a]\n", ""
    yield (
        "many branches",
        _CI,
        "on:\n  push:\n    branches:\n",
        "      - a%d\n",
        "jobs: {t: {steps: [{run: pytest}]}}\n",
    )
    yield "many environment names", _CI, "env:\n", "  A%d: b\n", "jobs: {t: {steps: [{run: pytest}]}}\n"
    yield (
        "a run of many lines",
        _CI,
        "jobs:\n  t:\n    steps:\n      - run: |\n",
        "          pytest -k a%d || true\n",
        "",
    )
    yield "many GitLab jobs", ".gitlab-ci.yml", "", "j%d:\n  script: [pytest]\n  allow_failure: true\n", ""
    yield "GitLab extends", ".gitlab-ci.yml", ".a0:\n  script: [pytest]\n", ".a%d:\n  extends: [.a, .a0]\n", ""
    yield "CircleCI steps", ".circleci/config.yml", "jobs:\n  t:\n    steps:\n", "      - run: pytest -k a%d\n", ""
    yield "Azure steps", "azure-pipelines.yml", "steps:\n", "- script: pytest -k a%d\n", ""
    yield "Travis scripts", ".travis.yml", "script:\n", "- pytest -k a%d\n", ""
    yield "hooks", ".pre-commit-config.yaml", "repos:\n- repo: local\n  hooks:\n", "  - id: a%d\n    args: [--a]\n", ""
    yield "coverage", "codecov.yml", "ignore:\n", "- a%d\n", ""
    yield "a long script", "ci/test.sh", "set -e\n", "pytest -k x%d || true\n", ""
    yield "one long command", "ci/test.sh", "pytest", " -k x%d", "\n"
    yield "one long line", "ci/test.sh", "pytest", " && pytest x%d", "\n"
    yield "one long line of or", "ci/test.sh", "pytest", " || pytest", "\n"
    yield "pipes", "ci/test.sh", "pytest", " | tee", "\n"
    yield "functions", "ci/test.sh", "", "f%d() { pytest -k a; }\nf%d\n", ""
    yield "ifs", "ci/test.sh", "", "if a; then pytest; else pytest || true; fi\n", ""
    yield "nested ifs", "ci/test.sh", "", "if a; then ", ""
    yield "variables", "ci/test.sh", "", "A%d=$A\npytest $A%d\n", ""
    yield "here-documents", "ci/test.sh", "", "cat <<E\npytest\nE\n", ""
    yield "here-documents without end", "ci/test.sh", "", "cat <<E%d\n", ""
    yield "open quotes", "ci/test.sh", "pytest ", "'", ""
    yield "command substitution", "ci/test.sh", "", "$(", ""
    yield "nested shells", "ci/test.sh", "", 'sh -c "', ""
    yield "subshells", "ci/test.sh", "", "(", ""
    yield "backslashes", "ci/test.sh", "pytest ", "\\\n", ""
    yield "many targets", "Makefile", "", "t%d:\n\t-pytest\n", ""
    yield "targets that wait", "Makefile", "t:\n\tpytest\n", "t%d: t t%d\n\tpytest\n", ""
    yield "many make variables", "Makefile", "", "A%d = $(A)\nt%d:\n\tpytest $(A%d)\n", ""
    yield "a long recipe", "Makefile", "test:\n", "\tpytest -k a%d\n", ""
    yield "continued lines", "Makefile", "test:\n\tpytest", " \\\n\t-k a%d", "\n"
    yield "just", "justfile", "", "t%d:\n  pytest -k a\n", ""
    yield "deep XML", "pom.xml", "", "<a>", ""
    yield "many elements", "pom.xml", "<project>", "<a><b>c</b></a>", "</project>"
    yield (
        "many plugins",
        "pom.xml",
        "<project><build><plugins>",
        "<plugin><artifactId>maven-surefire-plugin</artifactId><configuration><skipTests>true</skipTests></configuration></plugin>",
        "</plugins></build></project>",
    )
    yield (
        "suites",
        "phpunit.xml",
        "<phpunit>",
        "<testsuite name='a%d'><file>b</file><exclude>c</exclude></testsuite>",
        "</phpunit>",
    )
    yield "Gradle", "build.gradle", "", "test { exclude 'a%d' }\n", ""
    yield "Gradle braces", "build.gradle", "", "test {", ""
    yield "CMake", "CMakeLists.txt", "", "add_test(NAME t%d COMMAND a)\n", ""
    yield "CMake properties", "CMakeLists.txt", "", "set_tests_properties(t%d PROPERTIES WILL_FAIL TRUE)\n", ""
    yield "Jenkins", "Jenkinsfile", "", "stage('a%d') { sh 'pytest || true' }\n", ""
    yield "Jenkins braces", "Jenkinsfile", "", "stage {", ""
    yield "jest configuration", "jest.config.js", "module.exports = {\n", "k%d: ['a'],\n", "}\n"
    yield "jest braces", "jest.config.js", "module.exports = ", "{a: ", ""
    yield "jest brackets", "jest.config.js", "module.exports = ", "[", ""
    yield "jest quotes", "jest.config.js", "module.exports = ", "'\"`", ""
    yield "jest comments", "jest.config.js", "module.exports = ", "/*", ""
    yield "options", ".rspec", "", "--tag ~a%d\n", ""
    yield (
        "nox sessions",
        "noxfile.py",
        "import nox\n",
        "@nox.session\ndef t%d(session):\n    session.run('pytest', '-k', 'a')\n",
        "",
    )
    yield (
        "nox runs",
        "noxfile.py",
        "import nox\n@nox.session\ndef t(session):\n",
        "    session.run('pytest', '-k', 'a%d')\n",
        "",
    )
    yield "pins", "entropy.yaml", "version: 1\nproperties:\n", "  - id: a%d\n", ""
    yield "recordings", "tests/cassettes/a.yaml", "interactions:\n", "- response: {body: {string: a%d}}\n", ""
    yield "path files", "a.pth", "", "import a%d\n", ""


def _languages() -> dict[str, tuple[tuple[str, str, str, str], ...]]:
    js = (
        ("many tests", "", "test('t%d', () => { expect(f(%d)).toBe(%d); });\n", ""),
        ("many assertions", "test('t', () => {\n", "expect(f(%d)).toBe(%d);\n", "});\n"),
        ("many skips", "", "it.skip('t%d', () => {});\n", ""),
        ("nested describe", "", "describe('d', () => {", ""),
        (
            "describes of some depth",
            "",
            "describe('d%d', () => {" * 20 + "it('a', () => { expect(1).toBe(1) })" + "})" * 20 + "\n",
            "",
        ),
        ("helpers", "", "function h%d() { expect(f()).toBe(%d) }\ntest('t%d', () => { h%d() })\n", ""),
        ("one helper", "function h() { " + "expect(f()).toBe(1);" * 300 + "}\n", "test('t%d', () => { h() })\n", ""),
        (
            "helpers that call helpers",
            "function h() { expect(1).toBe(1) }\n",
            "function h%d() { h(); h%d() }\ntest('t%d', () => { h%d() })\n",
            "",
        ),
        ("many arguments", "test('t', () => { f(", "a%d,", ")})\n"),
        ("a large literal", "test.each([\n", "[%d, 'a'],\n", "])('a', () => { expect(1).toBe(1) })\n"),
        ("a large object", "const a = {\n", "k%d: [%d],\n", "}\n"),
        ("a long chain", "expect(x)", ".a", "\n"),
        ("chains", "", "test('t%d', () => { expect(x)" + ".a()" * 60 + " })\n", ""),
        ("a long sum", "test('t', () => { expect(0", " + x", ").toBe(1) })\n"),
        ("sums", "", "test('t%d', () => { expect(0" + " + x" * 60 + ").toBe(1) })\n", ""),
        ("ifs", "", "test('t%d', () => { if (a) { expect(f(%d)).toBe(1) } })\n", ""),
        ("template strings", "", "test(`t${%d}`, () => { expect(`${a}`).toBe(`${b}`) })\n", ""),
        ("comments", "", "// eslint-disable-next-line\n", ""),
        ("block comments", "", "/* eslint-disable */\n", ""),
        ("open brackets", "", "[", ""),
        ("open braces", "", "{", ""),
        ("open parentheses", "", "f(", ""),
        ("one long string", "x = '", "a", "'\n"),
        ("errors", "", "test('a', => ) {{ ;\n", ""),
    )
    generic = (
        ("open braces", "", "{", ""),
        ("open brackets", "", "[", ""),
        ("open parentheses", "", "(", ""),
        ("names", "", "a ", ""),
        ("quotes", "", "\"'", ""),
        ("angle brackets", "", "a<", ""),
    )
    found: dict[str, tuple[tuple[str, str, str, str], ...]] = {
        "a.test.js": js,
        "a.spec.ts": js,
        "a_test.go": (
            ("many tests", "package a\n", "func Test%d(t *testing.T) { if f() != %d { t.Fatal() } }\n", ""),
            ("many skips", "package a\n", "func Test%d(t *testing.T) { t.Skip() }\n", ""),
            (
                "a table",
                "package a\nfunc TestA(t *testing.T) {\nfor _, c := range []int{\n",
                "%d,\n",
                '} { t.Run("a", func(t *testing.T) { t.Fatal() }) } }\n',
            ),
            ("many assertions", "package a\nfunc TestA(t *testing.T) {\n", "require.Equal(t, %d, f(%d))\n", "}\n"),
            (
                "nested ifs",
                "package a\n",
                "func Test%d(t *testing.T) {" + "if a {" * 30 + "t.Fatal()" + "}" * 30 + "}\n",
                "",
            ),
            (
                "subtests",
                "package a\n",
                'func Test%d(t *testing.T) { t.Run("a", func(t *testing.T) { t.Error(1) }) }\n',
                "",
            ),
            (
                "helpers",
                "package a\n",
                "func h%d(t *testing.T) { t.Fatal() }\nfunc Test%d(t *testing.T) { h%d(t) }\n",
                "",
            ),
            ("silences", "package a\n", "var a%d = 1 //nolint\n", ""),
        ),
        "src/lib.rs": (
            ("many tests", "", "#[test]\nfn t%d() { assert_eq!(f(), %d); }\n", ""),
            ("many ignored tests", "", "#[test]\n#[ignore]\nfn t%d() { assert_eq!(f(), %d); }\n", ""),
            ("many assertions", "#[test]\nfn t() {\n", "assert_eq!(f(%d), %d);\n", "}\n"),
            ("attributes", "", "#[allow(a)]\n", "fn a() {}\n"),
            ("macros", "", "m!{ a! { b! { %d } } }\n", ""),
        ),
        "src/test/java/ATest.java": (
            ("many tests", "class ATest {\n", "@Test void t%d() { assertEquals(1, f()); }\n", "}"),
            ("many assertions", "class ATest {\n@Test void t() {\n", "assertEquals(%d, f(%d));\n", "}}"),
            ("many disabled tests", "class ATest {\n", "@Disabled @Test void t%d() { assertEquals(1, f()); }\n", "}"),
            ("chains", "class ATest {\n", "@Test void t%d() { assertThat(f())" + ".a()" * 60 + "; }\n", "}"),
            ("classes", "", "class A%d extends ATest { @Test void t() { assertTrue(f()); } }\n", ""),
            ("nested classes", "", "class ATest {", ""),
        ),
        "ATest.kt": (
            ("many tests", "class ATest {\n", "@Test fun t%d() { assertEquals(1, f()) }\n", "}"),
            ("many assertions", "class ATest {\n@Test fun t() {\n", "assertEquals(%d, f(%d))\n", "}}"),
        ),
        "ATests.cs": (
            ("many tests", "class ATests {\n", "[Fact] public void T%d() { Assert.Equal(1, f()); }\n", "}"),
            ("many assertions", "class ATests {\n[Fact] public void T() {\n", "Assert.Equal(%d, f(%d));\n", "}}"),
        ),
        "a_spec.rb": (
            ("many examples", "", "it('t%d') { expect(f).to eq(%d) }\n", ""),
            ("many assertions", "it('t') {\n", "expect(f(%d)).to eq(%d)\n", "}\n"),
            (
                "nested describe",
                "",
                "describe 'a' do " * 20 + "it('a') { expect(1).to eq(%d) }" + " end" * 20 + "\n",
                "",
            ),
        ),
        "tests/ATest.php": (
            (
                "many tests",
                "<?php class ATest extends TestCase {\n",
                "function testA%d() { $this->assertSame(1, f()); }\n",
                "}",
            ),
            (
                "many assertions",
                "<?php class ATest extends TestCase {\nfunction testA() {\n",
                "$this->assertSame(%d, f(%d));\n",
                "}}",
            ),
        ),
        "a_test.cpp": (
            ("many tests", "", "TEST(A, T%d) { EXPECT_EQ(1, f()); }\n", ""),
            ("many assertions", "TEST(A, T) {\n", "EXPECT_EQ(%d, f(%d));\n", "}\n"),
            ("templates", "", "A<B<C<%d>>> a%d;\n", ""),
            ("macros", "", "#define A%d(x) x\n", ""),
        ),
        "Tests/ATests.swift": (
            ("many tests", "class ATests: XCTestCase {\n", "func test%d() { XCTAssertEqual(1, f()) }\n", "}"),
            ("many assertions", "class ATests: XCTestCase {\nfunc testA() {\n", "XCTAssertEqual(%d, f(%d))\n", "}}"),
        ),
        "test/a_test.exs": (
            ("many tests", "defmodule ATest do\n", 'test "t%d" do assert f() == %d end\n', "end"),
            ("many assertions", 'defmodule ATest do\ntest "t" do\n', "assert f(%d) == %d\n", "end end"),
        ),
        "ASpec.scala": (
            ("many tests", "class ASpec extends FunSuite {\n", 'test("t%d") { assert(f() == %d) }\n', "}"),
            ("many assertions", 'class ASpec extends FunSuite {\ntest("t") {\n', "assert(f(%d) == %d)\n", "}}"),
        ),
        "a_test.dart": (
            ("many tests", "void main() {\n", "test('t%d', () { expect(f(), %d); });\n", "}"),
            ("many assertions", "void main() {\ntest('t', () {\n", "expect(f(%d), %d);\n", "});}"),
        ),
        "test/a.bats": (
            ("many tests", "", '@test "t%d" { [ $(f) = %d ]; }\n', ""),
            ("many assertions", '@test "t" {\n', "[ $(f) = %d ]\n", "}\n"),
        ),
    }
    return {path: (*rows, *(generic if rows is not js else ())) for path, rows in found.items()}


def _messages() -> Iterator[tuple[str, str, str, str]]:
    yield "many trailers", "m\n\n", "Co-authored-by: A%d <a@b>\n", ""
    yield "one long line", "", "a", ""
    yield "one long trailer", "m\n\nCo-authored-by: ", "a ", "<a@b>\n"
    yield "skipped pipelines", "m\n\n", "[skip ci]", ""
    yield "open brackets", "", "[skip ", ""
    yield "spaces", "m", " ", "x"
    yield "empty lines", "m", "\n", "x"
    yield "footers", "m\n\n", "Generated with [A%d](https://a)\n", ""
    yield "angle brackets", "m\n\nCo-authored-by: ", "<", ""
    yield "at signs", "m\n\nSigned-off-by: ", "a@", ""
    yield "colons", "m\n\n", "a:", ""
    yield "dashes", "m\n\n", "-", ""
