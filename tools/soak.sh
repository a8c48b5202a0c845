#!/usr/bin/env bash
# Plays games of a program against itself at one second and a hundredth a move, in five kinds that take turns, and counts
# what went wrong: losses on time, illegal moves, crashes, engines that hang, lines that are illegal, and lines with a mate that are
# too short or too long.
#
#   FASTCHESS=PROGRAM BOOKS=DIRECTORY TABLES=DIRECTORY tools/soak.sh PROGRAM OUT [GAMES]
#
# The kinds: the standard start, Chess960, double Chess960, two threads a player, and endings with Syzygy tables. BOOKS has
# openings, one FEN a line, in standard.epd, chess960.epd, double.epd and endgames.epd. OUT is a directory for games and logs; a
# second run of the same program and settings with the same OUT and more GAMES goes on; GAMES (10000) is rounded up to a multiple of
# 250. FIRST and SECOND, if they are set, are further settings of the two players for fastchess, as "option.Hash=64", but for
# Threads and SyzygyPath, which belong to the kinds. AT_ONCE is how many games are played at once, in place of one for each
# processor: a few times as many take less time in all and try the clock harder. Nothing else should run beside them.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,14s/^# \{0,1\}//p' "$0" >&2; exit 2; }
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }
program=$(absolute "$1") out=$(absolute "$2") games=${3:-10000}
books=$(absolute "${BOOKS:?names no directory}")
IFS=: read -ra folders <<< "${TABLES:?names no directory}"
tables=""
for folder in "${folders[@]}"; do tables+=${tables:+:}$(absolute "$folder"); done
: "${FASTCHESS:=fastchess}"
case $FASTCHESS in */*) FASTCHESS=$(absolute "$FASTCHESS") ;; esac
at_once=${AT_ONCE:-$(getconf _NPROCESSORS_ONLN)}
[[ $at_once =~ ^[1-9][0-9]{0,3}$ ]] || { echo "AT_ONCE is no number of games" >&2; exit 2; }
# Games of one kind in a row, two for each opening.
round=50
command -v "$FASTCHESS" >/dev/null || { echo "$FASTCHESS is no program" >&2; exit 2; }
for book in standard chess960 double endgames; do
    [ -r "$books/$book.epd" ] || { echo "$books has no $book.epd" >&2; exit 2; }
done
[ -n "$(find "${folders[@]}" -name '*.rtbw' -print -quit)" ] || { echo "$tables has no tables" >&2; exit 2; }
trap 'exit 130' INT TERM
mkdir -p "$out"
cd "$out"
played="$(cksum < "$program")|${FIRST:-}|${SECOND:-}|$(cat "$books"/{standard,chess960,double,endgames}.epd | cksum)|$tables"
[ -e program ] || echo "$played" > program
[ "$played" = "$(cat program)" ] || { echo "$out has games of another program, or with other settings" >&2; exit 2; }

# play KIND NUMBER BOOK GAMES-AT-ONCE SETTINGS...: one round.
play() {
    local kind=$1 number=$2 book=$3 concurrency=$4
    shift 4
    [ ! -e "$kind-$number.done" ] || return 0
    rm -f "$kind-$number."*
    # What -each sets comes after what an engine has of its own, and is what counts.
    # shellcheck disable=SC2086 # FIRST and SECOND hold several words.
    "$FASTCHESS" -engine cmd="$program" name=first tc=1+0.01 option.Hash=16 ${FIRST:-} \
        -engine cmd="$program" name=second tc=1+0.01 option.Hash=16 ${SECOND:-} -each "$@" -openings file="$books/$book" format=epd order=sequential start=$((1 + number * round / 2)) \
        -rounds $((round / 2)) -games 2 -repeat -autosaveinterval 0 -concurrency "$concurrency" -force-concurrency -recover \
        -check-mate-pvs -report penta=true -pgnout file="$kind-$number.pgn" -log file="$kind-$number.log" level=warn \
        > "$kind-$number.out" 2>&1 \
        || { echo "fastchess ended with $? in $kind-$number: see there" >&2; return 1; }
    mv "$kind-$number.out" "$kind-$number.done"
}

for ((number = 0; number * 5 * round < games; number++)); do
    play standard $number standard.epd "$at_once" option.Threads=1
    play chess960 $number chess960.epd "$at_once" option.Threads=1 -variant fischerandom
    play double $number double.epd "$at_once" option.Threads=1 -variant fischerandom
    play threads $number standard.epd $(((at_once + 1) / 2)) option.Threads=2
    play tables $number endgames.epd "$at_once" option.Threads=1 option.SyzygyPath="$tables"
done

expected=$((number * 5 * round))
terminations=$(sed -n 's/^\[Termination "\(.*\)"\]/\1/p' ./*.pgn)
warnings=$(cat ./*.log)
count=$(wc -l <<< "$terminations")
echo "$((count)) games"
sort <<< "$terminations" | uniq -c
[ -z "$warnings" ] || sed 's/.*\(Warning; [^-]*\).*/\1/' <<< "$warnings" | sort | uniq -c
[ "$count" -ge "$expected" ] || { echo "$expected games were asked for" >&2; exit 1; }
# The log of a round has what fastchess warns of, and is empty otherwise.
[ -z "$warnings" ] && ! grep -qv -e '^normal$' -e '^adjudication$' <<< "$terminations"
