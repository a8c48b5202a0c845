//! Positions as text: what is read, what is refused and why, and that nothing makes the reader panic.

use caesura::board::Board;
use caesura::board::fen::{FenField, FenProblem, parse, parse_any_material};
use caesura::types::{Piece, PieceType};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn what_was_read_is_written() {
    for fen in [
        START,
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 12 34",
        "8/8/8/8/8/4k3/8/4K3 w - - 1000 100000",
        // Chess960, double Chess960, and an inner rook.
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "rkr5/8/8/8/8/8/8/5RKR w HFca - 0 1",
        "3k4/8/8/8/8/8/8/RR2K1RR w GB - 0 1",
    ] {
        assert_eq!(parse(fen).map(|setup| setup.to_string()).as_deref(), Ok(fen));
    }
}

#[test]
fn rights_have_several_spellings() {
    for (written, same) in [
        ("rk2r3/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1", "rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1"),
        ("rk2r3/8/8/8/8/8/8/R3K1R1 w qkQK - 0 1", "rk2r3/8/8/8/8/8/8/R3K1R1 w GAea - 0 1"),
        ("4k3/8/8/8/8/8/8/1R2KRR1 w KB - 0 1", "4k3/8/8/8/8/8/8/1R2KRR1 w GB - 0 1"),
    ] {
        assert_eq!(parse(written), parse(same), "{written}");
        assert_eq!(parse(written).unwrap().to_string(), same);
    }
    let standard = parse(START).unwrap();
    let mut letters = parse(&START.replace("KQkq", "HAha")).unwrap();
    assert!(letters.chess960 && !standard.chess960);
    letters.chess960 = false;
    assert_eq!(letters, standard);
    // An inner rook has no letter but its file's, also when castling is written the standard way.
    let mut inner = parse("4k3/8/8/8/8/8/8/4K1RR w G - 0 1").unwrap();
    inner.chess960 = false;
    assert_eq!(inner.to_string(), "4k3/8/8/8/8/8/8/4K1RR w G - 0 1");
}

#[test]
fn counters_may_be_missing_and_space_wide() {
    let start = parse(START).unwrap();
    let pieces = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    assert_eq!(parse(&format!("{pieces} w KQkq -")), Ok(start.clone()));
    assert_eq!(parse(&format!("{pieces} w KQkq - 0")), Ok(start.clone()));
    assert_eq!(parse(&format!(" \t{pieces}   w\tKQkq - 0 0 \r\n")), Ok(start));
}

#[test]
fn counters_that_have_gone_beyond_what_is_read_are_written_as_the_greatest() {
    let mut board: Board = "8/8/8/8/8/4k3/4p3/4K3 b - - 1000 100000".parse().expect("a position");
    let m = board.legal_moves()[0];
    board.make_move(m, &mut ());
    let written = board.to_string();
    assert!(written.ends_with(" 1000 100000"), "{written}");
    assert_eq!(written.parse::<Board>().expect("it is read").to_string(), written);
}

#[test]
fn errors_name_their_field() {
    use FenField::*;
    for (fen, field) in [
        ("", Pieces),
        ("startpos", Pieces),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", Pieces),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w KQkq - 0 1", Pieces),
        ("rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
        ("rnbqkbnr/pppppppp/8/8/8/44p/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
        ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
        ("rnbqkbnr/pppppppp/80/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
        ("rnbqkbnr/pppppppé/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
        ("8/8/8/8/8/8/8/8 w - - 0 1", Pieces),
        ("8/8/8/4k3/8/8/8/8 w - - 0 1", Pieces),
        ("8/8/8/4k3/8/8/8/K6K w - - 0 1", Pieces),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", Pieces),
        ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", Pieces),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", Pieces),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKQNR w KQkq - 0 1", Pieces),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNNR w KQkq - 0 1", Pieces),
        ("rnb1kb1r/pppppppp/8/2bb4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Pieces),
        ("QQQQQQQQ/QQ6/8/8/k7/8/8/4K3 b - - 0 1", Pieces),
        ("4k3/8/8/1n1n1n2/2n1n3/4K3/8/8 w - - 0 1", Pieces),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", SideToMove),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", SideToMove),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq - 0 1", SideToMove),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", SideToMove),
        ("8/8/8/8/8/4k3/4K3/8 w - - 0 1", SideToMove),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w", Castling),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkx - 0 1", Castling),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq- - 0 1", Castling),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KK - 0 1", Castling),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KH - 0 1", Castling),
        ("4k3/8/8/8/8/8/8/4KRR1 w FG - 0 1", Castling),
        ("4k3/8/8/8/8/8/4K3/7R w i - 0 1", Castling),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq", EnPassant),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", EnPassant),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1", EnPassant),
        ("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR b KQkq e6 0 1", EnPassant),
        ("rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq E6 0 1", EnPassant),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", HalfmoveClock),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1", HalfmoveClock),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - +1 1", HalfmoveClock),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1001 1", HalfmoveClock),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1.5", FullmoveNumber),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 4294967297", FullmoveNumber),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves", FullmoveNumber),
    ] {
        let error = parse(fen).expect_err(fen);
        assert_eq!(error.field(), field, "{fen}: {error}");
        assert!(error.to_string().contains(&field.to_string()), "{error}");
    }
}

