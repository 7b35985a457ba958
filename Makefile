# One interface to everything that a developer does; CI calls it, too.

.PHONY: run test test-rust test-python test-long lint lint-rust lint-proto bench help

help:
	@echo "make run        play an exhibition match of each game between house bots, then say what to type next"
	@echo "make test       all tests, at the volumes that CI uses"
	@echo "make test-long  all tests, at full volumes with fresh seeds"
	@echo "make lint       formatting and lints"
	@echo "make bench      the benchmarks (docs/performance.md)"

run:
	cargo build --quiet --release -p edgehill
	@for game in $$(target/release/edgehill games --ids); do \
		target/release/edgehill arena --local --game $$game --bots random,random --games 2 --seed 1642 --records target/exhibition || exit 1; \
	done
	@echo
	@echo "The records are in target/exhibition. Next:"
	@echo "  target/release/edgehill games                                    what there is to play"
	@echo "  target/release/edgehill play skirmish                            you against a house bot"
	@echo "  target/release/edgehill verify target/exhibition/FILE.edg        the dice and every step, checked"

test: test-rust test-python

test-rust:
	cargo test --workspace --quiet

# A suite whose toolchain is missing is named and skipped, but never in CI.
test-python:
	@if command -v python3 >/dev/null; then \
		cd clients/python && python3 -m unittest --quiet; \
	elif [ -n "$$CI" ]; then \
		echo "python3 is missing"; exit 1; \
	else \
		echo "skipped: clients/python (no python3)"; \
	fi

test-long:
	EDGEHILL_VOLUME=full cargo test --workspace
	cargo test -p edgehill-engine --features rule-switch --test skirmish --test cruel_necessity --test rule_switch

lint: lint-rust lint-proto

lint-rust:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy -p edgehill-engine --all-targets --all-features -- -D warnings

# The wire's own linter is a Node package; the crate's tests check the same without it (proto/README.md).
BUF = npx --yes @bufbuild/buf@1.75.0
lint-proto:
	@if command -v npx >/dev/null; then \
		$(BUF) lint && $(BUF) format --diff --exit-code proto && $(BUF) breaking --against proto/released.binpb; \
	elif [ -n "$$CI" ]; then \
		echo "npx is missing"; exit 1; \
	else \
		echo "skipped: the linter of proto/ (no npx)"; \
	fi

bench:
	cargo bench --workspace
