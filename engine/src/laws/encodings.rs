//! Laws `encodings` and `lines`: id, structure, notation and lines say the same.

use std::collections::BTreeSet;

use rand_chacha::ChaCha8Rng;

use crate::action::ActionId;
use crate::event::Events;
use crate::game::Game;
use crate::seat::Seat;
use crate::table::Table;

use super::failure::{broken, ensure, same};
use super::segment::{pick, stretch};
use super::{Law, LawResult};

/// The longest run of actions that is written as a line here.
const LINE_ACTIONS: usize = 8;

/// Every entry of the action table is named by its id, its structure and its notation, however that is written.
///
/// # Errors
/// Names the entry that is not.
pub fn encodings<G: Game>(game: &G) -> LawResult {
    let table = &game.catalogue().actions;
    let mut notations = BTreeSet::new();
    for id in table.ids() {
        let (Some(action), Some(verb)) = (table.get(id), table.verb_of(id)) else {
            return broken(Law::Encodings, format!("{id} has no entry"));
        };
        let notation = &action.notation;
        let structure = table.find(verb.id, &action.refs);
        ensure(structure == Some(id), Law::Encodings, || {
            format!("the structure of {id} names {structure:?}")
        })?;
        let spaced = notation.replace(' ', "  ");
        for written in
            [notation.clone(), notation.to_uppercase(), notation.to_lowercase(), format!(" {spaced} ")]
        {
            let parsed = table.parse(&written);
            ensure(parsed == Some(id), Law::Encodings, || {
                format!("`{written}` is the notation of {id} and reads as {parsed:?}")
            })?;
        }
        ensure(!notation.contains([';', '\n', '#']), Law::Encodings, || {
            format!("`{notation}` holds a character that separates actions or begins an id")
        })?;
        ensure(notations.insert(notation.to_lowercase()), Law::Encodings, || {
            format!("`{notation}` stands twice")
        })?;
        for &what in &action.refs {
            ensure(game.catalogue().id_of(what) != format!("{what:?}"), Law::Encodings, || {
                format!("`{notation}` is about {what:?}, which the catalogue does not have")
            })?;
        }
    }
    Ok(())
}

/// Some runs of actions that each to_act seat could take print as lines that lead to the same state.
///
/// # Errors
/// If a line can't be read, is printed differently the second time, or leads elsewhere.
pub fn lines<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult {
    let game = table.game().as_ref();
    for seat in game.node(table.state()).to_act().iter() {
        let walk = stretch(game, table.state(), seat, 1 + pick(LINE_ACTIONS, rng), rng);
        let line = game.print_line(table.state(), seat, &walk.actions);
        let read = match game.parse_line(table.state(), seat, &line) {
            Ok(read) => read,
            Err(error) => {
                return broken(Law::Lines, format!("`{line}` is printed, and can't be read: {error}"));
            }
        };
        let Some(after) = taken(game, table.state(), seat, &read) else {
            return broken(
                Law::Lines,
                format!("`{line}` is printed, and reads as actions that are not legal"),
            );
        };
        same(Law::Lines, None, &format!("`{line}` leads elsewhere"), &walk.after, &after)?;
        let again = game.print_line(table.state(), seat, &read);
        ensure(again == line, Law::Lines, || format!("`{line}` is printed as `{again}` when read back"))?;
    }
    Ok(())
}

fn taken<G: Game>(game: &G, state: &G::State, seat: Seat, actions: &[ActionId]) -> Option<G::State> {
    let mut state = state.clone();
    for &action in actions {
        if !game.rule_violations(&state, seat, action).is_empty() {
            return None;
        }
        game.apply(&mut state, seat, action, &mut Events::silent());
    }
    Some(state)
}
