"""Files that an installer put in place: which these are, and from where the distribution came."""

from __future__ import annotations

import json
import os
from functools import lru_cache

_FOLDERS = frozenset(("site-packages", "dist-packages", "__pypackages__"))
_ENVIRONMENT_MARK = "pyvenv.cfg"


def is_installed(file: str, below: str = "/") -> bool:
    """True inside a folder of installed packages or a virtual environment that lies below `below`."""
    folder = os.path.dirname(file)
    while folder.startswith(below) and folder != below:
        if os.path.basename(folder) in _FOLDERS or os.path.lexists(os.path.join(folder, _ENVIRONMENT_MARK)):
            return True
        folder = os.path.dirname(folder)
    return False


def installed_from(file: str, places: tuple[str, ...]) -> bool:
    """True when the distribution that an installed file belongs to was installed from below one of the places."""
    folder = os.path.dirname(file)
    while os.path.basename(folder) not in _FOLDERS:
        if folder == os.path.dirname(folder):
            return False
        folder = os.path.dirname(folder)
    return os.path.relpath(file, folder) in _files_from(folder, places)


@lru_cache(maxsize=8)
def _files_from(folder: str, places: tuple[str, ...]) -> frozenset[str]:
    from importlib.metadata import distributions  # noqa: PLC0415 - few runs come here, and it imports much

    local = (
        each for each in distributions(path=[folder]) if _is_below(_source(each.read_text("direct_url.json")), places)
    )
    return frozenset(str(path) for each in local for path in each.files or ())


def _source(direct_url: str | None) -> str:
    """The directory or archive that a `direct_url.json` (PEP 610) names; empty when it is none on this machine."""
    from urllib.parse import unquote, urlsplit  # noqa: PLC0415 - as above

    try:
        parts = urlsplit(json.loads(direct_url or "{}")["url"])
    except (ValueError, KeyError, TypeError):
        return ""
    return unquote(parts.path) if parts.scheme == "file" else ""


def _is_below(path: str, places: tuple[str, ...]) -> bool:
    real = os.path.realpath(path) if path else ""
    return any(real == place or real.startswith(place.rstrip("/") + "/") for place in places)
