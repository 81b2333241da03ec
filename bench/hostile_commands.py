"""Commands, tasks, hooks, names and data that are made to be slow to read."""

from __future__ import annotations

from collections.abc import Iterator

CI = ".github/workflows/ci.yml"
JOB = "jobs:\n  t:\n    steps:\n"
_CI = CI

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bench.hostile_readers import Row


def command_shapes() -> Iterator[Row]:
    """Every such shape."""
    yield from _commands()
    yield from _tasks()
    yield from _hooks()
    yield from _long_names()
    yield from _compared()
    yield from _data()


def _commands() -> Iterator[Row]:
    path = "ci/test.sh"
    chain = "".join(f'f{n}() {{ f{n + 1} "$@" "$@"; }}\n' for n in range(40))
    yield "arguments handed on twice", path, f'{chain}f40() {{ pytest "$@"; }}\n', "", "", "f0 a\n", ""
    yield (
        "functions called with much",
        path,
        'f() { pytest "$@" "$@"; }\n',
        "",
        "",
        "f a b c d e f g h i j k l m n\n",
        "",
    )
    yield "one function of many commands", path, "f() {\n", "pytest -k a%d\n", "}\n", "f\n", ""
    yield "guards", path, "", "", "", 'if [ -z "$A%d" ]; then exit 0; fi\npytest\n', ""
    yield "guards in one line", path, "", "", "", '[ "$A%d" = b ] && pytest\n', ""
    yield "ends well before", path, "", "", "", '[ -n "$A" ] || exit 0\npytest -k a%d\n', ""
    yield "statuses that are kept", path, "", "", "", "pytest || s%d=1\n", "exit $s0\n"
    yield "statuses of many commands", path, "", "", "", "if pytest; then s%d=0; else s%d=1; fi\n", "exit $s0\n"
    yield "here-documents of many names", path, "", "", "", "cat <<E%d\nE%d\n", ""
    yield "here-documents in one line", path, "cat", " <<E%d", "\n", "E%d\n", ""
    yield "loops", path, "", "", "", "for a in b; do pytest; done\n", ""
    yield "cases", path, "case a in\n", "", "", "a%d) pytest;;\n", "esac\n"
    yield "cases without end", path, "", "", "", "case a in b) ", ""
    yield "functions without end", path, "", "", "", "f() { ", ""
    yield "loops without end", path, "", "", "", "for a ", ""
    yield "cases that nothing opens", path, "", "", "", ") ", ""
    yield "code of Python", path, "", "", "", 'python -c \'import subprocess; subprocess.run(["pytest", "a%d"])\'\n', ""
    yield (
        "one long code of Python",
        path,
        "python -c '\nimport subprocess\n",
        "",
        "",
        'subprocess.run(["pytest", "a%d"])\n',
        "'\n",
    )
    yield "shells in shells", path, "", "", "", "sh -c \"sh -c 'pytest -k a%d'\"\n", ""
    yield "shells of many commands", path, "sh -c '", "", "", "pytest -k a%d;", "'\n"
    yield "wrappers", path, "", "", "", "env " * 7 + "timeout 1 pytest -k a%d\n", ""
    yield "one long line of wrappers", path, "", "", "", "env ", "pytest\n"
    yield "commits", path, "", "", "", "git commit --no-verify -m a%d\n", ""
    yield "many options", path, "pytest", "", "", " --deselect a%d", "\n"
    yield "filtered words", path, "pytest $(ls", "", "", " | grep -v a%d", ")\n"
    yield "variables of make", path, "make test", "", "", " A%d=true", "\n"
    yield "options for make", path, "make test ARGS='", "", "", " -k a%d", "'\n"
    yield "folders", path, "", "", "", "cd a%d\npytest\n", ""
    yield "quotes in words", path, "pytest ", "", "", "a'b'\"c\"\\d", "\n"
    yield "variables in words", path, "pytest ", "", "", "${a}$b`c`", "\n"


