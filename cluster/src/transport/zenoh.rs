//! Packets over a network, by [zenoh](https://zenoh.io): it finds the other machines, connects each with each, and connects
//! them again when a connection was lost.

use std::error::Error;
use std::fmt;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use zenoh::pubsub::Publisher;
use zenoh::qos::{CongestionControl, Priority};
use zenoh::sample::{Locality, Sample};
use zenoh::{Config, Session, Wait};

use super::packets::{Inbox, InboxSender, Packet, Topic, Transport, inbox};
use crate::wire::MAX_PACKET_BYTES;

/// How long a packet may wait for a connection that is busy, in microseconds, before it is dropped.
const BUSY_MICROSECONDS: u32 = 200;

/// Any free port of all interfaces of IPv4.
const ANY_IPV4_PORT: &str = "tcp/0.0.0.0:0";

/// Where a machine finds others, and is found.
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    /// Addresses to be reached at, like `tcp/0.0.0.0:7447`; any free port of all interfaces if there are none.
    pub listen: Vec<String>,
    /// Addresses of other machines. Those that do not answer are tried again for ever.
    pub connect: Vec<String>,
    /// Machines of the local network find each other, by multicast.
    pub discovery: bool,
}

/// Why a machine cannot be connected.
#[derive(Debug)]
pub enum ZenohError {
    /// It cannot be reached at its addresses.
    Listen(Vec<String>, zenoh::Error),
    /// Anything else.
    Network(zenoh::Error),
}

impl fmt::Display for ZenohError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ZenohError::Listen(addresses, cause) => {
                let addresses: Vec<&str> = addresses.iter().map(|address| bare(address)).collect();
                let text = cause_text(cause);
                // Behind what the program wanted, in a bracket, the address again and what the system says.
                let said = text.rsplit_once('[').and_then(|(_, said)| said.split_once(": "));
                let said = said.map_or(&*text, |(_, said)| said);
                write!(f, "cannot listen at {}: {said}", addresses.join(", "))
            }
            ZenohError::Network(cause) => write!(f, "no network: {}", cause_text(cause)),
        }
    }
}

impl Error for ZenohError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ZenohError::Listen(_, cause) | ZenohError::Network(cause) => Some(&**cause),
        }
    }
}

impl From<zenoh::Error> for ZenohError {
    fn from(cause: zenoh::Error) -> ZenohError {
        ZenohError::Network(cause)
    }
}

/// An address without the name of the protocol.
fn bare(address: &str) -> &str {
    address.strip_prefix("tcp/").unwrap_or(address)
}

/// What an error of zenoh says, without the place in its source text, which is a path of the machine that compiled it.
fn cause_text(cause: &zenoh::Error) -> String {
    let text = cause.to_string();
    let is_place = |rest: &str| rest.split(' ').nth(1).is_some_and(|word| word.contains(".rs:"));
    let place = text.match_indices(" at ").find(|(start, _)| is_place(&text[start + 3..]));
    place.map_or(&*text, |(start, _)| &text[..start]).to_string()
}

/// A connection to all other machines of a cluster.
pub struct ZenohTransport {
    /// The publishers, in the order of [`Topic::ALL`].
    publishers: Vec<Publisher<'static>>,
    inbox: Inbox,
    /// Ends with the connection; `None` once it has been left.
    session: Option<Session>,
}

/// How long the last packets may take to leave. A machine that reads nothing any more would be waited for much longer.
const LEAVE_WITHIN: Duration = Duration::from_millis(500);

impl Drop for ZenohTransport {
    fn drop(&mut self) {
        let connection = (std::mem::take(&mut self.publishers), self.session.take());
        let (sender, has_left) = mpsc::channel();
        let leave = move || {
            drop(connection);
            // After the time limit no one waits for it.
            let _ = sender.send(());
        };
        if thread::Builder::new().name("leave".into()).spawn(leave).is_ok() {
            let _ = has_left.recv_timeout(LEAVE_WITHIN);
        }
    }
}

