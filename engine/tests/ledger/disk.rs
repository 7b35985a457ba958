//! The files that the checks read: the sources and the content of this crate.
#![expect(clippy::disallowed_methods, reason = "tests read files; the engine does not")]

use std::fs;
use std::path::{Path, PathBuf};

use edgehill_engine::content::{ContentErrors, ContentFiles};
use edgehill_engine::ledger::{Ledger, RULES_FILE};

use crate::scan::File;

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The names of the folders in `content`, sorted.
pub(crate) fn content_folders() -> Vec<String> {
    let folders = children(&crate_folder().join("content"));
    folders.iter().filter(|path| path.is_dir()).map(|path| name(path)).collect()
}

/// The ledger of a folder of content.
pub(crate) fn ledger(folder: &str) -> Result<Ledger, ContentErrors> {
    let bytes = fs::read(crate_folder().join("content").join(folder).join(RULES_FILE)).unwrap_or_default();
    Ledger::load(&ContentFiles::builtin(&[(RULES_FILE, bytes.leak())]))
}

/// The Rust files below a folder of this crate whose paths there begin with `prefix`, sorted.
pub(crate) fn rust_files(folder: &str, prefix: &str) -> Vec<File> {
    let root = crate_folder().join(folder);
    let mut files = Vec::new();
    let mut open = vec![root.clone()];
    while let Some(path) = open.pop() {
        let below = path.strip_prefix(&root).expect("found below it").to_str().expect("our names are ASCII");
        if path.is_dir() {
            open.extend(children(&path));
        } else if below.starts_with(prefix) && below.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("a readable source");
            files.push(File { name: format!("{folder}/{below}"), text });
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a readable folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    paths
}

fn name(path: &Path) -> String {
    path.file_name().and_then(|name| name.to_str()).expect("our names are ASCII").to_owned()
}
