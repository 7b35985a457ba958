//! Text that lasts: the engine names its phrases, rules and procedures by text that is part of the program; a server's
//! comes with its messages.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// The same text, kept as long as the program runs, each once: a game has so many codes and no more.
pub(super) fn kept(text: &str) -> &'static str {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.get(text) {
        return known;
    }
    let lasting: &'static str = Box::leak(text.to_owned().into_boxed_str());
    kept.insert(lasting);
    lasting
}

/// The same list of texts, kept as long as the program runs, each once.
pub(super) fn kept_list(texts: &[String]) -> &'static [&'static str] {
    static KEPT: Mutex<BTreeSet<&'static [&'static str]>> = Mutex::new(BTreeSet::new());
    let texts: Vec<&'static str> = texts.iter().map(|text| kept(text)).collect();
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.get(texts.as_slice()) {
        return known;
    }
    let lasting: &'static [&'static str] = Box::leak(texts.into_boxed_slice());
    kept.insert(lasting);
    lasting
}

#[cfg(test)]
mod tests {
    use super::{kept, kept_list};

    #[test]
    fn a_list_is_kept_once() {
        let list = || kept_list(&["from".to_owned(), "to".to_owned()]);
        assert_eq!(list(), ["from", "to"]);
        assert_eq!(list().as_ptr(), list().as_ptr());
    }

    #[test]
    fn a_text_is_kept_once() {
        let (one, other) = (kept("march"), kept(&["mar", "ch"].concat()));
        assert_eq!(one.as_ptr(), other.as_ptr());
    }
}
