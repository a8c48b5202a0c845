//! Extended null-move reductions, tuned for deep searches.

use super::scheme::{FailHigh, Scheme, usual};
use crate::params;
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// The numbers of [`Tuned`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// R at depth 0, in 16ths of a ply.
    pub r_base: i32,
    /// What each ply of depth adds to R, in 16ths of a ply.
    pub r_depth: i32,
    /// How far above beta the evaluation adds a ply to R, in centipawns; 0: never.
    pub r_eval: i32,
    /// The most that the evaluation adds to R, in plies.
    pub r_eval_limit: i32,
    /// DR at depth 0, in 16ths of a ply.
    pub dr_base: i32,
    /// What each ply of depth adds to DR, in 16ths of a ply.
    pub dr_depth: i32,
    /// How far above beta the evaluation adds a ply to DR, in centipawns; 0: never.
    pub dr_eval: i32,
    /// The most that the evaluation adds to DR, in plies.
    pub dr_eval_limit: i32,
    /// What DR loses when the side to move is not improving, in 16ths of a ply.
    pub dr_stale: i32,
    /// The null move is tried where the evaluation lies at most so far below beta, in centipawns.
    pub gate: i32,
    /// The depth that a reduction leaves at least, in plies; 0: it may end in quiescence.
    pub floor: i32,
    /// 1: the table may settle a node at the reduced depth.
    pub table: i32,
    /// By how much less late moves of a reduced node are reduced, in 1024ths of a ply.
    pub relief: i32,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            r_base: params::tuned_r_base(),
            r_depth: params::tuned_r_depth(),
            r_eval: params::tuned_r_eval(),
            r_eval_limit: params::tuned_r_eval_limit(),
            dr_base: params::tuned_dr_base(),
            dr_depth: params::tuned_dr_depth(),
            dr_eval: params::tuned_dr_eval(),
            dr_eval_limit: params::tuned_dr_eval_limit(),
            dr_stale: params::tuned_dr_stale(),
            gate: params::tuned_gate(),
            floor: params::tuned_floor(),
            table: params::tuned_table(),
            relief: params::tuned_relief(),
        }
    }
}

impl Tuning {
    /// The number of this name, as its field is called.
    pub fn number(&mut self, name: &str) -> Option<&mut i32> {
        Some(match name {
            "r_base" => &mut self.r_base,
            "r_depth" => &mut self.r_depth,
            "r_eval" => &mut self.r_eval,
            "r_eval_limit" => &mut self.r_eval_limit,
            "dr_base" => &mut self.dr_base,
            "dr_depth" => &mut self.dr_depth,
            "dr_eval" => &mut self.dr_eval,
            "dr_eval_limit" => &mut self.dr_eval_limit,
            "dr_stale" => &mut self.dr_stale,
            "gate" => &mut self.gate,
            "floor" => &mut self.floor,
            "table" => &mut self.table,
            "relief" => &mut self.relief,
            _ => return None,
        })
    }

    /// True if every number lies where the search can live with it.
    pub fn is_sound(&self) -> bool {
        let small = [self.r_base, self.r_depth, self.dr_base, self.dr_depth, self.dr_stale];
        small.into_iter().all(|number| (-256..=256).contains(&number))
            && [self.r_eval, self.dr_eval, self.gate].into_iter().all(|number| (0..=30_000).contains(&number))
            && [self.r_eval_limit, self.dr_eval_limit, self.floor].into_iter().all(|n| (0..=16).contains(&n))
            && (0..=1).contains(&self.table)
            && (0..=8192).contains(&self.relief)
    }
}

/// A number in 16ths of a ply, in plies.
const SIXTEENTHS: i32 = 16;

/// [Extended null-move reductions](super::extended::Extended) with numbers for searches twice as deep as those of 2008.
///
/// The idea is the same: a null move's fail-high never prunes, it only reduces, and the moves have the last word. What
/// differs is when to ask and how much it costs. The null move is tried only where the evaluation reaches beta, since
/// it hardly ever fails high elsewhere; and it is searched shallower where the evaluation lies far above beta, since then
/// less is needed to confirm it. (It could be searched shallower the deeper the node is, too, and was before tuning.)
///
/// R has since been tuned with the other numbers of the search (see [`params`]), and is a little less. Before that, in
/// games at 5,000 nodes a move: 83 ± 24 Elo above `extended` (604 games, a sequential test of 0 against 5
/// passed), level with `guarded` (−3 ± 12, 2,000 games). With the evaluation by hand-written terms that came before the
/// network, at 8,000 nodes: the greater part of the gain comes from gate and R. DR = 3 instead of 5 costs
/// about 49 ± 42; a DR that grows with depth (`dr_depth = 8`, 28 ± 39 below `guarded`) or goes to quiescence at once
/// (`dr_base = 256`, 28 ± 37 below) gains nothing; nor does reducing late moves of a reduced node less (`relief = 600`,
/// 7 ± 30 below). The other numbers are there for experiments.
#[derive(Clone, Copy, Debug)]
pub struct Tuned(pub Tuning);

