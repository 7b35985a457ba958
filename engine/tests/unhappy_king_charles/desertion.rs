//! Desertion (12.0 to 12.2, H1 to H12, H14), by number. Each position is the start of the phase; the Turn says how many are due.

use edgehill_engine::seat::Observer;
use serde_json::{Value, json};

use crate::play::{Match, P, R, at, phase};

/// The phase in a Turn with one Brigade due.
const ONE: &str = "late-1642";
/// The phase in a Turn with two due.
const TWO: &str = "early-1643";
/// The phase in a Turn with three due.
const THREE: &str = "late-1644";

/// The phase with these Generals and Brigades, without markers.
fn desertion(turn: &str, generals: &Value, brigades: &Value) -> Match {
    under(turn, &json!({}), generals, brigades)
}

/// The phase under these markers.
fn under(turn: &str, control: &Value, generals: &Value, brigades: &Value) -> Match {
    let fields = json!({ "control": control, "generals": generals, "brigades": brigades });
    at(phase(turn, "desertion", &fields), "")
}

/// Seven Brigades of Essex at London, and nobody else.
fn seven_at_london(turn: &str) -> Match {
    let army = [
        "eastern-association",
        "eastern-association",
        "eastern-association",
        "fiennes",
        "assheton",
        "gells",
        "pophams",
    ];
    desertion(turn, &json!({ "essex": "london" }), &json!({ "essex": army }))
}

