# Front of cargo and of the scripts in tools/. `make EXE=name` builds a native release binary with that name, as OpenBench
# calls it; with `EVALFILE=FILE.nnue` it embeds another network. `make help` lists the rest.
EXE ?= caesura
CARGO ?= cargo

# Read by build.rs.
ifneq ($(EVALFILE),)
    # Made absolute by the shell: make takes a path with spaces for several.
    export CAESURA_EVALFILE := $(shell case "$(EVALFILE)" in (/*|?:*) printf %s "$(EVALFILE)";; (*) printf %s/%s "$(CURDIR)" "$(EVALFILE)";; esac)
endif

ifeq ($(OS),Windows_NT)
    suffix := .exe
endif

.DEFAULT_GOAL := build
.PHONY: build help test check ci bench perft openbench tune pgo release signature sanitize fuzz numa arm lichess

build: ## build the release program and copy it to EXE (default: caesura); EVALFILE=FILE.nnue embeds another network
	$(CARGO) build --release --locked --bin caesura --target-dir target
	cp target/release/caesura$(suffix) $(EXE)

help: ## list the targets
	@awk -F ': ## ' '/^[a-z]*: ## / { printf "  %-12s%s\n", $$1, $$2 }' Makefile

test: ## run all tests but those that need features (make ci runs these, too)
	$(CARGO) test --workspace --locked -- --include-ignored

check: ## format and lints, as .ci/run has them (but for the cluster's transport)
	$(CARGO) fmt --all --check
	rustfmt --check --edition 2024 src/search/null_move/schemes/*.rs
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

ci: ## everything that must pass before a change lands
	bash .ci/run

bench: ## print the node count of the bench (the signature) and the speed
	$(CARGO) run --release --locked --quiet -- bench

perft: ## count the nodes of the well-known perft positions
	$(CARGO) run --release --locked --quiet -- perft --suite perft/known.epd

lichess: ## let lichess-bot play the program against a server on this machine: LICHESS_BOT=its checkout
	$(CARGO) build --release --locked --bin caesura --target-dir target
	tools/lichess-bot/check.sh target/release/caesura$(suffix)

openbench: ## run OpenBench's own code on the program: OPENBENCH=its checkout
	tools/openbench/check.sh

tune: ## build with every search parameter as a UCI option: target/tune/release/caesura
	$(CARGO) build --release --locked --features tune --bin caesura --target-dir target/tune

pgo: ## build with profile-guided optimisation: target/pgo/caesura
	tools/pgo.sh

release: ## make the archives of a release for all systems that can be built for here: target/dist
	tools/release.sh

signature: ## compare the bench signature on all instruction sets that this machine has
	tools/signature.sh

sanitize: ## run the tests under the address and thread sanitizers (nightly Rust)
	tools/sanitize.sh

fuzz: ## fuzz everything that reads bytes from outside: SECONDS=60 for each reader (nightly Rust, cargo-fuzz)
	tools/fuzz/run.sh $(or $(SECONDS),60)

numa: ## check placement of threads and memory in an emulated machine with four NUMA nodes
	tools/numa.sh

arm: ## test the network's NEON code under emulation
	tools/arm.sh
