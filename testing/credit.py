"""Small projects whose changed symbols are broken under their own tests."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

from agentgate_git.model.falsification import Falsification, SymbolResult
from agentgate_git.runner.credit_run import CreditRequest, find_kills
from agentgate_git.source.python.changed_symbols import changed_symbols
from agentgate_git.source.roles import role_of
from testing import suites


def falsify(
    directory: Path,
    files: Mapping[str, str],
    *args: str,
    old: Mapping[str, str] | None = None,
    python: str = "",
    environment: Mapping[str, str] | None = None,
    **limits: float,
) -> Falsification:
    """Write a project, and break what changed in its production files since `old`, or all of it.

    The interpreter has imported pytest already, unless one is named.
    """
    python = python or suites.WARM.path()
    request = credit_request(directory, files, *args, old=old, python=python, environment=environment)
    return find_kills(request._replace(**limits))


def credit_request(
    directory: Path,
    files: Mapping[str, str],
    *args: str,
    old: Mapping[str, str] | None = None,
    python: str = sys.executable,
    environment: Mapping[str, str] | None = None,
) -> CreditRequest:
    """Write a project; what is asked for its changes since `old`, output in `output.txt` beside it."""
    directory.mkdir(exist_ok=True)
    suites.write(directory, files)
    new = {path: encoded(text) for path, text in files.items() if role_of(path) == "production"}
    before = {path: encoded(text) for path, text in (old or {}).items()}
    return CreditRequest(
        python=python,
        directory=str(directory),
        args=args,
        environment=environment or suites.environment(),
        nonce=suites.NONCE,
        symbols=changed_symbols(before, new).changes,
        old_sources=before,
        production=tuple(new),
        log=str(directory.parent / "output.txt"),
    )


def result_of(found: Falsification, name: str) -> SymbolResult:
    """What became of one symbol."""
    return next(result for result in found.symbols if result.name == name)


def encoded(text: str) -> bytes:
    """As `suites.write` writes it."""
    return textwrap.dedent(text).encode()
