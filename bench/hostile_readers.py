"""Configuration that is made to be slow to read for one reader or another, beside the shapes that each format has.

Here two parts may be repeated equally often, one behind the head and one behind the middle: what names many things,
and what asks for them.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench.hostile_commands import CI as _CI
from bench.hostile_commands import JOB as _JOB
from bench.hostile_commands import command_shapes

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
    yield from command_shapes()


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
