"""Checks of JavaScript that nobody waits for, only named, or that need not be made: each beside honest work."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.record import Record

ALLOW = "allow"
PATH = "test/cart.test.ts"
REST = "\nit('is empty', () => {\n  expect(total([])).toBe(0);\n});\n"
PAGES = "import { test, expect } from '@playwright/test';\n"
CAUGHT = "try { await load(7); } catch (err) { expect(err.status).toBe(404); }"


def of(body: str, *, head: str = "async ()", top: str = "") -> str:
    return f"{top}import {{ load, total }} from '../src/cart';\nit('adds', {head} => {{\n  {body}\n}});\n{REST}"


class Row(Record):
    """A test, the same with less force, what is to be said of that, and a version of which nothing is to be said."""

    base: str
    weak: str
    severity: str
    honest: str


ROWS = {
    "a look at a page that nobody waits for": Row(
        of("await expect(page.locator('#sum')).toHaveText('3');", head="async ({ page })", top=PAGES),
        of("expect(page.locator('#sum')).toHaveText('3');", head="async ({ page })", top=PAGES),
        BLOCK,
        of("await expect(page.getByRole('status')).toHaveText('3');", head="async ({ page })", top=PAGES),
    ),
    "looks at a page that are gathered": Row(
        of("await expect(page.locator('#sum')).toHaveText('3');", head="async ({ page })", top=PAGES),
        of("[expect(page.locator('#sum')).toHaveText('3')];", head="async ({ page })", top=PAGES),
        BLOCK,
        of("await Promise.all([expect(page.locator('#sum')).toHaveText('3')]);", head="async ({ page })", top=PAGES),
    ),
    "a check that is made again and again for nobody": Row(
        of("await waitFor(() => expect(total(cart)).toBe(3));"),
        of("void waitFor(() => expect(total(cart)).toBe(3));"),
        BLOCK,
        of("await waitFor(() => expect(total(cart)).toBe(3), { timeout: 500 });"),
    ),
    "a promise of chai": Row(
        of("await expect(load(7)).to.be.rejectedWith(RangeError);"),
        of("expect(load(7)).to.be.rejectedWith(RangeError);"),
        BLOCK,
        of("return expect(load(7)).to.be.rejectedWith(RangeError);"),
    ),
    "a failure that is caught behind the check": Row(
        of("await expect(load(7)).resolves.toBe(3);"),
        of("await expect(load(7)).resolves.toBe(3).catch(() => {});"),
        BLOCK,
        of("await page.click('#ok').catch(() => {}); await expect(load(7)).resolves.toBe(3);"),
    ),
    "a failure that the second of two takes": Row(
        of("await expect(load(7)).resolves.toBe(3);"),
        of("await expect(load(7)).resolves.toBe(3).then(() => {}, () => undefined);"),
        BLOCK,
        of("await expect(load(7)).resolves.toBe(3).then(() => {}, (e) => { throw e; });"),
    ),
    "a matcher that is only named": Row(
        of("expect(total(cart)).to.deep.equal([1, 2]);"),
        of("expect(total(cart)).to.deep.equal;"),
        BLOCK,
        of("expect(total(cart)).to.eql([1, 2]);"),
    ),
    "a matcher of jest that is only named": Row(
        of("expect(total(cart)).toBe(3);"),
        of("expect(total(cart)).toBe;"),
        BLOCK,
        of("expect(total(cart)).toStrictEqual(3);"),
    ),
    "a type in place of a value": Row(
        of("expect(total(cart)).to.deep.equal([1, 2]);"),
        of("expect(total(cart)).to.be.an('array');"),
        BLOCK,
        of("expect(total(cart)).to.be.an('array').that.eqls([1, 2]);"),
    ),
    "any type": Row(
        of("expectTypeOf(total(cart)).toEqualTypeOf<number>();"),
        of("expectTypeOf(total(cart)).toBeAny();"),
        BLOCK,
        of("expectTypeOf(total(cart)).toEqualTypeOf<number>(); expectTypeOf(total).toBeFunction();"),
    ),
    "an error that is looked at if there is one": Row(
        of(f"expect.assertions(1); {CAUGHT}"),
        of(CAUGHT),
        BLOCK,
        of("await expect(load(7)).rejects.toMatchObject({ status: 404 });"),
    ),
    "an error that is counted in another way": Row(
        of(f"expect.assertions(1); {CAUGHT}"),
        of(CAUGHT),
        BLOCK,
        of(f"expect.hasAssertions(); {CAUGHT}"),
    ),
    "an error that ends the test well": Row(
        of("load((err, n) => { if (err) return done(err); expect(n).toBe(3); done(); });", head="(done)"),
        of("load((err, n) => { if (err) return done(); expect(n).toBe(3); done(); });", head="(done)"),
        BLOCK,
        of("load((err, n) => { if (err) { return done(err); } expect(n).toBe(3); done(); });", head="(done)"),
    ),
    "a return at last": Row(
        of("load((err, n) => { expect(n).toBe(3); done(); });", head="(done)"),
        of("load((err, n) => { try { expect(n).toBe(3); } finally { return done(); } });", head="(done)"),
        BLOCK,
        of("load((err, n) => { try { expect(n).toBe(3); done(); } finally { close(); } });", head="(done)"),
    ),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_check_is_waited_for_called_and_made(row: Row) -> None:
    assert (ALLOW, row.severity) == (worst(row.base, row.honest), worst(row.base, row.weak))


def worst(base: str, head: str) -> str:
    found = {one.severity for one in judge_files({PATH: base.encode()}, {PATH: head.encode()}).findings}
    return next((one for one in (BLOCK, WARN) if one in found), ALLOW)


PROPERTY = "fc.assert(fc.property({}, (s) => total(s) >= 0));"


@pytest.mark.parametrize(
    ("before", "after", "severity"),
    [
        ("fc.integer({ min: 0 })", "fc.integer()", ALLOW),
        ("fc.stringMatching(/^[<>a]*$/)", "fc.oneof(fc.string(), fc.stringMatching(/^[<>&a]*$/))", ALLOW),
        ("fc.array(fc.nat())", "fc.array(fc.nat(), { minLength: 1 })", ALLOW),
        ("fc.stringMatching(/^[<>a]*$/)", "fc.stringMatching(/^[a-z]*$/)", WARN),
        ("fc.string()", "fc.stringMatching(/^[a-z0-9]*$/)", WARN),
        ("fc.integer()", "fc.integer({ min: 0, max: 9 })", WARN),
        ("fc.string()", "fc.string().filter((s) => s !== '')", WARN),
        ("fc.integer()", "fc.constantFrom(1, 2)", BLOCK),
        ("fc.integer()", "fc.constant(3)", BLOCK),
    ],
)
def test_what_a_property_draws_from(before: str, after: str, severity: str) -> None:
    assert severity == worst(of(PROPERTY.format(before)), of(PROPERTY.format(after)))


GIVEN = "const sent = {};\n"
PRODUCT = "src/cart.js"


@pytest.mark.parametrize(
    ("before", "after", "more", "severity"),
    [
        ("{ n: 1 }", "{ n: 1, m: 2 }", "", ALLOW),
        ("[1, 2]", "[1, 2, 3]", "", ALLOW),
        ("{ n: 1 }", "{ n: 2 }", "exports.total = (cart) => cart.n;\n", ALLOW),
        ("{ n: 1 }", "{ n: 2 }", "// says one\nexports.total = () => 1;\n", WARN),
        ("{ n: 1, of: 'eur' }", "{ n: 100 }", "", WARN),
    ],
)
def test_what_tests_are_given(before: str, after: str, more: str, severity: str) -> None:
    base, head = (of("expect(total(sent)).toBe(3);", top=GIVEN.format(text)) for text in (before, after))
    product = "exports.total = () => 1;\n"
    old, new = {PATH: base, PRODUCT: product}, {PATH: head, PRODUCT: more or product}
    sides = ({path: text.encode() for path, text in files.items()} for files in (old, new))
    found = {one.severity for one in judge_files(*sides).findings}
    assert severity == next((one for one in (BLOCK, WARN) if one in found), ALLOW)
