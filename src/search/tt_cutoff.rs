//! Whether an entry of the transposition table cuts off a node: a pure function of the entry and the node.

use super::window::Window;
use crate::params;
use crate::tt::TableEntry;
use crate::types::{Depth, MATE, TB_WIN, Value, is_decisive, is_mate};

/// The value of a node by the transposition table alone, if an entry searched at least `depth` plies deep proves that it
/// lies outside the window, or knows it exactly.
///
/// Above quiescence a value that reaches beta must come from a search a ply deeper than the node asks for: a fail-high ends
/// the node, so that an error is never seen again, and a search of the same depth costs little where its table move is
/// known (the practice of Stockfish and its kin since 2023; with seven other changes 26 ± 21 Elo, 500 games at 25,000
/// nodes).
///
/// That a stored bound cuts off a node is as old as the table (Greenblatt, Eastlake and Crocker 1967, "The Greenblatt chess
/// program"); which nodes ask for it is up to the search.
///
/// Near the fifty-move rule the table cuts off nothing: its key does not know how many plies have gone by without a
/// capture or a pawn move, and a stored mate, or a position that the endgame tables know, may come too late. `rule50`
/// counts these plies.
#[inline]
pub fn tt_cutoff(hit: &TableEntry, rule50: i32, ply: usize, depth: Depth, window: Window) -> Option<Value> {
    let value = hit.value?;
    let deeper = Depth::from(depth > 0 && value >= window.beta);
    if hit.depth < depth + deeper {
        return None;
    }
    let plies_left = 100 - rule50;
    if plies_left <= params::tt_rule50_reserve() || comes_too_late(value, ply, plies_left) {
        return None;
    }
    hit.bound.allows_cutoff(value, window.alpha, window.beta).then_some(value)
}

/// May a node with a zero window be left with a `value` that the table proves? A value on the other side than the node's
/// kind expects surprises the parent, which looks again anyhow: at low depth the node is searched (the practice of Stockfish
/// since 2024). Up to depth six in place of one, a move at 200,000 nodes loses 6.8 ± 4.5 ten-thousandths of a point less, by
/// the judgement of Stockfish 15.1 in 1,300 positions.
#[inline(always)]
pub fn may_cut(cut_node: bool, value: Value, beta: Value, depth: Depth) -> bool {
    cut_node == (value >= beta) || depth > params::tt_cutoff_any_depth()
}

/// True if a decisive value counts on a mate, or on the capture or pawn move that leads to a position of the endgame
/// tables, in more than `plies_left` plies.
fn comes_too_late(value: Value, ply: usize, plies_left: i32) -> bool {
    let end = if is_mate(value) { MATE } else { TB_WIN };
    // Negative for a mate beyond the deepest ply, which looks like a win of the tables.
    is_decisive(value) && !(0..=plies_left).contains(&(end - value.abs() - ply as Value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Bound, MATE_IN_MAX, MAX_PLY, mate_in, mated_in};

    const BOUNDS: [Bound; 4] = [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact];

    #[test]
    fn a_bound_cuts_off_what_lies_on_its_side_of_the_window() {
        let window = Window { alpha: -10, beta: 10 };
        for bound in BOUNDS {
            for value in [-11, -10, -9, 0, 9, 10, 11] {
                let cutoff = tt_cutoff(&TableEntry::sample(bound, value, 6), 0, 3, 5, window);
                let expected = match bound {
                    Bound::None => false,
                    Bound::Upper => value <= -10,
                    Bound::Lower => value >= 10,
                    Bound::Exact => true,
                };
                assert_eq!(cutoff, expected.then_some(value), "{bound:?} {value}");
            }
        }
    }

    #[test]
    fn shallower_entries_and_entries_without_a_value_cut_off_nothing() {
        let window = Window::zero_above(0);
        for depth in -1..12 {
            let cutoff = |value, wanted| {
                tt_cutoff(&TableEntry::sample(Bound::Exact, value, depth), 0, 3, wanted, window)
            };
            assert_eq!(cutoff(0, 6).is_some(), depth >= 6, "a fail low");
            assert_eq!(cutoff(1, 6).is_some(), depth >= 7, "a fail high");
            assert_eq!(cutoff(1, 0).is_some(), depth >= 0, "in quiescence");
        }
        let without = TableEntry { value: None, ..TableEntry::sample(Bound::Exact, 0, 20) };
        assert_eq!(tt_cutoff(&without, 0, 3, 6, window), None);
    }

    #[test]
    fn near_the_leaves_only_the_expected_direction_cuts() {
        for (cut_node, value, expected) in
            [(true, 11, true), (true, 9, false), (false, 11, false), (false, 9, true)]
        {
            assert_eq!(may_cut(cut_node, value, 10, 1), expected, "{cut_node} {value}");
            assert!(may_cut(cut_node, value, 10, MAX_PLY as Depth));
        }
    }

    #[test]
    fn near_the_fifty_move_rule_nothing_is_cut_off() {
        for rule50 in 0..=100 {
            let cutoff = |value| {
                tt_cutoff(&TableEntry::sample(Bound::Exact, value, 9), rule50, 4, 6, Window::FULL).is_some()
            };
            assert_eq!(cutoff(30), rule50 < 90, "{rule50}");
            // A mate 20 plies from here, or a position that the endgame tables know.
            for value in [mate_in(24), mated_in(24), TB_WIN - 24, 24 - TB_WIN] {
                assert_eq!(cutoff(value), rule50 <= 80, "{rule50}");
            }
            // A mate that is farther away than the deepest ply.
            assert!(!cutoff(MATE_IN_MAX - 1) && !cutoff(1 - MATE_IN_MAX));
        }
    }
}
