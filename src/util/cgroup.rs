//! Control groups: where Linux keeps the limits of this process (version 1 or 2).

use std::path::{Component, Path, PathBuf};

use super::files::Files;

/// The folders, as paths from the root, of the groups that this process is in and of all their ancestors.
///
/// Inside a container the path of a group may name folders that are not visible; those simply are not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// The groups of version 1, for one controller.
    pub v1: Vec<PathBuf>,
    /// The groups of version 2, which has all controllers in one tree.
    pub v2: Vec<PathBuf>,
}

/// The groups of this process for a controller, such as `memory` or `cpu`.
pub fn groups(files: &dyn Files, controller: &str) -> Groups {
    let text = files.text(Path::new("proc/self/cgroup")).unwrap_or_default();
    let mut groups = Groups::default();
    // `number:controllers:path`
    for line in text.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        if controllers.is_empty() {
            let mounts = ["sys/fs/cgroup", "sys/fs/cgroup/unified"];
            groups.v2.extend(mounts.iter().flat_map(|mount| lineage(Path::new(mount), path)));
        } else if controllers.split(',').any(|name| name == controller) {
            let mounts = Path::new("sys/fs/cgroup");
            groups.v1.extend(lineage(&mounts.join(controller), path));
            if controllers != controller {
                groups.v1.extend(lineage(&mounts.join(controllers), path));
            }
        }
    }
    groups
}

/// The folders of a group and its ancestors.
fn lineage(mount: &Path, path: &str) -> Vec<PathBuf> {
    let plain = |part: &Component| matches!(part, Component::Normal(_));
    let path: PathBuf = Path::new(path).components().filter(plain).collect();
    path.ancestors().map(|group| mount.join(group)).collect()
}
