//! Words for cards, made from their data.

use edgehill_engine::games::unhappy_king_charles::content::ids::CardId;
use edgehill_engine::games::unhappy_king_charles::content::words;

use crate::built_in::{card, content, replaced};

fn said(id: &str) -> Vec<String> {
    words::lines(content(), card(id))
}

#[test]
fn every_card_says_who_plays_it_and_what_it_does() {
    for (index, one) in content().cards.iter().enumerate() {
        let lines = words::lines(content(), CardId::new(index));
        assert!(lines.len() >= 2, "{}: {lines:?}", one.named.id);
        for line in &lines {
            assert!(
                line.chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit() || c == '+'),
                "{line}"
            );
            assert!(!line.contains("  ") && !line.ends_with(['.', ' ', ',']), "{}: {line:?}", one.named.id);
            assert!(!line.contains("none"), "{}: {line:?}", one.named.id);
        }
    }
}

#[test]
fn words_of_each_kind() {
    let lines = |id: &str| said(id).join("\n");
    for (id, expected) in [
        ("C02", "Raids of up to 2 Local Notables"),
        ("L09", "Up to 3 Activations"),
        ("L09", "Recruitment Card of the turn"),
        ("E13", "+2 to the own score in one Battle; a Major Victory of its owner is Decisive"),
        ("M12", "as the defender alone"),
        (
            "E37",
            "Up to 2 markers within 2 Areas of Derby, in open Areas or the enemy's that are no Fortress and not occupied",
        ),
        ("L23", "in Wales"),
        ("L16", "in the South"),
        ("E26", "Then up to 1 marker"),
        (
            "L13",
            "The enemy takes off 1 Brigade of their choice outside of Fortresses in the South or the Midlands",
        ),
        ("L27", "1 Militia Brigade"),
        ("M21", "a Fortress of Class 1"),
        ("E19", "Plymouth or Hull"),
        ("E38", "Played by the Royalist, the Local Notable Newark Garrison comes to Newark"),
        ("E18", "Either 2 cards"),
        ("E20", "If that does nothing, 1 card"),
        ("A04", "Naval Status -2, for the Royalists"),
        ("M20", "Activate Essex or Waller"),
        ("E28", "A Response"),
        ("E22", "Late 1644"),
        ("X03", "6.5"),
        ("A03", "5 or more"),
    ] {
        assert!(lines(id).contains(expected), "{id} says:\n{}", lines(id));
    }
}

#[test]
fn other_content_brings_other_words() {
    let other =
        replaced("cards.toml", "op = \"naval\", by = 1", "op = \"naval\", by = -3").expect("it is sound");
    let line = |content| words::lines(content, card("E31")).join("\n");
    assert!(line(content()).contains("+1, for Parliament"));
    assert!(line(&other).contains("-3, for the Royalists"));
}
