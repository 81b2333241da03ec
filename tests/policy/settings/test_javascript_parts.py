"""What the tools of JavaScript are told: which parts have tests, what they write anew, what their checks leave out."""

from __future__ import annotations

import pytest

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import ADVICE, BLOCK, WARN

ALLOW = "allow"
SCRIPT = '{{"scripts": {{"test": "{}", "lint": "eslint src"}}}}'
WORKSPACE = "export default defineWorkspace([{}]);\n"
PROJECTS = "export default defineConfig({{ test: {{ projects: [{}] }} }});\n"
JASMINE = '{{"spec_dir": "spec", "spec_files": [{}]}}'
AVA = '{{"ava": {{"files": ["test/**/*.js"]{}}}}}'
ESLINT = '{{"root": true{}, "rules": {{"eqeqeq": "error"}}}}'
VITEST = "export default defineConfig({{ test: {{ globals: true{} }} }});\n"
BOTH = "'packages/core', 'packages/money'"


def worst(path: str, before: str, after: str, *, gone: str = "") -> str:
    base, head = {path: before.encode()}, {path: after.encode()}
    if gone:
        base[gone] = b"test('a', () => { expect(f()).toBe(1); });\n"
    found = {one.severity for one in judge_files(base, head).findings if not gone or one.path == path}
    return next((one for one in (BLOCK, WARN, ADVICE) if one in found), ALLOW)


@pytest.mark.parametrize(
    ("severity", "path", "text", "before", "after"),
    [
        (ALLOW, "vitest.workspace.ts", WORKSPACE, BOTH, BOTH.replace("money", "currency")),
        (ALLOW, "vitest.config.ts", PROJECTS, BOTH, "'packages/*'"),
        (BLOCK, "vitest.workspace.ts", WORKSPACE, BOTH, "'packages/core'"),
        (BLOCK, "vitest.config.ts", PROJECTS, "'packages/*'", "'packages/core'"),
        (ALLOW, "spec/support/jasmine.json", JASMINE, '"**/*Spec.js"', '"**/*Spec.js", "**/*.test.js"'),
        (BLOCK, "spec/support/jasmine.json", JASMINE, '"**/*Spec.js"', '"smokeSpec.js"'),
        (ALLOW, "package.json", AVA, "", ', "verbose": true'),
        (BLOCK, "package.json", AVA, "", ', "match": ["short*"]'),
        (ALLOW, "vitest.config.ts", VITEST, "", ", restoreMocks: true"),
        (ALLOW, "vitest.config.ts", VITEST, "", ", update: false"),
        (BLOCK, "vitest.config.ts", VITEST, "", ", update: true"),
        (ALLOW, ".eslintrc.json", ESLINT, "", ', "ignorePatterns": ["src/generated/**"]'),
        (WARN, ".eslintrc.json", ESLINT, "", ', "ignorePatterns": ["src/accounts*"]'),
        (BLOCK, ".eslintrc.json", ESLINT, "", ', "ignorePatterns": ["src"]'),
        (WARN, ".eslintignore", "dist\n{}", "", "src/cart.js\n"),
        (ALLOW, "package.json", SCRIPT, "vitest run", "vitest run --reporter=verbose"),
        (BLOCK, "package.json", SCRIPT, "vitest run", "vitest list"),
        (BLOCK, "package.json", SCRIPT, "vitest run", "vitest --standalone"),
        (WARN, "package.json", SCRIPT, "jest --ci", "jest --ci || jest --onlyFailures"),
        (BLOCK, "package.json", SCRIPT, "jest --ci", "jest --ci || jest --onlyFailures || true"),
        (ALLOW, "package.json", SCRIPT, "npm run lint && jest", "jest && npm run lint"),
        (WARN, "package.json", SCRIPT, "npm run lint && jest", "jest"),
    ],
)
def test_what_a_tool_is_told(severity: str, path: str, text: str, before: str, after: str) -> None:
    assert severity == worst(path, text.format(before), text.format(after))


def test_a_part_that_is_gone_with_its_files() -> None:
    before, after = WORKSPACE.format(BOTH), WORKSPACE.format("'packages/core'")
    assert WARN == worst("vitest.workspace.ts", before, after, gone="packages/money/round.test.ts")
