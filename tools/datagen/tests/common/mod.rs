//! Helpers of several tests.

use std::path::Path;

use caesura::types::Move;
use datagen::game::{Ending, Game, OpeningKind, Ply, Winner};
use datagen::{GameReader, ReadError, chess960};

/// A game of legal moves that ends by the rules or at this length.
#[allow(dead_code)]
pub(crate) fn some_game(index: u32, length: usize) -> Game {
    let mut board = chess960::start_position(index as usize * 37 % 960, index as usize * 41 % 960);
    let start = board.setup();
    let mut plies = Vec::new();
    let (ending, winner) = loop {
        if let Some(end) = Ending::by_rule(&board) {
            break end;
        }
        if plies.len() == length {
            break (Ending::TooLong, Winner::Draw);
        }
        let moves = board.legal_moves();
        let played = moves[(plies.len() * 31 + index as usize * 17) % moves.len()];
        plies.push(Ply { played, score: plies.len() as i16 * 13 - 200 });
        board.make_move(played, &mut ());
    };
    Game { index, start, opening: OpeningKind::DoubleChess960, plies, winner, ending }
}

/// The games of a file, and what of it cannot be read.
#[allow(dead_code)]
pub(crate) fn read_all(path: &Path) -> (Vec<Game>, Vec<ReadError>) {
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    match GameReader::open(path) {
        Ok(reader) => {
            for item in reader {
                match item {
                    Ok(game) => games.push(game),
                    Err(error) => errors.push(error),
                }
            }
        }
        Err(error) => errors.push(error),
    }
    (games, errors)
}

/// The games of a file, and the first thing of it that cannot be read.
#[allow(dead_code)]
pub(crate) fn read(path: &Path) -> (Vec<Game>, Option<ReadError>) {
    let (games, errors) = read_all(path);
    (games, errors.into_iter().next())
}

/// A game of random legal moves and scores from a start position of any kind, with all the moves and scores that there are:
/// whatever is rare in games of the engine.
#[allow(dead_code)]
pub(crate) fn wild_game(seed: u32, length: usize) -> Game {
    let mut random = caesura::engine::SplitMix(u64::from(seed));
    let (mut board, opening) = match seed % 3 {
        0 => (caesura::board::Board::start(), OpeningKind::Standard),
        1 => (chess960::start_position(random.below(960), random.below(960)), OpeningKind::DoubleChess960),
        _ => {
            let number = random.below(960);
            (chess960::start_position(number, number), OpeningKind::Chess960)
        }
    };
    let start = board.setup();
    let mut plies = Vec::new();
    while plies.len() < length {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Mostly what is special, if there is something.
        let special =
            |m: &&Move| m.is_castle() || m.is_en_passant() || m.is_promotion() || m.is_double_push();
        let specials: Vec<Move> = moves.iter().filter(special).copied().collect();
        let choice = if specials.is_empty() || random.below(2) == 0 { &moves[..] } else { &specials };
        let played = choice[random.below(choice.len())];
        let score = match random.below(4) {
            0 => [0, 1, -1, 31_999, -31_999, 32_000, -32_000, 30_000][random.below(8)],
            _ => random.below(400) as i16 - 200,
        };
        plies.push(Ply { played, score });
        board.make_move(played, &mut ());
    }
    Game { index: seed, start, opening, plies, winner: Winner::Draw, ending: Ending::TooLong }
}

/// The positions of a game as positions by themselves, as a run records those that the searches of the game evaluate.
#[allow(dead_code)]
pub(crate) fn lone_positions(game: &Game) -> Vec<Game> {
    let mut replay = game.replay();
    let mut lone = Vec::new();
    while let Some(position) = replay.next_position().expect("legal moves") {
        let start = position.board.setup();
        lone.push(Game::lone_position(game.index, game.opening, start, game.plies[position.ply]));
    }
    lone
}
