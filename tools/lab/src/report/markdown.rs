//! The report as Markdown: the same words and tables, and links to the drawings.

use std::fmt::Write;

use super::page::{Element, Page, Table};

/// The text; the drawings are files in the folder `plots`, which is given as it is seen from the text.
pub fn render(page: &Page, plots: &str) -> String {
    let mut out = format!("# {}\n\n", page.title);
    write_elements(&mut out, &page.lead, plots);
    for section in &page.sections {
        let _ = write!(out, "## {}\n\n", section.title);
        write_elements(&mut out, &section.elements, plots);
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn write_elements(out: &mut String, blocks: &[Element], plots: &str) {
    for block in blocks {
        match block {
            Element::Text(text) => {
                let _ = write!(out, "{text}\n\n");
            }
            Element::Command(command) => {
                let _ = write!(out, "```sh\n{command}\n```\n\n");
            }
            Element::Table(rows) => write_table(out, rows),
            Element::Chart(chart) => {
                let _ = write!(
                    out,
                    "![{}]({})\n\n",
                    chart.title(),
                    target(&format!("{plots}{}", chart.file_name()))
                );
            }
        }
    }
}

/// A path as the target of a link, which blanks would end.
fn target(path: &str) -> String {
    if path.contains(char::is_whitespace) { format!("<{path}>") } else { path.into() }
}

fn write_table(out: &mut String, table: &Table) {
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule: Vec<&str> =
        (0..table.head.len()).map(|index| if index == 0 || table.is_text { "---" } else { "---:" }).collect();
    let _ = write!(out, "{}:\n\n{}|{}|\n", table.caption, row(&table.head), rule.join("|"));
    for cells in &table.rows {
        // What would end a cell or begin a tag.
        let cells: Vec<String> =
            cells.iter().map(|cell| cell.replace('|', "\\|").replace('<', "\\<")).collect();
        *out += &row(&cells);
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blank_does_not_end_a_link() {
        assert_eq!(target("plots/a.svg"), "plots/a.svg");
        assert_eq!(target("my results/plots/a.svg"), "<my results/plots/a.svg>");
    }
}
