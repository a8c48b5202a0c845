//! Named amounts: by how much is a late move searched shallower?

use super::node::NodeView;
use crate::params;
use crate::types::Depth;

/// One ply, in the unit of reductions.
pub const PLY: i32 = 1024;

/// Natural logarithms in 1024ths. Whole numbers, so that the search is the same on every processor.
static LOGARITHMS: [i32; 256] = {
    let mut table = [0; 256];
    let mut n = 1;
    while n < 256 {
        table[n] = logarithm(n as u64);
        n += 1;
    }
    table
};

/// 1024 ln n, rounded down (by one too many now and then): the binary logarithm digit by digit, by squaring, then a change of base.
const fn logarithm(n: u64) -> i32 {
    const DIGITS: u32 = 20;
    let whole = n.ilog2();
    let mut mantissa = (n << 31) >> whole;
    let mut log = whole as u64;
    let mut digit = 0;
    while digit < DIGITS {
        mantissa = (mantissa * mantissa) >> 31;
        log <<= 1;
        if mantissa >= 1 << 32 {
            log |= 1;
            mantissa >>= 1;
        }
        digit += 1;
    }
    // ln 2 in 2^-32.
    const LN_2: u64 = 2_977_044_472;
    ((log * LN_2) >> (32 + DIGITS - 10)) as i32
}

/// What the amount depends on besides the node.
#[derive(Clone, Copy, Debug)]
pub struct LateMove {
    /// The rank of the move in its node, from 1.
    pub number: usize,
    /// The move is neither a capture nor a promotion to a queen.
    pub quiet: bool,
    /// The move gives check.
    pub gives_check: bool,
    /// Its history value.
    pub history: i32,
    /// How many siblings of the child failed high lately.
    pub cutoffs: i32,
}

/// The reduction by depth and move number alone, in 1024ths of a ply: it grows with the logarithms of both,
/// because the later a move the less likely it is the best (late-move reductions; Romstad 2006, Fruit and
/// Glaurung).
#[inline]
pub fn base(depth: Depth, number: usize, quiet: bool) -> i32 {
    let product = LOGARITHMS[(depth.max(1) as usize).min(255)] * LOGARITHMS[number.min(255)] / 1024;
    let (base, factor) = if quiet {
        (params::reduction_quiet_base(), params::reduction_quiet_factor())
    } else {
        (params::reduction_noisy_base(), params::reduction_noisy_factor())
    };
    base + product * factor / 1024
}

/// The whole reduction, in 1024ths of a ply: the base, corrected by what is known of node and move. A node that is
/// expected to fail high is reduced more where the table has no move for it: it was never important enough to find one.
#[inline]
pub fn amount(node: &NodeView, late: &LateMove) -> i32 {
    let mut amount = base(node.depth, late.number, late.quiet);
    let mut add = |condition: bool, by: i32| amount += if condition { by } else { 0 };
    add(node.pv, -params::reduction_pv());
    add(node.was_pv, -params::reduction_was_pv());
    add(node.cut_node, params::reduction_cut_node());
    add(node.cut_node && !node.has_table_move, params::reduction_unknown());
    add(node.improving, -params::reduction_improving());
    add(late.gives_check, -params::reduction_check());
    add(node.table_capture && late.quiet, params::reduction_table_capture());
    add(late.cutoffs > params::reduction_cutoffs_from(), params::reduction_cutoffs());
    amount -= node.correction * PLY / params::reduction_correction();
    let ply_of_history =
        if late.quiet { params::reduction_history() } else { params::reduction_capture_history() };
    amount - late.history * PLY / ply_of_history
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_within_a_digit() {
        for (n, &found) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(found) - exact).abs() < 1.5, "{n}: {exact}");
        }
    }
}
