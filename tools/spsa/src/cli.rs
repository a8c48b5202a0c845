//! What both programs are asked on the command line.

use std::env;
use std::env::consts::EXE_EXTENSION;
use std::io::ErrorKind;
use std::path::PathBuf;

use clap::builder::ArgPredicate;
use clap::{Args, value_parser};
use toolkit::FileError;
use toolkit::cli::Threads;
use toolkit::file_identity::sha256;

use crate::state::MatchSetup;

/// The games of an experiment.
#[derive(Clone, Debug, Args)]
pub struct GameOptions {
    /// The engine, built with `--features tune`
    #[arg(long)]
    pub engine: PathBuf,
    /// The openings, a position a line
    #[arg(long)]
    pub book: PathBuf,
    /// The directory of the state
    #[arg(long)]
    pub out: PathBuf,
    /// Nodes a move
    #[arg(long, default_value_t = 8000, value_parser = value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Pairs of games in the whole run; of a factorial experiment no more than the book has openings
    #[arg(long, default_value_t = 10_000, value_parser = value_parser!(u64).range(1..))]
    pub pairs: u64,
    /// How many pairs are played at the same time.
    #[command(flatten)]
    pub threads: Threads,
    /// Transposition table of each engine, in megabytes
    #[arg(long, default_value_t = 4)]
    pub hash: u32,
    /// Seed of what is drawn
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl GameOptions {
    /// The file of the engine: a name alone is looked for in `PATH`, as the system does, and not here.
    ///
    /// # Errors
    /// If no folder in `PATH` has it.
    pub fn program(&self) -> Result<PathBuf, FileError> {
        if self.engine.components().count() != 1 || self.engine.is_absolute() {
            return Ok(self.engine.clone());
        }
        let mut name = self.engine.clone();
        if name.extension().is_none() {
            name.set_extension(EXE_EXTENSION);
        }
        let folders = env::var_os("PATH").unwrap_or_default();
        let found = env::split_paths(&folders).map(|folder| folder.join(&name)).find(|path| path.is_file());
        found.ok_or_else(|| FileError::at(&self.engine)(ErrorKind::NotFound.into()))
    }

    /// The conditions of the games, as states keep them.
    ///
    /// # Errors
    /// If the engine or the book cannot be read.
    pub fn match_setup(&self) -> Result<MatchSetup, FileError> {
        Ok(MatchSetup {
            engine: self.engine.clone(),
            book: self.book.clone(),
            hash: self.hash,
            seed: self.seed,
            engine_sha256: Some(sha256(&self.program()?)?),
            book_sha256: Some(sha256(&self.book)?),
        })
    }
}

/// Which parameters are tuned.
#[derive(Clone, Debug, Args)]
pub struct ParamChoice {
    /// Tune only parameters whose names begin with one of these prefixes
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Do not tune parameters whose names begin with one of these prefixes; by default, without `--only`, those that games
    /// of one thread and a fixed number of nodes with the default null move do not feel, and those of the null move itself
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "null_,guarded_,modern_,tuned_,variable_,falcon_,clock_,vote_,tablebase_",
        default_value_if("only", ArgPredicate::IsPresent, None)
    )]
    except: Vec<String>,
}

impl ParamChoice {
    /// True if the parameter of this name is tuned.
    pub fn contains(&self, name: &str) -> bool {
        let begins = |prefixes: &[String]| prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()));
        (self.only.is_empty() || begins(&self.only)) && !begins(&self.except)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        choice: ParamChoice,
    }

    #[test]
    fn what_is_asked_for_by_name_is_tuned() {
        let chosen = |arguments: &[&str]| {
            let choice = CommandLine::parse_from(["tune"].iter().chain(arguments)).choice;
            ["lmr_base", "clock_soft", "clock_hard", "vote_depth"].map(|name| choice.contains(name))
        };
        assert_eq!(chosen(&[]), [true, false, false, false]);
        assert_eq!(chosen(&["--only", "clock_"]), [false, true, true, false]);
        assert_eq!(chosen(&["--only", "clock_", "--except", "clock_hard"]), [false, true, false, false]);
        assert_eq!(chosen(&["--except", "lmr_,vote_"]), [false, true, true, false]);
    }

    #[cfg(unix)]
    #[test]
    fn an_engine_is_looked_for_where_the_system_does_unless_it_is_a_path() {
        #[derive(Parser)]
        struct Line {
            #[command(flatten)]
            games: GameOptions,
        }
        let program = |engine: &str| {
            let words = ["spsa", "--engine", engine, "--book", "book", "--out", "out"];
            Line::parse_from(words).games.program()
        };
        let shell = program("sh").unwrap();
        assert!(shell.is_absolute() && shell.ends_with("sh") && shell.is_file(), "{shell:?}");
        assert_eq!(program("./sh").unwrap(), PathBuf::from("./sh"));
        assert!(program("no-such-program").is_err());
    }
}
