//! Section 4: control, sympathy, the Victory Track.

use serde_json::{Value, json};

use crate::play::{Match, acting, place};

/// The Victory Cities: Area, whether they are Sympathetic to the Royalist, points.
const CITIES: [(&str, &str, bool, i32); 9] = [
    ("london", "buckinghamshire-hertfordshire", false, 2),
    ("bristol", "somerset", false, 1),
    ("oxford", "oxfordshire", true, 1),
    ("york", "north-riding", true, 1),
    ("newcastle", "northumberland", true, 1),
    ("plymouth", "devon", false, 1),
    ("chester", "cheshire", true, 1),
    ("cambridge", "bedfordshire-cambridgeshire", false, 1),
    ("hull", "east-riding", false, 1),
];

fn held(blocks: Value) -> Match {
    Match::at(place("battles", "royalist", &blocks, &json!({})), "")
}

rules! {
    #[test]
    fn rule_4_15_friendly_enemy_neutral_contested() {
        let blocks = json!({ "r-charles": { "at": "worcestershire" }, "r-cannon-1": { "at": "lincolnshire" },
            "p-essex": { "at": "kent" }, "r-rupert": { "at": "norfolk", "by": "lincolnshire" },
            "p-brooke": { "at": "norfolk" }, "r-hopton": { "at": "devon", "by": "somerset" },
            "p-waller": { "at": "devon" } });
        let one = held(blocks);
        let control = |area: &str| one.marker(area, "control");
        assert_eq!(control("worcestershire"), Some(1));
        assert_eq!(control("lincolnshire"), Some(1), "Artillery alone holds an Area");
        assert_eq!(control("kent"), Some(2), "and Loyal, too");
        assert_eq!((control("durham"), control("essex")), (Some(1), Some(2)), "vacant and Loyal");
        assert_eq!(control("lancashire"), Some(0), "vacant and Loyal to nobody");
        assert_eq!((control("norfolk"), control("devon")), (Some(3), Some(3)));
    }

    #[test]
    fn rule_4_21_cities_follow_their_areas_and_sympathy_where_these_are_neutral() {
        let cornwall = json!({ "r-hopton": { "at": "cornwall" } });
        let empty = acting("royalist", cornwall);
        for (city, _, royalist, _) in CITIES {
            assert_eq!(empty.marker(city, "control"), Some(if royalist { 1 } else { 2 }), "{city}");
        }
        for (city, area, ..) in CITIES {
            for (block, side) in [("r-charles", 1), ("p-essex", 2)] {
                let blocks: Value = [(block, json!({ "at": area }))].into_iter().collect();
                assert_eq!(acting("royalist", blocks).marker(city, "control"), Some(side), "{block} at {city}");
            }
        }
        let inside = json!({ "p-essex": { "at": "bristol" }, "r-charles": { "at": "somerset" } });
        let inside = acting("royalist", inside);
        assert_eq!((inside.marker("bristol", "control"), inside.marker("somerset", "control")), (Some(2), Some(1)));
        let contested = json!({ "p-essex": { "at": "oxfordshire" },
            "r-charles": { "at": "oxfordshire", "by": "gloucestershire" },
            "p-brooke": { "at": "somerset" }, "r-rupert": { "at": "somerset", "by": "devon" } });
        assert_eq!(held(contested).marker("oxford", "control"), Some(2), "the Defender's");
    }

    #[test]
    fn rule_4_51_each_change_of_hands_moves_the_marker_at_once() {
        let points = |blocks: &Value| acting("royalist", blocks.clone()).points();
        let cornwall = json!({ "r-hopton": { "at": "cornwall" } });
        // Oxford began as Parliament's, since Brooke stood there.
        assert_eq!(points(&cornwall), 0);
        for (city, area, royalist, value) in CITIES {
            for (block, side) in [("r-charles", true), ("p-essex", false)] {
                let blocks: Value = [(block, json!({ "at": area }))].into_iter().collect();
                let change = match (royalist, side) {
                    (true, false) => -value,
                    (false, true) => value,
                    _ => 0,
                };
                assert_eq!(points(&blocks), change, "{block} at {city}");
            }
        }
        let mut one = acting("royalist", json!({ "r-charles": { "at": "lincolnshire" } }));
        one.play("group lincolnshire; take r-charles; go bedfordshire-cambridgeshire");
        assert_eq!(one.points(), 1, "Cambridge is taken by who passes");
        one.play("take r-charles; go leicestershire-northamptonshire");
        assert_eq!(one.points(), 0, "and falls back");
    }
}
