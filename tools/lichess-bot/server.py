"""A server that answers lichess-bot as lichess.org does, and plays the other side of its games."""

import dataclasses
import http.server
import json
import queue
import re
import threading
import time
import urllib.parse

import chess
import chess.engine

BOT, OPPONENT = "caesura", "somebody"
VARIANTS = {"standard": "Standard", "chess960": "Chess960", "fromPosition": "From Position"}
UNLIMITED = 2147483647


@dataclasses.dataclass
class Game:
    """A game that lichess-bot is challenged to, and how it went. Times are in seconds."""

    name: str
    base: float
    increment: float
    bot_is_white: bool
    variant: str = "standard"
    fen: str = chess.STARTING_FEN
    speed: str = "blitz"
    most_plies: int = 400
    takes_draws: bool = False
    opponent_nodes: int = 2000
    problems: list = dataclasses.field(default_factory=list)
    status: str = "started"
    winner: str = ""

    def __post_init__(self):
        self.id = re.sub(r"\W", "", self.name)[:8].ljust(8, "0")
        self.board = chess.Board(self.fen, chess960=self.variant == "chess960")
        self.clocks = {chess.WHITE: self.base, chess.BLACK: self.base}
        self.least = self.base
        self.since = time.monotonic()
        self.lines = queue.Queue()
        self.done = threading.Event()
        self.lock = threading.RLock()

    def correspondence(self):
        return self.speed == "correspondence"

    def state(self):
        clocks = {color: UNLIMITED if self.correspondence() else int(1000 * clock) for color, clock in self.clocks.items()}
        state = {
            "type": "gameState", "moves": " ".join(move.uci() for move in self.board.move_stack), "status": self.status,
            "wtime": clocks[chess.WHITE], "btime": clocks[chess.BLACK],
            "winc": int(1000 * self.increment), "binc": int(1000 * self.increment),
        }
        return state | ({"winner": self.winner} if self.winner else {})

    def full(self):
        players = [{"id": name, "name": name, "title": "BOT", "rating": 3000} for name in (BOT, OPPONENT)]
        white, black = players if self.bot_is_white else reversed(players)
        clock = {} if self.correspondence() else {
            "clock": {"initial": int(1000 * self.base), "increment": int(1000 * self.increment)},
        }
        return {
            "id": self.id, "type": "gameFull", "variant": {"key": self.variant, "name": VARIANTS[self.variant]},
            "speed": self.speed, "perf": {"name": self.speed.title()}, "rated": True, "createdAt": int(1000 * time.time()),
            "white": white, "black": black, "state": self.state(),
            "initialFen": "startpos" if self.variant == "standard" else self.fen,
        } | clock

    def challenge(self):
        control = {"type": "correspondence", "daysPerTurn": 2} if self.correspondence() else {
            "type": "clock", "limit": int(self.base), "increment": int(self.increment),
        }
        return {
            "id": self.id, "status": "created", "rated": True, "speed": self.speed, "color": "random",
            "finalColor": "white" if self.bot_is_white else "black", "perf": {"name": self.speed.title()},
            "variant": {"key": self.variant, "name": VARIANTS[self.variant]}, "timeControl": control,
            "challenger": {"id": OPPONENT, "name": OPPONENT, "title": "BOT", "rating": 3000},
            "destUser": {"id": BOT, "name": BOT, "title": "BOT", "rating": 3000},
        } | ({} if self.variant == "standard" else {"initialFen": self.fen})

    def end(self, status, winner=None):
        self.status = status
        self.winner = "" if winner is None else "white" if winner else "black"
        self.lines.put(self.state())
        self.done.set()

    def push(self, move):
        """Plays a move for the side to move and stops its clock. The first move of each side takes no time."""
        now = time.monotonic()
        mover = self.board.turn
        if len(self.board.move_stack) >= 2 and not self.correspondence():
            self.clocks[mover] -= now - self.since
            if mover == self.bot_is_white:
                self.least = min(self.least, self.clocks[mover])
            if self.clocks[mover] <= 0:
                self.end("outoftime", not mover)
                return
            self.clocks[mover] += self.increment
        self.since = now
        self.board.push(move)
        outcome = self.board.outcome(claim_draw=True)
        if outcome:
            mate = outcome.termination == chess.Termination.CHECKMATE
            stalemate = outcome.termination == chess.Termination.STALEMATE
            self.end("mate" if mate else "stalemate" if stalemate else "draw", outcome.winner)
        elif len(self.board.move_stack) >= self.most_plies:
            self.end("aborted")
        else:
            self.lines.put(self.state())

    def bot_move(self, text, offers_draw):
        """What lichess-bot sent as its move, in UCI's notation."""
        with self.lock:
            if self.done.is_set():
                return
            try:
                move = self.board.parse_uci(text)
                assert self.board.turn == self.bot_is_white, "not its turn"
            except (ValueError, AssertionError) as error:
                self.problems.append(f"bad move {text} in {self.board.fen()}: {error}")
                self.end("aborted")
                return
            self.push(move)
            if offers_draw and self.takes_draws and not self.done.is_set():
                self.end("draw")

    def oppose(self, program):
        """Plays the other side until the game is over."""
        with chess.engine.SimpleEngine.popen_uci(program) as engine:
            while not self.done.is_set():
                if self.board.turn == self.bot_is_white:
                    time.sleep(0.02)
                    continue
                move = engine.play(self.board, chess.engine.Limit(nodes=self.opponent_nodes)).move
                with self.lock:
                    if not self.done.is_set():
                        self.push(move)


