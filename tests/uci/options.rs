//! Options and what they change.

use super::*;

#[test]
fn options_out_of_range_are_refused() {
    let mut client = Client::start();
    for line in [
        "setoption",
        "setoption name",
        "setoption name Nonsense value 1",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value <empty>",
        "setoption name Hash value 0",
        "setoption name Hash value -5",
        "setoption name Hash value 99999999999999999999999",
        "setoption name Threads value many",
        "setoption name Threads value 1000000000",
        "setoption name MultiPV value 0",
        "setoption name Ponder value perhaps",
        "setoption name Pin value sometimes",
        "setoption name NumaPolicy value fast",
        "setoption name NumaPolicy value 0-",
        "setoption name NumaPolicy value 0:0",
        "setoption name NumaPolicy value 60000-65000",
        "setoption name NullMove value other",
        "setoption name NullMoveR value 0",
        "setoption name NullMoveDR value 9",
    ] {
        let lines = client.ask(line);
        assert_eq!((lines.len(), count(&lines, "info string")), (1, 1), "{line}: {lines:#?}");
    }
    for line in [
        "setoption name hash value 2",
        "setoption  name  clear   hash",
        "setoption name THREADS value 2",
        "setoption name Move Overhead value 20",
        "setoption name MoveOverhead value 30",
        "setoption name cores value 1",
        "setoption name move overhead value 0",
        "setoption name Pin value OFF",
        "setoption name NumaPolicy value NONE",
        "setoption name numapolicy value 0",
        "setoption name NumaPolicy value hardware",
        "setoption name NumaPolicy value system",
        "setoption name NumaPolicy value auto",
        "setoption name NumaPolicy value",
        "setoption name NumaPolicy",
        "setoption name EvalFile value <empty>",
        "setoption name Ponder value true",
        "setoption name NullMove value VERIFIED",
        "setoption name NullMoveR value 2",
        "setoption name NullMovePlain value true",
        "setoption name NullMoveCounts value true",
    ] {
        // What is said is about the machine: on some there is something to say.
        let lines = client.ask(line);
        assert_eq!(count(&lines, "info string"), lines.len(), "{line}: {lines:#?}");
        let refusals = ["must be", "needs a value", "is refused", "unknown option"];
        let is_refusal = |line: &String| refusals.iter().any(|refusal| line.contains(refusal));
        assert!(!lines.iter().any(is_refusal), "{line}: {lines:#?}");
    }
    let lines = client.go("go depth 6");
    assert_eq!(count(&lines, "info string null moves: "), 1, "{lines:#?}");
    assert_ne!(best(&client.go("go depth 3")), "(none)");
}

#[test]
fn the_number_of_searching_threads_is_reported() {
    let mut client = Client::start();
    let machine = caesura::topology::this_machine();
    let processors = machine.parallelism(&machine.allowed);
    if processors < 1024 {
        let lines = client.ask("setoption name Threads value 1024");
        assert!(notes(&lines, "1024 threads, but "), "{lines:#?}");
        assert_ne!(best(&client.go("go depth 3")), "(none)");
        client.ask("setoption name Threads value 2");
    }
    let lines = client.ask("setoption name NumaPolicy value none");
    assert!(!notes(&lines, "threads, but "), "{lines:#?}");
    let lines = client.ask(&format!("setoption name Threads value {}", processors + 1));
    assert!(notes(&lines, "will take turns on "), "{lines:#?}");
    assert_ne!(best(&client.go("go depth 3")), "(none)");
}

#[test]
fn a_network_is_loaded_or_the_former_evaluation_stays() {
    let path = |name: &str| format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
    let good = path("a good one.nnue");
    let damaged = path("damaged.nnue");
    let mut file = net::random_file(22);
    std::fs::write(&good, &file).expect("written");
    file[5000] ^= 1;
    std::fs::write(&damaged, &file).expect("written");

    let mut client = Client::start();
    let mut evaluations = |commands: &str| {
        client.send(&format!("{commands}\neval\nisready"));
        let lines = client.until("readyok");
        let networks = count(&lines, "static evaluation");
        (lines, networks)
    };
    let (own, _) = evaluations("position startpos");
    let (first, networks) = evaluations(&format!("setoption name EvalFile value {good}"));
    assert!(networks == 1 && !notes(&first, "") && first != own, "{first:?}");
    for (value, reason) in [
        (damaged.as_str(), "damaged"),
        ("no/such/file.nnue", "No such file"),
        (env!("CARGO_TARGET_TMPDIR"), "not a file"),
    ] {
        let (lines, _) = evaluations(&format!("setoption name EvalFile value {value}"));
        assert!(notes(&lines, ""), "{value}: {lines:?}");
        assert!(cfg!(not(unix)) || notes(&lines, reason), "{value}: {lines:?}");
        assert_eq!(lines.iter().find(|line| line.starts_with("static")), Some(&first[0]), "{value}");
    }
    let (lines, _) = evaluations("setoption name EvalFile value");
    let value = |lines: &[String]| lines.iter().find(|line| line.starts_with("static")).cloned();
    assert_eq!(value(&lines), value(&own), "an empty name is the embedded network");
    client.send("go depth 4");
    assert_ne!(best(&client.until("bestmove")), "(none)");
}

