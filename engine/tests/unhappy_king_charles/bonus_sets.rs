//! Bonus sets (10.7, 10.8, B15 to B18), by number.

use serde_json::json;

use crate::armies::{activated, armies, battle, moving};
use crate::play::{P, R, at, merged, position};

rules! {
    #[test]
    fn rule_b15_one_card_for_a_major_and_two_for_a_decisive_victory() {
        let stacks = "hopton@newbury grenviles-cornish ruperts-lifeguard; @salisbury pophams";
        let mut major = battle("hopton", "salisbury", stacks, &json!({}), "6,1 e02");
        assert!(major.told("major_victory royalist salisbury"));
        major.act("pass; done");
        assert_eq!((major.to_act(), major.options("card")), (R, vec!["E02".to_owned()]), "from the deck");
        let decisive = json!({ "hands": { "royalist": ["E13"] } });
        let mut two = moving("hopton", 3, stacks, &decisive, "6,1 e02,e03");
        two.act("move salisbury; stand; stand; card E13; pass; done");
        assert_eq!(two.options("card"), ["E02", "E03"]);
        let beaten = "hopton@newbury hertfords stawells; @salisbury ironsides ironsides";
        let pile = json!({ "discard": ["E20", "E21"] });
        let mut unled = battle("hopton", "salisbury", beaten, &pile, "1,6 e21");
        assert!(unled.told("major_victory parliament salisbury"), "1 + 2 + 2 against 6 + 4");
        unled.act("brigade hertfords");
        assert_eq!((unled.to_act(), unled.options("card")), (P, vec!["E21".to_owned()]), "an unled stack too, from the discard pile");
        let mut empty = battle("hopton", "salisbury", beaten, &json!({}), "1,6");
        empty.act("brigade hertfords");
        assert_eq!((empty.frame().as_str(), empty.to_act()), ("play", P), "what is missing is lost: the next card of the Turn is due");
        assert_eq!(empty.options("card"), ["C03", "C04"]);
    }

    #[test]
    fn rule_b16_a_set_is_played_when_the_activation_is_complete_and_counts_for_nothing() {
        let stacks = "hopton@newbury grenviles-cornish ruperts-lifeguard; @salisbury pophams; @bath gells";
        let mut table = battle("hopton", "salisbury", stacks, &json!({}), "6,1 e13 1,3");
        table.act("pass");
        assert_eq!(table.frame(), "activation", "first the Activation");
        table.act("move bath").stand();
        assert!(table.told("indecisive_victory royalist bath"), "1 + 4 + 2 against 3 + 1");
        table.act("pass; done");
        assert_eq!((table.frame().as_str(), table.to_act(), table.options("card")), ("play", R, vec!["E13".to_owned()]));
        assert!(!table.offers("pass"), "each card is played");
        table.act("card E13; use discard");
        assert_eq!((table.number_of("plays", Some(R)), table.to_act()), (0, P), "no play of the six; Parliament is next");

        let sets = json!({ "sets": [{ "seat": "royalist", "cards": ["E06", "E13"] }] });
        let place = merged(merged(position("early-1643", "royalist", &json!({})), &armies(stacks)), &sets);
        let mut combat = at(place, "1,1");
        combat.act("card E06; use activate; activate hopton; move salisbury; stand; stand");
        assert_eq!(combat.frame(), "combat-card", "Combat Cards of the set serve in Battles meanwhile");
        combat.act("card E13");
        assert!(combat.told("decisive_victory royalist salisbury"), "1 + 4 + 2 + 2 against 1 + 1");
    }

    #[test]
    fn rule_b17_sets_are_played_in_the_order_in_which_they_were_won() {
        let sets = json!({ "sets": [{ "seat": "parliament", "cards": ["E30"] }, { "seat": "royalist", "cards": ["E25"] }] });
        let mut table = at(merged(position("early-1643", "royalist", &json!({})), &sets), "");
        assert_eq!((table.to_act(), table.options("card")), (P, vec!["E30".to_owned()]), "whoever owns them");
        table.act("card E30; use discard");
        assert_eq!((table.to_act(), table.options("card")), (R, vec!["E25".to_owned()]));
        table.act("card E25; use discard");
        assert_eq!((table.to_act(), table.options("card")), (R, vec!["C01".to_owned(), "C02".to_owned()]), "the Turn goes on where it was");
    }

    #[test]
    fn rule_k4_a_bonus_card_between_two_activations_is_a_card_of_its_own() {
        let stacks = "hopton@newbury grenviles-cornish ruperts-lifeguard; byron@under-hopton byrons; @salisbury pophams; goring@chester wilmots";
        let hands = json!({ "hands": { "royalist": ["E10"] } });
        let mut table = at(merged(merged(position("early-1643", "royalist", &json!({})), &armies(stacks)), &hands), "6,1 e06");
        table.act("card E10; use campaign; activate hopton; move salisbury").stand();
        assert!(table.told("major_victory royalist salisbury"));
        table.act("pass; done; card E06; use activate");
        assert_eq!(table.options("activate"), ["byron", "goring", "hopton"], "by another card they may move again");
        table.act("activate goring; move preston; done");
        assert_eq!((table.frame().as_str(), table.to_act()), ("campaigning", R), "the Campaign goes on");
        assert_eq!(table.options("activate"), ["goring"], "Byron's Brigade has moved on this card, Goring's on another");
    }

    #[test]
    fn rule_b18_sets_of_a_mandatory_card_s_battles_are_played_when_it_is_done() {
        let hands = json!({ "hands": { "royalist": ["X02"] } });
        let place = merged(merged(position("early-1644", "royalist", &json!({})), &armies("@berwick hertfords stawells")), &hands);
        let mut table = at(place, "6,1 e20");
        table.act("card X02; use event; at berwick").stand();
        table.act("brigade hertfords");
        assert!(table.told("major_victory parliament berwick"), "6 + 7 + 2 against 1 + 2");
        table.act("pass; done");
        assert_eq!((table.frame().as_str(), table.to_act(), table.options("card")), ("play", P, vec!["E20".to_owned()]));
        table.act("card E20; use discard");
        assert_eq!((table.frame().as_str(), table.to_act()), ("recruitment", R), "before the Royalist recruits");
    }
}

