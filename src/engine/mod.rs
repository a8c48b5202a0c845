//! The facade: a position, options, go, stop. UCI, the command line and the tools drive the engine through it.
//!
//! [`Engine`] is what they hold, `resources` the threads and memory that it searches with: the placement of threads, their
//! pool, the transposition table and the replicas of the network. [`SharedSearch`] is for searches on several machines.

mod error;
mod facade;
mod resources;
mod result;
mod shared_search;

pub use error::EngineError;
pub use facade::Engine;
pub use resources::{DEFAULT_HASH, DEFAULT_THREADS, MAX_HASH, max_threads};
pub use result::SearchResult;
pub use shared_search::SharedSearch;

// What callers of the engine need with it.
pub use crate::clock::{DEFAULT_MOVE_OVERHEAD, Limits, NodeRate};
pub use crate::nnue::arch::output_bucket_pieces;
pub use crate::nnue::load::{
    EMBEDDED as EMBEDDED_NETWORK, MATERIAL as MATERIAL_NETWORK, load as load_network,
    try_embedded as embedded_network,
};
pub use crate::nnue::network::NetworkOutput;
pub use crate::nnue::wdl::{score_of_shown, shown_score, win_draw_loss};
pub use crate::nnue::{Network, NetworkError};
#[cfg(feature = "tune")]
pub use crate::params::set as set_param;
pub use crate::params::{ALL as TUNABLE_PARAMS, Param, ParamError};
pub use crate::search::evaluate::rule50_unfaded;
pub use crate::search::node::NodeView;
pub use crate::search::null_move::breakdown::{ExpectedKind, GamePhase};
pub use crate::search::null_move::observer::{EnteredNode, NodePruning, NodeSearch, NullMoveObserver};
pub use crate::search::null_move::refusal::Refusal;
pub use crate::search::null_move::settings::{MAX_NULL_MOVE_MIN_DEPTH, MAX_NULL_MOVE_PLIES};
pub use crate::search::null_move::{
    FailHigh, NullBreakdown, NullCounts, NullMoveSettings, NullMoveSwitch, NullMoveSwitches, SchemeName,
};
pub use crate::search::reports::{Info, Listener, NullListener};
pub use crate::search::sharing::{
    FIRST_SHARED_DEPTH, MIN_SHARED_DEPTH, NoSearchObserver, Others, SearchObserver, SharedResult,
};
pub use crate::search::turns::{EngineTurns, Turns};
pub use crate::search::{NodeQuery, SearchOptions};
pub use crate::tablebase::{
    Dtz, MAX_PIECES as MAX_TABLEBASE_PIECES, Material, MaterialError, Tablebase, TablebaseError, Wdl,
};
pub use crate::topology::{
    CoreKind, Machine, NumaPolicy, Pin, Placement, Processor, Processors, parallelism_under, place_threads,
    this_machine,
};
pub use crate::tt::SharedEntry;
pub use crate::util::random::SplitMix;
