//! Unhappy King Charles! beside a slow model of its sections 7 and 9 to 14, and of the Mandatory cards (6.5), written from the rulebook and
//! the rulings: both play the same positions with the same choices and dice, and must be asked the same, offer the same lists and show the
//! same board at each step. Isolation, Desertion, Retreat and Evasion, and Housekeeping's Areas are among them, and so are bonus sets with
//! their Combat Cards (10.7, 10.8).
//!
//! Other sections are outside of it, and have tests of their own: what cards may be played for, events and discards (6.1 to 6.4: `plays.rs`,
//! `events.rs`, `coverage.rs`), so that a bonus card is taken up by the model as what it Activates, Bombards, Raids or recruits; the two
//! Responses, which are declined (6.4, 6.6: V1 to V5, V21 and V22 in `special_events.rs`, M19 in `interception.rs`); special events (6.6:
//! `special_events.rs`); the Laughter of the Court (18.4: O4 in `optional.rs`); who knows what (16.0: `fog.rs`,
//! `hidden.rs`, `known.rs`, `pairs.rs`).

mod atlas;
mod bonus;
mod control;
mod described;
mod desertion;
mod entry;
mod fight;
mod games;
mod generate;
mod league;
mod mandatory;
mod march;
mod model;
mod new_model;
mod phases;
mod pick_up;
mod placing;
mod played;
#[path = "../../support/random.rs"]
mod random;
mod reading;
mod recruit;
mod regressions;
mod retreat;
mod siege;
mod survey;
mod umpire;
mod world;

use std::sync::LazyLock;

use edgehill_engine::game::Game;
use edgehill_engine::games::unhappy_king_charles::{State, UnhappyKing};
use edgehill_engine::setup::Setup;
use serde_json::Value;

use self::atlas::Atlas;
use self::world::Options;

static GAME: LazyLock<UnhappyKing> =
    LazyLock::new(|| UnhappyKing::load(&UnhappyKing::builtin()).expect("the built-in content is sound"));

static ATLAS: LazyLock<Atlas> = LazyLock::new(Atlas::load);

/// A setup with these optional rules and no others.
fn setup(options: &Options) -> Setup {
    let all = GAME.catalogue().options.iter();
    let values = all.map(|option| (option.id.to_owned(), options.contains(option.id).to_string()));
    Setup::new(GAME.catalogue(), None, &values.collect()).expect("all options are there")
}

/// The state of a described position with these optional rules, before anything of it is played.
fn position(described: &Value, options: &Options) -> Result<State, String> {
    GAME.position(&setup(options), described).map_err(|error| error.to_string())
}

/// The content as the oracle reads it names the same things in the same order.
#[test]
fn names_are_the_same() {
    let catalogue = GAME.catalogue();
    let areas = ATLAS.areas.iter().map(|area| &area.id);
    assert!(areas.eq(catalogue.spaces.iter().map(|space| &space.entry.id)));
    let leaders = ATLAS.generals.iter().map(|one| &one.id).chain(ATLAS.notables.iter().map(|one| &one.id));
    let pieces = catalogue.pieces.iter().map(|piece| &piece.id);
    assert!(leaders.eq(pieces.take(ATLAS.generals.len() + ATLAS.notables.len())));
    let faces = catalogue.kinds.iter().map(|kind| &kind.entry.id);
    assert!(ATLAS.faces.iter().map(|face| &face.id).eq(faces.take(ATLAS.faces.len())));
    let counters: usize = ATLAS.faces.iter().map(|face| face.count).sum();
    assert_eq!(counters, 68);
}
