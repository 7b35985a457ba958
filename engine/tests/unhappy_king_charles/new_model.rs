//! The New Model Army (6.5, MC10, MC13 to MC28), by number.

use serde_json::{Value, json};

use crate::play::{Match, P, R, at, merged, position};

/// Four Veterans, which are given up first.
const VETERANS: [&str; 4] = ["ironsides", "ironsides", "skippons", "wallers-horse"];

/// The card is played by a seat, with four Veterans at Norwich.
fn formed_by(seat: &str, more: &Value) -> Match {
    formed_with(seat, more, "")
}

/// And this is the chance that follows.
fn formed_with(seat: &str, more: &Value, script: &str) -> Match {
    let mut hands = json!({});
    hands[seat] = json!(["X03"]);
    let late = json!({ "late_war": true, "hands": hands });
    let mut position = position("early-1645", seat, &merged(late, more));
    position["brigades"]["unled-norwich"] = json!(VETERANS);
    let mut table = at(position, script);
    table.act("card X03; use event");
    table
}

/// Parliament plays it, and has given up four Brigades.
fn formed(more: &Value) -> Match {
    given_up(formed_by("parliament", more))
}

/// Four Brigades have been given up.
fn given_up(mut table: Match) -> Match {
    while table.frame() == "model-losses" {
        let action = table.offered()[0].clone();
        table.act_as(P, &action);
    }
    table
}

/// London and Wakefield are Parliament's, where Tom Fairfax stands.
fn tom(more: &Value) -> Value {
    let fairfax = json!({
        "control": { "parliament": ["london", "wakefield"] }, "generals": { "tom-fairfax-north": "wakefield" },
        "brigades": { "tom-fairfax-north": ["hothams"] },
    });
    merged(fairfax, more)
}

/// Local Notables under the Sieges of Hopton and Byron.
fn besieged() -> Value {
    json!({
        "control": { "parliament": ["london", "gloucester", "macclesfield"] },
        "notables": { "massey": "in-play", "brereton": "in-play" },
        "generals": { "hopton": "gloucester", "byron": "macclesfield" },
        "brigades": {
            "massey": ["gells"], "brereton": ["denbighs"], "hopton": ["stawells", "berkeleys"], "byron": ["byrons", "astleys"],
        },
        "sieges": { "gloucester": { "marker": "siege" }, "macclesfield": { "marker": "siege" } },
    })
}

