# The two commands a new user needs are `make demo` and `make test`; both set up what they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# Tests start hundreds of interpreters that may write nothing. What lies there compiled, none of them compiles again:
# our own modules, and those of plugins as pytest rewrites them, which it keeps when it is first started.
unexport PYTHONDONTWRITEBYTECODE
# While something is installed, fetched or linted, one core is idle.
MAKEFLAGS += --jobs=2

.PHONY: demo test test-fast compiled sdists lint docs bench clean system

demo: $(STAMP)
	@$(BIN)/git-agentgate demo

# One worker more than CI has cores: some tests wait for servers, for packages or for a time limit.
test: $(STAMP) system sdists lint docs compiled
	$(BIN)/python -m pytest -n 3 --dist loadfile --no-loadscope-reorder tests

test-fast: $(STAMP) compiled
	$(BIN)/python -m pytest -n 2 -m "not slow" tests

compiled: $(STAMP)
	@$(BIN)/python -m compileall -q agentgate_git

sdists: $(STAMP)
	@-$(BIN)/python -m testing.sdists  # the tests that need one say what is missing

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy agentgate_git

docs: $(STAMP)
	$(BIN)/python tools/generate_docs.py check

bench: $(STAMP)
	$(BIN)/python -m bench

system:
	@tools/install_system_packages.sh

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	@touch $@

clean:
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache
