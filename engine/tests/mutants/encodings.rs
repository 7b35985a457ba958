//! Faults of encodings: of actions, lines, states and saved matches.

use edgehill_engine::action::{ActionId, ActionTable};
use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::codec::{DecodeError, Reader, Writer};
use edgehill_engine::game::Game;
use edgehill_engine::games::skirmish::{Skirmish, State};
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Seat;
use rand_core::SeedableRng;

use super::fault::Fault;
use super::tools::verb;

/// The action table with every entry made anew.
fn rewritten(game: &Skirmish, rewrite: impl Fn(&str, &[Ref]) -> (String, Vec<Ref>)) -> Catalogue {
    let mut catalogue = game.catalogue().clone();
    let mut table = ActionTable::default();
    let verbs: Vec<u8> = catalogue
        .actions
        .verbs()
        .iter()
        .map(|verb| table.verb(verb.id, verb.kind, verb.title, verb.refs))
        .collect();
    for id in catalogue.actions.ids() {
        let action = catalogue.actions.get(id).expect("the table has its own ids");
        let (notation, refs) = rewrite(&action.notation, &action.refs);
        table.add(verbs[usize::from(action.verb)], &refs, notation).expect("the fault is another one");
    }
    catalogue.actions = table;
    catalogue
}

/// One notation has two blanks in it: it can't be typed.
pub(crate) struct Untypable;

impl Fault for Untypable {
    fn catalogue(&self, game: &Skirmish) -> Catalogue {
        rewritten(game, |notation, refs| (notation.replace("scout ", "scout  "), refs.to_vec()))
    }
}

/// One action is about a space that the board does not have.
pub(crate) struct OffTheMap;

impl Fault for OffTheMap {
    fn catalogue(&self, game: &Skirmish) -> Catalogue {
        rewritten(game, |notation, refs| {
            let refs = if notation == "scout mill" { vec![Ref::Space(999)] } else { refs.to_vec() };
            (notation.to_owned(), refs)
        })
    }
}

/// A printed line leaves its last action out.
pub(crate) struct CutLine;

impl Fault for CutLine {
    fn print_line(&self, game: &Skirmish, state: &State, seat: Seat, actions: &[ActionId]) -> String {
        game.print_line(state, seat, &actions[..actions.len() - 1])
    }
}

/// The encoding leaves out what turn it is.
pub(crate) struct ForgottenField;

impl Fault for ForgottenField {
    fn encode(&self, game: &Skirmish, state: &State, into: &mut Writer) {
        let mut bytes = game.encoded(state);
        bytes[1] = 0;
        bytes.iter().for_each(|&byte| into.u8(byte));
    }
}

/// The encoding begins with a byte that nobody looks at.
pub(crate) struct Garbage;

impl Fault for Garbage {
    fn encode(&self, game: &Skirmish, state: &State, into: &mut Writer) {
        into.u8(0);
        game.encode(state, into);
    }

    fn decode(&self, game: &Skirmish, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        from.u8()?;
        game.decode(from)
    }
}

/// Reading an encoding that is cut short panics.
pub(crate) struct Fragile;

impl Fault for Fragile {
    fn decode(&self, game: &Skirmish, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        Ok(game.decode(from).expect("nobody cuts encodings"))
    }
}

/// The restored state is another deal of the hidden cards and blocks.
pub(crate) struct Restored;

impl Fault for Restored {
    fn decode(&self, game: &Skirmish, from: &mut Reader<'_>) -> Result<State, DecodeError> {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(0);
        game.decode(from).map(|state| game.scramble(&state, Seat::new(0), &mut rng))
    }
}

/// Lines know only some verbs: a march can't be written.
pub(crate) struct Unwritten;

impl Fault for Unwritten {
    fn print_line(&self, game: &Skirmish, state: &State, seat: Seat, actions: &[ActionId]) -> String {
        let known: Vec<ActionId> =
            actions.iter().copied().filter(|&action| verb(game, action) != "march").collect();
        game.print_line(state, seat, &known)
    }
}
