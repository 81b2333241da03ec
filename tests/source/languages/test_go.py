"""Go: what runs, what is switched off, and what is checked."""

from __future__ import annotations

import pytest

from testing.facts import assertions, states

PATH = "calc_test.go"
STATES = {
    "runs": {
        "plain": "package app\nfunc TestA(t *testing.T) { if f() != 3 { t.Fatal() } }",
        "the word in a comment": (
            'package app\n// t.Skip()\nfunc TestA(t *testing.T) { if f() != 3 { t.Fatal("t.Skip") } }'
        ),
        "only under -short": (
            'package app\nfunc TestA(t *testing.T) { if testing.Short() { t.Skip("slow") }; if f() != 3 { t.Fatal() } }'
        ),
        "on another system": (
            'package app\nfunc TestA(t *testing.T) { if runtime.GOOS == "windows" { t.Skip() }; if f() != 3 {'
            " t.Fatal() } }"
        ),
        "a tag that holds": (
            "//go:build linux && go1.18\n\npackage app\nfunc TestA(t *testing.T) { if f() != 3 { t.Fatal() } }"
        ),
        "ginkgo": (
            'package app\nimport "ginkgo"\n'
            'var _ = Describe("s", func() { It("a", func() { Expect(f()).To(Equal(3)) }) })'
        ),
        "a return behind a helper that checks": (
            "package app\nfunc check(t *testing.T, a int) { if a != 3 { t.Error(a) } }\n"
            'func TestA(t *testing.T) { check(t, f()); if exec.Command("x").Run() != nil { return }; g() }'
        ),
        "a suite": "package app\nfunc (s *Suite) TestA() { s.Equal(3, f()) }",
    },
    "skipped": {
        "a helper that skips": (
            "package app\nfunc no(t *testing.T) { t.Skip() }\n"
            "func TestA(t *testing.T) { no(t); if f() != 3 { t.Fatal() } }"
        ),
        "t.Skip": 'package app\nfunc TestA(t *testing.T) { t.Skip("later"); if f() != 3 { t.Fatal() } }',
        "another name": "package app\nfunc TestA(tt *testing.T) { tt.SkipNow(); if f() != 3 { tt.Fatal() } }",
        "always": 'package app\nfunc TestA(t *testing.T) { if true { t.Skipf("x") }; if f() != 3 { t.Fatal() } }',
        "return": "package app\nfunc TestA(t *testing.T) { return; if f() != 3 { t.Fatal() } }",
        "ginkgo, pending": (
            'package app\nimport "ginkgo"\n'
            'var _ = Describe("s", func() { It("a", Pending, func() { Expect(f()).To(Equal(3)) }) })'
        ),
        "ginkgo, with a letter": (
            'package app\nimport "ginkgo"\n'
            'var _ = Describe("s", func() { PIt("a", func() { Expect(f()).To(Equal(3)) }) })'
        ),
        "by the result": (
            "package app\nfunc TestA(t *testing.T) { if f(1) != 3 { t.Skip() }; assert.Equal(t, 3, f(1)) }"
        ),
    },
    "conditional": {
        "environment": (
            'package app\nfunc TestA(t *testing.T) { if os.Getenv("DB") == "" { t.Skip() }; if f() != 3 { t.Fatal() } }'
        ),
        "a build tag": (
            "//go:build integration\n\npackage app\nfunc TestA(t *testing.T) { if f() != 3 { t.Fatal() } }"
        ),
    },
    "not-collected": {
        "a name": "package app\nfunc testA(t *testing.T) { if f() != 3 { t.Fatal() } }",
        "a small letter after Test": "package app\nfunc Testa(t *testing.T) { if f() != 3 { t.Fatal() } }",
        "ignored by a tag": (
            "//go:build ignore\n\npackage app\nfunc TestA(t *testing.T) { if f() != 3 { t.Fatal() } }"
        ),
    },
}
TABLE = [(state, name, text) for state, rows in STATES.items() for name, text in rows.items()]
SHAPE = "package app\nfunc TestA(t *testing.T) {{ {} }}"
CHECKS = {
    'if f() != 3 { t.Errorf("x") }': ("f()", "==", "3", "exact"),
    "if err != nil { t.Fatal(err) }": ("err", "==", "null", "exact"),
    "if f() == 3 { t.Error() }": ("f()", "!=", "3", "bound"),
    "if got := f(); got == nil { t.Error() }": ("got", "!=", "null", "present"),
    "if !reflect.DeepEqual(f(), x) { t.Fatal() }": ("f()", "==", "x", "exact"),
    "assert.Equal(t, 3, f())": ("f()", "==", "3", "exact"),
    "require.NoError(t, f())": ("f()", "==", "null", "exact"),
    "assert.NotNil(t, f())": ("f()", "NotNil", "", "present"),
    "assert.InDelta(t, 3.0, f(), 0.1)": ("f()", "is near", "3.0", "close"),
    "assert.InDelta(t, 3.0, f(), 0)": ("f()", "is near", "3.0", "close"),
    "if math.Abs(f() - 3) > 0.5 { t.Error() }": ("f()", "is near", "3", "close"),
    "assert.Error(t, f())": ("f()", "Error", "", "present"),
    "testutil.WantSum(t, f(), 3)": ("f(),3", "passes WantSum", "", "exact"),
    "Expect(f()).To(Or(Equal(3), Equal(4)))": ("f()", "Or", "Equal(3),Equal(4)", "sought"),
    "Expect(f()).To(Equal(3))": ("f()", "==", "3", "exact"),
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


def test_rows_of_a_table() -> None:
    text = """package app
func TestA(t *testing.T) {
	for _, c := range []struct{ in, out int }{{1, 2}, {3, 4}} { if f(c.in) != c.out { t.Error() } }
}"""
    (test,) = assertions(PATH, text, whole=True)
    assert ("{1,2}", "{3,4}") == test.rows


def test_an_example_runs_when_it_says_what_it_prints() -> None:
    text = "package app\nfunc ExampleA() {\n\tshow()\n\t// Output: 3\n}"
    assert {"ExampleA": "runs"} == states(PATH, text)
    assert {"ExampleA": "not-collected"} == states(PATH, text.replace("// Output: 3", ""))


def test_a_truth_that_is_compared_says_no_more_than_without() -> None:
    compared, bare = (assertions(PATH, SHAPE.format(f"if {text} {{ t.Error() }}"))[0] for text in ("ok != true", "!ok"))
    assert (compared.text, compared.strength) == (bare.text, bare.strength)


def test_a_function_that_fails_whenever_it_is_called_fails_its_caller() -> None:
    text = "package app\nfunc lost(t *testing.T, a int) { t.Errorf(g(a)) }\n"
    text += "func TestA(t *testing.T) { if f() != 3 { lost(t, 3) } }"
    assert "!(f()!=3)" == assertions(PATH, text)[0].text
