//! Isolation, Raids, infrastructures and Naval Status (11.3, 13.0, 15.0, 17.3).

use serde_json::json;

use super::{expected, rests_on_reconstructed_lines};
use edgehill_engine::game::Game;

use crate::play::{Match, at, phase, position};

#[test]
fn r17_cornwall_cut_off() {
    rests_on_reconstructed_lines("R17");
    let fields = json!({ "control": { "royalist": ["truro", "st-austell", "barnstaple"], "parliament": ["plymouth", "exeter", "taunton", "bristol"] },
        "generals": { "bedford": "exeter" }, "brigades": { "bedford": ["pophams"] } });
    let table = at(phase("late-1643", "political-control", &fields), "");
    assert_eq!(expected("R17")["removed"].as_array().map(Vec::len), Some(3));
    for area in ["truro", "st-austell", "barnstaple"] {
        assert_eq!(table.control(area), "", "{area}");
    }
}

#[test]
fn c09_removal_of_parliaments_marker_saves_the_royalists() {
    rests_on_reconstructed_lines("C09");
    let fields = json!({ "control": { "royalist": ["truro", "barnstaple", "exeter"], "parliament": ["plymouth", "st-austell"] },
        "generals": { "hopton": "exeter" }, "brigades": { "hopton": ["stawells"] } });
    let table = at(phase("late-1643", "political-control", &fields), "");
    assert_eq!(expected("C09")["P_removed"], json!(["St Austell"]));
    assert_eq!(table.public("isolated"), ["isolated parliament st-austell"]);
    assert_eq!((table.control("plymouth"), table.control("truro")), ("parliament", "royalist"));
}

#[test]
fn c10_the_maritime_line_is_no_chain() {
    rests_on_reconstructed_lines("C10");
    let fields = json!({ "control": { "royalist": ["doncaster", "lincoln", "newark"], "parliament": ["hull", "gainsborough"] } });
    let table = at(phase("late-1643", "political-control", &fields), "");
    assert_eq!(expected("C10")["P_removed"], json!(["Gainsborough"]));
    assert_eq!((table.control("gainsborough"), table.control("hull")), ("", "parliament"));
}

#[test]
fn r19_willoughbys_raids() {
    let fields = json!({ "control": { "royalist": ["newark", "oxford"], "parliament": ["peterborough", "london"] }, "notables": { "willoughby": "in-play" } });
    let mut table = at(position("early-1643", "parliament", &fields), "");
    table.act("card C03; use raid; raid willoughby");
    for (name, word) in expected("R19").as_object().expect("Areas") {
        let area = name.to_lowercase().replace([' '], "-").replace('\'', "");
        let legal = word.as_str().is_some_and(|word| word.starts_with("legal"));
        assert_eq!(table.offers(&format!("at {area}")), legal, "{name}");
    }
    table.act("at newark");
    assert_eq!(table.control("newark"), "parliament");
}

#[test]
fn r20_the_earl_of_derby_does_not_raid_the_north() {
    let fields = json!({ "control": { "royalist": ["preston", "york"], "parliament": ["london"] }, "notables": { "earl-of-derby": "in-play" } });
    let mut table = at(position("early-1643", "royalist", &fields), "");
    table.act("card C01; use raid; raid earl-of-derby");
    assert_eq!(expected("R20")["legal"], false);
    let north = ["kendal", "skipton", "thirsk", "appleby", "wakefield"];
    assert!(
        table.options("at").iter().all(|area| !north.contains(&area.as_str())) && table.offers("at stafford")
    );
}

/// Returns whether the Royalist, who controls Newcastle alone of all infrastructures, may play a Recruitment card.
fn recruits(fields: &serde_json::Value) -> bool {
    let mut table: Match = at(position("early-1643", "royalist", fields), "");
    table.act("card C02").offers("use recruit")
}

#[test]
fn r25_a_masked_infrastructure_is_nobodys() {
    let control = json!({ "royalist": ["newcastle", "york"], "parliament": ["hull"] });
    let free = json!({ "control": control });
    let masked = json!({ "control": control, "generals": { "tom-fairfax-north": "newcastle" }, "brigades": { "tom-fairfax-north": ["fairfaxs-horse"] } });
    assert_eq!(expected("R25")["Northumbrian Coalfield"], "nobody's");
    assert!(recruits(&free) && !recruits(&masked));
}

#[test]
fn r26_the_greatest_score() {
    let all: Vec<String> =
        crate::play::game().catalogue().spaces.iter().map(|space| space.entry.id.clone()).collect();
    let table = at(phase("winter-1645", "end", &json!({ "control": { "parliament": all } })), "");
    assert_eq!(table.public("points_counted"), [format!("points_counted {}", expected("R26")["points"])]);
}

#[test]
fn c15_naval_status() {
    let fields = json!({ "chits": [3, 2], "fleet": 1, "control": { "royalist": ["london", "bristol"] }, "queen": "captured" });
    let table = at(position("late-1644", "royalist", &fields), "");
    let status = expected("C15")["status"].as_str().expect("a sum").to_owned();
    assert!(status.ends_with(&format!(" = {}", table.number_of("naval", None))), "{status}");
}
