//! Start positions of games, each coded as its differences from the array of standard chess or of (double) Chess960.

use std::sync::LazyLock;

use caesura::board::Setup;
use caesura::types::{CastlingSide, Color, Piece, PieceType, Rank, Square};

use super::adaptive::{Number, Probability, Symbol};
use super::range_coder::Coder;
use crate::chess960::{STANDARD_CHESS, START_POSITIONS, back_rank};
use crate::format::error::GameError;

/// The symbol of an empty square; pieces have their [`Piece::index`].
const EMPTY: usize = Piece::ALL.len();

/// All back ranks, by number.
static BACK_RANKS: LazyLock<Vec<[PieceType; 8]>> =
    LazyLock::new(|| (0..START_POSITIONS).map(back_rank).collect());

/// The numbers of the back ranks of White and Black.
type Array = [usize; 2];

/// The piece on a square of an array.
fn array_piece(array: Array, square: Square) -> Option<Piece> {
    Color::ALL.into_iter().find_map(|color| match square.rank().relative(color) {
        Rank::First => Some(Piece::new(color, BACK_RANKS[array[color.index()]][square.file().index()])),
        Rank::Second => Some(Piece::new(color, PieceType::Pawn)),
        _ => None,
    })
}

/// The array from which a position differs least: standard chess, or if castling is written as in Chess960 the one of which
/// most pieces of the back ranks stand where they stood, with the same back ranks if that costs no more than one piece.
fn nearest_array(setup: &Setup) -> Array {
    if !setup.chess960 {
        return [STANDARD_CHESS; 2];
    }
    let standing = |color: Color, number: usize| {
        let ranks = &BACK_RANKS[number];
        let at_home = |(file, kind): (usize, &PieceType)| {
            let square = Square::from_index(file).relative(color);
            setup.pieces[square.index()] == Some(Piece::new(color, *kind))
        };
        ranks.iter().enumerate().filter(|&rank| at_home(rank)).count()
    };
    let best = |count: &dyn Fn(usize) -> usize| {
        (0..START_POSITIONS).map(|number| (count(number), START_POSITIONS - number)).max().unwrap_or((0, 1))
    };
    let [white, black] = Color::ALL.map(|color| best(&|number| standing(color, number)));
    let same = best(&|number| Color::ALL.into_iter().map(|color| standing(color, number)).sum());
    if same.0 + 1 >= white.0 + black.0 {
        [START_POSITIONS - same.1; 2]
    } else {
        [START_POSITIONS - white.1, START_POSITIONS - black.1]
    }
}

/// What is learnt of the start positions of a block.
#[derive(Clone, Debug, Default)]
pub struct StartModel {
    chess960: Probability,
    standard: Probability,
    same: Probability,
    /// By what the array has there: a piece, or nothing on one of the ranks.
    changed: [Probability; EMPTY + 8],
    /// What is there instead, by rank.
    pieces: [Symbol<16>; 8],
    black_to_move: Probability,
    /// By whether there is a rook with which a king on its rank could castle.
    castling: [Probability; 2],
    outermost: Probability,
    en_passant: Probability,
    rule50: Number,
    fullmove: Number,
}

