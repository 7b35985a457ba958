//! Winning (17.1 to 17.3, W1 to W6, T21, T22), by number.

use serde_json::{Value, json};

use crate::play::{Match, at, merged, phase};

/// All Areas of some Regions.
fn of(regions: &[&str]) -> Vec<String> {
    let areas = |id: &&str| {
        let (_, areas) = SPACES.iter().find(|(region, _)| region == id).expect("a Region");
        areas.split(' ').map(str::to_owned)
    };
    regions.iter().flat_map(areas).collect()
}

/// The Areas by Region (17.3).
const SPACES: [(&str, &str); 5] = [
    (
        "south",
        "truro st-austell plymouth barnstaple exeter taunton lyme poole salisbury bath bristol devizes newbury reading basing-house winchester portsmouth chichester reigate maidstone dover",
    ),
    (
        "east",
        "london bedford cambridge colchester ipswich norwich kings-lynn huntingdon peterborough boston lincoln newark gainsborough",
    ),
    ("wales", "cardiff pembroke carmarthen brecon radnor aberystwyth harlech conway denbigh"),
    (
        "midlands",
        "gloucester forest-of-dean hereford worcester bridgnorth shrewsbury chester macclesfield preston stafford lichfield derby nottingham leicester warwick northampton oxford",
    ),
    (
        "north",
        "berwick newcastle hexham carlisle appleby kendal durham thirsk scarborough york hull skipton wakefield doncaster sheffield",
    ),
];

/// The Power Base Phase of a Turn.
fn power_base(turn: &str, royalist: &[String], parliament: &[String], more: &Value) -> Match {
    let fields = json!({ "control": { "royalist": royalist, "parliament": parliament } });
    at(phase(turn, "power-base", &merged(fields, more)), "")
}

/// The end of the last Turn.
fn last_end(royalist: &[String], parliament: &[String], brigades: &Value) -> Match {
    let fields =
        json!({ "control": { "royalist": royalist, "parliament": parliament }, "brigades": brigades });
    at(phase("winter-1645", "end", &fields), "")
}

fn code(table: &Match) -> Option<(&'static str, Vec<i32>)> {
    table.result().map(|result| (result.code, result.returns))
}

fn without(areas: Vec<String>, gone: &[&str]) -> Vec<String> {
    areas.into_iter().filter(|area| !gone.contains(&area.as_str())).collect()
}

/// London, and all of Wales, the Midlands and the North, for the Royalist; the rest for Parliament.
fn ascendant() -> (Vec<String>, Vec<String>) {
    let mut royalist = of(&["wales", "midlands", "north"]);
    royalist.push("london".to_owned());
    (royalist, without(of(&["south", "east"]), &["london"]))
}

