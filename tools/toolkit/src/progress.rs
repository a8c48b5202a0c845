//! Progress of a long run: a bar on a terminal, otherwise a line a minute on standard error.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::print_message;

/// The time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);
/// The time between two updates of the bar.
const BAR_EVERY: Duration = Duration::from_millis(500);
/// The resolution of the bar.
const STEPS: u64 = 1000;

/// A bar on a terminal, otherwise a line a minute on standard error.
#[derive(Debug)]
pub struct Display {
    bar: ProgressBar,
    shown: Instant,
}

impl Display {
    /// Nothing of `steps` is done; without a number of steps how much there is to do is not known.
    pub fn new(steps: Option<u64>) -> Display {
        let bar = ProgressBar::new(steps.unwrap_or_default());
        let template = if steps.is_none() { "{spinner} {msg}" } else { "[{bar:30}] {percent}% {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        Display { bar, shown: Instant::now() }
    }

    /// Shows how many steps are done with a remark, unless something was shown a moment ago.
    pub fn show(&mut self, done: u64, remark: String) {
        let every = if self.bar.is_hidden() { LINE_EVERY } else { BAR_EVERY };
        if self.shown.elapsed() < every {
            return;
        }
        self.shown = Instant::now();
        if self.bar.is_hidden() {
            print_message(remark);
        } else {
            self.bar.set_position(done);
            self.bar.set_message(remark);
            self.bar.tick();
        }
    }

    /// Shows on a terminal at once how many steps were done before.
    fn begin(&self, done: u64, remark: String) {
        self.bar.set_position(done);
        self.bar.set_message(remark);
        self.bar.tick();
    }

    /// Writes a line that stays.
    pub fn line(&self, line: &str) {
        self.bar.suspend(|| print_message(line));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Displays how many of a known number of steps are done, their speed and the time that is left.
#[derive(Debug)]
pub struct StepProgress {
    display: Display,
    /// What is counted, in the plural.
    unit: &'static str,
    total: u64,
    /// Done before this process began.
    before: u64,
    started: Instant,
}

impl StepProgress {
    /// Begins with `before` of `total` steps done.
    pub fn new(unit: &'static str, total: u64, before: u64) -> StepProgress {
        let display = Display::new(Some(total));
        let progress = StepProgress { display, unit, total, before, started: Instant::now() };
        progress.display.begin(before, progress.line(before, "", Duration::ZERO));
        progress
    }

    /// Shows that `done` steps are done with a remark, which may be empty, unless something was shown a moment ago.
    pub fn show(&mut self, done: u64, remark: &str) {
        let line = self.line(done, remark, self.started.elapsed());
        self.display.show(done, line);
    }

    fn line(&self, done: u64, remark: &str, elapsed: Duration) -> String {
        let speed = done.saturating_sub(self.before) as f64 / elapsed.as_secs_f64().max(1e-3);
        let left = self.total.saturating_sub(done) as f64 / speed.max(1e-3);
        let left = duration(Duration::try_from_secs_f64(left).unwrap_or(Duration::MAX));
        let speed = if speed < 10.0 {
            format!("{:.0} {}/h", 3600.0 * speed, self.unit)
        } else {
            format!("{} {}/s", thousands(speed as u64), self.unit)
        };
        let remark = if remark.is_empty() { String::new() } else { format!("{remark}, ") };
        let [done, total] = [done, self.total].map(thousands);
        format!("{done} of {total} {}, {remark}{speed}, {left} left", self.unit)
    }

    /// Writes a line that stays.
    pub fn write(&self, line: &str) {
        self.display.line(line);
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.display.finish();
    }
}

/// When a run ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// After this many positions.
    Positions(u64),
    /// After this many games.
    Games(u64),
    /// After this time.
    Time(Duration),
    /// When it is interrupted.
    Unlimited,
}

/// Counts games and positions and displays the progress.
#[derive(Debug)]
pub struct Progress {
    goal: Goal,
    started: Instant,
    positions: u64,
    games: u64,
    display: Display,
}

impl Progress {
    /// Starts at zero games.
    pub fn new(goal: Goal) -> Progress {
        let steps = (goal != Goal::Unlimited).then_some(STEPS);
        Progress { goal, started: Instant::now(), positions: 0, games: 0, display: Display::new(steps) }
    }

    /// Counts a game with this many positions.
    pub fn add(&mut self, positions: usize) {
        self.games += 1;
        self.positions += positions as u64;
    }

    /// The number of positions counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The number of games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// True once the goal is reached.
    pub fn is_reached(&self) -> bool {
        self.fraction_done() >= 1.0
    }

    /// The fraction of the goal that is done; 0 without a goal.
    fn fraction_done(&self) -> f64 {
        match self.goal {
            Goal::Positions(goal) => self.positions as f64 / goal.max(1) as f64,
            Goal::Games(goal) => self.games as f64 / goal.max(1) as f64,
            Goal::Time(goal) => self.elapsed().as_secs_f64() / goal.as_secs_f64().max(1e-9),
            Goal::Unlimited => 0.0,
        }
    }

    /// Displays the progress, unless it was displayed a moment ago.
    pub fn show(&mut self) {
        let done = (self.fraction_done() * STEPS as f64) as u64;
        let line = self.status_line();
        self.display.show(done, line);
    }

    /// Removes the bar and writes the final line.
    pub fn finish(&self) {
        self.display.finish();
        print_message(format_args!("{} in {}", self.status_line(), duration(self.elapsed())));
    }

    /// Counts, speed and remaining time as text.
    pub fn status_line(&self) -> String {
        let elapsed = self.elapsed().as_secs_f64().max(1e-3);
        let rate = self.positions as f64 / elapsed;
        let mut line = format!(
            "{} positions, {} games, {} positions/h ({rate:.0}/s)",
            thousands(self.positions),
            thousands(self.games),
            thousands((rate * 3600.0) as u64),
        );
        let share = self.fraction_done();
        if share > 0.0 && share < 1.0 {
            let left = Duration::try_from_secs_f64(elapsed * (1.0 - share) / share).unwrap_or(Duration::MAX);
            line += &format!(", {} left", duration(left));
        }
        line
    }
}

/// The number with commas between groups of three digits.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The duration in its two largest units.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60) {
        (0, 0, 0) => format!("{seconds} s"),
        (0, 0, minutes) => format!("{minutes} min {} s", seconds % 60),
        (0, hours, minutes) => format!("{hours} h {minutes} min"),
        (days, hours, _) => format!("{days} d {hours} h"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_are_formatted() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        let times = [5, 65, 3700, 90_000].map(|seconds| duration(Duration::from_secs(seconds)));
        assert_eq!(times, ["5 s", "1 min 5 s", "1 h 1 min", "1 d 1 h"]);
    }

    #[test]
    fn steps_have_a_speed_and_an_end() {
        let progress = StepProgress::new("pairs", 3000, 1000);
        let line = |done, remark, seconds| progress.line(done, remark, Duration::from_secs(seconds));
        assert_eq!(line(2000, "level", 50), "2,000 of 3,000 pairs, level, 20 pairs/s, 50 s left");
        assert_eq!(line(1010, "", 100), "1,010 of 3,000 pairs, 360 pairs/h, 5 h 31 min left");
        assert!(line(1000, "", 0).ends_with("pairs/h, 23 d 3 h left"), "nothing is known yet");
    }

    #[test]
    fn goals_are_reached() {
        let mut progress = Progress::new(Goal::Positions(10));
        assert!(!progress.is_reached());
        progress.add(10);
        assert!(progress.is_reached() && progress.games() == 1);
        assert!(!Progress::new(Goal::Unlimited).is_reached());
        assert!(Progress::new(Goal::Time(Duration::ZERO)).is_reached());
    }
}
