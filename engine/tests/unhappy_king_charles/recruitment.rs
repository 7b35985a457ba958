//! Recruitment (7.0, R2 to R22, X7, O1, O3), by number.

use serde_json::{Value, json};

use crate::play::{Match, P, R, at, merged, phase, position, with_options};

/// The Royalist's part of a Recruitment Phase.
fn of_royalist(turn: &str, more: &Value) -> Match {
    let mut table = at(phase(turn, "recruitment", more), "");
    table.act_as(P, "done");
    table
}

/// Parliament's part of a Recruitment Phase.
fn of_parliament(turn: &str, more: &Value) -> Match {
    at(phase(turn, "recruitment", more), "")
}

/// A Recruitment card of the Royalist's.
fn grandees(card: &str, more: &Value) -> Match {
    let hands = json!({ "hands": { "royalist": [card] } });
    let mut table = at(position("early-1643", "royalist", &merged(hands, more)), "");
    table.act_as(R, &format!("card {card}; use recruit"));
    table
}

/// The North and the Midlands are the Royalist's to recruit in.
fn north() -> Value {
    json!({ "control": { "royalist": ["newcastle", "oxford"] } })
}

/// The new Brigades of Parliament, formed and to be recruited.
fn new_model(more: &Value) -> Value {
    let formed = json!({
        "happened": ["standard", "new-model"],
        // They count as Veterans: Militia of the Region would come first (7.1.1).
        "brigades": {
            "pool-parliament": ["new-model-army", "new-model-army"],
            "out": ["fiennes", "assheton", "gells", "denbighs", "laugharnes", "laugharnes"],
        },
    });
    merged(formed, more)
}

