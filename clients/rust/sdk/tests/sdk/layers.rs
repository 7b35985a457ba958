//! The order of the SDK's files: calls know the connection, and not the client that hands them out.

use std::fs;
use std::path::Path;

#[test]
fn calls_know_the_connection_and_not_the_client() {
    let folders = ["src", "src/play"].map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    let entries =
        folders.iter().flat_map(|folder| fs::read_dir(folder).expect("the folder is there")).flatten();
    let mut read = 0;
    for path in entries.map(|entry| entry.path()).filter(|path| path.is_file()) {
        let text = fs::read_to_string(&path).expect("the file is there");
        assert!(!text.contains("crate::client::"), "{} knows the client", path.display());
        read += 1;
    }
    assert!(read > 20, "the files were not found");
    let connection = fs::read_to_string(folders[0].join("connection.rs")).expect("the file is there");
    for calls in ["catalog_calls", "match_calls", "match_watch", "pages", "play", "record", "seat_handle"] {
        assert!(!connection.contains(&format!("crate::{calls}")), "the connection knows {calls}");
    }
}
