# One interface to everything that a developer does; CI calls it, too.

.PHONY: kit new-game house league run test test-rust test-rules test-python python-tests test-typescript typescript-tests test-java java-tests test-go go-tests go-generated go-module test-examples test-page docs docs-site test-docs docs-tests test-long lint lint-rust lint-docs lint-deny lint-proto lint-python lint-typescript lint-java lint-go lint-site site-lint lint-words python-lint typescript-lint java-lint go-lint words-lint test-install install-tests install-tools lint-install install-lint deploy-generate bench help

help:
	@echo "make run        run a server on loopback, with a match of each game to see, and say what to type next"
	@echo "make test       all tests, at the volumes that CI uses"
	@echo "make test-long  all tests, at full volumes with fresh seeds; PART=$(firstword $(PARTS)) is one part ($(PARTS))"
	@echo "make lint       formatting and lints"
	@echo "make wheels     the packages for Python, with the server and the command in them: target/wheels"
	@echo "make conformance  what every client does with a server, on one that runs with SERVER=HOST:PORT"
	@echo "make league     the house bots of every game among themselves; the page of it is target/league/index.html"
	@echo "make docs       the pages of docs/ as a site, which \`make run\` then serves under /docs: target/docs"
	@echo "make bench      the benchmarks (docs/performance.md)"
	@echo "make kit        all that one game is held to: GAME=$(GAME); with SWITCH=1 its rules switched off one by one, too"
	@echo "make new-game   a game under NAME=..., made from the specimen; it builds and passes the kit"
	@echo "make house      counts of the engine's shape"

# In CI a Cargo.lock that is not up to date with the manifests is a fault; elsewhere cargo mends it.
LOCKED = $(if $(CI),--locked)

# The site, if it was built: Rust alone is enough without it.
BUILT_DOCS = $(wildcard target/docs/index.html)

# The command line of the server that `make run` starts.
SERVE = env EDGEHILL_EXHIBITION=true $(if $(BUILT_DOCS),EDGEHILL_DOCS__FOLDER=target/docs) target/quick/edgehill-server --config deploy/edgehill.toml --store target/run

run:
	@echo "The server and the command are built; the first time that takes three to six minutes on two cores."
	cargo build $(LOCKED) --profile quick -p edgehill -p edgehill-service
	@url=http://127.0.0.1:7400; edgehill="target/quick/edgehill --server $$url"; \
	echo "A server starts on $$url, and house bots play a match of each game. In another terminal:"; \
	echo; \
	echo "  $$edgehill matches            what is played, with the id of each match"; \
	echo "  $$edgehill watch MATCH        a match from now on; one that is over, from its beginning"; \
	echo "  $$edgehill play skirmish      you against a house bot"; \
	echo "  $$edgehill export MATCH       its record, which \`target/quick/edgehill verify FILE\` checks"; \
	echo; \
	$(if $(BUILT_DOCS),echo "The pages of docs/ are at $$url/docs/.";) \
	echo "Ctrl-C stops it; what was played is kept in target/run. docs/server.md is its manual, docs/api.md that of clients."
	@exec $(SERVE)

# Each part says what it does and how long that takes as a rule, on two cores: with nothing built before, and after that.
# The suites beside Rust wait for servers, browsers and downloads half of their time: three run at once, the longest first, and each says all when it
# ends.
SUITES = test-install test-examples test-rules test-java test-page test-python test-go test-typescript test-wheels test-docs
.PHONY: suites prepared
test: test-rust suites
suites: prepared
	$(SAY) "The other suites, three at once: $(SUITES:test-%=%)"
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=recurse $(SUITES)

# What several suites need, which none may make beside another.
prepared: server-binary
	$(call with-python,target/python/installed,the package for Python)
	$(call with-node,$(TYPESCRIPT)/node_modules/.package-lock.json,the packages of clients/typescript)
	$(call with-go,go-generated,the messages in Go)

GRPCURL = github.com/fullstorydev/grpcurl/cmd/grpcurl@v1.9.4
SAY = @printf '\n== %s\n'

# Patroni, as operators of a replicated database have it, for the tests of a cluster of nodes.
target/patroni/installed: service/tests/durable/nodes/requirements.txt
	@$(PYTHON) -m venv target/patroni
	@target/patroni/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

