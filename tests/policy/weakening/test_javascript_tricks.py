"""Tricks of JavaScript and TypeScript, each beside the honest change that looks like it."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.record import Record

ALLOW = "allow"
PROMISED = "await expect(pay(cart)).rejects.toThrow('declined');"
LOOP = "for (const one of ['a', 'b']) { const got = await pay(one); expect(got).toBe(3); }"
DONE = "const q = open(); q.on('tick', () => n++); {} q.on('tock', () => {{ expect(n).toBe(2); {} }});"
CONSOLE = "jest.spyOn(console, 'error').mockImplementation((...all) => { %s });"
SERIALIZER = "expect.addSnapshotSerializer({ test: (value) => %s, serialize: () => '<x />' });"


class Row(Record):
    """A base, a head that weakens it, what is to be said of that, and a head of which nothing is to be said."""

    base: str
    weak: str
    severity: str
    honest: str


BODIES = {
    "a rejection that nobody asks for": Row(
        PROMISED,
        "await pay(cart).catch((err) => { expect(err.message).toBe('declined'); });",
        BLOCK,
        "expect.assertions(1);\n  await pay(cart).catch((err) => { expect(err.message).toBe('declined'); });",
    ),
    "a rejection in the second place of then": Row(
        PROMISED,
        "await pay(cart).then(() => {}, (err) => { expect(err.message).toBe('declined'); });",
        BLOCK,
        "await pay(cart).then(() => { throw new Error('no'); }, (err) => { expect(err.message).toBe('declined'); });",
    ),
    "forEach waits for nothing": Row(
        LOOP,
        "['a', 'b'].forEach(async (one) => { const got = await pay(one); expect(got).toBe(3); });",
        BLOCK,
        "await Promise.all(['a', 'b'].map(async (one) => { const got = await pay(one); expect(got).toBe(3); }));",
    ),
    "map without anybody who waits": Row(
        LOOP,
        "Promise.all(['a', 'b'].map(async (one) => { const got = await pay(one); expect(got).toBe(3); }));",
        BLOCK,
        "const all = await Promise.all(['a', 'b'].map(pay));\n  all.forEach((got) => expect(got).toBe(3));",
    ),
    "settled whatever came": Row(
        "const got = await pay(cart); expect(got).toBe(3);",
        "await Promise.allSettled([pay(cart).then((got) => { expect(got).toBe(3); })]);",
        BLOCK,
        "const [one] = await Promise.allSettled([pay(cart)]);\n"
        "  expect(one.status).toBe('fulfilled');\n  const got = await pay(cart); expect(got).toBe(3);",
    ),
    "an error of any kind": Row(
        "assert.throws(() => parse('a'), { code: 'E', line: 2 });",
        "assert.throws(() => parse('a'), () => true);",
        BLOCK,
        "assert.throws(() => parse('a'), (e) => { assert.equal(e.code, 'E'); assert.equal(e.line, 2); return true; });",
    ),
    "an error with any words": Row(
        "expect(() => parse('a')).toThrow('line 2');",
        "expect(() => parse('a')).toThrow(/.*/);",
        BLOCK,
        "expect(() => parse('a')).toThrow(/line 2/);",
    ),
    "what it gives itself": Row(
        "expect(total(cart)).toBe(5000);",
        "const expected = total({ ...cart });\n  expect(total(cart)).toBe(expected);",
        BLOCK,
        "const expected = 5000;\n  expect(total(cart)).toBe(expected);",
    ),
    "nearly all of it": Row(
        "expect(took()).to.be.closeTo(100, 20);",
        "expect(took()).to.be.closeTo(100, 80);",
        BLOCK,
        "expect(took()).to.be.closeTo(100, 5);",
    ),
}


def worst(base: dict[str, str], head: dict[str, str]) -> str:
    sides = ({path: text.encode() for path, text in files.items()} for files in (base, head))
    found = {one.severity for one in judge_files(*sides).findings}
    return next((one for one in (BLOCK, WARN) if one in found), ALLOW)


def of_body(body: str) -> dict[str, str]:
    return {"test/pay.test.js": f"test('pays', async () => {{\n  {body}\n}});\n"}


@pytest.mark.parametrize("row", BODIES.values(), ids=BODIES)
def test_what_a_test_loses(row: Row) -> None:
    assert ALLOW == worst(of_body(row.base), of_body(row.honest))
    assert row.severity == worst(of_body(row.base), of_body(row.weak))


def test_a_test_that_ends_before_its_assertion() -> None:
    def of(first: str, last: str) -> dict[str, str]:
        return {"test/q.test.js": f"it('ticks', function (done) {{\n  {DONE.format(first, last)}\n}});\n"}

    assert ALLOW == worst(of("", "done();"), of("", "expect(n).toBe(2); done();"))
    assert ALLOW == worst(of("", "done();"), of("q.on('close', () => done());", ""))
    assert BLOCK == worst(of("", "done();"), of("q.once('tick', () => done());", ""))


FILES = {
    "a word on the console that fails no test any more": Row(
        f"beforeEach(() => {{ {CONSOLE % 'throw new Error(all)'} }});",
        f"beforeEach(() => {{ {CONSOLE % 'if (process.env.DEBUG) print(all);'} }});",
        BLOCK,
        f"beforeEach(() => {{ {CONSOLE % 'print(all); throw new TypeError(all)'} }});",
    ),
    "a matcher that compares nothing": Row(
        "expect.extend({ toBeCents(received, expected) { return { pass: received === expected, message }; } });",
        "expect.extend({ toBeCents(received, expected) { return { pass: typeof received === 'number', message }; } });",
        BLOCK,
        "expect.extend({ toBeCents(received, expected) { return { pass: Object.is(received, expected) }; } });",
    ),
    "a matcher that always passes": Row(
        "expect.extend({ toBeCents: (received, expected) => ({ pass: received.equals(expected) }) });",
        "expect.extend({ toBeCents: (received, expected) => ({ pass: true }) });",
        BLOCK,
        "expect.extend({ toBeCents: (a, b) => ({ pass: a.equals(b) }), toBeOdd: (a) => ({ pass: a % 2 === 1 }) });",
    ),
    "a snapshot that is the same for all": Row(
        "",
        SERIALIZER % "value !== null",
        BLOCK,
        SERIALIZER % "typeof value === 'string' && /^:r[0-9]+:$/.test(value)",
    ),
    "a state that is written": Row(
        "afterEach(function () { restore(); });",
        "afterEach(function () { restore(); this.currentTest.state = 'passed'; });",
        BLOCK,
        "afterEach(function () { restore(); if (this.currentTest.state === 'failed') print(this.title); })",
    ),
    "the subject for all tests": Row(
        "import { vi } from 'vitest';\n",
        "import { vi } from 'vitest';\nimport { Limiter } from '../src/limiter.js';\n"
        "beforeEach(() => { vi.spyOn(Limiter.prototype, 'take').mockImplementation(function () { return 1; }); });",
        BLOCK,
        "import { vi } from 'vitest';\nbeforeEach(() => { vi.stubGlobal('fetch', () => { throw new Error(); }); });",
    ),
    "a status at the end": Row(
        "export const x = 1;",
        "process.on('exit', () => { process.exitCode = 0; });",
        BLOCK,
        "process.on('exit', () => { fs.rmSync('.tmp'); });",
    ),
}


@pytest.mark.parametrize("row", FILES.values(), ids=FILES)
def test_what_a_set_up_does(row: Row) -> None:
    path = "test/vitest.setup.js"
    assert ALLOW == worst({path: row.base}, {path: row.honest})
    assert row.severity == worst({path: row.base}, {path: row.weak})


SUITE = "describe('<Counter>', () => {{\n  {}it('counts', {}() => {{\n    expect(render(1)).toBe('1');\n  }});\n}});\n"


def test_a_name_that_no_runner_takes() -> None:
    text = SUITE.format("", "")
    assert ALLOW == worst({"src/Counter.test.tsx": text}, {"src/Counter.spec.tsx": text})
    assert BLOCK == worst({"src/Counter.test.tsx": text}, {"src/Counter.cases.tsx": text})


@pytest.mark.parametrize(
    ("severity", "before", "options"),
    [
        (ALLOW, "before(function () { if (os.cpus().length < 2) this.timeout(4000); });\n", ""),
        (ALLOW, "", "{ viewportWidth: 1280 }, "),
        (BLOCK, "before(function () { if (os.cpus().length < 8) this.skip(); });\n", ""),
        (WARN, "test.skip(({ browserName }) => browserName !== 'chromium', 'flaky elsewhere');\n", ""),
        (WARN, "", "{ browser: '!chrome' }, "),
    ],
)
def test_what_keeps_a_suite_from_running(severity: str, before: str, options: str) -> None:
    path = "cypress/e2e/counter.cy.js"
    base, head = (f"cy.on('x');\n{SUITE.format(*parts)}" for parts in (("", ""), (before, options)))
    assert severity == worst({path: base}, {path: head})
