#!/usr/bin/env bash
# The archives of a release, in target/dist:
#
#   tools/release.sh                all systems that this machine can build for
#   tools/release.sh SYSTEM...      linux-x86-64, windows-x86-64, linux-aarch64, macos-aarch64
#
# For x86-64, an archive holds programs for several instruction sets and the launcher `caesura`, which starts the
# one that suits the processor; for others, `caesura` is the engine. The programs for Linux are static.
#
# Every program is run before it is packed, under an emulator where this machine has another system or processor, and must
# search the same nodes as a build for this machine; one for which there is no emulator is reported as not run.
#
# Needs Rust with rustup, which adds the targets, and for other systems, on Debian or Ubuntu: gcc-mingw-w64-x86-64 and zip
# (Windows), qemu-user (aarch64 and the lower levels), wine (to run the programs for Windows).
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/instruction_sets.sh
# A release has the network of the repository.
unset CAESURA_EVALFILE

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
host=$(rustc -vV | sed -n 's/^host: //p')
dist=$PWD/target/dist
build=$PWD/target/release-builds
sets=(x86-64 x86-64-v2 x86-64-v3 x86-64-avx2 x86-64-avx512icl)
# Deep enough for all kinds of nodes, and short under an emulator.
depth=6

say() { echo "release: $*"; }
fail() { echo "release: $*" >&2; exit 1; }
have() { command -v "$1" >/dev/null; }

# The compiler's name of a system.
target_of() {
    case $1 in
    linux-x86-64) echo x86_64-unknown-linux-musl ;;
    linux-aarch64) echo aarch64-unknown-linux-musl ;;
    windows-x86-64) echo x86_64-pc-windows-gnu ;;
    macos-aarch64) echo aarch64-apple-darwin ;;
    *) fail "unknown system $1" ;;
    esac
}

# True if this machine can build for a system.
can_build() {
    case $1 in
    linux-x86-64) [[ $host == x86_64-*-linux-* ]] ;;
    linux-*) [[ $host == *-linux-* ]] ;;
    windows-*) have x86_64-w64-mingw32-gcc && have zip ;;
    macos-*) [[ $host == *-apple-* ]] ;;
    *) fail "unknown system $1" ;;
    esac
}

# Builds a package for a target and a processor, and copies its program.
compile() {
    local package=$1 target=$2 cpu=$3 program=$4
    say "$(basename "$program") ($target, $cpu)"
    # The target is named, so that the flags hold for the program alone, not for build scripts. The machine's paths stay out
    # of the program.
    local separator=$'\x1f' cargo_home=${CARGO_HOME:-$HOME/.cargo} flags
    flags=$(flags_of "$cpu" | tr '\n' "$separator")
    CARGO_ENCODED_RUSTFLAGS="$flags--remap-path-prefix=$PWD=caesura$separator--remap-path-prefix=$cargo_home=cargo" \
        CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=symbols \
        CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld \
        cargo build --quiet --release --locked --target "$target" --target-dir "$build" --package "$package" --bins
    cp "$build/$target/release/$package$suffix" "$program"
}

# Makes a home for Wine. Versions before 9 lack a library from which programs in Rust get random numbers.
prepare_wine() {
    local library=$build/wine/drive_c/windows/system32/bcryptprimitives.dll
    export WINEDEBUG=-all WINEPREFIX=$build/wine
    [ -e "$library" ] && return
    mkdir -p "$WINEPREFIX"
    wine cmd /c ver >/dev/null 2>&1 || return
    [ -e "$library" ] || x86_64-w64-mingw32-gcc -shared -x c -o "$library" - -ladvapi32 <<'END'
unsigned char __stdcall SystemFunction036(void *, unsigned long);
__declspec(dllexport) int ProcessPrng(void *bytes, unsigned long long count) {
    return SystemFunction036(bytes, (unsigned long)count);
}
END
}

# Sets `runner` to the command before a program for this system and processor, or fails if nothing here can run it.
# An emulated processor has just the instruction set, or the next that the emulator knows. An empty array is unset for bash before 4.4.
find_runner() {
    local system=$1 cpu=$2
    runner=()
    case $system in
    linux-x86-64)
        local model=
        case $cpu in
        x86-64) model=qemu64,-sse3,-ssse3,-sse4.1,-sse4.2,-popcnt ;;
        x86-64-v2) model=Nehalem ;;
        x86-64-v3) model=Haswell ;;
        x86-64-avx2) model=EPYC ;;
        esac
        if [ -n "$model" ] && have qemu-x86_64; then
            runner=(qemu-x86_64 -cpu "$model")
        else
            [[ $host == x86_64-*-linux-* ]] && runs_here "$cpu"
        fi
        ;;
    linux-aarch64)
        [[ $host == aarch64-*-linux-* ]] || { have qemu-aarch64 && runner=(qemu-aarch64); }
        ;;
    windows-x86-64)
        [[ $host == x86_64-*-windows-* ]] || { have wine && runs_here "$cpu" && prepare_wine && runner=(wine); }
        ;;
    macos-aarch64) [[ $host == aarch64-apple-* ]] ;;
    esac
}

# The node count of a short bench.
nodes() { "$@" bench --depth "$depth" 2>/dev/null | node_count; }

