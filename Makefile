# Carillon. `make help` lists what there is.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# What the build needs beyond Swift itself (GRDB links SQLite).
BUILD_PACKAGES := libsqlite3-dev

.PHONY: help
help: ## Lists the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/' | expand -t 18

.PHONY: setup
setup:
	@command -v swift >/dev/null || { echo "error: Swift 6.2 or newer is needed: https://www.swift.org/install/" >&2; exit 1; }
	@scripts/install-system-packages.sh $(BUILD_PACKAGES)

.PHONY: build
build: setup ## Builds everything for development
	swift build

.PHONY: test
test: setup lint ## Does all set-up, then runs every test
	swift build --build-tests
	swift test --skip-build

.PHONY: format
format: ## Formats the Swift code in place
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples

.PHONY: lint
lint: ## Checks formatting and style, changes nothing
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples

.PHONY: clean
clean: ## Removes what was built
	swift package clean
