//! B.0: the three wars alone and together.

use crate::play::Match;

rules! {
    #[test]
    fn rule_b_0_each_war_has_a_set_up_of_its_own() {
        let second = Match::start("second", &[], "1 1 1 1");
        assert_eq!((second.zeal(), second.fort("edinburgh"), second.fort("hull")), (6, "royalist 3".into(), "parliament 4".into()));
        assert_eq!((second.army("ireland"), second.army("scotland")), ("2".into(), "2".into()));
        assert_eq!((second.pile("achieved"), second.pile("available")), (vec!["5".to_owned(), "17".into(), "21".into()], vec!["3".to_owned(), "9".into(), "23".into()]));
        assert_eq!((second.place("deviltry-24"), second.count("p-foot-1", "out")), ("deviltry".into(), 2));
        assert_eq!((second.track("ireland"), second.track("monarchy"), second.on_track("parliament", "troubles")), (3, 4, 1));
    }

    #[test]
    fn rule_c1_any_run_of_wars_can_be_played() {
        for (scenario, war, card) in [("whole-war", 1, "1"), ("first", 1, "1"), ("first-second", 1, "1"), ("second", 2, "28"), ("second-third", 2, "28"), ("third", 3, "46")] {
            let start = Match::start(scenario, &[], if war == 2 { "1 1 1 1" } else { "" });
            assert_eq!((start.on_track("turn", "war"), start.pile("discard").contains(&card.to_owned())), (war, true), "{scenario}");
        }
    }

    #[test]
    fn rule_c2_in_the_later_wars_oxford_may_be_besieged() {
        assert!(Match::start("second", &[], "1 1 1 1").may("besiege oxford"));
        assert!(Match::start("third", &[], "").may("besiege oxford"));
        assert!(!Match::start("first", &[], "").may("besiege oxford"));
    }

    #[test]
    fn rule_c3_what_the_third_war_leaves_out() {
        let third = Match::start("third", &[], "");
        assert_eq!(third.pile("battle-out"), ["leveller-mutinies"]);
        assert_eq!((third.place("rupert-bluecoats"), third.place("life-guards-1"), third.place("life-guards-2")), ("out".into(), "out".into(), "r-foot-pool".into()));
        assert_eq!((third.strength("scotland"), third.zeal()), (4, 7));
    }
}