def _tasks() -> Iterator[Row]:
    path = "pyproject.toml"
    yield "tasks of poe", path, "[tool.poe.tasks]\n", "", "", "t%d = 'pytest -k a%d'\n", ""
    yield "tasks of tasks", path, "[tool.poe.tasks]\nc = 'pytest'\nb = [", "'c', ", "]\na = [", "'b', ", "]\n"
    yield (
        *("scripts of hatch", path, "[tool.hatch.envs.default.scripts]\nd = 'pytest'\nc = [", "'d', ", "]\n"),
        *("a%d = ['c', 'c']\n", ""),
    )
    yield (
        "variables of hatch",
        path,
        "[tool.hatch.envs.default.env-vars]\n",
        "A%d = 'b'\n",
        "[tool.hatch.envs.default.scripts]\n",
        "t%d = 'pytest'\n",
        "",
    )
    yield "variables of poe", path, "[tool.poe.env]\n", "A%d = 'b'\n", "[tool.poe.tasks]\n", "t%d = 'pytest'\n", ""
    yield (
        "modules of overrides",
        path,
        "[[tool.mypy.overrides]]\nmodule = [",
        "'a%d', ",
        "]\ndisable_error_code = [",
        "'e%d', ",
        "]\n",
    )
    yield "one long pattern", path, "[tool.ruff.lint.per-file-ignores]\n'", "a", "' = [", "'E%d', ", "]\n"
    yield "plug-ins of pytest", path, "[project.entry-points.pytest11]\n", "", "", "a%d = 'b'\n", ""
    yield "environments of tox", "tox.ini", "[tox]\nenvlist = ", "", "", "py{38,39}-a%d,", "\n"
    yield "open braces of tox", "tox.ini", "[tox]\nenvlist = ", "", "", "{a,", "\n"
    yield "open braces of tox with spaces", "tox.ini", "[tox]\nenvlist = ", "", "", "{a , ", "\n"
    yield "references of tox", "tox.ini", "", "[s%d]\nk = pytest\n", "[testenv]\ncommands =\n", "    {[s%d]k}\n", ""
    yield (
        "references to many commands",
        "tox.ini",
        "[s]\nk =\n",
        "    pytest\n",
        "[testenv]\ncommands =\n",
        "    {[s]k}\n",
        "",
    )
    yield (
        "variables of tox",
        "tox.ini",
        "[testenv]\nsetenv =\n",
        "    A%d = b\n",
        "commands =\n",
        "    pytest -k a%d\n",
        "",
    )
    yield (
        "options in a variable of tox",
        "tox.ini",
        "[testenv]\nsetenv =\n    PYTEST_ADDOPTS = ",
        "-k a%d ",
        "\ncommands =\n",
        "    pytest\n",
        "",
    )
    yield "open words of tox", "tox.ini", "[testenv]\ncommands = ", "", "", "{posargs:", "\n"
    yield "nested words of tox", "tox.ini", "[testenv]\ncommands = {posargs:", "", "", "{a}", "\n"
    yield "open variables of tox", "tox.ini", "[testenv]\ncommands = ", "", "", "{env:A:", "\n"
    yield "factors of tox", "tox.ini", "[testenv]\nsetenv =\n", "", "", "    a,b,c-%d: A = b\n", ""
    yield "a long factor of tox", "tox.ini", "[testenv]\nsetenv = ", "", "", "a,", "\n"
    yield "one long key", "tox.ini", "", "", "", "a ", "\n"
    yield "one long comment", "tox.ini", "[a]\nb = c", "", "", " # a", "\n"
    yield "one long space", "tox.ini", "[a]\nb = c", "", "", " ", "d\n"
    yield "filters of flake8", "setup.cfg", "[flake8]\nper-file-ignores =\n", "", "", "    a%d.py: E1,E2\n", ""
    yield "tables of pylint", "pyproject.toml", "", "", "", "[tool.pylint.s%d]\ndisable = ['a', 'b']\n", ""
    task = "from invoke import task\n"
    yield "tasks of invoke", "tasks.py", task, "", "", "@task\ndef t%d(c):\n    c.run('pytest -k a', warn=True)\n", ""
    yield (
        "names of commands",
        "tasks.py",
        f"{task}@task\ndef t(c):\n    a0 = ['pytest']\n",
        "",
        "",
        "    a%d = a0 + a0 + a0\n    c.run(a%d)\n",
        "",
    )
    yield (
        "long names of commands",
        "tasks.py",
        f"{task}@task\ndef t(c):\n    a = [",
        "'b', ",
        "]\n",
        "    c.run(a)\n",
        "",
    )
    yield (
        "caught failures",
        "tasks.py",
        f"{task}@task\ndef t(c):\n",
        "",
        "",
        "    try:\n        c.run('pytest')\n    except E:\n        print(%d)\n",
        "",
    )
    tries = "".join(" " * n + "try:\n" for n in range(1, 19)) + " " * 19 + "c.run('pytest')\n"
    yield (
        "nested tries",
        "tasks.py",
        f"{task}",
        "",
        "",
        f"def t%d(c):\n{tries}" + "".join(" " * n + "except E: pass\n" for n in range(18, 0, -1)),
        "",
    )
    yield (
        "skipped sessions",
        "noxfile.py",
        "import nox\n",
        "",
        "",
        "@nox.session\ndef t%d(s):\n    s.run('pytest')\n    s.skip()\n",
        "",
    )
    yield "variables of a run", "noxfile.py", "def t(s):\n    s.run('pytest', env={", "", "", "'A%d': 'b', ", "})\n"


