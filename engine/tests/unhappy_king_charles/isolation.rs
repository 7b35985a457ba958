//! Political Isolation (11.3, P2 to P5, 13.0, 14.0), by number: markers that a Political Control Phase leaves or takes off.

use serde_json::{Value, json};

use crate::play::{Match, at, phase};

/// A Political Control Phase with markers, Generals and their Brigades.
fn controlled(royalist: &[&str], parliament: &[&str], more: &Value) -> Match {
    let mut fields = json!({ "control": { "royalist": royalist, "parliament": parliament } });
    for (field, value) in more.as_object().into_iter().flatten() {
        fields[field] = value.clone();
    }
    at(phase("late-1643", "political-control", &fields), "")
}

fn stays(table: &Match, area: &str) -> bool {
    !table.control(area).is_empty()
}

rules! {
    #[test]
    fn rule_p2_a_marker_without_a_chain_is_isolated() {
        // St Austell leads on to Plymouth and Barnstaple alone, which are Parliament's; theirs lead to Bristol.
        let table = controlled(&["truro", "st-austell"], &["plymouth", "barnstaple", "taunton", "bristol"], &json!({}));
        assert_eq!((table.control("truro"), table.control("st-austell")), ("", ""));
        assert_eq!((table.control("barnstaple"), table.control("taunton")), ("parliament", "parliament"));
    }

    #[test]
    fn rule_p2_a_chain_leads_over_own_markers_and_empty_areas_to_a_supply_fortress() {
        let table = controlled(&["truro", "oxford"], &["london"], &json!({}));
        assert_eq!(table.control("truro"), "royalist", "all between is empty");
        let reading = controlled(&["newbury", "reading"], &["salisbury", "devizes", "bristol", "oxford", "london", "winchester"],
            &json!({}));
        assert!(!stays(&reading, "newbury"), "a Limited Fortress supplies nothing");
    }

    #[test]
    fn rule_p2_a_chain_ends_at_an_own_army_whatever_marker_is_there() {
        let walls = ["salisbury", "devizes", "bristol", "oxford", "london", "winchester", "basing-house"];
        let inside = json!({ "generals": { "byron": "inside-reading" }, "brigades": { "byron": ["byrons"] } });
        assert!(stays(&controlled(&["newbury", "reading"], &walls, &inside), "newbury"), "it may be inside");
        let masking = json!({ "generals": { "byron": "oxford" }, "brigades": { "byron": ["byrons"] } });
        assert!(stays(&controlled(&["newbury"], &walls, &masking), "newbury"), "at an enemy Fortress");
        let unled = json!({ "brigades": { "unled-oxford": ["byrons"] } });
        assert!(!stays(&controlled(&["newbury"], &walls, &unled), "newbury"), "unled Brigades are no Army");
    }

    #[test]
    fn rule_p2_a_chain_ends_at_an_own_notable_masked_but_not_besieged() {
        let walls = ["gloucester", "hereford", "pembroke", "radnor", "aberystwyth", "bristol", "forest-of-dean"];
        let there = |sieges: Value| json!({ "notables": { "lord-herbert": "in-play" }, "generals": { "waller": "cardiff" },
            "brigades": { "waller": ["wallers-horse"] }, "sieges": sieges });
        let masked = controlled(&["cardiff", "carmarthen", "brecon"], &walls, &there(json!({})));
        assert!(stays(&masked, "carmarthen") && stays(&masked, "brecon"));
        let siege = json!({ "cardiff": { "marker": "siege" } });
        let besieged = controlled(&["cardiff", "carmarthen", "brecon"], &walls, &there(siege));
        assert!(!stays(&besieged, "carmarthen") && !stays(&besieged, "brecon"));
    }

    #[test]
    fn rule_p2_the_maritime_line_is_no_chain() {
        let table = controlled(&["doncaster", "lincoln", "newark", "york"], &["hull", "gainsborough"], &json!({}));
        assert_eq!((table.control("gainsborough"), table.control("hull")), ("", "parliament"));
    }

    #[test]
    fn rule_p3_markers_of_fortresses_are_never_isolated() {
        let walls = ["st-austell", "barnstaple", "exeter", "taunton", "bristol"];
        let table = controlled(&["plymouth"], &walls, &json!({}));
        assert_eq!(table.control("plymouth"), "royalist");
        let besieged = json!({ "notables": { "lord-herbert": "in-play" }, "generals": { "waller": "cardiff" },
            "brigades": { "waller": ["wallers-horse"] }, "sieges": { "cardiff": { "marker": "siege" } } });
        let notable = controlled(&["cardiff"], &["carmarthen", "brecon", "forest-of-dean", "gloucester", "bristol"], &besieged);
        assert_eq!(notable.control("cardiff"), "royalist", "a Local Notable's Area is a Fortress");
    }

    #[test]
    fn rule_p4_parliaments_isolated_markers_go_before_the_royalists_are_looked_at() {
        let army = json!({ "generals": { "hopton": "exeter" }, "brigades": { "hopton": ["stawells"] } });
        let table = controlled(&["truro", "barnstaple", "exeter"], &["plymouth", "st-austell"], &army);
        assert_eq!((table.control("st-austell"), table.control("plymouth")), ("", "parliament"));
        assert_eq!(table.control("truro"), "royalist", "by way of St Austell, which is empty now");
    }

    #[test]
    fn rule_p4_markers_of_one_side_are_found_together() {
        let walls = ["plymouth", "barnstaple", "taunton", "bristol"];
        let table = controlled(&["truro", "st-austell"], &walls, &json!({}));
        assert_eq!((table.control("truro"), table.control("st-austell")), ("", ""));
        assert_eq!(table.public("isolated"), ["isolated royalist truro st-austell"]);
    }

    #[test]
    fn rule_p5_an_area_whose_notable_is_not_there_is_like_any_other() {
        let walls = ["peterborough", "nottingham", "lincoln", "gainsborough", "doncaster", "london"];
        let around = json!({ "generals": { "manchester": "lincoln", "essex": "doncaster" },
            "brigades": { "manchester": ["ironsides"], "essex": ["fiennes"] } });
        assert!(!stays(&controlled(&["newark"], &walls, &around), "newark"), "it can be Isolated");
        let army = json!({ "generals": { "manchester": "newark" }, "brigades": { "manchester": ["ironsides"] } });
        let table = controlled(&["newark", "oxford"], &["london"], &army);
        assert_eq!(table.control("newark"), "parliament", "and exchanged");
    }

    #[test]
    fn rule_14_0_a_masked_fortress_ends_no_chain() {
        let masked = json!({ "generals": { "essex": "oxford" }, "brigades": { "essex": ["fiennes"] } });
        let table = controlled(&["oxford", "newbury"], &["london"], &masked);
        assert_eq!((table.control("oxford"), table.control("newbury")), ("royalist", ""));
        let unled = json!({ "brigades": { "unled-oxford": ["fiennes"] } });
        assert!(stays(&controlled(&["oxford", "newbury"], &["london"], &unled), "newbury"), "unled Brigades Mask nothing");
    }
}
