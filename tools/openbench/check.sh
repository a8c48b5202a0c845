#!/usr/bin/env bash
# Runs OpenBench's own code on the engine, as far as that goes without a server: the description of the engine, the make
# command, the bench parser, genfens and the parser of tuning parameters.
#
#   OPENBENCH=CHECKOUT tools/openbench/check.sh [PROGRAM]
#
# CHECKOUT is a checkout of OpenBench or a bare copy of its repository. Without PROGRAM the engine is built by the command
# that OpenBench uses, which takes minutes. Skips, with exit code 0, where there is no OpenBench, Python or git.
set -euo pipefail
# Paths are those of the caller.
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
[ -z "${OPENBENCH:-}" ] || OPENBENCH=$(absolute "$OPENBENCH")
program=$(absolute "${1:-/dev/null}")
cd "$(dirname "$0")/../.."

skip() { echo "skipped: $*"; exit 0; }
command -v python3 >/dev/null || skip "no python3"
[ -n "${OPENBENCH:-}" ] || skip "OPENBENCH does not name a checkout of OpenBench"
[ -e "$OPENBENCH" ] || skip "$OPENBENCH is not there"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -d "$OPENBENCH/Client" ]; then
    cp -r "$OPENBENCH/Client" "$OPENBENCH/OpenBench" "$work"
else
    command -v git >/dev/null || skip "no git"
    git -C "$OPENBENCH" archive HEAD Client OpenBench | tar -x -C "$work"
fi
WORK=$work PROGRAM=$program REPOSITORY=$PWD python3 tools/openbench/check.py
