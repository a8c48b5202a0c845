//! The staged move picker.
//!
//! Moves come in the order in which they are likely to cut the node: the table move, captures that do not lose
//! material, quiet moves by what histories say of them, captures that lose. Each stage makes and scores its
//! moves only when the stage before has not been enough.

use arrayvec::ArrayVec;

use super::history::row;
use super::stack::Stack;
use super::worker::Histories;
use crate::board::{Board, Kind, MoveList, Threats, piece_value};
use crate::params;
use crate::types::{Move, PieceType, Value};

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
        for m in list {
            if Some(m) != self.table_move {
                let score = if kind == Kind::Quiet { quiet_score(known, m) } else { noisy_score(known, m) };
                self.moves.push(Scored { m, score });
            }
        }
    }

    /// Takes out the move with the highest score.
    fn best(&mut self) -> Option<Scored> {
        let mut best = 0;
        for index in 1..self.moves.len() {
            if self.moves[index].score > self.moves[best].score {
                best = index;
            }
        }
        (!self.moves.is_empty()).then(|| self.moves.swap_remove(best))
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

/// The sum of what the histories say of a quiet move.
#[inline]
pub fn quiet_history(known: &Knowledge<'_>, m: Move) -> i32 {
    let board = known.board;
    let Some(piece) = board.piece_on(m.from()) else {
        return 0;
    };
    let next = row(piece, m.to());
    let continuation = &known.histories.continuation;
    let earlier = |back| continuation.get(known.stack.back(known.ply, back).row, next);
    known.histories.butterfly.get(board.side_to_move(), known.threats.all, m)
        + earlier(1)
        + earlier(2)
        + earlier(4) / 2
        + known.histories.pawn.get(board.keys().pawn, next)
}

/// History, and whether the move leaves or enters a square where a cheaper piece would take it.
fn quiet_score(known: &Knowledge<'_>, m: Move) -> i32 {
    let Some(piece) = known.board.piece_on(m.from()) else {
        return 0;
    };
    let (unsafe_squares, bonus) = match piece.kind() {
        PieceType::Knight | PieceType::Bishop => (known.threats.by_pawn, 6000),
        PieceType::Rook => (known.threats.by_minor, 10000),
        PieceType::Queen => (known.threats.by_rook, 16000),
        _ => return quiet_history(known, m),
    };
    let escape = if unsafe_squares.has(m.from()) { bonus } else { 0 };
    let blunder = if unsafe_squares.has(m.to()) { bonus } else { 0 };
    quiet_history(known, m) + escape - blunder
}
