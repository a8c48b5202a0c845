"""Checks the engine against OpenBench's own code: called by check.sh, which has put that code into the folder WORK."""

import ast
import importlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import types

WORK = pathlib.Path(os.environ["WORK"])
REPOSITORY = pathlib.Path(os.environ["REPOSITORY"])
PROGRAM = pathlib.Path(os.environ["PROGRAM"])
NAME = "Caesura-CHECK"

# The client imports it for downloads, which are not made here.
sys.modules.setdefault("requests", types.ModuleType("requests"))
sys.path.insert(0, str(WORK / "Client"))
bench, genfens, utils, pgn_util = map(importlib.import_module, ["bench", "genfens", "utils", "pgn_util"])


# It ends processes by a part of their command line.
utils.kill_process_by_name = lambda name: None


def functions(path, names):
    """Functions of a module that cannot be imported as it needs a server, without what surrounds them."""
    tree = ast.parse(path.read_text())
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in names]
    space = {"traceback": importlib.import_module("traceback"), "os": os, "json": json}
    exec(compile(tree, str(path), "exec"), space)
    missing = set(names) - space.keys()
    assert not missing, f"{path}: {missing} not found"
    return space


def check_description():
    names = [
        "verify_engine_basics", "verify_engine_build", "verify_engine_test_preset",
        "verify_engine_tune_preset", "verify_engine_datagen_preset",
    ]
    config = functions(WORK / "OpenBench" / "config.py", names)
    description = json.loads((REPOSITORY / "tools/openbench/Caesura.json").read_text())
    config["verify_engine_basics"](description)
    config["verify_engine_build"]("Caesura", description)
    for kind in ["test", "tune", "datagen"]:
        for preset in description[f"{kind}_presets"].values():
            config[f"verify_engine_{kind}_preset"](preset)
    return f"{len(description['test_presets'])} presets for tests"


def check_make():
    if not PROGRAM.samefile(os.devnull):
        shutil.copy(PROGRAM, WORK / NAME)
        return f"not built, {PROGRAM} is used"
    network = (REPOSITORY / "nets/embedded.sha256").read_text().split()[1].lstrip("*")
    command = utils.makefile_command(str(REPOSITORY / "nets" / network), "", NAME, "cargo")
    subprocess.run(command, cwd=REPOSITORY, check=True)
    shutil.move(utils.check_for_engine_binary(str(REPOSITORY / NAME)), WORK)
    return " ".join(command)


def check_bench():
    speed, nodes = bench.run_benchmark(NAME, 1, 1)
    assert speed > 0 and nodes > 0
    return f"{nodes} nodes, {speed} nodes a second"


def check_genfens():
    book = WORK / "book.epd"
    book.write_text("rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - hmvc 0; fmvn 6;\n")
    found = []
    for name in ["None", "book.epd"]:
        output = io.StringIO()
        genfens.create_genfens_opening_book({
            "N": 20, "book": name, "seeds": [1, 2], "extra": "", "engine": NAME, "threads": 2, "output": output,
        })
        lines = output.getvalue().splitlines()
        assert len(lines) == 40 and len(set(lines)) > 30, lines
        assert all(re.fullmatch(r"\S+ [wb] \S+ \S+ hmvc \d+; fmvn \d+;", line) for line in lines), lines
        found.append(lines)
    assert found[0] != found[1]
    return "40 openings without a book, 40 with one"


def check_params():
    output = subprocess.run([f"./{NAME}", "params", "quit"], capture_output=True, text=True, check=True).stdout
    verify = functions(WORK / "OpenBench/workloads/verify_workload.py", ["verify_spsa_inputs"])
    errors = []
    request = types.SimpleNamespace(POST={"spsa_inputs": output.strip()})
    verify["verify_spsa_inputs"](errors, request, "spsa_inputs")
    assert not errors, errors
    return f"{len(output.splitlines())} parameters"


def check_comment():
    commands = "setoption name PgnComment value true\ngo depth 5\nwait\nquit\n"
    output = subprocess.run([f"./{NAME}"], input=commands, capture_output=True, text=True, check=True).stdout
    lines = [line for line in output.splitlines() if line.startswith("info string pgncomment ")]
    assert len(lines) == 1, output
    comment = pgn_util.extract_pgncomment(f'+0.30/5 0.01s, line="{lines[0]}"')
    assert comment, lines
    return comment


os.chdir(WORK)
for check in [check_description, check_make, check_bench, check_genfens, check_params, check_comment]:
    print(f"{check.__name__.removeprefix('check_'):<12} {check()}", flush=True)
print("OpenBench's code is content.")
