//! Lines of the command on the pages: its own parser takes each.

use std::fs;
use std::path::Path;

use clap::Parser;

use super::args::Args;

/// The pages with lines of `edgehill-server`.
const PAGES: [&str; 7] = [
    "clients/python/server/README.md",
    "deploy/README.md",
    "docs/operations-install.md",
    "docs/operations.md",
    "docs/quickstarts.md",
    "docs/server.md",
    "docs/store.md",
];

#[test]
fn lines_of_the_command_are_parsed() {
    let mut parsed = 0;
    for page in PAGES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{page}: {error}"));
        for block in text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next()) {
            for line in block.lines() {
                let words: Vec<&str> =
                    line.split_whitespace().take_while(|word| !word.starts_with(['#', '&', '>'])).collect();
                let is_command = |word: &str| {
                    ["/bin/edgehill-server", "release/edgehill-server"].iter().any(|end| word.ends_with(end))
                };
                let at = words.iter().position(|word| is_command(word));
                let Some(at) = at.or((words.first() == Some(&"edgehill-server")).then_some(0)) else {
                    continue;
                };
                // Asking for the version or for help ends a parse, too.
                match Args::try_parse_from(&words[at..]) {
                    Err(error) if error.use_stderr() => panic!("{page}: {line}: {error}"),
                    _ => parsed += 1,
                }
            }
        }
    }
    assert!(parsed > 10, "{parsed} lines");
    Args::try_parse_from(["edgehill-server", "no-such-verb"]).unwrap_err();
}
