//! The table of options.
//!
//! An entry has everything about its option: name, flag, type, range, default, what it does in words and in code. The
//! answer to `uci`, `setoption`, the command line and README are made from it or held to it by a test.

#[cfg(feature = "tune")]
use std::num::NonZeroU64;
use std::sync::LazyLock;
use std::time::Duration;

use crate::engine::{
    DEFAULT_HASH, DEFAULT_MOVE_OVERHEAD, DEFAULT_THREADS, EMBEDDED_NETWORK, MAX_HASH,
    MAX_NULL_MOVE_MIN_DEPTH, MAX_NULL_MOVE_PLIES, NodeRate, NullMoveSettings, NullMoveSwitch, NumaPolicy,
    Pin, SchemeName, load_network, max_threads,
};
use crate::types::Depth;

use super::aliases;
use super::option_type::{OptionType, OptionValue};
use super::tablebases;
use super::uci_option::{Flag, OptionContext, UciOption};
use crate::uci::output::open_log;
use crate::uci::strength;

/// The option that sets the size of the transposition table.
pub const HASH: &str = "Hash";
/// The option of the null-move scheme.
pub const NULL_MOVE: &str = "NullMove";
/// The option that empties the transposition table.
pub const CLEAR_HASH: &str = "Clear Hash";

/// All options, in the order in which they are listed.
pub fn all() -> &'static [UciOption] {
    static OPTIONS: LazyLock<Vec<UciOption>> = LazyLock::new(|| {
        let mut options = vec![];
        options.push(debug_log_file());
        options.extend(general());
        options.push(pgn_comment());
        options.extend(strength_options());
        options.extend(tablebases::options());
        options.extend(null_moves());
        options.extend(NullMoveSwitch::ALL.map(null_move_switch));
        options.push(null_move_counts());
        #[cfg(feature = "tune")]
        options.extend(params().chain([turn_nodes()]));
        options
    });
    &OPTIONS
}

/// The option of this name, or of another name that users know it by. Case, spaces, hyphens and underscores do not
/// matter.
pub fn find(name: &str) -> Option<&'static UciOption> {
    let wanted = aliases::plain(name);
    let find = |wanted: &str| all().iter().find(|option| aliases::plain(option.name) == wanted);
    find(&wanted).or_else(|| find(&aliases::plain(aliases::option_of(&wanted)?)))
}

fn spin(default: usize, min: usize, max: usize) -> OptionType {
    OptionType::Spin { default: default as i64, min: min as i64, max: max as i64 }
}

const OFF: OptionType = OptionType::Check { default: false };

fn debug_log_file() -> UciOption {
    UciOption {
        name: "Debug Log File",
        flag: None,
        option_type: OptionType::File { default: "", values: "a path" },
        null_move: false,
        doc: "a file to which all lines from (`>>`) and to (`<<`) the interface are added; empty: none",
        apply: Box::new(|context, value| {
            let (Some(output), OptionValue::File(path)) = (context.output, value) else { return Ok(()) };
            output.set_log(if path.as_os_str().is_empty() { None } else { Some(open_log(path)?) });
            Ok(())
        }),
    }
}

