//! Options that an order sets.

use caesura::util::sync::Instant;
use cluster::follower::{Follower, FollowerAction};
use cluster::leader::Leader;
use cluster::link::Role;
use cluster::observer::Event;
use cluster::transport::{Faults, Topic, Transport};

use crate::machines::{Cluster, Machine, identity};
use crate::{START, order};

#[test]
fn an_option_that_is_set_again_comes_again() {
    let mut cluster = Cluster::new(1, Faults::default(), 1);
    cluster.run(300);
    // What the file holds may be new.
    let line = "setoption name EvalFile value a.nnue";
    for (set, told) in [(true, 1), (false, 1), (true, 2)] {
        if set {
            cluster.leader().events.send(Event::Option("EvalFile", line.into())).expect("open");
        }
        cluster.go(START);
        cluster.run(20);
        cluster.stop();
        cluster.run(20);
        assert_eq!(cluster.machines[1].told.iter().filter(|&command| command == line).count(), told);
    }
}

#[test]
fn another_leader_sets_all_its_options_again() {
    let mut cluster = Cluster::new(1, Faults::default(), 1);
    let line = "setoption name EvalFile value a.nnue";
    for (leader, told) in [(None, 1), (Some(2000), 2)] {
        if let Some(leader) = leader {
            let transport = cluster.network.join(&[Topic::ToLeader, Topic::Entries]);
            let role = Role::Leader(Leader::new(leader, identity()));
            cluster.machines[0] = Machine::new(role, None, transport);
        }
        cluster.leader().events.send(Event::Option("EvalFile", line.into())).expect("open");
        cluster.run(300);
        cluster.go(START);
        cluster.run(100);
        assert_eq!(cluster.machines[1].told.iter().filter(|&command| command == line).count(), told);
        cluster.machines[0].alive = false;
        cluster.run(4000);
    }
}

#[test]
fn an_order_can_set_options_and_positions_and_nothing_else() {
    let mut cluster = Cluster::new(1, Faults::default(), 1);
    cluster.machines[0].alive = false;
    let stranger = cluster.network.join(&[]);
    let options = [
        ("Hash", "setoption name Hash value 2\nexport_net /x"),
        ("Threads", "setoption name Debug Log File value /x"),
        ("Debug Log File", "setoption name Debug Log File value /x"),
        ("Hash", "setoption name hash value 3"),
    ];
    // `go perft 30` would keep the machine busy for ever.
    let moves = ["e2e4", "perft", "30", "d2d4\nquit", "nodes 5", "e7e8q", "a7a8k"];
    let message = order(&options, "export_net /x", &moves);
    stranger.send(Topic::ToFollowers, message.packet());
    cluster.run(50);
    let told = &cluster.machines[1].told;
    assert_eq!(
        told[..3],
        ["setoption name hash value 3", "ucinewgame", "go infinite searchmoves e2e4 e7e8q"]
    );
}

#[test]
fn of_many_values_of_an_option_the_last_is_set() {
    let mut follower = Follower::new(1, "f1".to_string(), identity(), Vec::new());
    let lines: Vec<String> = (1..=30_000).map(|size| format!("setoption name Hash value {size}")).collect();
    let mut options: Vec<(&str, &str)> = lines.iter().map(|line| ("Hash", line.as_str())).collect();
    options.insert(9, ("Move Overhead", "setoption name Move Overhead value 20"));
    let actions = follower.receive(order(&options, START, &[]), Instant::now());
    let set: Vec<&str> = actions
        .iter()
        .filter_map(|action| match action {
            FollowerAction::Command(line) if line.starts_with("setoption") => Some(line.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(set, ["setoption name Hash value 30000"]);
}