rules! {
    #[test]
    fn rule_7_1_1_no_veteran_while_militia_of_the_region_are_in_the_pool() {
        let mut table = of_royalist("early-1643", &north());
        table.act("from pool-royalist").refuses("brigade whitecoats", "7.1.1");
        assert!(table.offers("brigade glemhams"));
        let none_left = json!({
            "control": { "royalist": ["newcastle", "oxford"] },
            "brigades": { "unled-durham": ["widdringtons", "glemhams", "saviles"] },
        });
        assert!(of_royalist("early-1643", &none_left).act("from pool-royalist").offers("brigade whitecoats"));
    }

    #[test]
    fn rule_7_1_2_powicke_bridge_lets_one_veteran_in() {
        let mut table = of_royalist("winter-1642", &north());
        table.act("from pool-royalist; brigade whitecoats; to unled-newcastle");
        assert!(table.has_happened("powicke"));
        table.act("from pool-royalist").refuses("brigade kings-lifeguard", "7.1.1");
        assert!(table.offers("brigade wilmots"));
    }

    #[test]
    fn rule_7_1_3_the_new_model_army_is_recruited_anywhere_but_in_wales() {
        let more = new_model(&json!({
            "control": { "parliament": ["northampton", "pembroke"] }, "notables": { "laugharne": "in-play" },
        }));
        let mut table = of_parliament("early-1645", &more);
        table.act("from pool-parliament; brigade new-model-army").refuses("region wales", "7.1.3");
        assert!(table.offers("region midlands"));
        table.act("region midlands; to unled-northampton");
        assert_eq!(table.brigades("unled-northampton"), ["new-model-army"]);
    }

    #[test]
    fn rule_7_1_4_the_train_is_recruited_in_place_of_a_brigade() {
        let mut table = of_royalist("late-1642", &north());
        table.act("train recruit; at oxford");
        assert_eq!(table.whereabouts("royalist-train"), "oxford");
        table.refuses("train recruit", "7.1.4");
        assert!(!table.offers("from pool-royalist"), "it was the one recruit of the Turn");
    }

    #[test]
    fn rule_7_1_6_the_irish_are_never_recruited() {
        let more = merged(north(), &json!({ "brigades": { "unemployed-royalist": ["irish", "irish"] } }));
        let mut table = of_royalist("early-1643", &more);
        table.act("brigade irish; from pool-royalist");
        assert!(!table.options("brigade").contains(&"irish".to_owned()));
        assert_eq!(table.brigades("away").iter().filter(|face| *face == "irish").count(), 2);
        // Where Veterans come as freely as Militia (R3), they don't either.
        let pooled = merged(north(), &json!({ "happened": ["standard", "new-model"], "brigades": { "pool-royalist": ["irish"] } }));
        assert!(!of_royalist("early-1645", &pooled).act("from pool-royalist").offers("brigade irish"));
    }

    #[test]
    fn rule_7_2_a_recruitment_area_serves_its_own_side() {
        let more = json!({ "control": { "royalist": ["newcastle", "hull"] } });
        let mut table = of_royalist("early-1643", &more);
        table.act("from pool-royalist; brigade glemhams");
        assert_eq!(table.options("to"), ["inside-newcastle", "unled-newcastle", "unled-york"]);
        table.refuses("to unled-hull", "7.2").refuses("to unled-durham", "7.2");
    }

    #[test]
    fn rule_7_3_1_a_grandee_card_brings_one_brigade_to_each_of_two() {
        let more = json!({
            "control": { "royalist": ["truro", "oxford"] }, "generals": { "hopton": "bath" }, "brigades": { "hopton": ["stawells"] },
        });
        let mut table = grandees("E03", &more);
        table.act("from pool-royalist; brigade berkeleys; to hopton");
        assert_eq!(table.brigades("hopton"), ["berkeleys", "stawells"]);
        assert!(!table.offers("from pool-royalist"), "nobody else is there");
        let two = merged(more, &json!({
            "generals": { "hopton": "bath", "newcastle": "york" },
            "brigades": { "hopton": ["stawells"], "newcastle": ["whitecoats"] },
        }));
        let mut both = grandees("E03", &two);
        both.act("from pool-royalist; brigade berkeleys; to hopton; from pool-royalist; brigade glemhams; to newcastle; done");
        assert_eq!((both.count("hopton"), both.count("newcastle")), (2, 2));
    }

    #[test]
    fn rule_7_3_2_parliaments_card_places_no_two_in_one_area() {
        let more = json!({
            "hands": { "parliament": ["E03"] }, "control": { "parliament": ["london", "exeter", "reigate"] },
        });
        let mut table = at(position("early-1643", "parliament", &more), "");
        table.act("card E03; use recruit; from pool-parliament; brigade pophams; to unled-exeter");
        table.act("from pool-parliament; brigade western-association");
        assert_eq!(table.options("to"), ["inside-london", "unled-london"]);
    }

    #[test]
    fn rule_r2_one_brigade_of_a_region_in_the_phase() {
        let more = json!({ "control": { "parliament": ["london", "exeter"] } });
        let mut table = of_parliament("early-1643", &more);
        table.act("from pool-parliament; brigade pophams; to unled-exeter; from pool-parliament");
        table.refuses("brigade western-association", "R2");
        assert!(table.offers("brigade london-trained-bands"));
    }

    #[test]
    fn rule_r3_after_the_new_model_army_the_royalist_recruits_as_they_like() {
        let formed = merged(north(), &json!({ "happened": ["standard", "new-model"] }));
        assert!(of_royalist("early-1645", &formed).act("from pool-royalist").offers("brigade whitecoats"));
    }

    #[test]
    fn rule_r4_the_naval_benefit_is_a_veteran_once_a_turn() {
        let favoured = merged(north(), &json!({ "fleet": -3 }));
        let mut table = of_royalist("early-1643", &favoured);
        table.act("from pool-royalist; brigade whitecoats; to unled-newcastle");
        assert!(table.has_happened("royalist-veteran") && !table.has_happened("royalist-benefit"));
        table.act("from pool-royalist").refuses("brigade kings-lifeguard", "7.1.1");
        let weak = merged(north(), &json!({ "fleet": -2 }));
        of_royalist("early-1643", &weak).act("from pool-royalist").refuses("brigade whitecoats", "7.1.1");
    }

    #[test]
    fn rule_r4_from_level_five_it_may_be_a_brigade_more() {
        let favoured = json!({ "control": { "royalist": ["newcastle", "oxford", "shrewsbury"] }, "fleet": -5 });
        let mut table = of_royalist("early-1643", &favoured);
        table.act("from pool-royalist; brigade glemhams; to unled-newcastle; from pool-royalist; brigade wilmots; to unled-oxford");
        table.act("from pool-royalist; brigade carberys; to unled-shrewsbury");
        assert!(table.has_happened("royalist-benefit") && !table.offers("from pool-royalist"));
    }

    #[test]
    fn rule_r5_no_recruits_beside_enemies_but_inside() {
        let more = merged(north(), &json!({ "brigades": { "unled-newcastle": ["hothams"], "unled-york": ["cloth-towns-militias"] } }));
        let mut table = of_royalist("early-1643", &more);
        table.act("from pool-royalist; brigade glemhams");
        assert_eq!(table.options("to"), ["inside-newcastle"]);
    }

    #[test]
    fn rule_r5_none_at_a_siege_marker() {
        let more = merged(north(), &json!({
            "control": { "royalist": ["oxford", "chester"] }, "generals": { "waller": "chester" },
            "brigades": { "waller": ["western-association"] }, "sieges": { "chester": { "marker": "blockade" } },
        }));
        let mut table = of_royalist("early-1643", &more);
        table.act("from pool-royalist; brigade wilmots");
        assert_eq!(table.options("to"), ["inside-oxford", "unled-oxford"]);
    }

    #[test]
    fn rule_r6_a_recruit_stands_unled_inside_or_on_a_display_with_room() {
        let more = json!({
            "control": { "royalist": ["newcastle", "oxford"] },
            "generals": { "charles-of-lorraine": "newcastle", "hopton": "oxford" },
            "brigades": { "charles-of-lorraine": ["lorrainers"], "hopton": ["stawells"] },
        });
        let mut table = of_royalist("early-1643", &more);
        table.act("from pool-royalist; brigade glemhams");
        assert_eq!(table.options("to"), ["inside-newcastle", "unled-newcastle", "unled-york"]);
        table.act("to inside-newcastle; from pool-royalist; brigade wilmots");
        assert!(table.offers("to hopton") && table.offers("to inside-oxford") && table.offers("to unled-oxford"));
    }

    #[test]
    fn rule_r7_a_local_notable_takes_brigades_of_their_region() {
        let more = json!({
            "control": { "royalist": ["newcastle", "preston"] }, "notables": { "earl-of-derby": "in-play" },
        });
        let mut table = of_royalist("early-1643", &more);
        table.act("from pool-royalist; brigade glemhams");
        assert!(!table.offers("to earl-of-derby"));
        table.act("to unled-york; from pool-royalist; brigade wilmots");
        assert!(table.offers("to earl-of-derby"));
        let full = merged(more, &json!({ "brigades": { "earl-of-derby": ["tyldesleys", "astleys", "byrons", "digbys-horse"] } }));
        let mut table = of_royalist("early-1643", &full);
        table.act("from pool-royalist; brigade wilmots");
        assert!(!table.offers("to earl-of-derby"), "four Brigades are all");
    }

    #[test]
    fn rule_r8_a_new_model_brigade_uses_up_the_region_it_counts_for() {
        let more = new_model(&json!({ "control": { "parliament": ["northampton", "pembroke"] }, "notables": { "laugharne": "in-play" } }));
        let mut table = of_parliament("early-1644", &more);
        table.act("from pool-parliament; brigade new-model-army; region midlands; to unled-northampton; from pool-parliament");
        table.refuses("brigade breretons-cheshire", "R2").refuses("brigade new-model-army", "R8");
    }

    #[test]
    fn rule_r8_without_an_area_of_such_a_region_it_does_not_come() {
        let more = json!({
            "happened": ["standard", "new-model"], "brigades": { "pool-parliament": ["new-model-army"] },
            "control": {
                "royalist": ["london", "exeter", "cambridge", "northampton", "hull", "wakefield"], "parliament": ["pembroke"],
            },
            "notables": { "laugharne": "in-play" },
        });
        let mut table = of_parliament("early-1645", &more);
        table.act("from pool-parliament").refuses("brigade new-model-army", "R8");
        assert!(table.offers("brigade laugharnes"));
    }

    #[test]
    fn rule_r9_the_train_comes_to_an_own_fortress_that_is_not_besieged() {
        let more = json!({
            "control": { "royalist": ["oxford", "chester", "truro"] }, "generals": { "waller": "chester" },
            "brigades": { "waller": ["western-association"] }, "sieges": { "chester": { "marker": "blockade" } },
        });
        let mut table = of_royalist("early-1643", &more);
        table.act("train recruit");
        assert_eq!(table.options("at"), ["oxford"]);
        table.refuses("at chester", "R9").refuses("at truro", "R9");
    }

    #[test]
    fn rule_r11_half_of_the_dispersed_reform_rounded_down() {
        let more = json!({
            "control": { "royalist": ["oxford", "newcastle", "warwick"] },
            "brigades": { "unemployed-royalist": ["astleys", "byrons", "saviles"] },
        });
        let mut table = of_royalist("early-1643", &more);
        assert_eq!((table.frame(), table.options("brigade")), ("reform".to_owned(), ["astleys", "byrons", "saviles"].map(str::to_owned).to_vec()));
        table.act("brigade astleys");
        assert_eq!(table.brigades("unemployed-royalist"), ["astleys"]);
        assert!(table.brigades("pool-royalist").contains(&"saviles".to_owned()));
        table.act("from unemployed-royalist; brigade astleys");
        assert_eq!(table.options("to"), ["inside-oxford", "unled-oxford", "unled-warwick"]);
        table.refuses("to unled-newcastle", "R11").act("to unled-warwick");
        assert_eq!(table.brigades("unled-warwick"), ["astleys"]);
    }

    #[test]
    fn rule_r11_no_other_brigade_comes_where_one_reforms() {
        let more = json!({
            "control": { "royalist": ["oxford"], "parliament": ["chester"] },
            "brigades": { "unemployed-royalist": ["astleys", "byrons"] },
        });
        let mut after = of_royalist("early-1643", &more);
        after.act("brigade astleys; from unemployed-royalist; brigade astleys; to unled-oxford");
        assert!(!after.offers("from pool-royalist") || !after.act("from pool-royalist").offers("brigade wilmots"));
        let mut before = of_royalist("early-1643", &more);
        before.act("brigade astleys; from pool-royalist; brigade wilmots; to unled-oxford");
        before.refuses("from unemployed-royalist", "R11");
    }

    #[test]
    fn rule_r12_new_model_brigades_reform_anywhere_but_in_wales() {
        let more = json!({
            "happened": ["standard", "new-model"], "control": { "parliament": ["brecon", "norwich", "northampton"] },
            "brigades": { "unemployed-parliament": ["new-model-army", "new-model-army"] },
        });
        let mut table = of_parliament("early-1645", &more);
        table.act("brigade new-model-army; from unemployed-parliament; brigade new-model-army");
        assert_eq!(table.options("to"), ["unled-northampton", "unled-norwich"]);
    }

    #[test]
    fn rule_r13_a_general_is_placed_where_a_brigade_waits_and_no_enemy_is() {
        let more = json!({
            "control": { "royalist": ["oxford"], "parliament": ["bath"] },
            "generals": { "prince-maurice": "reinforcements", "newcastle": "reinforcements" },
            "brigades": { "unled-oxford": ["astleys", "byrons"], "unled-bath": ["stawells"], "unled-durham": ["whitecoats"] },
        });
        let mut table = of_royalist("early-1643", &more);
        table.act("general prince-maurice");
        assert_eq!(table.options("at"), ["durham", "oxford"]);
        table.refuses("at bath", "R13").refuses("at truro", "R13").act("at oxford").refuses("done", "R13");
        table.act("from unled-oxford; brigade astleys; done; general newcastle");
        assert_eq!(table.options("at"), ["durham"], "a Regional General comes to his Region");
    }

    #[test]
    fn rule_r14_with_an_army_there_one_must_be_able_to_serve() {
        let more = json!({
            "control": { "royalist": ["oxford"] },
            "generals": { "prince-maurice": "reinforcements", "byron": "reinforcements", "prince-rupert": "oxford" },
            "brigades": { "unled-oxford": ["astleys"], "prince-rupert": ["byrons"], "unled-durham": ["whitecoats"] },
        });
        let mut table = of_royalist("early-1643", &more);
        assert_eq!(table.act("general prince-maurice").options("at"), ["durham"], "both are of Level 3");
        let mut lower = of_royalist("early-1643", &more);
        lower.act("general byron; at oxford; from unled-oxford; brigade astleys");
        assert_eq!((lower.whereabouts("byron"), lower.brigades("byron")), ("prince-rupert".to_owned(), vec!["astleys".to_owned()]));
    }

    /// The Army's commander has Subordinates' Brigades alone, and goes under the newcomer without any.
    #[test]
    fn rule_r14_a_newcomer_takes_in_an_army_whose_commander_has_no_brigades() {
        let more = json!({
            "control": { "royalist": ["oxford"] },
            "generals": { "king-charles-i": "reinforcements", "goring": "oxford", "byron": "under-goring" },
            "brigades": { "unled-oxford": ["astleys"], "byron": ["byrons"] },
        });
        let mut table = of_royalist("early-1643", &more);
        table.act("general king-charles-i; at oxford; from unled-oxford; brigade astleys");
        assert_eq!((table.whereabouts("king-charles-i"), table.whereabouts("byron")), ("oxford".to_owned(), "king-charles-i".to_owned()));
        assert_eq!(table.whereabouts("goring"), "unemployed-royalist", "a Subordinate without a Brigade leaves (G1)");
    }

    #[test]
    fn rule_r15_a_general_comes_on_by_an_operations_card_that_fits() {
        let more = json!({
            "hands": { "royalist": ["E03", "E01"] }, "control": { "royalist": ["oxford"], "parliament": ["bath"] },
            "generals": { "prince-maurice": "reinforcements" },
            "brigades": { "unled-oxford": ["astleys", "byrons"], "unled-durham": ["whitecoats"] },
        });
        let mut table = at(position("early-1643", "royalist", &more), "");
        table.act("card E03; use activate; activate prince-maurice");
        assert_eq!(table.options("at"), ["durham", "oxford"]);
        table.refuses("at truro", "R15").act("at oxford; from unled-oxford; brigade astleys");
        assert!(table.offers("move warwick"));
        let rupert = json!({ "generals": { "prince-maurice": "reinforcements", "prince-rupert": "unemployed" } });
        let mut one = at(position("early-1643", "royalist", &merged(more, &rupert)), "");
        one.act("card E01").refuses("use activate", "6.1");
    }

    #[test]
    fn rule_r16_a_grandee_card_brings_on_regional_generals_before_the_last_recruit() {
        let more = json!({
            "control": { "royalist": ["truro"] },
            "generals": { "newcastle": "york", "hopton": "reinforcements", "prince-maurice": "reinforcements" },
            "brigades": { "newcastle": ["whitecoats"], "unled-bath": ["stawells"] },
        });
        let mut table = grandees("E30", &more);
        table.refuses("general prince-maurice", "R16");
        assert!(table.offers("general hopton"));
        table.act("from pool-royalist; brigade glemhams; to newcastle").refuses("general hopton", "R16");
    }

    #[test]
    fn rule_r17_a_grandee_recruit_goes_to_a_regional_general_at_home() {
        let more = json!({
            "control": { "royalist": ["truro"] }, "generals": { "newcastle": "york", "hopton": "worcester" },
            "brigades": { "newcastle": ["whitecoats"], "hopton": ["stawells"] },
        });
        let mut table = grandees("E03", &more);
        table.act("from pool-royalist");
        assert!(table.offers("brigade glemhams") && !table.offers("brigade berkeleys"), "Hopton is not at home");
    }

    #[test]
    fn rule_r18_blockade_markers_are_placed_by_armies_that_could_besiege() {
        let more = json!({
            "control": { "royalist": ["oxford", "york"] }, "generals": { "waller": "oxford", "bedford": "york" },
            "brigades": {
                "waller": ["western-association", "western-association"], "bedford": ["pophams"],
            },
        });
        let mut table = of_parliament("early-1643", &more);
        table.act_as(P, "done");
        assert_eq!(table.offered(), ["at oxford", "done"]);
        table.refuses("at york", "R18").act_as(P, "at oxford");
        assert_eq!((table.mark("oxford", "siege"), table.to_act()), (2, R));
    }

    #[test]
    fn rule_r20_powicke_bridge_is_used_up_before_the_naval_benefit() {
        let both = merged(north(), &json!({ "fleet": -3 }));
        let mut table = of_royalist("winter-1642", &both);
        table.act("from pool-royalist; brigade whitecoats; to unled-newcastle");
        assert!(table.has_happened("powicke") && !table.has_happened("royalist-veteran"));
        table.act("from pool-royalist; brigade kings-lifeguard; to unled-oxford");
        assert!(table.has_happened("royalist-veteran"));
    }

    #[test]
    fn rule_r21_the_train_is_taken_by_a_general_who_is_where_it_is() {
        let more = json!({
            "control": { "royalist": ["oxford", "york"] }, "trains": { "royalist": "york" },
            "generals": { "prince-maurice": "reinforcements", "byron": "reinforcements" },
            "brigades": { "unled-oxford": ["astleys", "byrons", "wilmots"], "unled-york": ["whitecoats", "saviles"] },
        });
        let mut table = of_royalist("early-1643", &more);
        table.act("general prince-maurice; at oxford; from unled-oxford; brigade astleys").refuses("train take", "R21");
        let mut there = of_royalist("early-1643", &more);
        there.act("general prince-maurice; at york; from unled-york; brigade saviles; train take");
        assert_eq!(there.whereabouts("royalist-train"), "prince-maurice");
    }

    #[test]
    fn rule_r22_a_turncoat_that_is_not_placed_is_out() {
        let more = json!({
            "control": { "royalist": ["oxford"] },
            "brigades": { "unemployed-royalist": [{ "face": "gells", "turncoat": true }] },
        });
        let table = of_royalist("early-1644", &more);
        assert_eq!((table.brigades("out"), table.count("unemployed-royalist")), (vec!["gells".to_owned()], 0));
    }

    #[test]
    fn rule_x7_the_pick_then_recruits_then_blockade_markers() {
        let more = json!({
            "control": { "royalist": ["oxford"], "parliament": ["london"] }, "generals": { "waller": "oxford" },
            "brigades": {
                "waller": ["western-association", "western-association"], "unemployed-parliament": ["gells", "denbighs"],
            },
        });
        let mut table = of_parliament("early-1643", &more);
        assert_eq!((table.frame().as_str(), table.options("brigade")), ("reform", vec!["denbighs".to_owned(), "gells".to_owned()]));
        table.act_as(P, "brigade gells");
        assert!(!table.offers("at oxford") && table.offers("from pool-parliament"));
        table.act_as(P, "done");
        assert_eq!((table.to_act(), table.offered()), (P, vec!["at oxford".to_owned(), "done".to_owned()]));
    }

    #[test]
    fn rule_o3_with_the_option_the_eastern_association_comes_to_manchester() {
        let more = json!({
            "control": { "parliament": ["london", "cambridge", "norwich"] }, "generals": { "manchester": "norwich" },
            "brigades": { "manchester": ["assheton"] },
        });
        let places = |options: &[(&str, &str)]| {
            let mut table = with_options(options, phase("early-1643", "recruitment", &more), "");
            table.act("from pool-parliament; brigade eastern-association").options("to")
        };
        assert_eq!(places(&[]), ["inside-london", "unled-cambridge", "unled-london"]);
        assert_eq!(places(&[("manchester", "true")]), ["manchester", "unled-cambridge"]);
    }
}
