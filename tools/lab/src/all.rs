//! All experiments within a time budget.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use toolkit::ordered::Control;

use crate::LabError;
use crate::experiment::RunContext;
use crate::plan::Step;
use crate::runner::Summary;

/// How often a running step looks at the clock.
const TICK: Duration = Duration::from_millis(50);

/// Does what the steps have not done yet, each within its share of the budget. What a step leaves over goes to those
/// after it, and then to those that were cut short. Searches in progress at the end of a share are abandoned; what was
/// stored stays, and the next call goes on from there.
///
/// `announce` is called with the name of a step when it begins.
///
/// # Errors
/// If an engine fails or results cannot be stored.
pub fn run(
    context: &RunContext,
    steps: &[Step],
    budget: Duration,
    mut announce: impl FnMut(&str),
) -> Result<Summary, LabError> {
    let end = Instant::now() + budget;
    let mut summaries = vec![None; steps.len()];
    for by_share in [true, false] {
        for (index, step) in steps.iter().enumerate() {
            let left = end.saturating_duration_since(Instant::now());
            if summaries[index].is_some_and(|summary: Summary| summary.is_complete())
                || !by_share && left.is_zero()
                || context.control.is_finishing()
            {
                continue;
            }
            announce(&step.name);
            let shares: f64 = steps[index..].iter().map(|step| step.share).sum();
            let time = if by_share { left.mul_f64(step.share / shares.max(step.share)) } else { left };
            let found = within(time, &context.control, |control| {
                step.run(&RunContext { control, ..context.clone() })
            })?;
            summaries[index] = Some(Summary::since(summaries[index], found));
        }
    }
    // A step that was not begun is not complete.
    let unknown = Summary { tasks: 1, ..Summary::default() };
    Ok(summaries.into_iter().map(|summary| summary.unwrap_or(unknown)).sum())
}

/// Runs something with a control that is interrupted when the time is over, or as the outer control is.
fn within<T>(time: Duration, outer: &Control, work: impl FnOnce(Arc<Control>) -> T) -> T {
    let (control, over, end) = (Arc::new(Control::default()), AtomicBool::new(false), Instant::now() + time);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                let late = Instant::now() >= end;
                if late || outer.is_finishing() {
                    control.finish.store(true, Ordering::Relaxed);
                }
                if late || outer.abandon.load(Ordering::Relaxed) {
                    control.abandon.store(true, Ordering::Relaxed);
                    return;
                }
                thread::sleep(TICK);
            }
        });
        let _ending = Ending(&over);
        work(Arc::clone(&control))
    })
}

/// Says that the work is over, also if it panics.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_and_the_outer_control_end_a_step() {
        let wait = |control: Arc<Control>| {
            while !control.abandon.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            control.is_finishing()
        };
        assert!(within(Duration::ZERO, &Control::default(), wait));
        let outer = Control::default();
        outer.interrupt();
        outer.interrupt();
        assert!(within(Duration::from_secs(3600), &outer, wait));
        let calm = within(Duration::from_secs(3600), &Control::default(), |control| control.is_finishing());
        assert!(!calm);
    }
}
