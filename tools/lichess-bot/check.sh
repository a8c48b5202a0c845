#!/usr/bin/env bash
# Lets lichess-bot play games with the engine, against a server on this machine that answers as lichess.org does: first
# with its configuration as shipped (only address, token and engine are filled in), then with Chess960, set positions,
# correspondence, draw offers and resignation.
#
#   LICHESS_BOT=CHECKOUT [PYTHON=PROGRAM] [SYZYGY=DIRECTORY] tools/lichess-bot/check.sh PROGRAM [GAME...]
#
# CHECKOUT is a checkout of lichess-bot or a bare copy of its repository; PYTHON has what its requirements.txt names. With
# SYZYGY, the engine and lichess-bot use the endgame tables there. GAMEs are names of check.py; without them all are played.
# Takes four minutes: lichess-bot thinks ten seconds on each first move. Skips, with exit code 0, where there is no
# lichess-bot or Python with its packages.
set -euo pipefail
here=$(dirname "$(realpath "$0")")

skip() { echo "skipped: $*"; exit 0; }
python=${PYTHON:-python3}
command -v "$python" >/dev/null || skip "no $python"
[ -n "${LICHESS_BOT:-}" ] || skip "LICHESS_BOT does not name a checkout of lichess-bot"
[ -e "$LICHESS_BOT" ] || skip "$LICHESS_BOT is not there"
"$python" -c "import backoff, chess, requests, rich, yaml" 2>/dev/null || skip "$python lacks packages of lichess-bot"
program=$(realpath "${1:?the program to test}")
# lichess-bot runs in another folder.
[ -z "${SYZYGY:-}" ] || SYZYGY=$(realpath "$SYZYGY")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -d "$LICHESS_BOT/lib" ]; then
    cp -r "$LICHESS_BOT/." "$work"
else
    command -v git >/dev/null || skip "no git"
    git -C "$LICHESS_BOT" archive HEAD | tar -x -C "$work"
fi
# What earlier games of the checkout left would be read as of these.
rm -rf "$work/lichess_bot_auto_logs"
WORK=$work PROGRAM=$program SYZYGY=${SYZYGY:-} "$python" -B "$here/check.py" "${@:2}"
