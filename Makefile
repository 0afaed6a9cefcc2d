# Everything that can be done with this project; `make` alone lists it.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)/python
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help setup lint test test-parallel test-long test-web test-slow test-cluster test-wheel coverage bench train docs pictures clean

help:  ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-20s %s\n", $$1, $$2}'

setup: $(STAMP)  ## Make .venv and install everything into it

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed; name one with: make setup PYTHON=python3.11" >&2; exit 2; }
	test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --upgrade pip
	$(RUN) -m pip install --quiet --editable '.[all,dev]'
	@touch $(STAMP)

lint: $(STAMP)  ## Look at style and types: ruff check, ruff format --check, mypy
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check --quiet .
	$(RUN) -m mypy

test: lint  ## Lint, type-check and run the test suite
	$(RUN) -m pytest -n auto --ignore tests/mccfr/workers/test_faults.py --ignore tests/mccfr/workers/test_quality.py

test-parallel: $(STAMP)  ## Kill, stop and starve workers, and compare their result with one process
	$(RUN) -m pytest tests/mccfr/workers/test_faults.py tests/mccfr/workers/test_quality.py

test-long: $(STAMP)  ## Run the tests that take more than some seconds: kills, resumes, matches, the commands of the documents
	$(RUN) -m pytest -n auto -m 'long and not slow'

test-web: $(STAMP)  ## Drive the pages in a real browser; needs a Chromium of the system and the extra browser
	$(RUN) -m pytest -m 'browser and not slow' tests/browser

test-slow: $(STAMP)  ## Run the tests that take longer than a few minutes
	$(RUN) -m pytest -n auto -m slow

test-cluster: $(STAMP)  ## Run the tests on a Ray cluster of several nodes on this machine
	$(RUN) -m pytest -m cluster tests/cluster

test-wheel: $(STAMP)  ## Build the wheel, install it into an empty environment and use it in an empty folder
	$(RUN) -m pytest -m wheel tests/test_wheel.py

coverage: $(STAMP)  ## Run the tests (or TESTS=tests/game) and write which lines ran to htmlcov/index.html
	$(RUN) -m coverage erase
	$(RUN) -m coverage run -m pytest -n auto $(TESTS)
	$(RUN) -m coverage combine --quiet
	$(RUN) -m coverage html --quiet
	$(RUN) -m coverage report --skip-covered

bench: $(STAMP)  ## Measure speed beside oracles and baselines
	$(RUN) -m benchmarks

train: $(STAMP)  ## Build the default buckets, train for a minute on every core, and say what to do next
	$(RUN) -m holdem.cli.build_buckets --preset small
	$(RUN) -m holdem.cli.train_blueprint --time-budget 60 --snapshot-interval 20 --num-workers 0 \
	  --logdir runs/blueprint

docs: $(STAMP)  ## Write the documentation as a site, site/index.html, and the reference of settings that is part of it
	$(RUN) -m docs.make_settings
	NO_MKDOCS_2_WARNING=1 $(RUN) -m mkdocs build --strict

pictures: $(STAMP)  ## Make the pictures of the documents again, of runs/blueprint and the models; those of pages need what test-web needs
	$(RUN) -m docs.make_pictures
	$(RUN) -m docs.make_model_pictures
	$(RUN) -m docs.make_page_pictures

clean:  ## Remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage htmlcov build dist site
