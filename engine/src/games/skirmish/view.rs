//! Views of each observer: own blocks, backs of the others, faces that were turned up; own cards, numbers of the rest.

use std::collections::BTreeMap;

use crate::deck::Segment;
use crate::reference::{Location, Ref};
use crate::seat::{Observer, Seat, SeatSet};
use crate::view::{
    Board, CardPile, Entitlement, HiddenSet, Marker, NodeView, Phrase, Piece, PieceGroup, Procedure, Roles,
    TurnState, Window,
};

use super::catalogue::{
    Action, BACK, CARD_BACK, DISCARD, HAND, LOST_MAT, MARCHED, SEEN, SHOWN, STRETCH, TURN_MARKER, TURN_TRACK,
};
use super::state::{BLOCKS, Block, Frame, LOST, SIDE, State};
use super::{Skirmish, rules};

pub(super) fn owner(block: usize) -> Seat {
    Seat::new((block / SIDE) as u8)
}

fn back_group(block: usize, Block { at, marched, .. }: Block) -> PieceGroup {
    let flags = if marched { MARCHED } else { 0 };
    PieceGroup { at: Location::Space(at.into()), owner: Some(owner(block)), kind: BACK, flags, from: None }
}

pub(super) fn board(game: &Skirmish, state: &State, observer: Observer) -> Board {
    let mut board = Board::default();
    for (index, &block) in state.blocks.iter().enumerate() {
        let side = owner(index);
        if block.seen || (observer.is(side) && block.face > 0) {
            let at =
                if block.at == LOST { Location::Mat(LOST_MAT) } else { Location::Space(block.at.into()) };
            let flags = if block.marched { MARCHED } else { 0 } | if block.seen { SEEN } else { 0 };
            let piece = Piece { kind: block.face.into(), owner: Some(side), at, flags, from: None };
            board.pieces.insert(index as u16, piece);
        } else {
            board.add_to_group(back_group(index, block), 1);
        }
    }
    for seat in SeatSet::first(state.seats()).iter() {
        let hand = state.hands[seat.index()];
        let cards = if observer.is(seat) { hand.iter().collect() } else { Vec::new() };
        board.piles.insert(HAND + seat.index() as u16, CardPile { count: hand.len() as u16, cards });
        let cards: Vec<u16> = state.shown[seat.index()].into_iter().collect();
        board.piles.insert(SHOWN + seat.index() as u16, CardPile { count: cards.len() as u16, cards });
    }
    for stretch in 0..2 {
        let count = slots_left(game, state, stretch);
        board.piles.insert(STRETCH + stretch as u16, CardPile { count, cards: Vec::new() });
    }
    let discards = CardPile { count: state.discard.len() as u16, cards: state.discard.iter().collect() };
    board.piles.insert(DISCARD, discards);
    board.markers.insert(Marker { at: Location::Track(TURN_TRACK), kind: TURN_MARKER }, state.turn.into());
    board
}

fn slots_left(game: &Skirmish, state: &State, stretch: usize) -> u16 {
    let of_stretch = |segment: &&Segment| match segment {
        Segment::Bag { cards, .. } => cards.0 & game.content.stretch(stretch).0 != 0,
        Segment::Fixed(_) => false,
    };
    let slots =
        |segment: &Segment| if let Segment::Bag { slots, .. } = segment { u16::from(*slots) } else { 0 };
    state.deck.segments().iter().find(of_stretch).map_or(0, slots)
}

