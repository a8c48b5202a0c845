//! The `caesura` program.

fn main() {}
