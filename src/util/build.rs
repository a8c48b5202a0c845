//! How the program was built.

use super::cpu;

/// The compiler, as it names itself.
const COMPILER: &str = env!("CAESURA_COMPILER");
/// The system that the program was built for, as compilers have it.
const TARGET: &str = env!("CAESURA_TARGET");
/// How far the program is optimised, 0 to 3, `s` or `z`.
const OPTIMISATION: &str = env!("CAESURA_OPT_LEVEL");

/// How the program was built, in a few lines: version, compiler, system, instructions, features.
pub fn description() -> String {
    let mut kind = format!("optimisation level {OPTIMISATION}");
    for (set, name) in [
        (cfg!(debug_assertions), ", debug assertions"),
        (cfg!(feature = "tune"), ", feature tune"),
        (cfg!(feature = "model"), ", feature model"),
    ] {
        if set {
            kind.push_str(name);
        }
    }
    format!(
        "version      {}\ncompiler     {COMPILER}\nsystem       {TARGET}\ninstructions {}: {}\nbuild        {kind}",
        env!("CARGO_PKG_VERSION"),
        cpu::compiled_set(),
        cpu::names(|feature| feature.compiled, ""),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_and_the_system_are_named() {
        let text = description();
        assert!(text.contains("compiler     rustc ") && text.contains(std::env::consts::ARCH), "{text}");
    }
}
