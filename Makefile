# Carillon. `make help` lists the targets.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# What the build needs beyond Swift itself (GRDB links SQLite), and the typeface of the phones on the page.
BUILD_PACKAGES := fonts-inter libpq-dev libsqlite3-dev pkg-config zlib1g-dev
# What the tests need: other HTTP/2 clients for the simulator, openssl to check certificate requests, a browser for the page,
# Node.js and Ruby for the examples of docs/sign-in.md (18 MB together), the TypeScript compiler for clients/typescript (7 MB).
TEST_PACKAGES := ca-certificates chromium-headless-shell curl jq nghttp2-client node-typescript nodejs openssl postgresql python3-venv ruby tinyproxy-bin

# Tests that start programs run separately: Foundation watches its child processes with select(), which is limited to 1024
# descriptors, and other tests use hundreds of sockets.
PROGRAM_TESTS := ^(CarillonSimulatorTests|ParcelTests|RoundTripTests)\.|\.(ExtensionMemory|HistoryRepetition|PeerName)Tests/
# Tests leave nothing in the temporary folder, also when they are interrupted.
OWN_TMP := scripts/own-temporary-folder.sh
SWIFT_TEST := $(OWN_TMP) scripts/swift-test.sh
BROWSER_TEST := .venv/bin/python -m pytest -p no:cacheprovider --quiet --durations 5
# One more than the cores that CI has: a test often waits for time to pass on a phone.
BROWSER_WORKERS := -n 3 --dist worksteal

# Nobody debugs what CI builds. (SwiftPM needs the index to find the tests.)
ifneq ($(COVERAGE)$(CI),)
BUILD_FLAGS := -debug-info-format none
endif

# With COVERAGE=1 everything is built with coverage, and no target's line coverage may fall below its floor in
# Tests/coverage.json, as in .ci/run. Otherwise not: a build with coverage and one without rebuild everything for each other.
ifneq ($(COVERAGE),)
COVERAGE_FLAGS := --enable-code-coverage
export LLVM_PROFILE_FILE := $(CURDIR)/.build/coverage/%p.profraw
endif

# Warnings are errors where this package is built for itself. Set it too before a `swift build` of your own, or the one and the
# other rebuild everything for each other.
export CARILLON_STRICT := 1

# macOS has no UIKit: there `make` builds what does without it. Package.swift says what each of its views has.
ifeq ($(shell uname),Darwin)
export CARILLON_PLATFORM ?= mac
endif

SWIFT_SOURCES := Package.swift Sources Tests Examples Benchmarks Fuzz

.PHONY: help
help: ## Lists the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/' | expand -t 24

.PHONY: setup
setup:
	@command -v swift >/dev/null || { echo "error: Swift 6.2 or newer is needed: https://www.swift.org/install/" >&2; exit 1; }
	@scripts/install-system-packages.sh $(BUILD_PACKAGES)

.PHONY: test-setup
test-setup: setup .venv/ready .venv/docs
	@scripts/install-system-packages.sh $(TEST_PACKAGES)

.venv/ready: Tests/requirements.txt
	@scripts/install-system-packages.sh $(TEST_PACKAGES)
	@echo "Creating .venv with the Python packages of Tests/requirements.txt"
	@python3 -m venv .venv && .venv/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements.txt
	@touch $@

# A site needs neither Swift nor what the tests need.
.venv/docs: Tests/requirements-docs.txt
	@scripts/install-system-packages.sh python3-venv
	@python3 -m venv .venv && .venv/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements-docs.txt
	@touch $@

.PHONY: docs
docs: .venv/docs ## Makes one site of all pages in .build/docs: searchable, without server or network (ARGS="--to FOLDER")
	@.venv/bin/python scripts/docs.py $(ARGS)

.PHONY: build
build: setup ## Builds everything for development
	swift build

.PHONY: up
up: setup ## Runs the service, a simulated APNs and two iPhones at http://127.0.0.1:8080
	swift build --product carillon-phones
	@exec "$$(swift build --show-bin-path)/carillon-phones" up $(ARGS)

.PHONY: demo
demo: setup ## Runs the round trip without a browser and prints every step
	swift build --product carillon
	swift build --product carillon-phones
	@exec "$$(swift build --show-bin-path)/carillon-phones" demo $(ARGS)

