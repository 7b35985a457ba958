//! Faults of sight: events that do not fold, and leaks through every part of what a seat sees, is notified of and may do.

use std::ops::ControlFlow;
use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::chance::Outcome;
use edgehill_engine::event::{Event, Events};
use edgehill_engine::game::{CONTRACT, Game, Node};
use edgehill_engine::games::skirmish::{Skirmish, State};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::refusal::{RuleViolation, Why};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::view::{Board, Change, HiddenSet, Marker, NodeView, Phrase, PieceGroup, TurnState};
use rand_core::SeedableRng;

use super::fault::Fault;
use super::tools::{cards_of, republished, secret_of, verb, with_ref};

/// A march is published, and one of its changes is not.
pub(crate) struct Forgetful;

impl Fault for Forgetful {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        republished(
            state,
            out,
            |state, out| game.apply(state, seat, action, out),
            |_, mut event| {
                if let Some(form) = event.public.as_mut().filter(|_| event.code == "marched") {
                    Arc::make_mut(form).changes.retain(|change| !matches!(change, Change::Group(_, 0)));
                }
                Some(event)
            },
        );
    }
}

/// The event meant for the seat that draws a card is published to the other one.
pub(crate) struct Misdelivered;

impl Fault for Misdelivered {
    fn resolve(&self, game: &Skirmish, state: &mut State, outcome: &Outcome, out: &mut Events) {
        republished(
            state,
            out,
            |state, out| game.resolve(state, outcome, out),
            |_, mut event| {
                event.private.iter_mut().for_each(|(seat, _)| *seat = seat.other());
                Some(event)
            },
        );
    }
}

/// An event that the catalogue has no words for.
pub(crate) struct Wordless;

impl Fault for Wordless {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        republished(
            state,
            out,
            |state, out| game.apply(state, seat, action, out),
            |_, event| Some(if event.code == "rests" { Event { code: "sleeps", ..event } } else { event }),
        );
    }
}

/// A refusal that the catalogue has no words for.
pub(crate) struct Mumbling;

impl Fault for Mumbling {
    fn rule_violations(&self, healthy: Vec<RuleViolation>) -> Vec<RuleViolation> {
        let mumble = |reason: RuleViolation| {
            if reason.code == "NO_BACKS" { RuleViolation { code: "NOTHING_THERE", ..reason } } else { reason }
        };
        healthy.into_iter().map(mumble).collect()
    }
}

/// A spectator sees what the first seat sees.
pub(crate) struct Gallery;

impl Fault for Gallery {
    fn board(&self, game: &Skirmish, state: &State, observer: Observer) -> Board {
        let first = Observer::Seat(Seat::new(0));
        game.board(state, if observer == Observer::Spectator { first } else { observer })
    }
}

/// An action is missing from the list if the enemy's hidden blocks say so.
pub(crate) struct LeakByList;

impl Fault for LeakByList {
    fn examine(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        action: ActionId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        if verb(game, action) == "intercept" {
            why.require(secret_of(game, state, seat.other()).is_multiple_of(2), CONTRACT, "NOT_NOW", &[])?;
        }
        game.examine(state, seat, action, why)
    }
}

/// The order of the list follows the enemy's hidden blocks.
pub(crate) struct LeakByOrder;

impl Fault for LeakByOrder {
    fn candidates(&self, game: &Skirmish, state: &State, seat: Seat, into: &mut Vec<ActionId>) {
        game.candidates(state, seat, into);
        if secret_of(game, state, seat.other()) % 2 == 1 {
            into.reverse();
        }
    }
}

/// A refusal names what the seat may not know.
pub(crate) struct LeakByReason;

impl Fault for LeakByReason {
    fn examine(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        action: ActionId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let secret = secret_of(game, state, seat.other()) as i32;
        let legal = game.permits(state, seat, action);
        why.require(legal, CONTRACT, "NOT_NOW", &[Ref::Number(secret)])?;
        game.examine(state, seat, action, why)
    }
}

/// The prompt names how strong the enemy is.
pub(crate) struct LeakByPrompt;

impl Fault for LeakByPrompt {
    fn turn_state(&self, game: &Skirmish, state: &State, observer: Observer) -> TurnState {
        let mut turn_state = game.turn_state(state, observer);
        if let Observer::Seat(seat) = observer {
            turn_state.prompt.refs.push(Ref::Number(secret_of(game, state, seat.other()) as i32 % 97));
        }
        turn_state
    }
}

