"""What the configuration of pre-commit and prek says about our hooks."""

from __future__ import annotations

import pytest

from agentgate_git.wire.hook_config import HookConfig, read_hook_config

REPO = "repos:\n- repo: x\n  rev: y\n  hooks:\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (REPO + "  - id: agentgate-commit-msg\n", HookConfig(("commit-msg",), ("pre-commit",))),
        (
            REPO + "  - {id: agentgate-pre-commit}\n  - {id: agentgate-pre-push}\n",
            HookConfig(("pre-commit", "pre-merge-commit", "pre-push"), ("pre-commit",)),
        ),
        (
            "default_install_hook_types: [commit-msg, pre-push]\n" + REPO + "  - id: other\n",
            HookConfig((), ("commit-msg", "pre-push")),
        ),
        (
            REPO + "  - {id: mine, entry: uv run git-agentgate hook commit-msg --x, language: system}\n",
            HookConfig(("commit-msg",), ("pre-commit",)),
        ),
        (
            "x: &ours [{id: agentgate-pre-push}]\nrepos:\n- {repo: x, hooks: *ours}\n",
            HookConfig(("pre-push",), ("pre-commit",)),
        ),
        ("repos:\n- just text\n- {repo: x, hooks: none}\n- {repo: y}\n", HookConfig((), ("pre-commit",))),
        ("repos: text\ndefault_install_hook_types: text\n", HookConfig()),
    ],
    ids=["one id", "ids of two stages", "hook types", "a local entry", "anchors", "odd shapes", "no lists"],
)
def test_yaml(text: str, expected: HookConfig) -> None:
    assert expected == read_hook_config(".pre-commit-config.yaml", text.encode())


def test_toml() -> None:
    text = 'default_install_hook_types = ["pre-push"]\n[[repos]]\nrepo = "x"\nhooks = [{ id = "agentgate-pre-push" }]\n'
    assert HookConfig(("pre-push",), ("pre-push",)) == read_hook_config("prek.toml", text.encode())


@pytest.mark.parametrize("data", [b"repos: [", b"\xff", b"[" * 100_000, b"!!python/object:os.system {}", b"text", b""])
def test_what_cannot_be_read_is_a_problem_in_one_line(data: bytes) -> None:
    config = read_hook_config(".pre-commit-config.yaml", data)
    assert ((), ()) == (config.stages, config.install_types)
    assert config.problem
    assert "\n" not in config.problem


def test_toml_that_cannot_be_read() -> None:
    assert read_hook_config("prek.toml", b"repos = [").problem
