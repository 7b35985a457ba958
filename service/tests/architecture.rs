//! The invariants of ARCHITECTURE.md that are about the code of the server.

use std::fs;
use std::path::{Path, PathBuf};

/// Every Rust file below `folder`, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A match is a machine without I/O, and without messages: what it publishes it has encoded.
#[test]
fn a_match_knows_no_messages() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/matches");
    let sources = sources(&folder);
    assert!(sources.len() > 20, "the domain was not found");
    for path in sources {
        let text = fs::read_to_string(&path).expect("the file is there");
        for word in ["edgehill_proto", "prost", "tonic", "crate::wire", "crate::api", "crate::host"] {
            assert!(!text.contains(word), "{} knows {word}", path.display());
        }
    }
}
