//! The protocol on a simulated network, whose clock is turned by hand: loss, delay, death, late comers, and nonsense. Each
//! run is repeated exactly by its seed.

mod machines;
mod nodes;
mod options;

use std::time::Duration;

use caesura::engine::SharedEntry;
use caesura::util::sync::unbounded;
use cluster::identity::Identity;
use cluster::leader::Leader;
use cluster::link::Role;
use cluster::observer::Event;
use cluster::transport::{Faults, Topic, Transport};
use cluster::wire::{Message, Order, ReplicatedOption};

use machines::{Cluster, Machine, identity, key};

const START: &str = "position startpos";
const LATER: &str = "position startpos moves e2e4";

#[test]
fn all_search_what_the_leader_searches_and_stop_with_it() {
    let mut cluster = Cluster::new(1, Faults::default(), 3);
    (1..=3).for_each(|machine| cluster.set_result(machine, 9));
    cluster.run(300);
    cluster.go(START);
    cluster.run(60);
    assert_eq!(cluster.searching(), [1, 2, 3]);
    assert_eq!(cluster.votes(), 3);
    let nodes = cluster.leader().engine.0.borrow().others.nodes;
    assert!(nodes > 60, "the sum of all: {nodes}");
    cluster.stop();
    cluster.run(20);
    assert_eq!(cluster.machines[1].told, ["ucinewgame", START, "go infinite", "stop"]);
    // The next search knows nothing of the last one, and the game goes on.
    cluster.go(LATER);
    cluster.run(2);
    cluster.stop();
    cluster.run(20);
    assert_eq!(cluster.machines[1].told[4..], [LATER, "go infinite", "stop"]);
}

#[test]
fn the_engine_is_told_of_many_reports_at_once() {
    let mut cluster = Cluster::new(1, Faults::default(), 20);
    cluster.run(300);
    cluster.go(START);
    let told = |cluster: &Cluster| cluster.leader().engine.0.borrow().told_of_others;
    for _ in 0..200 {
        let before = told(&cluster);
        cluster.run(1);
        assert!(told(&cluster) <= before + 1);
    }
    let nodes = cluster.leader().engine.0.borrow().others.nodes;
    assert!(nodes > 20 * 100, "the sum of all: {nodes}");
}

#[test]
fn a_search_that_is_over_at_once_leaves_no_one_at_work() {
    for gap in [0, 1, 2, 5] {
        let faults = Faults { delay: Duration::from_millis(3), ..Faults::default() };
        let mut cluster = Cluster::new(gap, faults, 2);
        cluster.run(300);
        for _ in 0..20 {
            cluster.go(START);
            cluster.run(gap);
            cluster.stop();
        }
        cluster.run(500);
        assert_eq!(cluster.searching(), [0; 0]);
        for machine in &cluster.machines[1..] {
            let count = |word: &str| machine.told.iter().filter(|line| line.starts_with(word)).count();
            assert_eq!(count("go"), count("stop"), "{:?}", machine.told);
        }
    }
}

#[test]
fn loss_and_delay_only_cost_time() {
    for seed in 0..20 {
        let faults = Faults { lost_per_mille: 300, doubled_per_mille: 100, delay: Duration::from_millis(40) };
        let mut cluster = Cluster::new(seed, faults, 4);
        (1..=4).for_each(|machine| cluster.set_result(machine, 9));
        cluster.run(3000);
        for _ in 0..3 {
            cluster.go(START);
            cluster.run(3000);
            assert_eq!(cluster.searching(), [1, 2, 3, 4], "seed {seed}");
            assert_eq!(cluster.votes(), 4, "seed {seed}");
            cluster.stop();
            cluster.run(3000);
            let idle = cluster.machines[1..].iter().all(|machine| {
                machine
                    .told
                    .iter()
                    .rev()
                    .find(|line| *line == "stop" || line.starts_with("go"))
                    .is_some_and(|line| line == "stop")
            });
            assert!(idle, "seed {seed}");
        }
    }
}

