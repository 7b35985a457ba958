//! Movement, Subordination, Interception, Evasion and Battles (8.4 to 10.6).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{expected, number, rests_on_reconstructed_lines};
use crate::armies::{activated, battle, moving};
use crate::play::{Match, P, R, at, merged};

/// The id of a name.
fn id(name: &str) -> String {
    name.to_lowercase().replace(' ', "-").replace(['(', ')'], "")
}

/// The values of Brigades at a place, the greatest first.
fn values(table: &Match, at: &str) -> Value {
    let content = crate::built_in::content();
    let value = |face: &String| content.faces.iter().find(|one| one.named.id == *face).expect("a face").value;
    let mut values: Vec<u8> = table.brigades(at).iter().map(value).collect();
    values.sort_unstable_by(|one, other| other.cmp(one));
    json!(values)
}

/// Waller with two Brigades, who has spent this much, where two more lie.
fn waller(spent: u8) -> Match {
    let stacks = "waller@salisbury pophams gells; @salisbury fiennes assheton";
    let more = json!({ "activation": { "general": "waller", "card": 3, "spent": spent, "path": ["newbury", "salisbury"] } });
    moving("waller", 3, stacks, &more, "")
}

#[test]
fn r10_king_and_newcastle_together() {
    let royal = "kings-lifeguard ruperts-lifeguard astleys wilmots byrons";
    for (north, legal) in [
        ("whitecoats whitecoats widdringtons glemhams saviles", false),
        ("whitecoats whitecoats widdringtons glemhams", true),
    ] {
        let stacks = format!("newcastle@york {north}; king-charles-i@wakefield {royal}");
        let mut table = moving("newcastle", 3, &stacks, &json!({}), "");
        table.act("move wakefield");
        assert_eq!(table.offers("join king-charles-i"), legal, "{north}");
    }
    assert_eq!((&expected("R10")["legal"], number(&expected("R10")["legal_up_to"])), (&json!(false), 9));
}

#[test]
fn r11_the_allowance_falls_on_a_pick_up() {
    let stacks = "waller@salisbury pophams gells hothams; @salisbury fiennes";
    let more = json!({ "activation": { "general": "waller", "card": 3, "spent": 2, "path": ["newbury", "salisbury"] } });
    let mut table = moving("waller", 3, stacks, &more, "");
    table.act("from unled-salisbury; move bath");
    assert_eq!(
        number(&expected("R11")["allowance_after"]) as i32 - 2,
        number(&expected("R11")["mp_left"]) as i32
    );
    assert_eq!(table.spent(), 3, "one point was left");
    table.refuses("move taunton", "AC5");
}

#[test]
fn r12_and_r13_waller_picks_up() {
    for spent in [3, 4] {
        let mut table = waller(spent);
        table.act("from unled-salisbury; brigade fiennes; from unled-salisbury");
        assert_eq!(table.count("waller"), number(&expected("R12")["brigades"]));
        table.refuses("move bath", "AC5");
    }
    assert_eq!(
        (&expected("R12")["further_move"], &expected("R13")["legal"]),
        (&json!("refused"), &json!(true))
    );
}

#[test]
fn r14_two_generals_join_leven_before_york() {
    let stacks = "leven@york covenanter-levens covenanter-levens covenanter-levens covenanter-veterans-levens covenanter-veterans-levens; \
        manchester@hull ironsides ironsides; tom-fairfax-north@wakefield hothams fairfaxs-horse";
    let fields = json!({ "control": { "royalist": ["york"], "parliament": ["hull"] }, "hands": { "parliament": ["E06", "E07"] }, "on_turn": "parliament",
        "passed": ["royalist"] });
    let mut place = merged(activated("manchester", 3, stacks, &json!({})), &fields);
    place.as_object_mut().expect("fields").remove("activation");
    let mut table = at(place, "");
    table.act("card E06; use activate; activate manchester; move york; done");
    table.act("card E07; use activate; activate tom-fairfax-north; move york; done");
    let expected = expected("R14");
    let commander = id(expected["commander"].as_str().expect("a name"));
    for (name, count) in expected["brigades_by_display"].as_object().expect("displays") {
        assert_eq!(table.count(&id(name)), number(count), "{name}");
        assert_eq!(
            table.whereabouts(&id(name)),
            if id(name) == commander { "york".to_owned() } else { commander.clone() }
        );
    }
}

