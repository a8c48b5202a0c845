//! The `go` command: what its words ask of a search.

use std::time::Duration;

use crate::board::{Board, notation};
use crate::engine::Limits;
use crate::types::{Color, Depth, Move};

use super::go_words::Go;

/// The legal moves among the words of `searchmoves`, and the words that are no legal moves.
pub fn search_moves<'a>(words: &[&'a str], board: &Board) -> (Vec<Move>, Vec<&'a str>) {
    let (mut moves, mut refused) = (Vec::new(), Vec::new());
    for &word in words {
        match notation::parse_uci(board, word) {
            Some(m) => moves.push(m),
            None => refused.push(word),
        }
    }
    (moves, refused)
}

/// The limits of a search for this side, among these moves.
pub fn limits(go: &Go<'_>, side: Color, search_moves: Vec<Move>) -> Limits {
    let mut go = go.clone();
    go.settle_zeros(side);
    let milliseconds = |time: Option<u64>| time.map(Duration::from_millis);
    let mut time = go.clock.map(milliseconds);
    let mut increment = go.increment.map(|time| milliseconds(time).unwrap_or_default());
    let mut moves_to_go = go.moves_to_go;
    let has_other_limit =
        go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || go.move_time.is_some();
    if has_other_limit && go.clock[side.index()].is_none_or(|time| time == 0) {
        // What else was asked for ends the search: we have no clock.
        (time, increment, moves_to_go) = ([None; 2], [Duration::ZERO; 2], None);
    } else if time == [None; 2] && go.increment.iter().any(Option::is_some) {
        // The clock is taken to be at zero, or `winc 0` alone would search for ever.
        time[side.index()] = Some(Duration::ZERO);
    }
    Limits {
        time,
        increment,
        moves_to_go,
        move_time: milliseconds(go.move_time),
        nodes: go.nodes,
        soft_nodes: None,
        depth: go.depth.map(|depth| Depth::try_from(depth).unwrap_or(Depth::MAX)),
        mate: go.mate,
        infinite: go.infinite,
        ponder: go.ponder,
        search_moves,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::command::{self, Command};

    /// The limits of a line, for White.
    fn limits_of(line: &str) -> Limits {
        match command::parse(line) {
            Ok(Command::Go(go)) => limits(&go, Color::White, Vec::new()),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_clock_that_shows_nothing_ends_only_a_search_that_nothing_else_ends() {
        for line in ["go winc 0 binc 0", "go winc 10", "go infinite winc 0", "go wtime 0"] {
            assert_eq!(limits_of(line).time, [Some(Duration::ZERO), None], "{line}");
        }
        assert_eq!(limits_of("go movestogo 40").moves_to_go, Some(40));
        for limit in ["depth 20", "nodes 100000", "mate 3", "movetime 300"] {
            for clock in [
                "winc 0 binc 0",
                "winc 1000 binc 1000",
                "wtime 0",
                "wtime 0 btime 0",
                "wtime 0 btime 5000 binc 100",
                "wtime -5 btime 0 winc 1000 movestogo 40",
                "movestogo 40",
                "btime 60000",
                "btime 60000 winc 100 binc 1000",
            ] {
                let of_clock = |limits: Limits| (limits.time, limits.increment, limits.moves_to_go);
                let limits = limits_of(&format!("go {limit} {clock}"));
                assert_eq!(of_clock(limits), of_clock(limits_of(&format!("go {limit}"))), "{limit} {clock}");
            }
        }
        let clock = limits_of("go depth 20 wtime 500 winc 10");
        assert_eq!(
            (clock.time[0], clock.increment[0]),
            (Some(Duration::from_millis(500)), Duration::from_millis(10))
        );
    }
}
