//! A state from a view: what the view shows, and the rest dealt over what it leaves open (rulings Y6, Y8, D15).
//!
//! Of hidden Brigades of one back, every assignment of faces to places that Y6 allows is as likely as the others. Hidden cards are drawn
//! from their part of the deck with the odds of a draw, those that can't be any card first.

mod brigades;
mod cards;

pub(super) use self::brigades::deserts_first;

use rand_core::Rng;

use crate::chance_source::below;
use crate::flow::Frames;
use crate::game::Termination;
use crate::numbered::Listed;
use crate::view::{Marker, NodeView, View};
use crate::vocabulary::*;

use super::UnhappyKing;
use super::catalogue::{
    ASCENDANCY, CHIT, CONTROL, FIRST, FLEET, INSIDE_MATS, LEFT_BY_SEA, MAY_NOT, NAVAL_TRACK, OUT, PASSED,
    PLAYS, POOL_MATS, QUEEN, REINFORCEMENT_MATS, SCOTLAND, SIEGE, SIEGE_BONUS, SPENT, TRAIN, TURN,
    TURN_TRACK, UNEMPLOYED_MATS, VALUE, happened_kind,
};
use super::content::ids::{AreaId, FortressId, GeneralId, LeaderId, NotableId, TurnId};
use super::content::{CHITS, Content, PARLIAMENT, ROYALIST, SEATS};
use super::frames::Frame;
use super::remembered::Remembered;
use super::state::{
    Activation, Battle, Happened, Post, Presence, Queen, Recruiting, Siege, SiegeMarker, State, Train,
    Verdict,
};
use super::turn_state::PROCEDURES;
use super::view::happened_at;

pub(super) fn resample(game: &UnhappyKing, setup: &Setup, view: &View, rng: &mut dyn Rng) -> State {
    let content = &game.content;
    let mut state = State::new(content, UnhappyKing::options(setup));
    course(view, &mut state);
    unseen_benefits(view, &mut state, rng);
    map(content, view, &mut state);
    leaders(content, view, &mut state);
    procedures(content, view, &mut state);
    state.brigades = brigades::deal(content, view, rng);
    cards::deal(game, view, &mut state, rng);
    if let NodeView::Over(result) = &view.turn_state.node {
        state.result = Some(verdict(result));
    }
    state
}

/// The number of a marker.
fn marker(view: &View, at: Location, kind: u16) -> Option<i32> {
    view.board.markers.get(&Marker { at, kind }).copied()
}

/// The Turn, the Naval Status, and what is remembered of the course of the match.
fn course(view: &View, state: &mut State) {
    let track = Location::Track(TURN_TRACK);
    let turn = marker(view, track, TURN).and_then(|number| TurnId::of_number(number as u8));
    state.turn = turn.unwrap_or(state.turn);
    let naval = Location::Track(NAVAL_TRACK);
    state.fleet = marker(view, naval, FLEET).unwrap_or(0) as i8;
    let drawn = (0..CHITS as u16).filter(|&chit| marker(view, naval, CHIT + chit).is_some());
    state.chits = drawn.fold(0, |chits, chit| chits | 1 << chit);
    let has = |what: &Happened| marker(view, happened_at(*what), happened_kind(*what)).is_some();
    state.happened = Happened::all().iter().filter(has).collect();
    for seat in SEATS {
        let at = Location::Seat(seat);
        if marker(view, at, FIRST).is_some() {
            state.first = seat;
        }
        state.plays[seat.index()] = marker(view, at, PLAYS).unwrap_or(0) as u8;
        state.passed[seat.index()] = marker(view, at, PASSED).is_some();
    }
    state.ascendancy = marker(view, Location::Seat(ROYALIST), ASCENDANCY).unwrap_or(0) as u8;
    let spent = view.board.markers.keys().filter(|marker| marker.kind == SPENT);
    let card = |marker: &Marker| if let Location::Card(card) = marker.at { Some(card) } else { None };
    state.spent = crate::deck::CardSet::of(spent.filter_map(card));
}

/// The naval benefits of other seats: that one brought a Veteran is anybody's guess, where it may have (15.3).
fn unseen_benefits(view: &View, state: &mut State, rng: &mut dyn Rng) {
    for seat in SEATS.into_iter().filter(|&seat| view.observer != Observer::Seat(seat)) {
        guess_benefit(state, seat, rng);
    }
}

/// Draws anew whether a seat's naval benefit brought a Veteran, where it may have.
pub(super) fn guess_benefit(state: &mut State, seat: Seat, rng: &mut dyn Rng) {
    if state.has(Happened::chance(seat)) {
        state.happened.set(Happened::veteran(seat), below(2, rng) == 0);
    }
}

