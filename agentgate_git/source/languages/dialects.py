"""The table of languages: one dialect each."""

from __future__ import annotations

from agentgate_git.source import test_names
from agentgate_git.source.languages.cpp import Cpp
from agentgate_git.source.languages.csharp import CSharp
from agentgate_git.source.languages.dart import Dart
from agentgate_git.source.languages.dialect import Dialect
from agentgate_git.source.languages.elixir import Elixir
from agentgate_git.source.languages.go import Go
from agentgate_git.source.languages.java import Java
from agentgate_git.source.languages.javascript import JavaScript
from agentgate_git.source.languages.kotlin import Kotlin
from agentgate_git.source.languages.php import Php
from agentgate_git.source.languages.ruby import Ruby
from agentgate_git.source.languages.rust import Rust
from agentgate_git.source.languages.scala import Scala
from agentgate_git.source.languages.shell import Shell
from agentgate_git.source.languages.swift import Swift

DIALECTS: dict[str, Dialect] = {
    test_names.JAVASCRIPT: JavaScript(),
    test_names.CSHARP: CSharp(),
    test_names.GO: Go(),
    test_names.JAVA: Java(),
    test_names.PHP: Php(),
    test_names.CPP: Cpp(),
    test_names.DART: Dart(),
    test_names.ELIXIR: Elixir(),
    test_names.SHELL: Shell(),
    test_names.SWIFT: Swift(),
    test_names.KOTLIN: Kotlin(),
    test_names.RUBY: Ruby(),
    test_names.SCALA: Scala(),
    test_names.RUST: Rust(),
}
