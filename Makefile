# Needs Python 3.11 or later, git and make; everything else is installed into .venv.

PYTHON ?= python3
VENV ?= .venv
PORT ?= 8000
MCP_PORT ?=
WORKERS ?= 2

RUN = $(VENV)/bin/python
CODE = manage.py project toolcatalog tests benchmarks examples/plugin/fenghe_tools

.DEFAULT_GOAL := help
.PHONY: help install demo test test-servers lint

help:
	@echo "make demo      try it out: http://127.0.0.1:$(PORT)/ with a catalog to play with (PORT=..., MCP_PORT=... for others)"
	@echo "make install   install everything, for developers"
	@echo "make test      run the tests"
	@echo "make test-servers   install the MCP servers of others that some tests talk to (needs npm)"
	@echo "make lint      check style, types, layers and migrations"

# A stamp for each of the two sets of packages: nothing is installed twice.
RUNTIME = $(VENV)/.runtime-installed
TESTING = $(VENV)/.testing-installed

$(RUN):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV)/bin; exit 1; }

$(RUNTIME): requirements.txt constraints.txt examples/plugin/pyproject.toml | $(RUN)
	$(RUN) -m pip install --quiet --disable-pip-version-check -r requirements.txt -e ./examples/plugin
	@touch $@

$(TESTING): requirements-test.txt examples/requirements.txt constraints.txt $(RUNTIME)
	$(RUN) -m pip install --quiet --disable-pip-version-check -r requirements-test.txt
	@touch $@

install: $(TESTING)

demo: $(RUNTIME)
	@exec $(RUN) manage.py demo --port $(PORT) $(if $(MCP_PORT),--mcp-port $(MCP_PORT))

# The browser's driver keeps an event loop running, which other tests must not meet: it gets a process of its own.
test: $(TESTING)
	@$(RUN) -m pytest -m "not browser" --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder
	@$(RUN) -m pytest tests/browser

test-servers: $(TESTING)
	@PYTHON=$(PYTHON) tests/sources/servers/install.sh $${TEST_SERVERS:-.data/test-servers}

lint: $(TESTING)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy $(CODE)
	$(VENV)/bin/lint-imports
	$(RUN) manage.py makemigrations --check --dry-run
