"""What a Python file imports, and whether it may load more than it names: read from the bytes, not parsed.

Too much is named rather than too little: an import in a docstring, the dotted path of a patch in a string.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.python.standard_library import is_standard

_IMPORT = pattern_of(
    rb"(?m)(?:^|[;:])[ \t]{0,99}(?:from[ \t]{1,9}(\.{0,9}[\w.]{0,200})[ \t]{1,9}import[ \t]{0,9}"
    rb"(\([^)]{0,2000}\)|(?:[^\n;\\]|\\\r?\n){1,1000})|import[ \t]{1,9}((?:[^\n;#\\]|\\\r?\n){1,1000}))"
)
_COMMENT = pattern_of(rb"#[^\n]*")
_NAMED = pattern_of(rb"[\w.]+")
_DOTTED = pattern_of(rb"[\"'](\w+(?:\.\w+){1,12})[\"':]")
# Modules found by other means than an import that stands there.
_LOADS = pattern_of(
    rb"import_module|import_string|__import__|iter_modules|walk_packages|entry_points|iter_entry_points|load_module"
    rb"|spec_from_|load_backend|runpy|stevedore|\bexec\(|\beval\(|\bexecfile\("
)
# Tests that may go through all of a project: its commands, its pages, its models.
_GOES_THROUGH = pattern_of(
    rb"subprocess|Popen|os\.system|script_runner|pytester|testdir|[cC]lient\b|live_server|call_command|reverse\("
    rb"|urlopen|[dD]jango|webtest|celery|selenium|playwright|sys\.modules|sys\.executable|localhost|127\.0\.0\.1"
)
# Folders that hold a module or a package of one name: more are not looked at.
_MAX_TOPS = 40


def names_imported(data: bytes) -> tuple[str, ...]:
    """Dotted names of modules, and of what may be one: a name taken from a module, a text that looks like a path.

    Relative ones keep their dots: `from ..a import b` is `..a` and `..a.b`. Those of the standard library are left out.
    """
    return tuple(dict.fromkeys(name for name in _named(data) if not is_standard(name.partition(".")[0])))


def loads_more(data: bytes, *, is_test: bool) -> bool:
    """True for a file that may load, or for a test that may go through, more of a project than it names."""
    return _LOADS.search(data) is not None or (is_test and _GOES_THROUGH.search(data) is not None)


class Modules:
    """The Python files of a tree, by the names under which they may be imported from anywhere in it."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(path for path in paths if path.endswith(".py"))
        self._tops: dict[str, set[str]] = {}
        for path in self._paths:
            folders = path.removesuffix(".py").split("/")
            for end in range(len(folders), 0, -1):
                before = self._tops.setdefault(folders[end - 1], set())
                top = "".join(f"{one}/" for one in folders[: end - 1])
                if top in before:
                    break
                before.add(top)

    def found(self, taker: str, dotted: str) -> tuple[str, ...]:
        """The files that the import of a dotted name in the file `taker` may run: the module, the packages around."""
        inner = dotted.lstrip(".")
        level = len(dotted) - len(inner)
        parts = [part for part in inner.split(".") if part]
        if level:
            folders = taker.split("/")[:-1]
            tops = ["".join(f"{one}/" for one in folders[: len(folders) - level + 1])] if level <= len(folders) else []
        else:
            tops = sorted(self._tops.get(parts[0], ()))[:_MAX_TOPS] if parts else []
        return tuple(path for top in tops for path in _files_of(top, parts) if path in self._paths)


def _named(data: bytes) -> Iterator[str]:
    for match in _IMPORT.finditer(data):
        if match[3] is not None:
            for one in match[3].split(b","):
                words = _NAMED.findall(one)
                yield from (words[0].decode("utf-8", "replace"),) if words else ()
            continue
        source = match[1].decode("utf-8", "replace")
        yield source
        joint = "" if source.endswith(".") else "."
        for one in _COMMENT.sub(b"", match[2]).strip(b"()").split(b","):
            words = _NAMED.findall(one)
            yield from (f"{source}{joint}{words[0].decode('utf-8', 'replace')}",) if words else ()
    yield from (match[1].decode("utf-8", "replace") for match in _DOTTED.finditer(data))


def _files_of(top: str, parts: list[str]) -> Iterator[str]:
    for end in range(len(parts), 0, -1):
        place = f"{top}{'/'.join(parts[:end])}"
        yield f"{place}/__init__.py"
        yield f"{place}.py"
    if not parts:
        yield f"{top}__init__.py"
