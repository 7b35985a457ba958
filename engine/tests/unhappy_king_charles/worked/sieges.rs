//! Sieges, Bombardments, Assaults and Battles at them (14.0), and a Battle that takes the King (10.4).

use serde_json::{Value, json};

use super::{expected, number};
use crate::play::{Match, P, R, at, position};

fn royalist(turn: &str, fields: &Value, script: &str) -> Match {
    at(position(turn, "royalist", fields), script)
}

#[test]
fn r21_hopton_before_plymouth() {
    let fields = json!({ "control": { "royalist": ["truro", "oxford"], "parliament": ["plymouth", "london"] },
        "generals": { "hopton": "plymouth", "prince-rupert": "exeter" },
        "brigades": { "hopton": ["stawells", "berkeleys"], "prince-rupert": ["byrons", "astleys"], "inside-plymouth": ["pophams"] } });
    royalist("early-1643", &fields, "")
        .act("card C02; use activate; activate hopton")
        .refuses("siege place", "F2");
    let mut table = royalist("early-1643", &fields, "");
    table.act("card C02; use activate; activate prince-rupert; move plymouth; join hopton; siege place");
    assert_eq!((table.whereabouts("hopton"), table.marker("plymouth", "siege")), ("prince-rupert".into(), 1));
    assert_eq!(expected("R21")["first"], "refused");
}

/// Newcastle before Hull with three Brigades and a Siege marker, and others.
fn before_hull(more: &Value) -> Value {
    let fields = json!({ "control": { "royalist": ["york", "oxford"], "parliament": ["hull", "london"] },
        "sieges": { "hull": { "marker": "siege", "value": 4 } } });
    crate::play::merged(fields, more)
}

#[test]
fn r22_subordinates_and_the_siege_marker() {
    let army = json!(["whitecoats", "whitecoats", "glemhams"]);
    let arrives = before_hull(
        &json!({ "generals": { "newcastle": "hull", "langdale": "york" }, "brigades": { "newcastle": army, "langdale": ["saviles"] } }),
    );
    let mut table = royalist("late-1643", &arrives, "");
    table.act("card C02; use activate; activate langdale; move hull; done");
    assert_eq!(
        (table.whereabouts("langdale"), table.marker("hull", "bombardment-value")),
        ("newcastle".into(), 4)
    );
    let leaves = before_hull(
        &json!({ "generals": { "newcastle": "hull", "langdale": "under-newcastle" }, "brigades": { "newcastle": army, "langdale": ["saviles"] } }),
    );
    let mut left = royalist("late-1643", &leaves, "");
    left.act("card C02; use activate; activate langdale; move york; done");
    assert_eq!(left.marker("hull", "bombardment-value"), 4);
    let higher = |spent: u8| {
        let king = json!({ "generals": { "newcastle": "hull", "king-charles-i": "doncaster" }, "brigades": { "newcastle": army, "king-charles-i": ["byrons", "astleys", "wilmots"] },
            "activation": { "general": "king-charles-i", "card": 3, "spent": spent, "path": ["newark", "doncaster"] } });
        royalist("late-1643", &before_hull(&king), "")
    };
    let mut paid = higher(2);
    paid.act("move hull; join newcastle; done");
    assert_eq!(
        (
            paid.whereabouts("newcastle"),
            paid.marker("hull", "siege"),
            paid.marker("hull", "bombardment-value")
        ),
        ("king-charles-i".into(), 0, 0)
    );
    assert!(!higher(3).offers("move hull"));
    assert_eq!(expected("R22")["higher_0mp"], "that arrival is refused");
}

#[test]
fn r23_oxford_one_bombardment_short() {
    for (inside, script) in [(json!([]), "1"), (json!(["gells"]), "1,6")] {
        let fields = json!({ "control": { "royalist": ["worcester"], "parliament": ["oxford", "london"] }, "generals": { "king-charles-i": "oxford" },
            "brigades": { "king-charles-i": ["byrons", "astleys", "wilmots"], "inside-oxford": inside }, "sieges": { "oxford": { "marker": "siege", "value": 6 } } });
        let mut table = royalist("early-1643", &fields, script);
        table.act("card C02; use bombard; bombard king-charles-i");
        let accumulated = number(&expected("R23")["accumulated"]);
        assert_eq!(
            table.public("bombarded"),
            [format!("bombarded royalist oxford 1 {} {accumulated}", expected("R23")["added"])]
        );
        assert_eq!(table.control("oxford"), "royalist");
    }
}

#[test]
fn r24_marston_moor() {
    let fields = json!({ "control": { "royalist": ["york", "oxford"], "parliament": ["hull", "london"] }, "sieges": { "york": { "marker": "siege", "value": 7 } },
        "generals": { "leven": "york", "manchester": "under-leven", "tom-fairfax-north": "under-leven", "newcastle": "inside-york", "prince-rupert": "skipton" },
        "brigades": { "leven": ["covenanter-levens", "covenanter-levens", "covenanter-levens", "covenanter-veterans-levens", "covenanter-veterans-levens"],
            "manchester": ["ironsides", "ironsides"], "tom-fairfax-north": ["fairfaxs-horse", "hothams"], "newcastle": ["whitecoats", "whitecoats"],
            "prince-rupert": ["kings-lifeguard", "byrons"] } });
    let mut table = royalist("late-1644", &fields, "3,3");
    table.act("card C02; use activate; activate prince-rupert; move york");
    table.act_as(P, "lift; stand; stand").act_as(R, "stand");
    // Three of Rupert, four of Newcastle and Newcastle's rating of 1, with a die of 3.
    let dice = table.public("battle_dice");
    assert_eq!(dice[0].split(' ').nth(4), Some("11"), "{dice:?}");
    assert_eq!((table.marker("york", "siege"), table.marker("york", "bombardment-value")), (0, 0));
    assert_eq!(expected("R24")["royalist_rating"], "Newcastle's (higher level)");
}

