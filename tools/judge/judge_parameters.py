#!/usr/bin/env python3
"""Which of many parameters of a search matter, and which way? Judged by the moves that it chooses.

    python3 tools/judge/judge_parameters.py --engine TUNE --judge stockfish --positions FILE.epd --out FILE FACTOR...

A FACTOR is a low and a high setting of one UCI option or more: `probcut_margin=200:probcut_margin=364`, or
`futility_base=20,futility_margin=30:futility_base=60,futility_margin=50`. Each position is searched with 2^k settings, in half
of which any factor is high, independently of every other (a factorial experiment in two levels, Plackett and Burman 1946, "The
design of optimum multifactorial experiments"; the rows are Sylvester's). Then the judge, a stronger engine, searches every move
that was chosen. What a move loses is the judge's expected score of the best of them, less its own; the effect of a factor is
the mean loss where it is high less that where it is low, in ten-thousandths of a point a move: the sign says which way is
better. So each position says something of every factor, and no opponent is of the same hand. An effect that two factors have
only together is mistaken for that of a third.

A line of the output is a position, and the move and loss of each setting. Interrupted, the same command goes on. Needs
python-chess (`pip install chess`).
"""

import argparse

# First: it says what is missing where python-chess is.
from scored_lines import judged, run

from chosen_moves import add_arguments, chosen, enough, losses, mean_with_error, positions_of, settings, table_of, verdict


def factor(text):
    """The two settings of an argument, each a dictionary of options."""
    sides = [settings(side.split(","), text, "LOW:HIGH with OPTION=VALUE,...") for side in text.split(":")]
    if len(sides) != 2 or sides[0].keys() != sides[1].keys():
        raise argparse.ArgumentTypeError(f"{text!r} does not name the same options twice")
    return sides


def is_high(setting, index):
    """Is the factor of this index, from 0, high in this setting?"""
    return (setting & (index + 1)).bit_count() % 2 == 1


def options_of(setting, factors):
    """The options of a setting."""
    options = {}
    for index, sides in enumerate(factors):
        options |= sides[is_high(setting, index)]
    return options


def report(lines, factors):
    """Prints the effect of each factor, by how sure it is, with 95 % intervals."""
    enough(lines)
    _, table = table_of(lines)
    count, searches = len(table), len(table[0])
    print(f"{count} positions, {searches} settings, mean loss {1e4 * sum(map(sum, table)) / count / searches:.1f}")
    effects = []
    for index, (low, high) in enumerate(factors):
        sides = [sum(loss if is_high(k, index) else -loss for k, loss in enumerate(row)) * 2 / searches for row in table]
        mean, error = mean_with_error(sides)
        effects.append((mean / error if error else 0.0, mean, error, low, high))
    for _, mean, error, low, high in sorted(effects, key=lambda effect: effect[0]):
        sides = [",".join(f"{name}={value}" for name, value in side.items()) for side in (low, high)]
        print(f"{1e4 * mean:+7.2f} ± {1e4 * error:5.2f}  {sides[0]} -> {sides[1]}")


def main():
    """Searches, judges and reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("factors", nargs="+", type=factor, metavar="FACTOR")
    parser.add_argument("--engine", required=True, help="the program, built with its parameters as options")
    add_arguments(parser, nodes=200_000, judge_nodes=120_000, number=1_300, hash_size=32)
    args = parser.parse_args()
    names = [name for low, _ in args.factors for name in low]
    if len(set(names)) < len(names):
        parser.error("an option belongs to two factors")

    positions = positions_of(args.positions, args.number)
    searches = 1 << len(args.factors).bit_length()

    def heading(engine, judge):
        return f"# {engine}, {args.nodes} nodes, {args.hash} MB; {judge}, {args.judge_nodes}; {args.factors}\n"

    def judge_position(engine, judge, board):
        options = [options_of(setting, args.factors) for setting in range(searches)]
        moves = [chosen(engine, board, args.nodes, {"Hash": args.hash, **own}) for own in options]
        return verdict(moves, losses(judge, board, moves, args.judge_nodes, args.hash))

    programs = [args.engine, args.judge]
    report(judged(args.out, positions, programs, args.threads, heading, judge_position), args.factors)


if __name__ == "__main__":
    run(main)
