# `make demo` and `make test` need only Python (3.10 or newer), make and git: each sets up what it uses.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo docs test lint clean

$(VENV)/.user: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/.test: $(VENV)/.user
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

$(VENV)/.browser: $(VENV)/.test tests/install_browser.sh
	bash tests/install_browser.sh $(BIN)/python
	touch $@

demo: $(VENV)/.user
	$(BIN)/reviewbot check --diff demo/pull-request.diff --verl 0.9.1 --fail-level none

# The pages, in site/; the outputs that they show are made while they are built.
docs: $(VENV)/.test
	$(BIN)/python -m mkdocs build --strict

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint $(VENV)/.browser
	$(BIN)/python -m pytest -n auto

clean:
	rm -rf $(VENV) site
