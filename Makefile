# The same commands for people and for continuous integration. Node (20.19 or a later 20, 22.12 or a later 22, 24, 26) and npm are all they need.
.DEFAULT_GOAL := help
.PHONY: help setup build run serve test test-all test-rest alone lint types unit thorough conformance-uws test-nodes fuzz lint-api kills agree bench bench-compare cluster soak sample docs install clean

DATA ?= data/sample
PORT ?= 8080
REQUESTS ?= 200000
SEED ?= 20260
NODES ?= 22 24 26
TESTS ?= test/http/socket test/fuzz test/dependencies/nodeNet.test.ts test/supervisor/supervisor.test.ts \
  $(patsubst %,test/conformance/%.test.ts,drivers socket closing lifecycle hostile http bodies page media edit reader readerForms)

# Where "make install" puts things; DESTDIR goes before each, for packages.
PREFIX ?= /opt/palimpsest
UNITDIR ?= /etc/systemd/system
SYSUSERSDIR ?= /etc/sysusers.d
SHAREDIR ?= /usr/local/share
COMPLETIONS = bash:bash-completion/completions/palimpsest zsh:zsh/site-functions/_palimpsest fish:fish/vendor_completions.d/palimpsest.fish
INSTALLED = $(DESTDIR)$(PREFIX)

help: ## this list
	@awk -F':.*## ' '/^[a-z0-9 -]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

node_modules/.package-lock.json: package.json package-lock.json .npmrc
	npm ci --loglevel=error
	@touch $@

dist/.built: node_modules/.package-lock.json build.mjs tsconfig.json tsconfig.build.json $(shell find src -name '*.ts')
	npm run --silent build
	@touch $@

setup: dist/.built ## install the packages and build

build: dist/.built

run: setup ## import the sample wiki (first time only) and serve it on port 8080, or PORT=…
	bin/palimpsest import --data-dir $(DATA) sample/handbook.xml
	bin/palimpsest site set --data-dir $(DATA) licenseUrl https://creativecommons.org/publicdomain/zero/1.0/
	bin/palimpsest site set --data-dir $(DATA) licenseTitle 'CC0 1.0'
	bin/palimpsest files import --data-dir $(DATA) --user 'Mehmet Yıldız' sample/files
	@[ $(PORT) = 8080 ] || echo 'The examples of the handbook name port 8080; here it is $(PORT).'
	bin/palimpsest serve --data-dir $(DATA) --port $(PORT)

test: setup ## lint, types, and the tests that catch ordinary faults: five minutes on two cores
	@TIER=fast $(MAKE) --no-print-directory --jobs=2 lint unit

test-all: setup ## lint, types and all tests: twenty minutes on two cores
	@$(MAKE) --no-print-directory --jobs=2 lint unit

test-rest: setup ## the files of tests in which make test left something out, with their usual rounds
	@TIER=rest $(MAKE) --no-print-directory unit

# A folder beside the checkout can hide what is missing in it: tests of recordings, for example, need `../shared`.
alone: setup ## collect all tests, and run some, in a clone of the last commit with nothing beside it
	rm -rf data/alone
	git clone --quiet . data/alone/palimpsest
	ln -s ../../../node_modules data/alone/palimpsest/node_modules
	cd data/alone/palimpsest && npx vitest list > /dev/null && \
	  npx vitest run --project all --project shared test/domain test/dump test/diff test/edit

lint-api: setup ## lint the API's description with the linters of Redocly and Stoplight, which npx fetches
	mkdir -p data && node test/support/writeDescription.mjs > data/openapi.json
	npx --yes @redocly/cli@2.77.0 lint --config redocly.yaml data/openapi.json
	npx --yes @stoplight/spectral-cli@6.16.3 lint --ruleset .spectral.yaml --fail-severity hint data/openapi.json

# Checks types too.
lint: setup
	npm run --silent lint

types: setup
	npm run --silent types

unit: setup
	npm run --silent test

thorough: setup ## all tests with all their rounds: kills in the middle of edits and imports
	THOROUGH=1 npm run --silent test

conformance-uws: setup ## the conformance tests on uWebSockets.js; make test-all runs a part of them
	PALIMPSEST_HTTP=uws npx vitest run --project all --project shared test/conformance test/supervisor

