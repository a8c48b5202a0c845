//! Bars that lie one below the other.

use super::scale::{Axis, Scale, short};
use super::svg::{Drawing, WIDTH};

/// Where the bars begin at least and at most, in pixels: left of it stand the labels.
const LEFT: (f64, f64) = (170.0, 360.0);
/// What lies between a label and its bar, in pixels.
const GAP: f64 = 8.0;
/// What a letter of a label takes in a wide font, in pixels.
const LETTER: f64 = 7.6;
const RIGHT: f64 = 12.0;
/// What the number at the end of a bar takes, in pixels.
const NUMBER: f64 = 62.0;
const ROW: f64 = 34.0;
const BOTTOM: f64 = 44.0;

/// A bar: what it stands for, its value, and the value that it is compared with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// Its value.
    pub value: f64,
    /// The error of the value, to both sides; 0 if it has none.
    pub error: f64,
    /// What it is compared with.
    pub reference: Option<f64>,
}

/// Bars that lie one below the other, each with its number at its own end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// What is shown.
    pub title: String,
    /// What is measured, below the axis: `nodes more than extended, per cent`.
    pub unit: String,
    /// What the bars are: `Caesura`.
    pub name: String,
    /// What the thin bars below them are: `the paper`.
    pub reference: String,
    /// The bars.
    pub bars: Vec<Bar>,
}

impl Bars {
    /// The chart as SVG.
    pub fn to_svg(&self) -> String {
        let compared = self.bars.iter().any(|bar| bar.reference.is_some());
        let top = if compared { 28.0 } else { 8.0 };
        let bottom = top + ROW * self.bars.len() as f64;
        let mut drawing = Drawing::new(bottom + BOTTOM, &self.title);
        let values = self
            .bars
            .iter()
            .flat_map(|bar| [bar.value - bar.error, bar.value + bar.error].into_iter().chain(bar.reference));
        let values: Vec<f64> = values.chain([0.0]).collect();
        let negative = values.iter().any(|&value| value < 0.0);
        let left = self.left();
        let axis = Axis::new(Scale::Linear, values.into_iter(), left, WIDTH - RIGHT);
        let axis = axis.inset(if negative { NUMBER } else { 0.0 }, NUMBER);
        if compared {
            self.draw_legend(&mut drawing, left);
        }
        for tick in axis.ticks() {
            drawing.line("grid", (axis.at(tick), top), (axis.at(tick), bottom + 4.0));
            drawing.text(axis.at(tick), bottom + 18.0, "middle soft small", &short(tick));
        }
        drawing.text((left + WIDTH - RIGHT) / 2.0, bottom + 36.0, "middle soft", &self.unit);
        for (index, bar) in self.bars.iter().enumerate() {
            draw_bar(&mut drawing, &axis, left, top + 4.0 + ROW * index as f64, bar);
        }
        drawing.line("axis", (axis.at(0.0), top), (axis.at(0.0), bottom + 4.0));
        drawing.to_string()
    }

    /// Where the bars begin, in pixels: the longest label has room.
    fn left(&self) -> f64 {
        let letters = self.bars.iter().map(|bar| bar.label.chars().count()).max().unwrap_or(0);
        (letters as f64 * LETTER + GAP).clamp(LEFT.0, LEFT.1)
    }

    fn draw_legend(&self, drawing: &mut Drawing, left: f64) {
        drawing.bar("ours", left, left + 24.0, 6.0, 12.0);
        drawing.text(left + 30.0, 16.0, "", &self.name);
        drawing.bar("reference", left + 180.0, left + 204.0, 8.0, 8.0);
        drawing.text(left + 210.0, 16.0, "soft", &self.reference);
    }
}

/// The label as far as it fits left of the bars.
fn fitting(label: &str, left: f64) -> String {
    let letters = ((left - GAP) / LETTER).round() as usize;
    match label.char_indices().nth(letters) {
        Some(_) => label.chars().take(letters - 1).chain(['…']).collect(),
        None => label.to_string(),
    }
}

fn draw_bar(drawing: &mut Drawing, axis: &Axis, left: f64, top: f64, bar: &Bar) {
    let zero = axis.at(0.0);
    drawing.text(left - GAP, top + 13.0, "end", &fitting(&bar.label, left));
    drawing.bar("ours", zero, axis.at(bar.value), top, 13.0);
    if bar.error > 0.0 {
        let (low, high) = (axis.at(bar.value - bar.error), axis.at(bar.value + bar.error));
        drawing.line("error", (low, top + 6.5), (high, top + 6.5));
        for end in [low, high] {
            drawing.line("error", (end, top + 3.0), (end, top + 10.0));
        }
    }
    let mut number = |value: f64, error: f64, y: f64, class: &str| {
        if value < 0.0 {
            drawing.text(axis.at(value - error) - 5.0, y, &format!("end {class}"), &short(value));
        } else {
            drawing.text(axis.at(value + error) + 5.0, y, class, &short(value));
        }
    };
    number(bar.value, bar.error, top + 11.5, "");
    if let Some(reference) = bar.reference {
        number(reference, 0.0, top + 24.0, "soft small");
        drawing.bar("reference", zero, axis.at(reference), top + 16.0, 8.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The x of the texts with these words.
    fn places(svg: &str, words: &str) -> Vec<f64> {
        let lines = svg.lines().filter(|line| line.ends_with(&format!(">{words}</text>")));
        lines.filter_map(|line| line.split('"').nth(1)?.parse().ok()).collect()
    }

    #[test]
    fn each_number_stands_at_the_end_of_its_own_bar() {
        let bar = |label: &str, value, reference| Bar { label: label.into(), value, error: 0.0, reference };
        let bars = vec![bar("a<b", 100.0, Some(391.0)), bar("minus", -30.0, Some(5.5))];
        let svg = Bars { bars, ..Bars::default() }.to_svg();
        let [ours, paper, minus, small] = ["100", "391", "−30", "5.5"].map(|words| {
            // A tick of the axis may have the same number, in the middle of its line.
            let lines = svg.lines().filter(|line| !line.contains("middle")).collect::<Vec<_>>().join("\n");
            let places = places(&lines, words);
            assert_eq!(places.len(), 1, "{words} in {svg}");
            places[0]
        });
        assert!(minus < small && small < ours && ours < paper, "{minus} {small} {ours} {paper}");
        assert!(svg.contains("a&lt;b") && !svg.contains("a<b"));
    }

    #[test]
    fn labels_have_room() {
        let svg = |label: &str| {
            let bars = vec![Bar { label: label.into(), value: 1.0, ..Bar::default() }];
            Bars { bars, ..Bars::default() }.to_svg()
        };
        for letters in 1..=46 {
            let label = "m".repeat(letters);
            let end = places(&svg(&label), &label)[0];
            assert!(end >= letters as f64 * LETTER, "{letters} letters end at {end}");
        }
        let cut = places(&svg(&"m".repeat(100)), &format!("{}…", "m".repeat(45)));
        assert_eq!(cut, [LEFT.1 - GAP]);
    }

    #[test]
    fn any_numbers_can_be_drawn() {
        for values in [vec![], vec![0.0], vec![-1.0, -2.0], vec![1e12, 1e-12]] {
            let bars = values.iter().map(|&value| Bar { value, error: 1.0, ..Bar::default() }).collect();
            let svg = Bars { bars, ..Bars::default() }.to_svg();
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
