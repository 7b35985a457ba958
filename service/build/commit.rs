//! The commit that a folder is a checkout of ([`head`]).

use std::path::{Path, PathBuf};
use std::process::Command;

/// The commit that is checked out.
pub(crate) struct Head {
    /// Its name, of twelve digits or as many more as it takes.
    pub(crate) commit: String,
    /// A file that changes when another one is checked out.
    pub(crate) changes_with: PathBuf,
}

/// The commit that `folder` is checked out at; `None`: it is of no checkout, as an unpacked archive, or there is no git.
pub(crate) fn head(folder: &Path) -> Option<Head> {
    // An archive may be unpacked within somebody else's checkout.
    git(folder, &["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let commit = git(folder, &["rev-parse", "--short=12", "HEAD"]).filter(|commit| is_name(commit))?;
    let files =
        ["logs/HEAD", "HEAD"].into_iter().filter_map(|name| git(folder, &["rev-parse", "--git-path", name]));
    let changes_with = files.map(|name| folder.join(name)).find(|file| file.exists())?;
    Some(Head { commit, changes_with })
}

/// Returns whether this can be a commit's name: it stands in a version, and in what the build prints.
pub(crate) fn is_name(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let run = Command::new("git").arg("-C").arg(folder).args(args).output().ok()?;
    let said = String::from_utf8(run.stdout).ok()?;
    run.status.success().then(|| said.trim().to_owned())
}
