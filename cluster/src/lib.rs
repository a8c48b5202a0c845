//! One search on many machines.
//!
//! The first node, the [`leader`], has the clock and speaks UCI; the others are [`follower`]s. Each searches the whole
//! position by itself, with its own threads and table. They exchange table entries of some depth
//! ([`entry_exchange`], [`throttle`]), so that what one has searched the others need not, and at the end the leader lets
//! their results vote with those of its own threads.
//!
//! A [`node`] is a UCI session and a [`link`], the thread that carries [`wire`] packets over a [`transport`]. The
//! protocol stands in [`leader`] and [`follower`] as pure machines, which know no thread and no clock. It survives loss,
//! delay and the death of any follower: orders are repeated and hold all that a follower needs
//! ([`replicated_state`]), and the leader waits for no one. The engine reports to the link by an [`observer`] when searches
//! begin and end; [`local_search`] is what the link may ask of it; a follower's session reads [`commands`] and says what people
//! must know by [`session_notes`]. Programs that differ in their [`identity`] do not search together. [`lockstep`] simulates
//! machines whose searches repeat.

#![forbid(unsafe_code)]

pub mod commands;
pub mod entry_exchange;
pub mod follower;
pub mod identity;
pub mod leader;
pub mod link;
pub mod local_search;
pub mod lockstep;
pub mod node;
pub mod observer;
pub mod replicated_state;
pub mod session_notes;
pub mod throttle;
pub mod transport;
pub mod wire;
