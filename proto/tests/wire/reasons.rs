//! Reasons and docs/errors.md are in step.

use std::collections::BTreeMap;

use crate::descriptors::{Kind, compiled, elements};

const PAGE: &str = include_str!("../../../docs/errors.md");

/// Status code by reason, as the proto file says it.
fn declared() -> BTreeMap<String, String> {
    let set = compiled();
    let reasons =
        elements(&set).into_iter().filter(|e| e.kind == Kind::Value && e.name.contains(".ErrorReason."));
    let named = reasons.filter_map(|reason| {
        let name = reason.name.split(".ERROR_REASON_").nth(1)?.to_owned();
        let code = reason.comment.split('.').next()?.to_owned();
        (name != "UNSPECIFIED").then_some((name, code))
    });
    named.collect()
}

/// Status code by reason, as the page's sections say it.
fn documented() -> BTreeMap<String, String> {
    let mut sections = BTreeMap::new();
    for section in PAGE.split("\n### ").skip(1) {
        let (name, text) = section.split_once('\n').expect("a heading is a line");
        let code = text.trim().strip_prefix('`').and_then(|text| text.split('`').next());
        let code = code.unwrap_or_else(|| panic!("{name}: a section begins with its status code"));
        assert!(sections.insert(name.to_owned(), code.to_owned()).is_none(), "{name} stands twice");
        assert!(text.split(' ').count() > 12, "{name}: no word on what to do");
    }
    sections
}

#[test]
fn every_reason_has_a_section_with_its_status_code() {
    assert_eq!(documented(), declared());
}

#[test]
fn status_codes_are_those_of_grpc() {
    const CODES: &[&str] = &[
        "INVALID_ARGUMENT",
        "NOT_FOUND",
        "UNAUTHENTICATED",
        "PERMISSION_DENIED",
        "FAILED_PRECONDITION",
        "ABORTED",
        "ALREADY_EXISTS",
        "OUT_OF_RANGE",
        "DEADLINE_EXCEEDED",
        "RESOURCE_EXHAUSTED",
        "UNAVAILABLE",
        "INTERNAL",
    ];
    for (reason, code) in declared() {
        assert!(CODES.contains(&code.as_str()), "{reason}: {code}");
    }
}
