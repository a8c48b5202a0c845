//! Limits of a search, and how much of the clock it may use.
//!
//! Arithmetic only: nothing here reads a clock or knows a thread. The *soft* limit is when a search should not
//! begin another iteration, scaled by [`soft_scale`] as the search goes; the *hard* limit is when it stops
//! wherever it is.
//!
//! At 2+0.02 a tenth of the time is left when a game ends. Using more of it was not proved better: 5% of the clock for the
//! first move and 6% late, with the whole increment, had 11 ± 19 Elo at 1+0.01 (900 games); nearly the same with a reserve
//! of ten increments -13 ± 26 (260 games); 6.5% and 8.5% for the first move did not stand out (108 games each). Nor was it
//! as safe: with eight threads on two processors the clock fell to 29 ms without the reserve and 54 ms with it, where
//! these shares left 75 ms at least.

use std::num::NonZeroU64;
use std::time::Duration;

use crate::params;
use crate::types::{Color, Depth, Move, Value};

/// The limits of a search, as UCI's `go` gives them. By default there are none: the search ends when it is stopped.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Time left on the clock of each side; zero if the clock is at zero or below.
    pub time: [Option<Duration>; 2],
    /// The increment of each side for a move.
    pub increment: [Duration; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Time for this move alone.
    pub move_time: Option<Duration>,
    /// The nodes of all threads together.
    pub nodes: Option<u64>,
    /// Begin no further iteration once the main thread has searched this many nodes, multiplied by [`soft_scale`].
    pub soft_nodes: Option<u64>,
    /// The depth of the last iteration, in plies.
    pub depth: Option<Depth>,
    /// Stop once a mate in this many moves is found.
    pub mate: Option<u32>,
    /// Search until `stop`, whatever clocks and a time for the move say.
    pub infinite: bool,
    /// Search on the opponent's time. The hard limit and a fixed time count from the ponder hit on, when the opponent has
    /// played the expected move; a search on a clock takes the time before it for thought. Where nodes count as time, those
    /// before the hit count.
    pub ponder: bool,
    /// The only moves to search; empty for all.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// A depth in plies, and no other limit.
    pub fn depth(plies: Depth) -> Limits {
        Limits { depth: Some(plies), ..Limits::default() }
    }

    /// This many nodes of all threads together, and no other limit.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// True if the search ends by itself: without `stop`, or `ponder_hit` while it ponders.
    pub fn has_end(&self) -> bool {
        self.has_end_after_hit() && !self.ponder
    }

    /// True if the search ends without `stop` once it no longer ponders. A mate to be found is no end: there may be none.
    pub fn has_end_after_hit(&self) -> bool {
        let has_limit = self.has_clock()
            || self.move_time.is_some()
            || self.nodes.or(self.soft_nodes).is_some()
            || self.depth.is_some();
        has_limit && !self.infinite
    }

    /// True if anything was said about clocks.
    fn has_clock(&self) -> bool {
        self.time.iter().any(Option::is_some)
            || self.increment.iter().any(|increment| !increment.is_zero())
            || self.moves_to_go.is_some()
    }
}

/// What a move costs on the clock beyond the search, unless something else is known.
pub const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(10);
/// The least time for a move, even on a clock that has run out.
pub const MIN_TIME: Duration = Duration::from_millis(1);

/// What our clock is taken to show if only other fields were given.
const UNKNOWN_CLOCK: Duration = Duration::from_millis(100);

/// A number in thousandths, as [`params`] has them.
fn thousandths(number: i32) -> f64 {
    f64::from(number) / 1000.0
}

/// How much time a search may take; `None` without a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBudget {
    /// When not to begin another iteration, to be multiplied by [`soft_scale`].
    pub soft: Option<Duration>,
    /// When to stop. Never before the soft limit.
    pub hard: Option<Duration>,
}

