//! The scores by which quiet moves are ordered.

use arrayvec::ArrayVec;

use super::picker_context::{PickerContext, QuietHistory};
use super::ranked_moves::RankedMoves;
use crate::board::CheckInfo;
use crate::params;
use crate::search::history::LOW_PLIES;
use crate::types::{Bitboard, PieceType};

/// What the scores of a node's quiet moves have in common by the kind of the piece that moves. They lie in one place,
/// because a processor cannot foresee branches on the kind.
#[derive(Clone, Copy)]
struct KindTerms {
    /// Where a cheaper piece attacks.
    unsafe_squares: Bitboard,
    /// From where the piece attacks a more valuable one.
    attack_squares: Bitboard,
    /// From where it gives check.
    check_squares: Bitboard,
    /// The bonus for leaving an unsafe square, and the malus for entering one.
    threat_bonus: i32,
    /// The bonus for a move to an attack square.
    attack_bonus: i32,
}

impl KindTerms {
    /// By the index of the kind; the last two are never read.
    #[inline]
    fn of_each_kind(context: &PickerContext<'_>, check_info: &CheckInfo) -> [KindTerms; 8] {
        let attack_squares = context.board.attack_squares();
        let terms = |kind| {
            let (unsafe_squares, threat_bonus) = match kind {
                PieceType::Pawn | PieceType::King => (Bitboard::EMPTY, 0),
                PieceType::Knight | PieceType::Bishop => {
                    (context.threats.by_pawn, params::picker_threat_minor())
                }
                PieceType::Rook => (context.threats.by_minor, params::picker_threat_rook()),
                PieceType::Queen => (context.threats.by_rook, params::picker_threat_queen()),
            };
            let attack_bonus = match kind {
                PieceType::Pawn => params::picker_attack_pawn(),
                PieceType::Knight | PieceType::Bishop => params::picker_attack_minor(),
                PieceType::Rook => params::picker_attack_rook(),
                PieceType::Queen | PieceType::King => 0,
            };
            KindTerms {
                unsafe_squares,
                attack_squares: attack_squares.of(kind),
                check_squares: check_info.check_squares(kind),
                threat_bonus,
                attack_bonus,
            }
        };
        let [pawn, knight, bishop, rook, queen, king] = PieceType::ALL.map(terms);
        [pawn, knight, bishop, rook, queen, king, king, king]
    }
}

/// Scores the quiet moves of a node: by their history, the more so near the root; by whether they leave or enter a square that
/// a cheaper piece attacks, and whether they give check without losing their piece (the practice of Stockfish since 2022; the
/// order of checks with the limit on captures in quiescence and reduction by correction: 25 ± 22 Elo, 560 games at 10,000
/// nodes); and by whether they attack a more valuable piece, which the opponent then has to move (the practice of Reckless
/// since 2025; with eight other changes 11 ± 11 Elo, 2,200 games at 8,000 nodes).
///
/// `check_info` must be the position's.
#[inline]
pub fn score_quiets(
    context: &PickerContext<'_>,
    history: &QuietHistory<'_>,
    check_info: &CheckInfo,
    moves: &mut RankedMoves,
) {
    let terms = KindTerms::of_each_kind(context, check_info);
    let mut possible_checks = ArrayVec::<u8, 256>::new();
    moves.score(|place, m| {
        let Some(piece) = context.board.piece_on(m.from()) else {
            return 0;
        };
        let terms = &terms[piece.index() / 2 % 8];
        let leaves =
            i32::from(terms.unsafe_squares.has(m.from())) - i32::from(terms.unsafe_squares.has(m.to()));
        let attacks = i32::from(terms.attack_squares.has(m.to()));
        if terms.check_squares.has(m.to()) | check_info.may_be_discovered(m) {
            possible_checks.push(place as u8);
        }
        history.get(piece, m) + leaves * terms.threat_bonus + attacks * terms.attack_bonus
    });
    // Apart, since few moves come here and the loop above needs the registers.
    for &place in &possible_checks {
        let keeps_piece = |m| context.board.see_ge_with(m, -params::picker_check_loss(), context.threats.all);
        let bonus = |m| {
            if context.board.gives_check_with(m, check_info) && keeps_piece(m) {
                params::picker_check()
            } else {
                0
            }
        };
        moves.add(place.into(), bonus);
    }
    if context.ply < LOW_PLIES {
        let low_ply = &context.histories.low_ply;
        let scale = 16 * (1 + context.ply as i32);
        moves.add_to_each(|m| low_ply.get(context.ply, m) * params::history_low_ply() / scale);
    }
}
