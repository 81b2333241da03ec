"""E_GATE_CONFIG: words of a commit message that keep the forge from running its pipeline."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentgate_git.model import code
from agentgate_git.model.finding import ADVICE, WARN, Finding
from agentgate_git.model.pattern import pattern_of

_SYSTEMS = r"ci|actions|checks|travis|circle(?:ci)?|azurepipelines|azpipelines|azp|appveyor|gitlab|buildkite|drone|cd"
_WORDS = pattern_of(
    rf"\[(?:skip|no)[ -](?:{_SYSTEMS})\]|\[(?:{_SYSTEMS})[ -](?:skip|off)\]|\*\*\*NO_CI\*\*\*|"
    r"^(?:skip-checks|ci-skip|skip-ci):[ \t]*true[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_STEP = "take the words out of the message, so that the pipeline runs"
# A message that is kept as a file beside the tree, as git keeps the one it is about to use.
MESSAGE_FILE = "COMMIT_EDITMSG"


def skipping_words(message: str) -> tuple[str, ...]:
    """The words of a message that a CI system takes for `do not run`, each once, in their order."""
    return tuple(dict.fromkeys(found[0].strip() for found in _WORDS.finditer(message)))


def message_findings(message: str, before: str = "", *, is_code: bool = True, commit: str = "") -> Iterator[Finding]:
    """What a message keeps from running that `before` did not; advice where no code and no test is changed."""
    known = skipping_words(before)
    for words in skipping_words(message):
        if words not in known:
            severity = WARN if is_code else ADVICE
            text = f"the message has `{words}`, so no pipeline runs for this commit"
            yield Finding(code.GATE_CONFIG, severity, "", text, _STEP, commit=commit)
