//! Which instructions this program was compiled for, and which the processor has.
//!
//! `is_x86_feature_detected!` will not do: what the program was compiled for it takes for granted.

/// An instruction set extension.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Its name, as compilers have it.
    pub name: &'static str,
    /// The program was compiled to use it.
    pub compiled: bool,
    /// The lowest [`level`] of the instruction set that has it; 6 if none has it.
    pub level: u32,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    register: usize,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    bit: u32,
}

macro_rules! features {
    ($($name:literal $level:literal $register:literal $bit:literal),* $(,)?) => {
        [$(Feature {
            name: $name,
            compiled: cfg!(target_feature = $name),
            level: $level,
            register: $register,
            bit: $bit,
        }),*]
    };
}

/// The extensions that compilers use unasked: name, level (6: none has it), register (0: leaf 1 ECX, 1: leaf 7 EBX, 2: leaf
/// 7 ECX, 3: leaf 0x80000001 ECX, 4: leaf 7.1 EAX, 5: leaf 7.1 EDX, 6: leaf 7 EDX) and bit.
#[cfg(target_arch = "x86_64")]
pub const FEATURES: [Feature; 46] = features![
    "sse3" 2 0 0, "ssse3" 2 0 9, "sse4.1" 2 0 19, "sse4.2" 2 0 20, "popcnt" 2 0 23, "cmpxchg16b" 2 0 13,
    "movbe" 3 0 22, "fma" 3 0 12, "f16c" 3 0 29, "avx" 3 0 28, "bmi1" 3 1 3, "avx2" 3 1 5, "bmi2" 3 1 8,
    "lzcnt" 3 3 5,
    "avx512f" 4 1 16, "avx512dq" 4 1 17, "avx512cd" 4 1 28, "avx512bw" 4 1 30, "avx512vl" 4 1 31,
    "avx512ifma" 5 1 21, "avx512vbmi" 5 2 1, "avx512vbmi2" 5 2 6, "avx512vnni" 5 2 11, "avx512bitalg" 5 2 12,
    "avx512vpopcntdq" 5 2 14, "gfni" 5 2 8, "vaes" 5 2 9, "vpclmulqdq" 5 2 10, "pclmulqdq" 5 0 1, "aes" 5 0 25,
    "sha" 6 1 29, "adx" 6 1 19, "sse4a" 6 3 6, "xop" 6 3 11, "tbm" 6 3 21,
    "sha512" 6 4 0, "sm3" 6 4 1, "sm4" 6 4 2, "avxvnni" 6 4 4, "avx512bf16" 6 4 5, "avxifma" 6 4 23,
    "avxvnniint8" 6 5 4, "avxneconvert" 6 5 5, "avxvnniint16" 6 5 10,
    "avx512vp2intersect" 6 6 8, "avx512fp16" 6 6 23,
];

/// On other processors nothing is looked for: a build for the one of the machine must stay on such processors.
#[cfg(not(target_arch = "x86_64"))]
pub const FEATURES: [Feature; 0] = features![];

#[cfg(target_arch = "x86_64")]
mod detect {
    use std::arch::x86_64::{__cpuid_count, _xgetbv};
    use std::hint::black_box;

    use super::FEATURES;

    const OSXSAVE: u32 = 1 << 27;
    /// The parts of the state that AVX and AVX-512 need the operating system to keep.
    const AVX_STATE: u64 = 0x6;
    /// macOS enables what AVX-512 adds only when a thread first uses it, so that nothing can be required there.
    const AVX512_STATE: u64 = if cfg!(target_os = "macos") { AVX_STATE } else { 0xE6 };

    /// The bits of a register whose features need this state.
    const fn of_state(register: usize, wide: bool) -> u32 {
        match (register, wide) {
            // AVX, FMA and F16C.
            (0, false) => 1 << 28 | 1 << 12 | 1 << 29,
            // AVX2; AVX-512.
            (1, false) => 1 << 5,
            (1, true) => 1 << 16 | 1 << 17 | 1 << 21 | 1 << 28 | 1 << 30 | 1 << 31,
            (2, false) => 1 << 9 | 1 << 10,
            (2, true) => 1 << 1 | 1 << 6 | 1 << 11 | 1 << 12 | 1 << 14,
            // XOP.
            (3, false) => 1 << 11,
            // SHA-512, SM3, SM4, AVX-VNNI and AVX-IFMA; BF16.
            (4, false) => 1 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 23,
            (4, true) => 1 << 5,
            (5, false) => 1 << 4 | 1 << 5 | 1 << 10,
            (6, true) => 1 << 8 | 1 << 23,
            _ => 0,
        }
    }

    /// The registers that have bits of features.
    const REGISTERS: usize = 7;

