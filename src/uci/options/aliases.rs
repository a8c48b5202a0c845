//! Other names of options, as users of other engines type them.

/// Other names, and the options that they stand for.
pub const ALIASES: &[(&str, &str)] = &[
    ("LogFile", "Debug Log File"),
    ("DebugFile", "Debug Log File"),
    ("Skill", "Skill Level"),
    ("Strength", "Skill Level"),
    ("LimitStrength", "UCI_LimitStrength"),
    ("Elo", "UCI_Elo"),
    ("CPUs", "Threads"),
    ("Cores", "Threads"),
    ("MaxCPUs", "Threads"),
    ("NumThreads", "Threads"),
    ("HashSize", "Hash"),
    ("HashMemory", "Hash"),
    ("HashMB", "Hash"),
    ("ResetHash", "Clear Hash"),
    ("MultiPVs", "MultiPV"),
    ("NumPVs", "MultiPV"),
    ("Overhead", "Move Overhead"),
    ("OverheadMs", "Move Overhead"),
    ("MoveOverheadMs", "Move Overhead"),
    ("LagBuffer", "Move Overhead"),
    ("Chess960", "UCI_Chess960"),
    ("FRC", "UCI_Chess960"),
    ("ShowWDL", "UCI_ShowWDL"),
    ("Numa", "NumaPolicy"),
    ("EvalNet", "EvalFile"),
    ("NetFile", "EvalFile"),
    ("NNUEFile", "EvalFile"),
    ("WeightsFile", "EvalFile"),
    ("MinimalOutput", "Minimal"),
];

/// A name without case, spaces, hyphens and underscores.
pub fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, ' ' | '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

/// The name of the option that another name stands for, which is given as [`plain`] writes it.
pub fn option_of(alias: &str) -> Option<&'static str> {
    ALIASES.iter().find(|(other, _)| plain(other) == alias).map(|&(_, option)| option)
}
