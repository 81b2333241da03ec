"""From the tree of a file to its settings: the one place that knows which interpreter a path belongs to."""

from __future__ import annotations

from collections.abc import Iterator

from agentgate_git.model.config_node import ConfigNode
from agentgate_git.model.config_paths import (
    CODE,
    IMAGE,
    INI,
    JSON,
    LINES,
    MAKE,
    SHELL,
    TOML,
    XML,
    YAML,
    config_format,
    is_compose,
)
from agentgate_git.model.facts import Setting
from agentgate_git.source.settings.build_files import (
    package_settings,
    script_settings,
    tox_settings,
)
from agentgate_git.source.settings.build_tools import (
    cargo_settings,
    cmake_settings,
    elixir_settings,
    gradle_settings,
    rspec_settings,
    ruby_settings,
    xml_settings,
)
from agentgate_git.source.settings.checker_files import (
    analyzer_settings,
    golangci_settings,
    phpstan_settings,
    psalm_settings,
    rubocop_settings,
)
from agentgate_git.source.settings.compile_options import cmake_options
from agentgate_git.source.settings.compose_files import compose_settings
from agentgate_git.source.settings.hook_managers import codecov_settings, lefthook_settings, pre_commit_settings
from agentgate_git.source.settings.image_files import image_settings
from agentgate_git.source.settings.javascript import (
    eslint_settings,
    ignored_by_eslint,
    js_settings,
    npmrc_settings,
    package_sections,
    tsconfig_settings,
)
from agentgate_git.source.settings.jenkins import jenkins_settings
from agentgate_git.source.settings.make_files import make_settings
from agentgate_git.source.settings.maven_files import maven_settings
from agentgate_git.source.settings.modules import cargo_modules, go_modules, gradle_modules
from agentgate_git.source.settings.pipelines import pipeline_settings
from agentgate_git.source.settings.python_config import ini_settings, lint_settings, pyproject_settings
from agentgate_git.source.settings.runner_files import (
    bazel_settings,
    bazelrc_settings,
    cargo_config_settings,
    dart_settings,
    mix_settings,
    nextest_settings,
    sbt_settings,
    suite_settings,
    swift_settings,
    tarpaulin_settings,
)
from agentgate_git.source.settings.test_plans import plan_settings, scheme_settings


def settings_of(path: str, tree: ConfigNode) -> Iterator[Setting]:
    """The settings of a file that `config_format` knows, in its order."""
    kind = config_format(path)
    name = path.lower().rpartition("/")[2]
    reader = _READERS.get(kind)
    return reader(name, path, tree) if reader is not None else iter(())


def _yaml(name: str, path: str, tree: ConfigNode) -> Iterator[Setting]:
    if name.startswith((".pre-commit-config", ".pre-commit-hooks")):
        yield from pre_commit_settings(tree)
    elif "lefthook" in name:
        yield from lefthook_settings(tree)
    elif "codecov" in name:
        yield from codecov_settings(tree)
    elif name.startswith(".") and "rc." in name:
        yield from js_settings(name[1:].partition("rc")[0], tree)
    elif is_compose(name):
        yield from compose_settings(tree)
    elif name.startswith("dart_test"):
        yield from dart_settings(tree)
    elif name.startswith(".golangci"):
        yield from golangci_settings(tree)
    elif name == ".rubocop.yml":
        yield from rubocop_settings(tree)
    elif name == "analysis_options.yaml":
        yield from analyzer_settings(tree)
    elif name.startswith("entropy"):
        return
    else:
        yield from pipeline_settings(path, tree)


def _toml(name: str, _: str, tree: ConfigNode) -> Iterator[Setting]:
    if name == "cargo.toml":
        yield from cargo_settings(tree)
        yield from cargo_modules(tree)
    elif name == "nextest.toml":
        yield from nextest_settings(tree)
    elif "tarpaulin" in name:
        yield from tarpaulin_settings(tree)
    elif name.startswith("config"):
        yield from cargo_config_settings(tree)
    elif name == "tox.toml":
        yield from tox_settings(tree)
    elif name.startswith("lefthook"):
        yield from lefthook_settings(tree)
    else:
        yield from pyproject_settings(name, tree)
        yield from tox_settings(tree.get("tool", "tox"))


