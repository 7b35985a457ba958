//! Choices and options in the turn state: by the card that prints them, and their number on it.

use std::sync::Arc;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Game;
use edgehill_engine::games::cruel_necessity::CruelNecessity;
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Observer;
use edgehill_engine::table::{ApplyMode, Table};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use serde_json::json;

use crate::play::{Match, PLAYER, game, item, setup};

/// The card and the number under a role of the innermost procedure of a name.
fn printed(played: &Match, frame: &str, role: &str) -> Option<(String, i32)> {
    let view = played.view();
    let procedure = view.turn_state.procedures.iter().rev().find(|procedure| procedure.frame == frame)?;
    match (procedure.role("card"), procedure.role(role)) {
        (Some(card @ Ref::Card(_)), Some(Ref::Number(number))) => {
            Some((game().catalogue().id_of(card), number))
        }
        _ => None,
    }
}

/// Fails unless a view leads back to the state that it shows.
#[track_caller]
fn is_restored(table: &Table<CruelNecessity>) {
    let view = table.view(Observer::Seat(PLAYER));
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    assert_eq!(&table.game().resample(table.setup(), &view, &mut rng), table.state());
}

#[test]
fn a_choice_is_named_by_its_card() {
    for (card, which) in [(22, 2), (37, 2), (45, 2)] {
        let event = item(card, which, json!({}), "");
        assert_eq!(printed(&event, "choice", "choice"), Some((card.to_string(), 1)));
        is_restored(&event.0);
    }
}

#[test]
fn an_option_is_named_by_its_card_and_its_number_on_it() {
    // Whatever can't go down is jammed: the player is asked within the option.
    let jammed = || json!({ "tracks": { "puritanism": 5, "catholicism": 5, "parliament": 4, "scotland": 3, "monarchy": 5, "ireland": 2 } });
    for (card, which, option, place) in [(37, 2, "keep-christmas", 2), (22, 2, "impose-presbyterianism", 1)] {
        let mut event = item(card, which, jammed(), "");
        event.play(&format!("choose {option}"));
        assert_eq!(event.asked(), "shift_down");
        assert_eq!(printed(&event, "items", "option"), Some((card.to_string(), place)));
        is_restored(&event.0);
    }
}

/// Content in which one card has two choices, of two options each.
#[test]
fn options_of_one_card_are_counted_on_through_its_choices() {
    let built = CruelNecessity::builtin();
    let cards = std::str::from_utf8(built.get("cards.toml").expect("a file")).expect("text").to_owned();
    let more = r#"political = [{ op = "choice", optional = false, options = [
      { id = "third", ops = [{ op = "zeal", zeal = 1 }] }, { id = "fourth", ops = [{ op = "track", track = "puritanism", arrows = -1 }] } ] }]"#;
    let (before, after) = cards.split_once("\nid = \"37\"").expect("the card");
    let (religious, rest) = after.split_once("\n\n").expect("another record");
    let cards = format!("{before}\nid = \"37\"{religious}\n{more}\n\n{rest}");
    let files = built.overlay([("cards.toml".to_owned(), cards.into_bytes())]).expect("a file of the game");
    let other = Arc::new(CruelNecessity::load(&files).expect("sound content"));
    let position = json!({ "at": "event", "current": "37", "item": 3, "war": 2,
        "tracks": { "puritanism": 5, "catholicism": 5, "parliament": 4, "scotland": 3, "monarchy": 5, "ireland": 2 } });
    let table =
        Table::open_position(Arc::clone(&other), setup("whole-war", &[]), position, ChanceSource::Manual);
    let mut played = Match(table.expect("a position that the game accepts"));
    assert_eq!(printed(&played, "choice", "choice"), Some(("37".to_owned(), 2)));
    is_restored(&played.0);
    let fourth = other.catalogue().actions.parse("choose fourth").expect("an action");
    let refs = &other.catalogue().actions.get(fourth).expect("it was parsed").refs;
    assert_eq!(refs[1], Ref::Number(4), "as the action names it");
    played.0.apply(PLAYER, &[fourth], ApplyMode::Atomic).expect("a legal action");
    assert_eq!(printed(&played, "items", "option"), Some(("37".to_owned(), 4)));
    is_restored(&played.0);
}
