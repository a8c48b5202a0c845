//! Named amounts: by how much is a late move searched shallower?

use super::node::NodeView;
use crate::params;
use crate::types::Depth;

/// One ply, in the unit of reductions.
pub const PLY: i32 = 1024;

/// The logarithms that the formula needs: worked out once a worker.
pub struct Reductions {
    log: [f32; 256],
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
    /// The table says that the node was once on a principal variation.
    pub was_pv: bool,
}

impl Reductions {
    /// The logarithms.
    pub fn new() -> Reductions {
        let mut log = [0.0; 256];
        for (n, value) in log.iter_mut().enumerate().skip(1) {
            *value = (n as f32).ln();
        }
        Reductions { log }
    }

    /// The reduction by depth and move number alone, in 1024ths of a ply: it grows with the logarithms of both,
    /// because the later a move the less likely it is the best (late-move reductions; Romstad 2006, Fruit and
    /// Glaurung).
    #[inline]
    pub fn base(&self, depth: Depth, number: usize, quiet: bool) -> i32 {
        let product = self.log[(depth.max(1) as usize).min(255)] * self.log[number.min(255)];
        let (base, factor) = if quiet {
            (params::reduction_quiet_base(), params::reduction_quiet_factor())
        } else {
            (params::reduction_noisy_base(), params::reduction_noisy_factor())
        };
        base + (product * factor as f32) as i32
    }

    /// The whole reduction, in 1024ths of a ply: the base, corrected by what is known of node and move.
    #[inline]
    pub fn amount(&self, node: &NodeView, late: &LateMove) -> i32 {
        let mut amount = self.base(node.depth, late.number, late.quiet);
        let mut add = |condition: bool, by: i32| amount += if condition { by } else { 0 };
        add(node.pv, -params::reduction_pv());
        add(late.was_pv, -params::reduction_was_pv());
        add(node.cut_node, params::reduction_cut_node());
        add(node.improving, -params::reduction_improving());
        add(late.gives_check, -params::reduction_check());
        add(node.table_capture && late.quiet, params::reduction_table_capture());
        add(late.cutoffs > 3, params::reduction_cutoffs());
        let ply_of_history =
            if late.quiet { params::reduction_history() } else { params::reduction_capture_history() };
        amount - late.history * PLY / ply_of_history
    }
}
