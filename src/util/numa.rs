//! The NUMA nodes that pages lie on, and the memory policies that say where they should lie.
//!
//! Without a memory policy, Linux makes pages fault now and then, to learn which node uses them and to move them
//! there. With 16 threads on four nodes and a table of 512 MB it moved 75,000 to 133,000 pages in 20 seconds, in
//! vain: all threads read all of a table, and bound threads do not leave their memory.
//!
//! If a memory policy was set for the process from outside, by `numactl` for example, it stays.

use std::collections::BTreeMap;
use std::fmt;

/// How many bytes of a block lie on which NUMA node, by the number of the node in the system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BytesByNumaNode(pub BTreeMap<usize, u64>);

impl fmt::Display for BytesByNumaNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> =
            self.0.iter().map(|(numa_node, bytes)| format!("{} MB on {numa_node}", bytes >> 20)).collect();
        if texts.is_empty() { write!(f, "none") } else { write!(f, "{}", texts.join(", ")) }
    }
}

#[cfg(target_os = "linux")]
pub use linux::{bytes_by_numa_node, prefer_local_memory, set_page_policy};

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::BTreeMap;
    use std::ops::Range;
    use std::ptr::{NonNull, null, null_mut};

    use super::BytesByNumaNode;
    use crate::util::affinity;
    use crate::util::random::splitmix;

    /// How many pages are looked at.
    const SAMPLE: usize = 4096;
    /// The size of the smallest pages, in bytes.
    const SMALL_PAGE: usize = 4096;

    /// Sets the memory policy of the calling thread to its own NUMA node: pages that it touches first are allocated there
    /// and stay. They would be allocated there anyway, but the kernel no longer looks whether to move them. False if the
    /// system refuses.
    pub fn prefer_local_memory() -> bool {
        // SAFETY: the system reads no bits of a mask, and the policy of this thread is not memory.
        has_default_policy()
            && unsafe { libc::syscall(libc::SYS_set_mempolicy, libc::MPOL_LOCAL, NO_NODES, 0_usize) == 0 }
    }

    /// Sets the memory policy of fresh pages (`mbind`): they are allocated on these NUMA nodes, interleaved if there are
    /// several, and stay. False if no node is given or the system refuses: then the system selects the NUMA node.
    ///
    /// # Safety
    /// `start` begins `size` mapped bytes, in whole pages.
    pub unsafe fn set_page_policy(start: NonNull<u8>, size: usize, numa_nodes: &[usize]) -> bool {
        if numa_nodes.is_empty() || !has_default_policy() {
            return false;
        }
        let Some(mask) = affinity::mask(numa_nodes.iter().copied()) else {
            return false;
        };
        let mode = if numa_nodes.len() == 1 { libc::MPOL_PREFERRED } else { libc::MPOL_INTERLEAVE };
        // The kernel reads one bit less than this number.
        let bits = size_of_val(&mask[..]) * 8 + 1;
        let no_flags: libc::c_uint = 0;
        // SAFETY: the mapping is the caller's, who vouches for its size. The kernel reads `bits - 1` bits, which the mask
        // has, and keeps no pointer to them.
        let answer = unsafe {
            libc::syscall(libc::SYS_mbind, start.as_ptr(), size, mode, mask.as_ptr(), bits, no_flags)
        };
        answer == 0
    }

    /// True if no memory policy was set for the calling thread.
    pub(super) fn has_default_policy() -> bool {
        let mut mode: libc::c_int = -1;
        let (no_bits, no_address) = (null_mut::<libc::c_ulong>(), null_mut::<libc::c_void>());
        // SAFETY: the system writes one number, and no bits of a mask.
        let answer = unsafe {
            libc::syscall(libc::SYS_get_mempolicy, &raw mut mode, no_bits, 0_usize, no_address, 0_usize)
        };
        answer == 0 && mode == libc::MPOL_DEFAULT
    }

    /// On which NUMA nodes the memory at these addresses lies, from a sample of pages; pages that were
    /// never touched lie on none. `None` if the system does not report it.
    pub fn bytes_by_numa_node(addresses: Range<usize>) -> Option<BytesByNumaNode> {
        let step = (addresses.len() / SAMPLE).next_multiple_of(SMALL_PAGE).max(SMALL_PAGE);
        let (mut numa_nodes, mut random) = (BTreeMap::new(), 0);
        for start in addresses.clone().step_by(step) {
            let length = step.min(addresses.end - start);
            // Anywhere in its part, for NUMA nodes may take turns as regularly as parts do.
            let page = start + splitmix(&mut random) as usize % length;
            let address = page as *mut libc::c_void;
            let mut status: libc::c_int = -1;
            let (own, one, no_flags): (libc::pid_t, usize, libc::c_int) = (0, 1, 0);
            // SAFETY: without a list of nodes nothing is moved: the system reads one address, which it does not follow,
            // and writes one status.
            let answer = unsafe {
                libc::syscall(
                    libc::SYS_move_pages,
                    own,
                    one,
                    &raw const address,
                    null::<libc::c_int>(),
                    &raw mut status,
                    no_flags,
                )
            };
            if answer != 0 {
                return None;
            }
            if let Ok(numa_node) = usize::try_from(status) {
                *numa_nodes.entry(numa_node).or_default() += length as u64;
            }
        }
        Some(BytesByNumaNode(numa_nodes))
    }

    /// No nodes.
    const NO_NODES: *const libc::c_ulong = null();
}

/// Does nothing and returns false: other systems have no such policy.
#[cfg(not(target_os = "linux"))]
pub fn prefer_local_memory() -> bool {
    false
}

/// `None`: other systems do not report it.
#[cfg(not(target_os = "linux"))]
pub fn bytes_by_numa_node(_addresses: std::ops::Range<usize>) -> Option<BytesByNumaNode> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_displayed_with_their_share() {
        assert_eq!(BytesByNumaNode::default().to_string(), "none");
        assert_eq!(BytesByNumaNode([(3, 5 << 20), (0, 7 << 20)].into()).to_string(), "7 MB on 0, 5 MB on 3");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_policy_from_outside_stays() {
        std::thread::spawn(|| {
            let is_default = linux::has_default_policy();
            let kept = prefer_local_memory();
            // Containers may forbid it.
            assert!(is_default || !kept);
            assert_eq!(linux::has_default_policy(), is_default && !kept);
            if kept {
                assert!(!prefer_local_memory());
            }
        })
        .join()
        .expect("ends");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn touched_memory_lies_on_some_node() {
        let block = vec![1_u8; 8 << 20];
        let start = block.as_ptr() as usize;
        // Kernels without NUMA nodes, and some containers, do not say.
        if let Some(BytesByNumaNode(nodes)) = bytes_by_numa_node(start..start + block.len()) {
            let sum: u64 = nodes.values().sum();
            assert!((7 << 20..=8 << 20).contains(&sum), "{nodes:?}");
        }
    }
}
