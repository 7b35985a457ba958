//! docs/glossary.md: one noun means one thing, and each public type has its line there.
//!
//! `EDGEHILL_BLESS=1 cargo test -p edgehill-engine --test glossary` writes the table anew.

#![expect(clippy::disallowed_methods, reason = "a test of the tree reads it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The library crates, with the names under which the glossary has them.
const CRATES: [(&str, &str); 7] = [
    ("engine/src", "engine"),
    ("service/src", "service"),
    ("service/competition/src", "competition"),
    ("clients/rust/sdk/src", "Rust SDK"),
    ("proto/src", "proto"),
    ("proto/convert/src", "convert"),
    ("proto/transport/src", "transport"),
];

/// Names that each crate has for itself, as its modules tell them apart, or for the same thing at both ends of the wire.
const EXCEPTED: [&str; 3] = ["ClientSecret", "Error", "Options"];

/// The line after which the table begins.
const TABLE: &str = "| type | crate | meaning |\n| --- | --- | --- |\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the engine is a member of the workspace")
        .to_owned()
}

/// Every Rust file below `folder`, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = entry.path();
        match path.is_dir() {
            // A game's own types are nobody else's.
            true if path.ends_with("engine/src/games") => {}
            true => found.extend(sources(&path)),
            false if path.extension().is_some_and(|extension| extension == "rs") => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// The public type that a line declares, if it declares one.
fn declared(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest =
        ["struct ", "enum ", "trait ", "type "].iter().find_map(|keyword| rest.strip_prefix(keyword))?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    (end > 0).then_some(&rest[..end])
}

/// The first sentence of the comment above line `index`.
fn sentence(lines: &[&str], index: usize) -> String {
    let above = lines[..index].iter().rev().map(|line| line.trim_start());
    let above = above.skip_while(|line| !line.starts_with("///") && !line.is_empty() && !line.ends_with('}'));
    let comment: Vec<&str> = above.map_while(|line| line.strip_prefix("///")).map(str::trim).collect();
    let text: Vec<&str> = comment.into_iter().rev().take_while(|line| !line.is_empty()).collect();
    let text = text.join(" ");
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    let text = text[..end].replace("[`", "`").replace("`]", "`").replace('|', "\\|");
    // Links with a target of their own: [`X`](path).
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("`(") {
        plain.push_str(before);
        plain.push('`');
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

/// Each public type outside the games: its crate and the first sentence of its comment, by name.
fn types() -> BTreeMap<String, Vec<(&'static str, String)>> {
    let mut types: BTreeMap<String, Vec<(&str, String)>> = BTreeMap::new();
    for (folder, name) in CRATES {
        for path in sources(&root().join(folder)) {
            let text = fs::read_to_string(&path).expect("the file is there");
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let lines: Vec<&str> = code.lines().collect();
            for (index, line) in lines.iter().enumerate() {
                if let Some(declared) = declared(line) {
                    types.entry(declared.to_owned()).or_default().push((name, sentence(&lines, index)));
                }
            }
        }
    }
    assert!(types.len() > 200, "the types were not found");
    types
}

#[test]
fn one_noun_means_one_thing() {
    let types = types();
    let shared = types.iter().filter(|(name, of)| of.len() > 1 && !EXCEPTED.contains(&name.as_str()));
    let shared: Vec<_> = shared.collect();
    assert!(shared.is_empty(), "public types that share a name: {shared:#?}");
}

#[test]
fn the_glossary_has_a_line_for_each_public_type() {
    let mut table = String::new();
    for (name, of) in types() {
        for (in_crate, sentence) in of {
            assert!(!sentence.is_empty(), "{name} of the {in_crate} has no comment");
            table.push_str(&format!("| `{name}` | {in_crate} | {sentence} |\n"));
        }
    }
    let path = root().join("docs/glossary.md");
    let page = fs::read_to_string(&path).expect("docs/glossary.md is there");
    let (words, written) = page.split_once(TABLE).expect("the page has its table");
    if std::env::var_os("EDGEHILL_BLESS").is_some() {
        fs::write(&path, format!("{words}{TABLE}{table}")).expect("the page can be written");
    } else {
        assert_eq!(written, table, "write it anew with EDGEHILL_BLESS=1");
    }
}
