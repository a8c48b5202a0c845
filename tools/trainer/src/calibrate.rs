//! Scores of different engines are made to mean the same.
//!
//! What a centipawn is worth changes from network to network, for each has learnt from the scores and the results of the
//! one before. Where the logistic of the score says less than the results of the same games do, the two halves of the
//! target contradict each other, and games of several generations contradict one another besides.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use datagen::wdl::WdlCounts;
use toolkit::ordered::{self, Control};

use crate::dataset::GameSource;
use crate::error::TrainerError;
use crate::extract::{BlockTask, ExtractedBlock, Lesson, PositionFilter, extract_block};
use crate::record::UNKNOWN_RESULT;
use crate::td_lambda::ScoreTargets;

/// Blocks of a source that are sampled, at equal distances.
const BLOCKS: usize = 128;
/// With fewer positions, their scores are left as they are.
const MIN_POSITIONS: u64 = 20_000;

/// Finds by how much the scores of each source must be stretched for the odds of its results to grow by e in `scale`
/// centipawns; without a scale, or where a source has too few positions, they are left as they are. So they are where
/// there is one position or more of a game that its length has ended to ten of others: games that end before are not like the
/// rest. Positions by themselves do not count.
///
/// # Errors
/// If `stop` was set meanwhile, or the system refuses every thread.
pub(crate) fn calibrate(
    paths: &[PathBuf],
    tasks: &[BlockTask],
    scale: Option<f64>,
    unfade: bool,
    filter: &PositionFilter,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Vec<GameSource>, TrainerError> {
    let unknown = |path: &PathBuf| GameSource { path: path.clone(), scale: None, factor: 1.0 };
    let mut sources: Vec<GameSource> = paths.iter().map(unknown).collect();
    let Some(wanted) = scale else { return Ok(sources) };
    let recorded = Lesson::Played(ScoreTargets { unfade, ..ScoreTargets::RECORDED }, None);
    for (number, source) in sources.iter_mut().enumerate() {
        let own: Vec<&BlockTask> = tasks.iter().filter(|task| task.source == number).collect();
        let chosen = own.iter().step_by(own.len().div_ceil(BLOCKS).max(1));
        let mut odds = WdlCounts::default();
        let (mut with_result, mut cut_short) = (0, 0);
        let read: Result<(), TrainerError> = ordered::run(
            threads,
            chosen,
            &Control::default(),
            || Ok(|task: &&BlockTask| Ok(Some(extract_block(task, filter, 1, &recorded)))),
            |extracted: Option<ExtractedBlock>| {
                if stop.load(Ordering::Relaxed) {
                    return Err(TrainerError::Interrupted);
                }
                let extracted = extracted.unwrap_or_default();
                cut_short += extracted.cut_short;
                let known = extracted.records.iter().map(|(_, record)| record);
                for record in known.filter(|record| record.result != UNKNOWN_RESULT) {
                    with_result += 1;
                    odds.add(record.score, usize::from(record.result));
                }
                Ok(ControlFlow::Continue(()))
            },
        );
        read?;
        if odds.positions() >= MIN_POSITIONS
            && cut_short * 10 < with_result
            && let Some(found) = odds.fit_scale()
        {
            (source.scale, source.factor) = (Some(found), (wanted / found) as f32);
        }
    }
    Ok(sources)
}
