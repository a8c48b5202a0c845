//! What fastchess reports, and the line of the result.

use toolkit::progress::thousands;
use toolkit::sequential::{Sprt, Verdict};

use crate::fastchess::Limit;

/// Games that were lost for another reason than the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Losses on time.
    pub on_time: u64,
    /// Crashes, illegal moves, and engines that did not answer.
    pub crashes: u64,
}

/// A report of fastchess on the match so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MatchReport {
    /// The Elo difference, from the first side's point of view.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// The number of games.
    pub games: u64,
    /// The pairs of games by points of the first side: 0, 1/2, 1, 3/2, 2.
    pub pairs: [u64; 5],
    /// The log-likelihood ratio, if there is a test.
    pub llr: Option<f64>,
    /// How the test stands. fastchess says it; its ratio and the bounds that it shows are rounded.
    pub verdict: Verdict,
    /// Faults of both sides.
    pub faults: Faults,
}

impl MatchReport {
    /// The result as a commit message has it.
    pub fn line(&self, limit: &Limit, sprt: Option<Sprt>) -> String {
        let (sign, elo) = (if self.elo < 0.0 { '−' } else { '+' }, self.elo.abs());
        let mut line =
            format!("{sign}{elo:.0} ± {:.0}, {} games, {limit}", self.error, thousands(self.games));
        if let Some(Sprt { elo0, elo1 }) = sprt {
            let verdict = match self.verdict {
                Verdict::AcceptH1 => "passed",
                Verdict::AcceptH0 => "failed",
                Verdict::Undecided => "undecided",
            };
            let ratio = self.llr.map_or_else(String::new, |llr| format!(": {llr:.2}"));
            let text = format!(", SPRT ({elo0}, {elo1}) {verdict}{ratio}");
            line.push_str(&text.replace('-', "−"));
        }
        for (count, name) in [(self.faults.on_time, "lost on time"), (self.faults.crashes, "crashed")] {
            if count > 0 {
                line.push_str(&format!(", {} {name}", thousands(count)));
            }
        }
        line
    }
}

/// Reads the output of fastchess, line by line.
#[derive(Clone, Debug, Default)]
pub struct ReportReader {
    /// The last report with the Elo difference, the games and the pairs.
    report: Option<MatchReport>,
    /// The Elo difference and its error in the report that is being read.
    elo: Option<(f64, f64)>,
    games: Option<u64>,
    verdict: Verdict,
    faults: Faults,
    /// The first warning that an option was not set.
    option_warning: Option<String>,
}

impl ReportReader {
    /// Reads a line that fastchess has written, and keeps what the result of the match needs of it.
    pub fn read(&mut self, line: &str) {
        if line.starts_with("Results of ") {
            (self.elo, self.games) = (None, None);
        } else if let Some(rest) = line.strip_prefix("Elo: ") {
            self.elo = read_elo(rest);
        } else if let Some(rest) = line.strip_prefix("Games: ") {
            self.games = rest.split(',').next().and_then(|games| games.parse().ok());
        } else if let Some(rest) = line.strip_prefix("Ptnml(0-2): ") {
            if let (Some((elo, error)), Some(games), Some(pairs)) = (self.elo, self.games, read_pairs(rest)) {
                self.report = Some(MatchReport { elo, error, games, pairs, ..MatchReport::default() });
            }
        } else if let Some(rest) = line.strip_prefix("LLR: ") {
            if let Some(report) = &mut self.report {
                report.llr = read_llr(rest);
            }
        } else if line.starts_with("SPRT (") {
            if line.ends_with("completed - H1 was accepted") {
                self.verdict = Verdict::AcceptH1;
            } else if line.ends_with("completed - H0 was accepted") {
                self.verdict = Verdict::AcceptH0;
            }
        } else if line.starts_with("Finished game ") {
            let reason = line.rsplit_once('{').map_or("", |(_, reason)| reason);
            if reason.contains("on time") {
                self.faults.on_time += 1;
            } else if ["disconnect", "stall", "illegal"].iter().any(|word| reason.contains(word)) {
                self.faults.crashes += 1;
            }
        } else if is_option_warning(line) {
            self.option_warning.get_or_insert_with(|| line.to_string());
        }
    }

