//! Names follow the style guide of protobuf, and can be used as they are in every client's language.

use crate::descriptors::{Kind, compiled, elements, enums};

/// Words that Python, Rust, Go, Java or TypeScript keep for themselves. `match` is not among them: Python takes it as a field,
/// Rust as `r#match`, and no other word says what a match is.
const KEYWORDS: &str = "abstract and as assert async await break case catch chan class const continue crate def default \
    defer del delete do dyn elif else enum except export extends extern false final finally fn for from func function \
    global go goto if impl import in interface is lambda let loop map mod move mut native new none nonlocal not \
    null or override package pass private protected pub public raise range ref return select self static struct super \
    switch this throw trait true try type typeof union unsafe use var void where while with yield";

fn camel(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(|c| c.is_ascii_alphanumeric())
}

fn words(name: &str, fits: impl Fn(char) -> bool) -> bool {
    name.split('_').all(|word| !word.is_empty() && word.chars().all(&fits))
}

#[test]
fn names_follow_the_style_guide() {
    let set = compiled();
    for element in elements(&set) {
        let name = element.name.rsplit('.').next().unwrap_or_default();
        let fits = match element.kind {
            Kind::File => element.name.starts_with("edgehill/v1/") && element.name.ends_with(".proto"),
            Kind::Message | Kind::Enum | Kind::Rpc => camel(name),
            Kind::Service => camel(name) && name.ends_with("Service"),
            Kind::Field | Kind::Oneof => words(name, |c| c.is_ascii_lowercase() || c.is_ascii_digit()),
            Kind::Value => words(name, |c| c.is_ascii_uppercase() || c.is_ascii_digit()),
        };
        assert!(fits, "{:?} {}", element.kind, element.name);
    }
}

#[test]
fn no_field_is_a_keyword_of_a_client() {
    let set = compiled();
    let fields = elements(&set).into_iter().filter(|e| matches!(e.kind, Kind::Field | Kind::Oneof));
    let kept: Vec<_> = fields
        .map(|e| e.name)
        .filter(|n| n.rsplit('.').next().is_some_and(|n| KEYWORDS.split(' ').any(|word| word == n)))
        .collect();
    assert!(kept.is_empty(), "{kept:?}");
}

#[test]
fn enums_begin_with_unspecified_and_prefix_their_values() {
    let set = compiled();
    for (name, one) in enums(&set) {
        let mut prefix = String::new();
        for c in one.name().chars() {
            if c.is_ascii_uppercase() && !prefix.is_empty() {
                prefix.push('_');
            }
            prefix.push(c.to_ascii_uppercase());
        }
        assert_eq!(one.value[0].number(), 0, "{name}");
        assert_eq!(one.value[0].name(), format!("{prefix}_UNSPECIFIED"), "{name}");
        for value in &one.value {
            assert!(value.name().starts_with(&format!("{prefix}_")), "{name}: {}", value.name());
        }
    }
}

#[test]
fn every_call_has_a_request_and_a_response_of_its_own() {
    let set = compiled();
    for rpc in set.file.iter().flat_map(|file| &file.service).flat_map(|service| &service.method) {
        assert_eq!(rpc.input_type(), format!(".edgehill.v1.{}Request", rpc.name()));
        assert_eq!(rpc.output_type(), format!(".edgehill.v1.{}Response", rpc.name()));
    }
}
