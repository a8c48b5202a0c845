//! Searches with endgame tables: wins are made, lines go on to the end, damaged tables do no harm.
//!
//! `tables` says which tables they look into.

use std::fs;
use std::sync::Arc;

use caesura::board::Board;
use caesura::board::notation::parse_uci;
use caesura::engine::{Engine, Limits, SearchResult};
use caesura::single_threaded::SingleThreadedEngine;
use caesura::tablebase::{Ranking, Tablebase, Wdl, line};
use caesura::types::{is_mate, is_win};
use caesura::util::random::SplitMix;

use crate::client::Client;
use crate::search_client::{material, single_threaded_engine};
use crate::tables::{Scratch, TestTables, board_of, full_tables, open, tables};

fn engine(tables: &Arc<Tablebase>) -> SingleThreadedEngine {
    let mut engine = single_threaded_engine();
    engine.options_mut().tablebases.tables = Some(Arc::clone(tables));
    engine
}

fn search(engine: &mut SingleThreadedEngine, board: &Board, limits: Limits) -> SearchResult {
    engine.search(board, limits)
}

#[test]
fn every_won_position_is_won_against_the_longest_defence() {
    let TestTables { folder, is_full } = tables();
    let tables = Arc::new(open(&[&folder]));
    let mut engine = engine(&tables);
    let names: Vec<&str> =
        "KQvK KBBvK KBNvK KBPvK KNPvK KPPvK KQBvK KQNvK KQPvK KQQvK KQRvK KRBvK KRNvK KRPvK KRRvK KPvKP KQvKB \
                            KQvKN KQvKP KQvKQ KQvKR KRvKB KRvKN KRvKP KRvKR KNvKP KBvKP"
            .split_whitespace()
            // The small tables do not know what pawns can become.
            .filter(|name| is_full || *name == "KQvK")
            .collect();
    let mut random = SplitMix(200);
    let mut longest = 0;
    for game in 0..200 {
        let name = names[game % names.len()];
        let start = loop {
            let board = board_of(name, &mut random);
            if tables.probe_wdl(&board) == Some(Wdl::Win) {
                break board;
            }
        };
        let (mut board, winner) = (start.clone(), start.side_to_move());
        engine.new_game();
        let mut plies = 0;
        while board.count_legal_moves() > 0 {
            assert!(!board.is_draw(0), "{name}: {start} was drawn at {board} after {plies} plies");
            let m = if board.side_to_move() == winner {
                engine.search(&board, Limits::nodes(30)).best.expect("a move")
            } else {
                let moves = board.legal_moves();
                Ranking::of(&tables, &board, &moves, true).expect("the tables know all").moves[0].m
            };
            board.make_move(m, &mut ());
            plies += 1;
        }
        assert!(board.in_check() && board.side_to_move() != winner, "{name}: {start} ended at {board}");
        longest = longest.max(plies);
    }
    eprintln!("200 won positions were won, the longest in {longest} plies");
}

/// A position that the tables do not have, but which a capture or promotion leads to them from: the queen takes the rook.
fn leads_to_tables(is_full: bool) -> &'static str {
    if is_full { "8/8/8/3k4/8/1r1N4/1Q6/1K6 w - - 0 1" } else { "8/8/8/3k4/8/1r6/1Q6/1K6 w - - 0 1" }
}

#[test]
fn a_line_that_the_tables_decide_goes_on_to_mate() {
    let TestTables { folder, is_full } = tables();
    let tables = Arc::new(open(&[&folder]));
    let in_tables = ["8/8/8/8/2k5/8/K7/2Q5 b - - 0 1", "8/8/8/8/2k5/8/K7/3Q4 w - - 0 1"];
    let in_full_tables = ["8/8/8/8/2k5/8/KBN5/8 w - - 0 1", "8/8/8/8/2k5/8/K7/2QR4 b - - 0 1"];
    let fens = in_tables.into_iter().chain(in_full_tables.into_iter().filter(|_| is_full));
    for fen in fens.chain([leads_to_tables(is_full)]) {
        let board: Board = fen.parse().expect("a position");
        let mut engine = Engine::new(1, 1).expect("memory");
        engine.set_network(material()).expect("idle");
        engine.options_mut().tablebases.tables = Some(Arc::clone(&tables));
        engine.set_position(board.clone());
        let result = engine.search(Limits::depth(4)).expect("idle");
        let line = &result.lines[0];
        assert!(is_win(line.score.abs()) && !is_mate(line.score), "{fen}: {}", line.score);
        assert!(line.tb_hits > 0);
        let mut end = board.clone();
        for &m in &line.pv {
            assert!(end.is_legal(m), "{fen}: {m:?}");
            end.make_move(m, &mut ());
        }
        assert!(end.in_check() && end.count_legal_moves() == 0, "{fen} ends at {end}");
    }
}

