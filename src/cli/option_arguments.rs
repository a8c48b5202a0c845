//! Options of the engine as flags of the command line, made from the table of UCI options.

use std::error::Error;
use std::ffi::OsStr;
use std::marker::PhantomData;
use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use crate::engine::{DEFAULT_HASH, DEFAULT_THREADS, Engine, SchemeName};
use crate::uci::options::{
    self, Flag, OptionContext, OptionError, OptionType, OptionValue, SessionSettings, UciOption,
};
use crate::util::quote::quote;

use super::error::{CliError, print_remarks};

/// The options that a subcommand takes.
pub(super) trait FlagSet {
    /// Flags of options that do not concern null moves, in groups.
    const FLAGS: &'static [&'static [&'static str]];
    /// Is this one taken of those that concern null moves?
    fn takes_null_move_flag(_name: &str) -> bool {
        false
    }
}

/// The options that the user has given of a set.
pub(super) struct OptionArguments<S> {
    values: Vec<(&'static UciOption, Flag, OptionValue)>,
    set: PhantomData<S>,
}

fn options_of<S: FlagSet>() -> impl Iterator<Item = (&'static UciOption, Flag)> {
    let flagged = options::all().iter().filter_map(|option| Some((option, option.flag?)));
    flagged.filter(|(option, flag)| {
        let is_listed = || S::FLAGS.iter().any(|flags| flags.contains(&flag.name));
        if option.null_move { S::takes_null_move_flag(flag.name) } else { is_listed() }
    })
}

/// Reads the value of an option. The names of files may be any bytes.
#[derive(Clone)]
struct OptionParser(&'static UciOption, Flag);

impl TypedValueParser for OptionParser {
    type Value = OptionValue;

    fn parse_ref(
        &self,
        command: &Command,
        _: Option<&Arg>,
        value: &OsStr,
    ) -> Result<OptionValue, clap::Error> {
        let OptionParser(option, flag) = self;
        let parsed = match option.option_type {
            OptionType::File { .. } if !value.is_empty() && value != options::EMPTY => {
                Some(OptionValue::File(value.into()))
            }
            _ => value.to_str().and_then(|text| option.option_type.parse(text)),
        };
        parsed.ok_or_else(|| {
            let (expected, found) = (option.option_type.expected(), quote(&value.to_string_lossy()));
            let message = format!("--{} must be {expected}, not {found}\n", flag.name);
            clap::Error::raw(ErrorKind::ValueValidation, message).with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        match &self.0.option_type {
            // What schemes do is said once, and not at the other option that takes one.
            OptionType::Combo { .. } if self.0.name == options::table::NULL_MOVE => {
                Some(Box::new(SchemeName::ALL.into_iter().filter_map(|scheme| scheme.to_possible_value())))
            }
            OptionType::Combo { choices, .. } => Some(Box::new(choices.iter().map(PossibleValue::new))),
            _ => None,
        }
    }
}

fn argument(option: &'static UciOption, flag: Flag) -> Arg {
    let mut doc = flag.doc.unwrap_or(option.doc).to_string();
    doc[..1].make_ascii_uppercase();
    let arg = Arg::new(flag.name).long(flag.name);
    let arg = if option.null_move { arg.help_heading("Null moves") } else { arg };
    match option.option_type.default_text() {
        Some(_) if matches!(option.option_type, OptionType::Check { default: false }) => {
            arg.help(doc).action(ArgAction::SetTrue)
        }
        default => {
            let default = default.map_or_else(String::new, |default| format!(" [default: {default}]"));
            arg.help(doc + &default).value_name(flag.value_name).value_parser(OptionParser(option, flag))
        }
    }
}

impl<S: FlagSet> Args for OptionArguments<S> {
    fn augment_args(command: Command) -> Command {
        options_of::<S>().fold(command, |command, (option, flag)| command.arg(argument(option, flag)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<S: FlagSet> FromArgMatches for OptionArguments<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let set_value = |(option, flag): (&'static UciOption, Flag)| {
            let value = match option.option_type {
                OptionType::Check { default: false } => {
                    Some(OptionValue::Check(true)).filter(|_| matches.get_flag(flag.name))
                }
                _ => matches.get_one::<OptionValue>(flag.name).cloned(),
            };
            Some((option, flag, value?))
        };
        Ok(OptionArguments { values: options_of::<S>().filter_map(set_value).collect(), set: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<S> OptionArguments<S> {
    /// The value of a flag, if it was given.
    pub(super) fn value(&self, name: &str) -> Option<&OptionValue> {
        self.values.iter().find(|(_, flag, _)| flag.name == name).map(|(.., value)| value)
    }

    /// An engine with these options, and no move overhead. What the user should know of the placement of its threads
    /// and of endgame tables is written to the standard error output.
    pub(super) fn engine(&self) -> Result<Engine, CliError> {
        let mut engine = Engine::new(DEFAULT_THREADS, DEFAULT_HASH)?;
        engine.options_mut().move_overhead = Duration::ZERO;
        let (mut settings, mut notes) = (SessionSettings::default(), Vec::new());
        let mut values: Vec<_> = self.values.iter().collect();
        // The table last, so that all threads touch its memory.
        values.sort_by_key(|(option, ..)| option.name == options::table::HASH);
        for (option, flag, value) in values {
            let mut context = OptionContext {
                engine: &mut engine,
                settings: &mut settings,
                notes: &mut notes,
                output: None,
            };
            option.apply(&mut context, value).map_err(|error| {
                let source: Box<dyn Error + Send + Sync> = match error {
                    OptionError::NotApplied { source, .. } => source,
                    other => other.into(),
                };
                CliError::Flag { flag: flag.name, value: value.clone(), source }
            })?;
            if option.name == "SyzygyPath" {
                print_remarks(&notes);
            }
            notes.clear();
        }
        print_remarks(&engine.placement().remarks);
        Ok(engine)
    }
}