/// Political Control and Sieges.
fn map(content: &Content, view: &View, state: &mut State) {
    state.control = Default::default();
    for area in AreaId::all(content) {
        let at = Location::Space(area.index() as u16);
        if let Some(number) = marker(view, at, CONTROL) {
            state.control[usize::from(number != 1)].insert(area);
        }
    }
    for fortress in FortressId::all(content) {
        let at = Location::Space(content.fortresses[fortress].area.index() as u16);
        let number = |kind: u16| marker(view, at, kind).unwrap_or(0) as u8;
        let marker =
            [SiegeMarker::None, SiegeMarker::Siege, SiegeMarker::Blockade][usize::from(number(SIEGE).min(2))];
        state.sieges[fortress] = Siege { marker, value: number(VALUE), bonus: number(SIEGE_BONUS) };
    }
}

/// The General that a piece is.
fn general_of(piece: u16) -> Option<GeneralId> {
    LeaderId::new(usize::from(piece)).general().filter(|_| usize::from(piece) < super::content::GENERALS)
}

/// Where the view shows a General.
fn post(content: &Content, at: Location) -> Post {
    match at {
        Location::Space(area) => Post::Area(AreaId::new(area.into())),
        Location::Piece(commander) => general_of(commander).map_or(Post::Out, Post::Under),
        Location::Mat(mat) if (INSIDE_MATS..POOL_MATS).contains(&mat) => {
            let fortress = content.fortresses.get(usize::from(mat - INSIDE_MATS));
            fortress.map_or(Post::Out, |fortress| Post::Inside(fortress.area))
        }
        Location::Mat(mat) if (UNEMPLOYED_MATS..UNEMPLOYED_MATS + 2).contains(&mat) => Post::Unemployed,
        Location::Mat(mat) if (REINFORCEMENT_MATS..REINFORCEMENT_MATS + 2).contains(&mat) => {
            Post::Reinforcements
        }
        Location::Mat(SCOTLAND) => Post::Scotland,
        Location::Mat(OUT) => Post::Out,
        _ => Post::Waiting,
    }
}

/// Generals and Local Notables, the Queen, the Siege Trains.
fn leaders(content: &Content, view: &View, state: &mut State) {
    let piece = |index: usize| view.board.pieces.get(&(index as u16));
    for general in GeneralId::all(content) {
        let index = LeaderId::from(general).index();
        if let Some(piece) = piece(index) {
            state.generals.place(general, post(content, piece.at));
        }
        if marker(view, Location::Piece(index as u16), MAY_NOT).is_some() {
            state.generals.bar_from_assault(general);
        }
    }
    for notable in NotableId::all(content) {
        state.notables[notable] = match piece(LeaderId::from(notable).index()).map(|piece| piece.at) {
            Some(Location::Space(_)) => Presence::InPlay,
            Some(Location::Mat(OUT)) => Presence::Out,
            _ => Presence::Waiting,
        };
    }
    if let Some(queen) = piece(usize::from(QUEEN)) {
        state.queen = match queen.at {
            Location::Space(area) => Queen::In(AreaId::new(area.into())),
            Location::Piece(general) => general_of(general).map_or(Queen::Abroad, Queen::With),
            Location::Mat(OUT) if queen.flags & LEFT_BY_SEA != 0 => Queen::Left,
            Location::Mat(OUT) => Queen::Captured,
            _ => Queen::Abroad,
        };
    }
    for seat in SEATS {
        if let Some(train) = piece(usize::from(TRAIN) + seat.index()) {
            state.trains[seat.index()] = match train.at {
                Location::Space(area) => Train::In(AreaId::new(area.into())),
                Location::Piece(general) => general_of(general).map_or(Train::Available, Train::With),
                Location::Mat(OUT) => Train::Out,
                Location::Track(_) => Train::Resting,
                _ => Train::Available,
            };
        }
    }
}

/// The procedures under way, with what the state remembers beside them.
fn procedures(content: &Content, view: &View, state: &mut State) {
    state.frames = Frames::default();
    for procedure in &view.turn_state.procedures {
        if let Some(frame) = Frame::read(content, procedure) {
            state.frames.open(frame);
        }
        if let Some(Ref::Number(number)) = procedure.role(PROCEDURES) {
            state.procedures = number as u16;
        }
        state.activation = state.activation.take().or_else(|| Activation::read(content, procedure));
        state.battle = state.battle.take().or_else(|| Battle::read(content, procedure));
        state.recruiting = state.recruiting.take().or_else(|| Recruiting::read(content, procedure));
    }
}

/// The way a match ended, by its result.
fn verdict(result: &MatchResult) -> Verdict {
    let winner = result.returns.iter().position(|&value| value > 0);
    let winner = if winner == Some(PARLIAMENT.index()) { PARLIAMENT } else { ROYALIST };
    debug_assert!(result.termination == Termination::Victory, "the driver's endings are on no state");
    match result.code {
        "king_surrenders" => Verdict::King,
        "ascendancy" => Verdict::Ascendancy,
        "power_base" => Verdict::PowerBase(winner),
        "both_short" => Verdict::BothShort,
        _ => Verdict::Points(winner),
    }
}