impl TimeBudget {
    /// The budget of `side` for one move.
    ///
    /// `overhead` is what a move costs on the clock beyond the search; `game_ply` counts the plies played.
    /// Both limits are there as soon as a time for this move or any field of a clock was given, ours or not, unless
    /// the search is infinite. A time for this move goes before what the clock suggests. The hard limit is at most
    /// what our clock shows less the overhead, or [`MIN_TIME`]; a clock at zero says nothing beside a time for this move. Of a time for this move the overhead takes no more than half.
    pub fn new(limits: &Limits, side: Color, overhead: Duration, game_ply: u32) -> TimeBudget {
        let (soft, hard) = if limits.infinite {
            return TimeBudget::default();
        } else if let Some(time) = limits.move_time {
            let clock = limits.time[side.index()].filter(|clock| !clock.is_zero());
            let on_clock = clock.map_or(time, |clock| clock.saturating_sub(overhead));
            // An overhead as long as the time asked for would leave nothing to search in.
            let time = time.saturating_sub(overhead.min(time / 2)).min(on_clock).max(MIN_TIME);
            (time, time)
        } else if limits.has_clock() {
            share(limits, side, overhead, game_ply)
        } else {
            return TimeBudget::default();
        };
        TimeBudget { soft: Some(soft), hard: Some(hard) }
    }
}

/// Soft and hard limit on a clock.
fn share(limits: &Limits, side: Color, overhead: Duration, game_ply: u32) -> (Duration, Duration) {
    let remaining = limits.time[side.index()].unwrap_or(UNKNOWN_CLOCK);
    let usable = remaining.saturating_sub(overhead);
    let clock = usable.as_secs_f64();
    // What a move gives back to the clock, before it has used any time.
    let gain = limits.increment[side.index()].as_secs_f64() - overhead.as_secs_f64();

    let hard_share = thousandths(params::clock_hard_share());

    let (soft, room) = match limits.moves_to_go.filter(|&moves| moves > 0) {
        Some(moves) => {
            let moves = moves.min(params::clock_moves_to_go_max().unsigned_abs());
            let later = gain * f64::from(moves - 1);
            let pool = clock + later.max(-clock * thousandths(params::clock_known_reserve()));
            let near = 1.0 / f64::from(moves * moves);
            let last_move_share = thousandths(params::clock_last_move_share());
            (pool / f64::from(moves), pool.min(clock) * (hard_share + (last_move_share - hard_share) * near))
        }
        None => {
            let late_ply = params::clock_late_ply().unsigned_abs();
            let age = f64::from(game_ply.min(late_ply)) / f64::from(late_ply);
            let opening_share = thousandths(params::clock_opening_share());
            let late_share = thousandths(params::clock_late_share());
            let part = opening_share + (late_share - opening_share) * age;
            let loss = (-gain).max(0.0) * f64::from(params::clock_overhead_moves());
            let pool = clock - loss.min(clock * thousandths(params::clock_guessed_reserve()));
            let increment = gain.max(0.0) * thousandths(params::clock_increment_share());
            let most = pool * thousandths(params::clock_soft_share());
            ((pool * part + increment).min(most), pool * hard_share)
        }
    };
    let hard = seconds((soft * thousandths(params::clock_hard_factor())).min(room), usable).max(MIN_TIME);
    (seconds(soft, usable).clamp(MIN_TIME, hard), hard)
}

/// A number of seconds as a duration of at most `most`.
fn seconds(seconds: f64, most: Duration) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(most).min(most)
}

/// What a factor of [`soft_scale`] comes to at least.
const LEAST_FACTOR: f64 = 0.1;

/// What to multiply the soft limit by, given how the search is going.
///
/// More time where the best move keeps changing, where the score falls, and where most nodes go into other
/// moves than the best; less where everything is settled. `best_move_stability` counts the iterations since
/// the best move changed last, `score_drop` is the former score less the present one, and `effort` is the share
/// of the nodes spent on the best move, 0 to 1. A quiet position with three nodes in four on a move that has
/// stayed for five iterations comes out near 1.
///
/// The three factors are the practice of strong engines, their sizes set by hand. Nearly twice as much movement came to
/// −1 ± 23 Elo (400 games at 8+0.08), a factor for the fall of the score since the last move to +5 ± 18 (500).
pub fn soft_scale(best_move_stability: u32, score_drop: Value, effort: f64) -> f64 {
    let iterations = best_move_stability.min(params::clock_stability_max().unsigned_abs());
    let stability = thousandths(params::clock_unstable())
        - thousandths(params::clock_stability_step()) * f64::from(iterations);
    let score_drop = score_drop.clamp(-params::clock_rise_max(), params::clock_drop_max());
    let drop = 1.0 + f64::from(params::clock_drop_step()) / 10_000.0 * f64::from(score_drop);
    let effort = if effort.is_nan() { 1.0 } else { effort.clamp(0.0, 1.0) };
    let effort = thousandths(params::clock_no_effort()) - thousandths(params::clock_effort_weight()) * effort;
    // The numbers of a tuner could make some negative, and two of them a positive product.
    [stability, drop, effort].into_iter().map(|factor| factor.max(LEAST_FACTOR)).product()
}