# ONLY narrows a run to suites by their names, `make test ONLY="PeerNameTests|FaultTests"`, or to a file of the browser's tests,
# `make test ONLY=test_presets`.
PHASE := scripts/phase.sh
.PHONY: test
ifeq ($(ONLY),)
test: test-setup ## Installs what the tests need, then runs every test (ONLY=PeerNameTests narrows it)
	@rm -rf .build/coverage .build/phases
	@scripts/leftovers.py --note .build/leftovers.json
	@$(PHASE) lint $(MAKE) --no-print-directory lint
	@$(PHASE) build swift build --build-tests $(COVERAGE_FLAGS) $(BUILD_FLAGS)
	@$(PHASE) swift-tests $(SWIFT_TEST) --skip '$(PROGRAM_TESTS)'
	@$(PHASE) program-tests $(SWIFT_TEST) --filter '$(PROGRAM_TESTS)'
	@CARILLON="$$(swift build --show-bin-path)/carillon" $(PHASE) ferry $(OWN_TMP) timeout --foreground 600 \
		swift test $(BUILD_FLAGS) --package-path Examples/Ferry --scratch-path .build/ferry
	@$(PHASE) openapi $(OWN_TMP) .venv/bin/python -m pytest -p no:cacheprovider --quiet Tests/OpenAPI
	@$(PHASE) clients $(OWN_TMP) .venv/bin/python -m pytest -p no:cacheprovider --quiet Tests/Clients
	@$(PHASE) host-it $(OWN_TMP) .venv/bin/python -m pytest -p no:cacheprovider --quiet Tests/HostIt
	@$(PHASE) release $(OWN_TMP) .venv/bin/python -m pytest -p no:cacheprovider --quiet Tests/Release
	@$(PHASE) pages $(OWN_TMP) .venv/bin/python -m pytest -p no:cacheprovider --quiet -rs Tests/Pages
	@$(PHASE) site $(OWN_TMP) .venv/bin/python -m pytest -p no:cacheprovider --quiet Tests/Site
	@$(PHASE) check-apple scripts/check-apple.py --modules "$$(swift build --show-bin-path)/Modules"
	@$(PHASE) browser $(OWN_TMP) $(BROWSER_TEST) $(BROWSER_WORKERS) Tests/Browser
	$(if $(COVERAGE_FLAGS),@$(PHASE) coverage scripts/coverage.py --profiles .build/coverage --build "$$(swift build --show-bin-path)")
	@scripts/leftovers.py --check .build/leftovers.json
	@scripts/phases.py
else
test: test-setup
	swift build --build-tests $(BUILD_FLAGS)
	$(if $(filter test_%,$(ONLY)),$(OWN_TMP) $(BROWSER_TEST) Tests/Browser/$(ONLY).py,$(SWIFT_TEST) --filter '$(ONLY)')
endif

.PHONY: build-report
build-report: setup ## Builds from nothing and tells where the time went (ARGS="-- --build-tests")
	@scripts/build-report.py $(ARGS)

.PHONY: check-apple
check-apple: setup ## Compiles the SDK and the examples against declarations as strict as Apple's, and compares ours with them
	swift build
	scripts/check-apple.py $(ARGS)

# SEED repeats what happened; without it one is drawn. make test plays one round of a drawn one.
.PHONY: simulate
simulate: test-setup ## Kills, stops and starves the service for MINUTES=10, from SEED, and looks at what the phones show
	swift build --build-tests
	@export SEED="$${SEED:-$$RANDOM}" MINUTES="$${MINUTES:-10}"; echo "SEED=$$SEED MINUTES=$$MINUTES"; \
	    $(OWN_TMP) swift test --skip-build --filter 'RoundTripTests.(Simulation|PostgreSQLFault)Tests'

.PHONY: prove
prove: setup ## Plays every history of the SDK up to a bound (release build; ARGS="--bound 4 --minutes 60")
	swift build --configuration release --product Prove
	@"$$(swift build --configuration release --show-bin-path)/Prove" $(ARGS)

.PHONY: test-plants
test-plants: setup ## Plants faults in a copy of the SDK, and requires that the search of all histories finds them
	@scripts/prove-plants.py $(ARGS)

