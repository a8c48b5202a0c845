//! The sizes of the pages that memory lies on, as the system reports them.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use super::files::{Files, RootedAt};

/// How many bytes of a block lie on what pages. Bytes that were never touched lie on none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageBacking {
    /// On preallocated pages of 1 GiB.
    pub giant: u64,
    /// On preallocated pages of 2 MiB (or what the machine has in their place).
    pub huge: u64,
    /// On pages of 2 MiB that the system put in the place of small ones.
    pub transparent: u64,
    /// On the usual pages.
    pub plain: u64,
}

impl fmt::Display for PageBacking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            (self.giant, "pages of 1 GB"),
            (self.huge, "pages of 2 MB"),
            (self.transparent, "transparent pages of 2 MB"),
            (self.plain, "small pages"),
        ];
        let texts: Vec<String> = parts
            .iter()
            .filter(|&&(bytes, _)| bytes >> 20 > 0)
            .map(|(bytes, name)| format!("{} MB on {name}", bytes >> 20))
            .collect();
        if texts.is_empty() { write!(f, "less than 1 MB") } else { write!(f, "{}", texts.join(", ")) }
    }
}

/// On what pages the memory at these addresses lies; `None` if the system does not report it.
pub fn backing(addresses: Range<usize>) -> Option<PageBacking> {
    backing_by(&RootedAt("/".into()), addresses)
}

fn backing_by(files: &dyn Files, addresses: Range<usize>) -> Option<PageBacking> {
    let text = files.text(Path::new("proc/self/smaps"))?;
    let mut backing = PageBacking::default();
    // Bytes that the mapping at hand shares with the block; its page size.
    let (mut shared, mut page, mut resident) = (0, 0, 0);
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        let (Some(first), second) = (words.next(), words.next()) else { continue };
        if let Some((start, end)) = first.split_once('-')
            && let (Ok(start), Ok(end)) = (usize::from_str_radix(start, 16), usize::from_str_radix(end, 16))
        {
            shared = end.min(addresses.end).saturating_sub(start.max(addresses.start)) as u64;
            (page, resident) = (0, 0);
        }
        let bytes = second.and_then(|number| number.parse::<u64>().ok()).map_or(0, |number| number << 10);
        match first {
            "KernelPageSize:" => page = bytes,
            "Rss:" => resident = bytes.min(shared),
            // Preallocated pages do not count as resident.
            "Private_Hugetlb:" | "Shared_Hugetlb:" if page >= 1 << 30 => backing.giant += bytes.min(shared),
            "Private_Hugetlb:" | "Shared_Hugetlb:" if page > 1 << 16 => backing.huge += bytes.min(shared),
            "AnonHugePages:" => {
                let transparent = bytes.min(resident);
                backing.transparent += transparent;
                backing.plain += resident - transparent;
            }
            _ => {}
        }
    }
    Some(backing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::util::files::InMemory;

    const SMAPS: &str = "\
        10000000-10600000 rw-p 00000000 00:00 0 [heap]\n\
        Size: 6144 kB\nKernelPageSize: 4 kB\nRss: 6000 kB\nAnonHugePages: 4096 kB\nPrivate_Hugetlb: 0 kB\n\
        40000000-80000000 rw-p 00000000 00:0f 1 /anon_hugepage (deleted)\n\
        Size: 1048576 kB\nKernelPageSize: 1048576 kB\nRss: 0 kB\nAnonHugePages: 0 kB\n\
        Private_Hugetlb: 1048576 kB\n\
        90000000-90400000 rw-p 00000000 00:0f 1 /anon_hugepage (deleted)\n\
        Size: 4096 kB\nKernelPageSize: 2048 kB\nRss: 0 kB\nAnonHugePages: 0 kB\nPrivate_Hugetlb: 4096 kB\n";

    #[test]
    fn the_report_of_the_system_is_read() {
        let files = InMemory([("proc/self/smaps".into(), SMAPS.to_string())].into());
        let at = |range| backing_by(&files, range).expect("reported").to_string();
        assert_eq!(at(0x1000_0000..0x1060_0000), "4 MB on transparent pages of 2 MB, 1 MB on small pages");
        assert_eq!(at(0x4000_0000..0x8000_0000), "1024 MB on pages of 1 GB");
        assert_eq!(at(0x9000_0000..0x9040_0000), "4 MB on pages of 2 MB");
        assert_eq!(at(0x0..0x1000), "less than 1 MB");
        assert_eq!(backing_by(&InMemory::default(), 0..1), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_system_reports_touched_memory() {
        let block = vec![1_u8; 8 << 20];
        let start = block.as_ptr() as usize;
        let found = backing(start..start + block.len()).expect("Linux");
        assert!(found.plain + found.transparent >= 7 << 20, "{found:?}");
    }
}
