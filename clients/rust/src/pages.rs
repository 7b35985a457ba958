//! Code blocks of the pages: each belongs to a suite (docs/blocks.toml), and what can only be parsed is parsed here.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Parser;
use serde::Deserialize;

use crate::args::Args;

/// Words behind a fence that stand for what programs print, which is nobody's code.
const PRINTED: [&str; 2] = ["text", "console"];

/// A block of code on a page.
struct Block {
    page: String,
    /// The number of its first line.
    line: usize,
    language: String,
    code: String,
}

/// The table of suites.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    suite: Vec<Suite>,
}

/// The suite that takes blocks of some languages on some pages.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Suite {
    by: String,
    how: String,
    languages: Vec<String>,
    pages: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The pages below a folder, but for what is installed or built there.
fn pages_below(folder: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(root().join(folder)).expect("a folder of the checkout") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name in UTF-8");
        let path = format!("{folder}/{name}");
        let skipped = ["node_modules", "target", "build", "site"].contains(&&*name) || name.starts_with('.');
        if entry.path().is_dir() && !skipped {
            pages_below(&path, found);
        } else if name.ends_with(".md") && (folder.starts_with("docs") || name == "README.md") {
            found.push(path);
        }
    }
}

/// All blocks with a language, in the order of their pages.
fn blocks() -> Vec<Block> {
    let mut pages = vec!["README.md".to_owned()];
    for folder in ["docs", "clients", "deploy"] {
        pages_below(folder, &mut pages);
    }
    pages.sort();
    pages.iter().flat_map(|page| blocks_of(page)).collect()
}

fn blocks_of(page: &str) -> Vec<Block> {
    let (text, mut blocks) = (read(page), Vec::new());
    let mut open: Option<Block> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let fence = line.trim_start().strip_prefix("```");
        match (fence, &mut open) {
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(info), None) => {
                let language = info.split([' ', ',']).next().unwrap_or_default().to_owned();
                open = Some(Block { page: page.to_owned(), line: number + 1, language, code: String::new() });
            }
            (None, Some(block)) => {
                block.code.push_str(line);
                block.code.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{page}: a block has no end");
    blocks.retain(|block| !block.language.is_empty() && !PRINTED.contains(&&*block.language));
    blocks
}

fn of_language(language: &str) -> impl Iterator<Item = Block> {
    blocks().into_iter().filter(move |block| block.language == language)
}

/// The blocks that the table has this file take.
fn taken_here(language: &str) -> impl Iterator<Item = Block> {
    let table: Table = toml::from_str(&read("docs/blocks.toml")).expect("the table");
    let suites = table.suite.into_iter().filter(|suite| suite.by == "clients/rust/src/pages.rs");
    let pages: BTreeSet<String> = suites
        .filter(|suite| suite.languages.iter().any(|one| one == language))
        .flat_map(|suite| suite.pages)
        .collect();
    of_language(language).filter(move |block| pages.contains(&block.page))
}

#[test]
fn every_block_belongs_to_a_suite() {
    let table: Table = toml::from_str(&read("docs/blocks.toml")).expect("the table");
    let (mut taken, mut rows) = (BTreeSet::new(), BTreeSet::new());
    for Suite { by, how, languages, pages } in &table.suite {
        assert!(!how.is_empty() && root().join(by).is_file(), "docs/blocks.toml: there is no {by}");
        let both = || pages.iter().flat_map(|page| languages.iter().map(move |language| (page, language)));
        taken.extend(both());
        rows.extend(pages.iter().map(|page| (by, page)));
    }
    let found = blocks();
    assert!(found.len() > 200, "{} blocks", found.len());
    let forgotten: Vec<String> = found
        .iter()
        .filter(|block| !taken.contains(&(&block.page, &block.language)))
        .map(|block| format!("{}:{}: {}", block.page, block.line, block.language))
        .collect();
    assert!(forgotten.is_empty(), "blocks that no suite of docs/blocks.toml takes: {forgotten:#?}");
    for (by, page) in rows {
        let suites = table.suite.iter().filter(|suite| suite.by == *by && suite.pages.contains(page));
        let languages: Vec<&String> = suites.flat_map(|suite| &suite.languages).collect();
        let taken = found.iter().any(|block| block.page == *page && languages.contains(&&block.language));
        assert!(taken, "docs/blocks.toml: {page} has nothing for {by}");
    }
}

#[test]
fn shell_blocks_are_parsed() {
    for block in of_language("sh") {
        let mut bash = Command::new("bash");
        let mut bash = bash
            .args(["-n"])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("bash, as for the scripts of this checkout");
        let mut stdin = bash.stdin.take().expect("a pipe");
        stdin.write_all(block.code.as_bytes()).expect("bash reads");
        drop(stdin);
        let output = bash.wait_with_output().expect("bash ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}:{}: {said}", block.page, block.line);
    }
}

/// The words of a line of a shell, up to its comment, its end or its redirections.
fn words_of(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut is_word) = (Vec::new(), String::new(), None, false);
    for letter in line.chars() {
        match (letter, quote) {
            (_, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => (quote, is_word) = (Some(letter), true),
            ('#' | '&' | ';' | '|' | '>' | '<', None) if !is_word => break,
            (' ', None) => {
                if is_word {
                    words.push(std::mem::take(&mut word));
                }
                is_word = false;
            }
            _ => {
                word.push(letter);
                is_word = true;
            }
        }
    }
    if is_word {
        words.push(word);
    }
    words
}

#[test]
fn lines_of_the_command_are_parsed() {
    let mut parsed = 0;
    for block in of_language("sh") {
        for line in block.code.replace("\\\n", " ").lines().filter(|line| line.starts_with("edgehill ")) {
            let at = format!("{}:{}: {line}", block.page, block.line);
            Args::try_parse_from(words_of(line)).unwrap_or_else(|error| panic!("{at}: {error}"));
            parsed += 1;
        }
    }
    assert!(parsed > 30, "{parsed} lines");
    Args::try_parse_from(words_of("edgehill legal m.json --no-such-flag")).expect_err("there is none");
}

#[test]
fn lines_of_json_are_json() {
    for block in taken_here("json") {
        for line in block.code.lines() {
            let value: serde_json::Value = serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("{}:{}: {error}", block.page, block.line));
            assert!(value["kind"].is_string(), "{line}");
        }
    }
}

#[test]
fn functions_of_the_contract_are_those_of_the_trait() {
    let code = read("engine/src/game/mod.rs");
    let mut functions = 0;
    for block in taken_here("rust") {
        for part in block.code.split("fn ").skip(1) {
            let name = part.split('(').next().unwrap_or_default();
            assert!(code.contains(&format!("fn {name}(")), "{}: there is no {name}", block.page);
            functions += 1;
        }
    }
    assert!(functions > 15, "{functions} functions");
}

#[test]
fn directives_are_closed() {
    for block in taken_here("nginx") {
        let mut depth = 0_usize;
        for line in block.code.lines().map(|line| line.split('#').next().unwrap_or_default().trim()) {
            match line.chars().last() {
                None => {}
                Some(';') => assert!(line.len() > 1 && depth > 0, "{line}"),
                Some('{') => depth += 1,
                Some('}') if line == "}" => depth = depth.checked_sub(1).expect("something to close"),
                Some(_) => panic!("{}:{}: {line:?} has no end", block.page, block.line),
            }
        }
        assert_eq!(depth, 0, "{}:{}", block.page, block.line);
    }
}
