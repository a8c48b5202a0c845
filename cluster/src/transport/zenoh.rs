//! Packets over a network, by [zenoh](https://zenoh.io): it finds the other machines, connects each with each, and connects
//! them again when a connection was lost.

use std::error::Error;
use std::fmt;

use zenoh::pubsub::Publisher;
use zenoh::qos::{CongestionControl, Priority};
use zenoh::sample::{Locality, Sample};
use zenoh::{Config, Session, Wait};

use super::packets::{Inbox, InboxSender, Packet, Topic, Transport, inbox};
use crate::wire::MAX_PACKET_BYTES;

/// How long a packet may wait for a connection that is busy, in microseconds, before it is dropped.
const BUSY_MICROSECONDS: u32 = 200;

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
pub struct ZenohError(Box<dyn Error + Send + Sync>);

impl fmt::Display for ZenohError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no network: {}", self.0)
    }
}

impl Error for ZenohError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}

impl From<zenoh::Error> for ZenohError {
    fn from(cause: zenoh::Error) -> ZenohError {
        ZenohError(cause)
    }
}

/// A connection to all other machines of a cluster.
pub struct ZenohTransport {
    /// The publishers, in the order of [`Topic::ALL`].
    publishers: Vec<Publisher<'static>>,
    inbox: Inbox,
    /// Ends with the connection.
    _session: Session,
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
        let session = zenoh::open(config(addresses)?).wait()?;
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
        Ok(ZenohTransport { publishers, inbox, _session: session })
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
    fn publishers_stand_in_the_order_of_topics() {
        for (index, topic) in Topic::ALL.into_iter().enumerate() {
            assert_eq!(topic as usize, index);
        }
    }
}
