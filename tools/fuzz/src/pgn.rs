//! Games of matches as PGN files.

use std::io::ErrorKind;

use datagen::game::Ending;
use datagen::pgn::PgnGames;

/// What is taken can be played again, and ends by the rules as its record says, or by none. A damaged file is no other error.
pub fn check(input: &[u8]) {
    for (game, index) in PgnGames::new(input).zip(0..) {
        let game = match game {
            Ok(game) => game.game(index),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::InvalidData);
                break;
            }
        };
        let Ok(game) = game else { continue };
        assert!(game.is_legal() && !game.plies.is_empty());
        let mut replay = game.replay();
        let mut last = None;
        while let Ok(Some(position)) = replay.next_position() {
            let mut board = position.board.clone();
            board.make_move(position.played, &mut ());
            last = Some(board);
        }
        let by_rule = last.and_then(|board| Ending::by_rule(&board));
        assert_eq!(by_rule, game.ending.is_by_rule().then_some((game.ending, game.winner)));
    }
}
