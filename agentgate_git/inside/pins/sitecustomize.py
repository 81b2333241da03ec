"""Run by `site` in every Python of a pinned run, before anything of the project: holds the pins, then gives way.

A sitecustomize that this one hides is run afterwards, as if this one were not there.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__))
_HOLDER = "_agentgate_held"


def _run(spec: ModuleSpec) -> Any:
    """Run a module and leave it in sys.modules, as an import would."""
    module: Any = type(sys)(spec.name)
    module.__spec__ = spec
    module.__file__ = spec.origin
    module.__loader__ = spec.loader
    sys.modules[spec.name] = module
    if spec.loader is not None:
        spec.loader.exec_module(module)
    return module


def _is_ours(folder: str) -> bool:
    return os.path.abspath(folder or os.curdir) == _HERE


def main() -> None:
    """Hold what the environment says, then run the hidden one."""
    if "AGENTGATE_PINS" in os.environ:
        path = os.path.join(_HERE, "held.py")
        holder = _run(ModuleSpec(_HOLDER, SourceFileLoader(_HOLDER, path), origin=path))
        holder.start(os.environ["AGENTGATE_PINS"], _HERE)
    hidden = PathFinder.find_spec("sitecustomize", [folder for folder in sys.path if not _is_ours(folder)])
    if hidden is not None:
        _run(hidden)


main()
