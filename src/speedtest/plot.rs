//! Draws how nodes a second grow with the threads.

use super::scaling::ScalingRow;
use crate::chart::{Curve, Curves, Scale};

/// The rows as SVG: nodes a second on a logarithmic scale over threads on one of doublings, beside what perfect scaling would be.
pub fn plot(rows: &[ScalingRow]) -> String {
    let first = rows.first().map_or(1.0, |row| row.rate.max(1) as f64);
    let curve = |name: &str, dashed, rate: &dyn Fn(&ScalingRow) -> f64| Curve {
        name: name.into(),
        points: rows.iter().map(|row| (row.threads as f64, rate(row))).collect(),
        dashed,
        ..Curve::default()
    };
    let measured = curve("measured", false, &|row| row.rate.max(1) as f64);
    let perfect = curve("as many single threads", true, &|row| first * row.threads as f64);
    Curves {
        title: "Nodes a second over threads".into(),
        across: "threads".into(),
        upwards: "nodes a second".into(),
        scale_across: Scale::Doublings,
        scale_upwards: Scale::Logarithmic,
        curves: vec![measured, perfect],
        ..Curves::default()
    }
    .to_svg()
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
