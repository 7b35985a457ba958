//! Finds citations, uses and tests in Rust source, as text.
//!
//! It reads source as rustfmt writes it. Line comments are not source; nor, for citations, is what follows the first
//! `#[cfg(test)]` of a file. Block comments and `//` within strings are not told apart from code.

/// A source file.
#[derive(Clone)]
pub(crate) struct File {
    /// Its path in the crate.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
}

/// A `Rule::new("..")` in the code of a game.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Citation {
    /// The number cited.
    pub(crate) rule: String,
    /// The constant that holds the citation, if it defines one.
    pub(crate) constant: Option<String>,
    /// `file:line`.
    pub(crate) at: String,
}

/// The file's code: what stands before its tests, without line comments, line for line.
pub(crate) fn code(file: &File) -> String {
    let lines = file.text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    lines.map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The citations in a file's code.
pub(crate) fn citations(file: &File) -> Vec<Citation> {
    const CALL: &str = "Rule::new(";
    let code = code(file);
    let found = code.match_indices(CALL).filter_map(|(start, _)| {
        let argument = code[start + CALL.len()..].trim_start().strip_prefix('"')?;
        let (rule, _) = argument.split_once('"')?;
        let line = code[..start].matches('\n').count() + 1;
        let at = format!("{}:{line}", file.name);
        Some(Citation { rule: rule.to_owned(), constant: constant(&code[..start]), at })
    });
    found.collect()
}

/// The constant whose definition (`const NAME: Rule =`) the text ends with.
fn constant(before: &str) -> Option<String> {
    let definition = before.trim_end().strip_suffix('=')?.trim_end().strip_suffix("Rule")?;
    let name = definition.trim_end().strip_suffix(':')?.trim_end();
    let start = name.rfind(|c: char| !is_word(c)).map_or(0, |last| last + 1);
    name[..start].trim_end().ends_with("const").then(|| name[start..].to_owned())
}

/// Returns the number of times that a word stands in a file's code.
pub(crate) fn count_word(code: &str, word: &str) -> usize {
    code.split(|c: char| !is_word(c)).filter(|&found| found == word).count()
}

/// The names of the file's `#[test]` functions, those that are ignored left out.
pub(crate) fn tests(file: &File) -> Vec<String> {
    let mut names = Vec::new();
    let (mut test, mut ignored) = (false, false);
    for line in file.text.lines().map(str::trim) {
        if line.starts_with("#[") {
            test |= line == "#[test]";
            ignored |= line.starts_with("#[ignore");
        } else if !line.starts_with("//") && !line.is_empty() {
            let name = line.strip_prefix("fn ").and_then(|rest| rest.split(['(', '<']).next());
            names.extend(name.filter(|_| test && !ignored).map(str::to_owned));
            (test, ignored) = (false, false);
        }
    }
    names
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