#[test]
fn a_move_that_gives_the_win_away_is_cut_off_also_at_the_end_of_a_line() {
    // The pawn can become any piece.
    let Some(folder) = full_tables() else { return };
    let tables = open(&[&folder]);
    let root: Board = "8/8/8/8/1K6/5P2/7k/8 w - - 0 1".parse().expect("a position");
    for given in ["f3f4 h2h3 b4c4", "f3f4 h2h3 b4c4 h3g4", "f3f4"] {
        let (mut board, mut pv) = (root.clone(), Vec::new());
        for text in given.split_whitespace() {
            let m = parse_uci(&board, text).expect(text);
            board.make_move(m, &mut ());
            pv.push(m);
        }
        assert!(line::extend(&tables, &root, true, &mut pv, (4, true), |_| false) > 0);
        let mut end = root.clone();
        for &m in &pv {
            assert!(end.is_legal(m), "{given}: {m:?}");
            end.make_move(m, &mut ());
        }
        assert!(end.in_check() && end.count_legal_moves() == 0, "{given} ends at {end}");
        assert_eq!(end.side_to_move(), !root.side_to_move(), "{given}: the winner mates");
    }
}

#[test]
fn positions_in_the_tree_are_looked_up_only_as_the_options_say() {
    let TestTables { folder, is_full } = tables();
    let tables = Arc::new(open(&[&folder]));
    let board: Board = leads_to_tables(is_full).parse().expect("a position");
    let hits = |limit, probe_depth| {
        let mut engine = engine(&tables);
        engine.options_mut().tablebases.probe_limit = limit;
        engine.options_mut().tablebases.probe_depth = probe_depth;
        search(&mut engine, &board, Limits::depth(5)).lines[0].tb_hits
    };
    // The most pieces of what the position leads to: the depth counts for these alone.
    let most = if is_full { 4 } else { 3 };
    assert!(hits(most, 1) > 0);
    assert!(hits(most, 3) < hits(most, 1));
    assert_eq!([hits(0, 1), hits(2, 1), hits(4, 100)].map(|hits| hits > 0), [false, false, true]);
}

