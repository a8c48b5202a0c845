//! Whole games on a clock, played by processes on this machine: a leader with followers against `caesura`, the program
//! without a cluster. In every tenth game a follower is killed in the middle and another takes its place, in every tenth
//! one is frozen for a second. An illegal move, a hang or a loss on time is an error.
//!
//! `cargo bench -p cluster --features zenoh --bench process_games -- BOOK target/release/caesura`; `--help` has the rest.
//! Where the nodes have no processor each, followers take the leader's: with `--nodes 0 --beside 3`, `caesura` plays
//! against itself while three more of it search beside the first, which shows what the machine is to blame for. A larger
//! `--overhead` keeps the scheduler from deciding games. With `--namespaces`, each node is in a network namespace of its own.

mod namespaces;
#[path = "../../tests/program/mod.rs"]
mod program;

use std::error::Error;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use caesura::board::Board;
use caesura::board::notation::{parse_uci, to_uci};
use caesura::types::{Color, Move};
use clap::Parser;
use datagen::opening::read_positions;
use datagen::play_out::MoveOutcome;
use lab::game::{GameRecord, half_points, play_match_game};
use toolkit::elo::Pentanomial;
use toolkit::uci_score::shown_score;

use namespaces::Namespaces;
use program::{Host, Leader, Node, Program};

/// How long a follower is frozen.
const FROZEN: Duration = Duration::from_secs(1);

/// Games of a leader with followers against the program without a cluster.
#[derive(Parser)]
struct Arguments {
    /// Cargo says so.
    #[arg(long, hide = true)]
    bench: bool,
    /// Openings, one FEN or EPD a line
    book: PathBuf,
    /// The program without a cluster
    caesura: PathBuf,
    /// Nodes of the cluster, the leader included; 0: the program without a cluster plays against itself
    #[arg(long, default_value_t = 2)]
    nodes: usize,
    /// Milliseconds that both sides keep back for each move: more than usual where the machine has other things to do
    #[arg(long, default_value_t = 10)]
    overhead: u64,
    /// Programs without a cluster that search while the first side does
    #[arg(long, default_value_t = 0)]
    beside: usize,
    /// Runs each node in a network namespace of its own (Linux, as root)
    #[arg(long)]
    namespaces: bool,
    /// How many games
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Milliseconds on the clock of each side
    #[arg(long, default_value_t = 2000)]
    time: u64,
    /// Milliseconds that each move adds
    #[arg(long, default_value_t = 20)]
    increment: u64,
}

/// What happens to a follower in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Accident {
    Killed,
    Frozen,
}

impl Accident {
    /// What happens in the game of this number, in which ply.
    fn of_game(number: usize) -> Option<(Accident, usize)> {
        let ply = 10 + number % 40;
        match number % 10 {
            3 => Some((Accident::Killed, ply)),
            8 => Some((Accident::Frozen, ply)),
            _ => None,
        }
    }
}

/// Those that play.
struct Players {
    /// The leader, or the program that plays in its place, and the program without a cluster.
    leader: Result<Leader, Program>,
    single: Program,
    followers: Vec<Node>,
    /// Programs that take processors as followers would.
    beside: Vec<Program>,
    /// How many followers there have been.
    started: usize,
    /// Until when the first follower is frozen.
    frozen_until: Option<Instant>,
    /// Where nodes run, the leader first.
    hosts: Vec<Host>,
}

impl Players {
    /// Starts them, the nodes on these hosts, the leader on the first one.
    fn start(arguments: &Arguments, hosts: Vec<Host>) -> Players {
        let single = || Program::start(Command::new(&arguments.caesura));
        let leader = if arguments.nodes == 0 { Err(single()) } else { Ok(Leader::start(&hosts[0])) };
        let mut players = Players {
            leader,
            single: single(),
            followers: Vec::new(),
            beside: (0..arguments.beside).map(|_| single()).collect(),
            started: arguments.nodes.saturating_sub(1),
            frozen_until: None,
            hosts,
        };
        if let Ok(leader) = &players.leader {
            let follower = |number| leader.add(players.host(number), &follower_name(number));
            players.followers = (1..=players.started).map(follower).collect();
        }
        for leads in [true, false] {
            let option = format!("setoption name Move Overhead value {}", arguments.overhead);
            players.program(leads).send(&option);
        }
        players
    }

    /// Starts another follower, which will have joined sooner or later.
    fn add_follower(&mut self) {
        if let Ok(leader) = &self.leader {
            self.started += 1;
            self.followers.push(leader.start_node(self.host(self.started), &follower_name(self.started)));
        }
    }

    /// The host of the follower of this number, from 1: they take turns on all but the leader's.
    fn host(&self, number: usize) -> &Host {
        let others = self.hosts.get(1..).filter(|others| !others.is_empty()).unwrap_or(&self.hosts);
        &others[(number - 1) % others.len()]
    }

    /// The one that leads a cluster if `leads`, otherwise its opponent.
    fn program(&mut self, leads: bool) -> &mut Program {
        match (&mut self.leader, leads) {
            (_, false) => &mut self.single,
            (Ok(leader), true) => &mut leader.program,
            (Err(program), true) => program,
        }
    }

