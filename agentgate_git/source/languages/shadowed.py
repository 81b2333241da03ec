"""Functions that a test defines for itself in the place of what it tests, and that give back a constant."""

from __future__ import annotations

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.languages.syntax import Code, Span

OWN_FUNCTION = "the test defines for itself what it asks"

_MAX_BODY = 20_000
_NAME = r"([A-Za-z_$][\w$]{0,80})"
_GIVEN = r"\([^()\n]{0,200}\)"
# A body that calls nothing.
_BLOCK = r"\{[^{}()]{0,400}\}"
_VALUE = r"[^{}();\n]{1,200}(?=[;\n])"
# The same of a language that says the type of what a function gives before its name.
_OF_TYPE = r"(?:=>\s*[^(){};\n]{1,200};|\{\s*return [^(){}]{1,200}\})"
_SHADOWS = tuple(
    pattern_of(pattern)
    for pattern in (
        rf"(?<![\w.$]){_NAME}\s*:?=\s*(?:async\s+)?func(?:tion)?\s*{_GIVEN}[^{{}}()\n=]{{0,80}}{_BLOCK}",
        rf"(?<![\w.$]){_NAME}\s*=\s*(?:async\s*)?(?:{_GIVEN}|\w{{1,40}})\s*=>\s*(?:{_BLOCK}|{_VALUE})",
        rf"\b(?:function|fn|fun|func|def)\s+{_NAME}\s*{_GIVEN}[^{{}}()\n=]{{0,80}}(?:{_BLOCK}|=\s*{_VALUE})",
        rf"\blet\s+{_NAME}\s*=\s*(?:move\s*)?\|[^|\n]{{0,200}}\|\s*(?:{_BLOCK}|{_VALUE})",
        rf"\b(?:val|let|var)\s+{_NAME}\s*=\s*\{{[^{{}}\n]{{0,200}}?(?:->|\bin\b)[^{{}}()]{{0,200}}\}}",
        rf"\bauto\s+{_NAME}\s*=\s*\[[^\]\n]{{0,40}}\]\s*{_GIVEN}[^{{}}()\n]{{0,80}}{_BLOCK}",
        rf"(?<![\w.$]){_NAME}\s*=\s*(?:jest|vi|sinon|mock)\.(?:fn|stub)\(\s*(?:async\s*)?{_GIVEN}\s*=>\s*[^()\n]{{1,200}}\)",
        rf"(?m)^[ \t]*[\w<>?]{{1,60}}\s+{_NAME}\s*{_GIVEN}\s*{_OF_TYPE}",
    )
)
_MAY = pattern_of(rb"=>|\bfunc\b|\bfunction\b|\bfn |\bfun |\bdef |\blet |\bval |\bauto |\.fn\(|\breturn\b")
_ASKED = pattern_of(r"(?:await |&|\*)*([A-Za-z_$][\w$]*)\(")
_BOUND = pattern_of(
    r"(?<![\w.$])([A-Za-z_$][\w$]{0,80})(?:\s*,\s*\w{1,40}){0,3}\s*:?=\s*(?:await\s+)?([A-Za-z_$][\w$]{0,80})\("
)


class Shadowed:
    """The functions of that kind of each body of one file, and the names that hold what they give."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._may = _MAY.search(code.data) is not None
        self._known: dict[Span, tuple[frozenset[str], frozenset[str]]] = {}

    def is_asked(self, subject: str, body: Span) -> bool:
        """True where a subject is such a call, or a name that holds what one gave."""
        if not self._may or not subject or body.end - body.start > _MAX_BODY:
            return False
        if body not in self._known:
            self._known[body] = self._read(body)
        functions, held = self._known[body]
        found = _ASKED.match(subject) if functions else None
        return bool(functions) and (subject in held or (found is not None and found[1] in functions))

    def _read(self, body: Span) -> tuple[frozenset[str], frozenset[str]]:
        text = self._code.text(body)
        functions = frozenset(found[1] for pattern in _SHADOWS for found in pattern.finditer(text))
        held = (found for found in _BOUND.finditer(text) if found[2] in functions) if functions else ()
        return functions, frozenset(found[1] for found in held)
