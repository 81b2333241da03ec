"""What tests of other languages lose by tricks that stand outside of their words, and what only looks like it."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN

TYPE_CHECKING = False
if TYPE_CHECKING:
    Files = dict[str, str]

CI = {".github/workflows/ci.yml": "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: %s\n"}
JS = 'test("adds", () => {\n  %s\n});\n'
GO = 'package sum\n\nimport (\n\t"os"\n\t"testing"\n)\n\n%s'
JAVA = "class BinTest {\n    @Test\n    void packs() {\n        %s\n    }\n}\n"
KOTLIN = "class BinSpec : FunSpec({\n    %s\n})\n"
SCALA = "class BinSpec extends AnyFunSuite {\n  %s\n}\n"
RUST = "#[cfg(test)]\nmod tests {\n    %s\n}\n"
CSHARP = "public class BinTests\n{\n    %s\n}\n"
ELIXIR = "defmodule BinTest do\n  use ExUnit.Case\n%s\nend\n"
SWIFT = "class BinTests: XCTestCase {\n%s\n}\n"
RUBY = "RSpec.describe Bin do\n  let(:bin) { described_class.new(3) }\n%s\nend\n"
SUM_GO = {"sum.go": "package sum\n\nfunc Sum(xs ...int) int { return 0 }\n"}
JS_CODE = {"src/sum.js": "export function sum(a, b) {\n  return a + b;\n}\n"}
JS_EDITED = {"src/sum.js": "export function sum(a, b) {\n  const all = a + b;\n  return all;\n}\n"}
JS_CALLED = {"src/sum.js": "export function sum(all) {\n  return all[0] + all[1];\n}\n"}
GRADLE = 'tasks.test { useJUnitPlatform { excludeTags("slow") } }\n'
HELPER_EXS = {"test/test_helper.exs": "ExUnit.start(exclude: [:paid])\n"}


def _in(path: str, frame: str, *bodies: str) -> list[Files]:
    return [{path: frame % body} for body in bodies]


def _beside(files: Files, *others: Files) -> Files:
    return {path: text for one in (files, *others) for path, text in one.items()}


# What says as much as before in other words, in another place, or of what is new.
ALLOWED: dict[str, tuple[Files, Files]] = {
    "a helper of the module, with its values": (
        {"bin_test.exs": ELIXIR % '  test "a" do\n    assert Bin.pack("x") == 3\n  end'},
        {
            "bin_test.exs": ELIXIR
            % '  defp assert_packed(text, n), do: assert(Bin.pack(text) == n)\n\n  test "a" do\n    assert_packed("x", 3)\n  end'
        },
    ),
    "a helper of a file of Go, with its values": (
        {"sum_test.go": GO % "func TestA(t *testing.T) {\n\tif got := Sum(1); got != 1 {\n\t\tt.Fatal(got)\n\t}\n}\n"},
        {
            "sum_test.go": GO
            % (
                "func check(t *testing.T, got, want int) {\n\tif got != want {\n\t\tt.Fatal(got)\n\t}\n}\n\n"
                "func TestA(t *testing.T) {\n\tcheck(t, Sum(1), 1)\n\tif got := Sum(1); got != 1 {\n\t\tt.Fatal(got)\n\t}\n}\n"
            )
        },
    ),
    "tests that became rows of a template": (
        {
            "a.test.js": 'test("a", () => {\n  expect(add(1, 1)).toBe(2);\n});\ntest("b", () => {\n  expect(add(2, 3)).toBe(5);\n});\n'
        },
        {
            "a.test.js": "test.each`\n  a | b | sum\n  ${1} | ${1} | ${2}\n  ${2} | ${3} | ${5}\n`('adds', ({ a, b, sum }) => {\n  expect(add(a, b)).toBe(sum);\n});\n"
        },
    ),
    "tests that became named cases": (
        {
            "tests/t.rs": '#[test]\nfn one() {\n    assert_eq!(len("abc"), 3);\n}\n\n#[test]\nfn two() {\n    assert_eq!(len("ab"), 2);\n}\n'
        },
        {
            "tests/t.rs": '#[rstest]\n#[case::three("abc", 3)]\n#[case::two("ab", 2)]\nfn lens(#[case] text: &str, #[case] n: usize) {\n    assert_eq!(len(text), n);\n}\n'
        },
    ),
    "tests that became data": (
        {"T.kt": KOTLIN % 'test("a") { trim(" x ") shouldBe "x" }\n    test("b") { trim("y  ") shouldBe "y" }'},
        {"T.kt": KOTLIN % 'withData(" x " to "x", "y  " to "y") { (text, want) -> trim(text) shouldBe want }'},
    ),
    "a test that became rows of values": (
        {"src/test/java/BinTest.java": JAVA % "assertEquals(1_200, bin.pack(30, 40));"},
        {
            "src/test/java/BinTest.java": (
                'class BinTest {\n    @ParameterizedTest\n    @CsvSource({"30, 40, 1200", "1, 1, 1"})\n'
                "    void packs(int a, int b, int want) {\n        assertEquals(want, bin.pack(a, b));\n    }\n}\n"
            )
        },
    ),
    "each of several checks of a page": (
        {"a.cy.js": JS % 'cy.get(".row").should("have.length", 2);'},
        {"a.cy.js": JS % 'cy.get(".row").should("have.length", 2).last().should("have.text", "b");'},
    ),
    "all elements by another library": (
        {
            "src/test/java/BinTest.java": JAVA
            % 'assertThat(bin.names(), hasSize(2));\n        assertThat(bin.names(), contains("a", "b"));'
        },
        {"src/test/java/BinTest.java": JAVA % 'assertThat(bin.names()).containsExactly("a", "b");'},
    ),
    "a result with what is expected before it": (
        {"BinSpec.scala": SCALA % 'test("a") { assert(pack(2) == Some(3)) }'},
        {"BinSpec.scala": SCALA % 'test("a") { assertResult(Some(3)) { pack(2) } }'},
    ),
    "errors by testify": (
        {
            "sum_test.go": GO
            % "func TestA(t *testing.T) {\n\terr := Run()\n\tif err != ErrFull {\n\t\tt.Fatal(err)\n\t}\n}\n"
        },
        {"sum_test.go": GO % "func TestA(t *testing.T) {\n\terr := Run()\n\trequire.ErrorIs(t, err, ErrFull)\n}\n"},
    ),
    "a folder that the runner makes": (
        {
            "sum_test.go": GO
            % (
                'func TestA(t *testing.T) {\n\tdir, err := os.MkdirTemp("", "x")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n'
                "\tif got := Sum(len(dir)); got != 4 {\n\t\tt.Fatal(got)\n\t}\n}\n"
            )
        },
        {
            "sum_test.go": GO
            % "func TestA(t *testing.T) {\n\tdir := t.TempDir()\n\tif got := Sum(len(dir)); got != 4 {\n\t\tt.Fatal(got)\n\t}\n}\n"
        },
    ),
    "the exact time in place of one near it": (
        {
            "spec/bin_spec.rb": RUBY
            % '  it "expires" do\n    expect(Lease.new.ends_at).to be_within(5).of(Time.now + 60)\n  end'
        },
        {
            "spec/bin_spec.rb": RUBY
            % '  it "expires" do\n    expect(Lease.new(noon).ends_at).to eq(Time.utc(2020, 1, 1, 12, 1))\n  end'
        },
    ),
    "a promise in place of a callback": (
        {
            "a.test.js": 'it("fails", (done) => {\n  open("/no", (err) => {\n    assert.equal(err.code, "EGONE");\n    done();\n  });\n});\n'
        },
        {"a.test.js": 'it("fails", async () => {\n  await assert.rejects(open("/no"), { code: "EGONE" });\n});\n'},
    ),
    "a snapshot written out as a value": (
        {"a.test.ts": JS % 'expect(bill(2)).toMatchInlineSnapshot(`{ "count": 2, "total": 90 }`);'},
        {"a.test.ts": JS % "expect(bill(2)).toEqual({ count: 2, total: 90 });"},
    ),
    "an element by its role": (
        {"a.test.jsx": JS % 'expect(screen.getByText("3 left")).toBeInTheDocument();'},
        {"a.test.jsx": JS % 'expect(screen.getByRole("status")).toHaveTextContent("3 left");'},
    ),
    "a guard that fails": (
        {
            "BinTests.swift": SWIFT
            % "    func testA() {\n        XCTAssertTrue(bin.pack(3))\n        XCTAssertEqual(bin.n, 3)\n    }"
        },
        {
            "BinTests.swift": SWIFT
            % '    func testA() {\n        guard bin.pack(3) else { return XCTFail("full") }\n        XCTAssertEqual(bin.n, 3)\n    }'
        },
    ),
    "data that came to a table": (
        {"test/data/sizes.json": '[{"n": 1}, {"n": 2}]'},
        {"test/data/sizes.json": '[\n  {"n": 1},\n  {"n": 2},\n  {"n": 9}\n]'},
    ),
    "a new example that is known to fail": (
        {"spec/bin_spec.rb": RUBY % '  it "packs" do\n    expect(bin.pack).to eq 3\n  end'},
        {
            "spec/bin_spec.rb": RUBY
            % '  it "packs" do\n    expect(bin.pack).to eq 3\n  end\n\n  it "sorts" do\n    pending "later"\n    expect(bin.sort).to eq 4\n  end'
        },
    ),
    "a new test that needs a tool": (
        {"t.bats": '@test "a" {\n  run pack\n  [ "$status" -eq 0 ]\n}\n'},
        {
            "t.bats": (
                '@test "a" {\n  run pack\n  [ "$status" -eq 0 ]\n}\n\n@test "b" {\n  command -v jq >/dev/null || skip "no jq"\n'
                '  run jq . x\n  [ "$status" -eq 0 ]\n}\n'
            )
        },
    ),
    "a property that is tried more often": (
        {
            "sum_test.go": GO
            % "func TestA(t *testing.T) {\n\tif err := quick.Check(even, &quick.Config{MaxCount: 50}); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n"
        },
        {
            "sum_test.go": GO
            % "func TestA(t *testing.T) {\n\tif err := quick.Check(even, &quick.Config{MaxCount: 90}); err != nil {\n\t\tt.Fatal(err)\n\t}\n}\n"
        },
    ),
    "a tag that nothing leaves out": (
        _beside(
            *_in(
                "src/test/java/BinTest.java", "%sclass BinTest {\n    @Test void a() { assertEquals(1, f()); }\n}\n", ""
            ),
            {"build.gradle.kts": GRADLE},
        ),
        _beside(
            *_in(
                "src/test/java/BinTest.java",
                "%sclass BinTest {\n    @Test void a() { assertEquals(1, f()); }\n}\n",
                '@Tag("fast")\n',
            ),
            {"build.gradle.kts": GRADLE},
        ),
    ),
    "golden files that are written when asked for": (
        {
            "sum_test.go": GO
            % 'func TestA(t *testing.T) {\n\twant, _ := os.ReadFile("testdata/a.golden")\n\tif Text() != string(want) {\n\t\tt.Fatal(1)\n\t}\n}\n'
        },
        {
            "sum_test.go": GO
            % (
                'func TestA(t *testing.T) {\n\tif *update {\n\t\tos.WriteFile("testdata/a.golden", []byte(Text()), 0o644)\n\t}\n'
                '\twant, _ := os.ReadFile("testdata/a.golden")\n\tif Text() != string(want) {\n\t\tt.Fatal(1)\n\t}\n}\n'
            )
        },
    ),
    "a matcher of the project's own": (
        {"test/jest.setup.js": "process.env.TZ = 'UTC';\n"},
        {
            "test/jest.setup.js": "process.env.TZ = 'UTC';\nexpect.extend({ toBeEven(n) { return { pass: n % 2 === 0 }; } });\n"
        },
    ),
    "another value of what production does now": (
        _beside(JS_CODE, *_in("sum.test.js", JS, "expect(sum(1, 2)).toEqual({ n: 3 });")),
        _beside(JS_EDITED, *_in("sum.test.js", JS, "expect(sum(1, 2)).toEqual({ n: 4 });")),
    ),
    "a function that is called in another way": (
        _beside(JS_CODE, *_in("sum.test.js", JS, "expect(sum(1, 2)).toEqual({ n: 3 });\n  expect(sum(2, 2)).toBe(4);")),
        _beside(
            JS_CALLED, *_in("sum.test.js", JS, "expect(sum([1, 2])).toEqual({ n: 3 });\n  expect(sum([2, 2])).toBe(4);")
        ),
    ),
    "a module of tests that moved": (
        {
            "src/lib.rs": "mod bin;\n#[cfg(test)]\nmod bin_test;\n",
            "src/bin_test.rs": "#[test]\nfn a() {\n    assert_eq!(f(), 1);\n}\n",
        },
        {"src/lib.rs": "mod bin;\n", "tests/bin.rs": "#[test]\nfn a() {\n    assert_eq!(f(), 1);\n}\n"},
    ),
    "threads that are waited for": (
        {"tests/t.rs": "#[test]\nfn a() {\n    assert_eq!(f(), 1);\n}\n"},
        {
            "tests/t.rs": "#[test]\nfn a() {\n    let one = thread::spawn(|| { assert_eq!(f(), 1); });\n    one.join().unwrap();\n}\n"
        },
    ),
}

# What an existing test loses, and how bad it is.
FOUND: dict[str, tuple[str, Files, Files]] = {
    "a build tag that nobody gives": (
        BLOCK,
        _beside(
            *_in(
                "sum_test.go",
                "%s" + GO,
                ("", "func TestA(t *testing.T) {\n\tif Sum(1) != 1 {\n\t\tt.Fatal(1)\n\t}\n}\n"),
            ),
            {p: t % "go test ./..." for p, t in CI.items()},
        ),
        _beside(
            *_in(
                "sum_test.go",
                "%s" + GO,
                ("//go:build nightly\n\n", "func TestA(t *testing.T) {\n\tif Sum(1) != 1 {\n\t\tt.Fatal(1)\n\t}\n}\n"),
            ),
            {p: t % "go test ./..." for p, t in CI.items()},
        ),
    ),
    "a build tag that a pipeline gives": (
        WARN,
        _beside(
            *_in(
                "sum_test.go",
                "%s" + GO,
                ("", "func TestA(t *testing.T) {\n\tif Sum(1) != 1 {\n\t\tt.Fatal(1)\n\t}\n}\n"),
            ),
            {p: t % "go test -tags nightly ./..." for p, t in CI.items()},
        ),
        _beside(
            *_in(
                "sum_test.go",
                "%s" + GO,
                ("//go:build nightly\n\n", "func TestA(t *testing.T) {\n\tif Sum(1) != 1 {\n\t\tt.Fatal(1)\n\t}\n}\n"),
            ),
            {p: t % "go test -tags nightly ./..." for p, t in CI.items()},
        ),
    ),
    "a feature that nothing switches on": (
        BLOCK,
        _beside(
            *_in("src/lib.rs", RUST, "#[test]\n    fn a() { assert_eq!(f(), 1); }"),
            {"Cargo.toml": "[features]\nbig = []\n"},
        ),
        _beside(
            *_in(
                "src/lib.rs",
                RUST,
                '#[test]\n    #[cfg_attr(not(feature = "big"), ignore)]\n    fn a() { assert_eq!(f(), 1); }',
            ),
            {"Cargo.toml": "[features]\nbig = []\n"},
        ),
    ),
    "a feature that is on by default": (
        WARN,
        _beside(
            *_in("src/lib.rs", RUST, "#[test]\n    fn a() { assert_eq!(f(), 1); }"),
            {"Cargo.toml": '[features]\ndefault = ["big"]\nbig = []\n'},
        ),
        _beside(
            *_in(
                "src/lib.rs",
                RUST,
                '#[test]\n    #[cfg_attr(not(feature = "big"), ignore)]\n    fn a() { assert_eq!(f(), 1); }',
            ),
            {"Cargo.toml": '[features]\ndefault = ["big"]\nbig = []\n'},
        ),
    ),
    "a property of the machine": (
        BLOCK,
        {"src/test/java/BinTest.java": JAVA % "assertEquals(1, f());"},
        {
            "src/test/java/BinTest.java": JAVA
            % 'assumeTrue("yes".equals(System.getProperty("bin.slow")));\n        assertEquals(1, f());'
        },
    ),
    "a property that the build gives": (
        WARN,
        {
            "src/test/java/BinTest.java": JAVA % "assertEquals(1, f());",
            "build.gradle": "test { systemProperty 'bin.slow', 'yes' }\n",
        },
        {
            "src/test/java/BinTest.java": JAVA
            % 'assumeTrue("yes".equals(System.getProperty("bin.slow")));\n        assertEquals(1, f());',
            "build.gradle": "test { systemProperty 'bin.slow', 'yes' }\n",
        },
    ),
    "a symbol that nothing defines": (
        BLOCK,
        {"tests/BinTests.cs": CSHARP % "[Fact]\n    public void A() => Assert.Equal(1, F());"},
        {
            "tests/BinTests.cs": CSHARP
            % "\n#if WEEKLY\n    [Fact]\n    public void A() => Assert.Equal(1, F());\n#endif\n"
        },
    ),
    "a symbol of the project": (
        WARN,
        {
            "tests/BinTests.cs": CSHARP % "[Fact]\n    public void A() => Assert.Equal(1, F());",
            "Bin.csproj": "<DefineConstants>WEEKLY</DefineConstants>",
        },
        {
            "tests/BinTests.cs": CSHARP
            % "\n#if WEEKLY\n    [Fact]\n    public void A() => Assert.Equal(1, F());\n#endif\n",
            "Bin.csproj": "<DefineConstants>WEEKLY</DefineConstants>",
        },
    ),
    "all that CI runs": (
        BLOCK,
        {"a.test.js": 'it("adds", () => {\n  expect(add(1)).toBe(2);\n});\n'},
        {
            "a.test.js": 'const locally = process.env.GITHUB_ACTIONS ? it.skip : it;\nlocally("adds", () => {\n  expect(add(1)).toBe(2);\n});\n'
        },
    ),
    "a variable that a set-up gives": (
        WARN,
        {
            "test/a.test.js": 'it("adds", () => {\n  expect(add(1)).toBe(2);\n});\n',
            "test/setup.js": "process.env.FULL = '1';\n",
        },
        {
            "test/a.test.js": 'const full = process.env.FULL ? it : it.skip;\nfull("adds", () => {\n  expect(add(1)).toBe(2);\n});\n',
            "test/setup.js": "process.env.FULL = '1';\n",
        },
    ),
    "a base class that waits": (
        BLOCK,
        {
            "test/test_helper.rb": "class BinCase < Minitest::Test\n  def assert_bin(n)\n    assert_equal n, 1\n  end\nend\n"
        },
        {
            "test/test_helper.rb": 'class BinCase < Minitest::Test\n  def setup\n    skip "later" unless ENV["BIN_FULL"]\n  end\n\n  def assert_bin(n)\n    assert_equal n, 1\n  end\nend\n'
        },
    ),
    "a tag that the helper leaves out": (
        BLOCK,
        _beside({"test/bin_test.exs": ELIXIR % '  test "a" do\n    assert f() == 1\n  end'}, HELPER_EXS),
        _beside(
            {"test/bin_test.exs": ELIXIR % '  @moduletag :paid\n\n  test "a" do\n    assert f() == 1\n  end'},
            HELPER_EXS,
        ),
    ),
    "a test for Windows where no pipeline has one": (
        BLOCK,
        _beside(
            {"a.test.js": 'it("adds", () => {\n  expect(add(1)).toBe(2);\n});\n'},
            {p: t % "npm test" for p, t in CI.items()},
        ),
        _beside(
            {
                "a.test.js": 'const win = process.platform === "win32" ? it : it.skip;\nwin("adds", () => {\n  expect(add(1)).toBe(2);\n});\n'
            },
            {p: t % "npm test" for p, t in CI.items()},
        ),
    ),
    "a tool that no test starts": (
        BLOCK,
        {"t.bats": 'setup() {\n  cd "$TMP"\n}\n\n@test "a" {\n  run pack\n  [ "$status" -eq 0 ]\n}\n'},
        {
            "t.bats": 'setup() {\n  which xmlstarlet || skip "missing"\n  cd "$TMP"\n}\n\n@test "a" {\n  run pack\n  [ "$status" -eq 0 ]\n}\n'
        },
    ),
    "a weaker form beside an edit of production": (
        BLOCK,
        _beside(JS_CODE, *_in("sum.test.js", JS, 'expect(sum(1, 2)).toEqual({ n: 3, unit: "kg" });')),
        _beside(JS_EDITED, *_in("sum.test.js", JS, "expect(sum(1, 2)).toMatchObject({});")),
    ),
    "a tolerance beside an edit of production": (
        BLOCK,
        {
            "src/sum.h": "inline double sum(double a, double b = 1) {\n  return a + b;\n}\n",
            "tests/sum_test.cpp": "TEST(Sum, Adds) { EXPECT_NEAR(sum(1), 2.5, 1e-6); }\n",
        },
        {
            "src/sum.h": "inline double sum(double a, double b = 2) {\n  return b + a;\n}\n",
            "tests/sum_test.cpp": "TEST(Sum, Adds) { EXPECT_NEAR(sum(1), 2.5, 0.5); }\n",
        },
    ),
    "a value that may not be there": (
        BLOCK,
        {"src/lib.rs": RUST % "#[test]\n    fn a() { let n = find(3).unwrap(); assert_eq!(n, 4); }"},
        {"src/lib.rs": RUST % "#[test]\n    fn a() { if let Some(n) = find(3) { assert_eq!(n, 4); } }"},
    ),
    "a promise whose failure is dropped": (
        BLOCK,
        {
            "a.test.js": 'it("fails", async () => {\n  expect(one()).toBe(1);\n  await assert.rejects(open("/no"), /gone/);\n});\n'
        },
        {
            "a.test.js": 'it("fails", async () => {\n  expect(one()).toBe(1);\n  assert.rejects(open("/no"), /gone/).catch(() => {});\n});\n'
        },
    ),
    "a call that need not happen": (
        BLOCK,
        {"src/test/java/BinTest.java": JAVA % 'verify(log).write("full");'},
        {"src/test/java/BinTest.java": JAVA % "verify(log).write(anyString());"},
    ),
    "null, which is defined": (
        BLOCK,
        {"a.test.jsx": JS % 'expect(screen.getByText("3 left")).toHaveTextContent("3");'},
        {"a.test.jsx": JS % 'expect(document.querySelector(".left")).toBeDefined();'},
    ),
    "any number of widgets": (
        BLOCK,
        {
            "test/a_test.dart": "void main() {\n  test('a', () {\n    expect(find.text('x'), findsOneWidget);\n  });\n}\n"
        },
        {"test/a_test.dart": "void main() {\n  test('a', () {\n    expect(find.text('x'), findsWidgets);\n  });\n}\n"},
    ),
    "a pattern that says less": (
        BLOCK,
        {"bin_test.exs": ELIXIR % '  test "a" do\n    assert {:ok, %{size: 3}} = Bin.pack("x")\n  end'},
        {"bin_test.exs": ELIXIR % '  test "a" do\n    assert {:ok, _} = Bin.pack("x")\n  end'},
    ),
    "a failure that becomes inconclusive": (
        BLOCK,
        {"tests/BinTests.cs": CSHARP % "[TestMethod]\n    public void A() { Assert.AreEqual(1, F()); }"},
        {
            "tests/BinTests.cs": CSHARP
            % "[TestMethod]\n    public void A() { try { Assert.AreEqual(1, F()); } catch (Exception) { Assert.Inconclusive(); } }"
        },
    ),
    "a guard that returns": (
        BLOCK,
        {
            "BinTests.swift": SWIFT
            % "    func testA() {\n        XCTAssertTrue(bin.pack(3))\n        XCTAssertEqual(bin.n, 3)\n    }"
        },
        {
            "BinTests.swift": SWIFT
            % "    func testA() {\n        guard bin.pack(3) else { return }\n        XCTAssertEqual(bin.n, 3)\n    }"
        },
    ),
    "an annotation taken away from a method of a used name": (
        BLOCK,
        {
            "src/test/java/BinTest.java": 'class BinTest {\n    @Test\n    @DisplayName("bins pack")\n    void pack() {\n        assertEquals(1, bin.pack());\n    }\n}\n'
        },
        {
            "src/test/java/BinTest.java": 'class BinTest {\n    @DisplayName("bins pack")\n    void pack() {\n        assertEquals(1, bin.pack());\n    }\n}\n'
        },
    ),
    "any panic": (
        BLOCK,
        {"tests/t.rs": '#[test]\n#[should_panic(expected = "full")]\nfn a() {\n    f();\n}\n'},
        {"tests/t.rs": "#[test]\n#[should_panic]\nfn a() {\n    f();\n}\n"},
    ),
    "a module of tests that is declared no more": (
        BLOCK,
        {"src/lib.rs": "mod bin;\n#[cfg(test)]\nmod bin_test;\n"},
        {"src/lib.rs": "mod bin;\n"},
    ),
    "a row in a comment": (
        BLOCK,
        _beside(
            SUM_GO,
            {
                "sum_test.go": GO
                % "func TestA(t *testing.T) {\n\tfor _, tc := range []struct{ n int }{\n\t\t{1500},\n\t\t{2600},\n\t} {\n\t\tif Sum(tc.n) != 0 {\n\t\t\tt.Fatal(1)\n\t\t}\n\t}\n}\n"
            },
        ),
        _beside(
            {"sum.go": "package sum\n\nfunc Sum(xs ...int) int { return 1 }\n"},
            {
                "sum_test.go": GO
                % "func TestA(t *testing.T) {\n\tfor _, tc := range []struct{ n int }{\n\t\t{1500},\n\t\t// {2600},\n\t} {\n\t\tif Sum(tc.n) != 0 {\n\t\t\tt.Fatal(1)\n\t\t}\n\t}\n}\n"
            },
        ),
    ),
    "a golden file that is written first": (
        BLOCK,
        {
            "sum_test.go": GO
            % 'func TestA(t *testing.T) {\n\twant, _ := os.ReadFile("testdata/a.golden")\n\tif Text() != string(want) {\n\t\tt.Fatal(1)\n\t}\n}\n'
        },
        {
            "sum_test.go": GO
            % (
                'func TestA(t *testing.T) {\n\tos.WriteFile("testdata/a.golden", []byte(Text()), 0o644)\n'
                '\twant, _ := os.ReadFile("testdata/a.golden")\n\tif Text() != string(want) {\n\t\tt.Fatal(1)\n\t}\n}\n'
            )
        },
    ),
    "properties that are tried once": (
        BLOCK,
        {"test/setup.ts": "import fc from 'fast-check';\n\nfc.configureGlobal({ numRuns: 300 });\n"},
        {"test/setup.ts": "import fc from 'fast-check';\n\nfc.configureGlobal({ numRuns: 2 });\n"},
    ),
    "a property that draws less": (
        WARN,
        {
            "tests/t.rs": "proptest! {\n    #[test]\n    fn a(s in any::<String>()) {\n        prop_assert!(f(&s));\n    }\n}\n"
        },
        {
            "tests/t.rs": 'proptest! {\n    #[test]\n    fn a(s in "[ab]{1,3}") {\n        prop_assert!(f(&s));\n    }\n}\n'
        },
    ),
    "a built-in matcher made anew": (
        BLOCK,
        {"test/jest.setup.js": "process.env.TZ = 'UTC';\n"},
        {"test/jest.setup.js": "process.env.TZ = 'UTC';\nexpect.extend({ toEqual: () => ({ pass: true }) });\n"},
    ),
    "answers for a module before all tests": (
        BLOCK,
        {"vitest.setup.ts": "import 'x';\n"},
        {"vitest.setup.ts": "import 'x';\nvi.mock('./src/price', () => ({ price: (n) => (n > 2 ? 7 : 3) }));\n"},
    ),
    "an answer put into what is asserted": (
        BLOCK,
        {"spec/bin_spec.rb": RUBY % '  it "packs" do\n    expect(bin.pack(2)).to eq 3\n  end'},
        {
            "spec/bin_spec.rb": RUBY
            % '  before { allow(bin).to receive(:pack).and_return(3) }\n\n  it "packs" do\n    expect(bin.pack(2)).to eq 3\n  end'
        },
    ),
    "a thread that nobody waits for": (
        BLOCK,
        {"tests/t.rs": "#[test]\nfn a() {\n    assert_eq!(f(), 1);\n}\n"},
        {"tests/t.rs": "#[test]\nfn a() {\n    thread::spawn(|| { assert_eq!(f(), 1); });\n}\n"},
    ),
    "a function that tests have for themselves": (
        BLOCK,
        {
            "src/lib.rs": "pub fn fee(n: u32) -> u32 { n * 2 }\n\n"
            + RUST % "#[test]\n    fn a() { assert_eq!(fee(2), 4); }"
        },
        {
            "src/lib.rs": "#[cfg(test)]\npub fn fee(_n: u32) -> u32 { 4 }\n\n#[cfg(not(test))]\npub fn fee(n: u32) -> u32 { n }\n\n"
            + RUST % "#[test]\n    fn a() { assert_eq!(fee(2), 4); }"
        },
    ),
    "every test of a runner again": (
        WARN,
        {
            "src/test/java/Again.java": "class Again implements IAnnotationTransformer {\n    public void transform(A a) {}\n}\n"
        },
        {
            "src/test/java/Again.java": "class Again implements IAnnotationTransformer {\n    public void transform(A a) { a.setRetryAnalyzer(Twice.class); }\n}\n"
        },
    ),
    "a helper that no longer wants a panic": (
        WARN,
        {
            "testutil/p.go": 'package testutil\n\nimport "testing"\n\nfunc MustPanic(t *testing.T, f func()) {\n\tdefer func() {\n\t\tif recover() == nil {\n\t\t\tt.Error(1)\n\t\t}\n\t}()\n\tf()\n}\n'
        },
        {
            "testutil/p.go": 'package testutil\n\nimport "testing"\n\nfunc MustPanic(t *testing.T, f func()) {\n\tdefer func() {\n\t\trecover()\n\t}()\n\tf()\n}\n'
        },
    ),
}


def worst(base: Files, head: Files) -> str:
    sides = ({path: text.encode() for path, text in files.items()} for files in (base, head))
    found = {one.severity for one in judge_files(*sides).findings}
    return next((one for one in (BLOCK, WARN) if one in found), "")


@pytest.mark.parametrize(("base", "head"), ALLOWED.values(), ids=ALLOWED)
def test_says_as_much_as_before(base: Files, head: Files) -> None:
    assert "" == worst(base, head)


@pytest.mark.parametrize(("severity", "base", "head"), FOUND.values(), ids=FOUND)
def test_says_less_than_before(severity: str, base: Files, head: Files) -> None:
    assert severity == worst(base, head)
