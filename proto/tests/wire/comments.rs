//! Every element says what it is.

use crate::descriptors::{Kind, compiled, elements};

#[test]
fn every_element_has_a_comment() {
    let set = compiled();
    let elements = elements(&set);
    for kind in [
        Kind::File,
        Kind::Message,
        Kind::Field,
        Kind::Oneof,
        Kind::Enum,
        Kind::Value,
        Kind::Service,
        Kind::Rpc,
    ] {
        assert!(elements.iter().any(|element| element.kind == kind), "no {kind:?} was looked at");
    }
    let silent: Vec<_> = elements.iter().filter(|element| element.comment.is_empty()).collect();
    assert!(silent.is_empty(), "without a comment: {silent:#?}");
}

#[test]
fn comments_are_sentences() {
    let set = compiled();
    let sentence = |comment: &str| {
        let begins = |c: char| c.is_uppercase() || c == '`' || c.is_ascii_digit();
        comment.starts_with(begins) && comment.ends_with(['.', ':']) && comment.split(' ').count() > 1
    };
    let odd: Vec<_> = elements(&set).into_iter().filter(|element| !sentence(&element.comment)).collect();
    assert!(odd.is_empty(), "neither capital letter nor full stop, or a single word: {odd:#?}");
}

#[test]
fn what_comments_name_exists() {
    let set = compiled();
    let elements = elements(&set);
    let named = |name: &str| elements.iter().any(|e| e.name.ends_with(&format!(".{name}")));
    for element in &elements {
        // `Game.spaces`, `LIMIT_NAME_LIST_ACTIONS` and the like; words of notation and examples are in lower case.
        let quoted = element.comment.split('`').skip(1).step_by(2);
        let looks_named = |name: &&str| {
            name.starts_with(char::is_uppercase)
                && name.chars().all(|c| c.is_ascii_alphanumeric() || "._".contains(c))
                && (name.contains('.')
                    || name.starts_with("LIMIT_NAME_")
                    || name.starts_with("ERROR_REASON_"))
        };
        for name in quoted.filter(looks_named) {
            assert!(named(name), "{}: there is no `{name}`", element.name);
        }
    }
}
