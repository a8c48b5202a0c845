//! Several nodes under a model checker: the real program - sessions, links, engines with searches of a few nodes - over the
//! network in memory, whose threads run in turn, in thousands of orders. Every `go` has one answer, and no thread waits for
//! ever; an order in which that fails is reported with a schedule that repeats it.

mod simulation;

use std::time::Duration;

use caesura::util::sync::explore;
use cluster::transport::Faults;
use cluster::wire::Message;

use simulation::{Cluster, NAME};

#[test]
fn a_node_may_join_in_the_middle_of_a_search() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.go(1, "infinite");
        cluster.wait_for_order(1);
        cluster.add_follower();
        cluster.wait_for_report(1, 1);
        cluster.stop();
        cluster.end(1);
    });
}

#[test]
fn a_node_may_join_at_any_moment() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.go(1, "depth 2");
        cluster.add_follower();
        cluster.wait_for_answers(1);
        cluster.go(2, "depth 2");
        cluster.end(2);
    });
}

#[test]
fn a_node_may_leave_in_the_middle_of_a_search() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.add_follower();
        cluster.go(1, "infinite");
        cluster.wait_for_report(1, 1);
        cluster.quit(1);
        cluster.wait_for_line("info string cluster: f1 has left");
        cluster.stop();
        // Another one takes its place.
        cluster.add_follower();
        cluster.go(2, "infinite");
        cluster.wait_for_report(2, 2);
        cluster.stop();
        cluster.end(2);
    });
}

#[test]
fn a_stop_and_results_may_come_at_once() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.add_follower();
        cluster.wait_for_line("info string cluster: f1 has joined");
        cluster.go(1, "infinite");
        cluster.stop();
        cluster.go(2, "depth 3");
        cluster.stop();
        cluster.go(3, "infinite");
        cluster.wait_for_report(1, 3);
        cluster.stop();
        cluster.end(3);
    });
}

#[test]
fn a_dead_node_is_out_and_back_at_the_next_go() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.add_follower();
        // It takes part again, or it would not be missed a second time.
        for number in 1..=2 {
            cluster.go(number, "infinite");
            cluster.wait_for_report(1, number);
            cluster.network.cut_off(1, true);
            cluster.wait_for_notes(0, "info string cluster: f1 does not answer", number as usize);
            cluster.network.cut_off(1, false);
            cluster.stop();
        }
        cluster.end(2);
    });
}

#[test]
fn no_one_waits_for_a_frozen_node() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.add_follower();
        cluster.go(1, "infinite");
        cluster.wait_for_report(1, 1);
        let frozen = cluster.freeze(1);
        cluster.stop();
        cluster.go(2, "depth 2");
        cluster.wait_for_answers(2);
        drop(frozen);
        cluster.end(2);
    });
}

#[test]
fn a_frozen_leader_calls_its_followers_back() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.add_follower();
        cluster.go(1, "infinite");
        cluster.wait_for_report(1, 1);
        let frozen = cluster.freeze(0);
        cluster.wait_for_note(1, "the leader does not answer");
        drop(frozen);
        cluster.wait_for_notes(1, "a leader is there", 2);
        cluster.stop();
        cluster.end(1);
    });
}

#[test]
fn a_node_may_leave_at_any_moment_and_its_packets_come_late() {
    explore(|| {
        let faults =
            Faults { doubled_per_mille: 1000, delay: Duration::from_millis(300), ..Faults::default() };
        let mut cluster = Cluster::new(faults);
        cluster.add_follower();
        cluster.wait_for_line("info string cluster: f1 has joined");
        cluster.go(1, "infinite");
        cluster.quit(1);
        cluster.add_follower();
        cluster.stop();
        cluster.go(2, "infinite");
        cluster.wait_for_report(2, 2);
        cluster.stop();
        cluster.end(2);
    });
}

#[test]
fn a_ponder_hit_ends_the_search_of_all() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.add_follower();
        cluster.go(1, "ponder depth 2");
        cluster.wait_for_report(1, 1);
        cluster.send("ponderhit");
        cluster.wait_for_answers(1);
        cluster.end(1);
    });
}

#[test]
fn orders_come_faster_than_they_can_be_obeyed() {
    explore(|| {
        let faults = Faults { lost_per_mille: 200, doubled_per_mille: 200, delay: Duration::from_millis(30) };
        let mut cluster = Cluster::new(faults);
        cluster.add_follower();
        cluster.wait_for_line("info string cluster: f1 has joined");
        for (number, hash) in [(1, 2), (2, 3), (3, 1)] {
            cluster.send(&format!("setoption name Hash value {hash}"));
            cluster.send("ucinewgame");
            cluster.go(number, "infinite");
            if number < 3 {
                cluster.stop();
            }
        }
        cluster.wait_for_report_or_silence(1, 3);
        cluster.stop();
        cluster.end(3);
    });
}

