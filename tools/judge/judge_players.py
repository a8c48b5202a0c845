#!/usr/bin/env python3
"""Which of several players chooses better moves? Judged by a stronger engine, move by move.

    python3 tools/judge/judge_players.py --judge stockfish --positions FILE.epd --out FILE --nodes 25000 \\
        --player old=caesura --player new=caesura,EvalFile=/tmp/new.nnue

A PLAYER is a name, a UCI engine, and options of it: two programs, or one with two networks or settings. Each position is
searched by each player from an empty table; then the judge searches every move that was chosen. What a move loses is the
judge's expected score of the best of them, less its own, in ten-thousandths of a point. Where players agree, none loses and the
judge is not asked, so what is said of two players is said by the positions in which they differ: the mean difference of their
losses, with the error of that difference, is known from far fewer nodes than games need to tell them apart.

The judge is of another hand than the players; it favours those of its own. A line of the output is a position, and the move
and loss of each player. Interrupted, the same command goes on. Needs python-chess (`pip install chess`).
"""

import argparse
import os
import sys

# First: it says what is missing where python-chess is.
from scored_lines import digest, judged, positive, run

from chosen_moves import chosen, losses, mean_with_error, positions_of, table_of, verdict


def player(text):
    """The name, the program and the options of an argument."""
    name, _, rest = text.partition("=")
    program, *options = rest.split(",")
    pairs = [option.split("=", 1) for option in options]
    if not name or not program or any(len(pair) != 2 or not all(pair) for pair in pairs):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=PROGRAM,OPTION=VALUE,...")
    if len(dict(pairs)) < len(pairs):
        raise argparse.ArgumentTypeError(f"{text!r} sets an option twice")
    return name, program, dict(pairs)


def contents(options):
    """The options as a heading says them: a file by the first digits of its SHA-256, too, since its contents may change."""
    return {name: f"{value} {digest(value)}" if os.path.isfile(value) else value for name, value in options.items()}


def report(lines, names):
    """Prints the mean loss of each player, and how it differs from that of the first, with 95 % intervals."""
    moves, table = table_of(lines)
    if len(table) < 2:
        sys.exit("too few positions")
    print(f"{len(table)} positions; loss in ten-thousandths of a point a move")
    for index, name in enumerate(names):
        mean = 1e4 * sum(row[index] for row in table) / len(table)
        line = f"{name}: {mean:.1f}"
        if index > 0:
            difference, error = mean_with_error([1e4 * (row[index] - row[0]) for row in table])
            others = sum(row[index] != row[0] for row in moves)
            line += f", {difference:+.1f} ± {error:.1f} beside {names[0]}, another move in {others}"
        print(line)


def main():
    """Searches, judges and reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", required=True, action="append", type=player, help="NAME=PROGRAM,OPTION=VALUE,...; repeated")
    parser.add_argument("--judge", required=True, help="the program of a stronger engine of another hand")
    parser.add_argument("--positions", required=True, help="a file of FENs or EPDs, one a line")
    parser.add_argument("--out", required=True, help="the file of judged positions")
    parser.add_argument("--nodes", type=positive, default=25_000, help="nodes a search [default: 25000]")
    parser.add_argument("--judge-nodes", type=positive, default=100_000, help="the judge's nodes a move [default: 100000]")
    parser.add_argument("--number", type=positive, default=5_000, help="positions, from the first [default: 5000]")
    parser.add_argument("--threads", type=positive, default=os.cpu_count(), help="searches at a time [default: processors]")
    parser.add_argument("--hash", type=positive, default=16, help="megabytes of a search's table [default: 16]")
    args = parser.parse_args()
    names, programs, options = zip(*args.player)
    if len(set(names)) < len(names):
        parser.error("two players have one name")
    if len(names) < 2:
        parser.error("one player alone loses nothing: name two or more")

    def heading(*identities):
        judge = identities[-1]
        players = [f"{name}: {engine} {contents(chosen)}" for name, engine, chosen in zip(names, identities, options)]
        return f"# {args.nodes} nodes, {args.hash} MB; {judge}, {args.judge_nodes}; {', '.join(players)}\n"

    def judge_position(*team):
        *engines, judge, board = team
        own_options = [{"Hash": args.hash, **own} for own in options]
        moves = [chosen(engine, board, args.nodes, own) for engine, own in zip(engines, own_options)]
        return verdict(moves, losses(judge, board, moves, args.judge_nodes, args.hash))

    positions = positions_of(args.positions, args.number)
    report(judged(args.out, positions, [*programs, args.judge], args.threads, heading, judge_position), names)


if __name__ == "__main__":
    run(main)
