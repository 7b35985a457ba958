//! Worlds that a seat thinks possible, and what it knows of the set-up and of hidden cards (16.0, Y6 to Y8), by number.

use std::collections::BTreeMap;

use edgehill_engine::game::Game;
use edgehill_engine::games::unhappy_king_charles::State;
use edgehill_engine::reference::Location;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::view::View;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::json;

use crate::play::{Match, P, R, SPECTATOR, at, game, position, start};

/// The worlds drawn of each view.
const WORLDS: usize = 300;

/// Worlds that an observer of a match thinks possible, each as its other side sees it.
fn worlds(table: &Match, observer: Seat) -> Vec<View> {
    let game = game();
    let mut rng = ChaCha8Rng::seed_from_u64(1642);
    let view = game.view(table.0.state(), Observer::Seat(observer));
    let setup = Setup::default_of(game.catalogue());
    let mut world = || -> State { game.resample(&setup, &view, &mut rng) };
    (0..WORLDS).map(|_| game.view(&world(), Observer::Seat(observer.other()))).collect()
}

/// The faces of a seat's Brigades at each place, as it sees them.
fn faces(view: &View, owner: Seat) -> BTreeMap<String, Vec<String>> {
    let game = game();
    let mut places = BTreeMap::<String, Vec<String>>::new();
    for (group, &number) in &view.board.groups {
        if group.owner == Some(owner) && !matches!(group.at, Location::Track(_)) {
            let face = game.catalogue().kinds[usize::from(group.kind)].entry.id.clone();
            let there = places.entry(Match::place(group.at)).or_default();
            there.extend(std::iter::repeat_n(face, number.into()));
        }
    }
    places
}

/// The number of worlds in which a face is at a place.
fn times(worlds: &[View], owner: Seat, face: &str, at: &str) -> usize {
    let is_there =
        |view: &&View| faces(view, owner).get(at).is_some_and(|there| there.iter().any(|one| one == face));
    worlds.iter().filter(is_there).count()
}