#[test]
fn c04_a_drawn_battle_takes_the_king() {
    let fields = json!({ "control": { "royalist": ["york"], "parliament": ["london"] }, "generals": { "essex": "bedford", "king-charles-i": "northampton" },
        "brigades": { "essex": ["fiennes", "gells", "assheton"], "king-charles-i": ["kings-lifeguard"] } });
    let mut table = at(position("early-1643", "parliament", &fields), "4,5");
    table
        .act("card C04; use activate; activate essex; move northampton")
        .act_as(R, "stand; stand")
        .act_as(P, "stand; brigade gells");
    assert_eq!(table.public("battle_dice"), ["battle_dice northampton 4 5 8 8"]);
    assert_eq!(table.result().map(|result| result.code), Some("king_surrenders"));
    assert_eq!(expected("C04")["totals"], json!([8, 8]));
}

#[test]
fn c11_a_port_and_inland() {
    let expected = expected("C11");
    let port = json!({ "control": { "royalist": ["worcester"], "parliament": ["portsmouth", "london"] }, "generals": { "king-charles-i": "portsmouth" },
        "brigades": { "king-charles-i": ["byrons", "astleys", "wilmots"] }, "trains": { "royalist": "with-king-charles-i" }, "chits": [2],
        "hands": { "royalist": ["E03"] } });
    let mut table = royalist("early-1643", &port, "5,1");
    table.act_as(R, "card C02; use bombard; bombard king-charles-i");
    assert_eq!(table.marker("portsmouth", "bombardment-value"), number(&expected["a1"]) as i32);
    table.act_as(P, "card C03; use discard").act_as(R, "card E03; use bombard; bombard king-charles-i");
    assert_eq!(table.marker("portsmouth", "bombardment-value"), number(&expected["a_accumulated"]) as i32);
    let inland = json!({ "control": { "royalist": ["oxford", "york"], "parliament": ["london"] }, "generals": { "waller": "oxford" },
        "brigades": { "waller": ["new-model-army", "new-model-army", "new-model-army"] }, "trains": { "parliament": "with-waller" }, "chits": [-1, -2],
        "happened": ["standard", "new-model"], "late_war": true });
    let mut b = at(position("early-1645", "parliament", &inland), "3");
    b.act("card C04; use bombard; bombard waller");
    assert_eq!(b.marker("oxford", "bombardment-value"), number(&expected["b"]) as i32);
}

#[test]
fn c12_a_local_notable_in_a_port() {
    let fields = json!({ "control": { "royalist": ["cardiff", "oxford"], "parliament": ["gloucester", "london"] }, "notables": { "lord-herbert": "in-play" },
        "generals": { "waller": "cardiff" }, "brigades": { "waller": ["wallers-horse"], "lord-herbert": ["carberys"] }, "chits": [-2, -1] });
    let mut table = at(position("early-1643", "parliament", &fields), "6,2");
    table.act("card C04; use bombard; bombard waller");
    assert_eq!(table.public("bombarded"), ["bombarded parliament cardiff 6 4 4"]);
    assert_eq!(
        (table.brigades("unemployed-royalist"), table.whereabouts("lord-herbert"), table.control("cardiff")),
        (vec!["carberys".to_owned()], "out".into(), "parliament")
    );
    assert_eq!(expected("C12")["brigade"], "Disperses");
}

#[test]
fn c13_an_immediate_assault() {
    let fields = json!({ "control": { "royalist": ["worcester"], "parliament": ["bristol", "london"] }, "generals": { "prince-rupert": "bristol" },
        "brigades": { "prince-rupert": ["kings-lifeguard", "ruperts-lifeguard", "byrons", "astleys"], "inside-bristol": ["pophams"] },
        "sieges": { "bristol": { "marker": "siege" } } });
    let mut table = royalist("early-1643", &fields, "2,4,5");
    table.act("card C02; use bombard; bombard prince-rupert");
    assert_eq!(table.marker("bristol", "bombardment-value"), number(&expected("C13")["accumulated"]) as i32);
    table.act("assault; brigade kings-lifeguard");
    assert_eq!(expected("C13")["result"], "repulsed");
    assert_eq!(
        (
            table.control("bristol"),
            table.marker("prince-rupert", "may-not"),
            table.marker("bristol", "siege")
        ),
        ("parliament", 1, 1)
    );
    assert!(table.brigades("out").contains(&"kings-lifeguard".to_owned()));
}

#[test]
fn c14_an_assault_on_a_class_3_fortress() {
    let fields = json!({ "control": { "royalist": ["york", "oxford"], "parliament": ["hull", "london"] }, "generals": { "essex": "york", "hopton": "inside-york" },
        "brigades": { "essex": ["skippons", "fiennes", "gells", "assheton", "denbighs"], "hopton": ["stawells", "berkeleys"] },
        "sieges": { "york": { "marker": "siege", "value": 3 } }, "hands": { "parliament": ["E06"] } });
    let mut table = at(position("early-1643", "parliament", &fields), "3,5,6");
    table.act("card E06; use bombard; bombard essex; assault; brigade skippons");
    assert_eq!((table.control("york"), table.whereabouts("hopton")), ("parliament", "out".into()));
    let pool = table.brigades("pool-royalist");
    assert!(
        ["stawells", "berkeleys"].iter().all(|face| pool.iter().any(|one| one == face)),
        "no honours of war"
    );
    assert_eq!(table.count("essex"), expected("C14")["left"].as_array().map_or(0, Vec::len));
}
