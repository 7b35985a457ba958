//! Faults of the flow: replay, undo, lists, chance, purity, default_action.

use std::ops::ControlFlow;

use edgehill_engine::action::{ActionId, VerbKind};
use edgehill_engine::chance::{Chance, Class, Outcome, Token};
use edgehill_engine::event::{Event, Events};
use edgehill_engine::game::{CONTRACT, DefaultAction, Game, Node};
use edgehill_engine::games::skirmish::{Skirmish, State};
use edgehill_engine::reference::Ref;
use edgehill_engine::refusal::Why;
use edgehill_engine::seat::Seat;
use rand_core::SeedableRng;

use super::fault::Fault;
use super::tools::{Clock, republished, secret_of, verb};

/// Now and then, by a clock that is no part of the state, the enemy's blocks change places.
#[derive(Default)]
pub(crate) struct Moody(Clock);

impl Fault for Moody {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        game.apply(state, seat, action, out);
        let mood = self.0.tick();
        if mood.is_multiple_of(3) {
            let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(mood);
            *state = game.scramble(state, seat, &mut rng);
        }
    }
}

/// A player who begins a march is notified of the enemy's blocks, and may take the march back.
pub(crate) struct Peek;

impl Fault for Peek {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        game.apply(state, seat, action, out);
        if verb(game, action) == "march" {
            let secret = secret_of(game, state, seat.other()) as i32;
            out.emit(|| Event::only(seat, "takes", CONTRACT, &[Ref::Number(secret)]));
        }
    }
}

/// Faces are turned up for a battle, and nobody says that this can't be taken back.
pub(crate) struct Unflagged;

impl Fault for Unflagged {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        let mut inner = Events::recording();
        game.apply(state, seat, action, &mut inner);
        inner.into_list().into_iter().for_each(|event| out.emit(|| event));
    }
}

/// The first class of a roll weighs one more than it should, the last one less.
pub(crate) struct Loaded;

impl Fault for Loaded {
    fn roll_classes(&self, game: &Skirmish, state: &State) -> Vec<Class> {
        let mut classes = game.roll_classes(state);
        if let [first, .., last] = classes.as_mut_slice() {
            first.weight += 1u8;
            last.weight -= 1u8;
        }
        classes
    }
}

/// The first two classes of a roll are one.
pub(crate) struct Mixed;

impl Fault for Mixed {
    fn roll_classes(&self, game: &Skirmish, state: &State) -> Vec<Class> {
        let mut classes = game.roll_classes(state);
        let second = classes.remove(1);
        classes[0].weight += second.weight;
        classes
    }
}

/// One weight is left out of the sum.
pub(crate) struct Short;

impl Fault for Short {
    fn roll_classes(&self, game: &Skirmish, state: &State) -> Vec<Class> {
        let mut classes = game.roll_classes(state);
        classes.pop();
        classes
    }
}

/// A card that is drawn is published to its seat alone: nobody else is notified that dice were asked for.
pub(crate) struct SecretDraw;

impl Fault for SecretDraw {
    fn resolve(&self, game: &Skirmish, state: &mut State, outcome: &Outcome, out: &mut Events) {
        // The chance_ref is the first event's, so it depends on the same listener.
        let mut inner = Events::recording();
        game.resolve(state, outcome, &mut inner);
        for mut event in inner.into_list() {
            if event.code == "dealt" {
                event.public = None;
            }
            out.emit(|| event);
        }
    }
}

/// One card of the deck is in the draw twice.
pub(crate) struct Marked;

impl Fault for Marked {
    fn chance(&self, game: &Skirmish, state: &State) -> Chance {
        match game.chance(state) {
            Chance::Bag(mut bag) => {
                bag.cards.extend_from_within(..1);
                Chance::Bag(bag)
            }
            other => other,
        }
    }
}

/// Cards that were drawn are put back now and then, as if nothing had been drawn.
pub(crate) struct Refilled;

impl Fault for Refilled {
    fn chance(&self, game: &Skirmish, state: &State) -> Chance {
        match game.chance(state) {
            Chance::Bag(mut bag) => {
                let odd = bag.cards.len() % 2 == 1;
                bag.cards = if odd { (0..12).collect() } else { (0..11).collect() };
                Chance::Bag(bag)
            }
            other => other,
        }
    }

    // The rules assert that a card comes out of its deck: for one that does not, another one does.
    fn resolve(&self, game: &Skirmish, state: &mut State, outcome: &Outcome, out: &mut Events) {
        let outcome = match (game.chance(state), outcome) {
            (Chance::Bag(bag), &Outcome::Pick(Ref::Card(card))) if !bag.cards.contains(&card) => {
                Outcome::Pick(Ref::Card(bag.cards[0]))
            }
            _ => outcome.clone(),
        };
        game.resolve(state, &outcome, out);
    }
}

