//! Every number of the search that tuning may change: one line each, with its name, value, range and step.
//!
//! In a normal build each is a constant. With the feature `tune` each is a UCI option of the same name, so that
//! a tuner (SPSA, Spall 1992; `tools/spsa`) can change it from outside.
//!
//! All but those of the schemes of the null move and the first guesses that are named at the end were found so, in five
//! steps:
//! 8,000 pairs of games at 3,000 nodes a move, 3,734 pairs at 5,000, and, with the network l512, 3,773 and 4,300 at 6,000.
//! In games of 8,000 nodes a move the first three were worth 54 ± 16 Elo (1,134 games), 28 ± 11 (1,986) and 25 ± 11
//! (2,288), and each passed a sequential test of 0 against 5. The fourth had 4 ± 11 (2,114 games): there is little left
//! to find in this way. It took the weight of a continuation of four plies ago from the quiet moves' order, and with it a
//! look into memory for each of them. The fifth took the 68 numbers of pruning, reductions, extensions and windows through
//! 1,500 pairs at 25,000 nodes, since in a game searches are deeper than where they had been tuned: 10 ± 12 at 25,000 nodes
//! (1,420 games) and 7 ± 19 at 1+0.01 (900), which is likely and not proved.
//!
//! Tuned together with the fourth and left out again, since all of it at once had −12 ± 14 (1,172 games): quiet moves of
//! bad history after losing captures, captures in quiescence that lose a little, double extensions on open windows and
//! stronger negative ones, less reduction by the depth and value of an entry of the table, more margin for reverse
//! futility where the node was once on a principal variation.
//!
//! First guesses, not tuned yet: `double_extension_margin_pv`, `multi_cut_blend`, `negative_extension_table`, and what
//! came in together with +11 ± 11 (2,200 games at 8,000 nodes): the numbers of reverse futility up to depth 12,
//! `aspiration_mean`, `reduction_window`, `singular_tt_history`, `see_capture_history`, `prior_move_late`,
//! `prior_move_surprise`, `history_low_ply`, `correction_continuation_4` and `picker_attack_...`. Without the weights that
//! tuning had brought near zero (`reverse_futility_worsening`, `material_scale`, `correction_minor`): −7 ± 15 (1,000 games).

pub use crate::util::param::{Param, ParamError};