def _hooks() -> Iterator[Row]:
    path = ".pre-commit-config.yaml"
    yield (
        "stages and hooks",
        path,
        "default_stages:\n",
        "- a%d\n",
        "repos:\n- repo: local\n  hooks:\n",
        "  - {id: a%d, entry: pytest}\n",
        "",
    )
    yield "many repositories", path, "repos:\n", "", "", "- {repo: a%d, hooks: [{id: ruff, exclude: a}]}\n", ""
    yield (
        "arguments of a hook",
        path,
        "repos:\n- repo: local\n  hooks:\n  - id: a\n    args:\n",
        "",
        "",
        "    - --no-fail%d\n",
        "",
    )
    yield "one long entry", path, "repos:\n- repo: local\n  hooks:\n  - id: a\n    entry: ", "", "", "pytest; ", "\n"
    yield "one long name", path, "repos:\n- repo: a\n  hooks:\n  - id: ", "", "", "test-", "\n"
    yield (
        "commands of lefthook",
        "lefthook.yml",
        "pre-commit:\n  commands:\n",
        "",
        "",
        "    c%d: {run: pytest, skip: true}\n",
        "",
    )
    yield "stages of lefthook", "lefthook.yml", "", "", "", "s%d: {jobs: [{name: a, run: pytest}]}\n", ""
    yield "lines of a hook", ".husky/pre-commit", "", "", "", "npm test -- -t a%d || true\n", ""
    yield (
        "targets of coverage",
        "codecov.yml",
        "coverage:\n  status:\n    project:\n",
        "",
        "",
        "      a%d: {target: 80, threshold: 5}\n",
        "",
    )


def _long_names() -> Iterator[Row]:
    """A name that is nearly as long as all that stands under it."""
    yield "a job", _CI, "jobs:\n  ", "a", ":\n    steps:\n", "      - run: pytest -k a%d\n", ""
    yield "a job of no tests", _CI, "jobs:\n  ", "a", ":\n    steps:\n", "      - run: a%d\n", ""
    yield "an environment of tox", "tox.ini", "[testenv:", "a", "]\ncommands =\n", "    pytest -k a%d\n", ""
    yield "a session of nox", "noxfile.py", "def ", "a", "(s):\n", "    s.run('pytest')\n", ""
    yield "a target of make", "Makefile", "", "a", ":\n", "\tpytest\n", ""
    yield "a stage of an image", "Dockerfile", "FROM a AS ", "a", "\n", "RUN pytest\n", ""
    yield "a stage of Jenkins", "Jenkinsfile", "stage('", "a", "') {\n", "sh 'pytest'\n", "}\n"
    yield "a test of CMake", "CMakeLists.txt", "set_tests_properties(", "a", " PROPERTIES ", "WILL_FAIL TRUE ", ")\n"
    yield "a script", "package.json", '{"scripts": {"', "a", '": "true', "; jest", '"}}'
    yield (
        "a plugin of Maven",
        "pom.xml",
        "<plugin><artifactId>surefire",
        "a",
        "</artifactId><configuration>",
        "<skip>true</skip>",
        "</configuration></plugin>",
    )
    yield (
        "a matrix of one job",
        _CI,
        "jobs:\n  ",
        "a",
        ":\n    strategy:\n      matrix:\n        exclude:\n",
        "          - {a: %d}\n",
        "",
    )
    yield "a profile of nextest", ".config/nextest.toml", "[[profile.", "a", ".overrides]]\nretries = 1\n", "", ""
    yield (
        "a target of coverage",
        "codecov.yml",
        "coverage:\n  status:\n    project:\n      ",
        "a",
        ": {target: 1}\nignore:\n",
        "- a%d\n",
        "",
    )


