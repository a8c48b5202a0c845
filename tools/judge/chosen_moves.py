"""Moves that searches choose, and what a judge says they lose."""

import argparse
import os
import sys

# First: it says what is missing where python-chess is.
from scored_lines import epd_of, expected_score, positive

import chess.engine


def add_arguments(parser, nodes, judge_nodes, number, hash_size):
    """Adds the arguments of a program that has moves chosen and judged, with these defaults."""
    parser.add_argument("--judge", required=True, help="the program of a stronger engine of another hand")
    parser.add_argument("--positions", required=True, help="a file of FENs or EPDs, one a line")
    parser.add_argument("--out", required=True, help="the file of judged positions")
    for name, default, text in (
        ("nodes", nodes, "nodes a search"),
        ("judge-nodes", judge_nodes, "the judge's nodes a move"),
        ("number", number, "positions, from the first"),
        ("threads", os.cpu_count(), "searches at a time"),
        ("hash", hash_size, "megabytes of a search's table"),
    ):
        parser.add_argument(f"--{name}", type=positive, default=default, help=f"{text} [default: {default}]")


def settings(words, text, form):
    """The dictionary of words `OPTION=VALUE`, which stand in the argument `text` of this form."""
    pairs = [word.split("=", 1) for word in words]
    if any(len(pair) != 2 or not all(pair) for pair in pairs):
        raise argparse.ArgumentTypeError(f"{text!r} is not {form}")
    if len(dict(pairs)) < len(pairs):
        raise argparse.ArgumentTypeError(f"{text!r} sets an option twice")
    return dict(pairs)


def positions_of(path, number):
    """The first lines of a file of FENs or EPDs, each position once, without counters and operations."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.strip() and not line.startswith("#")][:number]
    return list(dict.fromkeys(map(epd_of, lines)))


def chosen(engine, board, nodes, options):
    """The move of a search with these options."""
    engine.configure(options)
    # Each search is a game of its own, so that it begins with an empty table.
    played = engine.play(board, chess.engine.Limit(nodes=nodes), game=object())
    if played.move is None:
        raise chess.engine.EngineError(f"no move in {board.fen()}")
    return played.move


def losses(judge, board, moves, nodes, hash_size):
    """What each of the moves loses beside the best of them, in expected score. The judge searches `nodes` for each of them, and
    nothing where all are the same."""
    candidates = sorted(set(moves), key=str)
    if len(candidates) == 1:
        return [0.0] * len(moves)
    judge.configure({"Hash": hash_size})
    limit = chess.engine.Limit(nodes=nodes * len(candidates))
    lines = judge.analyse(board, limit, multipv=len(candidates), root_moves=candidates, game=object())
    worth = {line["pv"][0]: expected_score(line["score"].relative) for line in lines if line.get("pv") and "score" in line}
    if len(worth) != len(candidates):
        raise chess.engine.EngineError(f"the judge has no score of some moves of {board.fen()}")
    return [max(worth.values()) - worth[move] for move in moves]


def enough(lines):
    """Ends the program if there are too few lines for an error."""
    if len(lines) < 2:
        sys.exit("too few positions")


def verdict(moves, lost):
    """Moves and what they lose, as a line of the output has them."""
    return f"{' '.join(map(str, moves))};{' '.join(f'{loss:.5f}' for loss in lost)}"


def table_of(lines):
    """The moves and the losses of lines with such verdicts: a row for each line."""
    parts = [line.split(";") for line in lines]
    return [part[1].split() for part in parts], [[float(loss) for loss in part[2].split()] for part in parts]


def mean_with_error(values):
    """The mean of at least two values, with its 95 % error."""
    count = len(values)
    mean = sum(values) / count
    return mean, 1.96 * (sum((value - mean) ** 2 for value in values) / (count - 1) / count) ** 0.5
