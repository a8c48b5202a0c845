//! The layering rules of the code, as data.

/// The top-level modules of the library, from the lowest floor up. A file needs only its own floor and lower ones.
pub const FLOORS: &[&[&str]] = &[
    &["types", "util", "params"],
    &["attacks", "zobrist", "tt", "clock", "topology"],
    &["board"],
    &["nnue", "tablebase", "perft"],
    &["search"],
    &["pool"],
    &["engine", "single_threaded"],
    &["bench", "chart", "speedtest", "suite"],
    &["uci", "cli"],
    &["lib", "main"],
];

/// The floor of a top-level module.
pub fn floor(top_module: &str) -> Option<usize> {
    FLOORS.iter().position(|top_modules| top_modules.contains(&top_module))
}

/// What every interface and every tool may import of the library: the facade, and the words of chess.
const FACADE: &[&str] = &["engine", "single_threaded", "types", "board"];

/// Whose files may import what besides: the start of a path, and modules.
pub const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("src/uci/", &["util", "bench", "speedtest", "suite", "perft"]),
    ("src/cli/", &["uci", "util", "bench", "speedtest", "suite", "perft"]),
    // Its nodes speak UCI, and send each other what they read.
    ("cluster/src/", &["uci", "util"]),
    // Its books are files of positions as those of `bench` and `genfens` are.
    ("tools/datagen/src/", &["suite", "uci", "util"]),
    // What it checks are the readers of files, wherever they are.
    ("tools/fuzz/src/", &["nnue", "suite", "tablebase", "uci"]),
    ("tools/lab/src/", &["bench", "chart", "suite", "util"]),
    ("tools/launcher/src/", &["util"]),
    ("tools/magics/src/", &["attacks"]),
    ("tools/sprt/src/", &[]),
    ("tools/spsa/src/", &["util"]),
    ("tools/toolkit/src/", &["util"]),
    ("tools/trainer/src/", &["chart", "nnue", "suite", "util"]),
];

/// True if a file may import a top-level module of the library. Files that the table does not name may: floors bind them.
pub fn may_import(file: &str, top_module: &str) -> bool {
    FACADE.contains(&top_module)
        || !MAY_IMPORT.iter().any(|(start, _)| file.starts_with(start))
        || MAY_IMPORT
            .iter()
            .any(|(start, top_modules)| file.starts_with(start) && top_modules.contains(&top_module))
}

/// The files that may hold `unsafe`.
pub const UNSAFE: &[&str] = &[
    "cluster/src/main.rs",
    "src/attacks/pext.rs",
    "src/board/move_sink.rs",
    "src/main.rs",
    "src/nnue/piece_features.rs",
    "src/nnue/simd/avx2.rs",
    "src/nnue/simd/avx512.rs",
    "src/nnue/simd/neon.rs",
    "src/nnue/simd/sse.rs",
    "src/tt/cluster.rs",
    "src/util/affinity.rs",
    "src/util/cpu.rs",
    "src/util/huge/huge_box.rs",
    "src/util/huge/mapping.rs",
    "src/util/numa.rs",
    "src/util/open_files.rs",
    "src/util/prefetch.rs",
    "src/util/schedule.rs",
    "src/util/signals.rs",
    "src/util/streams.rs",
    "src/util/unsupported_cpu.rs",
    "src/util/vbmi2.rs",
    "src/util/windows.rs",
];

/// Registries: a file and its macro, whose call lists `module::Type` lines and declares each module.
pub const REGISTRIES: &[(&str, &str)] = &[("src/search/null_move/schemes.rs", "schemes")];

/// True if the file is a registry, which declares modules by a macro.
pub fn is_registry(file: &str) -> bool {
    REGISTRIES.iter().any(|&(registry, _)| registry == file)
}

/// A file has fewer lines than this.
pub const FILE_LINES: usize = 550;
/// A face has fewer lines than this.
pub const FACE_LINES: usize = 60;
/// A function has no more lines than this.
pub const FUNCTION_LINES: usize = 100;
/// Functions that are tables of data, as long as there is data.
pub const TABLES: &[&str] = &["src/topology/tests.rs fn case", "src/uci/options/table.rs fn general"];

/// What breaks a rule and is known to: the list can only shrink, for an entry that is no longer needed fails.
pub const EXCEPTIONS: &[(Rule, &str)] = &[];

/// The rules, each tested by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Nothing needs a higher floor.
    Upward,
    /// No circle joins modules, or the files of a folder.
    Circle,
    /// Interfaces and tools import the facade, `types` and `board`.
    Import,
    /// A face is prose, modules and re-exports, and short.
    Face,
    /// Files and functions are short.
    Length,
    /// `unsafe` stands in the listed files alone.
    Unsafe,
    /// All text can be followed.
    Hidden,
}
