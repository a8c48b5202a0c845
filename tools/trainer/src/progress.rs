//! The progress of a training: a bar on a terminal, a line a minute elsewhere.

use std::time::{Duration, Instant};

use datagen::progress::{Display, duration, thousands};

/// Shows the number of positions done, the speed and the remaining time.
#[derive(Debug)]
pub struct TrainingProgress {
    display: Display,
    total: u64,
    /// Done before this process began.
    before: u64,
    done: u64,
    started: Instant,
    /// The loss, smoothed over some batches.
    loss: Option<f64>,
}

impl TrainingProgress {
    /// Begins with `before` of `total` positions done.
    pub fn new(total: u64, before: u64) -> TrainingProgress {
        let display = Display::new(Some(total));
        TrainingProgress { display, total, before, done: before, started: Instant::now(), loss: None }
    }

    /// Sets the number of positions done, and the loss of the last batch.
    pub fn set(&mut self, done: u64, loss: Option<f64>) {
        self.done = done;
        if let Some(loss) = loss {
            self.loss = Some(self.loss.map_or(loss, |mean| mean + 0.02 * (loss - mean)));
        }
        let message = self.message();
        self.display.show(done, message);
    }

    fn message(&self) -> String {
        let elapsed = self.started.elapsed().as_secs_f64().max(1e-3);
        let speed = (self.done - self.before) as f64 / elapsed;
        let left = (self.total.saturating_sub(self.done)) as f64 / speed.max(1e-3);
        let left = duration(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX));
        let loss = self.loss.map_or(String::new(), |loss| format!("loss {loss:.5}, "));
        let [done, total, speed] = [self.done, self.total, speed as u64].map(thousands);
        format!("{done} of {total} positions, {loss}{speed} positions/s, {left} left")
    }

    /// Writes a line that stays.
    pub fn line(&self, line: &str) {
        self.display.line(line);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.display.finish();
    }
}
