//! Synchronization: locks, condition variables, channels, atomic flags, and the clock.
//!
//! The pool, the search and the cluster take these from here, and from nowhere else what their threads wait for, so that a
//! model checker can put its own in their place: with the feature `model` they are those of `shuttle`, which runs all
//! threads in turn, in an order that it chooses, and finds orders in which they wait for each other for ever. Otherwise they
//! are those of `parking_lot`, `crossbeam` and the standard library.

#[cfg(feature = "model")]
mod explore;
#[cfg(feature = "model")]
mod model;
#[cfg(not(feature = "model"))]
mod real;

#[cfg(feature = "model")]
pub use explore::explore;
#[cfg(feature = "model")]
pub use model::*;
#[cfg(not(feature = "model"))]
pub use real::*;
