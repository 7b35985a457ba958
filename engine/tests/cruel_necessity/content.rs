//! The rules that the content keeps, and the files that are refused on load.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::content::Confidence;
use edgehill_engine::game::Game;
use edgehill_engine::games::cruel_necessity::CruelNecessity;
use edgehill_engine::reference::Ref;
use serde_json::json;

use crate::play::{acting, game};

/// The faults of the built-in content with `from` replaced by `to` in a file.
fn spoilt(file: &str, from: &str, to: &str) -> Vec<String> {
    let built = CruelNecessity::builtin();
    let text = std::str::from_utf8(built.get(file).expect("a file")).expect("text").to_owned();
    assert!(text.contains(from), "{file} has no `{from}`");
    let files = built
        .overlay([(file.to_owned(), text.replacen(from, to, 1).into_bytes())])
        .expect("a file of the game");
    CruelNecessity::load(&files)
        .err()
        .map(|errors| errors.iter().map(ToString::to_string).collect())
        .unwrap_or_default()
}

#[test]
fn rule_2_1_four_regions_of_five_areas_six_fortresses_and_six_tracks() {
    let catalogue: &Catalogue = &game().catalogue().clone();
    assert_eq!((catalogue.spaces.len(), catalogue.tracks.len()), (20 + 2 + 12, 6 + 2));
    assert_eq!(spoilt("board.toml", "number = 5", "number = 4").len(), 2);
}

#[test]
fn rule_2_3_armies_and_formations() {
    let turn = acting(json!({}), "");
    for (army, strength) in [("north", 4), ("west", 3), ("scotland", 3), ("ireland", 3)] {
        assert_eq!(turn.strength(army), strength);
    }
    assert_eq!((turn.count("p-foot-1", "p-foot-pool"), turn.place("rupert").as_str()), (2, "r-horse-pool"));
}

#[test]
fn rule_g7_four_revolts_and_eight_deviltry_markers() {
    assert_eq!(game().catalogue().pieces.iter().filter(|piece| piece.id.starts_with("deviltry-")).count(), 8);
    assert_eq!(
        spoilt(
            "game.toml",
            "[[revolt]]\nid = \"revolt\"\nname = \"Revolt\"\nkind = \"revolt\"\nstrength = 3\n",
            "[[revolt]]\nid = \"clubmen-1\"\nname = \"Revolt\"\nkind = \"revolt\"\nstrength = 3\n"
        )
        .len(),
        1,
        "one id twice"
    );
}

#[test]
fn rule_s6_the_first_and_the_last_card_of_a_deck_are_events() {
    let faults = spoilt("cards.toml", "place = \"last\"", "place = \"middle\"");
    assert_eq!(faults, ["cards.toml: each deck needs a first and a last Event card"]);
}

#[test]
fn rule_b4_each_side_keeps_enough_for_a_line() {
    let faults = spoilt(
        "cards.toml",
        "units = [\"p-foot-1\"]",
        "units = [\"p-horse-4\", \"p-horse-3\", \"p-horse-2\"]",
    );
    assert_eq!(
        faults,
        ["battle.toml: Parliament must always have 2 formations of each Horse that can't be lost"]
    );
}

#[test]
fn rule_v6_the_middle_box_counts_by_the_track_of_its_marker() {
    let godly = acting(json!({ "tracks": { "parliament": 0, "monarchy": 3 } }), "");
    assert_eq!(godly.on_track("parliament", "points"), 3);
    let royalist = acting(json!({ "tracks": { "parliament": 1, "monarchy": 5 } }), "");
    assert_eq!(royalist.on_track("monarchy", "points"), -4);
}

#[test]
fn what_is_reconstructed_says_so() {
    let catalogue = &game().catalogue().clone();
    let card = |number: usize| &catalogue.cards[number - 1];
    assert_eq!(
        (card(25).confidence, card(25).name.as_str()),
        (Confidence::Official, "25. The Battle of Marston Moor")
    );
    assert_eq!(
        (card(2).confidence, card(2).name.as_str()),
        (Confidence::Reconstructed, "2. Strafford on Trial (reconstructed)")
    );
    assert_eq!(card(9).name, "9. The Petition of Right (effect reconstructed)");
    let official = catalogue.cards.iter().filter(|card| card.confidence == Confidence::Official).count();
    assert_eq!(official, 3 + 2, "17, 21, 25; Boye and Stubble");
    assert_eq!(catalogue.name_of(Ref::Card(60)), "Boye the Battle Poodle");
}

#[test]
fn faults_name_file_record_and_field() {
    assert_eq!(
        spoilt("cards.toml", "op = \"activate\", army = \"scotland\"", "op = \"activate\", army = \"wales\""),
        ["cards.toml: event 1: military[0]: `wales`: expected one of north, west, scotland, ireland"]
    );
    assert_eq!(
        spoilt("cards.toml", "op = \"battle\"", "op = \"brawl\""),
        ["cards.toml: event 12: military[0]: `brawl` is no operation"]
    );
    assert_eq!(spoilt("tracks.toml", "grade = \"F\"", "grade = \"E\"").len(), 1);
    assert_eq!(spoilt("battle.toml", "timing = \"aftermath\"", "timing = \"before-roll\"").len(), 1);
    assert_eq!(
        spoilt("game.toml", "zeal = 5", "zeal = 15"),
        ["game.toml: start 1: zeal: 15: a number from 0 to 9 is expected"]
    );
}
