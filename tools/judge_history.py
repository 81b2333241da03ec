"""What the gate says about the whole history of real projects: `python tools/judge_history.py CLONE…`.

Prints, for each clone, how many commits there are and how many the scan blocks and warns about, by code, and then each
blocked commit with its findings, ready to be read and judged in docs/false-blocks.md. Nothing in a clone is changed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

_SHOWN = 3


def main() -> int:
    """Scan each clone and print its part of the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--rev", default="HEAD")
    parser.add_argument("--severity", default="block", choices=("block", "warn", "advice"), help="what to list")
    for clone in (options := parser.parse_args()).clones:
        _judge(clone, options.rev, options.severity)
    return 0


def _judge(clone: Path, rev: str, severity: str) -> None:
    result = _scan(clone, rev)
    commits = len(result["commits"])
    by_severity: dict[str, set[str]] = defaultdict(set)
    by_code: dict[tuple[str, str], set[str]] = defaultdict(set)
    for finding in result["findings"]:
        by_severity[finding["severity"]].add(finding["commit"])
        by_code[finding["severity"], finding["code"]].add(finding["commit"])
    counts = ", ".join(
        f"{len(found)} {one} ({100 * len(found) / max(commits, 1):.2f} %)" for one, found in sorted(by_severity.items())
    )
    print(f"\n## {clone.name}: {commits} commits; {counts or 'nothing found'}\n")
    for (one, code), found in sorted(by_code.items()):
        print(f"- {one} {code}: {len(found)} commit(s)")
    for commit in sorted(by_severity[severity]):
        print(f"\n### {commit[:12]} {_subject(clone, commit)}\n")
        findings = [one for one in result["findings"] if one["commit"] == commit and one["severity"] == severity]
        for finding in findings[:_SHOWN]:
            print(f"- {finding['code']} {finding['path']}:{finding['line']} {finding['message']}")
        rest = Counter(one["code"] for one in findings[_SHOWN:])
        if rest:
            print(f"- and {', '.join(f'{count} x {code}' for code, count in sorted(rest.items()))}")


def _scan(clone: Path, rev: str) -> dict[str, list[dict[str, str]]]:
    command = (sys.executable, "-m", "agentgate_git", "-C", str(clone), "scan", "--format", "json", "--all", rev)
    answer = subprocess.run(command, capture_output=True, check=False)
    if answer.returncode not in (0, 1):
        sys.exit(answer.stderr.decode("utf-8", "replace"))
    result: dict[str, list[dict[str, str]]] = json.loads(answer.stdout)
    return result


def _subject(clone: Path, commit: str) -> str:
    command = ("git", "-C", str(clone), "show", "--no-patch", "--format=%ad %s", "--date=short", commit)
    return subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace").strip()


if __name__ == "__main__":
    sys.exit(main())
