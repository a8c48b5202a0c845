//! What the command line can say.

use std::error::Error;
use std::fmt;
use std::net::Ipv6Addr;

use caesura::engine::{MAX_HASH, max_threads};
use clap::Parser;
use clap::builder::RangedU64ValueParser;

/// The port of a leader, unless it is given another.
const PORT: u16 = 7447;

/// Caesura on many machines: the first one speaks UCI, the others join it and help to search.
#[derive(Parser, Debug)]
#[command(name = "caesura-cluster", version, about, after_help = EXAMPLES)]
pub struct Arguments {
    /// Join a leader: at an address, or without one any that is found in the local network
    #[arg(long, value_name = "ADDRESS[:PORT]", num_args = 0..=1, value_parser = address_to_join)]
    pub join: Option<Option<String>>,
    /// Where a leader can be joined: an address of this machine; 0.0.0.0 is any
    #[arg(long, value_name = "ADDRESS[:PORT]", default_value = "0.0.0.0", conflicts_with = "join", value_parser = address_to_listen_at)]
    pub listen: String,
    /// Only machines that are given the same name search together
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = cluster_name)]
    pub cluster: String,
    /// Neither look for others in the local network, nor be found there without an address
    #[arg(long)]
    pub no_discovery: bool,
    /// Megabytes of table entries that are sent each second to each other machine, in the mean of a search
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = RangedU64ValueParser::<u64>::new().range(1..=100_000))]
    pub bandwidth: u64,
    /// The name that the leader shows for this machine
    #[arg(long, value_name = "NAME", requires = "join", default_value_t = host_name())]
    pub name: String,
    /// Search threads of this machine, whatever number the leader has
    #[arg(long, value_name = "N", requires = "join", value_parser = RangedU64ValueParser::<u64>::new().range(1..=max_threads() as u64))]
    pub threads: Option<u64>,
    /// Megabytes of the transposition table of this machine, whatever size the leader has
    #[arg(long, value_name = "MB", requires = "join", value_parser = RangedU64ValueParser::<u64>::new().range(1..=MAX_HASH as u64))]
    pub hash: Option<u64>,
}

const EXAMPLES: &str = "\
Examples:
  caesura-cluster                              the first machine: UCI, typed or from a GUI
  caesura-cluster --join 192.168.1.10          another one, which helps the machine at this address
  caesura-cluster --join --threads 16          one that looks for a leader in the local network";

impl Arguments {
    /// The options that are set for this machine alone: names, and commands that set them.
    pub fn own_options(&self) -> (Vec<String>, Vec<String>) {
        let values = [("Threads", self.threads), ("Hash", self.hash)];
        let set = values.into_iter().filter_map(|(name, value)| Some((name, value?)));
        set.map(|(name, value)| (name.to_string(), format!("setoption name {name} value {value}"))).unzip()
    }
}

/// An address as the transport wants it: `tcp/HOST:PORT`.
pub fn endpoint(address: &str) -> String {
    let is_bare_ipv6 = address.parse::<Ipv6Addr>().is_ok();
    let (host, port) = split_port(address);
    match port {
        Some(port) => format!("tcp/{host}:{port}"),
        None if is_bare_ipv6 => format!("tcp/[{host}]:{PORT}"),
        None => format!("tcp/{host}:{PORT}"),
    }
}

/// The host of an address, and the text behind the colon if there is a port. The colons of IPv6 addresses are none.
fn split_port(address: &str) -> (&str, Option<&str>) {
    match address.rsplit_once(':') {
        Some((host, port)) if address.parse::<Ipv6Addr>().is_err() && !port.ends_with(']') => {
            (host, Some(port))
        }
        _ => (address, None),
    }
}

/// Why a text cannot be an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AddressError {
    /// The host cannot be one.
    Host,
    /// The port is no number from this one on to 65535.
    Port(u16),
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddressError::Host => {
                write!(f, "expected a host and perhaps a port, like tower, 10.0.0.5:7447 or [::1]:7447")
            }
            AddressError::Port(least) => write!(f, "the port must be from {least} to 65535"),
        }
    }
}

impl Error for AddressError {}

/// Parses the address of another machine.
fn address_to_join(text: &str) -> Result<String, AddressError> {
    address(text, 1)
}

/// Parses an address of this machine; of port 0, the system chooses one.
fn address_to_listen_at(text: &str) -> Result<String, AddressError> {
    address(text, 0)
}

