//! Views of each observer: own Brigades by their faces, the enemy's by their backs or, if known, their faces; Leaders, markers, cards.

pub(super) mod brigades;
pub(super) mod cards;
mod part;
mod score;

use crate::numbered::Listed;
use crate::view::{Board, BoardChanges, HiddenSet, Marker, Piece};
use crate::vocabulary::*;

use self::part::Part;
use super::UnhappyKing;
use super::catalogue::{
    ASCENDANCY, AWAY, CHIT, CONTROL, FIRST, FLEET, INSIDE_MATS, LEFT_BY_SEA, LeaderKind, MAY_NOT, NAVAL,
    NAVAL_TRACK, OUT, PASSED, PLAYS, POOL_MATS, QUEEN, REINFORCEMENT_MATS, SCOTLAND, SIEGE, SIEGE_BONUS,
    TRAIN, TURN, TURN_TRACK, UNEMPLOYED_MATS, VALUE, happened_kind, leader_kind,
};
use super::content::ids::{AreaSet, FortressId, GeneralId, GeneralSet, LeaderId, NotableId};
use super::content::leaders::Arrival;
use super::content::{CHITS, Content, PARLIAMENT, ROYALIST, SEATS};
use super::state::{Happened, Post, Presence, Queen, SiegeMarker, State, Train};

/// The board that an observer sees.
pub(super) fn board(game: &UnhappyKing, state: &State, observer: Observer) -> Board {
    let mut board = draw(game, state, &Part::ALL);
    draw_for(game, state, observer, &Part::ALL, &mut board);
    board
}

/// How the boards that observers see have changed.
pub(super) fn board_changes(
    game: &UnhappyKing,
    before: &State,
    after: &State,
    observers: &[Observer],
) -> BoardChanges {
    let part = Part::differing(game, before, after);
    let common = [before, after].map(|state| draw(game, state, &part));
    let changes = |&observer: &Observer| {
        let [mut earlier, mut later] = common.clone();
        draw_for(game, before, observer, &part, &mut earlier);
        draw_for(game, after, observer, &part, &mut later);
        earlier.changes_to(&later)
    };
    observers.iter().map(changes).collect()
}

/// Draws what all observers see alike of a part of the board.
fn draw(game: &UnhappyKing, state: &State, part: &Part) -> Board {
    let mut board = Board::default();
    generals(game, state, part.generals, &mut board);
    if part.others {
        others(game, state, &mut board);
    }
    map(game, state, part.map, &mut board);
    if part.score {
        score::lay_out(game, state, &mut board);
    }
    board
}

/// Adds what each observer sees in their own way.
fn draw_for(game: &UnhappyKing, state: &State, observer: Observer, part: &Part, board: &mut Board) {
    brigades::lay_out(game, state, observer, part, board);
    if part.cards {
        cards::lay_out(game, state, observer, part, board);
    }
    if part.course {
        course(game, state, observer, board);
    }
}

/// Returns whether what anybody knows of hidden things may differ between two states.
pub(super) fn known_may_differ(before: &State, after: &State) -> bool {
    before.brigades != after.brigades || before.cards != after.cards || before.claim != after.claim
}

/// Returns what an observer knows of hidden Brigades and cards, and what the other side knows of theirs.
pub(super) fn known(game: &UnhappyKing, state: &State, observer: Observer) -> Vec<HiddenSet> {
    let mut sets = brigades::known(game, state, observer);
    sets.extend(cards::known(game, state, observer));
    sets
}

/// The place of a General on the board.
pub(super) fn post(content: &Content, general: GeneralId, post: Post) -> Location {
    let seat = content.generals[general].side.index() as u16;
    match post {
        Post::Area(area) => Location::Space(area.index() as u16),
        Post::Inside(area) => {
            let fortress = content.areas[area].fortress.map_or(0, FortressId::index);
            Location::Mat(INSIDE_MATS + fortress as u16)
        }
        Post::Under(commander) => Location::Piece(LeaderId::from(commander).index() as u16),
        Post::Reinforcements => Location::Mat(REINFORCEMENT_MATS + seat),
        Post::Unemployed => Location::Mat(UNEMPLOYED_MATS + seat),
        Post::Waiting => match content.generals[general].arrival {
            Arrival::Turn(_) => Location::Track(TURN_TRACK),
            _ => Location::Mat(AWAY),
        },
        Post::Scotland => Location::Mat(SCOTLAND),
        Post::Out => Location::Mat(OUT),
    }
}

/// A Leader, or what goes with one.
fn piece(content: &Content, kind: LeaderKind, owner: Seat, at: Location, flags: u32) -> Piece {
    Piece { kind: leader_kind(content, kind), owner: Some(owner), at, flags, from: None }
}

/// Generals.
fn generals(game: &UnhappyKing, state: &State, of: GeneralSet, board: &mut Board) {
    let content = &game.content;
    for general in of.iter() {
        let status = state.generals[general];
        let index = LeaderId::from(general).index() as u16;
        let at = post(content, general, status.post);
        let side = content.generals[general].side;
        board.pieces.insert(index, piece(content, LeaderKind::General, side, at, 0));
        if status.may_not_assault {
            board.markers.insert(Marker { at: Location::Piece(index), kind: MAY_NOT }, 1);
        }
    }
}