rules! {
    #[test]
    fn rule_w1_london_and_three_regions_win_for_the_royalist() {
        let (royalist, parliament) = ascendant();
        let once = json!({ "ascendancy": 1 });
        assert_eq!(code(&power_base("late-1643", &royalist, &parliament, &once)), Some(("ascendancy", vec![1, -1])));
        let no_london = power_base("late-1643", &without(royalist.clone(), &["london"]), &parliament, &once);
        assert_eq!((code(&no_london), no_london.number_of("ascendancy", None)), (None, 0));
        let two = without(royalist.clone(), &["cardiff", "pembroke", "carmarthen", "brecon", "radnor"]);
        assert_eq!(code(&power_base("late-1643", &two, &parliament, &once)), None, "four of nine are no Region");
        let masked = json!({ "ascendancy": 1, "generals": { "essex": "london" }, "brigades": { "essex": ["fiennes"] } });
        assert_eq!(code(&power_base("late-1643", &royalist, &parliament, &masked)).map(|(code, _)| code), Some("ascendancy"),
            "Masks make no difference");
    }

    #[test]
    fn rule_t22_it_takes_two_turns_running() {
        let (royalist, parliament) = ascendant();
        let first = power_base("late-1643", &royalist, &parliament, &json!({}));
        assert_eq!((code(&first), first.number_of("ascendancy", None)), (None, 1));
        let lost = power_base("late-1643", &without(royalist, &["london"]), &parliament, &json!({ "ascendancy": 1 }));
        assert_eq!(lost.number_of("ascendancy", None), 0, "the count starts again");
    }

    #[test]
    fn rule_t21_the_royalists_victory_comes_before_the_power_base() {
        let mut royalist: Vec<String> = ["london", "hereford", "worcester", "oxford"].map(str::to_owned).into();
        royalist.extend(of(&["wales"]).into_iter().take(5));
        royalist.extend(of(&["north"]).into_iter().take(8));
        royalist.extend(["cambridge", "bedford", "colchester", "ipswich", "norwich", "kings-lynn"].map(str::to_owned));
        assert_eq!(royalist.len(), 23, "one less than the last Turn asks for");
        let table = power_base("winter-1645", &royalist, &of(&["south"]), &json!({ "ascendancy": 1 }));
        assert_eq!(code(&table).map(|(code, _)| code), Some("ascendancy"));
    }

    #[test]
    fn rule_w2_who_falls_short_of_the_number_loses() {
        let many = of(&["south"]);
        let fourteen = of(&["north"]).into_iter().take(14).collect::<Vec<_>>();
        assert_eq!(code(&power_base("late-1642", &fourteen, &many, &json!({}))), None, "as many are enough");
        assert_eq!(code(&power_base("late-1642", &fourteen[..13], &many, &json!({}))), Some(("power_base", vec![-1, 1])));
        assert_eq!(code(&power_base("late-1642", &many, &fourteen[..13], &json!({}))), Some(("power_base", vec![1, -1])));
    }

    #[test]
    fn rule_17_2_the_numbers_of_the_turns() {
        let turns = ["late-1642", "winter-1642", "early-1643", "late-1643", "winter-1643", "early-1644", "late-1644", "winter-1644",
            "early-1645", "late-1645", "winter-1645"];
        let south = of(&["south", "east"]);
        let all = of(&["north", "midlands"]);
        for (index, turn) in turns.into_iter().enumerate() {
            let number = 14 + index;
            let enough = power_base(turn, &all[..number], &south, &json!({}));
            assert_ne!(code(&enough).map(|(code, _)| code), Some("power_base"), "{turn}");
            let short = power_base(turn, &all[..number - 1], &south, &json!({}));
            assert_eq!(code(&short), Some(("power_base", vec![-1, 1])), "{turn}");
        }
    }

    #[test]
    fn rule_w6_both_may_fall_short() {
        let few = of(&["wales"]);
        assert_eq!(code(&power_base("late-1642", &few, &[], &json!({}))), Some(("both_short", vec![0, 0])));
    }

    #[test]
    fn rule_w3_twelve_points_are_parliaments() {
        // South, East, Midlands and North, and four infrastructures: twelve; without one of these eleven.
        let regions = of(&["south", "east", "midlands", "north"]);
        let gone = ["newcastle", "sheffield", "northampton", "forest-of-dean", "bristol"];
        let table = last_end(&of(&["wales"]), &without(regions.clone(), &gone), &json!({}));
        assert_eq!((code(&table), table.public("points_counted")), (Some(("points", vec![-1, 1])), vec!["points_counted 12".to_owned()]));
        let eleven = last_end(&of(&["wales"]), &without(without(regions, &gone), &["truro"]), &json!({}));
        assert_eq!((code(&eleven), eleven.public("points_counted")), (Some(("points", vec![1, -1])),
            vec!["points_counted 11".to_owned()]));
    }

    #[test]
    fn rule_17_3_regions_by_their_majority_and_nine_infrastructures() {
        let all = of(&["south", "east", "wales", "midlands", "north"]);
        assert_eq!(all.len(), 75);
        assert_eq!(last_end(&[], &all, &json!({})).public("points_counted"), ["points_counted 19"]);
        let poor = ["newcastle", "sheffield", "northampton", "bedford", "forest-of-dean", "bristol", "london", "salisbury",
            "newbury", "reading", "reigate", "truro"];
        for (region, majority) in [("south", 11), ("east", 7), ("wales", 5), ("midlands", 9), ("north", 8)] {
            let areas = without(of(&[region]), &poor);
            let points = |count: usize| last_end(&[], &areas[..count], &json!({})).public("points_counted");
            assert_eq!((points(majority), points(majority - 1)), (vec!["points_counted 2".to_owned()],
                vec!["points_counted 0".to_owned()]), "{region}");
        }
        for (areas, points) in [(&["northampton"][..], 0), (&["northampton", "bedford"], 1), (&["salisbury", "newbury"], 0),
            (&["salisbury", "newbury", "reading"], 1),
            (&["newcastle"], 1), (&["sheffield"], 1), (&["forest-of-dean"], 1), (&["bristol"], 1), (&["london"], 1),
                (&["reigate"], 1), (&["truro"], 1)] {
            let areas: Vec<String> = areas.iter().map(|&area| area.to_owned()).collect();
            assert_eq!(last_end(&[], &areas, &json!({})).public("points_counted"), [format!("points_counted {points}")], "{areas:?}");
        }
    }

    #[test]
    fn rule_w4_an_enemy_brigade_makes_an_infrastructure_nobodys() {
        let areas = ["newcastle".to_owned(), "sheffield".to_owned()];
        let points = |brigades: Value| last_end(&[], &areas, &brigades).public("points_counted");
        assert_eq!(points(json!({})), ["points_counted 2"]);
        assert_eq!(points(json!({ "unled-newcastle": ["byrons"] })), ["points_counted 1"]);
        assert_eq!(points(json!({ "unled-newcastle": ["gells"] })), ["points_counted 2"], "an own one is no bar");
    }

    #[test]
    fn rule_w2_the_power_base_comes_before_the_points() {
        let table = power_base("winter-1645", &of(&["midlands"]), &of(&["south", "east"]), &json!({}));
        assert_eq!(code(&table).map(|(code, _)| code), Some("power_base"));
    }
}
