//! The map, the first deal, uses of cards and recruitment (2.1, 2.2, 4.1, 5.5, 6.1, 6.2, 7.2.1, 11.1).

use serde_json::{Value, json};

use super::{expected, number, rests_on_reconstructed_lines};
use crate::built_in::{area, content, general};
use crate::play::{Match, P, R, at, phase, position, start};

/// The letters of the Regions of which a side recruits in an Area.
fn recruited_at(seat: usize, id: &str) -> Vec<String> {
    let regions = content().areas[area(id)].drummers[seat].iter();
    regions.map(|region| content().regions[region].letter.to_string()).collect()
}

#[test]
fn r01_recruitment_areas_outside_the_brigades_region() {
    let expected = expected("R01");
    assert_eq!(json!(recruited_at(1, "london")), expected["london_recruits"]["regions"]);
    assert_eq!(json!(recruited_at(0, "shrewsbury")), expected["shrewsbury_recruits"]["regions"]);
    let region = &content().regions[content().areas[area("shrewsbury")].region];
    assert_eq!(json!(region.letter.to_string()), expected["shrewsbury_region"]);
}

#[test]
fn r02_fortress_numbers() {
    let expected = expected("R02");
    let fortress = content().areas[area("london")].fortress.expect("London is a Fortress");
    let fortress = &content().fortresses[fortress];
    assert_eq!(usize::from(fortress.class), number(&expected["class"]));
    assert_eq!(usize::from(fortress.surrender), number(&expected["surrender_value"]));
}

#[test]
fn r03_kinds_of_leader() {
    let expected = expected("R03");
    let regions = |id: &str| {
        let of = content().generals[general(id)].regions;
        of.iter().map(|region| content().regions[region].letter.to_string()).collect::<Vec<_>>()
    };
    assert_eq!((expected["Prince Rupert"].as_str(), regions("prince-rupert")), (Some("field"), Vec::new()));
    assert_eq!(json!(regions("newcastle")), expected["Newcastle"]["regional"]);
    assert_eq!(json!(regions("waller")), expected["Waller"]["regional"]);
    assert!(content().notables.iter().any(|notable| notable.named.id == "massey"));
}

#[test]
fn r04_a_general_of_two_and_three() {
    let expected = expected("R04");
    let more = json!({
        "hands": { "parliament": ["E01", "E03"] }, "generals": { "essex": "london" },
        "brigades": { "essex": ["fiennes", "assheton", "gells", "denbighs"] },
    });
    let essex = &content().generals[general("essex")];
    assert_eq!(usize::from(essex.strategy), number(&expected["rating_compared"]));
    let mut table = at(position("early-1643", "parliament", &more), "");
    table.act("card E01").refuses("use activate", "6.1");
    let mut two = at(position("early-1643", "parliament", &more), "");
    assert!(two.act("card E03; use activate").offers("activate essex"));
}

#[test]
fn r05_cards_at_the_start() {
    let expected = expected("R05");
    let table = start("E01,E02,E03,E04,E05,X01,E06,E07,E08,E09");
    assert_eq!(table.cards("royalist-hand").len(), number(&expected["hand_R"]));
    assert_eq!(table.cards("parliament-hand").len(), number(&expected["hand_P"]));
    let hands = [table.cards("royalist-hand"), table.cards("parliament-hand")].concat();
    assert_eq!(hands.iter().filter(|card| *card == "X01").count(), 1);
}

/// The King with three Brigades, and Goring under him with three.
fn six(hand: &str) -> Match {
    let more = json!({
        "hands": { "royalist": [hand] }, "control": { "royalist": ["oxford"] },
        "generals": { "king-charles-i": "oxford", "goring": "under-king-charles-i" },
        "brigades": {
            "king-charles-i": ["kings-lifeguard", "wilmots", "astleys"], "goring": ["byrons", "tyldesleys", "digbys-horse"],
        },
    });
    let mut table = at(position("early-1643", "royalist", &more), "");
    table.act(&format!("card {hand}; use activate"));
    table
}

#[test]
fn r06_breaking_up_a_major_army_the_first_way() {
    assert!(expected("R06")["second"].as_str().is_some_and(|text| text.contains("4 MP")));
    assert!(!six("E03").offers("activate king-charles-i"));
    let mut table = six("E06");
    table.act("activate king-charles-i; leave goring");
    assert_eq!((table.whereabouts("goring"), table.count("goring")), ("oxford".to_owned(), 3));
    table.act("move warwick; move leicester; move nottingham; move newark; done");
    assert_eq!(
        (table.whereabouts("king-charles-i"), table.count("king-charles-i")),
        ("newark".to_owned(), 3)
    );
}

#[test]
fn r07_breaking_up_a_major_army_the_second_way() {
    assert_eq!(expected("R07")["accepted"], Value::Bool(true));
    let mut table = six("E03");
    table.act("activate goring; move warwick; done");
    assert_eq!(
        (table.whereabouts("goring"), table.whereabouts("king-charles-i")),
        ("warwick".to_owned(), "oxford".to_owned())
    );
    assert_eq!((table.count("king-charles-i"), table.to_act()), (3, P));
}

#[test]
fn r08_two_recruits_in_one_region() {
    assert_eq!(expected("R08")["legal"], Value::Bool(true));
    let control = json!({ "control": { "royalist": ["shrewsbury", "chester"] } });
    let mut table = at(phase("early-1643", "recruitment", &control), "");
    table.act_as(P, "done");
    table.act_as(R, "from pool-royalist; brigade carberys; to unled-shrewsbury; from pool-royalist; brigade wilmots; to unled-chester");
    assert_eq!((table.count("unled-shrewsbury"), table.count("unled-chester")), (1, 1));
}

#[test]
fn r09_two_recruits_in_london() {
    assert_eq!(expected("R09")["two_eastern"], "refused");
    let control = json!({ "control": { "parliament": ["london"] } });
    let mut table = at(phase("early-1643", "recruitment", &control), "");
    table.act("from pool-parliament; brigade eastern-association; to unled-london; from pool-parliament");
    table.refuses("brigade london-trained-bands", "R2").act("brigade pophams; to unled-london");
    assert_eq!(table.brigades("unled-london"), ["eastern-association", "pophams"]);
}

#[test]
fn r27_no_tendrils() {
    rests_on_reconstructed_lines("R27");
    assert_eq!(expected("R27")["boston"], "legal");
    let more = json!({
        "control": { "parliament": ["peterborough"] }, "notables": { "willoughby": "in-play" },
        "hands": { "parliament": ["E03"] },
    });
    let mut table = at(position("early-1643", "parliament", &more), "");
    table.act("card E03; use markers; at boston").refuses("at lincoln", "K7");
}

#[test]
fn r28_claiming_the_first_play() {
    assert_eq!(expected("R28")["P_plays_first"], Value::Bool(true));
    let more = json!({
        "hands": { "parliament": ["E10"] }, "generals": { "essex": "london" }, "brigades": { "essex": ["fiennes"] },
    });
    let mut table = at(phase("early-1643", "first-play", &more), "");
    table.act_as(R, "first royalist").act_as(P, "card E10");
    assert_eq!((table.to_act(), table.options("use")), (P, vec!["campaign".to_owned()]));
    table.act_as(P, "use campaign; activate essex; done");
    assert_eq!(table.number_of("first", Some(P)), 1);
}
