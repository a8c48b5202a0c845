//! What the leader and its followers say to each other.

use caesura::engine::SharedResult;
use caesura::types::{Depth, MAX_PLY, Move, Value};
use serde::{Deserialize, Serialize};

use super::packet_header::{MARK, WireError, body};
use crate::identity::Identity;

/// The number of a program in a cluster, drawn at random when it starts.
pub type NodeId = u64;

/// A message. Any of them may be lost, come late, or come twice: the protocol repeats what matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Message {
    /// From a follower, again and again: it is there.
    Hello {
        /// The follower.
        node: NodeId,
        /// The name that people know it by.
        name: String,
        /// What it is.
        identity: Identity,
    },
    /// From the leader, again and again: it is there, and this search and all before it have ended.
    Beat {
        /// The leader.
        leader: NodeId,
        /// The last search that has ended; 0 before there is one.
        ended: u64,
    },
    /// From the leader: search.
    Go(Box<Order>),
    /// From the leader: this search and all before it have ended.
    Stop {
        /// The leader.
        leader: NodeId,
        /// The search.
        search: u64,
    },
    /// From a follower, many times a second: what it has found so far.
    Report(Report),
    /// From a follower: it cannot search what the leader searches.
    Unfit {
        /// The follower.
        node: NodeId,
        /// The leader of the search.
        leader: NodeId,
        /// The search.
        search: u64,
        /// Why.
        reason: String,
    },
    /// From anyone: it ends.
    Bye {
        /// Who.
        node: NodeId,
    },
}

/// An option as the leader has set it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplicatedOption {
    /// Its name.
    pub name: String,
    /// The `setoption` line.
    pub line: String,
    /// Grows with every change of an option: a line that is set again may mean another file by now.
    pub change: u64,
}

/// A search, with all that a follower needs for it, whatever it has missed before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Who orders it.
    pub leader: NodeId,
    /// What the leader is.
    pub identity: Identity,
    /// The number of the search.
    pub search: u64,
    /// The number of the game: where it changes, tables and histories are emptied.
    pub game: u64,
    /// The options that have been set.
    pub options: Vec<ReplicatedOption>,
    /// The `position` line.
    pub position: String,
    /// The key of the position, so that a follower knows whether it has understood.
    pub key: u64,
    /// The moves to keep to, in UCI notation; empty for all.
    pub search_moves: Vec<String>,
    /// The network that evaluates.
    pub network: String,
}

/// What a follower has found so far in a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The follower.
    pub node: NodeId,
    /// The leader of the search.
    pub leader: NodeId,
    /// The search.
    pub search: u64,
    /// How many searches it has begun, this one among them: one that gave its leader up begins the same search again.
    pub start: u64,
    /// Nodes so far, since it began.
    pub nodes: u64,
    /// Positions that were found in endgame tables so far.
    pub tb_hits: u64,
    /// Depth, score and line, once there are any.
    pub result: Option<WireResult>,
}

/// A [`SharedResult`] with its moves as numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireResult {
    depth: Depth,
    score: Value,
    pv: Vec<u16>,
}

impl From<&SharedResult> for WireResult {
    fn from(result: &SharedResult) -> WireResult {
        let pv = result.pv.iter().map(|m| m.bits()).collect();
        WireResult { depth: result.depth, score: result.score, pv }
    }
}

impl WireResult {
    /// The result, its line up to the first number that is no move, and no longer than a search looks ahead. Whether the moves
    /// are legal is left to the vote.
    pub fn result(&self) -> SharedResult {
        let pv = self.pv.iter().take(MAX_PLY).map_while(|&bits| Move::from_bits(bits)).collect();
        SharedResult { depth: self.depth, score: self.score, pv }
    }
}

impl Message {
    /// The packet of the message.
    pub fn packet(&self) -> Vec<u8> {
        // Into a growing vector, nothing of these types can fail to be written; an empty packet would be refused.
        postcard::to_extend(self, MARK.to_vec()).unwrap_or_default()
    }

    /// The message of a packet.
    ///
    /// # Errors
    /// If the packet is malformed.
    pub fn read(packet: &[u8]) -> Result<Message, WireError> {
        postcard::from_bytes(body(packet)?).map_err(WireError::Message)
    }
}

