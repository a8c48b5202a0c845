"""What the judges share: the scale of scores, and a file of lines that an interrupted run leaves whole."""

import math
import os
import sys

# Beyond this many centipawns a position is won.
WON = 1500


def expected_score(score):
    """The expected score of the side to move, from a score of python-chess: the logistic of its pawns."""
    centipawns = max(-WON, min(WON, score.score(mate_score=10 * WON)))
    return 1 / (1 + math.exp(-centipawns / 100))


def begun(out, heading):
    """The lines after the heading that an interrupted run has left in a file; its end is cut off if it is not a whole line.
    Ends the program if the file has another heading."""
    if not os.path.exists(out):
        return []
    with open(out, encoding="utf-8", errors="replace", newline="") as file:
        text = file.read()
    lines = text[: text.rfind("\n") + 1].splitlines(keepends=True)
    if text and lines[:1] != [heading]:
        sys.exit(f"{out} was begun with other arguments or other engines, or is no file of this program")
    os.truncate(out, sum(len(line.encode()) for line in lines))
    return [line.rstrip("\n") for line in lines[1:]]