#[test]
fn a_sign_of_life_that_was_overtaken_ends_no_later_search() {
    let faults = Faults { delay: Duration::from_millis(30), ..Faults::default() };
    let mut cluster = Cluster::new(1, faults, 2);
    cluster.run(300);
    // The searches are many and long: in some of them the leader says that it searches nothing.
    for gap in 1..=60 {
        cluster.go(START);
        cluster.run(100);
        assert_eq!(cluster.searching(), [1, 2], "gap {gap}");
        cluster.stop();
        cluster.run(gap);
    }
}

/// A leader in the middle of a search, and two followers whose results it has.
fn two_followers_that_vote() -> Cluster {
    let mut cluster = Cluster::new(1, Faults::default(), 2);
    (1..=2).for_each(|machine| cluster.set_result(machine, 9));
    cluster.run(300);
    cluster.go(START);
    cluster.run(100);
    assert_eq!(cluster.votes(), 2);
    cluster
}

#[test]
fn a_dead_follower_loses_its_vote_and_the_others_go_on() {
    let mut cluster = two_followers_that_vote();
    cluster.machines[1].alive = false;
    cluster.run(1000);
    assert_eq!((cluster.votes(), cluster.searching().contains(&2)), (1, true));
    assert!(cluster.leader().notes().contains(&"f1 does not answer".to_string()));
    // Frozen, not dead: it is back, but not in this search.
    cluster.machines[1].alive = true;
    cluster.run(1000);
    assert_eq!(cluster.votes(), 1);
    cluster.stop();
    cluster.go(LATER);
    cluster.run(100);
    assert_eq!((cluster.votes(), cluster.searching()), (2, vec![1, 2]));
}

#[test]
fn what_a_forgotten_follower_had_counted_stays_in_the_sum_of_the_search() {
    let mut cluster = two_followers_that_vote();
    let sum = |cluster: &Cluster| cluster.leader().engine.0.borrow().others.nodes;
    let counted = |cluster: &Cluster| -> u64 {
        cluster.machines[1..].iter().map(|machine| machine.engine.0.borrow().nodes).sum()
    };
    cluster.machines[1].alive = false;
    let mut last = sum(&cluster);
    for _ in 0..120 {
        cluster.run(100);
        assert!(sum(&cluster) >= last, "{} after {last}", sum(&cluster));
        last = sum(&cluster);
    }
    // It was frozen, and joins as a new one that goes on with the same search: nothing counts twice.
    cluster.machines[1].alive = true;
    cluster.run(1000);
    let joined = cluster.leader().notes().iter().filter(|&note| note == "f1 has joined").count();
    assert_eq!(joined, 2, "it was forgotten");
    assert!((last..=counted(&cluster)).contains(&sum(&cluster)), "{} after {last}", sum(&cluster));
    // The next search begins at nothing.
    cluster.stop();
    cluster.go(LATER);
    cluster.run(60);
    assert!(sum(&cluster) <= 2 * 60, "{}", sum(&cluster));
}

#[test]
fn a_follower_that_leaves_loses_its_vote_at_once() {
    let mut cluster = two_followers_that_vote();
    drop(std::mem::replace(&mut cluster.machines[1].events, unbounded().0));
    cluster.run(1);
    cluster.machines[1].alive = false;
    cluster.run(2);
    assert_eq!((cluster.votes(), cluster.searching().contains(&2)), (1, true));
    assert!(cluster.leader().notes().contains(&"f1 has left".to_string()));
}

#[test]
fn a_search_that_is_gone_before_it_was_seen_is_not_mistaken_for_the_next_one() {
    let mut cluster = Cluster::new(1, Faults::default(), 1);
    cluster.run(300);
    cluster.go(START);
    while !cluster.machines[1].told.contains(&"go infinite".to_string()) {
        cluster.run(1);
    }
    // The engine has given its memory away before the link asks what is searched.
    cluster.machines[1].engine.0.borrow_mut().subject = None;
    cluster.run(1);
    cluster.stop();
    for position in [LATER, START] {
        cluster.go(position);
        cluster.run(100);
        assert_eq!(cluster.searching(), [1]);
        cluster.stop();
    }
}