    /// What must be there, register by register.
    const REQUIRED: [u32; REGISTERS] = {
        let mut required = [0; REGISTERS];
        let mut index = 0;
        while index < FEATURES.len() {
            if FEATURES[index].compiled {
                required[FEATURES[index].register] |= 1 << FEATURES[index].bit;
            }
            index += 1;
        }
        required
    };

    /// What the processor has and the operating system lets programs use.
    #[inline(never)]
    pub(super) fn present() -> [u32; REGISTERS] {
        let most = __cpuid_count(0, 0).eax;
        let most_extended = __cpuid_count(0x8000_0000, 0).eax;
        let first = __cpuid_count(1, 0).ecx;
        let (mut seventh, mut second, mut extended) = ([0; 3], [0; 2], 0);
        if most >= 7 {
            let leaf = __cpuid_count(7, 0);
            seventh = [leaf.ebx, leaf.ecx, leaf.edx];
            // Its EAX is the greatest subleaf.
            if leaf.eax >= 1 {
                let leaf = __cpuid_count(7, 1);
                second = [leaf.eax, leaf.edx];
            }
        }
        if most_extended >= 0x8000_0001 {
            extended = __cpuid_count(0x8000_0001, 0).ecx;
        }
        // SAFETY: the bit says that the operating system has made the instruction available.
        let state = if first & OSXSAVE != 0 { unsafe { _xgetbv(0) } } else { 0 };
        let mask = |register, bits: u32| {
            let mut bits = bits;
            if state & AVX_STATE != AVX_STATE {
                bits &= !of_state(register, false);
            }
            if state & AVX512_STATE != AVX512_STATE {
                bits &= !of_state(register, true);
            }
            bits
        };
        [
            mask(0, first),
            mask(1, seventh[0]),
            mask(2, seventh[1]),
            mask(3, extended),
            mask(4, second[0]),
            mask(5, second[1]),
            mask(6, seventh[2]),
        ]
    }

    /// True if nothing is missing. One register after the other, lest the compiler make of it an instruction that is
    /// missing itself.
    #[inline(never)]
    pub(super) fn is_suitable() -> bool {
        let present = present();
        black_box(present[0]) & REQUIRED[0] == REQUIRED[0]
            && black_box(present[1]) & REQUIRED[1] == REQUIRED[1]
            && black_box(present[2]) & REQUIRED[2] == REQUIRED[2]
            && black_box(present[3]) & REQUIRED[3] == REQUIRED[3]
            && black_box(present[4]) & REQUIRED[4] == REQUIRED[4]
            && black_box(present[5]) & REQUIRED[5] == REQUIRED[5]
            && black_box(present[6]) & REQUIRED[6] == REQUIRED[6]
    }
}

/// True if the processor has all that the program was compiled for. Uses next to no instructions itself.
pub fn is_suitable() -> bool {
    #[cfg(target_arch = "x86_64")]
    return detect::is_suitable();
    #[cfg(not(target_arch = "x86_64"))]
    true
}

impl Feature {
    /// True if the processor has it and the operating system lets programs use it.
    pub fn is_present(&self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return detect::present()[self.register] >> self.bit & 1 != 0;
        #[cfg(not(target_arch = "x86_64"))]
        false
    }
}

/// The highest level of the x86-64 instruction set: the four that compilers know, and 5, what has come with AVX-512 in
/// Ice Lake and later processors of Intel, and in AMD's since Zen 4. All features of a level and of those below it are there.
pub fn level(has: impl Fn(&Feature) -> bool) -> u32 {
    let complete = |level: u32| FEATURES.iter().filter(|feature| feature.level == level).all(&has);
    (2..=LEVELS).take_while(|&level| !FEATURES.is_empty() && complete(level)).last().unwrap_or(1)
}

/// How many levels there are.
pub const LEVELS: u32 = 5;

/// The name of a level: as compilers have it, and the fifth as the makefile of Stockfish has it.
pub const fn level_name(level: u32) -> &'static str {
    match level {
        1 => "x86-64",
        2 => "x86-64-v2",
        3 => "x86-64-v3",
        4 => "x86-64-v4",
        _ => "x86-64-avx512icl",
    }
}

/// The instruction set that this program was compiled for: a level of x86-64, or the name of another architecture.
pub fn compiled_set() -> &'static str {
    if FEATURES.is_empty() { std::env::consts::ARCH } else { level_name(level(|feature| feature.compiled)) }
}

/// The names of the features that are so, with a space between them, or `none` if no feature is.
pub fn names(which: impl Fn(&Feature) -> bool, none: &str) -> String {
    let names: Vec<&str> =
        FEATURES.iter().filter(|feature| which(feature)).map(|feature| feature.name).collect();
    if names.is_empty() { none.to_string() } else { names.join(" ") }
}

/// The level for which a release has no program; see [`release_builds`].
pub const UNRELEASED_LEVEL: u32 = 4;

