//! What the observer of a session hears of.

use std::io;
use std::sync::{Arc, Mutex};

use caesura::uci::{Output, Session, StateChange, StateObserver};

#[derive(Default)]
struct Changes(Mutex<Vec<String>>);

impl StateObserver for Changes {
    fn state_changed(&self, change: StateChange<'_>) {
        let text = match change {
            StateChange::Option(name, line) => format!("{name}: {line}"),
            StateChange::Position(line) => line.to_string(),
            StateChange::NewGame => "new game".to_string(),
        };
        self.0.lock().expect("no panic").push(text);
    }
}

/// What an observer hears while a session executes these commands.
fn heard(commands: &'static str) -> Vec<String> {
    let changes = Arc::new(Changes::default());
    let session = Session::new(Arc::new(Output::new(io::sink(), |_| ()))).expect("memory");
    session.observed_by(Arc::clone(&changes) as _).run(commands.as_bytes()).expect("memory can be read");
    let heard = changes.0.lock().expect("no panic");
    heard.clone()
}

#[test]
fn an_option_is_heard_of_if_it_is_taken() {
    let commands = "setoption name EvalFile value no such file.nnue\nsetoption name Threads value 0\n\
                    setoption name nonsense value 1\nsetoption name threads value 2\nsetoption name Hash value 3\n\
                    setoption name Clear Hash\nposition startpos moves e2e4\nposition startpos moves e2e5\ngo depth 1\nwait\n\
                    setoption name MultiPV value 2\nquit\n";
    assert_eq!(
        heard(commands),
        [
            "Threads: setoption name threads value 2",
            "Hash: setoption name Hash value 3",
            "new game",
            "position startpos moves e2e4",
            "MultiPV: setoption name MultiPV value 2",
        ]
    );
}
