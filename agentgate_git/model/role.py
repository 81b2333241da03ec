"""What a file is for; found by name (source/roles.py), used by policies."""

from __future__ import annotations

TEST = "test"
HARNESS = "harness"
PRODUCTION = "production"
CONFIG = "config"
CI = "ci"
LOCK = "lock"
DOCS = "docs"
DATA = "data"
OTHER = "other"
ROLES = (TEST, HARNESS, PRODUCTION, CONFIG, CI, LOCK, DOCS, DATA, OTHER)
