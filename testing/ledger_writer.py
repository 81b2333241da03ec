"""A writer process for tests: `python -m testing.ledger_writer DIRECTORY KEY FIRST COUNT`.

Appends COUNT lines one by one to one object, or, where KEY is `each`, each to an object of its own; every number is
printed once its line is stored.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from testing.records import open_ledger, some_entries, some_key
from testing.repo_builder import RepoBuilder


def main(directory: str, key: str, first: str, count: str) -> None:
    with open_ledger(RepoBuilder(Path(directory), os.environ)) as ledger:
        for number in range(int(first), int(first) + int(count)):
            ledger.append("packets", some_entries(some_key(number) if key == "each" else key, number))
            print(number, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
