//! Turns, the first play and passing (5.0 to 5.9, T1 to T24), by number.

use serde_json::json;

use crate::play::{P, R, at, position, start};

rules! {
    #[test]
    fn rule_t10_a_discard_counts_as_one_of_the_six_plays() {
        let hands = json!({ "hands": { "royalist": ["E01"], "parliament": ["E02"] } });
        let mut table = at(position("early-1643", "royalist", &hands), "");
        println!("{:?} {} {:?}", table.offered(), table.frame(), table.cards("royalist-hand"));
        table.act("card E01; use discard");
        assert_eq!(table.number_of("plays", Some(R)), 1);
        println!("{:?} {:?}", table.offered(), table.facts(crate::play::SPECTATOR));
    }
}
