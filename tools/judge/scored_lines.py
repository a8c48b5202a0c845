"""What the judges share: engines at work side by side, and a file of lines that an interrupted run leaves whole."""

import argparse
import hashlib
import math
import os
import shutil
import sys
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import ExitStack
from threading import Lock

try:
    import fcntl
except ImportError:
    # Windows: a second run on one file is not noticed.
    fcntl = None

try:
    import chess
    import chess.engine
except ImportError:
    sys.exit("python-chess is missing: pip install chess")

# Beyond this many centipawns a position is won.
WON = 1500


def positive(text):
    """The type of an argument that is a whole number from 1."""
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def not_negative(text):
    """The type of an argument that is a whole number from 0."""
    if (number := int(text)) < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return number


def expected_score(score):
    """The expected score of the side to move, from a score of python-chess: the logistic of its pawns."""
    centipawns = max(-WON, min(WON, score.score(mate_score=10 * WON)))
    return 1 / (1 + math.exp(-centipawns / 100))


def epd_of(line):
    """The position of a line that begins with a FEN or an EPD, without counters and operations."""
    return " ".join(line.split()[:4])


def digest(path):
    """The first digits of the SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:12]


def identity(engine, program):
    """What a heading says of a running engine: its name, and the digest of its program, since two builds may have the same
    name."""
    return f"{engine.id.get('name', program)} {digest(shutil.which(program) or program)}"


def keep(file, out):
    """Keeps a file for this process until it is closed. Ends the program if another one has it."""
    if fcntl:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"{out} is in use: another run writes to it")


def begun(out, heading):
    """The lines after the heading that an interrupted run has left in a file, the first of each position; its end is cut off if
    it is not a whole line. Ends the program if the file has another heading."""
    with open(out, "rb") as file:
        data = file.read()
    end = data.rfind(b"\n") + 1
    lines = data[:end].decode(errors="replace").splitlines(keepends=True)
    if data and lines[:1] != [heading]:
        sys.exit(f"{out} was begun with other arguments or other engines, or is no file of this program")
    os.truncate(out, end)
    first = {}
    for line in lines[1:]:
        first.setdefault(epd_of(line), line.rstrip("\n"))
    return list(first.values())


def board_of(position):
    """The board of an EPD without operations: one of Chess960 where its castling rights are none of the standard game."""
    board = chess.Board(position + " 0 1")
    if board.castling_rights != board.clean_castling_rights():
        board = chess.Board(position + " 0 1", chess960=True)
    return board


def judged(out, positions, programs, threads, heading_of, verdict_of):
    """Appends a line `FEN;verdict` to a file for each position that it lacks, and returns the lines of all these positions.

    Each of the threads has a team, one engine of each program. `heading_of` makes the first line of the file from the
    identities of the engines; `verdict_of` makes a verdict from a team and a board, or None: then there is no line, and the same command
    asks again. The positions are EPDs without operations.
    """
    # The engines are closed before the pool waits for its workers, so that an interruption ends them.
    with ThreadPoolExecutor(threads) as pool, ExitStack() as stack:
        popen = chess.engine.SimpleEngine.popen_uci
        teams = [[stack.enter_context(popen(program)) for program in programs] for _ in range(threads)]
        heading = heading_of(*map(identity, teams[0], programs))
        file = stack.enter_context(open(out, "a", encoding="utf-8", newline="\n"))
        keep(file, out)
        lines = begun(out, heading)
        done = set(map(epd_of, lines))
        wanted = [position for position in dict.fromkeys(positions) if position not in done]
        if os.path.getsize(out) == 0:
            file.write(heading)
        lock = Lock()

        def work(team, share):
            for position in share:
                board = board_of(position)
                verdict = verdict_of(*team, board)
                if verdict is None:
                    continue
                line = f"{position} 0 1;{verdict}"
                with lock:
                    lines.append(line)
                    file.write(line + "\n")
                    file.flush()

        shares = [wanted[first::threads] for first in range(threads)]
        working = [pool.submit(work, *pair) for pair in zip(teams, shares)]
        # A team whose engine has died ends the run at once: the others would go on for hours without its share.
        for worked in wait(working, return_when=FIRST_EXCEPTION).done:
            worked.result()
    asked = set(positions)
    return [line for line in lines if epd_of(line) in asked]


def scored(out, positions, program, threads, nodes, hash_size, heading_of, quiet=False):
    """As `judged`, with one program that searches this many nodes a position: a verdict is the expected score of the side to
    move, from 0 to 1; with `quiet` there is none where its best move takes something or promotes. `heading_of` makes the first
    line of the file from the identity of the engine."""

    def verdict(engine, board):
        # Each position is a game of its own, so that the engine begins with an empty table.
        engine.configure({"Hash": hash_size})
        info = engine.analyse(board, chess.engine.Limit(nodes=nodes), game=object())
        if "score" not in info:
            raise chess.engine.EngineError(f"no score of {board.fen()}")
        best = next(iter(info.get("pv", [])), None)
        if quiet and (best is None or board.is_capture(best) or best.promotion):
            return None
        return f"{expected_score(info['score'].relative):.5f}"

    return judged(out, positions, [program], threads, heading_of, verdict)


def add_search_arguments(parser, nodes):
    """Adds the arguments of a program that has positions scored, which searches this many nodes a position by default."""
    parser.add_argument("--engine", required=True, help="the program of a strong engine")
    parser.add_argument("--out", required=True, help="the file of scored positions")
    parser.add_argument("--nodes", type=positive, default=nodes, help=f"nodes a position [default: {nodes}]")
    parser.add_argument("--threads", type=positive, default=os.cpu_count(), help="searches at a time [default: processors]")
    parser.add_argument("--hash", type=positive, default=64, help="megabytes of a search's table [default: 64]")


def run(main):
    """Runs a program; an interruption and what went wrong become a message."""
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command goes on")
    except (OSError, ValueError, chess.engine.EngineError) as error:
        sys.exit(f"error: {error}")
