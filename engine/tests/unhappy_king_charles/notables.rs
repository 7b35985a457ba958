//! Local Notables and Raids (13.0, NB1 to NB7), by number.

use serde_json::{Value, json};

use crate::play::{Match, at, position};

/// Parliament's card play, with Willoughby, Massey and Brereton in play.
fn parliament(more: &Value) -> Match {
    let mut fields = json!({ "control": { "royalist": ["newark", "oxford", "chester"], "parliament": ["peterborough",
        "gloucester", "macclesfield", "london"] },
        "notables": { "willoughby": "in-play", "massey": "in-play", "brereton": "in-play" } });
    for (field, value) in more.as_object().into_iter().flatten() {
        fields[field] = value.clone();
    }
    at(position("early-1643", "parliament", &fields), "")
}

rules! {
    #[test]
    fn rule_nb1_a_raid_goes_two_areas_far_within_the_region() {
        let mut table = parliament(&json!({ "brigades": { "unled-boston": ["astleys"] } }));
        table.act("card C04; use raid; raid willoughby");
        let raided = ["cambridge", "gainsborough", "huntingdon", "kings-lynn", "lincoln", "newark", "norwich", "bedford"];
        let mut expected: Vec<String> = raided.map(str::to_owned).into();
        expected.sort_unstable();
        assert_eq!(table.options("at"), expected);
        table.refuses("at leicester", "NB1").refuses("at boston", "NB1").refuses("at ipswich", "NB1").refuses("at peterborough", "NB1");
        table.act("at newark; done");
        assert_eq!(table.control("newark"), "parliament", "exchanged");
    }

    #[test]
    fn rule_nb1_an_own_marker_and_a_fortress_are_not_raided() {
        let more = json!({ "control": { "royalist": ["newark", "oxford"], "parliament": ["peterborough", "london", "boston"] },
            "notables": { "willoughby": "in-play", "newark-garrison": "in-play" } });
        let mut table = parliament(&more);
        table.act("card C03; use raid; raid willoughby").refuses("at newark", "NB1").refuses("at boston", "NB1");
    }

    #[test]
    fn rule_nb2_a_besieged_notable_does_not_raid_a_masked_one_does() {
        let more = json!({ "generals": { "king-charles-i": "gloucester", "byron": "macclesfield" },
            "brigades": { "king-charles-i": ["kings-lifeguard"], "byron": ["byrons"] },
                "sieges": { "gloucester": { "marker": "siege" } } });
        let mut table = parliament(&more);
        table.act("card C04; use raid");
        assert_eq!(table.options("raid"), ["brereton", "willoughby"]);
    }

    #[test]
    fn rule_nb3_a_card_gives_raids_by_different_notables() {
        let mut table = parliament(&json!({}));
        table.act("card C04; use raid").refuses("done", "NB3");
        table.act("raid willoughby; at boston").refuses("raid willoughby", "NB3");
        table.act("raid brereton; at stafford");
        assert_eq!((table.control("boston"), table.control("stafford")), ("parliament", "parliament"));
        assert!(!table.offers("card C04"), "two of a card of 2");
        let mut one = parliament(&json!({}));
        one.act("card C04; use raid; raid willoughby; at boston; done");
        assert_eq!(one.control("boston"), "parliament");
    }

    #[test]
    fn rule_nb3_a_discard_gives_one_raid() {
        let mut table = parliament(&json!({ "hands": { "parliament": ["E30"] } }));
        table.act("card E30; use raid; raid willoughby; at boston");
        assert_eq!(table.frame(), "play", "the Royalist is on turn");
    }

    #[test]
    fn rule_nb6_it_takes_as_many_as_are_with_the_notable_and_one_at_least() {
        let before = |inside: Value| json!({ "control": { "royalist": ["oxford"], "parliament": ["gloucester", "london"] },
            "notables": { "massey": "in-play" },
            "generals": { "byron": "gloucester" }, "brigades": { "byron": ["byrons"], "massey": inside } });
        let mut weak = at(position("early-1643", "royalist", &before(json!(["gells", "denbighs"]))), "");
        weak.act("card C02; use activate; activate byron").refuses("siege place", "F2");
        let mut even = at(position("early-1643", "royalist", &before(json!(["gells"]))), "");
        even.act("card C02; use activate; activate byron; siege place");
        assert_eq!(even.marker("gloucester", "siege"), 1);
        // Nobody inside: one Brigade is needed, so that a besieger with one has no surplus to fight with.
        let relief = json!({ "control": { "royalist": ["oxford"], "parliament": ["gloucester", "bristol"] },
            "notables": { "massey": "in-play" },
            "generals": { "byron": "gloucester", "waller": "bristol" }, "brigades": { "byron": ["byrons"], "waller": ["pophams",
                "skippons"] },
            "sieges": { "gloucester": { "marker": "siege" } } });
        let mut attacked = at(position("early-1643", "parliament", &relief), "");
        attacked.act("card C04; use activate; activate waller; move gloucester");
        assert_eq!((attacked.offered(), attacked.marker("gloucester", "siege")), (vec!["evade".to_owned(), "stand".to_owned()], 0));
    }

    #[test]
    fn rule_nb7_a_notable_who_surrenders_is_out_and_the_area_like_any_other() {
        let fields = json!({ "control": { "royalist": ["cardiff", "oxford"], "parliament": ["gloucester", "london"] },
            "notables": { "lord-herbert": "in-play" },
            "generals": { "waller": "cardiff" }, "brigades": { "waller": ["wallers-horse"], "lord-herbert": ["carberys"] },
                "chits": [-2, -1] });
        // 6 less 2: the four that it takes; then honours of war.
        let mut table = at(position("early-1643", "parliament", &fields), "6,2");
        table.act("card C04; use bombard; bombard waller");
        assert_eq!((table.whereabouts("lord-herbert"), table.control("cardiff")), ("out".into(), "parliament"));
        assert_eq!(table.brigades("unemployed-royalist"), ["carberys"]);
        assert_eq!(table.marker("cardiff", "siege"), 0);
    }

    #[test]
    fn rule_nb7_the_card_of_a_notable_who_is_out_is_spent() {
        let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["basing-house", "london"] },
            "notables": { "aimez-loyaute": "out" },
            "hands": { "royalist": ["E23"] } });
        let mut table = at(position("early-1643", "royalist", &fields), "");
        table.act("card E23").refuses("use event", "K5");
        assert!(table.offers("use discard"));
    }
}
