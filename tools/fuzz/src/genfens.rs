//! `genfens` and its book.

use std::fs;

use caesura::board::Board;
use caesura::uci::genfens::{Request, generate};

use crate::bytes;
use crate::network::MATERIAL;

/// The first line is what follows the word `genfens`, the rest is the book, if the line names one.
///
/// The openings that are written can be read, and go on.
pub fn check(data: &[u8]) {
    let (words, book) = bytes::line(data);
    let mut request = match Request::parse(&words) {
        Ok(request) => request,
        Err(error) => {
            assert!(!error.to_string().contains(char::is_control), "{error}");
            return;
        }
    };
    // Openings that are not good enough would cost a search each.
    (request.count, request.limit) = (request.count.min(2), i32::MAX);
    let scratch = tempfile::tempdir().expect("a directory");
    if let Some(path) = &mut request.book {
        *path = scratch.path().join("book.epd");
        fs::write(path, book).expect("a file");
    }
    let mut found = 0;
    let result = generate(&request, &MATERIAL, &|| false, |board| {
        let again: Board = board.to_string().parse().expect("what is written can be read");
        assert_eq!(again.to_string(), board.to_string());
        assert!(!again.legal_moves().is_empty(), "{board}");
        found += 1;
    });
    match result {
        Ok(()) => assert_eq!(found, request.count),
        Err(error) => assert!(!error.to_string().contains(char::is_control), "{error}"),
    }
}
