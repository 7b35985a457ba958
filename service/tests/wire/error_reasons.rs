//! Each reason has the status code that the wire's comments and docs/errors.md give it.

use std::collections::BTreeMap;

use edgehill_proto::v1::ErrorReason;
use edgehill_service::wire::{Refused, error_reason};
use tonic::Code;

use crate::comments;

const PAGE: &str = include_str!("../../../docs/errors.md");

/// Every reason but UNSPECIFIED.
pub(crate) fn all() -> Vec<ErrorReason> {
    (1..=10_000).filter_map(|number| ErrorReason::try_from(number).ok()).collect()
}

/// A code as pages write it: `FAILED_PRECONDITION`.
fn written(code: Code) -> String {
    let mut text = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.push(letter.to_ascii_uppercase());
    }
    text
}

fn ours() -> BTreeMap<String, String> {
    all()
        .into_iter()
        .map(|reason| (error_reason::name(reason).to_owned(), written(error_reason::code(reason))))
        .collect()
}

#[test]
fn codes_are_those_of_the_comments() {
    let mut declared = BTreeMap::new();
    for (name, comment) in comments::of_values("ErrorReason") {
        let name = name.trim_start_matches("ERROR_REASON_").to_owned();
        if name != "UNSPECIFIED" {
            declared.insert(name, comment.split('.').next().unwrap_or_default().to_owned());
        }
    }
    assert_eq!(ours(), declared);
}

#[test]
fn codes_are_those_of_the_page_on_errors() {
    let sections = PAGE.split("\n### ").skip(1).map(|section| {
        let (name, text) = section.split_once('\n').expect("a heading is a line");
        (name.to_owned(), text.trim().split('`').nth(1).unwrap_or_default().to_owned())
    });
    assert_eq!(ours(), sections.collect());
}

#[test]
fn every_reason_can_be_given_and_has_words() {
    for reason in all() {
        let refused = Refused::of(reason);
        assert_eq!((refused.reason(), refused.code()), (reason, error_reason::code(reason)));
        let refusal = refused.into_refusal();
        assert_eq!(refusal.code, error_reason::code(reason) as i32);
        assert!(refusal.message.len() > 10, "{reason:?}");
    }
}
