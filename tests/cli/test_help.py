"""Help on everything that can be asked for, without a man page."""

from __future__ import annotations

import shlex

import pytest

from agentgate_git import __version__
from agentgate_git.cli.commands import VERBS, load, verb_parser
from agentgate_git.model.code import CODES
from testing.command_line import Done, agentgate
from testing.repo_builder import RepoBuilder


def assert_told(done: Done) -> str:
    assert (0, "") == (done.status, done.stderr)
    return done.stdout


def test_every_verb_and_every_code_is_listed(repo: RepoBuilder) -> None:
    lines = assert_told(agentgate(repo, "help")).splitlines()
    assert set(VERBS) <= {line.split()[0] for line in lines if line.startswith("  ")}
    assert set(CODES) <= {line.split()[0] for line in lines if line.startswith("  ")}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_says_how_it_is_used(repo: RepoBuilder, verb: str) -> None:
    told = assert_told(agentgate(repo, "help", verb))
    assert told == assert_told(agentgate(repo, verb, "-h"))
    assert told.startswith(f"usage: git agentgate {verb}")


@pytest.mark.parametrize("verb", VERBS)
def test_every_example_is_one_that_its_verb_takes(verb: str) -> None:
    commands = [command for command, _ in load(verb).EXAMPLES]
    assert [f"git agentgate {verb}"] * len(commands) == [" ".join(command.split()[:3]) for command in commands]
    assert commands != []
    for command in commands:
        own = shlex.split(command.partition(" -- ")[0])[3:]
        verb_parser(verb, load(verb)).parse_args(own)
    assert all(f"\n  {command}\n" in verb_parser(verb, load(verb)).format_help() for command in commands)


def test_a_narrow_terminal_breaks_no_command_and_no_version(repo: RepoBuilder) -> None:
    assert f"agentgate-git {__version__}\n" == assert_told(agentgate(repo, "--version", COLUMNS="20"))
    command, _ = load("run").EXAMPLES[0]
    assert command in assert_told(agentgate(repo, "run", "-h", COLUMNS="20"))


@pytest.mark.parametrize("code", CODES)
def test_every_code_says_what_it_means_and_what_to_do(repo: RepoBuilder, code: str) -> None:
    meaning, step = assert_told(agentgate(repo, "help", code)).splitlines()
    assert (True, True) == (meaning.startswith(f"{code}: "), step.startswith("next: "))


def test_the_short_help_and_the_version(repo: RepoBuilder) -> None:
    assert assert_told(agentgate(repo, "-h")).startswith("usage: git agentgate")
    assert f"agentgate-git {__version__}\n" == assert_told(agentgate(repo, "--version"))


def test_nothing_asked_for_is_bad_usage_with_the_help(repo: RepoBuilder) -> None:
    done = agentgate(repo)
    assert (2, "", True) == (done.status, done.stdout, done.stderr.startswith("usage: git agentgate"))


def test_help_needs_no_repository(repo: RepoBuilder) -> None:
    for args in (("help",), ("help", "E_STALE"), ("verify", "-h"), ("--version",)):
        assert_told(agentgate(repo, *args, cwd=repo.path.parent))
