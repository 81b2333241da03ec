"""Assertions that are links of a chain on the JVM: of answers of a server (MockMvc, WebTestClient), and of what is
waited for (Awaitility, `assertTimeout`).
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.inventory import BOUND, EXACT
from agentgate_git.source.languages.assertions import Check, condition_check, matcher_check
from agentgate_git.source.languages.chains import Link, chain
from agentgate_git.source.languages.common import matcher_text_check
from agentgate_git.source.languages.syntax import Code, closing, split

_WORDS = (b"andExpect", b"expectStatus", b"expectBody", b"await", b"assertTimeout")
_MOCK_MVC = frozenset(("andExpect", "andExpectAll"))
# Links that look at a part of an answer, or only hand it on.
_PARTS = frozenset(("jsonPath", "xpath", "json", "cookie"))
_HANDED_ON = frozenset(("consumeWith", "returnResult", "exchange", "value", "and", "getResponseBody", "blockFirst"))
_UNTIL = frozenset(("until", "untilAtomic", "untilTrue", "untilFalse", "untilAdder", "untilAccumulator", "untilCall"))
_LIMITS = frozenset(("assertTimeout", "assertTimeoutPreemptively"))


def may_have_chains(code: Code) -> bool:
    """False for a file that surely has none."""
    return any(code.says(word) for word in _WORDS)


def chain_checks(callee: str, arguments: tuple[str, ...]) -> Iterator[Check]:
    """What the outermost call of a chain asserts; nothing for any other call."""
    if callee.rpartition(".")[2] in _LIMITS and len(arguments) > 1:
        text = f"{callee}({','.join(arguments)})"
        yield Check(text, arguments[1], "takes at most", "", BOUND)
        return
    if not any(word.decode() in callee for word in _WORDS):
        return
    links = chain(f"{callee}({','.join(arguments)})")
    names = [link.name for link in links]
    if not _MOCK_MVC.isdisjoint(names):
        yield from _of_answer(links)
    elif any(name.startswith(("expectStatus", "expectBody", "expectHeader")) for name in names):
        yield from _of_exchange(links)
    elif "await" in names or "waitAtMost" in names:
        yield from _of_waiting(links)


def _of_answer(links: tuple[Link, ...]) -> Iterator[Check]:
    """`mvc.perform(get("/a")).andExpect(status().isOk())`"""
    asked = next((link.arguments or "" for link in links if link.name in ("perform", "exchange")), links[0].name)
    for link in links:
        for told in split(link.arguments or "") if link.name in _MOCK_MVC else ():
            yield from _answered(f"{asked} gives {told}", asked, chain(told))


def _answered(text: str, asked: str, inner: tuple[Link, ...]) -> Iterator[Check]:
    if not inner:
        return
    holder = ".".join(f"{one.name}({one.arguments or ''})" for one in inner[:-1])
    last, told = inner[-1], split(inner[-1].arguments or "")
    subject = f"{asked} {holder}".rstrip()
    if last.name in _PARTS and len(told) > 1:
        yield matcher_text_check(text, f"{subject} {last.name}({told[0]})", told[-1], is_negative=False)
        return
    matcher = told[-1] if told and chain(told[-1])[-1:] and "(" in told[-1] else ""
    if matcher and last.name in ("value", "string", "attribute", "node"):
        yield matcher_text_check(text, " ".join((subject, *told[:-1])), matcher, is_negative=False)
        return
    check = matcher_check(text, subject, last.name, told, is_negative=False)
    is_status = holder.startswith("status(") and not last.name.startswith("is2xx") and "xx" not in last.name
    is_value = last.name in ("value", "string", "attribute", "name", "url", "redirectedUrl", "forwardedUrl", "node")
    yield check._replace(strength=EXACT, void="") if is_status or is_value else check._replace(void="")


def _of_exchange(links: tuple[Link, ...]) -> Iterator[Check]:
    """`client.get().uri("/a").exchange().expectStatus().isOk().expectBody().jsonPath("$.id").isEqualTo(7)`"""
    at = next(at for at, link in enumerate(links) if link.name.startswith("expect"))
    asked = ".".join(f"{one.name}({one.arguments})" for one in links[:at] if one.arguments)
    subject = asked
    for link in links[at:]:
        given = link.arguments or ""
        if link.name.startswith("expect") or (link.name in _PARTS and given):
            subject = f"{asked} {link.name}({given})"
        elif link.name not in _HANDED_ON:
            text = f"{subject} {link.name}({given})"
            check = matcher_check(text, subject, link.name, split(given), is_negative=False)
            is_status = "expectStatus" in subject and "xx" not in link.name
            yield check._replace(strength=EXACT, void="") if is_status else check._replace(void="")


def _of_waiting(links: tuple[Link, ...]) -> Iterator[Check]:
    """`await().atMost(2, SECONDS).until(() -> box.size() == 2)`"""
    for link in links:
        told = split(link.arguments or "") if link.name in _UNTIL else ()
        if not told:
            continue
        text = f"await {link.name}({link.arguments})"
        subject = _bare(told[0])
        if len(told) > 1:
            yield matcher_text_check(text, subject, told[-1], is_negative=False)
        else:
            wanted = {"untilTrue": f"{subject}==true", "untilFalse": f"{subject}==false"}.get(link.name, subject)
            yield condition_check(text, wanted)


def _bare(callback: str) -> str:
    """What a callback without parameters gives."""
    text = callback.removeprefix("()->").removeprefix("()=>")
    if text[:1] == "{" and closing(text, 0) == len(text) - 1:
        text = text[1:-1].strip()
        text = text.removeprefix("return ") if text.count("return ") == 1 and text.startswith("return ") else text
    return text
