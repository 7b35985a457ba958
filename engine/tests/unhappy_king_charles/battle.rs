//! Battles (10.0, 10.2, B1 to B11), by number.

use serde_json::{Value, json};

use crate::armies::{battle, moving};
use crate::play::{Match, P, R};

/// The King attacks Waller's Army at Salisbury; it is winter 1642.
fn brentford(waller: &str, dice: &str) -> Match {
    let stacks =
        format!("king-charles-i@newbury kings-lifeguard ruperts-lifeguard; waller@salisbury {waller}");
    battle("king-charles-i", "salisbury", &stacks, &json!({ "happened": ["standard", "brentford"] }), dice)
}

/// Hands in which either side might have a Combat Card.
fn hands(royalist: &[&str], parliament: &[&str]) -> Value {
    json!({ "hands": { "royalist": royalist, "parliament": parliament } })
}

rules! {
    #[test]
    fn rule_10_0_a_battle_arises_by_entry_and_ends_the_activation_of_who_does_not_win() {
        let stacks = "hopton@bath hertfords stawells; @devizes pophams; @salisbury western-association western-association";
        let mut won = battle("hopton", "devizes", stacks, &json!({}), "3,3");
        assert!(won.told("battle devizes royalist") && won.told("indecisive_victory royalist devizes"));
        won.act("pass; move newbury");
        let mut drawn = battle("hopton", "salisbury", stacks, &json!({}), "1,4");
        drawn.act("brigade hertfords");
        assert_eq!((drawn.frame().as_str(), drawn.to_act()), ("play", P));
        let mut lost = battle("hopton", "salisbury", stacks, &json!({}), "1,6");
        assert!(lost.told("indecisive_victory parliament salisbury"));
        lost.act("brigade hertfords; move bath; done");
        assert_eq!((lost.frame().as_str(), lost.to_act()), ("play", P));
    }

    #[test]
    fn rule_10_2_losses_are_militia_first_in_a_victory_and_veterans_in_a_decisive_one() {
        let stacks = "waller@newbury ironsides ironsides pophams gells; hopton@salisbury grenviles-cornish ruperts-lifeguard hertfords";
        let mut indecisive = battle("waller", "salisbury", stacks, &json!({}), "2,1");
        assert!(indecisive.told("indecisive_victory parliament salisbury"), "2 + 6 + 2 against 1 + 5 + 2");
        assert_eq!(indecisive.brigades("lost"), ["hertfords"]);
        indecisive.act("move bath; done; pass");

        let mut major = battle("waller", "salisbury", stacks, &json!({}), "6,1");
        assert!(major.told("major_victory parliament salisbury"));
        assert_eq!(major.brigades("lost"), ["hertfords"], "Militia first, then one of the Veterans");
        assert_eq!(major.options("brigade"), ["grenviles-cornish", "ruperts-lifeguard"]);
        major.act("brigade ruperts-lifeguard");
        assert_eq!((major.count("lost"), major.count("waller")), (2, 4), "the winner loses none");
        major.act("move bath; done; pass");

        let card = hands(&[], &["E13"]);
        let mut decisive = moving("waller", 3, stacks, &card, "4,1 e13");
        decisive.act("move salisbury; stand; stand; stand; card E13");
        assert!(decisive.told("decisive_victory parliament salisbury"), "4 + 6 + 2 + 2 against 1 + 5 + 2");
        decisive.act("brigade grenviles-cornish");
        assert_eq!(decisive.brigades("lost"), ["grenviles-cornish", "ruperts-lifeguard"]);
        decisive.act("move bath; done; pass; done");
    }

    #[test]
    fn rule_b1_the_whole_stack_outside_defends() {
        let stacks = "waller@newbury ironsides; hopton@salisbury hertfords; @salisbury stawells berkeleys";
        let mut table = battle("waller", "salisbury", stacks, &json!({}), "1,1");
        assert!(table.told("battle_dice salisbury 1 1 5 6"), "1 + 2 + 2 against 1 + 3 + 2");
        assert_eq!(table.options("from"), ["hopton", "unled-salisbury"], "the loss may be of any of them");
        table.act("from hopton");
    }

    #[test]
    fn rule_b2_each_side_may_play_one_card_and_is_asked_if_it_might_have_one() {
        let stacks = "waller@newbury ironsides; @salisbury hertfords stawells";
        let mut table = moving("waller", 3, stacks, &hands(&["E01"], &["E13", "E16"]), "1,1");
        table.act("move salisbury; stand; stand");
        assert_eq!((table.frame().as_str(), table.to_act(), table.offered()), ("combat-card", P, vec!["card E13".to_owned(), "pass".to_owned()]));
        table.refuses("card E16", "B2");
        table.act("card E13");
        assert!(table.told("combat_card parliament E13"), "face up");
        assert_eq!((table.to_act(), table.offered()), (R, vec!["pass".to_owned()]), "also who has none that fits");
        assert_eq!(table.number_of("plays", Some(P)), 1);
        table.act("pass");
        let mut none = moving("waller", 3, stacks, &json!({}), "3,1");
        none.act("move salisbury; stand; stand");
        assert_ne!(none.frame(), "combat-card", "unplayed Core Cards are no Combat Cards");
    }

    #[test]
    fn rule_b3_die_values_rating_and_card_make_the_score() {
        let stacks = "waller@newbury ironsides pophams; hopton@salisbury grenviles-cornish";
        let mut table = moving("waller", 3, stacks, &hands(&["E16"], &["E15"]), "2,3");
        table.act("move salisbury; stand; stand; stand; card E15; card E16");
        assert!(table.told("battle_dice salisbury 2 3 9 8"), "2 + 3 + 2 + 2 against 3 + 2 + 2 + 1");
        let mut unled = battle("waller", "salisbury", "waller@newbury ironsides; @salisbury hertfords whitecoats", &json!({}), "1,2");
        assert!(unled.told("battle_dice salisbury 1 2 5 5"), "a stack without a General has no rating");
        unled.stand();
    }

    #[test]
    fn rule_b4_brentford_adds_one_after_the_dice_and_makes_no_major_victory() {
        let mut four = brentford("pophams", "4,2");
        assert!(four.told("battle_dice salisbury 4 2 9 5"));
        assert_eq!((four.frame().as_str(), four.offered()), ("brentford", vec!["brentford".to_owned(), "pass".to_owned()]));
        four.act("brentford");
        assert!(four.told("indecisive_victory royalist salisbury"), "a margin of 4 stays one of 4");
        assert!(!four.has_happened("brentford"), "the marker is given up");
        let mut drawn = brentford("ironsides ironsides", "2,3");
        drawn.act("brentford");
        assert!(drawn.told("defender_drawn parliament salisbury"), "7 against 9 would have been a loss");
        let mut saved = brentford("ironsides ironsides", "1,5");
        saved.act("brentford");
        assert!(saved.told("indecisive_victory parliament salisbury"), "6 against 11 would have been a Major Victory");
        let mut kept = brentford("ironsides ironsides", "2,3");
        kept.act("pass");
        assert!(kept.told("indecisive_victory parliament salisbury") && kept.has_happened("brentford"));
        let late = json!({ "turn": "winter-1644", "happened": ["standard", "brentford"] });
        let stacks = "king-charles-i@newbury kings-lifeguard ruperts-lifeguard; waller@salisbury ironsides ironsides";
        assert_ne!(battle("king-charles-i", "salisbury", stacks, &late, "2,3").frame(), "brentford", "not after turn 7");
    }

    #[test]
    fn rule_b5_margins_make_the_result() {
        let stacks = "waller@newbury ironsides; @salisbury whitecoats whitecoats";
        for (script, result) in [("3,3", "defender_drawn royalist"), ("2,3", "defender_drawn royalist"), ("3,2", "attacker_drawn parliament"),
            ("4,2", "indecisive_victory parliament"), ("5,1", "indecisive_victory parliament"), ("6,1", "major_victory parliament"),
            ("2,4", "indecisive_victory royalist"), ("1,5", "indecisive_victory royalist"), ("1,6,e02", "major_victory royalist")] {
            let table = battle("waller", "salisbury", stacks, &json!({}), script);
            assert!(table.told(&format!("{result} salisbury")), "{script}, 2 + 2 against 4");
        }
        let mut decisive = moving("waller", 3, stacks, &hands(&[], &["E13"]), "5,2,e13");
        decisive.act("move salisbury; stand; stand; card E13");
        assert!(decisive.told("decisive_victory parliament salisbury"), "five ahead with the card");
        decisive.act("pass");
        let mut beaten = moving("waller", 3, stacks, &hands(&[], &["E13"]), "1,6");
        beaten.act("move salisbury; stand; stand; card E13");
        assert!(beaten.told("indecisive_victory royalist salisbury"), "the winner did not play it");
    }

    #[test]
    fn rule_b6_a_draw_costs_each_side_a_veteran_if_it_has_one() {
        let stacks = "waller@newbury ironsides pophams; hopton@salisbury grenviles-cornish ruperts-lifeguard hertfords; @lyme stawells";
        let mut table = battle("waller", "salisbury", stacks, &json!({}), "3,1");
        assert!(table.told("defender_drawn royalist salisbury"), "3 + 3 + 2 against 1 + 5 + 2");
        assert_eq!(table.brigades("lost"), ["ironsides"]);
        assert_eq!((table.to_act(), table.options("brigade")), (R, vec!["grenviles-cornish".to_owned(), "ruperts-lifeguard".to_owned()]));
        table.act("brigade ruperts-lifeguard");
        assert_eq!(table.brigades("lost"), ["ironsides", "ruperts-lifeguard"], "for good");
        let mut ahead = battle("waller", "salisbury", stacks, &json!({}), "4,1");
        assert!(ahead.told("attacker_drawn parliament salisbury"), "one ahead");
        ahead.act("brigade ruperts-lifeguard");
    }

    #[test]
    fn rule_b8_who_loses_the_last_brigade_in_battle_surrenders() {
        let stacks = "waller@newbury ironsides; king-charles-i@salisbury kings-lifeguard";
        let table = battle("waller", "salisbury", stacks, &json!({}), "2,3");
        assert!(table.told("defender_drawn royalist salisbury"), "2 + 2 + 2 against 3 + 2 + 1");
        assert_eq!(table.result().expect("the King is taken").code, "king_surrenders");
        let with = "waller@newbury ironsides; king-charles-i@salisbury kings-lifeguard; byron@under-king-charles-i byrons";
        let saved = battle("waller", "salisbury", with, &json!({}), "2,2");
        assert!(saved.told("defender_drawn royalist salisbury"));
        assert!(saved.result().is_none() && saved.whereabouts("king-charles-i") == "salisbury", "a Subordinate has one");
        assert_eq!(saved.whereabouts("waller"), "unemployed-parliament");
    }

    #[test]
    fn rule_b9_after_a_defender_drawn_battle_the_attacker_goes_back() {
        let stacks = "waller@newbury ironsides pophams; hopton@salisbury grenviles-cornish hertfords";
        let more = json!({ "control": { "royalist": ["newbury"] } });
        let table = battle("waller", "salisbury", stacks, &more, "2,2");
        assert!(table.told("defender_drawn royalist salisbury"), "2 + 3 + 2 against 2 + 3 + 2");
        assert_eq!((table.whereabouts("waller"), table.count("waller")), ("newbury".into(), 1), "no Retreat, and no loss for the marker");
        assert_eq!((table.frame().as_str(), table.to_act()), ("play", R), "the Activation is over");
        let sortie = "king-charles-i@inside-york kings-lifeguard byrons; lord-fairfax@york cloth-towns-militias gells";
        let mut inside = moving("king-charles-i", 3, sortie, &json!({ "control": { "royalist": ["york"] } }), "1,2");
        inside.stand();
        assert!(inside.told("defender_drawn parliament york"), "1 + 3 + 1 against 2 + 2 + 1");
        inside.act("brigade gells");
        assert_eq!(inside.whereabouts("king-charles-i"), "inside-york");
    }

    #[test]
    fn rule_b9_an_army_that_left_its_fortress_past_enemies_is_back_inside() {
        let stacks = "newcastle@inside-newcastle widdringtons wilmots; lord-fairfax@hexham cloth-towns-militias; @newcastle gells";
        let more = json!({ "control": { "royalist": ["newcastle"] } });
        let mut table = battle("newcastle", "hexham", stacks, &more, "2,3");
        assert!(table.told("defender_drawn parliament hexham"));
        table.act("brigade wilmots");
        assert_eq!(table.whereabouts("newcastle"), "inside-newcastle", "Parliament's Brigade stands outside");
        assert_eq!((table.frame().as_str(), table.to_act()), ("play", P), "the Activation is over");
    }

    #[test]
    fn rule_b10_after_an_attacker_drawn_battle_the_defender_retreats() {
        let stacks = "waller@newbury ironsides pophams; hopton@salisbury grenviles-cornish hertfords";
        let mut table = battle("waller", "salisbury", stacks, &json!({}), "3,2");
        assert!(table.told("attacker_drawn parliament salisbury"));
        assert_eq!((table.frame().as_str(), table.to_act()), ("retreat", R));
        table.act("move bath; done");
        assert_eq!((table.whereabouts("hopton"), table.whereabouts("waller")), ("bath".into(), "salisbury".into()));
        assert_eq!((table.frame().as_str(), table.to_act()), ("play", R), "neither spoils nor more moves");
    }

    #[test]
    fn rule_b11_after_the_dice_the_attacker_s_loss_the_defender_s_and_what_follows() {
        let stacks = "waller@newbury pophams gells; hopton@salisbury hertfords stawells";
        let mut drawn = battle("waller", "salisbury", stacks, &json!({}), "2,2");
        assert_eq!((drawn.frame().as_str(), drawn.to_act()), ("battle-loss", P), "the attacker's first");
        drawn.act("brigade gells");
        assert_eq!((drawn.frame().as_str(), drawn.to_act()), ("battle-loss", R));
        drawn.act("brigade stawells");
        let strong = "waller@newbury ironsides ironsides skippons; hopton@salisbury grenviles-cornish ruperts-lifeguard hertfords";
        let more = json!({ "turn": "early-1644", "discard": ["E20"] });
        let mut won = battle("waller", "salisbury", strong, &more, "6,1 e20");
        let mut steps = Vec::new();
        while won.frame() != "activation" {
            steps.push(won.frame());
            let action = won.offered().remove(0);
            won.act(&action);
        }
        steps.dedup();
        assert_eq!(steps, ["battle-loss", "retreat", "turncoat", "spoils"], "then the cards, and the Activation goes on");
        let facts = won.news();
        let at = |fact: &str| facts.iter().position(|one| one.starts_with(fact)).unwrap_or_else(|| panic!("{fact}: {facts:?}"));
        assert!(at("battle_loss") < at("retreats") && at("retreats") < at("turncoat") && at("turncoat") < at("battle_over"));
    }
}
