"""Reads one file of a language other than Python: its tests and traits, within bounds of size and time."""

from __future__ import annotations

from agentgate_git.model.facts import Trait
from agentgate_git.model.inventory import NOT_COLLECTED, CollectedTest, Inventory
from agentgate_git.model.record import Record
from agentgate_git.source.languages.commented import commented_out
from agentgate_git.source.languages.dialect import Dialect
from agentgate_git.source.languages.dialects import DIALECTS
from agentgate_git.source.languages.engine import Engine
from agentgate_git.source.languages.firmness import firm_traits
from agentgate_git.source.languages.freezes import freezes
from agentgate_git.source.languages.garbage import garbage
from agentgate_git.source.languages.golden import golden_traits
from agentgate_git.source.languages.grammars import grammar, parse
from agentgate_git.source.languages.javascript_rows import held_in
from agentgate_git.source.languages.lines import read_lines
from agentgate_git.source.languages.offering import Offering
from agentgate_git.source.languages.product import shipped
from agentgate_git.source.languages.reruns import reruns, script_reruns
from agentgate_git.source.languages.silences import TooManySilences, may_silence, silences, silences_by_line
from agentgate_git.source.languages.syntax import Code
from agentgate_git.source.python.names import TooTangled
from agentgate_git.source.roles import is_test_side
from agentgate_git.source.test_names import JAVASCRIPT, RUST, is_beside_tests, is_put_aside, language_of

MAX_BYTES = 1 << 19
# A text may hold what no text has here and there, in a literal; in another encoding every second byte is one.
_FEW_OF = 100
PUT_ASIDE = "a file name that no runner takes"


class CodeFacts(Record):
    """What one file says; `traits` in the order of their lines. `problem` is why those of no test cannot be read.

    `product` are the bytes of it that are there for more than tests, None where nobody looked.
    """

    tests: Inventory
    traits: tuple[Trait, ...] = ()
    problem: str = ""
    product: bytes | None = None


def read_code(path: str, data: bytes, *, holds_tests: bool) -> CodeFacts:
    """The facts of one file; never raises, what cannot be read is the inventory's `problem`.

    Of a file that holds no tests only silenced checks are read. Where the grammar is not installed the file is read
    by its lines, and a trait `read.lines` says so.
    """
    nothing = CodeFacts(Inventory(path, ()))
    language = language_of(path)
    dialect = DIALECTS.get(language)
    if dialect is None:
        return nothing
    wants_tests = holds_tests and (language != RUST or b"test" in data or b"macro_rules" in data)
    if not wants_tests and not may_silence(language, data):
        return nothing
    if len(data) > MAX_BYTES:
        too_large = f"it has {len(data)} bytes; at most {MAX_BYTES} are read"
        return _unread(path, too_large, is_test=holds_tests and language != RUST)
    if data.count(b"\0") * _FEW_OF > len(data):
        return _unread(path, "it is no text in an encoding that is read", is_test=wants_tests)
    data = data.replace(b"\0", b" ")
    try:
        return _read(path, data, dialect, wants_tests=wants_tests)
    except TooManySilences as error:
        return CodeFacts(Inventory(path, (), str(error) if wants_tests else ""), problem=str(error))
    except TooTangled as error:
        return _unread(path, str(error), is_test=wants_tests)


def _unread(path: str, problem: str, *, is_test: bool) -> CodeFacts:
    """A file that is not read, and why: a problem of its tests where it holds some."""
    return CodeFacts(Inventory(path, (), problem if is_test else ""), problem="" if is_test else problem)


def _read(path: str, data: bytes, dialect: Dialect, *, wants_tests: bool) -> CodeFacts:
    named = path.rpartition(".")[0] if is_put_aside(path) else path
    loaded = grammar(dialect.grammar_of(named), dialect.query)
    if loaded is None:
        missing = f"tree_sitter_{dialect.grammar_of(named).partition(':')[0]}"
        tests = read_lines(data) if wants_tests else ()
        found = (Trait("read.lines", missing, 1), *silences_by_line(dialect.name, data))
        return CodeFacts(_inventory(path, tests), found)
    broken = garbage(dialect.name, data)
    if broken:
        raise TooTangled(broken)
    code = Code(data, parse(loaded, dialect.prepare(data))[1])
    traits = list(silences(dialect.name, code))
    if not wants_tests:
        return CodeFacts(Inventory(path, ()), tuple(traits))
    engine = Engine(code, dialect, named)
    offering = Offering(engine, code, dialect)
    for item, text in dialect.exits(code):
        traits.append(Trait("exit.process", text, item.line, engine.owner(item)))
    if is_test_side(named) or is_beside_tests(named):
        traits.extend(freezes(data, engine.owner_at))
        is_script = dialect.name == JAVASCRIPT
        again = script_reruns(data, engine.owner_at, engine.units) if is_script else reruns(data, engine.owner_at)
        traits.extend(again)
        traits.extend(golden_traits(code, engine))
        traits.extend(firm_traits(code, engine, dialect))
    if engine.units or is_test_side(named) or is_beside_tests(named):
        traits.extend(commented_out(code))
    for kind, item, text in dialect.hooks(code, named):
        traits.append(Trait(kind, text, item.line, engine.owner(item)))
    inventory = _inventory(path, (*engine.tests(), *offering.helpers(), *offering.hooks()))
    held = tuple(held_in(code)) if dialect.name == JAVASCRIPT and is_test_side(named) else ()
    inventory = inventory._replace(held=held)
    inventory = inventory._replace(offers=tuple(offering.offers()), swallows=tuple(offering.swallows()))
    product = shipped(code, dialect, engine.units)
    return CodeFacts(inventory, tuple(sorted(traits, key=lambda one: one.line)), product=product)


def _inventory(path: str, tests: tuple[CollectedTest, ...]) -> Inventory:
    if is_put_aside(path):
        tests = tuple(test._replace(state=NOT_COLLECTED, marker=PUT_ASIDE, line=1) for test in tests)
    return Inventory(path, tests)
