//! The programs that play: files, or revisions that are built.

use std::env::{self, consts::EXE_SUFFIX};
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use toolkit::FileError;

use crate::SprtError;

/// A program that plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file name, or the abbreviated hash of the revision.
    pub name: String,
    /// The executable, as an absolute path.
    pub path: PathBuf,
}

/// The top directory of the git repository of the working directory.
///
/// # Errors
/// If there is none, or git cannot be run.
pub fn repository() -> Result<PathBuf, SprtError> {
    let top = run(Command::new("git").args(["rev-parse", "--show-toplevel"]), Stdio::piped())?;
    Ok(PathBuf::from(text(&top)))
}

/// [`program`] of the [`repository`] of the working directory; a file needs none.
///
/// # Errors
/// As [`program`], and if there is no repository to look for a revision in.
pub fn find(name: &str) -> Result<Program, SprtError> {
    file(name)?.map_or_else(|| program(name, &repository()?), Ok)
}

/// The program that is the file of this name, if there is one.
fn file(name: &str) -> Result<Option<Program>, SprtError> {
    let file = Path::new(name);
    if !file.is_file() {
        return Ok(None);
    }
    let path = fs::canonicalize(file).map_err(FileError::at(file))?;
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(Some(Program { name, path }))
}

/// The folder of a repository where programs of revisions are kept.
const FOLDER: &str = "target/sprt";

/// Finds the program of this name: a file, or a revision of `repository`, which is built unless it was built before.
///
/// # Errors
/// If the name is neither, or the revision cannot be built.
pub fn program(name: &str, repository: &Path) -> Result<Program, SprtError> {
    if let Some(program) = file(name)? {
        return Ok(program);
    }
    let commit = format!("{name}^{{commit}}");
    let mut git = git(repository);
    git.args(["rev-parse", "--short=10", "--verify", "--quiet", "--end-of-options", &commit]);
    let hash = match run(&mut git, Stdio::piped()) {
        Ok(output) => text(&output),
        Err(SprtError::Failed { .. }) => return Err(SprtError::Unknown(name.to_string())),
        Err(error) => return Err(error),
    };
    let path = kept(repository, &hash)?;
    if !path.is_file() {
        build(repository, &hash, &path)?;
    }
    Ok(Program { name: hash, path })
}

/// Where the program of a revision is kept that the compiler of today has built.
///
/// # Errors
/// If there is no compiler.
pub fn kept(repository: &Path, hash: &str) -> Result<PathBuf, SprtError> {
    Ok(repository.join(FOLDER).join(format!("caesura-{hash}-{}{EXE_SUFFIX}", compiler()?)))
}

/// The folder where a revision is checked out to be built: outside the repository, because cargo adds the `.cargo/config.toml` of
/// every folder above, and the repository's may have changes that are not committed.
pub fn checkout(repository: &Path, hash: &str) -> PathBuf {
    // Two repositories may build the same revision at the same time.
    let mut hasher = DefaultHasher::new();
    repository.hash(&mut hasher);
    env::temp_dir().join(format!("caesura-{hash}-{:016x}", hasher.finish()))
}

/// Builds a revision from a checkout of its own, which is removed afterwards. Waits while another process builds one here:
/// they share the folder of what is compiled.
fn build(repository: &Path, hash: &str, path: &Path) -> Result<(), SprtError> {
    let folder = &repository.join(FOLDER);
    fs::create_dir_all(folder).map_err(FileError::at(folder))?;
    let lock_path = folder.join("lock");
    let lock = File::create(&lock_path).map_err(FileError::at(&lock_path))?;
    lock.lock().map_err(FileError::at(&lock_path))?;
    if path.is_file() {
        return Ok(());
    }
    let checkout = checkout(repository, hash);
    let temporary = fs::canonicalize(env::temp_dir()).unwrap_or_else(|_| env::temp_dir());
    if temporary.starts_with(fs::canonicalize(repository).map_err(FileError::at(repository))?) {
        return Err(SprtError::TemporaryFolder(temporary));
    }
    remove_leftover(repository, &checkout)?;
    // Twice, because git locks a worktree while it fills it, and a killed process leaves it locked.
    let add = ["worktree", "add", "--quiet", "--force", "--force", "--detach"];
    run(git(repository).args(add).arg(&checkout).arg(hash), Stdio::piped())?;
    let target = folder.join("build");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--locked", "--bin", "caesura", "--target-dir"]).arg(&target);
    without_settings(&mut cargo);
    let source = target.join(format!("release/caesura{EXE_SUFFIX}"));
    // That of another revision, which must not be copied if this one is built elsewhere.
    let _ = fs::remove_file(&source);
    let built = run(cargo.current_dir(&checkout), Stdio::inherit());
    let removed = run(git(repository).args(["worktree", "remove", "--force"]).arg(&checkout), Stdio::piped());
    built?;
    removed?;
    // Renamed at the end, so that a copy that was interrupted is not taken for a program.
    let draft = path.with_extension("part");
    fs::copy(&source, &draft).map_err(FileError::at(&source))?;
    Ok(fs::rename(&draft, path).map_err(FileError::at(path))?)
}

/// Takes from a command what the environment would change of a build: the program is what the revision says, and is kept under
/// its name.
fn without_settings(command: &mut Command) {
    let names = [
        "CAESURA_EVALFILE",
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTC",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTUP_TOOLCHAIN",
    ];
    let kinds = ["CARGO_BUILD_", "CARGO_TARGET_", "CARGO_PROFILE_"];
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if names.contains(&&*text) || kinds.iter().any(|kind| text.starts_with(kind)) {
            command.env_remove(&name);
        }
    }
}

/// A short hash of the compiler: what another one makes of the same revision is another program.
fn compiler() -> Result<String, SprtError> {
    let mut rustc = Command::new("rustc");
    without_settings(&mut rustc);
    // Where it is checked out, too: a folder may have a compiler of its own.
    let output = run(rustc.arg("-vV").current_dir(env::temp_dir()), Stdio::piped())?;
    let mut hasher = DefaultHasher::new();
    output.stdout.hash(&mut hasher);
    Ok(format!("{:08x}", hasher.finish() as u32))
}

/// Removes the checkout of a build that was killed.
fn remove_leftover(repository: &Path, checkout: &Path) -> Result<(), SprtError> {
    if !checkout.exists() {
        return Ok(());
    }
    let remove = ["worktree", "remove", "--force", "--force"];
    match run(git(repository).args(remove).arg(checkout), Stdio::piped()) {
        // It is no worktree, or not a whole one.
        Err(SprtError::Failed { .. }) => {
            fs::remove_dir_all(checkout).map_err(FileError::at(checkout))?;
            Ok(())
        }
        result => result.map(|_| ()),
    }
}

fn git(repository: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(repository);
    git
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).trim().to_string()
}

/// Runs a command to its end; what it writes to standard error is part of the error if it is piped.
fn run(command: &mut Command, stderr: Stdio) -> Result<Output, SprtError> {
    let name = Path::new(command.get_program()).to_path_buf();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(stderr).spawn();
    let output = child.and_then(|child| child.wait_with_output());
    let output = output.map_err(|source| SprtError::Run { path: name.clone(), source })?;
    if output.status.success() {
        return Ok(output);
    }
    let words = command.get_args().map(|word| word.to_string_lossy().into_owned());
    let command: Vec<String> = [name.display().to_string()].into_iter().chain(words).collect();
    let message = String::from_utf8_lossy(&output.stderr).trim().to_string();
    Err(SprtError::Failed { command: command.join(" "), status: output.status, message })
}
