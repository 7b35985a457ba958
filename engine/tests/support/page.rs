//! A page of docs/games, from which tests read what it shows.

/// The fenced block of a language.
pub(crate) fn block<'a>(page: &'a str, language: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("```{language}\n")).expect("the page has this block");
    rest.split_once("```").expect("a block ends").0
}
