//! Dispersal (10.1, EV9 to EV13), by number.

use serde_json::json;

use crate::armies::moving;
use crate::play::{P, R};

rules! {
    #[test]
    fn rule_ev9_each_side_as_a_whole_the_defender_first() {
        let stacks = "hopton@taunton hertfords; bedford@exeter pophams; @exeter skippons";
        let mut table = moving("hopton", 3, stacks, &json!({}), "");
        table.act("move exeter; stand; stand");
        assert_eq!((table.frame().as_str(), table.to_act()), ("dispersal", P));
        table.act("disperse");
        assert_eq!((table.count("unemployed-parliament"), table.count("exeter")), (2, 0), "unled Brigades, too");
        assert_eq!((table.frame().as_str(), table.to_act()), ("spoils", R), "the attacker is not asked");
        table.act("pass");
        let mut attacker = moving("hopton", 3, stacks, &json!({}), "");
        attacker.act("move exeter; stand; stand; stand");
        assert_eq!((attacker.frame().as_str(), attacker.to_act()), ("dispersal", R));
        attacker.act("disperse");
        assert_eq!((attacker.whereabouts("hopton"), attacker.frame().as_str()), ("unemployed-royalist".into(), "play"), "nothing more");
    }

    #[test]
    fn rule_ev10_the_dispersed_are_unemployed_and_the_active_army_may_place_a_marker() {
        let stacks = "waller@bristol pophams; king-charles-i@taunton kings-lifeguard";
        let more = json!({ "control": { "royalist": ["taunton"] }, "trains": { "royalist": "with-king-charles-i" }, "queen": "with-king-charles-i" });
        let mut table = moving("waller", 3, stacks, &more, "");
        table.act("move taunton; stand; disperse");
        assert_eq!((table.whereabouts("king-charles-i"), table.brigades("unemployed-royalist")), ("unemployed-royalist".into(), vec!["kings-lifeguard".to_owned()]));
        assert!(table.result().is_none() && table.has_told("queen_captured"), "the King is safe, the Queen is not");
        table.act("pc");
        assert_eq!((table.control("taunton"), table.spent()), ("parliament", 1), "at no cost");
        let fortress = json!({ "control": { "royalist": ["oxford"] } });
        let inside = "waller@newbury pophams; hopton@oxford hertfords stawells berkeleys";
        let mut none = moving("waller", 3, inside, &fortress, "");
        none.act("move oxford; stand; disperse");
        assert_eq!(none.frame(), "activation", "no marker on a Fortress");
    }

    #[test]
    fn rule_ev11_foreigners_never_disperse_by_choice_and_the_rest_may() {
        let stacks = "king-charles-i@york kings-lifeguard whitecoats; leven@durham covenanter-levens covenanter-levens pophams; \
            waller@under-leven gells";
        let mut table = moving("king-charles-i", 3, stacks, &json!({}), "1,1");
        table.act("move thirsk; pass; move durham; stand; disperse");
        assert_eq!((table.brigades("unemployed-parliament"), table.count("leven")), (vec!["gells".to_owned(), "pophams".to_owned()], 2));
        assert_eq!(table.whereabouts("waller"), "unemployed-parliament", "Generals without Brigades go along");
        assert_eq!((table.frame().as_str(), table.to_act()), ("dispersal", R), "the Covenanters fight");
        table.stand();
        assert!(table.told("battle_dice durham 1 1 6 5"));
        let pure = "king-charles-i@york kings-lifeguard whitecoats; leven@durham covenanter-levens covenanter-levens";
        let mut scots = moving("king-charles-i", 3, pure, &json!({}), "");
        scots.act("move thirsk; pass; move durham; stand");
        assert_eq!((scots.frame().as_str(), scots.to_act()), ("dispersal", R), "Covenanters alone are not asked");
        scots.act("disperse");
    }

    #[test]
    fn rule_ev12_foreigners_who_must_disperse_are_eliminated() {
        let stacks = "essex@bristol ironsides fiennes; @inside-bristol hertfords; leven@taunton covenanter-levens covenanter-veterans-levens; \
            @lyme whitecoats whitecoats; @exeter stawells; @barnstaple berkeleys; @bath astleys";
        let mut table = moving("essex", 3, stacks, &json!({ "control": { "royalist": ["bristol"] } }), "1,1");
        table.act("move taunton; move lyme").stand();
        assert!(table.told("defender_drawn royalist lyme"), "1 + 3 + 1 against 1 + 4");
        assert_eq!(table.options("general"), ["essex", "leven"], "of one level, in one Area");
        table.act("general leven");
        assert_eq!(table.brigades("out"), ["covenanter-levens", "covenanter-veterans-levens"], "enemies are all around");
        assert_eq!(table.whereabouts("leven"), "unemployed-parliament");
    }

    #[test]
    fn rule_ev13_unled_brigades_may_disperse_and_have_no_rating() {
        let stacks = "hopton@taunton hertfords; @plymouth pophams skippons; @exeter gells";
        let more = json!({ "control": { "parliament": ["plymouth"] } });
        let mut table = moving("hopton", 3, stacks, &more, "");
        table.act("move exeter");
        assert_eq!((table.frame().as_str(), table.to_act()), ("dispersal", P), "neither Evasion nor a Fortress");
        table.act("disperse; pass; move plymouth");
        assert_eq!(table.frame(), "dispersal", "no withdrawal");
        table.act("disperse");
        let mut fought = moving("hopton", 3, "hopton@taunton hertfords; @exeter gells", &json!({}), "2,4");
        fought.act("move exeter; stand; stand");
        assert!(fought.told("battle_dice exeter 2 4 5 5"), "2 + 1 + 2 against 4 + 1 + 0");
    }
}
