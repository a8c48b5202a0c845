//! How far a long job has come: a bar on a terminal, a line a minute elsewhere.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);
/// How often the bar is drawn anew.
const BAR_EVERY: Duration = Duration::from_millis(500);
/// How finely a bar divides its goal.
const STEPS: u64 = 1000;

/// When a job is done, as far as is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// At so many positions.
    Positions(u64),
    /// At so many games.
    Games(u64),
    /// After so long.
    Time(Duration),
    /// When somebody ends it.
    Unlimited,
}

/// Counts and shows.
#[derive(Debug)]
pub struct Progress {
    goal: Goal,
    started: Instant,
    shown: Instant,
    positions: u64,
    games: u64,
    bar: ProgressBar,
}

impl Progress {
    /// Begins with nothing done.
    pub fn new(goal: Goal) -> Progress {
        let bar = ProgressBar::new(STEPS);
        let template =
            if goal == Goal::Unlimited { "{spinner} {msg}" } else { "[{bar:30}] {percent}% {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        let now = Instant::now();
        Progress { goal, started: now, shown: now, positions: 0, games: 0, bar }
    }

    /// Counts a game.
    pub fn add(&mut self, positions: usize) {
        self.games += 1;
        self.positions += positions as u64;
    }

    /// The positions counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The games counted.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// True once as much is done as was wanted.
    pub fn is_reached(&self) -> bool {
        self.fraction_done() >= 1.0
    }

    /// The share that is done; 0 for an open goal.
    fn fraction_done(&self) -> f64 {
        match self.goal {
            Goal::Positions(goal) => self.positions as f64 / goal.max(1) as f64,
            Goal::Games(goal) => self.games as f64 / goal.max(1) as f64,
            Goal::Time(goal) => self.elapsed().as_secs_f64() / goal.as_secs_f64().max(1e-9),
            Goal::Unlimited => 0.0,
        }
    }

    /// Shows how far things are, if they were not shown just before.
    pub fn show(&mut self) {
        let every = if self.bar.is_hidden() { LINE_EVERY } else { BAR_EVERY };
        if self.shown.elapsed() < every {
            return;
        }
        self.shown = Instant::now();
        if self.bar.is_hidden() {
            eprintln!("{}", self.status_line());
        } else {
            self.bar.set_position((self.fraction_done() * STEPS as f64) as u64);
            self.bar.set_message(self.status_line());
            self.bar.tick();
        }
    }

    /// Shows the end.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
        eprintln!("{} in {}", self.status_line(), duration(self.elapsed()));
    }

    /// What there is to say.
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

/// A number with its thousands apart.
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

/// A duration as people say it.
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
    fn numbers_and_times_can_be_read() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        let times = [5, 65, 3700, 90_000].map(|seconds| duration(Duration::from_secs(seconds)));
        assert_eq!(times, ["5 s", "1 min 5 s", "1 h 1 min", "1 d 1 h"]);
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