# The HTTP driver, and hostile requests, on the Nodes that people run. TESTS="test/conformance test/supervisor" is the long form.
test-nodes: setup ## the tests of the HTTP driver on each of NODES, which npx fetches; TESTS chooses others
	@status=0; for node in $(NODES); do \
	  if npx --yes --ignore-scripts=false -p node@$$node node --version; then \
	    FUZZ_REQUESTS=$${FUZZ_REQUESTS:-1000} npx --yes --ignore-scripts=false -p node@$$node \
	      node node_modules/vitest/vitest.mjs run --project all --project shared $(TESTS) || status=1; \
	  else echo "npx cannot get Node $$node: NOT tested on it"; fi; \
	done; exit $$status

fuzz: setup ## send REQUESTS hostile requests (200,000 unless given; SEED chooses others)
	FUZZ_REQUESTS=$(REQUESTS) FUZZ_SEED=$(SEED) npx vitest run test/fuzz

kills: setup ## kill instances behind each proxy for a minute, under load with edits
	KILLS=20 KILL_PAUSE_MS=3000 npx vitest run test/deploy/kills.test.ts

agree: setup ## ask a MediaWiki (MEDIAWIKI=URL of its rest.php) and this server the same by chance
	@test -n '$(MEDIAWIKI)' || { echo 'Say which: make agree MEDIAWIKI=http://127.0.0.1/w/rest.php'; exit 1; }
	MEDIAWIKI='$(MEDIAWIKI)' npx vitest run $(or $(TESTS),test/agreement/agreement.test.ts)

bench: setup ## measure: see bench/README.md; BENCH="import --history" chooses
	node bench/run.mjs $(BENCH)

bench-compare: setup ## measure this checkout against the commit REF; BENCH chooses
	node bench/compare.mjs $(REF) $(BENCH)

cluster: setup ## break a cluster of three nodes, and check that no edit is lost: CLUSTER="--quick" for a look
	node node_modules/typescript/bin/tsc -p bench
	node bench/results/build/bench/cluster.js $(CLUSTER)

soak: setup ## ten million mixed requests with edits: does memory stay flat? SOAK="--requests 100000" for a look
	node node_modules/typescript/bin/tsc -p bench
	node bench/results/build/bench/soak.js $(SOAK)

install: ## copy the program to PREFIX (/opt/palimpsest), systemd units to UNITDIR, completions to SHAREDIR; after make setup
	@test -f dist/cli/start.js || { echo 'Build it first: make setup'; exit 1; }
	@test -n '$(PREFIX)' || { echo 'PREFIX is empty'; exit 1; }
	rm -rf '$(INSTALLED)/dist' '$(INSTALLED)/node_modules'
	install -d '$(INSTALLED)' '$(DESTDIR)$(UNITDIR)' '$(DESTDIR)$(SYSUSERSDIR)'
	@# Packages that are needed to run, and the links to those in packages/; of the HTTP library the binary for this Node alone, the others take 110 MB.
	{ npm ls --omit=dev --all --parseable 2>/dev/null | sed -n 's#^$(CURDIR)/##p'; \
	  find node_modules -type l -not -path '*/.bin/*'; \
	  printf '%s\n' packages bin dist languages package.json LICENSE README.md CHANGELOG.md docs; } \
	  | tar -cf - --exclude='uws_*.node' --exclude='dist/.*' -T - | tar -xf - --no-same-owner -C '$(INSTALLED)'
	@# None for a later Node: node:net serves there.
	binary=node_modules/uWebSockets.js/$$(node -p '`uws_$${process.platform}_$${process.arch}_$${process.versions.modules}.node`'); \
	  test ! -e "$$binary" || install -m 644 "$$binary" "$(INSTALLED)/$$binary"
	for unit in palimpsest.service palimpsest-follow.service palimpsest-backup.service palimpsest-backup.timer; do \
	  sed 's#/opt/palimpsest#$(PREFIX)#g' deploy/$$unit > "$(DESTDIR)$(UNITDIR)/$$unit" && chmod 644 "$(DESTDIR)$(UNITDIR)/$$unit" || exit 1; done
	install -m 644 deploy/palimpsest.sysusers '$(DESTDIR)$(SYSUSERSDIR)/palimpsest.conf'
	@# Where bash-completion, zsh and fish look.
	for each in $(COMPLETIONS); do file="$(DESTDIR)$(SHAREDIR)/$${each#*:}"; \
	  install -d "$${file%/*}" && '$(INSTALLED)/bin/palimpsest' completion "$${each%%:*}" > "$$file" && chmod 644 "$$file" || exit 1; done
	'$(INSTALLED)/bin/palimpsest' --version

clean: ## remove what was built and imported
	rm -rf dist node_modules data
