//! What the command line can say.

use std::error::Error;
use std::fmt;

use clap::Parser;
use clap::builder::RangedU64ValueParser;

/// The port of a leader, unless it is given another.
const PORT: u16 = 7447;

/// Caesura on many machines: the first one speaks UCI, the others join it and help to search.
#[derive(Parser, Debug)]
#[command(name = "caesura-cluster", version, about, after_help = EXAMPLES)]
pub struct Arguments {
    /// Join a leader: at an address, or without one any that is found in the local network
    #[arg(long, value_name = "ADDRESS[:PORT]", num_args = 0..=1)]
    pub join: Option<Option<String>>,
    /// Where a leader can be joined: an address of this machine; 0.0.0.0 is any
    #[arg(long, value_name = "ADDRESS[:PORT]", default_value = "0.0.0.0", conflicts_with = "join")]
    pub listen: String,
    /// Only machines that are given the same name search together
    #[arg(long, value_name = "NAME", default_value = "default", value_parser = cluster_name)]
    pub cluster: String,
    /// Neither look for others in the local network, nor be found there without an address
    #[arg(long)]
    pub no_discovery: bool,
    /// Megabytes of table entries that are sent each second at most to each other machine
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = RangedU64ValueParser::<u64>::new().range(1..=100_000))]
    pub bandwidth: u64,
    /// The name that the leader shows for this machine
    #[arg(long, value_name = "NAME", requires = "join", default_value_t = host_name())]
    pub name: String,
    /// Search threads of this machine, whatever number the leader has
    #[arg(long, value_name = "N", requires = "join", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    pub threads: Option<u64>,
    /// Megabytes of the transposition table of this machine, whatever size the leader has
    #[arg(long, value_name = "MB", requires = "join", value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
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
    let has_port = match address.rsplit_once(':') {
        // The colons of a bare IPv6 address are no ports.
        Some((host, port)) => port.parse::<u16>().is_ok() && (!host.contains(':') || host.ends_with(']')),
        None => false,
    };
    let is_bare_ipv6 = address.parse::<std::net::Ipv6Addr>().is_ok();
    match (has_port, is_bare_ipv6) {
        (true, _) => format!("tcp/{address}"),
        (false, true) => format!("tcp/[{address}]:{PORT}"),
        (false, false) => format!("tcp/{address}:{PORT}"),
    }
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
        ] {
            assert_eq!(endpoint(address), expected);
        }
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
        let (names, commands) = parse("c --join --threads 4").expect("fine").own_options();
        assert_eq!(
            (names, commands),
            (vec!["Threads".into()], vec!["setoption name Threads value 4".into()])
        );
    }
}
