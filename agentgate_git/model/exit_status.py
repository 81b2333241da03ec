"""What a command ends with, the same in every format; `docs/codes/README.md` says what each asks for."""

from __future__ import annotations

EXIT_ALLOW = 0
EXIT_REJECTED = 1
EXIT_USAGE = 2
EXIT_UNDECIDED = 3
EXIT_NO_EVIDENCE = 4
EXIT_STALE = 5
EXIT_HUNG_UP = 129
EXIT_INTERRUPTED = 130
EXIT_TERMINATED = 143
