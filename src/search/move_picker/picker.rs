//! The stages of the move picker.

use arrayvec::ArrayVec;

use super::picker_context::{PickerContext, QuietHistory};
use super::quiet_scores::score_quiets;
use super::ranked_moves::RankedMoves;
use crate::board::{Board, CheckInfo, GenType, piece_value};
use crate::params;
use crate::search::history::victim;
use crate::types::{Move, PieceType, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateNoisy,
    GoodNoisy,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Picks the moves of a node one by one, best first.
pub struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    moves: RankedMoves,
    bad: ArrayVec<Move, 80>,
    next_bad: usize,
    skip_quiets: bool,
    /// Captures that win less than this are losing; `None`: by their history.
    threshold: Option<Value>,
    /// What [`MovePicker::check_info`] has found.
    check_info: Option<CheckInfo>,
}

impl MovePicker {
    /// All moves. The table move must be legal.
    pub fn new(tt_move: Option<Move>) -> MovePicker {
        MovePicker {
            stage: Stage::TtMove,
            tt_move,
            moves: RankedMoves::default(),
            bad: ArrayVec::new(),
            next_bad: 0,
            skip_quiets: false,
            threshold: None,
            check_info: None,
        }
    }

    /// Captures and promotions to a queen that win at least `threshold` centipawns, and no other move. The table's comes
    /// first, if it is such a move, whatever it wins.
    pub fn noisy(tt_move: Option<Move>, threshold: Value) -> MovePicker {
        MovePicker {
            skip_quiets: true,
            threshold: Some(threshold),
            ..MovePicker::new(tt_move.filter(|m| !m.is_quiet()))
        }
    }

    /// Leaves out the quiet moves that have not come yet.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// From where the moves of the position give check; found once.
    #[inline]
    pub fn check_info(&mut self, board: &Board) -> &CheckInfo {
        self.check_info.get_or_insert_with(|| board.check_info())
    }

