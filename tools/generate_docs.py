"""`generate_docs.py write|check`: the pages of docs/ that are made from the code, and checks of those that are not.

`write` makes docs/cli.md, docs/codes/README.md and docs/field-reports.md. `check` compares them with what would be
made, looks at every other page (docs_checks.py), prints each difference on a line, and ends with 1 when there is one.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml
from docs_checks import problems, sentence

from agentgate_git.cli.commands import VERBS, example_lines, load, top_parser, verb_parser
from agentgate_git.hook.stages import STAGES
from agentgate_git.model import exit_status
from agentgate_git.model.code import ALLOW, CODES
from agentgate_git.model.record import Record

ROOT = Path(__file__).resolve().parent.parent
HEADER = (
    "<!-- Made by tools/generate_docs.py; change what it is made from, then run `tools/generate_docs.py write`. -->"
)
EXIT_STATUSES = (
    (exit_status.EXIT_ALLOW, "ALLOW; nothing blocks; done"),
    (exit_status.EXIT_REJECTED, "rejected: a finding blocks, or the tests fail"),
    (exit_status.EXIT_USAGE, "the request, the policy or a manifest that must be obeyed is wrong"),
    (exit_status.EXIT_UNDECIDED, "undecided: we could not look; treat it as rejected"),
    (exit_status.EXIT_NO_EVIDENCE, "no evidence yet: capture, or sync and try again"),
    (exit_status.EXIT_STALE, "stale: there is evidence, about something else"),
    (exit_status.EXIT_HUNG_UP, "interrupted: the terminal was closed (SIGHUP)"),
    (exit_status.EXIT_INTERRUPTED, "interrupted from the keyboard"),
    (exit_status.EXIT_TERMINATED, "interrupted: called off (SIGTERM)"),
)
_NAMED_AFTER = re.compile(r"""(?:def |["'])((?:test_)?(?:[bx][0-9]{2}_)+[a-z0-9_]+)(?:\(|["'])""")
_REPORT = re.compile(r"(?<![a-z0-9])[bx][0-9]{2}(?=_)")
HOOK_ARGUMENTS = {"commit-msg": " FILE", "pre-push": " REMOTE URL"}


class Report(Record):
    """One row of docs/field-reports.yaml: `later` names the issue that answers it, or the part that is missing."""

    id: str
    area: str
    what: str
    later: str = ""


def main(argv: list[str]) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("action", choices=("write", "check"))
    action = parser.parse_args(argv).action
    if action == "write":
        for path, text in made_pages().items():
            (ROOT / path).write_text(text, encoding="utf-8")
        return 0
    found = [*outdated(), *unanswered(reports(), answers()), *problems(ROOT)]
    for line in found:
        print(line)
    return 1 if found else 0


def made_pages() -> dict[str, str]:
    """Each page that is made, by its path."""
    makers: dict[str, Callable[[], str]] = {
        "docs/cli.md": cli_page,
        "docs/codes/README.md": codes_page,
        "docs/field-reports.md": field_reports_page,
    }
    return {path: make() for path, make in makers.items()}


def outdated() -> Iterator[str]:
    """Pages that differ from what would be made."""
    for path, text in made_pages().items():
        page = ROOT / path
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            yield f"{path}: differs from the code; run `tools/generate_docs.py write`"


def codes_page() -> str:
    """The table of codes, and the exit statuses."""
    refusals = [row for row in CODES.values() if row.code != ALLOW]
    return page(
        "Codes and exit statuses",
        "A decision is ALLOW or exactly one code. A code is never renamed and keeps its meaning; a reader that does",
        "not know one treats it as a reject. Each page says why the code exists, with an example, what to do instead,",
        "and what looks like it and is fine.",
        "",
        "| code | what it says | next step |",
        "|---|---|---|",
        *(f"| [{row.code}]({row.code}.md) | {row.title} | {row.next_step} |" for row in refusals),
        "",
        "## Exit statuses",
        "",
        "The same in every output format.",
        "",
        "| status | meaning |",
        "|---|---|",
        *(f"| {status} | {meaning} |" for status, meaning in EXIT_STATUSES),
    )


def cli_page() -> str:
    """Every verb with its arguments."""
    top = top_parser()
    lines = [
        "`git agentgate VERB …` and `git-agentgate VERB …` are the same. Data goes to stdout, messages to stderr.",
        "The exit statuses are listed with the [codes](codes/README.md#exit-statuses). `git agentgate VERB -h` prints",
        "the help of one verb; `git agentgate --help` is taken by git itself, which looks for a manual page.",
        "",
        "Before the verb:",
        "",
        *described(action for action in top._actions if action.option_strings),
    ]
    for name in VERBS:
        verb = load(name)
        lines += ["", f"## {name}", "", *verb_lines(verb_parser(name, verb))]
        lines += ["", "```sh", *example_lines(verb), "```"]
    lines += ["", "## hook", "", "What git and pre-commit call; nobody else needs to.", ""]
    lines += [f"- `git agentgate hook {stage}{HOOK_ARGUMENTS.get(stage, '')}`" for stage in STAGES]
    return page("Command line", *lines)


def verb_lines(parser: argparse.ArgumentParser) -> Iterator[str]:
    """One parser and those below it: what it does, its usage, its arguments."""
    if parser.description:
        yield from (sentence(parser.description), "")
    yield f"    {parser.prog}{''.join(f' {written(action)}' for action in parser._actions if is_shown(action))}"
    shown = list(described(action for action in parser._actions if is_shown(action)))
    yield from ("", *shown) if shown else ()
    if prose := (parser.epilog or "").partition("examples:")[0].strip():
        yield from ("", prose)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from ("", f"### {parser.prog.removeprefix('git agentgate ')} {name}", "", *verb_lines(below))


def is_shown(action: argparse.Action) -> bool:
    """True for what a reader needs; `-h` and what is hidden on purpose are left out."""
    return action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction)


def described(actions: Iterable[argparse.Action]) -> Iterator[str]:
    """A list entry for each argument."""
    for action in actions:
        if is_shown(action) and not isinstance(action, argparse._SubParsersAction):
            names = ", ".join(action.option_strings) or name_of(action)
            yield f"- `{names}`{value_of(action)}: {action.help}.{choices_of(action)}"


def choices_of(action: argparse.Action) -> str:
    """The values that an argument takes, unless its help names them already."""
    choices = [str(choice) for choice in action.choices or ()]
    if not choices or all(choice in (action.help or "") for choice in choices):
        return ""
    return f" One of {', '.join(f'`{choice}`' for choice in choices)}."


def value_of(action: argparse.Action) -> str:
    """The value an option takes, as a reader writes it."""
    return f" `{name_of(action)}`" if action.option_strings and action.nargs != 0 else ""


def written(action: argparse.Action) -> str:
    """An argument as usage shows it."""
    if isinstance(action, argparse._SubParsersAction):
        return "{" + "|".join(action.choices) + "} …"
    if action.option_strings:
        text = action.option_strings[0] + (f" {name_of(action)}" if action.nargs != 0 else "")
        return text if action.required else f"[{text}]"
    name = name_of(action)
    more = f"[{name} …]"
    repeated: dict[Any, str] = {"?": f"[{name}]", "*": more, "+": f"{name} …", argparse.REMAINDER: more}
    return repeated.get(action.nargs, name)


def name_of(action: argparse.Action) -> str:
    """What stands for the value."""
    if isinstance(action.metavar, str):
        return action.metavar
    if action.choices and not action.option_strings:
        return action.dest.upper()
    return action.dest.upper().replace("-", "_")


def reports() -> tuple[Report, ...]:
    """The field reports, as docs/field-reports.yaml lists them."""
    rows = yaml.safe_load((ROOT / "docs/field-reports.yaml").read_text(encoding="utf-8"))
    return tuple(Report(**row) for row in rows)


def answers() -> dict[str, list[str]]:
    """The tests, and the rows of tables of tests, that are named after each report, as `path::name`."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for name in dict.fromkeys(_NAMED_AFTER.findall(path.read_text(encoding="utf-8"))):
            for word in _REPORT.findall(name):
                found.setdefault(word.upper(), []).append(f"{path.relative_to(ROOT)}::{name}")
    return found


def unanswered(rows: Iterable[Report], tests: dict[str, list[str]]) -> Iterator[str]:
    """Reports that nothing answers, and answers to reports that do not exist."""
    known = set()
    for row in rows:
        if row.id in known:
            yield f"docs/field-reports.yaml: {row.id} stands twice"
        known.add(row.id)
        if row.id not in tests and not row.later:
            yield f"docs/field-reports.yaml: {row.id} has neither a test named after it nor a later issue"
    yield from (f"{test}: {name} is no field report" for name in tests if name not in known for test in tests[name])


def field_reports_page() -> str:
    """Which test answers each report, or which later issue will."""
    tests = answers()
    rows = []
    for row in reports():
        links = [f"[`{test.partition('::')[2]}`](../{test.partition('::')[0]})" for test in tests.get(row.id, ())]
        if row.later:
            links.append(f"later: {row.later}")
        rows.append(f"| {row.id} | {row.area} | {row.what} | {'<br>'.join(links)} |")
    return page(
        "Field reports",
        "Situations from public bug reports in which a tool like this one fails. Each has a test that is named after",
        "it, or a line that says which later issue answers it; `later` beside a test names the part still missing.",
        "",
        "| id | area | situation | answered by |",
        "|---|---|---|---|",
        *rows,
    )


def page(title: str, *lines: str) -> str:
    """A whole page."""
    return "\n".join((HEADER, "", f"# {title}", "", *lines)) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
