//! What lies on the board, for one observer, and the same facts one by one as changes.
//!
//! Invariant: [`board`] and the changes here are made by the same functions, so that an event says what the view will show.

use crate::reference::{At, Ref};
use crate::seat::{Observer, Seat};
use crate::view::{Arrow, ArrowKey, Board, Change, Group, Marker, Piece};

use super::adjudicator::{LeaderId, LeaderSet, Order, Space};
use super::codes;
use super::content::Numbers;
use super::draft::{Draft, Written};
use super::realm::{Realm, SIDES, all_leaders, roster, side_of, sign};
use super::rules;
use super::state::{Date, Driven, Phase, Place, State, Told};

/// Indices into the catalogue's lists.
pub(super) mod kind {
    pub(in super::super) const ARMY: u16 = 0;
    pub(in super::super) const LEADER: u16 = 1;

    pub(in super::super) const MAT_UNPLACED: u16 = 0;
    pub(in super::super) const MAT_CAPTURED: u16 = 1;

    pub(in super::super) const TRACK_CALENDAR: u16 = 0;

    pub(in super::super) const BIAS: u16 = 0;
    pub(in super::super) const OWNER: u16 = 1;
    pub(in super::super) const CENTRE: u16 = 2;
    pub(in super::super) const POINTS: u16 = 3;
    pub(in super::super) const CLOCK: u16 = 4;
    pub(in super::super) const CALENDAR: u16 = 5;
    pub(in super::super) const FUND: u16 = 6;
    pub(in super::super) const REMOVE: u16 = 7;
    pub(in super::super) const BUILD: u16 = 8;

    pub(in super::super) const MOVE: u16 = 0;
    pub(in super::super) const MERGE: u16 = 1;
    pub(in super::super) const SUPPORT: u16 = 2;
    pub(in super::super) const HOLD: u16 = 3;
    pub(in super::super) const RETREAT: u16 = 4;
    pub(in super::super) const MAY_RETREAT: u16 = 5;
    pub(in super::super) const PLACE: u16 = 6;

    pub(in super::super) const DISLODGED: u32 = 1;
}

/// A retreat that a part with an army can make, and leaders alone too.
pub(super) const FOR_ALL: &str = "all";
/// A retreat that only a part with an army can make.
pub(super) const FOR_ARMIES: &str = "army";

/// A space as a place.
pub(super) const fn at(space: Space) -> At {
    At::Space(space.index() as u16)
}

/// Year and month of a date.
pub(super) fn calendar(numbers: &Numbers, date: Date) -> (i32, i32) {
    let passed = months_passed(numbers, date) + i32::from(numbers.first_month) - 1;
    (i32::from(numbers.first_year) + passed / 12, passed % 12 + 1)
}

/// Months since the first season: the number on the calendar track.
pub(super) fn months_passed(numbers: &Numbers, date: Date) -> i32 {
    (i32::from(date.season) - 1) * (i32::from(numbers.movement_months) + 1) + i32::from(date.month)
}

/// The date with this number on the calendar track.
pub(super) fn date_of(numbers: &Numbers, passed: i32) -> Date {
    let cycle = i32::from(numbers.movement_months) + 1;
    Date { season: (passed / cycle + 1) as u8, month: (passed % cycle) as u8 }
}

const fn marker(at: At, kind: u16, number: Option<i32>) -> Change {
    Change::Marker(Marker { at, kind }, number)
}

/// The date on its track.
pub(super) fn calendar_change(numbers: &Numbers, state: &State) -> Change {
    marker(At::Track(kind::TRACK_CALENDAR), kind::CALENDAR, Some(months_passed(numbers, state.date)))
}

/// A side's saved points.
pub(super) fn points_change(state: &State, seat: Seat) -> Change {
    marker(At::Seat(seat), kind::POINTS, Some(i32::from(state.points[seat.index()])))
}

/// Armies, rating, owner and centre of a space.
pub(super) fn space_changes(realm: &Realm, state: &State, space: Space) -> Vec<Change> {
    let here = at(space);
    let whose = |seat: Option<Seat>| seat.map(|seat| i32::from(sign(seat)));
    let owner = SIDES.into_iter().find(|seat| state.regular[seat.index()].contains(space));
    let centre = SIDES.into_iter().find(|seat| {
        realm.homes[seat.index()].contains(space) || state.founded[seat.index()].contains(space)
    });
    let mut changes = vec![
        marker(here, kind::BIAS, Some(i32::from(state.bias[space.index()]))),
        marker(here, kind::OWNER, whose(owner)),
        marker(here, kind::CENTRE, whose(centre)),
    ];
    for seat in SIDES {
        let group = |flags| Group { at: here, owner: Some(seat), kind: kind::ARMY, flags, from: None };
        let driven = state.driven.iter().find(|stack| stack.space == space && stack.seat == seat);
        changes.push(Change::Group(group(0), u16::from(state.armies_of(seat, space))));
        changes
            .push(Change::Group(group(kind::DISLODGED), driven.map_or(0, |stack| u16::from(stack.armies))));
    }
    changes
}

