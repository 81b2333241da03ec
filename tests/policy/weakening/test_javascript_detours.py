"""Ways around a check of JavaScript by what stands beside it, each beside the honest change that looks like it."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.record import Record

ALLOW = "allow"
TOP = "import { total, Meter } from '../src/cart.js';\n"
OTHER = "\ntest('nothing costs nothing', () => {\n  expect(total([])).toBe(0);\n});\n"
CASES = "const CASES = [{ n: 1, t: 1 }, { n: 2, t: 2 }];\n"
METER = "const meter = new Meter(); expect(meter.sorted()).toEqual([9, 10]);"
TRIED = "load((err, n) => {{ try {{ expect(n).toBe(3); done(); }} catch (e) {{ {} }} }});"
PROMISED = "load().then((n) => {{ expect(n).toBe(3); done(); }}).catch({});"


def of(body: str, *, head: str = "()", before: str = "") -> dict[str, str]:
    return {"test/cart.test.js": f"{TOP}{before}test('adds', {head} => {{\n  {body}\n}});\n{OTHER}"}


def worst(base: dict[str, str], head: dict[str, str]) -> str:
    sides = ({path: text.encode() for path, text in files.items()} for files in (base, head))
    found = {one.severity for one in judge_files(*sides).findings}
    return next((one for one in (BLOCK, WARN) if one in found), ALLOW)


class Row(Record):
    """A base, a head that weakens it, what is to be said of that, and a head of which nothing is to be said."""

    base: dict[str, str]
    weak: dict[str, str]
    severity: str
    honest: dict[str, str]


PLAIN = of("expect(total(cart)).toBe(3);")
ROWS = {
    "a failure that is not handed on": Row(
        of(TRIED.format("done(e);"), head="(done)"),
        of(TRIED.format("done();"), head="(done)"),
        BLOCK,
        of("load((err, n) => { if (err) return done(err); expect(n).toBe(3); done(); });", head="(done)"),
    ),
    "a rejection that ends the test well": Row(
        of(PROMISED.format("done"), head="(done)"),
        of(PROMISED.format("() => done(null)"), head="(done)"),
        BLOCK,
        of(PROMISED.format("(e) => done(e)"), head="(done)"),
    ),
    "a timer that outlives the test": Row(
        PLAIN,
        of("setTimeout(() => { expect(total(cart)).toBe(3); }, 60000);"),
        BLOCK,
        of("return new Promise((resolve) => setTimeout(() => { expect(total(cart)).toBe(3); resolve(); }, 10));"),
    ),
    "a timer whose clock is moved by hand": Row(
        PLAIN,
        of("setTimeout(() => { expect(total(cart)).toBe(3); }, 100).unref();"),
        BLOCK,
        of("jest.useFakeTimers(); setTimeout(() => { expect(total(cart)).toBe(3); }, 100); jest.runAllTimers();"),
    ),
    "digits before the point": Row(
        of("expect(total(cart)).toBeCloseTo(611.79, 1);"),
        of("expect(total(cart)).toBeCloseTo(611.79, -2);"),
        BLOCK,
        of("expect(total(cart)).toBeCloseTo(611.79, 3);"),
    ),
    "a function that nothing calls": Row(
        PLAIN,
        {"test/cart.test.js": f"{TOP}const checkSum = () => {{\n  expect(total(cart)).toBe(3);\n}};\n{OTHER}"},
        BLOCK,
        {
            "test/cart.test.js": f"{TOP}const addsUp = () => {{\n  expect(total(cart)).toBe(3);\n}};\n"
            f"test('adds', addsUp);\n{OTHER}"
        },
    ),
    "a list of which a filter leaves nothing": Row(
        PLAIN,
        of("for (const one of CASES.filter((c) => c.n > 5)) { expect(total(one)).toBe(one.t); }", before=CASES),
        BLOCK,
        of("for (const one of CASES.filter((c) => c.n > 1)) { expect(total(one)).toBe(3); }", before=CASES),
    ),
    "a list of which nothing is taken": Row(
        PLAIN,
        of("CASES.slice(0, 0).forEach((one) => { expect(total(one)).toBe(one.t); });", before=CASES),
        BLOCK,
        of("CASES.forEach((one) => { expect(total(one)).toBe(3); });", before="const CASES = [];\nCASES.push(cart);\n"),
    ),
    "rows of which a filter leaves nothing": Row(
        {"test/cart.test.js": f"{TOP}{CASES}test.each(CASES)('adds', (c) => {{ expect(total(c)).toBe(c.t); }});\n"},
        {
            "test/cart.test.js": f"{TOP}{CASES}test.each(CASES.filter((c) => c.n < 1))('adds', (c) => {{\n"
            "  expect(total(c)).toBe(c.t); });\n"
        },
        BLOCK,
        {
            "test/cart.test.js": f"{TOP}{CASES}test.each([...CASES, cart])('adds', (c) => {{\n"
            "  expect(total(c)).toBe(c.t); });\n"
        },
    ),
    "a spy that answers": Row(
        of(METER),
        of(METER.replace("; ", "; vi.spyOn(meter, 'sorted').mockReturnValue([9, 10]); ", 1)),
        BLOCK,
        of(METER.replace("; ", "; vi.spyOn(meter, 'load').mockReturnValue([10, 9]); ", 1)),
    ),
    "a spy that is only asked whether it is called": Row(
        of("const gate = open(); pay(gate); expect(gate.charge()).toBe(3);"),
        of("const gate = open(); jest.spyOn(gate, 'charge').mockReturnValue(3); expect(gate.charge()).toBe(3);"),
        BLOCK,
        of(
            "const gate = open(); jest.spyOn(gate, 'charge').mockReturnValue(3); pay(gate);\n"
            "  expect(gate.charge).toHaveBeenCalledTimes(1); expect(pay(gate)).toBe(3);"
        ),
    ),
    "a spy that answers for all tests": Row(
        of(METER, before="beforeEach(() => { start(); });\n"),
        of(METER, before="beforeEach(() => { start(); spyOn(meter, 'sorted').and.returnValue([9, 10]); });\n"),
        BLOCK,
        of(METER, before="beforeEach(() => { start(); spyOn(meter, 'sorted').and.callThrough(); });\n"),
    ),
    "a browser that nobody has": Row(
        PLAIN,
        of("test.skip(browserName !== '', 'flaky'); expect(total(cart)).toBe(3);", head="({ browserName })"),
        BLOCK,
        of("test.skip(browserName === '', 'flaky'); expect(total(cart)).toBe(3);", head="({ browserName })"),
    ),
    "what always runs": Row(
        PLAIN,
        {"test/cart.test.js": PLAIN["test/cart.test.js"].replace("test('adds'", "test.runIf(Boolean(0))('adds'")},
        BLOCK,
        {
            "test/cart.test.js": PLAIN["test/cart.test.js"].replace(
                "test('adds'", "test.runIf(Boolean(process.versions.node))('adds'"
            )
        },
    ),
    "what a page is asked at once": Row(
        of("expect(await page.isVisible('.menu')).toBe(true);", head="async ({ page })"),
        of("expect(await page.isVisible('.menu')).toBeDefined();", head="async ({ page })"),
        BLOCK,
        of("await expect(page.getByRole('navigation')).toBeVisible();", head="async ({ page })"),
    ),
    "what the server says": Row(
        of("await page.goto('/'); await expect(page.getByText('a')).toBeVisible();", head="async ({ page })"),
        of(
            "await page.route('**/api', (route) => route.fulfill({ json: {} })); await page.goto('/');\n"
            "  await expect(page.getByText('a')).toBeVisible();",
            head="async ({ page })",
        ),
        WARN,
        of(
            "await page.route('**/api', (route) => route.continue()); await page.goto('/');\n"
            "  await expect(page.getByText('a')).toBeVisible();",
            head="async ({ page })",
        ),
    ),
    "chance": Row(
        of("const all = roll(200); expect(all).toEqual(new Set([1, 2]));"),
        of(
            "vi.spyOn(Math, 'random').mockReturnValue(0);\n  const all = roll(200); "
            "expect(all).toEqual(new Set([1, 2]));"
        ),
        WARN,
        of("vi.spyOn(Math, 'random');\n  const all = roll(200); expect(all).toEqual(new Set([1, 2]));"),
    ),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_what_a_test_loses(row: Row) -> None:
    assert ALLOW == worst(row.base, row.honest)
    assert row.severity == worst(row.base, row.weak)


SET_UP = "import assert from 'node:assert';\n{}\n"


@pytest.mark.parametrize(
    ("severity", "more"),
    [
        (ALLOW, "process.env.COUNTRY ??= 'DE';"),
        (ALLOW, "Object.assign(assert, { isMoney(x) { assert.ok(x.cents); } });"),
        (BLOCK, "for (const name of ['equal', 'ok']) assert[name] = () => {};"),
        (BLOCK, "Object.assign(assert, { equal() {}, ok() {} });"),
        (BLOCK, "mock.method(assert, 'equal', () => {});"),
        (BLOCK, "chai.assert.equal = () => {};"),
        (WARN, "beforeAll(() => { vi.useFakeTimers({ now: new Date('2020-01-01') }); });"),
        (WARN, "beforeAll(() => { jest.useFakeTimers().setSystemTime(new Date('2020-01-01')); });"),
    ],
)
def test_what_a_set_up_does(severity: str, more: str) -> None:
    path = "test/setup.mjs"
    assert severity == worst({path: SET_UP.format("")}, {path: SET_UP.format(more)})


@pytest.mark.parametrize(
    ("severity", "reporter"),
    [
        (ALLOW, "class R {\n  onRunComplete(_, results) {\n    print(results.numPassedTests);\n  }\n}\n"),
        (ALLOW, "module.exports = function (runner) {\n  this.failures = 0;\n  runner.on('end', print);\n};\n"),
        (WARN, "class R {\n  onRunComplete() {\n    process.exit(0);\n  }\n}\n"),
        (BLOCK, "class R {\n  onRunComplete(_, results) {\n    results.success = true;\n  }\n}\n"),
        (BLOCK, "module.exports = (results) => {\n  results.numFailedTests = 0;\n  return results;\n};\n"),
        (
            ALLOW,
            "module.exports = (results) => {\n  save({ failed: results.numFailedTests });\n  return results;\n};\n",
        ),
        (BLOCK, "module.exports = (results) => ({ ...results, success: true, numFailedTests: 0 });\n"),
        (BLOCK, "export default (r) => Object.assign(r, { numFailedTests: 0, numFailedTestSuites: 0 });\n"),
        (BLOCK, "class R {\n  onEnd(result) {\n    return { status: 'passed' };\n  }\n}\n"),
        (
            BLOCK,
            "module.exports = (runner) => {\n  runner.on('end', () => {\n    runner.stats.failures = 0;\n  });\n};\n",
        ),
    ],
)
def test_what_a_reporter_says(severity: str, reporter: str) -> None:
    assert severity == worst(PLAIN, {**PLAIN, "tools/summary.js": reporter})


WHOLE = "expect(mail(user)).{}({{ to: 'eve@example.org', subject: 'Hi' }});"
PRODUCT = {"src/cart.js": "export const mail = () => 1;\n"}


@pytest.mark.parametrize(
    ("severity", "before", "after"),
    [
        (WARN, WHOLE.format("toEqual"), WHOLE.format("toMatchObject")),
        (BLOCK, WHOLE.format("toEqual"), "expect(mail(user)).toMatchObject({});"),
        (WARN, "expect(url()).toBe('http://shop/admin');", r"expect(url()).toMatch(/shop\/admin$/);"),
        (BLOCK, "expect(url()).toBe('http://shop/admin');", "expect(url()).toMatch(/./);"),
    ],
)
def test_a_whole_that_may_be_more_beside_a_repair(severity: str, before: str, after: str) -> None:
    base, head = {**PRODUCT, **of(before)}, {"src/cart.js": "export const mail = () => 2;\n", **of(after)}
    assert severity == worst(base, head)
