//! Laws `views` and `windows`: what is shown is well formed, and agrees with what the driver says.

use crate::game::{Game, Node};
use crate::reference::{Location, Ref};
use crate::seat::{Observer, Seat, SeatSet};
use crate::table::Table;
use crate::view::{NodeView, View};

use super::failure::{broken_for, same};
use super::segment::seen_by;
use super::{Law, LawResult};

/// Every observer's view is well formed: the node is the driver's, no group is empty, piles and known sets are sorted, and
/// everything on the board is in the catalogue.
///
/// # Errors
/// If one is not.
pub fn views<G: Game>(table: &Table<G>) -> LawResult {
    for observer in Observer::all(table.seats()) {
        let view = table.view(observer);
        node(table, &view)?;
        piles(table, &view)?;
        known(&view)?;
        hidden_is_known(table, &view)?;
        named(table, &view)?;
    }
    Ok(())
}

/// The node that is shown is the one of the state that the view is made from.
fn node<G: Game>(table: &Table<G>, view: &View) -> LawResult {
    let seats = SeatSet::first(table.seats());
    let expected = match table.game().node(seen_by(table, view.observer)) {
        _ if table.result().is_some() && table.node() == Node::Over => {
            let Some(result) = table.result() else { return Ok(()) };
            NodeView::Over(result)
        }
        Node::Decision(seat) => NodeView::Decision(seat),
        Node::Sealed(to_act) => {
            // A seat that has nothing to choose may show as one that has chosen: that is public.
            let committed = match &view.turn_state.node {
                NodeView::Sealed { committed, .. } => {
                    let missing =
                        seats.iter().find(|&seat| table.committed(seat) && !committed.contains(seat));
                    let early = committed.iter().find(|&seat| to_act.contains(seat));
                    if let Some(seat) = missing.or(early) {
                        return broken_for(
                            Law::Views,
                            view.observer,
                            format!("{seat} has committed, or not: {view:#?}"),
                        );
                    }
                    *committed
                }
                _ => SeatSet::EMPTY,
            };
            NodeView::Sealed { to_act, committed }
        }
        Node::Chance => NodeView::Chance,
        Node::Over => {
            return broken_for(Law::Views, view.observer, "an end that the driver does not know of");
        }
    };
    let what = "the node that is shown (+) is not the driver's (-)";
    same(Law::Views, Some(view.observer), what, &expected, &view.turn_state.node)
}

fn piles<G: Game>(table: &Table<G>, view: &View) -> LawResult {
    let wrong = |detail: String| broken_for(Law::Views, view.observer, detail);
    if let Some((group, _)) = view.board.groups.iter().find(|&(_, &count)| count == 0) {
        return wrong(format!("a group of nobody: {group:?}"));
    }
    for (&id, pile) in &view.board.piles {
        let Some(def) = table.game().catalogue().piles.get(usize::from(id)) else {
            return wrong(format!("a pile {id} that the catalogue does not have"));
        };
        if pile.cards.len() > usize::from(pile.count) {
            return wrong(format!(
                "{} cards are seen of {} in `{}`",
                pile.cards.len(),
                pile.count,
                def.entry.id
            ));
        }
        if !def.ordered && !ascends(&pile.cards) {
            return wrong(format!("`{}` has no order, and shows {:?}", def.entry.id, pile.cards));
        }
    }
    Ok(())
}

fn known(view: &View) -> LawResult {
    for set in view.known.iter() {
        let sorted = set.faces.is_sorted() && set.places.is_sorted();
        if !sorted || set.places.iter().any(|&(_, count)| count == 0) {
            return broken_for(Law::Views, view.observer, format!("a known set out of order: {set:#?}"));
        }
        let foreign = matches!((view.observer, set.by), (Observer::Spectator, Some(_)));
        if foreign {
            return broken_for(
                Law::Views,
                view.observer,
                format!("what a seat knows shows to everybody: {set:#?}"),
            );
        }
    }
    Ok(())
}

