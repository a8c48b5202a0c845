//! Games of matches as PGN files have them: fastchess and cutechess write the score of a move into the comment behind it,
//! `{+0.31/14 0.123s}`, in pawns for the side that made the move, or `{+M7/20 0.1s}` for a mate in seven plies. These are scores as
//! the engine shows them, which are not those of its search: see [`score_of_shown`].

use std::io;
use std::ops::ControlFlow;

use caesura::board::{Board, Setup, notation};
use caesura::engine::score_of_shown;
use caesura::types::{MATE_IN_MAX, MAX_PLY, mate_in, mated_in};
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Visitor};

use crate::check::{self, GameFault};
use crate::game::{Ending, Game, OpeningKind, Ply, Winner};

/// A draw that no rule makes, behind a score of more shown centipawns than this, is taken for a game that was cut off: fastchess
/// has the same words for a game that reached its greatest number of moves and for one that was given as drawn.
const LEVEL: u16 = 100;

/// Why a game of a PGN file cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnError {
    /// The game was not finished on the board or by adjudication: it was lost on time, broken off, or has no result.
    #[error("not played to its end: {0}")]
    Unfinished(String),
    /// The first position cannot be read.
    #[error("bad FEN: {0}")]
    Fen(String),
    /// A variant of chess that is not played here.
    #[error("a game of {0}")]
    Variant(String),
    /// A move is not legal, or says too little.
    #[error("ply {0}: {1} is no legal move")]
    Move(usize, String),
    /// No move has a score, or the last has none.
    #[error("the last move has no score")]
    NoScore,
    /// The file is damaged or cut off; nothing behind this place is read.
    #[error("the file is damaged from here on: {0}")]
    Damaged(String),
    /// The last position is won or drawn, and the result says otherwise, or the game went on behind its end.
    #[error("the rules of chess say otherwise: {}", without_number(.0))]
    Rules(GameFault),
}

/// A fault without the number of the game, which would be that of the new file.
fn without_number(fault: &GameFault) -> String {
    match fault {
        GameFault::Illegal(error) => error.to_string(),
        GameFault::ContinuesAfterEnd(_, ply) => format!("it is over at ply {ply}"),
        GameFault::WrongEnding(_, ending, winner) => {
            format!("its last position is not {ending:?}, {winner:?}")
        }
    }
}

/// What a PGN file says of a game.
#[derive(Clone, Debug, Default)]
pub struct PgnGame {
    fen: Option<String>,
    variant: Option<String>,
    result: String,
    termination: Option<String>,
    /// The moves in algebraic notation, each with its score for the side that makes it, in centipawns as they are shown.
    moves: Vec<(String, Option<i16>)>,
}

/// The games of a PGN file, one after another. An error of the kind [`io::ErrorKind::InvalidData`] says that the file is damaged
/// there; behind an error nothing can be read.
pub struct PgnGames<R>(Reader<R>);

impl<R: io::Read> PgnGames<R> {
    /// The games of this file.
    pub fn new(file: R) -> PgnGames<R> {
        PgnGames(Reader::new(file))
    }
}

impl<R: io::Read> Iterator for PgnGames<R> {
    type Item = io::Result<PgnGame>;

    fn next(&mut self) -> Option<io::Result<PgnGame>> {
        self.0.read_game(&mut Collector).transpose()
    }
}

/// Collects what is wanted of a game.
struct Collector;

impl Visitor for Collector {
    type Tags = PgnGame;
    type Movetext = PgnGame;
    type Output = PgnGame;

    fn begin_tags(&mut self) -> ControlFlow<PgnGame, PgnGame> {
        ControlFlow::Continue(PgnGame::default())
    }

