"""What is known about coding agents: the marks they leave on commits and in the environment.

Patterns are Python regular expressions for a full match, ignoring case, on text folded as `AgentRegistry` says.
"""

from __future__ import annotations

from agentgate_git.model.record import Record

# The trailer in which the commit-msg hook records that an agent's environment was there.
ENVIRONMENT_TRAILER = "Agentgate-Environment"

AUTHOR = "author"
COMMITTER = "committer"
COAUTHOR = "coauthor"
SIGNOFF = "signoff"

AUTHORED = "authored"
ASSISTED = "assisted"
NEUTRAL = "neutral"

UNVERIFIED = "unverified"
GOOD = "good"
BAD = "bad"


class IdentityMark(Record):
    """Who stands in a commit: an exact address or a pattern for one, and a pattern for the name; both must match.

    `roles` are where it counts; `means` is `authored`, or `assisted` when a person applied a suggestion.
    """

    agent: str
    roles: tuple[str, ...]
    means: str
    email: str = ""
    email_pattern: str = ""
    name_pattern: str = ""


class TrailerMark(Record):
    """A `Key: value` line. `is_declared` ones are written to say so; `is_session` ones count in any paragraph."""

    agent: str
    key_pattern: str
    value_pattern: str
    means: str
    is_declared: bool = False
    is_session: bool = False


class FooterMark(Record):
    """A whole line in one of the last two paragraphs."""

    agent: str
    line_pattern: str
    means: str


class VariableMark(Record):
    """An environment variable that an agent sets for what it starts; all of `requires` must be set as well."""

    agent: str
    name: str
    value_pattern: str
    requires: tuple[tuple[str, str], ...] = ()


class KeyMark(Record):
    """A vendor's key: `fingerprint` is `SHA256:…` without padding, or the id of an OpenPGP key in capitals.

    `means` is `authored` for a key that hosted sessions are signed with, `neutral` for a forge's, which signs for
    people, bots and agents alike.
    """

    agent: str
    fingerprint: str
    means: str = AUTHORED


class AgentRegistry(Record):
    """The shipped table. `compiled` is the day it was made; `words` are names of agents and models.

    Text is folded before it is matched: NFKC, zero-width characters dropped, blanks collapsed, case folded.
    """

    compiled: str
    identities: tuple[IdentityMark, ...] = ()
    trailers: tuple[TrailerMark, ...] = ()
    footers: tuple[FooterMark, ...] = ()
    variables: tuple[VariableMark, ...] = ()
    keys: tuple[KeyMark, ...] = ()
    bots: tuple[IdentityMark, ...] = ()
    words: tuple[str, ...] = ()


class SignatureFacts(Record):
    """What is known about the signature on a commit.

    `status` is `unverified`, `good`, or `bad` for one that is invalid, expired, revoked or unreadable.
    `enrolled_as` is `human`, `agent`, `bot`, or empty for a key that nobody enrolled; it counts with `good` only.
    `has_presence` says that the key proved a touch. `fingerprint` is `SHA256:…`, or for OpenPGP the fingerprint or id
    of the key in capitals; empty when it cannot be read. `problem` completes "the signature …" of a bad one.
    """

    status: str
    fingerprint: str = ""
    enrolled_as: str = ""
    principal: str = ""
    has_presence: bool = False
    problem: str = ""
