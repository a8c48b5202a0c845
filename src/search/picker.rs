//! The staged move picker.
//!
//! Moves come in the order in which they are likely to cut the node: the table move, captures that do not lose
//! material, quiet moves by what histories say of them, captures that lose. Each stage makes and scores its
//! moves only when the stage before has not been enough.

use arrayvec::ArrayVec;

use super::history::{ContinuationRow, PawnRow, row};
use super::stack::Stack;
use super::worker::Histories;
use crate::board::{Board, Checks, Kind, MoveList, Threats, piece_value};
use crate::params;
use crate::types::{Bitboard, Move, Piece, PieceType, Value};

/// What a picker reads to score moves.
pub struct Knowledge<'a> {
    /// The position.
    pub board: &'a Board,
    /// The histories.
    pub histories: &'a Histories,
    /// The path.
    pub stack: &'a Stack,
    /// The distance from the root.
    pub ply: usize,
    /// What the enemy attacks.
    pub threats: &'a Threats,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    MakeNoisy,
    GoodNoisy,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}

#[derive(Clone, Copy)]
struct Scored {
    m: Move,
    score: i32,
}

/// Hands out the moves of a node, best first.
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    moves: ArrayVec<Scored, 256>,
    bad: ArrayVec<Move, 80>,
    next_bad: usize,
    skip_quiets: bool,
    /// Captures that win less than this are losing; `None`: by their history.
    threshold: Option<Value>,
    /// See [`Picker::checks`].
    checks: Option<Checks>,
}

impl Picker {
    /// All moves. The table move must be legal.
    pub fn new(table_move: Option<Move>) -> Picker {
        Picker {
            stage: Stage::Table,
            table_move,
            moves: ArrayVec::new(),
            bad: ArrayVec::new(),
            next_bad: 0,
            skip_quiets: false,
            threshold: None,
            checks: None,
        }
    }

    /// Captures and promotions to a queen that win at least `threshold` centipawns; no other move.
    pub fn noisy(table_move: Option<Move>, threshold: Value) -> Picker {
        Picker {
            skip_quiets: true,
            threshold: Some(threshold),
            ..Picker::new(table_move.filter(|m| !m.is_quiet()))
        }
    }

    /// Leaves out the quiet moves that have not come yet.
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// From where the moves of the position give check; found once.
    #[inline]
    pub fn checks(&mut self, board: &Board) -> &Checks {
        self.checks.get_or_insert_with(|| board.checks())
    }