/// 10.8: two Major Victories by different sides in one Activation; a Campaign card in the first set, whose Battle wins a third.
#[test]
fn sets_within_sets() {
    let stacks = "hopton@newbury grenviles-cornish ruperts-lifeguard; @salisbury pophams; \
        waller@winchester ironsides ironsides skippons; byron@chester byrons tyldesleys; @preston hothams";
    let more = json!({ "discard": ["E20", "E21"] });
    let mut table = at(activated("hopton", 3, stacks, &more), "6,1 e10 4 1,6 e21 6,1 e11");
    table.act("move salisbury").stand();
    assert!(table.told("major_victory royalist salisbury"));
    table.act("pass; move poole");
    assert_eq!((table.frame().as_str(), table.to_act()), ("interception", P));
    table.act("intercept waller").stand();
    assert!(table.told("major_victory parliament poole"), "1 + 4 + 2 against 6 + 6 + 2");
    table.act("brigade ruperts-lifeguard; pass");
    assert_eq!(
        (table.to_act(), table.options("card")),
        (R, vec!["E10".to_owned()]),
        "the first set: a Minor Campaign"
    );
    table.act("card E10; use campaign; activate byron; move preston").stand();
    assert!(table.told("major_victory royalist preston"), "6 + 2 + 1 against 1 + 1");
    table.act("pass; done");
    assert_eq!(
        (table.to_act(), table.options("card")),
        (P, vec!["E21".to_owned()]),
        "the second set comes before the third"
    );
    table.act("card E21; use discard");
    assert_eq!((table.to_act(), table.options("card")), (R, vec!["E11".to_owned()]), "the third set");
    table.act("card E11; use discard");
    assert_eq!(
        (table.to_act(), table.options("card")),
        (P, vec!["C03".to_owned(), "C04".to_owned()]),
        "and Parliament is next in the Turn"
    );
}
