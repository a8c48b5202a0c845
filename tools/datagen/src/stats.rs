//! Statistics of a collection of games.

use std::collections::HashSet;
use std::fmt::{self, Write};

use caesura::board::Board;
use caesura::types::is_mate;
use caesura::util::rate::percent;
use toolkit::progress::thousands;

use crate::game::{Ending, Game, OpeningKind, ReplayError, Winner};
use crate::wdl::{WdlCounts, WdlCurve};

/// The upper ends of the bins of the score histogram, in centipawns; one more bin holds greater scores, and one mates.
const SCORE_BINS: [u16; 9] = [10, 25, 50, 100, 200, 400, 800, 1500, 3000];

/// The pawns by which classes of material differ, in what both sides have besides kings, from 2 on.
const MATERIAL_CLASS: i32 = 8;
/// Classes of material; the last holds all that is more.
const MATERIAL_CLASSES: usize = 10;

/// Counts of games, endings, scores and pieces.
#[derive(Clone, Debug)]
pub struct Stats {
    games: u64,
    /// Positions by themselves, which are no games.
    lone_positions: u64,
    positions: u64,
    bytes: u64,
    /// By [`Winner`], those that are not known last.
    results: [u64; Winner::ALL.len() + 1],
    endings: [u64; Ending::ALL.len()],
    openings: [u64; OpeningKind::ALL.len()],
    /// By size of the score, mates last.
    scores: [u64; SCORE_BINS.len() + 2],
    /// By number of pieces.
    pieces: [u64; 33],
    in_check: u64,
    captures: u64,
    longest: usize,
    starts: HashSet<u64>,
    odds: WdlCounts,
    /// By material, in classes of [`MATERIAL_CLASS`].
    odds_by_material: [WdlCounts; MATERIAL_CLASSES],
}

impl Default for Stats {
    fn default() -> Stats {
        Stats {
            games: 0,
            lone_positions: 0,
            positions: 0,
            bytes: 0,
            results: [0; _],
            endings: [0; _],
            openings: [0; _],
            scores: [0; _],
            pieces: [0; _],
            in_check: 0,
            captures: 0,
            longest: 0,
            starts: HashSet::new(),
            odds: WdlCounts::default(),
            odds_by_material: Default::default(),
        }
    }
}

impl Stats {
    /// Counts a game.
    ///
    /// # Errors
    /// If it cannot be replayed; the positions before the illegal move are counted.
    pub fn add(&mut self, game: &Game) -> Result<(), ReplayError> {
        // The result of a game that was ended by its length is not known.
        let has_result = game.ending != Ending::TooLong;
        let is_lone = game.is_lone_position();
        if !is_lone {
            self.games += 1;
            self.results[if has_result { game.winner as usize } else { Winner::ALL.len() }] += 1;
            self.endings[game.ending as usize] += 1;
            self.openings[game.opening as usize] += 1;
            self.longest = self.longest.max(game.plies.len());
            self.starts.insert(Board::from_setup(&game.start).key());
        }
        let mut replay = game.replay();
        while let Some(position) = replay.next_position()? {
            self.positions += 1;
            self.lone_positions += u64::from(is_lone);
            let size = position.score.unsigned_abs();
            let bin = SCORE_BINS.iter().position(|&end| size <= end).unwrap_or(SCORE_BINS.len());
            self.scores[if is_mate(position.score.into()) { SCORE_BINS.len() + 1 } else { bin }] += 1;
            self.pieces[(position.board.occupied().count() as usize).min(32)] += 1;
            if has_result {
                let (score, result) = (position.score, (2.0 * position.result()) as usize);
                self.odds.add(score, result);
                let class = (position.board.material() - 2).max(0) / MATERIAL_CLASS;
                self.odds_by_material[(class as usize).min(MATERIAL_CLASSES - 1)].add(score, result);
            }
            self.in_check += u64::from(position.board.in_check());
            self.captures += u64::from(!position.played.is_quiet());
        }
        Ok(())
    }

