//! The engine as a library and the program on the command line. One executable: each more costs a compilation and a link.

#[path = "../client/mod.rs"]
mod client;
#[path = "../net/mod.rs"]
mod net;

mod cli;
mod engine;
mod fen;
mod limits;
mod network;
mod network_files;
mod null_move;
mod observed_search;
mod observed_session;
mod rules;
mod search;
mod search_client;
mod shared_search;
mod single_threaded;
mod tablebase;
mod tablebase_search;
mod tables;
mod threads;
