//! What the coded format knows of a legal move: a set of numbered features, whose weights say how likely it is played.
//!
//! All of it is part of the format: a change of a feature or a weight makes files unreadable. It follows from the rules
//! of chess alone (where pieces stand and which squares they attack), not from the search, its parameters or the network.

use caesura::board::{AttackSquares, Board, Threats};
use caesura::types::{Bitboard, Color, Move, PieceType, Square};

/// A group of features: its first number, and the first after it.
#[derive(Clone, Copy, Debug)]
struct Group {
    first: usize,
    end: usize,
}

impl Group {
    const fn after(before: Group, size: usize) -> Group {
        Group { first: before.end, end: before.end + size }
    }

    #[inline]
    fn number(self, index: usize) -> usize {
        debug_assert!(index < self.end - self.first);
        self.first + index
    }
}

const KINDS: usize = PieceType::COUNT;
/// How cheaply a square is attacked: not, by a pawn, a minor piece, a rook, by a queen or king only.
const LEVELS: usize = 5;
/// What is taken: nothing, or a pawn to a queen.
const VICTIMS: usize = 6;
/// Up to the endgame, and from there on.
const PHASES: usize = 2;
/// Classes of moves: see [`class`].
const CLASSES: usize = 6;
/// Bands of the score.
const SCORE_BANDS: usize = 9;
/// Bands of the change of the score.
const CHANGE_BANDS: usize = 5;

/// The square to which a piece goes.
const TO: Group = Group::after(Group { first: 0, end: 0 }, PHASES * KINDS * 64);
/// The square from which it goes.
const FROM: Group = Group::after(TO, PHASES * KINDS * 64);
/// What it takes, and how cheaply the squares to which and from which it goes are attacked.
const EXCHANGE: Group = Group::after(FROM, KINDS * VICTIMS * LEVELS * LEVELS);
/// How many pieces support it where it can be taken, up to two, and whether more than one can take it.
const SUPPORT: Group = Group::after(EXCHANGE, KINDS * VICTIMS * LEVELS * 6);
/// Whether a piece that is attacked is defended.
const HANGING: Group = Group::after(SUPPORT, KINDS * LEVELS * 2);
/// A check without an open line behind it: whether the checker can be taken, and whether it takes.
const CHECK: Group = Group::after(HANGING, KINDS * 4);
/// A promotion, and whether it takes.
const PROMOTION: Group = Group::after(CHECK, KINDS * 2);
/// The piece that moved last: to another square, with a capture, or back.
const SAME_PIECE: Group = Group::after(PROMOTION, KINDS * 3);
/// Castling to the queen's or the king's side.
const CASTLE: Group = Group::after(SAME_PIECE, 2);
/// The way out of a check: the king goes or takes, another piece comes between or takes.
const EVASION: Group = Group::after(CASTLE, 4);
/// An attack on a greater piece, and whether the attacker can be taken.
const ATTACK: Group = Group::after(EVASION, KINDS * 2);
/// A move of a passed pawn, by the rank to which it goes.
const PASSED: Group = Group::after(ATTACK, 8 * PHASES);
/// The distance to the opponent's king.
const THEIR_KING: Group = Group::after(PASSED, PHASES * KINDS * 8);
/// The distance to the square of the opponent's last move.
const LAST_TO: Group = Group::after(THEIR_KING, KINDS * 8);
/// The distance to the square of the own last move.
const OWN_LAST_TO: Group = Group::after(LAST_TO, KINDS * 8);
/// The class of the move, by the score.
const SCORE: Group = Group::after(OWN_LAST_TO, SCORE_BANDS * CLASSES);
/// The class of the move, by the change of the score.
const CHANGE: Group = Group::after(SCORE, CHANGE_BANDS * CLASSES);

/// The number of features.
pub const FEATURES: usize = CHANGE.end;

/// What is known of a position besides its pieces before its move is.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveContext {
    /// The opponent's last move.
    pub last: Option<Move>,
    /// The move before that.
    pub own_last: Option<Move>,
    /// The score of the position for the side to move.
    pub score: i32,
    /// The score less the opponent's last score, negated.
    pub change: i32,
}

