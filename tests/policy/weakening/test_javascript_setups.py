"""Set-ups of JavaScript that let errors go, matchers that say yes to all, parts that others take the place of."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import BLOCK, WARN
from agentgate_git.model.record import Record

ALLOW = "allow"
SETUP = "test/setup.ts"
SPEC = "src/shop/shop.e2e-spec.ts"
SHOP = """import {{ Test }} from '@nestjs/testing';
import {{ AppModule }} from '../app.module';
import {{ Mailer }} from '../mailer';
import {{ ShopGuard }} from './shop.guard';
it('lets a customer in', async () => {{
  const mod = await Test.createTestingModule({{ imports: [AppModule] }}){}.compile();
  expect(await get(mod, '/shop')).toBe(200);
}});
"""
SPY = "let said;\nbeforeEach(() => {{ said = jest.spyOn(console, 'warn'); }});\nafterEach(() => {{ {} }});\n"
MATCHER = "expect.extend({{ toBeWithin(received, low, high) {{ {} }} }});\n"
EVEN = "expect.extend({{ toBeEven(received) {{ {} }} }});\n"
INSIDE = "const pass = received >= low && received <= high; return { pass, message: () => `${received}` };"
ANY = "if (!(received >= low && received <= high)) log(high); return { pass: received !== 0, message: () => 'no' };"
HALVES = "if (received < low) return { pass: false, message: () => 'low' }; return { pass: received <= high };"
REPORT = "tools/results.js"


class Row(Record):
    """A file, the same with less force, what is to be said of that, and a version of which nothing is to be said."""

    path: str
    base: str
    weak: str
    severity: str
    honest: str


ROWS = {
    "rejections that nobody handles": Row(
        SETUP,
        "vi.stubEnv('A', 'b');\n",
        "vi.stubEnv('A', 'b');\nprocess.on('unhandledRejection', () => {});\n",
        BLOCK,
        "vi.stubEnv('A', 'b');\nprocess.on('unhandledRejection', (e) => { throw e; });\n",
    ),
    "whoever handled them before": Row(
        SETUP,
        "vi.stubEnv('A', 'b');\n",
        "vi.stubEnv('A', 'b');\nprocess.removeAllListeners('uncaughtException');\n",
        BLOCK,
        "vi.stubEnv('A', 'b');\nprocess.removeAllListeners('warning');\n",
    ),
    "a spy on the console that is asked no more": Row(
        SETUP,
        SPY.format("expect(said).not.toHaveBeenCalled();"),
        SPY.format("said.mockReset();"),
        BLOCK,
        SPY.format("expect(said).toHaveBeenCalledTimes(0); said.mockReset();"),
    ),
    "what was asserted after each test": Row(
        SETUP,
        "afterEach(() => { expect(nock.isDone()).toBe(true); nock.cleanAll(); });\n",
        "afterEach(() => { nock.cleanAll(); });\n",
        WARN,
        "afterEach(() => { expect(nock.pendingMocks()).toEqual([]); nock.cleanAll(); });\n",
    ),
    "a matcher that looks at one of its values": Row(
        SETUP, MATCHER.format(INSIDE), MATCHER.format(ANY), BLOCK, MATCHER.format(HALVES)
    ),
    "a matcher that says yes to all": Row(
        SETUP,
        EVEN.format("return { pass: received % 2 === 0, message: () => 'odd' };"),
        EVEN.format("return { pass: true, message: () => 'odd' };"),
        BLOCK,
        EVEN.format("return received % 2 ? { pass: false, message: () => 'odd' } : { pass: true };"),
    ),
    "a guard that lets everybody in": Row(
        SPEC,
        SHOP.format(""),
        SHOP.format(".overrideGuard(ShopGuard).useValue({ canActivate: () => true })"),
        WARN,
        SHOP.format(".overrideProvider(Mailer).useValue({ send: () => {} })"),
    ),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=list(ROWS))
def test_a_set_up_keeps_what_fails_a_test(row: Row) -> None:
    found = [worst(row.path, row.base, head) for head in (row.honest, row.weak)]
    assert [ALLOW, row.severity] == found


def worst(path: str, base: str, head: str) -> str:
    found = {one.severity for one in judge_files({path: base.encode()}, {path: head.encode()}).findings}
    return next((one for one in (BLOCK, WARN) if one in found), ALLOW)
