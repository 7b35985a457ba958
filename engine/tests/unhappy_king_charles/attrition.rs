//! Supply Attrition (12.3, H13), by number.

use serde_json::json;

use crate::play::{P, R, at, phase};

rules! {
    #[test]
    fn rule_h13_each_area_with_five_loses_one_of_its_owners_choice() {
        let fields = json!({ "control": { "parliament": ["london"], "royalist": ["oxford"] }, "generals": { "essex": "london",
            "king-charles-i": "oxford" },
            "brigades": { "essex": ["fiennes", "gells", "assheton"], "inside-london": ["london-trained-bands", "london-trained-bands"],
                "king-charles-i": ["byrons", "astleys", "wilmots", "tyldesleys", "irish"] } });
        let mut table = at(phase("late-1642", "desertion", &fields), "");
        // Five a side on the map: nobody deserts, and the limit does not protect from attrition.
        assert_eq!((table.to_act(), table.options("from")), (P, vec!["essex".to_owned(), "inside-london".to_owned()]));
        table.act_as(P, "from inside-london; brigade london-trained-bands");
        assert_eq!(table.count("inside-london"), 2, "nobody goes before both sides have chosen");
        assert_eq!(table.options("brigade"), ["astleys", "byrons", "irish", "tyldesleys", "wilmots"], "of any kind");
        table.act_as(R, "brigade irish");
        assert_eq!((table.count("inside-london"), table.count("king-charles-i")), (1, 4));
        assert!(!table.brigades("pool-royalist").contains(&"irish".to_owned()), "Irish leave the map");
    }

    #[test]
    fn rule_h13_four_are_not_too_many_and_deserters_are_gone_by_then() {
        let fields = json!({ "control": { "parliament": ["london"] }, "generals": { "essex": "london" },
            "brigades": { "essex": ["fiennes", "gells", "assheton", "denbighs", "skippons"], "unled-norwich": ["ironsides",
                "ironsides"] } });
        let mut table = at(phase("early-1643", "desertion", &fields), "");
        table.act("at london; brigade gells").act("at london; brigade fiennes; done");
        assert!(table.result().is_some(), "three are left at London, and nobody is asked");
    }
}