fn lead(node: &NodeView, step: i32, limit: i32) -> Depth {
    if step > 0 { ((node.eval - node.beta) / step).clamp(0, limit) } else { 0 }
}

impl Scheme for Tuned {
    const SWITCHES: bool = false;

    #[inline]
    fn allowed(&self, node: &NodeView) -> bool {
        usual(node) && node.eval >= node.beta - self.0.gate
    }

    #[inline]
    fn reduction(&self, node: &NodeView) -> Depth {
        let r = (self.0.r_base + self.0.r_depth * node.depth) / SIXTEENTHS;
        (r + lead(node, self.0.r_eval, self.0.r_eval_limit)).max(0)
    }

    #[inline]
    fn on_fail_high(&self, node: &NodeView, _value: Value) -> FailHigh {
        let stale = if node.improving { 0 } else { self.0.dr_stale };
        let dr = (self.0.dr_base + self.0.dr_depth * node.depth - stale) / SIXTEENTHS;
        let dr = dr + lead(node, self.0.dr_eval, self.0.dr_eval_limit);
        FailHigh::Reduce(dr.min(node.depth - self.0.floor).max(0))
    }

    #[inline]
    fn table_settles_reduced(&self, _node: &NodeView, _value: Value) -> bool {
        self.0.table != 0
    }

    #[inline]
    fn late_move_relief(&self) -> i32 {
        self.0.relief
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENDED: Tuning = Tuning {
        r_base: 48,
        r_depth: 0,
        r_eval: 0,
        r_eval_limit: 0,
        dr_base: 64,
        dr_depth: 0,
        dr_eval: 0,
        dr_eval_limit: 0,
        dr_stale: 0,
        gate: 30_000,
        floor: 0,
        table: 1,
        relief: 0,
    };

    #[test]
    fn numbers_are_sound_and_have_names() {
        assert!(Tuning::default().is_sound() && EXTENDED.is_sound());
        let mut tuning = Tuning::default();
        for line in format!("{tuning:#?}").lines().filter_map(|line| line.trim().split_once(": ")) {
            let number = tuning.number(line.0).unwrap_or_else(|| panic!("{} has no name", line.0));
            assert_eq!(number.to_string(), line.1.trim_end_matches(','));
        }
        assert!(tuning.number("other").is_none());
        assert!(!Tuning { floor: -1, ..EXTENDED }.is_sound() && !Tuning { table: 2, ..EXTENDED }.is_sound());
    }

    #[test]
    fn each_number_does_what_it_says() {
        let node = NodeView::sample(10, 0);
        let beta = node.beta;
        let reduction = |tuning, node: NodeView| Tuned(tuning).on_fail_high(&node, beta);
        assert_eq!((Tuned(EXTENDED).reduction(&node), reduction(EXTENDED, node)), (3, FailHigh::Reduce(4)));
        let deeper = Tuning { r_depth: 4, dr_depth: 2, ..EXTENDED };
        assert_eq!((Tuned(deeper).reduction(&node), reduction(deeper, node)), (5, FailHigh::Reduce(5)));
        let led = Tuning { r_eval: 100, r_eval_limit: 2, dr_eval: 50, dr_eval_limit: 3, ..EXTENDED };
        for (eval, r, dr) in [(beta - 400, 3, 4), (beta + 49, 3, 4), (beta + 100, 4, 6), (beta + 900, 5, 7)] {
            let node = NodeView::sample(10, eval);
            assert_eq!((Tuned(led).reduction(&node), reduction(led, node)), (r, FailHigh::Reduce(dr)));
        }
        let stale = Tuning { dr_stale: 32, ..EXTENDED };
        assert_eq!(reduction(stale, node), FailHigh::Reduce(2));
        assert_eq!(reduction(stale, NodeView { improving: true, ..node }), FailHigh::Reduce(4));
        let floor = Tuning { floor: 2, ..EXTENDED };
        for (depth, dr) in [(1, 0), (2, 0), (5, 3), (6, 4), (9, 4)] {
            assert_eq!(reduction(floor, NodeView::sample(depth, 0)), FailHigh::Reduce(dr));
        }
        let gated = Tuned(Tuning { gate: 30, ..EXTENDED });
        assert!(
            gated.allowed(&NodeView::sample(5, beta - 30)) && !gated.allowed(&NodeView::sample(5, beta - 31))
        );
        assert!(!gated.allowed(&NodeView { after_null: true, ..NodeView::sample(5, beta) }));
        assert!(!gated.allowed(&NodeView { in_check: true, ..NodeView::sample(5, beta) }));
        assert!(Tuned(EXTENDED).table_settles_reduced(&node, 0));
        assert!(!Tuned(Tuning { table: 0, ..EXTENDED }).table_settles_reduced(&node, 0));
        assert_eq!(Tuned(Tuning { relief: 512, ..EXTENDED }).late_move_relief(), 512);
    }
}