/// Two cards of each stretch are drawn by tokens that stand for both; each draw has an epoch of its own, or all of them share one.
pub(crate) struct Tokens {
    pub(crate) own_epochs: bool,
}

impl Fault for Tokens {
    fn chance(&self, game: &Skirmish, state: &State) -> Chance {
        match game.chance(state) {
            Chance::Bag(mut bag) => {
                if self.own_epochs {
                    bag.epoch = 100 - bag.cards.len() as u32;
                }
                let (rare, common): (Vec<u16>, Vec<u16>) = bag.cards.iter().partition(|&card| card % 3 == 2);
                let stream = 40 + bag.stream;
                let token = |number| Token { number, stream, epoch: 0, cards: rare.clone() };
                bag.tokens = (100..100 + rare.len() as u16).map(token).collect();
                bag.cards = common;
                Chance::Bag(bag)
            }
            other => other,
        }
    }
}

/// A card lies in the deck, and in a second bag as well.
pub(crate) struct TwoPlaces;

impl Fault for TwoPlaces {
    fn chance(&self, game: &Skirmish, state: &State) -> Chance {
        match game.chance(state) {
            Chance::Bag(mut bag) => {
                let cards = bag.cards[..1].to_vec();
                bag.tokens.push(Token { number: 100, stream: 40 + bag.stream, epoch: 0, cards });
                Chance::Bag(bag)
            }
            other => other,
        }
    }
}

/// Dice come from the stream of the first stretch of cards.
pub(crate) struct OneStream;

impl Fault for OneStream {
    fn chance(&self, game: &Skirmish, state: &State) -> Chance {
        match game.chance(state) {
            Chance::Roll { dice, sides, .. } => Chance::Roll { stream: 0, dice, sides },
            other => other,
        }
    }
}

/// A list is in another order each time it is asked for.
#[derive(Default)]
pub(crate) struct Unstable(Clock);

impl Fault for Unstable {
    fn candidates(&self, game: &Skirmish, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        game.candidates(state, seat, into);
        let turn = self.0.tick() as usize % into.len().max(1);
        into.rotate_left(turn);
    }
}

/// Cards are only shown if somebody listens.
pub(crate) struct Showman;

impl Fault for Showman {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        let before = state.clone();
        game.apply(state, seat, action, out);
        if verb(game, action) == "take" && !out.is_recording() {
            *state = before;
        }
    }
}

/// An absent seat's march is begun and not ended.
pub(crate) struct HalfAway;

impl Fault for HalfAway {
    fn default_action(
        &self,
        game: &Skirmish,
        released: &State,
        seat: Seat,
        draft: &[ActionId],
    ) -> DefaultAction {
        let mut default_action = game.default_action(released, seat, draft);
        default_action.actions.pop();
        default_action
    }
}

/// An absent seat keeps more of its draft than there is.
pub(crate) struct Greedy;

impl Fault for Greedy {
    fn default_action(
        &self,
        game: &Skirmish,
        released: &State,
        seat: Seat,
        draft: &[ActionId],
    ) -> DefaultAction {
        let default_action = game.default_action(released, seat, draft);
        DefaultAction { keep: default_action.keep + 1, ..default_action }
    }
}

/// Resting at the wrong moment is too much for the rules.
pub(crate) struct Brittle;

impl Fault for Brittle {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        assert!(verb(game, action) != "keep", "nobody ever keeps a bonus card");
        game.apply(state, seat, action, out);
    }
}

/// Events are published in another way each time.
#[derive(Default)]
pub(crate) struct PublishedByClock(Clock);

impl Fault for PublishedByClock {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        let odd = self.0.tick() % 2 == 1;
        republished(
            state,
            out,
            |state, out| game.apply(state, seat, action, out),
            |_, event| Some(if odd { Event { code: "kept", ..event } } else { event }),
        );
    }
}

/// No fault: a seat that chooses in secret has one way only, to commit, and commits its first card.
pub(crate) struct Resigned;

impl Fault for Resigned {
    fn candidates(&self, game: &Skirmish, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        match game.node(state) {
            Node::Sealed(_) => into.push(commitment(game)),
            _ => game.candidates(state, seat, into),
        }
    }

    fn examine(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        action: ActionId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match game.node(state) {
            Node::Sealed(_) if action == commitment(game) => ControlFlow::Continue(()),
            _ => game.examine(state, seat, action, why),
        }
    }

    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        if matches!(game.node(state), Node::Sealed(_)) && action == commitment(game) {
            let mut legal = Vec::new();
            game.legal(state, seat, &mut legal);
            game.apply(state, seat, legal[0], out);
        }
        game.apply(state, seat, action, out);
    }
}

/// The action that commits a choice.
fn commitment(game: &Skirmish) -> ActionId {
    let table = &game.catalogue().actions;
    let commits = |action: &ActionId| table.verb_of(*action).is_some_and(|verb| verb.kind == VerbKind::Done);
    table.ids().find(commits).expect("a choice can be committed")
}
