//! What Windows says of its processors and its memory, and where it lets a thread run.

use std::ptr::null_mut;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::SystemInformation::{
    GROUP_AFFINITY, GetLogicalProcessorInformationEx, GlobalMemoryStatusEx, MEMORYSTATUSEX, RelationAll,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessAffinityMask, GetThreadGroupAffinity,
    SetThreadGroupAffinity,
};

/// The records of all processors (`SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX`); `None` if the system gives none.
pub fn processor_records() -> Option<Vec<u8>> {
    let mut length = 0;
    // SAFETY: without a buffer, the system writes the length that it needs, and nothing else.
    unsafe { GetLogicalProcessorInformationEx(RelationAll, null_mut(), &mut length) };
    // Numbers of eight bytes, for the alignment of the records.
    let mut buffer = vec![0_u64; (length as usize).div_ceil(8)];
    length = (8 * buffer.len()) as u32;
    // SAFETY: the buffer has as many bytes as is said; the system writes no more, and then how many it has written.
    let done =
        unsafe { GetLogicalProcessorInformationEx(RelationAll, buffer.as_mut_ptr().cast(), &mut length) };
    let bytes: &[u8] = bytemuck::cast_slice(&buffer);
    (done != 0).then(|| bytes.get(..length as usize).unwrap_or(bytes).to_vec())
}

/// The processors to which this process is confined within the group that the calling thread is in: the number of the group,
/// and a bit for each. `None` if the process runs on all of that group, or in several groups.
pub fn process_mask() -> Option<(u16, u64)> {
    let (mut own, mut all) = (0, 0);
    // SAFETY: the handle of the process itself is always good; the system writes the two numbers.
    let known = unsafe { GetProcessAffinityMask(process(), &mut own, &mut all) };
    let mut set = GROUP_AFFINITY::default();
    // SAFETY: the handle of the thread itself is always good; the system writes the set.
    let grouped = unsafe { GetThreadGroupAffinity(thread(), &mut set) };
    (known != 0 && grouped != 0 && own != 0 && own != all).then_some((set.Group, own as u64))
}

/// Binds the calling thread to processors of one group, a bit for each. False if the system refuses: then it runs where it did.
pub fn bind(group: u16, mask: u64) -> bool {
    let set = GROUP_AFFINITY { Mask: mask as usize, Group: group, Reserved: [0; 3] };
    // SAFETY: the handle of the thread itself is always good; the system reads the set and keeps no pointer to it.
    unsafe { SetThreadGroupAffinity(thread(), &set, null_mut()) != 0 }
}

/// Bytes of physical memory that can be taken now without writing other memory to the disk first; `None` if the system does
/// not say.
pub fn available_memory() -> Option<u64> {
    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure says how long it is, and the system writes into it.
    (unsafe { GlobalMemoryStatusEx(&mut status) } != 0).then_some(status.ullAvailPhys)
}

/// The handle by which this process knows itself.
fn process() -> HANDLE {
    // SAFETY: takes nothing and touches no memory of the program.
    unsafe { GetCurrentProcess() }
}

/// The handle by which the calling thread knows itself.
fn thread() -> HANDLE {
    // SAFETY: takes nothing and touches no memory of the program.
    unsafe { GetCurrentThread() }
}
