//! The file of comparisons.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use bytemuck::{Pod, Zeroable};
use caesura::engine::SplitMix;
use caesura::util::random::shuffle;
use toolkit::file;

use crate::error::TrainerError;
use crate::record::PositionRecord;

/// The leaves of a comparison.
pub const LEAVES: usize = 8;

/// The first bytes of a file.
const MAGIC: [u8; 8] = *b"CAESCOMP";
/// The version of the format.
const VERSION: u32 = 1;

/// The leaf behind the move that was played, and those behind the best other moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Comparison {
    /// The leaves, that of the move that was played first.
    pub leaves: [PositionRecord; LEAVES],
    /// Bit `i` is set if the side to move at leaf `i` is the one that chose the move.
    pub own: u64,
}

impl Comparison {
    /// 1 if a value of this leaf is that of the side which chose the move, -1 if it is that of the other side.
    #[inline]
    pub fn sign(&self, leaf: usize) -> f32 {
        if self.own >> leaf & 1 == 1 { 1.0 } else { -1.0 }
    }
}

/// The head of a file; the numbers are little-endian.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct FileHeader {
    magic: [u8; 8],
    version: u32,
    /// CRC-32 of the two numbers that follow, each with its comparisons behind it.
    checksum: u32,
    /// Comparisons to learn from.
    training: u64,
    /// Comparisons behind them, that are kept for validation.
    validation: u64,
}

/// Comparisons in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparisons {
    /// The comparisons to learn from.
    pub training: Vec<Comparison>,
    /// The comparisons of games that are kept for validation.
    pub validation: Vec<Comparison>,
}

impl Comparisons {
    /// Reads files, in a random order that the seed determines.
    ///
    /// # Errors
    /// If a file cannot be read or is not as it was written.
    pub fn read(paths: &[PathBuf], seed: u64) -> Result<Comparisons, TrainerError> {
        let [first, others @ ..] = paths else { return Ok(Comparisons::default()) };
        let mut all = read_file(first)?;
        for path in others {
            let mut next = read_file(path)?;
            all.training.append(&mut next.training);
            all.validation.append(&mut next.validation);
        }
        let mut random = SplitMix(seed);
        shuffle(&mut all.training, |end| random.below(end));
        Ok(all)
    }

    /// A number that differs if any comparison or their order does.
    pub fn fingerprint(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        for comparisons in [&self.training, &self.validation] {
            hasher.update(&(comparisons.len() as u64).to_le_bytes());
            hasher.update(bytemuck::cast_slice(comparisons));
        }
        hasher.finalize()
    }

    /// Writes a file, which gets its name when it is complete, in the place of a former one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), TrainerError> {
        let header = FileHeader {
            magic: MAGIC,
            version: VERSION,
            checksum: self.fingerprint(),
            training: self.training.len() as u64,
            validation: self.validation.len() as u64,
        };
        let parts = [
            bytemuck::bytes_of(&header),
            bytemuck::cast_slice(&self.training),
            bytemuck::cast_slice(&self.validation),
        ];
        Ok(file::replace(path, &parts)?)
    }
}

fn read_file(path: &Path) -> Result<Comparisons, TrainerError> {
    let mut file = File::open(path).map_err(TrainerError::io(path))?;
    let length = file.metadata().map_err(TrainerError::io(path))?.len();
    let mut header = FileHeader::zeroed();
    file.read_exact(bytemuck::bytes_of_mut(&mut header))
        .map_err(|_| TrainerError::file(path, "no file of comparisons"))?;
    if header.magic != MAGIC || header.version != VERSION {
        return Err(TrainerError::file(path, "no file of comparisons, or of another version"));
    }
    let number = u128::from(header.training) + u128::from(header.validation);
    let expected = size_of::<FileHeader>() as u128 + number * size_of::<Comparison>() as u128;
    if u128::from(length) != expected {
        return Err(TrainerError::file(path, "not as long as it was"));
    }
    let mut read = |number: u64| {
        let mut comparisons = vec![Comparison::zeroed(); number as usize];
        file.read_exact(bytemuck::cast_slice_mut(&mut comparisons)).map(|()| comparisons)
    };
    let training = read(header.training).map_err(TrainerError::io(path))?;
    let validation = read(header.validation).map_err(TrainerError::io(path))?;
    let read = Comparisons { training, validation };
    if read.fingerprint() != header.checksum {
        return Err(TrainerError::file(path, "damaged: the checksum is wrong"));
    }
    let mut leaves = read.training.iter().chain(&read.validation).flat_map(|comparison| &comparison.leaves);
    if !leaves.all(PositionRecord::is_valid) {
        return Err(TrainerError::file(path, "a record is no position"));
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn some(number: u64) -> Comparison {
        let mut comparison = Comparison { leaves: [PositionRecord::start(); LEAVES], own: number };
        comparison.leaves[3].score = number as i16;
        comparison
    }

    #[test]
    fn what_was_written_is_read_in_another_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let written =
            Comparisons { training: (0..50).map(some).collect(), validation: (50..60).map(some).collect() };
        written.write(&path).unwrap();
        let read_with = |seed| Comparisons::read(std::slice::from_ref(&path), seed);
        let read = read_with(1).unwrap();
        assert_eq!(read.validation, written.validation);
        assert_ne!(read.training, written.training);
        let mut sorted = read.training.clone();
        sorted.sort_by_key(|comparison| comparison.own);
        assert_eq!(sorted, written.training);
        assert_ne!(read, read_with(2).unwrap());
        assert_eq!(Comparisons::read(&[path.clone(), path.clone()], 1).unwrap().training.len(), 100);
    }

    #[test]
    fn damage_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        Comparisons { training: vec![some(1)], validation: vec![some(2)] }.write(&path).unwrap();
        let bytes = fs::read(&path).unwrap();
        let is_refused = || Comparisons::read(std::slice::from_ref(&path), 0).is_err();
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert!(is_refused(), "byte {place}");
        }
        let mut moved = bytes.clone();
        (moved[16], moved[24]) = (2, 0);
        fs::write(&path, moved).unwrap();
        assert!(is_refused(), "what is kept for validation stays so");
        for length in [0, 7, 31, bytes.len() - 1] {
            fs::write(&path, &bytes[..length]).unwrap();
            assert!(is_refused(), "{length} bytes");
        }
    }

    #[test]
    fn values_are_those_of_the_side_that_chose() {
        let comparison = some(0b101);
        assert_eq!([0, 1, 2].map(|leaf| comparison.sign(leaf)), [1.0, -1.0, 1.0]);
    }
}