impl StartModel {
    /// Codes a position; an encoder must be given one. What a decoder returns is a position of any kind, legal or not.
    ///
    /// # Errors
    /// Only of a decoder: if the code is damaged.
    pub fn code(&mut self, coder: &mut impl Coder, setup: Option<&Setup>) -> Result<Setup, GameError> {
        let empty = Setup::empty(Color::White);
        let known = setup.unwrap_or(&empty);
        let mut coded = empty.clone();
        coded.chess960 = self.chess960.code(coder, known.chess960);
        let array = self.code_array(coder, setup.map_or([STANDARD_CHESS; 2], nearest_array))?;
        for square in Square::ALL {
            coded.pieces[square.index()] =
                self.code_square(coder, array, square, known.pieces[square.index()])?;
        }
        let black = self.black_to_move.code(coder, known.side_to_move == Color::Black);
        coded.side_to_move = if black { Color::Black } else { Color::White };
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let outermost = outermost_rook(&coded, color, side);
                let rook = known.castling[color.index()][side.index()];
                coded.castling[color.index()][side.index()] = self.code_castling(coder, outermost, rook);
            }
        }
        if self.en_passant.code(coder, known.en_passant.is_some()) {
            coded.en_passant = Some(code_square(coder, known.en_passant));
        }
        let rule50 = self.rule50.code(coder, u32::from(known.rule50));
        coded.rule50 =
            u16::try_from(rule50).map_err(|_| GameError::Field("a fifty-move counter too great"))?;
        coded.fullmove = self.fullmove.code(coder, known.fullmove);
        Ok(coded)
    }

    fn code_array(&mut self, coder: &mut impl Coder, array: Array) -> Result<Array, GameError> {
        if self.standard.code(coder, array == [STANDARD_CHESS; 2]) {
            return Ok([STANDARD_CHESS; 2]);
        }
        let white = code_number(coder, array[0])?;
        if self.same.code(coder, array[0] == array[1]) {
            return Ok([white; 2]);
        }
        Ok([white, code_number(coder, array[1])?])
    }

    fn code_square(
        &mut self,
        coder: &mut impl Coder,
        array: Array,
        square: Square,
        piece: Option<Piece>,
    ) -> Result<Option<Piece>, GameError> {
        let (before, rank) = (array_piece(array, square), square.rank().index());
        let context = before.map_or(EMPTY + rank, Piece::index);
        if !self.changed[context].code(coder, piece != before) {
            return Ok(before);
        }
        match self.pieces[rank].code(coder, piece.map_or(EMPTY, Piece::index)) {
            EMPTY => Ok(None),
            index => {
                Piece::ALL.get(index).map(|&piece| Some(piece)).ok_or(GameError::Field("an unknown piece"))
            }
        }
    }

    fn code_castling(
        &mut self,
        coder: &mut impl Coder,
        outermost: Option<Square>,
        rook: Option<Square>,
    ) -> Option<Square> {
        if !self.castling[usize::from(outermost.is_some())].code(coder, rook.is_some()) {
            return None;
        }
        if self.outermost.code(coder, rook == outermost) {
            return outermost;
        }
        Some(code_square(coder, rook))
    }
}

fn code_number(coder: &mut impl Coder, number: usize) -> Result<usize, GameError> {
    match coder.code_bits(number as u32, 10) as usize {
        number @ 0..START_POSITIONS => Ok(number),
        _ => Err(GameError::Field("a start array that does not exist")),
    }
}

fn code_square(coder: &mut impl Coder, square: Option<Square>) -> Square {
    let index = square.map_or(0, |square| square.index() as u32);
    Square::from_index(coder.code_bits(index, 6) as usize)
}

/// The rook on the first rank of a side that is farthest from its king, if both stand there.
fn outermost_rook(setup: &Setup, color: Color, side: CastlingSide) -> Option<Square> {
    let rank = |file: usize| Square::from_index(file).relative(color);
    let find = |kind, mut files: Box<dyn Iterator<Item = usize>>| {
        files.find(|&file| setup.pieces[rank(file).index()] == Some(Piece::new(color, kind)))
    };
    let king = find(PieceType::King, Box::new(0..8))?;
    let rook = match side {
        CastlingSide::King => find(PieceType::Rook, Box::new((king..8).rev())),
        CastlingSide::Queen => find(PieceType::Rook, Box::new(0..king)),
    };
    rook.map(rank)
}

#[cfg(test)]
mod tests {
    use caesura::board::Board;

    use super::super::range_coder::{Decoder, Encoder};
    use super::*;
    use crate::chess960::start_position;
    use crate::common::wild_game;

    #[test]
    fn positions_of_any_kind_come_back() {
        let mut setups = vec![Board::start().setup(), Setup::empty(Color::Black)];
        for number in (0..START_POSITIONS).step_by(7) {
            setups.push(start_position(number, number).setup());
            setups.push(start_position(number, START_POSITIONS - 1 - number).setup());
        }
        for seed in 0..12 {
            let game = wild_game(seed, 100);
            let mut replay = game.replay();
            while let Some(position) = replay.next_position().unwrap() {
                setups.push(position.board.setup());
            }
        }
        // A right to castle with an inner rook, and counters of any size.
        let mut odd = start_position(0, 959).setup();
        odd.castling[0][0] = Some(Square::D4);
        (odd.rule50, odd.fullmove, odd.en_passant) = (u16::MAX, u32::MAX, Some(Square::H8));
        setups.push(odd);
        let mut encoder = Encoder::new(Vec::new());
        let mut model = StartModel::default();
        for setup in &setups {
            assert_eq!(model.code(&mut encoder, Some(setup)).as_ref(), Ok(setup));
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut model = StartModel::default();
        for setup in &setups {
            assert_eq!(model.code(&mut decoder, None).as_ref(), Ok(setup));
        }
    }

    #[test]
    fn the_array_of_a_position_is_found() {
        for number in (0..START_POSITIONS).step_by(11) {
            assert_eq!(nearest_array(&start_position(number, number).setup()), [number; 2]);
            let other = START_POSITIONS - 1 - number;
            let double = start_position(number, other).setup();
            let found = nearest_array(&double);
            assert!(found == [number, other] || found[0] == found[1], "{number} {found:?}");
        }
    }
}