    /// The first warning that an option was not set; fastchess plays on without it.
    pub fn option_warning(&self) -> Option<&str> {
        self.option_warning.as_deref()
    }

    /// The pairs of the last report.
    pub fn pairs(&self) -> u64 {
        self.report.map_or(0, |report| report.games / 2)
    }

    /// The last report; `None` if there was none.
    pub fn finish(self) -> Option<MatchReport> {
        self.report.map(|report| MatchReport { verdict: self.verdict, faults: self.faults, ..report })
    }
}

/// Is a line a warning of fastchess that an engine does not have an option, or does not get a value?
fn is_option_warning(line: &str) -> bool {
    line.strip_prefix("Warning").is_some_and(|warning| {
        ["doesn't have option ", "Invalid value for option ", "Failed to set "]
            .iter()
            .any(|text| warning.contains(text))
    })
}

/// Reads `12.34 +/- 5.67, ...`.
fn read_elo(text: &str) -> Option<(f64, f64)> {
    let (elo, error) = text.split(',').next()?.split_once(" +/- ")?;
    Some((elo.trim().parse().ok()?, error.trim().parse().ok()?))
}

/// Reads `[9, 56, 78, 45, 12], ...`.
fn read_pairs(text: &str) -> Option<[u64; 5]> {
    let (list, _) = text.strip_prefix('[')?.split_once(']')?;
    let pairs: Vec<u64> = list.split(',').map(|count| count.trim().parse()).collect::<Result<_, _>>().ok()?;
    pairs.try_into().ok()
}

