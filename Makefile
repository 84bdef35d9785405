# Carillon. `make help` lists what there is.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# What the build needs beyond Swift itself (GRDB links SQLite).
BUILD_PACKAGES := libsqlite3-dev
# What the tests need: foreign clients for the simulator, a judge of certificate requests, a browser for the page.
TEST_PACKAGES := ca-certificates chromium curl jq nghttp2-client openssl python3-venv

# Tests that start programs run by themselves: Foundation watches its child processes with select(), which knows only
# 1024 descriptors, and hundreds of sockets of other tests would use them up. Five minutes are many times what they take.
PROGRAM_TESTS := ^(CarillonSimulatorTests|RoundTripTests)\.
SWIFT_TEST := timeout --foreground 300 swift test --skip-build

SWIFT_SOURCES := Package.swift Sources Tests Examples

.PHONY: help
help: ## Lists the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/' | expand -t 18

.PHONY: setup
setup:
	@command -v swift >/dev/null || { echo "error: Swift 6.2 or newer is needed: https://www.swift.org/install/" >&2; exit 1; }
	@scripts/install-system-packages.sh $(BUILD_PACKAGES)

.PHONY: test-setup
test-setup: setup .venv/ready
	@scripts/install-system-packages.sh $(TEST_PACKAGES)

.venv/ready: Tests/requirements.txt
	@scripts/install-system-packages.sh $(TEST_PACKAGES)
	@echo "Creating .venv with the Python packages of Tests/requirements.txt"
	@python3 -m venv .venv && .venv/bin/pip install --quiet --disable-pip-version-check --requirement Tests/requirements.txt
	@touch $@

.PHONY: build
build: setup ## Builds everything for development
	swift build

.PHONY: up
up: setup ## Runs service, simulated APNs and two iPhones at http://127.0.0.1:8080
	swift build --product carillon
	@exec "$$(swift build --show-bin-path)/carillon" up $(ARGS)

.PHONY: demo
demo: setup ## Plays the round trip without a browser and prints every step
	swift build --product carillon
	@exec "$$(swift build --show-bin-path)/carillon" demo $(ARGS)

.PHONY: test
test: test-setup lint ## Does all set-up, then runs every test
	swift build --build-tests
	$(SWIFT_TEST) --skip '$(PROGRAM_TESTS)'
	$(SWIFT_TEST) --filter '$(PROGRAM_TESTS)'
	CARILLON="$$(swift build --show-bin-path)/carillon" timeout --foreground 600 \
		swift test --package-path Examples/Ferry --scratch-path .build/ferry
	.venv/bin/python -m pytest -p no:cacheprovider --quiet Tests/Browser

.PHONY: format
format: ## Formats the Swift code in place
	swift format --in-place --recursive --parallel $(SWIFT_SOURCES)

.PHONY: lint
lint: ## Checks formatting and style, changes nothing
	swift format lint --strict --recursive --parallel $(SWIFT_SOURCES)

.PHONY: clean
clean: ## Removes what was built
	rm -rf .venv
	swift package clean
