//! The `go` command: what its words ask of a search.

use std::time::Duration;

use crate::board::{Board, notation};
use crate::engine::Limits;
use crate::types::{Color, Depth, Move};

use super::command::Go;

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
    let milliseconds = |time: Option<u64>| time.map(Duration::from_millis);
    let mut time = go.clock.map(milliseconds);
    // An increment without a clock: the clock is taken to be at zero, or `winc 0` alone would search for ever.
    if time == [None; 2] && go.increment.iter().any(Option::is_some) {
        time[side.index()] = Some(Duration::ZERO);
    }
    Limits {
        time,
        increment: go.increment.map(|time| milliseconds(time).unwrap_or_default()),
        moves_to_go: go.moves_to_go,
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