def _ini(name: str, _: str, tree: ConfigNode) -> Iterator[Setting]:
    if name == ".npmrc":
        yield from npmrc_settings(tree)
        return
    yield from ini_settings(name, tree)
    yield from tox_settings(tree)


def _json(name: str, _: str, tree: ConfigNode) -> Iterator[Setting]:
    if name.endswith(".xctestplan"):
        yield from plan_settings(tree)
    elif name in ("package.json", "composer.json", "deno.json", "deno.jsonc"):
        yield from package_settings(tree)
        yield from package_sections(tree)
    elif name == "tsconfig.json":
        yield from tsconfig_settings(tree)
    elif "eslint" in name:
        yield from eslint_settings(tree)
    elif name.startswith("lefthook"):
        yield from lefthook_settings(tree)
    elif name.startswith("pyright"):
        yield from lint_settings("pyright", tree)
    else:
        yield from js_settings(name.lstrip(".").partition("rc")[0].partition(".")[0], tree)


def _code(name: str, _: str, tree: ConfigNode) -> Iterator[Setting]:
    if "jenkinsfile" in name or name.endswith(".groovy"):
        yield from jenkins_settings(tree)
    elif name.endswith((".gradle", ".kts")):
        yield from gradle_settings(tree)
        yield from gradle_modules(tree) if name.startswith("settings.") else ()
    elif name.endswith((".txt", ".cmake")):
        yield from cmake_settings(tree)
        yield from cmake_options(tree)
    elif name == "package.swift":
        yield from swift_settings(tree)
    elif name in ("build", "build.bazel"):
        yield from bazel_settings(tree)
    elif name == "mix.exs":
        yield from mix_settings(tree)
    elif name.endswith(".exs"):
        yield from elixir_settings(tree)
    elif name.endswith((".rb", "rakefile", ".simplecov")):
        yield from ruby_settings(tree)
    elif "eslint" in name:
        yield from eslint_settings(tree)
    else:
        yield from js_settings(name.lstrip(".").partition(".")[0].partition("rc")[0], tree)


def _xml(name: str, _: str, tree: ConfigNode) -> Iterator[Setting]:
    if name == "pom.xml":
        yield from maven_settings(tree)
    elif name.endswith(".xcscheme"):
        yield from scheme_settings(tree)
    elif name.startswith("psalm"):
        yield from psalm_settings(tree)
    elif name.startswith("testng"):
        yield from suite_settings(tree)
    else:
        yield from xml_settings(name, tree)


def _make(_: str, __: str, tree: ConfigNode) -> Iterator[Setting]:
    return make_settings(tree)


def _image(_: str, __: str, tree: ConfigNode) -> Iterator[Setting]:
    return image_settings(tree)


def _shell(_: str, path: str, tree: ConfigNode) -> Iterator[Setting]:
    return script_settings(path, tree)


def _lines(name: str, _: str, tree: ConfigNode) -> Iterator[Setting]:
    if name.startswith("phpstan"):
        return phpstan_settings(tree)
    reader = _BY_NAME.get(name)
    return reader(tree) if reader is not None else iter(())


_BY_NAME = {
    ".rspec": rspec_settings,
    ".bazelrc": bazelrc_settings,
    "build.sbt": sbt_settings,
    "go.work": go_modules,
    ".eslintignore": ignored_by_eslint,
}
_READERS = {
    YAML: _yaml,
    TOML: _toml,
    INI: _ini,
    JSON: _json,
    CODE: _code,
    XML: _xml,
    MAKE: _make,
    SHELL: _shell,
    IMAGE: _image,
    LINES: _lines,
}
