#!/usr/bin/env bash
# The program compiled a second time, for the paths that it takes most (profile-guided optimisation):
#
#   tools/pgo.sh            for the processor of this machine
#   tools/pgo.sh CPU        for another one, a value of `-C target-cpu` that this machine can run, such as x86-64-v3
#
# The result is target/pgo/caesura. It searches the same nodes as the usual build; whether it does so faster depends on the
# network and the processor (docs/strength.md, "Speed"). Needs the profile tool of the compiler, which is installed with rustup
# if need be.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/instruction_sets.sh

cpu=${1:-native}
host=$(rustc -vV | sed -n 's/^host: //p')
root=$PWD/target/pgo
merge=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
[ -x "$merge" ] || rustup component add llvm-tools

# Builds with this flag, which may hold spaces. The target is named so that it holds for the program alone, not for build
# scripts.
build() {
    CARGO_ENCODED_RUSTFLAGS="-Ctarget-cpu=$cpu"$'\x1f'"$1" cargo build --release --locked --target "$host" --target-dir "$root/$2"
    program=$root/$2/$host/release/caesura
}

rm -rf "$root/profiles"
build "-Cprofile-generate=$root/profiles" measured
echo "searching, to see which paths are taken"
measured=$("$program" bench | node_count)
"$program" bench --depth 15 >/dev/null
"$merge" merge -o "$root/profile" "$root/profiles"
build "-Cprofile-use=$root/profile" used
used=$("$program" bench | node_count)
if [ "$used" != "$measured" ]; then
    echo "$used now, and $measured before" >&2
    exit 1
fi
cp "$program" "$root/caesura"
echo "target/pgo/caesura: $used nodes"
