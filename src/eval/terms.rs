//! What the evaluation sees in a position besides where each piece stands.

use crate::attacks;
use crate::board::Board;
use crate::types::{Bitboard, Color, File, PieceType, Rank, Square};

/// Who is told what the evaluation sees: the term's index among the weights, and how often White has it more
/// than Black.
pub trait Tally {
    /// White (or Black, if `count` is negative) has the term `count` times.
    fn add(&mut self, term: usize, count: i32);
}

// The weights, one range after the other. Piece-square terms: kind, then rank as the owner sees it, then file
// folded at the middle.
const SQUARES: usize = 32;
/// The first piece-square weight.
pub const PIECE_SQUARE: usize = 0;
/// The first material weight, by kind (the king's is unused).
pub const MATERIAL: usize = PIECE_SQUARE + 6 * SQUARES;
/// The first mobility weight of knights, by number of safe squares.
pub const MOBILITY_KNIGHT: usize = MATERIAL + 6;
/// The same for bishops.
pub const MOBILITY_BISHOP: usize = MOBILITY_KNIGHT + 9;
/// The same for rooks.
pub const MOBILITY_ROOK: usize = MOBILITY_BISHOP + 14;
/// The same for queens.
pub const MOBILITY_QUEEN: usize = MOBILITY_ROOK + 15;
/// Passed pawns, by rank as the owner sees it.
pub const PASSED: usize = MOBILITY_QUEEN + 28;
/// Passed pawns whose next square is free, by rank.
pub const PASSED_FREE: usize = PASSED + 8;
/// Distance of the own king to the square before a passed pawn, times its rank beyond the third.
pub const PASSED_OWN_KING: usize = PASSED_FREE + 8;
/// The same for the enemy king.
pub const PASSED_ENEMY_KING: usize = PASSED_OWN_KING + 1;
/// Pawns with no own pawn on the files beside.
pub const ISOLATED: usize = PASSED_ENEMY_KING + 1;
/// Pawns behind another of their own.
pub const DOUBLED: usize = ISOLATED + 1;
/// Pawns defended by a pawn, by rank.
pub const DEFENDED: usize = DOUBLED + 1;
/// Pawns side by side, by rank.
pub const PHALANX: usize = DEFENDED + 8;
/// Both bishops.
pub const BISHOP_PAIR: usize = PHALANX + 8;
/// Rooks on files without pawns.
pub const ROOK_OPEN: usize = BISHOP_PAIR + 1;
/// Rooks on files without own pawns.
pub const ROOK_HALF_OPEN: usize = ROOK_OPEN + 1;
/// Knights and bishops that a pawn defends where no enemy pawn can ever chase them.
pub const OUTPOST: usize = ROOK_HALF_OPEN + 1;
/// Pawns of the king's shelter by their rank (0: none on the file), on the king's file and beside.
pub const SHELTER: usize = OUTPOST + 1;
/// Enemy pawns on the files of the shelter, by their rank as the king's side sees it.
pub const STORM: usize = SHELTER + 8;
/// Attacks on squares round the enemy king, by kind of the attacker (knight to queen).
pub const KING_ATTACK: usize = STORM + 8;
/// The enemy king's neighbourhood attacked by so many pieces.
pub const KING_ATTACKERS: usize = KING_ATTACK + 4;
/// Squares from which a kind (knight to queen) could safely check.
pub const SAFE_CHECK: usize = KING_ATTACKERS + 8;
/// Enemy minor pieces, rooks, queens attacked by a pawn.
pub const THREAT_PAWN: usize = SAFE_CHECK + 4;
/// Enemy pieces (pawn to queen) attacked by a knight or bishop.
pub const THREAT_MINOR: usize = THREAT_PAWN + 3;
/// Enemy pieces (pawn to queen) attacked by a rook.
pub const THREAT_ROOK: usize = THREAT_MINOR + 5;
/// Enemy pieces that are attacked and not defended.
pub const HANGING: usize = THREAT_ROOK + 5;
/// Having the move.
pub const TEMPO: usize = HANGING + 1;
/// How many weights there are.
pub const COUNT: usize = TEMPO + 1;

/// The piece-square weight of a kind on a square as its owner sees it.
#[inline]
pub const fn piece_square(kind: PieceType, square: Square) -> usize {
    let file = square.file().index();
    let file = if file < 4 { file } else { 7 - file };
    PIECE_SQUARE + kind.index() * SQUARES + square.rank().index() * 4 + file
}

fn fill_forward(set: Bitboard, color: Color) -> Bitboard {
    let mut set = set.0;
    match color {
        Color::White => {
            set |= set << 8;
            set |= set << 16;
            set |= set << 32;
        }
        Color::Black => {
            set |= set >> 8;
            set |= set >> 16;
            set |= set >> 32;
        }
    }
    Bitboard(set)
}

