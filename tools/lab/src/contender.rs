//! Contenders: null-move schemes with their numbers and switches, written as one word.

use std::fmt;
use std::str::FromStr;

use caesura::engine::{
    Engine, MAX_NULL_MOVE_PLIES, NullMoveSettings, NullMoveSwitch, SchemeName, SearchOptions,
};
use caesura::types::Depth;

use crate::mode::Mode;

/// A scheme and its settings: `extended`, `fixed:r=2`, `reduce:r=3,dr=2`, `extended:mate-threat`. A number that is not said
/// is the program's: R = 3, DR = 4. Where several threads search, a second scheme is that of the helper threads, with the
/// same settings: `tuned+off`.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// The scheme.
    pub scheme: SchemeName,
    /// The scheme of the helper threads, if it is another.
    pub helpers: Option<SchemeName>,
    /// Its numbers and switches.
    pub settings: NullMoveSettings,
    label: String,
}

/// What stands between the scheme of the main thread and that of the helpers.
pub const HELPERS: char = '+';

/// The label of a contender whose helpers search with the scheme of its main thread.
pub fn without_helpers(label: &str) -> String {
    let (name, settings) = label.find(':').map_or((label, ""), |at| label.split_at(at));
    format!("{}{settings}", name.split(HELPERS).next().unwrap_or(name))
}

/// Why a contender cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContenderError {
    /// There is no scheme of this name.
    #[error("'{0}' is not a scheme; there are {names}", names = scheme_names())]
    Scheme(String),
    /// The scheme has no number of this name.
    #[error("{} has no number '{}'", .0.name(), .1)]
    Number(SchemeName, String),
    /// The number of plies is not a number or out of range.
    #[error("'{0}' is not a number of plies from 1 to {MAX_NULL_MOVE_PLIES}")]
    Plies(String),
    /// A number or a switch is named twice.
    #[error("'{0}' is named twice")]
    Twice(String),
    /// There is no switch of this name.
    #[error("there is no switch '{0}'")]
    Switch(String),
}

/// The names of all schemes, separated by commas.
fn scheme_names() -> String {
    let names: Vec<&str> = SchemeName::ALL.iter().map(|scheme| scheme.name()).collect();
    names.join(", ")
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.label)
    }
}

impl FromStr for Contender {
    type Err = ContenderError;

    fn from_str(text: &str) -> Result<Contender, ContenderError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let parse = |name: &str| SchemeName::parse(name).ok_or_else(|| ContenderError::Scheme(name.into()));
        let (name, helpers) =
            name.split_once(HELPERS).map_or((name, None), |(name, other)| (name, Some(other)));
        let (scheme, helpers) = (parse(name)?, helpers.map(parse).transpose()?);
        let mut settings = NullMoveSettings::default();
        let mut words: Vec<&str> = rest.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        let names = words.iter().map(|word| word.split('=').next().unwrap_or(word));
        if let Some((name, _)) = names.clone().zip(names.skip(1)).find(|(name, next)| name == next) {
            return Err(ContenderError::Twice(name.into()));
        }
        for word in &words {
            match word.split_once('=') {
                Some(("r", value)) if scheme.uses_r() => settings.r = plies(value)?,
                Some(("dr", value)) if scheme.uses_dr() => settings.dr = plies(value)?,
                Some((name, _)) => return Err(ContenderError::Number(scheme, name.into())),
                // The mode is that of all contenders of an experiment, see [`Contender::configure`].
                None => NullMoveSwitch::find(word)
                    .filter(|switch| !switch.is_mode)
                    .ok_or_else(|| ContenderError::Switch((*word).into()))?
                    .set(&mut settings.switches, true),
            }
        }
        let separator = if words.is_empty() { "" } else { ":" };
        let mut label = scheme.name().to_string();
        if let Some(helpers) = helpers {
            label = format!("{label}{HELPERS}{}", helpers.name());
        }
        label = format!("{label}{separator}{}", words.join(","));
        Ok(Contender { scheme, helpers, settings, label })
    }
}

