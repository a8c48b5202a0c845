//! The schemes that the program knows.

use caesura::engine::SchemeName;

use crate::report::page::{Element, Section, Table};

/// The section: all schemes, with what each does and where it comes from.
pub(super) fn section() -> Section {
    let mut table = Table::new("All schemes", &["scheme", "what it does", "source"]);
    table.is_text = true;
    table.rows = SchemeName::ALL
        .map(|scheme| [scheme.name(), scheme.summary(), scheme.source()].map(String::from).to_vec())
        .into();
    let text = "The schemes that the program knows, by their names in the option `NullMove` and in the tables. A contender \
                is a scheme with the numbers that it leaves open, `fixed:r=2`, and with switches, `extended:mate-threat`.";
    Section {
        id: "schemes",
        title: "Schemes".into(),
        elements: vec![Element::Text(text.into()), Element::Table(table)],
    }
}
