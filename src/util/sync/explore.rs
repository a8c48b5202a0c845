//! Runs a scenario in many orders of what its threads do.

use std::time::Duration;

use shuttle::scheduler::{PctScheduler, RandomScheduler};
use shuttle::{Config, MaxSteps, Runner};

use super::restart_clock;

/// Orders tried of each scenario and kind of scheduler, and the time after which no more are begun.
const ORDERS: usize = 2000;
const TIME: Duration = Duration::from_secs(2);
/// Bytes of the stack of each thread.
const STACK: usize = 1 << 20;
/// Steps after which threads are taken to wait for ever, if some of them look at the clock again and again.
const MOST_STEPS: usize = 1_000_000;

/// Tries many orders of a scenario: at random, and with few changes between threads of random priorities (Burckhardt et
/// al. 2010, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs").
///
/// # Panics
/// If the scenario does, or has threads that wait for ever; with a schedule that repeats the order.
pub fn explore(scenario: impl Fn() + Send + Sync + Copy + 'static) {
    let config = || {
        let mut config = Config::new();
        config.stack_size = STACK;
        config.max_steps = MaxSteps::FailAfter(MOST_STEPS);
        config.max_time = Some(TIME);
        config.silence_warnings = true;
        config
    };
    let scenario = move || {
        restart_clock();
        scenario();
    };
    let random = Runner::new(RandomScheduler::new_from_seed(1, ORDERS), config()).run(scenario);
    let few = Runner::new(PctScheduler::new_from_seed(2, 3, ORDERS), config()).run(scenario);
    println!("{random} random orders, {few} with few changes");
    assert!(random > 0 && few > 0);
}