#[cfg(test)]
mod tests {
    use caesura::board::Board;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;
    use crate::wire::MAX_PACKET_BYTES;

    fn identity() -> impl Strategy<Value = Identity> {
        (".*", any::<u64>(), ".*").prop_map(|(version, signature, network)| Identity {
            version,
            signature,
            network,
        })
    }

    fn message() -> impl Strategy<Value = Message> {
        let result = (any::<i32>(), any::<i32>(), prop::collection::vec(any::<u16>(), 0..9))
            .prop_map(|(depth, score, pv)| WireResult { depth, score, pv });
        let option = (".*", ".*", any::<u64>()).prop_map(|(name, line, change)| ReplicatedOption {
            name,
            line,
            change,
        });
        let options = prop::collection::vec(option, 0..3);
        prop_oneof![
            (any::<u64>(), ".*", identity()).prop_map(|(node, name, identity)| Message::Hello {
                node,
                name,
                identity
            }),
            any::<[u64; 2]>().prop_map(|[leader, ended]| Message::Beat { leader, ended }),
            (any::<[u64; 4]>(), identity(), options, ".*").prop_map(|(numbers, identity, options, text)| {
                let [leader, search, game, key] = numbers;
                let (position, network) = (text.clone(), text);
                let search_moves = vec![position.clone()];
                let order =
                    Order { leader, identity, search, game, options, position, key, search_moves, network };
                Message::Go(Box::new(order))
            }),
            any::<[u64; 2]>().prop_map(|[leader, search]| Message::Stop { leader, search }),
            (any::<[u64; 6]>(), prop::option::of(result)).prop_map(|(numbers, result)| {
                let [node, leader, search, start, nodes, tb_hits] = numbers;
                Message::Report(Report { node, leader, search, start, nodes, tb_hits, result })
            }),
            (any::<[u64; 3]>(), ".*").prop_map(|([node, leader, search], reason)| Message::Unfit {
                node,
                leader,
                search,
                reason
            }),
            any::<u64>().prop_map(|node| Message::Bye { node }),
        ]
    }

    #[test]
    fn a_line_is_no_longer_than_a_search_looks_ahead() {
        let m = Board::start().legal_moves()[0].bits();
        for (sent, kept) in [(3, 3), (MAX_PLY, MAX_PLY), (300_000, MAX_PLY)] {
            let result = WireResult { depth: 9, score: 0, pv: vec![m; sent] };
            assert_eq!(result.result().pv.len(), kept);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_message_arrives_as_it_was_sent(message in message()) {
            prop_assert_eq!(Message::read(&message.packet()), Ok(message));
        }

        #[test]
        fn any_bytes_are_a_message_or_an_error(mut bytes: Vec<u8>, marked: bool) {
            if marked {
                bytes.splice(0..0, MARK);
            }
            let _ = Message::read(&bytes);
        }

        #[test]
        fn a_packet_that_is_cut_off_or_changed_does_no_harm(message in message(), at: usize, bit in 0..8u32) {
            let mut packet = message.packet();
            let at = at % packet.len();
            prop_assert!(Message::read(&packet[..at]).is_err());
            packet[at] ^= 1u8 << bit;
            let _ = Message::read(&packet);
        }

        #[test]
        fn any_numbers_are_a_result_that_a_vote_can_refuse(depth: i32, score: i32, pv: Vec<u16>) {
            let board = Board::start();
            let result = WireResult { depth, score, pv }.result();
            let first_moves = board.legal_moves();
            prop_assert!(!result.may_vote(&first_moves) || !result.legal_line(&board).is_empty());
        }
    }

    #[test]
    fn what_is_wrong_with_a_packet_is_named() {
        assert_eq!(Message::read(b""), Err(WireError::Mark));
        assert_eq!(Message::read(b"GET / HTTP/1.1"), Err(WireError::Mark));
        assert_eq!(Message::read(b"CAE\x04"), Err(WireError::Format(4)));
        assert!(matches!(Message::read(b"CAE\x05\xff"), Err(WireError::Message(_))));
        let long = vec![0; MAX_PACKET_BYTES + 1];
        assert_eq!(Message::read(&long), Err(WireError::Length(MAX_PACKET_BYTES + 1)));
    }
}
