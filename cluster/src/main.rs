//! The program `caesura-cluster`: UCI on the first machine, help for it on the others.

mod arguments;

use std::error::Error;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, Write};
use std::process::ExitCode;
use std::sync::Arc;

use caesura::uci::Output;
use caesura::uci::help::BANNER;
use caesura::util::signals::keep_hang_ups_ignored;
use caesura::util::streams;
use caesura::util::sync::unbounded;
use clap::Parser;
use cluster::follower::Follower;
use cluster::identity::Identity;
use cluster::leader::Leader;
use cluster::node;
use cluster::transport::{Addresses, Topic, ZenohTransport};

use arguments::{Arguments, endpoint};

/// Checks the processor before `main`, as the program `caesura` does.
#[cfg(target_os = "linux")]
#[used]
// SAFETY: the section is a list of functions that are called before `main`. They are given its arguments, which the calling
// convention lets this one ignore, and an `extern "C"` function cannot unwind.
#[unsafe(link_section = ".init_array")]
static CHECK_PROCESSOR: extern "C" fn() = caesura::util::unsupported_cpu::check_processor;

fn main() -> ExitCode {
    // First of all: the rest may use instructions that the processor does not have. On Linux this is done already.
    #[cfg(not(target_os = "linux"))]
    if !caesura::util::cpu::is_suitable() {
        return caesura::util::unsupported_cpu::unsupported_cpu();
    }
    run()
}

#[inline(never)]
fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.join {
        None => lead(&arguments),
        Some(address) => follow(&arguments, address.as_deref()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_message(&error.to_string());
            ExitCode::from(2)
        }
    }
}

fn lead(arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let identity = Identity::of_this_program()?;
    let addresses = Addresses {
        listen: vec![endpoint(&arguments.listen)],
        connect: Vec::new(),
        discovery: !arguments.no_discovery,
    };
    let topics = [Topic::ToLeader, Topic::Entries];
    let transport = ZenohTransport::open(&arguments.cluster, &topics, &addresses)?;
    let output = Arc::new(Output::standard());
    output.line(BANNER);
    let leader = Leader::new(random_number(), identity);
    Ok(node::lead(leader, transport, bytes_per_second(arguments), BufReader::new(streams::stdin()), output)?)
}

fn follow(arguments: &Arguments, address: Option<&str>) -> Result<(), Box<dyn Error>> {
    if address.is_none() && arguments.no_discovery {
        return Err("without discovery, --join needs the address of a leader".into());
    }
    let identity = Identity::of_this_program()?;
    let connect = address.map(endpoint).into_iter().collect();
    let addresses = Addresses { listen: Vec::new(), connect, discovery: !arguments.no_discovery };
    let topics = [Topic::ToFollowers, Topic::Entries];
    let transport = ZenohTransport::open(&arguments.cluster, &topics, &addresses)?;
    print_message(&format!("{} waits for a leader; Ctrl-C ends it", arguments.name));
    let (own_options, own_commands) = arguments.own_options();
    let (sender, commands) = unbounded();
    for command in own_commands {
        sender.send(command)?;
    }
    let quit = sender.clone();
    let leave = move || {
        // Who cannot be told has ended.
        let _ = quit.send("quit".to_string());
    };
    keep_hang_ups_ignored(|| ctrlc::set_handler(leave))?;
    let follower = Follower::new(random_number(), arguments.name.clone(), identity, own_options);
    Ok(node::follow(
        follower,
        (sender, commands),
        transport,
        bytes_per_second(arguments),
        Arc::new(print_message),
    )?)
}

fn bytes_per_second(arguments: &Arguments) -> u64 {
    arguments.bandwidth << 20
}

/// A number that no other program of the cluster has, but for an unlikely chance.
fn random_number() -> u64 {
    RandomState::new().hash_one(std::process::id())
}

/// Shows people a text. A closed standard error is no reason to fail.
fn print_message(text: &str) {
    let _ = writeln!(io::stderr(), "caesura-cluster: {text}");
}