rules! {
    #[test]
    fn rule_mc13_parliament_carries_it_out_whoever_played_it() {
        let table = formed_by("royalist", &tom(&json!({})));
        assert_eq!((table.frame().as_str(), table.to_act()), ("model-losses", P));
        assert!(table.has_happened("new-model"));
    }

    #[test]
    fn rule_mc14_five_lords_leave_and_their_brigades_stay() {
        let more = tom(&json!({
            "generals": {
                "tom-fairfax-north": "wakefield", "essex": "cambridge", "bedford": "under-essex", "waller": "unemployed",
            },
            "brigades": { "tom-fairfax-north": ["hothams"], "essex": ["fiennes"], "bedford": ["pophams"] },
        }));
        let table = formed_by("parliament", &more);
        for lord in ["willoughby", "essex", "manchester", "waller", "lord-fairfax"] {
            assert_eq!(table.whereabouts(lord), "out", "{lord}");
        }
        assert_eq!((table.brigades("unled-cambridge"), table.whereabouts("bedford")), (vec!["fiennes".to_owned()], "cambridge".to_owned()));
    }

    #[test]
    fn rule_mc15_parliament_gives_up_veterans_before_militia() {
        let mut table = formed_by("parliament", &tom(&json!({})));
        table.refuses("from tom-fairfax-north", "MC15");
        for _ in 0..4 {
            assert_eq!(table.frame(), "model-losses");
            while table.frame() == "model-losses" && table.options("brigade").is_empty() {
                table.act("from unled-norwich");
            }
            let brigade = table.options("brigade")[0].clone();
            table.act(&format!("brigade {brigade}"));
        }
        assert_ne!(table.frame(), "model-losses");
        assert_eq!(table.brigades("out").iter().filter(|face| VETERANS.contains(&face.as_str())).count(), 4);
        assert!(table.brigades("lord-general-tom-fairfax").contains(&"hothams".to_owned()));
    }

    #[test]
    fn rule_mc16_the_lord_general_takes_tom_fairfaxs_place() {
        let table = formed(&tom(&json!({ "may_not_assault": ["tom-fairfax-north"] })));
        assert_eq!(table.whereabouts("lord-general-tom-fairfax"), "wakefield");
        assert_eq!(table.whereabouts("tom-fairfax-north"), "out");
        assert_eq!(table.brigades("lord-general-tom-fairfax"), ["hothams", "new-model-army", "new-model-army", "new-model-army"]);
        assert_eq!(table.mark("lord-general-tom-fairfax", "may-not"), 1);
    }

    #[test]
    fn rule_mc17_local_notables_become_generals_where_they_are() {
        let more = tom(&json!({
            "control": { "parliament": ["london", "wakefield", "gloucester"], "royalist": ["cardiff"] },
            "notables": { "massey": "in-play", "lord-herbert": "in-play", "brereton": "out" },
            "brigades": { "tom-fairfax-north": ["hothams"], "massey": ["gells"], "lord-herbert": ["carberys"] },
        }));
        let mut table = formed(&more);
        table.act("pass; done");
        assert_eq!((table.whereabouts("massey"), table.whereabouts("general-massey")), ("out".to_owned(), "gloucester".to_owned()));
        assert_eq!((table.brigades("general-massey"), table.control("gloucester")), (vec!["gells".to_owned()], "parliament"));
        assert_eq!((table.whereabouts("gerard"), table.brigades("gerard")), ("cardiff".to_owned(), vec!["carberys".to_owned()]));
        assert_eq!(table.whereabouts("general-brereton"), "away", "there was no Notable to take the place of");
    }

    #[test]
    fn rule_mc18_a_besieged_one_disperses_or_fights_at_once() {
        let mut table = formed(&besieged());
        table.act("general general-massey");
        assert_eq!((table.frame().as_str(), table.to_act()), ("dispersal", P));
        table.act_as(P, "disperse");
        assert_eq!((table.whereabouts("general-massey"), table.brigades("unemployed-parliament")), ("unemployed-parliament".to_owned(), vec!["gells".to_owned()]));
        assert_eq!(table.mark("gloucester", "siege"), 0);
    }

    #[test]
    fn rule_mc18_armies_that_a_lord_has_left_fight_as_one() {
        let cardiff = json!({
            "control": { "parliament": ["london"], "royalist": ["cardiff"] }, "notables": { "lord-herbert": "in-play" },
            "generals": { "essex": "cardiff", "bedford": "under-essex", "tom-fairfax-north": "under-essex" },
            "brigades": { "lord-herbert": ["carberys"], "essex": ["fiennes"], "bedford": ["pophams"], "tom-fairfax-north": ["hothams"] },
        });
        let mut table = formed(&cardiff);
        assert_eq!(table.whereabouts("bedford"), "lord-general-tom-fairfax", "they become one");
        table.act_as(R, "stand").act_as(P, "disperse");
        assert_eq!(table.brigades("unemployed-parliament"), ["fiennes", "hothams", "pophams"]);
        assert_ne!(table.frame(), "dispersal", "nobody is left there");
        assert_eq!(table.whereabouts("gerard"), "cardiff");
    }

    #[test]
    fn rule_b18_a_set_that_is_won_in_the_new_model_waits_for_its_end() {
        // Hopton beats Massey; the card is drawn from the deck.
        let mut table = given_up(formed_with("parliament", &besieged(), "6,1 e20"));
        table.act("general general-massey").stand();
        table.act("pass; pass");
        assert_eq!((table.frame().as_str(), table.cards("royalist-bonus")), ("dispersal", vec!["E20".to_owned()]), "Brereton is next");
        table.act_as(P, "disperse");
        while table.frame() != "play" {
            let action = table.offered().into_iter().find(|action| ["done", "pass"].contains(&action.as_str()));
            table.act(&action.unwrap_or_else(|| table.offered()[0].clone()));
        }
        assert_eq!((table.frame().as_str(), table.to_act(), table.options("card")), ("play", R, vec!["E20".to_owned()]));
    }

    #[test]
    fn rule_mc28_parliament_orders_those_who_are_besieged() {
        let mut table = formed(&besieged());
        assert_eq!((table.frame().as_str(), table.options("general")), ("model-sieges", vec!["general-brereton".to_owned(), "general-massey".to_owned()]));
        table.refuses("general cromwell", "MC28");
    }

    #[test]
    fn rule_mc19_the_royalist_decides_for_gerard() {
        let more = tom(&json!({
            "control": { "parliament": ["london", "wakefield"], "royalist": ["cardiff"] },
            "notables": { "lord-herbert": "in-play" },
            "generals": { "tom-fairfax-north": "wakefield", "bedford": "cardiff" },
            "brigades": { "tom-fairfax-north": ["hothams"], "lord-herbert": ["carberys"], "bedford": ["pophams", "gells"] },
            "sieges": { "cardiff": { "marker": "siege" } },
        }));
        let mut table = formed(&more);
        assert_eq!((table.frame().as_str(), table.to_act()), ("dispersal", R));
        table.act_as(R, "disperse");
        assert_eq!(table.whereabouts("gerard"), "unemployed-royalist");
    }

    #[test]
    fn rule_mc20_cromwell_comes_to_london_or_to_the_east() {
        let home = formed(&tom(&json!({})));
        assert_eq!((home.whereabouts("cromwell"), home.brigades("cromwell")), ("london".to_owned(), vec!["new-model-army".to_owned(); 2]));
        let east = formed(&tom(&json!({ "control": { "parliament": ["norwich", "wakefield"] } })));
        assert_eq!(east.whereabouts("cromwell"), "norwich");
        let nowhere = formed(&tom(&json!({ "control": { "royalist": ["london"] } })));
        assert_eq!((nowhere.whereabouts("cromwell"), nowhere.brigades("pool-parliament").iter().filter(|face| *face == "new-model-army").count()),
            ("reinforcements-parliament".to_owned(), 2));
    }

    #[test]
    fn rule_mc21_a_lord_general_off_the_map_comes_to_east_south_or_north() {
        let more = json!({ "control": { "parliament": ["norwich", "northampton"] } });
        let table = formed(&more);
        assert_eq!(table.whereabouts("lord-general-tom-fairfax"), "norwich");
        assert_eq!(table.count("lord-general-tom-fairfax"), 3);
        assert_eq!(table.frame(), "model-poyntz");
    }

    #[test]
    fn rule_mc22_new_model_brigades_beyond_nine_are_out() {
        let more = tom(&json!({
            "generals": { "tom-fairfax-north": "wakefield", "bedford": "under-tom-fairfax-north" },
            "brigades": {
                "tom-fairfax-north": ["hothams", "cloth-towns-militias", "cloth-towns-militias", "gells"],
                "bedford": ["pophams", "denbighs", "assheton"],
            },
        }));
        let table = formed(&more);
        let of = |place: &str| table.brigades(place).iter().filter(|face| *face == "new-model-army").count();
        assert_eq!((of("lord-general-tom-fairfax"), of("out")), (2, 1));
    }

    #[test]
    fn rule_mc22_inside_a_fortress_an_army_that_grows_too_large_comes_out() {
        let more = tom(&json!({
            "control": { "parliament": ["london", "hull", "wakefield"] }, "generals": { "tom-fairfax-north": "inside-hull" },
            "brigades": { "tom-fairfax-north": ["hothams"] },
        }));
        let table = formed(&more);
        assert_eq!((table.whereabouts("lord-general-tom-fairfax"), table.count("lord-general-tom-fairfax")), ("hull".to_owned(), 4));
    }

    #[test]
    fn rule_mc22_a_masked_army_takes_as_many_as_fit_inside() {
        let more = tom(&json!({
            "control": { "parliament": ["london", "scarborough", "wakefield"] },
            "generals": { "tom-fairfax-north": "inside-scarborough", "hopton": "scarborough" },
            "brigades": { "tom-fairfax-north": ["hothams"], "hopton": ["stawells"] },
        }));
        let table = formed(&more);
        assert_eq!(table.brigades("lord-general-tom-fairfax"), ["hothams"], "there is room for one Brigade");
        assert_eq!(table.brigades("out").iter().filter(|face| *face == "new-model-army").count(), 3);
    }

    #[test]
    fn rule_mc23_poyntz_joins_a_stack_or_waits() {
        let mut table = formed(&tom(&json!({})));
        assert_eq!((table.frame().as_str(), table.options("at")), ("model-poyntz", vec!["london".to_owned(), "wakefield".to_owned()]));
        table.refuses("at hull", "MC23").act("pass");
        assert_eq!(table.whereabouts("poyntz"), "reinforcements-parliament");
    }

    #[test]
    fn rule_mc24_brigades_whose_general_has_gone_move_up_to_three_areas() {
        let more = tom(&json!({
            "control": { "parliament": ["london", "wakefield"], "royalist": ["reading"] },
            "generals": { "tom-fairfax-north": "wakefield", "essex": "bedford" },
            "brigades": { "tom-fairfax-north": ["hothams"], "essex": ["fiennes"], "inside-reading": ["astleys"] },
        }));
        let mut table = formed(&more);
        table.act("pass");
        assert_eq!((table.frame().as_str(), table.offers("from tom-fairfax-north")), ("model-moves", false));
        table.act("from unled-bedford; brigade fiennes");
        table.refuses("to unled-reading", "MC24").refuses("to unled-exeter", "MC24");
        assert!(table.offers("to unled-norwich"), "by Cambridge");
        table.act("to unled-london; from unled-london; brigade fiennes; to cromwell; done");
        assert_eq!(table.brigades("cromwell"), ["fiennes", "new-model-army", "new-model-army"]);
    }

    #[test]
    fn rule_mc10_parliaments_generals_take_no_covenanters() {
        let more = tom(&json!({
            "brigades": { "tom-fairfax-north": ["hothams"], "unled-wakefield": ["covenanter-levens"] },
        }));
        let mut table = formed(&more);
        table.act("pass");
        assert_eq!(table.frame(), "model-moves");
        assert!(!table.offers("from unled-wakefield"));
    }

    #[test]
    fn rule_mc25_armies_that_cannot_stack_part() {
        let more = tom(&json!({
            "control": { "parliament": ["london", "wakefield", "gloucester"], "royalist": ["worcester"] },
            "notables": { "massey": "in-play" },
            "generals": { "tom-fairfax-north": "wakefield", "bedford": "gloucester" },
            "brigades": {
                "tom-fairfax-north": ["hothams"], "massey": ["gells"], "bedford": ["pophams"], "inside-worcester": ["astleys"],
            },
        }));
        let mut table = formed(&more);
        table.act("pass; done");
        assert_eq!((table.frame().as_str(), table.options("general")), ("relocation", vec!["bedford".to_owned(), "general-massey".to_owned()]));
        table.act("general bedford").refuses("at worcester", "MC25");
        table.act("at bristol");
        assert_eq!((table.whereabouts("bedford"), table.whereabouts("general-massey")), ("bristol".to_owned(), "gloucester".to_owned()));
        assert_eq!(table.to_act(), R);
    }

    #[test]
    fn rule_mc26_who_is_alone_at_the_end_goes() {
        let more = tom(&json!({ "trains": { "parliament": "with-essex" },
            "generals": { "tom-fairfax-north": "wakefield", "essex": "bedford" },
            "brigades": { "tom-fairfax-north": ["hothams"], "essex": ["fiennes"] },
        }));
        let mut table = formed(&more);
        table.act("at bedford");
        assert_eq!((table.whereabouts("poyntz"), table.whereabouts("parliament-train")), ("bedford".to_owned(), "bedford".to_owned()));
        table.act("done");
        assert_eq!((table.whereabouts("poyntz"), table.whereabouts("parliament-train")), ("unemployed-parliament".to_owned(), "turns".to_owned()));
        assert_eq!(table.cards("removed").iter().filter(|card| *card == "X03").count(), 1);
    }
}
