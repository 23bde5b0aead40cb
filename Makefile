# Two commands are all one needs: `make gate` and `make test`. Both set up what they need.
# Any Python from 3.11 to 3.13 will do: `make gate PYTHON=python3.12`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PYTHONS ?= python3.11 python3.12 python3.13

.PHONY: gate test container lint mutants bench characteristics pythons wolf attempts drift sweep storm calibration sensitivity controls baseline docs lock clean help
.DEFAULT_GOAL := help

help: ## what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

gate: $(VENV)/.ready-run ## run the gate on the full case set against the loopback world: no key, no network
	@$(BIN)/gate run --offline

test: $(VENV)/.ready-dev ## linters, type checks and the whole suite
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/python -m compileall -q gate
	$(BIN)/python -m coverage erase
	$(BIN)/python -m pytest -n 2 --dist worksteal --ignore tests/container --ignore tests/workflows --ignore tests/unit/decision --ignore tests/unit/stats
	$(BIN)/python -m coverage run -m pytest tests/unit/decision tests/unit/stats
	$(BIN)/python -m coverage report --include='gate/decision/*,gate/stats/*' --fail-under=100

container: $(VENV)/.ready-dev ## build the image, test it, and run the workflows with it, with the Docker engine that DOCKER_HOST names
	@$(BIN)/python -m pytest tests/container >.container.log 2>&1 & beside=$$!; \
	$(BIN)/python -m pytest tests/workflows; workflows=$$?; \
	wait $$beside; image=$$?; cat .container.log; rm .container.log; exit $$((workflows + image))

lint: $(VENV)/.ready-dev ## linters and type checks alone
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

mutants: $(VENV)/.ready-dev ## would the tests of gate/stats and gate/decision notice a small wrong change? writes docs/mutants.md (an hour or two)
	$(BIN)/python bench/mutants.py; left=$$?; $(BIN)/python bench/mutants.py --page >/dev/null; exit $$left

characteristics: $(VENV)/.ready-run ## false alarms, passes and power of the rules, simulated; writes docs/characteristics.md (hours)
	$(BIN)/python bench/operating_characteristics.py

pythons: ## decisions must be the same on every supported Python, to the last digit (minutes)
	@for python in $(PYTHONS); do \
	  venv=gate-out/pythons/$$(basename $$python); \
	  $$python -m venv $$venv || exit 1; \
	  $$venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/run.txt || exit 1; \
	  PYTHONPATH=. $$venv/bin/python bench/decisions.py || exit 1; \
	done

wolf: $(VENV)/.ready-run ## how often the rules cry wolf, over 260 noisy runs of the loopback world (minutes)
	$(BIN)/python bench/false_alarms_loopback.py --seeds 200 --scorer quick
	$(BIN)/python bench/false_alarms_loopback.py --seeds 60

attempts: $(VENV)/.ready-run ## how often running again until green would work, simulated (minutes)
	$(BIN)/python bench/attempts.py

drift: $(VENV)/.ready-run ## how often control answers cry wolf, and see a judge that moved, simulated (a minute)
	$(BIN)/python bench/drift.py

bench: $(VENV)/.ready-run ## how fast a whole run is, against a stand-in that answers after 50 ms (minutes)
	@$(BIN)/python bench/throughput.py

sweep: $(VENV)/.ready-run ## kill a run at every write, resume it, compare; then pairs of kills (an hour or more)
	$(BIN)/python bench/kill_sweep.py
	$(BIN)/python bench/kill_sweep.py --double 40

storm: $(VENV)/.ready-run ## ten thousand cells with 5% of all requests failing: nothing lost, nothing paid twice (minutes)
	$(BIN)/python bench/storm.py --ceiling 330

# The runs whose answers were rated, as a whole or claim by claim: the headers of the labels name them.
RATED := steady wrong unsupported misquoted padded flaky:1 flaky:2 flaky:3 flaky:4 flaky:5 flaky:6 flaky:7 flaky:8 flaky:9 flaky:11 flaky:12
LABELS := evals/labels/loopback.yaml evals/labels/claims.yaml

calibration: $(VENV)/.ready-run ## renew evals/calibration.json: the stand-in judge's scores of the rated answers
	@rm -rf gate-out/rated
	@for variant in $(RATED); do \
	  $(BIN)/gate run --offline=$$variant --report-only --out gate-out/rated/$$variant >/dev/null 2>&1 || exit 1; \
	done
	@$(BIN)/gate run --config evals/stored.gate.yaml --offline --repeats 4 --report-only --out gate-out/rated/stored >/dev/null 2>&1
	@$(BIN)/gate kappa gate-out/rated/* $(LABELS:%=--labels %) --write evals/calibration.json

sensitivity: $(VENV)/.ready-run ## renew evals/sensitivity.json: whether the stand-in judge sees damages to good answers
	@rm -rf gate-out/good
	@$(BIN)/gate run --offline --report-only --out gate-out/good >/dev/null 2>&1
	@$(BIN)/gate sensitivity gate-out/good --offline --out gate-out/good/damaged --write evals/sensitivity.json

controls: $(VENV)/.ready-run ## renew evals/controls.json: answers of the loopback world that show whether its judge drifts
	@rm -rf gate-out/mixed
	@$(BIN)/gate run --offline=flaky:1 --report-only --out gate-out/mixed >/dev/null 2>&1
	@$(BIN)/gate controls gate-out/mixed --offline --out gate-out/mixed/controls --write evals/controls.json

baseline: $(VENV)/.ready-run ## renew baseline.json: five answers a case of the steady loopback world
	@$(BIN)/gate run --offline --repeats 5 --report-only --out gate-out/baseline >/dev/null
	@$(BIN)/gate baseline gate-out/baseline/run.json --write baseline.json

docs: $(VENV)/.ready-run ## renew docs/files.md and docs/troubleshooting.md from what they show
	@$(BIN)/python docs/make_files.py
	@$(BIN)/python docs/make_troubleshooting.py

lock: ## renew the lock files (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate -q pyproject.toml requirements/build.in -o requirements/run.txt
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate -q requirements/dev.in -o requirements/dev.txt

clean: ## remove what the targets made
	rm -rf $(VENV) gate-out .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*

# One interpreter check for both: another Python is refused with a sentence.
$(VENV)/.python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else "Kappagate needs Python 3.11, 3.12 or 3.13; $(PYTHON) is %d.%d. Say which to use: make gate PYTHON=python3.12" % v)'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.ready-run: $(VENV)/.python requirements/run.txt pyproject.toml
	@echo "Setting up (once) ..." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/run.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@$(BIN)/python -m compileall -q gate
	@touch $@

$(VENV)/.ready-dev: $(VENV)/.ready-run requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements/dev.txt
	@touch $@
