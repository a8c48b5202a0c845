//! What results on the same positions say about two contenders, and what two rankings have in common.
//!
//! [`sign_test`] compares what was solved, position by position; [`log_ratio`] compares nodes or times. [`ranking`]
//! looks at all pairs of a published order: which of them our results confirm, contradict, or leave open.
//! [`weighted_rate`] is a rate from a sample that was not taken evenly.
//! Games have statistics of their own, in [`elo`](crate::elo).

mod confidence;
pub mod log_ratio;
pub mod ranking;
pub mod sign_test;
pub mod weighted_rate;

pub use confidence::{SIGNIFICANCE, TWO_SIDED};
pub use log_ratio::{LogRatio, quantile};
pub use ranking::Ranking;
pub use sign_test::SignTest;
pub use weighted_rate::WeightedRate;
