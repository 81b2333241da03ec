"""All facts of one source file's bytes: the one place that knows which reader a path belongs to."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from agentgate_git.model.facts import FileFacts, Trait
from agentgate_git.model.inventory import Inventory
from agentgate_git.model.pattern import pattern_of
from agentgate_git.model.role import PRODUCTION
from agentgate_git.source.data_items import items_of
from agentgate_git.source.languages.silences import SILENCE, TooManySilences, may_silence, python_silences
from agentgate_git.source.other_traits import is_traced, read_other_traits, tells_by_name
from agentgate_git.source.python.commented import commented_out, of_script
from agentgate_git.source.python.doctests import defined_names, interfaces, read_doctests
from agentgate_git.source.python.names import TooTangled
from agentgate_git.source.python.nested_tests import nested_tests
from agentgate_git.source.python.parts import parts_of
from agentgate_git.source.python.source import PythonSource, overwork, read_python, seems_test
from agentgate_git.source.python.tests import read_inventory
from agentgate_git.source.python.traits.read import may_have_traits, read_traits
from agentgate_git.source.python.traits.support import is_script, is_support
from agentgate_git.source.roles import holds_tests, is_test_data, role_of
from agentgate_git.source.test_names import GO, JAVASCRIPT, PYTHON, RUST, is_of_others, language_of

# A file of JavaScript whose tests stand in it for all to see, whatever it is called; the same of Go, whose runner looks
# for none there.
_SEEMS = {
    JAVASCRIPT: pattern_of(
        rb"(?m)^(?:describe|it|test|suite)\(\s{0,20}['\"`][^\n]{0,400}(?:=>|function)|^if ?\(import\.meta\.vitest\)"
    ),
    GO: pattern_of(rb"(?m)^func Test(?:[A-Z_0-9]\w{0,200})?\(\w{1,80} \*testing\.T\) \{"),
}

_NAMES_KEPT = 64


def is_read(path: str) -> bool:
    """True for a path of which some fact is read, by its name alone."""
    return bool(language_of(path)) or is_traced(path) or is_test_data(path)


def read_facts(path: str, data: bytes, forbidden: Iterable[str] = (), *, is_full: bool = True) -> FileFacts:
    """The facts of one file; never raises, what cannot be read is a `problem` of the facts or of their inventory.

    `forbidden` are marker names that the manifest forbids (`forbid_skip_markers`): they count as skips. Without
    `is_full` neither tests nor names are looked for in production of Python.
    """
    role, language = role_of(path), language_of(path)
    try:
        traits = read_other_traits(path, data)
    except TooTangled as error:
        return FileFacts(path, role, language, Inventory(path, ()), problem=str(error))
    if language == PYTHON:
        facts = FileFacts(path, role, PYTHON, Inventory(path, ()), traits=traits)
        return _read_python(facts, data, forbidden, is_full=is_full)
    if language:
        # Their readers and grammars cost as much as everything else together: loaded once a file needs them.
        from agentgate_git.source.languages.clocks import clock_traits  # noqa: PLC0415
        from agentgate_git.source.languages.defined import defined_in, interfaces_in  # noqa: PLC0415
        from agentgate_git.source.languages.essence import essence_of  # noqa: PLC0415
        from agentgate_git.source.languages.javascript_reporters import forced_results  # noqa: PLC0415
        from agentgate_git.source.languages.read import read_code  # noqa: PLC0415
        from agentgate_git.source.languages.running import running_traits, variant_traits  # noqa: PLC0415
        from agentgate_git.source.languages.rust_doctests import doctests_of  # noqa: PLC0415
        from agentgate_git.source.languages.test_builds import build_traits  # noqa: PLC0415

        seems = _SEEMS.get(language)
        is_test = holds_tests(path) or (seems is not None and not is_of_others(path) and bool(seems.search(data)))
        found = read_code(path, data, holds_tests=is_test)
        problem = found.problem
        tests = found.tests
        if role == PRODUCTION and language == RUST:
            traits = (*traits, *variant_traits(data))
            tests = tests._replace(tests=(*tests.tests, *doctests_of(data)))
        if role == PRODUCTION and not is_support(path) and not is_script(path):
            try:
                traits = (*traits, *running_traits(data), *build_traits(data), *clock_traits(data))
            except TooTangled as error:
                problem = problem or str(error)
        traits = (*traits, *found.traits)
        if language == JAVASCRIPT and role == PRODUCTION and not is_test:
            traits = (*traits, *forced_results(data))
        facts = FileFacts(path, role, language, tests, traits=traits, problem=problem)
        if role != PRODUCTION:
            return facts
        product = data if found.product is None else found.product
        ways, parts = interfaces_in(product), essence_of(path, language, product)
        return facts._replace(defines=defined_in(product), interfaces=ways, parts=parts)
    items = items_of(path, data) if is_test_data(path) else ()
    return FileFacts(path, role, "", Inventory(path, ()), traits=traits, parts=items)


def is_production(path: str) -> bool:
    """True for a production file of Python that does nothing to a run of tests by its name alone."""
    return role_of(path) == PRODUCTION and language_of(path) == PYTHON and not tells_by_name(path)


def bare_facts(path: str) -> FileFacts:
    """That there is a production file of Python, and nothing of what is in it."""
    return FileFacts(path, PRODUCTION, PYTHON, Inventory(path, ()))


def refused_facts(path: str, problem: str) -> FileFacts:
    """A Python file that is not read, and why."""
    is_test = holds_tests(path)
    tests = Inventory(path, (), problem if is_test else "")
    return FileFacts(path, role_of(path), PYTHON, tests, problem="" if is_test else problem)


def with_names(facts: FileFacts, data: bytes) -> FileFacts:
    """The facts with the names that the bytes of a Python file define."""
    if holds_tests(facts.path):
        return facts._replace(defines=defined_names(data))
    defines, ways, parts = _names(data)
    return facts._replace(defines=defines, interfaces=ways, parts=parts)


@lru_cache(maxsize=_NAMES_KEPT)
def _names(data: bytes) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """What production defines, how that is called, and what it is made of: asked for at both ends of a version."""
    return defined_names(data), interfaces(data), parts_of(data)


def with_silences(facts: FileFacts, data: bytes) -> FileFacts:
    """The facts with all that comments in the bytes of a Python file silence, or why there are too many to say."""
    others = (one for one in facts.traits if not one.kind.startswith(SILENCE))
    silences, silent = _silences(data)
    return facts._replace(traits=(*others, *silences), problem=facts.problem or silent)


def _silences(data: bytes) -> tuple[tuple[Trait, ...], str]:
    """What comments silence, or why there are too many to say."""
    try:
        return tuple(python_silences(data)), ""
    except TooManySilences as error:
        return (), str(error)


def _read_python(facts: FileFacts, data: bytes, forbidden: Iterable[str], *, is_full: bool) -> FileFacts:
    """A Python file, parsed once for its tests and its traits; production only where it can hold some of them."""
    path, is_test = facts.path, holds_tests(facts.path)
    may_test = is_full and not is_test and seems_test(data)
    silences, silent = _silences(data) if may_silence(PYTHON, data) else ((), "")
    traits = (*facts.traits, *silences)
    if is_full:
        facts = with_names(facts, data)
    if not is_test:
        facts = facts._replace(tests=read_doctests(path, data))
    has_traits = may_have_traits(path, facts.role, data)
    if not (is_test or has_traits or may_test):
        return facts._replace(traits=traits, problem=silent)
    too_much = overwork(data, is_test=is_test or may_test)
    source = PythonSource(None, too_much) if too_much else read_python(data)
    problem = "" if is_test else source.problem
    if source.tree is not None and has_traits:
        found = read_traits(path, source.tree, len(data))
        traits = (*traits, *found.traits)
        problem = found.problem
    if is_test:
        traits = (*traits, *commented_out(data), *of_script(source.tree.body if source.tree is not None else ()))
        facts = facts._replace(tests=read_inventory(path, data, forbidden, source))
        traits = (*traits, *(nested_tests(data, facts.tests) if source.tree is not None else ()))
    elif may_test and source.tree is not None:
        hidden = read_inventory(path, data, forbidden, source)
        facts = facts._replace(tests=facts.tests._replace(tests=(*facts.tests.tests, *hidden.tests)))
        problem = problem or hidden.problem
    return facts._replace(traits=traits, problem=problem or silent)