/// Common to everybody: the faces of each side's unseen blocks over their places. For cards, what `observer` has not seen of
/// each stretch, over the hands and the deck.
pub(super) fn known(game: &Skirmish, state: &State, observer: Observer) -> Vec<HiddenSet> {
    let mut sets = Vec::new();
    for side in [Seat::new(0), Seat::new(1)] {
        let mut places: BTreeMap<PieceGroup, u16> = BTreeMap::new();
        let mut faces = Vec::new();
        for index in (side.index() * SIDE)..(side.index() + 1) * SIDE {
            let block = state.blocks[index];
            if !block.seen {
                *places.entry(back_group(index, block)).or_default() += 1;
                if block.face > 0 {
                    faces.push((Ref::Kind(block.face.into()), None));
                }
            }
        }
        if state.drill && side.index() == 1 {
            faces.extend(state.garrison_pool().map(|face| (Ref::Kind(face.into()), None)));
        }
        faces.sort_unstable();
        if !faces.is_empty() {
            let places = places.into_iter().collect();
            sets.push(HiddenSet { owner: Some(side), by: None, faces, places, facts: Vec::new() });
        }
    }
    let by = if let Observer::Seat(seat) = observer { Some(seat) } else { None };
    let hands = || SeatSet::first(state.seats()).iter().filter(|&seat| !observer.is(seat));
    for stretch in 0..2 {
        let all = game.content.stretch(stretch);
        let mut unseen = all.0 & !state.discard.0;
        state.shown.iter().flatten().for_each(|card| unseen &= !(1 << card));
        if let Some(seat) = by {
            unseen &= !state.hands[seat.index()].0;
        }
        let pile = |pile: u16, seat| PieceGroup {
            at: Location::Pile(pile),
            owner: seat,
            kind: CARD_BACK + stretch as u16,
            flags: 0,
            from: None,
        };
        let held = |seat: Seat| (state.hands[seat.index()].0 & all.0).count_ones() as u16;
        let mut places: Vec<(PieceGroup, u16)> =
            hands().map(|seat| (pile(HAND + seat.index() as u16, Some(seat)), held(seat))).collect();
        places.push((pile(STRETCH + stretch as u16, None), slots_left(game, state, stretch)));
        places.retain(|&(_, count)| count > 0);
        let faces = crate::deck::CardSet(unseen).iter().map(|card| (Ref::Card(card), None)).collect();
        sets.push(HiddenSet { owner: None, by, faces, places, facts: Vec::new() });
    }
    sets
}

pub(super) fn turn_state(game: &Skirmish, state: &State, observer: Observer) -> TurnState {
    let picked = |seat: Seat| state.choosing[seat.index()];
    let node = match (crate::game::Game::node(game, state), state.result) {
        (_, Some(result)) if state.frames.is_empty() => NodeView::Over(result.result(state.seats())),
        (crate::game::Node::Decision(seat), _) => NodeView::Decision(seat),
        (crate::game::Node::Sealed(to_act), _) => {
            let committed =
                SeatSet::first(state.seats()).iter().filter(|&seat| picked(seat).committed).collect();
            NodeView::Sealed { to_act, committed }
        }
        _ => NodeView::Chance,
    };
    TurnState {
        node,
        prompt: prompt(state),
        procedures: state.frames.iter().map(|frame| procedure(game, frame, observer)).collect(),
        window: window(game, state),
        entitlements: state
            .agenda
            .iter()
            .map(|&seat| Entitlement {
                seat,
                what: Phrase::new("bonus_owed", &[Ref::Seat(seat)]),
                rule: rules::BONUS,
            })
            .collect(),
        warnings: Vec::new(),
    }
}

fn prompt(state: &State) -> Phrase {
    let space = |at: u8| Ref::Space(at.into());
    match state.frames.top().copied() {
        None => Phrase::new("over", &[]),
        Some(Frame::Choose | Frame::Act { .. }) => Phrase::new("choose", &[Ref::Number(state.turn.into())]),
        Some(Frame::Deal { left }) => {
            Phrase::new("card_due", &[Ref::Seat(Seat::new(if state.drill { 0 } else { left % 2 }))])
        }
        Some(Frame::Activation { seat, marches }) => {
            Phrase::new("act", &[Ref::Seat(seat), Ref::Number(marches.into())])
        }
        Some(Frame::March { seat, from, to, .. }) => {
            Phrase::new("march", &[Ref::Seat(seat), space(from), space(to)])
        }
        Some(Frame::Interception { asked, by: None, to, .. }) => {
            Phrase::new("intercept", &[Ref::Seat(asked), space(to)])
        }
        Some(Frame::Interception { to, .. }) => Phrase::new("die_due", &[space(to)]),
        Some(Frame::Battle { at, beaten: Some(seat), .. }) => {
            Phrase::new("retreat", &[Ref::Seat(seat), space(at)])
        }
        Some(Frame::Battle { at, .. }) if state.undrawn(at).is_some() => {
            Phrase::new("face_due", &[space(at)])
        }
        Some(Frame::Battle { at, .. }) => Phrase::new("dice_due", &[space(at)]),
        Some(Frame::Bonus { seat, card: None }) => Phrase::new("card_due", &[Ref::Seat(seat)]),
        Some(Frame::Bonus { seat, card: Some(_) }) => Phrase::new("bonus", &[Ref::Seat(seat)]),
        Some(Frame::Scout { at, .. }) => Phrase::new("back_due", &[space(at)]),
    }
}

