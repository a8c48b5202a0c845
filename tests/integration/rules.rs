//! The rules against `shakmaty`, a library that shares no code with the engine: both walk through the same random
//! games, of standard chess, Chess960 and double Chess960, and must agree on every position. What the board keeps
//! from move to move is compared with what it computes from scratch.

use std::num::NonZeroU32;

use caesura::board::notation::{parse_san, parse_uci, to_san, to_uci};
use caesura::board::{Board, GenType, MoveList};
use caesura::perft::perft;
use caesura::types::{CastlingSide, Color, File, Move, MoveKind, PieceType, Square};
use caesura::util::random::SplitMix;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, Setup};

/// Positions visited in each variant; the three together are 10,000.
const POSITIONS: [(Variant, usize); 3] =
    [(Variant::Standard, 4_000), (Variant::Chess960, 3_000), (Variant::DoubleChess960, 3_000)];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Variant {
    Standard,
    Chess960,
    DoubleChess960,
}

impl Variant {
    fn is_chess960(self) -> bool {
        self != Variant::Standard
    }

    /// A start, as each library sees it.
    fn start(self, random: &mut SplitMix) -> (Board, Chess) {
        let mut setup = Setup::initial();
        if self.is_chess960() {
            let white = random.below(960) as u32;
            let black = if self == Variant::Chess960 { white } else { random.below(960) as u32 };
            let (white, black) = (shakmaty::Board::chess960(white), shakmaty::Board::chess960(black));
            setup.board = shakmaty::Board::empty();
            for (square, piece) in white.iter().filter(|(_, piece)| piece.color.is_white()) {
                setup.board.set_piece_at(square, piece);
            }
            for (square, piece) in black.iter().filter(|(_, piece)| piece.color.is_black()) {
                setup.board.set_piece_at(square, piece);
            }
            setup.castling_rights = setup.board.rooks();
        }
        setup.fullmoves = NonZeroU32::MIN;
        let theirs: Chess = setup.position(CastlingMode::Chess960).unwrap();
        let mut ours: Board = fen_of(&theirs).parse().unwrap();
        ours.set_chess960(self.is_chess960());
        (ours, theirs)
    }
}

fn fen_of(theirs: &Chess) -> String {
    Fen::from_position(theirs, EnPassantMode::Legal).to_string()
}

/// The square with the same name.
fn square(theirs: shakmaty::Square) -> Square {
    Square::from_index(theirs.to_usize())
}

/// A move as both can write it: castling as the king taking its rook.
fn text(theirs: &shakmaty::Move) -> String {
    theirs.to_uci(CastlingMode::Chess960).to_string()
}

/// The move of a game to play now. Left to chance alone, games would soon have moved their kings, would seldom see
/// a capture en passant and hardly ever get down to a few pieces.
fn choose(board: &Board, moves: &[Move], game: usize, random: &mut SplitMix) -> Move {
    let may_castle =
        CastlingSide::ALL.iter().any(|&side| board.castling_rook(board.side_to_move(), side).is_some());
    let at_home = |m: Move| {
        let kind = board.piece_on(m.from()).map(|piece| piece.kind());
        matches!(kind, Some(PieceType::King | PieceType::Rook))
    };
    let those =
        |wanted: &dyn Fn(Move) -> bool| moves.iter().copied().filter(|&m| wanted(m)).collect::<Vec<_>>();
    let wanted = match random.below(6) {
        0 | 1 if game.is_multiple_of(2) => those(&|m| m.is_capture()),
        2 => those(&|m| m.kind() == MoveKind::DoublePush || m.is_en_passant()),
        3 => those(&|m| board.gives_check(m)),
        4 if random.below(4) == 0 => those(&|m| m.is_castle()),
        _ if may_castle => those(&|m| !at_home(m)),
        _ => Vec::new(),
    };
    let moves = if wanted.is_empty() { moves } else { wanted.as_slice() };
    moves[random.below(moves.len())]
}

