//! What machines of a cluster say to each other.

use std::time::{Duration, Instant};

use caesura::board::Board;
use caesura::uci::command::{self, Command};
use caesura::uci::options;
use cluster::follower::{Follower, FollowerAction};
use cluster::identity::Identity;
use cluster::leader::{Leader, LeaderAction};
use cluster::local_search::Subject;
use cluster::replicated_state::is_shared_option;
use cluster::wire::{EntryPacket, MARK, Message};

/// The time between two packets: some timeouts pass and others do not.
const INTERVAL: Duration = Duration::from_millis(150);

/// A packet that is read and written again says the same. Whatever packets come, a follower obeys only its leader's orders,
/// each in a line of its own that is a command of a kind that a leader may give; neither machine shows people what a
/// terminal would obey, and results are legal lines or have no vote.
///
/// An input is packets one behind another; each begins where the mark of packets stands.
pub fn check(input: &[u8]) {
    let identity = identity();
    let mut follower = Follower::new(1, "b".to_string(), identity.clone(), vec!["Threads".to_string()]);
    let mut leader = Leader::new(2, identity);
    let board = Board::start();
    let subject = Subject { key: board.key(), search_moves: Vec::new(), network: "n".to_string() };
    let mut now = Instant::now();
    leader.search_started(subject.clone(), now);
    for packet in packets(input) {
        if let Ok(entries) = EntryPacket::read(packet) {
            assert_eq!(entries.packet(), packet);
        }
        let Ok(message) = Message::read(packet) else { continue };
        assert_eq!(Message::read(&message.packet()).as_ref(), Ok(&message));
        let mut actions = follower.receive(message.clone(), now);
        if actions
            .iter()
            .any(|action| matches!(action, FollowerAction::Command(line) if line.starts_with("go")))
        {
            actions.extend(follower.search_started(Some(&subject)));
        }
        actions.extend(follower.tick(now, || ((1, 0), None)));
        actions.iter().for_each(check_follower);
        let actions = [leader.receive(message, now), leader.tick(now)].concat();
        actions.iter().for_each(check_leader);
        for result in leader.others().results {
            if result.may_vote(&board.legal_moves()) {
                play(&board, &result.legal_line(&board));
            }
        }
        now += INTERVAL;
    }
}

/// The identity of both machines. Orders of other programs are refused, so that inputs must have it, too.
pub fn identity() -> Identity {
    Identity { version: "1".to_string(), signature: 1, network: "n".to_string() }
}

fn packets(input: &[u8]) -> Vec<&[u8]> {
    let mut starts: Vec<usize> =
        input.windows(MARK.len()).enumerate().filter(|(_, bytes)| *bytes == MARK).map(|(at, _)| at).collect();
    starts.insert(0, 0);
    starts.push(input.len());
    starts.windows(2).map(|ends| &input[ends[0]..ends[1]]).filter(|packet| !packet.is_empty()).collect()
}

fn check_follower(action: &FollowerAction) {
    match action {
        FollowerAction::Note(text) => check_note(text),
        FollowerAction::Send(message) => assert_eq!(Message::read(&message.packet()).as_ref(), Ok(message)),
        FollowerAction::Command(line) => {
            assert!(!line.contains(['\n', '\r']), "{line:?}");
            match command::parse(line) {
                Ok(Command::Stop | Command::NewGame | Command::Position { .. }) => {}
                Ok(Command::Go(go)) => assert!(go.infinite, "{line:?}"),
                Ok(Command::SetOption { name, .. }) => {
                    let option = options::find(&name).expect("an option");
                    assert!(is_shared_option(option.name) && option.name != "Threads", "{line:?}");
                }
                // What makes no sense after its first word is refused by the session.
                Err(_) => assert!(command::is_command(line), "{line:?}"),
                Ok(other) => panic!("{other:?}"),
            }
        }
    }
}

fn check_leader(action: &LeaderAction) {
    match action {
        LeaderAction::Note(text) => check_note(text),
        LeaderAction::Send(message) => assert_eq!(Message::read(&message.packet()).as_ref(), Ok(message)),
    }
}

fn check_note(text: &str) {
    assert!(text.len() < 1000 && !text.contains(char::is_control), "{text:?}");
}

fn play(board: &Board, pv: &[caesura::types::Move]) {
    let mut board = board.clone();
    for &m in pv {
        assert!(board.is_legal(m), "{m:?} in {board}");
        board.make_move(m, &mut ());
    }
}
