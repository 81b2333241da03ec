"""`python -m bench [--write] [NAME…]`: print every figure as a ratio; --write puts them into docs/performance.md."""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import agentgate_git
from bench import boxed, capture, credit, decide, growth, hook, hostile, ledger, materialise, recording, scan
from bench.harness import NO_BUDGET, Ratio

DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "performance.md"
BENCHES: dict[str, Callable[[Path, int], list[Ratio]]] = {
    "hook": hook.run,
    "instructions": lambda scratch, _rounds: hook.run_instructions(scratch),
    "managers": hook.run_under_managers,
    "capture": capture.run,
    "ledger": ledger.run,
    "materialise": materialise.run,
    "hostile": hostile.run,
    "scan": scan.run,
    "growth": growth.run,
    "decide": decide.run,
    "boxed": boxed.run,
    "recording": recording.run,
    "credit": credit.run,
}


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--rounds", type=int, default=21, help="interleaved rounds where they are short (21)")
    parser.add_argument("--only", default="", metavar="WORD", help="of hostile: shapes with it in their kind or name")
    parser.add_argument("--write", action="store_true", help="put the table into docs/performance.md")
    args = parser.parse_args()
    unknown = set(args.names) - BENCHES.keys()
    if unknown:
        parser.error(f"no bench {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    package = str(Path(agentgate_git.__file__).parent)
    subprocess.run([sys.executable, "-m", "compileall", "-q", package], check=True)
    benches = {**BENCHES, "hostile": partial(hostile.run, only=args.only)}
    ratios = []
    scratch = Path(tempfile.mkdtemp(prefix="agentgate-bench-"))
    try:
        for name in args.names or BENCHES:
            ratios += _print(benches[name](scratch / name, args.rounds))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if args.write:
        _write(ratios)
    return 0


def _print(ratios: list[Ratio]) -> list[Ratio]:
    for ratio in ratios:
        sys.stdout.write(f"{'ok  ' if ratio.is_within() else 'OVER'} {_row(ratio)}\n")
    return ratios


def _row(ratio: Ratio) -> str:
    budget = f"at least {ratio.budget:g}" if ratio.wants_more else f"at most {ratio.budget:.2f}"
    budget = "none" if ratio.budget == NO_BUDGET else budget
    return f"| {ratio.name} | {ratio.floor} | {ratio.value():.2f} | {budget} |"


def _write(ratios: list[Ratio]) -> None:
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.split()[2]
    head = (
        f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, git {git}, "
        f"CPython {platform.python_version()}. Command: `python -m bench --write`.\n\n"
        "| what | floor, measured in the same run | ratio | budget |\n| --- | --- | --- | --- |\n"
    )
    table = head + "".join(_row(ratio) + "\n" for ratio in ratios)
    text = DOCUMENT.read_text()
    marked = re.compile(r"(<!-- bench:begin -->\n).*?(<!-- bench:end -->)", re.DOTALL)
    DOCUMENT.write_text(marked.sub(lambda found: found.group(1) + table + found.group(2), text))


if __name__ == "__main__":
    sys.exit(main())