class Server(http.server.ThreadingHTTPServer):
    """Answers on a free port of this machine. Games are offered by `play`."""

    daemon_threads = True

    def __init__(self, program):
        super().__init__(("127.0.0.1", 0), Handler)
        self.program = program
        self.games = {}
        self.events = queue.Queue()
        self.is_read = threading.Event()
        self.unknown = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/"

    def play(self, game, patience, is_alive):
        """Challenges lichess-bot to a game and waits for its end, or for this many seconds, or until it is not alive."""

        def happens(event):
            end = time.monotonic() + patience
            while not event.wait(1) and is_alive() and time.monotonic() < end:
                pass
            return event.is_set()

        self.games[game.id] = game
        if happens(self.is_read):
            self.events.put({"type": "challenge", "challenge": game.challenge()})
        if not happens(game.done):
            game.problems.append(f"not over after {patience} s: {game.board.fen()}")
            game.end("aborted")

    def accept(self, game):
        game.since = time.monotonic()
        threading.Thread(target=game.oppose, args=(self.program,), daemon=True).start()
        self.events.put({"type": "gameStart", "game": {
            "id": game.id, "gameId": game.id, "speed": game.speed, "opponent": {"username": OPPONENT},
            "secondsLeft": int(game.base), "source": "friend", "compat": {"bot": True, "board": True},
        }})


class Handler(http.server.BaseHTTPRequestHandler):
    """The part of the interface of lichess.org that lichess-bot uses."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, lines, is_over):
        """Sends what a queue gets, a line each, and an empty line where there is none for a second."""
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            while True:
                try:
                    line = json.dumps(lines.get(timeout=1)).encode()
                except queue.Empty:
                    if is_over():
                        self.wfile.write(b"0\r\n\r\n")
                        return
                    line = b""
                self.wfile.write(b"%x\r\n%s\n\r\n" % (len(line) + 1, line))
                self.wfile.flush()
        except OSError:
            return

    def do_GET(self):
        path = urllib.parse.urlparse(self.path).path
        if path == "/api/account":
            self.answer({"id": BOT, "username": BOT, "title": "BOT", "online": True, "perfs": {}})
        elif path == "/api/account/playing":
            self.answer({"nowPlaying": []})
        elif path == "/api/stream/event":
            self.server.events = queue.Queue()
            self.server.is_read.set()
            self.stream(self.server.events, lambda: False)
        elif found := re.fullmatch(r"/api/bot/game/stream/(\w+)", path):
            game = self.server.games[found[1]]
            with game.lock:
                game.lines = queue.Queue()
                game.lines.put(game.full())
            self.stream(game.lines, game.done.is_set)
        elif path == "/api/users/status":
            self.answer([{"id": BOT, "name": BOT, "online": True}])
        elif found := re.fullmatch(r"/game/export/(\w+)", path):
            self.answer("")
        else:
            self.server.unknown.append(self.path)
            self.answer({"error": "not found"}, 404)

    def do_POST(self):
        url = urllib.parse.urlparse(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if url.path == "/api/token/test":
            self.answer({body: {"scopes": "bot:play,challenge:write", "userId": BOT}})
        elif found := re.fullmatch(r"/api/challenge/(\w+)/accept", url.path):
            self.answer({"ok": True})
            self.server.accept(self.server.games[found[1]])
        elif found := re.fullmatch(r"/api/challenge/(\w+)/decline", url.path):
            self.answer({"ok": True})
            game = self.server.games[found[1]]
            game.problems.append(f"challenge declined: {body}")
            game.done.set()
        elif found := re.fullmatch(r"/api/bot/game/(\w+)/move/(\w+)", url.path):
            query = urllib.parse.parse_qs(url.query)
            self.answer({"ok": True})
            self.server.games[found[1]].bot_move(found[2], query.get("offeringDraw") == ["true"])
        elif found := re.fullmatch(r"/api/bot/game/(\w+)/chat", url.path):
            self.answer({"ok": True})
        elif found := re.fullmatch(r"/api/bot/game/(\w+)/(resign|abort)", url.path):
            self.answer({"ok": True})
            game = self.server.games[found[1]]
            with game.lock:
                if not game.done.is_set():
                    if found[2] == "abort" or game.name != "lost":
                        game.problems.append(f"the bot ended it: {found[2]}")
                    game.end({"resign": "resign", "abort": "aborted"}[found[2]],
                             not game.bot_is_white if found[2] == "resign" else None)
        else:
            self.server.unknown.append(self.path)
            self.answer({"error": "not found"}, 404)
