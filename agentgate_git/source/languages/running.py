"""Production in other languages that asks whether tests are running: by what runners leave in the environment.

Found by its words, line by line, outside comments: nothing of production is parsed for it. What only a runner sets
is a plain question (`special.running`); what applications are configured with as well leaves it open (`.maybe`).
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.facts import Trait
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.names import TooTangled

RUNNING = "special.running"
OPEN = ".maybe"
REFUSING = ".refusing"
VARIANT = "special.variant"

_HEAD = rb"\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|async\s+|unsafe\s+)*fn\s+(\w+)"
_TESTED = pattern_of(rb"#\[cfg\(test" + _HEAD)
_SHIPPED = pattern_of(rb"#\[cfg\(not\(test\)" + _HEAD)

MAX_RUNNING = 500
_WORDS = (
    *(b"NODE_TEST_CONTEXT", b"JEST_WORKER_ID", b"VITEST", b"NODE_ENV", b"typeof ", b"MOCHA", b"CYPRESS", b"Cypress"),
    *(b"_TEST", b"PLAYWRIGHT", b"testing.Testing", b"test.v", b'.test"', b"RSpec", b"Minitest", b"PHPUNIT", b"PHPUnit"),
    *(
        b"cfg!(test)",
        b"Mix.env",
        b"XCTest",
        b"xunit",
        b"nunit",
        b"org.junit",
        b"BATS_",
        b"FLUTTER_TEST",
        b"process.argv",
        b"surefire.",
        b"org.gradle.test",
        b"runningUnitTests",
        b"environment(",
        b"env.test?",
        b"_ENV",
        b"IsEnvironment",
        b"ActiveProfiles",
    ),
)
_PLAIN = pattern_of(
    r"\bNODE_TEST_CONTEXT\b|\bJEST_WORKER_ID\b|\bVITEST(?:_WORKER_ID|_POOL_ID|_MODE)?\b|\bMOCHA_COLORS\b"
    r"|\bPLAYWRIGHT_TEST\w*|\bTEST_WORKER_INDEX\b|\bBATS_TEST_\w+|\bPHPUNIT_COMPOSER_INSTALL\b|\bFLUTTER_TEST\b"
    r"|typeof (?:jest|vi|describe|it|test|beforeEach|Cypress|mocha)\b ?(?:[!=]==?)"
    r"|(?:window|global|globalThis)\.(?:Cypress|jest|__vitest_\w+|mocha|__karma__)\b"
    r"|process\.argv[^\n]{0,60}[\"'`/](?:jest|mocha|vitest|ava|--test|node:test)\b"
    r"|(?:\bif |&& |\|\| )testing\.Testing\(\)|flag\.Lookup\(\"test\.v\"\)|HasSuffix\(os\.Args\[0\], ?\"\.test\"\)"
    r"|defined\?\((?:::)?(?:RSpec|Minitest|Test::Unit)\)|\$(?:0|PROGRAM_NAME)[^\n]{0,40}(?:rspec|minitest)"
    r"|(?:class_exists|defined)\(['\"]\\*PHPUnit[\w\\]*|XCTestConfigurationFilePath|NSClassFromString\(\"XCTest"
    r"|(?:Class\.forName|getClassName\(\)\.(?:startsWith|contains))\(\"org\.(?:junit|testng)"
    r"|\bsurefire\.(?:test|real)\.class\.path\b|\borg\.gradle\.test\.worker\b"
    r"|(?:StartsWith|Contains)\(\"(?:xunit|nunit|Microsoft\.VisualStudio\.Test)"
)
_ARGUABLE = pattern_of(
    r"NODE_ENV\W{1,8}(?:[!=]==?) ?[\"'`]test[\"'`]|[\"'`]test[\"'`] ?(?:[!=]==?) ?process\.env\.NODE_ENV"
    r"|testing\.Testing\(\)|cfg!\(test\)|Mix\.env\(?\)? ?== ?:test"
    r"|\brunningUnitTests\(\)|\benvironment\(\[?['\"]testing['\"]|\bRails\.env\.test\?"
    r"|\b(?:RAILS|RACK|APP|ASPNETCORE|DOTNET)_ENV(?:IRONMENT)?\b['\"\])]{1,4} ?={2,3} ?['\"](?i:test|testing)['\"]"
    r"|\bIsEnvironment\(\"(?i:test|testing)\"\)|ActiveProfiles\(\)[^\n]{0,40}[\"(]test\"|\b(?:IS|RUNNING|IN|UNIT)_TESTS?\b"
)
# A branch that asks this and nothing else, and a statement that only says something.
_ASKS_ALONE = pattern_of(r"\s*if \(\s*process\.env\.NODE_ENV ?[!=]==? ?[\"'`]test[\"'`]\s*\)")
_TALKS = pattern_of(r"\{?\s*(?:console|log|logger|winston|debug|pino)(?:\.\w+)?\([^;]{0,200}\);?\s*\}?")
_BEHIND = 5
# What a branch does that keeps tests from doing something for real.
_REFUSES = pattern_of(
    r"^[\s{(:]*(?:return (?:[\w., ]*, ?)?(?:errors\.New|fmt\.Errorf|Err\w*\b)|panic!?\(|log\.(?:Fatal|Panic)\w*\("
    r"|throw\b|raise\b|die\(|abort\b|fatalError\()"
)
# What a branch gives back that it works out of what it was given: no constant, and nothing that is merely empty.
_COMPUTES = pattern_of(r"^\s*return [^;]*(?:\bself\.\w+[.(\[]|\w\((?:&|mut |\*)*(?!self\b)[a-z]\w*[.,)])")
_RECKONS = pattern_of(r"^\s*return [^;]*(?:[$@\w)\]] ?(?:[-+*/%]|[<>]=?) ?[$@\w(]|\w\([^;()]*[$@]\w)")
# What a language or framework knows of itself, and nobody sets.
_KNOWS = ("cfg!", "runningUnitTests", "Rails.env.test?", "environment(")
# What is set up for a run of tests, and a side effect that is left out in one.
_SETS_UP = pattern_of(
    r"\s*(?:config\(|[$\w>-]*app->(?:bind|singleton|instance|register)\(|\w+::(?:fake|swap|disable\w*|prevent\w*|useStrict\w*|shouldBe\w*)\("
    r"|(?:self\.)?(?:config|logger|Rails\.logger)\.\w)"
)
_LEAVES = pattern_of(r"\s*return (?:if|unless) Rails\.env\.test\?")
_COMMENT = pattern_of(r"\s*(?://|\*|/\*|#(?!\[|if)|--|<!--)")


def _only_talks(line: str, behind: list[bytes]) -> bool:
    """True for a branch of which the whole, on its line or up to its bracket, is what is written to a log."""
    _, bracket, rest = line.partition(")")
    rest = rest.strip()
    if rest and rest != "{":
        return _TALKS.fullmatch(rest) is not None
    said = [one.decode("utf-8", "replace").strip() for one in behind]
    if rest != "{":
        return bool(bracket) and bool(said) and _TALKS.fullmatch(said[0]) is not None
    end = next((at for at, one in enumerate(said) if one == "}"), 0)
    return end > 0 and all(_TALKS.fullmatch(one) for one in said[:end])


def variant_traits(data: bytes) -> Iterator[Trait]:
    """Functions of Rust that are there twice: one for tests, and one for everybody else."""
    if b"cfg(not(test))" not in data:
        return
    shipped = {found[1] for found in _SHIPPED.finditer(data)}
    for found in _TESTED.finditer(data):
        if found[1] in shipped:
            name = found[1].decode("utf-8", "replace")
            yield Trait(VARIANT, f"#[cfg(test)] fn {name}", data.count(b"\n", 0, found.start()) + 1, name)


def running_traits(data: bytes) -> Iterator[Trait]:
    """One trait for each question in a line, however often it is asked there; `TooTangled` beyond MAX_RUNNING."""
    if not any(word in data for word in _WORDS):
        return
    count = 0
    lines = data.splitlines()
    for at, raw in enumerate(lines, 1):
        line = raw.decode("utf-8", "replace")
        if _COMMENT.match(line):
            continue
        plain = dict.fromkeys(found[0] for found in _PLAIN.finditer(line))
        if not plain and (_SETS_UP.match(_after(lines, at)) or _LEAVES.match(line)):
            continue
        if not plain and _ASKS_ALONE.match(line) and _only_talks(line, lines[at : at + _BEHIND]):
            continue
        for text in plain or dict.fromkeys(found[0] for found in _ARGUABLE.finditer(line)):
            count += 1
            if count > MAX_RUNNING:
                raise TooTangled(f"it asks more than {MAX_RUNNING} times whether tests are running")
            yield Trait(_kind(text, line, _after(lines, at), is_plain=bool(plain)), text, at)


def _after(lines: list[bytes], at: int) -> str:
    return lines[at].decode("utf-8", "replace") if at < len(lines) else ""


def _kind(text: str, line: str, after: str, *, is_plain: bool) -> str:
    """How sure it is that an answer differs: none is given where tests are refused, and a computed one says it all."""
    then = line.partition(text)[2]
    is_branch = then.rstrip().endswith(("{", ":", "then"))
    told = after if is_branch else then
    if is_plain:
        return RUNNING + REFUSING if _REFUSES.search(told) else RUNNING
    is_sure = is_branch and text.startswith(_KNOWS) and bool(_COMPUTES.search(told) or _RECKONS.search(told))
    return RUNNING if is_sure else RUNNING + OPEN
