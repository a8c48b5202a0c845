//! How often passing beats every move.

use caesura::board::Board;
use caesura::engine::{Material, SplitMix, Tablebase};
use caesura::types::Color;
use toolkit::reservoir::Reservoir;

use super::placements::{placements, position};
use super::record::Zugzwangs;

/// What the tables say of a material with one side to move.
#[derive(Debug, Default)]
pub struct Census {
    /// All placements of the pieces were looked at.
    pub exhaustive: bool,
    /// The positions that were looked at.
    pub positions: u64,
    /// The positions that the tables could not judge.
    pub unknown: u64,
    /// The positions in which passing beats every move.
    pub zugzwangs: Zugzwangs,
    /// Some of the zugzwangs, each with the value that a pass reaches and no move does, in centipawns for the side to move.
    pub examples: Vec<(Board, i32)>,
}

/// Looks at all placements if there are no more than `most`, else at as many drawn at random, and keeps up to `examples`
/// of the zugzwangs.
pub fn census(
    tables: &Tablebase,
    material: &Material,
    side: Color,
    (most, examples): (u64, usize),
    random: &mut SplitMix,
) -> Census {
    let placements = placements(material);
    let exhaustive = placements <= most;
    let mut census = Census { exhaustive, ..Census::default() };
    let mut kept = Reservoir::new(examples);
    for index in 0..most.min(placements) {
        let placement = if exhaustive { index } else { random.next() % placements };
        let Some(mut board) = position(material, placement, side) else { continue };
        if board.in_check() || board.count_legal_moves() == 0 {
            continue;
        }
        let Some((moves, pass)) = results(tables, &mut board) else {
            census.unknown += 1;
            continue;
        };
        census.positions += 1;
        if pass <= moves {
            continue;
        }
        let zugzwangs = &mut census.zugzwangs;
        let kind = match (moves, pass) {
            (-1, 0) => &mut zugzwangs.draw_lost,
            (0, _) => &mut zugzwangs.win_drawn,
            _ => &mut zugzwangs.win_lost,
        };
        *kind += 1;
        kept.offer(|bound| random.below(bound), || (board, if moves < 0 { 0 } else { 1 }));
    }
    census.examples = kept.into_items();
    census
}

/// The result of the best move and of a pass for the side to move: 1 a win, 0 a draw, −1 a loss. A win that the
/// fifty-move rule spoils is a draw. `None` if a table is missing or damaged.
fn results(tables: &Tablebase, board: &mut Board) -> Option<(i32, i32)> {
    let moves = tables.probe_result(board)?;
    board.make_null_move();
    let answer = tables.probe_result(board);
    board.unmake_null_move();
    Some((moves, -answer?))
}
