//! Draws how nodes a second grow with the threads.

use std::fmt::Write;

use super::scaling::ScalingRow;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const MARGIN: f64 = 60.0;

/// The rows as SVG: nodes a second over threads, both on scales of doublings, beside what perfect scaling would be.
pub fn plot(rows: &[ScalingRow]) -> String {
    let first = rows.first().map_or(1.0, |row| row.rate.max(1) as f64);
    let doublings = rows.iter().map(|row| (row.threads as f64).log2()).fold(1.0, f64::max);
    let x = |threads: usize| MARGIN + (threads as f64).log2() / doublings * (WIDTH - 2.0 * MARGIN);
    let y =
        |rate: f64| HEIGHT - MARGIN - ((rate / first).log2() / doublings).max(-0.1) * (HEIGHT - 2.0 * MARGIN);
    let path = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
    };
    let real = path(&mut rows.iter().map(|row| (x(row.threads), y(row.rate.max(1) as f64))));
    let ideal = path(&mut rows.iter().map(|row| (x(row.threads), y(first * row.threads as f64))));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>Nodes a second over threads</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <polyline points=\"{ideal}\" fill=\"none\" stroke=\"gray\" stroke-dasharray=\"5 5\"/>\n\
         <polyline points=\"{real}\" fill=\"none\" stroke=\"steelblue\" stroke-width=\"2\"/>\n"
    );
    for row in rows {
        let (x, y) = (x(row.threads), y(row.rate.max(1) as f64));
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"steelblue\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{:.2} M</text>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y - 10.0,
            row.rate as f64 / 1e6,
            HEIGHT - MARGIN + 24.0,
            row.threads
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">threads</text>\n\
         <text x=\"{MARGIN}\" y=\"24\">nodes a second; dashed: as many single threads</text>\n</svg>",
        WIDTH / 2.0,
        HEIGHT - 12.0
    );
    svg
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_row_has_its_point() {
        let row = |threads, rate| ScalingRow {
            threads,
            rate,
            efficiency: 1.0,
            depth: 6,
            time_to_depth: Duration::ZERO,
            nodes_to_depth: 0,
        };
        let svg = plot(&[row(1, 100), row(2, 190), row(3, 0)]);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
        assert!(!plot(&[]).contains("NaN") && !plot(&[row(1, 5)]).contains("NaN"));
    }
}
