//! All experiments of the report, with the share of a time budget that each one gets.

use std::path::{Path, PathBuf};

use caesura::board::Setup;
use caesura::engine::{EMBEDDED_NETWORK, MATERIAL_NETWORK, SchemeName};
use caesura::suite::TestPosition;
use caesura::types::Depth;
use datagen::opening;
use toolkit::file_identity::identify;

use crate::contender::{Contender, parse_list, with_each_switch};
use crate::experiment::{CommonOptions, RunContext};
use crate::limit::Limit;
use crate::mode::Mode;
use crate::runner::Summary;
use crate::{LabError, helpers, match_play, nodes, positions, scaling, tactics, worth, zugzwang};

/// What the plan depends on.
#[derive(Clone, Debug)]
pub struct PlanSettings {
    /// The folder of `ecm879.epd`, `zugts.epd` and `cpw_nullmove_zugzwang.epd`.
    pub suites: PathBuf,
    /// The openings of the matches, in FEN or EPD.
    pub book: PathBuf,
    /// The table of each search, in megabytes.
    pub hash: usize,
    /// How many searches or games at a time.
    pub threads: usize,
}

/// One experiment with its settings.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it is called in messages.
    pub name: String,
    /// Its share of the budget: about the minutes that it takes on two processors of 2020.
    pub share: f64,
    /// What is done.
    pub work: Work,
}

/// An experiment with its settings.
#[derive(Clone, Debug)]
pub enum Work {
    /// Nodes to fixed depths.
    Nodes(nodes::Options),
    /// Positions solved.
    Tactics(tactics::Options),
    /// Games.
    Match(Box<match_play::Options>),
    /// Games by evaluation and limit.
    Worth(Box<worth::Options>),
    /// Zugzwangs recognised.
    Zugzwang(zugzwang::Options),
    /// Helper threads with another scheme.
    Helpers(zugzwang::Options),
    /// Nodes and time to each depth.
    Scaling(scaling::Options),
}

impl Step {
    /// Does what has not been done yet, until the control of the context says to finish.
    ///
    /// # Errors
    /// If an engine fails or results cannot be stored.
    pub fn run(&self, context: &RunContext) -> Result<Summary, LabError> {
        match &self.work {
            Work::Nodes(options) => nodes::run(context, options),
            Work::Tactics(options) => tactics::run(context, options),
            Work::Match(options) => Ok(match_play::run(context, options)?.0),
            Work::Worth(options) => worth::run(context, options),
            Work::Zugzwang(options) => zugzwang::run(context, options),
            Work::Helpers(options) => helpers::run(context, options),
            Work::Scaling(options) => scaling::run(context, options),
        }
    }
}

/// The steps of the report, and the files that are missing for others.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The steps, in the order in which they are done.
    pub steps: Vec<Step>,
    /// Files that are not there; what needs them is left out.
    pub missing: Vec<PathBuf>,
}

/// The limit of tactical searches in nodes.
const TACTICS_NODES: Limit = Limit::Nodes(50_000);
/// The limit of the paper's tactical searches.
const PAPER_TIME: Limit = Limit::Time(5000);
/// One of this many positions is searched at the paper's limit.
const PAPER_TIME_STEP: usize = 20;
/// The limit of a move in matches by nodes.
const MATCH_NODES: Limit = Limit::Nodes(5000);
/// The clock of matches in time: two processors play a thousand games in half an hour.
const MATCH_TIME: Limit = Limit::Clock(1000, 10);
/// The limit of searches for zugzwangs.
const ZUGZWANG_NODES: Limit = Limit::Nodes(2_000_000);
/// The limit of plain searches of the paper's position.
const PAPER_POSITION_NODES: Limit = Limit::Nodes(30_000_000);
/// The limit of searches with mixed schemes, for all threads together.
const HELPERS_NODES: Limit = Limit::Nodes(1_000_000);
/// Who takes part in the paper's tables 3 to 5, and what they are compared with today.
const TACTICIANS: [&str; 10] = [
    "extended",
    "adaptive34",
    "adaptive",
    "fixed:r=1",
    "fixed:r=2",
    "fixed:r=3",
    "fixed:r=4",
    "verified",
    "guarded",
    "off",
];
/// Who looks for zugzwangs.
const ZUGZWANGERS: [&str; 7] = ["off", "extended", "guarded", "verified", "double", "adaptive", "fixed:r=3"];

/// The contenders of a list, and the default scheme.
fn with_default(names: &[&str]) -> Vec<Contender> {
    let default = SchemeName::default().name();
    let names: Vec<&str> = names.iter().copied().filter(|&name| name != default).chain([default]).collect();
    parse_list(&names)
}

/// The contenders of the paper's table 5: by how many plies a fail-high reduces.
fn depth_reductions() -> Vec<Contender> {
    (1..=5).filter_map(|plies| format!("extended:dr={plies}").parse().ok()).collect()
}

