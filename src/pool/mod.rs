//! The threads of a search: search threads that own their workers, and a coordinator that watches the clock.
//!
//! A search is a [`Job`](crate::search::Job) that every search thread gets. The `coordinator` sleeps until the job has to
//! end, takes what the threads have published, lets them `vote` and announces the best move. It waits for a first completed
//! iteration, 25 milliseconds at most, and for a thread that is publishing its result, a helper thread no longer than a
//! millisecond, but for no thread to end: with more threads than processors one may notice the end late, and the clock must
//! not pay for that. Such a thread comes to the next job when it comes; [`Pool::wait_until_idle`] waits for all of them
//! where memory changes hands.

mod coordinator;
mod current_job;
#[cfg(test)]
mod shared_lines;
mod threads;
mod vote;

pub use current_job::CurrentJob;
pub use threads::Pool;
