"""Helpers, hooks, macros, annotations and wrappers of other languages, which decide for tests of other files."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.code import ASSERT_WEAKENED, HARNESS_TAMPERED, SKIP_MARKER
from agentgate_git.model.finding import BLOCK, WARN

GO_TEST = "package a\nfunc TestA(t *testing.T) { t.Helper(); testutil.WantSum(t, sum(1), 1) }\n"
GO_HELPER = 'package testutil\nfunc WantSum(t *testing.T, got, want int) { if got != want { t.Errorf("x") } }\n'
JS_TEST = "import { test, expect } from './fixtures'\ntest('adds', () => { expect(add(1, 2)).toBe(3) })\n"
SOFTLY = "module.exports = function softly(check) { try { check() } catch (e) { %s } }\n"
JS_SOFT = "const softly = require('./softly')\ntest('adds', () => { softly(() => expect(add(1, 2)).toBe(3)) })\n"
JAVA_TEST = "class ATest {\n  %s@Test void adds() { assertEquals(3, add(1, 2)); }\n}\n"
SLOW = "@Retention(RUNTIME) %s public @interface Slow {}\n"
MACRO = "#[macro_export]\nmacro_rules! check_sum { ($a:expr, $want:expr) => { %s }; }\n"
BASH = 'assert_out() {\n  if [ "$output" != "$1" ]; then\n    echo no >&2\n%s  fi\n}\n'
CASE = "class Case < Minitest::Test\n%s  def assert_near(want, got)\n    assert_in_delta want, got, %s\n  end\nend\n"
COMMAND = "Cypress.Commands.add('shouldTotal', (text) => {\n  %s\n});\n"
HOOK = "exports.mochaHooks = {\n  beforeEach() {\n    this.started = Date.now();\n%s  },\n};\n"
BASE_CLASS = "public abstract class Base\n{\n    [SetUp]\n    public void Log() { %s }\n}\n"
GTEST = '#include "util.h"\nTEST_F(A, %s) { EXPECT_EQ(f(), 3); }\n'
ALLOWED = {
    "a helper that is worded anew": (
        {"testutil/check.go": GO_HELPER},
        {"testutil/check.go": GO_HELPER.replace('t.Errorf("x")', 't.Fatalf("not %d", want)')},
    ),
    "a helper that skips comes with its test": (
        {"a_test.go": GO_TEST},
        {
            "a_test.go": GO_TEST + "func TestB(t *testing.T) { testutil.NeedDB(t); testutil.WantSum(t, sum(2), 2) }\n",
            "testutil/db.go": "package testutil\nfunc NeedDB(t *testing.T) { if !hasDB() { t.Skip() } }\n",
        },
    ),
    "an assertion put into a helper of another file": (
        {"a_test.go": "package a\nfunc TestA(t *testing.T) { require.NoError(t, run()) }\n"},
        {"a_test.go": "package a\nfunc TestA(t *testing.T) { testutil.NoErr(t, run()) }\n"},
    ),
    "a wrapper that tells in the end": (
        {"test/softly.js": SOFTLY % "throw e", "test/a.test.js": JS_SOFT},
        {"test/softly.js": SOFTLY % "log(e); throw e", "test/a.test.js": JS_SOFT},
    ),
    "an annotation that does nothing": (
        {"src/test/java/ATest.java": JAVA_TEST % ""},
        {"src/test/java/ATest.java": JAVA_TEST % "@Slow ", "src/test/java/Slow.java": SLOW % '@Tag("slow")'},
    ),
    "a macro that panics itself": (
        {"tests/common/mod.rs": MACRO % "assert_eq!(sum($a), $want)"},
        {"tests/common/mod.rs": MACRO % 'if sum($a) != $want { panic!("no") }'},
    ),
    "a smaller delta": (
        {"test/case.rb": CASE % ("", "0.1")},
        {"test/case.rb": CASE % ("", "0.001")},
    ),
    "a hook that looks": (
        {"test/hooks.js": HOOK % ""},
        {"test/hooks.js": HOOK % "    this.count += 1;\n"},
    ),
    "a macro that names tests": (
        {"tests/a_test.cpp": GTEST % "Adds", "tests/util.h": "int x;\n"},
        {"tests/a_test.cpp": GTEST % "CASE(Adds)", "tests/util.h": "#define CASE(name) name\n"},
    ),
}
FOUND = {
    "a helper that only logs": (
        {"testutil/check.go": GO_HELPER},
        {"testutil/check.go": GO_HELPER.replace("Errorf", "Logf")},
        {(ASSERT_WEAKENED, BLOCK)},
    ),
    "a helper that allows a difference": (
        {"testutil/check.go": GO_HELPER},
        {"testutil/check.go": GO_HELPER.replace("got != want", "d := got - want; d > 9 || d < -9")},
        {(ASSERT_WEAKENED, BLOCK)},
    ),
    "a helper that skips by name": (
        {"a_test.go": GO_TEST},
        {
            "a_test.go": GO_TEST.replace("t.Helper()", "testutil.Stable(t)"),
            "testutil/s.go": 'package testutil\nfunc Stable(t *testing.T) { if t.Name() == "TestA" { t.Skip() } }\n',
        },
        {(SKIP_MARKER, BLOCK)},
    ),
    "a wrapper that swallows": (
        {"test/a.test.js": "test('adds', () => { expect(add(1, 2)).toBe(3) })\n"},
        {"test/softly.js": SOFTLY % "console.warn(e.message)", "test/a.test.js": JS_SOFT},
        {(ASSERT_WEAKENED, BLOCK)},
    ),
    "an annotation that asks for a variable": (
        {"src/test/java/ATest.java": JAVA_TEST % ""},
        {
            "src/test/java/ATest.java": JAVA_TEST % "@Slow ",
            "src/test/java/Slow.java": SLOW % '@EnabledIfEnvironmentVariable(named = "RUN_SLOW", matches = "1")',
        },
        {(SKIP_MARKER, BLOCK)},
    ),
    "it under another name": (
        {"test/a.test.js": "it('adds', () => { expect(add(1, 2)).toBe(3) })\n"},
        {
            "test/a.test.js": (
                "const { itSlow } = require('./when')\nitSlow('adds', () => { expect(add(1, 2)).toBe(3) })\n"
            ),
            "test/when.js": "exports.itSlow = process.env.RUN_SLOW ? it : it.skip\n",
        },
        {(SKIP_MARKER, BLOCK)},
    ),
    "a macro that prints": (
        {"tests/common/mod.rs": MACRO % "assert_eq!(sum($a), $want)"},
        {"tests/common/mod.rs": MACRO % 'if sum($a) != $want { eprintln!("no") }'},
        {(ASSERT_WEAKENED, BLOCK)},
    ),
    "a function of bats that returns nothing": (
        {"test/helpers.bash": BASH % "    return 1\n"},
        {"test/helpers.bash": BASH % ""},
        {(ASSERT_WEAKENED, BLOCK)},
    ),
    "a greater delta": (
        {"test/case.rb": CASE % ("", "0.001")},
        {"test/case.rb": CASE % ("", "1.0")},
        {(ASSERT_WEAKENED, BLOCK)},
    ),
    "a set-up that skips by name": (
        {"test/case.rb": CASE % ("", "0.1")},
        {"test/case.rb": CASE % ('  def setup\n    skip "later" if %w[test_a].include?(name)\n  end\n', "0.1")},
        {(SKIP_MARKER, BLOCK)},
    ),
    "a custom command that sees less": (
        {"cypress/support/commands.js": COMMAND % "cy.get('#total').should('have.text', text);"},
        {"cypress/support/commands.js": COMMAND % "cy.get('#total').should('exist');"},
        {(ASSERT_WEAKENED, BLOCK)},
    ),
    "a root hook by title": (
        {"test/hooks.js": HOOK % ""},
        {"test/hooks.js": HOOK % "    if (this.currentTest.title.startsWith('a')) this.skip();\n"},
        {(SKIP_MARKER, BLOCK)},
    ),
    "a hook of a base class by name": (
        {"tests/Base.cs": BASE_CLASS % "Say();"},
        {"tests/Base.cs": BASE_CLASS % 'if (TestContext.CurrentContext.Test.Name.Contains("CM")) { Assert.Ignore(); }'},
        {(SKIP_MARKER, BLOCK)},
    ),
    "a macro that disables": (
        {"tests/a_test.cpp": GTEST % "Adds", "tests/util.h": "int x;\n"},
        {"tests/a_test.cpp": GTEST % "FLAKY(Adds)", "tests/util.h": "#define FLAKY(name) DISABLED_##name\n"},
        {(SKIP_MARKER, BLOCK)},
    ),
    "metadata that skips": (
        {"spec/spec_helper.rb": "RSpec.configure do |config|\n  config.order = :random\nend\n"},
        {
            "spec/spec_helper.rb": (
                "RSpec.configure do |config|\n  config.define_derived_metadata do |meta|\n"
                '    meta[:skip] = "later" if meta[:description].include?("old")\n  end\nend\n'
            )
        },
        {(SKIP_MARKER, BLOCK)},
    ),
    "a module of tests under a feature": (
        {"src/lib.rs": "#[cfg(test)]\nmod tests;\n"},
        {"src/lib.rs": '#[cfg(all(test, feature = "slow"))]\nmod tests;\n'},
        {(SKIP_MARKER, BLOCK)},
    ),
    "a failure handler that logs": (
        {"a_suite_test.go": 'package a\nfunc TestA(t *testing.T) { RegisterFailHandler(Fail); RunSpecs(t, "A") }\n'},
        {
            "a_suite_test.go": (
                "package a\nfunc TestA(t *testing.T) {\n"
                'RegisterFailHandler(func(m string, _ ...int) { log(m) }); RunSpecs(t, "A") }\n'
            )
        },
        {(HARNESS_TAMPERED, BLOCK)},
    ),
    "a prototype of the subject": (
        {"test/queue.test.js": "const { Queue } = require('../queue')\n" + JS_TEST},
        {"test/queue.test.js": "const { Queue } = require('../queue')\nQueue.prototype.drain = () => []\n" + JS_TEST},
        {(HARNESS_TAMPERED, BLOCK)},
    ),
    "a failure that cypress drops": (
        {"cypress/support/e2e.js": "import './commands'\n"},
        {
            "cypress/support/e2e.js": (
                "import './commands'\n"
                "Cypress.on('fail', (e) => { if (e.message.includes('x')) return false; throw e; })\n"
            )
        },
        {(HARNESS_TAMPERED, BLOCK)},
    ),
}

TYPE_CHECKING = False
if TYPE_CHECKING:
    Files = dict[str, str]


def told(base: Files, head: Files) -> set[tuple[str, str]]:
    sides = ({path: text.encode() for path, text in files.items()} for files in (base, head))
    return {(one.code, one.severity) for one in judge_files(*sides).findings if one.severity in (BLOCK, WARN)}


@pytest.mark.parametrize(("base", "head"), ALLOWED.values(), ids=ALLOWED)
def test_allows(base: Files, head: Files) -> None:
    assert set() == told(base, head)


@pytest.mark.parametrize(("base", "head", "expected"), FOUND.values(), ids=FOUND)
def test_finds(base: Files, head: Files, expected: set[tuple[str, str]]) -> None:
    assert expected == told(base, head)
