"""What must hold for pages that people write: links lead somewhere, commands exist, every code has its page."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from agentgate_git.cli.commands import VERBS, load, top_parser, verb_parser
from agentgate_git.model.code import ALLOW, CODES

SECTIONS = ("## Why", "## Example", "## Use instead", "## Near miss")
CODE_LINE_LIMIT = 60

_LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"(?<![\w/.-])git[ -]agentgate +((?:-C +\S+ +)?)([a-z][a-z-]*)([^`\n;|&]*)")
_TARGET = re.compile(r"`make ([a-z][a-z-]*)`|^make ([a-z][a-z-]*)$", re.MULTILINE)
_CODE = re.compile(r"\bE_[A-Z][A-Z_]+\b")
_HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def problems(root: Path) -> Iterator[str]:
    """Everything that is wrong with the pages below `root`."""
    pages = {path: path.read_text(encoding="utf-8") for path in page_paths(root)}
    for path, text in pages.items():
        name = str(path.relative_to(root))
        for check in (broken_links, unknown_commands, unknown_targets, unknown_codes):
            yield from (f"{name}: {problem}" for problem in check(root, path, text))
    yield from code_pages(root / "docs/codes")
    yield from glossary(root / "docs/glossary.md")


def page_paths(root: Path) -> tuple[Path, ...]:
    """Every page of the project."""
    top = sorted(root.glob("*.md"))
    below = sorted(path for folder in ("docs", "changelog.d", "examples") for path in (root / folder).rglob("*.md"))
    return (*top, *below)


def broken_links(root: Path, path: Path, text: str) -> Iterator[str]:
    """Links to files or headings that are not there."""
    for target in _LINK.findall(_FENCE.sub("", text)):
        if "://" in target or target.startswith("mailto:"):
            continue
        name, _, anchor = target.partition("#")
        page = (path.parent / name).resolve()
        if name and not (page.exists() and page.is_relative_to(root)):
            yield f"the link {target} leads nowhere"
        elif anchor and anchor not in anchors(page.read_text(encoding="utf-8") if name else text):
            yield f"the link {target} names a heading that is not there"


def anchors(text: str) -> set[str]:
    """The names under which the headings of a page can be linked to."""
    return {slug(heading) for heading in _HEADING.findall(_FENCE.sub("", text))}


def slug(heading: str) -> str:
    """A heading as forges write it in links."""
    kept = "".join(char for char in heading.lower() if char.isalnum() or char in " -_")
    return kept.strip().replace(" ", "-")


def unknown_commands(_root: Path, _path: Path, text: str) -> Iterator[str]:
    """Verbs that the command does not have, and options that the verb does not have."""
    for _, verb, rest in _COMMAND.findall(text):
        if verb in ("hook", "verb"):
            continue
        if verb not in VERBS:
            yield f"`git agentgate {verb}` is no command"
            continue
        given = rest.split(" -- ", 1)[0].split()
        known = options(verb_parser(verb, load(verb))) | options(top_parser())
        for word in given:
            option = word.partition("=")[0].rstrip(".,)")
            if option.startswith("-") and option.strip("-") and option not in known:
                yield f"`git agentgate {verb}` has no option {option}"


def options(parser: argparse.ArgumentParser) -> set[str]:
    """Every option of a parser and of those below it."""
    found = {"-h"}
    for action in parser._actions:
        found.update(action.option_strings)
        if isinstance(action, argparse._SubParsersAction):
            found.update(option for below in action.choices.values() for option in options(below))
    return found


def unknown_targets(root: Path, _path: Path, text: str) -> Iterator[str]:
    """`make` targets that the Makefile does not have."""
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    for groups in _TARGET.findall(text):
        target = "".join(groups)
        if not re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE):
            yield f"`make {target}` is no target of the Makefile"


def unknown_codes(_root: Path, _path: Path, text: str) -> Iterator[str]:
    """Codes that the table does not have; in docs/ only what is true now is written."""
    for code in sorted(set(_CODE.findall(text)) - set(CODES)):
        yield f"{code} is no code of model/code.py"


def code_pages(folder: Path) -> Iterator[str]:
    """Codes without a page, pages without a code, pages without a section."""
    wanted = {code for code in CODES if code != ALLOW}
    found = {path.stem: path for path in sorted(folder.glob("E_*.md"))}
    yield from (f"docs/codes: {code} has no page" for code in sorted(wanted - set(found)))
    yield from (f"docs/codes/{name}.md: no such code" for name in sorted(set(found) - wanted))
    for name, path in found.items():
        lines = path.read_text(encoding="utf-8").splitlines()
        if name in CODES and lines[:3] != [f"# {name}", "", sentence(CODES[name].title)]:
            yield f"docs/codes/{name}.md: must start with its code and its title of model/code.py"
        yield from (f"docs/codes/{name}.md: has no section {head[3:]!r}" for head in SECTIONS if head not in lines)
        if len(lines) > CODE_LINE_LIMIT:
            yield f"docs/codes/{name}.md: is longer than {CODE_LINE_LIMIT} lines"


def sentence(title: str) -> str:
    """A title or a description as a sentence."""
    return f"{title[:1].upper()}{title[1:].removesuffix('.')}."


def glossary(path: Path) -> Iterator[str]:
    """Words that are explained twice, or that are out of order."""
    words = [line.partition("**")[2].partition("**")[0] for line in rows(path.read_text(encoding="utf-8"))]
    yield from (f"docs/glossary.md: {word!r} is explained twice" for word in repeated(words))
    if words != sorted(words, key=str.casefold):
        yield "docs/glossary.md: the words are not in alphabetical order"


def rows(text: str) -> Iterable[str]:
    """The lines of a glossary that explain a word: `| **word** | meaning |`."""
    return (line for line in text.splitlines() if line.startswith("| **"))


def repeated(words: Iterable[str], fold: Callable[[str], str] = str.casefold) -> Iterator[str]:
    """Words that stand there before, in other letters or the same."""
    seen: set[str] = set()
    for word in words:
        if fold(word) in seen:
            yield word
        seen.add(fold(word))
