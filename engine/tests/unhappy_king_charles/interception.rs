//! Interception (9.7, I1 to I11), by number.

use serde_json::json;

use crate::armies::moving;
use crate::play::{P, R};

rules! {
    #[test]
    fn rule_i1_at_each_area_entered_before_anything_else_there() {
        let stacks = "bedford@bristol pophams; hopton@bath hertfords; @taunton skippons";
        let mut table = moving("bedford", 3, stacks, &json!({}), "");
        assert_eq!(table.to_act(), P, "nobody Intercepts in the Area of the start");
        table.act("move taunton");
        assert_eq!((table.frame().as_str(), table.offered()), ("interception", vec!["intercept hopton".to_owned(), "pass".to_owned()]));
        table.act("pass; from unled-taunton; move exeter");
        assert_eq!(table.frame(), "activation", "Hopton is not next to Exeter");
        table.act("move taunton");
        assert_eq!((table.frame().as_str(), table.to_act()), ("interception", R), "at each entry");
        table.act("pass");
    }

    #[test]
    fn rule_i2_commanders_by_road_or_mountain_who_are_free_to_go() {
        let stacks = "waller@winchester pophams; king-charles-i@gainsborough kings-lifeguard; byron@sheffield byrons astleys; \
            hopton@inside-york hertfords; manchester@york ironsides; prince-maurice@wakefield stawells; lord-fairfax@doncaster hothams";
        let more = json!({ "control": { "royalist": ["york"] } });
        let mut table = moving("lord-fairfax", 3, stacks, &more, "2");
        table.act("move hull");
        assert_eq!(table.frame(), "activation", "not by sea from Gainsborough, nor out of a Masked Fortress");
        table.act("move doncaster");
        assert_eq!(table.options("intercept"), ["byron", "king-charles-i", "prince-maurice"]);
        table.refuses("intercept hopton", "I2");
        table.act("intercept byron; move hull; move doncaster");
        assert_eq!(table.options("intercept"), ["king-charles-i", "prince-maurice"]);
        table.refuses("intercept byron", "I2");
        table.act("pass");
        let siege = json!({ "control": { "parliament": ["nottingham"] }, "sieges": { "nottingham": { "marker": "siege" } } });
        let besieger = "byron@nottingham byrons astleys; lord-fairfax@doncaster hothams";
        let mut held = moving("lord-fairfax", 3, besieger, &siege, "");
        held.act("move sheffield");
        assert_eq!(held.frame(), "activation", "a besieger stays");
    }

    #[test]
    fn rule_i3_nobody_intercepts_where_their_own_brigades_are() {
        let stacks = "bedford@bristol pophams; hopton@taunton hertfords; @bath stawells";
        let mut table = moving("bedford", 3, stacks, &json!({}), "2,3");
        table.act("move bath");
        assert_eq!(table.frame(), "dispersal", "an unled Brigade bars it");
        table.act("stand; stand");
        assert!(table.told("defender_drawn royalist bath"));
        let markers = json!({ "control": { "royalist": ["bath"] } });
        let mut empty = moving("bedford", 3, "bedford@bristol pophams; hopton@taunton hertfords", &markers, "");
        empty.act("move bath");
        assert_eq!(empty.frame(), "interception", "a marker is no bar");
        empty.act("pass");
    }

    #[test]
    fn rule_i4_one_army_tries_in_an_area_and_the_others_keep_their_try() {
        let stacks = "waller@bristol pophams; hopton@bath hertfords; byron@exeter byrons";
        let mut table = moving("waller", 3, stacks, &json!({}), "3");
        table.act("move taunton");
        assert_eq!(table.options("intercept"), ["byron", "hopton"]);
        table.act("intercept hopton");
        assert_eq!(table.frame(), "activation", "nobody else in this Area");
        table.act("move barnstaple");
        assert_eq!(table.options("intercept"), ["byron"]);
        table.act("pass");
    }

    #[test]
    fn rule_i5_ratings_and_mountains_change_the_roll() {
        for (mover, line, die, score) in [("bedford", "", 3, 4), ("waller", "", 4, 4), ("cromwell", "", 4, 3), ("bedford", "mountain", 4, 4),
            ("waller", "mountain", 4, 3)] {
            let (from, to, base) = if line.is_empty() { ("oxford", "warwick", "lichfield") } else { ("sheffield", "wakefield", "macclesfield") };
            let stacks = format!("{mover}@{from} pophams; hopton@{base} hertfords");
            let mut table = moving(mover, 3, &stacks, &json!({}), &die.to_string());
            table.act(&format!("move {to}; intercept hopton"));
            let code = if score >= 4 { "interception_succeeds" } else { "interception_fails" };
            assert!(table.told(&format!("{code} hopton {die} {score}")), "{mover} {line}");
        }
        let horse = json!({ "turn": "early-1644", "hands": { "royalist": ["M19"] } });
        let mut card = moving("cromwell", 3, "cromwell@oxford pophams; hopton@lichfield hertfords", &horse, "3");
        card.act("move warwick; intercept hopton; card M19; done");
        assert!(card.told("interception_succeeds hopton 3 4"), "-1 by the ratings, +2 by the card");
    }

    #[test]
    fn rule_i8_the_interceptor_defends_and_nobody_slips_away() {
        let stacks = "waller@newbury pophams wallers-horse; hopton@warwick hertfords stawells";
        let more = json!({ "control": { "royalist": ["oxford"] } });
        let mut table = moving("waller", 3, stacks, &more, "5 3,4");
        table.act("move oxford; intercept hopton");
        assert!(table.told("battle oxford parliament"), "the active Army attacks");
        assert_eq!((table.frame().as_str(), table.to_act()), ("dispersal", R), "neither Evasion nor the Fortress, the interceptor first");
        table.act("stand");
        assert_eq!((table.frame().as_str(), table.to_act()), ("dispersal", P));
        table.act("stand");
        assert!(table.told("battle_dice oxford 3 4 8 8"));
    }

    #[test]
    fn rule_i9_among_enemies_the_two_armies_fight_alone() {
        let stacks = "bedford@bristol pophams hesilriggs-lobsters; hopton@bath grenviles-cornish ruperts-lifeguard; @taunton skippons";
        let mut table = moving("bedford", 3, stacks, &json!({}), "4 1,1");
        table.act("move taunton; intercept hopton").stand();
        table.act("brigade pophams");
        assert!(table.told("battle_dice taunton 1 1 3 7"), "Skippon's take no part");
        assert!(table.told("indecisive_victory royalist taunton"));
        assert_eq!(table.options("move"), ["bristol"], "to where it came from");
        table.act("move bristol").refuses("move bath", "I9").act("done; pass");
        assert_eq!((table.whereabouts("hopton"), table.whereabouts("bedford")), ("bath".into(), "bristol".into()));
        let mut drawn = moving("bedford", 3, stacks, &json!({}), "4 5,1");
        drawn.act("move taunton; intercept hopton").stand();
        assert!(drawn.told("defender_drawn royalist taunton"));
        drawn.act("brigade pophams; brigade grenviles-cornish");
        assert_eq!((drawn.whereabouts("hopton"), drawn.whereabouts("bedford")), ("bath".into(), "bristol".into()));
    }

    #[test]
    fn rule_i9_who_came_out_of_a_fortress_goes_back_inside() {
        let stacks = "bedford@oxford pophams gells fiennes skippons; hopton@inside-oxford grenviles-cornish ruperts-lifeguard; @warwick hothams";
        let mut table = moving("bedford", 3, stacks, &json!({ "control": { "royalist": ["oxford"] } }), "4 1,5 e02");
        table.act("move warwick; intercept hopton").stand();
        table.act("brigade pophams; brigade gells; move oxford; brigade fiennes; done; pass");
        assert_eq!((table.whereabouts("hopton"), table.whereabouts("bedford")), ("inside-oxford".into(), "oxford".into()));
    }

    #[test]
    fn rule_i10_a_beaten_interceptor_does_not_go_where_the_enemy_came_from() {
        let stacks = "waller@bristol ironsides ironsides; hopton@exeter hertfords stawells";
        let mut table = moving("waller", 3, stacks, &json!({}), "4 3,2");
        table.act("move taunton; intercept hopton").stand();
        assert!(table.told("indecisive_victory parliament taunton"), "3 + 4 + 2 against 2 + 2 + 2");
        table.act("brigade hertfords");
        table.refuses("move bristol", "RT2");
        assert_eq!(table.options("move"), ["barnstaple", "bath", "exeter", "lyme"], "its own origin is open");
        table.act("move exeter; done; pass");
    }

    #[test]
    fn rule_i11_who_beats_an_interceptor_goes_on_in_that_area() {
        let stacks = "waller@bristol ironsides ironsides; hopton@exeter hertfords stawells; byron@bath byrons";
        let mut table = moving("waller", 3, stacks, &json!({}), "4 3,2");
        table.act("move taunton; intercept hopton").stand();
        table.act("brigade hertfords; move exeter; done; pass");
        assert_eq!((table.frame().as_str(), table.to_act()), ("activation", P), "Byron has no try in this Area any more");
        table.act("move lyme");
        assert_eq!(table.spent(), 3, "the Battle is paid for");
    }
}
