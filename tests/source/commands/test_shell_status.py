"""Whether a failure of one command fails the whole text of shell, what counts first."""

from __future__ import annotations

import pytest

from agentgate_git.source.commands.shell_status import ShellKind, ran_commands

LOOSE, STRICT, PIPEFAIL = ShellKind(), ShellKind(True, False), ShellKind(True, True)

COUNTS: dict[str, tuple[ShellKind, str]] = {
    "alone": (LOOSE, "t"),
    "last": (LOOSE, "echo a\nt"),
    "before others under -e": (STRICT, "t\necho done"),
    "after set -e": (LOOSE, "set -eu\nt\necho done"),
    "with -e in the first line": (LOOSE, "#!/bin/sh -e\nt\necho done"),
    "before &&": (STRICT, "t && echo ok"),
    "its alternative fails": (STRICT, "t || exit 1"),
    "its alternative shows and fails": (STRICT, "t || { cat log; exit 1; }"),
    "its alternative passes it on": (STRICT, "t || exit"),
    "its alternative is not known": (STRICT, "t || die 'no'"),
    "its failure is kept and given": (STRICT, "failed=0\nt || failed=1\nexit $failed"),
    "its status is kept and given": (STRICT, "set +e\nt\nrc=$?\nset -e\nexit $rc"),
    "a condition that fails": (STRICT, "if ! t; then\n  exit 1\nfi"),
    "a condition whose other branch fails": (STRICT, "if t; then echo ok; else exit 2; fi"),
    "piped under pipefail": (PIPEFAIL, "t | tee log"),
    "piped after set -o pipefail": (STRICT, "set -euo pipefail\nt | tee log"),
    "last of a pipe": (STRICT, "yes | t"),
    "waited for": (STRICT, "t &\nwait $!"),
    "in a group": (STRICT, "(cd x && t)"),
    "in a function": (STRICT, "run() {\n  t\n}\nrun"),
    "in a loop": (STRICT, "for x in a b; do t $x; done"),
    "in a case": (STRICT, 'case "$1" in\n  a) t ;;\n  *) echo no ;;\nesac'),
    "its alternative leaves a loop that others follow": (LOOSE, "for x in a b; do t $x || exit 1; done; echo done"),
    "its alternative shows and leaves, and others follow": (LOOSE, "t || { cat log; exit 1; }\necho done"),
    "a branch of a loop leaves, and others follow": (LOOSE, "for x in a; do if ! t; then exit 1; fi; done\necho done"),
    "a branch says that all is well, and the end asks": (
        STRICT,
        "code=1\nfor i in 1 2; do\n  if t; then code=0; break; fi\n  echo again\ndone\ntail log\nexit $code",
    ),
    "a loop left early has a bad end": (LOOSE, "for i in 1 2 3; do\n  if t; then exit 0; fi\ndone\nexit 1"),
    "a bad end after what leaves well": (LOOSE, "t && exit 0\necho no\nexit 1"),
    "a trap that cleans up": (STRICT, "trap 'rm -rf x' EXIT\nt"),
    "a count that is asked for": (LOOSE, "n=0\nfor x in a; do t || n=$((n + 1)); done\necho $n\n[ $n -eq 0 ]"),
    "a count that a branch asks for": (STRICT, "if t; then echo; else n=1; fi\nif [ $n -gt 0 ]; then exit 1; fi"),
    "a count that arithmetic gives": (STRICT, "if t; then echo; else ((n++)); fi\nexit $((n > 0))"),
    "a count that another script knows": (STRICT, ". ./lib.sh\nif t; then echo; else n=1; fi"),
    "tried again and given up badly": (STRICT, "until t; do\n  n=$((n + 1))\n  [ $n -lt 3 ] || exit 1\ndone"),
    "tried again and asked for": (STRICT, "for i in 1 2; do t && ok=1 && break; sleep 1; done\n[ $ok = 1 ]"),
    "after a document that mentions it": (STRICT, "cat <<EOF\nt || true\nEOF\nt"),
}
IGNORED: dict[str, tuple[ShellKind, str]] = {
    "|| true": (STRICT, "t || true"),
    "|| :": (STRICT, "t || :"),
    "|| echo": (STRICT, "t || echo 'it failed'"),
    "|| exit 0": (STRICT, "t || exit 0"),
    "|| a group": (STRICT, "t || { echo no; true; }"),
    "&& and || true": (STRICT, "a && t || true"),
    "a group || true": (STRICT, "(cd x; t) || true"),
    "a count that is told": (STRICT, "if t; then echo; else n=1; fi\necho $n failed"),
    "a count that a branch tells": (STRICT, "if t; then echo; else n=1; fi\nif [ $n -gt 0 ]; then echo bad; fi"),
    "left by break": (STRICT, "until t; do\n  n=$((n + 1))\n  if [ $n -ge 3 ]; then break; fi\ndone"),
    "tried again before a pause": (STRICT, "for i in 1 2; do\n  t && break\n  sleep 1\ndone"),
    "; true": (LOOSE, "t; true"),
    "something after it": (LOOSE, "t\necho done"),
    "set +e": (STRICT, "set +e\nt\nset -e\necho done"),
    "its failure is kept and dropped": (STRICT, "t || failed=1"),
    "! before it": (STRICT, "! t"),
    "piped": (STRICT, "t | tee log"),
    "piped in two steps": (STRICT, "t 2>&1 | grep -v x | tee log"),
    "in the background": (STRICT, "t &\necho done"),
    "a trap that ends well": (STRICT, "trap 'exit 0' EXIT\nt"),
    "a condition without a branch that fails": (STRICT, "if ! t; then :; fi"),
    "a condition that only talks": (STRICT, "if t; then echo ok; else echo no; fi"),
    "a loop that others follow": (LOOSE, "for x in a b; do t $x; done; echo done"),
    "a loop that tries again and ends well": (
        STRICT,
        "for i in 1 2; do\n  if t; then break; fi\n  echo again\ndone\ntail log",
    ),
    "a branch keeps what nothing else says": (STRICT, "code=0\nif t; then code=0; fi\nexit $code"),
    "its alternative leaves parentheses only": (LOOSE, "(t || exit 1; echo a)\necho done"),
    "its alternative leaves well": (LOOSE, "t || exit 0\necho done"),
    "a loop that ignores": (STRICT, "for x in a b; do t $x || true; done"),
}
OFF: dict[str, tuple[ShellKind, str]] = {
    "exit 0 before it": (STRICT, "echo skipped\nexit 0\nt"),
    "if false": (STRICT, "if false; then\n  t\nfi"),
    "false &&": (STRICT, "false && t"),
    "true ||": (STRICT, "true || t"),
}


