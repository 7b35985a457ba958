//! Law `undo`: taking actions back restores what was ([`Ring`]), and what can be taken back has taught nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;

use crate::action::ActionId;
use crate::event::{Event, Events, Form};
use crate::game::Game;
use crate::seat::{Observer, Seat};
use crate::table::{Refusal, Table};
use crate::view::View;

use super::failure::{ensure, same};
use super::segment::{advance, pick, seen_by};
use super::{Law, LawResult};

/// Number of earlier lengths of a draft that are gone back to from one node.
const BACK: usize = 4;
/// Number of undoable actions that are compared between states that their seat can't tell apart.
const COMPARED: usize = 4;

/// A match as it was when a seat's draft had a certain length.
#[derive(Debug)]
struct Moment<G: Game> {
    released: G::State,
    state: G::State,
    drafts: Vec<Vec<ActionId>>,
    committed: Vec<bool>,
    view: View,
    legal: Vec<ActionId>,
}

/// For each seat, what was at each length of its present draft.
#[derive(Debug)]
pub struct Ring<G: Game>(Vec<BTreeMap<usize, Moment<G>>>);

impl<G: Game> Ring<G> {
    /// An empty ring for `seats` seats.
    #[must_use]
    pub fn new(seats: usize) -> Self {
        Self((0..seats).map(|_| BTreeMap::new()).collect())
    }

    /// Remembers the present moment for each seat that is to act.
    pub fn note(&mut self, table: &Table<G>) {
        for (index, moments) in self.0.iter_mut().enumerate() {
            let seat = Seat::new(index as u8);
            let length = table.draft(seat).len();
            moments.retain(|&at, moment| at < length && moment.released == *table.released());
            if table.node().to_act().contains(seat) {
                moments.insert(length, Moment::of(table, seat));
            }
        }
    }

    /// Goes back, on copies of the match, to some earlier lengths of each seat's draft.
    ///
    /// # Errors
    /// If undo is refused where it is due or allowed where it is not, or anything is not as it was.
    pub fn undo(&self, table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult {
        for (index, moments) in self.0.iter().enumerate() {
            let seat = Seat::new(index as u8);
            let draft = table.draft(seat);
            if draft.is_empty() || table.committed(seat) {
                continue;
            }
            let earlier: Vec<usize> = moments.range(..draft.len()).map(|(&length, _)| length).collect();
            for _ in 0..BACK.min(earlier.len()) {
                let keep = earlier[pick(earlier.len(), rng)];
                let mut back = table.clone();
                let undone = back.undo(seat, keep);
                ensure(undone.is_ok(), Law::Undo, || {
                    format!("{seat} can't go back from {} actions to {keep}: {undone:?}", draft.len())
                })?;
                self.restored(&back, seat)?;
            }
        }
        Ok(())
    }

    /// After an undo everything is as it was when the draft had this length.
    ///
    /// # Errors
    /// If it is not.
    pub fn restored(&self, table: &Table<G>, seat: Seat) -> LawResult {
        let moment = self.0[seat.index()].get(&table.draft(seat).len());
        let Some(moment) = moment.filter(|moment| moment.drafts[seat.index()] == table.draft(seat)) else {
            return Ok(());
        };
        let now = Moment::of(table, seat);
        let observer = Some(Observer::Seat(seat));
        same(
            Law::Undo,
            observer,
            "the list is not what it was before the undone action",
            &moment.legal,
            &now.legal,
        )?;
        // Another seat's commitment in between is no takeback's business.
        if moment.committed == now.committed {
            let mut view = moment.view.clone();
            // Nor is an offer or a standing pass.
            view.calls.draw_offers = now.view.calls.draw_offers;
            view.calls.standing.clone_from(&now.view.calls.standing);
            same(
                Law::Undo,
                observer,
                "the view is not what it was before the undone action",
                &view,
                &now.view,
            )?;
        }
        if moment.drafts == now.drafts {
            same(
                Law::Undo,
                None,
                "the state is not what it was before the undone action",
                &moment.state,
                &now.state,
            )?;
        }
        Ok(())
    }
}

impl<G: Game> Moment<G> {
    fn of(table: &Table<G>, seat: Seat) -> Self {
        let seats = || (0..table.seats()).map(|index| Seat::new(index as u8));
        Self {
            released: table.released().clone(),
            state: table.state().clone(),
            drafts: seats().map(|seat| table.draft(seat).to_vec()).collect(),
            committed: seats().map(|seat| table.committed(seat)).collect(),
            view: table.view(Observer::Seat(seat)),
            legal: table.legal(seat),
        }
    }
}

/// Nothing can be taken back where the draft is empty or committed.
///
/// # Errors
/// If something can.
pub fn barred<G: Game>(table: &Table<G>) -> LawResult {
    for index in 0..table.seats() {
        let seat = Seat::new(index as u8);
        let expected = if table.result().is_some() && table.draft(seat).is_empty() {
            // The last action of all is as final as any.
            continue;
        } else if table.committed(seat) {
            Refusal::Committed
        } else if table.draft(seat).is_empty() {
            Refusal::NothingToUndo
        } else {
            continue;
        };
        let undone = table.clone().undo(seat, 0);
        ensure(undone == Err(expected), Law::Undo, || {
            format!("{seat} takes back what is final: {undone:?}")
        })?;
    }
    Ok(())
}

/// An action that can be taken back shows its seat the same in two states that it can't tell apart: so it taught nothing.
///
/// # Errors
/// If it shows something else.
pub fn teaches_nothing<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult {
    let game = table.game().as_ref();
    for seat in game.node(table.state()).to_act().iter() {
        let observer = Observer::Seat(seat);
        let state = seen_by(table, observer);
        let twin = game.scramble(state, seat, rng);
        let legal = table.legal(seat);
        if twin == *state || legal.is_empty() {
            continue;
        }
        for _ in 0..COMPARED.min(legal.len()) {
            let action = legal[pick(legal.len(), rng)];
            if !game.permits(&twin, seat, action) {
                continue;
            }
            let (true_sight, twin_sight) =
                (follow_up(game, state, seat, action), follow_up(game, &twin, seat, action));
            if let (Some(true_sight), Some(twin_sight)) = (true_sight, twin_sight) {
                let what =
                    format!("`{}` can be taken back, and teaches", game.catalogue().actions.notation(action));
                same(Law::Undo, Some(observer), &what, &true_sight, &twin_sight)?;
            }
        }
    }
    Ok(())
}

/// An event by its code, as it was published to its seat.
type Published = (&'static str, Arc<Form>);

/// Returns what `seat` sees of an action and what is published to it, if the action can still be taken back;
/// `None` if it can't.
fn follow_up<G: Game>(
    game: &G,
    state: &G::State,
    seat: Seat,
    action: ActionId,
) -> Option<(View, Vec<Published>)> {
    let mut after = state.clone();
    let mut out = Events::recording();
    let ended = advance(game, &mut after, seat, action, &mut out);
    let waits_for_dice = game.node(&after) == crate::game::Node::Chance;
    if out.has_released() || (ended && !waits_for_dice) {
        return None;
    }
    let form = |event: &Event| event.form(Observer::Seat(seat)).map(|form| (event.code, Arc::clone(form)));
    let published = out.into_list().iter().filter_map(form).collect();
    Some((game.view(&after, Observer::Seat(seat)), published))
}