/// The openings of the matches.
struct Book {
    name: String,
    positions: Vec<Setup>,
}

/// Makes the steps one after the other.
struct Planner {
    settings: PlanSettings,
    plan: Plan,
}

impl Planner {
    fn push(&mut self, name: impl Into<String>, share: f64, work: Work) {
        self.plan.steps.push(Step { name: name.into(), share, work });
    }

    /// The name in results and the tasks of a file of the suites, if it is there.
    fn suite(&mut self, name: &str) -> Result<Option<(String, Vec<TestPosition>)>, LabError> {
        let path = self.settings.suites.join(format!("{name}.epd"));
        if path.exists() {
            return Ok(Some((identify(&path)?, positions::suite(&path)?)));
        }
        self.plan.missing.push(path);
        Ok(None)
    }

    fn common(&self, mode: Mode) -> CommonOptions {
        CommonOptions { mode, hash: self.settings.hash, threads: self.settings.threads, search_threads: 1 }
    }

    fn nodes(&self, contenders: Vec<Contender>, raise: Depth, mode: Mode) -> Work {
        Work::Nodes(nodes::Options {
            contenders,
            positions: positions::bratko_kopec(),
            raise,
            common: self.common(mode),
        })
    }

    fn tactics(
        &self,
        contenders: Vec<Contender>,
        (suite, tasks): (&str, Vec<TestPosition>),
        limit: Limit,
        mode: Mode,
    ) -> Work {
        Work::Tactics(tactics::Options {
            contenders,
            suite: suite.to_string(),
            tasks,
            limit,
            runs: 1,
            common: self.common(mode),
        })
    }

    fn matches(&self, book: &Book, sides: [&Contender; 2], (games, limit, mode): (u32, Limit, Mode)) -> Work {
        Work::Match(Box::new(match_play::Options {
            first: sides[0].clone(),
            second: sides[1].clone(),
            book: book.positions.clone(),
            book_name: book.name.clone(),
            seed: 1,
            games,
            sprt: None,
            limit,
            common: self.common(mode),
        }))
    }

    fn plan_nodes(&mut self) {
        let paper = parse_list(&nodes::CONTENDERS);
        for mode in [Mode::Plain, Mode::Falcon] {
            let work = self.nodes(paper.clone(), 0, mode);
            self.push(format!("table 2, {mode}"), 4.0, work);
        }
        self.push(
            "table 2, full, four plies deeper",
            2.0,
            self.nodes(with_default(&nodes::CONTENDERS), 4, Mode::Full),
        );
        self.push("switches, nodes", 1.0, self.nodes(with_each_switch(), 4, Mode::Full));
    }

    fn plan_tactics(&mut self) -> Result<(), LabError> {
        let Some((suite, all)) = self.suite("ecm879")? else { return Ok(()) };
        for mode in [Mode::Plain, Mode::Full] {
            let work = self.tactics(with_default(&TACTICIANS), (&suite, all.clone()), TACTICS_NODES, mode);
            self.push(format!("tables 3 and 4, {mode}"), 5.0, work);
        }
        self.push(
            "table 5",
            2.0,
            self.tactics(depth_reductions(), (&suite, all.clone()), TACTICS_NODES, Mode::Plain),
        );
        self.push(
            "switches, tactics",
            2.0,
            self.tactics(with_each_switch(), (&suite, all.clone()), TACTICS_NODES, Mode::Full),
        );
        let sample = all.into_iter().step_by(PAPER_TIME_STEP).collect();
        let paper =
            parse_list(&["extended", "adaptive34", "adaptive", "fixed:r=2", "fixed:r=3", "fixed:r=4"]);
        self.push(
            "table 3, 5 seconds a position",
            11.0,
            self.tactics(paper, (&suite, sample), PAPER_TIME, Mode::Plain),
        );
        Ok(())
    }

    fn plan_matches(&mut self) -> Result<(), LabError> {
        let path = self.settings.book.clone();
        if !path.exists() {
            self.plan.missing.push(path);
            return Ok(());
        }
        let book = Book { name: identify(&path)?, positions: opening::read_distinct(&path)? };
        let paper = parse_list(&["extended", "adaptive"]);
        let sides = [&paper[0], &paper[1]];
        for mode in [Mode::Plain, Mode::Full] {
            let name = format!("table 6, by nodes, {mode}");
            self.push(name, 5.0, self.matches(&book, sides, (1000, MATCH_NODES, mode)));
        }
        self.push("table 6, in time", 25.0, self.matches(&book, sides, (1000, MATCH_TIME, Mode::Full)));
        let today = with_default(&["off", "guarded"]);
        if let [others @ .., default] = &today[..] {
            for other in others {
                let name = format!("{default} against {other}");
                self.push(name, 5.0, self.matches(&book, [default, other], (1000, MATCH_NODES, Mode::Full)));
            }
        }
        let switched = with_each_switch();
        for with in switched.iter().skip(1) {
            let name = format!("switches, games of {with}");
            self.push(name, 2.5, self.matches(&book, [with, &switched[0]], (400, MATCH_NODES, Mode::Full)));
        }
        self.plan_worth(&book)
    }

