//! What Windows says of its processors and its memory, and where it lets a thread run.

use std::ptr::{NonNull, null, null_mut};
use std::sync::OnceLock;

use windows_sys::Win32::Foundation::{CloseHandle, ERROR_SUCCESS, GetLastError, HANDLE, SetLastError};
use windows_sys::Win32::Security::{
    AdjustTokenPrivileges, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME, SE_PRIVILEGE_ENABLED,
    TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES, TOKEN_QUERY,
};
use windows_sys::Win32::System::Memory::{
    GetLargePageMinimum, MEM_COMMIT, MEM_LARGE_PAGES, MEM_RELEASE, MEM_RESERVE, PAGE_READWRITE, VirtualAlloc,
    VirtualFree,
};
use windows_sys::Win32::System::SystemInformation::{
    GROUP_AFFINITY, GetLogicalProcessorInformationEx, GlobalMemoryStatusEx, MEMORYSTATUSEX, RelationAll,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessAffinityMask, GetThreadGroupAffinity, OpenProcessToken,
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

/// Bytes that this process can still have, no more than the machine has of physical memory; `None` if the system does not
/// say. What others use counts as available as far as it can be written to the disk, which the system does when asked for more.
pub fn available_memory() -> Option<u64> {
    memory_status().map(|status| status.ullAvailPageFile.min(status.ullTotalPhys))
}

fn memory_status() -> Option<MEMORYSTATUSEX> {
    let mut status = MEMORYSTATUSEX { dwLength: size_of::<MEMORYSTATUSEX>() as u32, ..Default::default() };
    // SAFETY: the structure says how long it is, and the system writes into it.
    (unsafe { GlobalMemoryStatusEx(&mut status) } != 0).then_some(status)
}

/// A zeroed block of at least this many bytes on large pages, aligned to one, which never leaves the memory; `None` if the
/// user has no right to any ("Lock pages in memory", `SeLockMemoryPrivilege`), or there are not enough, or less than an
/// eighth of the free memory would be left to others.
pub fn large_pages(bytes: usize) -> Option<NonNull<u8>> {
    static MAY_LOCK: OnceLock<bool> = OnceLock::new();
    // SAFETY: takes nothing and touches no memory of the program.
    let page = unsafe { GetLargePageMinimum() };
    if page == 0 || !*MAY_LOCK.get_or_init(enable_locking) {
        return None;
    }
    let size = bytes.checked_next_multiple_of(page)?;
    let free = memory_status()?.ullAvailPhys;
    if size as u64 > free - free / 8 {
        return None;
    }
    let kind = MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES;
    // SAFETY: fresh memory, placed by the system, is memory that nothing uses.
    NonNull::new(unsafe { VirtualAlloc(null(), size, kind, PAGE_READWRITE) }.cast())
}

/// Gives back a block of [`large_pages`].
///
/// # Safety
/// `start` was returned by it, is given back once, and is not used afterwards.
pub unsafe fn free_large_pages(start: NonNull<u8>) {
    // SAFETY: the caller's promise; with a size of zero, all that was reserved there is given back.
    let done = unsafe { VirtualFree(start.as_ptr().cast(), 0, MEM_RELEASE) };
    debug_assert_ne!(done, 0, "the block was not given back");
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

/// Lets this process use its user's right to lock pages in memory. False if the user does not have it.
fn enable_locking() -> bool {
    let mut privileges = TOKEN_PRIVILEGES { PrivilegeCount: 1, ..Default::default() };
    let [privilege] = &mut privileges.Privileges;
    privilege.Attributes = SE_PRIVILEGE_ENABLED;
    // SAFETY: the name ends with a zero, no system is named, which means this one, and the number is written.
    if unsafe { LookupPrivilegeValueW(null(), SE_LOCK_MEMORY_NAME, &mut privilege.Luid) } == 0 {
        return false;
    }
    let mut token = null_mut();
    // SAFETY: the handle of the process itself is always good; the handle of its token is written.
    if unsafe { OpenProcessToken(process(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &mut token) } == 0 {
        return false;
    }
    // What was not granted is told by the error alone.
    // SAFETY: touches no memory of the program.
    unsafe { SetLastError(ERROR_SUCCESS) };
    // SAFETY: the token is open, the structure holds as many privileges as it says, and no former state is asked for.
    let done = unsafe { AdjustTokenPrivileges(token, 0, &privileges, 0, null_mut(), null_mut()) };
    // SAFETY: touches no memory of the program.
    let granted = done != 0 && unsafe { GetLastError() } == ERROR_SUCCESS;
    // SAFETY: the token is open, and not used any more.
    unsafe { CloseHandle(token) };
    granted
}
