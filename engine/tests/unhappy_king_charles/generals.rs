//! Generals and their Brigades (8.0, G1 to G11), by number.

use serde_json::json;

use crate::armies::{activated, armies, battle, moving};
use crate::play::{at, merged, position};

rules! {
    #[test]
    fn rule_8_2_a_general_without_brigades_leaves_at_once() {
        let stacks = "king-charles-i@york kings-lifeguard; lord-fairfax@wakefield cloth-towns-militias";
        let mut table = battle("king-charles-i", "wakefield", stacks, &json!({}), "3,1");
        assert!(table.told("indecisive_victory royalist wakefield"), "3 + 2 + 1 against 1 + 1 + 1");
        assert_eq!(table.whereabouts("lord-fairfax"), "unemployed-parliament");
        assert_eq!(table.brigades("lost"), ["cloth-towns-militias"]);
        table.act("pass");
    }

    #[test]
    fn rule_8_3_brigades_stay_with_their_general_but_for_events() {
        let stacks = "hopton@bath hertfords stawells berkeleys; byron@newbury byrons; langdale@oxford widdringtons; charles-of-lorraine@salisbury lorrainers";
        let mut moves = moving("hopton", 3, stacks, &json!({}), "");
        moves.refuses("from hopton", "G7");
        let hands = json!({ "hands": { "royalist": ["M15"] } });
        let mut table = at(merged(merged(position("early-1644", "royalist", &json!({})), &armies(stacks)), &hands), "");
        table.act("card M15; use event; from hopton");
        assert_eq!(table.options("to"), ["byron"], "Langdale is too far, Lorraine a foreigner");
        table.refuses("to langdale", "8.3");
        table.act("to byron; brigade hertfords; brigade stawells");
        assert_eq!((table.brigades("byron"), table.count("hopton")), (vec!["byrons".to_owned(), "hertfords".to_owned(), "stawells".to_owned()], 1));
    }

    #[test]
    fn rule_8_4_armies_have_four_brigades_and_those_of_the_favoured_nine() {
        let few = "byron@chester byrons tyldesleys astleys wilmots; @chester digbys-horse";
        let mut byron = moving("byron", 3, few, &json!({}), "");
        byron.refuses("from unled-chester", "8.4");
        let many = "king-charles-i@oxford kings-lifeguard ruperts-lifeguard byrons tyldesleys; @oxford astleys wilmots";
        let mut king = moving("king-charles-i", 3, many, &json!({}), "");
        king.act("from unled-oxford; brigade astleys; from unled-oxford");
        assert_eq!(king.count("king-charles-i"), 6);
        let full = "essex@bedford eastern-association eastern-association eastern-association eastern-association fiennes; \
            bedford@under-essex hesilriggs-lobsters pophams; lord-fairfax@under-essex cloth-towns-militias hothams; @bedford gells";
        moving("essex", 3, full, &json!({}), "").refuses("from unled-bedford", "8.4");
    }

    #[test]
    fn rule_g1_a_subordinate_needs_brigades_of_their_own_and_a_commander_an_army() {
        let stacks = "king-charles-i@wakefield kings-lifeguard; byron@under-king-charles-i byrons; \
            essex@sheffield eastern-association eastern-association ironsides ironsides";
        let mut table = battle("essex", "wakefield", stacks, &json!({}), "2,3");
        assert!(table.told("indecisive_victory parliament wakefield"), "2 + 6 + 1 against 3 + 3 + 1");
        assert_eq!(table.whereabouts("byron"), "unemployed-royalist", "the Militia was Byron's only Brigade");
        assert_eq!(table.frame(), "retreat");
        table.act("move york; done");
        assert_eq!(table.whereabouts("king-charles-i"), "york");
        table.act("pass");

        let bare = "king-charles-i@oxford; byron@under-king-charles-i byrons";
        let mut king = moving("king-charles-i", 3, bare, &json!({}), "");
        king.act("move warwick");
        assert_eq!((king.whereabouts("king-charles-i"), king.whereabouts("byron")), ("warwick".into(), "king-charles-i".into()));
    }

    #[test]
    fn rule_g2_a_lone_general_in_a_besieged_fortress_surrenders() {
        let stacks = "king-charles-i@inside-reading kings-lifeguard; waller@reading pophams western-association hesilriggs-lobsters";
        let more = json!({ "control": { "royalist": ["reading"] }, "sieges": { "reading": { "marker": "siege" } },
            "late_war": true, "hands": { "parliament": ["L22"] } });
        let mut table = at(merged(position("late-1645", "parliament", &armies(stacks)), &more), "");
        table.act("card L22; use event; from king-charles-i; brigade kings-lifeguard");
        assert!(table.told("king_taken king-charles-i"));
        assert_eq!(table.result().expect("the match is over").code, "king_surrenders");
    }

    #[test]
    fn rule_g3_who_is_lone_otherwise_does_not_surrender() {
        let stacks = "king-charles-i@newbury kings-lifeguard";
        let more = json!({ "late_war": true, "hands": { "parliament": ["L22"] } });
        let mut table = at(merged(position("late-1645", "parliament", &armies(stacks)), &more), "");
        table.act("card L22; use event; from king-charles-i; brigade kings-lifeguard");
        assert_eq!(table.whereabouts("king-charles-i"), "unemployed-royalist");
        assert!(table.result().is_none() && !table.has_told("king_surrenders"));
    }

    #[test]
    fn rule_g4_an_active_army_takes_up_brigades_of_its_area_and_puts_none_back() {
        let stacks = "waller@gloucester pophams; massey gells; @gloucester denbighs; @bristol western-association";
        let more = json!({ "notables": { "massey": "in-play" }, "control": { "parliament": ["gloucester", "bristol"] } });
        let mut table = moving("waller", 2, stacks, &more, "");
        assert_eq!(table.options("from"), ["massey", "unled-gloucester"]);
        table.refuses("from unled-bristol", "G4");
        table.refuses("from inside-bristol", "G4");
        table.act("from massey; from unled-gloucester; move bristol; from unled-bristol");
        assert_eq!(table.brigades("waller"), ["denbighs", "gells", "pophams", "western-association"]);
        assert!(table.options("from").is_empty(), "what is on a display stays there");
        let inside = "essex@london fiennes; @inside-london london-trained-bands";
        let mut essex = moving("essex", 2, inside, &json!({ "control": { "parliament": ["london"] } }), "");
        essex.act("from inside-london");
        assert_eq!(essex.brigades("essex"), ["fiennes", "london-trained-bands"]);
    }

    #[test]
    fn rule_g5_an_army_that_is_attacked_may_take_up_brigades_first() {
        let stacks = "hopton@taunton grenviles-cornish; bedford@exeter pophams; @exeter skippons";
        let mut table = moving("hopton", 3, stacks, &json!({}), "");
        table.act("move exeter");
        assert_eq!((table.frame().as_str(), table.offered()), ("pick-up", vec!["from unled-exeter".to_owned(), "stand".to_owned()]));
        table.act("from unled-exeter");
        assert_eq!(table.brigades("bedford"), ["pophams", "skippons"]);
        assert_eq!(table.frame(), "evasion", "nothing is left to take up");
        let alone = "hopton@taunton grenviles-cornish; bedford@exeter pophams";
        let mut none = moving("hopton", 3, alone, &json!({}), "");
        none.act("move exeter");
        assert_eq!(none.frame(), "evasion", "nobody is asked where there are none");
    }

    #[test]
    fn rule_g6_any_display_of_the_army_may_take_a_brigade() {
        let stacks = "essex@bedford fiennes; lord-fairfax@under-essex cloth-towns-militias; @bedford ironsides";
        let mut table = moving("essex", 3, stacks, &json!({}), "");
        table.act("from unled-bedford");
        assert_eq!(table.options("to"), ["essex", "lord-fairfax"]);
        table.act("to lord-fairfax");
        assert_eq!(table.brigades("lord-fairfax"), ["cloth-towns-militias", "ironsides"]);
    }

    #[test]
    fn rule_g7_foreign_generals_leave_their_own_brigades_behind_but_one() {
        let stacks = "leven@durham covenanter-levens covenanter-levens pophams; waller@winchester western-association";
        let mut table = moving("leven", 3, stacks, &json!({}), "");
        table.act("from leven");
        assert_eq!(table.options("brigade"), ["covenanter-levens"], "Parliament's stay on the display");
        table.act("brigade covenanter-levens");
        assert_eq!((table.brigades("unled-durham"), table.count("leven")), (vec!["covenanter-levens".to_owned()], 2));
        let mut last = moving("leven", 3, "leven@durham covenanter-levens", &json!({}), "");
        last.refuses("from leven", "G7");
        let mut waller = moving("waller", 3, stacks, &json!({}), "");
        waller.refuses("from waller", "G7");
    }

    #[test]
    fn rule_g8_an_army_over_its_limit_moves_and_fights_but_takes_nothing() {
        let stacks = "prince-rupert@york whitecoats whitecoats northern-horse kings-lifeguard digbys-horse; @wakefield cloth-towns-militias; \
            @doncaster widdringtons";
        let more = json!({ "turn": "early-1644", "discard": ["E20"] });
        let mut table = battle("prince-rupert", "wakefield", stacks, &more, "6,1 e01");
        assert!(table.told("major_victory royalist wakefield"));
        assert_eq!(table.frame(), "spoils", "no turncoat for who has five of four");
        table.act("pass; move doncaster");
        table.refuses("from unled-doncaster", "8.4");
    }

    #[test]
    fn rule_g9_a_rating_of_two_three_is_two_against_cards_and_three_in_the_field() {
        let stacks = "newcastle@york whitecoats; waller@doncaster pophams; manchester@thirsk ironsides";
        let mut card = at(merged(position("early-1644", "royalist", &armies("newcastle@york whitecoats")), &json!({})), "");
        card.act("card C02; use activate; activate newcastle");
        let mut waller = moving("waller", 3, stacks, &json!({}), "4");
        waller.act("move wakefield; intercept newcastle");
        assert!(waller.told("interception_fails newcastle 4 3"), "3 against 2");
        let mut manchester = moving("manchester", 3, stacks, &json!({}), "4,3,3 ");
        manchester.act("move scarborough; intercept newcastle").stand();
        assert!(manchester.told("interception_succeeds newcastle 4 4"), "3 against 3");
    }

    #[test]
    fn rule_g10_nobody_takes_up_again_what_they_left_there() {
        let stacks = "king-charles-i@oxford kings-lifeguard; byron@under-king-charles-i byrons";
        let mut table = moving("king-charles-i", 3, stacks, &json!({}), "");
        table.act("leave byron");
        table.refuses("join byron", "G10");
        let scots = moving("leven", 3, "leven@durham covenanter-levens covenanter-levens", &json!({}), "").act("from leven; brigade covenanter-levens").offered();
        assert!(!scots.contains(&"from unled-durham".to_owned()), "foreign Brigades that were put down");
        let queen = json!({ "queen": "with-king-charles-i" });
        let mut royal = moving("king-charles-i", 3, stacks, &queen, "");
        royal.act("queen leave");
        royal.refuses("queen take", "G10");
    }

    #[test]
    fn rule_g11_army_and_unled_brigades_fight_and_retreat_as_one() {
        let stacks = "hopton@bath hertfords stawells; @bath berkeleys slannings-cornish grenviles-cornish; \
            essex@bristol ironsides ironsides wallers-horse skippons breretons-cheshire fairfaxs-horse";
        let mut table = battle("essex", "bath", stacks, &json!({}), "1,5");
        assert!(table.told("battle_dice bath 1 5 14 13"), "1 + 12 + 1 against 5 + 6 + 2: the unled fight along");
        assert!(table.told("attacker_drawn parliament bath"));
        table.act("brigade wallers-horse");
        assert_eq!(table.frame(), "retreat");
        table.act("move salisbury");
        assert_ne!(table.frame(), "retreat", "four Brigades retreat one Area, although the Army has two");
        assert_eq!((table.whereabouts("hopton"), table.count("hopton"), table.count("unled-salisbury")), ("salisbury".into(), 2, 2));
    }
}

/// A stubborn player who takes up, leaves and joins whatever they may comes to an end (G10, AC10).
#[test]
fn an_activation_without_a_step_ends_of_itself() {
    let stacks = "king-charles-i@oxford kings-lifeguard; byron@under-king-charles-i byrons; hopton@under-king-charles-i hertfords; \
        langdale@under-king-charles-i widdringtons; @oxford astleys wilmots";
    let more = json!({ "queen": "oxford", "control": { "royalist": ["oxford"] }, "trains": { "royalist": "oxford" } });
    let mut table = at(activated("king-charles-i", 3, stacks, &more), "");
    let mut steps = 0;
    while table.frame() == "activation" {
        let idle = |action: &&String| !action.starts_with("move") && *action != "done" && *action != "inside";
        let action = table.offered().iter().find(idle).cloned().unwrap_or_else(|| "done".to_owned());
        table.act(&action);
        steps += 1;
        assert!(steps < 40, "the list does not end: {:?}", table.offered());
    }
    assert!(steps > 8, "one was left, two Brigades, the Train and the Queen were taken up");
}