rules! {
    #[test]
    fn rule_y6_irish_and_turncoats_are_dealt_to_the_map_and_never_to_a_pool() {
        let fields = json!({ "control": { "royalist": ["oxford", "bath"], "parliament": ["london"] },
            "generals": { "king-charles-i": "oxford", "hopton": "bath", "essex": "london", "waller": "reading" },
            "brigades": { "king-charles-i": ["irish", "byrons"], "hopton": ["stawells"],
                "essex": [{ "face": "whitecoats", "turncoat": true }, "fiennes"], "waller": ["gells"] } });
        let table = at(position("early-1644", "royalist", &fields), "");
        let royalists = worlds(&table, P);
        let irish = |place: &str| times(&royalists, R, "irish", place);
        assert_eq!((irish("king-charles-i") + irish("hopton"), irish("pool-royalist")), (WORLDS, 0));
        assert!((WORLDS / 5..WORLDS / 2).contains(&irish("hopton")), "one of three places: {}", irish("hopton"));
        assert_eq!(times(&royalists, R, "irish", "away"), WORLDS, "as many as ever are away");
        let byrons = ["king-charles-i", "hopton", "pool-royalist"].map(|place| times(&royalists, R, "byrons", place));
        assert!(byrons.iter().all(|&times| times > 0), "the rest is dealt over map and pool alike: {byrons:?}");
        let parliament = worlds(&table, R);
        let turned = |place: &str| times(&parliament, P, "whitecoats", place);
        assert_eq!((turned("essex") + turned("waller"), turned("pool-parliament")), (WORLDS, 0));
        assert!((WORLDS / 5..WORLDS / 2).contains(&turned("waller")), "one of three places: {}", turned("waller"));
    }

    #[test]
    fn rule_y6_the_new_model_is_nowhere_before_its_card() {
        let fields = json!({ "control": { "parliament": ["london"] }, "generals": { "essex": "london" },
            "brigades": { "essex": ["fiennes", "gells"] } });
        let before = at(position("early-1644", "royalist", &fields), "");
        let worlds_before = worlds(&before, R);
        let all = faces(&worlds_before[0], P)["away"].iter().filter(|face| *face == "new-model-army").count();
        assert_eq!(all, 5);
        let away = |view: &View| faces(view, P)["away"].iter().filter(|face| *face == "new-model-army").count();
        assert!(worlds_before.iter().all(|view| away(view) == all));
    }

    #[test]
    fn rule_y7_everybody_knows_the_set_up_until_a_hidden_choice() {
        let mut table = start("E01,E02,E03,E04,E05,E06,E07,E08,E09,X01,3");
        let everybody = [Observer::Seat(R), Observer::Seat(P), SPECTATOR];
        let places = ["pool-royalist", "pool-parliament", "king-charles-i", "essex", "inside-london"];
        for (observer, place) in everybody.into_iter().flat_map(|one| places.map(|place| (one, place))) {
            assert_eq!(table.seen(observer, place), table.brigades(place), "{observer:?}: {place}");
        }
        while table.frame() != "recruitment" {
            let first = table.offered()[0].clone();
            table.act(&first);
        }
        assert_eq!(table.to_act(), P);
        table.act("from pool-parliament");
        let face = table.options("brigade")[0].clone();
        table.act(&format!("brigade {face}"));
        let place = table.options("to")[0].clone();
        table.act(&format!("to {place}; done"));
        let pool = table.seen(Observer::Seat(R), "pool-parliament");
        assert!(pool.iter().all(|face| face == "parliament-brigade"), "a hidden choice was made from it: {pool:?}");
        assert_eq!(table.seen(Observer::Seat(P), "pool-royalist"), table.brigades("pool-royalist"), "none from this");
        assert_eq!(table.seen(Observer::Seat(R), "essex"), table.brigades("essex"), "nor from theirs");
    }

    #[test]
    fn rule_y8_of_hidden_cards_the_stage_is_public_and_nothing_else() {
        // The Early cards that are nowhere else lie among the discards by then.
        let with = |royalist: &[&str], store: &str, parliament: &[&str]| {
            let hands = json!({ "royalist": royalist, "parliament": parliament });
            let fields = json!({ "hands": hands, "stores": { "royalist": [store] } });
            at(position("early-1644", "parliament", &fields), "")
        };
        let seen = |table: &Match, observer: Observer| {
            let view = table.0.view(observer);
            (view.board, view.known, view.turn_state)
        };
        let one = with(&["E13", "E01", "M03"], "E05", &["E02", "M04"]);
        let other = with(&["E13", "E05", "M10"], "E01", &["E02", "M04"]);
        assert!(seen(&one, Observer::Seat(P)) == seen(&other, Observer::Seat(P)), "cards of the same stages");
        let third = with(&["E02", "E13", "M04"], "E01", &["E05", "M11"]);
        assert!(seen(&one, SPECTATOR) == seen(&third, SPECTATOR), "and so before everybody");
        let early = with(&["E13", "E01", "E02"], "E05", &["M03", "M04"]);
        assert!(seen(&one, SPECTATOR) != seen(&early, SPECTATOR), "the stages in a hand");
        let stored = with(&["E13", "E01", "E05"], "M03", &["E02", "M04"]);
        assert!(seen(&one, SPECTATOR) != seen(&stored, SPECTATOR), "the stage of what is stored");

        let hand = |view: &View| -> Vec<String> {
            let cards = Match::cards_in(view, "royalist-hand");
            cards.into_iter().filter(|card| !card.starts_with('C')).collect()
        };
        let worlds = worlds(&one, P);
        for view in &worlds {
            let hand = hand(view);
            assert_eq!((hand.len(), hand.iter().filter(|card| card.starts_with('E')).count()), (3, 2), "{hand:?}");
            let store = Match::cards_in(view, "royalist-store");
            assert!(["E01", "E05"].contains(&&*store[0]), "Combat Cards are never stored: {store:?}");
        }
        let times = |card: &str| worlds.iter().filter(|&view| hand(view).iter().any(|one| one == card)).count();
        assert_eq!(times("E13"), WORLDS, "so that it is in hand");
        assert!((WORLDS / 3..2 * WORLDS / 3).contains(&times("E05")), "{} of {WORLDS}", times("E05"));
        assert_eq!((times("E02"), times("M04")), (0, 0), "those are their own");
        let mids = (1..=27).filter(|number| times(&format!("M{number:02}")) > 0).count();
        assert!(mids > 20, "any Mid card: {mids}");
    }
}