#[test]
fn who_joins_in_the_middle_of_a_search_helps_at_once() {
    let mut cluster = Cluster::new(1, Faults::default(), 0);
    cluster.leader().events.send(Event::Option("Hash", "setoption name Hash value 64".into())).expect("open");
    cluster.leader().events.send(Event::Option("Move Overhead", "x".into())).expect("open");
    cluster.go(LATER);
    cluster.run(500);
    cluster.add_follower(identity(), &[]);
    cluster.add_follower(identity(), &["Hash"]);
    cluster.run(500);
    assert_eq!(cluster.searching(), [1, 2]);
    let started = ["ucinewgame", LATER, "go infinite"];
    assert_eq!(cluster.machines[1].told[0], "setoption name Hash value 64");
    assert_eq!(cluster.machines[1].told[1..], started);
    assert_eq!(cluster.machines[2].told, started, "its own size of the table stays");
}

#[test]
fn a_follower_without_its_leader_stops_and_takes_the_next_one() {
    let mut cluster = Cluster::new(1, Faults::default(), 1);
    cluster.leader().events.send(Event::Option("Hash", "setoption name Hash value 64".into())).expect("open");
    cluster.run(300);
    cluster.go(START);
    cluster.run(100);
    cluster.machines[0].alive = false;
    cluster.run(4000);
    assert_eq!(cluster.machines[1].told.last().map(String::as_str), Some("stop"));
    let transport = cluster.network.join(&[Topic::ToLeader, Topic::Entries]);
    cluster.machines[0] = Machine::new(Role::Leader(Leader::new(2000, identity())), None, transport);
    cluster.run(300);
    cluster.go(LATER);
    cluster.run(100);
    assert_eq!(cluster.searching(), [1]);
    // The option of the former leader is taken back.
    let told = &cluster.machines[1].told;
    assert_eq!(told[told.len() - 4..], ["setoption name Hash value 16", "ucinewgame", LATER, "go infinite"]);
    // The leader says goodbye when its engine goes.
    drop(std::mem::replace(&mut cluster.machines[0].events, unbounded().0));
    cluster.run(20);
    assert_eq!(cluster.machines[1].told.last().map(String::as_str), Some("stop"));
}

#[test]
fn programs_that_differ_are_refused_by_name_on_both_sides() {
    let mut cluster = Cluster::new(1, Faults::default(), 1);
    cluster.add_follower(Identity { version: "0".into(), ..identity() }, &[]);
    cluster.run(300);
    cluster.go(START);
    cluster.run(1500);
    assert_eq!(cluster.searching(), [1]);
    let refused = "f2 refused: version 0 instead of 1".to_string();
    assert_eq!(cluster.leader().notes().iter().filter(|note| **note == refused).count(), 1);
    assert_eq!(cluster.machines[2].notes(), ["a leader is refused: version 1 instead of 0"]);
    assert_eq!(cluster.machines[2].told, [""; 0]);
}

#[test]
fn a_follower_that_cannot_set_up_the_position_says_so() {
    let mut cluster = Cluster::new(1, Faults::default(), 1);
    cluster.set_result(1, 9);
    cluster.run(300);
    cluster.go(START);
    cluster.leader().engine.0.borrow_mut().subject.as_mut().expect("searched").key += 1;
    cluster.run(100);
    assert_eq!((cluster.searching(), cluster.votes()), (vec![], 0));
    assert!(cluster.leader().notes().contains(&"f1 cannot search this: the position differs".to_string()));
    assert_eq!(cluster.machines[1].told.last().map(String::as_str), Some("stop"));
}