# SEEDS are those of the random calls: make test plays 1, 2 and four drawn ones, and two of them with many callers at once.
.PHONY: test-long
test-long: test-setup ## Runs what takes too long for every test run: more faults of PostgreSQL, more random runs (SEEDS=1-20)
	swift build --build-tests
	CARILLON_LONG_TESTS=1 $(SWIFT_TEST) --filter 'RoundTripTests.PostgreSQL'
	CARILLON_STORE_SEEDS="$${SEEDS:-1-20}" $(SWIFT_TEST) --filter StoreReferenceTests
	CARILLON_SEED="$${DELIVERY_SEEDS:-1000-1500}" $(SWIFT_TEST) --filter AssuredDeliveryTests

# make test runs these where PgBouncer is installed.
.PHONY: test-pooler
test-pooler: test-setup ## Installs PgBouncer and runs the service behind it
	@scripts/install-system-packages.sh pgbouncer
	swift build --build-tests
	$(SWIFT_TEST) --filter '[pP]ooler|PostgreSQLFaultTests/pooled'

# The alarm rules and the dashboard, against Debian's Prometheus and a running service.
.PHONY: test-alarms
test-alarms: setup ## Installs Prometheus, makes each alarm fire, and scrapes a running service
	@scripts/install-system-packages.sh openssl prometheus python3
	swift build --product carillon
	@$(OWN_TMP) scripts/test-alarms.py "$$(swift build --show-bin-path)/carillon"

.PHONY: test-all
test-all: ## Runs every target that tests or measures, one after the other, and ends with a table (ARGS="fuzz simulate")
	@scripts/test-all.sh $(ARGS)

.PHONY: test-threads
test-threads: test-setup ## Runs the concurrent tests under ThreadSanitizer (ARGS="CarillonAPNsTests")
	scripts/threads/run.sh $(ARGS)

.PHONY: fuzz
fuzz: setup ## Runs the parsers of outside input with libFuzzer, 60 s each (ARGS="--seconds 10 frames")
	scripts/fuzz.sh $(ARGS)

# SEED repeats the draws; without it one is drawn. make test plays a few seconds of a drawn one.
.PHONY: fuzz-page
fuzz-page: test-setup ## Sends any payloads and presses to all apps of carillon up for MINUTES=10, from SEED; nothing may end it
	swift build --product carillon
	swift build --product carillon-phones
	@$(OWN_TMP) .venv/bin/python scripts/fuzz-page.py --carillon "$$(swift build --show-bin-path)/carillon" \
	    --minutes "$${MINUTES:-10}" $${SEED:+--seed "$$SEED"} $(ARGS)

.PHONY: bench-client
bench-client: test-setup ## Compares the APNs client with h2load (release build; ARGS="--runs 1")
	@scripts/install-system-packages.sh nghttp2-server
	swift build --configuration release --product carillon
	swift build --configuration release --product Sender
	@Benchmarks/client/bench.py --carillon "$$(swift build --configuration release --show-bin-path)/carillon" \
		--output .build/bench-client.json $(ARGS)

.PHONY: bench-phone
bench-phone: setup ## Measures simulated phones, also to .build/bench-phone.json
	swift build --configuration release --product carillon-phones
	"$$(swift build --configuration release --show-bin-path)/carillon-phones" bench phone --json .build/bench-phone.json $(ARGS)

.PHONY: bench-page
bench-page: test-setup ## Measures how the page keeps up with a flood, also to .build/bench-page.json
	@scripts/install-system-packages.sh chromium
	swift build --product carillon-phones
	.venv/bin/python Benchmarks/page/bench.py --carillon "$$(swift build --show-bin-path)/carillon-phones" \
	    --json .build/bench-page.json $(ARGS)

.PHONY: film
film: test-setup ## Films the picture of README.md anew: docs/screenshots/recall.gif
	swift build --product carillon
	swift build --product carillon-phones
	.venv/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements-film.txt
	.venv/bin/python scripts/film.py $(ARGS)

.venv-senders/ready: Tests/requirements-senders.txt
	@scripts/install-system-packages.sh $(TEST_PACKAGES)
	@echo "Creating .venv-senders with the Python packages of Tests/requirements-senders.txt"
	@python3 -m venv .venv-senders && \
	    .venv-senders/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements-senders.txt
	@touch $@