/// A leader and his clock.
pub(super) fn leader_changes(state: &State, leader: LeaderId) -> Vec<Change> {
    let (place, flags) = match state.leaders[leader.index()] {
        Place::Unplaced => (At::Mat(kind::MAT_UNPLACED), 0),
        Place::At(space) => (at(space), 0),
        Place::Dislodged(space) => (at(space), kind::DISLODGED),
        Place::Lost => (At::Mat(kind::MAT_CAPTURED), 0),
    };
    let piece = Piece { kind: kind::LEADER, owner: Some(side_of(leader)), at: place, flags, from: None };
    let id = leader.index() as u16;
    let months = state.clocks[leader.index()];
    let clock = (months > 0).then(|| i32::from(months));
    vec![Change::Piece(id, piece), marker(At::Piece(id), kind::CLOCK, clock)]
}

fn leader_refs(leaders: LeaderSet) -> impl Iterator<Item = Ref> {
    leaders.iter().map(|leader| Ref::Piece(leader.index() as u16))
}

/// The arrow of an order: where it goes, and along what it supports.
fn order_key(seat: Seat, space: Space, order: Order, retreat: bool) -> ArrowKey {
    let (to, of, kind) = match order {
        Order::Move(to) if retreat => (to, None, kind::RETREAT),
        Order::Hold if retreat => (space, None, kind::RETREAT),
        Order::Move(to) => (to, None, kind::MOVE),
        Order::Merge(to) => (to, None, kind::MERGE),
        Order::SupportHold(to) => (to, None, kind::SUPPORT),
        Order::SupportMove { from, to } => (to, Some(at(from)), kind::SUPPORT),
        Order::Hold => (space, None, kind::HOLD),
    };
    ArrowKey { from: at(space), to: at(to), of, kind, seat: Some(seat), ordinal: 0 }
}

/// The arrow of a part in the report: armies, strength, what is left of a support, 1 if dislodged; then its leaders.
pub(super) fn told_change(told: &Told) -> Change {
    let numbers = [told.armies, told.strength, told.left, u8::from(told.dislodged)];
    let refs =
        numbers.map(|number| Ref::Number(i32::from(number))).into_iter().chain(leader_refs(told.leaders));
    let arrow = Arrow { result: Some(codes::name(told.code)), refs: refs.collect() };
    Change::Arrow(order_key(told.seat, told.space, told.order, told.retreat), Some(arrow))
}

/// What names a part in an event: side, space, target, armies; of a support of a move where that starts; then its leaders.
pub(super) fn order_refs(told: &Told) -> Vec<Ref> {
    let key = order_key(told.seat, told.space, told.order, told.retreat);
    let mut refs =
        vec![Ref::Seat(told.seat), key.from.into(), key.to.into(), Ref::Number(i32::from(told.armies))];
    refs.extend(key.of.map(Ref::from));
    refs.extend(leader_refs(told.leaders));
    refs
}

/// The report's line that an arrow stands for.
pub(super) fn told_of(key: &ArrowKey, arrow: &Arrow) -> Option<Told> {
    let number = |index: usize| match arrow.refs.get(index) {
        Some(Ref::Number(number)) => u8::try_from(*number).ok(),
        _ => None,
    };
    let leader = |what: &Ref| if let Ref::Piece(index) = what { LeaderId::new(*index as u8) } else { None };
    let (space, to) = (space_of(key.from)?, space_of(key.to)?);
    let order = match (key.kind, key.of.and_then(space_of)) {
        (kind::MERGE, _) => Order::Merge(to),
        (kind::SUPPORT, Some(from)) => Order::SupportMove { from, to },
        (kind::SUPPORT, None) => Order::SupportHold(to),
        (kind::MOVE | kind::RETREAT, _) if to != space => Order::Move(to),
        _ => Order::Hold,
    };
    Some(Told {
        seat: key.seat?,
        space,
        armies: number(0)?,
        leaders: arrow.refs.iter().filter_map(leader).collect(),
        order,
        retreat: key.kind == kind::RETREAT,
        code: codes::number(arrow.result?)?,
        strength: number(1)?,
        left: number(2)?,
        dislodged: number(3)? == 1,
    })
}

/// The space of a place.
pub(super) const fn space_of(place: At) -> Option<Space> {
    match place {
        At::Space(index) => Space::new(index as u8),
        _ => None,
    }
}

fn may_retreat_key(stack: &Driven, to: Space) -> ArrowKey {
    let (from, to) = (at(stack.space), at(to));
    ArrowKey { from, to, of: None, kind: kind::MAY_RETREAT, seat: Some(stack.seat), ordinal: 0 }
}