#[test]
fn at_the_root_the_tables_decide_scores_and_the_order_of_lines() {
    let TestTables { folder, is_full } = tables();
    let tables = Arc::new(open(&[&folder]));
    // One move wins the pawn ending, others draw.
    let board: Board = "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1".parse().expect("a position");
    let mut engine = engine(&tables);
    engine.options_mut().multi_pv = 10;
    let result = search(&mut engine, &board, Limits::depth(6));
    let moves = board.legal_moves();
    let ranking = Ranking::of(&tables, &board, &moves, true).expect("the tables know all");
    assert_eq!(result.lines.len(), moves.len().min(10));
    for line in &result.lines {
        let ranked = ranking.moves.iter().find(|ranked| ranked.m == line.pv[0]).expect("a root move");
        assert_eq!(line.score, ranked.value, "{:?}", line.pv[0]);
    }
    assert!(result.lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
    // The fifty-move rule is near: a win that comes too late is worth no more than a draw.
    let late =
        if is_full { "8/8/8/8/2k5/8/KBN5/8 w - - 80 100" } else { "8/8/8/8/2k5/8/K7/3Q4 w - - 94 100" };
    let late: Board = late.parse().expect("a position");
    assert_eq!(search(&mut engine, &late, Limits::depth(4)).lines[0].score, 1);
    engine.options_mut().tablebases.fifty_move_rule = false;
    assert!(is_win(search(&mut engine, &late, Limits::depth(4)).lines[0].score));
    // Without the rule, moves beyond the fiftieth win as others do: the best one comes nearer to the mate.
    for rule50 in [98, 99, 120] {
        let pieces = if is_full { "8/8/8/8/2k5/8/KBN5/8" } else { "8/8/8/8/2k5/8/K7/3Q4" };
        let board: Board = format!("{pieces} w - - {rule50} 200").parse().expect("a position");
        let line = search(&mut engine, &board, Limits::depth(4)).lines.remove(0);
        assert!(is_win(line.score), "{board}: {}", line.score);
        let distance = |board: &Board| tables.probe_dtz(board).expect("a table").0.abs();
        let mut after = board.clone();
        after.make_move(line.pv[0], &mut ());
        assert!(distance(&after) < distance(&board), "{board}: {:?}", line.pv[0]);
    }
}

#[test]
fn the_program_reports_tables_hits_and_damage() {
    let TestTables { folder, is_full } = tables();
    let (name, fen) = if is_full {
        ("KQvKR.rtbw", "8/8/8/3k4/8/1r6/1Q6/1K6 w - - 0 1")
    } else {
        ("KQvK.rtbw", "8/8/8/3k4/8/8/1Q6/1K6 w - - 0 1")
    };
    let scratch = Scratch::new("search");
    let mut bytes = fs::read(folder.join(name)).expect("a table");
    bytes[5..40].fill(0xff);
    fs::write(scratch.0.join(name), bytes).expect("a file");
    let mut client = Client::start();
    let list = std::env::join_paths([&scratch.0, &folder]).expect("paths");
    client.send(&format!("setoption name SyzygyPath value {}", list.to_str().expect("text")));
    client.until("info string Found ");
    // The first position is won by no capture, so that its own table is read.
    let quiet = if is_full { "8/8/8/3k4/7r/8/1Q6/1K6 w - - 0 1" } else { fen };
    client.send(&format!("position fen {quiet}\nd\nposition fen {fen}\nisready"));
    let damaged = format!("info string tablebase {name} is damaged or cannot be read");
    let mut lines = client.until("readyok");
    assert!(lines.contains(&damaged), "{lines:?}");
    client.send("go depth 6");
    lines.extend(client.until("bestmove"));
    assert_eq!(lines.iter().filter(|line| **line == damaged).count(), 1, "{lines:?}");
    client.send(&format!("setoption name SyzygyPath value {}", folder.display()));
    client.until("info string Found ");
    client.send("d\ngo depth 6");
    let lines = client.until("bestmove");
    assert!(lines.iter().any(|line| line.starts_with("Tablebases: WDL 2 (Win), DTZ ")), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("info depth 6 ") && !line.contains(" tbhits 0 ")));
    assert!(!lines.contains(&damaged));
    // An empty value takes the tables away.
    for nothing in ["", "<empty>"] {
        client.send(&format!("setoption name SyzygyPath value {nothing}\nd\ngo depth 6"));
        let lines = client.until("bestmove");
        assert!(lines.iter().all(|line| !line.to_lowercase().contains("tablebase")), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains(" tbhits 0 ")));
    }
    client.send("setoption name SyzygyPath value /nothing/here");
    client.until("info string option 'SyzygyPath' is refused: no tablebases from /nothing/here");
}

#[test]
fn threads_search_with_one_set_of_tables() {
    let TestTables { folder, is_full } = tables();
    let start = leads_to_tables(is_full);
    let mut client = Client::start();
    client.send("setoption name NumaPolicy value none\nsetoption name Threads value 4");
    client.send(&format!("setoption name SyzygyPath value {}", folder.display()));
    client.send(&format!("position fen {start}\ngo nodes 20000"));
    let lines = client.until("bestmove");
    let line = lines.iter().rfind(|line| line.contains(" score cp 31")).expect("a tablebase score");
    let mut board: Board = start.parse().expect("a position");
    for word in line.split_once(" pv ").expect("a line").1.split_whitespace() {
        let m = parse_uci(&board, word).unwrap_or_else(|| panic!("{word} in {line}"));
        board.make_move(m, &mut ());
    }
}