    /// True once only captures that lose material are left.
    pub fn is_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// The next move.
    pub fn next(&mut self, context: &PickerContext<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate(context, GenType::Noisy);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.moves.take_best() {
                    Some((m, score)) => {
                        // A capture of good history may lose a little in the exchange (the practice of Stockfish;
                        // tuned here, not measured by itself).
                        let threshold = self.threshold.unwrap_or(-score / params::picker_see_history());
                        if context.board.see_ge(m, threshold) {
                            return Some(m);
                        }
                        // There is room for more than a game has; what did not fit would not be searched.
                        let _ = self.bad.try_push(m);
                    }
                    None if self.threshold.is_some() => self.stage = Stage::Done,
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    if !self.skip_quiets {
                        self.generate(context, GenType::Quiet);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet if self.skip_quiets => self.stage = Stage::BadNoisy,
                Stage::Quiet => match self.moves.take_best() {
                    Some((m, _)) => return Some(m),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => match self.bad.get(self.next_bad) {
                    Some(&m) => {
                        self.next_bad += 1;
                        return Some(m);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn generate(&mut self, context: &PickerContext<'_>, kind: GenType) {
        let quiet = kind == GenType::Quiet;
        let history = quiet.then(|| QuietHistory::new(context));
        // Else each score would wait for its own entries, most of which lie beyond the first two caches.
        history.iter().for_each(QuietHistory::prefetch);
        let attacked = Some(context.threats.all);
        self.moves.generate(self.tt_move, |list| context.board.generate_with_attacked(kind, attacked, list));
        if let Some(history) = history {
            let check_info = self.check_info.get_or_insert_with(|| context.board.check_info());
            score_quiets(context, &history, check_info, &mut self.moves);
        } else {
            self.moves.score(|_, m| noisy_score(context, m));
        }
    }
}

/// The score of a capture or promotion: most valuable victim first (MVV), since that gains most if it holds, corrected by
/// capture history (the practice of Stockfish; tuned here, not measured by itself).
fn noisy_score(context: &PickerContext<'_>, m: Move) -> i32 {
    let Some(piece) = context.board.piece_on(m.from()) else {
        return 0;
    };
    let victim = victim(context.board, m);
    let promotion = m.promoted().map_or(0, |kind| {
        if kind == PieceType::Queen { piece_value(kind) } else { -piece_value(PieceType::Queen) }
    });
    params::picker_victim() * (piece_value(victim) + promotion)
        + context.histories.capture.get(piece, m.to(), victim)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::test_positions::boards;
    use crate::search::history::Histories;
    use crate::search::stack::Stack;

    /// Shows what the moves of a position are scored by where nothing has been learnt yet.
    fn with_context(board: &Board, look: impl FnOnce(&PickerContext<'_>)) {
        let (histories, stack) = (Histories::of_one_thread(), Stack::new().expect("memory"));
        let threats = board.threats(!board.side_to_move());
        look(&PickerContext { board, histories: &histories, stack: &stack, ply: 0, threats: &threats });
    }

    /// Lets a picker run to its end in each position, and hands what it gave to a check.
    fn run(mut picker: impl FnMut(&Board) -> MovePicker, check: impl Fn(&Board, &[(Move, bool)])) {
        for board in boards() {
            with_context(&board, |context| {
                let mut picker = picker(&board);
                let mut given = Vec::new();
                while let Some(m) = picker.next(context) {
                    given.push((m, picker.is_bad_noisy()));
                }
                assert_eq!(picker.next(context), None);
                check(&board, &given);
            });
        }
    }

    fn sorted(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
        let mut bits: Vec<u16> = moves.into_iter().map(Move::bits).collect();
        bits.sort_unstable();
        bits
    }

    #[test]
    fn every_legal_move_comes_once_in_the_order_of_the_stages() {
        run(
            |_| MovePicker::new(None),
            |board, given| {
                assert_eq!(sorted(given.iter().map(|&(m, _)| m)), sorted(board.legal_moves()), "{board}");
                let stage = |&(m, bad): &(Move, bool)| if bad { 2 } else { i32::from(m.is_quiet()) };
                assert!(given.is_sorted_by_key(stage), "{board}: {given:?}");
                for &(m, bad) in given.iter().filter(|(m, _)| !m.is_quiet()) {
                    // A good capture may lose the part of its victim that the order of captures allows for.
                    let allowed = params::picker_victim() * piece_value(victim(board, m))
                        / params::picker_see_history();
                    let loses = |most: Value| !board.see_ge(m, -most);
                    assert!(if bad { loses(0) } else { !loses(allowed) }, "{board}: {m:?}");
                }
            },
        );
    }

    #[test]
    fn the_tt_move_comes_first_and_not_again() {
        for index in 0..60 {
            let pick = |board: &Board| {
                let moves = board.legal_moves();
                moves[index % moves.len()]
            };
            run(
                |board| MovePicker::new(Some(pick(board))),
                |board, given| {
                    assert_eq!(given[0].0, pick(board), "{board}");
                    assert_eq!(sorted(given.iter().map(|&(m, _)| m)), sorted(board.legal_moves()), "{board}");
                },
            );
        }
    }

    #[test]
    fn noisy_pickers_give_no_quiet_moves_and_keep_their_threshold() {
        for threshold in [-20_000, 0, 1, 300] {
            run(
                |_| MovePicker::noisy(None, threshold),
                |board, given| {
                    let wanted = board
                        .legal_moves()
                        .into_iter()
                        .filter(|&m| !m.is_quiet() && board.see_ge(m, threshold));
                    assert_eq!(sorted(given.iter().map(|&(m, _)| m)), sorted(wanted), "{board} {threshold}");
                },
            );
        }
        // A quiet table move is not for it.
        let quiet = |board: &Board| board.legal_moves().into_iter().find(|m| m.is_quiet());
        run(
            |board| MovePicker::noisy(quiet(board), 0),
            |board, given| assert!(given.iter().all(|(m, _)| !m.is_quiet()), "{board}"),
        );
    }

    #[test]
    fn quiet_moves_can_be_left_out_at_any_time() {
        for board in boards() {
            let moves = board.legal_moves();
            with_context(&board, |context| {
                for after in 0..moves.len() {
                    let mut picker = MovePicker::new(None);
                    let mut given: Vec<Move> = (0..after).map_while(|_| picker.next(context)).collect();
                    picker.skip_quiets();
                    let rest: Vec<Move> = std::iter::from_fn(|| picker.next(context)).collect();
                    assert!(rest.iter().all(|m| !m.is_quiet()), "{board}");
                    given.extend(rest);
                    let noisy = |moves: &[Move]| sorted(moves.iter().copied().filter(|m| !m.is_quiet()));
                    assert_eq!(noisy(&given), noisy(&moves), "{board}");
                }
            });
        }
    }

    #[test]
    fn the_greatest_victim_comes_first() {
        let board: Board = "4k3/8/8/1q1r1n2/2P1P3/8/8/4K3 w - - 0 1".parse().expect("a position");
        with_context(&board, |context| {
            let mut picker = MovePicker::noisy(None, 0);
            let victims: Vec<PieceType> =
                std::iter::from_fn(|| picker.next(context)).map(|m| victim(&board, m)).collect();
            assert_eq!(victims, [PieceType::Queen, PieceType::Rook, PieceType::Rook, PieceType::Knight]);
        });
    }
}
