//! Positions of games, as lists of what the evaluation counts in them.

use std::path::PathBuf;

use caesura::board::Board;
use caesura::eval::{Tally, evaluator, terms};
use caesura::types::{Color, PieceType};
use datagen::{GameReader, game_files};

/// The scale of the logistic: a score of so many centipawns is worth e : 1. (400 / ln 10, as Elo has it.)
pub const SCALE: f32 = 173.7;

/// Scores beyond this are decided: they teach nothing about weights.
const DECIDED: i16 = 1500;

/// All samples, their counts in one long list.
#[derive(Default)]
pub struct Samples {
    counts: Vec<(u16, i16)>,
    heads: Vec<Head>,
}

/// What is known of one sample.
#[derive(Clone, Copy)]
pub struct Head {
    end: usize,
    /// The share of the middlegame, 0 to 1.
    pub phase: f32,
    /// How much of an endgame advantage counts, 0 to 1.
    pub winnable: f32,
    /// What White may expect, 0 to 1.
    pub target: f32,
}

impl Samples {
    /// How many samples there are.
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// One sample, and what is counted in it.
    pub fn get(&self, index: usize) -> (Head, &[(u16, i16)]) {
        let start = if index == 0 { 0 } else { self.heads[index - 1].end };
        let head = self.heads[index];
        (head, &self.counts[start..head.end])
    }

    fn push(&mut self, board: &Board, target: f32) {
        let mut counter = Counter([0; terms::COUNT]);
        for square in board.occupied() {
            if let Some(piece) = board.piece_on(square) {
                let sign = if piece.color() == Color::White { 1 } else { -1 };
                counter.add(terms::piece_square(piece.kind(), square.relative(piece.color())), sign);
                if piece.kind() != PieceType::King {
                    counter.add(terms::MATERIAL + piece.kind().index(), sign);
                }
            }
        }
        terms::walk(board, &mut counter);
        let found = counter.0.iter().enumerate().filter(|(_, count)| **count != 0);
        self.counts.extend(found.map(|(term, &count)| (term as u16, count as i16)));
        let ahead = evaluator::evaluate(board) * if board.side_to_move() == Color::White { 1 } else { -1 };
        self.heads.push(Head {
            end: self.counts.len(),
            phase: evaluator::phase(board) as f32 / evaluator::FULL_PHASE as f32,
            winnable: evaluator::winnable(board, ahead) as f32 / 64.0,
            target,
        });
    }
}

struct Counter([i32; terms::COUNT]);

impl Tally for Counter {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count;
    }
}

/// The chance that a score gives its side.
pub fn chance(score: f32) -> f32 {
    1.0 / (1.0 + (-score / SCALE).exp())
}

/// Reads quiet positions: not in check, the best move no capture, not decided.
pub fn read(paths: &[PathBuf], limit: usize, result_share: f32) -> Result<Samples, String> {
    let mut samples = Samples::default();
    for file in game_files(paths).map_err(|error| error.to_string())? {
        let reader = GameReader::open(&file).map_err(|error| error.to_string())?;
        for game in reader {
            let game = match game {
                Ok(game) => game,
                Err(error) => {
                    // The rest of a damaged file is lost; what came before is good.
                    eprintln!("{error}");
                    break;
                }
            };
            let mut replay = game.replay();
            while let Some(position) = replay.advance().map_err(|error| error.to_string())? {
                let quiet = position.played.is_quiet() && !position.board.in_check();
                if quiet && position.score.abs() < DECIDED {
                    let white = position.white_score();
                    let result = position.winner.for_side(Color::White);
                    let target = result_share * result + (1.0 - result_share) * chance(f32::from(white));
                    samples.push(position.board, target);
                    if samples.len() >= limit {
                        return Ok(samples);
                    }
                }
            }
        }
    }
    Ok(samples)
}