/// Parses a name or an IPv4 address, or an IPv6 address, which stands in brackets if a port follows. The characters that the
/// transport's addresses have other uses for are in none of them.
fn address(text: &str, least_port: u16) -> Result<String, AddressError> {
    let (host, port) = split_port(text);
    let is_part = |c: char| !c.is_whitespace() && !c.is_control() && !"/#?[]:".contains(c);
    let is_name = |host: &str| !host.is_empty() && host.chars().all(is_part);
    // An address of the local network may name its interface: `fe80::1%2`.
    let is_ipv6 = |host: &str| match host.split_once('%') {
        Some((host, interface)) => is_name(interface) && host.parse::<Ipv6Addr>().is_ok(),
        None => host.parse::<Ipv6Addr>().is_ok(),
    };
    let is_host = match host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        Some(host) => is_ipv6(host),
        None => is_name(host) || port.is_none() && host.parse::<Ipv6Addr>().is_ok(),
    };
    if !is_host {
        return Err(AddressError::Host);
    }
    let is_port = |port: &str| {
        let is_number = port.bytes().all(|byte| byte.is_ascii_digit());
        is_number && port.parse::<u16>().is_ok_and(|port| port >= least_port)
    };
    if port.is_none_or(is_port) { Ok(text.to_string()) } else { Err(AddressError::Port(least_port)) }
}

/// A text that cannot be the name of a cluster.
#[derive(Clone, Copy, Debug)]
struct ClusterNameError;

impl fmt::Display for ClusterNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1 to 64 letters, digits and hyphens")
    }
}

impl Error for ClusterNameError {}

fn cluster_name(text: &str) -> Result<String, ClusterNameError> {
    let is_name_char = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if !text.is_empty() && text.len() <= 64 && text.chars().all(is_name_char) {
        Ok(text.to_string())
    } else {
        Err(ClusterNameError)
    }
}

/// The name of this machine, if the system says it, and the number of the process.
fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = if name.trim().is_empty() { "machine" } else { name.trim() };
    format!("{name}-{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn addresses_get_the_port_that_they_lack() {
        for (address, expected) in [
            ("192.168.1.10", "tcp/192.168.1.10:7447"),
            ("192.168.1.10:9", "tcp/192.168.1.10:9"),
            ("tower", "tcp/tower:7447"),
            ("tower:9", "tcp/tower:9"),
            ("::1", "tcp/[::1]:7447"),
            ("[::1]", "tcp/[::1]:7447"),
            ("[::1]:9", "tcp/[::1]:9"),
            ("[fe80::1%2]:9", "tcp/[fe80::1%2]:9"),
        ] {
            assert_eq!(endpoint(address), expected);
            assert_eq!(address_to_join(address).as_deref(), Ok(address));
        }
    }

    #[test]
    fn what_can_be_no_address_is_refused() {
        for text in [
            "",
            ":9",
            " ",
            "a b",
            "tower ",
            "tcp/tower",
            "tower#x",
            "tower?x",
            "tower:9/x",
            "a\nb",
            "[]",
            "[]:9",
            "[tower]:9",
            "::1::2",
            "[::1",
            "::1]",
            "a:b:9",
            "[::1]x",
            "[fe80::1%]:9",
            "[x%2]:9",
        ] {
            assert!(address_to_join(text).is_err() && address_to_listen_at(text).is_err(), "{text:?}");
        }
        for text in
            ["tower:", "tower:x", "tower:-1", "tower:+9", "tower:65536", "10.0.0.5:99999", "[::1]:99999"]
        {
            assert_eq!(address_to_join(text), Err(AddressError::Port(1)), "{text:?}");
        }
        // The system chooses a port to listen at, but none to connect to.
        assert_eq!(address_to_listen_at("0.0.0.0:0").as_deref(), Ok("0.0.0.0:0"));
        assert_eq!(address_to_join("10.0.0.5:0"), Err(AddressError::Port(1)));
    }

    #[test]
    fn arguments_are_consistent() {
        Arguments::command().debug_assert();
        let parse = |words: &str| Arguments::try_parse_from(words.split(' '));
        assert_eq!(parse("c --join").expect("fine").join, Some(None));
        assert_eq!(parse("c --join x:1").expect("fine").join, Some(Some("x:1".to_string())));
        assert!(parse("c --join x --listen y").is_err());
        assert!(parse("c --threads 4").is_err(), "a leader is told by UCI");
        assert!(parse("c --cluster a/b").is_err());
        assert!(parse("c --join --threads 0").is_err() && parse("c --join --hash 0").is_err());
        assert!(parse(&format!("c --join --hash {MAX_HASH}")).is_ok());
        assert!(parse(&format!("c --join --hash {}", MAX_HASH + 1)).is_err());
        assert!(parse(&format!("c --join --threads {}", max_threads() + 1)).is_err());
        assert!(parse("c --join tower:99999").is_err() && parse("c --listen tower/x").is_err());
        let (names, commands) = parse("c --join --threads 4").expect("fine").own_options();
        assert_eq!(
            (names, commands),
            (vec!["Threads".into()], vec!["setoption name Threads value 4".into()])
        );
    }
}
