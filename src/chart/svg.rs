//! The elements of a drawing.

use std::fmt::{self, Write};

/// The width of all drawings, in pixels.
pub(super) const WIDTH: f64 = 720.0;
/// The number of colours of curves.
pub(super) const COLORS: usize = 6;

const STYLE: &str = "svg.chart{--back:#fdfdfb;--ink:#1d2227;--soft:#5d666f;--rule:#d8dcdf;--c0:#1f6feb;--c1:#c2570c;\
--c2:#2b8a3e;--c3:#9c36b5;--c4:#b8860b;--c5:#c92a2a;--grey:#9aa3ab;font:13px system-ui,sans-serif}\
@media (prefers-color-scheme:dark){svg.chart{--back:#14181c;--ink:#e4e7ea;--soft:#9aa5af;--rule:#343c44;--c0:#6ea8fe;\
--c1:#ff9f5a;--c2:#69db7c;--c3:#da77f2;--c4:#ffd43b;--c5:#ff8787;--grey:#6b7680}}\
.chart .back{fill:var(--back)}.chart text{fill:var(--ink)}.chart .end{text-anchor:end}\
.chart .middle{text-anchor:middle}.chart .soft{fill:var(--soft)}.chart .small{font-size:11px}\
.chart .ours{fill:var(--c0)}.chart .reference{fill:var(--grey)}.chart .axis{stroke:var(--ink)}\
.chart .error{stroke:var(--ink);stroke-width:1.5}.chart .grid{stroke:var(--rule)}\
.chart .curve{fill:none;stroke-width:2}.chart .dashed{stroke-dasharray:5 5}\
.chart .k0{stroke:var(--c0)}.chart .k1{stroke:var(--c1)}.chart .k2{stroke:var(--c2)}.chart .k3{stroke:var(--c3)}\
.chart .k4{stroke:var(--c4)}.chart .k5{stroke:var(--c5)}.chart .d0{fill:var(--c0)}.chart .d1{fill:var(--c1)}\
.chart .d2{fill:var(--c2)}.chart .d3{fill:var(--c3)}.chart .d4{fill:var(--c4)}.chart .d5{fill:var(--c5)}";

/// A text without what HTML and SVG would take for their own.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A drawing to which elements are added.
pub(super) struct Drawing(String);

// Writing to a string cannot fail.
impl Drawing {
    /// An empty drawing with its background.
    pub fn new(height: f64, title: &str) -> Drawing {
        let title = escape(title);
        Drawing(format!(
            "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"{title}\" \
             xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title><style>{STYLE}</style>\n\
             <rect width=\"100%\" height=\"100%\" class=\"back\"/>\n"
        ))
    }

    pub fn text(&mut self, x: f64, y: f64, class: &str, words: &str) {
        let words = escape(words);
        let _ = writeln!(self.0, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{words}</text>");
    }

    pub fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        let _ = writeln!(
            self.0,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" class=\"{class}\"/>"
        );
    }

    /// A rectangle between two pixels of a row.
    pub fn bar(&mut self, class: &str, from: f64, to: f64, y: f64, height: f64) {
        let (x, width) = (from.min(to), (to - from).abs().max(1.0));
        let _ = writeln!(
            self.0,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" class=\"{class}\"/>"
        );
    }

    pub fn dot(&mut self, class: &str, x: f64, y: f64) {
        let _ = writeln!(self.0, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" class=\"{class}\"/>");
    }

    pub fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(self.0, "<polyline points=\"{}\" class=\"{class}\"/>", points.join(" "));
    }
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}</svg>", self.0)
    }
}
