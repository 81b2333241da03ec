"""What an ordinary project leaves out of coverage and of its checks, and what is so wide that little is left."""

from __future__ import annotations

import re

from agentgate_git.model.pattern import pattern_of

# Folders and files that nobody wrote by hand, or that are no part of the product.
_ORDINARY = pattern_of(
    r"(?:^|[/\\*.])(?:tests?|testing|build|dist|node_modules|\.?venv|env|\.?tox|\.?nox|\.git|\.eggs|eggs|docs?|examples?|demos?|"
    r"migrations?|vendor(?:ed)?|_vendor|third[-_]party|generated|gen|site-packages|dist-packages|__pycache__|\.\w+_cache|"
    r"__main__|setup|conftest|_?version|__about__|_compat|benchmarks?|bench|scripts?|tools?|typings|stubs|fixtures?|"
    r"d\.[cm]?ts|stor(?:y|ies)|__\w+__|mocks?|specs?|e2e|cypress|types?|interfaces|locales?|i18n|assets|styles?|index|"
    r"pb|g|freezed|designer|bindata|zz_generated\w*|[\w-]*[_.]generated|[\w-]*_gen|main|polyfills?|rollup|webpack|vite|\.?storybook|\w*[.]?config|noxfile|tasks|pypy\d*|python[?\d.*]*|lib|coverage|\.next|out|target|proto|.*_pb2(?:_grpc)?|py\.typed|config-\d)"
    r"(?:[/\\*.]|$)",
    re.IGNORECASE,
)
_EVERYTHING = pattern_of(r"[./*\\]*|(?:\./|\*\*?/)?(?:src|lib|app|source|pkg|packages)[/*]*|\*+\.\w+|\^?\.[*+]\$?")
_USUAL_LINES = pattern_of(
    r"pragma|no cover|TYPE_CHECKING|overload|abstract|NotImplemented|AssertionError|assert_never|__main__|__repr__|"
    r"__str__|__debug__|\.\.\.|^\W*pass\W*$|Protocol|ImportError|ModuleNotFound|platform|version|if 0|if False|debug|"
    r"unreachable|defensive|KeyboardInterrupt|typing|deprecated|MYPY|NoReturn|LOCAL_DEBUG",
    re.IGNORECASE,
)
# Lines of ordinary code, and how bad it is when a pattern takes them all out of the count.
_CODE = ("def total(items):", "    return total", "    if count > 3:", "    total = total + one", "class Basket:")
_CODE_LESS = ("    raise ValueError(text)", "    except ValueError:", "    else:", "    for one in items:")
# A pattern of functions or classes by the beginning of their names.
_DEFINITION = pattern_of(r"\^?(?:\\s[*+]|[ ]*)?(?:async )?(?:def|class)(?: |\\s\+?)(\w*(?:\.[*+]|\\w[*+]|_)?)\$?")
_UNSAFE = pattern_of(r"\)[*+{?]|\[\^?\]?[^\]]*\][*+][*+]|\{\d*,")
_MAX_PATTERN = 200
_ANYTHING = pattern_of(r"(?:\.[*+]){2,}")
_REPEATS = pattern_of(r"(?<![\\(])(?:[*+]\??|\?|\{)")
_MAX_REPEATS = 3
_SPELLED = pattern_of(r"(?<!\\)[A-Za-z_]{3}")


def is_ordinary(pattern: str) -> bool:
    """True for a path or a module that most projects leave out, false for one of the project's own."""
    return bool(_ORDINARY.search(pattern.replace("\\.", ".").strip().strip("\"'^$()")))


def is_everything(pattern: str) -> bool:
    """True for a pattern that leaves nothing of the product."""
    return bool(_EVERYTHING.fullmatch(pattern.strip().strip("\"'")))


def is_usual_line(pattern: str) -> bool:
    """True for lines that most projects do not count."""
    return bool(_USUAL_LINES.search(pattern))


def takes_code(pattern: str) -> int:
    """2 for a pattern of coverage that takes out every function, branch or class, 1 for every handler, 0 for others."""
    if len(pattern) > _MAX_PATTERN or _UNSAFE.search(pattern):
        return 0
    plain = _ANYTHING.sub(".*", pattern)
    if len(_REPEATS.findall(plain)) > _MAX_REPEATS:
        # It would take a time that grows with a power of the line: one that spells no word out takes what it likes.
        return 0 if _SPELLED.search(plain) else 1
    try:
        found = re.compile(plain)
    except (re.error, OverflowError, RecursionError):
        return 0
    if any(found.search(line) for line in _CODE):
        return 2
    named = _DEFINITION.fullmatch(pattern)
    if named:
        return 2 if named[1] in ("", "_") or not named[1][-1].isalnum() else 1
    return int(any(found.search(line) for line in _CODE_LESS))
