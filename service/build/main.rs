//! Names the build: `EDGEHILL_VERSION`, the version with the commit that was checked out.
//!
//! The variable `EDGEHILL_COMMIT` names the commit where there is no checkout. A build for development names none, so that not every
//! commit has it built anew.

mod commit;

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=EDGEHILL_COMMIT");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let build = build().unwrap_or_else(|| "unknown commit".to_owned());
    println!("cargo::rustc-env=EDGEHILL_VERSION={version} ({build})");
}

/// The words about the build beside its version; `None`: nothing is known.
fn build() -> Option<String> {
    if let Some(given) = env::var("EDGEHILL_COMMIT").ok().filter(|given| commit::is_name(given)) {
        return Some(given);
    }
    if env::var("PROFILE").as_deref() == Ok("debug") {
        return Some("development".to_owned());
    }
    let commit::Head { commit, changes_with } =
        commit::head(Path::new(&env::var("CARGO_MANIFEST_DIR").ok()?))?;
    println!("cargo::rerun-if-changed={}", changes_with.display());
    Some(commit)
}
