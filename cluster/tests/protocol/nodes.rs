//! A leader or a follower by itself: what it answers to what it is told.

use std::time::Duration;

use caesura::util::sync::Instant;
use cluster::follower::{Follower, FollowerAction};
use cluster::identity::Identity;
use cluster::leader::{Leader, LeaderAction};
use cluster::local_search::Subject;
use cluster::wire::{Message, Order};

use crate::machines::identity;
use crate::{START, order};

/// A leader, number 66, that has begun a search with one follower.
fn leader_that_searches(now: Instant) -> Leader {
    let mut leader = Leader::new(66, identity());
    leader.receive(Message::Hello { node: 1, name: "f1".to_string(), identity: identity() }, now);
    let subject = Subject { key: 1, search_moves: Vec::new(), network: "net".to_string() };
    leader.search_started(subject, now);
    leader
}

/// An order of this number.
fn go(search: u64) -> Message {
    match order(&[], START, &[]) {
        Message::Go(order) => Message::Go(Box::new(Order { search, ..*order })),
        other => other,
    }
}

#[test]
fn orders_that_the_engine_is_too_far_behind_for_are_left_out_until_it_comes_nearer() {
    let mut follower = Follower::new(1, "follower".into(), identity(), Vec::new());
    let now = Instant::now();
    let is_obeyed = |follower: &mut Follower, search| {
        let Message::Go(order) = order(&[], START, &[]) else { panic!("an order") };
        let actions = follower.receive(Message::Go(Box::new(Order { search, ..*order })), now);
        actions
            .iter()
            .any(|action| matches!(action, FollowerAction::Command(line) if line.starts_with("go ")))
    };
    let obeyed = (1..100).filter(|&search| is_obeyed(&mut follower, search)).count();
    assert!((1..20).contains(&obeyed), "{obeyed}");
    assert!(!is_obeyed(&mut follower, 99));
    follower.search_started(None);
    assert!(is_obeyed(&mut follower, 99), "the leader repeats its order");
    assert!(!is_obeyed(&mut follower, 100));
}

#[test]
fn an_order_that_comes_after_its_end_is_not_obeyed() {
    let mut follower = Follower::new(1, "f1".to_string(), identity(), Vec::new());
    let mut receive = |message| follower.receive(message, Instant::now());
    let stop = [FollowerAction::Command("stop".to_string())];
    for (search, end) in
        [(1, Message::Stop { leader: 66, search: 2 }), (3, Message::Beat { leader: 66, ended: 4 })]
    {
        assert_ne!(receive(go(search)), []);
        assert_eq!(receive(end), stop);
        assert_eq!(receive(go(search)), []);
        assert_eq!(receive(go(search + 1)), []);
    }
}

#[test]
fn a_late_packet_brings_no_one_back_who_has_left() {
    let now = Instant::now();
    let mut leader = Leader::new(66, identity());
    let hello = || Message::Hello { node: 1, name: "f1".to_string(), identity: identity() };
    let bye = || Message::Bye { node: 1 };
    assert_eq!(leader.receive(hello(), now), [LeaderAction::Note("f1 has joined".to_string())]);
    assert_eq!(leader.receive(bye(), now), [LeaderAction::Note("f1 has left".to_string())]);
    assert_eq!(leader.receive(hello(), now), []);
    assert_eq!(leader.receive(bye(), now), []);
    assert!(!leader.has_followers());

    let mut follower = Follower::new(1, "f1".to_string(), identity(), Vec::new());
    let mut obeys = |message| !follower.receive(message, now).is_empty();
    assert!(obeys(go(1)));
    assert!(obeys(Message::Bye { node: 66 }));
    assert!(!obeys(go(1)) && !obeys(go(2)));
    let Message::Go(other) = go(1) else { unreachable!() };
    assert!(obeys(Message::Go(Box::new(Order { leader: 67, ..*other }))));
}

#[test]
fn who_cannot_follow_another_leader_may_follow_this_one() {
    let now = Instant::now();
    let mut leader = leader_that_searches(now);
    let search = leader.search().expect("it searches");
    let mut unfit = |leader_named| {
        let reason = "the position differs".to_string();
        leader.receive(Message::Unfit { node: 1, leader: leader_named, search, reason }, now)
    };
    assert_eq!(unfit(67), []);
    assert_ne!(unfit(66), []);
    assert_eq!(unfit(66), [], "it is out already");
}

