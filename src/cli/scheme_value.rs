//! Null-move schemes as values of flags.

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::engine::SchemeName;

impl ValueEnum for SchemeName {
    fn value_variants<'a>() -> &'a [SchemeName] {
        &SchemeName::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(format!("{} ({})", self.summary(), self.source())))
    }
}