rules! {
    #[test]
    fn rule_12_0_as_many_as_the_turn_says_go_to_the_pool() {
        let mut table = seven_at_london(TWO);
        table.act("at london; brigade gells").refuses("done", "12.0");
        table.act("at london; brigade fiennes; done");
        assert_eq!(table.count("essex"), 5);
        let pool = table.brigades("pool-parliament");
        assert!(["gells", "fiennes"].iter().all(|face| pool.iter().any(|one| one == face)));
    }

    #[test]
    fn rule_h1_parliament_selects_first_and_all_go_together() {
        let brigades = json!({ "essex": ["fiennes", "assheton", "gells", "pophams"], "unled-norwich": ["ironsides", "ironsides"],
            "king-charles-i": ["byrons", "astleys", "wilmots", "tyldesleys"], "unled-bath": ["stawells", "berkeleys"] });
        let mut table = desertion(ONE, &json!({ "essex": "london", "king-charles-i": "oxford" }), &brigades);
        table.act_as(P, "at london; brigade gells; done");
        assert_eq!((table.count("essex"), table.number_of("deserters", None)), (4, 1), "selected, and still there");
        table.act_as(R, "at oxford; brigade wilmots; done");
        assert_eq!((table.count("essex"), table.count("king-charles-i")), (3, 3));
    }

    #[test]
    fn rule_h2_those_selected_are_gone_for_their_own_side() {
        let brigades = json!({ "essex": ["fiennes", "assheton", "gells", "pophams"],
            "unled-london": ["ironsides", "ironsides", "skippons", "denbighs"] });
        let mut table = desertion(THREE, &json!({ "essex": "london" }), &brigades);
        table.act("at london; brigade gells").act("at london; from unled-london; brigade skippons").act("at london");
        assert_eq!(table.options("from"), ["essex", "unled-london"], "an Army of three is of the last category alone");
        table.act("from unled-london; brigade denbighs").refuses("at london", "H5").act("done");
        assert_eq!(table.count("unled-london"), 2);
    }

    #[test]
    fn rule_h2_those_selected_are_still_there_for_the_other_side() {
        let brigades = json!({ "bedford": ["pophams"], "unled-norwich": ["ironsides", "ironsides", "eastern-association"],
            "unled-ipswich": ["fiennes", "gells"], "hopton": ["stawells", "berkeleys", "hertfords"],
            "unled-oxford": ["byrons", "astleys", "wilmots"] });
        let generals = json!({ "bedford": "exeter", "hopton": "taunton" });
        let mut table = desertion(ONE, &generals, &brigades);
        table.act_as(P, "at exeter; brigade pophams; done");
        assert_eq!(table.options("at"), ["taunton"], "next to an Army that has nobody left but deserters");
    }

    #[test]
    fn rule_h3_an_area_with_one_brigade_waits_for_those_with_more() {
        let brigades = json!({ "essex": ["fiennes", "assheton", "gells"], "manchester": ["ironsides"],
            "unled-norwich": ["eastern-association", "eastern-association"], "king-charles-i": ["byrons"],
                "prince-rupert": ["astleys"] });
        let generals = json!({ "essex": "london", "manchester": "northampton", "king-charles-i": "reading", "prince-rupert": "oxford" });
        let mut table = desertion(ONE, &generals, &brigades);
        // Manchester is from the East: he comes first in category 1, so that one due is his.
        assert_eq!(table.options("at"), ["northampton"]);
        let at_home = json!({ "essex": "london", "manchester": "bedford", "king-charles-i": "reading", "prince-rupert": "oxford" });
        table = desertion(ONE, &at_home, &brigades);
        assert_eq!(table.options("at"), ["london"]);
        table.refuses("at bedford", "H3");
    }

    #[test]
    fn rule_h3_each_area_of_a_category_loses_one_if_so_many_are_due() {
        let brigades = json!({ "essex": ["fiennes", "assheton", "gells"], "manchester": ["ironsides"],
            "unled-norwich": ["eastern-association", "eastern-association", "eastern-association"],
            "king-charles-i": ["byrons"], "prince-rupert": ["astleys"] });
        let generals = json!({ "essex": "london", "manchester": "bedford", "king-charles-i": "reading", "prince-rupert": "oxford" });
        let mut table = desertion(TWO, &generals, &brigades);
        assert_eq!(table.options("at"), ["bedford", "london"]);
        table.act("at bedford; brigade ironsides");
        assert_eq!(table.options("at"), ["london"]);
    }

    #[test]
    fn rule_h4_categories_one_to_four_take_of_the_army_the_last_of_all() {
        let brigades = json!({ "essex": ["fiennes", "gells"], "manchester": ["ironsides", "ironsides"],
            "unled-london": ["skippons", "pophams"], "inside-london": ["london-trained-bands"] });
        let generals = json!({ "essex": "london", "manchester": "under-essex" });
        let control = json!({ "parliament": ["london"] });
        let mut table = under(TWO, &control, &generals, &brigades);
        table.act("at london");
        assert_eq!(table.options("from"), ["essex", "manchester"], "Subordinates', nobody outside the Army");
        table.act("from manchester; brigade ironsides").act("at london");
        assert_eq!(table.options("from"), ["essex", "inside-london", "manchester", "unled-london"]);
    }

    #[test]
    fn rule_h5_categories_come_in_their_order_and_again() {
        let brigades = json!({ "essex": ["fiennes", "gells", "assheton", "denbighs"], "waller": ["pophams", "skippons",
            "wallers-horse"] });
        let mut table = desertion(TWO, &json!({ "essex": "london", "waller": "portsmouth" }), &brigades);
        assert_eq!(table.refusal("at portsmouth"), ["NOT_OF_THE_CATEGORY H5"]);
        table.act("at london; brigade gells");
        assert_eq!(table.options("at"), ["london", "portsmouth"], "the last category has every Area");
        // Eight of one Army: the second category, the fifth, and the second again.
        let eight = json!({ "essex": ["fiennes", "gells", "assheton", "denbighs", "skippons", "pophams", "ironsides"],
            "unled-london": ["southern-association"] });
        let mut again = desertion(THREE, &json!({ "essex": "london" }), &eight);
        again.act("at london; brigade gells").act("at london; from unled-london");
        again.act("at london");
        assert_eq!(again.options("brigade").len(), 6, "of the Army alone: its place is not asked for");
    }

    #[test]
    fn rule_h6_regional_generals_abroad_come_first() {
        let brigades = json!({ "essex": ["fiennes", "gells", "assheton", "denbighs"], "lord-fairfax": ["hothams", "fairfaxs-horse"] });
        let mut alone = desertion(ONE, &json!({ "essex": "london", "lord-fairfax": "lincoln" }), &brigades);
        assert_eq!(alone.options("at"), ["lincoln"]);
        let under_essex = desertion(ONE, &json!({ "essex": "cambridge", "lord-fairfax": "under-essex" }), &brigades);
        assert_eq!(under_essex.options("at"), ["cambridge"], "a Subordinate, too");
        alone = desertion(ONE, &json!({ "essex": "london", "lord-fairfax": "york" }), &brigades);
        assert_eq!(alone.options("at"), ["london"], "at home");
    }

    #[test]
    fn rule_h6_a_covenanter_counts_outside_the_north_with_brigades_of_parliament() {
        let brigades = json!({ "leven": ["covenanter-levens", "gells"], "unled-norwich": ["ironsides", "ironsides", "fiennes"],
            "waller": ["pophams", "skippons", "assheton", "wallers-horse"] });
        let generals = |leven: &str| json!({ "leven": leven, "waller": "portsmouth" });
        let mut south = desertion(ONE, &generals("lincoln"), &brigades);
        assert_eq!(south.options("at"), ["lincoln"]);
        south.act("at lincoln").refuses("brigade covenanter-levens", "H11").act("brigade gells");
        assert_eq!(desertion(ONE, &generals("york"), &brigades).options("at"), ["portsmouth"], "in the North not");
        let scots = json!({ "leven": ["covenanter-levens"], "unled-norwich": ["ironsides", "ironsides", "fiennes"],
            "waller": ["pophams", "skippons", "assheton", "wallers-horse"] });
        assert_eq!(desertion(ONE, &generals("lincoln"), &scots).options("at"), ["portsmouth"], "without them not");
    }

    #[test]
    fn rule_h7_armies_of_four_or_more() {
        let brigades = json!({ "essex": ["fiennes", "gells", "assheton", "denbighs"], "waller": ["pophams", "skippons",
            "wallers-horse"] });
        let table = desertion(ONE, &json!({ "essex": "london", "waller": "portsmouth" }), &brigades);
        assert_eq!(table.options("at"), ["london"]);
    }

    #[test]
    fn rule_h8_armies_next_to_an_enemy_army() {
        let brigades = json!({ "manchester": ["ironsides", "fiennes"], "waller": ["pophams", "skippons", "wallers-horse"],
            "unled-norwich": ["gells"], "king-charles-i": ["byrons"] });
        let near = desertion(ONE, &json!({ "manchester": "bedford", "waller": "portsmouth", "king-charles-i": "oxford" }), &brigades);
        assert_eq!(near.options("at"), ["bedford"]);
        let fields = json!({ "lord-fairfax": ["hothams", "fairfaxs-horse"], "waller": ["pophams", "skippons", "wallers-horse"],
            "unled-norwich": ["gells"], "king-charles-i": ["byrons"] });
        let by_sea = desertion(ONE, &json!({ "lord-fairfax": "hull", "waller": "portsmouth", "king-charles-i": "gainsborough" }),
            &fields);
        assert_eq!(by_sea.options("at"), ["hull"], "the Maritime line counts");
    }

    #[test]
    fn rule_h8_an_enemy_inside_a_masked_fortress_is_not_near() {
        let control = json!({ "royalist": ["york"], "parliament": ["london"] });
        let brigades = json!({ "tom-fairfax-north": ["fairfaxs-horse", "hothams"], "manchester": ["ironsides", "fiennes"],
            "waller": ["skippons", "wallers-horse"], "newcastle": ["whitecoats"], "king-charles-i": ["byrons"] });
        let generals = json!({ "tom-fairfax-north": "york", "manchester": "bedford", "waller": "portsmouth",
            "newcastle": "inside-york", "king-charles-i": "oxford" });
        let table = under(ONE, &control, &generals, &brigades);
        assert_eq!(table.options("at"), ["bedford"], "York's besieger is not of this category");
    }

    #[test]
    fn rule_h9_armies_under_an_enemy_marker() {
        let control = json!({ "royalist": ["oxford", "bath"], "parliament": ["london"] });
        let brigades = json!({ "waller": ["wallers-horse", "skippons"], "bedford": ["pophams"],
            "unled-norwich": ["ironsides", "ironsides", "fiennes", "gells"] });
        let table = under(TWO, &control, &json!({ "waller": "oxford", "bedford": "bath" }), &brigades);
        assert_eq!(table.options("at"), ["bath", "oxford"], "a Fortress that they Mask among them");
    }

    #[test]
    fn rule_h10_an_area_with_one_brigade_waits_where_the_limit_lets_one_go() {
        let control = json!({ "royalist": ["oxford", "bath"], "parliament": ["london"] });
        let brigades = json!({ "waller": ["wallers-horse", "skippons"], "bedford": ["pophams"], "unled-norwich": ["ironsides",
            "ironsides", "fiennes"] });
        let mut table = under(TWO, &control, &json!({ "waller": "oxford", "bedford": "bath" }), &brigades);
        table.refuses("at bath", "H3").act("at oxford; brigade skippons");
        assert_eq!(table.offered(), ["done"]);
    }

    #[test]
    fn rule_h10_the_number_takes_nobody_below_five() {
        let brigades = json!({ "essex": ["fiennes", "gells", "assheton", "denbighs"], "inside-london": ["london-trained-bands"],
            "massey": ["pophams"] });
        let control = json!({ "parliament": ["london", "gloucester"] });
        let fields = json!({ "control": control, "generals": { "essex": "london" }, "brigades": brigades,
            "notables": { "massey": "in-play" } });
        let mut table = at(phase(THREE, "desertion", &fields), "");
        table.act("at london; brigade gells");
        assert_eq!(table.offered(), ["done"], "garrisons and a Local Notable's Brigades are counted: five are left");
    }

    #[test]
    fn rule_h11_irish_desert_once_there_are_no_more_than_five_others() {
        let brigades = json!({ "byron": ["irish", "irish", "irish", "byrons"], "hopton": ["stawells", "berkeleys"],
            "unled-newcastle": ["glemhams"] });
        let generals = json!({ "byron": "chester", "hopton": "truro" });
        let mut few = desertion(THREE, &generals, &brigades);
        few.act("at chester");
        assert_eq!(few.options("brigade"), ["irish"]);
        few.act("brigade irish");
        assert_eq!(few.options("at"), ["chester"], "only Areas with Irish count");
        few.act("at chester; brigade irish");
        assert_eq!(few.offered(), ["done"], "five are left");
        let many = json!({ "unled-chester": ["irish", "irish"], "hopton": ["stawells", "berkeleys", "hertfords"],
            "unled-newcastle": ["glemhams", "saviles", "whitecoats"] });
        let exempt = desertion(ONE, &json!({ "hopton": "truro" }), &many);
        assert_eq!(exempt.options("at"), ["newcastle", "truro"], "Chester is passed over");
    }

    #[test]
    fn rule_h11_who_is_passed_over_face_down_is_announced() {
        let control = json!({ "parliament": ["chester"] });
        let asked_with = |byrons: [&str; 2]| {
            let brigades = json!({ "byron": byrons, "hopton": ["stawells", "berkeleys", "hertfords"],
                "unled-newcastle": ["glemhams", "saviles", "whitecoats"] });
            let table = under(ONE, &control, &json!({ "byron": "chester", "hopton": "truro" }), &brigades);
            (table.options("at"), table.facts(Observer::Seat(P)))
        };
        let (to_chester, english) = asked_with(["byrons", "astleys"]);
        let (past_chester, irish) = asked_with(["irish", "irish"]);
        assert_eq!((to_chester, past_chester), (vec!["chester".to_owned()], vec!["newcastle".to_owned(), "truro".to_owned()]));
        assert_eq!(irish.strip_prefix(&english[..]), Some(&["desertion_category royalist 5".to_owned()][..]));
        assert_eq!(english.last().map(String::as_str), Some("desertion_category royalist 4"));
        assert!(english.contains(&"nobody_deserts parliament".to_owned()), "{english:?}");
    }

    #[test]
    fn rule_h11_an_area_with_one_brigade_waits_where_one_of_the_others_may_go() {
        // Six others and two Irish: one of the others goes, and not Bath's while Oxford has more.
        let brigades = json!({ "byron": ["byrons", "astleys"], "hopton": ["stawells"], "unled-newcastle": ["glemhams", "saviles",
            "whitecoats"],
            "unled-chester": ["irish", "irish"] });
        let control = json!({ "royalist": ["newcastle"], "parliament": ["oxford", "bath"] });
        let mut table = under(THREE, &control, &json!({ "byron": "oxford", "hopton": "bath" }), &brigades);
        table.refuses("at bath", "H3").act("at oxford; brigade astleys; at chester; brigade irish; at chester; brigade irish");
        assert_eq!(table.offered(), ["done"]);
    }

    #[test]
    fn rule_h11_lorrainers_are_among_the_others() {
        let brigades = json!({ "charles-of-lorraine": ["lorrainers", "lorrainers", "lorrainers"], "unled-chester": ["irish"],
            "unled-newcastle": ["glemhams", "saviles", "whitecoats"] });
        let mut table = desertion("early-1645", &json!({ "charles-of-lorraine": "bristol" }), &brigades);
        assert_eq!(table.options("at"), ["bristol", "newcastle"]);
        table.act("at bristol; brigade lorrainers").act("at chester; brigade irish");
        assert_eq!(table.offered(), ["done"]);
    }

    #[test]
    fn rule_h14_what_follows_is_looked_at_after_all_removals() {
        // Six Areas with a Brigade each: the one inside Reading may go, and Reading falls after it, without honours of war.
        let brigades = json!({ "inside-reading": ["byrons"], "unled-truro": ["stawells"], "unled-bath": ["berkeleys"],
            "unled-oxford": ["wilmots"],
            "unled-chester": ["astleys"], "unled-newcastle": ["glemhams"], "essex": ["fiennes", "gells", "assheton"] });
        let fields = json!({ "control": { "royalist": ["reading"], "parliament": ["london"] }, "generals": { "essex": "reading" },
            "brigades": brigades, "sieges": { "reading": { "marker": "siege" } } });
        let mut table = at(phase(ONE, "desertion", &fields), "");
        table.act_as(R, "at reading; brigade byrons");
        assert_eq!(table.control("reading"), "royalist");
        table.act("done");
        assert_eq!((table.control("reading"), table.marker("reading", "siege")), ("parliament", 0));
    }

    #[test]
    fn rule_h14_a_general_without_brigades_goes_to_the_box_and_lifts_no_hand() {
        let brigades = json!({ "king-charles-i": ["byrons"], "unled-truro": ["stawells"], "unled-bath": ["berkeleys"],
            "unled-oxford": ["wilmots"],
            "unled-chester": ["astleys"], "unled-newcastle": ["glemhams"] });
        let mut table = desertion(ONE, &json!({ "king-charles-i": "york" }), &brigades);
        table.act("at york; brigade byrons; done");
        assert_eq!(table.whereabouts("king-charles-i"), "unemployed-royalist");
        assert_ne!(table.result().map(|result| result.code), Some("king_surrenders"), "it is no Surrender");
    }
}