#[test]
fn entries_go_to_all_that_search_the_same() {
    let mut cluster = Cluster::new(1, Faults::default(), 2);
    cluster.run(300);
    let queue = |cluster: &Cluster, machine: usize, key: u64| {
        let entry = SharedEntry { key, word: 1 };
        cluster.machines[machine].engine.0.borrow_mut().queued.push(entry);
    };
    let stored = |cluster: &Cluster| {
        let keys = |machine: &Machine| {
            machine.engine.0.borrow().stored.iter().map(|entry| entry.key).collect::<Vec<_>>()
        };
        cluster.machines.iter().map(keys).collect::<Vec<_>>()
    };
    queue(&cluster, 1, 5);
    cluster.run(50);
    assert!(stored(&cluster).concat().is_empty(), "no search");
    cluster.go(START);
    cluster.run(50);
    queue(&cluster, 0, 6);
    queue(&cluster, 2, 7);
    cluster.run(50);
    assert_eq!(stored(&cluster), [vec![5, 7], vec![6, 7], vec![5, 6]]);
}

#[test]
fn nonsense_is_dropped_with_one_message() {
    let mut cluster = Cluster::new(1, Faults::default(), 1);
    let stranger = cluster.network.join(&[]);
    for _ in 0..100 {
        for topic in Topic::ALL {
            stranger.send(topic, b"GET / HTTP/1.1".to_vec());
        }
    }
    cluster.run(300);
    assert_eq!(cluster.leader().notes().len(), 2, "{:?}", cluster.leader().notes());
    for _ in 0..3 {
        stranger.send(Topic::ToLeader, b"CAE\x01".to_vec());
        cluster.run(2000);
    }
    let notes = cluster.leader().notes();
    assert!(notes.len() == 3 && notes[2].contains("another version"), "{notes:?}");
    cluster.go(START);
    cluster.run(100);
    assert_eq!(cluster.searching(), [1]);
}

/// An order from a node that wants to do harm.
fn order(options: &[(&str, &str)], position: &str, search_moves: &[&str]) -> Message {
    let option = |&(name, line): &(&str, &str)| {
        let (name, line) = (name.to_string(), line.to_string());
        ReplicatedOption { name, line, change: 1 }
    };
    Message::Go(Box::new(Order {
        leader: 66,
        identity: identity(),
        search: 1,
        game: 0,
        options: options.iter().map(option).collect(),
        position: position.to_string(),
        key: key(START),
        search_moves: search_moves.iter().map(ToString::to_string).collect(),
        network: "net".into(),
    }))
}

#[test]
fn who_gave_a_frozen_leader_up_is_called_back_when_it_wakes_up() {
    let mut cluster = two_followers_that_vote();
    cluster.machines[0].alive = false;
    cluster.run(4000);
    assert_eq!(cluster.machines[1].told.last().map(String::as_str), Some("stop"));
    let sum = |cluster: &Cluster| cluster.leader().engine.0.borrow().others.nodes;
    let before = sum(&cluster);
    cluster.machines[0].alive = true;
    // They begin again, from no nodes: what they find counts all the same, and so does what they had counted.
    (1..=2).for_each(|machine| cluster.set_result(machine, 10));
    cluster.run(600);
    assert_eq!((cluster.searching(), cluster.votes()), (vec![1, 2], 2));
    let depths: Vec<_> =
        cluster.leader().engine.0.borrow().others.results.iter().map(|result| result.depth).collect();
    assert_eq!(depths, [10, 10]);
    assert!(sum(&cluster) > before, "{} after {before}", sum(&cluster));
}

#[test]
fn a_search_that_ends_while_it_is_looked_at_is_not_ordered() {
    let mut cluster = Cluster::new(1, Faults::default(), 1);
    cluster.run(300);
    let events = cluster.leader().events.clone();
    cluster.leader().engine.0.borrow_mut().ends_when_asked = Some(events);
    cluster.go(START);
    cluster.run(50);
    assert_eq!(cluster.machines[1].told, [""; 0]);
    cluster.go(LATER);
    cluster.run(50);
    assert_eq!(cluster.searching(), [1]);
}

#[test]
fn a_search_that_is_over_at_once_is_not_ordered_with_what_was_set_behind_it() {
    let mut cluster = Cluster::new(1, Faults::default(), 1);
    cluster.run(300);
    cluster.go(START);
    cluster.leader().events.send(Event::Position(LATER.to_string())).expect("open");
    cluster.stop();
    cluster.run(50);
    assert_eq!(cluster.machines[1].told, [""; 0]);
}
