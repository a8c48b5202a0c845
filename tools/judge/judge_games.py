#!/usr/bin/env python3
"""Where does a player lose its points? By number of pieces and by stage of the game, as a strong engine sees it.

    python3 tools/judge/judge_games.py --engine stockfish --out FILE --player NAME GAMES.pgn...

Every position of the games is searched. What a move loses is the expected score of its side before it less that after it, so
that the losses of a game add up to the way from its first position to its last. For each number of pieces, and for each ten plies from the start, a
line of the table gives the mean loss of a move of NAME and of its opponents, in ten-thousandths of a point, and the points a
game that NAME lost there more than they did, in thousandths, with the 95 % error over games. A line of FILE is `FEN;expected
score of the side to move`. Interrupted, the same command goes on. Needs python-chess (`pip install chess`).
"""

import argparse
import math
from collections import defaultdict

# First: it says what is missing where python-chess is.
from scored_lines import add_search_arguments, epd_of, run, scored

import chess
import chess.pgn

# Expected score of the side to move where the game is over.
MATED, DRAWN = 0.0, 0.5


def games_of(files, player, scores):
    """The games of a player in these PGN files: for each position from the first to the last its EPD, whether the player is to
    move, and the pieces on the board. `scores` gets every EPD, with its expected score where the rules end the game there."""
    for name in files:
        with open(name, encoding="utf-8", errors="replace") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                names = {chess.WHITE: game.headers.get("White"), chess.BLACK: game.headers.get("Black")}
                colours = [colour for colour, other in names.items() if other == player]
                if len(colours) == 1:
                    board = game.board()
                    positions = []
                    for move in (*game.mainline_moves(), None):
                        epd = board.epd()
                        scores.setdefault(epd, score_at_end(board))
                        positions.append((epd, board.turn == colours[0], board.occupied.bit_count()))
                        if move:
                            board.push(move)
                    yield positions


def score_at_end(board):
    """The expected score of the side to move if the rules have ended the game, otherwise none."""
    if board.is_checkmate():
        return MATED
    return DRAWN if board.is_stalemate() or board.is_insufficient_material() else None


def losses_of(positions, scores):
    """The moves of a game: is it the player's, pieces on the board, plies since the start, and what it loses."""
    for ply, ((before, own, pieces), (after, _, _)) in enumerate(zip(positions, positions[1:])):
        yield own, pieces, ply, scores[before] - (1 - scores[after])


def table(title, games, group_of):
    """The lines of a table over all games, with the moves in groups."""
    moves = defaultdict(lambda: {True: [], False: []})
    per_game = defaultdict(lambda: [0.0] * len(games))
    for index, game in enumerate(games):
        for own, pieces, ply, loss in game:
            group = group_of(pieces, ply)
            moves[group][own].append(loss)
            per_game[group][index] += loss if own else -loss
    yield f"{title:>12}{'moves':>8}{'own loss':>10}{'others':>8}{'points a game':>16}"
    for group in sorted(moves):
        own, others = (sum(losses) / max(1, len(losses)) for losses in (moves[group][True], moves[group][False]))
        mean = sum(per_game[group]) / len(games)
        variance = sum((value - mean) ** 2 for value in per_game[group]) / max(1, len(games) - 1)
        error = 1.96 * math.sqrt(variance / len(games))
        name = f"{group[0]} to {group[1]}"
        count = sum(map(len, moves[group].values()))
        yield f"{name:>12}{count:>8}{1e4 * own:>10.0f}{1e4 * others:>8.0f}{1e3 * mean:>9.1f} ± {1e3 * error:.1f}"


def main():
    """Has the positions scored and prints where points were lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", metavar="GAMES.pgn")
    parser.add_argument("--player", required=True, help="the player's name in the games")
    add_search_arguments(parser, 150_000)
    args = parser.parse_args()

    scores = {}
    games = list(games_of(args.games, args.player, scores))
    if not games:
        raise ValueError(f"no game of {args.player} against another player")
    wanted = sorted(epd for epd, score in scores.items() if score is None)

    def heading(name):
        return f"# {name}, {args.nodes} nodes, {args.hash} MB, {len(wanted)} positions of {len(games)} games\n"

    for line in scored(args.out, wanted, args.engine, args.threads, args.nodes, args.hash, heading):
        fen, score = line.split(";")
        scores[epd_of(fen)] = float(score)
    moves = [list(losses_of(positions, scores)) for positions in games]
    print(f"{len(games)} games")
    for title, group_of in (
        ("pieces", lambda pieces, ply: (first := (pieces - 1) // 4 * 4 + 1, first + 3)),
        ("plies", lambda pieces, ply: (first := ply // 10 * 10, first + 9)),
    ):
        print("\n".join(table(title, moves, group_of)))


if __name__ == "__main__":
    run(main)
