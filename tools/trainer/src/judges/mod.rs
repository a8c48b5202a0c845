//! Judges from outside: what networks are compared by, and never learn from.

pub mod area_under_curve;
pub mod endings;
pub mod expected_scores;
