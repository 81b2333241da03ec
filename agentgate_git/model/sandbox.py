"""What a run can be kept in: a box of bubblewrap's, or nothing."""

from __future__ import annotations

BUBBLEWRAP = "bubblewrap"
NO_BOX = "none"
AUTO = "auto"  # bubblewrap where it can work
WANTED = (AUTO, BUBBLEWRAP, NO_BOX)
