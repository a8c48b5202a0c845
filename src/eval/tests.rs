use super::*;
use crate::board::Board;

#[test]
fn the_start_position_is_worth_the_tempo_alone() {
    let board = Board::start();
    let value = evaluate(&board);
    assert!((0..60).contains(&value), "{value}");
    assert_eq!(Evaluator::new(&board).evaluate(&board), value);
}

#[test]
fn incremental_sums_equal_sums_from_scratch_through_make_and_undo() {
    let mut board = Board::start();
    let mut evaluator = Evaluator::new(&board);
    let mut random = 0x1234_5678_9ABC_DEF0u64;
    let mut played = Vec::new();
    for _ in 0..300 {
        let moves = board.legal_moves();
        if moves.is_empty() {
            break;
        }
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let m = moves[(random % moves.len() as u64) as usize];
        board.make(m, &mut evaluator);
        played.push(m);
        assert_eq!(evaluator.present(), evaluator::Sum::of(&board));
    }
    assert!(played.len() > 50);
    for m in played.into_iter().rev() {
        board.undo(m, &mut evaluator);
        assert_eq!(evaluator.present(), evaluator::Sum::of(&board));
    }
}
