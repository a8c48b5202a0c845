//! Finds a mate in one.

use std::error::Error;

use caesura::board::notation::to_san;
use caesura::engine::{Engine, Limits};

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new(2, 16)?; // two threads (on one processor, one), a table of 16 megabytes
    engine.set_position("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1".parse()?);
    let result = engine.search(Limits::depth(4))?;
    let best = result.best.expect("White has moves");
    assert_eq!(to_san(engine.board(), best), "Ra8#");
    Ok(())
}
