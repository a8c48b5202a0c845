//! What a report is made of.

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

/// A table: the first column is text, the others are numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The head of each column.
    pub head: Vec<String>,
    /// The rows, as long as the head.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: impl Into<String>, head: &[&str]) -> Table {
        Table {
            caption: caption.into(),
            head: head.iter().map(|head| (*head).to_string()).collect(),
            rows: Vec::new(),
        }
    }
}

/// A bar: what it stands for, our value, and the paper's.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// Our value.
    pub ours: f64,
    /// The error of our value, to both sides.
    pub error: f64,
    /// The paper's value.
    pub paper: Option<f64>,
}

/// A curve: its name and its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// Bars that lie one below the other.
    Bars {
        /// What is shown.
        title: String,
        /// The bars.
        bars: Vec<Bar>,
    },
    /// Curves over a common axis.
    Curves {
        /// What is shown.
        title: String,
        /// What lies along.
        across: String,
        /// The scale upwards is logarithmic.
        logarithmic: bool,
        /// The curves.
        curves: Vec<Curve>,
    },
}

/// A number with its thousands apart.
pub fn thousands(number: u64) -> String {
    datagen::progress::thousands(number)
}
