//! The schemes by name.

/// A scheme, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SchemeName {
    /// No null move at all.
    Off,
    /// At most one null move on a path.
    Once,
    /// A fixed reduction; a fail-high cuts.
    Fixed,
    /// As in Fruit 2.1.
    Fruit,
    /// Adaptive null-move pruning.
    Adaptive,
    /// Adaptive by depth alone, with R = 3 and 4.
    Adaptive34,
    /// By depth and evaluation, verified in endgames.
    Formula,
    /// Verified null-move pruning.
    Verified,
    /// Two null moves in a row.
    Double,
    /// A bound that depends on the path.
    Variable,
    /// Fail-high reductions.
    Fhr,
    /// Modern pruning.
    Guarded,
    /// Reductions by a fixed amount.
    Reduce,
    /// Extended null-move reductions.
    Extended,
    /// Extended null-move reductions, tuned for deep searches.
    #[default]
    Tuned,
}

impl SchemeName {
    /// All schemes, the yardstick first, then pruning, then reducing.
    pub const ALL: [SchemeName; 15] = [
        SchemeName::Off,
        SchemeName::Once,
        SchemeName::Fixed,
        SchemeName::Fruit,
        SchemeName::Adaptive,
        SchemeName::Adaptive34,
        SchemeName::Formula,
        SchemeName::Verified,
        SchemeName::Double,
        SchemeName::Variable,
        SchemeName::Fhr,
        SchemeName::Guarded,
        SchemeName::Reduce,
        SchemeName::Extended,
        SchemeName::Tuned,
    ];

    /// The name, as options and the command line have it.
    pub const fn name(self) -> &'static str {
        match self {
            SchemeName::Off => "off",
            SchemeName::Once => "once",
            SchemeName::Fixed => "fixed",
            SchemeName::Fruit => "fruit",
            SchemeName::Adaptive => "adaptive",
            SchemeName::Adaptive34 => "adaptive34",
            SchemeName::Formula => "formula",
            SchemeName::Verified => "verified",
            SchemeName::Double => "double",
            SchemeName::Variable => "variable",
            SchemeName::Fhr => "fhr",
            SchemeName::Guarded => "guarded",
            SchemeName::Reduce => "reduce",
            SchemeName::Extended => "extended",
            SchemeName::Tuned => "tuned",
        }
    }

    /// The scheme of this name, in any case.
    pub fn parse(name: &str) -> Option<SchemeName> {
        SchemeName::ALL.into_iter().find(|scheme| scheme.name().eq_ignore_ascii_case(name))
    }

    /// True if the scheme asks for the plies by which a null move is searched shallower (`NullMoveR`).
    pub const fn uses_r(self) -> bool {
        matches!(
            self,
            SchemeName::Once
                | SchemeName::Fixed
                | SchemeName::Double
                | SchemeName::Variable
                | SchemeName::Reduce
        )
    }

    /// True if the scheme asks for the plies by which a fail-high reduces (`NullMoveDR`).
    pub const fn uses_dr(self) -> bool {
        matches!(self, SchemeName::Reduce)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_schemes() {
        for (place, scheme) in SchemeName::ALL.into_iter().enumerate() {
            assert_eq!(scheme as usize, place);
            assert_eq!(SchemeName::parse(&scheme.name().to_uppercase()), Some(scheme));
        }
        assert_eq!(SchemeName::parse("extend"), None);
        assert_eq!(SchemeName::default().name(), "tuned");
    }
}
