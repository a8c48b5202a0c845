//! How much of the processors' time the control groups grant.

use std::path::Path;

use crate::util::cgroup;
use crate::util::files::Files;

/// How many processors' worth of time this process gets, as the tightest of its groups has it; `None` without limit.
pub(super) fn quota(files: &dyn Files) -> Option<f64> {
    let groups = cgroup::groups(files, "cpu");
    let first = groups.v1.iter().filter_map(|group| {
        ratio(&read(files, group, "cpu.cfs_quota_us")?, &read(files, group, "cpu.cfs_period_us")?)
    });
    let second = groups.v2.iter().filter_map(|group| {
        let text = read(files, group, "cpu.max")?;
        let (quota, period) = text.split_once(' ')?;
        ratio(quota, period)
    });
    first.chain(second).min_by(f64::total_cmp)
}

fn read(files: &dyn Files, group: &Path, file: &str) -> Option<String> {
    files.text(&group.join(file))
}

/// A quota in a period; `max` and -1 are no limit.
fn ratio(quota: &str, period: &str) -> Option<f64> {
    let positive = |text: &str| text.trim().parse::<u64>().ok().filter(|&number| number > 0);
    Some(positive(quota)? as f64 / positive(period)? as f64)
}
