//! Locks, signals, channels and the clock of `parking_lot`, `crossbeam` and the standard library.

pub use std::sync::atomic::{AtomicBool, AtomicU64};
pub use std::thread::{Builder, JoinHandle};
pub use std::time::Instant;

pub use crossbeam::channel::{Receiver, Sender, unbounded};
pub use crossbeam::sync::WaitGroup;
pub use parking_lot::{Condvar, Mutex, MutexGuard};
