"""`build_changelog.py VERSION DATE`: put the fragments of changelog.d/ into CHANGELOG.md and remove them."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARK = "<!-- releases -->\n"
KINDS = {
    "breaking": "Changes that break",
    "feature": "New",
    "fix": "Repaired",
    "deprecation": "Will go",
    "doc": "Documentation",
}


def section(version: str, date: str, fragments: list[Path]) -> str:
    """The notes of one release: kinds in the order of KINDS, fragments in the order of their names."""
    lines = [f"\n## {version} ({date})\n"]
    for kind, title in KINDS.items():
        texts = [path.read_text(encoding="utf-8").strip() for path in fragments if path.name.split(".")[1] == kind]
        if texts:
            rows = "\n".join("- " + text.replace("\n", "\n  ") for text in texts)
            lines.append(f"\n### {title}\n\n{rows}\n")
    return "".join(lines)


def main(argv: list[str]) -> int:
    """The command; its exit status."""
    if len(argv) != 2:
        print("usage: build_changelog.py VERSION DATE", file=sys.stderr)
        return 2
    fragments = sorted(path for path in (ROOT / "changelog.d").glob("*.md") if path.name != "README.md")
    unknown = [path.name for path in fragments if path.name.split(".")[1] not in KINDS]
    if unknown:
        print(f"no such kind: {', '.join(unknown)}; use one of {', '.join(KINDS)}", file=sys.stderr)
        return 2
    page = ROOT / "CHANGELOG.md"
    page.write_text(page.read_text(encoding="utf-8").replace(MARK, MARK + section(*argv, fragments), 1), "utf-8")
    for path in fragments:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
