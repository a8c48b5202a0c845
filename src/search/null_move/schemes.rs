//! The registry of null-move schemes: one line a scheme.

use super::scheme::{FailHigh, FailLow, Scheme};
use super::settings::NullMoveSettings;
use crate::search::node::NodeView;
use crate::types::{Depth, Value};

/// Receives a scheme as a type, so that the search is compiled for it.
pub trait SchemeVisitor {
    /// What comes of it.
    type Output;
    /// Uses the scheme.
    fn visit<S: Scheme>(self, scheme: S) -> Self::Output;
}

/// Declares the module of each scheme, and everything that depends on the list of them.
macro_rules! schemes {
    ($($module:ident::$scheme:ident,)*) => {
        $(mod $module;)*
        $(pub use $module::$scheme;)*

        /// A null-move scheme, by name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SchemeName {
            $(#[doc = concat!("See [`", stringify!($scheme), "`](struct@", stringify!($scheme), ").")] $scheme,)*
        }

        impl SchemeName {
            /// All schemes: no null move at all first, then those that prune, then those that reduce.
            pub const ALL: [SchemeName; [$(SchemeName::$scheme),*].len()] = [$(SchemeName::$scheme),*];

            /// The name, as options and the command line have it.
            pub const fn name(self) -> &'static str {
                match self { $(SchemeName::$scheme => $scheme::NAME),* }
            }

            /// What the scheme does, in one line.
            pub const fn summary(self) -> &'static str {
                match self { $(SchemeName::$scheme => $scheme::SUMMARY),* }
            }

            /// Who published it, and when.
            pub const fn source(self) -> &'static str {
                match self { $(SchemeName::$scheme => $scheme::SOURCE),* }
            }

            /// True if the scheme leaves open by how many plies a null move is searched shallower (`NullMoveR`).
            pub const fn uses_r(self) -> bool {
                match self { $(SchemeName::$scheme => $scheme::USES_R),* }
            }

            /// True if the scheme leaves open by how many plies a fail-high reduces (`NullMoveDR`).
            pub const fn uses_dr(self) -> bool {
                match self { $(SchemeName::$scheme => $scheme::USES_DR),* }
            }

            /// The scheme of this name, with the numbers that it leaves open.
            pub fn scheme(self, settings: &NullMoveSettings) -> AnyScheme {
                match self { $(SchemeName::$scheme => AnyScheme::$scheme($scheme::new(settings))),* }
            }
        }

        /// A scheme of the list that is known only when a search begins. All schemes but the default are searched as this
        /// one type, so that the program contains two searches and not one for each scheme.
        #[derive(Clone, Copy, Debug)]
        pub enum AnyScheme {
            $(#[doc = concat!("See [`", stringify!($scheme), "`](struct@", stringify!($scheme), ").")] $scheme($scheme),)*
        }

        /// Hands a call on to the scheme that an [`AnyScheme`] is.
        macro_rules! forward {
            ($any:expr, $inner:ident => $answer:expr) => {
                match $any { $(AnyScheme::$scheme($inner) => $answer),* }
            };
        }
    };
}

schemes! {
    off::Off,
    once::Once,
    fixed::Fixed,
    fruit::Fruit,
    fruit2::Fruit2,
    adaptive::Adaptive,
    adaptive34::Adaptive34,
    formula::Formula,
    plenkner::Plenkner,
    verified::Verified,
    double::Double,
    variable::Variable,
    fhr::Fhr,
    guarded::Guarded,
    modern::Modern,
    reduce::Reduce,
    extended::Extended,
    tuned::Tuned,
}

impl Scheme for AnyScheme {
    const NAME: &'static str = "any";
    const SUMMARY: &'static str = "a scheme of the list";
    const SOURCE: &'static str = "the list";
    const READS_PATH: bool = true;
    const READS_ALTERNATIVES: bool = true;
    const READS_MATERIAL: bool = true;
    const READS_THREAT: bool = true;

    fn new(settings: &NullMoveSettings) -> Self {
        SchemeName::default().scheme(settings)
    }

    fn name(&self) -> &'static str {
        forward!(self, scheme => scheme.name())
    }

    #[inline]
    fn reads_alternatives(&self) -> bool {
        forward!(self, scheme => scheme.reads_alternatives())
    }

    #[inline]
    fn reads_material(&self) -> bool {
        forward!(self, scheme => scheme.reads_material())
    }

    #[inline]
    fn reads_threat(&self) -> bool {
        forward!(self, scheme => scheme.reads_threat())
    }

    #[inline]
    fn may_try(&self, node: &NodeView) -> bool {
        forward!(self, scheme => scheme.may_try(node))
    }

    #[inline]
    fn reduction(&self, node: &NodeView) -> Depth {
        forward!(self, scheme => scheme.reduction(node))
    }

    #[inline]
    fn bound(&self, node: &NodeView) -> Value {
        forward!(self, scheme => scheme.bound(node))
    }

    #[inline]
    fn on_fail_high(&self, node: &NodeView, value: Value) -> FailHigh {
        forward!(self, scheme => scheme.on_fail_high(node, value))
    }

    #[inline]
    fn on_reduced_fail_low(&self, node: &NodeView) -> FailLow {
        forward!(self, scheme => scheme.on_reduced_fail_low(node))
    }

    #[inline]
    fn fails_high_statically(&self, node: &NodeView) -> bool {
        forward!(self, scheme => scheme.fails_high_statically(node))
    }

    #[inline]
    fn prunes_reduced(&self) -> bool {
        forward!(self, scheme => scheme.prunes_reduced())
    }

    #[inline]
    fn tt_may_cut_reduced(&self, node: &NodeView, value: Value) -> bool {
        forward!(self, scheme => scheme.tt_may_cut_reduced(node, value))
    }
}