def _compared() -> Iterator[Row]:
    """Values of base and head that are held against one another, and patterns that are tried out."""
    path = "pyproject.toml"
    yield "folders of tests", path, "[tool.pytest.ini_options]\ntestpaths = [", "", "", "'a%d', ", "]\n"
    yield "folders in folders", path, "[tool.pytest.ini_options]\ntestpaths = ['", "", "", "a1/", "']\n"
    yield "folders that are not entered", path, "[tool.pytest.ini_options]\nnorecursedirs = ['", "", "", "(", "']\n"
    yield "names of tests", path, "[tool.pytest.ini_options]\npython_files = [", "", "", "'a%d*', ", "]\n"
    yield "one long glob of tests", path, "[tool.pytest.ini_options]\npython_files = ['", "", "", "*a", "']\n"
    yield "sources of coverage", path, "[tool.coverage.run]\nsource = [", "", "", "'a%d', ", "]\n"
    yield "stars of coverage", path, "[tool.coverage.run]\nomit = ['src", "", "", "*", "x1']\n"
    wide = "".join("a?.*b*" for _ in range(30))
    yield "lines of coverage", path, "[tool.coverage.report]\nexclude_lines = [", "", "", f"'{wide}%d', ", "]\n"
    anything = ".*" * 90
    yield (
        "wide lines of coverage",
        path,
        "[tool.coverage.report]\nexclude_lines = [",
        "",
        "",
        f"'{anything}%d', ",
        "]\n",
    )
    yield "globs of tests", "jest.config.js", "module.exports = { testMatch: [", "", "", "'a%d/**/*.js', ", "] }\n"
    braces = "{a,b}" * 12
    yield (
        *("globs of braces", "jest.config.js", "module.exports = { testMatch: [", "", ""),
        *(f"'{braces}%d/**/*.js', ", "] }\n"),
    )
    yield (
        "one long filter of a trigger",
        CI,
        "on:\n  push:\n    paths:\n    - ",
        "",
        "",
        ".github/",
        f"\n{JOB}    - run: pytest\n",
    )
    yield (
        "many filters of a trigger",
        CI,
        "on:\n  push:\n    branches:\n",
        "",
        "",
        "    - a%d\n",
        f"{JOB}    - run: pytest\n",
    )
    yield "starts of the interpreter", "sitecustomize.py", "", "", "", " ", "x\n"
    yield "comments before all", "sitecustomize.py", "", "", "", "# a%d\n", "x\n"


def _data() -> Iterator[Row]:
    yield "names of tests", "tests/skip_list.txt", "", "", "", "tests/test_a.py::test_a%d\n", ""
    yield "one long line of names", "tests/skip_list.txt", "", "", "", "test_a%d ", "\n"
    yield "names that are none", "tests/skip_list.txt", "", "", "", "a.b.c.d/", "\n"
    yield "long names that are none", "tests/skip_list.txt", "", "", "", "a" * 199 + "/ ", "\n"
    yield "colons", "tests/skip_list.txt", "", "", "", "aaaaaaaaaaaa:: ", "\n"
    yield "open parameters", "tests/skip_list.txt", "", "", "", "test_a[", "\n"
    yield "comments", "tests/skip_list.txt", "", "", "", " #", "\n"
    yield "spaces", "tests/skip_list.txt", "", "", "", " ", "x\n"
    yield "cases", "tests/cases.csv", "a,b\n", "", "", "a%d,b\n", ""
    yield "cases of one text", "tests/cases.csv", "a,b\n", "", "", "a\n", ""
    yield "cases of JSON", "tests/cases.json", "[", "", "", '{"a": %d},\n', "{}]"
    yield "named cases of JSON", "tests/cases.json", "{", "", "", '"a%d": {"b": %d},\n', '"c": {}}'
    yield "deep cases of JSON", "tests/cases.json", "", "", "", "[", ""
    yield "lists of cases of JSON", "tests/cases.json", "{", "", "", '"a%d": [{"b": 1}],\n', '"c": []}'
    yield "one long case of JSON", "tests/cases.json", "[{", "", "", '"a%d": %d,\n', '"c": 1}]'
    yield "cases of YAML", "tests/cases.yaml", "", "", "", "- a: %d\n", ""
    yield "one long case of YAML", "tests/cases.yaml", "- a: b\n", "", "", "  c%d: d\n", ""
    yield "cases of YAML that sink", "tests/cases.yaml", "", "", "", "  - a\n - b\n", ""
