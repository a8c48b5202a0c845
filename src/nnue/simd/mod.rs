//! Vector operations on many numbers at once (SIMD).
//!
//! [`vector`] declares the operations that the network needs as a trait, once; each instruction set fills it, one file
//! each. [`scalar`] is plain Rust, compiled everywhere, and the oracle that the others must equal bit for bit. [`native`]
//! selects at compile time: it knows which backends this build has, and which of them is the fastest.

pub mod native;
pub mod scalar;
pub mod vector;

pub use native::{BackendVisitor, Native, visit_backends};
pub use scalar::Scalar;
pub use vector::{I8x64, I16x32, LANES, QA, Vector};
