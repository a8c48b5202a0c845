"""Lets lichess-bot play the engine: called by check.sh, which has put lichess-bot into the folder WORK."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import chess.pgn
import yaml

from server import Game, Server

WORK = pathlib.Path(os.environ["WORK"])
PROGRAM = pathlib.Path(os.environ["PROGRAM"])
LOG = WORK / "lichess_bot_auto_logs" / "lichess-bot.log"
PATIENCE = 300

AS_SHIPPED = [
    Game("bullet", 20, 1, True, speed="bullet"),
    Game("sudden", 15, 0, False, speed="bullet"),
    Game("blitz", 40, 0, True, most_plies=120),
]
MORE = [
    Game("frc", 10, 0.5, True, variant="chess960", fen="bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1"),
    Game("corresp", 1, 0, False, speed="correspondence", most_plies=24),
    Game("lost", 20, 0.5, True, variant="fromPosition", fen="4k3/pppq1ppp/8/8/8/8/PPPP1PPP/4K3 w - - 0 1",
         opponent_nodes=20000),
    Game("drawn", 20, 0.5, False, variant="fromPosition", fen="4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1",
         takes_draws=True),
    Game("tables", 10, 0.2, True, variant="fromPosition", fen="8/8/8/4k3/8/8/3QK3/8 w - - 0 1"),
]

# A line of the engine outside a search, which python-chess takes for one that it did not ask for, as it does with any
# engine that comments on its options.
COMMENT = re.compile(r"Unexpected engine output: 'info string ")
# What the engine says when it takes an option, starts a search, or looks for tables.
EXPECTED = [
    r"\d+ threads, but \d+ processors?", r"\d+ networks?:", r"Found \d+ tablebases",
    r"no tablebases from \./syzygy/: No such file or directory", r"table: \d+ MB on ", r"searching with ",
]


def configure(server, changes):
    config = yaml.safe_load((WORK / "config.yml.default").read_text())
    config |= {"token": "no secret", "url": server.url(), "pgn_directory": "records"}
    config["engine"] |= {"dir": str(PROGRAM.parent), "name": PROGRAM.name}
    changes(config)
    (WORK / "config.yml").write_text(yaml.safe_dump(config))


def add_more(config):
    config["challenge"]["variants"] += ["chess960", "fromPosition"]
    config["challenge"]["time_controls"].append("correspondence")
    config["correspondence"] |= {"move_time": 1, "ponder": True}
    config["engine"]["draw_or_resign"] |= {"resign_enabled": True, "resign_score": -500, "offer_draw_score": 20}
    if tables := os.environ.get("SYZYGY"):
        config["engine"]["uci_options"]["SyzygyPath"] = tables
        # It then sends the moves that the engine may choose from.
        own = config["engine"]["lichess_bot_tbs"]["syzygy"]
        own |= {"enabled": True, "paths": [tables], "move_quality": "suggest"}


def play(server, games, changes):
    if not games:
        return
    configure(server, changes)
    output = open(WORK / "output.txt", "a")
    bot = subprocess.Popen([sys.executable, "lichess-bot.py", "-v"], cwd=WORK, stdout=output, stderr=output)
    try:
        for game in games:
            server.play(game, PATIENCE, lambda: bot.poll() is None)
            if bot.poll() is not None:
                sys.exit(f"lichess-bot has ended:\n{(WORK / 'output.txt').read_text()}")
            how = f"{game.status} {game.winner}".strip()
            clock = "" if game.correspondence() else f", least time {game.least:.1f} s"
            print(f"{game.name:<9} {len(game.board.move_stack):>3} plies, {how}{clock}", flush=True)
            await_record(game)
    finally:
        server.is_read.clear()
        bot.send_signal(signal.SIGINT)
        try:
            bot.wait(30)
        except subprocess.TimeoutExpired:
            bot.kill()
            sys.exit("lichess-bot does not end")


def await_record(game):
    """Waits until lichess-bot has written the game down, after which it is done with it."""
    for _ in range(100):
        if list((WORK / "records").glob(f"*{game.id}.pgn")):
            return
        time.sleep(0.2)
    game.problems.append("no record")


def read_log():
    """Warnings, errors and refusals in what lichess-bot logged, all of its talk with the engine among it."""
    problems, comments = [], 0
    for line in LOG.read_text().splitlines():
        if COMMENT.search(line):
            comments += 1
        elif re.search(r" (WARNING|ERROR|CRITICAL) |^Traceback|stderr >>", line):
            problems.append(line)
        said = re.search(r">> info string (.*?)'?$", line)
        if said and not any(re.match(pattern, said[1]) for pattern in EXPECTED):
            problems.append(line)
    return problems, comments


def check_games(games):
    problems = [f"{game.name}: {problem}" for game in games for problem in game.problems]
    for game in games:
        bot = "white" if game.bot_is_white else "black"
        if game.status == "outoftime" and game.winner != bot:
            problems.append(f"{game.name}: lost on time")
        wanted = {"lost": "resign", "drawn": "draw", "tables": "mate"}.get(game.name, game.status)
        if game.status != wanted:
            problems.append(f"{game.name}: {game.status} instead of {wanted}")
    return problems


def check_records():
    files = list((WORK / "records").glob("*.pgn"))
    records = [chess.pgn.read_game(open(file)) for file in files]
    return [f"{file.name}: {error}" for file, record in zip(files, records) for error in record.errors]


chosen = sys.argv[1:]
if unknown := sorted(set(chosen) - {game.name for game in AS_SHIPPED + MORE}):
    sys.exit(f"no such game: {' '.join(unknown)}")
games = [game for game in AS_SHIPPED + MORE if not chosen or game.name in chosen]
server = Server(str(PROGRAM))
play(server, [game for game in AS_SHIPPED if game in games], lambda config: None)
play(server, [game for game in MORE if game in games], add_more)
logged, comments = read_log()
log = LOG.read_text()
pondered, hits = log.count("<< go ponder "), log.count("<< ponderhit")
problems = check_games(games) + check_records() + logged
problems += [f"not answered: {request}" for request in server.unknown]
if not hits and not chosen:
    problems.append("nothing was pondered rightly")
print(f"{pondered} searches in the opponent's time, {hits} of them right; {comments} comments outside searches")
if problems:
    sys.exit("\n".join(["lichess-bot is not content:", *problems]))
print("lichess-bot is content.")
