#!/usr/bin/env python3
"""Positions for `trainer judge-scores`: quiet ones of games, with the scores that a strong engine finds in deep searches.

    python3 tools/judge/judge_positions.py --engine stockfish --out FILE GAMES.pgn...

Quiet: not in check, and the move that was played takes nothing and does not promote. One in eight of them is drawn, and of
these --number. A line of FILE is `FEN;expected score of the side to move`, the logistic of its score in pawns. Interrupted, the
same command goes on. Needs python-chess (`pip install chess`).
"""

import argparse
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Lock

try:
    import chess
    import chess.engine
    import chess.pgn
except ImportError:
    sys.exit("python-chess is missing: pip install chess")

from scored_lines import begun, expected_score

# The share of a game's quiet positions that is drawn: neighbours in a game are nearly one position.
SHARE = 1 / 8


def quiet_positions(files, rng):
    """The EPDs of quiet positions of the games in these PGN files, each once, in alphabetical order."""
    positions = set()
    for name in files:
        with open(name, encoding="utf-8", errors="replace") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                board = game.board()
                for move in game.mainline_moves():
                    is_quiet = not (board.is_check() or board.is_capture(move) or move.promotion)
                    if rng.random() < SHARE and is_quiet:
                        positions.add(board.epd())
                    board.push(move)
    return sorted(positions)


def main():
    """Draws the positions and has them scored."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", metavar="GAMES.pgn")
    parser.add_argument("--engine", required=True, help="the program of a strong engine")
    parser.add_argument("--out", required=True, help="the file of scored positions")
    parser.add_argument("--nodes", type=int, default=500_000, help="nodes a position [default: 500000]")
    parser.add_argument("--number", type=int, default=5_000, help="positions [default: 5000]")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="searches at a time [default: processors]")
    parser.add_argument("--hash", type=int, default=64, help="megabytes of a search's table [default: 64]")
    parser.add_argument("--seed", type=int, default=0, help="seed of the draw [default: 0]")
    args = parser.parse_args()
    if min(args.nodes, args.number, args.threads, args.hash) < 1:
        parser.error("nodes, number, threads and hash must be 1 or more")

    rng = random.Random(args.seed)
    positions = quiet_positions(args.games, rng)
    rng.shuffle(positions)
    chosen = positions[: args.number]
    print(f"{len(positions)} quiet positions, of which {len(chosen)} are scored", file=sys.stderr)

    # The engines are closed before the pool waits for its workers, so that an interruption ends them.
    with ThreadPoolExecutor(args.threads) as pool, ExitStack() as stack:
        popen = chess.engine.SimpleEngine.popen_uci
        engines = [stack.enter_context(popen(args.engine)) for _ in range(args.threads)]
        name = engines[0].id.get("name", args.engine)
        heading = f"# {name}, {args.nodes} nodes, {len(chosen)} of {len(positions)} positions, seed {args.seed}\n"
        done = {" ".join(line.split()[:4]) for line in begun(args.out, heading)}
        wanted = [position for position in chosen if position not in done]
        file = stack.enter_context(open(args.out, "a", encoding="utf-8"))
        if file.tell() == 0:
            file.write(heading)
        lock = Lock()

        def score(engine, share):
            engine.configure({"Hash": args.hash})
            for position in share:
                board = chess.Board(position + " 0 1")
                # Each position is a game of its own, so that the engine begins with an empty table.
                info = engine.analyse(board, chess.engine.Limit(nodes=args.nodes), game=object())
                if "score" not in info:
                    raise chess.engine.EngineError(f"no score of {position}")
                with lock:
                    file.write(f"{position} 0 1;{expected_score(info['score'].relative):.5f}\n")
                    file.flush()

        shares = [wanted[first :: args.threads] for first in range(args.threads)]
        for scored in [pool.submit(score, *pair) for pair in zip(engines, shares)]:
            scored.result()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on")
    except (OSError, chess.engine.EngineError) as error:
        sys.exit(f"error: {error}")
