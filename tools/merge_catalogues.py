"""Put a catalogue of tricks into another one: `python tools/merge_catalogues.py FROM INTO`, two folders.

Entries are sorted by their ids. Trees may stand whole (`base`, `head`, `near`) or as what differs from the base
(`base`, `changed`), and are written as what differs; an entry without `verified` was read, and not run.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml

_ENTRIES, _TREES = "weakening.yaml", "weakening_cases.json"
_READ = {"how": "read", "with": "-", "exit_codes": None}


def main() -> int:
    """Merge the first folder into the second."""
    source, target = (Path(one) for one in sys.argv[1:3])
    head, entries, trees = _load(target)
    _, more, others = _load(source)
    known = {one["id"]: one for one in (*entries, *more)}
    listed = [known[name] for name in sorted(known)]
    for one in listed:
        one.setdefault("verified", dict(_READ))
    whole = {**trees, **others}
    target.mkdir(parents=True, exist_ok=True)
    text = yaml.safe_dump(
        {**head, "count": len(listed), "entries": listed}, sort_keys=False, allow_unicode=True, width=120
    )
    (target / _ENTRIES).write_text(text, encoding="utf-8")
    rows = (f"{json.dumps(name)}: {json.dumps(_short(whole[name]), indent=0)}" for name in sorted(known))
    (target / _TREES).write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")
    return 0


def _load(folder: Path) -> tuple[dict[str, Any], list[dict[str, Any]], dict[str, Any]]:
    """(what stands above the entries, entries, trees) of a folder; nothing of one that is not there."""
    if not (folder / _ENTRIES).is_file():
        return {"schema": 1, "note": ""}, [], {}
    held = yaml.safe_load((folder / _ENTRIES).read_text(encoding="utf-8"))
    trees = json.loads((folder / _TREES).read_text(encoding="utf-8"))
    return {name: value for name, value in held.items() if name not in ("entries", "count")}, held["entries"], trees


def _short(tree: dict[str, Any]) -> dict[str, Any]:
    if "changed" in tree:
        return tree
    return {"base": tree["base"], "changed": {side: tree.get(side) or {} for side in ("head", "near")}}


if __name__ == "__main__":
    sys.exit(main())
