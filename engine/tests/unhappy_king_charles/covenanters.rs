//! Covenanters who enter and leave (6.5, MC5, MC6, MC9, MC27), by number.

use serde_json::json;

use crate::armies::{armies, moving};
use crate::play::{Match, P, R, at, merged, position};

/// Parliament, or whoever it is, plays the Solemn League, with these stacks on the map.
fn league(side: &str, stacks: &str, script: &str) -> Match {
    let hands = json!({ "hands": { side: ["X02"] } });
    let mut table =
        at(merged(merged(position("early-1644", side, &json!({})), &armies(stacks)), &hands), script);
    table.act("card X02; use event");
    table
}

rules! {
    #[test]
    fn rule_mc5_leven_enters_with_five_brigades_whoever_played_the_card() {
        let mut table = league("royalist", "newcastle@hexham whitecoats", "3");
        assert_eq!((table.to_act(), table.options("at")), (P, vec!["berwick".to_owned(), "carlisle".to_owned()]));
        table.refuses("at york", "MC5");
        table.act("at carlisle");
        assert_eq!((table.whereabouts("leven"), table.count("leven")), ("carlisle".into(), 5));
        assert_eq!((table.frame().as_str(), table.to_act(), table.spent()), ("interception", R, 0), "an entry, for no MP");
        table.act("intercept newcastle");
        assert!(table.told("interception_fails newcastle 3 3"));
        table.act("move appleby");
        assert_eq!(table.spent(), 1, "no card limits its size");
    }

    #[test]
    fn rule_mc6_after_a_battle_of_the_entry_that_is_not_won_they_are_off_the_map() {
        let mut table = league("parliament", "@berwick whitecoats whitecoats kings-lifeguard digbys-horse", "1,2");
        table.act("at berwick").stand();
        assert!(table.told("defender_drawn royalist berwick"), "1 + 7 + 2 against 2 + 8");
        table.act("brigade kings-lifeguard");
        assert_eq!(table.whereabouts("leven"), "off-map");
    }

    #[test]
    fn rule_mc9_a_covenanter_army_leaves_the_map_for_good() {
        let stacks = "leven@berwick covenanter-levens covenanter-levens; waller@hexham pophams";
        let mut table = moving("leven", 3, stacks, &json!({}), "");
        table.act("move off-map");
        assert_eq!((table.whereabouts("leven"), table.brigades("out")), ("out".into(), vec!["covenanter-levens".to_owned(); 2]));
        let mixed = "leven@berwick covenanter-levens pophams";
        moving("leven", 3, mixed, &json!({}), "").refuses("move off-map", "MC9");
        let waller = "leven@berwick covenanter-levens; waller@under-leven pophams";
        let mut leaves = moving("leven", 3, waller, &json!({}), "");
        leaves.refuses("move off-map", "MC9");
        leaves.act("leave waller; move off-map");
        let far = "leven@hexham covenanter-levens";
        let mut last = moving("leven", 3, far, &json!({}), "");
        last.refuses("move off-map", "MC9");
        let spent = json!({ "activation": { "general": "leven", "card": 3, "spent": 4, "path": ["newcastle", "berwick"] } });
        moving("leven", 3, "leven@berwick covenanter-levens", &spent, "").refuses("move off-map", "AC5");
    }

    #[test]
    fn rule_mc27_no_entry_where_an_own_army_stands_that_can_t_be_joined() {
        let mut one = league("parliament", "essex@carlisle fiennes", "");
        assert_eq!(one.options("at"), ["berwick"], "Essex and Leven are of one level");
        one.act("at berwick");
        let mut none = league("parliament", "essex@carlisle fiennes; lord-general-tom-fairfax@berwick assheton", "");
        assert!(none.told("entry_waits leven") && none.has_happened("league"));
        assert_eq!((none.whereabouts("leven"), none.to_act()), ("off-map".into(), R));
        none.stand();
    }
}
