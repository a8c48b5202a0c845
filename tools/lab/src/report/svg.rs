//! Drawings. Colours come from the page, so that they fit light and dark.

use std::fmt::Write;

use super::html::escape;
use super::page::{Bar, Chart, Curve};

const WIDTH: f64 = 720.0;
const LEFT: f64 = 150.0;
const RIGHT: f64 = 70.0;
const ROW: f64 = 30.0;

/// A drawing as SVG.
pub fn draw(chart: &Chart) -> String {
    match chart {
        Chart::Bars { title, bars } => draw_bars(title, bars),
        Chart::Curves { title, across, logarithmic, curves } => {
            draw_curves(title, across, *logarithmic, curves)
        }
    }
}

fn open(height: f64, title: &str) -> String {
    let title = escape(title);
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"{title}\" \
         xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title>\n"
    )
}

fn text(out: &mut String, x: f64, y: f64, class: &str, words: &str) {
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>", escape(words));
}

fn line(out: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let _ = writeln!(
        out,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" class=\"{class}\"/>",
        from.0, from.1, to.0, to.1
    );
}

/// A value in as few digits as tell it from its neighbours.
fn short(value: f64) -> String {
    let size = value.abs();
    if size >= 1e6 {
        format!("{:.1} M", value / 1e6)
    } else if size >= 1e4 {
        format!("{:.0} k", value / 1e3)
    } else if size >= 100.0 || value == value.trunc() {
        format!("{value:.0}")
    } else {
        format!("{value:.1}")
    }
}

fn draw_bars(title: &str, bars: &[Bar]) -> String {
    let values =
        bars.iter().flat_map(|bar| [bar.ours - bar.error, bar.ours + bar.error].into_iter().chain(bar.paper));
    let (low, high) = values.fold((0.0f64, 0.0f64), |(low, high), value| (low.min(value), high.max(value)));
    let span = (high - low).max(1e-9);
    let at = |value: f64| LEFT + (value - low) / span * (WIDTH - LEFT - RIGHT);
    let height = 10.0 + ROW * bars.len() as f64;
    let mut out = open(height, title);
    for (index, bar) in bars.iter().enumerate() {
        let top = 6.0 + ROW * index as f64;
        text(&mut out, LEFT - 8.0, top + 15.0, "name", &bar.label);
        let mut rect = |value: f64, y: f64, height: f64, class: &str| {
            let (from, to) = (at(value.min(0.0)), at(value.max(0.0)));
            let _ = writeln!(
                out,
                "<rect x=\"{from:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height}\" class=\"{class}\"/>",
                (to - from).max(1.0)
            );
        };
        rect(bar.ours, top, 13.0, "ours");
        if let Some(paper) = bar.paper {
            rect(paper, top + 14.0, 7.0, "paper");
        }
        if bar.error > 0.0 {
            let middle = top + 6.5;
            line(&mut out, "error", (at(bar.ours - bar.error), middle), (at(bar.ours + bar.error), middle));
        }
        let end = at((bar.ours + bar.error).max(bar.paper.unwrap_or(0.0)).max(0.0));
        text(&mut out, end + 6.0, top + 12.0, "value", &short(bar.ours));
    }
    line(&mut out, "axis", (at(0.0), 0.0), (at(0.0), height));
    out + "</svg>\n"
}

fn draw_curves(title: &str, across: &str, logarithmic: bool, curves: &[Curve]) -> String {
    const HEIGHT: f64 = 340.0;
    const TOP: f64 = 14.0;
    const BOTTOM: f64 = 46.0;
    const SIDE: f64 = 64.0;
    let scale = |value: f64| if logarithmic { value.max(1e-9).log10() } else { value };
    let points = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    let mut out = open(HEIGHT + 22.0 * curves.len() as f64, title);
    let fold = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (left, right) = fold(&mut points().map(|(x, _)| x));
    let (mut low, mut high) = fold(&mut points().map(|(_, y)| scale(y)));
    if left > right {
        return out + "</svg>\n";
    }
    if logarithmic {
        (low, high) = (low.floor(), high.ceil().max(low.floor() + 1.0));
    } else {
        low = low.min(0.0);
        high = high.max(low + 1e-9) * 1.05;
    }
    let x = |value: f64| SIDE + (value - left) / (right - left).max(1e-9) * (WIDTH - SIDE - 20.0);
    let y = |value: f64| TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM);
    let steps = if logarithmic { (high - low).round() as usize } else { 5 };
    for step in 0..=steps {
        let value = low + (high - low) * step as f64 / steps.max(1) as f64;
        line(&mut out, "grid", (SIDE, y(value)), (WIDTH - 20.0, y(value)));
        let label = if logarithmic { 10f64.powf(value) } else { value };
        text(&mut out, SIDE - 8.0, y(value) + 4.0, "name", &short(label));
    }
    let mut marks: Vec<f64> = points().map(|(x, _)| x).collect();
    marks.sort_unstable_by(f64::total_cmp);
    marks.dedup();
    let every = marks.len().div_ceil(12).max(1);
    for mark in marks.into_iter().step_by(every) {
        text(&mut out, x(mark), HEIGHT - BOTTOM + 18.0, "mark", &short(mark));
    }
    text(&mut out, (SIDE + WIDTH) / 2.0, HEIGHT - 8.0, "mark", across);
    for (index, curve) in curves.iter().enumerate() {
        let class = index % 6;
        let way: Vec<String> =
            curve.points.iter().map(|&(px, py)| format!("{:.1},{:.1}", x(px), y(scale(py)))).collect();
        let _ = writeln!(out, "<polyline points=\"{}\" class=\"curve c{class}\"/>", way.join(" "));
        for point in &way {
            if let Some((px, py)) = point.split_once(',') {
                let _ = writeln!(out, "<circle cx=\"{px}\" cy=\"{py}\" r=\"3\" class=\"dot c{class}\"/>");
            }
        }
        let row = HEIGHT + 14.0 + 22.0 * index as f64;
        let _ = writeln!(
            out,
            "<line x1=\"{SIDE}\" y1=\"{0:.1}\" x2=\"{1}\" y2=\"{0:.1}\" class=\"curve c{class}\"/>",
            row - 4.0,
            SIDE + 28.0
        );
        text(&mut out, SIDE + 36.0, row, "value", &curve.name);
    }
    out + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_whole_and_hold_no_nonsense() {
        let bars = vec![
            Bar { label: "a<b".into(), ours: 391.0, error: 3.0, paper: Some(390.0) },
            Bar { label: "minus".into(), ours: -4.0, error: 0.0, paper: None },
        ];
        let curve = |points: &[(f64, f64)]| Curve { name: "one".into(), points: points.to_vec() };
        let curves = |curves, logarithmic| Chart::Curves {
            title: "t".into(),
            across: "depth".into(),
            logarithmic,
            curves,
        };
        for chart in [
            Chart::Bars { title: "bars".into(), bars },
            Chart::Bars { title: "none".into(), bars: vec![] },
            curves(vec![curve(&[(8.0, 1000.0), (9.0, 5000.0)]), curve(&[(8.0, 10.0)])], true),
            curves(vec![curve(&[(8.0, 0.0)])], false),
            curves(vec![], true),
        ] {
            let svg = draw(&chart);
            assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
            assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("a<b"), "{svg}");
        }
    }

    #[test]
    fn numbers_are_short() {
        let short = [0.0, -4.0, 0.25, 391.4, 12_345.0, 2_500_000.0].map(short);
        assert_eq!(short, ["0", "-4", "0.2", "391", "12 k", "2.5 M"]);
    }
}
