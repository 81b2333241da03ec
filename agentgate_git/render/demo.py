"""The demo for a person at a terminal."""

from __future__ import annotations

from agentgate_git.model.demo import DemoStep
from agentgate_git.render.printable import printable


def demo_head_text(directory: str) -> str:
    """What comes before the first step."""
    return f"A small project in a repository of its own, {printable(directory)}; every answer is a real one.\n\n"


def demo_step_text(number: int, step: DemoStep) -> str:
    """One step as it ends."""
    lines = [f"{number}. {step.story}", f"   $ {step.command}", f"   {_answer(step)}"]
    lines += [f"   {printable(step.why)}"] if step.why else []
    lines += [] if step.is_as_told() else [f"   THIS IS NOT AS TOLD: expected {step.told}; please report it"]
    return "\n".join(lines) + "\n\n"


def demo_summary_text(steps: tuple[DemoStep, ...]) -> str:
    """What was allowed, what was refused, and why."""
    allowed = [step for step in steps if step.is_allowed()]
    refused = [step for step in steps if not step.is_allowed()]
    lines = ["Allowed:", *(f"  {step.story}" for step in allowed), "Refused:"]
    for step in refused:
        lines += [f"  {step.story}", f"    {step.code}: {printable(step.why)}"]
    lines.append("`git agentgate help CODE` explains a code.")
    return "\n".join(lines) + "\n"


def _answer(step: DemoStep) -> str:
    word = "allowed" if step.is_allowed() else "refused"
    verdict = f" {step.verdict}" if step.verdict else ""
    return f"{word}: {step.code}{verdict} (exit {step.exit_status})"
