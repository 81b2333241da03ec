"""Ruby: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "spec/calc_spec.rb"
STATES = {
    "runs": {
        "plain": 'describe "s" do\n it "a" do\n expect(f).to eq(3)\n end\nend',
        "the word in a title": 'it "a skip, pending" do\n expect(f).to eq(3)\nend',
        "a name that starts so": 'it "a" do\n skipped = []\n expect(f).to eq(3)\nend',
        "other metadata": 'it "a", :slow, aggregate_failures: true do\n expect(f).to eq(3)\nend',
        "minitest": "class T < Minitest::Test\n def test_a\n assert_equal 3, f\n end\nend",
    },
    "skipped": {
        "skip": 'it "a" do\n skip "later"\n expect(f).to eq(3)\nend',
        "skip alone": 'it "a" do\n skip\n expect(f).to eq(3)\nend',
        "xit": 'xit "a" do\n expect(f).to eq(3)\nend',
        "metadata": 'it "a", skip: true do\n expect(f).to eq(3)\nend',
        "a symbol": 'it "a", :skip do\n expect(f).to eq(3)\nend',
        "of the group": 'describe "s", skip: "x" do\n it("a") { expect(f).to eq(3) }\nend',
        "before each": 'describe "s" do\n before { skip }\n it("a") { expect(f).to eq(3) }\nend',
        "behind a constant": 'it "a" do\n skip if true\n expect(f).to eq(3)\nend',
    },
    "expected-fail": {
        "pending": 'it "a" do\n pending "x"\n expect(f).to eq(3)\nend',
    },
    "conditional": {
        "skip if": 'it "a" do\n skip "x" if jruby\n expect(f).to eq(3)\nend',
        "skip unless": 'it "a" do\n skip unless ENV["DB"]\n expect(f).to eq(3)\nend',
    },
    "not-collected": {
        "no block": 'it "a"',
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = 'it "a" do\n {}\nend'
CHECKS = {
    "expect(f).to eq(3)": ("f", "==", "3", "exact"),
    "expect(f).not_to be_nil": ("f", "not be_nil", "", "present"),
    "expect(f).to be > 3": ("f", ">", "3", "bound"),
    "expect(f).to include(3)": ("f", "contains", "3", "sought"),
    "expect { f }.to raise_error(X)": ("f", "raise_error", "X", "sought"),
    "raise 'no' unless f == 3": ("f", "==", "3", "exact"),
    "assert_in_delta 3, f, 0.5": ("f", "is near", "3", "close"),
    "f.should eq 3": ("f", "==", "3", "exact"),
    "assert_equal 3, f": ("f", "==", "3", "exact"),
    "refute_nil f": ("f", "assert_not_nil", "", "present"),
}


@pytest.mark.parametrize(("state", "name", "text"), TABLE, ids=[f"{row[0]}: {row[1]}" for row in TABLE])
def test_states(state: str, name: str, text: str) -> None:
    found = {test.rpartition("::")[2].lower(): now for test, now in states(PATH, text).items()}
    assert state == next(
        now for test, now in found.items() if test.removeprefix("test").lstrip("_").startswith(("a", "checka"))
    )


@pytest.mark.parametrize(("text", "expected"), CHECKS.items(), ids=CHECKS)
def test_what_a_check_says(text: str, expected: tuple[str, str, str, str]) -> None:
    (check,) = assertions(PATH, SHAPE.format(text))
    assert expected == (check.subject, check.relation, check.expected, check.strength)
    assert "" == check.void


def test_rows_of_a_loop_and_of_shared_examples() -> None:
    text = (
        '{ 1 => 2, 3 => 4 }.each do |a, b|\n  it "x" do\n    expect(f(a)).to eq(b)\n  end\nend\nit_behaves_like "one"\n'
    )
    first, second = assertions(PATH, text, whole=True)
    assert ("1=>2", "3=>4") == first.rows
    assert ("behaves like one", "runs") == (second.name, second.state)
