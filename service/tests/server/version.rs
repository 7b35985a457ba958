//! The version that a build names.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::process::said;

#[path = "../../build/commit.rs"]
mod commit;

#[test]
fn the_version_says_of_which_commit_the_build_is() {
    let (code, stdout, stderr) = said(&["--version"], &[]);
    assert_eq!((code, &*stderr), (Some(0), ""));
    let build = stdout.trim().strip_prefix(&format!("edgehill-server {} (", env!("CARGO_PKG_VERSION")));
    let build = build.and_then(|rest| rest.strip_suffix(')')).unwrap_or_else(|| panic!("{stdout}"));
    assert!(build == "development" || build == "unknown commit" || commit::is_name(build), "{build}");
}

fn git(folder: &Path, args: &[&str]) -> Option<String> {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@localhost", "-c", "commit.gpgsign=false"];
    let run = Command::new("git").arg("-C").arg(folder).args(identity).args(args).output().ok()?;
    assert!(run.status.success(), "{run:?}");
    Some(String::from_utf8(run.stdout).unwrap().trim().to_owned())
}

#[test]
fn the_commit_is_that_of_the_checkout_and_none_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let (own, others) = (folder.path().join("own"), folder.path().join("own/others"));
    fs::create_dir_all(&others).unwrap();
    for folder in [&own, &others] {
        fs::write(folder.join("Cargo.toml"), "").unwrap();
    }
    assert!(commit::head(&own).is_none(), "no checkout");
    // Where there is no git, there is nothing more to see.
    if git(&own, &["init", "--quiet"]).is_none() {
        return;
    }
    assert!(commit::head(&own).is_none(), "no commit");
    git(&own, &["add", "Cargo.toml"]);
    git(&own, &["commit", "--quiet", "--message", "first"]);
    let head = commit::head(&own).unwrap();
    assert!(git(&own, &["rev-parse", "HEAD"]).unwrap().starts_with(&head.commit) && head.commit.len() >= 12);
    let before = fs::read(&head.changes_with).unwrap();
    assert!(commit::head(&others).is_none(), "an archive within a checkout is not of it");
    git(&own, &["commit", "--quiet", "--allow-empty", "--message", "second"]);
    assert_ne!(commit::head(&own).unwrap().commit, head.commit);
    assert_ne!(fs::read(&head.changes_with).unwrap(), before, "the build is made anew");
}
