//! The numbers of the search, as OpenBench's tuner reads them.

use crate::engine::{Param, TUNABLE_PARAMS};

/// What a step of the tuner is worth at its end, as a share of the squared step: OpenBench's usual one.
const RATE: &str = "0.002";

/// A line for each number that may be tuned.
pub(super) fn lines() -> impl Iterator<Item = String> {
    TUNABLE_PARAMS.iter().map(line)
}

/// A number of the search in the seven fields of OpenBench's tuner: name, type, value, least and greatest value, step and
/// rate at the end.
fn line(param: &Param) -> String {
    let Param { name, default, min, max, step } = param;
    format!("{name}, int, {default}, {min}, {max}, {step}, {RATE}")
}