crate::util::param::params! {
    /// Worth of a pawn in an exchange, in centipawns.
    see_pawn = 71, 50..=200, 10;
    /// Worth of a knight in an exchange, in centipawns.
    see_knight = 310, 200..=600, 20;
    /// Worth of a bishop in an exchange, in centipawns.
    see_bishop = 327, 200..=600, 20;
    /// Worth of a rook in an exchange, in centipawns.
    see_rook = 540, 350..=900, 25;
    /// Worth of a queen in an exchange, in centipawns.
    see_queen = 1109, 700..=1600, 50;

    /// Extended null-move reductions: the plies by which a null move is searched shallower, up to the depth [`null_deep`].
    null_r = 3, 1..=6, 1;
    /// Extended null-move reductions: the plies by which a null move is searched shallower beyond the depth [`null_deep`].
    null_r_deep = 4, 1..=8, 1;
    /// Extended null-move reductions: the depth beyond which a null move is searched shallower still, in plies.
    null_deep = 6, 2..=20, 1;
    /// Extended null-move reductions: the plies by which a null move's fail-high reduces a node.
    null_depth_reduction = 4, 1..=6, 1;

    /// Guarded null-move pruning: the least R, the plies by which a null move is searched shallower.
    guarded_r = 4, 2..=8, 1;
    /// Guarded null-move pruning: the plies of depth that add one to R.
    guarded_depth = 4, 2..=8, 1;
    /// Guarded null-move pruning: the lead of the evaluation over beta that adds a ply to R, in centipawns.
    guarded_eval = 200, 50..=500, 20;
    /// Guarded null-move pruning: the most that the lead of the evaluation adds to R, in plies.
    guarded_eval_limit = 3, 0..=6, 1;
    /// Guarded null-move pruning: how far above beta the static evaluation of a node at depth 0 must be for a null move, in
    /// centipawns.
    guarded_margin = 140, 0..=400, 20;
    /// Guarded null-move pruning: by how much [`guarded_margin`] shrinks for each ply of depth, in centipawns.
    guarded_margin_depth = 20, 0..=60, 4;
    /// Guarded null-move pruning: the depth from which a fail-high is verified, in plies.
    guarded_verify_depth = 14, 6..=20, 1;

    /// Modern null-move pruning: the least R, the plies by which a null move is searched shallower.
    modern_r = 6, 2..=10, 1;
    /// Modern null-move pruning: the plies of depth that add one to R.
    modern_depth = 3, 2..=8, 1;
    /// Modern null-move pruning: the lead of the evaluation over beta that adds a ply to R, in centipawns.
    modern_eval = 120, 30..=500, 20;
    /// Modern null-move pruning: the most that the lead of the evaluation adds to R, in plies.
    modern_eval_limit = 3, 0..=6, 1;
    /// Modern null-move pruning: how far above beta the static evaluation of a node at depth 0 must be for a null move, in
    /// centipawns.
    modern_margin = 120, -100..=400, 20;
    /// Modern null-move pruning: by how much [`modern_margin`] shrinks for each ply of depth, in centipawns.
    modern_margin_depth = 6, 0..=60, 2;
    /// Modern null-move pruning: the depth from which a fail-high is verified, in plies.
    modern_verify_depth = 16, 6..=24, 1;

    /// Tuned null-move reductions: how far above beta the static evaluation of a node at depth 0 must be for a null move,
    /// in centipawns.
    tuned_margin = 100, -300..=400, 20;
    /// Tuned null-move reductions: by how much [`tuned_margin`] shrinks for each ply of depth, in centipawns.
    tuned_margin_depth = 6, -40..=60, 2;
    /// Tuned null-move reductions: by how much [`tuned_margin`] shrinks when improving, in centipawns.
    tuned_margin_improving = 20, -100..=200, 10;
    /// Tuned null-move reductions: R, by which a null move is searched shallower, at depth 0, in 16ths of a ply.
    tuned_r_base = 96, 16..=160, 4;
    /// Tuned null-move reductions: what each ply of depth adds to R, in 16ths of a ply.
    tuned_r_depth = 5, -8..=16, 1;
    /// Tuned null-move reductions: the lead of the evaluation over beta that adds a ply to R, in centipawns.
    tuned_r_eval = 235, 20..=500, 20;
    /// Tuned null-move reductions: the most that the lead of the evaluation adds to R, in plies.
    tuned_r_eval_limit = 1, 0..=6, 1;
    /// Tuned null-move reductions: DR, by which a fail-high reduces a node, in 16ths of a ply.
    tuned_dr_base = 82, 16..=128, 4;
    /// Tuned null-move reductions: the fewest pieces besides pawns and king with which the side to move tries a null move.
    tuned_pieces = 2, 0..=7, 1;
    /// Tuned null-move reductions: the greatest depth at which a null move is tried, in plies.
    tuned_depth_max = 10, 4..=128, 2;

    /// Variable null-move bound: the history from which a quiet move counts as good.
    variable_history = 6000, 0..=20000, 500;

    /// Mode `falcon`: the least depth at which multi-cut is tried, in plies.
    falcon_multi_cut_depth = 4, 3..=12, 1;
    /// Mode `falcon`: how many moves multi-cut looks at (M).
    falcon_multi_cut_moves = 6, 2..=20, 1;
    /// Mode `falcon`: how many of the moves that multi-cut looks at must reach beta (C).
    falcon_multi_cut_cutoffs = 3, 2..=6, 1;
    /// Mode `falcon`: the plies by which multi-cut searches moves shallower (R).
    falcon_multi_cut_reduction = 2, 1..=6, 1;
    /// Mode `falcon`: the plies by which a move that gives check is extended.
    falcon_check = 1, 0..=1, 1;
    /// Mode `falcon`: the plies by which a recapture is extended.
    falcon_recapture = 1, 0..=1, 1;
    /// Mode `falcon`: the plies by which an only legal move is extended.
    falcon_only_reply = 1, 0..=1, 1;
    /// Mode `falcon`: the plies by which a passed pawn's push is extended.
    falcon_passed_pawn = 1, 0..=1, 1;
    /// Mode `falcon`: the rank from which on a passed pawn's push is extended, from 1 at the pawn's own side.
    falcon_passed_pawn_rank = 7, 4..=7, 1;

    /// Half the width of the first aspiration window, in centipawns.
    aspiration_width = 17, 4..=60, 3;
    /// Aspiration windows: by how much a window that failed widens, in 1024ths of its width.
    aspiration_growth = 499, 128..=2048, 64;
    /// Aspiration windows: the depth from which they are narrow, in plies.
    aspiration_depth = 4, 2..=10, 1;
    /// The first window widens by the square of the score, divided by this.
    aspiration_score = 20187, 2048..=65536, 1024;

    /// The weight of the mean score of the last iterations where the first window lies, in 16ths.
    aspiration_mean = 8, 0..=16, 2;
    /// The widest half of an aspiration window that is not the full one, in centipawns.
    aspiration_width_max = 1000, 200..=4000, 100;
    /// The most plies by which the root is searched shallower after fail-highs in a row.
    aspiration_reduction_max = 3, 0..=6, 1;

    /// Table: a shallower store leaves a deeper entry of the same position and search alone if it is deeper by more, in plies.
    tt_depth_margin = 4, 0..=12, 1;
    /// Table: the plies of depth that an entry is worth less for every search since it was stored.
    tt_age_weight = 8, 1..=32, 2;
    /// The plies before the fifty-move rule in which no value of the table is trusted.
    tt_rule50_reserve = 10, 0..=40, 2;

    /// Razoring: how far below alpha the evaluation must be, in centipawns.
    razoring_base = 584, 50..=800, 30;
    /// Razoring: what each squared ply of depth adds to that, in centipawns.
    razoring_depth = 260, 50..=600, 20;

    /// Reverse futility pruning: the greatest depth.
    reverse_futility_depth = 12, 3..=16, 1;
    /// How far above beta the evaluation must be for each ply of depth, in centipawns.
    reverse_futility_margin = 50, 30..=200, 6;
    /// The discount on the margin when the side to move is improving, in centipawns.
    reverse_futility_improving = 37, 0..=200, 6;
    /// The discount when the side to move stands better than the opponent had thought, in centipawns.
    reverse_futility_worsening = 2, 0..=100, 5;
    /// What each squared ply of depth adds to the margin, in 16ths of a centipawn.
    reverse_futility_square = 16, -32..=64, 2;
    /// What each centipawn of correction adds to the margin, in 16ths.
    reverse_futility_correction = 10, -16..=64, 2;
    /// What a quiet table move adds to the margin, in centipawns.
    reverse_futility_quiet_move = 40, -40..=200, 6;
    /// The share of the lead that the node is worth above beta, in 16ths.
    reverse_futility_share = 14, 0..=16, 2;

    /// ProbCut: the least depth.
    probcut_depth = 8, 3..=10, 1;
    /// How far above beta a capture must come in the shallow search, in centipawns.
    probcut_margin = 282, 60..=400, 15;
    /// By how much shallower than the node ProbCut searches, in plies.
    probcut_reduction = 4, 2..=6, 1;
    /// By how much the margin shrinks when improving, in centipawns.
    probcut_improving = 3, 0..=150, 8;

    /// How many plies shallower than the node a table entry may be to cut as ProbCut would.
    probcut_tt_entry = 4, 2..=6, 1;
    /// ProbCut: how far above beta a table value of nearly the same depth must lie to cut without a search, in centipawns.
    probcut_tt_margin = 590, 100..=800, 30;

    /// The depth up to which the table cuts a node only in the direction that its kind expects.
    tt_cutoff_any_depth = 3, 0..=10, 1;

    /// Hindsight: a move reduced by this many plies is given one back if its side stands no worse after it.
    hindsight_reduction = 3, 1..=6, 1;
    /// Hindsight: by how much the move that led to a node must have worsened its side's evaluation for the node to lose a
    /// ply, in centipawns.
    hindsight_margin = 231, 50..=400, 15;

    /// What a quiet move changes in the static evaluation, as a bonus in its history, in 16ths.
    eval_difference_bonus = 103, 0..=320, 16;
    /// The greatest such bonus.
    eval_difference_limit = 1379, 200..=3000, 100;

    /// Internal iterative reduction: the least depth.
    iir_depth = 8, 2..=10, 1;
    /// The table's move counts as unknown when its entry is this many plies shallower than the node.
    iir_entry = 4, 2..=20, 1;

    /// Late-move pruning: moves tried before quiet ones are left out, at depth zero.
    late_move_base = 6, 1..=10, 1;
    /// The divisor of the move limit when not improving, in 1024ths.
    late_move_not_improving = 2461, 1024..=4096, 128;

    /// Futility pruning of quiet moves: the greatest reduced depth.
    futility_depth = 12, 3..=14, 1;
    /// The margin at reduced depth zero, in centipawns.
    futility_base = 38, 20..=300, 10;
    /// The margin for each ply of reduced depth, in centipawns.
    futility_margin = 38, 30..=200, 8;

    /// Futility pruning of captures: the greatest depth.
    capture_futility_depth = 7, 1..=12, 1;
    /// The margin at depth zero, in centipawns.
    capture_futility_base = 158, 20..=500, 15;
    /// The margin for each ply of depth, in centipawns.
    capture_futility_margin = 96, 30..=300, 12;
    /// The capture history that is worth a centipawn of margin.
    capture_futility_history = 42, 16..=256, 8;

    /// History pruning: the greatest reduced depth.
    history_pruning_depth = 8, 2..=10, 1;
    /// The history value below which a quiet move is left out, for each ply of depth, negated.
    history_pruning_margin = 3050, 1000..=8000, 250;

    /// SEE pruning of quiet moves: the loss allowed for each squared ply of reduced depth, in centipawns.
    see_quiet_margin = 36, 5..=60, 3;
    /// SEE pruning of captures: the loss allowed for each ply of depth, in centipawns.
    see_capture_margin = 102, 30..=200, 8;

    /// SEE pruning: what 1024 of its history let a capture lose more, in centipawns.
    see_capture_history = 12, -10..=64, 3;

    /// Singular extensions: the least depth.
    singular_depth = 4, 4..=10, 1;
    /// How many plies shallower than the node the table entry may be.
    singular_entry_depth = 3, 1..=5, 1;
    /// The depth of the singular search, as a share of the depth below the node, in 16ths.
    singular_share = 5, 4..=12, 1;
    /// How far below the table value all other moves must stay for each ply of depth, in 16ths of a centipawn.
    singular_margin = 25, 4..=60, 3;
    /// Singular extensions: how much further below the singular bound all other moves must stay for a second ply, outside
    /// PV nodes, in centipawns.
    double_extension_margin = 23, 4..=60, 4;
    /// Singular extensions: how much further below the singular bound all other moves must stay for a second ply in a PV
    /// node, in centipawns.
    double_extension_margin_pv = 80, 0..=400, 15;
    /// Singular extensions: how much further below the singular bound all other moves must stay for a third ply, if the
    /// move is quiet, in centipawns.
    triple_extension_margin = 151, 30..=250, 12;
    /// Multi-cut: the weight of beta where the value of the other moves is blended with it, in 16ths of a ply of the node's
    /// depth.
    multi_cut_blend = 16, 0..=64, 4;
    /// By how much a table move is searched shallower that cuts but is not singular, in plies.
    negative_extension_table = 3, 0..=4, 1;
    /// By how much a table move is searched shallower that does not cut in an expected cut node, in plies.
    negative_extension_cut = 1, 0..=3, 1;

    /// Late-move reductions of quiet moves: the constant term, in 1024ths of a ply.
    reduction_quiet_base = 1230, 0..=2048, 60;
    /// The factor of ln(depth) ln(move number), in 1024ths of a ply.
    reduction_quiet_factor = 404, 150..=900, 25;
    /// Late-move reductions of captures: the constant term, in 1024ths of a ply.
    reduction_capture_base = 122, -1024..=1024, 60;
    /// The factor of ln(depth) ln(move number), in 1024ths of a ply.
    reduction_capture_factor = 487, 100..=900, 25;
    /// Less reduction in a node with an open window, in 1024ths of a ply.
    reduction_pv = 1181, 0..=2048, 100;
    /// More reduction in a node that is expected to fail high, in 1024ths of a ply.
    reduction_cut_node = 1549, 0..=3072, 100;
    /// More reduction in such a node when the table knows no move, in 1024ths of a ply.
    reduction_no_tt_move = 886, 0..=3072, 100;
    /// Less reduction the wider the window is beside that of the root, in 1024ths of a ply.
    reduction_window = 600, -512..=2048, 100;
    /// Less reduction when improving, in 1024ths of a ply.
    reduction_improving = 117, 0..=2048, 100;
    /// Less reduction of a move that gives check, in 1024ths of a ply.
    reduction_check = 710, 0..=2048, 100;
    /// More reduction of quiet moves when the table move is a capture, in 1024ths of a ply.
    reduction_tt_capture = 1054, 0..=2048, 100;
    /// More reduction when the children of this node often fail high, in 1024ths of a ply.
    reduction_cutoff_count = 1193, 0..=2048, 100;
    /// Late-move reductions: the number of fail-highs among the children of a node beyond which [`reduction_cutoff_count`]
    /// applies.
    reduction_cutoff_count_min = 1, 1..=6, 1;
    /// Less reduction where the table says that the node was once on a principal variation.
    reduction_tt_pv = 359, 0..=2048, 100;
    /// The history value of a quiet move that is worth one ply of reduction.
    reduction_history = 9164, 3000..=20000, 500;
    /// The history value of a capture that is worth one ply of reduction.
    reduction_capture_history = 11455, 3000..=20000, 500;
    /// The correction of the static evaluation, in centipawns, that is worth one ply of reduction: where the evaluation
    /// is known to err, late moves deserve a closer look.
    reduction_correction = 102, 30..=500, 10;
    /// How fast the history of table moves learns.
    tt_move_history_step = 800, 50..=2000, 100;
    /// How much less a table move must be singular where table moves were mostly the best, in centipawns.
    singular_tt_history = 12, -40..=80, 4;
    /// How far above the best value a reduced move must come to be searched deeper than usual, in centipawns.
    deeper_margin = 62, 10..=150, 8;
    /// What each ply of depth adds to that, in 16ths of a centipawn.
    deeper_depth = 14, 0..=128, 8;
    /// A reduced move that comes less than this above the best value is searched shallower than usual, for each ply of
    /// depth, in 16ths of a centipawn.
    shallower_depth = 20, 0..=64, 4;
    /// The history value that is worth one ply when a move may be left out.
    pruning_history = 18445, 4000..=40000, 1000;

    /// The weight of beta where a value above it is blended with it, in 16ths of a ply of the node's depth.
    fail_high_blend = 7, 0..=64, 4;

    /// Histories: the bonus for each ply of depth.
    history_bonus = 245, 60..=400, 20;
    /// The constant term of the bonus, negated.
    history_bonus_offset = 9, 0..=300, 20;
    /// The greatest bonus.
    history_bonus_limit = 2337, 600..=4000, 150;
    /// The malus for each ply of depth.
    history_malus = 317, 60..=500, 20;
    /// The constant term of the malus, negated.
    history_malus_offset = 77, 0..=300, 20;
    /// The greatest malus.
    history_malus_limit = 1794, 400..=3000, 150;
    /// How far above beta a fail-high must be for its histories to learn a ply more, in centipawns.
    history_clear_margin = 70, 20..=200, 10;
    /// What a quiet table move that cuts at once gains, in 16ths of the bonus.
    tt_cutoff_bonus = 18, 0..=32, 3;
    /// What a capture gains that cuts, in 16ths of the bonus.
    capture_bonus = 14, 0..=40, 3;
    /// What a capture loses that did not cut, in 16ths of the malus.
    capture_malus = 28, 0..=40, 3;
    /// What a quiet move learns in the butterfly history, in 16ths of the bonus or malus.
    update_butterfly = 19, 0..=40, 3;
    /// What a quiet move learns in the pawn history, in 16ths of the bonus or malus.
    update_pawn = 12, 0..=40, 3;
    /// What a quiet move learns as an answer to the last move, in 16ths of the bonus or malus.
    update_continuation_1 = 5, 0..=40, 3;
    /// What a quiet move learns as a continuation of the move two plies ago, in 16ths of the bonus or malus.
    update_continuation_2 = 22, 0..=40, 3;
    /// What a quiet move learns as a continuation of the move three plies ago, in 16ths of the bonus or malus.
    update_continuation_3 = 13, 0..=40, 3;
    /// What a quiet move learns as a continuation of the move four plies ago, in 16ths of the bonus or malus.
    update_continuation_4 = 18, 0..=40, 3;

    /// What the search of a late move to its full depth teaches, in 16ths of the bonus or malus.
    lmr_research_bonus = 10, 0..=32, 3;
    /// A move tried no later than this is an early one.
    prior_move_early = 8, 0..=10, 1;
    /// The malus of an early move that a table entry refutes, in 16ths of the malus.
    prior_move_malus = 21, 0..=32, 3;
    /// What a quiet move that led to a fail low gains as a continuation, in 16ths of the bonus.
    prior_move_continuation = 4, 0..=32, 3;
    /// What a late move that led to a fail low gains more, in 16ths.
    prior_move_late = 6, 0..=64, 4;
    /// How far below its static evaluation a node comes out that is a surprise, in centipawns.
    prior_move_surprise_margin = 80, 0..=300, 15;
    /// What a move gains more that led to a node that came out below its static evaluation, in 16ths.
    prior_move_surprise = 8, 0..=64, 4;
    /// What a quiet move that led to a fail low gains in the butterfly history, in 16ths of the bonus.
    prior_move_butterfly = 15, 0..=32, 2;
    /// The weight of the butterfly history in a quiet move's history, in 16ths.
    history_butterfly = 12, 4..=40, 2;
    /// The weight of the continuation history of the last move, in 16ths.
    history_continuation_1 = 12, 4..=40, 2;
    /// The weight of the continuation history of the move two plies ago, in 16ths.
    history_continuation_2 = 5, 4..=40, 2;
    /// The weight of the history of moves near the root, in 16ths.
    history_low_ply = 32, 0..=80, 4;
    /// What a quiet move learns in the history of moves near the root, in 16ths of the bonus or malus.
    update_low_ply = 8, 0..=40, 3;
    /// The weight of the pawn history, in 16ths.
    history_pawn = 17, 0..=40, 2;

    /// What a pawn's worth of pieces on the board adds to the evaluation, in 1024ths; 32 of them add nothing.
    material_scale = 1, -8..=12, 1;

    /// Correction history: the weight of the pawns, in 1024ths.
    correction_pawn = 62, 0..=200, 8;
    /// The weight of each side's pieces, in 1024ths.
    correction_non_pawn = 74, 0..=200, 8;
    /// The weight of the minor pieces, in 1024ths.
    correction_minor = 12, 0..=200, 8;
    /// The weight of the major pieces, in 1024ths.
    correction_major = 53, 0..=200, 8;
    /// The weight of the last two moves, in 1024ths.
    correction_continuation = 75, 0..=200, 8;
    /// The weight of the last move and the one four plies ago, in 1024ths.
    correction_continuation_4 = 40, 0..=200, 8;
    /// What a ply of depth teaches the correction history of an error, in 1024ths.
    correction_rate = 179, 16..=512, 16;
    /// Correction history: the most that an entry learns at a time, in units of the history.
    correction_limit = 338, 64..=512, 24;
    /// The plies without a capture or a pawn's move at which the evaluation would have faded to nothing; a draw comes before.
    rule50_fade = 258, 110..=500, 20;

    /// Quiescence: how far below alpha a capture's victim may leave the evaluation, in centipawns.
    quiescence_futility = 207, 40..=400, 15;
    /// Quiescence: how many captures are tried before only checks and recaptures are.
    quiescence_captures = 6, 1..=10, 1;
    /// Quiescence: the share of the lead over beta that a node keeps whose evaluation is above it, in 16ths.
    quiescence_stand_pat_share = 15, 0..=16, 2;
    /// Quiescence: the share of the lead over beta that a node keeps where a capture comes out above it, in 16ths.
    quiescence_capture_share = 12, 0..=16, 2;
    /// The weight of a victim's worth against its capture history in ordering.
    picker_victim = 17, 4..=40, 2;
    /// What a quiet check is worth in ordering, in units of history.
    picker_check = 8819, 0..=32000, 1000;
    /// What such a check may lose in an exchange, in centipawns.
    picker_check_loss = 52, 0..=300, 15;
    /// What leaving or entering a square is worth where a cheaper piece attacks a minor piece, in units of history.
    picker_threat_minor = 6776, 0..=24000, 800;
    /// What leaving or entering a square is worth where a cheaper piece attacks a rook, in units of history.
    picker_threat_rook = 11101, 0..=32000, 1000;
    /// What leaving or entering a square is worth where a cheaper piece attacks a queen, in units of history.
    picker_threat_queen = 11047, 0..=48000, 1500;
    /// What a quiet pawn move is worth that attacks a piece, in units of history.
    picker_attack_pawn = 4000, 0..=24000, 800;
    /// What a quiet move of a minor piece is worth that attacks a rook or queen, in units of history.
    picker_attack_minor = 3000, 0..=24000, 800;
    /// What a quiet move of a rook is worth that attacks the queen, in units of history.
    picker_attack_rook = 2000, 0..=24000, 800;
    /// The divisor by which capture history loosens or tightens what counts as a losing capture.
    picker_see_history = 44, 16..=200, 8;

    /// Vote of the threads: what is added to the lead of a thread's score over the worst one, in centipawns.
    vote_score_offset = 14, -50..=100, 5;
    /// Vote of the threads: how far behind the deepest thread a voter may be, in 16ths of the greatest depth.
    vote_depth_lag_share = 4, 0..=16, 1;
    /// Vote of the threads: how far behind the deepest thread a voter may always be, in plies.
    vote_depth_lag = 2, 0..=8, 1;

    /// Clock: the share of the clock for a move at the start of a game without time controls, in thousandths.
    clock_opening_share = 38, 10..=100, 4;
    /// Clock: that share once the game is as old as [`clock_late_ply`], in thousandths.
    clock_late_share = 50, 10..=120, 4;
    /// Clock: the ply from which the share grows no more.
    clock_late_ply = 80, 20..=200, 10;
    /// Clock: the share of the increment, less the overhead, that a move uses in addition, in thousandths.
    clock_increment_share = 750, 300..=1000, 50;
    /// Clock: the greatest share of the clock for the soft limit, however large the increment, in thousandths: on a clock
    /// that runs low, the next increment is worth more than the present one.
    clock_soft_share = 250, 100..=500, 25;
    /// Clock: the hard limit as a multiple of the soft one, in thousandths.
    clock_hard_factor = 4500, 1000..=8000, 400;
    /// Clock: the greatest share of the clock for the hard limit, unless the time control is near, in thousandths.
    clock_hard_share = 500, 200..=800, 40;
    /// Clock: the same share at the last move before the time control, in thousandths.
    clock_last_move_share = 980, 500..=990, 20;
    /// Clock: more moves to the time control than this are planned like this many.
    clock_moves_to_go_max = 50, 20..=80, 4;
    /// Clock: for how many moves overhead is reserved in a game without time controls.
    clock_overhead_moves = 40, 10..=80, 4;
    /// Clock: the greatest share of the clock that is reserved for overhead when the number of moves is a guess, in
    /// thousandths.
    clock_guessed_reserve = 750, 300..=950, 40;
    /// Clock: the greatest share of the clock that is reserved for overhead when the number of moves is known, in
    /// thousandths.
    clock_known_reserve = 900, 300..=950, 40;

    /// Soft limit: the depth from which a forced move is played without more thought, in plies.
    clock_forced_move_depth = 6, 1..=12, 1;
    /// Soft limit: the factor for a best move that has just changed, in thousandths.
    clock_unstable = 1400, 1000..=2500, 75;
    /// Soft limit: what that factor loses for every iteration that the best move has stayed, in thousandths.
    clock_stability_step = 75, -50..=150, 10;
    /// Soft limit: the iterations after which staying changes nothing more.
    clock_stability_max = 8, 1..=20, 1;
    /// Soft limit: what the factor gains for every centipawn that the score has fallen, in ten-thousandths.
    clock_drop_step = 75, -50..=200, 10;
    /// Soft limit: the rise of the score beyond which no more time is saved, in centipawns.
    clock_rise_max = 20, 0..=60, 4;
    /// Soft limit: the fall of the score beyond which no more time is taken, in centipawns.
    clock_drop_max = 60, 0..=200, 10;
    /// Soft limit: the factor if no nodes went into the best move, in thousandths.
    clock_no_effort = 1750, 1000..=3000, 100;
    /// Soft limit: what that factor loses if all nodes went into the best move, in thousandths.
    clock_effort_weight = 1000, -200..=2000, 100;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_can_be_options() {
        let names: BTreeSet<&str> = ALL.iter().map(|param| param.name).collect();
        assert_eq!(names.len(), ALL.len());
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(names.iter().all(|name| name.chars().all(is_plain)));
    }

    #[test]
    fn a_tuner_has_room_to_move() {
        for param in ALL {
            assert!((param.min..=param.max).contains(&param.default), "{param:?}");
            assert!(param.step > 0 && param.max - param.min >= param.step, "{param:?}");
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn numbers_are_set_within_their_ranges() {
        for param in ALL {
            assert_eq!(set(param.name, param.default), Ok(()), "{param:?}");
            for value in [param.min - 1, param.max + 1] {
                assert_eq!(set(param.name, value), Err(ParamError::OutOfRange(value)), "{param:?}");
            }
        }
        assert_eq!(set("no_number", 0), Err(ParamError::Unknown));
    }

    #[cfg(feature = "tune")]
    #[test]
    fn a_number_is_what_was_set_last() {
        // No search reads it: tests that run meanwhile do not see it.
        let param = ALL.iter().find(|param| param.name == "clock_guessed_reserve").expect("a number");
        for value in [param.min, param.max, param.default] {
            set(param.name, value).expect("within its range");
            assert_eq!(clock_guessed_reserve(), value);
        }
    }
}
