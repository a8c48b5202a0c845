#!/usr/bin/env bash
# Fuzzes what reads bytes from outside, one check after the other, for this many seconds each:
#
#   tools/fuzz/run.sh SECONDS [CHECK...]
#
# Needs cargo-fuzz (`cargo install cargo-fuzz --locked`) and a nightly compiler, which TOOLCHAIN may name. Inputs that reach
# new code are kept in target/fuzz/corpus and are where the next run goes on. An input that fails is kept in
# target/fuzz/failures; `target/fuzz/PLATFORM/release/CHECK FILE` repeats it. With CAESURA_FUZZ_TABLES=FOLDER, the
# endgame tables of that folder are damaged instead of those in the repository.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:?seconds for each check}
shift
toolchain=${TOOLCHAIN:-nightly}
checks=("$@")
[ $# -gt 0 ] || checks=($(sed -n 's/^name = "\([a-z]*\)"$/\1/p' tools/fuzz/targets/Cargo.toml))
host=$(rustc -vV | sed -n 's/^host: //p')
work=$PWD/target/fuzz

cargo "+$toolchain" fuzz --version >/dev/null || { echo "cargo-fuzz is missing: cargo install cargo-fuzz --locked" >&2; exit 2; }
# In a folder of its own, whose .cargo/config.toml is that of the repository; the flags take its place.
(cd tools/fuzz/targets && RUSTFLAGS="-C target-cpu=native" cargo "+$toolchain" fuzz build --fuzz-dir . --target-dir "$work")

TMPDIR=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo /tmp)/caesura-fuzz.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT

failed=0
printf '%-10s %12s %8s %8s %8s %8s  %s\n' check executions 'CPU s' cov ft inputs result
for check in "${checks[@]}"; do
    mkdir -p "$work/corpus/$check" "$work/failures/$check"
    case $check in
        commands | uci) words=(-dict=tools/fuzz/uci.dict) ;;
        entries | epd | fen | genfens | moves) words=(-dict=tools/fuzz/positions.dict) ;;
        packets) words=(-dict=tools/fuzz/packets.dict) ;;
        *) words=() ;;
    esac
    result=clean
    # The longest answer of an input takes milliseconds: one that takes seconds hangs.
    TIMEFORMAT='%U %S'
    cpu=$({ time "$work/$host/release/$check" -max_total_time="$seconds" -timeout=20 -max_len=4096 -print_final_stats=1 \
        ${words[@]+"${words[@]}"} -artifact_prefix="$work/failures/$check/" "$work/corpus/$check" "tools/fuzz/corpus/$check" \
        >"$work/$check.log" 2>&1; } 2>&1) || { result="FAILED, see target/fuzz/$check.log"; failed=1; }
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$check.log")
    coverage=$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\) .*/\1 \2/p' "$work/$check.log" | tail -1)
    inputs=$(find "$work/corpus/$check" -type f | wc -l)
    printf '%-10s %12s %8.0f %8s %8s %8s  %s\n' "$check" "${executions:-?}" "$(awk '{ print $1 + $2 }' <<<"${cpu##*$'\n'}")" \
        "${coverage% *}" "${coverage#* }" "$inputs" "$result"
    rm -rf "${TMPDIR:?}"/*
done
exit $failed
