"""Adoption: a human takes over what agent work did to the gate, for exactly one tree on exactly one base."""

from __future__ import annotations

from agentgate_git.model.oid import Oid
from agentgate_git.model.record import Record


class Need(Record):
    """A finding that blocks, as it stood when an adoption was asked for or made."""

    code: str
    path: str
    message: str


class Adoption(Record):
    """What a human takes over, or is asked to: `paths` and `tests` of `tree` as it differs from `base_tree`.

    `paths` are files from the top of the tree, `tests` are `path::name`. `commit` is a hint at where the tree was seen.
    `needs` are the findings it was made for, `reason` is free text; neither decides anything. `made_at` is RFC 3339
    with `Z`.
    """

    tree: Oid
    base_tree: Oid
    commit: Oid
    paths: tuple[str, ...]
    tests: tuple[str, ...]
    needs: tuple[Need, ...]
    reason: str
    made_at: str


class SignedAdoption(Record):
    """An adoption that an enrolled human signed: who, and the sha256 of the line it stands in."""

    adoption: Adoption
    principal: str
    sha256: str


class ListedAdoption(Record):
    """One line of a list: `kind` is `adoption` or `request`, `state` says what it counts for."""

    kind: str
    adoption: Adoption
    state: str
