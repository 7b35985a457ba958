//! Views, and the events that change them.

use std::sync::Arc;

use edgehill_engine::action::ActionId;
use edgehill_engine::event::{ChanceRef, Form};
use edgehill_engine::seat::Observer;
use edgehill_engine::table::ObservedEvent;
use edgehill_engine::view::{Calls, Change, NodeView, PassScope, StandingPass, View};
use edgehill_proto::v1;
use v1::change::Entry;

use super::reference::{references, rule, seat, seats};
use super::text::kept;
use super::{Garbled, board, count, index, turn_state};

/// The values that a server sends beside a view, and the engine within it.
#[derive(Copy, Clone, Debug, Default)]
pub struct Beside<'a> {
    /// The seats that offer a draw.
    pub draw_offers: &'a [u32],
    /// The observer's standing passes.
    pub standing_passes: &'a [v1::StandingPass],
}

/// A view, with what stands beside it.
///
/// # Errors
/// If no server sends it.
pub fn view(view: &v1::View, beside: Beside<'_>) -> Result<View, Garbled> {
    let observer = match view.observer.and_then(|observer| observer.seat) {
        Some(number) => Observer::Seat(seat(number)?),
        None => Observer::Spectator,
    };
    let empty = v1::Board::default();
    let turn_state =
        turn_state::turn_state(view.turn_state.as_ref().ok_or_else(|| Garbled::missing("turn_state"))?)?;
    let draft = action_ids(&view.draft)?;
    let final_yet = match (&turn_state.node, observer) {
        (NodeView::Sealed { committed, .. }, Observer::Seat(own)) => committed.contains(own),
        _ => false,
    };
    let calls = Calls {
        draw_offers: seats(beside.draw_offers)?,
        standing: beside.standing_passes.iter().map(standing).collect::<Result<_, _>>()?,
        undoable: if final_yet { 0 } else { draft.len() },
    };
    Ok(View {
        observer,
        board: board::board(view.board.as_ref().unwrap_or(&empty))?,
        known: board::known(&view.known)?.into(),
        draft,
        calls,
        turn_state: Arc::new(turn_state),
    })
}

/// An event as it was published to one observer.
///
/// # Errors
/// If no server sends it.
pub fn event(event: &v1::Event) -> Result<ObservedEvent, Garbled> {
    let changes = event.changes.iter().filter_map(|change| change.entry.as_ref());
    Ok(ObservedEvent {
        code: kept(&event.code),
        rule: rule(&event.rule)?,
        chance_ref: event.chance_ref.map(|v1::ChanceRef { stream, n }| ChanceRef { stream, n }),
        form: Arc::new(Form {
            refs: references(&event.refs)?,
            changes: changes.map(change).collect::<Result<_, _>>()?,
        }),
    })
}

/// Actions by their ids.
///
/// # Errors
/// If no server sends it.
pub fn action_ids(ids: &[u32]) -> Result<Vec<ActionId>, Garbled> {
    ids.iter().map(|&id| action_id(id)).collect()
}

pub(super) fn action_id(id: u32) -> Result<ActionId, Garbled> {
    index(id).map(ActionId)
}

fn change(entry: &Entry) -> Result<Change, Garbled> {
    Ok(match entry {
        Entry::Piece(piece) => {
            let (id, piece) = board::piece(piece)?;
            Change::Piece(id, piece)
        }
        Entry::PieceGone(id) => Change::PieceGone(index(*id)?),
        Entry::Group(group) => {
            let (key, count) = board::group(group)?;
            Change::Group(key, count)
        }
        Entry::Pile(pile) => {
            let (id, pile) = board::pile(pile)?;
            Change::Pile(id, pile)
        }
        Entry::Marker(marker) => {
            let (key, number) = board::marker(marker)?;
            Change::Marker(key, Some(number))
        }
        Entry::MarkerGone(key) => Change::Marker(board::marker_key(key)?, None),
        Entry::Arrow(arrow) => {
            let (key, arrow) = board::arrow(arrow)?;
            Change::Arrow(key, Some(arrow))
        }
        Entry::ArrowGone(key) => Change::Arrow(board::arrow_key(key)?, None),
        Entry::ArrowsCleared(_) => Change::ArrowsCleared,
        Entry::Known(known) => Change::Known(board::known(&known.known)?.into()),
        Entry::Draft(draft) => {
            Change::Draft { keep: usize::from(count(draft.keep)?), add: action_ids(&draft.add)?.into() }
        }
        Entry::TurnState(now) => Change::TurnState(Arc::new(turn_state::turn_state(now)?)),
    })
}

fn standing(pass: &v1::StandingPass) -> Result<StandingPass, Garbled> {
    let scope = match pass.scope() {
        v1::PassScope::Always => PassScope::Always,
        v1::PassScope::Procedure => PassScope::Procedure(pass.procedure),
        v1::PassScope::UntilAttacked => PassScope::UntilAttacked,
        v1::PassScope::Unspecified => return Err(Garbled::missing("scope")),
    };
    Ok(StandingPass { window: (!pass.window.is_empty()).then(|| pass.window.clone()), scope })
}