impl SchemeName {
    /// Hands the scheme of this name to a visitor: the default as its own type, any other, and the default where the
    /// search must look at the settings, as an [`AnyScheme`].
    pub fn dispatch<V: SchemeVisitor>(self, settings: &NullMoveSettings, visitor: V) -> V::Output {
        if self == SchemeName::default() && !settings.must_be_looked_at() {
            visitor.visit(Tuned::new(settings))
        } else {
            visitor.visit(self.scheme(settings))
        }
    }
}

impl Default for SchemeName {
    /// The scheme that is played unless another is asked for.
    fn default() -> SchemeName {
        SchemeName::Tuned
    }
}

impl SchemeName {
    /// The scheme of this name, in any case.
    pub fn parse(name: &str) -> Option<SchemeName> {
        SchemeName::ALL.into_iter().find(|scheme| scheme.name().eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::NullMoveSwitches;
    use super::*;
    use crate::search::node::NodeView;
    use crate::search::null_move::FailHigh;
    use crate::types::Value;

    #[test]
    fn names_lead_back_to_their_schemes() {
        for (index, scheme) in SchemeName::ALL.into_iter().enumerate() {
            assert_eq!(scheme as usize, index);
            assert_eq!(SchemeName::parse(&scheme.name().to_uppercase()), Some(scheme));
            assert!(scheme.name().chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()));
            assert!(!scheme.summary().is_empty() && !scheme.source().is_empty());
        }
        assert_eq!(SchemeName::parse("extend"), None);
    }

    /// What every scheme must hold to, whatever it is.
    struct Laws;

    impl SchemeVisitor for Laws {
        type Output = ();

        fn visit<S: Scheme>(self, scheme: S) {
            for depth in 1..40 {
                for (eval, cut_node) in [(-900, false), (0, false), (11, false), (900, false), (900, true)] {
                    let node = NodeView { cut_node, ..NodeView::sample(depth, eval) };
                    assert!(
                        !scheme.may_try(&NodeView { in_check: true, ..node }),
                        "{} in check",
                        scheme.name()
                    );
                    assert!(
                        scheme.reduction(&node) >= 0 && scheme.bound(&node) <= node.beta,
                        "{}",
                        scheme.name()
                    );
                    match scheme.on_fail_high(&node, node.beta) {
                        FailHigh::Cut => {}
                        FailHigh::Reduce(plies) => assert!(plies >= 0, "{}", scheme.name()),
                        FailHigh::Verify { depth, .. } => assert!((1..=node.depth).contains(&depth)),
                    }
                }
            }
        }
    }

    #[test]
    fn no_scheme_passes_in_check_or_searches_a_null_move_deeper_than_a_move() {
        for scheme in SchemeName::ALL {
            scheme.dispatch(&NullMoveSettings::default(), Laws);
        }
    }

    /// Whether the search looks at the switches, and what a scheme with open numbers answers.
    struct Look;

    impl SchemeVisitor for Look {
        type Output = (&'static str, bool, i32, Value);

        fn visit<S: Scheme>(self, scheme: S) -> Self::Output {
            let node = NodeView::sample(9, 500);
            let reduces = match scheme.on_fail_high(&node, node.beta) {
                FailHigh::Reduce(plies) => plies,
                _ => 0,
            };
            (scheme.name(), S::SWITCHES, scheme.reduction(&node), reduces)
        }
    }

    #[test]
    fn open_numbers_and_switches_reach_the_scheme() {
        let look = |scheme: SchemeName, settings: &NullMoveSettings| scheme.dispatch(settings, Look);
        for scheme in SchemeName::ALL {
            let settings = |r, dr| NullMoveSettings { r, dr, ..NullMoveSettings::default() };
            let (name, _, r, dr) = look(scheme, &settings(2, 5));
            let (_, _, other_r, other_dr) = look(scheme, &settings(6, 1));
            assert_eq!(name, scheme.name());
            assert_eq!((r, other_r) == (2, 6), scheme.uses_r(), "{name}");
            assert_eq!((dr, other_dr) == (5, 1), scheme.uses_dr(), "{name}");
            let switches = NullMoveSwitches { plain: true, ..NullMoveSwitches::default() };
            assert!(look(scheme, &NullMoveSettings { switches, ..NullMoveSettings::default() }).1, "{name}");
        }
        assert!(
            !look(SchemeName::default(), &NullMoveSettings::default()).1,
            "the default pays for no switch"
        );
    }

    /// What a scheme answers at a node, all of it.
    struct Answers(NodeView);

    impl SchemeVisitor for Answers {
        type Output = String;

        fn visit<S: Scheme>(self, scheme: S) -> String {
            let node = &self.0;
            format!(
                "{} {} {} {} {} {:?} {:?} {} {} {}",
                scheme.name(),
                scheme.may_try(node),
                scheme.reduction(node),
                scheme.bound(node),
                scheme.fails_high_statically(node),
                scheme.on_fail_high(node, node.beta),
                scheme.on_reduced_fail_low(node),
                scheme.prunes_reduced(),
                scheme.tt_may_cut_reduced(node, node.beta),
                scheme.tt_may_cut_reduced(node, node.beta - 1),
            )
        }
    }

    #[test]
    fn the_default_answers_as_its_own_type_what_it_answers_as_any_scheme() {
        let settings = NullMoveSettings::default();
        for depth in 1..40 {
            for eval in [-900, 0, 11, 300, 900] {
                let node = NodeView::sample(depth, eval);
                let any = Answers(node).visit(SchemeName::default().scheme(&settings));
                assert_eq!(SchemeName::default().dispatch(&settings, Answers(node)), any);
            }
        }
    }
}