/// Parses a number of plies.
fn plies(text: &str) -> Result<Depth, ContenderError> {
    let plies = text.parse().ok().filter(|plies| (1..=MAX_NULL_MOVE_PLIES).contains(plies));
    plies.ok_or_else(|| ContenderError::Plies(text.into()))
}

impl Contender {
    /// Makes an engine search with this scheme, and besides as the mode has it.
    pub fn configure(&self, engine: &mut Engine, mode: Mode) {
        self.set_options(engine.options_mut(), mode);
    }

    /// Makes searches with these options use this scheme, as [`Contender::configure`] does.
    pub fn set_options(&self, options: &mut SearchOptions, mode: Mode) {
        options.null_move = self.scheme;
        options.null_move_helpers = self.helpers;
        options.null_move_settings = self.settings;
        mode.set(&mut options.null_move_settings.switches);
    }
}

/// Parses a built-in list of contenders.
///
/// # Panics
/// If a name is not valid.
pub fn parse_list(names: &[&str]) -> Vec<Contender> {
    names.iter().map(|name| name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

/// The default scheme, and the default scheme with each switch on.
pub fn with_each_switch() -> Vec<Contender> {
    let default = SchemeName::default().name();
    let names = NullMoveSwitch::ALL.iter().map(|switch| format!("{default}:{}", switch.name));
    // A mode is a kind of search and no contender.
    [default.to_string()].into_iter().chain(names).filter_map(|name| name.parse().ok()).collect()
}

/// All schemes of the registry; `fixed` and `reduce` with each R, and each DR, from 1 to 4.
pub fn all_schemes() -> Vec<Contender> {
    let mut names = Vec::new();
    for scheme in SchemeName::ALL {
        match scheme {
            SchemeName::Fixed => names.extend((1..=4).map(|r| format!("fixed:r={r}"))),
            SchemeName::Reduce => {
                names.extend((1..=4).flat_map(|r| (1..=4).map(move |dr| format!("reduce:dr={dr},r={r}"))));
            }
            other => names.push(other.name().to_string()),
        }
    }
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_written_the_same() {
        let reduce: Contender = "Reduce:r=2, dr=3".parse().unwrap();
        assert_eq!((reduce.scheme, reduce.settings.r, reduce.settings.dr), (SchemeName::Reduce, 2, 3));
        assert_eq!(reduce.to_string(), "reduce:dr=3,r=2");
        let again: Contender = reduce.to_string().parse().unwrap();
        assert_eq!(again, reduce);
        let mixed: Contender = "Reduce+Off:r=2".parse().unwrap();
        assert_eq!((mixed.scheme, mixed.helpers), (SchemeName::Reduce, Some(SchemeName::Off)));
        assert_eq!(mixed.to_string(), "reduce+off:r=2");
        assert_eq!(
            ["reduce+off:r=2", "tuned+off", "tuned"].map(without_helpers),
            ["reduce:r=2", "tuned", "tuned"]
        );
        let tuned: Contender = "tuned:mate-threat".parse().unwrap();
        assert!(tuned.settings.switches.mate_threat);
        for wrong in [
            "",
            "none",
            "tuned+",
            "+off",
            "tuned+off+off",
            "fixed:r=0",
            "fixed:r=9",
            "fixed:r=2,r=3",
            "fixed:r=2,r=2",
            "reduce:dr=1,r=2,dr=3",
            "tuned:mate-threat,mate-threat",
            "fixed:dr=2",
            "extended:r=3",
            "tuned:r=3",
            "off:x",
        ] {
            assert!(wrong.parse::<Contender>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn all_schemes_take_part() {
        let all = all_schemes();
        assert_eq!(all.len(), SchemeName::ALL.len() - 2 + 4 + 16);
        assert!(SchemeName::ALL.iter().all(|&scheme| all.iter().any(|one| one.scheme == scheme)));
    }
}