    /// Adds the size of a file in bytes.
    pub fn add_bytes(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// The number of positions counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The number of games whose start position occurred in an earlier game.
    pub fn repeated_openings(&self) -> u64 {
        self.games - self.starts.len() as u64
    }
}

fn table<'a>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    rows: impl Iterator<Item = (String, &'a u64)>,
    whole: u64,
) -> fmt::Result {
    writeln!(f, "{title}")?;
    for (name, &count) in rows.filter(|(_, count)| **count > 0) {
        writeln!(f, "  {name:<16} {:>14} {:>6.2} %", thousands(count), percent(count, whole))?;
    }
    Ok(())
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games.max(1) as f64;
        writeln!(f, "games              {}", thousands(self.games))?;
        writeln!(f, "positions          {}", thousands(self.positions))?;
        if self.lone_positions > 0 {
            writeln!(f, "by themselves      {}", thousands(self.lone_positions))?;
        }
        writeln!(f, "bytes a position   {:.2}", self.bytes as f64 / self.positions.max(1) as f64)?;
        let plies = (self.positions - self.lone_positions) as f64 / games;
        writeln!(f, "plies a game       {plies:.1}, at most {}", self.longest)?;
        writeln!(f, "openings repeated  {}", thousands(self.repeated_openings()))?;
        writeln!(f, "in check           {:.2} %", percent(self.in_check, self.positions))?;
        writeln!(f, "noisy best move    {:.2} %", percent(self.captures, self.positions))?;
        let names = |index: usize| ["Black wins", "draw", "White wins", "not known"][index].to_string();
        table(f, "results", self.results.iter().enumerate().map(|(i, n)| (names(i), n)), self.games)?;
        let endings = Ending::ALL.iter().map(|ending| format!("{ending:?}"));
        table(f, "endings", endings.zip(&self.endings), self.games)?;
        let openings = OpeningKind::ALL.iter().map(|opening| format!("{opening:?}"));
        table(f, "openings", openings.zip(&self.openings), self.games)?;
        let bins = SCORE_BINS.iter().map(|end| format!("to {end}"));
        let bins = bins.chain(["more", "mate"].map(str::to_string));
        table(f, "size of the score, in centipawns", bins.zip(&self.scores), self.positions)?;
        let mut counts = String::new();
        for (pieces, count) in self.pieces.iter().enumerate().filter(|(_, count)| **count > 0) {
            write!(counts, " {pieces}:{:.1}", percent(*count, self.positions))?;
        }
        writeln!(f, "positions by number of pieces, in per cent\n {counts}")?;
        let Some(WdlCurve { midpoint: even_chance, spread }) = self.odds.fit_curve() else { return Ok(()) };
        if let Some(scale) = self.odds.fit_scale() {
            writeln!(f, "the odds of the expected result grow by e in {scale:.0} centipawns")?;
        }
        writeln!(
            f,
            "every second game is won from {even_chance:.0} centipawns, the odds grow by e in {spread:.0}"
        )?;
        writeln!(f, "the same by material, in pawns of both sides")?;
        for (class, odds) in self.odds_by_material.iter().enumerate() {
            let least = 2 + MATERIAL_CLASS * class as i32;
            let is_last = class + 1 == MATERIAL_CLASSES;
            let most = if is_last { "or more".into() } else { format!("to {}", least + MATERIAL_CLASS - 1) };
            let Some(WdlCurve { midpoint, spread }) = odds.fit_curve() else { continue };
            let positions = thousands(odds.positions());
            writeln!(f, "  {least:>2} {most:<7} {positions:>12}  {midpoint:>4.0} {spread:>4.0}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::some_game;

    #[test]
    fn everything_is_counted_once() {
        let mut stats = Stats::default();
        let games: Vec<Game> = [1, 2, 3, 2].iter().map(|&index| some_game(index, 50)).collect();
        for game in &games {
            stats.add(game).unwrap();
        }
        let positions: usize = games.iter().map(|game| game.plies.len()).sum();
        assert_eq!(stats.positions(), positions as u64);
        assert_eq!(stats.repeated_openings(), 1);
        for counts in [&stats.scores[..], &stats.pieces[..]] {
            assert_eq!(counts.iter().sum::<u64>(), positions as u64);
        }
        let text = stats.to_string();
        assert!(text.contains("games              4") && text.contains("DoubleChess960"), "{text}");
    }

    #[test]
    fn what_tables_know_is_no_mate() {
        let mut stats = Stats::default();
        let mut game = some_game(1, 3);
        for (ply, score) in game.plies.iter_mut().zip([3000, 31_740, -31_760]) {
            ply.score = score;
        }
        stats.add(&game).unwrap();
        assert_eq!(stats.scores[SCORE_BINS.len() - 1..], [1, 1, 1]);
    }

    #[test]
    fn a_position_by_itself_is_no_game_and_a_game_that_was_ended_has_no_result() {
        let mut stats = Stats::default();
        let game = Game { ending: Ending::TooLong, winner: Winner::Draw, ..some_game(1, 50) };
        let lone = Game { plies: game.plies[..1].to_vec(), ..game.clone() };
        for game in [&game, &lone, &lone] {
            stats.add(game).unwrap();
        }
        assert_eq!((stats.games, stats.lone_positions), (1, 2));
        assert_eq!(stats.positions(), game.plies.len() as u64 + 2);
        assert_eq!((stats.repeated_openings(), stats.longest), (0, game.plies.len()));
        assert_eq!(stats.results, [0, 0, 0, 1]);
        let empty: Board = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
        let damaged = Game { start: empty.setup(), ..lone };
        assert!(stats.add(&damaged).is_err());
        assert_eq!(stats.lone_positions, 2);
        let text = stats.to_string();
        assert!(text.contains("by themselves      2") && text.contains("not known"), "{text}");
    }

    #[test]
    fn what_a_score_is_worth_is_told_by_games_with_a_result_alone() {
        let odds = |ending: Ending| {
            let mut stats = Stats::default();
            for index in 1..40 {
                stats.add(&Game { ending, ..some_game(index, 50) }).unwrap();
            }
            let by_material: u64 = stats.odds_by_material.iter().map(WdlCounts::positions).sum();
            assert_eq!(by_material, stats.odds.positions());
            by_material
        };
        assert!(odds(Ending::DrawByScore) > 0);
        assert_eq!(odds(Ending::TooLong), 0);
    }
}
