"""When two names of a job are one job: what looks the same, or differs only in blanks or case, is the same."""

from __future__ import annotations

import unicodedata

_NOT_SEEN = ("Cc", "Cf", "Zs", "Zl", "Zp")


def identity(job: str) -> str:
    """The form in which jobs are compared: NFKC, case folded, without blanks and characters of no width.

    Empty for a name in which nothing can be seen.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", job).casefold())
    return "".join(char for char in folded if unicodedata.category(char) not in _NOT_SEEN)
