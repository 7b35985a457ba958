//! The rules that the content keeps: map, Cities, blocks, cards, set-up.

use std::collections::BTreeSet;

use edgehill_engine::catalogue::Adjacency;
use edgehill_engine::game::Game;
use serde_json::json;

use crate::play::{Match, P, R, acting, game, place};

/// The set-up of 12.23, at the first Actions.
fn set_up() -> Match {
    let more = json!({ "setup": true, "turn": "1642-v" });
    Match::at(place("operations", "royalist", &json!({}), &more), "")
}

fn blocks_at(one: &Match, area: &str) -> BTreeSet<String> {
    let pieces = game().catalogue().pieces.iter().map(|piece| piece.id.clone()).collect::<Vec<_>>();
    pieces.into_iter().filter(|piece| one.place(piece) == area).collect()
}

fn set(ids: &[&str]) -> BTreeSet<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

rules! {
    #[test]
    fn rule_1_1_one_scenario_for_two() {
        let game = game();
        let scenarios: Vec<&str> = game.catalogue().scenarios.iter().map(|scenario| scenario.id).collect();
        assert_eq!((scenarios, game.catalogue().seats.len()), (vec!["early-war"], 2));
    }

    #[test]
    fn rule_12_23_the_set_up() {
        let one = set_up();
        let place = |area: &str, ids: &[&str]| assert_eq!(blocks_at(&one, area), set(ids), "{area}");
        place("northumberland", &["r-newcastle", "r-northumb-horse", "r-northumb-foot"]);
        place("lancashire", &["r-lancashire-foot"]);
        let king = [
            "r-charles",
            "r-rupert",
            "r-cheshire-w-foot",
            "r-cheshire-m-horse",
            "r-cheshire-m-foot",
            "r-cannon-1",
            "r-cannon-2",
        ];
        place("cheshire", &king);
        place("staffordshire-warwickshire", &["r-northampton"]);
        place("se-wales", &["r-sewales-foot-1", "r-sewales-foot-2"]);
        place("cornwall", &["r-hopton"]);
        let pool = [
            "r-pool-n-horse",
            "r-pool-w-horse-1",
            "r-pool-w-horse-2",
            "r-pool-m-foot",
            "r-pool-s-horse",
            "r-pool-s-foot",
        ];
        place("royalist-pool", &pool);
        place("west-riding", &["p-fairfax", "p-westriding-horse"]);
        place("derbyshire-nottinghamshire", &["p-derbyshire-foot"]);
        place("oxfordshire", &["p-brooke"]);
        let essex = [
            "p-essex",
            "p-gloucester-m-horse",
            "p-gloucester-s-horse",
            "p-gloucester-s-foot",
            "p-gloucester-e-foot",
            "p-cannon-1",
            "p-cannon-2",
        ];
        place("gloucestershire", &essex);
        place("buckinghamshire-hertfordshire", &["p-london-foot-1", "p-london-foot-2"]);
        place("sw-wales", &["p-swwales-foot"]);
        place("shropshire-herefordshire", &["p-shropshire-foot"]);
        place("devon", &["p-devon-foot"]);
        let pool = [
            "p-pool-n-foot",
            "p-pool-e-horse-1",
            "p-pool-e-horse-2",
            "p-pool-e-foot",
            "p-pool-m-horse",
            "p-waller",
            "p-pool-s-horse",
            "p-pool-l-foot",
        ];
        place("parliament-pool", &pool);
    }

    #[test]
    fn rule_12_2_parliament_begins_a_point_ahead_and_the_kings_cities_are_his() {
        let one = set_up();
        assert_eq!(one.points(), -1);
        for (city, side) in [
            ("chester", 1),
            ("york", 1),
            ("newcastle", 1),
            ("plymouth", 2),
            ("bristol", 2),
            ("london", 2),
            ("cambridge", 2),
            ("hull", 2),
            ("oxford", 2),
        ] {
            assert_eq!(one.marker(city, "control"), Some(side), "{city}");
        }
    }

    #[test]
    fn rule_12_22_decks_of_17_and_16_and_two_more_each() {
        let one = Match::start("");
        let deck = |seat, side: &str| one.pile(seat, &format!("{side}-deck")).1;
        assert_eq!((deck(R, "royalist"), deck(P, "parliament")), (17, 16));
        let later = Match::at(place("operations", "royalist", &json!({}), &json!({})), "");
        let deck = |seat, side: &str| later.pile(seat, &format!("{side}-deck")).1 + 1;
        assert_eq!((deck(R, "royalist"), deck(P, "parliament")), (19, 18), "with those that are played");
        let refused =
            ["r-hothams-plot", "r-carews-plot", "p-hothams-foiled", "p-carews-foiled", "p-bradford-clubmen"];
        for card in refused {
            let side = if card.starts_with('r') { "royalist" } else { "parliament" };
            let mut cards = json!({ "royalist": "r-ap4-1", "parliament": "p-ap4-1" });
            cards[side] = card.into();
            assert!(
                Match::fails(&place("operations", "royalist", &json!({}), &json!({ "cards": cards }))),
                "{card}"
            );
        }
    }

    #[test]
    fn rule_3_2_three_classes_and_leaders_fight_as_theirs() {
        let one = set_up();
        for (block, class) in [
            ("r-charles", "infantry"),
            ("r-rupert", "cavalry"),
            ("r-cannon-1", "artillery"),
            ("r-northumb-foot", "infantry"),
            ("p-essex", "infantry"),
            ("p-waller", "infantry"),
            ("p-westriding-horse", "cavalry"),
            ("p-cannon-2", "artillery"),
        ] {
            assert_eq!(one.class(block), class, "{block}");
        }
    }

    #[test]
    fn rule_3_4_leaders_lead_all_and_regional_leaders_their_own() {
        let may_leave = |leader: &str| {
            let blocks = json!({ leader: { "at": "staffordshire-warwickshire" }, "r-pool-m-foot": { "at": "staffordshire-warwickshire" } });
            let mut one = acting("royalist", blocks);
            one.play("group staffordshire-warwickshire");
            one.play(&format!("take {leader}"));
            one.choices("take") == ["r-pool-m-foot"] && {
                one.play("take r-pool-m-foot");
                one.choices("go").contains(&"gloucestershire".to_owned())
            }
        };
        for (leader, leads) in
            [("r-charles", true), ("r-rupert", true), ("r-northampton", true), ("r-newcastle", false)]
        {
            assert_eq!(may_leave(leader), leads, "{leader}");
        }
    }

    #[test]
    fn rule_3_11_blocks_have_two_to_four_strength() {
        let one = set_up();
        for piece in &game().catalogue().pieces {
            let (strength, pooled) = (one.strength(&piece.id), one.place(&piece.id).ends_with("-pool"));
            assert!(if pooled { strength == 0 } else { (2..=4).contains(&strength) }, "{}: {strength}", piece.id);
        }
        let blocks = json!({ "r-charles": { "at": "kent", "strength": 5 } });
        assert!(Match::fails(&place("operations", "royalist", &blocks, &json!({}))));
    }

    #[test]
    fn rule_3_14_forty_five_blocks_of_which_fourteen_begin_in_the_pools() {
        let one = set_up();
        let pools = ["royalist-pool", "parliament-pool"].map(|pool| blocks_at(&one, pool).len());
        assert_eq!((game().catalogue().pieces.len(), pools), (45, [6, 8]));
    }

    #[test]
    fn rule_4_1_thirty_three_areas_that_hang_together() {
        let game = game();
        let spaces = &game.catalogue().spaces;
        let areas: Vec<usize> = (0..spaces.len()).filter(|&at| !spaces[at].adjacencies.is_empty()).collect();
        assert_eq!(areas.len(), 33);
        let mut seen = BTreeSet::from([areas[0]]);
        let mut open = vec![areas[0]];
        while let Some(at) = open.pop() {
            for &Adjacency { to, kind, .. } in &spaces[at].adjacencies {
                let back = spaces[usize::from(to)].adjacencies.iter().find(|back| usize::from(back.to) == at);
                assert_eq!(back.map(|back| back.kind), Some(kind), "{at} to {to}");
                if seen.insert(usize::from(to)) {
                    open.push(to.into());
                }
            }
        }
        assert_eq!(seen.len(), 33);
    }

    #[test]
    fn rule_4_2_fifteen_cities_eight_of_them_fortified() {
        let game = game();
        assert_eq!(game.catalogue().spaces.iter().filter(|space| space.adjacencies.is_empty()).count(), 15);
        let fortified = ["london", "bristol", "oxford", "york", "newcastle", "plymouth", "chester", "hull"];
        for space in game.catalogue().spaces.iter().filter(|space| space.adjacencies.is_empty()) {
            let city = space.entry.id.as_str();
            let area = match city {
                "london" => "buckinghamshire-hertfordshire",
                "bristol" => "somerset",
                "oxford" => "oxfordshire",
                "york" => "north-riding",
                "newcastle" => "northumberland",
                "plymouth" => "devon",
                "chester" => "cheshire",
                "hull" => "east-riding",
                _ => "kent",
            };
            let blocks = json!({ "r-charles": { "at": city }, "p-essex": { "at": area } });
            let fails = Match::fails(&place("operations", "royalist", &blocks, &json!({})));
            assert_eq!(fails, !fortified.contains(&city), "{city}");
        }
    }

    #[test]
    fn rule_4_3_the_besieged_in_ports_can_be_strengthened() {
        for (city, area, port) in [
            ("london", "buckinghamshire-hertfordshire", true),
            ("bristol", "somerset", true),
            ("oxford", "oxfordshire", false),
            ("york", "north-riding", false),
            ("newcastle", "northumberland", true),
            ("plymouth", "devon", true),
            ("chester", "cheshire", true),
            ("hull", "east-riding", true),
        ] {
            let blocks = json!({ "r-charles": { "at": city, "strength": 1 }, "p-essex": { "at": area } });
            assert_eq!(acting("royalist", blocks).allows("raise r-charles"), port, "{city}");
        }
    }
}