fn window(game: &Skirmish, state: &State) -> Option<Window> {
    let &Frame::Interception { asked, by: None, to, .. } = state.frames.top()? else { return None };
    Some(Window {
        code: "interception",
        rule: rules::INTERCEPTION,
        seat: asked,
        procedure: state.activation(),
        // A block that enters the camp attacks it, even if nobody is there.
        attacked: game.content.camps[asked.index()] == to,
        pass_action: game.actions.id(Action::Pass),
    })
}

/// A frame as public facts show it; the blocks taken along and the face of the bonus card are told to
/// their seat alone.
fn procedure(game: &Skirmish, frame: &Frame, observer: Observer) -> Procedure {
    let of = |frame, rule, stage, roles: &[(&'static str, Ref)]| Procedure {
        frame,
        rule,
        stage,
        roles: Roles::from_slice(roles),
    };
    let space = |at: u8| Ref::Space(at.into());
    match *frame {
        Frame::Deal { left } => of("deal", rules::DEAL, 0, &[("left", Ref::Number(left.into()))]),
        Frame::Choose => of("choose", rules::CHOICE, 0, &[]),
        Frame::Act { done } => of("act", rules::ORDER, done, &[]),
        Frame::Activation { seat, marches } => {
            let roles = [("active", Ref::Seat(seat)), ("marches", Ref::Number(marches.into()))];
            of("activation", rules::MARCHES, 0, &roles)
        }
        Frame::March { seat, from, to, taken } => {
            let mut roles = vec![("active", Ref::Seat(seat)), ("from", space(from)), ("to", space(to))];
            if observer.is(seat) {
                let along = (0..BLOCKS as u16).filter(|block| taken & 1 << block != 0);
                roles.extend(along.map(|block| ("taken", Ref::Piece(block))));
            }
            of("march", rules::MARCHERS, 0, &roles)
        }
        Frame::Interception { asked, by, from, to } => {
            let mut roles = vec![("asked", Ref::Seat(asked)), ("from", space(from)), ("to", space(to))];
            roles.extend(by.map(|by| ("by", space(by))));
            let rule = if by.is_none() { rules::INTERCEPTION } else { rules::ATTEMPT };
            of("interception", rule, u8::from(by.is_some()), &roles)
        }
        Frame::Battle { at, from, attacker, beaten } => {
            let mut roles = vec![("at", space(at)), ("from", space(from)), ("attacker", Ref::Seat(attacker))];
            roles.extend(beaten.map(|seat| ("beaten", Ref::Seat(seat))));
            of("battle", rules::BATTLE, u8::from(beaten.is_some()), &roles)
        }
        Frame::Bonus { seat, card } => {
            let mut roles = vec![("active", Ref::Seat(seat))];
            roles.extend(card.map(|card| ("back", Ref::Kind(game.content.back(card)))));
            roles.extend(card.filter(|_| observer.is(seat)).map(|card| ("card", Ref::Card(card))));
            of("bonus", rules::BONUS, u8::from(card.is_some()), &roles)
        }
        Frame::Scout { seat, at } => {
            of("scouting", rules::SCOUTING, 0, &[("active", Ref::Seat(seat)), ("at", space(at))])
        }
    }
}