#[test]
fn r15_bedford_moves_and_hopton_may_intercept() {
    rests_on_reconstructed_lines("R15");
    let stacks = |from: &str| {
        format!(
            "bedford@{from} pophams hesilriggs-lobsters; hopton@taunton grenviles-cornish ruperts-lifeguard; @bath stawells; @exeter skippons"
        )
    };
    for (from, to, name) in [("lyme", "exeter", "exeter"), ("exeter", "barnstaple", "barnstaple")] {
        let mut table = moving("bedford", 3, &stacks(from), &json!({}), "");
        table.act(&format!("move {to}"));
        assert_eq!(
            (expected("R15")[name].as_str(), table.options("intercept")),
            (Some("Interception offered"), vec!["hopton".to_owned()])
        );
        table.act("pass");
    }
    let mut bath = moving("bedford", 3, &stacks("bristol"), &json!({}), "");
    bath.act("move bath");
    assert_eq!(bath.frame(), "dispersal", "{}", expected("R15")["bath"]);
    bath.act("disperse; pass");
    let mut exeter = moving("bedford", 3, &stacks("lyme"), &json!({}), "4 1,1");
    exeter.act("move exeter; intercept hopton").stand();
    assert!(
        exeter.told("battle_dice exeter 1 1 3 7"),
        "Skippon's take no part: {}",
        expected("R15")["if_intercepted_in_exeter"]
    );
    exeter.act("brigade pophams; move lyme; done; pass");
    assert_eq!((exeter.whereabouts("hopton"), exeter.count("bedford")), ("taunton".into(), 1));
}

#[test]
fn r16_lord_fairfax_evades_the_king() {
    rests_on_reconstructed_lines("R16");
    let stacks = "lord-fairfax@wakefield cloth-towns-militias; king-charles-i@york kings-lifeguard";
    let derby = json!({ "control": { "royalist": ["preston"] }, "notables": { "earl-of-derby": "in-play" } });
    let first = |stacks: &str| {
        let mut table = moving("king-charles-i", 3, stacks, &derby, "5");
        table.act("move wakefield; evade");
        assert!(table.told("evasion_succeeds lord-fairfax 5 4"), "3 against 2");
        table
    };
    let mut ends = BTreeSet::new();
    for step in first(stacks).options("move") {
        let mut table = first(stacks);
        table.act(&format!("move {step}"));
        ends.extend(table.options("move"));
        ends.insert(step);
    }
    let here = &expected("R16")["on_this_map_without_other_royalist_brigades"];
    let names = here.as_array().expect("Areas").iter().map(|name| id(name.as_str().expect("a name")));
    assert_eq!(ends, names.collect(), "neither York nor Shrewsbury");
    let mut guarded = first(&format!("{stacks}; earl-of-derby tyldesleys"));
    guarded.act("move skipton").refuses("move preston", "EV4");
}

#[test]
fn c01_indecisive_victory() {
    let stacks = "prince-rupert@newbury kings-lifeguard hertfords stawells; poyntz@salisbury ironsides ironsides gells";
    let mut table = battle("prince-rupert", "salisbury", stacks, &json!({}), "4,1");
    let expected = expected("C01");
    assert!(
        table.told(&format!("battle_dice salisbury 4 1 {} {}", expected["totals"][0], expected["totals"][1]))
    );
    assert!(table.told("indecisive_victory royalist salisbury"));
    assert_eq!(
        (values(&table, "prince-rupert"), values(&table, "poyntz")),
        (expected["left"]["attacker"].clone(), expected["left"]["defender"].clone())
    );
    table.refuses("done", "RT1").act("move bath; move taunton; pass; done");
    assert_eq!(table.to_act(), P, "no cards were drawn");
}

