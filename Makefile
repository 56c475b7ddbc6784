# Needs Python 3.11 or newer and make. Everything is set up in .venv, with the versions in requirements.lock (to run) and
# requirements-dev.lock (to develop).

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DEVELOP := $(VENV)/.develop
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SOURCES := $(wildcard src tests bench tools hatch_build.py)
LEAVE := $(if $(filter true 1,$(CI)),-m "not long" --sample 3,-m "not slow and not long" --sample 1)

.PHONY: demo test test-all fuzz lint format map bundle screenshots clean

# The exit code tells what was found (1: a violation), so a demonstration says it instead of failing on it.
demo: $(READY)
	@for file in examples/queue.c examples/queue_buggy.c; do \
		page=build/$$(basename $$file .c).html; mkdir -p build; \
		echo; echo "\$$ heapwright check $$file --html $$page"; \
		$(BIN)/heapwright check $$file --html $$page; code=$$?; echo "(exit code $$code)"; \
		if [ $$code -eq 2 ]; then exit 2; fi; \
	done
	@echo; echo "Step through the bug in a browser: file://$(CURDIR)/build/queue_buggy.html"

# About five minutes; with CI=true what is slow, too. It ends with what it left out (tests/README.md).
test: lint
	$(BIN)/pytest -q -n 2 $(LEAVE)

# Everything, also what takes the better part of an hour.
test-all: lint
	$(BIN)/pytest -n 2

# Ten minutes of random programs against the engines; SEED=1 takes others.
fuzz: $(READY)
	$(BIN)/heapwright fuzz --count 100000 --seconds 600 --seed $(or $(SEED),0)

lint: $(DEVELOP)
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEVELOP)
	$(BIN)/ruff check --fix $(SOURCES)
	$(BIN)/ruff format $(SOURCES)

# The picture of rooms and imports, docs/map.svg, and its table, docs/map.md.
map: $(DEVELOP)
	$(BIN)/python tools/map.py

# The script of pages, from its modules in report/html/script.
bundle: $(DEVELOP)
	$(BIN)/python tools/bundle.py

# The pictures of pages in docs/pictures (ONLY=film: one of them); needs Chromium.
screenshots: $(DEVELOP)
	$(BIN)/python tools/screenshots.py $(ONLY)

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "heapwright needs Python 3.11 or newer; try: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -r requirements.lock
	$(INSTALL) --no-build-isolation --no-deps -e .
	@touch $(READY)

$(DEVELOP): $(READY) requirements-dev.lock
	$(INSTALL) -r requirements-dev.lock
	@touch $(DEVELOP)
