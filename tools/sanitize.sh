#!/usr/bin/env bash
# Memory and threads under the sanitizers of the nightly compiler:
#
#   tools/sanitize.sh address    the whole test suite under the address sanitizer
#   tools/sanitize.sh thread     the hammered table, searches on four threads and UCI under the thread sanitizer
#   tools/sanitize.sh            both
#
# TOOLCHAIN names another toolchain than `nightly`; a missing one is installed with rustup. The thread sanitizer
# must see the standard library too, which is therefore built from source.
set -Eeuo pipefail
cd "$(dirname "$0")/.."

toolchain=${TOOLCHAIN:-nightly}
host=$(rustc -vV | sed -n 's/^host: //p')
root=$PWD/target/sanitize

rustc "+$toolchain" --version >/dev/null 2>&1 ||
    rustup toolchain install "$toolchain" --profile minimal --component rust-src
[ -d "$(rustc "+$toolchain" --print sysroot)/lib/rustlib/src/rust/library" ] ||
    rustup component add --toolchain "$toolchain" rust-src

# Runs cargo with a sanitizer. Reports go to files, so that those of child processes are found as well.
sanitized() {
    local sanitizer=$1
    shift
    RUSTFLAGS="-Zsanitizer=$sanitizer --cfg ${sanitizer}_sanitizer" RUSTDOCFLAGS="-Zsanitizer=$sanitizer" CARGO_TARGET_DIR="$root/$sanitizer" \
        cargo "+$toolchain" "$1" --target "$host" "${@:2}"
}

# What fails because a sanitizer has reported something ends the script here, which then shows the reports.
begin() {
    mkdir -p "$root/$1"
    rm -f "$root/$1"/report.*
    reports=$root/$1
    trap 'cat "$reports"/report.* >&2 2>/dev/null || true' ERR
}

# Fails if a sanitizer has reported anything.
verdict() {
    if compgen -G "$root/$1/report.*" >/dev/null; then
        cat "$root/$1"/report.* >&2
        echo "$1 sanitizer: REPORTS" >&2
        exit 1
    fi
    echo "$1 sanitizer: clean"
}

address() {
    begin address
    ASAN_OPTIONS="log_path='$root/address/report':detect_stack_use_after_return=1" sanitized address test --workspace --features cluster/zenoh --locked -- --include-ignored
    verdict address
}

thread() {
    begin thread
    export TSAN_OPTIONS="log_path='$root/thread/report'"
    local report
    report=$(sanitized thread test -Zbuild-std --lib hammer) || { printf '%s\n' "$report" >&2; return 1; }
    grep -qE '^test result: ok\. [1-9]' <<<"$report" || { echo "no test of the hammered table has run" >&2; return 1; }
    sanitized thread build -Zbuild-std
    local program=$root/thread/$host/debug/caesura
    "$program" search --threads 4 --hash 1 --depth 14
    "$program" search "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9" \
        --threads 4 --hash 1 --nodes 500000
    # Threads that come and go, a stop and a ponder hit in the middle, commands during a search, a new game.
    {
        printf '%s\n' 'setoption name Threads value 4' 'setoption name Hash value 1' 'go infinite'
        sleep 2
        printf '%s\n' isready 'setoption name Threads value 2' ucinewgame 'position startpos moves e2e4' stop
        sleep 1
        printf '%s\n' 'setoption name Threads value 3' 'go ponder wtime 3000 btime 3000'
        sleep 2
        printf '%s\n' ponderhit isready
        sleep 3
        printf '%s\n' ucinewgame 'setoption name MultiPV value 3' 'go nodes 100000'
        sleep 5
        printf '%s\n' stop 'setoption name Clear Hash' 'go movetime 2000'
        sleep 3
        printf '%s\n' 'go infinite'
    } | "$program"
    verdict thread
}

case ${1:-all} in
    address) address ;;
    thread) thread ;;
    all) address; thread ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
