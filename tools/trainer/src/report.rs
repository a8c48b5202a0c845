//! The report of a training: a page with the loss curves, and the log as JSON.

use std::fmt::Write;

use caesura::chart::{self, Curve, Curves};
use serde::Serialize;

use crate::dataset::DatasetIndex;
use crate::log::TrainingLog;
use crate::settings::TrainingSettings;

/// The settings, data, log and results of a finished training.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingReport<'a> {
    /// What it depended on.
    pub settings: &'a TrainingSettings,
    /// The data: what is in each directory of prepared positions.
    pub data: Vec<&'a DatasetIndex>,
    /// Positions to learn from.
    pub training_positions: u64,
    /// The curves.
    pub log: &'a TrainingLog,
    /// The validation loss of the quantised network.
    pub quantised_validation: Option<f64>,
    /// The share of feature weights at their bound.
    pub saturated_features: f64,
    /// The share of output weights at their bound.
    pub saturated_output: f64,
    /// The hash of the network's file content, as in its header.
    pub sha256: String,
}

/// The curves of the losses as SVG: training a line, validation with a dot for each epoch.
pub fn svg(log: &TrainingLog) -> String {
    let training: Vec<(f64, f64)> = log.points.iter().map(|point| (point.batch as f64, point.loss)).collect();
    let validation: Vec<(f64, f64)> =
        log.epochs.iter().filter_map(|epoch| Some((epoch.batch as f64, epoch.validation?))).collect();
    let losses = || training.iter().chain(&validation).map(|point| point.1);
    let low = losses().fold(f64::INFINITY, f64::min);
    // The first steep fall would flatten all the rest.
    let settled = training.get(training.len() / 20).map_or(low, |point| point.1);
    let high = validation.iter().map(|point| point.1).fold(settled, f64::max);
    let margin = ((high - low) * 0.05).max(1e-6);
    let curve = |name: &str, points| Curve { name: name.into(), points, ..Curve::default() };
    Curves {
        title: "Loss by batch".into(),
        across: "batch".into(),
        upwards: "loss".into(),
        range: high.is_finite().then_some((low - margin, high + margin)),
        curves: vec![curve("training", training), curve("validation", validation)],
        ..Curves::default()
    }
    .to_svg()
}

/// Light or dark as the reader has it; what is wider than the page scrolls by itself.
const STYLE: &str = ":root{color-scheme:light dark}body{font-family:sans-serif;max-width:60em;margin:2em auto;\
padding:0 1em}p,h1{overflow-wrap:anywhere}div,pre{overflow-x:auto}td,th{padding:0 1em;text-align:right}";

/// The page: the curves, the epochs, and all settings.
pub fn html(title: &str, report: &TrainingReport<'_>) -> String {
    let mut rows = String::new();
    for (number, epoch) in report.log.epochs.iter().enumerate() {
        let validation = epoch.validation.map_or("-".into(), |loss| format!("{loss:.6}"));
        let _ = writeln!(
            rows,
            "<tr><td>{}<td>{:.6}<td>{validation}<td>{:.0}<td>{:.0}",
            number + 1,
            epoch.training,
            epoch.seconds,
            epoch.speed
        );
    }
    let settings = serde_json::to_string_pretty(report.settings).unwrap_or_default();
    let quantised = report.quantised_validation.map_or("-".into(), |loss| format!("{loss:.6}"));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title}</title>\n\
         <style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{} training positions, {} validation positions. Validation \
         loss of the quantised network: {quantised}. SHA-256: {}.\n{}\
         <div><table><tr><th>epoch<th>training<th>validation<th>seconds<th>positions/s\n{rows}</table></div>\n\
         <pre>{}</pre>\n</html>\n",
        report.training_positions,
        report.data.iter().map(|index| index.validation.records).sum::<u64>(),
        report.sha256,
        svg(report.log),
        chart::escape(&settings),
        title = chart::escape(title),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{EpochLog, LossPoint};

    #[test]
    fn curves_are_drawn_whatever_there_is() {
        let mut log = TrainingLog::default();
        assert!(!svg(&log).contains("NaN") && !svg(&log).contains("inf"));
        log.points.push(LossPoint { batch: 1, loss: 0.2, rate: 0.1 });
        log.epochs.push(EpochLog {
            batch: 1,
            training: 0.2,
            validation: None,
            comparisons: None,
            seconds: 0.0,
            speed: 0.0,
        });
        assert!(!svg(&log).contains("NaN"));
        for batch in 2..100 {
            log.points.push(LossPoint { batch, loss: 1.0 / batch as f64, rate: 0.1 });
        }
        log.epochs.push(EpochLog {
            batch: 99,
            training: 0.1,
            validation: Some(0.05),
            comparisons: None,
            seconds: 1.0,
            speed: 2.0,
        });
        let text = svg(&log);
        assert_eq!(text.matches("<circle").count(), 1, "one dot for the epoch");
        assert!(text.starts_with("<svg") && text.ends_with("</svg>\n") && !text.contains("NaN"));
    }
}
