//! The options of endgame tables.

use crate::engine::MAX_TABLEBASE_PIECES;
use crate::types::Depth;

use super::option_type::{OptionType, OptionValue};
use super::uci_option::{Flag, UciOption};

/// The options of endgame tables, in the order in which they are listed.
pub(super) fn options() -> [UciOption; 4] {
    let pieces = i64::from(MAX_TABLEBASE_PIECES);
    [
        UciOption {
            name: "SyzygyPath",
            flag: Some(Flag::new("syzygy-path", "DIRECTORIES").with_doc("where Syzygy endgame tables are")),
            option_type: OptionType::File {
                default: "",
                values: "directories, with `:` between them (on Windows `;`)",
            },
            null_move: false,
            doc: "where Syzygy endgame tables are; an `info string` reports how many were found",
            apply: Box::new(|context, value| {
                if let OptionValue::File(path) = value {
                    let errors = context.engine.set_tablebases(path.as_os_str())?;
                    context.report_tablebases(&errors);
                }
                Ok(())
            }),
        },
        UciOption {
            name: "SyzygyProbeDepth",
            flag: Some(Flag::new("syzygy-probe-depth", "PLIES")),
            option_type: OptionType::Spin { default: 1, min: 1, max: 100 },
            null_move: false,
            doc: "least depth at which positions with the most pieces that the tables have are looked up in the search",
            apply: Box::new(|context, value| {
                context.engine.options_mut().tablebases.probe_depth = value.size() as Depth;
                Ok(())
            }),
        },
        UciOption {
            name: "Syzygy50MoveRule",
            flag: Some(Flag::new("syzygy-50-move-rule", "BOOL")),
            option_type: OptionType::Check { default: true },
            null_move: false,
            doc: "a win that needs more than fifty moves without a capture or pawn move is a draw",
            apply: Box::new(|context, value| {
                context.engine.options_mut().tablebases.fifty_move_rule = value.is_on();
                Ok(())
            }),
        },
        UciOption {
            name: "SyzygyProbeLimit",
            flag: Some(Flag::new("syzygy-probe-limit", "PIECES")),
            option_type: OptionType::Spin { default: pieces, min: 0, max: pieces },
            null_move: false,
            doc: "most pieces, kings included, of a position that is looked up",
            apply: Box::new(|context, value| {
                context.engine.options_mut().tablebases.probe_limit = value.size() as u32;
                Ok(())
            }),
        },
    ]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::engine::Engine;
    use crate::uci::options::{OptionContext, SessionSettings};

    #[test]
    fn tables_stay_where_no_directory_of_the_new_ones_can_be_listed() {
        let [path, ..] = options();
        let mut engine = Engine::new(1, 1).expect("memory");
        let set = |engine: &mut Engine, directories: &[&str]| {
            let list = std::env::join_paths(directories).expect("paths");
            let (mut settings, mut notes) = (SessionSettings::default(), Vec::new());
            let (settings, notes) = (&mut settings, &mut notes);
            path.apply(
                &mut OptionContext { engine, settings, notes, output: None },
                &OptionValue::File(list.into()),
            )
            .map_err(|error| error.to_string())
        };
        let (tables, nowhere) = (concat!(env!("CARGO_MANIFEST_DIR"), "/tools/fuzz/tables"), "/nothing/here");
        assert_eq!(set(&mut engine, &[nowhere, tables]), Ok(()));
        let former = engine.options().tablebases.tables.clone().expect("tables");
        let error = set(&mut engine, &[nowhere, "/nor/here"]).expect_err("no directory");
        assert!(
            error.starts_with("option 'SyzygyPath' is refused: no tablebases from /nothing/here: "),
            "{error}"
        );
        let tables = engine.options().tablebases.tables.as_ref();
        assert!(tables.is_some_and(|tables| Arc::ptr_eq(tables, &former)));
        assert_eq!(set(&mut engine, &[]), Ok(()));
        assert!(engine.options().tablebases.tables.is_none());
    }
}