/// Reads the ratio of `2.95 (100.3%) (-2.94, 2.94) [0.00, 5.00]`.
fn read_llr(text: &str) -> Option<f64> {
    text.split_once('(')?.0.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(lines: &str) -> Option<MatchReport> {
        let mut reader = ReportReader::default();
        lines.lines().for_each(|line| reader.read(line));
        reader.finish()
    }

    #[test]
    fn numbers_are_read_or_refused() {
        assert_eq!(read_elo("-4.34 +/- 23.19, nElo: -6.39 +/- 34.05"), Some((-4.34, 23.19)));
        assert!(
            read_elo("inf +/- nan, nElo: inf +/- nan")
                .is_some_and(|(elo, error)| elo > 0.0 && error.is_nan())
        );
        assert_eq!(read_pairs("[9, 56, 78, 45, 12], WL/DD Ratio: 1.44"), Some([9, 56, 78, 45, 12]));
        let llr = read_llr("-0.07 (-2.3%) (-2.94, 2.94) [-6.00, 0.00]");
        assert_eq!(llr, Some(-0.07));
        for wrong in ["", "x", "[", "[1, 2]", "[1, 2, 3, 4, 5, 6]", "(", "x (2%) (-2.94, 2.94)", "1 +/- x"] {
            assert_eq!((read_elo(wrong), read_pairs(wrong), read_llr(wrong)), (None, None, None), "{wrong}");
        }
    }

    #[test]
    fn the_line_has_the_form_of_a_commit_message() {
        let mut report = MatchReport { elo: 17.6, error: 8.4, games: 3984, ..MatchReport::default() };
        let (nodes, sprt) = (Limit::Nodes(8000), Some(Sprt { elo0: 0.0, elo1: 5.0 }));
        assert_eq!(report.line(&nodes, None), "+18 ± 8, 3,984 games, 8,000 nodes");
        (report.llr, report.verdict) = (Some(2.95), Verdict::AcceptH1);
        let line = report.line(&nodes, sprt);
        assert_eq!(line, "+18 ± 8, 3,984 games, 8,000 nodes, SPRT (0, 5) passed: 2.95");
        (report.llr, report.verdict) = (Some(-2.96), Verdict::AcceptH0);
        (report.elo, report.faults) = (-3.2, Faults { on_time: 2, crashes: 1 });
        let clock = Limit::NodesAsTime("10+0.1".to_string(), 400);
        assert_eq!(
            report.line(&clock, Some(Sprt { elo0: -3.0, elo1: 2.0 })),
            "−3 ± 8, 3,984 games, 10+0.1 at 400 nodes a millisecond, SPRT (−3, 2) failed: −2.96, 2 lost on time, 1 crashed"
        );
        // The last report may have been cut off.
        (report.llr, report.verdict, report.faults) = (None, Verdict::Undecided, Faults::default());
        assert_eq!(report.line(&nodes, sprt), "−3 ± 8, 3,984 games, 8,000 nodes, SPRT (0, 5) undecided");
    }

    #[test]
    fn a_test_is_decided_when_fastchess_says_so() {
        // As if rounded up to the bound, which is 2.944 in truth.
        let lines = "Elo: 9.00 +/- 8.00, nElo: 9\nGames: 2, Wins: 1\nPtnml(0-2): [0, 0, 1, 0, 0], WL/DD Ratio: 1\n\
                     LLR: 2.94 (99.9%) (-2.94, 2.94) [0.00, 5.00]";
        let verdict = |end: &str| {
            let report = report(&format!("{lines}\n{end}")).expect("a report");
            assert_eq!(report.llr, Some(2.94));
            report.verdict
        };
        assert_eq!(verdict("Finished match"), Verdict::Undecided);
        assert_eq!(verdict("SPRT ([0.00, 5.00]) completed - H1 was accepted"), Verdict::AcceptH1);
        assert_eq!(verdict("SPRT ([0.00, 5.00]) completed - H0 was accepted"), Verdict::AcceptH0);
        assert_eq!(verdict("SPRT ([0.00, 5.00]) completed"), Verdict::Undecided);
    }

    #[test]
    fn faults_are_counted_by_their_reason() {
        let lines = "Elo: 0.00 +/- 1.00, nElo: 0\nGames: 4, Wins: 2\nPtnml(0-2): [0, 0, 2, 0, 0], WL/DD Ratio: 1\n\
                     Finished game 1 (new vs old): 1-0 {Black loses on time}\n\
                     Finished game 2 (old vs new): 1-0 {Black makes an illegal move}\n\
                     Finished game 3 (old vs new): 1-0 {White mates}\n\
                     Finished game 4 (new vs old): 0-1 {White disconnects}";
        let report = report(lines).unwrap();
        assert_eq!((report.games, report.faults), (4, Faults { on_time: 1, crashes: 2 }));
    }

    #[test]
    fn an_option_that_was_not_set_is_noticed() {
        let warning = |line: &str| {
            let mut reader = ReportReader::default();
            reader.read(line);
            reader.option_warning().map(str::to_string)
        };
        for line in [
            "Warning; new doesn't have option NullMoveR",
            "Warning; Invalid value for option NullMove; nonsense",
            "Warning; Failed to set option NullMoveMinDepth with value x for engine old: stoi",
            "Warning; Failed to set UCI_Chess960 option for engine old: stoi",
        ] {
            assert_eq!(warning(line).as_deref(), Some(line));
        }
        for line in ["Warning; Engine old is not responsive", "Started game 1 of 2 (new vs old)"] {
            assert_eq!(warning(line), None, "{line}");
        }
    }

    #[test]
    fn without_a_whole_report_there_is_no_result() {
        assert_eq!(report("Started game 1 of 2 (new vs old)\nElo: 1.0 +/- 2.0, nElo: 0"), None);
        assert_eq!(report("Elo: 1 +/- 2\nResults of a vs b\nGames: 2\nPtnml(0-2): [0, 0, 1, 0, 0]"), None);
    }
}