fn general() -> [UciOption; 13] {
    [
        UciOption {
            name: HASH,
            flag: Some(Flag::new("hash", "MB").with_doc("transposition table in megabytes")),
            option_type: spin(DEFAULT_HASH, 1, MAX_HASH),
            null_move: false,
            doc: "transposition table in megabytes; it is allocated at the next `isready` or `go`, by all threads, and an \
                  `info string` reports the size of its pages; where there is no memory for a size, the old table stays, or an empty \
                  one of its size or less takes its place, which another `info string` says",
            apply: Box::new(|context, value| {
                context.engine.set_hash(value.size())?;
                if let (_, Some(backing)) = context.engine.hash() {
                    context.notes.push(format!("table: {backing}"));
                }
                Ok(())
            }),
        },
        UciOption {
            name: CLEAR_HASH,
            flag: None,
            option_type: OptionType::Button,
            null_move: false,
            doc: "empties the table",
            apply: Box::new(|context, _| Ok(context.engine.clear_hash()?)),
        },
        UciOption {
            name: "Threads",
            flag: Some(Flag::new("threads", "N").with_doc("search threads; no more of them search than can run at once")),
            option_type: spin(DEFAULT_THREADS, 1, max_threads()),
            null_move: false,
            doc: "search threads, up to four for each processor if that is more than 1024; with the default `NumaPolicy` no more of them search than there are processors, which \
                  an `info string` then reports",
            apply: Box::new(|context, value| {
                context.engine.set_threads(value.size())?;
                context.report_placement();
                Ok(())
            }),
        },
        UciOption {
            name: "MultiPV",
            flag: Some(Flag::new("multipv", "N")),
            option_type: spin(1, 1, 256),
            null_move: false,
            doc: "number of lines that are searched and reported",
            apply: Box::new(|context, value| {
                context.engine.options_mut().multi_pv = value.size();
                Ok(())
            }),
        },
        UciOption {
            name: "Ponder",
            flag: None,
            option_type: OFF,
            null_move: false,
            doc: "says that the interface may send `go ponder`; changes nothing",
            apply: Box::new(|_, _| Ok(())),
        },
        UciOption {
            name: "UCI_Chess960",
            flag: Some(Flag::new("chess960", "").with_doc("write castling as the king capturing its own rook")),
            option_type: OFF,
            null_move: false,
            doc: "castling is written as the king capturing its own rook",
            apply: Box::new(|context, value| {
                context.settings.chess960 = value.is_on();
                let mut board = context.engine.board().clone();
                board.set_chess960(value.is_on());
                context.engine.set_position(board);
                Ok(())
            }),
        },
        UciOption {
            name: "UCI_ShowWDL",
            flag: None,
            option_type: OFF,
            null_move: false,
            doc: "reports the probabilities of win, draw and loss, in thousandths",
            apply: Box::new(|context, value| {
                context.settings.show_wdl = value.is_on();
                Ok(())
            }),
        },
        UciOption {
            name: "Move Overhead",
            flag: None,
            option_type: spin(DEFAULT_MOVE_OVERHEAD.as_millis() as usize, 0, 5000),
            null_move: false,
            doc: "milliseconds reserved for the delay between engine and interface",
            apply: Box::new(|context, value| {
                context.engine.options_mut().move_overhead = Duration::from_millis(value.size() as u64);
                Ok(())
            }),
        },
        UciOption {
            name: "nodestime",
            flag: None,
            option_type: spin(0, 0, 10_000),
            null_move: false,
            doc: "nodes that count as a millisecond, as in Stockfish: the clock of the first move of a game, or of the first with \
                  another number, is counted down in nodes, so that games do not depend on the load of the machine; 0: \
                  time is measured. Should be well below the real speed",
            apply: Box::new(|context, value| {
                context.engine.options_mut().nodestime = NodeRate::new(value.size() as u64);
                Ok(())
            }),
        },
        UciOption {
            name: "Pin",
            flag: None,
            option_type: OptionType::Combo {
                default: Pin::default().name(),
                choices: Pin::ALL.iter().map(|pin| pin.name()).collect(),
            },
            null_move: false,
            doc: "binds each thread to one processor; `auto`: only with as many threads as processors",
            apply: Box::new(|context, value| {
                if let Some(pin) = Pin::parse(value.text()) {
                    context.engine.set_pin(pin)?;
                    context.report_placement();
                }
                Ok(())
            }),
        },
        UciOption {
            name: "NumaPolicy",
            flag: Some(Flag::new("numa-policy", "POLICY").with_doc(
                "to which NUMA nodes threads are bound and the table is interleaved over: `auto`, `system`, `hardware`, \
                 `none`, or lists such as `0-15:16-31`; with `auto` no more threads search than can run at once",
            )),
            option_type: OptionType::String {
                default: "auto",
                values: "auto, system, hardware, none, or lists such as `0-15:16-31`",
            },
            null_move: false,
            doc: "to which NUMA nodes threads are bound and the table is interleaved over, as in Stockfish \
                  ([details](docs/scaling.md#to-what-threads-are-bound)); with `auto` no more threads search than can run \
                  at once",
            apply: Box::new(|context, value| {
                let policy = NumaPolicy::parse(value.text(), context.engine.machine())?;
                context.engine.set_numa_policy(policy)?;
                context.report_placement();
                Ok(())
            }),
        },
        UciOption {
            name: "EvalFile",
            flag: Some(
                Flag::new("eval-file", "FILE.nnue").with_doc("network to evaluate by: a file, `<embedded>` or `<material>`"),
            ),
            option_type: OptionType::File {
                default: EMBEDDED_NETWORK,
                values: "a path, `<embedded>`, `<material>`",
            },
            null_move: false,
            doc: "evaluates by the network in a file, by the one that is embedded in the program, or by one that only counts \
                  material; a file that cannot be used changes nothing",
            apply: Box::new(|context, value| {
                if let OptionValue::File(path) = value {
                    context.engine.set_network(load_network(path)?)?;
                }
                Ok(())
            }),
        },
        UciOption {
            name: "Minimal",
            flag: None,
            option_type: OFF,
            null_move: false,
            doc: "reports only the last lines before the best move",
            apply: Box::new(|context, value| {
                context.settings.minimal = value.is_on();
                Ok(())
            }),
        },
    ]
}

