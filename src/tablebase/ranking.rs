//! Ranks the moves of a position by the tables.

use shakmaty_syzygy::{Dtz, Wdl};

use super::tables::Tablebase;
use crate::board::Board;
use crate::types::{Move, TB_WIN, Value};

/// The rank of a move that wins whatever follows.
const CERTAIN: i32 = 1 << 20;
/// The rank of a move that wins if it is followed up at once, less the plies that the fifty-move rule then counts.
const URGENT: i32 = CERTAIN / 2;
/// More plies than any table counts to the next capture or pawn move.
const MAX_PLIES: i32 = URGENT / 2;
/// The plies without a capture or pawn move after which a game is drawn.
const FIFTY_MOVES: i32 = 100;

/// What the tables say of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub m: Move,
    /// The greater, the better; moves of one rank are equally good.
    pub rank: i32,
    /// The value of the position after the move, for the side that makes it, in centipawns.
    pub value: Value,
    /// The plies to the next capture or pawn move, this one included: positive if the move wins, negative if it loses, 0
    /// in a draw. With WDL tables alone 1, 101 and their negatives; 0 also for a move that mates.
    pub distance: i32,
}

/// The moves of a position, ranked by the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// The moves, best rank first, in a rank the one that makes the quickest progress or holds out longest.
    pub moves: Vec<RankedMove>,
    /// The tables of distances were there: a player of moves of the best rank keeps the result of the position. Without
    /// them a win is known and need not come nearer.
    pub by_distance: bool,
    /// How many positions were looked up.
    pub hits: u64,
}

impl Ranking {
    /// Ranks legal moves of a position. `None` if the tables do not know what becomes of them all.
    ///
    /// Moves that surely win are equal, whatever their distance, so that a search may choose among them, as long as the
    /// fifty-move rule is far and no position has been repeated; then the least distance is best, and the win is made.
    /// Moves that lose are equal until the fifty-move rule may save the loser (the practice of Stockfish). Without
    /// `fifty_move_rule` a win that needs more than fifty moves is one all the same.
    pub fn of(tables: &Tablebase, board: &Board, moves: &[Move], fifty_move_rule: bool) -> Option<Ranking> {
        Ranking::of_until(tables, board, moves, fifty_move_rule, || false)
    }

    /// [`Ranking::of`], but `None`, too, once `stop` returns true, which is called before each position is looked up.
    pub fn of_until(
        tables: &Tablebase,
        board: &Board,
        moves: &[Move],
        fifty_move_rule: bool,
        mut stop: impl FnMut() -> bool,
    ) -> Option<Ranking> {
        let mut board = board.clone();
        let mut stopped = false;
        let mut stop = || {
            stopped = stopped || stop();
            stopped
        };
        let by_distance = |board: &Board| if stop() { None } else { distance(tables, board) };
        let mut hits = 0;
        let ranking = Ranking::by(&mut board, moves, fifty_move_rule, (true, &mut hits), by_distance);
        ranking.or_else(|| {
            let by_result = |board: &Board| if stop() { None } else { result(tables, board) };
            Ranking::by(&mut board, moves, fifty_move_rule, (false, &mut hits), by_result)
        })
    }

    /// Ranks moves by a function that says after each how many plies it is to the next capture or pawn move. `hits` counts its
    /// calls.
    fn by(
        board: &mut Board,
        moves: &[Move],
        fifty_move_rule: bool,
        (by_distance, hits): (bool, &mut u64),
        mut distance_after: impl FnMut(&Board) -> Option<i32>,
    ) -> Option<Ranking> {
        let (rule50, repeated) = (i32::from(board.rule50()), board.has_repeated());
        let mut ranked = Vec::with_capacity(moves.len());
        for &m in moves {
            board.make_move(m, &mut ());
            let mates = board.in_check() && board.count_legal_moves() == 0;
            let distance = if mates {
                Some(1)
            } else if board.is_draw_under(1, fifty_move_rule) {
                Some(0)
            } else {
                *hits += 1;
                distance_after(board)
            };
            board.unmake_move(m, &mut ());
            let distance = distance?.clamp(-MAX_PLIES, MAX_PLIES);
            ranked.push(RankedMove {
                m,
                rank: if mates { CERTAIN } else { rank(distance, rule50, repeated) },
                value: value(distance, if mates { 0 } else { rule50 }, fifty_move_rule),
                distance: if mates { 0 } else { distance },
            });
        }
        ranked.sort_by_key(|ranked| (-ranked.rank, ranked.distance));
        Some(Ranking { moves: ranked, by_distance, hits: *hits })
    }
}

/// The rank of a move that is this many plies from the next capture or pawn move, which counts as one of them.
fn rank(distance: i32, rule50: i32, repeated: bool) -> i32 {
    let plies = distance.abs() + rule50;
    match distance {
        0 => 0,
        // The distance may be one greater than the tables say.
        1.. if plies < FIFTY_MOVES && !repeated => CERTAIN,
        1.. => URGENT - plies,
        _ if plies - distance < FIFTY_MOVES => -CERTAIN,
        _ => plies - URGENT,
    }
}

/// The value of a move at that distance, in centipawns: a draw by the fifty-move rule is a centipawn from other draws.
fn value(distance: i32, rule50: i32, fifty_move_rule: bool) -> Value {
    let in_time = !fifty_move_rule || distance.abs() + rule50 <= FIFTY_MOVES;
    distance.signum() * if in_time { TB_WIN } else { 1 }
}

/// The distance of a move that led to this position, from the side that made it.
fn distance(tables: &Tablebase, board: &Board) -> Option<i32> {
    if board.rule50() == 0 {
        return result(tables, board);
    }
    Some(-tables.probe_dtz(board)?.add_plies_saturating(1).0.max(-i32::MAX))
}

/// The distance of a move that led to this position, as if it were a capture or pawn move.
fn result(tables: &Tablebase, board: &Board) -> Option<i32> {
    let wdl: Wdl = tables.probe_wdl(board)?;
    Some(Dtz::before_zeroing(-wdl).0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_that_are_certain_are_equal_and_urgent_ones_go_by_distance() {
        for rule50 in 0..=99 {
            for distance in 1..=99 {
                let certain = distance + rule50 <= 99;
                assert_eq!(rank(distance, rule50, false) == CERTAIN, certain, "{distance} {rule50}");
                // A position that was repeated calls for progress.
                assert!(rank(distance, rule50, true) > rank(distance + 1, rule50, true));
                assert!(rank(distance, rule50, true) > 0 && rank(-distance, rule50, true) < 0);
            }
        }
        assert!(rank(1, 99, false) > rank(2, 99, false));
        assert!(rank(MAX_PLIES, 99, false) > 0 && rank(-MAX_PLIES, 99, false) < 0);
    }

    #[test]
    fn the_longest_defence_counts_where_the_fifty_move_rule_may_save() {
        assert_eq!(rank(-10, 0, false), rank(-20, 0, false));
        assert!(rank(-30, 70, false) > rank(-20, 70, false));
        assert!(rank(-20, 70, false) > rank(-1, 0, false));
    }

    #[test]
    fn wins_beyond_fifty_moves_are_draws_by_a_centipawn_under_the_rule() {
        assert_eq!(value(100, 0, true), TB_WIN);
        assert_eq!(value(-40, 60, true), -TB_WIN);
        assert_eq!([value(101, 0, true), value(40, 61, true), value(-101, 0, true)], [1, 1, -1]);
        assert_eq!([value(101, 0, false), value(-40, 99, false)], [TB_WIN, -TB_WIN]);
        assert_eq!([value(0, 0, true), value(0, 0, false)], [0, 0]);
    }
}
