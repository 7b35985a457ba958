//! docs/command.md says what the command does.

use std::fs;
use std::path::Path;

use crate::{Workspace, has};

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/command.md");
    fs::read_to_string(path).expect("the page is there")
}

#[test]
fn every_verb_and_every_exit_code_is_on_the_page() {
    let help = Workspace::new().ok(&["--help"]);
    let part = |start: &str| {
        let lines = help.lines().skip_while(move |line| *line != start).skip(1);
        lines.take_while(|line| !line.is_empty()).map(str::trim).collect::<Vec<_>>()
    };
    let verbs: Vec<&str> = part("Commands:").iter().filter_map(|line| line.split(' ').next()).collect();
    assert!(verbs.contains(&"games"), "{help}");
    let page = page();
    for verb in verbs.iter().filter(|verb| **verb != "help") {
        assert!(page.contains(&format!("| `{verb} ")), "`{verb}` has no row");
    }
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let verb = line[3..].split([' ', '`']).next().expect("a word");
        assert!(verbs.contains(&verb), "there is no verb `{verb}`");
    }
    for line in part("Exit codes:") {
        let (code, meaning) = line.split_once("  ").expect("a code and its meaning");
        has(&page, &format!("| {code} | {meaning} |"));
    }
}

/// The session on the page is what the command does, word for word.
#[test]
fn the_session_on_the_page_is_true() {
    let page = page();
    let session =
        page.split("```console\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a session");
    let workspace = Workspace::new();
    let mut said = String::new();
    for line in session.lines().filter(|line| line.starts_with("$ edgehill ")) {
        let words: Vec<String> = line["$ edgehill ".len()..]
            .split('"')
            .enumerate()
            .flat_map(|(index, part)| {
                let quoted = index % 2 == 1;
                if quoted {
                    vec![part.to_owned()]
                } else {
                    part.split_whitespace().map(str::to_owned).collect()
                }
            })
            .collect();
        let args: Vec<&str> = words.iter().map(String::as_str).collect();
        let answer = workspace.run(&args);
        said.push_str(&format!("{line}\n{}{}", answer.out, answer.err));
    }
    assert_eq!(said, session);
}
