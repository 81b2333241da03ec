"""What a production file is made of, definition by definition: enough to tell what was added from what was changed.

Read from the lines, because every production file of a history passes here.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.facts import ALTERS
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.fingerprint import digest_of

_STARTS = pattern_of(rb"[ \t]*(?:async[ ]+def|def|class)[ ]+(\w+)|[ \t]*@[ \t]*([\w.]*)")
_WORDS = (b"def ", b"class ", b"async ", b"@")
_IMPORTS = (b"import ", b"from ")
# Decorators that leave a definition where it stands: others may hand it on to what is there already.
_OWN = frozenset(("property", "staticmethod", "classmethod", "setter", "dataclass", "override", "overload"))


def parts_of(data: bytes) -> tuple[tuple[str, str], ...]:
    """(name, digest) of each definition with its decorators, and of each line outside of any, whose name is empty.

    Comments, docstrings, blank lines and imports are left out. The name begins with ALTERS where adding the definition
    alone may alter what is there: a special method, or a decorator that registers it.
    """
    found: dict[tuple[str, str], None] = {}
    name, is_open, is_altering = "", False, False
    lines: list[bytes] = []
    for line in _told(data):
        bare = line.strip()
        match = _STARTS.match(line) if bare.startswith(_WORDS) else None
        if match is None:
            is_own = not line[:1].isspace() and not bare.startswith((b")", b"]", b"}"))
            if is_own:
                found.update(_part(name, lines, is_altering))
                name, lines, is_altering = "", [], False
                if not bare.startswith(_IMPORTS):
                    found.update(_part("", [bare], False))
            else:
                lines.append(bare)
            continue
        if not is_open:
            found.update(_part(name, lines, is_altering))
            lines, is_altering = [], False
        lines.append(bare)
        if match[1] is None:
            is_open = True
            is_altering = is_altering or match[2].decode("utf-8", "replace").rpartition(".")[2] not in _OWN
        else:
            name, is_open = match[1].decode("utf-8", "replace"), False
            is_altering = is_altering or name.startswith("__")
    found.update(_part(name, lines, is_altering))
    return tuple(found)


def _told(data: bytes) -> Iterator[bytes]:
    """The lines without those that are blank, comments, or of a text that stands for itself, as docstrings do."""
    closing, is_text = b"", False
    for line in data.split(b"\n"):
        bare = line.strip()
        if closing:
            if not is_text:
                yield line
            if line.count(closing) % 2:
                closing = b""
            continue
        if not bare or bare.startswith(b"#"):
            continue
        quote = b'"""' if b'"""' in bare else b"'''" if b"'''" in bare else b""
        is_text = bool(quote) and bare.lstrip(b"rRuUbB").startswith(quote)
        if quote and bare.count(quote) % 2:
            closing = quote
        if not is_text:
            yield line


def _part(name: str, lines: list[bytes], is_altering: bool) -> dict[tuple[str, str], None]:
    if not lines:
        return {}
    digest = digest_of(b"\n".join(lines).decode("utf-8", "replace"))
    return {(f"{ALTERS}{name}" if is_altering else name, digest): None}
