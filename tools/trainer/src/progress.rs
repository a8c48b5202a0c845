//! The progress of a training: a bar on a terminal, a line a minute elsewhere.

use std::time::{Duration, Instant};

use datagen::progress::{duration, thousands};
use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);
/// How often the bar is drawn anew.
const BAR_EVERY: Duration = Duration::from_millis(500);

/// Shows the number of positions done, the speed and the remaining time.
#[derive(Debug)]
pub struct TrainingProgress {
    bar: ProgressBar,
    total: u64,
    /// Done before this process began.
    before: u64,
    done: u64,
    started: Instant,
    shown: Instant,
    /// The loss, smoothed over some batches.
    loss: Option<f64>,
}

impl TrainingProgress {
    /// Begins with `before` of `total` positions done.
    pub fn new(total: u64, before: u64) -> TrainingProgress {
        let bar = ProgressBar::new(total);
        if let Ok(style) = ProgressStyle::with_template("[{bar:30}] {percent}% {msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        let now = Instant::now();
        TrainingProgress { bar, total, before, done: before, started: now, shown: now, loss: None }
    }

    /// Sets the number of positions done, and the loss of the last batch.
    pub fn set(&mut self, done: u64, loss: Option<f64>) {
        self.done = done;
        if let Some(loss) = loss {
            self.loss = Some(self.loss.map_or(loss, |mean| mean + 0.02 * (loss - mean)));
        }
        let every = if self.bar.is_hidden() { LINE_EVERY } else { BAR_EVERY };
        if self.shown.elapsed() < every {
            return;
        }
        self.shown = Instant::now();
        if self.bar.is_hidden() {
            eprintln!("{} of {} positions, {}", thousands(self.done), thousands(self.total), self.message());
        } else {
            self.bar.set_position(self.done);
            self.bar.set_message(self.message());
            self.bar.tick();
        }
    }

    fn message(&self) -> String {
        let elapsed = self.started.elapsed().as_secs_f64().max(1e-3);
        let speed = (self.done - self.before) as f64 / elapsed;
        let left = (self.total.saturating_sub(self.done)) as f64 / speed.max(1e-3);
        let left = duration(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX));
        let loss = self.loss.map_or(String::new(), |loss| format!("loss {loss:.5}, "));
        format!("{loss}{} positions/s, {left} left", thousands(speed as u64))
    }

    /// Writes a line that stays.
    pub fn line(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