/// A game that tells what is known among hidden things tells it of every pile: one with cards that are not seen is a place of known
/// sets, with as many cards.
fn hidden_is_known<G: Game>(table: &Table<G>, view: &View) -> LawResult {
    if view.known.is_empty() {
        return Ok(());
    }
    let catalogue = table.game().catalogue();
    let piles =
        view.board.piles.iter().map(|(&id, pile)| {
            (Location::Pile(id), usize::from(pile.count).saturating_sub(pile.cards.len()))
        });
    let told = |at: Location| -> usize {
        let places = view.known.iter().flat_map(|set| &set.places).filter(|(group, _)| group.at == at);
        places.map(|&(_, count)| usize::from(count)).sum()
    };
    match { piles }.find(|&(at, hidden)| told(at) < hidden) {
        None => Ok(()),
        Some((at, hidden)) => {
            let (id, told) = (catalogue.id_of(at.into()), told(at));
            let detail = format!(
                "{hidden} cards of pile `{id}` are hidden, and the known sets are about {told} there"
            );
            broken_for(Law::Views, view.observer, detail)
        }
    }
}

/// Pieces, kinds, places, markers and arrows are in the catalogue.
fn named<G: Game>(table: &Table<G>, view: &View) -> LawResult {
    let catalogue = table.game().catalogue();
    let board = &view.board;
    let mut shown: Vec<Ref> = Vec::new();
    let mut place = |at: Location| shown.push(at.into());
    board.pieces.values().for_each(|piece| place(piece.at));
    board.groups.keys().for_each(|group| place(group.at));
    board.markers.keys().for_each(|marker| place(marker.at));
    board
        .arrows
        .keys()
        .for_each(|arrow| [arrow.from, arrow.to].into_iter().chain(arrow.of).for_each(&mut place));
    shown.extend(board.pieces.keys().map(|&id| Ref::Piece(id)));
    shown.extend(board.pieces.values().map(|piece| Ref::Kind(piece.kind)));
    shown.extend(board.groups.keys().map(|group| Ref::Kind(group.kind)));
    shown.extend(board.markers.keys().map(|marker| Ref::Marker(marker.kind)));
    shown.extend(board.piles.values().flat_map(|pile| pile.cards.iter().map(|&card| Ref::Card(card))));
    let unknown = shown.into_iter().find(|&what| catalogue.id_of(what) == format!("{what:?}"));
    if let Some(what) = unknown {
        return broken_for(
            Law::Views,
            view.observer,
            format!("{what:?} is on the board and not in the catalogue"),
        );
    }
    match board.arrows.keys().find(|arrow| usize::from(arrow.kind) >= catalogue.arrows.len()) {
        Some(arrow) => {
            broken_for(Law::Views, view.observer, format!("an arrow of an unknown kind: {arrow:?}"))
        }
        None => Ok(()),
    }
}

fn ascends(cards: &[u16]) -> bool {
    cards.windows(2).all(|pair| pair[0] < pair[1])
}

/// An open window is one and the same for everybody; its seat is to act, and declining is legal. Returns how many were open.
///
/// # Errors
/// If it is not so.
pub fn windows<G: Game>(table: &Table<G>) -> LawResult<u32> {
    let window = table.view(Observer::Spectator).turn_state.window.clone();
    if table.state() != table.released() {
        // A draft in the window: its seat may be past it, the others are not.
        return Ok(0);
    }
    for index in 0..table.seats() {
        let observer = Observer::Seat(Seat::new(index as u8));
        let seen = table.view(observer).turn_state.window.clone();
        same(
            Law::Windows,
            Some(observer),
            "a window shows to some (-) as it does not to others (+)",
            &window,
            &seen,
        )?;
    }
    let Some(window) = window else { return Ok(0) };
    let observer = Observer::Seat(window.seat);
    if table.node() != Node::Decision(window.seat) {
        let detail =
            format!("`{}` is open for {}, and the match is at {:?}", window.code, window.seat, table.node());
        return broken_for(Law::Windows, observer, detail);
    }
    let rule_violations = table.game().rule_violations(table.state(), window.seat, window.pass_action);
    if !rule_violations.is_empty() {
        return broken_for(
            Law::Windows,
            observer,
            format!("`{}` can't be declined: {rule_violations:?}", window.code),
        );
    }
    Ok(1)
}
