//! Fog of war (16.0, Y2), by number. Y3 stands with the Sieges.

use edgehill_engine::seat::Observer;
use serde_json::json;

use crate::play::{Match, P, R, SPECTATOR, at, phase, position};

/// Returns whether all Brigades of a seat at a place are marked as seen by the enemy, as that seat is told.
fn told_as_seen(table: &Match, seat: edgehill_engine::seat::Seat, at: &str) -> bool {
    let view = table.view(seat);
    let there =
        view.board.groups.keys().filter(|group| group.owner == Some(seat) && Match::place(group.at) == at);
    let flags: Vec<u32> = there.map(|group| group.flags).collect();
    !flags.is_empty() && flags.iter().all(|flags| flags & 1 != 0)
}

rules! {
    #[test]
    fn rule_y2_a_battle_shows_both_sides_brigades() {
        let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["london"] },
            "generals": { "king-charles-i": "oxford", "waller": "newbury" },
            "brigades": { "king-charles-i": ["byrons", "astleys"], "waller": ["gells", "fiennes"], "unled-oxford": ["wilmots"] } });
        let mut table = at(position("early-1643", "royalist", &fields), "");
        assert_eq!(table.seen(Observer::Seat(P), "king-charles-i"), ["royalist-brigade", "royalist-brigade"]);
        table.act("card C02; use activate; activate king-charles-i; move newbury");
        assert_eq!(table.seen(Observer::Seat(P), "king-charles-i"), ["royalist-brigade", "royalist-brigade"], "not before it is joined");
        table.act_as(P, "stand");
        assert_eq!(table.seen(Observer::Seat(P), "king-charles-i"), ["astleys", "byrons"]);
        assert_eq!(table.seen(Observer::Seat(R), "waller"), ["fiennes", "gells"]);
        assert_eq!(table.seen(SPECTATOR, "waller"), ["fiennes", "gells"], "before everybody");
        assert_eq!(table.seen(SPECTATOR, "unled-oxford"), ["royalist-brigade"], "nobody else's");
    }

    #[test]
    fn rule_y5_of_deserters_the_place_is_public_and_the_brigade_is_not() {
        let known = |face: &str| json!({ "face": face, "known": "everybody" });
        let fields = json!({ "control": { "parliament": ["london"] }, "generals": { "essex": "london" },
            "brigades": { "essex": [known("fiennes"), known("gells"), known("assheton"), known("denbighs")],
                "unled-norwich": [known("ironsides"), known("skippons")] } });
        let mut table = at(phase("late-1642", "desertion", &fields), "");
        assert_eq!(table.seen(Observer::Seat(R), "essex"), ["assheton", "denbighs", "fiennes", "gells"]);
        table.act("at london; brigade gells; done");
        let told = |observer: Observer| table.facts(observer).into_iter().filter(|fact| fact.starts_with("selects_deserter")).collect::<Vec<_>>();
        assert_eq!(told(Observer::Seat(R)), ["selects_deserter parliament essex"]);
        assert_eq!(told(Observer::Seat(P)), ["selects_deserter parliament essex gells"]);
        // X9: a hidden choice clears the holder that lost, and no other.
        assert_eq!(table.seen(Observer::Seat(R), "essex"), ["parliament-brigade"; 3]);
        assert_eq!(table.seen(Observer::Seat(R), "unled-norwich"), ["ironsides", "skippons"]);
    }

    #[test]
    fn rule_x9_a_holder_that_only_gains_keeps_what_is_known() {
        let known = |face: &str| json!({ "face": face, "known": "everybody" });
        let fields = json!({ "control": { "royalist": ["oxford"], "parliament": ["london"] }, "generals": { "king-charles-i": "oxford" },
            "brigades": { "king-charles-i": [known("byrons"), known("astleys")], "unled-oxford": ["wilmots", "tyldesleys"] } });
        let mut table = at(position("early-1643", "royalist", &fields), "");
        table.act("card C02; use activate; activate king-charles-i; from unled-oxford; brigade wilmots; done");
        assert_eq!(table.seen(Observer::Seat(P), "king-charles-i"), ["astleys", "byrons", "royalist-brigade"]);
    }

    #[test]
    fn rule_y9_its_owner_is_told_what_the_besieger_knows() {
        let fields = json!({ "control": { "royalist": ["truro", "worcester"], "parliament": ["plymouth", "london"] },
            "generals": { "hopton": "plymouth" },
            "brigades": { "hopton": ["stawells", "berkeleys", "hertfords", "grenviles-cornish"], "inside-plymouth": ["pophams"] } });
        let mut table = at(position("early-1643", "royalist", &fields), "");
        table.act("card C02; use activate; activate hopton");
        assert!(!told_as_seen(&table, P, "inside-plymouth"));
        table.act("siege place");
        assert!(told_as_seen(&table, P, "inside-plymouth"));
    }
}