fn pgn_comment() -> UciOption {
    UciOption {
        name: "PgnComment",
        flag: None,
        option_type: OFF,
        null_move: false,
        doc: "reports `info string pgncomment` before the best move, which OpenBench puts into game records: the \
              probabilities of win, draw and loss in thousandths, and how full the table is",
        apply: Box::new(|context, value| {
            context.settings.pgn_comment = value.is_on();
            Ok(())
        }),
    }
}

fn strength_options() -> [UciOption; 3] {
    [
        UciOption {
            name: "Skill Level",
            flag: None,
            option_type: spin(strength::FULL_LEVEL, 0, strength::FULL_LEVEL),
            null_move: false,
            doc: "below 20 the engine plays what an early iteration finds, the earlier the lower the level, and up to level 11 \
                  it chooses between the best lines, up to 7 between four and then fewer, more often a worse one the lower the level",
            apply: Box::new(|context, value| {
                context.settings.strength.level = value.size();
                Ok(())
            }),
        },
        UciOption {
            name: "UCI_LimitStrength",
            flag: None,
            option_type: OFF,
            null_move: false,
            doc: "plays at the level of `UCI_Elo` instead of `Skill Level`",
            apply: Box::new(|context, value| {
                context.settings.strength.limited = value.is_on();
                Ok(())
            }),
        },
        UciOption {
            name: "UCI_Elo",
            flag: None,
            option_type: spin(strength::MIN_ELO, strength::MIN_ELO, strength::MAX_ELO),
            null_move: false,
            doc: "the strength to play at with `UCI_LimitStrength`, on the scale of Stockfish 15.1: within about 90 Elo from 1500 to 2500",
            apply: Box::new(|context, value| {
                context.settings.strength.elo = value.size();
                Ok(())
            }),
        },
    ]
}

fn null_move_settings<'a>(context: &'a mut OptionContext<'_>) -> &'a mut NullMoveSettings {
    &mut context.engine.options_mut().null_move_settings
}

/// What stands in the place of a scheme where helper threads have none of their own.
const SAME: &str = "same";

