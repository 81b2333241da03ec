"""What the condition says that an assertion newly waits for: no pipeline, a variable that somebody sets, one value."""

from __future__ import annotations

from agentgate_git.model.inventory import CUT_SHORT, FIRST_ONLY, IS_IN, OFF_IN_CI
from agentgate_git.model.pattern import pattern_of
from agentgate_git.policy.weakening.assertion_pool import Loss

_VARIABLES = (
    r"'(?:CI|CONTINUOUS_INTEGRATION|GITHUB_ACTIONS|GITLAB_CI|TRAVIS|CIRCLECI|APPVEYOR|BUILDKITE|JENKINS_URL|TF_BUILD)'"
)
_DENIED_TWICE = pattern_of(r"^!\(!([\w.]+)\)$")
_NOT_IN_CI = pattern_of(
    rf"not .*(?:environ|getenv).*{_VARIABLES}.*|not .*{_VARIABLES} in os\.environ.*|{_VARIABLES} not in os\.environ"
    rf"|.*(?:environ|getenv).*{_VARIABLES}\)? (?:is None|!= .+)"
)
_VALUE = r"(?:'[^']*'|-?\d[\w.]*)"
_LEFT_OUT = pattern_of(
    rf"not \(?[^\W\d]\w* == {_VALUE}\)?|\(?[^\W\d]\w* != {_VALUE}\)?"
    rf"|not \(?[^\W\d]\w* in [(\[{{]{_VALUE}(?:, {_VALUE})*,?[)\]}}]\)?"
    rf"|\(?[^\W\d]\w* not in [(\[{{]{_VALUE}(?:, {_VALUE})*,?[)\]}}]\)?"
)
# The first items of a list, so many as are written down: the rest of one is more often right.
_BEGINNING = pattern_of(
    r"\[0?(?::|\.\.[.=<]?)\d+\]|\.(?:slice|subList|sublist)\(0,\d+\)|\.(?:[tT]ake|first|limit|prefix|head)\(\d+\)"
    r"|^it is in (?:array_slice|Enum\.\w+)\([^,]+,0?,?\d+\)|\.slice\(0,\d+\)"
)
_SET = pattern_of(
    r"(?:bool\()?os\.(?:environ\.get|getenv)\('([A-Z]\w*)'[^()]*\)?(?: (?:==|in) [^;]+| is not None)?"
    r"|'([A-Z]\w*)' in os\.environ|os\.environ\['([A-Z]\w*)'\](?: == [^;]+)?"
)
_OF_SYSTEMS = frozenset(
    (
        *("HOME", "PATH", "USER", "DISPLAY", "TERM", "LANG", "LC_ALL", "TMPDIR", "TEMP", "WINDIR", "SHELL", "CI"),
        *("VIRTUAL_ENV", "CONDA_PREFIX", "COLUMNS", "APPDATA", "USERPROFILE", "SYSTEMROOT", "LOGNAME", "SSH_TTY"),
    )
)


def added_condition(loss: Loss) -> str:
    """What an assertion waits for that it did not wait for before."""
    known = loss.old.condition.split("; ")
    asked = loss.new.condition.split("; ") if loss.new is not None else []
    return "; ".join(one for one in asked if one not in known)


def in_words(condition: str) -> str:
    """A condition for readers, without what is denied twice."""
    return "; ".join(_DENIED_TWICE.sub(r"\1", part.removeprefix("not not ")) for part in condition.split("; "))


def is_off_in_ci(condition: str) -> bool:
    """True for what is only done where no pipeline runs."""
    return OFF_IN_CI in condition or any(_NOT_IN_CI.match(part) for part in condition.split("; "))


def is_asked_for(condition: str) -> bool:
    """True for what is only done where somebody sets a variable of the environment that no system has."""
    asked = (_SET.fullmatch(part.removeprefix("not not ").strip("()")) for part in condition.split("; "))
    return any(one is not None and (one[1] or one[2] or one[3]) not in _OF_SYSTEMS for one in asked)


def is_of_one_value(condition: str) -> bool:
    """True for a condition that leaves out one value, or a few that stand there, of what a test goes through."""
    if condition.startswith(IS_IN):
        return _BEGINNING.search(condition) is not None
    return _LEFT_OUT.fullmatch(condition) is not None or condition.startswith((CUT_SHORT, FIRST_ONLY))
