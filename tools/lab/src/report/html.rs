//! The report as one web page that loads nothing.

use std::fmt::Write;

use caesura::chart::escape;

use super::page::{Element, Page, Table};

const STYLE: &str = "
:root { color-scheme: light dark; --back: #fdfdfb; --ink: #1d2227; --soft: #5d666f; --rule: #d8dcdf; --one: #1f6feb;
  --code: #f1f3f4; }
@media (prefers-color-scheme: dark) { :root { --back: #14181c; --ink: #e4e7ea; --soft: #9aa5af; --rule: #343c44;
  --one: #6ea8fe; --code: #1f252b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 64rem; padding: 1.5rem 1rem 4rem; background: var(--back); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.6rem; border-top: 1px solid var(--rule);
  padding-top: 1.2rem; }
nav a { margin-right: 1rem; } a { color: var(--one); }
.wide { overflow-x: auto; margin: 1rem min(0px, (100% - 100vw + 4rem) / 2) 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .93rem; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--rule); white-space: nowrap; }
th:first-child, td:first-child, .text th, .text td { text-align: left; }
th { vertical-align: bottom; } th, .text td { white-space: normal; }
.long { white-space: normal; min-width: 20rem; } .text .long { min-width: 0; }
code { font-size: .9em; background: var(--code); padding: .05em .25em; }
pre { background: var(--code); padding: .7rem 1rem; overflow-x: auto; font-size: .86rem; }
figure { margin: 1.2rem 0; } figcaption { color: var(--soft); font-size: .93rem; margin-bottom: .3rem; }
svg { width: 100%; height: auto; max-width: 46rem; }
";

/// A paragraph of Markdown that knows nothing but `code`.
fn paragraph(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    let mut out = String::new();
    for (index, part) in parts.iter().enumerate() {
        let part = escape(part);
        // A mark without its twin is a mark.
        out += &match (index % 2, index + 1 == parts.len()) {
            (0, _) => part,
            (_, true) => format!("`{part}"),
            (_, false) => format!("<code>{part}</code>"),
        };
    }
    out
}

/// The number of letters from which a cell is broken into lines.
const LONG_CELL: usize = 40;

/// The page.
pub fn render(page: &Page) -> String {
    let title = escape(&page.title);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n"
    );
    write_elements(&mut out, &page.lead);
    out += "<nav>";
    for section in &page.sections {
        let _ = write!(out, "<a href=\"#{}\">{}</a>", section.id, escape(&section.title));
    }
    out += "</nav>\n";
    for section in &page.sections {
        let _ = writeln!(out, "<section id=\"{}\">\n<h2>{}</h2>", section.id, escape(&section.title));
        write_elements(&mut out, &section.elements);
        out += "</section>\n";
    }
    out + "</body>\n</html>\n"
}

fn write_elements(out: &mut String, blocks: &[Element]) {
    for block in blocks {
        match block {
            Element::Text(text) => {
                let _ = writeln!(out, "<p>{}</p>", paragraph(text));
            }
            Element::Command(command) => {
                let _ = writeln!(out, "<pre>{}</pre>", escape(command));
            }
            Element::Table(rows) => write_table(out, rows),
            Element::Chart(chart) => {
                let (caption, svg) = (escape(chart.title()), chart.to_svg());
                let _ = writeln!(out, "<figure><figcaption>{caption}</figcaption>{svg}</figure>");
            }
        }
    }
}

fn write_table(out: &mut String, table: &Table) {
    let row = |cells: &[String], tag: &str| -> String {
        let long = |cell: &str| if cell.chars().count() >= LONG_CELL { " class=\"long\"" } else { "" };
        cells.iter().map(|cell| format!("<{tag}{}>{}</{tag}>", long(cell), paragraph(cell))).collect()
    };
    let _ = write!(
        out,
        "<div class=\"wide\"><table{}><caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n",
        if table.is_text { " class=\"text\"" } else { "" },
        paragraph(&table.caption),
        row(&table.head, "th")
    );
    for cells in &table.rows {
        let _ = writeln!(out, "<tr>{}</tr>", row(cells, "td"));
    }
    *out += "</tbody></table></div>\n";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_marked_and_nothing_is_taken_for_html() {
        assert_eq!(paragraph("`a` <b> `c`"), "<code>a</code> &lt;b&gt; <code>c</code>");
        assert_eq!(paragraph("no code, and a ` mark"), "no code, and a ` mark");
    }

    #[test]
    fn cells_may_have_code_and_long_ones_are_broken() {
        let mut table = Table::new("numbers", &["a", "b"]);
        table.rows.push(vec!["`fruit`, <b>".into(), "x ".repeat(LONG_CELL)]);
        let mut html = String::new();
        write_table(&mut html, &table);
        assert!(html.contains("<td><code>fruit</code>, &lt;b&gt;</td><td class=\"long\">x x "), "{html}");
    }
}
