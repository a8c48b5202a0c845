//! Arithmetic on many numbers at once.
//!
//! [`vector`] declares what the network needs as a trait, once; each instruction set fills it. [`scalar`] is plain
//! Rust, compiled everywhere, and the oracle that the others must equal bit for bit. [`native`] knows which of
//! them this build has, and which is the best.

pub mod native;
pub mod scalar;
pub mod vector;

pub use native::{BackendVisitor, Native, visit_backends};
pub use scalar::Scalar;
pub use vector::{I8x32, I16x32, LANES, QA, Vector};
