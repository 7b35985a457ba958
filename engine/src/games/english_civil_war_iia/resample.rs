//! States that a seat can't tell from the true one ([`resample`]). Hidden is only what the other side is writing; nothing hidden outlives its node.

use rand_core::Rng;

use crate::action::{ActionId, VerbKind};
use crate::chance_source::below;
use crate::event::Events;
use crate::game::Game;
use crate::reference::Location;
use crate::seat::{Observer, Seat};
use crate::setup::Setup;
use crate::view::{Board, Marker, NodeView, PieceGroup, View};

use super::EnglishCivilWar;
use super::adjudicator::{LeaderId, LeaderSet, Space, SpaceSet};
use super::procedures::side_drafts;
use super::realm::{LEADERS, SIDES, sign};
use super::seats_but;
use super::state::{Clause, Driven, Phase, Place, State, Verdict};
use super::view;
use super::view::{FOR_ALL, kind, space_of};

/// A state with this view. The other side's draft is drawn: empty if it has not committed; else complete, at each action of
/// the default path uniformly among the listed actions.
pub(super) fn resample(game: &EnglishCivilWar, setup: &Setup, view: &View, rng: &mut dyn Rng) -> State {
    let mut state = read_board(game, setup, &view.board);
    state.phase = read_phase(view);
    state.side_drafts = side_drafts::fresh(&game.realm, &game.actions, &state);
    let NodeView::Sealed { committed, .. } = &view.turn_state.node else { return state };
    let own = match view.observer {
        Observer::Seat(seat) => Some(seat),
        Observer::Spectator => None,
    };
    if let Some(seat) = own {
        for &action in &view.draft {
            game.apply(&mut state, seat, action, &mut Events::silent());
        }
    }
    for seat in seats_but(own) {
        if committed.contains(seat) && state.side_drafts[seat.index()].asked() {
            draw_draft(game, &mut state, seat, rng);
            state.side_drafts[seat.index()].committed = true;
        }
    }
    state
}

/// Writes a complete draft for `seat`, drawn as RULINGS declares it, up to its commit.
fn draw_draft(game: &EnglishCivilWar, state: &mut State, seat: Seat, rng: &mut dyn Rng) {
    let mut legal = Vec::new();
    loop {
        game.legal(state, seat, &mut legal);
        let kind = |action: ActionId| game.catalogue().actions.verb_of(action).map(|verb| verb.kind);
        legal.retain(|&action| kind(action) != Some(VerbKind::Navigate));
        let Some(last) = (legal.len() as u64).checked_sub(1) else { return };
        let action = legal[below(last + 1, rng) as usize];
        if kind(action) == Some(VerbKind::Done) {
            return;
        }
        game.apply(state, seat, action, &mut Events::silent());
    }
}

fn read_phase(view: &View) -> Phase {
    if let NodeView::Over(result) = &view.turn_state.node {
        let winner = SIDES.into_iter().find(|seat| result.returns.get(seat.index()) == Some(&1));
        let clause = Clause::ALL.iter().copied().find(|clause| clause.code() == result.code);
        return Phase::Over(Verdict { winner, clause: clause.unwrap_or(Clause::Drawn) });
    }
    let frame = view.turn_state.procedures.get(1).map_or("", |procedure| procedure.frame);
    let phases = [Phase::Influence, Phase::Adjustment, Phase::Orders, Phase::Retreats];
    let named = phases.into_iter().find(|&phase| super::turn_state::procedure(phase).0 == frame);
    named.unwrap_or(Phase::Orders)
}

fn read_board(game: &EnglishCivilWar, setup: &Setup, board: &Board) -> State {
    let (max_seasons, cut_all) = EnglishCivilWar::options(setup);
    let mut state = State::bare(&game.realm, max_seasons, cut_all);
    let number = |at: Location, kind: u16| board.markers.get(&Marker { at, kind }).copied();
    let passed = number(Location::Track(kind::TRACK_CALENDAR), kind::CALENDAR).unwrap_or(0);
    state.date = view::date_of(&game.numbers, passed);
    for seat in SIDES {
        state.points[seat.index()] = number(Location::Seat(seat), kind::POINTS).unwrap_or(0) as u16;
        state.regular[seat.index()] = SpaceSet::EMPTY;
    }
    for space in game.realm.spaces() {
        let here = view::at(space);
        state.bias[space.index()] = number(here, kind::BIAS).unwrap_or(0) as i16;
        for seat in SIDES {
            let whose = Some(i32::from(sign(seat)));
            if number(here, kind::OWNER) == whose {
                state.regular[seat.index()].insert(space);
            }
            if number(here, kind::CENTRE) == whose && !game.realm.homes[seat.index()].contains(space) {
                state.founded[seat.index()].insert(space);
            }
            let armies = group(board, space, seat, 0);
            if armies > 0 {
                state.set_armies(seat, space, armies);
            }
        }
    }
    read_leaders(&mut state, board);
    read_driven(game, &mut state, board);
    let mut report: Vec<_> =
        board.arrows.iter().filter_map(|(key, arrow)| view::line_of(key, arrow)).collect();
    report.sort_by_key(|line| {
        (line.retreat, if line.retreat { 0 } else { line.seat.index() }, line.space, line.order)
    });
    for line in report {
        if state.report.has_room() {
            state.report.push(line);
        }
    }
    state
}

fn group(board: &Board, space: Space, seat: Seat, flags: u32) -> u8 {
    let key = PieceGroup { at: view::at(space), owner: Some(seat), kind: kind::ARMY, flags, from: None };
    board.groups.get(&key).map_or(0, |&count| count as u8)
}

fn read_leaders(state: &mut State, board: &Board) {
    for index in 0..LEADERS {
        let Some(leader) = LeaderId::new(index as u8) else { continue };
        let Some(piece) = board.pieces.get(&(index as u16)) else { continue };
        let place = match (piece.at, space_of(piece.at)) {
            (_, Some(space)) if piece.flags & kind::DISLODGED != 0 => Place::Dislodged(space),
            (_, Some(space)) => Place::At(space),
            (Location::Mat(kind::MAT_UNPLACED), None) => Place::Unplaced,
            _ => Place::Lost,
        };
        state.set_leader(leader, place);
        let clock = Marker { at: Location::Piece(index as u16), kind: kind::CLOCK };
        state.clocks[index] = board.markers.get(&clock).map_or(0, |&months| months as u8);
    }
}

fn read_driven(game: &EnglishCivilWar, state: &mut State, board: &Board) {
    for space in game.realm.spaces() {
        for seat in SIDES {
            let armies = group(board, space, seat, kind::DISLODGED);
            let led = |leader: &LeaderId| state.leaders[leader.index()] == Place::Dislodged(space);
            let leaders: LeaderSet = super::realm::roster(seat).filter(led).collect();
            if armies == 0 && leaders.is_empty() {
                continue;
            }
            let mut stack = Driven { space, seat, armies, leaders, ..Driven::default() };
            let own = |key: &&crate::view::ArrowKey| {
                key.kind == kind::MAY_RETREAT && key.from == view::at(space) && key.seat == Some(seat)
            };
            for (key, arrow) in board.arrows.iter().filter(|(key, _)| own(key)) {
                let Some(to) = space_of(key.to) else { continue };
                stack.to.insert(to);
                if arrow.result == Some(FOR_ALL) {
                    stack.alone_to.insert(to);
                }
            }
            if state.driven.has_room() {
                state.driven.push(stack);
            }
        }
    }
}
