"""Runs the static scan over the catalogue: `python -m testing.catalogue [--family B.] [--language python] [-v]`."""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import yaml

from agentgate_git.flows.scan import judge_files
from agentgate_git.model.finding import Finding

SHARED = Path(__file__).parents[2] / "shared" / "data"
Tree = dict[str, bytes]


def load(folder: Path = SHARED) -> Iterable[tuple[dict[str, str], Tree, Tree, Tree]]:
    """Each entry with its trees base, head and near."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    entries = yaml.load((folder / "weakening.yaml").read_text(), loader)["entries"]
    cases = json.loads((folder / "weakening_cases.json").read_text())
    for entry in entries:
        trees = (
            {path: text.encode("utf-8", "surrogateescape") for path, text in cases[entry["id"]][name].items()}
            for name in ("base", "head", "near")
        )
        yield (entry, *trees)


def worst(findings: Iterable[Finding]) -> str:
    """block, warn, advice or `-`."""
    found = {finding.severity for finding in findings}
    return next((one for one in ("block", "warn", "advice") if one in found), "-")


def main() -> None:
    """Print the table, and with -v every head that is not blocked and every near miss with a finding."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--family", default="")
    parser.add_argument("--language", default="")
    parser.add_argument("--id", default="")
    parser.add_argument("--code", default="", help="count findings of this code only")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    table: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0] * 5)
    for entry, base, head, near in load():
        if not (entry["family"].startswith(options.family) and options.id in entry["id"]):
            continue
        if options.language and entry["language"] != options.language:
            continue
        on_head, on_near = (
            [one for one in judge_files(base, tree).findings if options.code in one.code] for tree in (head, near)
        )
        at_head, at_near = worst(on_head), worst(on_near)
        if options.v and (at_head != "block" or at_near != "-"):
            print(
                f"{entry['id']:10} {entry['family']:12} {entry['suggested_action']:6} {at_head:6} near {at_near:6}"
                f" {entry['language']} {entry['construct'][:70]}"
            )
            for finding in on_near:
                print(
                    f"      near: {finding.code} {finding.severity} {finding.path}:{finding.line}"
                    f" {finding.message[:110]}"
                )
        is_block = entry["suggested_action"] == "block"
        for key in ((entry["family"], entry["language"]), ("ALL", "")):
            row = table[key]
            row[0] += is_block
            row[1] += is_block and at_head in ("block", "warn")
            row[2] += is_block and at_head == "block"
            row[3] += at_near == "block"
            row[4] += at_near != "-"
    print(f"{'family':14}{'language':12} block-entries  flagged  blocked  near-blocked  near-any")
    for (family, language), row in sorted(table.items()):
        print(f"{family:14}{language:12} {row[0]:13} {row[1]:8} {row[2]:8} {row[3]:13} {row[4]:9}")


if __name__ == "__main__":
    main()
