"""How much is read: bytes of a line of evidence or a file in its place, of a note, of a log; settings of a file."""

from __future__ import annotations

MAX_LINE = 1 << 20
MAX_NOTE = 64 << 20
MAX_LOG_TAIL = 64 << 10
# What one file of configuration makes; those of large projects make some hundreds.
MAX_SETTINGS = 1_500