impl ZenohTransport {
    /// Connects this machine to the others of a cluster, to listen to some topics. The name of the cluster consists of
    /// letters, digits and hyphens.
    ///
    /// # Errors
    /// If an address is none, or cannot be listened at.
    pub fn open(
        cluster: &str,
        topics: &[Topic],
        addresses: &Addresses,
    ) -> Result<ZenohTransport, ZenohError> {
        let session = open(addresses)?;
        let (sender, inbox) = inbox();
        for &topic in topics {
            session
                .declare_subscriber(key(cluster, topic))
                .callback(receiver(topic, sender.clone()))
                .background()
                .wait()?;
        }
        let publish = |topic: Topic| {
            // Messages go ahead of entries, and alone; neither waits for a machine that does not read.
            let is_bulk = topic == Topic::Entries;
            let publisher = session
                .declare_publisher(key(cluster, topic))
                .congestion_control(CongestionControl::Drop)
                .priority(if is_bulk { Priority::Data } else { Priority::RealTime })
                .express(!is_bulk)
                .allowed_destination(Locality::Remote);
            publisher.wait()
        };
        let publishers = Topic::ALL.into_iter().map(publish).collect::<Result<_, _>>()?;
        Ok(ZenohTransport { publishers, inbox, session: Some(session) })
    }
}

impl Transport for ZenohTransport {
    fn send(&self, topic: Topic, bytes: Vec<u8>) {
        // A packet that cannot be sent is a lost one.
        let _ = self.publishers[topic as usize].put(bytes).wait();
    }

    fn inbox(&self) -> &Inbox {
        &self.inbox
    }
}

/// Opens a session.
fn open(addresses: &Addresses) -> Result<Session, ZenohError> {
    let opened = zenoh::open(config(addresses)?).wait();
    if !addresses.listen.is_empty() {
        return opened.map_err(|cause| ZenohError::Listen(addresses.listen.clone(), cause));
    }
    match opened {
        Ok(session) => Ok(session),
        Err(cause) => {
            // All interfaces are by default those of IPv6, which a machine need not have.
            let listen = vec![ANY_IPV4_PORT.to_string()];
            let addresses = Addresses { listen, ..addresses.clone() };
            zenoh::open(config(&addresses)?).wait().map_err(|_| cause.into())
        }
    }
}

/// Puts what arrives into the inbox.
fn receiver(topic: Topic, inbox: InboxSender) -> impl Fn(Sample) + Send + Sync + 'static {
    move |sample| {
        let bytes = sample.payload().to_bytes().into_owned();
        inbox.deliver(Packet { topic, bytes });
    }
}

fn key(cluster: &str, topic: Topic) -> String {
    let topic = match topic {
        Topic::ToLeader => "leader",
        Topic::ToFollowers => "followers",
        Topic::Entries => "entries",
    };
    format!("caesura/{cluster}/{topic}")
}

fn config(addresses: &Addresses) -> Result<Config, ZenohError> {
    let list = |addresses: &[String]| {
        let quoted: Vec<String> = addresses.iter().map(|address| format!("{address:?}")).collect();
        format!("[{}]", quoted.join(","))
    };
    let mut config = Config::default();
    config.insert_json5("mode", "\"peer\"")?;
    config.insert_json5("connect/endpoints", &list(&addresses.connect))?;
    if !addresses.listen.is_empty() {
        config.insert_json5("listen/endpoints", &list(&addresses.listen))?;
    }
    config.insert_json5("scouting/multicast/enabled", &addresses.discovery.to_string())?;
    config.insert_json5("transport/link/rx/max_message_size", &(2 * MAX_PACKET_BYTES).to_string())?;
    config.insert_json5(
        "transport/link/tx/queue/congestion_control/drop/wait_before_drop",
        &BUSY_MICROSECONDS.to_string(),
    )?;
    Ok(config)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn settings_are_those_of_zenoh() {
        let listen = vec!["tcp/127.0.0.1:0".to_string()];
        let addresses = Addresses { listen, connect: vec!["tcp/[::1]:7447".to_string()], discovery: false };
        assert!(config(&addresses).is_ok());
        let wrong = Addresses { connect: vec!["\"x".to_string()], ..addresses };
        assert!(config(&wrong).is_err());
    }

    #[test]
    fn an_address_that_is_taken_is_named_and_no_path_of_the_source() {
        let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = taken.local_addr().expect("an address").to_string();
        let addresses = Addresses { listen: vec![format!("tcp/{address}")], ..Addresses::default() };
        let error = ZenohTransport::open("test", &[], &addresses).map(|_| ()).expect_err("taken").to_string();
        let cause = TcpListener::bind(&address).expect_err("taken");
        assert_eq!(error, format!("cannot listen at {address}: {cause}"));
    }

    #[test]
    fn publishers_stand_in_the_order_of_topics() {
        for (index, topic) in Topic::ALL.into_iter().enumerate() {
            assert_eq!(topic as usize, index);
        }
    }
}