    /// True once only captures that lose material are left.
    pub fn is_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// The next move.
    pub fn next(&mut self, known: &Knowledge<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeNoisy => {
                    self.make(known, Kind::Noisy);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.best() {
                    Some(Scored { m, score }) => {
                        let threshold = self.threshold.unwrap_or(-score / params::picker_see_history());
                        if known.board.see_at_least(m, threshold) {
                            return Some(m);
                        }
                        // A position has far fewer captures than 80; one too many would only be forgotten last.
                        let _ = self.bad.try_push(m);
                    }
                    None if self.threshold.is_some() => self.stage = Stage::Done,
                    None => self.stage = Stage::MakeQuiet,
                },
                Stage::MakeQuiet => {
                    if !self.skip_quiets {
                        self.make(known, Kind::Quiet);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best() {
                    Some(Scored { m, .. }) if !self.skip_quiets => return Some(m),
                    _ => self.stage = Stage::BadNoisy,
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

    fn make(&mut self, known: &Knowledge<'_>, kind: Kind) {
        let mut list = MoveList::new();
        known.board.generate_into(kind, &mut list);
        self.moves.clear();
        let moves = list.iter().copied().filter(|&m| Some(m) != self.table_move);
        if kind == Kind::Quiet {
            let history = QuietHistory::new(known);
            let checks = self.checks.get_or_insert_with(|| known.board.checks());
            self.moves.extend(moves.map(|m| Scored { m, score: quiet_score(known, &history, checks, m) }));
        } else {
            self.moves.extend(moves.map(|m| Scored { m, score: noisy_score(known, m) }));
        }
    }

    /// Takes out the move with the highest score, of equal ones the first.
    #[inline]
    fn best(&mut self) -> Option<Scored> {
        // One number a move, so that no branch hangs on which is greater.
        let ranks =
            (0_i64..).zip(&self.moves).map(|(index, scored)| i64::from(scored.score) << 32 | (255 - index));
        let best = ranks.max()?;
        Some(self.moves.swap_remove(255 - (best & 255) as usize))
    }
}

/// The kind of piece that a noisy move takes; a promotion without a capture counts as taking a pawn.
#[inline]
pub fn victim(board: &Board, m: Move) -> PieceType {
    match board.piece_on(m.to()) {
        Some(piece) if !m.is_en_passant() => piece.kind(),
        _ => PieceType::Pawn,
    }
}

/// Most valuable victim first, corrected by how such captures did before.
fn noisy_score(known: &Knowledge<'_>, m: Move) -> i32 {
    let Some(piece) = known.board.piece_on(m.from()) else {
        return 0;
    };
    let victim = victim(known.board, m);
    let promotion = m.promoted().map_or(0, |kind| {
        if kind == PieceType::Queen { piece_value(kind) } else { -piece_value(PieceType::Queen) }
    });
    params::picker_victim() * (piece_value(victim) + promotion)
        + known.histories.capture.get(piece, m.to(), victim)
}

/// What the histories say of the quiet moves of a node.
pub struct QuietHistory<'a> {
    known: &'a Knowledge<'a>,
    /// How moves did after those of one and two plies ago.
    continuations: [&'a ContinuationRow; 2],
    pawn: &'a PawnRow,
}

impl<'a> QuietHistory<'a> {
    /// Finds the rows of the tables that belong to the node.
    #[inline]
    pub fn new(known: &'a Knowledge<'a>) -> Self {
        let (stack, histories) = (known.stack, known.histories);
        QuietHistory {
            known,
            continuations: [1, 2].map(|back| histories.continuation.after(stack.back(known.ply, back).row)),
            pawn: histories.pawn.with(known.board.keys().pawn),
        }
    }

    /// The sum of what they say of a move of `piece`.
    #[inline]
    pub fn of(&self, piece: Piece, m: Move) -> i32 {
        let known = self.known;
        let next = row(piece, m.to());
        let [reply, follow_up] = self.continuations.map(|moves| moves.get(next));
        let butterfly = known.histories.butterfly.get(known.board.side_to_move(), known.threats.all, m);
        (params::history_butterfly() * butterfly
            + params::history_reply() * reply
            + params::history_follow_up() * follow_up
            + params::history_pawn() * self.pawn.get(next))
            / 16
    }
}

/// History, whether the move leaves or enters a square where a cheaper piece would take it, and whether it checks
/// without losing its piece.
#[inline]
fn quiet_score(known: &Knowledge<'_>, history: &QuietHistory<'_>, checks: &Checks, m: Move) -> i32 {
    let Some(piece) = known.board.piece_on(m.from()) else {
        return 0;
    };
    let gives_check = known.board.gives_check_by(m, checks);
    let check = if gives_check && known.board.see_at_least(m, -params::picker_check_loss()) {
        params::picker_check()
    } else {
        0
    };
    let (unsafe_squares, bonus) = match piece.kind() {
        PieceType::Knight | PieceType::Bishop => (known.threats.by_pawn, params::picker_threat_minor()),
        PieceType::Rook => (known.threats.by_minor, params::picker_threat_rook()),
        PieceType::Queen => (known.threats.by_rook, params::picker_threat_queen()),
        _ => (Bitboard::EMPTY, 0),
    };
    let escape = if unsafe_squares.has(m.from()) { bonus } else { 0 };
    let blunder = if unsafe_squares.has(m.to()) { bonus } else { 0 };
    history.of(piece, m) + check + escape - blunder
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::samples::boards;

    /// Lets a picker run to its end in each position, and hands what it gave to a check.
    fn run(mut picker: impl FnMut(&Board) -> Picker, check: impl Fn(&Board, &[(Move, bool)])) {
        let (histories, stack) = (Histories::new(), Stack::new());
        for board in boards() {
            let threats = board.threats(!board.side_to_move());
            let known =
                Knowledge { board: &board, histories: &histories, stack: &stack, ply: 0, threats: &threats };
            let mut picker = picker(&board);
            let mut given = Vec::new();
            while let Some(m) = picker.next(&known) {
                given.push((m, picker.is_bad_noisy()));
            }
            assert_eq!(picker.next(&known), None);
            check(&board, &given);
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
            |_| Picker::new(None),
            |board, given| {
                assert_eq!(sorted(given.iter().map(|&(m, _)| m)), sorted(board.legal_moves()), "{board}");
                let stage = |&(m, bad): &(Move, bool)| if bad { 2 } else { i32::from(m.is_quiet()) };
                assert!(given.is_sorted_by_key(stage), "{board}: {given:?}");
                for &(m, bad) in given.iter().filter(|(m, _)| !m.is_quiet()) {
                    // A good capture may lose the part of its victim that the order of captures allows for.
                    let allowed = params::picker_victim() * piece_value(victim(board, m))
                        / params::picker_see_history();
                    let loses = |most: Value| !board.see_at_least(m, -most);
                    assert!(if bad { loses(0) } else { !loses(allowed) }, "{board}: {m:?}");
                }
            },
        );
    }

    #[test]
    fn the_table_move_comes_first_and_not_again() {
        for index in 0..60 {
            let pick = |board: &Board| {
                let moves = board.legal_moves();
                moves[index % moves.len()]
            };
            run(
                |board| Picker::new(Some(pick(board))),
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
                |_| Picker::noisy(None, threshold),
                |board, given| {
                    let wanted = board
                        .legal_moves()
                        .into_iter()
                        .filter(|&m| !m.is_quiet() && board.see_at_least(m, threshold));
                    assert_eq!(sorted(given.iter().map(|&(m, _)| m)), sorted(wanted), "{board} {threshold}");
                },
            );
        }
        // A quiet table move is not for it.
        let quiet = |board: &Board| board.legal_moves().into_iter().find(|m| m.is_quiet());
        run(
            |board| Picker::noisy(quiet(board), 0),
            |board, given| assert!(given.iter().all(|(m, _)| !m.is_quiet()), "{board}"),
        );
    }

    #[test]
    fn quiet_moves_can_be_left_out_at_any_time() {
        let (histories, stack) = (Histories::new(), Stack::new());
        for board in boards() {
            let threats = board.threats(!board.side_to_move());
            let known =
                Knowledge { board: &board, histories: &histories, stack: &stack, ply: 0, threats: &threats };
            let moves = board.legal_moves();
            for after in 0..moves.len() {
                let mut picker = Picker::new(None);
                let mut given: Vec<Move> = (0..after).map_while(|_| picker.next(&known)).collect();
                picker.skip_quiets();
                let rest: Vec<Move> = std::iter::from_fn(|| picker.next(&known)).collect();
                assert!(rest.iter().all(|m| !m.is_quiet()), "{board}");
                given.extend(rest);
                let noisy = |moves: &[Move]| sorted(moves.iter().copied().filter(|m| !m.is_quiet()));
                assert_eq!(noisy(&given), noisy(&moves), "{board}");
            }
        }
    }

    #[test]
    fn the_greatest_victim_comes_first() {
        let board: Board = "4k3/8/8/1q1r1n2/2P1P3/8/8/4K3 w - - 0 1".parse().expect("a position");
        let (histories, stack, threats) =
            (Histories::new(), Stack::new(), board.threats(!board.side_to_move()));
        let known =
            Knowledge { board: &board, histories: &histories, stack: &stack, ply: 0, threats: &threats };
        let mut picker = Picker::noisy(None, 0);
        let victims: Vec<PieceType> =
            std::iter::from_fn(|| picker.next(&known)).map(|m| victim(&board, m)).collect();
        assert_eq!(victims, [PieceType::Queen, PieceType::Rook, PieceType::Rook, PieceType::Knight]);
    }
}