fn files_of(set: Bitboard) -> Bitboard {
    fill_forward(set, Color::White) | fill_forward(set, Color::Black)
}

fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file().index() as i32 - b.file().index() as i32).abs();
    let ranks = (a.rank().index() as i32 - b.rank().index() as i32).abs();
    files.max(ranks)
}

/// What one side attacks, gathered while its pieces are looked at.
#[derive(Default)]
struct Attacks {
    by: [Bitboard; 6],
    all: Bitboard,
    twice: Bitboard,
}

impl Attacks {
    fn add(&mut self, kind: PieceType, set: Bitboard) {
        self.twice |= self.all & set;
        self.all |= set;
        self.by[kind.index()] |= set;
    }
}

/// Tells everything but piece-square values and material.
pub fn walk<T: Tally>(board: &Board, tally: &mut T) {
    let mut attacks = [Attacks::default(), Attacks::default()];
    for color in Color::ALL {
        let own = &mut attacks[color.index()];
        own.add(PieceType::Pawn, attacks::pawn_set(color, board.colored(color, PieceType::Pawn)));
        own.add(PieceType::King, attacks::king(board.king(color)));
    }
    for color in Color::ALL {
        pawn_terms(board, color, tally);
        piece_terms(board, color, &mut attacks, tally);
        shelter_terms(board, color, tally);
    }
    for color in Color::ALL {
        threat_terms(board, color, &attacks, tally);
        check_terms(board, color, &attacks, tally);
    }
    tally.add(TEMPO, sign(board.side_to_move()));
}

fn sign(color: Color) -> i32 {
    1 - 2 * color.index() as i32
}

fn pawn_terms<T: Tally>(board: &Board, color: Color, tally: &mut T) {
    let sign = sign(color);
    let own = board.colored(color, PieceType::Pawn);
    let enemy_front = fill_forward(board.colored(!color, PieceType::Pawn), !color);
    let never_passed = enemy_front | enemy_front.east() | enemy_front.west();
    let files = files_of(own);
    tally.add(ISOLATED, sign * own.without(files.east() | files.west()).count() as i32);
    let behind_own = fill_forward(own.forward(!color), !color);
    tally.add(DOUBLED, sign * (own & behind_own).count() as i32);
    for square in own & attacks::pawn_set(color, own) {
        tally.add(DEFENDED + square.relative(color).rank().index(), sign);
    }
    for square in own & (own.east() | own.west()) {
        tally.add(PHALANX + square.relative(color).rank().index(), sign);
    }
    for square in own.without(never_passed | behind_own) {
        let rank = square.relative(color).rank().index();
        tally.add(PASSED + rank, sign);
        let next = square.forward(color);
        if !board.occupied().has(next) {
            tally.add(PASSED_FREE + rank, sign);
        }
        let weight = rank as i32 - 2;
        if weight > 0 {
            tally.add(PASSED_OWN_KING, sign * weight * distance(board.king(color), next));
            tally.add(PASSED_ENEMY_KING, sign * weight * distance(board.king(!color), next));
        }
    }
}

