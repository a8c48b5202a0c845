#!/usr/bin/env python3
"""Positions for `trainer judge-scores`: quiet ones of games, with the scores that a strong engine finds in deep searches.

    python3 tools/judge/judge_positions.py --engine stockfish --out FILE GAMES.pgn...
    python3 tools/judge/judge_positions.py --engine stockfish --random-moves 2 --out FILE GAMES.pgn...

Quiet: not in check, and the move that was played takes nothing and does not promote. One in eight of them is drawn, or
--per-game of each game, and of these --number. Positions of one game, and of games from one opening, err together: what is known
of two networks goes by the number of openings, so that many games with one position each tell most. With --random-moves N, N random moves are made in each, and what is not check and has a quiet best move is
kept: searches meet such positions more often than those of games. A line of FILE is `FEN;expected score of the side to move`,
the logistic of its score in pawns. Interrupted, the same command goes on. Needs python-chess (`pip install chess`).
"""

import argparse
import random
import sys

# First: it says what is missing where python-chess is.
from scored_lines import add_search_arguments, board_of, not_negative, positive, run, scored

import chess.pgn

# The share of a game's quiet positions that is drawn: neighbours in a game are nearly one position.
SHARE = 1 / 8


def quiet_positions(files, rng, per_game=None):
    """The EPDs of quiet positions of the games in these PGN files, each once, in alphabetical order: one in eight, or this many of
    each game."""
    positions = set()
    for name in files:
        with open(name, encoding="utf-8", errors="replace") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                board = game.board()
                quiet = []
                for move in game.mainline_moves():
                    if not (board.is_check() or board.is_capture(move) or move.promotion):
                        quiet.append(board.epd())
                    board.push(move)
                if per_game is None:
                    positions.update(position for position in quiet if rng.random() < SHARE)
                else:
                    positions.update(rng.sample(quiet, min(per_game, len(quiet))))
    return sorted(positions)


def after_random_moves(position, number, rng):
    """The EPD behind this many random moves; None if it is check or the game ends before."""
    board = board_of(position)
    for _ in range(number):
        moves = list(board.legal_moves)
        if not moves:
            return None
        board.push(rng.choice(moves))
    return None if board.is_check() or board.is_game_over() else board.epd()


def main():
    """Draws the positions and has them scored."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", metavar="GAMES.pgn")
    add_search_arguments(parser, 500_000)
    parser.add_argument("--number", type=positive, default=5_000, help="positions [default: 5000]")
    parser.add_argument("--per-game", type=positive, metavar="N", help="positions of each game [default: one in eight]")
    parser.add_argument("--seed", type=int, default=0, help="seed of the draw [default: 0]")
    parser.add_argument("--random-moves", type=not_negative, default=0, metavar="N", help="random moves in each position [default: 0]")
    args = parser.parse_args()

    rng = random.Random(args.seed)
    positions = quiet_positions(args.games, rng, args.per_game)
    rng.shuffle(positions)
    chosen = positions[: args.number]
    behind = f", {args.per_game} of a game" if args.per_game else ""
    if args.random_moves > 0:
        moved = (after_random_moves(position, args.random_moves, rng) for position in chosen)
        chosen = sorted(set(filter(None, moved)))
        behind += f", {args.random_moves} random moves behind each"
    print(f"{len(positions)} quiet positions, of which {len(chosen)} are searched", file=sys.stderr)

    def heading(name):
        chosen_of = f"{len(chosen)} of {len(positions)} positions{behind}"
        return f"# {name}, {args.nodes} nodes, {args.hash} MB, {chosen_of}, seed {args.seed}\n"

    scored(args.out, chosen, args.engine, args.threads, args.nodes, args.hash, heading, args.random_moves > 0)


if __name__ == "__main__":
    run(main)