/// What the moves of a position have in common.
#[derive(Debug)]
pub struct MoveFeatures<'a> {
    board: &'a Board,
    us: Color,
    context: MoveContext,
    phase: usize,
    their_levels: Threats,
    ours: Threats,
    checks: [Bitboard; KINDS],
    attacks: AttackSquares,
    in_check: bool,
    score_band: usize,
    change_band: usize,
}

/// The squares that a piece would attack from these squares.
fn attacked_from(by: Color, kind: PieceType, squares: Bitboard, occupied: Bitboard) -> Bitboard {
    Threats::of(by, occupied, |other| if other == kind { squares } else { Bitboard::EMPTY }).all
}

fn level(threats: &Threats, square: Square) -> usize {
    if !threats.all.has(square) {
        0
    } else if threats.by_pawn.has(square) {
        1
    } else if threats.by_minor.has(square) {
        2
    } else if threats.by_rook.has(square) {
        3
    } else {
        4
    }
}

fn distance(a: Square, b: Square) -> usize {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    files.max(ranks)
}

fn score_band(score: i32) -> usize {
    match score {
        ..-600 => 0,
        -600..-150 => 1,
        -150..-40 => 2,
        -40..0 => 3,
        0 => 4,
        1..=40 => 5,
        41..=150 => 6,
        151..=600 => 7,
        _ => 8,
    }
}

fn change_band(change: i32) -> usize {
    match change {
        ..-40 => 0,
        -40..-12 => 1,
        -12..=12 => 2,
        13..=40 => 3,
        _ => 4,
    }
}

