//! The subcommands that judge networks.

use toolkit::cli::print_line;
use trainer::dataset::Dataset;
use trainer::judges::endings::{self, Ending};
use trainer::judges::expected_scores::{self, Valued};
use trainer::quantised::QuantisedNet;

use crate::arguments::{JudgeArgs, JudgeEndingsArgs, JudgeScoresArgs};
use crate::commands::Failure;

/// Groups of positions by the number of pieces, kings and pawns included.
const GROUPS: [(u32, u32); 3] = [(2, 12), (13, 22), (23, 32)];

pub(crate) fn judge(args: &JudgeArgs) -> Result<(), Failure> {
    let records = Dataset::open(&args.prepared)?.validation()?;
    for path in &args.files {
        let net = QuantisedNet::read(path)?;
        let loss = net.loss(&args.loss.loss(), &records).ok_or("there are no validation positions")?;
        print_line(format_args!("{}: {loss:.6}", path.display()))?;
    }
    Ok(())
}

pub(crate) fn judge_endings(args: &JudgeEndingsArgs) -> Result<(), Failure> {
    let sample = endings::sample(&args.tables, args.positions as usize, args.seed)?;
    let total = |count: fn(&Ending) -> usize| sample.iter().map(count).sum::<usize>();
    print_line(format_args!(
        "{} endings: {} won positions, {} drawn, {} lost",
        sample.len(),
        total(|ending| ending.won.len()),
        total(|ending| ending.drawn.len()),
        total(|ending| ending.lost.len())
    ))?;
    for path in &args.files {
        let net = QuantisedNet::read(path)?;
        let each: Vec<(&Ending, f64)> = sample
            .iter()
            .filter_map(|ending| Some((ending, ending.area(|record| net.value(record))?)))
            .collect();
        if args.each {
            for (ending, area) in &each {
                print_line(format_args!("  {:<8} {area:.3}", ending.name))?;
            }
        }
        let all = endings::area(sample.iter(), |record| net.value(record)).ok_or("too few positions")?;
        let mean = endings::mean(each.iter().map(|&(_, area)| area))
            .map_or_else(String::new, |mean| format!(", {mean:.4} in the mean of {}", each.len()));
        print_line(format_args!("{}: area under the curve {all:.4} over all endings{mean}", path.display()))?;
    }
    Ok(())
}

pub(crate) fn judge_scores(args: &JudgeScoresArgs) -> Result<(), Failure> {
    let positions = expected_scores::read(&args.positions)?;
    for path in &args.files {
        let net = QuantisedNet::read(path)?;
        let valued = expected_scores::values(&net, &positions);
        let judgement = expected_scores::fit(&valued).ok_or("there are no positions")?;
        let correlation = expected_scores::rank_correlation(&valued).unwrap_or(0.0);
        print_line(format_args!(
            "{}: error of the expected score {:.4} at {:.0} centipawns a logit, in the mean {:+.4}, rank correlation {correlation:.4}, {} positions",
            path.display(),
            judgement.error,
            judgement.scale,
            expected_scores::bias(valued.iter(), judgement.scale),
            positions.len()
        ))?;
        for (least, most) in GROUPS {
            let in_group = |position: &&Valued| (least..=most).contains(&position.pieces);
            let count = valued.iter().filter(in_group).count();
            if count > 0 {
                let error = expected_scores::error(valued.iter().filter(in_group), judgement.scale);
                let bias = expected_scores::bias(valued.iter().filter(in_group), judgement.scale);
                print_line(format_args!(
                    "  {least} to {most} pieces: {error:.4}, in the mean {bias:+.4}, {count} positions"
                ))?;
            }
        }
    }
    Ok(())
}
