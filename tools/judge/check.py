#!/usr/bin/env python3
"""Tests what the judges share, with an engine of a few lines: `python3 tools/judge/check.py`. Needs python-chess."""

import argparse
import os
import random
import sys
import tempfile
import unittest

# First: it says what is missing where python-chess is.
from scored_lines import board_of, chess, fcntl, scored

from chosen_moves import losses, mean_with_error, table_of, verdict
from judge_parameters import factor
from judge_players import contents, player
from judge_positions import quiet_positions

# It thinks nothing of any position.
ENGINE = f"""#!{sys.executable}
for line in iter(input, "quit"):
    if line == "uci":
        print("id name Fake\\noption name Hash type spin default 1 min 1 max 9\\nuciok", flush=True)
    elif line == "isready":
        print("readyok", flush=True)
    elif line.startswith("go"):
        print("info depth 1 score cp 0\\nbestmove 0000", flush=True)
"""
POSITIONS = ["4k3/8/8/8/8/8/4P3/4K3 w - -", "4k3/4p3/8/8/8/8/8/4K3 b - -"]


class Check(unittest.TestCase):
    """What may go wrong between two runs on one file."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.engine, self.out = (os.path.join(directory.name, name) for name in ("engine", "out.txt"))
        self.write_engine(ENGINE)

    def write_engine(self, text):
        """Makes a program of a text."""
        with open(self.engine, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.engine, 0o755)

    def judge(self):
        """The lines of two positions."""
        return scored(self.out, POSITIONS, self.engine, 2, 1, 1, "# {}\n".format)

    def test_a_position_counts_once(self):
        lines = sorted(f"{position} 0 1;0.50000" for position in POSITIONS)
        self.assertEqual(sorted(self.judge()), lines)
        with open(self.out, "a", encoding="utf-8") as file:
            file.write(lines[0] + "\n" + lines[1][:9])
        self.assertEqual(sorted(self.judge()), lines)

    def test_what_is_no_text_is_kept_and_cut_at_the_end_of_a_line(self):
        self.judge()
        with open(self.out, "ab") as file:
            file.write(b"\xff\xfe\n4k3/8")
        self.judge()
        with open(self.out, "rb") as file:
            self.assertTrue(file.read().endswith(b"1;0.50000\n\xff\xfe\n"))

    def test_another_build_of_the_engine_is_another_engine(self):
        self.judge()
        self.write_engine(ENGINE + "# another\n")
        with self.assertRaisesRegex(SystemExit, "other engines"):
            self.judge()

    @unittest.skipUnless(fcntl, "no locks here")
    def test_two_runs_do_not_write_to_one_file(self):
        with open(self.out, "a", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            with self.assertRaisesRegex(SystemExit, "in use"):
                self.judge()
        self.assertEqual(len(self.judge()), 2)

    def test_an_engine_that_dies_ends_the_run(self):
        # The first team's engine thinks for ever, the second's dies.
        self.write_engine(ENGINE.replace("""elif line.startswith("go"):""", """elif line.startswith("position") and "4p3" in line:
        sys.exit(1)
    elif False:""").replace("\nfor", "\nimport sys\nfor", 1))
        with self.assertRaises(chess.engine.EngineTerminatedError):
            self.judge()

    def test_factors_set_each_option_once(self):
        self.assertEqual(factor("a=20,b=1:a=60,b=2"), [{"a": "20", "b": "1"}, {"a": "60", "b": "2"}])
        for wrong in ("a=20,a=30:a=60", "a=60:a=20,a=30", "a=20,a=20:a=60,a=60", "a=20", "a=20:b=60", "a:a=1"):
            with self.subTest(wrong), self.assertRaises(argparse.ArgumentTypeError):
                factor(wrong)

    def test_players_have_a_name_a_program_and_options(self):
        self.assertEqual(player("a=engine"), ("a", "engine", {}))
        self.assertEqual(player("a=engine,Hash=1,X Y=b=c"), ("a", "engine", {"Hash": "1", "X Y": "b=c"}))
        network = {"EvalFile": "<material>"}
        self.assertEqual(player("a=engine,EvalFile=<material>"), ("a", "engine", network))
        self.assertEqual(player(f"a=engine,EvalFile={self.engine}"), ("a", "engine", {"EvalFile": self.engine}))
        missing = f"a=engine,EvalFile={self.engine}.nnue"
        for wrong in ("a", "a=", "=engine", "a=engine,", "a=engine,Hash", "a=engine,Hash=", "a=engine,H=1,H=2", missing):
            with self.subTest(wrong), self.assertRaises(argparse.ArgumentTypeError):
                player(wrong)

    def test_a_file_among_the_options_is_known_by_its_contents(self):
        before = contents({"EvalFile": self.engine, "Hash": "1"})
        self.write_engine(ENGINE + "# another\n")
        after = contents({"EvalFile": self.engine, "Hash": "1"})
        self.assertNotEqual(before, after)
        self.assertEqual((before["Hash"], after["Hash"]), ("1", "1"))

    def test_a_game_gives_as_many_quiet_positions_as_are_wanted(self):
        games = os.path.join(os.path.dirname(self.out), "games.pgn")
        with open(games, "w", encoding="utf-8") as file:
            file.write("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 *\n\n1. d4 *\n\n")
        # In the first game two moves take something.
        self.assertEqual(len(quiet_positions([games], random.Random(1), 9)), 4)
        of_each = quiet_positions([games], random.Random(1), 1)
        self.assertEqual(len(of_each), 2)
        self.assertIn(chess.Board().epd(), of_each)

    def test_rights_that_only_chess960_has_are_kept(self):
        shuffled = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq -"
        board = board_of(shuffled)
        self.assertTrue(board.chess960 and board.epd() == shuffled)
        usual = board_of(chess.Board().epd())
        self.assertEqual((usual.chess960, usual.epd()), (False, chess.Board().epd()))

    def test_a_move_loses_what_the_best_of_them_is_worth_more(self):
        board = chess.Board()
        first, second = (chess.Move.from_uci(move) for move in ("e2e4", "h2h4"))
        self.assertEqual(losses(None, board, [first, first], 1, 1), [0.0, 0.0])

        class Judge:
            """Says 50 centipawns of the first move and 0 of the second."""

            def configure(self, options):
                """Takes all options."""

            def analyse(self, board, limit, multipv, root_moves, game):
                """The lines of both moves."""
                worth = {first: 50, second: 0}
                return [{"pv": [move], "score": chess.engine.PovScore(chess.engine.Cp(worth[move]), board.turn)}
                        for move in root_moves]

        lost = losses(Judge(), board, [second, first, second], 1, 1)
        self.assertEqual(lost[1], 0.0)
        self.assertAlmostEqual(lost[0], 0.62246 - 0.5, 5)
        self.assertEqual(lost[0], lost[2])
        line = f"fen;{verdict([second, first], lost[:2])}"
        self.assertEqual(table_of([line]), ([["h2h4", "e2e4"]], [[0.12246, 0.0]]))
        mean, error = mean_with_error([1.0, 3.0])
        self.assertEqual((mean, round(error, 2)), (2.0, 1.96))


if __name__ == "__main__":
    unittest.main()
