"""Any configuration file as one neutral tree: the one place that knows which reader a format has."""

from __future__ import annotations

from agentgate_git.model.config_node import NOTHING, ConfigNode, TreeError, scalar
from agentgate_git.model.config_paths import CODE, IMAGE, INI, JSON, LINES, MAKE, SHELL, TOML, XML, YAML, config_format
from agentgate_git.wire.tree_code import read_code, read_json
from agentgate_git.wire.tree_lines import read_image, read_ini, read_lines, read_make, read_toml
from agentgate_git.wire.tree_xml import read_xml
from agentgate_git.wire.tree_yaml import read_yaml

# The largest configurations of large projects have some 100 KB.
MAX_BYTES = 1 << 18
# Commands are taken apart word by word; no pipeline and no script is near this size.
MAX_COMMAND_BYTES = 1 << 17
_OF_COMMANDS = frozenset((YAML, MAKE, SHELL, INI, CODE, IMAGE))
_HASH_COMMENTS = (".rb", ".exs", ".txt", ".cmake", "rakefile", ".simplecov", "build.bazel", "build")
_TEXT_READERS = {
    YAML: read_yaml,
    TOML: read_toml,
    INI: read_ini,
    MAKE: read_make,
    JSON: read_json,
    LINES: read_lines,
    IMAGE: read_image,
}


def read_tree(path: str, data: bytes) -> ConfigNode:
    """The tree of a file that `config_format` knows; TreeError says why there is none. A script is one scalar."""
    kind = config_format(path)
    if not kind:
        return NOTHING
    limit = MAX_COMMAND_BYTES if kind in _OF_COMMANDS else MAX_BYTES
    if len(data) > limit:
        raise TreeError(f"it has {len(data)} bytes; at most {limit} are read")
    if kind == XML:
        return read_xml(data)
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").replace("\r\n", "\n")
    if kind == SHELL:
        return scalar(text, 1)
    try:
        if kind == CODE:
            if path.lower().endswith((".txt", ".cmake")):
                text = text.replace("::", "__")  # CMake: one word, whose parts would be words elsewhere
            return read_code(text, path.lower().endswith(_HASH_COMMENTS))
        return _TEXT_READERS[kind](text) if kind in _TEXT_READERS else NOTHING
    except RecursionError:
        raise TreeError("it is nested too deeply") from None
