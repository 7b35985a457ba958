//! Turn state of a match: the node, the prompt, the path of procedures, the window, the bonus sets that are owed.

use crate::ledger::Rule;
use crate::reference::Refs;
use crate::view::{Entitlement, Path, Phrase, Procedure, TurnState, Window};
use crate::vocabulary::*;

use super::actions::Action;
use super::frames::Frame;
use super::procedures::{evasion, interception};
use super::remembered::Remembered;
use super::state::{BonusSet, State};
use super::{UnhappyKing, rules};

/// The role by which the outermost procedure tells how many procedures with windows have begun.
pub(super) const PROCEDURES: &str = "procedures";

/// A chance to interrupt: its code, the rule that opens it, whether something of the asked seat is attacked, and the action that declines.
pub(super) type Offer = (&'static str, Rule, bool, Action);

/// The turn state that an observer sees.
pub(super) fn turn_state(game: &UnhappyKing, state: &State, observer: Observer) -> TurnState {
    let owed = state.cards.sets.iter().map(|set| owed(set, observer));
    TurnState {
        window: window(game, state),
        entitlements: owed.collect(),
        ..TurnState::of(
            game,
            state,
            SeatSet::EMPTY,
            prompt(game, state),
            path(game, state, observer).into_iter(),
        )
    }
}

/// A bonus set that is still to be played: its seat, its cards and those still to be drawn; the cards themselves for their seat alone
/// (10.7, 10.8).
fn owed(set: &BonusSet, observer: Observer) -> Entitlement {
    let numbers = [set.cards.len() as i32, set.due.into()].map(Ref::Number);
    let mut refs: Refs = [Ref::Seat(set.seat)].into_iter().chain(numbers).collect();
    if observer.is(set.seat) {
        refs.extend(set.cards.iter().map(Ref::Card));
    }
    Entitlement { seat: set.seat, what: Phrase { code: "bonus_owed", refs }, rule: rules::BONUS_CARDS }
}

/// The procedures under way, each with what the state remembers beside it.
fn path(game: &UnhappyKing, state: &State, observer: Observer) -> Path {
    let content = &game.content;
    let mut path: Path = state.frames.iter().map(|frame| frame.procedure(content, observer)).collect();
    let place = |wanted: fn(&Frame) -> bool| state.frames.iter().position(wanted).unwrap_or(0);
    let mut tell = |place: usize, one: &dyn Fn(bool, &mut Procedure), seat: Option<Seat>| {
        if let Some(procedure) = path.get_mut(place) {
            one(seat.is_some_and(|seat| observer.is(seat)), procedure);
        }
    };
    if let Some(one) = &state.activation {
        let at = place(|frame| matches!(frame, Frame::Activation { .. }));
        tell(at, &|own, to| one.tell(content, own, to), Some(one.seat));
    }
    if let Some(one) = &state.battle {
        let at = place(|frame| matches!(frame, Frame::Battle { .. }));
        tell(at, &|own, to| one.tell(content, own, to), None);
    }
    if let Some(one) = &state.recruiting {
        let at = place(|frame| matches!(frame, Frame::Recruitment { .. }));
        tell(at, &|own, to| one.tell(content, own, to), Some(one.seat));
    }
    if let Some(innermost) = path.last_mut() {
        innermost.roles.extend(game.odds(state, observer));
    }
    if let Some(outermost) = path.first_mut() {
        outermost.roles.push((PROCEDURES, Ref::Number(state.procedures.into())));
    }
    path
}

/// One line for anyone who looks: the innermost procedure, by its name, and the seat that it asks.
fn prompt(game: &UnhappyKing, state: &State) -> Phrase {
    let Some(frame) = state.frames.top() else { return Phrase::new("over", &[]) };
    // The names of procedures that are windows stand for the offers.
    let name = match frame {
        Frame::Response { .. } => "may_respond",
        Frame::Interception { .. } => "may_intercept",
        Frame::PickUp { .. } => "may_pick_up",
        Frame::Evasion { .. } => "may_evade",
        Frame::Withdrawal { .. } => "may_withdraw",
        Frame::Dispersal { .. } => "may_disperse",
        Frame::CombatCard { .. } => "may_play_combat_card",
        Frame::Turncoat { .. } => "may_take_turncoat",
        _ => frame.procedure(&game.content, Observer::Spectator).frame,
    };
    match game.node(state) {
        Node::Decision(seat) => Phrase::new(name, &[Ref::Seat(seat)]),
        _ => match frame {
            Frame::Deal { .. } | Frame::Draw { .. } => Phrase::new("card_due", &[]),
            Frame::Chit => Phrase::new("chit_due", &[]),
            Frame::Removal { seat, .. } => Phrase::new("removal_due", &[Ref::Seat(*seat)]),
            _ => Phrase::new("dice_due", &[]),
        },
    }
}

/// The window that is open: opened by what a spectator knows alone (X3, T25).
fn window(game: &UnhappyKing, state: &State) -> Option<Window> {
    let Node::Decision(seat) = game.node(state) else { return None };
    let (code, rule, attacked, declines) = game.window_of(state, *state.frames.top()?)?;
    let pass_action = game.actions.id(declines);
    Some(Window { code, rule, seat, procedure: state.procedures.into(), attacked, pass_action })
}

impl UnhappyKing {
    /// The window that the innermost procedure is, if it is one (V2, I4, EV15, B2).
    fn window_of(&self, state: &State, frame: Frame) -> Option<Offer> {
        let (code, rule, attacked, declines) = match frame {
            Frame::Response { .. } => ("response", rules::TURNHAM_GREEN_WINDOW, false, Action::Pass),
            Frame::Interception { stage: interception::stages::DECLARATION, .. } => {
                ("interception", rules::INTERCEPTION, false, Action::Pass)
            }
            Frame::PickUp { from: None, .. } => {
                ("pick-up", rules::PICK_UP_WHEN_ATTACKED, true, Action::Stand)
            }
            Frame::Evasion { stage: evasion::stages::OFFER, .. } => {
                ("evasion", rules::EVADER, true, Action::Stand)
            }
            Frame::Withdrawal { inside: false, .. } => ("withdrawal", rules::WITHDRAWAL, true, Action::Stand),
            Frame::Dispersal { seat } => {
                let attacked = state.battle.as_ref().is_some_and(|battle| battle.attacker != seat);
                ("dispersal", rules::DISPERSAL, attacked, Action::Stand)
            }
            Frame::CombatCard { seat } => {
                let attacked = state.battle.as_ref().is_some_and(|battle| battle.attacker != seat);
                ("combat-card", rules::COMBAT_CARD_WINDOW, attacked, Action::Pass)
            }
            _ => return None,
        };
        Some((code, rule, attacked, declines))
    }
}

/// Returns whether a procedure encloses windows of its own: what standing passes for a procedure end with.
pub(super) const fn encloses_windows(frame: &Frame) -> bool {
    matches!(frame, Frame::Activation { .. } | Frame::Mandatory { .. })
}

/// The number of such procedures that are under way.
pub(super) fn enclosing(state: &State) -> usize {
    state.frames.iter().filter(|frame| encloses_windows(frame)).count()
}
