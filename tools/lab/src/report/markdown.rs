//! The report as Markdown: the same words and tables, without the drawings.

use std::fmt::Write;

use super::page::{Block, Page, Table};

/// The text.
pub fn render(page: &Page) -> String {
    let mut out = format!("# {}\n\n", page.title);
    blocks(&mut out, &page.lead);
    for section in &page.sections {
        let _ = write!(out, "## {}\n\n", section.title);
        blocks(&mut out, &section.blocks);
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn blocks(out: &mut String, blocks: &[Block]) {
    for block in blocks {
        match block {
            Block::Text(text) => {
                let _ = write!(out, "{text}\n\n");
            }
            Block::Command(command) => {
                let _ = write!(out, "```sh\n{command}\n```\n\n");
            }
            Block::Table(rows) => table(out, rows),
            Block::Chart(_) => {}
        }
    }
}

fn table(out: &mut String, table: &Table) {
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: Vec<&str> =
        (0..table.head.len()).map(|index| if index == 0 { "---" } else { "---:" }).collect();
    let _ = write!(out, "{}:\n\n{}|{}|\n", table.caption, row(&table.head), rule.join("|"));
    for cells in &table.rows {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        *out += &row(&cells);
    }
    out.push('\n');
}