    fn tag(&mut self, game: &mut PgnGame, name: &[u8], value: RawTag<'_>) -> ControlFlow<PgnGame> {
        let value = value.decode_utf8_lossy().into_owned();
        match name {
            b"FEN" => game.fen = Some(value),
            b"Variant" => game.variant = Some(value),
            b"Result" => game.result = value,
            b"Termination" => game.termination = Some(value),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: PgnGame) -> ControlFlow<PgnGame, PgnGame> {
        ControlFlow::Continue(game)
    }

    fn san(&mut self, game: &mut PgnGame, san: SanPlus) -> ControlFlow<PgnGame> {
        game.moves.push((san.to_string(), None));
        ControlFlow::Continue(())
    }

    fn comment(&mut self, game: &mut PgnGame, comment: RawComment<'_>) -> ControlFlow<PgnGame> {
        if let Some((_, score)) = game.moves.last_mut() {
            *score = score.or(std::str::from_utf8(comment.as_bytes()).ok().and_then(parse_score));
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: PgnGame) -> PgnGame {
        game
    }
}

/// The plies to a mate; more than a search can see are taken for as many as it can.
fn plies_to_mate(text: &str) -> Option<usize> {
    let plies: i32 = text.parse().ok()?;
    Some(plies.clamp(0, MAX_PLY as i32) as usize)
}

/// The score at the start of a comment, in centipawns as they are shown; mates are as [`Ply::score`] has them.
fn parse_score(comment: &str) -> Option<i16> {
    let (text, rest) = comment.trim_start().split_once('/')?;
    // What is written for a move of which the engine has said nothing.
    if text == "0.00" && rest.split([' ', ',']).next() == Some("0") {
        return None;
    }
    if let Some(plies) = text.strip_prefix("+M") {
        return i16::try_from(mate_in(plies_to_mate(plies)?.max(1))).ok();
    }
    if let Some(plies) = text.strip_prefix("-M") {
        return i16::try_from(mated_in(plies_to_mate(plies)?)).ok();
    }
    let pawns: f64 = text.parse().ok()?;
    let centipawns = (100.0 * pawns).round();
    (centipawns.abs() < f64::from(MATE_IN_MAX)).then_some(centipawns as i16)
}

impl PgnGame {
    /// The game from its first move on behind which all have scores: moves of a book have none. Its number is `index`.
    ///
    /// # Errors
    /// If it cannot be played again, was not finished, or has no scores.
    pub fn game(&self, index: u32) -> Result<Game, PgnError> {
        let winner = self.winner()?;
        let (mut board, opening) = self.start()?;
        let first = self.moves.iter().rposition(|(_, score)| score.is_none()).map_or(0, |last| last + 1);
        let mut start: Option<Setup> = None;
        let mut plies = Vec::with_capacity(self.moves.len());
        for (place, (san, score)) in self.moves.iter().enumerate() {
            let played =
                notation::parse_san(&board, san).map_err(|_| PgnError::Move(place + 1, san.clone()))?;
            if let Some(score) = score.filter(|_| place >= first) {
                start.get_or_insert_with(|| board.setup());
                let score = score_of_shown(score.into(), board.material()) as i16;
                plies.push(Ply { played, score });
            }
            board.make_move(played, &mut ());
        }
        let start = start.ok_or(PgnError::NoScore)?;
        // The position without what was before the record: a repetition of its book is none of it.
        let mut last = Board::from_setup(&start);
        plies.iter().for_each(|ply| last.make_move(ply.played, &mut ()));
        let is_level =
            |(_, score): &(String, Option<i16>)| score.is_none_or(|score| score.unsigned_abs() <= LEVEL);
        let adjudicated = match winner {
            Winner::Draw if self.moves.iter().rev().take(2).all(is_level) => Ending::DrawByScore,
            Winner::Draw => Ending::TooLong,
            Winner::White | Winner::Black => Ending::WinByScore,
        };
        let ending = Ending::by_rule(&last).map_or(adjudicated, |(ending, _)| ending);
        let game = Game { index, start, opening, plies, winner, ending };
        check::game(&game).map_err(PgnError::Rules)?;
        Ok(game)
    }

    fn winner(&self) -> Result<Winner, PgnError> {
        if let Some(other) =
            self.termination.as_deref().filter(|text| !["normal", "adjudication"].contains(text))
        {
            return Err(PgnError::Unfinished(other.to_string()));
        }
        match self.result.as_str() {
            "1-0" => Ok(Winner::White),
            "0-1" => Ok(Winner::Black),
            "1/2-1/2" => Ok(Winner::Draw),
            other => Err(PgnError::Unfinished(other.to_string())),
        }
    }

    fn start(&self) -> Result<(Board, OpeningKind), PgnError> {
        let chess960 = match self.variant.as_deref() {
            None | Some("standard" | "Standard" | "chess" | "Chess") => false,
            Some("fischerandom" | "Fischerandom" | "chess960" | "Chess960") => true,
            Some(other) => return Err(PgnError::Variant(other.to_string())),
        };
        let mut board = match &self.fen {
            Some(fen) => fen.parse::<Board>().map_err(|error| PgnError::Fen(error.to_string()))?,
            None => Board::start(),
        };
        board.set_chess960(chess960);
        Ok((board, if chess960 { OpeningKind::Chess960 } else { OpeningKind::Book }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &str) -> Vec<Result<Game, PgnError>> {
        let games = PgnGames::new(text.as_bytes()).map(|game| game.expect("memory can be read"));
        games.enumerate().map(|(index, game)| game.game(index as u32)).collect()
    }

    #[test]
    fn scores_are_those_of_the_side_that_moves() {
        let scores = [
            "+0.31/14 0.123s",
            "-1.5/9",
            "0.00/20 1s, Draw by 3-fold repetition",
            "-317.40/9",
            "+M7/20",
            "-M2/8",
        ];
        assert_eq!(scores.map(parse_score), [31, -150, 0, -31_740, 32_000 - 7, -32_000 + 2].map(Some));
        for text in [
            "book",
            "",
            "0.00/0",
            "0.00/0 0.1s",
            "0.00/0, White mates",
            "+M/3",
            "+317.54/3",
            "+1e9/3",
            "nan/4",
            "+M99999999999/3",
        ] {
            assert_eq!(parse_score(text), None, "{text}");
        }
    }

    #[test]
    fn a_game_begins_behind_its_book_and_ends_as_its_position_does() {
        let text = "[Result \"0-1\"]\n[Termination \"normal\"]\n\n1. f3 {book} e5 2. g4 {-9.50/8 0.1s} Qh4# {+M1/3 0.1s} 0-1\n\n\
                    [Result \"1-0\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n[Termination \"adjudication\"]\n\n\
                    1. O-O {+7.00/9 0.1s} Kd7 {-7.10/9 0.1s} 1-0\n";
        let games: Vec<Game> = games(text).into_iter().map(|game| game.expect("a game")).collect();
        let [mate, adjudicated] = &games[..] else { panic!("two games") };
        assert_eq!((mate.index, mate.winner, mate.ending), (0, Winner::Black, Ending::Checkmate));
        assert_eq!(mate.plies.iter().map(|ply| ply.score).collect::<Vec<_>>(), [-960, 31_999]);
        assert!(mate.is_legal() && Board::from_setup(&mate.start).fullmove() == 2);
        assert_eq!((adjudicated.winner, adjudicated.ending), (Winner::White, Ending::WinByScore));
        assert!(adjudicated.is_legal() && adjudicated.plies.len() == 2);
    }

    #[test]
    fn scores_become_those_of_the_search_again() {
        // A rook and a pawn each: 12 pawns of material, where 183 centipawns of the search are shown as 100.
        let text = "[Result \"1-0\"]\n[FEN \"4k3/p6r/8/8/8/8/P7/R3K3 w - - 0 1\"]\n\n\
                    1. Kd2 {+1.00/9} Rh8 {-0.40/9} 2. Kd3 {+317.40/9} 1-0\n";
        let game = games(text).remove(0).expect("a game");
        let scores: Vec<_> = game.plies.iter().map(|ply| ply.score).collect();
        assert_eq!(scores, [183, -73, 31_740]);
        let shown = caesura::engine::shown_score(183, Board::from_setup(&game.start).material());
        assert_eq!(shown, 100);
    }

    #[test]
    fn a_game_that_repeats_its_book_ends_by_what_is_recorded_of_it() {
        let shuffle = "Nf3 Nf6 Ng1 Ng8".replace(' ', " {0.00/9 0.1s} ");
        let text =
            format!("[Result \"1/2-1/2\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 {shuffle} {{0.00/9 0.1s}} 1/2-1/2\n");
        let game = games(&text).remove(0).expect("a game");
        assert_eq!((game.plies.len(), game.winner, game.ending), (4, Winner::Draw, Ending::DrawByScore));
        assert_eq!(check::game(&game), Ok(()));
    }

    #[test]
    fn a_draw_behind_a_great_score_is_a_game_that_was_cut_off() {
        for (scores, ending) in [
            (["+0.40/9", "-0.35/9"], Ending::DrawByScore),
            (["+9.00/9", "-9.10/9"], Ending::TooLong),
            (["0.00/9", "+M9/9"], Ending::TooLong),
        ] {
            let [white, black] = scores;
            let text = format!(
                "[Result \"1/2-1/2\"]\n[Termination \"adjudication\"]\n\n1. e4 {{{white}}} e5 {{{black}}} 1/2-1/2\n"
            );
            let game = games(&text).remove(0).expect("a game");
            assert_eq!((game.winner, game.ending), (Winner::Draw, ending), "{scores:?}");
            assert_eq!(check::game(&game), Ok(()));
        }
    }

    #[test]
    fn games_that_teach_nothing_are_refused_and_say_why() {
        let of = |tags: &str, moves: &str| {
            games(&format!("{tags}\n\n{moves}\n")).remove(0).map(|game| game.plies.len())
        };
        let (won, scored) = ("[Result \"1-0\"]", "1. e4 {+0.30/9 0.1s} 1-0");
        assert_eq!(of(won, scored), Ok(1));
        let lost = format!("{won}\n[Termination \"time forfeit\"]");
        assert_eq!(of(&lost, scored), Err(PgnError::Unfinished("time forfeit".into())));
        assert_eq!(of("[Result \"*\"]", "1. e4 {+0.30/9} *"), Err(PgnError::Unfinished("*".into())));
        assert_eq!(of(won, "1. e4 {+0.30/9} e4 {0.00/1} 1-0"), Err(PgnError::Move(2, "e4".into())));
        assert_eq!(of(won, "1. e4 {+0.30/9} e5 1-0"), Err(PgnError::NoScore));
        assert_eq!(
            of(won, "1. f3 e5 2. g4 {0.00/1} Qh4# {+M1/1} 1-0"),
            Err(PgnError::Rules(GameFault::WrongEnding(0, Ending::Checkmate, Winner::White)))
        );
        let atomic = format!("{won}\n[Variant \"atomic\"]");
        assert_eq!(of(&atomic, scored), Err(PgnError::Variant("atomic".into())));
        assert!(matches!(of(&format!("{won}\n[FEN \"x\"]"), scored), Err(PgnError::Fen(_))));
    }
}