fn null_moves() -> [UciOption; 6] {
    let plies = |default: Depth| spin(default as usize, 1, MAX_NULL_MOVE_PLIES as usize);
    let default = NullMoveSettings::default();
    [
        UciOption {
            name: NULL_MOVE,
            flag: Some(Flag::new("null-move", "SCHEME")),
            option_type: OptionType::Combo {
                default: SchemeName::default().name(),
                choices: SchemeName::ALL.iter().map(|scheme| scheme.name()).collect(),
            },
            null_move: true,
            doc: "the null-move scheme",
            apply: Box::new(|context, value| {
                if let Some(scheme) = SchemeName::parse(value.text()) {
                    context.engine.options_mut().null_move = scheme;
                }
                Ok(())
            }),
        },
        UciOption {
            name: "NullMoveR",
            flag: Some(Flag::new("null-move-r", "PLIES")),
            option_type: plies(default.r),
            null_move: true,
            doc: "reduction of a null-move search in plies, in schemes that leave it open",
            apply: Box::new(|context, value| {
                null_move_settings(context).r = value.size() as Depth;
                Ok(())
            }),
        },
        UciOption {
            name: "NullMoveDR",
            flag: Some(Flag::new("null-move-dr", "PLIES")),
            option_type: plies(default.dr),
            null_move: true,
            doc: "reduction by a fail-high in plies, in schemes that leave it open",
            apply: Box::new(|context, value| {
                null_move_settings(context).dr = value.size() as Depth;
                Ok(())
            }),
        },
        UciOption {
            name: "NullMoveMinDepth",
            flag: Some(Flag::new("null-move-min-depth", "PLIES")),
            option_type: spin(default.min_depth as usize, 0, MAX_NULL_MOVE_MIN_DEPTH as usize),
            null_move: true,
            doc: "depth from which null moves are tried, in plies, whatever the scheme; 0 leaves it to the scheme",
            apply: Box::new(|context, value| {
                null_move_settings(context).min_depth = value.size() as Depth;
                Ok(())
            }),
        },
        UciOption {
            name: "NullMoveQuiescenceDepth",
            flag: Some(Flag::new("null-quiescence-depth", "PLIES")),
            option_type: plies(default.quiescence_depth as Depth),
            null_move: true,
            doc: "plies of null-move quiescence, where that is on",
            apply: Box::new(|context, value| {
                null_move_settings(context).quiescence_depth = value.size();
                Ok(())
            }),
        },
        UciOption {
            name: "NullMoveHelpers",
            flag: Some(Flag::new("null-move-helpers", "SCHEME")),
            option_type: OptionType::Combo {
                default: SAME,
                choices: [SAME].into_iter().chain(SchemeName::ALL.map(SchemeName::name)).collect(),
            },
            null_move: true,
            doc: "the null-move scheme of the helper threads; `same`: that of the main thread",
            apply: Box::new(|context, value| {
                context.engine.options_mut().null_move_helpers = SchemeName::parse(value.text());
                Ok(())
            }),
        },
    ]
}

fn null_move_switch(switch: NullMoveSwitch) -> UciOption {
    UciOption {
        name: switch.uci_name,
        flag: Some(Flag::new(switch.name, "")),
        option_type: OFF,
        null_move: true,
        doc: switch.doc,
        apply: Box::new(move |context, value| {
            switch.set(&mut null_move_settings(context).switches, value.is_on());
            Ok(())
        }),
    }
}

fn null_move_counts() -> UciOption {
    UciOption {
        name: "NullMoveCounts",
        flag: Some(Flag::new("null-counts", "")),
        option_type: OFF,
        null_move: true,
        doc: "reports at the end of a search how many null moves were tried, what they returned and what they saved, by \
              depth, phase and kind of node",
        apply: Box::new(|context, value| {
            null_move_settings(context).report_counts = value.is_on();
            Ok(())
        }),
    }
}

/// For games in which the strength of many threads is measured on few processors.
#[cfg(feature = "tune")]
fn turn_nodes() -> UciOption {
    UciOption {
        name: "TurnNodes",
        flag: None,
        option_type: spin(0, 0, 1_000_000),
        null_move: false,
        doc: "nodes that each thread searches while the others wait, so that a search by many threads repeats exactly; 0: \
              all search at once",
        apply: Box::new(|context, value| {
            context.engine.options_mut().turn_nodes = NonZeroU64::new(value.size() as u64);
            Ok(())
        }),
    }
}