    fn plan_worth(&mut self, book: &Book) -> Result<(), LabError> {
        let sides = parse_list(&worth::SIDES);
        let evaluations =
            [MATERIAL_NETWORK, EMBEDDED_NETWORK].iter().map(|name| worth::Evaluation::load(Path::new(name)));
        let work = Work::Worth(Box::new(worth::Options {
            sides: [sides[0].clone(), sides[1].clone()],
            evaluations: evaluations.collect::<Result<_, _>>()?,
            limits: worth::LIMITS.to_vec(),
            book: book.positions.clone(),
            book_name: book.name.clone(),
            seed: 1,
            games: 400,
            common: self.common(Mode::Full),
        }));
        self.push("what a null move is worth", 10.0, work);
        Ok(())
    }

    fn plan_zugzwang(&mut self) -> Result<(), LabError> {
        let mut suites = Vec::new();
        for name in ["zugts", "cpw_nullmove_zugzwang"] {
            suites.extend(self.suite(name)?);
        }
        for mode in [Mode::Plain, Mode::Full] {
            let work = Work::Zugzwang(zugzwang::Options {
                contenders: with_default(&ZUGZWANGERS),
                suites: suites.clone(),
                limit: ZUGZWANG_NODES,
                common: self.common(mode),
            });
            self.push(format!("table 7, {mode}"), 4.0, work);
        }
        // Schemes find the paper's position late in the plain search, or not at all.
        let work = Work::Zugzwang(zugzwang::Options {
            contenders: with_default(&ZUGZWANGERS),
            suites: Vec::new(),
            limit: PAPER_POSITION_NODES,
            common: self.common(Mode::Plain),
        });
        self.push("the paper's position, plain", 2.0, work);
        let work = Work::Helpers(zugzwang::Options {
            contenders: parse_list(&helpers::CONTENDERS),
            suites,
            limit: HELPERS_NODES,
            common: CommonOptions { search_threads: helpers::SEARCH_THREADS, ..self.common(Mode::Full) },
        });
        self.push("mixed schemes", 2.0, work);
        Ok(())
    }

    fn plan_scaling(&mut self) {
        for (mode, depth, nodes) in [(Mode::Full, 20, 60_000_000), (Mode::Plain, 15, 60_000_000)] {
            let work = Work::Scaling(scaling::Options {
                contenders: parse_list(&scaling::CONTENDERS),
                positions: positions::bratko_kopec(),
                depth,
                nodes,
                common: self.common(mode),
            });
            self.push(format!("scaling, {mode}"), 3.0, work);
        }
    }
}

/// The plan of the whole report. What can be had soon comes first, matches last.
///
/// # Errors
/// If a suite or the book cannot be read.
pub fn plan(settings: &PlanSettings) -> Result<Plan, LabError> {
    let mut planner = Planner { settings: settings.clone(), plan: Plan::default() };
    planner.plan_nodes();
    planner.plan_zugzwang()?;
    planner.plan_tactics()?;
    planner.plan_scaling();
    planner.plan_matches()?;
    Ok(planner.plan)
}

#[cfg(test)]
mod tests {
    use caesura::engine::NullMoveSwitch;

    use super::*;

    #[test]
    fn what_files_are_missing_for_is_left_out() {
        let none = PathBuf::from("no/such/folder");
        let settings =
            PlanSettings { suites: none.clone(), book: none.join("book.epd"), hash: 1, threads: 1 };
        let plan = plan(&settings).unwrap();
        assert_eq!(plan.missing.len(), 4, "{:?}", plan.missing);
        let names: Vec<&str> = plan.steps.iter().map(|step| step.name.as_str()).collect();
        assert!(names.contains(&"table 2, falcon") && names.contains(&"table 7, plain"), "{names:?}");
        assert!(plan.steps.iter().all(|step| step.share > 0.0));
    }

    #[test]
    fn every_switch_takes_part_and_the_default_is_named_once() {
        let switched = with_each_switch();
        // One for each switch but the modes, and the default itself.
        let modes = NullMoveSwitch::ALL.iter().filter(|switch| switch.is_mode).count();
        assert_eq!(switched.len(), NullMoveSwitch::ALL.len() - modes + 1);
        assert_eq!(switched[0].scheme, SchemeName::default());
        assert!(switched[1..].iter().all(|one| one.settings.switches.any()));
        let default = SchemeName::default().name();
        assert_eq!(with_default(&[default, "off"]).len(), 2);
        assert_eq!(depth_reductions().len(), 5);
    }
}
