//! Desertion and Supply Attrition (12.0).

use std::sync::Arc;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Game;
use edgehill_engine::games::unhappy_king_charles::UnhappyKing;
use edgehill_engine::games::unhappy_king_charles::content::builtin;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, Table};
use serde_json::{Value, json};

use super::{expected, number};
use crate::play::{Match, P, R, at, phase};

/// Asserts how many Brigades are with Leaders, by the names of the examples.
fn assert_counts(table: &Match, expected: &Value) {
    for (name, count) in expected.as_object().expect("Leaders") {
        let id = name.to_lowercase().replace(" (ln)", "").replace(['(', ')'], "").replace(' ', "-");
        assert_eq!(table.count(&id), number(count), "{name}");
    }
}

#[test]
fn r18_late_1644() {
    // Rupert at Leicester and the King at Northampton are next to Essex at Warwick and Manchester at Peterborough.
    let fields = json!({ "control": { "royalist": ["cardiff"] }, "notables": { "lord-herbert": "in-play" },
        "generals": { "essex": "warwick", "waller": "portsmouth", "manchester": "peterborough", "tom-fairfax-north": "norwich",
            "prince-rupert": "leicester", "king-charles-i": "northampton", "newcastle": "newcastle" },
        "brigades": { "essex": ["fiennes", "assheton", "gells", "denbighs", "pophams", "skippons", "ironsides"],
            "waller": ["wallers-horse", "western-association", "western-association"], "manchester": ["eastern-association"],
            "tom-fairfax-north": ["hothams", "fairfaxs-horse"], "prince-rupert": ["byrons", "astleys", "digbys-horse"],
            "king-charles-i": ["kings-lifeguard", "ruperts-lifeguard", "wilmots", "tyldesleys"], "lord-herbert": ["carberys"],
            "newcastle": ["whitecoats", "whitecoats", "glemhams"] } });
    let mut table = at(phase("late-1644", "desertion", &fields), "");
    assert_eq!(table.options("at"), ["norwich"]);
    table.act_as(P, "at norwich; brigade hothams");
    assert_eq!(table.options("at"), ["warwick"]);
    table.act_as(P, "at warwick; brigade gells");
    assert_eq!(table.refusal("at peterborough"), ["OTHERS_HAVE_MORE H3"], "Manchester has one Brigade");
    table.act_as(P, "at warwick; brigade pophams; done");
    assert_eq!(table.options("at"), ["northampton"]);
    table.act_as(R, "at northampton; brigade wilmots");
    assert_eq!(table.options("at"), ["leicester", "northampton"]);
    table.act_as(R, "at leicester; brigade byrons; at northampton; brigade tyldesleys; done");
    let expected = expected("R18");
    assert_counts(&table, &expected["after_desertion"]);
    table.act_as(P, "brigade denbighs");
    assert_counts(&table, &expected["after_attrition"]);
}

#[test]
fn c07_irish_and_the_five() {
    let fields = json!({ "generals": { "byron": "chester", "hopton": "truro" },
        "brigades": { "byron": ["irish", "irish", "irish", "byrons"], "hopton": ["stawells", "berkeleys"], "unled-newcastle": ["glemhams"] } });
    let mut table = at(phase("late-1644", "desertion", &fields), "");
    table.act("at chester");
    assert_eq!(table.options("brigade"), ["irish"]);
    table.act("brigade irish").act("at chester; brigade irish");
    assert_eq!(table.offered(), ["done"]);
    table.act("done");
    let left = table.count("byron") + table.count("hopton") + table.count("unled-newcastle");
    assert_eq!((left, expected("C07")["unmet"].clone()), (number(&expected("C07")["total_after"]), json!(1)));
}

#[test]
fn c08_categories_come_round_again() {
    // No Turn asks for four Brigades: content in which Late 1644 does.
    let files = builtin();
    let turns = std::str::from_utf8(files.get("turns.toml").expect("the Turns")).expect("text");
    let at = turns.find("id = \"late-1644\"").expect("the Turn");
    let four = turns[..at].to_owned() + &turns[at..].replacen("desertion = 3", "desertion = 4", 1);
    let files = files.overlay([("turns.toml".to_owned(), four.into_bytes())]).expect("a file of the game");
    let game = Arc::new(UnhappyKing::load(&files).expect("sound content"));
    let fields = json!({ "generals": { "essex": "london" }, "brigades": { "unled-hull": ["hothams"],
        "essex": ["fiennes", "assheton", "gells", "denbighs", "pophams", "skippons", "ironsides", "southern-association"] } });
    let setup = Setup::default_of(game.catalogue());
    let position = phase("late-1644", "desertion", &fields);
    let mut table = Table::open_position(Arc::clone(&game), setup, position, ChanceSource::script(""))
        .expect("a position");
    let mut act = |line: &str| {
        let taken = table.apply_line(Seat::new(1), line, ApplyMode::Atomic);
        assert!(taken.is_ok(), "{line}: {taken:?}");
    };
    act("at london; brigade gells");
    act("at london; brigade fiennes; at hull; brigade hothams");
    act("at london; brigade pophams; done");
    act("brigade denbighs");
    let view = table.view(Observer::Seat(Seat::new(1)));
    let essex = |group: &edgehill_engine::view::PieceGroup| {
        game.catalogue().id_of(edgehill_engine::reference::Ref::from(group.at)) == "essex"
    };
    let left: u16 = view.board.groups.iter().filter(|(group, _)| essex(group)).map(|(_, &count)| count).sum();
    assert_eq!(usize::from(left), number(&expected("C08")["attrition"]["Essex"]));
    assert_eq!(number(&expected("C08")["second_cycle_cat2"]["Essex"]), 5);
}
