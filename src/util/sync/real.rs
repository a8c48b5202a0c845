//! The real ones.

pub use std::sync::atomic::{AtomicBool, AtomicU64};
pub use std::thread::{Builder, JoinHandle};
pub use std::time::Instant;

pub use crossbeam::channel::{Receiver, Sender, unbounded};
pub use crossbeam::sync::WaitGroup;
pub use parking_lot::{Condvar, Mutex, MutexGuard};
