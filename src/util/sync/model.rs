//! Locks, signals, channels and the clock of the model checker `shuttle`, with the interface of the real ones.
//!
//! Time is made up. It stands still until a thread waits for a deadline: then an alarm may go off at any moment from
//! there on, before or after whatever else can happen, and the clock shows that deadline. So every order of events and
//! deadlines can come about, and a signal that is lost shows as a thread that waits for ever, unless it waited for a
//! deadline anyway.

use std::cell::Cell;
use std::ops::{Add, Deref, DerefMut};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use shuttle::sync as inner;

pub use shuttle::sync::atomic::{AtomicBool, AtomicU64};
pub use shuttle::sync::mpsc::{
    Receiver, Sender, SyncSender as BoundedSender, TryRecvError, channel as unbounded,
    sync_channel as bounded,
};
pub use shuttle::thread::{Builder, JoinHandle};

thread_local! {
    /// What the clock shows. All threads of a model run on one thread of the system.
    static CLOCK: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Sets the clock to its start, before a model runs.
pub fn restart_clock() {
    CLOCK.set(Duration::ZERO);
}

/// A moment on the made-up clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(Duration);

impl Instant {
    /// What the clock shows.
    pub fn now() -> Instant {
        Instant(CLOCK.get())
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        CLOCK.get().saturating_sub(self.0)
    }

    /// The moment this much later; `None` if there is none.
    pub fn checked_add(&self, time: Duration) -> Option<Instant> {
        self.0.checked_add(time).map(Instant)
    }

    /// The time from an earlier moment to this one.
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    fn add(self, time: Duration) -> Instant {
        Instant(self.0 + time)
    }
}

/// A lock.
#[derive(Debug, Default)]
pub struct Mutex<T>(Arc<inner::Mutex<T>>);

/// An open lock.
pub struct MutexGuard<'a, T> {
    lock: &'a Mutex<T>,
    /// Always there but during a wait.
    guard: Option<inner::MutexGuard<'a, T>>,
}

impl<T> Mutex<T> {
    /// A lock round a value.
    pub fn new(value: T) -> Mutex<T> {
        Mutex(Arc::new(inner::Mutex::new(value)))
    }

    /// Waits for the lock.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard { lock: self, guard: Some(self.0.lock().unwrap_or_else(PoisonError::into_inner)) }
    }

    /// Waits for the lock a while: here, as if it was long enough or too short.
    pub fn try_lock_for(&self, _time: Duration) -> Option<MutexGuard<'_, T>> {
        self.0.try_lock().ok().map(|guard| MutexGuard { lock: self, guard: Some(guard) })
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.guard.as_deref().expect("the lock is held")
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.guard.as_deref_mut().expect("the lock is held")
    }
}

/// A signal.
#[derive(Debug, Default)]
pub struct Condvar(Arc<inner::Condvar>);

impl Condvar {
    /// A signal that no thread waits for.
    pub fn new() -> Condvar {
        Condvar::default()
    }

    /// Wakes all that wait.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }

    /// Waits for the signal.
    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        if let Some(held) = guard.guard.take() {
            guard.guard = Some(self.0.wait(held).unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Waits for the signal or until a moment has come.
    pub fn wait_until<T: Send + 'static>(&self, guard: &mut MutexGuard<'_, T>, deadline: Instant) {
        let (signal, lock) = (Arc::clone(&self.0), Arc::clone(&guard.lock.0));
        // The alarm takes the lock, so that it cannot go off between the check of the clock and the wait.
        shuttle::thread::spawn(move || {
            let _held = lock.lock().unwrap_or_else(PoisonError::into_inner);
            CLOCK.set(CLOCK.get().max(deadline.0));
            signal.notify_all();
        });
        self.wait(guard);
    }
}

/// Waits until one of two channels can be read or has ended, but no longer than `time`: here until that has passed,
/// before or after whatever else can happen.
pub fn wait_for_either<A, B>(_: &Receiver<A>, _: &Receiver<B>, time: Duration) {
    let deadline = CLOCK.get() + time;
    shuttle::thread::yield_now();
    CLOCK.set(CLOCK.get().max(deadline));
}

/// Waits for many: each clone is one that is waited for until it is dropped.
pub struct WaitGroup(Arc<(Mutex<usize>, Condvar)>);

impl WaitGroup {
    /// A group of one.
    pub fn new() -> WaitGroup {
        WaitGroup(Arc::new((Mutex::new(1), Condvar::new())))
    }

    /// Leaves the group and waits until no thread is in it.
    pub fn wait(self) {
        let group = Arc::clone(&self.0);
        drop(self);
        let (count, changed) = &*group;
        let mut count = count.lock();
        while *count > 0 {
            changed.wait(&mut count);
        }
    }
}

impl Clone for WaitGroup {
    fn clone(&self) -> WaitGroup {
        *self.0.0.lock() += 1;
        WaitGroup(Arc::clone(&self.0))
    }
}

impl Drop for WaitGroup {
    fn drop(&mut self) {
        let (count, changed) = &*self.0;
        *count.lock() -= 1;
        changed.notify_all();
    }
}
