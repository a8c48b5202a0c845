//! Locks, signals, channels and the clock of `parking_lot`, `crossbeam` and the standard library.

pub use std::sync::atomic::{AtomicBool, AtomicU64};
pub use std::thread::{Builder, JoinHandle};
use std::time::Duration;
pub use std::time::Instant;

use crossbeam::channel::Select;
pub use crossbeam::channel::{Receiver, Sender, Sender as BoundedSender, TryRecvError, bounded, unbounded};
pub use crossbeam::sync::WaitGroup;
pub use parking_lot::{Condvar, Mutex};

/// Waits until one of two channels can be read or has ended, but no longer than `time`.
pub fn wait_for_either<A, B>(first: &Receiver<A>, second: &Receiver<B>, time: Duration) {
    let mut ready = Select::new();
    ready.recv(first);
    ready.recv(second);
    let _ = ready.ready_timeout(time);
}
