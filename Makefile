# Every target sets up its own virtual environment; `make demo` and `make test` are all a newcomer needs.
PYTHON ?= $(firstword $(foreach version,3.12 3.11 3.13 3.10,$(shell python$(version) -c 'print("python$(version)")' 2>/dev/null)) python3)
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2
# Each worker has a stretch of the tests, so that what a file's tests share is made once; who is done first, helps.
PARALLEL := -n $(WORKERS) --dist worksteal

.PHONY: demo speech handwriting test test-versions test-clothes compiled test-compiled system check bench docs pictures clean

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
SYSTEM := chromium:chromium espeak-ng:espeak-ng tesseract:tesseract-ocr
system:
	@missing=""; for pair in $(SYSTEM); do command -v $${pair%%:*} >/dev/null || missing="$$missing $${pair##*:}"; done; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    { apt-get install -qq -y $$missing || { apt-get update -qq && apt-get install -qq -y $$missing; }; } >/dev/null 2>&1 \
	      || echo "could not install$$missing: the tests that need them are skipped"; \
	  else echo "without$$missing: the tests that need them are skipped"; fi; fi

test: $(VENV)/.installed system  ## format, lint, types and every test, with the real TensorFlow
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest $(PARALLEL)
	FAKE_CHATTER=1 $(BIN)/pytest $(PARALLEL) -m chatter

test-clothes: $(VENV)/.installed  ## every rule's examples in every way of writing them; makes docs/clothes.md
	$(BIN)/python scripts/clothes.py --misses --jobs $(WORKERS)
	$(BIN)/python scripts/clothes.py --run
	$(BIN)/pytest tests/test_clothes.py

test-versions:  ## the observer's tests on the oldest and newest TensorFlow of each Python here
	$(PYTHON) tests/versions.py

check: $(VENV)/.installed  ## what to run before every commit: format, lint, types, fast tests
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/mypy
	$(BIN)/pytest -q -m 'not tensorflow'

COMPILED := build/compiled
compiled:  ## a virtual environment of its own whose `graphdoctor check` is compiled with mypyc; needs a C compiler
	$(PYTHON) -m venv --clear $(COMPILED)
	HATCH_BUILD_HOOKS_ENABLE=1 $(COMPILED)/bin/python -m pip install --quiet .

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
	$(BIN)/python docs/build.py build/site

pictures: $(VENV)/.installed system  ## photograph what graphdoctor shows, for the documentation
	$(BIN)/python docs/pictures/build.py

handwriting: $(VENV)/.installed  ## make handwriting TEXT="hello world" OUTPUT=hello.svg
	$(BIN)/handwriting "$(or $(TEXT),hello world)" -o "$(or $(OUTPUT),handwriting.svg)"

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