# Too large to install for every test run: make test runs these senders and servers only where they are installed.
SENDER_PACKAGES := openjdk-17-jdk-headless junit5 golang-go nginx-light nghttp2-server libjetty9-java libjetty9-extra-java

.PHONY: test-senders
test-senders: test-setup .venv-senders/ready ## Installs Java, Go, Jetty, nginx and nghttpd; runs senders against the simulator, the clients against servers
	@scripts/install-system-packages.sh $(SENDER_PACKAGES)
	swift build --build-tests
	$(SWIFT_TEST) --filter 'SenderLanguageTests|SimulatorOptionTests|ThirdPartyTests'
	$(OWN_TMP) .venv/bin/python -m pytest -p no:cacheprovider --quiet Tests/Clients
	timeout --foreground 600 .venv-senders/bin/python Tests/Senders/matrix/matrix.py "$$(swift build --show-bin-path)/carillon"
	timeout --foreground 600 .venv-senders/bin/python Tests/Senders/servers/servers.py "$$(swift build --show-bin-path)/carillon"

# For the comparison of the simulator: h2load sends; nginx and a Go server respond without any checks.
BENCH_SIMULATOR_PACKAGES := nghttp2-client nginx-light golang-go openssl

.PHONY: bench-simulator
bench-simulator: setup .venv/ready ## Compares the simulator with nginx and a Go server
	@scripts/install-system-packages.sh $(BENCH_SIMULATOR_PACKAGES)
	swift build --configuration release --product carillon
	@mkdir -p .build/bench
	.venv/bin/python Benchmarks/simulator/bench.py --json .build/bench/simulator.json \
	    --carillon "$$(swift build --configuration release --show-bin-path)/carillon" $(ARGS)

# wrk calls the service; the database is in .build, on the disk that is measured.
.PHONY: bench-service
bench-service: setup ## Measures what accepting messages costs, also to .build/bench-service.json
	@scripts/install-system-packages.sh wrk python3
	swift build --configuration release --product carillon --scratch-path .build-bench
	@mkdir -p .build
	Benchmarks/service/bench.py --folder .build --json .build/bench-service.json \
	    --carillon "$$(swift build --configuration release --scratch-path .build-bench --show-bin-path)/carillon" $(ARGS)

.PHONY: bench-live
bench-live: setup ## Measures a Live Activity for 200,000 phones, also to .build/bench-live.json
	@scripts/install-system-packages.sh python3
	swift build --configuration release --product carillon --scratch-path .build-bench
	@mkdir -p .build
	Benchmarks/service/live.py --json .build/bench-live.json \
	    --carillon "$$(swift build --configuration release --scratch-path .build-bench --show-bin-path)/carillon" $(ARGS)

.PHONY: attack
attack: setup ## Plays what an attacker can do to another app, for ten minutes against a release build, and ends with a table
	@scripts/install-system-packages.sh nginx-light openssl postgresql python3
	swift build --configuration release --product carillon --scratch-path .build-bench
	@mkdir -p .build
	Benchmarks/attack/attack.py --folder .build \
	    --carillon "$$(swift build --configuration release --scratch-path .build-bench --show-bin-path)/carillon" $(ARGS)

.PHONY: package
package: setup .venv/ready ## Makes a Debian package and a Python wheel of the simulator, to be installed without Swift
	@scripts/install-system-packages.sh binutils dpkg libcurl4-openssl-dev
	scripts/package.sh

.PHONY: release
release: package ## Makes and checks all files of a release in .build/release-files (ARGS=--final refuses what is not ready)
	scripts/release.py make --swift "$$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)" $(ARGS)

.PHONY: test-package
test-package: package ## Installs, starts, upgrades and removes them in a Debian without Swift, and plays docs/host-it.md (needs root)
	@scripts/install-system-packages.sh buildah curl debootstrap iproute2 openssl systemd-container
	scripts/test-package.sh

.PHONY: format
format: ## Formats the Swift code in place
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

.PHONY: lint
lint: ## Checks formatting and style without changes
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

.PHONY: clean
clean: ## Removes build results
	rm -rf .venv .venv-senders .build-package
	swift package clean
