"""How many bytes a line of evidence, or a file in its place, and a whole note may have."""

from __future__ import annotations

MAX_LINE = 1 << 20
MAX_NOTE = 64 << 20