    /// Lets something happen to the first follower, whose place another takes if it is killed. False if there is none.
    fn happen(&mut self, accident: Accident) -> bool {
        let Some(follower) = self.followers.first() else { return false };
        match accident {
            Accident::Killed => {
                follower.signal("KILL");
                self.followers.remove(0);
                self.add_follower();
            }
            Accident::Frozen => {
                follower.signal("STOP");
                self.frozen_until = Some(Instant::now() + FROZEN);
            }
        }
        true
    }

    /// Wakes up who has been frozen long enough.
    fn wake(&mut self) {
        if self.frozen_until.is_some_and(|end| Instant::now() >= end)
            && let Some(follower) = self.followers.first()
        {
            follower.signal("CONT");
            self.frozen_until = None;
        }
    }
}

fn follower_name(number: usize) -> String {
    format!("f{number}")
}

/// One match.
struct Match {
    players: Players,
    time: Duration,
    increment: Duration,
    /// By how much clocks were exceeded: those of the leader, and those of its opponent.
    exceeded: [Vec<Duration>; 2],
    accidents: Vec<Accident>,
}

impl Match {
    /// Plays a game. The leader has White if `leads_white`.
    fn play(
        &mut self,
        start: &Board,
        leads_white: bool,
        mut accident: Option<(Accident, usize)>,
    ) -> Result<GameRecord, Box<dyn Error>> {
        for leads in [true, false] {
            let program = self.players.program(leads);
            program.send("ucinewgame\nisready");
            program.until("readyok");
        }
        let mut clocks = [self.time; 2];
        let mut moves = String::new();
        let mut plies = 0;
        let game = play_match_game(start, &AtomicBool::new(false), |board| {
            let side = board.side_to_move();
            let leads = (side == Color::White) == leads_white;
            let [white, black] = clocks.map(|clock| clock.as_millis());
            let increment = self.increment.as_millis();
            let position = format!("position fen {start} moves{moves}");
            let beside = if leads { self.players.beside.len() } else { 0 };
            for program in &mut self.players.beside[..beside] {
                program.send(&format!("{position}\ngo infinite"));
            }
            let program = self.players.program(leads);
            program.send(&position);
            let begun = Instant::now();
            program.send(&format!("go wtime {white} btime {black} winc {increment} binc {increment}"));
            if leads
                && let Some((what, _)) = accident.take_if(|(_, ply)| *ply <= plies)
                && self.players.happen(what)
            {
                self.accidents.push(what);
            }
            let (lines, arrival) = self.players.program(leads).until_arrival("bestmove");
            let used = arrival - begun;
            for program in &mut self.players.beside[..beside] {
                program.send("stop");
                program.until("bestmove");
            }
            self.players.wake();
            let clock = &mut clocks[side.index()];
            if used > *clock {
                self.exceeded[usize::from(!leads)].push(used - *clock);
                return Ok::<_, Box<dyn Error>>(MoveOutcome::TimeForfeit);
            }
            *clock = *clock - used + self.increment;
            plies += 1;
            let m =
                best_move(board, &lines).ok_or_else(|| format!("no legal move in {board}: {lines:#?}"))?;
            moves += &format!(" {}", to_uci(m, board.is_chess960()));
            Ok(MoveOutcome::Played(m, lines.iter().rev().find_map(|line| shown_score(line)).unwrap_or(0)))
        })?;
        game.ok_or_else(|| "a game was abandoned".into())
    }
}

fn best_move(board: &Board, lines: &[String]) -> Option<Move> {
    parse_uci(board, lines.last()?.strip_prefix("bestmove ")?.split(' ').next()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let openings = read_positions(&arguments.book)?;
    let namespaces = arguments.namespaces.then(|| Namespaces::new(arguments.nodes)).transpose()?;
    let hosts = namespaces.as_ref().map_or_else(|| vec![Host::local()], Namespaces::hosts);
    let mut games = Match {
        players: Players::start(&arguments, hosts),
        time: Duration::from_millis(arguments.time),
        increment: Duration::from_millis(arguments.increment),
        exceeded: [Vec::new(), Vec::new()],
        accidents: Vec::new(),
    };
    let mut pairs = Pentanomial::default();
    for (pair, opening) in openings.iter().take(arguments.games.div_ceil(2)).enumerate() {
        let opening = Board::from_setup(opening);
        let white = games.play(&opening, true, Accident::of_game(2 * pair))?;
        let black = games.play(&opening, false, Accident::of_game(2 * pair + 1))?;
        eprintln!("pair {pair}: {white:?} {black:?}");
        pairs.add(half_points(&[white, black]));
    }
    let count = |wanted| games.accidents.iter().filter(|&&accident| accident == wanted).count();
    println!("{} nodes, {} games, {:?}: {}", arguments.nodes, 2 * pairs.pairs(), pairs.0, pairs.estimate());
    println!("{} killed, {} frozen for {FROZEN:?}", count(Accident::Killed), count(Accident::Frozen));
    let [leader, single] = &games.exceeded;
    println!("losses on time: the leader {leader:?}, its opponent {single:?}");
    let has_lost = !leader.is_empty();
    let program = games.players.leader.map_or_else(|program| program, |leader| leader.program);
    match (has_lost, program.quits()) {
        (true, _) => Err("the leader has lost on time".into()),
        (false, false) => Err("the leader did not end as it should".into()),
        (false, true) => Ok(()),
    }
}
