//! How references fill the places of a template.

use edgehill_engine::catalogue::fill;
use edgehill_engine::reference::Ref;

fn text(template: &str, refs: &[Ref]) -> String {
    fill(template, refs, |what, marker| match what {
        Ref::Number(number) if marker == Some("turn") => format!("T{number}"),
        Ref::Number(number) => number.to_string(),
        Ref::Piece(piece) => format!("P{piece}"),
        other => format!("{other:?}"),
    })
    .text
}

fn number(number: i32) -> Ref {
    Ref::Number(number)
}

#[test]
fn a_word_follows_its_number() {
    let template = "{0} {0|block goes|blocks go}";
    assert_eq!(text(template, &[number(1)]), "1 block goes");
    assert_eq!(text(template, &[number(0)]), "0 blocks go");
    assert_eq!(text(template, &[number(3)]), "3 blocks go");
}

#[test]
fn a_place_may_say_nothing() {
    assert_eq!(text("gone{0||}", &[number(7)]), "gone");
    assert_eq!(text("{0@turn}", &[number(3)]), "T3");
    assert_eq!(text("gone{0..||}", &[number(7), number(8)]), "gone");
}

#[test]
fn lists_are_as_long_as_they_are() {
    let template = "{0}{1..piece| with |!|, alone}, {-1} left";
    assert_eq!(text(template, &[number(4), Ref::Piece(1), number(5)]), "4 with P1!, 5 left");
    let three = [number(4), Ref::Piece(1), Ref::Piece(2), Ref::Piece(3), number(5)];
    assert_eq!(text(template, &three), "4 with P1, P2 and P3!, 5 left");
    assert_eq!(text(template, &[number(4), number(5)]), "4, alone, 5 left");
    assert_eq!(text("{0..}", &[number(4), number(5)]), "4 and 5");
}

#[test]
fn what_is_missing_on_either_side_is_told() {
    let filled = fill("{0} of {2|one|more}", &[number(4), number(5)], |_, _| "four".to_owned());
    assert_eq!(filled.text, "four of {2|one|more}");
    assert_eq!((filled.unnamed, filled.unfilled), (vec![1], vec!["2|one|more".to_owned()]));
    assert_eq!(text("{ {x} {0", &[number(1)]), "{ {x} {0");
    assert_eq!(text("{-2}", &[number(1)]), "{-2}");
}