/// How many nodes count as a millisecond where a clock counts nodes ("nodes as time").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeRate(pub NonZeroU64);

impl NodeRate {
    /// A rate of this many nodes a millisecond; `None` for 0: time is measured.
    pub fn new(nodes: u64) -> Option<NodeRate> {
        NonZeroU64::new(nodes).map(NodeRate)
    }

    /// The nodes that count as this time, rounded down.
    pub fn nodes(self, time: Duration) -> u64 {
        let nodes = time.as_nanos().saturating_mul(u128::from(self.0.get())) / NANOSECONDS;
        u64::try_from(nodes).unwrap_or(u64::MAX)
    }

    /// The time that this many nodes count as, rounded up to a nanosecond.
    pub fn time(self, nodes: u64) -> Duration {
        let nanoseconds = (u128::from(nodes) * NANOSECONDS).div_ceil(u128::from(self.0.get()));
        Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
    }
}

/// Nanoseconds in a millisecond.
const NANOSECONDS: u128 = 1_000_000;

/// Our clock in a game in which nodes count as time, as the option `nodestime` of Stockfish has it.
///
/// The clock of the interface counts at the first move of a game alone, and again where the rate changes. From then on each
/// search takes the nodes of all threads, those on the opponent's time too, from this clock and gives it the increment;
/// nothing is added at a time control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeClock {
    /// The nodes that are left, and the rate at which they were counted; `None` before the first move of a game on such a clock.
    remaining: Option<(NodeRate, u64)>,
    /// The increment in nodes for the search that has not been charged yet.
    increment: Option<u64>,
}

impl NodeClock {
    /// The limits of a search of `side`, with this clock in place of the interface's. Limits without a clock stay as they
    /// are, and their searches are not charged.
    pub fn start(&mut self, limits: Limits, side: Color, rate: NodeRate) -> Limits {
        let mut limits = limits;
        self.increment = None;
        if let Some(time) = &mut limits.time[side.index()]
            && !limits.infinite
        {
            let kept = self.remaining.filter(|&(of, _)| of == rate);
            let (_, nodes) = *self.remaining.insert(kept.unwrap_or((rate, rate.nodes(*time))));
            *time = rate.time(nodes);
            self.increment = Some(rate.nodes(limits.increment[side.index()]));
        }
        limits
    }

