//! What the program says to people who type: a greeting, the list of commands, the licence.

use std::fmt::Write;

/// The first line of a session.
pub const BANNER: &str = concat!(
    "Caesura ",
    env!("CARGO_PKG_VERSION"),
    " by the Caesura developers, a UCI chess engine. Type help for a list of commands."
);

/// The licence in short.
pub const LICENSE: &str = "\
Caesura is free software: you can redistribute it and modify it under the terms of the GNU General Public License as
published by the Free Software Foundation, version 3 or any later version. It comes without any warranty. The text of
the licence is in the file LICENSE of the source code.";

/// Commands as they are typed, and what they do.
const COMMANDS: &[(&str, &str)] = &[
    (
        "uci [experiments]",
        "list the options, if asked to also those of null-move experiments, and answer uciok",
    ),
    ("isready", "answer readyok once everything before is done, during a search at once"),
    ("setoption name N [value V]", "change an option"),
    ("ucinewgame", "forget the last game: empty the table and the histories"),
    ("position startpos|fen F [moves M ...]", "set up a position and play moves"),
    (
        "go [LIMIT ...]",
        "search, without a limit until stop or depth 245; limits are depth N, nodes N, movetime MS, mate N, \
      wtime MS, btime MS, winc MS, binc MS, movestogo N, infinite, ponder, searchmoves M ...",
    ),
    ("go perft N, perft N", "count the leaf nodes of the tree of legal moves"),
    ("stop", "end the search; its best move follows"),
    ("ponderhit", "the expected move was played: the clock runs from now on"),
    ("wait", "read no further line before the search has ended"),
    ("d", "show the board, its FEN, and what endgame tables say of it"),
    ("eval", "show the static evaluation"),
    ("flip", "exchange White and Black"),
    ("bench [DEPTH [THREADS]]", "search fixed positions; the last line has the node count and the speed"),
    (
        "bench HASH THREADS LIMIT [FILE [KIND]]",
        "the same with Stockfish's arguments: FILE is default, current or a file of positions, KIND is depth, nodes, \
         movetime, mate, perft or eval",
    ),
    ("speedtest [THREADS [HASH [SECONDS]]]", "measure speed and latency on this machine over whole games"),
    (
        "genfens N seed S book None|FILE [plies P] [limit CP]",
        "write N openings of P random moves or one more, for OpenBench",
    ),
    ("params", "list the numbers of the search as OpenBench's tuner wants them"),
    ("export_net [FILE]", "write the network to a new file"),
    ("compiler", "show how the program was built"),
    ("license", "show the licence"),
    ("help", "show this list"),
    ("# ...", "a comment"),
    ("quit", "end the program"),
];

/// Where the descriptions begin.
const COLUMN: usize = 40;

/// The list of commands.
pub fn commands() -> String {
    let mut text = String::from(
        "Caesura speaks UCI: a GUI or a script types these commands for you, but you can, too.\n",
    );
    for (command, doc) in COMMANDS {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {command:<COLUMN$}{doc}");
    }
    text.push_str("\n\nA first search: 'position startpos moves e2e4', then 'go movetime 1000'.\n");
    text.push_str(
        "Other work, such as test suites and speed tests, is done from the shell: see 'caesura --help'.",
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::command::is_command;

    #[test]
    fn every_listed_command_is_one() {
        for (command, _) in COMMANDS {
            assert!(is_command(command), "{command}");
        }
    }
}