test-rust:
	$(SAY) "Rust: all crates and their tests are built (13 minutes; 2), then run (15 minutes)"
	@if [ -z "$$CI" ] && ! command -v initdb >/dev/null && ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then \
		echo "skipped: the tests of stores on PostgreSQL (no initdb)"; \
	fi
	$(call with-python,target/patroni/installed,the cluster of database nodes)
	cargo test $(LOCKED) --workspace

# The games, by their folders of code.
GAMES = $(patsubst engine/src/games/%/mod.rs,%,$(wildcard engine/src/games/*/mod.rs))

# Rules switched off one by one, each against the tests that bear its name (docs/adding-a-game.md).
# `--workspace`, not `-p`: then what the engine needs is built with the features of all the other steps, which is once.
RULE_SWITCH = cargo test $(LOCKED) --workspace --features edgehill-engine/rule-switch $(GAMES:%=--test %) --test rule_switch
test-rules:
	$(SAY) "Rules switched off one by one: the engine is built with the switch (3 minutes; 1), then tested (10 seconds)"
	$(RULE_SWITCH) --quiet switch

# A suite whose toolchain is missing is named and skipped, but never in CI.
PYTHON ?= python3
define with-python
+@if $(PYTHON) -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	$(MAKE) --no-print-directory $(1); \
elif [ -n "$$CI" ]; then \
	echo "Python 3.11 with venv and pip is missing"; exit 1; \
else \
	echo "skipped: $(2) (no Python 3.11 with venv and pip)"; \
fi
endef

test-python:
	$(SAY) "Python: a virtualenv with the package (1 minute), then its tests against a server (2 minutes)"
	$(call with-python,python-tests,the tests of clients/python)

# Against a server of this checkout, or the one that EDGEHILL_SERVER_BIN names.
python-tests: target/python/installed server-binary
	@cd clients/python && ../../target/python/bin/python -m unittest discover --quiet --start-directory tests

# The package, as pip installs it for a user, in a virtualenv of its own.
target/python/installed: $(wildcard clients/python/*.* clients/python/src/edgehill/*.* clients/python/src/edgehill/aio/*.* proto/edgehill/v1/*.proto) \
		clients/python/src/edgehill/v1/__init__.py
	@$(PYTHON) -m venv target/python
	@target/python/bin/pip install --quiet --disable-pip-version-check './clients/python[test]'
	@touch $@

# The packages for Python as wheels: the client, and the server with the command, which whoever installs them needs no Rust for.
PIP_WHEEL = target/python/bin/pip wheel --quiet --disable-pip-version-check --no-deps
.PHONY: wheels test-wheels wheel-tests
wheels: target/python/installed
	cargo build $(LOCKED) --profile dist -p edgehill -p edgehill-service
	@rm -rf target/wheels && mkdir -p target/wheels
	$(PIP_WHEEL) --wheel-dir target/wheels ./clients/python ./clients/python/server

# The same with the programs that the tests are built with, into a fresh virtualenv, and a match.
test-wheels: server-binary
	$(SAY) "Wheels: the packages for Python are built, installed, and a match is played (1 minute)"
	$(call with-python,wheel-tests,the wheels of clients/python)
wheel-tests: target/python/installed
	@rm -rf target/test-wheels && mkdir -p target/test-wheels/programs
	@for program in edgehill edgehill-server; do \
		strip -o target/test-wheels/programs/$$program target/debug/$$program && chmod +x target/test-wheels/programs/$$program || exit 1; \
	done
	@EDGEHILL_BINARIES=$(CURDIR)/target/test-wheels/programs $(PIP_WHEEL) --wheel-dir target/test-wheels ./clients/python ./clients/python/server
	@$(PYTHON) clients/python/tests/cold_start.py target/test-wheels

define with-node
+@if command -v npm >/dev/null && node -e 'const [major, minor] = process.versions.node.split("."); process.exit(major * 100 + +minor < 2019 ? 1 : 0)' 2>/dev/null; then \
	$(MAKE) --no-print-directory $(1); \
elif [ -n "$$CI" ]; then \
	echo "Node 20.19 with npm is missing"; exit 1; \
else \
	echo "skipped: $(2) (no Node 20.19 with npm)"; \
fi
endef

test-typescript:
	$(SAY) "TypeScript: the package is built (30 seconds; 10), then its tests against a server (1 minute)"
	$(call with-node,typescript-tests,the tests of clients/typescript)

TYPESCRIPT = clients/typescript
typescript-tests: $(TYPESCRIPT)/node_modules/.package-lock.json server-binary
	@cd $(TYPESCRIPT) && npm run --silent build && npm --silent test

# As package-lock.json has it: npm writes this file itself.
$(TYPESCRIPT)/node_modules/.package-lock.json: $(TYPESCRIPT)/package-lock.json
	@cd $(TYPESCRIPT) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

define with-java
+@if command -v mvn >/dev/null && [ "$$(javac -version 2>/dev/null | sed 's/^javac //; s/[^0-9].*//')" -ge 17 ] 2>/dev/null; then \
	$(MAKE) --no-print-directory $(1); \
elif [ -n "$$CI" ]; then \
	echo "Java 17 with Maven is missing"; exit 1; \
else \
	echo "skipped: $(2) (no Java 17 with Maven)"; \
fi
endef

test-java:
	$(SAY) "Java: the package is built (1 minute, downloads among them; 40 seconds), then its tests against a server (2 minutes)"
	$(call with-java,java-tests,the tests of clients/java)

JAVA = clients/java
java-tests: server-binary
	@cd $(JAVA) && mvn --batch-mode --quiet verify

define with-go
+@if command -v npx >/dev/null && go env GOVERSION 2>/dev/null | grep -qE '^go1[.](2[6-9]|[3-9][0-9])'; then \
	$(MAKE) --no-print-directory $(1); \
elif [ -n "$$CI" ]; then \
	echo "Go 1.26 with npx is missing"; exit 1; \
else \
	echo "skipped: $(2) (no Go 1.26 with npx)"; \
fi
endef

test-go:
	$(SAY) "Go: the client and what it needs are built (2 minutes; 10 seconds), then its tests against a server (1 minute)"
	$(call with-go,go-tests,the tests of clients/go)

# With the race detector where there is the C compiler that it takes; tests, lints and the pages' programs are built alike, so that
# nothing is built twice.
GO_CLIENT = clients/go
GO_BUILD = -trimpath $(if $(shell command -v gcc),-race)
go-tests: go-generated server-binary
	@cd $(GO_CLIENT) && go test -count=1 $(GO_BUILD) ./dice ./edgehill
	@cd $(HISTORIES) && go test -count=1 ./...

# What reads the histories of the tests of a cluster: a module of its own, which the Rust tests build.
HISTORIES = service/tests/histories

# The messages, by generators that clients/go/tools pins.
go-generated: $(GO_CLIENT)/gen/edgehill/v1/match_service.pb.go
$(GO_CLIENT)/gen/edgehill/v1/match_service.pb.go: $(wildcard proto/edgehill/v1/*.proto) $(GO_CLIENT)/buf.gen.yaml $(GO_CLIENT)/tools/go.mod
	@cd $(GO_CLIENT) && $(BUF) generate

# The module as a proxy has it, with its messages: GOPROXY=file://.../target/go-proxy serves it (docs/sdk-go.md).
go-module: go-generated
	@cd $(GO_CLIENT)/tools && go run ./modulezip $(CURDIR)/target/go-proxy

# The server that the suites of clients start: the one that the tests of the workspace are built with, so that nothing is built
# twice.
.PHONY: server-binary
server-binary:
	@if [ -z "$$EDGEHILL_SERVER_BIN" ]; then cargo test $(LOCKED) --quiet --workspace --no-run; fi

# What every client does with a server (clients/conformance): of the clients whose toolchain is there, on the server that SERVER names
# (HOST:PORT; EDGEHILL_KEY has the key where it asks for accounts) or, without one, on one that each suite starts.
.PHONY: conformance conformance-python conformance-typescript conformance-go conformance-java
conformance:
	$(SAY) "Rust"
	$(if $(SERVER),EDGEHILL_SERVER=$(SERVER)) cargo test $(LOCKED) --quiet --workspace --test server sessions_of_every_client
	$(if $(SERVER),,$(MAKE) --no-print-directory server-binary)
	$(call with-python,conformance-python,the sessions of clients/python)
	$(call with-node,conformance-typescript,the sessions of clients/typescript)
	$(call with-go,conformance-go,the sessions of clients/go)
	$(call with-java,conformance-java,the sessions of clients/java)
conformance-python: target/python/installed
	$(SAY) "Python"
	@cd clients/python && $(if $(SERVER),EDGEHILL_SERVER=$(SERVER)) ../../target/python/bin/python -m unittest discover --quiet --start-directory tests --pattern test_sessions.py
conformance-typescript: $(TYPESCRIPT)/node_modules/.package-lock.json
	$(SAY) "TypeScript"
	@cd $(TYPESCRIPT) && npm run --silent build && npm run --silent pretest && $(if $(SERVER),EDGEHILL_SERVER=$(SERVER)) node --test --test-reporter=dot out/tests/sessions.test.js
conformance-go: go-generated
	$(SAY) "Go"
	@cd $(GO_CLIENT) && $(if $(SERVER),EDGEHILL_SERVER=$(SERVER)) go test -count=1 $(GO_BUILD) -run '^TestSessions$$' ./edgehill
conformance-java:
	$(SAY) "Java"
	@cd $(JAVA) && $(if $(SERVER),EDGEHILL_SERVER=$(SERVER)) mvn --batch-mode --quiet test -Dtest=SessionsTest

# Bots in other languages, written from the docs alone; a language whose toolchain is missing is named and skipped, but never in CI.
test-examples: server-binary
	$(SAY) "Bots in other languages: built and played, every game (4 minutes; 2)"
	@clients/examples/with-server.sh clients/examples/test.sh

# docs/api.md call by call, and the page that draws every game, in Chromium.
test-page: server-binary
	$(SAY) "The walk of docs/api.md, and the page of clients/examples/board in Chromium (3 minutes; 2)"
	@if command -v go >/dev/null && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
		GOBIN=$(CURDIR)/target/bin go install $(GRPCURL) && \
		PATH=$(CURDIR)/target/bin:$$PATH clients/examples/with-server.sh $(PYTHON) docs/check_api.py; \
	elif [ -n "$$CI" ]; then \
		echo "Go or Python 3.11 is missing"; exit 1; \
	else \
		echo "skipped: the walk of docs/api.md (no Go or no Python 3.11)"; \
	fi
	@clients/examples/with-server.sh clients/examples/board/test.sh

# The pages of docs/ as a site (docs/site). A page that the sidebar lacks, and a link that leads nowhere, is a fault.
SITE = docs/site
docs:
	$(call with-node,docs-site,the site of docs/)
docs-site: $(SITE)/node_modules/.package-lock.json
	@cd $(SITE) && npm run --silent build

test-docs:
	$(SAY) "Docs: the site is built (40 seconds; 20), and its links, its sidebar and what pages look like are looked at"
	$(call with-node,docs-tests,the site of docs/)
docs-tests: docs-site
	@cd $(SITE) && npm --silent test

# As package-lock.json has it: npm writes this file itself.
$(SITE)/node_modules/.package-lock.json: $(SITE)/package-lock.json
	@cd $(SITE) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# The image's file system, compose, databases and their restore, the chart, the drills of backups, and what watches a server. Helm is most of the time: it is built once.
test-install: server-binary
	$(SAY) "Installing: Helm and other tools are built (3 minutes; 20 seconds), then deploy/ is tried (4 minutes)"
	$(call with-python,install-tests,the tests of deploy)

# Each is pinned; where Go is missing the tests name what they skip. The probe is that of the image (deploy/image/Dockerfile).
INSTALL_TOOLS = helm.sh/helm/v4/cmd/helm@v4.3.1 github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0 \
	github.com/grpc-ecosystem/grpc-health-probe@v0.4.62 $(GRPCURL)
install-tools:
	@if command -v go >/dev/null; then \
		for tool in $(INSTALL_TOOLS); do CGO_ENABLED=0 GOBIN=$(CURDIR)/target/bin go install $$tool || exit 1; done; \
	fi

install-tests: target/install/installed install-tools
	@PATH=$(CURDIR)/target/bin:$$PATH target/install/bin/python -m unittest discover --start-directory deploy/tests

target/install/installed: deploy/tests/requirements.txt
	@$(PYTHON) -m venv target/install
	@target/install/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

# One game: its laws and goldens, its catalogue, its ledger and its rules by number; the specimen's mutants, too. With SWITCH=1 its
# rules are switched off one by one as well. EDGEHILL_VOLUME, EDGEHILL_SEED and EDGEHILL_BLESS are as everywhere.
GAME ?= skirmish
kit: code = $(subst -,_,$(GAME))
kit:
	$(SAY) "The kit of $(GAME): the engine and its tests are built (4 minutes; 3 after a change), then run (10 seconds)"
	cargo test --workspace --test conformance -- $(code):: every_game
	EDGEHILL_GAME=$(GAME) cargo test $(LOCKED) --workspace --test $(code) --test catalogue --test ledger
	$(if $(filter skirmish,$(GAME)),cargo test --workspace --test mutants)
	$(if $(SWITCH),cargo test -p edgehill-engine --features rule-switch --test $(code) -- switch)

# A game that is a copy of the specimen, under a name of its own, registered, and with goldens that are its own.
new-game:
	@$(PYTHON) .ci/new_game.py "$(NAME)"
	cargo fmt --all
	EDGEHILL_BLESS=1 cargo test --workspace --quiet --test conformance -- $(subst -,_,$(NAME))::looks_as_it_did
	EDGEHILL_BLESS=1 EDGEHILL_GAME=$(NAME) cargo test --workspace --quiet --test catalogue notation
	@echo "$(NAME) is there: make kit GAME=$(NAME), and then docs/adding-a-game.md"

# In parts, so that each ends within an hour or so: `make test-long PART=swarm`.
PARTS = engine service swarm cluster clients league soak rules new-game
PART ?= $(PARTS)
FULL = EDGEHILL_VOLUME=full

.PHONY: $(PARTS:%=test-long-%)
test-long: $(PART:%=test-long-%)
test-long-engine:
	$(FULL) cargo test $(LOCKED) -p edgehill-engine --no-fail-fast
test-long-service:
	$(FULL) cargo test $(LOCKED) -p edgehill-service -p edgehill-competition -p edgehill-proto -p edgehill-convert -p edgehill-transport --no-fail-fast -- --skip beside_a_swarm --skip nodes_of_a_cluster
test-long-swarm:
	$(FULL) cargo test $(LOCKED) -p edgehill-service --test durable beside_a_swarm -- --nocapture
# Three database nodes and three servers; with it the history of the run (docs/operations-cluster.md).
test-long-cluster:
	$(call with-python,target/patroni/installed,the cluster of database nodes)
	$(FULL) cargo test $(LOCKED) --workspace --test durable nodes_of_a_cluster -- --nocapture
test-long-clients:
	$(FULL) cargo test $(LOCKED) -p edgehill -p edgehill-client --no-fail-fast -- --skip league_ --skip soak_
test-long-league:
	$(FULL) cargo test $(LOCKED) --workspace --test server league_ -- --nocapture --test-threads 1
test-long-soak:
	$(FULL) cargo test $(LOCKED) --workspace --test server soak_ -- --nocapture
test-long-rules:
	$(FULL) $(RULE_SWITCH) --no-fail-fast

# A new game builds and passes the kit: in a copy of the tree, which goes away again.
test-long-new-game:
	.ci/new-game-check.sh

# Two at once: clippy is the longest, and the pages of Rust's docs, which wait for its folder, come last.
LINTS = lint-rust lint-words lint-proto lint-deny lint-go lint-java lint-python lint-typescript lint-site lint-install lint-docs
lint:
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=recurse $(LINTS)

# With the switch of rules: without it there is one line less, and a second run would check everything again.
lint-rust:
	cargo fmt --all --check
	cargo clippy $(LOCKED) --workspace --all-targets --features edgehill-engine/rule-switch -- -D warnings

# `--examples` lets the dependencies have the features of tests: they are then checked once, for clippy and for this.
lint-docs:
	RUSTDOCFLAGS="-D warnings" cargo doc $(LOCKED) --quiet --workspace --no-deps --lib --bins --examples

# The wire's own linter is a Node package; the crate's tests check the same without it (proto/README.md).
BUF = npx --yes @bufbuild/buf@1.75.0
lint-proto:
	@if command -v npx >/dev/null; then \
		$(BUF) lint && $(BUF) format --diff --exit-code proto && $(BUF) breaking --against proto/api-1.binpb && \
		$(BUF) breaking --against proto/released.binpb; \
	elif [ -n "$$CI" ]; then \
		echo "npx is missing"; exit 1; \
	else \
		echo "skipped: the linter of proto/ (no npx)"; \
	fi

lint-python:
	$(call with-python,python-lint,the lints of clients/python)

python-lint: target/python/installed
	@cd clients/python && ../../target/python/bin/ruff check --quiet && ../../target/python/bin/ruff format --quiet --check
	@cd clients/python && ../../target/python/bin/mypy

lint-typescript:
	$(call with-node,typescript-lint,the lints of clients/typescript)

typescript-lint: $(TYPESCRIPT)/node_modules/.package-lock.json
	@cd $(TYPESCRIPT) && npm run --silent lint

lint-java:
	$(call with-java,java-lint,the lints of clients/java)

# The generated messages are not ours to lint: they are compiled before, and stand on the class path.
JAVAC = javac -proc:none -Werror --release 17
java-lint:
	@cd $(JAVA) && mvn --batch-mode --quiet compile spotless:check dependency:build-classpath -Dmdep.outputFile=target/classpath
	@cd $(JAVA) && mkdir -p target/lint && $(JAVAC) -Xlint:all -Xdoclint:all,-missing -d target/lint \
		-cp target/classes:$$(cat target/classpath) $$(find src/main -name '*.java')
	@cd $(JAVA) && $(JAVAC) -Xlint:all -d target/lint -cp target/lint:target/classes:$$(cat target/classpath) $$(find src/test -name '*.java')

lint-go:
	$(call with-go,go-lint,the lints of clients/go)

go-lint: go-generated
	@cd $(GO_CLIENT) && unformatted=$$(gofmt -l dice edgehill tools) && if [ -n "$$unformatted" ]; then echo "gofmt: $$unformatted"; exit 1; fi
	@cd $(GO_CLIENT)/tools && go vet ./... && go build -o $(CURDIR)/target/bin/staticcheck honnef.co/go/tools/cmd/staticcheck && \
		$(CURDIR)/target/bin/staticcheck ./...
	@cd $(GO_CLIENT) && export GOFLAGS="$$(go env GOFLAGS) $(GO_BUILD)" && go vet ./dice ./edgehill && \
		$(CURDIR)/target/bin/staticcheck ./dice ./edgehill
	@cd $(HISTORIES) && unformatted=$$(gofmt -l .) && if [ -n "$$unformatted" ]; then echo "gofmt: $$unformatted"; exit 1; fi && go vet ./... && \
		$(CURDIR)/target/bin/staticcheck ./...

lint-site:
	$(call with-node,site-lint,the lints of docs/site)

site-lint: $(SITE)/node_modules/.package-lock.json
	@cd $(SITE) && npm run --silent lint

# The scripts of deploy/ and their tests.
lint-install:
	@if command -v shellcheck >/dev/null; then \
		shellcheck -x deploy/*.sh deploy/image/rootfs.sh; \
	elif [ -n "$$CI" ]; then \
		echo "shellcheck is missing"; exit 1; \
	else \
		echo "skipped: the lint of scripts in deploy/ (no shellcheck)"; \
	fi
	$(call with-python,install-lint,the lints of deploy/tests)

install-lint: target/install/installed
	@target/install/bin/ruff check --quiet deploy service/benches && target/install/bin/ruff format --quiet --check deploy service/benches
	@cd deploy/monitoring && ../../target/install/bin/mypy --strict edgehill_monitoring

# The dashboard, the alerts and their tests, from the code in deploy/monitoring.
deploy-generate: target/install/installed
	@PYTHONPATH=deploy/monitoring target/install/bin/python -m edgehill_monitoring

# deny.toml: licences, bans, versions and sources of the crates that we build on. No registry has a binary of it that knows
# today's cargo; without optimisation it is built in 40 seconds, and needs one and a half.
# It is kept for all checkouts of this user, since a fresh one would build it again.
DENY = 0.20.2
DENY_ROOT = $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/edgehill/cargo-deny-$(DENY)
lint-deny:
	@[ -x $(DENY_ROOT)/bin/cargo-deny ] || CARGO_PROFILE_DEV_DEBUG=0 \
		cargo install --quiet --locked --debug --root $(DENY_ROOT) cargo-deny@$(DENY)
	@$(DENY_ROOT)/bin/cargo-deny --locked --log-level error check --hide-inclusion-graph \
		-D unmatched-skip -D unnecessary-skip -D license-not-encountered bans licenses sources

# A spelling checker over docs, comments and names; typos.toml has the words that are ours.
TYPOS = 1.52.0
lint-words:
	$(call with-python,words-lint,the spelling of docs and comments)

words-lint:
	@[ -x target/words/bin/typos ] || { $(PYTHON) -m venv target/words && \
		target/words/bin/pip install --quiet --disable-pip-version-check typos==$(TYPOS); }
	@target/words/bin/typos

# Counts of the engine's shape (docs/adding-a-game.md, The folder); nothing passes or fails.
house:
	@$(PYTHON) .ci/house.py

# The house bots of every game among themselves; the page of all is target/league/index.html.
league:
	cargo build $(LOCKED) --profile quick -p edgehill -p edgehill-service
	target/quick/edgehill league run clients/leagues/house/*.toml --folder target/league

bench:
	cargo bench $(LOCKED) --workspace
	@$(PYTHON) engine/benches/peers/beside_peers.py