#[test]
fn a_leader_that_stood_still_does_not_take_its_followers_for_silent() {
    let start = Instant::now();
    let mut leader = leader_that_searches(start);
    leader.tick(start);
    let says = |actions: &[LeaderAction], text: &str| {
        actions.iter().any(|action| matches!(action, LeaderAction::Note(note) if note.contains(text)))
    };
    // Nothing of what the follower sent meanwhile has come in yet.
    let late = leader.tick(start + Duration::from_secs(4));
    assert!(!says(&late, "does not answer"), "{late:?}");
    assert!(late.iter().any(|action| matches!(action, LeaderAction::Send(Message::Go(_)))), "{late:?}");
    // Silence that it has listened to is another thing.
    let mut after = Vec::new();
    for tick in 1..=8 {
        after.extend(leader.tick(start + Duration::from_secs(4) + tick * Duration::from_millis(100)));
    }
    assert!(says(&after, "f1 does not answer"), "{after:?}");
}

#[test]
fn who_cannot_do_an_order_says_so_again_when_it_is_repeated() {
    let mut follower = Follower::new(1, "f1".to_string(), identity(), Vec::new());
    let now = Instant::now();
    let is_unfit = |actions: &[FollowerAction], order: u64| {
        let says_so = |action: &FollowerAction| match action {
            FollowerAction::Send(Message::Unfit { search, .. }) => *search == order,
            _ => false,
        };
        actions.iter().any(says_so)
    };
    assert!(!is_unfit(&follower.receive(go(2), now), 2));
    let other = Subject { key: 99, search_moves: Vec::new(), network: "net".to_string() };
    assert!(is_unfit(&follower.search_started(Some(&other)), 2));
    assert!(is_unfit(&follower.receive(go(2), now), 2), "the first answer may be lost");
    assert_eq!(follower.receive(go(1), now), [], "an old order");
    let next = follower.receive(go(3), now);
    assert!(!is_unfit(&next, 2) && !is_unfit(&next, 3));
    assert_eq!(follower.receive(go(3), now), [], "it can be done");
}

#[test]
fn each_of_two_leaders_is_refused_with_one_note() {
    let mut follower =
        Follower::new(1, "f1".to_string(), Identity { signature: 3, ..identity() }, Vec::new());
    let mut notes = 0;
    let Message::Go(order) = go(1) else { unreachable!() };
    for _ in 0..5 {
        for leader in [66, 67] {
            let order = Message::Go(Box::new(Order { leader, ..(*order).clone() }));
            notes += follower.receive(order, Instant::now()).len();
        }
    }
    assert_eq!(notes, 2);
    // However many there are, no more is kept of them than a little.
    let strangers = 1000..2000;
    for leader in strangers {
        let order = Message::Go(Box::new(Order { leader, ..(*order).clone() }));
        notes += follower.receive(order, Instant::now()).len();
    }
    assert!(notes < 100, "{notes}");
}

#[test]
fn a_forged_number_or_farewell_takes_no_follower_away_for_good() {
    let start = Instant::now();
    let after = |milliseconds| start + Duration::from_millis(milliseconds);
    let (beat, stop) =
        (Message::Beat { leader: 66, ended: 1 }, Message::Stop { leader: 66, search: u64::MAX });
    for forged in [go(u64::MAX), stop, Message::Bye { node: 66 }] {
        let mut follower = Follower::new(1, "f1".to_string(), identity(), Vec::new());
        follower.receive(go(2), start);
        follower.receive(forged.clone(), start);
        let mut is_back = false;
        for time in (200..5000).step_by(200) {
            follower.receive(beat.clone(), after(time));
            follower.tick(after(time), Default::default);
            follower.search_started(None);
            is_back |= !follower.receive(go(2), after(time)).is_empty();
        }
        assert!(is_back, "{forged:?}");
    }

    let mut leader = leader_that_searches(start);
    leader.receive(Message::Bye { node: 1 }, start);
    assert!(!leader.has_followers());
    for time in (200..12_000).step_by(200) {
        leader.receive(Message::Hello { node: 1, name: "f1".to_string(), identity: identity() }, after(time));
        leader.tick(after(time));
    }
    assert!(leader.has_followers());
}