/// The options of a tuning build: every tunable number of the search.
#[cfg(feature = "tune")]
fn params() -> impl Iterator<Item = UciOption> {
    use crate::engine;

    engine::TUNABLE_PARAMS.iter().map(|param| UciOption {
        name: param.name,
        flag: None,
        option_type: OptionType::Spin {
            default: i64::from(param.default),
            min: i64::from(param.min),
            max: i64::from(param.max),
        },
        null_move: false,
        doc: "a number of the search, for tuning",
        apply: Box::new(|_, value| {
            engine::set_param(param.name, i32::try_from(value.number())?)?;
            Ok(())
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::search::SearchOptions;
    use crate::uci::options::SessionSettings;

    #[test]
    fn each_option_of_the_search_sets_its_own_field() {
        type Field = fn(&SearchOptions) -> String;
        let fields: [(&str, &[&str], Field); 11] = [
            ("Move Overhead", &["0", "333"], |options| options.move_overhead.as_millis().to_string()),
            ("nodestime", &["0", "600"], |options| {
                options.nodestime.map_or(0, |rate| rate.0.get()).to_string()
            }),
            ("SyzygyProbeDepth", &["1", "7"], |options| options.tablebases.probe_depth.to_string()),
            ("Syzygy50MoveRule", &["false", "true"], |options| {
                options.tablebases.fifty_move_rule.to_string()
            }),
            ("SyzygyProbeLimit", &["0", "4"], |options| options.tablebases.probe_limit.to_string()),
            (NULL_MOVE, &["off", "guarded"], |options| options.null_move.name().to_string()),
            ("NullMoveR", &["2", "4"], |options| options.null_move_settings.r.to_string()),
            ("NullMoveDR", &["2", "5"], |options| options.null_move_settings.dr.to_string()),
            ("NullMoveMinDepth", &["0", "6"], |options| options.null_move_settings.min_depth.to_string()),
            ("NullMoveQuiescenceDepth", &["1", "3"], |options| {
                options.null_move_settings.quiescence_depth.to_string()
            }),
            ("NullMoveHelpers", &["off", SAME], |options| {
                options.null_move_helpers.map_or(SAME, |scheme| scheme.name()).to_string()
            }),
        ];
        let mut engine = Engine::new(1, 1).expect("memory");
        let shown = |engine: &Engine| fields.map(|(_, _, field)| field(engine.options()));
        for (index, (name, values, _)) in fields.iter().enumerate() {
            for value in *values {
                let mut expected = shown(&engine);
                expected[index] = (*value).to_string();
                let option = find(name).expect(name);
                let (mut settings, mut notes) = (SessionSettings::default(), Vec::new());
                let (settings, notes) = (&mut settings, &mut notes);
                let context = &mut OptionContext { engine: &mut engine, settings, notes, output: None };
                option.apply(context, &option.parse(Some(value)).expect(value)).expect(name);
                assert_eq!(shown(&engine), expected, "{name} {value}");
            }
        }
    }

    #[test]
    fn names_are_unique_and_defaults_are_values() {
        for option in all() {
            let found = find(&option.name.to_uppercase()).expect(option.name);
            assert!(std::ptr::eq(found, option), "{} is there twice", option.name);
            let default = option.option_type.default_text();
            assert!(option.parse(default.as_deref()).is_ok(), "{}", option.name);
        }
        assert!(find("Hush").is_none());
    }

    #[test]
    fn other_names_lead_to_options_and_hide_none() {
        for (alias, option) in aliases::ALIASES {
            assert_eq!(find(alias).expect(alias).name, *option);
            assert!(
                !all().iter().any(|option| aliases::plain(option.name) == aliases::plain(alias)),
                "{alias}"
            );
        }
        for (name, option) in [("moveoverhead", "Move Overhead"), ("clear-hash", "Clear Hash")] {
            assert_eq!(find(name).expect(name).name, option);
        }
    }

    #[test]
    fn flags_are_unique() {
        let mut flags: Vec<&str> = all().iter().filter_map(|option| Some(option.flag?.name)).collect();
        flags.sort_unstable();
        let count = flags.len();
        flags.dedup();
        assert_eq!(flags.len(), count);
    }
}
