//! Who takes part: a null-move scheme with its numbers, as one word.

use std::fmt;
use std::str::FromStr;

use caesura::engine::{Engine, SchemeName};
use caesura::search::null_move::settings::MAX_NULL_MOVE_PLIES;
use caesura::search::null_move::{NullMoveSettings, NullMoveSwitch};
use caesura::types::Depth;

/// A scheme and its settings: `extended`, `fixed:r=2`, `reduce:r=3,dr=2`,
/// `extended:mate-threat`. A number that is not said is the scheme's own.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// The scheme.
    pub scheme: SchemeName,
    /// Its numbers and switches.
    pub settings: NullMoveSettings,
    label: String,
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.label)
    }
}

impl FromStr for Contender {
    type Err = String;

    fn from_str(text: &str) -> Result<Contender, String> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let scheme = SchemeName::parse(name).ok_or_else(|| {
            let names: Vec<&str> = SchemeName::ALL.iter().map(|scheme| scheme.name()).collect();
            format!("'{name}' is no scheme; there are {}", names.join(", "))
        })?;
        let mut settings = NullMoveSettings::default();
        let mut words: Vec<&str> = rest.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        words.sort_unstable();
        for word in &words {
            match word.split_once('=') {
                Some(("r", value)) if scheme.uses_r() => settings.r = plies(value)?,
                Some(("dr", value)) if scheme.uses_dr() => settings.dr = plies(value)?,
                Some((name, _)) => return Err(format!("{} has no number '{name}'", scheme.name())),
                // `plain` is for all contenders of an experiment, see `instruct`.
                None => NullMoveSwitch::find(word)
                    .filter(|switch| switch.name != "plain")
                    .ok_or_else(|| format!("there is no switch '{word}'"))?
                    .set(&mut settings.switches, true),
            }
        }
        let separator = if words.is_empty() { "" } else { ":" };
        Ok(Contender { scheme, settings, label: format!("{}{separator}{}", scheme.name(), words.join(",")) })
    }
}

fn plies(text: &str) -> Result<Depth, String> {
    let plies = text.parse().ok().filter(|plies| (1..=MAX_NULL_MOVE_PLIES).contains(plies));
    plies.ok_or_else(|| format!("'{text}' is no number of plies from 1 to {MAX_NULL_MOVE_PLIES}"))
}

impl Contender {
    /// Makes an engine search in this way.
    pub fn configure(&self, engine: &mut Engine, plain: bool) {
        let options = engine.options_mut();
        options.null_move = self.scheme;
        options.null_move_settings = self.settings;
        options.null_move_settings.switches.plain = plain;
    }
}

/// The contenders of these names.
///
/// # Panics
/// If one of them is none: for lists in the program.
pub fn parse_list(names: &[&str]) -> Vec<Contender> {
    names.iter().map(|name| name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))).collect()
}

/// Every scheme; `fixed` and `reduce` with R, and DR, from 1 to 4.
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
        let tuned: Contender = "tuned:mate-threat".parse().unwrap();
        assert!(tuned.settings.switches.mate_threat);
        for wrong in
            ["", "none", "fixed:r=0", "fixed:r=9", "fixed:dr=2", "extended:r=3", "tuned:r=3", "off:x"]
        {
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
