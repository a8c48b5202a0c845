//! What is shown of the output of fastchess.

/// The pairs of games from one report that is shown to the next.
const INTERVAL: u64 = 50;

/// Chooses the lines to show: of the reports one in `INTERVAL` pairs and the last, no starts and ends of games, and all else.
#[derive(Debug, Default)]
pub struct ShownLines {
    /// The last report, unless it was shown.
    report: Vec<String>,
    in_report: bool,
}

impl ShownLines {
    /// Takes in a line, behind which the last report is of this many pairs, and returns the lines to show now.
    pub fn read(&mut self, line: &str, pairs: u64) -> Vec<String> {
        let is_rule = line.starts_with("-----");
        if is_rule && !self.in_report {
            self.report.clear();
        }
        if is_rule || self.in_report {
            self.report.push(line.to_string());
            self.in_report ^= is_rule;
            let is_due = !self.in_report && pairs.is_multiple_of(INTERVAL);
            return if is_due { self.finish() } else { Vec::new() };
        }
        let is_game = ["Started game", "Finished game"].iter().any(|start| line.starts_with(start));
        if is_game { Vec::new() } else { vec![line.to_string()] }
    }

    /// The last report, unless it was shown.
    pub fn finish(&mut self) -> Vec<String> {
        std::mem::take(&mut self.report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_report_in_fifty_and_the_last_are_shown() {
        let mut shown = ShownLines::default();
        let rule = "-".repeat(50);
        let mut lines: Vec<String> = Vec::new();
        for pairs in 1..=103 {
            for (line, seen) in [
                ("Finished game", pairs - 1),
                (rule.as_str(), pairs - 1),
                (&format!("Games: {}", 2 * pairs), pairs),
                (&rule, pairs),
                ("Started game", pairs),
            ] {
                lines.extend(shown.read(line, seen));
            }
        }
        lines.extend(shown.read("Finished match", 103));
        lines.extend(shown.finish());
        assert!(shown.finish().is_empty());
        let report = |games: u64| [rule.clone(), format!("Games: {games}"), rule.clone()];
        let expected = [&report(100)[..], &report(200), &["Finished match".to_string()], &report(206)];
        assert_eq!(lines, expected.concat());
    }
}
