//! Draws by repetition, by the fifty-move rule and for want of material.

use crate::attacks;
use crate::types::{Bitboard, PieceType};
use crate::zobrist;

use super::{Board, Position};

/// The most positions before a board that [`Board::forget_irreversible`] keeps: ten times as many as the fifty-move rule
/// allows without a capture or pawn move.
const LONGEST_HISTORY: usize = 1000;

impl Board {
    /// How many plies back a position can be a repetition of the present one.
    fn max_repetition_distance(&self) -> usize {
        usize::from(self.rule50.min(self.plies_from_null)).min(self.history.len())
    }

    /// Forgets the positions before this one that cannot come again, and those more than a thousand plies ago, which take memory
    /// in every copy: nothing asks for them but [`Board::unmake_move`], which must not go back to them.
    pub fn forget_irreversible(&mut self) {
        let dropped = self.history.len() - self.max_repetition_distance().min(LONGEST_HISTORY);
        self.history.drain(..dropped);
        self.first_ply += dropped as u32;
    }

    /// True if the present position occurred before: once since the root of the search, which is `ply` plies
    /// back, or twice in all.
    pub fn is_repetition(&self, ply: usize) -> bool {
        let (reach, key) = (self.max_repetition_distance(), self.key());
        let mut before = 0;
        for back in (4..reach + 1).step_by(2) {
            if self.history[self.history.len() - back].key() == key {
                before += 1;
                if back < ply || before == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// True if any position since the last capture or pawn move occurred twice, the present one included.
    pub fn has_repeated(&self) -> bool {
        let recent = &self.history[self.history.len() - self.max_repetition_distance()..];
        let mut keys: Vec<u64> = recent.iter().map(Position::key).chain([self.key()]).collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// True if a move of the side to move repeats an earlier position: one since the root of the search, which is `ply` plies
    /// back, or one that has already occurred twice (van Kervinck 2006, "The design and implementation of the Rookie 2.0 chess
    /// playing program"). The search may then count on a draw.
    pub fn upcoming_repetition(&self, ply: usize) -> bool {
        let reach = self.max_repetition_distance();
        if reach < 3 {
            return false;
        }
        let key = self.key();
        let len = self.history.len();
        let occupied = self.occupied();
        let key_before = |back: usize| self.history[len - back].key();
        // The opponent's moves on the way: unless they cancel out, no move of ours leads back.
        let mut opponent = key ^ key_before(1) ^ zobrist::side();
        for back in (3..reach + 1).step_by(2) {
            let earlier = key_before(back);
            opponent ^= key_before(back - 1) ^ earlier ^ zobrist::side();
            if opponent != 0 {
                continue;
            }
            let Some((a, b)) = zobrist::reversible_move(key ^ earlier) else {
                continue;
            };
            if (attacks::between(a, b) & occupied).any() {
                continue;
            }
            if back < ply {
                return true;
            }
            let twice = (back + 4..reach + 1).step_by(2).any(|further| key_before(further) == earlier);
            if twice {
                return true;
            }
        }
        false
    }

    /// True if fifty moves have passed without a capture or pawn move and the side to move is not mated.
    pub fn is_fifty_move_draw(&self) -> bool {
        self.rule50 >= 100 && (!self.in_check() || self.count_legal_moves() > 0)
    }

    /// True if neither side can mate by any sequence of legal moves: bare kings, one minor piece in all, or
    /// only bishops that all go on squares of one colour.
    pub fn is_insufficient_material(&self) -> bool {
        let mating_material =
            self.pieces(PieceType::Pawn) | self.pieces(PieceType::Rook) | self.pieces(PieceType::Queen);
        if mating_material.any() {
            return false;
        }
        let (knights, bishops) = (self.pieces(PieceType::Knight), self.pieces(PieceType::Bishop));
        let minors = knights | bishops;
        !minors.more_than_one()
            || knights.is_empty()
                && ((bishops & Bitboard::DARK).is_empty() || (bishops & Bitboard::LIGHT).is_empty())
    }

    /// True if the game is drawn here by rule, as the search at `ply` plies from its root sees it.
    pub fn is_draw(&self, ply: usize) -> bool {
        self.is_draw_under(ply, true)
    }

    /// Like [`Board::is_draw`], where the fifty-move rule holds or not.
    pub fn is_draw_under(&self, ply: usize, fifty_move_rule: bool) -> bool {
        self.is_repetition(ply)
            || fifty_move_rule && self.is_fifty_move_draw()
            || self.is_insufficient_material()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::notation::parse_uci;

    /// The position after these moves from `fen`, with what came before it.
    fn after(fen: &str, moves: &str) -> Board {
        let mut board: Board = fen.parse().expect(fen);
        for text in moves.split_whitespace() {
            let m = parse_uci(&board, text).expect(text);
            board.make_move(m, &mut ());
        }
        board
    }

    #[test]
    fn only_a_move_of_the_side_to_move_repeats() {
        let fen = "1n4k1/8/8/8/8/8/8/R5K1 w - - 0 1";
        let board = after(fen, "a1a2 b8c6 a2a3 c6d8 a3a2");
        assert!(board.upcoming_repetition(6), "d8c6 repeats");
        let board = after(fen, "a1a2 b8c6 a2a3 c6b8 a3a2 b8c6 a2a3");
        assert!(board.upcoming_repetition(8), "c6b8 repeats");
        // The rook went to a4 in three moves, where one would have done; the knight has come home.
        let board = after(fen, "a1a2 b8c6 a2a3 c6b8 a3a4");
        assert!(!board.upcoming_repetition(6), "no move of Black's repeats");
    }

    #[test]
    fn before_the_root_a_position_must_have_stood_twice() {
        let fen = "1n4k1/8/8/8/8/8/8/R5K1 w - - 0 1";
        let once = after(fen, "a1a2 b8c6 a2a1");
        assert!(once.upcoming_repetition(4) && !once.upcoming_repetition(3));
        let twice = after(fen, "a1a2 b8c6 a2a1 c6b8 a1a2 b8c6 a2a1");
        assert!(twice.upcoming_repetition(1));
    }

    #[test]
    fn what_is_forgotten_changes_no_answer() {
        let start = Board::start().to_string();
        let mut board = after(&start, "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6");
        let whole = board.clone();
        board.forget_irreversible();
        // Behind the pawn moves.
        assert_eq!((whole.history.len(), board.history.len()), (8, 6));
        let answers = |board: &Board| {
            let draws = [1, 5, 9].map(|ply| (board.is_repetition(ply), board.upcoming_repetition(ply)));
            (board.to_string(), board.ply(), board.has_repeated(), draws)
        };
        assert_eq!(answers(&board), answers(&whole));
        for _ in 0..LONGEST_HISTORY {
            for text in ["f3g1", "f6g8", "g1f3", "g8f6"] {
                board.make_move(parse_uci(&board, text).expect(text), &mut ());
            }
        }
        let ply = board.ply();
        board.forget_irreversible();
        assert_eq!((board.history.len(), board.ply()), (LONGEST_HISTORY, ply));
        assert!(board.is_repetition(1) && board.has_repeated());
    }
}
