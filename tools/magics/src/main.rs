//! Finds the magic numbers of the engine's magic bitboards and prints them as the two constants of
//! `src/attacks/magics.rs`.
//!
//! For each square of a bishop and of a rook, a factor is wanted whose product with any set of blockers has in
//! its top bits an index that differs for all sets with different attacks (Lasse Hansen, "Fast(er) bitboard move
//! generator", 2006; the random search is Tord Romstad's). As many bits are used as there are blocker squares.
//! Candidates are sparse random numbers from a fixed seed: the same numbers come out of every run.
//!
//! Board geometry is written out again here, since the engine does not compile until the numbers are right.

const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
const STRAIGHT: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

fn main() {
    let mut random = Random(0x00CA_E5B8_A000_0006);
    for (name, directions) in [("BISHOP_MAGICS", DIAGONAL), ("ROOK_MAGICS", STRAIGHT)] {
        println!("#[rustfmt::skip]");
        println!("const {name}: [u64; 64] = [");
        for rank in 0..8 {
            for half in 0..2 {
                let row: Vec<String> = (0..4)
                    .map(|file| literal(find(rank * 8 + half * 4 + file, directions, &mut random)))
                    .collect();
                println!("    {},", row.join(", "));
            }
        }
        println!("];");
    }
}

/// The SplitMix64 generator (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014), written
/// out again like the geometry.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number with about eight bits set.
    fn sparse(&mut self) -> u64 {
        self.next() & self.next() & self.next()
    }
}

/// The attacked squares of a slider on `square`, and the mask: the squares whose blockers can change them.
fn attacks(square: i32, occupied: u64, directions: [(i32, i32); 4]) -> (u64, u64) {
    let on_board = |file: i32, rank: i32| (0..8).contains(&file) && (0..8).contains(&rank);
    let (mut attacked, mut blockers) = (0, 0);
    for (files, ranks) in directions {
        let (mut file, mut rank) = (square % 8 + files, square / 8 + ranks);
        while on_board(file, rank) {
            let bit = 1u64 << (rank * 8 + file);
            (file, rank) = (file + files, rank + ranks);
            attacked |= bit;
            if on_board(file, rank) {
                blockers |= bit;
            }
            if occupied & bit != 0 {
                break;
            }
        }
    }
    (attacked, blockers)
}

/// Finds a factor for the square.
fn find(square: i32, directions: [(i32, i32); 4], random: &mut Random) -> u64 {
    let (_, mask) = attacks(square, 0, directions);
    let attack_sets = attack_sets(square, mask, directions);
    let mut slots = vec![Slot::default(); attack_sets.len()];
    let mut attempt = 0;
    loop {
        let factor = random.sparse();
        // Few bits of the mask in the top byte mean few different indices: not worth a full trial.
        if (mask.wrapping_mul(factor) >> 56).count_ones() < 6 {
            continue;
        }
        attempt += 1;
        if has_no_collision(factor, attempt, &attack_sets, &mut slots) {
            return factor;
        }
    }
}

/// Every set of blockers in the mask, with the squares attacked.
fn attack_sets(square: i32, mask: u64, directions: [(i32, i32); 4]) -> Vec<(u64, u64)> {
    let mut attack_sets = Vec::with_capacity(1 << mask.count_ones());
    let mut occupied = 0u64;
    loop {
        attack_sets.push((occupied, attacks(square, occupied, directions).0));
        occupied = occupied.wrapping_sub(mask) & mask;
        if occupied == 0 {
            return attack_sets;
        }
    }
}

/// The attacked squares that an attempt has stored here; those of earlier attempts need no clearing.
#[derive(Clone, Copy, Default)]
struct Slot {
    attempt: u64,
    attacked: u64,
}

/// True if the factor gives no two sets of blockers with different attacks the same index.
fn has_no_collision(factor: u64, attempt: u64, attack_sets: &[(u64, u64)], slots: &mut [Slot]) -> bool {
    let shift = 64 - attack_sets.len().ilog2();
    attack_sets.iter().all(|&(occupied, attacked)| {
        let slot = &mut slots[(occupied.wrapping_mul(factor) >> shift) as usize];
        let free = slot.attempt != attempt;
        if free {
            *slot = Slot { attempt, attacked };
        }
        free || slot.attacked == attacked
    })
}

/// A Rust literal, in groups of four digits.
fn literal(number: u64) -> String {
    let digits = format!("{number:016X}");
    format!("0x{}_{}_{}_{}", &digits[..4], &digits[4..8], &digits[8..12], &digits[12..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_found_factor_has_no_collision_and_zero_has() {
        let mut random = Random(1);
        for square in [0, 27, 63] {
            let (_, mask) = attacks(square, 0, DIAGONAL);
            let attack_sets = attack_sets(square, mask, DIAGONAL);
            let mut slots = vec![Slot::default(); attack_sets.len()];
            let factor = find(square, DIAGONAL, &mut random);
            assert!(has_no_collision(factor, 1, &attack_sets, &mut slots));
            assert!(!has_no_collision(0, 2, &attack_sets, &mut slots));
        }
    }

    #[test]
    fn attacks_and_masks_are_the_known_ones() {
        assert_eq!(attacks(0, 0, STRAIGHT), (0x0101_0101_0101_01FE, 0x0001_0101_0101_017E));
        assert_eq!(attacks(0, 0x0000_0000_0000_0100, STRAIGHT).0, 0x0000_0000_0000_01FE);
        assert_eq!(attacks(27, 0, DIAGONAL).1.count_ones(), 9);
    }
}
