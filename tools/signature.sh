#!/usr/bin/env bash
# The bench signature: the node count of `caesura bench`, which must be the same on every instruction set and
# equal to the newest `Bench: N` line of the commit messages. docs/null-move.md must say so if its results are of
# another one.
#
#   tools/signature.sh              all x86-64 levels that this machine can run, and the machine itself
#   tools/signature.sh TARGET...    these levels or values of `-C target-cpu`; one that cannot run here is skipped
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/instruction_sets.sh

# Builds for a target and prints the node count. `native` is the release build as users have it; the others
# leave out link-time optimisation, which takes most of a build and cannot change a count.
count() {
    if [ "$1" = native ]; then
        cargo run --release --locked --quiet -- bench
    else
        RUSTFLAGS="$(flags_of "$1" | xargs)" cargo run --profile signature --locked --quiet --target-dir "target/signature/$1" -- bench
    fi | node_count
}

if [ $# -gt 0 ]; then
    targets=("$@")
elif [ "$(uname -m)" = x86_64 ]; then
    targets=(native x86-64 x86-64-v2 x86-64-v3 x86-64-avx2 x86-64-v4 x86-64-avx512icl)
else
    targets=(native)
fi

# Without git's answer nothing is known: the script ends here.
shallow=$(git rev-parse --is-shallow-repository)
recorded=$(git log -1 -E --grep='^Bench: [0-9]+$' --format=%B | grep -oE '^Bench: [0-9]+$' | tail -n 1 | grep -oE '[0-9]+' || true)
if [ -n "$recorded" ]; then
    echo "recorded: $recorded"
elif [ "$shallow" = true ]; then
    echo "recorded: unknown, the history is not complete here"
else
    echo "no commit message has a line 'Bench: N'" >&2
    exit 1
fi

expected=$recorded
status=0
for target in "${targets[@]}"; do
    if ! runs_here "$target"; then
        echo "$target: skipped, this machine cannot run it"
        continue
    fi
    if ! found=$(count "$target"); then
        echo "$target: bench did not give a node count" >&2
        exit 1
    fi
    echo "$target: $found"
    expected=${expected:-$found}
    if [ "$found" != "$expected" ]; then
        echo "$target: bench counts $found nodes instead of $expected" >&2
        status=1
    fi
done
[ "$status" = 0 ] || echo "A functional change needs 'Bench: N' with the new count in its commit message." >&2

# The report on null moves says of which signature its results are, and whether that is still the program's.
page=docs/null-move.md
changed='The program has changed since these results'
signatures=$(grep -oE '\(nodes of bench\) [0-9]+,' "$page" | grep -oE '[0-9]+' | sort -u || true)
if [ "$signatures" = "$expected" ]; then
    if grep -q "$changed" "$page"; then
        echo "$page says that the program has changed since, which it has not" >&2
        status=1
    fi
elif ! grep -q "$changed" "$page"; then
    echo "$page is of another signature, or of several, and does not say so; this writes it again:" >&2
    echo "cargo run --release -p lab -- report --out docs/null-move --markdown $page" >&2
    status=1
fi
exit "$status"
