"""JavaScript and TypeScript: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states, traits

PATH = "src/cart.test.ts"
RUNS = {
    "plain": "it('a', () => { expect(f()).toBe(1) })",
    "nested": "describe('s', () => { it('a', () => { expect(f()).toBe(1) }) })",
    "the word in a title": "it('a skips, only once, todo', () => { expect(f()).toBe(1) })",
    "the word in a comment": "// it.skip('a')\nit('a', () => { expect(f()).toBe(1) })",
    "a table": "it.each([[1], [2]])('a %d', (n) => { expect(f(n)).toBe(1) })",
    "concurrent": "test.concurrent('a', async () => { expect(await f()).toBe(1) })",
    "other options": "it('a', { timeout: 10 }, () => { expect(f()).toBe(1) })",
    "an option that is off": "it('a', { skip: false }, () => { expect(f()).toBe(1) })",
    "a name that is something else": "const later = (n) => n\nit('a', () => { expect(later(1)).toBe(1) })",
    "a guard that never holds here": "it('a', () => { if (process.platform === 'win32') return; expect(f()).toBe(1) })",
    "the same, named": "const win = process.platform === 'win32'\nit.skipIf(win)('a', () => { expect(f()) })",
    "an early return after a check": "it('a', () => { expect(f()).toBe(1); if (x) return; g() })",
    "a helper's return": "it('a', () => { const g = () => { return 1 }; expect(g()).toBe(1) })",
    "a slow test": "test('a', async () => { test.slow(); expect(await f()).toBe(1) })",
    "one of two, decided": "const maybe = true ? it : it.skip\nmaybe('a', () => { expect(f()).toBe(1) })",
    "an array's each": "describe('s', () => { [1].forEach((n) => it('a', () => { expect(f(n)).toBe(1) })) })",
    "node's own": "import test from 'node:test'\ntest('a', () => { assert.equal(f(), 1) })",
    "required": "const { test } = require('node:test')\ntest('a', () => { assert.equal(f(), 1) })",
    "extended": "import { test as base } from 'pw'\nconst test = base.extend({})\ntest('a', () => { expect(f()) })",
}
SKIPPED = {
    "a helper that skips": "function no() { pending() }\nit('a', () => { no(); expect(f()).toBe(1) })",
    "required already skipped": "const test = require('node:test').skip\ntest('a', () => { assert.ok(f()) })",
    "of the global object": "globalThis.it.skip('a', () => { expect(f()).toBe(1) })",
    "it.skip": "it.skip('a', () => { expect(f()).toBe(1) })",
    "computed": "it['skip']('a', () => { expect(f()).toBe(1) })",
    "computed, double quotes, each": 'test["skip"]["each"]([[1]])("a", () => { expect(f()).toBe(1) })',
    "xit": "xit('a', () => { expect(f()).toBe(1) })",
    "alias": "const later = it.skip\nlater('a', () => { expect(f()).toBe(1) })",
    "alias of an alias": "const s = it\nconst later = s.skip\nlater('a', () => { expect(f()).toBe(1) })",
    "taken apart": "const { skip: later } = test\nlater('a', () => { expect(f()).toBe(1) })",
    "imported by another name": "import { it as spec } from 'vitest'\nspec.skip('a', () => { expect(f()).toBe(1) })",
    "bound": "const later = it.skip.bind(it)\nlater('a', () => { expect(f()).toBe(1) })",
    "suite": "describe.skip('s', () => { it('a', () => { expect(f()).toBe(1) }) })",
    "suite with x": "xdescribe('s', () => { it('a', () => { expect(f()).toBe(1) }) })",
    "option": "it('a', { skip: true }, () => { expect(f()).toBe(1) })",
    "option with a reason": "test('a', { todo: 'later' }, () => { assert.ok(f()) })",
    "in the body": "it('a', function () { this.skip(); expect(f()).toBe(1) })",
    "in the body of node's": "test('a', (t) => { t.skip('x'); assert.equal(f(), 1) })",
    "pending": "it('a', () => { pending('x'); expect(f()).toBe(1) })",
    "before each": "describe('s', () => { beforeEach(() => { pending() }); it('a', () => { expect(f()).toBe(1) }) })",
    "return": "it('a', () => { return; expect(f()).toBe(1) })",
    "return under a constant": "it('a', () => { if (true) return; expect(f()).toBe(1) })",
    "skipIf of a constant": "it.skipIf(!0 || 1 < 2)('a', () => { expect(f()).toBe(1) })",
    "runIf of a constant": "it.runIf(false)('a', () => { expect(f()).toBe(1) })",
    "fixme": "test.fixme('a', async () => { expect(await f()).toBe(1) })",
    "fixme in the body": "test('a', async () => { test.fixme(); expect(await f()).toBe(1) })",
    "skip over a whole file": "test.skip()\ntest('a', async () => { expect(await f()).toBe(1) })",
}
CONDITIONAL = {
    "one of two": "(isCI ? it.skip : it)('a', () => { expect(f()).toBe(1) })",
    "one of two, named": "const maybe = hasDb ? it : it.skip\nmaybe('a', () => { expect(f()).toBe(1) })",
    "skipIf": "it.skipIf(isCI)('a', () => { expect(f()).toBe(1) })",
    "runIf": "it.runIf(process.env.SLOW)('a', () => { expect(f()).toBe(1) })",
    "in the body": "it('a', function () { if (x) this.skip(); expect(f()).toBe(1) })",
    "argument": "test('a', async ({ browserName }) => { test.skip(browserName === 'ie'); expect(await f()).toBe(1) })",
    "short circuit": "it('a', function () { x && this.skip(); expect(f()).toBe(1) })",
    "early return": "it('a', () => { if (x) return; expect(f()).toBe(1) })",
    "around the definition": "if (hasNet) { it('a', () => { expect(f()).toBe(1) }) }",
    "option": "it('a', { skip: isCI }, () => { expect(f()).toBe(1) })",
}
NOT_COLLECTED = {
    "focus": "it('a', () => { expect(f()).toBe(1) })\nit.only('b', () => {})",
    "focus of a suite": "it('a', () => { expect(f()).toBe(1) })\ndescribe.only('s', () => { it('b', () => {}) })",
    "fit": "it('a', () => { expect(f()).toBe(1) })\nfit('b', () => {})",
    "focus by option": "it('a', () => { expect(f()).toBe(1) })\nit('b', { only: true }, () => {})",
    "no body": "it('a')",
    "empty table": "it.each([])('a', () => { expect(f()).toBe(1) })",
    "behind false": "if (false) { it('a', () => { expect(f()).toBe(1) }) }",
    "a suite that waits": "describe('s', async () => { await x; it('a', () => { expect(f()).toBe(1) }) })",
    "a suite that returns": "describe('s', () => { return; it('a', () => { expect(f()).toBe(1) }) })",
    "in a function that nobody calls": "function unused() { it('a', () => { expect(f()).toBe(1) }) }",
}
EXPECTED_FAIL = {
    "failing": "it.failing('a', () => { expect(f()).toBe(1) })",
    "fails": "it.fails('a', () => { expect(f()).toBe(1) })",
    "in the body": "test('a', async () => { test.fail(); expect(await f()).toBe(1) })",
}
TABLE = [
    *((state, text) for state, rows in (("runs", RUNS), ("skipped", SKIPPED)) for text in rows.items()),
    *(("conditional", text) for text in CONDITIONAL.items()),
    *(("not-collected", text) for text in NOT_COLLECTED.items()),
    *(("expected-fail", text) for text in EXPECTED_FAIL.items()),
]


@pytest.mark.parametrize(("state", "row"), TABLE, ids=[f"{state}: {row[0]}" for state, row in TABLE])
def test_states(state: str, row: tuple[str, str]) -> None:
    found = states(PATH, row[1])
    assert state == next(now for name, now in found.items() if name.rpartition("::")[2].startswith("a"))


def test_names_tell_the_suites() -> None:
    text = "describe('s', () => { describe('t', () => { it('a b', () => { f() }) }) })"
    assert {"s::t::a b": "runs"} == states(PATH, text)


def test_a_body_is_the_same_in_another_layout_and_behind_another_marker() -> None:
    plain = "it('a', () => {\n  expect(f(1, 2)).toBe('x');\n});"
    other = "it.skip('b', () => { // why\n  expect( f(1,2,) ).toBe(\"x\")\n});"
    (one,), (two,) = assertions(PATH, plain, whole=True), assertions(PATH, other, whole=True)
    assert one.body == two.body != ""


def test_a_skip_in_the_body_is_no_part_of_the_body() -> None:
    plain = "it('a', () => { expect(f()).toBe(1) })"
    other = "it('a', function () { if (x) this.skip(); expect(f()).toBe(1) })"
    (one,), (two,) = assertions(PATH, plain, whole=True), assertions(PATH, other, whole=True)
    assert one.body == two.body != ""


CHECKS = {
    "expect(f()).toBe(3)": ("f()", "==", "3", "exact"),
    "expect(f()).toEqual({ a: 1 })": ("f()", "==", "{a:1}", "exact"),
    "expect(f()).not.toBe(3)": ("f()", "not toBe", "3", "bound"),
    "expect(f()).toBeTruthy()": ("f()", "toBeTruthy", "", "present"),
    "expect(f()).toBeDefined()": ("f()", "toBeDefined", "", "present"),
    "expect(f()).not.toBeNull()": ("f()", "not toBeNull", "", "present"),
    "expect(f()).toEqual(expect.anything())": ("f()", "toEqual", "expect.anything()", "present"),
    "expect(f()).toBeCloseTo(3, 2)": ("f()", "is near", "3", "close"),
    "expect(f()).toBeGreaterThanOrEqual(3)": ("f()", "toBeGreaterThanOrEqual", "3", "bound"),
    "expect(f()).toContain('x')": ("f()", "contains", '"x"', "sought"),
    "expect(f()).toMatchSnapshot()": ("f()", "toMatchSnapshot", "", "sought"),
    "expect(f()).toMatchInlineSnapshot('3')": ("f()", "==", '"3"', "exact"),
    "expect(f).toThrow()": ("f", "toThrow", "", "present"),
    "expect(f).toThrow('no')": ("f", "toThrow", '"no"', "sought"),
    "expect(f()).toBeInstanceOf(X)": ("f()", "toBeInstanceOf", "X", "type"),
    "expect(f() === 3).toBe(true)": ("f()", "==", "3", "exact"),
    "assert.strictEqual(f(), 3)": ("f()", "==", "3", "exact"),
    "assert.equal(3, f())": ("f()", "==", "3", "exact"),
    "assert(f() > 3)": ("f()", ">", "3", "bound"),
    "assert.ok(f())": ("f()", "ok", "", "present"),
    "t.is(f(), 3)": ("f()", "==", "3", "exact"),
    "t.deepEqual(f(), [1, 2])": ("f()", "==", "[1,2]", "exact"),
    "expect(f()).to.equal(3)": ("f()", "==", "3", "exact"),
    "expect(f()).to.be.true": ("f()", "==", "true", "exact"),
    "expect(f()).to.deep.equal([1])": ("f()", "==", "[1]", "exact"),
    "f().should.equal(3)": ("f()", "==", "3", "exact"),
    "cy.get('x').should('have.text', '3')": ('cy.get("x")', "==", '"3"', "exact"),
    "expect(f()).toEqual({ a: expect.any(Number) })": ("f()", "toEqual", "{a:expect.any(Number)}", "sought"),
    "if (f() !== 3) throw new Error('no')": ("f()", "==", "3", "exact"),
    "await page.expectTotal(3)": ("3", "passes expectTotal", "", "exact"),
    "console.assert(f() === 3)": ("", "console.assert", "", "none"),
    "t.is.skip(f(), 3)": ("", "t.is.skip", "", "none"),
}


@pytest.mark.parametrize(("text", "expected"), CHECKS.items(), ids=CHECKS)
def test_what_a_check_says(text: str, expected: tuple[str, str, str, str]) -> None:
    (check,) = assertions(PATH, f"it('a', () => {{ {text} }})")
    assert expected == (check.subject, check.relation, check.expected, check.strength)
    assert "" == check.void


VOID = {
    "swallowed": "try { expect(f()).toBe(1) } catch (e) { console.log(e) }",
    "swallowed by nothing": "try { expect(f()).toBe(1) } catch {}",
    "dropped": "return p.then((v) => expect(v).toBe(1)).catch(() => {})",
    "dropped by a handler that logs": "await page.expectTotal(3).catch((e) => { log(e) })",
    "a function that nothing calls": "const check = () => { expect(f()).toBe(1) }; g()",
    "not awaited": "p().then((v) => { expect(v).toBe(1) })",
    "not awaited matcher": "expect(p()).resolves.toBe(1)",
    "itself": "expect(f()).toBe(f())",
    "constants": "expect(true).toBe(true)",
    "after a return": "g(); return; expect(f()).toBe(1)",
    "behind false": "if (false) { expect(f()).toBe(1) }",
}
CALLBACKS = {
    "called in the handler": ("it('a', function (done) { p().then(function (v) { expect(v).toBe(1); done() }) })", ""),
    "handed on": ("it('a', (done) => { p().then((v) => { expect(v).toBe(1) }).then(() => end(done), done) })", ""),
    "called a while later": (
        "it('a', function (done) { p().then((v) => { setTimeout(() => { expect(v).toBe(1); done() }, 9) }) })",
        "",
    ),
    "called elsewhere": (
        "it('a', function (done) { p().then((v) => { expect(v).toBe(1) }); done() })",
        "nothing waits for it",
    ),
}
SOUND = {
    "awaited": "await p().then((v) => { expect(v).toBe(1) })",
    "returned": "return p().then((v) => { expect(v).toBe(1) })",
    "awaited matcher": "await expect(p()).resolves.toBe(1)",
    "collected": "await Promise.all([expect(p()).resolves.toBe(1)])",
    "a handler that checks": "try { expect(f()).toBe(1) } catch (e) { expect(e.message).toBe('x') }",
    "a handler that throws": "try { expect(f()).toBe(1) } catch (e) { throw new Error(e) }",
    "a handler that tells": "try { expect(f()).toBe(1) } catch (e) { done(e) }",
    "a catch that throws": "await page.expectTotal(3).catch((e) => { log(e); throw e })",
    "a function that is handed on": "const check = () => { expect(f()).toBe(1) }; each(check)",
    "finally": "try { expect(f()).toBe(1) } finally { g() }",
}


@pytest.mark.parametrize("text", SOUND.values(), ids=SOUND)
def test_checks_that_can_fail(text: str) -> None:
    assert "" == assertions(PATH, f"it('a', async () => {{ {text} }})")[0].void


@pytest.mark.parametrize(("text", "void"), CALLBACKS.values(), ids=CALLBACKS)
def test_a_callback_of_the_runner_waits_for_what_calls_it(text: str, void: str) -> None:
    assert void == assertions(PATH, text)[0].void


def test_each_expectation_of_an_answer_is_a_check() -> None:
    text = "it('a', (done) => { request(app).get('/').set('x', y).expect('Type', /json/).expect(200, 'ok', done) })"
    expected = ['"Type",/json/', '200,"ok"']
    assert expected == [check.expected for check in assertions(PATH, text)]


def test_what_a_test_is_given_under_the_name_of_a_runner_is_no_runner() -> None:
    text = "module.exports = { reads: function (test) { read().then(function () { test.fail() }) } }"
    assert {} == states("test/reads.js", text)


@pytest.mark.parametrize("text", VOID.values(), ids=VOID)
def test_checks_that_cannot_fail(text: str) -> None:
    assert "" != assertions(PATH, f"it('a', async () => {{ {text} }})")[0].void


def test_checks_of_helpers_of_the_file_belong_to_the_test() -> None:
    text = "function check(x) { expect(x).toBe(3) }\nit('a', () => { check(f()) })"
    assert ["=="] == [one.relation for one in assertions(PATH, text)]


GUARDED = {
    "a branch": ("if (ready) { expect(f()).toBe(1) }", "ready"),
    "what a filter leaves": ("[f()].filter((x) => x.ok).forEach((x) => { expect(x).toBe(1) })", ".filter("),
    "a round that is left": ("for (const x of xs) { if (known[x]) continue; expect(f(x)).toBe(1) }", "known[x]"),
    "a function that returns": ("each((x) => { if (x > 9) return; expect(f(x)).toBe(1) })", "x>9"),
}


@pytest.mark.parametrize(("text", "condition"), GUARDED.values(), ids=GUARDED)
def test_what_an_assertion_hangs_on(text: str, condition: str) -> None:
    assert condition in assertions(PATH, f"it('a', () => {{ {text} }})")[0].condition


WRAPPED = {
    "a body that is passed on": ("const slow = (t, fn) => it(t, fn).timeout(9)", "runs"),
    "a body that is dropped": ("const flaky = (t) => it(t, () => {})", "skipped"),
}


@pytest.mark.parametrize(("text", "state"), WRAPPED.values(), ids=WRAPPED)
def test_it_under_another_name(text: str, state: str) -> None:
    name = text.split()[1]
    assert state == states(PATH, f"{text}\n{name}('a', () => {{ expect(f()).toBe(1) }})")["a"]


NAMES = {
    "of vitest": ("calc.test.ts", "vitest", "runs"),
    "in the plural": ("calc.tests.ts", "vitest", "not-collected"),
    "in the plural, which mocha takes": ("test/calc.tests.js", "mocha", "runs"),
    "a helper of ava": ("test/_calc.js", "ava", "not-collected"),
}


@pytest.mark.parametrize(("path", "runner", "state"), NAMES.values(), ids=NAMES)
def test_names_that_no_runner_takes(path: str, runner: str, state: str) -> None:
    text = f"import {{ test }} from '{runner}'\ntest('a', (t) => {{ t.is(f(), 1) }})"
    assert state == states(f"tests/{path}", text)["a"]


def test_rows_of_a_table() -> None:
    (test,) = assertions(PATH, "it.each([[1, 2], [3, 4]])('a', (x, y) => { expect(x).toBe(y) })", whole=True)
    assert ("[1,2]", "[3,4]") == test.rows


@pytest.mark.parametrize("text", ["process.exit(0)", "process.exit()", "process.exitCode = 0"])
def test_exits(text: str) -> None:
    assert ["exit.process"] == [trait.kind for trait in traits(PATH, f"after(() => {{ {text} }})")]


def test_an_exit_with_failure_is_none() -> None:
    assert [] == traits(PATH, "after(() => { process.exit(1) })")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Cypress.on('uncaught:exception', () => false)", "hook.outcome"),
        ("global.expect = () => new Proxy({}, {})", "hook.outcome"),
        ("Cypress.on('fail', (e) => { if (e.x) return false; throw e })", "hook.outcome"),
        ("Date.prototype.getDay = Date.prototype.getUTCDay", "hook.subject"),
        ("vi.mock('./cart', () => ({ total: () => 3 }))", "hook.subject"),
    ],
    ids=["ignored exceptions", "another expect", "dropped failures", "a clock", "the module under test"],
)
def test_hooks(text: str, kind: str) -> None:
    assert [kind] == [trait.kind for trait in traits(PATH, text)]


@pytest.mark.parametrize(
    "text",
    [
        "Cypress.on('fail', (e) => { log(e); throw e })",
        "class A {}\nA.prototype.run = f",
        "Cypress.on('window:before:load', (w) => w)",
        "expect.extend({ toBeOdd: f })",
        "vi.mock('node:fs')",
        "jest.mock('./api')",
    ],
)
def test_what_is_no_hook(text: str) -> None:
    assert [] == traits(PATH, text)
