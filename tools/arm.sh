#!/usr/bin/env bash
# The network on 64-bit ARM: tests/kernels.rs, built with a cross compiler and run under emulation.
#
# Needs, on Debian or Ubuntu, gcc-aarch64-linux-gnu and qemu-user; and a compiler with the target
# aarch64-unknown-linux-gnu: `rustup target add` it, or let RUSTC name the compiler of Debian's package rustc-web
# with libstd-rust-web-dev:arm64. A qemu that knows no threads is good enough.
set -euo pipefail
cd "$(dirname "$0")/.."

for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    command -v "$tool" >/dev/null || { echo "$tool is missing" >&2; exit 1; }
done

# In place of the flags of .cargo/config.toml, which name the processor of the machine that builds.
export RUSTFLAGS=
export CARGO_TARGET_DIR=target/arm
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
exec cargo test --locked --target aarch64-unknown-linux-gnu --test kernels