/// The builds of a release that a processor with these features can run, fastest first, by their names.
///
/// There is none for [`UNRELEASED_LEVEL`]: processors with AVX-512 as it was before Ice Lake are slower with vectors of 512
/// bits. On a Cascade Lake, a build for the third level makes 1.04 times the nodes a second of one for the fourth, on a Zen 5
/// 1.02 times. `x86-64-avx2` is one for the third level that does not use the instruction PEXT: magics cost 2 % of the speed on
/// that Cascade Lake, but PEXT is microcoded and slow on processors of AMD before Zen 3, which SSE4a without VAES shows: by the
/// same rule `src/attacks/sliders.rs` selects magics when it is compiled.
pub fn release_builds(has: impl Fn(&Feature) -> bool) -> impl Iterator<Item = &'static str> {
    let level = level(&has);
    let feature = |name| FEATURES.iter().any(|feature| feature.name == name && has(feature));
    let slow_pext = level >= 3 && feature("sse4a") && !feature("vaes");
    let levels = (1..=level).rev().filter(|&level| level != UNRELEASED_LEVEL);
    slow_pext.then_some("x86-64-avx2").into_iter().chain(levels.map(level_name))
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// What every processor has, and what compilers use only where a program asks for it.
    const UNCHECKED: [&str; 20] = [
        "fxsr",
        "sse",
        "sse2",
        "x87",
        "ermsb",
        "kl",
        "lahfsahf",
        "movrs",
        "prfchw",
        "rdrand",
        "rdseed",
        "rtm",
        "widekl",
        "xsave",
        "xsavec",
        "xsaveopt",
        "xsaves",
        "crt-static",
        "waitpkg",
        "serialize",
    ];

    #[test]
    fn whatever_the_compiler_may_use_is_looked_for() {
        let is_known = |name: &&str| {
            UNCHECKED.contains(name)
                || FEATURES.iter().any(|feature| feature.name == *name && feature.compiled)
        };
        let missed: Vec<&str> =
            env!("CAESURA_TARGET_FEATURES").split(',').filter(|name| !is_known(name)).collect();
        assert!(missed.is_empty(), "neither in `FEATURES` nor in `UNCHECKED`: {missed:?}");
    }

    #[test]
    fn the_processor_is_known() {
        assert!(is_suitable());
        for feature in FEATURES {
            let present = feature.is_present();
            assert!(present || !feature.compiled, "{}", feature.name);
            // The system's own list; its names differ only here, and some it does not have.
            let listed = match feature.name {
                "avxifma" | "avxvnniint8" | "avxvnniint16" | "avxneconvert" | "sha512" | "sm3" | "sm4" => {
                    continue;
                }
                "cmpxchg16b" => "cx16".to_string(),
                "avxvnni" => "avx_vnni".to_string(),
                "sse3" => "pni".to_string(),
                "lzcnt" => "abm".to_string(),
                "sha" => "sha_ni".to_string(),
                "avx512vbmi2" | "avx512vnni" | "avx512bitalg" | "avx512vpopcntdq" | "avx512bf16"
                | "avx512fp16" | "avx512vp2intersect" => feature.name.replace("avx512", "avx512_"),
                name => name.replace('.', "_"),
            };
            if let Ok(text) = std::fs::read_to_string("/proc/cpuinfo")
                && let Some(flags) = text.lines().find(|line| line.starts_with("flags"))
            {
                assert_eq!(flags.split(' ').any(|flag| flag == listed), present, "{listed}");
            }
        }
        assert!(level(Feature::is_present) >= level(|feature| feature.compiled));
        assert_eq!(level(|_| true), LEVELS);
        assert_eq!(level(|feature| feature.level < 5), 4);
        assert_eq!(level(|feature| feature.level < 3), 2);
        assert_eq!(level(|_| false), 1);
    }

    #[test]
    fn the_fastest_build_comes_first_and_none_is_above_the_processor() {
        let builds = |level, more: &[&str], less: &[&str]| {
            let has = |feature: &Feature| {
                (feature.level <= level || more.contains(&feature.name)) && !less.contains(&feature.name)
            };
            release_builds(has).collect::<Vec<_>>()
        };
        let third = ["x86-64-v3", "x86-64-v2", "x86-64"];
        assert_eq!(builds(1, &[], &[]), third[2..]);
        assert_eq!(builds(2, &["sse4a"], &[]), third[1..]);
        assert_eq!(builds(3, &[], &[]), third);
        assert_eq!(builds(3, &["sse4a", "vaes"], &[]), third);
        assert_eq!(builds(3, &["sse4a"], &[]), ["x86-64-avx2", "x86-64-v3", "x86-64-v2", "x86-64"]);
        assert_eq!(builds(4, &[], &[]), third);
        assert_eq!(builds(5, &["sse4a"], &[])[..2], ["x86-64-avx512icl", "x86-64-v3"]);
        assert_eq!(builds(5, &["sse4a"], &["avx512vbmi2"]), third);
    }
}
