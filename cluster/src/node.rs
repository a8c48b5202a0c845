//! A node: a UCI session with an engine, and a thread that links it to the others.

use std::io::{self, BufRead};
use std::sync::Arc;

use caesura::engine::EngineError;
use caesura::uci::{Output, Session};
use caesura::util::sync::{Builder, Receiver, Sender, unbounded};

use crate::commands::CommandReader;
use crate::follower::Follower;
use crate::leader::Leader;
use crate::link::{Link, Notes, Role};
use crate::observer::EventSender;
use crate::session_notes::SessionNotes;
use crate::transport::Transport;

/// Why a node could not start, or had to end.
#[derive(Debug)]
pub enum NodeError {
    /// There is no engine.
    Engine(EngineError),
    /// There is no thread for the link.
    Thread(io::Error),
    /// The input cannot be read.
    Input(io::Error),
}

impl std::fmt::Display for NodeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NodeError::Engine(cause) => cause.fmt(f),
            NodeError::Thread(cause) => write!(f, "no thread for the network: {cause}"),
            NodeError::Input(cause) => write!(f, "the input cannot be read: {cause}"),
        }
    }
}

impl std::error::Error for NodeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            NodeError::Engine(cause) => Some(cause),
            NodeError::Thread(cause) | NodeError::Input(cause) => Some(cause),
        }
    }
}

/// Leads a cluster: executes the UCI commands of `input` until it ends or `quit` comes, and has the others search what this
/// node searches.
///
/// # Errors
/// If there is no memory or no thread, or if the input cannot be read.
pub fn lead(
    leader: Leader,
    transport: impl Transport + Send + 'static,
    bytes_per_second: u64,
    input: impl BufRead + Send + 'static,
    output: Arc<Output>,
) -> Result<(), NodeError> {
    let notes = {
        let output = Arc::clone(&output);
        Arc::new(move |text: &str| output.info_string(format_args!("cluster: {text}")))
    };
    run(Role::Leader(leader), transport, bytes_per_second, input, output, notes)
}

/// Follows the leader of a cluster: executes the UCI commands of a channel, to which it sends what the leader wants. Texts
/// for people go to `notes`. Returns once another sender of the channel has sent `quit`; the leader is told.
///
/// # Errors
/// If there is no memory or no thread.
pub fn follow(
    follower: Follower,
    (sender, commands): (Sender<String>, Receiver<String>),
    transport: impl Transport + Send + 'static,
    bytes_per_second: u64,
    notes: Notes,
) -> Result<(), NodeError> {
    let output = Arc::new(Output::new(SessionNotes::new(Arc::clone(&notes)), |_| ()));
    let role = Role::Follower(follower, sender);
    run(role, transport, bytes_per_second, CommandReader::new(commands), output, notes)
}

fn run(
    role: Role,
    transport: impl Transport + Send + 'static,
    bytes_per_second: u64,
    input: impl BufRead + Send + 'static,
    output: Arc<Output>,
    notes: Notes,
) -> Result<(), NodeError> {
    let (sender, events) = unbounded();
    let observer = Arc::new(EventSender::new(sender));
    let session = Session::new(output).map_err(NodeError::Engine)?;
    let mut session = session.observed_by(Arc::clone(&observer) as _);
    let search = session.share_searches(observer);
    let link = Link::new(role, transport, (search, events), bytes_per_second, notes);
    let link = Builder::new().name("cluster".into()).spawn(|| link.run()).map_err(NodeError::Thread)?;
    let result = session.run(input);
    // With it the last sender of events goes, and the link ends.
    drop(session);
    let _ = link.join();
    result.map_err(NodeError::Input)
}
