//! Generals who are Activated to move (9.0, 9.1, AC1 to AC4, AC18), by number.

use serde_json::{Value, json};

use crate::armies::{armies, moving};
use crate::play::{Match, P, at, merged, position};

/// A card play of a side with these stacks on the map.
fn playing(side: &str, stacks: &str, more: &Value) -> Match {
    at(merged(merged(position("early-1643", side, &json!({})), &armies(stacks)), more), "")
}

rules! {
    #[test]
    fn rule_ac1_commanders_with_their_army_and_subordinates_to_leave() {
        let stacks = "king-charles-i@oxford kings-lifeguard ruperts-lifeguard byrons; hopton@under-king-charles-i hertfords; \
            waller@winchester pophams";
        let mut table = playing("royalist", stacks, &json!({}));
        table.act("card C02; use activate");
        assert_eq!(table.options("activate"), ["hopton", "king-charles-i"]);
        table.refuses("activate waller", "AC1");
        table.act("activate hopton; move newbury; done");
        assert_eq!((table.whereabouts("hopton"), table.whereabouts("king-charles-i")), ("newbury".into(), "oxford".into()));
    }

    #[test]
    fn rule_ac2_by_a_small_card_no_army_comes_to_five_brigades() {
        let stacks = "essex@bedford fiennes assheton eastern-association; @bedford ironsides ironsides; bedford@huntingdon pophams \
            hesilriggs-lobsters; lord-fairfax@northampton hothams";
        let mut table = moving("essex", 2, stacks, &json!({}), "");
        table.act("from unled-bedford; brigade ironsides");
        assert_eq!(table.count("essex"), 4);
        assert!(!table.offers("from unled-bedford"), "it would be five");
        table.act("move huntingdon");
        table.refuses("join bedford", "AC2");
        assert_eq!(moving("essex", 3, stacks, &json!({}), "").act("from unled-bedford; brigade ironsides").options("from"), ["unled-bedford"]);
        let turncoat = json!({ "turn": "early-1644", "discard": ["E20"] });
        let beaten = "essex@bedford ironsides ironsides wallers-horse skippons; @northampton byrons";
        let mut small = moving("essex", 2, beaten, &turncoat, "6,1,e20");
        small.act("move northampton").stand();
        assert_eq!(small.frame(), "spoils", "a turncoat would be the fifth");
        small.act("pass");
    }

    #[test]
    fn rule_ac4_from_a_masked_fortress_the_commander_alone_and_only_to_sortie() {
        let stacks = "king-charles-i@inside-york kings-lifeguard whitecoats; byron@under-king-charles-i byrons; \
            lord-fairfax@york cloth-towns-militias";
        let york = json!({ "control": { "royalist": ["york"] } });
        let mut table = playing("royalist", stacks, &york);
        table.act("card C02; use activate");
        table.refuses("activate byron", "AC4");
        table.act("activate king-charles-i");
        assert_eq!((table.frame().as_str(), table.to_act()), ("evasion", P), "the Army attacks at once");
        let open = stacks.replace("lord-fairfax@york", "lord-fairfax@skipton");
        let mut free = playing("royalist", &open, &york);
        free.act("card C02; use activate; activate byron; move hull; done");
        assert_eq!(free.whereabouts("byron"), "hull", "as from outside");
    }

    #[test]
    fn rule_ac18_the_window_of_the_start_comes_behind_the_placement() {
        let stacks = "king-charles-i@reading kings-lifeguard; @oxford byrons astleys";
        let more = json!({ "generals": { "king-charles-i": "reading", "prince-rupert": "reinforcements" },
            "hands": { "royalist": ["E01"], "parliament": ["E02"] } });
        let mut table = playing("royalist", stacks, &more);
        table.act("card E01; use activate; activate prince-rupert");
                table.act("at oxford; from unled-oxford; brigade byrons");
        assert_eq!((table.frame().as_str(), table.to_act()), ("response", P));
        table.act("pass");
        assert!(table.offers("move warwick"), "and then the first step");
    }
}
