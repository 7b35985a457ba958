//! The exact odds of the next dice, as the context of a view tells them (9.7.2, 10.1, 10.2, 14.3, 14.5, V6).

use edgehill_engine::game::Game;
use edgehill_engine::reference::Ref;
use edgehill_engine::view::View;
use serde_json::json;

use crate::armies::moving;
use crate::play::{Match, P, R, at, game, phase, position};

/// The roles of odds in a view, with what they refer to.
fn told(view: &View) -> Vec<String> {
    let game = game();
    let phrases = &game.catalogue().phrases;
    let is_odds = |role: &str| phrases.contains_key(format!("odds.{role}").as_str());
    let roles = view.turn_state.procedures.iter().flat_map(|procedure| &procedure.roles);
    let word = |what: Ref| match what {
        Ref::Number(number) => number.to_string(),
        other => Match::id(other),
    };
    roles.filter(|(role, _)| is_odds(role)).map(|&(role, what)| format!("{role} {}", word(what))).collect()
}

fn public(table: &Match) -> Vec<String> {
    told(&table.spectated())
}

#[test]
fn each_commander_who_may_intercept_has_their_faces() {
    // Hopton's rating is 2: better than Bedford's, as Waller's, worse than Cromwell's; mountains take one.
    for (mover, line, ways) in
        [("bedford", "road", 4), ("waller", "road", 3), ("cromwell", "road", 2), ("waller", "mountain", 2)]
    {
        let (from, to, base) = match line {
            "road" => ("oxford", "warwick", "lichfield"),
            _ => ("sheffield", "wakefield", "macclesfield"),
        };
        let stacks = format!("{mover}@{from} pophams; hopton@{base} hertfords");
        let mut table = moving(mover, 3, &stacks, &json!({}), "");
        table.act(&format!("move {to}"));
        let expected = ["may-intercept hopton".to_owned(), format!("intercepts-in-6 {ways}")];
        assert_eq!(public(&table), expected, "{mover} by {line}");
        table.act("pass");
    }
}

#[test]
fn an_evader_has_their_faces() {
    for (mover, from, ways) in [
        ("bedford", "york", 4),
        ("waller", "york", 3),
        ("cromwell", "york", 2),
        ("waller", "macclesfield", 2),
    ] {
        let stacks = format!("{mover}@{from} pophams; hopton@wakefield hertfords");
        let mut table = moving(mover, 3, &stacks, &json!({}), "");
        table.act("move wakefield");
        assert_eq!(public(&table), [format!("evades-in-6 {ways}")], "{mover} from {from}");
    }
}

#[test]
fn a_battle_has_the_ways_of_each_result_once_no_other_card_may_come() {
    let stacks = "waller@newbury ironsides; hopton@salisbury hertfords; @salisbury stawells berkeleys";
    let hands = json!({ "hands": { "royalist": ["E01"], "parliament": ["E13"] } });
    let mut table = moving("waller", 3, stacks, &hands, "");
    table.act("move salisbury; stand; stand; stand; stand");
    assert_eq!((table.frame().as_str(), table.to_act()), ("combat-card", P));
    assert_eq!(public(&table), Vec::<String>::new(), "the Royalist may still have a card");
    table.act("pass");
    assert_eq!((table.frame().as_str(), table.to_act()), ("combat-card", R));
    // The attacker's die and 2 + 2 against the defender's and 3 + 2: of the 36 differences, one less.
    let expected = [
        "battle-ways 36",
        "attacker-drawn 4",
        "attacker-indecisive 6",
        "defender-drawn 11",
        "defender-indecisive 12",
        "defender-major 3",
    ];
    assert_eq!(public(&table), expected);
}

#[test]
fn a_bombardment_and_an_assault_have_their_ways() {
    let before_bristol = |value: u8| {
        json!({ "control": { "royalist": ["worcester"], "parliament": ["bristol", "london"] },
            "generals": { "king-charles-i": "bristol" },
            "brigades": { "king-charles-i": ["byrons", "astleys", "kings-lifeguard", "ruperts-lifeguard"] },
            "sieges": { "bristol": { "marker": "siege", "value": value } } })
    };
    let mut table = at(position("early-1643", "royalist", &before_bristol(4)), "1");
    table.act("card C02; use bombard; bombard king-charles-i");
    assert_eq!(table.offered(), ["assault", "pass"]);
    assert_eq!(public(&table), ["storms-in-36 21"], "three Brigades against nobody: 7 or more on two dice");
}

#[test]
fn y4_odds_of_a_bombardment_are_told_to_its_own_side_alone() {
    let fields = json!({ "control": { "royalist": ["worcester", "york"], "parliament": ["oxford", "london"] },
        "generals": { "king-charles-i": "oxford" }, "brigades": { "king-charles-i": ["byrons", "astleys"] },
        "sieges": { "oxford": { "marker": "blockade", "value": 3 } } });
    let table = at(phase("early-1643", "blockade", &fields), "");
    assert_eq!(table.marker("oxford", "surrender-value"), 7);
    assert_eq!(told(&table.view(R)), ["may-bombard king-charles-i", "surrenders-in-6 3"], "4 or more");
    assert_eq!((told(&table.view(P)), public(&table)), (Vec::new(), Vec::new()));
}

#[test]
fn v6_london_rising_has_its_faces_for_who_holds_the_card() {
    // One infrastructure each, one Brigade inside: a 6 alone is 5 or more.
    let fields = json!({ "with_mid": ["A03"], "control": { "parliament": ["london"], "royalist": ["truro"] },
        "generals": { "hopton": "bedford" },
        "brigades": { "inside-london": ["london-trained-bands"], "hopton": ["stawells"] },
        "hands": { "royalist": ["A03"] } });
    let mut table = at(position("early-1644", "royalist", &fields), "");
    table.act("card A03");
    assert_eq!(told(&table.view(R)), ["rises-in-6 1"]);
    assert_eq!(public(&table), Vec::<String>::new(), "the card is theirs until its use is chosen");
}
