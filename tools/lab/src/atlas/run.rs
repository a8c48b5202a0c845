//! The experiment.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use caesura::engine::{Material, SplitMix, Tablebase};
use caesura::single_threaded::SingleThreadedEngine;
use caesura::types::{Color, Depth};

use super::count::census;
use super::decisions;
use super::record::{Placements, Record, Searches};
use crate::LabError;
use crate::contender::Contender;
use crate::experiment::{CommonOptions, RunContext};
use crate::runner::{self, Summary};

/// The file of results.
pub const FILE: &str = "atlas.jsonl";
/// The contenders if none are named.
pub const CONTENDERS: [&str; 8] =
    ["off", "tuned", "extended", "guarded", "modern", "fixed:r=3", "adaptive", "verified"];
/// The depths of the searches if none are named, in plies.
pub const DEPTHS: [Depth; 3] = [4, 8, 12];

/// What to look at.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the endgame tables; every table there is a material.
    pub tables: PathBuf,
    /// Whose null moves are tried.
    pub contenders: Vec<Contender>,
    /// How deep, in plies.
    pub depths: Vec<Depth>,
    /// Which placements of the pieces are looked at: all, if there are no more.
    pub placements: Placements,
    /// How many zugzwangs are searched, at most, of each material with each side to move.
    pub searched: usize,
    /// Options of every experiment; the table is that of all searches.
    pub common: CommonOptions,
}

/// The materials of tables, those with fewer pieces first.
fn materials(tables: &Tablebase) -> Vec<Material> {
    let mut names: Vec<&String> = tables.materials().iter().collect();
    names.sort_by_key(|name| name.len());
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

/// Looks at the materials that are not stored yet.
///
/// # Errors
/// If there are no tables, one that is needed is missing or damaged, the engine fails or results cannot be stored.
pub fn run(context: &RunContext, options: &Options) -> Result<Summary, LabError> {
    let mut store = context.store::<Record>(FILE)?;
    let (tables, errors) = Tablebase::open(options.tables.as_os_str());
    if let Some(error) = errors.into_iter().next() {
        return Err(error.into());
    }
    let materials = materials(&tables);
    if materials.is_empty() {
        return Err(LabError::NoTables(options.tables.clone()));
    }
    let Options { placements, searched, common, .. } = options;
    let names: Vec<String> = options.contenders.iter().map(ToString::to_string).collect();
    let what = format!(
        "{} placements {searched} searched {} depths {:?} {} seed {} hash {}",
        placements.most,
        names.join(" "),
        options.depths,
        common.mode,
        placements.seed,
        common.hash
    );
    let mut tasks = Vec::new();
    for material in materials {
        for side in [Color::White, Color::Black] {
            tasks.push((format!("{material} {side:?} {what}"), (material.clone(), side)));
        }
    }
    let worker = || {
        let mut engine = SingleThreadedEngine::new(common.hash)?;
        let tables = &tables;
        Ok(move |(material, side): &(Material, Color)| {
            let mut random = SplitMix(placements.seed);
            let census = census(tables, material, *side, (placements.most, *searched), &mut random);
            if let Some(failure) = tables.take_failures().into_iter().next() {
                return Err(failure.into());
            }
            if census.unknown > 0 {
                return Err(LabError::MissingTables {
                    material: material.to_string(),
                    positions: census.unknown,
                });
            }
            let mut record = Record {
                placements: *placements,
                searches: Searches { most: *searched, mode: common.mode, hash: common.hash },
                material: material.to_string(),
                white_to_move: *side == Color::White,
                exhaustive: census.exhaustive,
                positions: census.positions,
                zugzwangs: census.zugzwangs,
                schemes: Vec::new(),
            };
            for contender in &options.contenders {
                for &depth in &options.depths {
                    if context.control.abandon.load(Ordering::Relaxed) {
                        return Ok(None);
                    }
                    let examples = &census.examples;
                    record.schemes.push(decisions::count(
                        &mut engine,
                        contender,
                        common.mode,
                        depth,
                        examples,
                    ));
                }
            }
            Ok(Some(record))
        })
    };
    runner::run(&mut store, tasks, common.threads, &context.control, worker, |records| {
        (ControlFlow::Continue(()), records.last().map_or_else(String::new, |last| last.material.clone()))
    })
}
