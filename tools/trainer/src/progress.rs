//! The progress of a training: a bar on a terminal, a line a minute elsewhere.

use toolkit::progress::StepProgress;

/// Shows the number of positions done, the loss, the speed and the remaining time.
#[derive(Debug)]
pub struct TrainingProgress {
    steps: StepProgress,
    /// The loss, smoothed over some batches.
    loss: Option<f64>,
}

impl TrainingProgress {
    /// Begins with `before` of `total` positions done.
    pub fn new(total: u64, before: u64) -> TrainingProgress {
        TrainingProgress { steps: StepProgress::new("positions", total, before), loss: None }
    }

    /// Sets the number of positions done, and the loss of the last batch.
    pub fn set(&mut self, done: u64, loss: Option<f64>) {
        if let Some(loss) = loss {
            self.loss = Some(self.loss.map_or(loss, |mean| mean + 0.02 * (loss - mean)));
        }
        let remark = self.loss.map_or(String::new(), |loss| format!("loss {loss:.5}"));
        self.steps.show(done, &remark);
    }

    /// Writes a line that stays.
    pub fn line(&self, line: &str) {
        self.steps.write(line);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.steps.finish();
    }
}