#[test]
fn a_network_is_exported_but_no_file_is_overwritten() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let [given, exported] = ["given.nnue", "an exported one.nnue"].map(|name| folder.join(name));
    std::fs::write(&given, net::random_file(25)).expect("written");
    // It may be there from the last run.
    let _ = std::fs::remove_file(&exported);
    let mut client = Client::start();
    client.send(&format!("setoption name EvalFile value {}", given.display()));
    let lines = client.ask(&format!("export_net {}", exported.display()));
    assert!(notes(&lines, " is in "), "{lines:?}");
    assert!(std::fs::read(&exported).expect("a file") == net::random_file(25));
    for path in [exported.as_path(), std::path::Path::new("no/such/folder/x.nnue")] {
        let lines = client.ask(&format!("export_net {}", path.display()));
        assert!(notes(&lines, " is not in "), "{lines:?}");
    }
}

#[test]
fn a_debug_log_is_kept() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("a log.txt");
    // It may be there from the last run.
    let _ = std::fs::remove_file(&path);
    let mut client = Client::start();
    assert_eq!(client.ask(&format!("setoption name Debug Log File value {}", path.display())), [""; 0]);
    client.send_bytes(b"d\xFF\n\n");
    client.ask("setoption name Debug Log File value");
    client.ask("d");
    let log = std::fs::read_to_string(&path).expect("a log");
    let read = [">> isready", ">> d\u{FFFD}", ">> ", ">> setoption name Debug Log File value"];
    assert!(log.lines().filter(|line| line.starts_with(">>")).eq(read), "{log}");
    assert!(
        log.starts_with(">> isready\n<< readyok\n")
            && log.contains("\n<< info string a line that is not UTF-8")
    );
    let lines = client.ask("setoption name Debug Log File value no/such/folder/log.txt");
    assert!(notes(&lines, "'Debug Log File' is refused"), "{lines:?}");
}

#[test]
fn the_operator_reads_what_searches() {
    let mut client = Client::start();
    let lines = client.go("go depth 2");
    assert!(
        lines[0].starts_with("info string searching with 1 thread and a hash table of 16 MB"),
        "{lines:#?}"
    );
    client.send("setoption name PgnComment value true");
    let lines = client.go("go depth 3");
    assert!(lines[lines.len() - 2].starts_with("info string pgncomment wdl "), "{lines:#?}");
    let params = client.ask("params");
    assert!(params.len() > 100 && params.iter().all(|line| line.split(", ").count() == 7), "{params:#?}");
    let openings = client.ask("genfens 3 seed 5 book None");
    assert_eq!(count(&openings, "info string genfens "), 3, "{openings:#?}");
    assert!(notes(&client.ask("genfens"), "no openings"));
    let report = client.ask("speedtest 1 1 1");
    assert_eq!(count(&report, "Thread count"), 1, "{report:#?}");
}

#[test]
fn the_size_of_the_table_counts_from_the_next_isready_or_search() {
    let mut client = Client::start();
    client.send(
        "setoption name Hash value 2\nsetoption name Hash value 3\nsetoption name Threads value 2\nuci",
    );
    let lines = client.until("uciok");
    assert!(!notes(&lines, "table: "), "{lines:#?}");
    let lines = client.ask("");
    assert_eq!(count(&lines, "info string table: 3 MB"), 1, "{lines:#?}");
    assert_eq!(client.ask("debug on"), [""; 0]);
    client.send("setoption name Hash value 4");
    let lines = client.go("go depth 1");
    assert_eq!(count(&lines, "info string table: 4 MB"), 1, "{lines:#?}");
}
