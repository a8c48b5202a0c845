//! What a report is made of.

use caesura::chart::{Bars, Curves};
pub use toolkit::progress::thousands;

/// A report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Its title.
    pub title: String,
    /// What comes before the sections.
    pub lead: Vec<Element>,
    /// The sections.
    pub sections: Vec<Section>,
}

/// A part of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// A word for links.
    pub id: &'static str,
    /// The heading.
    pub title: String,
    /// What it says.
    pub elements: Vec<Element>,
}

/// A piece of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// A paragraph.
    Text(String),
    /// A table.
    Table(Table),
    /// A drawing.
    Chart(Chart),
    /// A command to type.
    Command(String),
}

/// A table: the first column is text, the others are numbers, unless it is all text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The head of each column.
    pub head: Vec<String>,
    /// The rows, as long as the head.
    pub rows: Vec<Vec<String>>,
    /// All columns are text.
    pub is_text: bool,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: impl Into<String>, head: &[&str]) -> Table {
        Table {
            caption: caption.into(),
            head: head.iter().map(|head| (*head).to_string()).collect(),
            ..Table::default()
        }
    }
}

/// A drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// Bars that lie one below the other.
    Bars(Bars),
    /// Curves over a common axis.
    Curves(Curves),
}

impl Chart {
    /// What it shows.
    pub fn title(&self) -> &str {
        match self {
            Chart::Bars(bars) => &bars.title,
            Chart::Curves(curves) => &curves.title,
        }
    }

    /// The drawing as SVG.
    pub fn to_svg(&self) -> String {
        match self {
            Chart::Bars(bars) => bars.to_svg(),
            Chart::Curves(curves) => curves.to_svg(),
        }
    }

    /// A file name for the drawing, from its title.
    pub fn file_name(&self) -> String {
        let title = self.title().replace('\u{2212}', "minus ");
        let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        format!("{}.svg", words.collect::<Vec<_>>().join("-").to_lowercase())
    }
}
