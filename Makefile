# Every target sets up its own virtual environment; `make demo` and `make test` are all a newcomer needs.
PYTHON ?= $(firstword $(foreach version,3.12 3.11 3.13 3.14 3.10,$(shell python$(version) -c 'print("python$(version)")' 2>/dev/null)) python3)
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2
# Each worker has a stretch of the tests, so that what a file's tests share is made once; who is done first, helps.
PARALLEL := -n $(WORKERS) --dist worksteal

.PHONY: demo speech handwriting test test-long oracle test-versions fuzz test-variants compiled dist wheels test-compiled system check bench docs pictures clean

$(VENV)/.installed: pyproject.toml workloads/pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]' --editable ./workloads
	touch $@

demo: $(VENV)/.installed  ## diagnose the bundled programs
	$(BIN)/graphdoctor demo

speech: $(VENV)/.installed  ## train the small text-to-mel model and speak a sentence with it
	$(BIN)/python -m workloads.speech.train

# System programs that some tests need; where they cannot be installed those tests are skipped, saying so.
SYSTEM := chromium:chromium espeak-ng:espeak-ng tesseract:tesseract-ocr npm:npm nvim:neovim
system:
	@missing=""; for pair in $(SYSTEM); do command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair##*:}"; done; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    { apt-get install -qq -y $$missing || { apt-get update -qq && apt-get install -qq -y $$missing; }; } >/dev/null 2>&1 \
	      || echo "could not install$$missing: the tests that need them are skipped"; \
	  else echo "without$$missing: the tests that need them are skipped"; fi; fi

test: $(VENV)/.installed system  ## format, lint, types and every test that is not long, with the real TensorFlow
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python scripts/vocabulary.py
	$(BIN)/mypy
	$(BIN)/pytest $(PARALLEL) -m 'not long'

test-long: $(VENV)/.installed system  ## the long tests: trainings, commands in processes of their own, pages
	$(BIN)/pytest $(PARALLEL) -m long
	FAKE_LOG_NOISE=1 $(BIN)/pytest $(PARALLEL) -m log_noise

oracle: $(VENV)/.installed  ## ask TensorFlow again for every answer in tests/oracle; MISSING=1: for those that are not there
	WORKERS=$(WORKERS) PYTHONPATH=. $(BIN)/python scripts/oracle.py $(if $(MISSING),--missing)

test-variants: $(VENV)/.installed  ## every rule's examples in every way of writing them; makes docs/variants.md
	$(BIN)/python scripts/variants.py --misses --jobs $(WORKERS)
	$(BIN)/python scripts/variants.py --fixes --jobs $(WORKERS)
	$(BIN)/python scripts/variants.py --run
	$(BIN)/pytest tests/test_variants.py

test-versions:  ## the observer's tests on each TensorFlow of each Python here; writes docs/versions.json and its table
	$(PYTHON) tests/versions.py

FUZZ_SECONDS ?= 600
SEED ?= 1
fuzz: $(VENV)/.installed  ## mutated programs, recordings, notebooks, encodings, odd files: FUZZ_SECONDS=600 SEED=1
	$(BIN)/python scripts/fuzz.py --seconds $(FUZZ_SECONDS) --seed $(SEED)

check: $(VENV)/.installed  ## what to run before every commit: format, lint, types, fast tests
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/python scripts/vocabulary.py
	$(BIN)/mypy
	$(BIN)/pytest -q $(PARALLEL) -m 'not tensorflow and not long and not corpus'

COMPILED := build/compiled
compiled:  ## a virtual environment of its own whose `graphdoctor check` is compiled with mypyc; needs a C compiler
	$(PYTHON) -m venv --clear $(COMPILED)
	HATCH_BUILD_HOOKS_ENABLE=1 $(COMPILED)/bin/python -m pip install --quiet .

dist:  ## the pure wheel and the source distribution; GRAPHDOCTOR_ADDRESS=https://… is where they are published
	$(PYTHON) -m venv build/dist
	build/dist/bin/python -m pip install --quiet hatchling
	build/dist/bin/python -m hatchling build -d dist -t sdist -t wheel

wheels:  ## compiled wheels for each Python, as [tool.cibuildwheel] says; needs containers
	$(PYTHON) -m venv build/wheels
	build/wheels/bin/python -m pip install --quiet cibuildwheel
	build/wheels/bin/python -m cibuildwheel --output-dir dist

test-compiled: $(VENV)/.installed compiled  ## that what is compiled says the same, and what fails there
	$(BIN)/python scripts/compiled.py $(COMPILED)/bin/python
	PYTHONPATH=$$($(COMPILED)/bin/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))') \
	  $(BIN)/pytest $(PARALLEL) -m 'not tensorflow' tests/dryrun tests/rules tests/source tests/test_ratchet.py

bench: $(VENV)/.installed  ## the figures that we claim, each measured side by side
	for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

docs: $(VENV)/.installed  ## run every example of the documentation, and make the site in build/site
	$(BIN)/python -m graphdoctor.reports.rule_pages docs/rules
	$(BIN)/python docs/guides/build_gradient_is_none.py
	$(BIN)/python docs/claims/build.py
	$(BIN)/python -m docs.builder.manual docs/man/graphdoctor.1
	$(BIN)/python docs/build.py build/site

pictures: $(VENV)/.installed system  ## photograph what graphdoctor shows, for the documentation
	$(BIN)/python docs/pictures/build.py
	$(BIN)/python -m docs.pictures.teams

handwriting: $(VENV)/.installed  ## make handwriting TEXT="hello world" OUTPUT=hello.svg
	$(BIN)/handwriting "$(or $(TEXT),hello world)" -o "$(or $(OUTPUT),handwriting.svg)"

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
