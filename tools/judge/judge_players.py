#!/usr/bin/env python3
"""Which of several players chooses better moves? Judged by a stronger engine, move by move.

    python3 tools/judge/judge_players.py --judge stockfish --positions FILE.epd --out FILE --nodes 25000 \\
        --player old=caesura --player new=caesura,EvalFile=new.nnue

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

# First: it says what is missing where python-chess is.
from scored_lines import digest, judged, run

from chosen_moves import add_arguments, chosen, enough, losses, mean_with_error, positions_of, settings, table_of, verdict


def player(text):
    """The name, the program and the options of an argument."""
    name, _, rest = text.partition("=")
    program, *options = rest.split(",")
    form = "NAME=PROGRAM,OPTION=VALUE,..."
    if not name or not program:
        raise argparse.ArgumentTypeError(f"{text!r} is not {form}")
    options = settings(options, text, form)
    for option, value in options.items():
        # An engine that refuses a file says so in a line that is not read here, and plays on without it.
        if option.endswith("File") and not value.startswith("<") and not os.path.isfile(value):
            raise argparse.ArgumentTypeError(f"{value!r} is no file")
    return name, program, options


def contents(options):
    """The options as a heading says them: a file by the first digits of its SHA-256, too, since its contents may change."""
    return {name: f"{value} {digest(value)}" if os.path.isfile(value) else value for name, value in options.items()}


def report(lines, names):
    """Prints the mean loss of each player, and how it differs from that of the first, with 95 % intervals."""
    enough(lines)
    moves, table = table_of(lines)
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
    add_arguments(parser, nodes=25_000, judge_nodes=100_000, number=5_000, hash_size=16)
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