impl<'a> MoveFeatures<'a> {
    /// Looks at a position.
    pub fn new(board: &'a Board, context: MoveContext) -> MoveFeatures<'a> {
        let us = board.side_to_move();
        let them = !us;
        let occupied = board.occupied();
        let king = Bitboard::from(board.king(them));
        let mut checks = [Bitboard::EMPTY; KINDS];
        checks[PieceType::Pawn.index()] = attacked_from(them, PieceType::Pawn, king, occupied);
        checks[PieceType::Knight.index()] = attacked_from(us, PieceType::Knight, king, occupied);
        let diagonal = attacked_from(us, PieceType::Bishop, king, occupied);
        let straight = attacked_from(us, PieceType::Rook, king, occupied);
        checks[PieceType::Bishop.index()] = diagonal;
        checks[PieceType::Rook.index()] = straight;
        checks[PieceType::Queen.index()] = diagonal | straight;
        let count = board.non_pawn_pieces().count();
        MoveFeatures {
            board,
            us,
            context,
            phase: usize::from(count <= 6),
            their_levels: board.threats(them),
            ours: board.threats(us),
            checks,
            attacks: board.attack_squares(),
            in_check: board.in_check(),
            score_band: score_band(context.score),
            change_band: change_band(context.change),
        }
    }

    /// Calls a function with the number of each feature of a legal move.
    #[inline]
    pub fn for_each(&self, m: Move, mut feature: impl FnMut(usize)) {
        let (us, phase) = (self.us, self.phase);
        let (from, to) = (m.from(), m.to());
        let mover = self.board.piece_on(from).map_or(PieceType::Pawn, |piece| piece.kind());
        let kind = mover.index();
        let victim = if m.is_en_passant() {
            1
        } else if m.is_capture() {
            self.board.piece_on(to).map_or(0, |piece| 1 + piece.kind().index())
        } else {
            0
        };
        // From the side of the player: rank 1 is its own.
        let (near_from, near_to) = (from.relative(us), to.relative(us));
        feature(TO.number((phase * KINDS + kind) * 64 + near_to.index()));
        feature(FROM.number((phase * KINDS + kind) * 64 + near_from.index()));
        let to_level = level(&self.their_levels, to);
        let from_level = level(&self.their_levels, from);
        feature(EXCHANGE.number(((kind * VICTIMS + victim) * LEVELS + to_level) * LEVELS + from_level));
        if to_level > 0 {
            let own = self.board.by_color(us);
            let occupied = self.board.occupied();
            let attackers = self.board.attackers(to, occupied ^ Bitboard::from(from));
            let supporters = (attackers & own).without(Bitboard::from(from)).count().min(2) as usize;
            let many = usize::from((attackers & self.board.by_color(!us)).more_than_one());
            feature(
                SUPPORT.number(((kind * VICTIMS + victim) * LEVELS + to_level) * 6 + supporters * 2 + many),
            );
        }
        if from_level > 0 {
            let supported = self.ours.all.has(from);
            feature(HANGING.number((kind * LEVELS + from_level) * 2 + usize::from(supported)));
        }
        let placed = m.promoted().unwrap_or(mover).index();
        let safe = to_level == 0;
        if self.checks[placed].has(to) {
            feature(CHECK.number(kind * 4 + 2 * usize::from(safe) + usize::from(victim > 0)));
        }
        if m.is_promotion() {
            feature(PROMOTION.number(placed * 2 + usize::from(victim > 0)));
        }
        if let Some(last) = self.context.last {
            feature(LAST_TO.number(kind * 8 + distance(to, last.to())));
        }
        if let Some(own) = self.context.own_last {
            if own.to() == from {
                let back = own.from() == to;
                let way = if back { 2 } else { usize::from(victim > 0) };
                feature(SAME_PIECE.number(kind * 3 + way));
            }
            feature(OWN_LAST_TO.number(kind * 8 + distance(to, own.to())));
        }
        if m.is_castle() {
            feature(CASTLE.number(usize::from(to.index() > from.index())));
        }
        if self.in_check {
            let way = match (mover, victim) {
                (PieceType::King, 0) => 0,
                (PieceType::King, _) => 1,
                (_, 0) => 2,
                _ => 3,
            };
            feature(EVASION.number(way));
        }
        if self.attacks.of(mover).has(to) {
            feature(ATTACK.number(kind * 2 + usize::from(safe)));
        }
        if mover == PieceType::Pawn && self.board.is_passed(us, to) {
            feature(PASSED.number(near_to.rank().index() * PHASES + phase));
        }
        let king = self.board.king(!us);
        feature(THEIR_KING.number((phase * KINDS + kind) * 8 + distance(to, king)));
        let class = class(mover, victim, to_level, self.checks[placed].has(to));
        feature(SCORE.number(self.score_band * CLASSES + class));
        feature(CHANGE.number(self.change_band * CLASSES + class));
    }
}

/// The class of a move: quiet by a pawn, by a piece, by a king; a capture that can win, another; a check.
fn class(mover: PieceType, victim: usize, to_level: usize, check: bool) -> usize {
    if check {
        5
    } else if victim > 0 {
        if to_level == 0 || victim > mover.index() { 3 } else { 4 }
    } else {
        match mover {
            PieceType::Pawn => 0,
            PieceType::King => 2,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use caesura::types::MoveKind;

    use super::*;
    use crate::common::wild_game;

    #[test]
    fn both_colours_have_the_same_features() {
        let flipped = |m: Move| {
            // The kind is what is behind the squares.
            let bits = m.bits() ^ (56 | 56 << 6);
            Move::from_bits(bits).unwrap()
        };
        let features = |board: &Board, context, m| {
            let mut found = Vec::new();
            MoveFeatures::new(board, context).for_each(m, |feature| found.push(feature));
            found
        };
        let mut kinds = std::collections::HashSet::new();
        for seed in 0..12 {
            let game = wild_game(seed, 120);
            let mut replay = game.replay();
            while let Some(position) = replay.next_position().unwrap() {
                let (board, ply) = (position.board, position.ply);
                let played = |back| ply.checked_sub(back).map(|at: usize| game.plies[at].played);
                let context = MoveContext {
                    last: played(1),
                    own_last: played(2),
                    score: position.score.into(),
                    change: 20,
                };
                let other = MoveContext {
                    last: context.last.map(flipped),
                    own_last: context.own_last.map(flipped),
                    ..context
                };
                let mirror = board.with_colors_flipped();
                for m in board.legal_moves() {
                    let found = features(board, context, m);
                    assert_eq!(found, features(&mirror, other, flipped(m)), "{board} {m:?}");
                    assert!(found.iter().all(|&feature| feature < FEATURES));
                    kinds.insert(m.kind());
                }
            }
        }
        assert!(kinds.contains(&MoveKind::EnPassant) && kinds.contains(&MoveKind::Castle), "{kinds:?}");
    }
}
