# Everything runs in .venv; `make` alone lists what there is.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
TOOLS_LOCK := data/runtimes/tools-3.11.txt
RUNTIME_LOCK := data/runtimes/python-3.11.txt
UV := $(BIN)/python -m uv
CONFIG ?= data/releases/demo.toml
VARIANTS := code2bench_output_python_varnorm2,code2bench_output_python_auv,code2bench_output_python_altered

.PHONY: help setup release test test-slow test-llm experiments experiments-llm lint bench lock

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

setup: .venv/setup.done  ## make the environment, with the runtime that answers run in

.venv/setup.done: $(TOOLS_LOCK) $(RUNTIME_LOCK) pyproject.toml scripts/install_system_packages.sh
	@start=$$(date +%s); \
	sh scripts/install_system_packages.sh && \
	( test -x $(BIN)/python || $(PYTHON) -m venv .venv ) && \
	$(BIN)/python scripts/check_python.py && \
	$(BIN)/python -m pip install -q --disable-pip-version-check uv==0.13.8 && \
	$(UV) pip install -q --python $(BIN)/python --compile-bytecode --require-hashes -r $(TOOLS_LOCK) && \
	$(UV) pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e . && \
	$(BIN)/python -m compileall -q harness pipeline && \
	$(BIN)/code2bench runtime --lock $(RUNTIME_LOCK) && \
	$(BIN)/code2bench install-lm-eval && \
	touch $@ && echo "Setup took $$(( $$(date +%s) - start )) s."

release: setup  ## build the release that $(CONFIG) describes, from real source archives
	@$(BIN)/code2bench build $(CONFIG)

test: setup  ## run the fast tests on all cores, which they leave idle a quarter of the time
	@$(BIN)/python -m pytest -n $$(( $$(nproc) + 2 )) --dist loadfile --no-loadscope-reorder

test-slow: setup  ## run the tests that take minutes, those that read the real PyPI, and those in a browser
	@sh scripts/install_chromium.sh
	@$(BIN)/python -m pytest -m "slow or network or browser" --timeout=3600

test-llm: setup  ## run the tests that ask a small real language model, whose server compiles for some minutes once
	@sh scripts/with_small_model.sh $(BIN)/python -m pytest -m llm --timeout=3600

experiments: setup  ## repeat the tables of two papers, with answerers of which it is known what they get right
	@$(BIN)/code2bench experiment data/experiments/dynamic.toml
	@$(BIN)/code2bench experiment data/experiments/prompts.toml

experiments-llm: setup  ## ask a small real language model what 25 programs and their variants give
	@$(BIN)/code2bench vary demo --family output --cases 1
	@sh scripts/score_small_model.sh build/demo-0/release 25 code2bench_output_python_origin,$(VARIANTS) 2

lint: setup  ## check style, types and which way imports point
	@$(BIN)/ruff check .
	@$(BIN)/mypy harness pipeline
	@$(BIN)/lint-imports --no-logo

bench: setup  ## print what reading, suites (100 and 1,000 of them) and judging cost; the last on the demo release
	@$(BIN)/python scripts/bench.py
	@if [ -d build/demo/release ]; then $(BIN)/python scripts/bench_judging.py build/demo/release; fi

lock: .venv/setup.done  ## compile both lists of pinned packages anew, and what inference knows of the libraries
	@$(UV) pip compile -q --python-version 3.11 --generate-hashes --no-annotate --no-header --no-emit-index-url \
		--extra test pyproject.toml data/runtimes/tools.in -o $(TOOLS_LOCK)
	@$(UV) pip compile -q --python-version 3.11 --generate-hashes --no-annotate --no-header --no-emit-index-url \
		data/runtimes/python-3.11.in -o $(RUNTIME_LOCK)
	@$(BIN)/code2bench runtime --lock $(RUNTIME_LOCK)
	@$(BIN)/python scripts/library_members.py