/// The view is one warning longer if the enemy holds a high card: only its size tells.
pub(crate) struct LeakBySize;

impl Fault for LeakBySize {
    fn turn_state(&self, game: &Skirmish, state: &State, observer: Observer) -> TurnState {
        let mut turn_state = game.turn_state(state, observer);
        if let Observer::Seat(seat) = observer
            && cards_of(game, state, seat.other()).iter().any(|&card| card > 4)
        {
            turn_state.warnings.push(Phrase::new("kept", &[Ref::Seat(seat)]));
        }
        turn_state
    }
}

/// Backs are counted apart by what is on their other side.
pub(crate) struct LeakByGroup;

impl Fault for LeakByGroup {
    fn board(&self, game: &Skirmish, state: &State, observer: Observer) -> Board {
        let mut board = game.board(state, observer);
        let own = |side: u8| game.board(state, Observer::Seat(Seat::new(side)));
        for (index, piece) in own(0).pieces.into_iter().chain(own(1).pieces) {
            let hidden = !board.pieces.contains_key(&index);
            let group =
                board.groups.iter().find(|(group, _)| group.at == piece.at && group.owner == piece.owner);
            if hidden
                && piece.kind == 4
                && let Some((&group, &count)) = group
            {
                board.groups.remove(&group);
                board.add_to_group(group, count - 1);
                let marked = PieceGroup { flags: group.flags | 2, ..group };
                board.add_to_group(marked, 1);
            }
        }
        board
    }
}

/// The common knowledge of the hidden cards leaves out those in the enemy's hand.
pub(crate) struct LeakByKnowledge;

impl Fault for LeakByKnowledge {
    fn known(&self, game: &Skirmish, state: &State, observer: Observer) -> Vec<HiddenSet> {
        let mut known = game.known(state, observer);
        if let Observer::Seat(seat) = observer {
            let held = cards_of(game, state, seat.other());
            for set in &mut known {
                set.faces.retain(|(face, _)| !held.iter().any(|&card| *face == Ref::Card(card)));
            }
        }
        known
    }
}

/// The public form of a march names what marched.
pub(crate) struct LeakByEvent;

impl Fault for LeakByEvent {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        republished(
            state,
            out,
            |state, out| game.apply(state, seat, action, out),
            |state, event| {
                let secret = secret_of(game, state, seat) as i32;
                Some(if event.code == "marched" { with_ref(event, Ref::Number(secret)) } else { event })
            },
        );
    }
}

/// A window is not opened if the stack that could intercept is not worth it.
pub(crate) struct SkippedWindow;

impl Fault for SkippedWindow {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        game.apply(state, seat, action, out);
        if let Node::Decision(asked) = game.node(state)
            && asked != seat
            && let Some(window) = game.turn_state(state, Observer::Seat(asked)).window
            && secret_of(game, state, asked).is_multiple_of(2)
        {
            game.apply(state, asked, window.pass_action, out);
        }
    }
}

/// A window goes by without a word if the enemy's cards are low: what is published to the mover next gives it away.
pub(crate) struct PublishedSilence;

impl Fault for PublishedSilence {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        game.apply(state, seat, action, out);
        if verb(game, action) == "pass" && secret_of(game, state, seat).is_multiple_of(2) {
            out.emit(|| Event::new("kept", CONTRACT, &[Ref::Seat(seat)]));
        }
    }
}

/// A marker shows who has picked a card, before anybody has committed.
pub(crate) struct ShownDraft;

impl Fault for ShownDraft {
    fn board(&self, game: &Skirmish, state: &State, observer: Observer) -> Board {
        let mut board = game.board(state, observer);
        if let Node::Sealed(to_act) = game.node(state) {
            let done = game.catalogue().actions.find("done", &[]).expect("there is such an action");
            for seat in to_act.iter().filter(|&seat| game.permits(state, seat, done)) {
                board.markers.insert(Marker { at: Location::Seat(seat), kind: 0 }, 1);
            }
        }
        board
    }
}

/// The seat that commits last has its blocks moved about.
pub(crate) struct LastIsSpecial;

