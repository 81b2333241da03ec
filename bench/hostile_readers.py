"""Configuration that is made to be slow to read for one reader or another, beside the shapes that each format has.

Here two parts may be repeated equally often, one behind the head and one behind the middle: what names many things,
and what asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator

_CI = ".github/workflows/ci.yml"
_JOB = "jobs:\n  t:\n    steps:\n"
_AXES = "[" + ", ".join(str(n) for n in range(16)) + "]"

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Name, path, head, first part that is repeated, middle, second part, tail.
    Row = tuple[str, str, str, str, str, str, str]


def reader_shapes() -> Iterator[Row]:
    """Every such shape."""
    yield from _images()
    yield from _runner_files()
    yield from _build_files()
    yield from _pipelines()
    yield from _commands()
    yield from _tasks()
    yield from _hooks()
    yield from _long_names()
    yield from _data()


def _images() -> Iterator[Row]:
    path = "Dockerfile"
    yield "many runs", path, "FROM a\n", "", "", "RUN pytest -k a%d || true\n", ""
    yield "many stages", path, "", "", "", "FROM a AS s%d\nRUN pytest\n", ""
    yield "stages of one another", path, "FROM a AS s0\n", "", "", "FROM s%d AS t%d\nCOPY --from=t%d a b\n", ""
    yield "variables and runs", path, "FROM a\n", "ENV A%d=b\n", "", "RUN pytest -k %d\n", ""
    yield "variables and runs of no tests", path, "FROM a\n", "ENV A%d=b\n", "", "RUN a %d\n", ""
    yield "one long run", path, "FROM a\nRUN a", "", "", " && \\\n pytest -k %d", "\n"
    yield "short continued lines", path, "FROM a\nRUN a", "", "", "\\\na", "\n"
    yield "continued lines of <", path, "FROM a\nRUN a", "", "", " <<\\\n", "\n"
    yield "a document", path, "FROM a\nRUN <<E\n", "", "", "pytest -k a%d\n", "E\n"
    yield "a document of short lines", path, "FROM a\nRUN <<E\n", "", "", "a\n", "E\n"
    yield "a document of empty lines", path, "FROM a\nRUN <<E\n", "", "", "\n", "E\n"
    yield "many documents", path, "FROM a\n", "", "", "RUN <<E%d\npytest\nE%d\n", ""
    yield "one long variable", path, "FROM a\nENV ", "", "", "a", "\n"
    yield "one long flag", path, "FROM a\nRUN ", "", "", "--a ", "x\n"
    yield "flags of a stage", path, "FROM ", "", "", "--a ", "\n"
    yield "one long copy", path, "FROM a\nCOPY ", "", "", "--from=a ", "\n"
    yield "lists of words", path, "FROM a\n", "", "", 'RUN ["pytest", "-k", "a%d"]\n', ""
    yield "one long list of words", path, "FROM a\nRUN [", "", "", '"a%d", ', '"b"]\n'
    yield "nested lists of words", path, "FROM a\nRUN ", "", "", "[", "\n"
    yield "quotes of variables", path, "FROM a\nENV ", "", "", 'a="', "\n"


def _runner_files() -> Iterator[Row]:
    yield "many profiles", ".config/nextest.toml", "", "", "", "[profile.p%d]\ndefault-filter = 'a'\nretries = 2\n", ""
    yield (
        *("many overrides", ".config/nextest.toml", "", "", ""),
        *("[[profile.ci.overrides]]\nfilter = 'a%d'\nretries = 2\n", ""),
    )
    yield "a long filter", ".config/nextest.toml", "[profile.ci]\ndefault-filter = 'all", "", "", "() ", "'\n"
    yield "many spaces", ".config/nextest.toml", "[profile.ci]\ndefault-filter = '", "", "", " ", "x'\n"
    yield "targets and aliases", ".cargo/config.toml", "[alias]\n", "", "", "t%d = 'test --skip a%d'\n", ""
    yield "many targets", ".cargo/config.toml", "", "", "", "[target.t%d]\nrunner = 'true'\n", ""
    yield "tags of Dart", "dart_test.yaml", "tags:\n", "", "", "  t%d: {skip: true, retry: 2}\n", ""
    yield "nested tags of Dart", "dart_test.yaml", "", "", "", "tags: {a: {", ""
    yield "many names of Dart", "dart_test.yaml", "exclude_tags:\n", "", "", "- t%d\n", ""
    yield (
        "targets of Swift",
        "Package.swift",
        "let p = [\n",
        "",
        "",
        '.testTarget(name: "t%d", exclude: ["aTest"]),\n',
        "]",
    )
    yield "nested calls of Swift", "Package.swift", "", "", "", "a(", ""
    yield "aliases of Mix", "mix.exs", "[\n", "", "", 'test: ["test --exclude a%d"],\n', "]\n"
    yield "one long alias of Mix", "mix.exs", "[\n test: [\n", "", "", '"test --exclude a%d",\n', "]]\n"
    yield "ExUnit", "test/test_helper.exs", "", "", "", "ExUnit.start(exclude: [:a%d])\n", ""
    yield "rules of Bazel", "BUILD.bazel", "", "", "", 'py_test(name = "t%d", tags = ["manual"])\n', ""
    yield "many tags", "BUILD.bazel", 'py_test(name = "t", tags = [', "", "", '"manual", ', "])\n"
    yield "one long name", "BUILD.bazel", 'py_test(name = "', "a", '", tags = [', '"manual", ', "])\n"
    yield "unmatched brackets", "BUILD.bazel", "", "", "", "a=1 )", ""
    yield "options of Bazel", ".bazelrc", "", "", "", "test --test_filter=a%d\n", ""
    yield "one long line", ".bazelrc", "test", "", "", " --test_filter=a%d", "\n"
    yield "exclusions of sbt", "build.sbt", "", "", "", 'testOptions += Tests.Filter(s => !s.endsWith("A%d"))\n', ""
    yield "one long line of test", "build.sbt", "", "", "", "Test / ", "\n"
    yield "one long line of sources", "build.sbt", "", "", "", "Test sources ", "\n"
    yield "one long line of arguments", "build.sbt", "", "", "", 'Tests.Argument("-l" ', "\n"
    yield "one long line of filters", "build.sbt", "", "", "", "Tests.Filter(", "\n"
    yield "one long line of names", "build.sbt", "", "", "", "test ", "\n"
    yield "one long line of skips", "build.sbt", "", "", "", "test / skip := Seq() ", "\n"
    yield "methods of TestNG", "testng.xml", "<suite><test>", "", "", '<exclude name="a%d"/>', "</test></suite>"
    yield "classes of TestNG", "testng.xml", "<suite><test>", "", "", '<class name="a%d"/>', "</test></suite>"
    yield (
        *("properties and plugins", "pom.xml", "<project><properties>", "<skipTests%d>true</skipTests%d>"),
        *(
            "</properties><build><plugins>",
            "<plugin><artifactId>a%d</artifactId></plugin>",
            "</plugins></build></project>",
        ),
    )
    yield (
        *("exclusions of surefire", "pom.xml"),
        "<project><plugin><artifactId>surefire</artifactId><configuration><excludes>",
        *("", "", "<exclude>a%d</exclude>", "</excludes></configuration></plugin></project>"),
    )
    yield "filters of a run", "a.runsettings", "<a>", "", "", "<TestCaseFilter>a%d</TestCaseFilter>", "</a>"
    yield "removed files", "tests.csproj", "<Project>", "", "", '<Compile Remove="a%d.cs"/>', "</Project>"
    yield "one long removal", "tests.csproj", '<Project><Compile Remove="', "", "", "a%d.cs;", '"/></Project>'
    yield "attributes", "tests.csproj", "<Project><Compile ", "", "", 'a%d="b" ', "/></Project>"


def _build_files() -> Iterator[Row]:
    yield "arguments and blocks", "build.gradle", "test(", "a%d, ", ") {\n", "exclude 'a%d'\n", "}\n"
    yield "words of check", "build.gradle", "check(", "test%d, ", ") {\n", "a.enabled = false\n", "}\n"
    yield (
        "nested blocks with words",
        "build.gradle",
        "",
        "",
        "",
        "test(a, b, c) {" * 20 + "exclude 'x%d'" + "}" * 20 + "\n",
        "",
    )
    yield "conditions of Gradle", "build.gradle", "", "", "", "test { onlyIf { a%d == 'b' && c || d } }\n", ""
    yield "unmatched brackets", "build.gradle", "", "", "", "a=1 )", ""
    yield "calls in a row", "build.gradle", "", "", "", "a(1).b(2)\n", ""
    yield (
        "properties of many tests",
        "CMakeLists.txt",
        "set_tests_properties(",
        "t%d ",
        "PROPERTIES ",
        "WILL_FAIL TRUE ",
        ")\n",
    )
    yield "commands of tests", "CMakeLists.txt", "", "", "", 'add_test(NAME t%d COMMAND sh -c "a || true")\n', ""
    yield "one long test", "CMakeLists.txt", "add_test(NAME t COMMAND a", "", "", " --gtest_filter=a%d", ")\n"
    yield "options of Ruby", "Rakefile", "", "", "", "t.rspec_opts = '--tag ~a%d'\n", ""
    yield "lints of Cargo", "Cargo.toml", "[lints.clippy]\n", "", "", "a%d = 'allow'\n", ""
    yield "values and recipes", "Makefile", "A = ", "pytest -k a; ", "\nt:\n", "\t$(A)\n", ""
    yield "values of values", "Makefile", "A0 = pytest;\n", "", "", "A%d = $(A%d) $(A%d)\n", "t:\n\t$(A9)\n"
    yield "doubled values", "Makefile", "A = pytest -k a;\n", "", "", "A := $(A)$(A)\n", "t:\n\t$(A)\n"
    yield "flags that are added to", "Makefile", "t:\n\tpytest $(AFLAGS)\n", "", "", "AFLAGS += -k%d\n", ""
    yield "values of one target", "Makefile", "t:\n\tpytest\n", "", "", "t: A%d = x\n", ""
    yield "values of many targets", "Makefile", "A = x\n", "", "", "t%d: A = x\nt%d:\n\tpytest $(A)\n", ""
    yield "conditions of make", "Makefile", "", "", "", "ifdef A%d\nB%d = c\nendif\n", ""
    nested = "".join(f"ifeq ($(A{n}),b)\n" for n in range(59))
    yield "recipes under many conditions", "Makefile", f"t:\n{nested}", "", "", "\ta\n", "endif\n" * 59
    yield "values under many conditions", "Makefile", nested, "", "", "A%d = b\n", "endif\n" * 59
    yield "rules of one name", "Makefile", "", "", "", "t:\n\tpytest\n", ""
    yield "many names of a rule", "Makefile", "", "", "", "a b c d e f g h i j: k\n\tpytest\n", ""
    yield "one shell", "Makefile", ".ONESHELL:\nt:\n", "", "", "\tpytest -k a%d\n", ""
    yield "functions of make", "Makefile", "t:\n", "", "", "\tpytest $(sort $(wildcard a%d))\n", ""
    yield "needs of phony targets", "Makefile", ".PHONY:", " t%d", "\n", "t%d:\n\ttouch t%d\n", ""
    yield "one long line of colons", "Makefile", "a", "", "", " a", ":\n"
    yield "one long line of words", "Makefile", "", "", "", "a ", "\n"
    yield "exported names", "Makefile", "", "", "", "export ", "\n"
    yield (
        "scripts of one name",
        "package.json",
        '{"scripts": {',
        "",
        "",
        '"pretest%d": "npm run test%d",\n',
        '"t": "x"}}',
    )
    yield (
        "tasks of deno",
        "deno.json",
        '{"tasks": {',
        "",
        "",
        '"t%d": {"command": "deno test --filter a"},\n',
        '"t": "x"}}',
    )
    yield (
        "scripts of composer",
        "composer.json",
        '{"scripts": {"test": [',
        "",
        "",
        '"phpunit --filter a%d",\n',
        '"x"]}}',
    )
    yield "rc files", ".npmrc", "", "", "", "if-present=true\n", ""


def _pipelines() -> Iterator[Row]:
    yield "variables and steps", _CI, "env:\n", "  A%d: b\n", _JOB, "      - run: pytest -k a%d\n", ""
    yield "variables and steps of no tests", _CI, "env:\n", "  A%d: b\n", _JOB, "      - run: echo a%d\n", ""
    yield "steps of no tests", _CI, _JOB, "", "", "      - run: echo a%d\n", ""
    yield (
        "options in a variable",
        _CI,
        "env:\n  PYTEST_ADDOPTS: '",
        "-k a%d ",
        f"'\n{_JOB}",
        "      - run: pytest\n",
        "",
    )
    matrix = f"jobs:\n  t:\n    strategy: {{matrix: {{a: {_AXES}, b: {_AXES}}}}}\n    steps:\n"
    yield "conditions on a matrix", _CI, matrix, "", "", "      - {if: matrix.a == 'a%d', run: pytest}\n", ""
    yield (
        *("conditions on a matrix for no tests", _CI, matrix, "", ""),
        *("      - {if: matrix.a == 'a%d' || matrix.b == 'c', run: echo}\n", ""),
    )
    yield (
        *("failures let through in a matrix", _CI, matrix, "", ""),
        *("      - {continue-on-error: '${{ matrix.a }}', run: echo %d}\n", ""),
    )
    yield (
        *("jobs of one matrix", _CI, f"x: &s {{matrix: {{a: {_AXES}, b: {_AXES}}}}}\njobs:\n", "", ""),
        *("  j%d: {strategy: *s, steps: [{run: echo}]}\n", ""),
    )
    yield (
        *("jobs with a matrix each", _CI, "jobs:\n", "", ""),
        *(f"  j%d: {{strategy: {{matrix: {{a: {_AXES}, b: {_AXES}}}}}, steps: [{{run: echo}}]}}\n", ""),
    )
    pairs = "jobs:\n  t:\n    strategy:\n      matrix:\n        a: " + _AXES + "\n        b: " + _AXES + "\n"
    yield (
        *("rows that a matrix leaves out", _CI, f"{pairs}        exclude:\n", "", ""),
        *("          - {a: %d, c: d}\n", "    steps: [{run: pytest}]\n"),
    )
    wide = ", ".join(f"k{n}: v" for n in range(60))
    yield (
        *("rows that a matrix adds to", _CI, f"{pairs}        include:\n", "", ""),
        *(f"          - {{c%d: d, {wide}}}\n", "    steps: [{run: pytest}]\n"),
    )
    yield (
        *("many axes", _CI, "jobs:\n  t:\n    strategy:\n      matrix:\n", "", ""),
        *("        a%d: [b]\n", "    steps: [{run: pytest}]\n"),
    )
    yield (
        "filters of triggers",
        _CI,
        "on:\n  push:\n    paths:\n",
        "",
        "",
        "      - '**/*%d*/**/*a*'\n",
        f"{_JOB}      - run: pytest\n",
    )
    yield (
        "jobs that look at others",
        _CI,
        "jobs:\n",
        "",
        "",
        "  j%d:\n    if: always()\n    needs: [a]\n    steps: [{run: 'exit 1'}]\n",
        "",
    )
    yield (
        "a chain of jobs",
        _CI,
        "jobs:\n",
        "",
        "",
        "  deploy%d:\n    needs: [j%d]\n    steps: [{run: pytest}]\n  j%d: {needs: [j%d], steps: [{run: a}]}\n",
        "",
    )
    yield "names that texts set", _CI, _JOB, "", "", "      - run: A%d=b\n", ""
    yield (
        "steps of many shells",
        _CI,
        _JOB,
        "",
        "",
        "      - {shell: bash -e, run: pytest -k a%d, working-directory: a}\n",
        "",
    )
    yield "actions", _CI, _JOB, "", "", "      - uses: a/pytest-action%d@v1\n", ""
    yield (
        "templates of GitLab",
        ".gitlab-ci.yml",
        "",
        ".t%d: {script: [pytest], extends: .t%d}\n",
        "",
        "j%d: {extends: [.t0, .t%d]}\n",
        "",
    )
    yield (
        "rules of GitLab",
        ".gitlab-ci.yml",
        "j:\n  script: [pytest]\n  rules:\n",
        "",
        "",
        "    - if: $A == 'a%d'\n",
        "",
    )
    yield (
        "many rules of many jobs",
        ".gitlab-ci.yml",
        "",
        "",
        "",
        "j%d:\n  script: [echo]\n  rules: [{if: $A == 'b', when: never}]\n",
        "",
    )
    yield (
        "workflows of CircleCI",
        ".circleci/config.yml",
        "workflows:\n",
        "  w%d: {jobs: [j%d]}\n",
        "jobs:\n",
        "  j%d: {steps: [{run: pytest}]}\n",
        "",
    )
    yield (
        "jobs that wait in CircleCI",
        ".circleci/config.yml",
        "jobs: {j: {steps: [{run: pytest}]}}\nworkflows:\n  w:\n    jobs:\n",
        "",
        "",
        "    - j%d: {type: approval, requires: [j%d]}\n",
        "",
    )
    yield (
        "parameters of CircleCI",
        ".circleci/config.yml",
        "parameters:\n",
        "  p%d: {default: false}\n",
        _JOB,
        "      - {when: << parameters.p%d >>, run: pytest}\n",
        "",
    )
    yield (
        "tasks of Azure",
        "azure-pipelines.yml",
        "steps:\n",
        "",
        "",
        "- {task: DotNetCoreCLI@2, inputs: {command: test, arguments: --filter a%d}}\n",
        "",
    )
    yield (
        "conditions of Azure",
        "azure-pipelines.yml",
        "variables: {a: b}\nsteps:\n",
        "",
        "",
        "- {script: echo, condition: eq(variables.a%d, 'b')}\n",
        "",
    )
    yield (
        "axes of Travis",
        ".travis.yml",
        "env:\n",
        "- A=%d\n",
        "jobs:\n  allow_failures:\n",
        "  - env: A=%d\n",
        "script: [pytest]\n",
    )
    yield (
        "stages of Jenkins",
        "Jenkinsfile",
        "",
        "",
        "",
        "stage('a%d') { when { environment name: 'B%d', value: 'c' }\n sh 'pytest' }\n",
        "",
    )
    yield "short blocks of Jenkins", "Jenkinsfile", "", "", "", "a{}\n", ""
    yield "names of Jenkins", "Jenkinsfile", "", "env.A%d = 'b'\n", "", "sh 'pytest -k a%d'\n", ""
    yield (
        "failures that Jenkins catches",
        "Jenkinsfile",
        "",
        "",
        "",
        "try { sh 'pytest' } catch (e) { echo 'a%d' }\n",
        "",
    )
    yield (
        "nested tries of Jenkins",
        "Jenkinsfile",
        "",
        "",
        "",
        "try { " * 20 + "sh 'pytest'" + "} catch (e) { a }" * 20 + "\n",
        "",
    )
    yield "conditions of Jenkins", "Jenkinsfile", "", "", "", "if (params.A%d == 'b') { sh 'pytest' }\n", ""


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