    /// Charges the search that was started last with its nodes, once.
    pub fn charge(&mut self, nodes: u64) {
        if let Some(increment) = self.increment.take()
            && let Some((_, remaining)) = &mut self.remaining
        {
            *remaining = remaining.saturating_add(increment).saturating_sub(nodes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn limits(time: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        Limits {
            time: [Some(ms(time)), None],
            increment: [ms(increment), Duration::ZERO],
            moves_to_go,
            ..Limits::default()
        }
    }

    fn budget(limits: &Limits) -> (Duration, Duration) {
        let budget = TimeBudget::new(limits, Color::White, OVERHEAD, 20);
        (budget.soft.unwrap(), budget.hard.unwrap())
    }

    #[test]
    fn every_clock_gives_a_sound_budget() {
        let times = [0, 1, 2, 9, 10, 11, 12, 50, 99, 1000, 60_000, 7_200_000, u64::MAX].map(ms);
        let increments = [0, 1, 10, 80, 2000, 600_000, u64::MAX].map(ms);
        let overheads = [0, 1, 10, 1000, u64::MAX].map(ms);
        let controls = [None, Some(0), Some(1), Some(2), Some(3), Some(40), Some(u32::MAX)];
        for side in Color::ALL {
            for (time, increment) in times.iter().flat_map(|&t| increments.map(|i| (t, i))) {
                for (overhead, moves_to_go) in overheads.iter().flat_map(|&o| controls.map(|c| (o, c))) {
                    let mut limits = Limits { moves_to_go, ..Limits::default() };
                    limits.time[side.index()] = Some(time);
                    limits.increment[side.index()] = increment;
                    for ply in [0, 1, 50, 200, u32::MAX] {
                        let budget = TimeBudget::new(&limits, side, overhead, ply);
                        let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                        let room = time.saturating_sub(overhead).max(MIN_TIME);
                        assert!(
                            MIN_TIME <= soft && soft <= hard && hard <= room,
                            "{limits:?} {overhead:?} {budget:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn any_field_of_a_clock_ends_the_search() {
        let wtime = limits(1000, 0, None);
        let winc = Limits { increment: [ms(100), Duration::ZERO], ..Limits::default() };
        let movestogo = Limits { moves_to_go: Some(5), ..Limits::default() };
        for limits in [wtime, winc, movestogo] {
            for side in Color::ALL {
                let hard = TimeBudget::new(&limits, side, OVERHEAD, 0).hard.unwrap();
                assert!(hard <= ms(700), "{limits:?}");
            }
        }
    }

    #[test]
    fn without_a_clock_there_is_no_budget() {
        let nodes = Limits { nodes: Some(1), depth: Some(3), mate: Some(2), ..Limits::default() };
        let infinite = Limits { infinite: true, ..limits(1000, 10, None) };
        let infinite_with_time = Limits { move_time: Some(ms(500)), ..infinite.clone() };
        for limits in [Limits::default(), nodes, infinite, infinite_with_time] {
            assert_eq!(TimeBudget::new(&limits, Color::White, OVERHEAD, 0), TimeBudget::default());
        }
    }

    #[test]
    fn a_search_ends_by_itself_unless_only_a_mate_would_end_it() {
        let mate = Limits { mate: Some(1), ..Limits::default() };
        assert!(!mate.has_end() && !mate.has_end_after_hit());
        let depth = Limits { depth: Some(3), ..mate };
        assert!(depth.has_end());
        let ponder = Limits { ponder: true, ..depth };
        assert!(!ponder.has_end() && ponder.has_end_after_hit());
        assert!(!Limits { infinite: true, ..ponder }.has_end_after_hit());
    }

    #[test]
    fn a_time_for_the_move_is_used_whole() {
        let fixed = |time, limits| budget(&Limits { move_time: Some(ms(time)), ..limits });
        assert_eq!(fixed(500, Limits::default()), (ms(490), ms(490)));
        assert_eq!(fixed(20, Limits::default()), (ms(10), ms(10)));
        assert_eq!(fixed(10, Limits::default()), (ms(5), ms(5)), "half is left");
        assert_eq!(fixed(1, Limits::default()), (MIN_TIME, MIN_TIME));
        assert_eq!(fixed(500, limits(60_000, 0, None)), (ms(490), ms(490)));
        assert_eq!(fixed(500, limits(100, 0, None)), (ms(90), ms(90)));
        assert_eq!(fixed(500, limits(11, 0, None)), (MIN_TIME, MIN_TIME), "the clock is not overrun");
        assert_eq!(fixed(500, limits(0, 0, None)), (ms(490), ms(490)), "a clock at zero says nothing");
    }

    #[test]
    fn usual_controls_get_usual_times() {
        let within = |(time, increment, control), soft: [u64; 2], hard: [u64; 2]| {
            let (s, h) = budget(&limits(time, increment, control));
            let fits = s >= ms(soft[0]) && s <= ms(soft[1]) && h >= ms(hard[0]) && h <= ms(hard[1]);
            assert!(fits, "{time}+{increment} {control:?}: {s:?} {h:?}");
        };
        within((1000, 10, None), [35, 50], [150, 250]);
        within((8000, 80, None), [330, 450], [1500, 2100]);
        within((10_000, 100, None), [420, 560], [1900, 2600]);
        within((60_000, 0, Some(40)), [1400, 1600], [6000, 7500]);
        within((50, 0, None), [1, 3], [1, 10]);
        within((5000, 0, Some(1)), [4800, 4990], [4800, 4990]);
    }

    #[test]
    fn a_move_gets_more_the_later_in_the_game_it_comes() {
        let soft = |ply| TimeBudget::new(&limits(60_000, 0, None), Color::White, OVERHEAD, ply).soft.unwrap();
        let late = params::clock_late_ply().unsigned_abs();
        assert!(soft(0) < soft(late / 2) && soft(late / 2) < soft(late));
        assert_eq!(soft(late), soft(late + 100));
    }

    #[test]
    fn an_increment_is_no_reason_to_empty_the_clock() {
        let (soft, hard) = budget(&limits(200, 10_000, None));
        let most = (ms(200) - OVERHEAD).mul_f64(thousandths(params::clock_soft_share()));
        assert!(soft <= most + Duration::from_micros(1) && soft < hard, "{soft:?} {hard:?}");
    }

    /// Plays `moves` moves, each using `spend` of its budget and `lag` more.
    fn play(
        mut clock: Duration,
        control: Limits,
        moves: u32,
        lag: Duration,
        spend: fn(TimeBudget) -> Duration,
    ) {
        for played in 0..moves {
            let moves_to_go = control.moves_to_go.map(|moves| moves - played);
            let limits = Limits { time: [Some(clock), None], moves_to_go, ..control.clone() };
            let used = spend(TimeBudget::new(&limits, Color::White, OVERHEAD, 2 * played)) + lag;
            assert!(used <= clock, "flag at move {played} of {control:?}");
            clock = clock - used + control.increment[0];
        }
    }

    #[test]
    fn whole_games_end_in_time() {
        let increment = |milliseconds| limits(0, milliseconds, None);
        for spend in [|budget: TimeBudget| budget.hard.unwrap(), |budget: TimeBudget| budget.soft.unwrap()] {
            play(ms(1000), increment(10), 400, ms(5), spend);
            play(ms(8000), increment(80), 400, ms(10), spend);
            play(ms(10_000), increment(100), 400, ms(10), spend);
            play(ms(60_000), limits(0, 0, Some(40)), 40, ms(5), spend);
            play(ms(1000), limits(0, 0, Some(40)), 40, ms(5), spend);
        }
        play(ms(50), increment(0), 20, Duration::from_micros(500), |budget| budget.soft.unwrap());
        play(ms(10_000), increment(0), 120, ms(5), |budget| budget.soft.unwrap());
    }

    #[test]
    fn trouble_takes_time_and_calm_saves_it() {
        assert!((soft_scale(5, 0, 0.75) - 1.0).abs() < 0.05);
        for stability in 0..20 {
            for drop in -100..200 {
                for effort in [0.0, 0.25, 0.5, 0.75, 1.0] {
                    let scale = soft_scale(stability, drop, effort);
                    assert!((0.4..4.0).contains(&scale));
                    assert!(scale >= soft_scale(stability + 1, drop, effort));
                    assert!(scale <= soft_scale(stability, drop + 1, effort));
                    assert!(scale > soft_scale(stability, drop, effort + 0.2) || effort == 1.0);
                }
            }
        }
        for drop in [Value::MIN, Value::MAX] {
            assert!((0.4..4.0).contains(&soft_scale(u32::MAX, drop, f64::NAN)));
        }
    }

    #[test]
    fn nodes_and_time_convert_both_ways() {
        for rate in [1, 3, 7, 600, 10_000].map(|rate| NodeRate::new(rate).expect("above 0")) {
            assert_eq!(rate.nodes(ms(1)), rate.0.get());
            for nodes in [0, 1, 2, 999, 1_000_000, 123_456_789_012] {
                assert_eq!(rate.nodes(rate.time(nodes)), nodes);
            }
            assert_eq!(rate.nodes(Duration::MAX), u64::MAX);
        }
        assert_eq!(NodeRate::new(0), None);
    }

    #[test]
    fn a_node_clock_reads_the_first_clock_of_a_game_and_counts_down_from_there() {
        let rate = NodeRate::new(100).expect("above 0");
        let mut clock = NodeClock::default();
        let start = |time, clock: &mut NodeClock| {
            clock.start(limits(time, 10, None), Color::White, rate).time[0].expect("a clock")
        };
        assert_eq!(start(1000, &mut clock), ms(1000));
        clock.charge(30_000);
        clock.charge(30_000);
        // 100,000 nodes, less 30,000, and 1,000 for the increment.
        assert_eq!(start(123, &mut clock), ms(710));
        // A search without a clock costs nothing.
        clock.charge(1000);
        let depth = Limits::depth(3);
        assert_eq!(clock.start(depth, Color::White, rate).time, [None; 2]);
        clock.charge(50_000);
        assert_eq!(start(5, &mut clock), ms(710));
        clock.charge(1_000_000);
        assert_eq!(start(5, &mut clock), Duration::ZERO);
    }
}