/// Local Notables, the Queen, the Siege Trains.
fn others(game: &UnhappyKing, state: &State, board: &mut Board) {
    let content = &game.content;
    for notable in NotableId::all(content) {
        let at = match state.notables[notable] {
            Presence::Waiting => Location::Mat(AWAY),
            Presence::InPlay => Location::Space(content.notables[notable].area.index() as u16),
            Presence::Out => Location::Mat(OUT),
        };
        let index = LeaderId::from(notable).index() as u16;
        board
            .pieces
            .insert(index, piece(content, LeaderKind::Notable, content.notables[notable].side, at, 0));
    }
    let with = |general: GeneralId| Location::Piece(LeaderId::from(general).index() as u16);
    let (at, flags) = match state.queen {
        Queen::Abroad => (Location::Mat(AWAY), 0),
        Queen::In(area) => (Location::Space(area.index() as u16), 0),
        Queen::With(general) => (with(general), 0),
        Queen::Left => (Location::Mat(OUT), LEFT_BY_SEA),
        Queen::Captured => (Location::Mat(OUT), 0),
    };
    board.pieces.insert(QUEEN, piece(content, LeaderKind::Queen, ROYALIST, at, flags));
    for seat in SEATS {
        let at = match state.trains[seat.index()] {
            Train::Available => Location::Mat(POOL_MATS + seat.index() as u16),
            Train::Resting => Location::Track(TURN_TRACK),
            Train::In(area) => Location::Space(area.index() as u16),
            Train::With(general) => with(general),
            Train::Out => Location::Mat(OUT),
        };
        board.pieces.insert(TRAIN + seat.index() as u16, piece(content, LeaderKind::Train, seat, at, 0));
    }
}

/// Political Control and Sieges of Areas.
fn map(game: &UnhappyKing, state: &State, of: AreaSet, board: &mut Board) {
    for seat in SEATS {
        for area in state.control[seat.index()] & of {
            let at = Location::Space(area.index() as u16);
            board.markers.insert(Marker { at, kind: CONTROL }, seat.index() as i32 + 1);
        }
    }
    for fortress in FortressId::all(&game.content) {
        let (siege, area) = (state.sieges[fortress], game.content.fortresses[fortress].area);
        if !of.contains(area) {
            continue;
        }
        let at = Location::Space(area.index() as u16);
        let marker = match siege.marker {
            SiegeMarker::None => 0,
            SiegeMarker::Siege => 1,
            SiegeMarker::Blockade => 2,
        };
        for (kind, number) in
            [(SIEGE, marker), (VALUE, siege.value.into()), (SIEGE_BONUS, siege.bonus.into())]
        {
            if number > 0 {
                board.markers.insert(Marker { at, kind }, number);
            }
        }
    }
}

/// The Turn, the Naval Status, and what is remembered of the course of the match.
fn course(game: &UnhappyKing, state: &State, observer: Observer, board: &mut Board) {
    let mut put = |at: Location, kind: u16, number: i32| {
        board.markers.insert(Marker { at, kind }, number);
    };
    let track = Location::Track(TURN_TRACK);
    put(track, TURN, state.turn.number().into());
    let boxes = &game.catalogue.tracks[usize::from(NAVAL_TRACK)].boxes;
    let (least, most) = (boxes.first().map_or(0, |one| one.number), boxes.last().map_or(0, |one| one.number));
    let naval = Location::Track(NAVAL_TRACK);
    put(naval, NAVAL, i32::from(game.naval_status(state)).clamp(least, most));
    if state.fleet != 0 {
        put(naval, FLEET, state.fleet.into());
    }
    for chit in (0..CHITS as u16).filter(|chit| state.chits >> chit & 1 != 0) {
        put(naval, CHIT + chit, 1);
    }
    let is_shown = |what: &Happened| {
        !Happened::SECRET.contains(*what)
            || matches!(observer, Observer::Seat(seat) if happened_at(*what) == Location::Seat(seat))
    };
    for what in state.happened.iter().filter(is_shown) {
        put(happened_at(what), happened_kind(what), 1);
    }
    put(Location::Seat(state.first), FIRST, 1);
    for seat in SEATS {
        let at = Location::Seat(seat);
        if state.plays[seat.index()] > 0 {
            put(at, PLAYS, state.plays[seat.index()].into());
        }
        if state.passed[seat.index()] {
            put(at, PASSED, 1);
        }
    }
    if state.ascendancy > 0 {
        put(Location::Seat(ROYALIST), ASCENDANCY, state.ascendancy.into());
    }
}

/// Where the marker of something that has happened lies: before the seat that has it to use or has used it, else on the Turn Record Track.
pub(super) fn happened_at(what: Happened) -> Location {
    let naval = |seat| Happened::benefit(seat) | Happened::veteran(seat) | Happened::chance(seat);
    if (Happened::BRENTFORD | Happened::POWICKE | naval(ROYALIST)).contains(what) {
        Location::Seat(ROYALIST)
    } else if naval(PARLIAMENT).contains(what) {
        Location::Seat(PARLIAMENT)
    } else {
        Location::Track(TURN_TRACK)
    }
}
