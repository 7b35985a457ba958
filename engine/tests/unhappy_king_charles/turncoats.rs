//! Spoils and turncoats (10.5, 10.6, B12 to B14), by number.

use serde_json::{Value, json};

use crate::armies::battle;
use crate::play::{P, R};

/// In the first Turn with turncoats, with a card for Parliament to draw.
fn of_1644() -> Value {
    json!({ "turn": "early-1644", "discard": ["E20"] })
}

rules! {
    #[test]
    fn rule_b12_a_winning_army_may_place_a_marker_outside_fortresses() {
        let stacks = "waller@newbury ironsides ironsides; hopton@salisbury hertfords stawells";
        let more = json!({ "control": { "royalist": ["salisbury"] } });
        let mut table = battle("waller", "salisbury", stacks, &more, "4,2");
        table.act("brigade hertfords; move bath; done");
        assert_eq!((table.frame().as_str(), table.to_act(), table.offered()), ("spoils", P, vec!["pc".to_owned(), "pass".to_owned()]));
        table.act("pc");
        assert_eq!(table.control("salisbury"), "parliament");
        let defended = "waller@newbury pophams gells; hopton@salisbury grenviles-cornish ruperts-lifeguard";
        let mut defender = battle("waller", "salisbury", defended, &json!({}), "2,3");
        defender.act("brigade gells; move newbury; done");
        assert_eq!((defender.frame().as_str(), defender.to_act()), ("spoils", R), "the defender's, too");
        defender.act("pc");
        let unled = "waller@newbury pophams gells; @salisbury grenviles-cornish ruperts-lifeguard";
        let mut bare = battle("waller", "salisbury", unled, &json!({}), "2,5");
        assert!(bare.told("indecisive_victory royalist salisbury"), "2 + 2 + 2 against 5 + 4");
        bare.act("brigade gells; move newbury; done");
        assert_ne!(bare.frame(), "spoils", "unled winners place none");
        let fortress = "waller@newbury ironsides ironsides; hopton@oxford hertfords stawells";
        let mut oxford = battle("waller", "oxford", fortress, &json!({}), "4,2");
        oxford.act("brigade hertfords; move warwick; done");
        assert_ne!(oxford.frame(), "spoils");
    }

    #[test]
    fn rule_b13_from_1644_on_a_winner_takes_one_of_those_who_fell() {
        let strong = "waller@newbury ironsides ironsides skippons; hopton@salisbury grenviles-cornish ruperts-lifeguard berkeleys";
        let more = json!({ "turn": "early-1644", "discard": ["E20"], "control": { "parliament": ["bath"] } });
        let mut won = battle("waller", "salisbury", strong, &more, "6,1 e20");
        assert!(won.told("major_victory parliament salisbury"), "6 + 6 + 2 against 1 + 5 + 2");
        won.act("brigade ruperts-lifeguard; move bath");
        assert_eq!((won.frame().as_str(), won.to_act()), ("turncoat", P));
        assert_eq!(won.options("brigade"), ["berkeleys", "ruperts-lifeguard"], "not who was lost on the Retreat");
        won.act("brigade ruperts-lifeguard");
        assert_eq!(won.brigades("waller"), ["ironsides", "ironsides", "ruperts-lifeguard", "skippons"]);
        won.act("pass; done");
        let early = json!({ "turn": "early-1643", "discard": ["E20"] });
        let mut before = battle("waller", "salisbury", strong, &early, "6,1 e20");
        before.act("brigade ruperts-lifeguard; move bath; done");
        assert_eq!(before.frame(), "spoils", "not before 1644");
        before.act("pass");
        let irish = "waller@newbury ironsides ironsides skippons; @salisbury irish irish";
        let mut none = battle("waller", "salisbury", irish, &of_1644(), "6,1 e20");
        assert_eq!(none.frame(), "spoils", "the Irish don't turn");
        none.act("pass");
    }

    #[test]
    fn rule_b14_foreign_commanders_take_no_turncoats() {
        let stacks = "leven@newbury covenanter-veterans-levens covenanter-veterans-levens covenanter-levens; @salisbury hertfords stawells";
        let mut table = battle("leven", "salisbury", stacks, &of_1644(), "4,1 e20");
        assert!(table.told("major_victory parliament salisbury"), "4 + 5 + 2 against 1 + 2");
        table.act("brigade hertfords");
        assert_eq!(table.frame(), "spoils");
        table.act("pass");
    }
}
