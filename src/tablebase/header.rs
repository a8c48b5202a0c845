//! What must be known of a table before the library opens it.

use std::io;

use shakmaty_syzygy::filesystem::{RandomAccessFile, ReadHint};

/// The flag of a DTZ subtable that stores positions with Black to move.
const BLACK_TO_MOVE: u8 = 1;
/// The flag of a subtable with one value for all positions.
const SINGLE_VALUE: u8 = 128;

/// Where the subtables begin: after the magic bytes and the layout.
const SUBTABLES: u64 = 5;
/// Subtables of a table with pawns, by the file of the leading pawn.
const PAWN_FILES: u64 = 4;

/// The pieces of the two sides by the name of a table (`KRvKP`), in an order that is the same for all names of the table:
/// the library takes the letters of a side in any case and order, and either side first. `None` if it is no such name.
pub fn sides(name: &str) -> Option<[String; 2]> {
    let pieces = |side: &str| {
        let mut letters: Vec<char> = side.chars().map(|letter| letter.to_ascii_uppercase()).collect();
        letters.sort_unstable();
        letters.into_iter().collect::<String>()
    };
    let (white, black) = name.split_once('v')?;
    let mut sides = [pieces(white), pieces(black)];
    sides.sort_unstable();
    Some(sides)
}

/// True if a DTZ table of this name (`KPvKP`) needs [`check_symmetric_dtz`]: both sides have the same pieces, and pawns.
pub fn is_symmetric_with_pawns(name: &str) -> bool {
    sides(name).is_some_and(|[one, other]| one == other && one.contains('P'))
}

/// Refuses a damaged DTZ table of equal sides with pawns that would send the library into endless recursion.
///
/// A DTZ table stores the positions of one side to move; for the other the library looks at the positions one ply on.
/// Equal sides are looked up as White to move whichever side moves, so that a table of theirs that claims to store Black to
/// move is asked for ever.
///
/// # Errors
/// If it makes that claim, or cannot be read so far.
pub fn check_symmetric_dtz(file: &dyn RandomAccessFile, name: &str) -> io::Result<()> {
    let byte = |offset| file.read_u8_at(offset, ReadHint::Header);
    let pieces = name.len() as u64 - 1;
    // Two bytes of group order and the list of pieces, for each subtable; then to an even offset.
    let mut offset = SUBTABLES + PAWN_FILES * (2 + pieces);
    offset += offset & 1;
    for _ in 0..PAWN_FILES {
        let flags = byte(offset)?;
        if flags & BLACK_TO_MOVE != 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the side to move is wrong"));
        }
        if flags & SINGLE_VALUE != 0 {
            offset += 2;
            continue;
        }
        let (longest, shortest) = (byte(offset + 8)?, byte(offset + 9)?);
        let lengths = u64::from(longest.saturating_sub(shortest)) + 1;
        offset += 10 + 2 * lengths;
        let symbols = u64::from(file.read_u16_le_at(offset, ReadHint::Header)?);
        offset += 2 + 3 * symbols + (symbols & 1);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file in memory.
    struct Bytes(Vec<u8>);

    impl RandomAccessFile for Bytes {
        fn read_at(&self, buf: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
            let rest = self.0.get(offset as usize..).unwrap_or_default();
            let read = rest.len().min(buf.len());
            buf[..read].copy_from_slice(&rest[..read]);
            Ok(read)
        }
    }

    /// The beginning of a table of `KPvKP` up to the flags of its subtables, and the bytes of each with these flags: in turns one
    /// with an even number of symbols, one with an odd number, and one with a single value.
    fn symmetric_table(flags: [u8; 4]) -> (Vec<u8>, Vec<usize>) {
        let mut bytes = vec![0; 5 + 4 * (2 + 4) + 1];
        let mut starts = Vec::new();
        for (file, flags) in flags.into_iter().enumerate() {
            starts.push(bytes.len());
            if file % 3 == 2 {
                bytes.extend([flags | SINGLE_VALUE, 0]);
                continue;
            }
            let symbols = 2 + file as u8 % 3;
            bytes.extend([flags, 0, 0, 0, 0, 0, 0, 0, 5, 3]);
            bytes.extend([BLACK_TO_MOVE; 2 * 3]);
            bytes.extend([symbols, 0]);
            bytes.extend(vec![BLACK_TO_MOVE; 3 * usize::from(symbols)]);
            bytes.extend(vec![BLACK_TO_MOVE; usize::from(symbols % 2)]);
        }
        (bytes, starts)
    }

    #[test]
    fn a_symmetric_table_for_black_to_move_is_refused_in_any_of_its_subtables() {
        let check =
            |bytes: Vec<u8>| check_symmetric_dtz(&Bytes(bytes), "KPvKP").map_err(|error| error.kind());
        let (sound, starts) = symmetric_table([2, 4, 8, 2]);
        for file in 0..4 {
            let mut flags = [2, 4, 8, 2];
            flags[file] |= BLACK_TO_MOVE;
            assert_eq!(check(symmetric_table(flags).0), Err(io::ErrorKind::InvalidData), "{file}");
            assert_eq!(check(sound[..starts[file]].to_vec()), Err(io::ErrorKind::UnexpectedEof), "{file}");
        }
        assert_eq!(check(sound), Ok(()));
    }

    #[test]
    fn a_table_is_known_by_any_of_its_names() {
        for name in ["KRPvKP", "KPRvKP", "kprvpk", "KPvKRP"] {
            assert_eq!(sides(name), sides("KRPvKP"), "{name}");
            assert!(!is_symmetric_with_pawns(name), "{name}");
        }
        for name in ["KPvKP", "kpvkp", "PKvKP", "KRPvKPR"] {
            assert!(is_symmetric_with_pawns(name), "{name}");
        }
        assert!(!is_symmetric_with_pawns("KRvKR") && !is_symmetric_with_pawns("KP"));
    }
}
