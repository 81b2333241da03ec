"""Coverage-guided fuzzing of all that reads other people's bytes: `python -m testing.fuzz TARGET FOLDER [-runs=N …]`.

FOLDER holds the inputs to start from and takes those that reach something new. Options that start with a dash go to
libFuzzer (`-runs`, `-seed`, `-max_total_time`, `-timeout` in seconds for one input). An input that makes a reader
raise, or takes longer than the time-out, ends the run with a status that is not zero and is kept as `crash-…` or
`timeout-…` in the directory that it was started in.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import atheris

# Each is a module `testing.fuzz_…`: what it imports is instrumented, which takes long, so it imports what it needs.
TARGETS = ("files", "commits", "signers")


def main() -> None:
    """Hand the target over to libFuzzer, which ends the process."""
    words = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if len(words) != 2 or words[0] not in TARGETS:
        sys.exit(f"{__doc__}\ntargets: {', '.join(TARGETS)}")
    with atheris.instrument_imports(include=["agentgate_git"], enable_loader_override=False):
        target = import_module(f"testing.fuzz_{words[0]}")
    folder = Path(words[1])
    folder.mkdir(parents=True, exist_ok=True)
    target.seeds(folder)
    options = [argument for argument in sys.argv[1:] if argument.startswith("-")]
    own = {"custom_mutator": target.mutate} if hasattr(target, "mutate") else {}
    atheris.Setup([sys.argv[0], *options, str(folder)], target.one, **own)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
