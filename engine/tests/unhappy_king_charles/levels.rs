//! Subordination and illegal positions (9.5, S1 to S13), by number.

use serde_json::{Value, json};

use crate::armies::moving;
use crate::play::{Match, R, merged};

/// Hopton comes back from a drawn Battle to Taunton, where another Army stands that can't be joined, and can't retrace to Bristol.
fn stuck(other: &str, more: &Value) -> Match {
    let stacks = format!(
        "hopton@bristol grenviles-cornish hertfords; @inside-bristol gells; {other}; \
        @lyme western-association western-association"
    );
    let fields = merged(json!({ "control": { "parliament": ["bristol"] } }), more);
    let mut table = moving("hopton", 3, &stacks, &fields, "1,4");
    table.act("move taunton; move lyme").stand();
    table
}

rules! {
    #[test]
    fn rule_9_5_levels_decide_who_serves() {
        let pairs = [
            ("king-charles-i", "goring"), ("king-charles-i", "newcastle"), ("goring", "prince-maurice"), ("newcastle", "prince-rupert"),
            ("prince-maurice", "byron"), ("prince-rupert", "hopton"), ("prince-rupert", "langdale"), ("prince-rupert", "gerard"),
            ("essex", "manchester"), ("leven", "waller"), ("lord-general-tom-fairfax", "cromwell"), ("cromwell", "tom-fairfax-north"),
            ("tom-fairfax-north", "bedford"), ("tom-fairfax-north", "poyntz"), ("tom-fairfax-north", "lord-fairfax"),
            ("tom-fairfax-north", "general-massey"), ("tom-fairfax-north", "general-brereton"),
        ];
        for (higher, lower) in pairs {
            for mover in [higher, lower] {
                let (face, other) = if ["king-charles-i", "goring", "newcastle", "prince-maurice", "prince-rupert"].contains(&higher) {
                    ("hertfords", "stawells")
                } else {
                    ("fiennes", "assheton")
                };
                let there = if mover == higher { lower } else { higher };
                let stacks = format!("{mover}@bath {face}; {there}@taunton {other}");
                let mut table = moving(mover, 3, &stacks, &json!({}), "");
                table.act("move taunton; done");
                assert_eq!((table.whereabouts(higher), table.whereabouts(lower)), ("taunton".into(), higher.into()), "{mover}");
            }
        }
        for (one, other) in [("byron", "hopton"), ("goring", "newcastle"), ("king-charles-i", "charles-of-lorraine"),
            ("essex", "leven"), ("waller", "manchester"), ("bedford", "poyntz")] {
            let face = if ["byron", "goring", "king-charles-i"].contains(&one) { "hertfords" } else { "fiennes" };
            let second = match other { "charles-of-lorraine" => "lorrainers", "leven" => "covenanter-levens", "hopton" | "newcastle" => "stawells", _ => "assheton" };
            let mut table = moving(one, 3, &format!("{one}@bath {face}; {other}@taunton {second}"), &json!({}), "");
            table.act("move taunton");
            assert!(!table.offers(&format!("join {other}")), "{one} and {other} are of one level");
        }
    }

    #[test]
    fn rule_s1_armies_may_join_on_the_way_and_must_at_the_end() {
        let stacks = "hopton@bath hertfords; king-charles-i@taunton kings-lifeguard";
        let mut table = moving("hopton", 3, stacks, &json!({}), "");
        table.act("move taunton; move exeter");
        assert_eq!(table.whereabouts("hopton"), "exeter", "nothing forces them while they move");
        let mut ends = moving("hopton", 3, stacks, &json!({}), "");
        ends.act("move taunton; done");
        assert!(ends.told("joins hopton king-charles-i taunton"));
        assert_eq!(ends.whereabouts("hopton"), "king-charles-i");
    }

    #[test]
    fn rule_s2_the_lower_level_goes_under_the_higher_whoever_moved() {
        let stacks = "hopton@bath hertfords; king-charles-i@taunton kings-lifeguard; byron@exeter byrons";
        let mut king = moving("king-charles-i", 3, stacks, &json!({}), "");
        king.act("move bath; join hopton");
        assert_eq!((king.whereabouts("hopton"), king.frame().as_str()), ("king-charles-i".into(), "activation"), "the King goes on");
        let mut hopton = moving("hopton", 3, stacks, &json!({}), "");
        hopton.act("move taunton; join king-charles-i");
        assert_eq!((hopton.whereabouts("hopton"), hopton.frame().as_str()), ("king-charles-i".into(), "play"), "the Activation has ended");
        let mut equals = moving("hopton", 3, stacks, &json!({}), "");
        equals.act("move taunton; move exeter");
        assert!(!equals.offers("join byron") && !equals.offers("done"));
    }

    #[test]
    fn rule_s3_subordinates_of_who_becomes_one_come_under_the_new_commander() {
        let stacks = "prince-rupert@bath hertfords; byron@under-prince-rupert byrons; king-charles-i@taunton kings-lifeguard";
        let mut table = moving("prince-rupert", 3, stacks, &json!({}), "");
        table.act("move taunton; done");
        assert_eq!((table.whereabouts("prince-rupert"), table.whereabouts("byron")), ("king-charles-i".into(), "king-charles-i".into()));
        let equal = "prince-rupert@bath hertfords; byron@under-prince-rupert byrons; hopton@taunton stawells";
        let mut three = moving("prince-rupert", 3, equal, &json!({}), "");
        three.act("move taunton; done");
        assert_eq!(three.whereabouts("hopton"), "prince-rupert", "Subordinates may be of one level");
    }

    #[test]
    fn rule_s4_the_commander_s_limit_binds_the_whole_army() {
        let royal = "kings-lifeguard ruperts-lifeguard astleys wilmots";
        let north = "whitecoats whitecoats widdringtons glemhams";
        let ten = format!("newcastle@york {north} saviles; king-charles-i@wakefield {royal} byrons");
        let mut table = moving("newcastle", 3, &ten, &json!({}), "");
        table.act("move wakefield");
        table.refuses("join king-charles-i", "S1");
        let nine = format!("newcastle@york {north}; king-charles-i@wakefield {royal} byrons");
        moving("newcastle", 3, &nine, &json!({}), "").act("move wakefield; join king-charles-i");
        let siege = json!({ "control": { "parliament": ["worcester"] }, "sieges": { "worcester": { "marker": "siege", "value": 2 } } });
        let besieger = "king-charles-i@bridgnorth kings-lifeguard; byron@worcester byrons astleys";
        let mut lifts = moving("king-charles-i", 3, besieger, &siege, "");
        lifts.act("move worcester; join byron");
        assert_eq!((lifts.spent(), lifts.mark("worcester", "siege")), (2, 0), "the marker comes off for 1 MP");
        let late = merged(siege, &json!({ "activation": { "general": "king-charles-i", "card": 3, "spent": 3, "path": ["bridgnorth"] } }));
        moving("king-charles-i", 3, besieger, &late, "").refuses("move worcester", "AC11");
    }

    #[test]
    fn rule_s5_subordinates_are_left_as_a_legal_stack() {
        let stacks = "king-charles-i@oxford kings-lifeguard; byron@under-king-charles-i byrons; hopton@under-king-charles-i hertfords; \
            prince-rupert@under-king-charles-i ruperts-lifeguard";
        let mut table = moving("king-charles-i", 3, stacks, &json!({}), "");
        table.act("leave byron");
        table.refuses("leave hopton", "S5");
        table.act("leave prince-rupert; leave hopton; move newbury");
        assert_eq!((table.whereabouts("prince-rupert"), table.whereabouts("byron"), table.whereabouts("hopton")),
            ("oxford".into(), "prince-rupert".into(), "prince-rupert".into()));
        let bare = "king-charles-i@oxford; byron@under-king-charles-i byrons";
        moving("king-charles-i", 3, bare, &json!({}), "").refuses("leave byron", "S5");
    }

    #[test]
    fn rule_s6_a_subordinate_does_nothing_alone_but_leave() {
        let stacks = "waller@bath pophams; king-charles-i@oxford kings-lifeguard; byron@under-king-charles-i byrons";
        let mut table = moving("waller", 3, stacks, &json!({}), "");
        table.act("move devizes; move newbury");
        assert_eq!(table.options("intercept"), ["king-charles-i"]);
        table.refuses("intercept byron", "S6");
        table.act("pass");
    }

    #[test]
    fn rule_s7_armies_that_can_t_stand_together_part() {
        let mut table = stuck("byron@taunton byrons", &json!({}));
        assert_eq!((table.frame().as_str(), table.options("general")), ("illegal", vec!["byron".to_owned(), "hopton".to_owned()]));
        table.act("general byron");
        assert_eq!(table.options("move"), ["barnstaple", "bath", "exeter"], "not where enemy Brigades are, garrisons among them");
        table.act("move exeter");
        assert_eq!((table.whereabouts("byron"), table.frame().as_str()), ("exeter".into(), "play"));
    }

    #[test]
    fn rule_s9_waller_is_never_under_essex() {
        let stacks = "waller@reading pophams; essex@newbury fiennes";
        let mut table = moving("waller", 3, stacks, &json!({}), "");
        table.act("move newbury");
        assert!(!table.offers("join essex"));
        let mut venture = moving("waller", 3, stacks, &json!({ "happened": ["standard", "joint-venture"] }), "");
        venture.act("move newbury; join essex");
        assert_eq!(venture.whereabouts("waller"), "essex", "with the Committee of Both Kingdoms");
        let leven = "waller@reading pophams; leven@newbury covenanter-levens";
        let mut scots = moving("waller", 3, leven, &json!({}), "");
        scots.act("move newbury; join leven");
    }

    #[test]
    fn rule_s10_foreigners_serve_their_own() {
        let stacks = "waller@reading pophams; callander@newbury covenanter-callanders; leven@oxford covenanter-levens; @newbury covenanter-levens";
        let mut table = moving("waller", 3, stacks, &json!({}), "");
        table.act("move newbury");
        assert!(!table.offers("join callander") && !table.offers("from unled-newbury"));
        let mut callander = moving("callander", 3, stacks, &json!({}), "");
        callander.act("from unled-newbury; move oxford; join leven");
        assert_eq!(callander.whereabouts("callander"), "leven");
        let french = "charles-of-lorraine@oxford lorrainers; byron@newbury byrons; @oxford astleys";
        let mut lorraine = moving("charles-of-lorraine", 3, french, &json!({}), "");
        assert!(!lorraine.offers("from unled-oxford"), "Lorraine's display takes Lorrainers alone");
        lorraine.act("move newbury; join byron");
        assert_eq!(lorraine.whereabouts("byron"), "charles-of-lorraine");
    }

    #[test]
    fn rule_s12_areas_that_mend_the_position_come_first() {
        let others = "byron@taunton byrons; langdale@exeter widdringtons; gerard@bath gerards-welsh";
        let mut table = stuck(others, &json!({}));
        table.act("general hopton");
        assert_eq!(table.options("move"), ["barnstaple"], "at Exeter and Bath stand Armies that can't be joined");
        table.act("move barnstaple");
        assert_eq!(table.whereabouts("hopton"), "barnstaple");
    }

    #[test]
    fn rule_s13_numbers_alone_make_a_position_illegal() {
        let mut table = stuck("prince-rupert@taunton byrons astleys wilmots tyldesleys", &json!({}));
        assert_eq!((table.frame().as_str(), table.to_act()), ("illegal", R), "five under Rupert are too many");
        table.act("general prince-rupert; move bath");
        let over = "byron@york byrons astleys wilmots tyldesleys digbys-horse";
        let mut one = moving("byron", 3, over, &json!({}), "");
        one.act("done");
        assert_ne!(one.frame(), "illegal", "one display over its limit may stand");
    }
}

/// S12: whoever is to part goes to no Area twice, and Disperses in the end.
#[test]
fn an_army_that_finds_no_place_disperses() {
    let others = "byron@taunton byrons; langdale@exeter widdringtons; @bath pophams; @barnstaple hesilriggs-lobsters; @plymouth hothams";
    let mut table = stuck(others, &json!({}));
    table.act("general hopton");
    assert_eq!(table.options("move"), ["exeter"], "no Area mends the position");
    table.act("move exeter");
    assert_eq!(
        table.whereabouts("hopton"),
        "unemployed-royalist",
        "Taunton was left, and enemies are all around"
    );
}
