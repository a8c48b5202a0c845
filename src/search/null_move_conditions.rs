//! What forbids a null move whatever the scheme says: the conditions that a user can set.

use super::node::NodeView;
use super::null_move::Scheme;
use super::searcher::Searcher;

impl<S: Scheme> Searcher<'_, S> {
    /// True if a setting forbids a null move that the scheme may want to try.
    #[inline]
    pub fn is_null_move_forbidden(&mut self, view: &NodeView) -> bool {
        if !S::SWITCHES {
            return false;
        }
        let settings = &self.job.request.options.null_move_settings;
        view.depth < settings.min_depth || settings.switches.not_on_pv && self.follows_last_pv(view.ply)
    }

    /// Keeps the principal variation of the last iteration for `Searcher::follows_last_pv`, where that is asked.
    pub fn keep_last_pv(&mut self) {
        if S::SWITCHES && self.job.request.options.null_move_settings.switches.not_on_pv {
            let worker = &mut *self.worker;
            worker.last_pv.clone_from(&worker.root_moves[worker.pv_index].pv);
        }
    }

    /// True if the moves that led to this ply are those of the last iteration's principal variation.
    fn follows_last_pv(&mut self, ply: usize) -> bool {
        let worker = &mut *self.worker;
        ply <= worker.last_pv.len()
            && (0..ply).all(|index| worker.stack.at(index).current_move == Some(worker.last_pv[index]))
    }
}
