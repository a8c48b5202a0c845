//! The figures of David and Netanyahu 2008, "Extended Null-Move Reductions", to stand beside ours.

/// The position of figure 3: 1.h3 mates in 15, 1.h4 draws.
pub const ZUGZWANG: &str = "8/8/8/2p5/1pp5/brpp4/1pprp2P/qnkbK3 w - - 0 1";
/// The name of that position.
pub const ZUGZWANG_ID: &str = "figure 3";
/// In how many moves it is mate.
pub const ZUGZWANG_MATE: i32 = 15;
/// The positions of the tactical suite.
pub const TACTICS_POSITIONS: u32 = 879;

/// Table 2: how many more nodes than `extended` the fixed reductions take, in per cent.
pub const NODES: [(&str, f64); 5] =
    [("fixed:r=1", 391.0), ("fixed:r=2", 150.5), ("fixed:r=3", 33.8), ("fixed:r=4", -4.1), ("extended", 0.0)];

/// Tables 3 and 4: positions solved.
pub const TACTICS: [(&str, u32); 6] = [
    ("extended", 644),
    ("adaptive34", 637),
    ("adaptive", 636),
    ("fixed:r=3", 635),
    ("fixed:r=4", 632),
    ("fixed:r=2", 627),
];

/// Table 6: the Elo of `extended` over `adaptive` in 1,000 games, and the error.
pub const MATCH: (f64, f64) = (32.0, 16.0);

/// What a table holds of a contender.
pub fn find<T: Copy>(table: &[(&str, T)], contender: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == contender).map(|&(_, value)| value)
}
