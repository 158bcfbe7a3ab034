# Each target sets up what it needs, and keeps it: a second run is quick.

PYTHON ?= python3
BIN := .venv/bin
EXTENSION := vscode-extension
PACKAGED := $(shell find occupancy_lsp presets docs/rules docs/surprises.md -type f ! -name '*.pyc') pyproject.toml README.md
VSIX := $(EXTENSION)/dist/occupancy-lsp.vsix
OWN_VSIX := $(EXTENSION)/dist/occupancy-lsp-$(if $(filter aarch64,$(shell uname -m)),linux-arm64,linux-x64).vsix
# Times in packages are those of the commit, so that it makes the same ones again.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1577836800)
export TZ := UTC

.PHONY: demo test programs lint collected bench validation tables pictures prove fuzz differential requirements vsix wheel release draft editors clean

demo: .venv/installed
	@$(BIN)/occupancy-lsp check examples --hints --fail-on never

# One more than there are cores, for editors and compilers are waited for; each takes over tests that wait for another.
WORKERS = $$(($$(getconf _NPROCESSORS_ONLN) + 1))
test: programs
	@echo "All tests take some 12 minutes on two cores; the first run downloads 1 GB before, and keeps 3 GB."
	$(MAKE) --jobs=3 --output-sync=target lint editors collected
	$(BIN)/python -m pytest -ra --numprocesses $(WORKERS) --dist worksteal

# Programs of the system that tests start; of what cannot be installed is told which tests are skipped.
programs:
	@tests/setup.sh

lint: .venv/developed $(EXTENSION)/node_modules/.package-lock.json
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	node .github/lint.mjs

# pytest keeps what it makes of the tests' assertions: here once, while others wait for downloads, not in each worker.
collected: .venv/developed
	-@$(BIN)/python -m pytest --collect-only -qq >/dev/null 2>&1

bench: .venv/developed
	$(BIN)/python -m benchmarks

# The table of docs/validation.md, from the tests against other people's truth.
validation: .venv/developed
	OCCUPANCY_VALIDATION=docs/validation.md $(BIN)/python -m pytest -q tests/model -k 'truth or adreno or amd_bounds'

# The tables of settings and of rules, from the code.
tables: .venv/developed
	OCCUPANCY_DOCUMENT=1 $(BIN)/python -m pytest -q tests/test_documentation.py -k tables
	$(BIN)/python -m release.schemas

# The pictures of the documentation and of the walkthrough, from the real editor.
pictures: editors
	OCCUPANCY_PICTURES=1 $(BIN)/python -m pytest -q tests/editors/test_vscode.py -k pictures

# Every edit that is offered on real kernels, compiled before and after; KERNELS names folders of further ones.
prove: .venv/developed
	OCCUPANCY_VALIDATION=docs/validation.md $(BIN)/python -m tests.prove -- $(KERNELS)

# Sources, binaries, edits and messages that try to break something: COUNT of each, those that SEED gives.
fuzz: .venv/developed
	$(BIN)/python -m tests.fuzz all $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))

# Drawn programs compiled, run and compared: COUNT of them, those that SEED gives.
differential: .venv/developed
	$(BIN)/python -m tests.differential $(if $(COUNT),--count $(COUNT)) $(if $(SEED),--seed $(SEED))

# The versions that "Install Server" installs, and those of the compiler that the extension offers, with the hashes of all their files, for every Python and system.
requirements: .venv/packaging
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.10 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml --output-file $(EXTENSION)/requirements.txt
	printf '%s>=13.0,<14\n' nvidia-cuda-nvcc nvidia-cuda-crt nvidia-nvvm nvidia-cuda-runtime nvidia-cuda-cccl | \
		$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.10 --generate-hashes --no-emit-index-url --no-header \
		--no-annotate - --output-file $(EXTENSION)/compilers/nvidia.txt

# The package for every platform, which installs its server; vsix-linux-x64 and the like have it.
vsix: $(VSIX)

vsix-%: $(EXTENSION)/dist/occupancy-lsp-%.vsix ;
.PRECIOUS: $(EXTENSION)/dist/occupancy-lsp-%.vsix

wheel: dist/wheel

# All that is published, with checksums, in dist/release; `draft` before the change logs tell of the version.
release draft: dist/wheel $(EXTENSION)/out/extension.js .venv/packaging
	$(BIN)/python -m release $(if $(filter draft,$@),--draft)

# The editors that the tests drive, and the packages of the extension that one of them gets.
editors: .venv/developed $(VSIX) $(OWN_VSIX)
	PATH="$(CURDIR)/$(BIN):$$PATH" tests/editors/setup.sh

clean:
	rm -rf .venv dist $(EXTENSION)/dist $(EXTENSION)/out $(EXTENSION)/node_modules

.venv/installed: pyproject.toml
	test -x $(BIN)/pip || $(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	touch $@

# After the other, so that no two change the environment at a time.
.venv/developed: pyproject.toml .venv/installed .venv/packaging
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,editors]'
	touch $@

.venv/packaging: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	touch $@

dist/wheel: .venv/installed $(PACKAGED)
	rm -f dist/*.whl
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	touch $@

$(EXTENSION)/node_modules/.package-lock.json: $(EXTENSION)/package-lock.json
	npm --prefix $(EXTENSION) ci
	touch $@

$(EXTENSION)/out/extension.js: $(EXTENSION)/node_modules/.package-lock.json $(shell find $(EXTENSION)/src -type f) \
		$(addprefix $(EXTENSION)/,package.json build.mjs)
	npm --prefix $(EXTENSION) run build

PACKAGE := dist/wheel $(EXTENSION)/out/extension.js $(shell find $(EXTENSION)/languages $(EXTENSION)/media release -type f -name '*.*' ! -name '*.pyc') \
		$(addprefix $(EXTENSION)/,requirements.txt .vscodeignore README.md CHANGELOG.md)

$(VSIX): $(PACKAGE)
	$(BIN)/python -m release vsix

$(EXTENSION)/dist/occupancy-lsp-%.vsix: $(PACKAGE) .venv/packaging
	$(BIN)/python -m release vsix $*