def of_t(kind: ShellKind, text: str) -> tuple[bool, bool]:
    found = [one for one in ran_commands(text, kind) if one.words[:1] == ("t",)]
    assert 1 == len(found)
    return bool(found[0].ignored), bool(found[0].off)


@pytest.mark.parametrize(("kind", "text"), COUNTS.values(), ids=COUNTS)
def test_a_failure_that_counts(kind: ShellKind, text: str) -> None:
    assert (False, False) == of_t(kind, text)


@pytest.mark.parametrize(("kind", "text"), IGNORED.values(), ids=IGNORED)
def test_a_failure_that_is_ignored(kind: ShellKind, text: str) -> None:
    assert (True, False) == of_t(kind, text)


@pytest.mark.parametrize(("kind", "text"), OFF.values(), ids=OFF)
def test_a_command_that_never_runs(kind: ShellKind, text: str) -> None:
    assert (False, True) == of_t(kind, text)


def test_a_second_try_is_told_from_a_failure_that_is_ignored() -> None:
    first, _ = ran_commands("t || t --last-failed", STRICT)
    assert ("", "`|| t --last-failed`") == (first.ignored, first.retried)


def test_words_lose_their_quotes_and_lines_are_counted() -> None:
    text = "A=1 t -k 'not x' \"a b\" $(echo ')') \\\n  last > out 2>&1 # no\nu\n"
    first, second = ran_commands(text, STRICT)
    assert ("t", "-k", "not x", "a b", "$(echo ')')", "last") == first.words
    assert (("A=1",), 1) == (first.assigned, first.line)
    assert (("u",), 3) == (second.words, second.line)


PASSED = {
    "all": ("for t in tests/t_*.sh; do sh $t; done", "tests/t_*.sh", ""),
    "those of names": ("for n in a b; do ./tests/t_$n.sh; done", "tests/t_a.sh", ""),
    "by a function": ("go() { sh $1; }\nfor t in tests/t_*.sh; do go $t; done", "tests/t_*.sh", ""),
    "what is there": ("for t in tests/t_*.sh; do [ -e $t ] || continue; sh $t; done", "tests/t_*.sh", ""),
    "no case": ("for t in tests/t_*.sh; do case $t in *slow*) continue ;; esac; sh $t; done", "tests/t_*.sh", "*slow*"),
    "no name": (
        "for t in tests/t_*.sh; do [ $t = tests/t_a.sh ] && continue; sh $t; done",
        "tests/t_*.sh",
        "tests/t_a.sh",
    ),
}


@pytest.mark.parametrize(("text", "first", "passed"), PASSED.values(), ids=PASSED)
def test_a_loop_starts_scripts(text: str, first: str, passed: str) -> None:
    found = next(one for one in ran_commands(text, STRICT) if one.each)
    assert (first, passed) == (found.each[0], found.passed)
