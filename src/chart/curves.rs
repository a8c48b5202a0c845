//! Curves over a common axis.

use super::scale::{Axis, Scale, short};
use super::svg::{COLORS, Drawing, WIDTH};

const HEIGHT: f64 = 340.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 46.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
/// The height of a line of the legend.
const LEGEND_ROW: f64 = 20.0;

/// A curve: its name and its points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// The error of each point, upwards and downwards, drawn as a bar; points beyond the end of the list have none.
    pub errors: Vec<f64>,
    /// A dashed line without dots: what is expected and not measured.
    pub dashed: bool,
}

impl Curve {
    /// The heights that it reaches, its errors included.
    fn heights(&self) -> impl Iterator<Item = f64> {
        let errors = self.errors.iter().copied().chain(std::iter::repeat(0.0));
        self.points.iter().zip(errors).flat_map(|(point, error)| [point.1 - error, point.1 + error])
    }
}

/// Curves over a common axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    /// What is shown.
    pub title: String,
    /// What lies along the horizontal axis, and its unit.
    pub across: String,
    /// What lies along the vertical axis, and its unit.
    pub upwards: String,
    /// How the horizontal axis is divided.
    pub scale_across: Scale,
    /// How the vertical axis is divided; a linear one begins at zero unless `range` says otherwise.
    pub scale_upwards: Scale,
    /// The range of the vertical axis; that of the points if none is given.
    pub range: Option<(f64, f64)>,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// How far the bars of errors of two curves stand apart, in pixels.
const BAR_STEP: f64 = 6.0;
/// With more points a curve is drawn without dots.
const MAX_DOTS: usize = 60;

impl Curves {
    /// The chart as SVG.
    pub fn to_svg(&self) -> String {
        let legend = 8.0 + LEGEND_ROW * self.curves.len() as f64;
        let mut drawing = Drawing::new(HEIGHT + legend, &self.title);
        let points = || self.curves.iter().flat_map(|curve| curve.points.iter().copied());
        let floor = (self.scale_upwards == Scale::Linear).then_some(0.0);
        let heights: Vec<f64> = match self.range {
            Some((low, high)) => vec![low, high],
            None => self.curves.iter().flat_map(Curve::heights).chain(floor).collect(),
        };
        let x = Axis::new(self.scale_across, points().map(|point| point.0), LEFT, WIDTH - RIGHT);
        let y = Axis::new(self.scale_upwards, heights.into_iter(), HEIGHT - BOTTOM, TOP);
        let (x, y) = (x.inset(6.0, 6.0), y.inset(0.0, 6.0));
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        for tick in y.ticks() {
            drawing.line("grid", (LEFT, y.at(tick)), (right, y.at(tick)));
            drawing.text(LEFT - 8.0, y.at(tick) + 4.0, "end soft small", &short(tick));
        }
        for tick in x.ticks() {
            drawing.line("axis", (x.at(tick), bottom), (x.at(tick), bottom + 5.0));
            drawing.text(x.at(tick), bottom + 19.0, "middle soft small", &short(tick));
        }
        drawing.line("axis", (LEFT, bottom), (right, bottom));
        drawing.line("axis", (LEFT, bottom), (LEFT, TOP));
        drawing.text((LEFT + right) / 2.0, HEIGHT - 8.0, "middle soft", &self.across);
        drawing.text(8.0, 16.0, "soft", &self.upwards);
        for (index, curve) in self.curves.iter().enumerate() {
            let color = index % COLORS;
            let class = format!("curve k{color}{}", if curve.dashed { " dashed" } else { "" });
            // Bars of the curves stand side by side and not on one another.
            let aside = index as f64 - (self.curves.len() - 1) as f64 / 2.0;
            let aside = if curve.errors.is_empty() { 0.0 } else { BAR_STEP * aside };
            let places: Vec<(f64, f64)> =
                curve.points.iter().map(|&(px, py)| (x.at(px) + aside, y.at(py))).collect();
            for ((&(_, py), &(px, _)), error) in curve.points.iter().zip(&places).zip(&curve.errors) {
                let (low, high) = (y.at(py - error), y.at(py + error));
                drawing.line(&class, (px, low), (px, high));
                for end in [low, high] {
                    drawing.line(&class, (px - BAR_STEP / 2.0, end), (px + BAR_STEP / 2.0, end));
                }
            }
            drawing.polyline(&class, &places);
            if !curve.dashed && places.len() <= MAX_DOTS {
                places.iter().for_each(|&(px, py)| drawing.dot(&format!("d{color}"), px, py));
            }
            let row = HEIGHT + 8.0 + LEGEND_ROW * index as f64;
            drawing.line(&class, (LEFT, row), (LEFT + 28.0, row));
            drawing.text(LEFT + 36.0, row + 4.5, "", &curve.name);
        }
        drawing.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_drawn_whatever_there_is() {
        let curve = |points: &[(f64, f64)]| Curve { points: points.to_vec(), ..Curve::default() };
        for curves in [
            vec![],
            vec![curve(&[])],
            vec![curve(&[(8.0, 0.0)])],
            vec![curve(&[(8.0, 1000.0), (9.0, 5000.0)]), curve(&[(8.0, 10.0)])],
            vec![curve(&[(1.0, f64::INFINITY), (2.0, 1.0)])],
        ] {
            for scale in [Scale::Linear, Scale::Logarithmic, Scale::Doublings] {
                let chart = Curves {
                    scale_across: scale,
                    scale_upwards: scale,
                    curves: curves.clone(),
                    ..Curves::default()
                };
                let svg = chart.to_svg();
                assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            }
        }
    }

    #[test]
    fn errors_are_bars_within_the_chart() {
        let points = vec![(1.0, 10.0), (2.0, -5.0)];
        let curve = Curve { points, errors: vec![3.0, 20.0], ..Curve::default() };
        assert_eq!(curve.heights().collect::<Vec<_>>(), [7.0, 13.0, -25.0, 15.0]);
        let svg = Curves { curves: vec![curve], ..Curves::default() }.to_svg();
        // Three lines for each, and that of the legend.
        assert_eq!(
            svg.lines().filter(|line| line.starts_with("<line") && line.contains("curve k0")).count(),
            7
        );
    }

    #[test]
    fn measured_points_have_dots_and_expected_ones_have_not() {
        let measured = Curve { points: vec![(1.0, 1.0), (2.0, 2.0)], ..Curve::default() };
        let expected = Curve { dashed: true, ..measured.clone() };
        let svg = Curves { curves: vec![measured, expected], ..Curves::default() }.to_svg();
        assert_eq!((svg.matches("<circle").count(), svg.matches("<polyline").count()), (2, 2));
    }
}
