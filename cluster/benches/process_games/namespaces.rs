//! Hosts that reach each other only through a network: network namespaces of Linux, each with an interface of its own on
//! one bridge. Needs `ip` of iproute2 and the rights of root.

use std::error::Error;
use std::process::{self, Command};

use super::program::Host;

/// Network namespaces, which are taken down when this is dropped.
pub struct Namespaces {
    bridge: String,
    names: Vec<String>,
}

impl Namespaces {
    /// Makes this many.
    ///
    /// # Errors
    ///
    /// `ip` is missing, or refuses something.
    pub fn new(count: usize) -> Result<Namespaces, Box<dyn Error>> {
        let id = process::id();
        let mut namespaces = Namespaces { bridge: format!("cb{id}"), names: Vec::new() };
        let bridge = namespaces.bridge.clone();
        ip(&format!("link add {bridge} type bridge"))?;
        ip(&format!("link set {bridge} up"))?;
        for number in 1..=count {
            let (name, outside) = (format!("caesura-{id}-{number}"), format!("c{id}.{number}"));
            ip(&format!("netns add {name}"))?;
            namespaces.names.push(name.clone());
            ip(&format!("link add {outside} type veth peer name inside netns {name}"))?;
            ip(&format!("link set {outside} master {bridge} up"))?;
            ip(&format!("-n {name} address add {}/24 dev inside", address(number)))?;
            ip(&format!("-n {name} link set inside up"))?;
            ip(&format!("-n {name} link set lo up"))?;
        }
        Ok(namespaces)
    }

    /// The hosts, one in each namespace.
    pub fn hosts(&self) -> Vec<Host> {
        let host = |(index, name): (usize, &String)| Host {
            launcher: ["ip", "netns", "exec", name].map(String::from).to_vec(),
            address: address(index + 1),
        };
        self.names.iter().enumerate().map(host).collect()
    }
}

impl Drop for Namespaces {
    fn drop(&mut self) {
        let commands = self.names.iter().map(|name| format!("netns delete {name}"));
        for command in commands.chain([format!("link delete {}", self.bridge)]) {
            if let Err(error) = ip(&command) {
                eprintln!("{error}");
            }
        }
    }
}

/// The address of a host, numbered from 1.
fn address(number: usize) -> String {
    format!("10.77.0.{number}")
}

fn ip(arguments: &str) -> Result<(), Box<dyn Error>> {
    let output = Command::new("ip").args(arguments.split(' ')).output()?;
    match output.status.success() {
        true => Ok(()),
        false => Err(format!("ip {arguments}: {}", String::from_utf8_lossy(&output.stderr).trim()).into()),
    }
}