#[test]
fn stale_rights_are_left_out() {
    for (fen, expected) in [
        ("4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "4k3/8/8/8/8/8/4K3/7R w - - 0 1"),
        ("4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2r w K - 0 1", "4k3/8/8/8/8/8/8/4K2r w - - 0 1"),
        ("r3k2r/8/8/8/8/8/8/1R2K1R1 w AHkq - 0 1", "r3k2r/8/8/8/8/8/8/1R2K1R1 w kq - 0 1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Ekq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1",
        ),
        (
            "rnbqkb1r/pppp1ppp/4n3/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",
            "rnbqkb1r/pppp1ppp/4n3/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
    ] {
        let setup = parse(fen).expect(fen);
        assert!(!setup.chess960, "{fen}");
        assert_eq!(setup.to_string(), expected, "{fen}");
    }
}

#[test]
fn errors_keep_what_is_wrong_and_no_more_of_the_text_than_can_be_shown() {
    let problem = |fen: &str| parse(fen).expect_err(fen).problem().clone();
    assert_eq!(problem("4k3/8/8/8/8/8/8/4K2x w - -"), FenProblem::NoPiece { rank: 1, letter: 'x' });
    assert_eq!(problem("4k3/8/8/8/8/8/7/4K3 w - -"), FenProblem::RankTooShort { rank: 2, squares: 7 });
    assert_eq!(problem("4k3/8/8/8/8/8/8/4K3 w x -"), FenProblem::NoRight('x'));
    assert_eq!(problem("4k3/8/8/8/8/8/8/4K3 w - - 0 1 end"), FenProblem::Trailing("'end'".into()));
    let long = "9".repeat(1 << 20);
    for fen in [format!("4k3/8/8/8/8/8/8/4K3 {long}"), format!("4k3/8/8/8/8/8/8/4K3 w - - {long}")] {
        let error = parse(&fen).expect_err("too long").to_string();
        assert!(error.len() < 200 && error.contains("999...'"), "{error}");
    }
}

#[test]
fn any_material_is_read_for_counting_alone() {
    use FenField::{Pieces, SideToMove};
    for fen in [
        "kBQQQQQQ/BR5Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
        "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
        "rnb1kb1r/pppppppp/8/2bb4/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert_eq!(parse(fen).expect_err(fen).field(), Pieces);
        assert_eq!(parse_any_material(fen).expect(fen).to_string(), fen);
    }
    for (fen, field) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", Pieces),
        ("8/8/8/4k3/8/8/8/K6K w - - 0 1", Pieces),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", Pieces),
        ("4k3/8/8/1n1n1n2/2n1n3/4K3/8/8 w - - 0 1", Pieces),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", SideToMove),
    ] {
        assert_eq!(parse_any_material(fen).expect_err(fen).field(), field, "{fen}");
    }
}

#[test]
fn giant_and_foreign_text_is_refused_briefly() {
    for text in ["8/".repeat(100_000), "k".repeat(1 << 20), "\u{1F451}/\u{0}\u{1b}[31m".repeat(1000)] {
        let error = parse(&text).expect_err("no position").to_string();
        assert!(error.len() < 200 && !error.contains(char::is_control), "{error}");
    }
    let number = "9".repeat(1 << 16);
    assert!(parse(&START.replace("0 1", &format!("{number} 1"))).is_err());
}

fn survives(text: &str) {
    if let Ok(setup) = parse(text) {
        let written = setup.to_string();
        assert_eq!(parse(&written), Ok(setup.clone()), "{text}");
        // The board drops an en passant square that no pawn can capture on, and nothing else.
        let board = Board::from_setup(&setup);
        assert_eq!(board.to_string().parse::<Board>().map(|b| b.setup()), Ok(board.setup()), "{text}");
        assert!(board.legal_moves().len() <= 218, "{text}");
    }
}

/// What a FEN is made of, and a few others.
const LETTERS: &[char] = &[
    'p', 'n', 'b', 'r', 'q', 'k', 'P', 'N', 'B', 'R', 'Q', 'K', '1', '1', '1', '2', '3', '8', '0', '9', '/',
    ' ', '-', 'w', 'b', 'a', 'e', 'h', 'A', 'H', '+', '\u{e9}',
];

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in ".*") {
        survives(&text);
    }

    #[test]
    fn any_text_of_the_right_letters_is_read_or_refused(
        text in "[1-8kKqQrRbBnNpP/]{1,80} [wb] [KQkqA-Ha-h-]{1,5} (-|[a-h][36]) [0-9]{1,4} [0-9]{1,4}",
    ) {
        survives(&text);
    }

    #[test]
    fn any_pieces_are_read_or_refused(
        places in prop::collection::vec((0..64usize, 0..Piece::COUNT), 0..20),
        kings in (0..64usize, 0..64usize),
        rest in "[wb] (-|-|-|-|[KQkq]{1,2}|[A-H]{1,2}|[a-h]{1,2}) (-|-|-|[a-h][36])",
    ) {
        let mut setup = parse(START).unwrap();
        setup.pieces = [None; 64];
        for (square, piece) in places {
            setup.pieces[square] = Some(Piece::ALL[piece]).filter(|piece| match piece.kind() {
                PieceType::King => false,
                PieceType::Pawn => (8..56).contains(&square),
                _ => true,
            });
        }
        setup.pieces[kings.0] = Some(Piece::WhiteKing);
        setup.pieces[kings.1] = Some(Piece::BlackKing);
        let fen = setup.to_string();
        survives(&format!("{} {rest}", fen.split(' ').next().unwrap()));
    }

    #[test]
    fn mutated_positions_are_read_or_refused(
        which in 0..4usize,
        edits in prop::collection::vec((0..100usize, prop::sample::select(LETTERS), 0..6u8), 1..4),
    ) {
        let fens = [
            START,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        ];
        let mut letters: Vec<char> = fens[which].chars().collect();
        for (at, letter, edit) in edits {
            let at = at % letters.len();
            match edit {
                0..=3 => letters[at] = letter,
                4 => letters.insert(at, letter),
                _ => { letters.remove(at); }
            }
        }
        survives(&letters.into_iter().collect::<String>());
    }
}
