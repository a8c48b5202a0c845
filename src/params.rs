//! Every number of the search that tuning may change: one line each, with its name, value, range and step.
//!
//! In a normal build each is a constant. With the feature `tune` each is a UCI option of the same name, so that
//! a tuner (SPSA, Spall 1992; `tools/spsa`) can change it from outside.
//!
//! Where no other source is named, a number was found so, in games of 3,000 to 25,000 nodes a move. `docs/strength.md` has
//! what the rounds of this tuning were worth (from 54 ± 16 Elo, the first, to 4 ± 11, the fourth), and what came in later.
//!
//! Set by judged moves, at 160,000 and 200,000 nodes a position (`docs/strength.md`, "What more nodes are worth"):
//! `tt_cutoff_any_depth`, `reverse_futility_depth`, `reverse_futility_margin`, `reverse_futility_square`, `probcut_margin`,
//! `futility_base`, `futility_margin`, `see_capture_margin`, `singular_margin`, `reduction_quiet_base`, `reduction_quiet_factor`,
//! `reduction_capture_factor`, `reduction_root_moves`, `reduction_window`, `reduction_cutoff_count`, `reduction_tt_pv`,
//! `reduction_history`, `quiescence_futility` and `quiescence_captures`.
//!
//! Set by hand: the numbers of the clock (`clock_...`), of the vote (`vote_...`), of the mode `falcon` and
//! of the null-move schemes, `tablebase_depth_bonus`, `tt_depth_margin`, `tt_age_weight`, `tt_rule50_reserve`, `aspiration_width_max` and
//! `aspiration_reduction_max`.
//!
//! First guesses, not tuned: `double_extension_margin_pv`, `multi_cut_blend`, `negative_extension_table`,
//! `reverse_futility_correction`, `reverse_futility_quiet_move`, `aspiration_mean`, `singular_tt_history`, `see_capture_history`, `prior_move_late`, `prior_move_surprise`,
//! `history_low_ply`, `correction_continuation_4` and `picker_attack_...`.

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
    /// Tuned null-move reductions: DR, by which a fail-high reduces a node, in plies.
    tuned_dr = 5, 1..=8, 1;
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

    /// Aspiration windows: half the width of the first window, in centipawns.
    aspiration_width = 17, 4..=60, 3;
    /// Aspiration windows: by how much a window that failed widens, in 1024ths of its width.
    aspiration_growth = 499, 128..=2048, 64;
    /// Aspiration windows: the least depth at which the first window is narrow, in plies.
    aspiration_depth = 4, 2..=10, 1;
    /// Aspiration windows: the first window widens by the square of the last score, divided by this.
    aspiration_score = 20187, 2048..=65536, 1024;
    /// Aspiration windows: the weight of the mean of the last scores in the centre of the first window, in 16ths.
    aspiration_mean = 8, 0..=16, 2;
    /// Aspiration windows: half the width beyond which a window becomes the full one, in centipawns.
    aspiration_width_max = 1000, 200..=4000, 100;
    /// Aspiration windows: the most plies by which the root is searched shallower after fail-highs in a row.
    aspiration_reduction_max = 3, 0..=6, 1;

    /// Transposition table: an entry keeps its place if it is deeper by more than this than a new one of its position, in
    /// plies.
    tt_depth_margin = 4, 0..=12, 1;
    /// Transposition table: the plies of depth by which an entry is worth less for every search since it was stored.
    tt_age_weight = 8, 1..=32, 2;
    /// Transposition table: the plies before the fifty-move rule in which no stored value cuts off a node.
    tt_rule50_reserve = 10, 0..=40, 2;

    /// Razoring: how far below alpha the evaluation must be, in centipawns.
    razoring_base = 584, 50..=800, 30;
    /// Razoring: by how much farther below alpha the evaluation must be for each squared ply of depth, in centipawns.
    razoring_depth = 260, 50..=600, 20;

    /// Reverse futility pruning: the greatest depth, in plies.
    reverse_futility_depth = 15, 3..=20, 1;
    /// Reverse futility pruning: how far above beta the evaluation must be for each ply of depth, in centipawns.
    reverse_futility_margin = 56, 30..=200, 6;
    /// Reverse futility pruning: by how much the margin shrinks when improving, in centipawns.
    reverse_futility_improving = 37, 0..=200, 6;
    /// Reverse futility pruning: by how much the margin shrinks where the opponent's evaluation got worse, in centipawns.
    reverse_futility_worsening = 2, 0..=100, 5;
    /// Reverse futility pruning: what each squared ply of depth adds to the margin, in 16ths of a centipawn.
    reverse_futility_square = 22, -32..=64, 2;
    /// Reverse futility pruning: what each centipawn of correction adds to the margin, in 16ths of a centipawn.
    reverse_futility_correction = 10, -16..=64, 2;
    /// Reverse futility pruning: what a quiet table move adds to the margin, in centipawns.
    reverse_futility_quiet_move = 40, -40..=200, 6;
    /// Reverse futility pruning: the share of its lead over beta that the value of a pruned node keeps, in 16ths.
    reverse_futility_share = 14, 0..=16, 2;

    /// ProbCut: the least depth, in plies.
    probcut_depth = 8, 3..=10, 1;
    /// ProbCut: how far above beta a capture must come in the shallow search, in centipawns.
    probcut_margin = 260, 60..=400, 15;
    /// ProbCut: by how much shallower than the node it searches, in plies.
    probcut_reduction = 4, 2..=6, 1;
    /// ProbCut: by how much the margin shrinks when improving, in centipawns; not measured without.
    probcut_improving = 3, 0..=150, 8;
    /// ProbCut by the table: how many plies shallower than the node the entry may be.
    probcut_tt_entry = 4, 2..=6, 1;
    /// ProbCut by the table: how far above beta the stored value must lie to cut without a search, in centipawns.
    probcut_tt_margin = 590, 100..=800, 30;

    /// Endgame tables: by how many plies their value outlasts one that was searched as deep in the transposition table.
    tablebase_depth_bonus = 6, 0..=16, 1;

    /// Transposition table: the depth up to which it cuts off a node only on the side that the node's kind expects (a cut
    /// node at beta, another one at alpha), in plies.
    tt_cutoff_any_depth = 6, 0..=10, 1;

    /// Hindsight: a move reduced by this many plies is given one back if its side stands no worse after it.
    hindsight_reduction = 3, 1..=6, 1;
    /// Hindsight: by how much the move that led to a node must have worsened its side's evaluation for the node to lose a
    /// ply, in centipawns.
    hindsight_margin = 231, 50..=400, 15;

    /// History by evaluation difference: the bonus for each centipawn that a quiet move gains its side, in 16ths.
    eval_difference_bonus = 103, 0..=320, 16;
    /// History by evaluation difference: the greatest bonus or malus, in units of history.
    eval_difference_limit = 1379, 200..=3000, 100;

    /// Internal iterative reduction: the least depth, in plies.
    iir_depth = 8, 2..=10, 1;
    /// Internal iterative reduction: a table move whose entry is this many plies shallower than the node counts as none.
    iir_entry = 4, 2..=20, 1;

    /// Late-move pruning: how many moves less one a node of depth zero tries when improving before the quiet rest is left
    /// out.
    late_move_base = 6, 1..=10, 1;
    /// Late-move pruning: the divisor of that number when not improving, in 1024ths.
    late_move_not_improving = 2461, 1024..=4096, 128;

    /// Futility pruning of quiet moves: the greatest reduced depth, in plies.
    futility_depth = 12, 3..=14, 1;
    /// Futility pruning of quiet moves: the margin at reduced depth zero, in centipawns.
    futility_base = 20, 0..=300, 10;
    /// Futility pruning of quiet moves: what each ply of reduced depth adds to the margin, in centipawns.
    futility_margin = 30, 10..=200, 8;

    /// Futility pruning of captures: the greatest depth, in plies.
    capture_futility_depth = 7, 1..=12, 1;
    /// Futility pruning of captures: the margin at depth zero, in centipawns.
    capture_futility_base = 158, 20..=500, 15;
    /// Futility pruning of captures: what each ply of depth adds to the margin, in centipawns.
    capture_futility_margin = 96, 30..=300, 12;
    /// Futility pruning of captures: the capture history that adds a centipawn to the margin.
    capture_futility_history = 42, 16..=256, 8;

    /// History pruning: the greatest reduced depth, in plies.
    history_pruning_depth = 8, 2..=10, 1;
    /// History pruning: the history value below which a quiet move is left out, for each ply of depth, negated.
    history_pruning_margin = 3050, 1000..=8000, 250;

    /// SEE pruning of quiet moves: the loss allowed for each squared ply of reduced depth, in centipawns.
    see_quiet_margin = 36, 5..=60, 3;
    /// SEE pruning of captures: the loss allowed for each ply of depth, in centipawns.
    see_capture_margin = 80, 30..=200, 8;
    /// SEE pruning of captures: what each 1024 of its history lets a capture lose more, in centipawns.
    see_capture_history = 12, -10..=64, 3;

    /// Singular extensions: the least depth, in plies.
    singular_depth = 4, 4..=10, 1;
    /// Singular extensions: how many plies shallower than the node the table entry may be.
    singular_entry_depth = 3, 1..=5, 1;
    /// Singular extensions: the depth of the singular search, as a share of the depth below the node, in 16ths.
    singular_share = 5, 4..=12, 1;
    /// Singular extensions: how far below the table value the rest must stay for each ply of depth, in 16ths of a
    /// centipawn.
    singular_margin = 20, 4..=60, 3;
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
    /// Negative extensions: by how much a table move that fails high by the table but is not singular is searched
    /// shallower, in plies.
    negative_extension_table = 3, 0..=4, 1;
    /// Negative extensions: by how much any other table move that is not singular is searched shallower in an expected cut
    /// node, in plies.
    negative_extension_cut = 1, 0..=3, 1;

    /// Late-move reductions of quiet moves: the constant term, in 1024ths of a ply.
    reduction_quiet_base = 1030, 0..=2048, 60;
    /// Late-move reductions of quiet moves: the factor of ln(depth) ln(move count), in 1024ths of a ply.
    reduction_quiet_factor = 375, 150..=900, 25;
    /// Late-move reductions of captures: the constant term, in 1024ths of a ply.
    reduction_capture_base = 122, -1024..=1024, 60;
    /// Late-move reductions of captures: the factor of ln(depth) ln(move count), in 1024ths of a ply.
    reduction_capture_factor = 400, 100..=900, 25;
    /// Late-move reductions: how many moves of the root after the first are not reduced.
    reduction_root_moves = 3, 0..=8, 1;
    /// Late-move reductions: less in a PV node, in 1024ths of a ply.
    reduction_pv = 1181, 0..=2048, 100;
    /// Late-move reductions: more in an expected cut node, in 1024ths of a ply.
    reduction_cut_node = 1549, 0..=3072, 100;
    /// Late-move reductions: more in an expected cut node without a table move, in 1024ths of a ply.
    reduction_no_tt_move = 886, 0..=3072, 100;
    /// Late-move reductions: less in a PV node the wider its window is beside that of the root, in 1024ths of a ply.
    reduction_window = 850, -512..=2048, 100;
    /// Late-move reductions: less when improving, in 1024ths of a ply.
    reduction_improving = 117, 0..=2048, 100;
    /// Late-move reductions: less for a move that gives check, in 1024ths of a ply.
    reduction_check = 710, 0..=2048, 100;
    /// Late-move reductions: more for a quiet move where the table move is a capture, in 1024ths of a ply.
    reduction_tt_capture = 1054, 0..=2048, 100;
    /// Late-move reductions: more where the children of the node often fail high, in 1024ths of a ply.
    reduction_cutoff_count = 800, 0..=2048, 100;
    /// Late-move reductions: the number of fail-highs among the children of a node beyond which [`reduction_cutoff_count`]
    /// applies.
    reduction_cutoff_count_min = 1, 1..=6, 1;
    /// Late-move reductions: less where the table says that the node was once on a PV, in 1024ths of a ply.
    reduction_tt_pv = 550, 0..=2048, 100;
    /// Late-move reductions: the history value of a quiet move that is worth one ply.
    reduction_history = 11000, 3000..=20000, 500;
    /// Late-move reductions: the history value of a capture that is worth one ply.
    reduction_capture_history = 11455, 3000..=20000, 500;
    /// Late-move reductions: the correction of the static evaluation that is worth one ply less, in centipawns.
    reduction_correction = 102, 30..=500, 10;
    /// Table-move history: the bonus if the table move was the best of its node, and the malus if not.
    tt_move_history_step = 800, 50..=2000, 100;
    /// Singular extensions: how much less is asked for a second ply where table moves were mostly best, in centipawns.
    singular_tt_history = 12, -40..=80, 4;
    /// Re-search after LMR: how far above the best value a move must come to be searched a ply deeper, in centipawns.
    deeper_margin = 62, 10..=150, 8;
    /// Re-search after LMR: what each ply of depth adds to [`deeper_margin`], in 16ths of a centipawn.
    deeper_depth = 14, 0..=128, 8;
    /// Re-search after LMR: a move that is not this far above the best value is searched a ply shallower; for each ply of
    /// depth, in 16ths of a centipawn.
    shallower_depth = 20, 0..=64, 4;
    /// Pruning of quiet moves: the history value that is worth one ply of the depth at which a move is judged.
    pruning_history = 18445, 4000..=40000, 1000;
    /// Fail-high blending: the weight of beta in a value above it, in 16ths of a ply of the node's depth.
    fail_high_blend = 7, 0..=64, 4;

    /// Histories: the bonus for each ply of depth, in units of history.
    history_bonus = 245, 60..=400, 20;
    /// Histories: the constant term of the bonus, negated, in units of history.
    history_bonus_offset = 9, 0..=300, 20;
    /// Histories: the greatest bonus, in units of history.
    history_bonus_limit = 2337, 600..=4000, 150;
    /// Histories: the malus for each ply of depth, in units of history.
    history_malus = 317, 60..=500, 20;
    /// Histories: the constant term of the malus, negated, in units of history.
    history_malus_offset = 77, 0..=300, 20;
    /// Histories: the greatest malus, in units of history.
    history_malus_limit = 1794, 400..=3000, 150;
    /// Histories: how far above beta a fail-high must be for its bonus and malus to count a ply more, in centipawns.
    history_clear_margin = 70, 20..=200, 10;
    /// Histories: the bonus of a quiet table move that cuts by the table alone, in 16ths of the bonus.
    tt_cutoff_bonus = 18, 0..=32, 3;
    /// Capture history: the bonus of a capture that cuts, in 16ths of the bonus.
    capture_bonus = 14, 0..=40, 3;
    /// Capture history: the malus of a capture that did not cut, in 16ths of the malus.
    capture_malus = 28, 0..=40, 3;
    /// Butterfly history: the update of a quiet move, in 16ths of the bonus or malus.
    update_butterfly = 19, 0..=40, 3;
    /// Pawn history: the update of a quiet move, in 16ths of the bonus or malus.
    update_pawn = 12, 0..=40, 3;
    /// Continuation history: the update of a quiet move as an answer to the last move, in 16ths of the bonus or malus.
    update_continuation_1 = 5, 0..=40, 3;
    /// Continuation history: the update of a quiet move after that of two plies ago, in 16ths of the bonus or malus.
    update_continuation_2 = 22, 0..=40, 3;
    /// Continuation history: the update of a quiet move after that of three plies ago, in 16ths of the bonus or malus.
    update_continuation_3 = 13, 0..=40, 3;
    /// Continuation history: the update of a quiet move after that of four plies ago, in 16ths of the bonus or malus.
    update_continuation_4 = 18, 0..=40, 3;
    /// Continuation history: the update of a late move after its search at full depth, in 16ths of the bonus or malus.
    lmr_research_bonus = 10, 0..=32, 3;
    /// Prior-move bonus and malus: a move tried no later than this in its node is an early one.
    prior_move_early = 8, 0..=10, 1;
    /// Prior-move malus: the malus of an early quiet move whose answer the table cuts, in 16ths of the malus.
    prior_move_malus = 21, 0..=32, 3;
    /// Prior-move bonus: what a quiet move before a fail low gains in continuation history, in 16ths of the bonus.
    prior_move_continuation = 4, 0..=32, 3;
    /// Prior-move bonus: what a late move before a fail low gains in addition, in 16ths of the bonus.
    prior_move_late = 6, 0..=64, 4;
    /// Prior-move bonus: how far below its static evaluation a node's value is a surprise, in centipawns.
    prior_move_surprise_margin = 80, 0..=300, 15;
    /// Prior-move bonus: what a move before a surprise gains in addition, in 16ths of the bonus.
    prior_move_surprise = 8, 0..=64, 4;
    /// Prior-move bonus: what a quiet move before a fail low gains in butterfly history, in 16ths of the bonus.
    prior_move_butterfly = 15, 0..=32, 2;
    /// History value of a quiet move: the weight of butterfly history, in 16ths.
    history_butterfly = 12, 4..=40, 2;
    /// History value of a quiet move: the weight of continuation history after the last move, in 16ths.
    history_continuation_1 = 12, 4..=40, 2;
    /// History value of a quiet move: the weight of continuation history after the move two plies ago, in 16ths.
    history_continuation_2 = 5, 4..=40, 2;
    /// Move picker: the weight of low-ply history at the root, in 16ths; at greater plies it falls.
    history_low_ply = 32, 0..=80, 4;
    /// Low-ply history: the update of a quiet move, in 16ths of the bonus or malus.
    update_low_ply = 8, 0..=40, 3;
    /// History value of a quiet move: the weight of pawn history, in 16ths.
    history_pawn = 17, 0..=40, 2;
    /// Static evaluation: what a pawn's worth of pieces on the board adds to it, in 1024ths; 32 of them add nothing.
    material_scale = 1, -8..=12, 1;

    /// Correction history: the weight of the pawn structure, in 1024ths.
    correction_pawn = 62, 0..=200, 8;
    /// Correction history: the weight of each side's pieces, in 1024ths.
    correction_non_pawn = 74, 0..=200, 8;
    /// Correction history: the weight of the minor pieces, in 1024ths.
    correction_minor = 12, 0..=200, 8;
    /// Correction history: the weight of the major pieces, in 1024ths.
    correction_major = 53, 0..=200, 8;
    /// Correction history: the weight of the last two moves, in 1024ths.
    correction_continuation = 75, 0..=200, 8;
    /// Correction history: the weight of the last move and the one four plies ago, in 1024ths.
    correction_continuation_4 = 40, 0..=200, 8;
    /// Correction history: the share of an error that an entry takes up for each ply of depth, in 1024ths.
    correction_rate = 179, 16..=512, 16;
    /// Correction history: the most that an entry changes at a time, in units of history.
    correction_limit = 338, 64..=512, 24;
    /// Static evaluation: the plies without a capture or pawn move at which it would be nothing; a draw comes before.
    rule50_fade = 258, 110..=500, 20;

    /// Quiescence: how far below alpha a capture's victim may leave the evaluation, in centipawns.
    quiescence_futility = 260, 40..=400, 15;
    /// Quiescence: the rank of a move beyond which only checks, recaptures and promotions are searched.
    quiescence_captures = 10, 1..=20, 1;
    /// Quiescence: the share of the lead over beta that a node keeps whose evaluation is above it, in 16ths.
    quiescence_stand_pat_share = 15, 0..=16, 2;
    /// Quiescence: the share of the lead over beta that a node keeps where a capture comes out above it, in 16ths.
    quiescence_capture_share = 12, 0..=16, 2;
    /// Move picker: the weight of a victim's worth against capture history.
    picker_victim = 17, 4..=40, 2;
    /// Move picker: what a quiet check is worth, in units of history.
    picker_check = 8819, 0..=32000, 1000;
    /// Move picker: what a quiet check may lose in an exchange and still be preferred, in centipawns.
    picker_check_loss = 52, 0..=300, 15;
    /// Move picker: what a minor piece gains by leaving a square that a cheaper piece attacks, and loses by entering it.
    picker_threat_minor = 6776, 0..=24000, 800;
    /// Move picker: what a rook gains by leaving a square that a cheaper piece attacks, and loses by entering it.
    picker_threat_rook = 11101, 0..=32000, 1000;
    /// Move picker: what a queen gains by leaving a square that a cheaper piece attacks, and loses by entering it.
    picker_threat_queen = 11047, 0..=48000, 1500;
    /// Move picker: what a quiet pawn move that attacks a piece is worth, in units of history.
    picker_attack_pawn = 4000, 0..=24000, 800;
    /// Move picker: what a quiet move of a minor piece that attacks a rook or queen is worth, in units of history.
    picker_attack_minor = 3000, 0..=24000, 800;
    /// Move picker: what a quiet move of a rook that attacks the queen is worth, in units of history.
    picker_attack_rook = 2000, 0..=24000, 800;
    /// Move picker: the score for which a good capture may lose a centipawn; a negative score asks for a gain.
    picker_see_history = 44, 16..=200, 8;

    /// Vote of the threads: what is added to the lead of a thread's score over the worst one, in centipawns.
    vote_score_offset = 14, -50..=100, 5;
    /// Vote of the threads: how far behind the deepest thread a voter may be, in 16ths of the greatest depth.
    vote_depth_lag_share = 4, 0..=16, 1;
    /// Vote of the threads: how far behind the deepest thread a voter may always be, in plies.
    vote_depth_lag = 2, 0..=8, 1;

    /// Clock: the share of the clock for a move at the start of a game without time controls, in thousandths.
    clock_opening_share = 38, 10..=100, 4;
    /// Clock: the share of the clock for a move, without time controls, from [`clock_late_ply`] on, in thousandths.
    clock_late_share = 50, 10..=120, 4;
    /// Clock: the ply from which the share of the clock for a move grows no more.
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
    /// Clock: the greatest hard limit at the last move before the time control, as a share of the clock, in thousandths.
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
    /// Soft limit: what [`clock_unstable`] loses for every iteration that the best move has stayed, in thousandths.
    clock_stability_step = 75, -50..=150, 10;
    /// Soft limit: the iterations after which a best move that stays changes the factor no more.
    clock_stability_max = 8, 1..=20, 1;
    /// Soft limit: what the factor gains for every centipawn that the score has fallen, in ten-thousandths.
    clock_drop_step = 75, -50..=200, 10;
    /// Soft limit: the rise of the score beyond which no more time is saved, in centipawns.
    clock_rise_max = 20, 0..=60, 4;
    /// Soft limit: the fall of the score beyond which no more time is taken, in centipawns.
    clock_drop_max = 60, 0..=200, 10;
    /// Soft limit: the factor if no nodes went into the best move, in thousandths.
    clock_no_effort = 1750, 1000..=3000, 100;
    /// Soft limit: what the factor [`clock_no_effort`] loses if all nodes went into the best move, in thousandths.
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
        let is_name_char = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        assert!(names.iter().all(|name| name.chars().all(is_name_char)));
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