#[test]
fn a_second_go_is_refused_and_answered_by_no_one() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.add_follower();
        cluster.go(1, "infinite");
        cluster.send("go depth 1");
        cluster.wait_for_line("info string 'go' ignored, a search is running");
        cluster.wait_for_report(1, 1);
        cluster.stop();
        cluster.end(1);
    });
}

#[test]
fn quit_in_the_middle_of_a_search_sends_all_home() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.add_follower();
        cluster.go(1, "infinite");
        cluster.wait_for_report(1, 1);
        cluster.send("quit");
        cluster.wait_for_note(1, "the leader has left");
        cluster.end(1);
    });
}

#[test]
fn the_input_may_end_while_a_node_joins() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.add_follower();
        cluster.go(1, "infinite");
        cluster.end(1);
    });
}

#[test]
fn options_during_a_search_are_kept_for_the_next_one() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        cluster.add_follower();
        cluster.go(1, "infinite");
        cluster.wait_for_report(1, 1);
        // The follower would refuse to search with another network than the leader.
        cluster.send("setoption name EvalFile value <material>");
        cluster.send("setoption name Hash value 2");
        cluster.stop();
        cluster.go(2, "infinite");
        cluster.wait_for_report(1, 2);
        cluster.stop();
        let orders = cluster.messages(|message| match message {
            Message::Go(order) => Some((order.search, order.options.len())),
            _ => None,
        });
        assert!(orders.iter().all(|&(search, options)| options == 2 * (search as usize - 1)), "{orders:?}");
        cluster.end(2);
    });
}

/// A follower that searches the first position for its leader, and a second leader of the same cluster, by its number.
fn with_a_second_leader() -> (Cluster, usize) {
    let mut cluster = Cluster::new(Faults::default());
    cluster.add_follower();
    let other = cluster.add_leader(NAME);
    cluster.go(1, "infinite");
    cluster.wait_for_report(1, 1);
    (cluster, other)
}

#[test]
fn a_follower_serves_the_first_of_two_leaders_until_that_leaves() {
    explore(|| {
        let (mut cluster, other) = with_a_second_leader();
        cluster.go_at(other, 2, "depth 2");
        cluster.wait_for_answers_of(other, 1);
        cluster.go_at(other, 3, "infinite");
        cluster.quit(0);
        cluster.wait_for_note(1, "the leader has left");
        cluster.wait_for_report(1, 3);
        cluster.send_to(other, "stop");
        cluster.end_all(&[(0, &[1]), (other, &[2, 3])]);
    });
}

#[test]
fn a_follower_goes_over_to_the_other_leader_if_its_own_is_silent() {
    explore(|| {
        let (cluster, other) = with_a_second_leader();
        let frozen = cluster.freeze(0);
        cluster.go_at(other, 2, "infinite");
        cluster.wait_for_report(1, 2);
        drop(frozen);
        // The first one has it no more, and answers all the same.
        cluster.stop();
        cluster.wait_for_answers(1);
        cluster.go(3, "depth 2");
        cluster.wait_for_answers(2);
        cluster.send_to(other, "stop");
        cluster.end_all(&[(0, &[1, 3]), (other, &[2])]);
    });
}

#[test]
fn two_leaders_may_search_at_once_with_followers_that_see_both() {
    explore(|| {
        let faults = Faults { lost_per_mille: 100, doubled_per_mille: 200, delay: Duration::from_millis(30) };
        let mut cluster = Cluster::new(faults);
        let other = cluster.add_leader(NAME);
        cluster.add_follower();
        cluster.go(1, "infinite");
        cluster.go_at(other, 2, "depth 2");
        cluster.add_follower();
        cluster.wait_for_answers_of(other, 1);
        cluster.stop();
        cluster.go_at(other, 3, "depth 2");
        cluster.end_all(&[(0, &[1]), (other, &[2, 3])]);
    });
}

#[test]
fn clusters_of_other_names_search_in_one_network() {
    explore(|| {
        let mut cluster = Cluster::new(Faults::default());
        let other = cluster.add_leader("other");
        let (one, another) = (cluster.add_follower_of(NAME), cluster.add_follower_of("other"));
        cluster.go(1, "infinite");
        cluster.go_at(other, 2, "infinite");
        cluster.wait_for_report(one as u64, 1);
        cluster.wait_for_report(another as u64, 2);
        cluster.stop();
        cluster.quit(0);
        // Its follower has nothing more to do, although the other leader is still there.
        cluster.wait_for_note(one, "the leader has left");
        cluster.send_to(other, "stop");
        cluster.end_all(&[(0, &[1]), (other, &[2])]);
    });
}