fn piece_terms<T: Tally>(board: &Board, color: Color, attacks: &mut [Attacks; 2], tally: &mut T) {
    let sign = sign(color);
    let occupied = board.occupied();
    let own_pawns = board.colored(color, PieceType::Pawn);
    let enemy_pawns = board.colored(!color, PieceType::Pawn);
    let by_enemy_pawns = attacks[(!color).index()].by[PieceType::Pawn.index()];
    // Squares worth going to: no pawn takes there, and no own pawn that cannot move stands there.
    let blocked = own_pawns & occupied.forward(!color);
    let area = !(by_enemy_pawns | blocked | board.king(color));
    let ring = attacks::king(board.king(!color));
    // Own queens do not hide a bishop's view, nor queens and rooks a rook's: they support each other.
    let through_queens = occupied ^ board.colored(color, PieceType::Queen);
    let through_heavy = through_queens ^ board.colored(color, PieceType::Rook);
    let mut attackers = 0;
    for (kind, first) in [
        (PieceType::Knight, MOBILITY_KNIGHT),
        (PieceType::Bishop, MOBILITY_BISHOP),
        (PieceType::Rook, MOBILITY_ROOK),
        (PieceType::Queen, MOBILITY_QUEEN),
    ] {
        for square in board.colored(color, kind) {
            let reach = match kind {
                PieceType::Knight => attacks::knight(square),
                PieceType::Bishop => attacks::bishop(square, through_queens),
                PieceType::Rook => attacks::rook(square, through_heavy),
                _ => attacks::queen(square, occupied),
            };
            attacks[color.index()].add(kind, reach);
            tally.add(first + (reach & area).count() as usize, sign);
            let hits = (reach & ring).count() as i32;
            if hits > 0 {
                tally.add(KING_ATTACK + kind.index() - 1, sign * hits);
                attackers += 1;
            }
        }
    }
    tally.add(KING_ATTACKERS + attackers.min(7), sign);
    if board.colored(color, PieceType::Bishop).more_than_one() {
        tally.add(BISHOP_PAIR, sign);
    }
    let minors = board.colored(color, PieceType::Knight) | board.colored(color, PieceType::Bishop);
    let chased = fill_forward(enemy_pawns, !color);
    let fourth_to_sixth = Bitboard(match color {
        Color::White => 0x0000_FFFF_FF00_0000,
        Color::Black => 0x0000_00FF_FFFF_0000,
    });
    let outposts = (minors & fourth_to_sixth & attacks[color.index()].by[PieceType::Pawn.index()])
        .without(chased.east() | chased.west());
    tally.add(OUTPOST, sign * outposts.count() as i32);
    let half_open = board.colored(color, PieceType::Rook).without(files_of(own_pawns));
    let open = half_open.without(files_of(enemy_pawns));
    tally.add(ROOK_OPEN, sign * open.count() as i32);
    tally.add(ROOK_HALF_OPEN, sign * (half_open ^ open).count() as i32);
}

fn shelter_terms<T: Tally>(board: &Board, color: Color, tally: &mut T) {
    let king = board.king(color).relative(color);
    let centre = king.file().index().clamp(1, 6);
    let ahead = Bitboard(!0 << (8 * king.rank().index()));
    let seen = |side| {
        let pawns = board.colored(side, PieceType::Pawn);
        (if color == Color::White { pawns } else { pawns.flip_ranks() }) & ahead
    };
    let (own, enemy) = (seen(color), seen(!color));
    for file in centre - 1..=centre + 1 {
        let file = Bitboard::from_file(File::from_index(file));
        let nearest =
            |pawns: Bitboard| (pawns & file).first().map_or(Rank::First, |square| square.rank()).index();
        tally.add(SHELTER + nearest(own), sign(color));
        tally.add(STORM + nearest(enemy), sign(color));
    }
}

fn threat_terms<T: Tally>(board: &Board, color: Color, attacks: &[Attacks; 2], tally: &mut T) {
    let (own, enemy) = (&attacks[color.index()], &attacks[(!color).index()]);
    let count = |set: Bitboard| sign(color) * set.count() as i32;
    let minors = board.colored(!color, PieceType::Knight) | board.colored(!color, PieceType::Bishop);
    let by_pawn = own.by[PieceType::Pawn.index()];
    tally.add(THREAT_PAWN, count(minors & by_pawn));
    tally.add(THREAT_PAWN + 1, count(board.colored(!color, PieceType::Rook) & by_pawn));
    tally.add(THREAT_PAWN + 2, count(board.colored(!color, PieceType::Queen) & by_pawn));
    let by_minor = own.by[PieceType::Knight.index()] | own.by[PieceType::Bishop.index()];
    let by_rook = own.by[PieceType::Rook.index()];
    for kind in &PieceType::ALL[..5] {
        let targets = board.colored(!color, *kind);
        tally.add(THREAT_MINOR + kind.index(), count(targets & by_minor));
        tally.add(THREAT_ROOK + kind.index(), count(targets & by_rook));
    }
    tally.add(HANGING, count(board.color(!color).without(enemy.all) & own.all));
}

fn check_terms<T: Tally>(board: &Board, color: Color, attacks: &[Attacks; 2], tally: &mut T) {
    let (own, enemy) = (&attacks[color.index()], &attacks[(!color).index()]);
    let king = board.king(!color);
    let occupied = board.occupied();
    // A check is safe where nobody takes, or only the king, who may not because the square is covered.
    let covered = (own.twice & enemy.by[PieceType::King.index()]).without(enemy.twice);
    let safe = (!enemy.all | covered).without(board.color(color));
    let (diagonal, straight) = (attacks::bishop(king, occupied), attacks::rook(king, occupied));
    for (kind, from) in [
        (PieceType::Knight, attacks::knight(king)),
        (PieceType::Bishop, diagonal),
        (PieceType::Rook, straight),
        (PieceType::Queen, diagonal | straight),
    ] {
        let checks = own.by[kind.index()] & from & safe;
        tally.add(SAFE_CHECK + kind.index() - 1, sign(color) * checks.count().min(2) as i32);
    }
}