impl Fault for LastIsSpecial {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        let sealed = matches!(game.node(state), Node::Sealed(_));
        game.apply(state, seat, action, out);
        if sealed && !matches!(game.node(state), Node::Sealed(_)) {
            let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
            *state = game.scramble(state, seat, &mut rng);
        }
    }
}

/// Picking a card is published to everybody at once.
pub(crate) struct PublishedDraft;

impl Fault for PublishedDraft {
    fn apply(&self, game: &Skirmish, state: &mut State, seat: Seat, action: ActionId, out: &mut Events) {
        republished(
            state,
            out,
            |state, out| game.apply(state, seat, action, out),
            |_, event| {
                let picked = event.code == "picked";
                Some(if picked { Event::new("kept", event.rule, &[Ref::Seat(seat)]) } else { event })
            },
        );
    }
}

/// A group stays on the board when nobody is in it any more.
pub(crate) struct EmptyGroup;

impl Fault for EmptyGroup {
    fn board(&self, game: &Skirmish, state: &State, observer: Observer) -> Board {
        let mut board = game.board(state, observer);
        let group = board.groups.keys().next().copied();
        if let Some(group) = group {
            board.groups.entry(PieceGroup { flags: 2, ..group }).or_insert(0);
        }
        board
    }
}

/// A hand is shown from its last card to its first.
pub(crate) struct Unsorted;

impl Fault for Unsorted {
    fn board(&self, game: &Skirmish, state: &State, observer: Observer) -> Board {
        let mut board = game.board(state, observer);
        board.piles.iter_mut().for_each(|(_, pile)| pile.cards.reverse());
        board
    }
}

/// Dice that are due show as a decision.
pub(crate) struct WrongNode;

impl Fault for WrongNode {
    fn turn_state(&self, game: &Skirmish, state: &State, observer: Observer) -> TurnState {
        let mut turn_state = game.turn_state(state, observer);
        if turn_state.node == NodeView::Chance {
            turn_state.node = NodeView::Decision(Seat::new(0));
        }
        turn_state
    }
}

/// A player who is asked whether to intercept has to.
pub(crate) struct Trapped;

impl Fault for Trapped {
    fn examine(
        &self,
        game: &Skirmish,
        state: &State,
        seat: Seat,
        action: ActionId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        why.require(verb(game, action) != "pass", CONTRACT, "NOT_NOW", &[])?;
        game.examine(state, seat, action, why)
    }
}

/// A window shows to the seat that it is open for, and to nobody else.
pub(crate) struct SecretWindow;

impl Fault for SecretWindow {
    fn turn_state(&self, game: &Skirmish, state: &State, observer: Observer) -> TurnState {
        let mut turn_state = game.turn_state(state, observer);
        turn_state.window = turn_state.window.filter(|window| observer.is(window.seat));
        turn_state
    }
}

/// A card that is dealt face down is named to everybody.
pub(crate) struct LeakByDraw;

impl Fault for LeakByDraw {
    fn resolve(&self, game: &Skirmish, state: &mut State, outcome: &Outcome, out: &mut Events) {
        republished(
            state,
            out,
            |state, out| game.resolve(state, outcome, out),
            |_, event| {
                let is_card = |what: &&Ref| matches!(what, Ref::Card(_));
                let card =
                    event.private.first().and_then(|(_, form)| form.refs.iter().find(is_card)).copied();
                Some(match card {
                    Some(card) => with_ref(event, card),
                    None => event,
                })
            },
        );
    }
}

/// Cards that are owed are owed in the state alone.
pub(crate) struct LeftOffTheBoard;

impl Fault for LeftOffTheBoard {
    fn turn_state(&self, game: &Skirmish, state: &State, observer: Observer) -> TurnState {
        TurnState { entitlements: Vec::new(), ..game.turn_state(state, observer) }
    }
}

/// Nothing is said of the cards that are still in a deck.
pub(crate) struct LeftOutOfKnown;

impl Fault for LeftOutOfKnown {
    fn known(&self, game: &Skirmish, state: &State, observer: Observer) -> Vec<HiddenSet> {
        let mut known = game.known(state, observer);
        for set in &mut known {
            set.places.retain(|(group, _)| !matches!(group.at, Location::Pile(_)) || group.owner.is_some());
        }
        known
    }
}