/// The positions of the perft suites, which have what random games seldom see.
fn suite_positions() -> Vec<String> {
    let suites = ["known", "en_passant", "castling", "promotion", "checks", "chess960", "double960"];
    let texts = suites.map(|suite| {
        let path = format!("{}/perft/{suite}.epd", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    });
    let fens = texts.iter().flat_map(|text| text.lines()).filter_map(|line| line.split(" ;").next());
    fens.map(String::from).collect()
}

/// Shows `visit` the positions of the suites and of random games of every variant: the board with the moves that
/// led there still on its stack, and the other library's view of it. Returns what was among them.
fn walk(seed: u64, mut visit: impl FnMut(usize, &mut Board, &Chess)) -> Seen {
    let mut random = SplitMix(seed);
    let mut seen = Seen::default();
    for (index, fen) in suite_positions().iter().enumerate() {
        let mut ours: Board = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let theirs = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        visit(index, &mut ours, &theirs);
        seen.note(&ours, &ours.legal_moves());
    }
    for (variant, positions) in POSITIONS {
        let mut visited = 0;
        for game in 0usize.. {
            if visited == positions {
                break;
            }
            let (mut ours, mut theirs) = variant.start(&mut random);
            for _ in 0..20 + random.below(if game.is_multiple_of(2) { 240 } else { 80 }) {
                if visited == positions {
                    break;
                }
                visit(visited, &mut ours, &theirs);
                visited += 1;
                let moves = ours.legal_moves();
                seen.note(&ours, &moves);
                if moves.is_empty() || ours.is_insufficient_material() {
                    break;
                }
                let m = choose(&ours, &moves, game, &mut random);
                let name = to_uci(m, true);
                let legal = theirs.legal_moves();
                let same = legal.iter().find(|m| *text(m) == *name);
                theirs.play_unchecked(*same.unwrap_or_else(|| panic!("{ours}: {name} is not legal")));
                ours.make_move(m, &mut ());
            }
        }
    }
    seen
}

/// What a walk came upon: one that never castles would prove nothing about castling.
#[derive(Debug, Default)]
struct Seen {
    castling: usize,
    en_passant: usize,
    promotions: usize,
    checks: usize,
    double_checks: usize,
    mates: usize,
    bare: usize,
}

impl Seen {
    fn note(&mut self, board: &Board, moves: &MoveList) {
        self.castling += moves.iter().filter(|m| m.is_castle()).count();
        self.en_passant += moves.iter().filter(|m| m.is_en_passant()).count();
        self.promotions += moves.iter().filter(|m| m.is_promotion()).count();
        self.checks += usize::from(board.in_check());
        self.double_checks += usize::from(board.checkers().more_than_one());
        self.mates += usize::from(board.in_check() && moves.is_empty());
        self.bare += usize::from(board.is_insufficient_material());
    }
}

/// Everything two boards show of themselves but the way they were reached.
fn assert_same(a: &Board, b: &Board, context: &str) {
    assert_eq!(a.setup(), b.setup(), "{context}");
    assert_eq!(a.keys(), b.keys(), "{context}");
    assert_eq!((a.checkers(), a.pinned()), (b.checkers(), b.pinned()), "{context}");
    assert_eq!((a.ply(), a.castling()), (b.ply(), b.castling()), "{context}");
    for square in Square::ALL {
        let piece = a.piece_on(square);
        for kind in PieceType::ALL {
            assert_eq!(a.pieces(kind).has(square), piece.is_some_and(|p| p.kind() == kind), "{context}");
        }
        for color in Color::ALL {
            assert_eq!(a.by_color(color).has(square), piece.is_some_and(|p| p.color() == color), "{context}");
        }
    }
}

#[test]
fn moves_checks_and_draws_agree() {
    let seen = walk(1, |index, ours, theirs| {
        let mut found: Vec<String> =
            ours.legal_moves().iter().map(|&m| to_uci(m, true).to_string()).collect();
        let mut expected: Vec<String> = theirs.legal_moves().iter().map(text).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{ours}");
        assert_eq!(ours.count_legal_moves() as usize, found.len(), "{ours}");
        assert_eq!(ours.in_check(), theirs.is_check(), "{ours}");
        let checkers: Vec<Square> = theirs.checkers().into_iter().map(square).collect();
        assert_eq!(ours.checkers().into_iter().collect::<Vec<_>>(), checkers, "{ours}");
        assert_eq!(ours.is_insufficient_material(), theirs.is_insufficient_material(), "{ours}");
        assert_eq!(ours.en_passant(), theirs.legal_ep_square().map(square), "{ours}");
        if index.is_multiple_of(8) {
            assert_eq!(perft(ours, 2), shakmaty::perft(theirs, 2), "{ours}");
        }
        if index % 200 == 0 {
            assert_eq!(perft(ours, 3), shakmaty::perft(theirs, 3), "{ours}");
        }
    });
    assert!(seen.castling > 500 && seen.en_passant > 50 && seen.promotions > 500, "{seen:?}");
    assert!(seen.checks > 500 && seen.double_checks > 5 && seen.mates > 5 && seen.bare > 5, "{seen:?}");
}

#[test]
fn positions_are_written_and_read_alike() {
    walk(2, |_, ours, theirs| {
        let written = ours.to_string();
        let mut read: Board = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
        read.set_chess960(ours.is_chess960());
        assert_same(ours, &read, &written);
        // The two write castling differently, but each reads what the other wrote.
        let theirs_written = fen_of(theirs);
        let mut read: Board =
            theirs_written.parse().unwrap_or_else(|error| panic!("{theirs_written}: {error}"));
        read.set_chess960(ours.is_chess960());
        assert_same(ours, &read, &theirs_written);
        let theirs_read: Chess =
            written.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap();
        assert_eq!(fen_of(&theirs_read), theirs_written);
        if !ours.is_chess960() {
            assert_eq!(written, theirs_written);
        }
    });
}

#[test]
fn moves_are_written_and_read_alike() {
    walk(3, |_, ours, theirs| {
        for m in &theirs.legal_moves() {
            let uci = text(m);
            let read = parse_uci(ours, &uci).unwrap_or_else(|| panic!("{ours}: {uci} is not read"));
            assert_eq!(*to_uci(read, true), *uci, "{ours}");
            let own = to_uci(read, ours.is_chess960());
            assert_eq!(parse_uci(ours, &own), Some(read), "{ours}: {own}");
            let san = SanPlus::from_move(theirs.clone(), *m).to_string();
            assert_eq!(to_san(ours, read), san, "{ours}: {uci}");
            assert_eq!(parse_san(ours, &san), Ok(read), "{ours}: {san}");
        }
    });
}

#[test]
fn a_move_leaves_and_undo_restores_what_a_fresh_board_has() {
    walk(4, |index, board, _| {
        assert_same(board, &Board::from_setup(&board.setup()), "from scratch");
        if index % 4 != 0 {
            return;
        }
        let before = board.clone();
        let fen = before.to_string();
        for m in board.legal_moves() {
            let gives_check = board.gives_check(m);
            board.make_move(m, &mut ());
            let context = format!("{fen} {m:?}");
            assert_same(board, &Board::from_setup(&board.setup()), &context);
            // The check that en passant uncovers by its victim is left out on purpose.
            assert!(gives_check == board.in_check() || m.is_en_passant(), "{context}");
            board.unmake_move(m, &mut ());
            assert_same(board, &before, &context);
            assert_eq!(board.captured(), before.captured(), "{context}");
        }
        if !board.in_check() {
            board.make_null_move();
            assert_same(board, &Board::from_setup(&board.setup()), &fen);
            board.unmake_null_move();
            assert_same(board, &before, &fen);
        }
    });
}

#[test]
fn whole_games_are_taken_back() {
    for (variant, _) in POSITIONS {
        let mut random = SplitMix(5);
        for game in 0..20 {
            let (mut board, _) = variant.start(&mut random);
            let mut played = Vec::new();
            for _ in 0..300 {
                let moves = board.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = choose(&board, &moves, game, &mut random);
                played.push((m, board.clone()));
                board.make_move(m, &mut ());
            }
            for (m, before) in played.into_iter().rev() {
                board.unmake_move(m, &mut ());
                assert_same(&board, &before, "undone");
            }
        }
    }
}

#[test]
fn noisy_and_quiet_moves_are_all_moves() {
    walk(6, |_, board, _| {
        let sorted = |moves: MoveList| {
            let mut bits: Vec<u16> = moves.iter().map(|m| m.bits()).collect();
            bits.sort_unstable();
            bits
        };
        let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
        board.generate_into(GenType::Noisy, &mut noisy);
        board.generate_into(GenType::Quiet, &mut quiet);
        assert!(noisy.iter().all(|m| !m.is_quiet()) && quiet.iter().all(|m| m.is_quiet()), "{board}");
        let both = noisy.into_iter().chain(quiet).collect();
        assert_eq!(sorted(both), sorted(board.legal_moves()), "{board}");
    });
}

#[test]
fn legality_is_membership_for_every_pattern_of_bits() {
    let check = |board: &Board| {
        let mut legal = vec![false; 1 << 16];
        for m in board.legal_moves() {
            legal[usize::from(m.bits())] = true;
        }
        for m in (0..=u16::MAX).filter_map(Move::from_bits) {
            assert_eq!(board.is_legal(m), legal[usize::from(m.bits())], "{board}: {m:?}");
        }
    };
    walk(7, |index, board, _| {
        if index < 400 || index % 10 == 0 || board.en_passant().is_some() {
            check(board);
        }
    });
}

#[test]
fn castling_takes_king_and_rook_home() {
    let mut castled = 0;
    walk(8, |_, board, _| {
        let us = board.side_to_move();
        for m in board.legal_moves().into_iter().filter(|m| m.kind() == MoveKind::Castle) {
            let king_side = m.to().file() > m.from().file();
            let side = if king_side { CastlingSide::King } else { CastlingSide::Queen };
            board.make_move(m, &mut ());
            let files = if king_side { (File::G, File::F) } else { (File::C, File::D) };
            let rank = m.from().rank();
            assert_eq!(board.king(us), Square::new(files.0, rank), "{board}");
            assert!(board.pieces_of(us, PieceType::Rook).has(Square::new(files.1, rank)), "{board}");
            assert!(CastlingSide::ALL.iter().all(|&side| board.castling_rook(us, side).is_none()), "{board}");
            board.unmake_move(m, &mut ());
            assert_eq!(board.castling_rook(us, side), Some(m.to()), "{board}");
            castled += 1;
        }
    });
    assert!(castled > 600, "{castled}");
}
