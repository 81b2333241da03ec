"""Repositories in which entropy.yaml is merged by our driver, as `install --attributes` sets them up."""

from __future__ import annotations

from agentgate_git.flows.clone.driver_config import PATHS, attribute_line
from agentgate_git.flows.install import install
from testing.hooked_repo import TOOLS, git_of, with_tools
from testing.repo_builder import RepoBuilder

HEAD = "version: 1\nproperty_id: orders\nmodule: shop.orders\npins:\n"
BASE = {"tz": "UTC", "rng_seed": "7"}
ATTRIBUTES = "".join(f"{attribute_line(path)}\n" for path in PATHS)


def text_of(**pins: str) -> str:
    """A manifest with these pins, in this order; values are written as YAML has them."""
    return HEAD + "".join(f"  {name}: {value}\n" for name, value in pins.items())


def with_driver(repo: RepoBuilder, program: str = str(TOOLS / "git-agentgate")) -> RepoBuilder:
    """A first commit on `main` with a manifest, and the driver configured for it."""
    with_tools(repo)
    repo.commit({"entropy.yaml": text_of(**BASE), ".gitattributes": ATTRIBUTES}, "first")
    repo.git("config", "agentgate.target", "main")
    install(git_of(repo), program, is_native=True)
    return repo


def on_branches(repo: RepoBuilder, path: str = "entropy.yaml", **texts: str) -> RepoBuilder:
    """A commit on each branch, off where the developer stands; they end on `main`."""
    start = repo.git("rev-parse", "HEAD")
    for branch, text in texts.items():
        repo.git("checkout", "-q", "-B", branch, start)
        repo.commit({path: text}, f"on {branch}")
    repo.git("checkout", "-q", "main")
    return repo