#[test]
fn c02_attacker_drawn_battle() {
    let stacks = "waller@newbury ironsides gells; byron@salisbury kings-lifeguard hertfords stawells";
    let mut table = battle("waller", "salisbury", stacks, &json!({}), "3,2");
    let expected = expected("C02");
    assert!(
        table.told(&format!("battle_dice salisbury 3 2 {} {}", expected["totals"][0], expected["totals"][1]))
    );
    assert!(table.told("attacker_drawn parliament salisbury"));
    assert_eq!(
        (values(&table, "waller"), values(&table, "byron")),
        (expected["left"]["attacker"].clone(), expected["left"]["defender"].clone())
    );
    table.act_as(R, "move bath; done");
    assert_eq!(
        (table.frame().as_str(), table.to_act()),
        ("play", R),
        "no spoils, and the Activation is over"
    );
}

#[test]
fn c03_decisive_victory_and_turncoat() {
    let stacks = "lord-general-tom-fairfax@newbury ironsides ironsides skippons gells; byron@salisbury kings-lifeguard ruperts-lifeguard hertfords stawells";
    let more = json!({ "turn": "late-1644", "hands": { "parliament": ["E13"], "royalist": ["E14"] } });
    let mut table = moving("lord-general-tom-fairfax", 3, stacks, &more, "5,3 e13,e14");
    table.act("move salisbury; stand; stand; stand; card E13; card E14");
    let expected = expected("C03");
    assert!(
        table.told(&format!("battle_dice salisbury 5 3 {} {}", expected["totals"][0], expected["totals"][1]))
    );
    assert!(table.told("decisive_victory parliament salisbury"));
    table.act("brigade kings-lifeguard");
    assert_eq!(
        (values(&table, "lost"), values(&table, "byron")),
        (expected["loss"]["defender"].clone(), expected["left"]["defender"].clone())
    );
    table.act("move bath; done");
    assert_eq!(table.options("brigade"), ["kings-lifeguard", "ruperts-lifeguard"]);
    table.act("brigade kings-lifeguard; pass");
    assert_eq!(table.count("lord-general-tom-fairfax"), 5);
    table.act("done");
    assert_eq!(table.options("card").len(), number(&expected["cards_drawn"]["n"]));
}

#[test]
fn c04_a_drawn_battle_takes_the_king() {
    let stacks = "poyntz@newbury gells assheton fiennes; king-charles-i@salisbury kings-lifeguard";
    let mut table = battle("poyntz", "salisbury", stacks, &json!({}), "4,5");
    let expected = expected("C04");
    assert!(
        table.told(&format!("battle_dice salisbury 4 5 {} {}", expected["totals"][0], expected["totals"][1]))
    );
    table.act_as(P, "brigade gells");
    assert!(table.told("defender_drawn royalist salisbury"));
    assert_eq!(
        table.result().expect("the match is over").code,
        "king_surrenders",
        "{}",
        expected["game_over"]
    );
}

#[test]
fn c05_evasion_modifiers() {
    let stacks = "newcastle@wakefield whitecoats whitecoats glemhams saviles; waller@macclesfield pophams";
    for (die, score, code) in [(6, 4, "evasion_succeeds"), (5, 3, "evasion_fails")] {
        let mut table = moving("waller", 3, stacks, &json!({}), &die.to_string());
        table.act("move wakefield; evade");
        assert!(table.told(&format!("{code} newcastle {die} {score}")));
        assert_eq!(expected("C05")["modifier"], json!(score - die));
        if score > 3 {
            table.act("move skipton");
            assert_eq!(table.frame(), "activation", "one Area");
        }
    }
}

#[test]
fn c06_interception_modifiers() {
    let stacks = "essex@sheffield pophams; hopton@macclesfield hertfords";
    for (die, code) in [(4, "interception_succeeds"), (3, "interception_fails")] {
        let mut table = moving("essex", 3, stacks, &json!({}), &die.to_string());
        table.act("move wakefield; intercept hopton");
        let score = die + number(&expected("C06")["modifier"]) as i32;
        assert!(table.told(&format!("{code} hopton {die} {score}")));
        if die == 3 {
            table.act("move sheffield");
            assert_eq!(table.frame(), "activation", "no further try in this Activation");
        }
    }
}
