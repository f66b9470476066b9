# The same commands for people and for continuous integration. Node (20.19 or a later 20, 22.12 or a later 22) and npm are all they need.
.DEFAULT_GOAL := help
.PHONY: help setup build run serve test lint types unit thorough fuzz kills agree bench bench-compare soak sample docs clean

DATA ?= data/sample
PORT ?= 8080
REQUESTS ?= 200000
SEED ?= 20260

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

node_modules/.package-lock.json: package.json package-lock.json .npmrc
	npm ci --loglevel=error
	@touch $@

dist/.built: node_modules/.package-lock.json tsconfig.json tsconfig.build.json $(shell find src -name '*.ts')
	npm run --silent build
	@touch $@

setup: dist/.built ## install the packages and build

build: dist/.built

run: setup ## import the sample wiki (first time only) and serve it on port 8080, or PORT=…
	bin/palimpsest import --data-dir $(DATA) sample/handbook.xml
	bin/palimpsest files import --data-dir $(DATA) --user 'Mehmet Yıldız' sample/files
	bin/palimpsest serve --data-dir $(DATA) --port $(PORT)

test: setup ## every check: lint, types, tests; all at once, tests take longest
	@$(MAKE) --no-print-directory --jobs=3 lint types unit

lint: setup
	npm run --silent lint

types: setup
	npm run --silent types

unit: setup
	npm run --silent test

thorough: setup ## every test with all its rounds: kills in the middle of edits and imports
	THOROUGH=1 npm run --silent test

fuzz: setup ## send REQUESTS hostile requests (200,000 unless given; SEED chooses others)
	FUZZ_REQUESTS=$(REQUESTS) FUZZ_SEED=$(SEED) npx vitest run test/fuzz

kills: setup ## kill instances behind each proxy for a minute, under load with edits
	KILLS=20 KILL_PAUSE_MS=3000 npx vitest run test/deploy/kills.test.ts

agree: setup ## ask a MediaWiki (MEDIAWIKI=URL of its rest.php) and this server the same by chance
	@test -n '$(MEDIAWIKI)' || { echo 'Say which: make agree MEDIAWIKI=http://127.0.0.1/w/rest.php'; exit 1; }
	MEDIAWIKI='$(MEDIAWIKI)' npx vitest run test/agreement

bench: setup ## measure: see bench/README.md; BENCH="import --history" chooses
	node bench/run.mjs $(BENCH)

bench-compare: setup ## measure this checkout against the commit REF; BENCH chooses
	node bench/compare.mjs $(REF) $(BENCH)

soak: setup ## ten million mixed requests with edits: does memory stay flat? SOAK="--requests 100000" for a look
	node node_modules/typescript/bin/tsc -p bench
	node bench/results/build/bench/soak.js $(SOAK)

clean: ## remove what was built and imported
	rm -rf dist node_modules data