/// Where a dislodged stack may go.
pub(super) fn may_retreat_changes(stack: &Driven) -> Vec<Change> {
    let arrow = |to| {
        let who = if stack.alone_to.contains(to) { FOR_ALL } else { FOR_ARMIES };
        let arrow = Arrow { result: Some(who), refs: Vec::new() };
        Change::Arrow(may_retreat_key(stack, to), Some(arrow))
    };
    stack.to.iter().map(arrow).collect()
}

/// A stack has retreated: its possibilities are gone.
pub(super) fn no_more_retreat_changes(stack: &Driven) -> Vec<Change> {
    stack.to.iter().map(|to| Change::Arrow(may_retreat_key(stack, to), None)).collect()
}

/// The arrow of a leader's placing, while it is written.
pub(super) fn place_key(seat: Seat, leader: LeaderId, space: Space) -> ArrowKey {
    let from = At::Mat(kind::MAT_UNPLACED);
    let of = Some(At::Piece(leader.index() as u16));
    ArrowKey { from, to: at(space), of, kind: kind::PLACE, seat: Some(seat), ordinal: 0 }
}

/// What lies where, for `observer`.
pub(super) fn board(realm: &Realm, numbers: &Numbers, state: &State, observer: Observer) -> Board {
    let mut board = match observer {
        Observer::Seat(seat) => draft_board(state, seat),
        Observer::Spectator => Board::default(),
    };
    if !rules::SEALED.on() {
        let written =
            SIDES.into_iter().flat_map(|seat| Board::default().changes_to(&draft_board(state, seat)));
        written.for_each(|change| board.fold(&change));
    }
    let mut fold = |changes: Vec<Change>| changes.iter().for_each(|change| board.fold(change));
    fold(vec![calendar_change(numbers, state)]);
    SIDES.into_iter().for_each(|seat| fold(vec![points_change(state, seat)]));
    realm.spaces().for_each(|space| fold(space_changes(realm, state, space)));
    all_leaders().for_each(|leader| fold(leader_changes(state, leader)));
    if state.phase == Phase::Retreats {
        state.driven.iter().for_each(|stack| fold(may_retreat_changes(stack)));
    }
    fold(state.report.iter().map(told_change).collect());
    board
}

/// How what a side alone sees has changed since its draft was `before`.
pub(super) fn draft_changes(state: &State, seat: Seat, before: &Draft) -> Vec<Change> {
    let now = &state.desks[seat.index()].draft;
    if let (Draft::Parts(before), Draft::Parts(now)) = (before, now)
        && let Some(added) = now.parts.added_to(&before.parts)
    {
        // Nearly always: a part is written, or something of one that is not whole yet.
        let retreat = state.phase == Phase::Retreats;
        return added.map(|part| written_change(seat, part, retreat)).into_iter().collect();
    }
    board_of(state, seat, before).changes_to(&board_of(state, seat, now))
}

/// What a side alone sees: its draft.
pub(super) fn draft_board(state: &State, seat: Seat) -> Board {
    board_of(state, seat, &state.desks[seat.index()].draft)
}

fn board_of(state: &State, seat: Seat, draft: &Draft) -> Board {
    let mut board = Board::default();
    let mut fold = |change: Change| board.fold(&change);
    let amount = |space: usize, kind, number: u16| {
        marker(At::Space(space as u16), kind, (number > 0).then(|| i32::from(number)))
    };
    match draft {
        Draft::Nothing => {}
        Draft::Influence(fund) => {
            let points = fund.points.iter().enumerate();
            points.for_each(|(space, &points)| fold(amount(space, kind::FUND, points)));
        }
        Draft::Adjustment(adjust) => {
            let removed = adjust.removed.iter().enumerate();
            removed.for_each(|(space, &armies)| fold(amount(space, kind::REMOVE, armies.into())));
            adjust.built.iter().for_each(|space| fold(amount(space.index(), kind::BUILD, 1)));
            for (leader, spot) in roster(seat).zip(adjust.placed.iter()) {
                let arrow = Arrow { result: Some(codes::DRAFT), refs: Vec::new() };
                fold(Change::Arrow(place_key(seat, leader, spot.0), Some(arrow)));
            }
        }
        Draft::Parts(entry) => {
            let retreat = state.phase == Phase::Retreats;
            entry.parts.iter().for_each(|part| fold(written_change(seat, part, retreat)));
        }
    }
    board
}

fn written_change(seat: Seat, part: &Written, retreat: bool) -> Change {
    let refs = std::iter::once(Ref::Number(i32::from(part.armies))).chain(leader_refs(part.leaders));
    let arrow = Arrow { result: Some(codes::DRAFT), refs: refs.collect() };
    Change::Arrow(order_key(seat, part.space, part.order, retreat), Some(arrow))
}
