//! How sure a difference must be before it counts.

/// The normal quantile of a 95 % interval.
pub const TWO_SIDED: f64 = 1.959_963_985;

/// The error that a test may make: a difference with a smaller p-value counts as one.
pub const SIGNIFICANCE: f64 = 0.05;
