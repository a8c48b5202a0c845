//! The positions that contenders search.

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

use caesura::board::Board;
use caesura::board::fen::FenError;
use caesura::engine::{Info, SearchResult};
use caesura::suite::TestPosition;
use caesura::types::{Depth, Move, Value};
use caesura::util::regular_file::read_text;

use toolkit::FileError;

use crate::LabError;

/// A position with the depth to which the paper searches it.
#[derive(Clone, Debug)]
pub struct FixedDepthPosition {
    /// Its name.
    pub id: String,
    /// The position.
    pub fen: String,
    /// The depth of the paper's search, in plies.
    pub depth: Depth,
}

impl FixedDepthPosition {
    /// The board of this position.
    ///
    /// # Errors
    /// If the FEN is not valid.
    pub fn board(&self) -> Result<Board, LabError> {
        self.fen
            .parse()
            .map_err(|error: FenError| LabError::Position { id: self.id.clone(), source: error.into() })
    }
}

/// True if a search that ends with this best move and this score solves a position; tasks of mates look at the score.
pub fn is_solved(position: &TestPosition, best: Option<Move>, score: Value) -> bool {
    let lines = vec![Info { score, ..Info::default() }];
    position.judge(&SearchResult { best, lines, ..SearchResult::default() }).solved
}

/// The six positions of Bratko and Kopec (1982) that Crafty's benchmark searches, with the depths of the paper's appendix.
pub fn bratko_kopec() -> Vec<FixedDepthPosition> {
    [
        ("BK.02", "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1", 11),
        ("BK.04", "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1", 11),
        ("BK.08", "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1", 14),
        ("BK.12", "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1", 11),
        ("BK.22", "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1", 12),
        ("BK.23", "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1", 11),
    ]
    .map(|(id, fen, depth)| FixedDepthPosition { id: id.into(), fen: fen.into(), depth })
    .into()
}

/// Reads a test suite in EPD. Positions that have a name of an earlier one get the number of the position, too: results know
/// positions by their names.
///
/// # Errors
/// If the file cannot be read or a line is not a test position.
pub fn suite(path: &Path) -> Result<Vec<TestPosition>, LabError> {
    let text = File::open(path).and_then(read_text).map_err(FileError::at(path))?;
    let mut positions = TestPosition::parse_all(&text)
        .map_err(|source| LabError::Suite { path: path.to_path_buf(), source })?;
    name_apart(&mut positions);
    Ok(positions)
}

/// Gives each position a name of its own.
fn name_apart(positions: &mut [TestPosition]) {
    let mut names = HashSet::new();
    for (number, position) in (1..).zip(positions) {
        while !names.insert(position.id.clone()) {
            position.id = format!("{}, number {number}", position.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_one_name_are_told_apart() {
        let text = "8/8/8/8/8/8/8/K1k5 w - - bm Ka2; id \"a\";\n".repeat(3);
        let mut positions = TestPosition::parse_all(&text).unwrap();
        name_apart(&mut positions);
        let names: Vec<_> = positions.iter().map(|position| position.id.as_str()).collect();
        assert_eq!(names, ["a", "a, number 2", "a, number 3"]);
    }

    #[test]
    fn the_six_can_be_set_up() {
        let positions = bratko_kopec();
        assert_eq!(positions.len(), 6);
        for position in positions {
            assert!(position.fen.parse::<Board>().is_ok() && position.depth > 0, "{}", position.id);
        }
    }
}
