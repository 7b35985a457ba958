//! Section 9: supply, Siege Resolution, surrender.

use edgehill_engine::seat::Observer;
use serde_json::{Value, json};

use crate::play::{Match, P, R, place, resolution};

fn supply(blocks: &Value, more: &Value) -> Match {
    Match::at(place("supply", "royalist", blocks, more), "")
}

/// Returns the number of blocks that are short, of those in an Area.
fn short(area: &str, blocks: &[&str]) -> i32 {
    let blocks: Value = blocks.iter().map(|block| (*block, json!({ "at": area }))).collect();
    let one = supply(&blocks, &json!({}));
    if one.asked() == "short" { one.number() } else { 0 }
}

/// The Siege of a City that Parliament holds with these blocks, the die having been rolled.
fn besieged(city: &str, area: &str, marker: u8, within: &[(&str, u8)], die: u8) -> Match {
    let mut blocks: Value = within
        .iter()
        .map(|(block, strength)| (*block, json!({ "at": city, "strength": strength })))
        .collect();
    for besieger in ["r-charles", "r-rupert"] {
        blocks[besieger] = json!({ "at": area });
    }
    let mut markers = json!({});
    markers[city] = marker.into();
    resolution(markers, blocks, &die.to_string())
}

rules! {
    #[test]
    fn rule_9_11_what_areas_and_cities_supply() {
        let foot = ["r-charles", "r-hopton", "r-newcastle", "r-northampton", "r-northumb-foot", "r-pool-m-foot", "r-pool-s-foot",
            "r-lancashire-foot", "r-cheshire-m-foot"];
        let horse = ["r-rupert", "r-cheshire-m-horse", "r-northumb-horse"];
        assert_eq!((short("durham", &foot[..4]), short("durham", &foot[..5])), (0, 1), "four");
        assert_eq!((short("central-wales", &foot[..3]), short("central-wales", &foot[..4])), (0, 1), "mountains three");
        assert_eq!((short("durham", &horse[..2]), short("durham", &horse)), (0, 1), "two Cavalry");
        assert_eq!((short("central-wales", &horse[..1]), short("central-wales", &horse[..2])), (0, 1), "one in the mountains");
        assert_eq!((short("worcestershire", &foot[..5]), short("worcestershire", &foot[..6])), (0, 1), "a Minor City one more");
        assert_eq!((short("oxfordshire", &foot[..6]), short("oxfordshire", &foot[..7])), (0, 1), "a Major City two");
        let london = "buckinghamshire-hertfordshire";
        assert_eq!((short(london, &foot[..8]), short(london, &foot)), (0, 1), "London four");
        let five = ["r-charles", "r-hopton", "r-northampton", "r-rupert", "r-cheshire-m-horse"];
        assert_eq!((short("durham", &five), short("worcestershire", &five)), (1, 0), "the City feeds Infantry");
        assert_eq!(short("durham", &["r-charles", "r-hopton", "r-northampton", "r-newcastle", "r-cannon-1"]), 0, "not Artillery");
    }

    #[test]
    fn rule_9_11_a_besieger_has_nothing_of_the_city() {
        let mut blocks: Value = ["r-charles", "r-hopton", "r-newcastle", "r-northampton", "r-northumb-foot"]
            .iter().map(|block| (*block, json!({ "at": "oxfordshire" }))).collect();
        blocks["p-brooke"] = json!({ "at": "oxford" });
        blocks["p-essex"] = json!({ "at": "oxford" });
        let one = supply(&blocks, &json!({}));
        assert_eq!((one.to_act(), one.asked(), one.number()), (Some(R), "short", 1));
    }

    #[test]
    fn rule_9_12_a_horse_too_many_goes_short() {
        let at = "lincolnshire";
        let blocks = json!({ "r-rupert": { "at": at }, "r-cheshire-m-horse": { "at": at }, "r-northumb-horse": { "at": at },
            "r-charles": { "at": at }, "r-newcastle": { "at": at } });
        let mut one = supply(&blocks, &json!({}));
        assert_eq!(one.choices("lose"), ["r-northumb-horse", "r-rupert", "r-cheshire-m-horse"]);
        assert_eq!(one.refused("lose r-charles"), ["IS_SUPPLIED 9.12"]);
        one.play("lose r-rupert");
        assert_eq!((one.strength("r-rupert"), one.strength("r-charles")), (3, 4));
        assert_ne!(one.asked(), "short", "each once");
    }

    #[test]
    fn rule_9_12_what_was_announced_is_seen_by_all_until_its_turn() {
        let horse = [("durham", ["r-rupert", "r-cheshire-m-horse", "r-northumb-horse"]),
            ("central-wales", ["r-pool-n-horse", "r-pool-w-horse-1", "r-pool-s-horse"]),
            ("lincolnshire", ["p-westriding-horse", "p-pool-e-horse-1", "p-pool-m-horse"])];
        let blocks: Value = horse.into_iter().flat_map(|(area, blocks)| blocks.map(|block| (block, json!({ "at": area })))).collect();
        let mut one = supply(&blocks, &json!({}));
        for observer in [Observer::Seat(R), Observer::Seat(P), Observer::Spectator] {
            assert_eq!(one.still_short(observer), [("central-wales".to_owned(), 2)]);
        }
        assert_eq!((one.to_act(), one.number()), (Some(R), 1));
        one.play("lose r-rupert");
        assert_eq!((one.to_act(), one.number(), one.still_short(Observer::Seat(R))), (Some(R), 2, vec![]));
        one.play("lose r-pool-n-horse; lose r-pool-s-horse");
        assert_eq!((one.to_act(), one.number(), one.still_short(Observer::Seat(R))), (Some(P), 1, vec![]));
    }

    #[test]
    fn rule_h5_the_quartermaster_general_supplies_two() {
        let at = "durham";
        let foot = ["r-charles", "r-hopton", "r-newcastle", "r-northampton", "r-northumb-foot", "r-pool-m-foot", "r-pool-s-foot"];
        let blocks: Value = foot.iter().map(|block| (*block, json!({ "at": at }))).collect();
        let cards = json!({ "cards": { "royalist": "r-quartermaster", "parliament": "p-ap4-1" } });
        let mut one = supply(&blocks, &cards);
        assert_eq!(one.number(), 3);
        one.play("exempt r-charles; exempt r-hopton");
        assert_eq!(one.refused("exempt r-newcastle"), ["NO_QUARTERMASTER H5"]);
        assert_eq!(one.refused("lose r-charles"), ["NOT_THERE 9.12"]);
        one.play("lose r-newcastle");
        one.has(&[("r-charles", 4), ("r-hopton", 4), ("r-newcastle", 3)]);
        let mut late = supply(&blocks, &cards);
        late.play("lose r-charles");
        assert_eq!(late.refused("exempt r-hopton"), ["LOSING_ALREADY H5"]);
        let mut none = supply(&blocks, &json!({}));
        assert_eq!(none.refused("exempt r-charles"), ["NO_QUARTERMASTER H5"]);
    }

    #[test]
    fn rule_9_2_a_die_for_each_city_with_a_marker_of_one_or_more() {
        let blocks = json!({ "p-brooke": { "at": "oxford" }, "r-charles": { "at": "oxfordshire" }, "r-northampton": { "at": "oxfordshire" },
            "p-fairfax": { "at": "hull" }, "r-newcastle": { "at": "east-riding" },
            "p-waller": { "at": "plymouth" }, "r-hopton": { "at": "devon" } });
        let one = resolution(json!({ "oxford": 1, "hull": 1, "plymouth": 0 }), blocks, "1 1");
        assert_eq!((one.left_over(), one.asked()), (0, "choose"));
    }

    #[test]
    fn rule_9_21_attrition_by_cell_horse_and_port() {
        // Marker 1: 4 is a matter of horse, 5 of horse or Ports, 6 of everybody.
        let lost = |city: &str, area: &str, horse: bool, die: u8| {
            let within: &[(&str, u8)] = if horse { &[("p-gloucester-m-horse", 3), ("p-brooke", 3)] } else { &[("p-essex", 3), ("p-brooke", 3)] };
            let one = besieged(city, area, 1, within, die);
            if one.asked() == "lose_there" { one.number() } else { 0 }
        };
        for die in 1..=3 {
            assert_eq!(lost("oxford", "oxfordshire", true, die), 0, "{die}");
        }
        assert_eq!((lost("oxford", "oxfordshire", true, 4), lost("oxford", "oxfordshire", false, 4)), (2, 0));
        assert_eq!((lost("oxford", "oxfordshire", false, 5), lost("bristol", "somerset", false, 5)), (2, 0));
        assert_eq!(lost("bristol", "somerset", true, 5), 2);
        assert_eq!(lost("bristol", "somerset", false, 6), 2);
        let mut one = besieged("oxford", "oxfordshire", 1, &[("p-gloucester-m-horse", 3), ("p-brooke", 3)], 5);
        assert_eq!(one.refused("lose p-brooke"), ["CAVALRY_FIRST 9.21"]);
        one.play("lose p-gloucester-m-horse; lose p-brooke");
        one.has(&[("p-gloucester-m-horse", 2), ("p-brooke", 2)]);
        let mut free = besieged("oxford", "oxfordshire", 1, &[("p-essex", 4), ("p-brooke", 3)], 5);
        free.play("lose p-essex; lose p-essex");
        free.has(&[("p-essex", 2), ("p-brooke", 3)]);
    }

    #[test]
    fn rule_9_21_every_cell_of_the_table() {
        // By marker and die: `-` nobody, `h` with a horse, `o` with a horse or without a Port, `a` all; capitals surrender.
        let cells = ["---hoA", "-hoaHA", "hoaHAA", "hoAAAA", "NAAAAA"];
        for (row, cells) in (1u8..).zip(cells) {
            for (die, cell) in (1u8..).zip(cells.chars()) {
                for (city, area, port) in [("oxford", "oxfordshire", false), ("bristol", "somerset", true)] {
                    for horse in [true, false] {
                        let other = if horse { "p-gloucester-m-horse" } else { "p-essex" };
                        let one = besieged(city, area, row, &[(other, 3), ("p-brooke", 3)], die);
                        let suffers = match cell.to_ascii_lowercase() {
                            'h' => horse,
                            'o' => horse || !port,
                            'a' => true,
                            _ => false,
                        };
                        let what = format!("marker {row}, die {die}, {city}, horse {horse}");
                        assert_eq!(one.asked() == "lose_there", suffers, "{what}");
                        if suffers {
                            let mounted = horse && matches!(cell.to_ascii_lowercase(), 'h' | 'o');
                            assert_eq!(one.choices("lose").len(), if mounted { 1 } else { 2 }, "{what}");
                        } else {
                            assert_eq!(one.asked() == "march_out", cell.is_ascii_uppercase(), "{what}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn rule_9_22_attrition_and_surrender() {
        let blocks = json!({ "p-essex": { "at": "oxfordshire" }, "p-brooke": { "at": "oxfordshire" },
            "r-rupert": { "at": "oxford", "strength": 2 }, "r-pool-m-foot": { "at": "oxford", "strength": 2 },
            "r-cannon-2": { "at": "oxford" }, "r-northampton": { "at": "staffordshire-warwickshire" } });
        let mut one = resolution(json!({ "oxford": 3 }), blocks, "4");
        assert_eq!(one.choices("lose"), ["r-rupert"], "rule 9.21: the first point is the horse's");
        one.play("lose r-rupert");
        assert_eq!(one.choices("lose"), ["r-rupert", "r-pool-m-foot"]);
        one.play("lose r-pool-m-foot");
        one.has(&[("r-rupert", 1), ("r-pool-m-foot", 1), ("r-cannon-2", 0)]);
        assert_eq!(one.refused("done"), ["MUST_LEAVE 9.22"]);
        one.play("retreat r-rupert");
        assert_eq!(one.choices("to"), ["staffordshire-warwickshire"]);
        one.play("to staffordshire-warwickshire; retreat r-pool-m-foot; to staffordshire-warwickshire; done");
        assert_eq!((one.marker("oxford", "control"), one.marker("oxford", "siege")), (Some(2), None));
        // The last of the besieged starves: nobody is left who could surrender.
        let mut last = besieged("bristol", "somerset", 2, &[("p-essex", 1)], 4);
        last.play("lose p-essex");
        let codes = last.codes(Observer::Seat(R));
        assert!(codes.contains(&"emptied") && !codes.contains(&"holds_on"), "{codes:?}");
    }

    #[test]
    fn rule_9_22_far_from_friends_each_loses_one_and_goes_to_the_nearest() {
        let mut one = besieged("plymouth", "devon", 5, &[("p-waller", 2)], 1);
        // No neighbour of Devon is Parliament's, but Somerset is Neutral with Bristol in it.
        one.play("retreat p-waller");
        assert_eq!(one.choices("to"), ["somerset"]);
        let blocks = json!({ "r-hopton": { "at": "devon" }, "r-charles": { "at": "somerset" }, "r-rupert": { "at": "wiltshire-dorset" },
            "p-waller": { "at": "plymouth", "strength": 2 }, "p-cannon-1": { "at": "plymouth" } });
        let mut far = resolution(json!({ "plymouth": 5 }), blocks, "1");
        far.has(&[("p-waller", 1), ("p-cannon-1", 0)]);
        far.play("retreat p-waller");
        assert_eq!(far.choices("to"), ["buckinghamshire-hertfordshire", "surrey-sussex"], "three borders, through anything");
        far.play("to surrey-sussex; done");
    }

    #[test]
    fn rule_h11_regional_blocks_go_home_or_are_lost() {
        let blocks = json!({ "p-essex": { "at": "oxfordshire" }, "p-brooke": { "at": "oxfordshire" },
            "r-hopton": { "at": "gloucestershire" }, "r-pool-s-foot": { "at": "oxford" }, "r-sewales-foot-1": { "at": "oxford" },
            "p-fairfax": { "at": "se-wales" } });
        let mut one = resolution(json!({ "oxford": 5 }), blocks, "1");
        one.play("retreat r-pool-s-foot");
        assert_eq!(one.choices("to"), ["gloucestershire"], "home, where Hopton is, too");
        one.play("to gloucestershire; retreat r-sewales-foot-1");
        assert_eq!(one.choices("to"), ["ne-wales", "central-wales"], "the nearest Friendly Areas at home");
        one.play("to ne-wales; done");
        assert_eq!(one.strength("r-sewales-foot-1"), 3, "at no loss");
        let blocks = json!({ "r-charles": { "at": "somerset" }, "r-hopton": { "at": "somerset" }, "p-shropshire-foot": { "at": "bristol" },
            "p-gloucester-s-foot": { "at": "wiltshire-dorset" } });
        let mut lost = resolution(json!({ "bristol": 5 }), blocks, "1");
        assert_eq!(lost.legal(), ["done"], "no Friendly Area in Wales");
        lost.play("done");
        lost.has(&[("p-shropshire-foot", 0)]);
    }

    #[test]
    fn rule_9_3_markers_rise_to_five() {
        let blocks = json!({ "p-brooke": { "at": "oxford" }, "r-charles": { "at": "oxfordshire" }, "r-northampton": { "at": "oxfordshire" },
            "p-fairfax": { "at": "hull" }, "r-newcastle": { "at": "east-riding" }, "p-waller": { "at": "plymouth" }, "r-hopton": { "at": "devon" },
            "p-essex": { "at": "chester" }, "r-rupert": { "at": "cheshire" } });
        let one = resolution(json!({ "oxford": 0, "hull": 1, "plymouth": 3 }), blocks, "1 1");
        let marker = |city: &str| one.marker(city, "siege");
        assert_eq!((marker("oxford"), marker("hull"), marker("plymouth"), marker("chester")), (Some(1), Some(2), Some(4), Some(1)));
    }

    #[test]
    fn rule_7_82_a_leader_who_starves_leaves_stranded_blocks() {
        let within = [("p-essex", 1), ("p-gloucester-e-foot", 3)];
        let mut one = besieged("bristol", "somerset", 2, &within, 4);
        one.play("lose p-essex; lose p-gloucester-e-foot");
        assert_eq!((one.strength("p-gloucester-e-foot"), one.marker("bristol", "besieged")), (0, None), "in a City, too");
        // The City is told of first, as if nobody were stranded: who is follows from hidden faces.
        let codes = one.codes(Observer::Seat(R));
        let told: Vec<_> = codes.iter().filter(|code| ["emptied", "holds_on", "stranded"].contains(code)).collect();
        assert_eq!(told, [&"holds_on", &"stranded"]);
        let by_the_way = json!({ "p-essex": { "at": "oxfordshire" }, "p-brooke": { "at": "oxfordshire" }, "r-rupert": { "at": "oxford", "strength": 2 },
            "r-northampton": { "at": "staffordshire-warwickshire" }, "r-sewales-foot-1": { "at": "gloucestershire" } });
        let mut other = resolution(json!({ "oxford": 5 }), by_the_way, "1");
        other.play("retreat r-rupert; to staffordshire-warwickshire; done");
        assert_eq!((other.to_act(), other.strength("r-sewales-foot-1")), (None, 3), "only where somebody fought or went");
        let _ = P;
    }
}
