"""Modules of the project that a runner of JavaScript puts something of the tests in the place of, for all tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from agentgate_git.model.facts import Setting
from agentgate_git.model.finding import WARN
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.settings.change import GateChange

_MAPPED = "mapped > "
# Modules of the project, by the folder that they stand in or a name for it; what is no code is not tested.
_OWN = pattern_of(
    r"(?:^|[/^(])(?:src|lib|app|source|packages|server|client)/|<rootDir>/|^\^?\(?(?:\.|\\\.){1,2}/|^\^?[@~]/"
)
_NO_CODE = pattern_of(
    r"css|less|s[ac]ss|styl|svg|png|jpe?g|gif|webp|avif|ico\b|woff|ttf|eot|mp[34]|web[mp]|pdf|\bmd\b|mdx|html|graphql|gql"
    r"|ya?ml|json|wasm|worker|assets|images|fonts|node_modules|\?raw|\?url|\benv\b|i18n|locales?",
    re.IGNORECASE,
)
_OF_TESTS = pattern_of(
    r"(?:^|[/_.-])(?:tests?|specs?|__tests__|__mocks__|mocks?|stubs?|fakes?|dummy|fixtures?)(?:[/_.-]|$)", re.IGNORECASE
)


def stand_ins_mapped(
    base: Mapping[str, tuple[Setting, ...]], head: Mapping[str, tuple[Setting, ...]]
) -> Iterator[GateChange]:
    """Rows of the head by which all tests get something of their own in the place of a module of the project."""
    known = {one.value for settings in base.values() for one in settings if one.key.startswith(_MAPPED)}
    for path, settings in head.items():
        for one in settings if path in base else ():
            if not one.key.startswith(_MAPPED) or one.value in known:
                continue
            module, _, target = one.value.partition(" -> ")
            is_own = _OWN.search(module) is not None and _NO_CODE.search(module) is None
            if is_own and _OF_TESTS.search(target) is not None and _OF_TESTS.search(module) is None:
                message = f"all tests get {target} in the place of {module}"
                yield GateChange(WARN, path, one.line, message[:300])