# Runs a program and compares its node count with that of a build for this machine.
check() {
    local program=$1 system=$2 cpu=$3 found
    if ! find_runner "$system" "$cpu"; then
        say "$(basename "$program"): NOT RUN, this machine has no $system with $cpu and no emulator"
        [[ -z ${MUST_RUN-} || $cpu != "$lowest" ]] || fail "nothing of $system has been run"
        return
    fi
    found=$(nodes ${runner[@]+"${runner[@]}"} "$program") || fail "$program does not run"
    say "$(basename "$program"): $found nodes to depth $depth${runner[*]:+, ${runner[*]}}"
    [ "$found" = "$expected" ] || fail "$program searches $found nodes instead of $expected"
}

# An instruction set that is not enough for a program of this one.
below() {
    case $1 in
    x86-64-v2) echo x86-64 ;;
    x86-64-v3) echo x86-64-v2 ;;
    *) echo x86-64-v3 ;;
    esac
}

# Starts a program on an emulated processor without some of its instructions: it must refuse to run, with exit code 2.
check_refusal() {
    local program=$1 system=$2 below=$3 status=0
    find_runner "$system" "$below" && [[ ${runner[*]-} == qemu-* ]] || return 0
    ${runner[@]+"${runner[@]}"} "$program" compiler >/dev/null 2>&1 || status=$?
    say "$(basename "$program"), ${runner[*]-}: exit code $status"
    [ "$status" = 2 ] || fail "$program does not refuse a processor with $below"
}

# The instruction set that a program says it was built for. SSE4a is in none of the levels.
built_for() {
    "$@" compiler 2>/dev/null | tr -d '\r' |
        sed -n -e '/^instructions .* sse4a/s/.*/x86-64-avx2/p' -e 's/^instructions \([^:]*\).*/\1/p'
}

# Starts the launcher on the processors that can be had here and asks what it has started. Under an emulator, the launcher
# alone is emulated: the program in its place runs on the machine itself.
check_launcher() {
    local folder=$1 system=$2 set found
    for set in "${sets[@]}"; do
        if find_runner "$system" "$set" && [[ ${runner[*]-} == qemu-* ]] && runs_here "$set"; then
            found=$(built_for ${runner[@]+"${runner[@]}"} "$folder/caesura$suffix") || found=
            say "launcher, ${runner[*]-}: starts $found"
            [ "$found" = "$set" ] || fail "the launcher starts $found on a processor with $set"
        fi
    done
    find_runner "$system" x86-64 || return 0
    [[ ${runner[*]-} != qemu-* ]] || runner=()
    found=$(built_for ${runner[@]+"${runner[@]}"} "$folder/caesura$suffix") || found=
    say "launcher, on this machine: starts $found"
    [ -n "$found" ] || fail "the launcher starts nothing"
}

pack() {
    local system=$1 name lowest target folder suffix="" set packages=(caesura)
    name=caesura-$version-$system
    target=$(target_of "$system")
    folder=$dist/$name
    [[ $system != windows-* ]] || suffix=.exe
    rustup target list --installed | grep -qx "$target" || rustup target add "$target"
    rm -rf "$folder" && mkdir -p "$folder"
    case $system in
    *-x86-64)
        lowest=x86-64
        for set in "${sets[@]}"; do
            compile caesura "$target" "$set" "$folder/caesura-$set$suffix"
            check "$folder/caesura-$set$suffix" "$system" "$set"
            [ "$set" = "$lowest" ] || check_refusal "$folder/caesura-$set$suffix" "$system" "$(below "$set")"
        done
        packages+=(launcher)
        compile launcher "$target" x86-64 "$folder/caesura$suffix"
        check_launcher "$folder" "$system"
        ;;
    *)
        lowest=generic
        [[ $system != macos-* ]] || lowest=apple-m1
        compile caesura "$target" "$lowest" "$folder/caesura"
        check "$folder/caesura" "$system" "$lowest"
        ;;
    esac
    cp README.md CHANGELOG.md LICENSE "$folder"
    tools/notices.sh "$target" "${packages[@]}" >"$folder/NOTICES"
    {
        # Where nothing can run it, the program has not been asked.
        if find_runner "$system" "$lowest"; then
            [[ $system != *-x86-64 ]] || [[ ${runner[*]-} != qemu-* ]] || runner=()
            ${runner[@]+"${runner[@]}"} "$folder/caesura$suffix" --version
        else
            echo "caesura $version"
        fi
        git log -1 --format='commit %H, %cs'
        git diff --quiet HEAD || echo "with changes that are not committed"
    } | tr -d '\r' >"$folder/VERSION"
    (
        cd "$dist"
        if [[ $system == windows-* ]]; then
            rm -f "$name.zip" && zip -q -r "$name.zip" "$name"
        else
            tar -czf "$name.tar.gz" "$name"
        fi
    )
    say "$name: $(head -n 1 "$folder/VERSION")"
}

if [ $# -gt 0 ]; then
    systems=("$@")
else
    systems=()
    for system in linux-x86-64 windows-x86-64 linux-aarch64 macos-aarch64; do
        if can_build "$system"; then systems+=("$system"); else say "$system: cannot be built here"; fi
    done
fi
for system in "${systems[@]}"; do
    can_build "$system" || fail "$system cannot be built here"
done
say "the build for this machine that the others are compared with"
expected=$(nodes cargo run --quiet --locked --profile signature --) || fail "it cannot be built or run"
say "it searches $expected nodes to depth $depth"
for system in "${systems[@]}"; do
    pack "$system"
done
cd "$dist"
if have sha256sum; then sums=(sha256sum); else sums=(shasum -a 256); fi
archives=()
for system in "${systems[@]}"; do
    if [[ $system == windows-* ]]; then archive=zip; else archive=tar.gz; fi
    archives+=("caesura-$version-$system.$archive")
done
"${sums[@]}" "${archives[@]}" | tee SHA256SUMS
