//! Runs a scenario in many orders of what its threads do.

use std::time::{Duration, Instant};

use shuttle::scheduler::{PctScheduler, RandomScheduler, Schedule, Scheduler, Task, TaskId};
use shuttle::{Config, MaxSteps, Runner};

use super::restart_clock;

/// Orders tried of each scenario and kind of scheduler, at most, and however slow the machine is.
const ORDERS: usize = 2000;
const MIN_ORDERS: usize = 20;
/// The time after which no more orders are begun, once there have been the least.
const TIME: Duration = Duration::from_secs(2);
/// Bytes of the stack of each thread.
const STACK: usize = 1 << 20;
/// Steps after which threads are taken to wait for ever, if some of them look at the clock again and again.
const MAX_STEPS: usize = 1_000_000;

/// Tries many orders of a scenario: at random, and with few changes between threads of random priorities (Burckhardt et
/// al. 2010, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs").
///
/// # Panics
/// If the scenario does, or has threads that wait for ever; with a schedule that repeats the order.
pub fn explore(scenario: impl Fn() + Send + Sync + Copy + 'static) {
    let scenario = move || {
        restart_clock();
        scenario();
    };
    let random = run(RandomScheduler::new_from_seed(1, ORDERS), scenario);
    let few = run(PctScheduler::new_from_seed(2, 3, ORDERS), scenario);
    println!("{random} random orders, {few} with few changes");
    assert!(random.min(few) >= MIN_ORDERS);
}

/// Returns how many orders there have been.
fn run(scheduler: impl Scheduler + 'static, scenario: impl Fn() + Send + Sync + 'static) -> usize {
    let mut config = Config::new();
    config.stack_size = STACK;
    config.max_steps = MaxSteps::FailAfter(MAX_STEPS);
    config.silence_warnings = true;
    Runner::new(Limited { scheduler, orders: 0, started: Instant::now() }, config).run(scenario)
}

/// A scheduler that tries the least orders, and then others for some time.
struct Limited<S> {
    scheduler: S,
    orders: usize,
    started: Instant,
}

impl<S: Scheduler> Scheduler for Limited<S> {
    fn new_execution(&mut self) -> Option<Schedule> {
        let is_over = self.orders >= MIN_ORDERS && self.started.elapsed() >= TIME;
        self.orders += 1;
        if is_over { None } else { self.scheduler.new_execution() }
    }

    fn next_task(
        &mut self,
        runnable: &[&Task],
        current: Option<TaskId>,
        is_yielding: bool,
    ) -> Option<TaskId> {
        self.scheduler.next_task(runnable, current, is_yielding)
    }

    fn next_u64(&mut self) -> u64 {
        self.scheduler.next_u64()
    }
}
