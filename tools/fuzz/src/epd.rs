//! Suites of test positions.

use caesura::suite::epd::{self, EpdRecord};
use caesura::suite::{Goal, TestPosition};

/// A line that was taken apart and is put together again, every word in quotation marks, has the same parts. A suite that
/// is accepted asks for legal moves only, and has as many tasks as lines.
pub fn check(input: &[u8]) {
    let Ok(text) = str::from_utf8(input) else { return };
    for (_, line) in epd::lines(text) {
        let record = epd::parse(line);
        if record.fen.split(' ').count() == 6 {
            assert_eq!(epd::parse(&written(&record)), record);
        }
    }
    let Ok(tasks) = TestPosition::parse_all(text) else { return };
    assert_eq!(tasks.len(), epd::lines(text).count());
    for task in tasks {
        let moves = match &task.goal {
            Goal::Moves { best, avoid } => [&best[..], &avoid[..]].concat(),
            Goal::Graded(graded) => {
                assert!(graded.iter().all(|&(_, points)| points <= task.max_points()));
                graded.iter().map(|&(m, _)| m).collect()
            }
            Goal::Mate(distance) => {
                assert_ne!(*distance, 0);
                Vec::new()
            }
        };
        assert!(moves.iter().all(|&m| task.board.is_legal(m)), "{} {moves:?}", task.board);
    }
}

fn written(record: &EpdRecord) -> String {
    let mut line = record.fen.clone();
    for (opcode, operands) in &record.operations {
        for word in [opcode].into_iter().chain(operands) {
            line.push_str(&format!(" \"{word}\""));
        }
        line.push(';');
    }
    line
}
