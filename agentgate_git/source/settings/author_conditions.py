"""Conditions that hang on what whoever makes a change writes: the name of a branch, a message, a title, an account.

Nothing is looked up. A comparison of such a thing is taken for false and for true, and where the whole condition holds
neither on a push nor on a review for one of the two, whoever makes the change decides whether the step runs.
"""

from __future__ import annotations

import re

from agentgate_git.model.branch_names import is_topic
from agentgate_git.model.pattern import pattern_of
from agentgate_git.source.settings.expression import NOTHING_GIVEN, Given, never_on_changes

# Among the names that a pipeline knows: a push to any branch starts it, a review does.
ON_PUSH, ON_REVIEW = "on: push", "on: review"
MAX_COMPARED = 3
MAX_LENGTH = 400
_BRANCH = (
    r"(?:github\.|gitea\.)(?:head_ref|ref_name|ref|event\.pull_request\.head\.ref)|"
    r"\$\{?(?:CI_COMMIT_(?:BRANCH|REF_NAME)|CI_MERGE_REQUEST_SOURCE_BRANCH_NAME|GITHUB_HEAD_REF|CIRRUS_BRANCH)\}?|"
    r"variables\[?.?'?(?:Build\.SourceBranch(?:Name)?|System\.PullRequest\.SourceBranch)'?\]?|"
    r"build\.branch|pipeline\.git\.branch|head_branch|branch"
)
_WRITTEN = (
    r"(?:github\.|gitea\.)event\.(?:head_commit\.message|commits\[0\]\.message|pull_request\.(?:title|body))|"
    r"\$\{?(?:CI_COMMIT_(?:MESSAGE|TITLE|DESCRIPTION|AUTHOR)|CI_MERGE_REQUEST_TITLE|CIRRUS_CHANGE_MESSAGE)\}?|"
    r"variables\[?.?'?Build\.SourceVersionMessage'?\]?|build\.message|commit_message"
)
_ACCOUNT = (
    r"(?:github\.|gitea\.)(?:actor|triggering_actor|event\.pull_request\.user\.login|event\.sender\.login|"
    r"event\.head_commit\.author\.(?:name|email|username))|"
    r"\$\{?(?:GITLAB_USER_(?:LOGIN|NAME|EMAIL)|CI_COMMIT_AUTHOR)\}?|build\.(?:creator|author)\.\w+|"
    r"variables\[?.?'?Build\.RequestedFor(?:Email)?'?\]?"
)
_TEXT = r"'(?:[^'\n]{0,200})'|\"[^\"\n]{0,200}\"|/(?:[^/\\\n]|\\.){1,200}/i?"
_THING = rf"(?P<branch>{_BRANCH})|(?P<written>{_WRITTEN})|(?P<account>{_ACCOUNT})"
_CALL = pattern_of(
    rf"\b(?:contains|startsWith|endsWith|eq|ne)\s?\(\s{{0,9}}(?:{_THING})\s{{0,9}},\s{{0,9}}(?P<text>{_TEXT})\s{{0,9}}\)",
    re.IGNORECASE,
)
_COMPARED = pattern_of(
    rf"(?<![\w.$])(?:{_THING})\s{{0,9}}(?P<sign>==|!=|=~|!~|=)\s{{0,9}}(?P<text>{_TEXT})", re.IGNORECASE
)
# Who writes no code, and what carries none of the kind that tests look at.
_ELSE = pattern_of(
    r"\[bot\]|dependabot|renovate|github-actions|pre-commit-ci|web-flow|(?:^|[/^])(?:release|changeset|version|docs?|l10n|"
    r"crowdin|weblate|transl|gh-pages|gh-readonly-queue|backport|all-contributors|allcontributors|main|master|dev\b|"
    r"develop|stable|next|trunk|v?\d)|refs/tags|skip[ -_]ci|ci[ -_]skip|no[ -_]ci|^\W*$|\brelease\b|\bbump\b|\bprepare",
    re.IGNORECASE,
)
# Accounts of those that write code and are no people, whatever stands behind their names.
_AGENT = pattern_of(
    r"agent|copilot|claude|codex|devin|cursor|jules|gemini|sweep|aider|openhands|(?:^|[^a-z])(?:ai|llm|gpt)(?:[^a-z]|$)",
    re.IGNORECASE,
)


def by_author(text: str, given: Given) -> tuple[str, str]:
    """Why work is left out by the name of its branch, or else what of an author's own the condition hangs on."""
    if len(text) > MAX_LENGTH:
        return "", ""
    found = [*_CALL.finditer(text), *_COMPARED.finditer(text)][:MAX_COMPARED]
    condition = ""
    for one in found:
        said = one["text"].strip("'\"/").lstrip("^(")
        is_agent = bool(one["account"]) and _AGENT.search(said) is not None
        if _ELSE.search(said) and not is_agent:
            continue
        if given.room is not None:
            given.room.suppose(len(text))
        lost = next((way for way in ("false", "true") if never_on_changes(_with(text, one, way), given)), "")
        if not lost:
            continue
        is_left_out = (lost == "true") == _agrees(one)
        if one["branch"] and is_left_out and is_topic(said) and _is_never_run(one["branch"], given):
            return f"it leaves out the branches `{said[:40]}`", ""
        if is_agent and is_left_out:
            return f"it leaves out what `{said[:40]}` writes", ""
        if not one["branch"] or is_left_out:
            condition = condition or f"hangs on `{one[0][:60]}`"
    return "", condition


def names_author(text: str) -> tuple[str, str]:
    """The same of a condition under which nothing runs, such as that of a rule that says `when: never`."""
    if len(text) > MAX_LENGTH:
        return "", ""
    for one in (*_COMPARED.finditer(text), *_CALL.finditer(text)):
        said = one["text"].strip("'\"/").lstrip("^(")
        if _ELSE.search(said) or not _agrees(one):
            continue
        if one["branch"] and is_topic(said) and _is_never_run(one["branch"], NOTHING_GIVEN):
            return f"it leaves out the branches `{said[:40]}`", ""
        return "", f"hangs on `{one[0][:60]}`"
    return "", ""


def _is_never_run(branch: str, given: Given) -> bool:
    """True for a thing that holds the branch of a change in every pipeline that the change starts.

    On a forge the one is empty on a push and the other names no branch on a review, so that the other event starts it.
    """
    folded = branch.lower()
    if folded.startswith(("github.", "gitea.")) and "head" in folded:
        return ON_PUSH not in given.names
    if folded.startswith(("github.", "gitea.")):
        return ON_REVIEW not in given.names
    return "commit_ref_name" in folded or folded in ("build.branch", "pipeline.git.branch")


def _agrees(one: re.Match[str]) -> bool:
    """True for a comparison that holds for what it names."""
    sign = one.groupdict().get("sign") or ""
    return not sign.startswith("!") and not one[0].lower().startswith("ne")


def _with(text: str, one: re.Match[str], way: str) -> str:
    return f"{text[: one.start()]} {way} {text[one.end() :]}"
