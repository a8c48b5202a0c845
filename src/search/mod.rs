//! The search: principal variation search in many threads over one transposition table (Lazy SMP).
//!
//! [`negamax`] is the recursion, a numbered list of steps; [`qsearch`] is its end and never calls back;
//! [`iterative_deepening`] is its beginning, with [`aspiration`] windows, [`root`] moves and [`time_management`]. Pure
//! leaves decide: [`tt_cutoff`], [`pruning`], [`reductions`], [`extensions`], the schemes of [`null_move`]; they see a
//! [`node`] and its [`window`]. The [`move_picker`] orders moves by [`history`]. A [`worker`] is one thread's state, a
//! [`searcher`] its search, a [`job`] what all share: [`request`], [`signals`] that end it, [`results`], [`reports`]. [`one_ply`]
//! answers if they find nothing; [`falcon`], [`turns`], [`single_node`] serve experiments, [`sharing`] clusters.

pub mod aspiration;
pub mod evaluate;
pub mod extensions;
pub mod falcon;
pub mod history;
pub mod iterative_deepening;
pub mod job;
pub mod move_picker;
pub mod negamax;
pub mod node;
pub mod node_updates;
pub mod null_move;
pub mod null_move_conditions;
pub mod null_move_counting;
pub mod null_move_observation;
pub mod null_move_result;
pub mod null_move_state;
pub mod one_ply;
pub mod piece_to;
pub mod pruning;
pub mod pv;
pub mod qsearch;
pub mod reductions;
pub mod reports;
pub mod request;
pub mod results;
pub mod root;
pub mod root_move;
pub mod scheme_inputs;
pub mod searcher;
pub mod sharing;
pub mod signals;
pub mod single_node;
pub mod stack;
pub mod tablebase_options;
pub mod tablebase_probe;
pub mod time_management;
pub mod tt_access;
pub mod tt_cutoff;
pub mod turns;
pub mod window;
pub mod worker;

pub use request::{NetworkReplicas, SearchOptions, SearchRequest};
pub use single_node::{NodeQuery, search_single_node};
pub use {iterative_deepening::run, iterative_deepening::run_observed, one_ply::lines_or_one_ply};
pub use {job::Job, searcher::FIRST_ITERATION_NODES, tablebase_options::TablebaseOptions, worker::Worker};
#[cfg(test)]
mod tests;
