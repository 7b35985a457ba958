//! Board for one observer, and the same facts one by one as changes.
//!
//! Invariant: [`board`] and the changes here are made by the same functions, so that an event says what the view will show.

use crate::reference::{Location, Ref, Refs};
use crate::seat::{Observer, Seat};
use crate::view::{Arrow, ArrowKey, Board, Change, Changes, Marker, Piece, PieceGroup};

use super::adjudicator::{LeaderId, LeaderSet, Order, Space};
use super::codes;
use super::content::Numbers;
use super::realm::{Realm, SIDES, SPACES_MAX, all_leaders, roster, side_of, sign};
use super::rules;
use super::state::draft::{Draft, SideDraft, Written};
use super::state::{Date, Driven, Phase, Place, ReportLine, State};

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
    pub(in super::super) const UNITS: u16 = 9;
    pub(in super::super) const UNITS_TO_WIN: u16 = 10;

    pub(in super::super) const MOVE: u16 = 0;
    pub(in super::super) const MERGE: u16 = 1;
    pub(in super::super) const SUPPORT: u16 = 2;
    pub(in super::super) const HOLD: u16 = 3;
    pub(in super::super) const RETREAT: u16 = 4;
    pub(in super::super) const MAY_RETREAT: u16 = 5;
    pub(in super::super) const PLACE: u16 = 6;

    pub(in super::super) const DISLODGED: u32 = 1;
}

/// The ordinal of arrows that are being written.
const DRAFT_ORDINAL: u8 = 1;

/// A retreat that a part with an army can make, and leaders alone too.
pub(super) const FOR_ALL: &str = "all";
/// A retreat that only a part with an army can make.
pub(super) const FOR_ARMIES: &str = "army";

/// A space as a place.
pub(super) const fn at(space: Space) -> Location {
    Location::Space(space.index() as u16)
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

const fn marker(at: Location, kind: u16, number: Option<i32>) -> Change {
    Change::Marker(Marker { at, kind }, number)
}

/// The date on its track.
pub(super) fn calendar_change(numbers: &Numbers, state: &State) -> Change {
    marker(Location::Track(kind::TRACK_CALENDAR), kind::CALENDAR, Some(months_passed(numbers, state.date)))
}

/// A side's saved points.
pub(super) fn points_change(state: &State, seat: Seat) -> Change {
    marker(Location::Seat(seat), kind::POINTS, Some(i32::from(state.points[seat.index()])))
}

/// The units of each side, and those that would win it the war now: they follow from what stands where.
pub(super) fn unit_changes(realm: &Realm, numbers: &Numbers, state: &State, mut note: impl FnMut(Change)) {
    for seat in SIDES {
        let before = Location::Seat(seat);
        note(marker(before, kind::UNITS, Some(i32::from(state.counted(seat)))));
        note(marker(before, kind::UNITS_TO_WIN, Some(i32::from(state.units_to_win(realm, numbers, seat)))));
    }
}

/// Number of changes that [`unit_changes`] notes.
pub(super) const UNIT_CHANGES: usize = 4;

/// Number of changes that [`space_changes`] notes.
pub(super) const SPACE_CHANGES: usize = 7;

/// Armies, rating, owner and centre of a space.
pub(super) fn space_changes(realm: &Realm, state: &State, space: Space, mut note: impl FnMut(Change)) {
    let here = at(space);
    let whose = |seat: Option<Seat>| seat.map(|seat| i32::from(sign(seat)));
    let owner = SIDES.into_iter().find(|seat| state.regular[seat.index()].contains(space));
    let centre = SIDES.into_iter().find(|seat| {
        realm.homes[seat.index()].contains(space) || state.founded[seat.index()].contains(space)
    });
    note(marker(here, kind::BIAS, Some(i32::from(state.bias[space.index()]))));
    note(marker(here, kind::OWNER, whose(owner)));
    note(marker(here, kind::CENTRE, whose(centre)));
    for seat in SIDES {
        let group = |flags| PieceGroup { at: here, owner: Some(seat), kind: kind::ARMY, flags, from: None };
        let driven = state.driven.iter().find(|stack| stack.space == space && stack.seat == seat);
        note(Change::Group(group(0), u16::from(state.armies_of(seat, space))));
        note(Change::Group(group(kind::DISLODGED), driven.map_or(0, |stack| u16::from(stack.armies))));
    }
}

/// A leader and their clock.
pub(super) fn leader_changes(state: &State, leader: LeaderId) -> [Change; 2] {
    let (place, flags) = match state.leaders[leader.index()] {
        Place::Unplaced => (Location::Mat(kind::MAT_UNPLACED), 0),
        Place::At(space) => (at(space), 0),
        Place::Dislodged(space) => (at(space), kind::DISLODGED),
        Place::Lost => (Location::Mat(kind::MAT_CAPTURED), 0),
    };
    let piece = Piece { kind: kind::LEADER, owner: Some(side_of(leader)), at: place, flags, from: None };
    let id = leader.index() as u16;
    let months = state.clocks[leader.index()];
    let clock = (months > 0).then(|| i32::from(months));
    [Change::Piece(id, piece), marker(Location::Piece(id), kind::CLOCK, clock)]
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

/// The arrow of an order that is being written: it stands beside the result of the same order of last month.
fn draft_key(seat: Seat, part: &Written, retreat: bool) -> ArrowKey {
    ArrowKey { ordinal: DRAFT_ORDINAL, ..order_key(seat, part.space, part.order, retreat) }
}

/// The arrow of a part in the report: armies, strength, what is left of a support, 1 if dislodged; then its leaders.
pub(super) fn line_change(line: &ReportLine) -> Change {
    let numbers = [line.armies, line.strength, line.left, u8::from(line.dislodged)];
    let mut refs = Refs::from(numbers.map(|number| Ref::Number(i32::from(number))));
    refs.extend(leader_refs(line.leaders));
    let arrow = Arrow { result: Some(codes::name(line.code)), refs };
    Change::Arrow(order_key(line.seat, line.space, line.order, line.retreat), Some(arrow))
}

/// References that name a part in an event: side, space, target, armies; of a support of a move where that
/// starts; then its leaders.
pub(super) fn order_refs(line: &ReportLine) -> Refs {
    let key = order_key(line.seat, line.space, line.order, line.retreat);
    let armies = Ref::Number(i32::from(line.armies));
    let mut refs = Refs::from([Ref::Seat(line.seat), key.from.into(), key.to.into(), armies]);
    refs.extend(key.of.map(Ref::from));
    refs.extend(leader_refs(line.leaders));
    refs
}

/// The report's line that an arrow stands for.
pub(super) fn line_of(key: &ArrowKey, arrow: &Arrow) -> Option<ReportLine> {
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
    Some(ReportLine {
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
pub(super) const fn space_of(place: Location) -> Option<Space> {
    match place {
        Location::Space(index) => Space::new(index as u8),
        _ => None,
    }
}

fn may_retreat_key(stack: &Driven, to: Space) -> ArrowKey {
    let (from, to) = (at(stack.space), at(to));
    ArrowKey { from, to, of: None, kind: kind::MAY_RETREAT, seat: Some(stack.seat), ordinal: 0 }
}

/// Returns where a dislodged stack may go.
pub(super) fn may_retreat_changes(stack: &Driven) -> impl Iterator<Item = Change> {
    stack.to.iter().map(|to| {
        let who = if stack.alone_to.contains(to) { FOR_ALL } else { FOR_ARMIES };
        let arrow = Arrow { result: Some(who), refs: Refs::new() };
        Change::Arrow(may_retreat_key(stack, to), Some(arrow))
    })
}

/// A stack has retreated: its possibilities are gone.
pub(super) fn no_more_retreat_changes(stack: &Driven) -> impl Iterator<Item = Change> {
    stack.to.iter().map(|to| Change::Arrow(may_retreat_key(stack, to), None))
}

/// The arrow of a leader's placing, while it is written.
pub(super) fn place_key(seat: Seat, leader: LeaderId, space: Space) -> ArrowKey {
    let from = Location::Mat(kind::MAT_UNPLACED);
    let of = Some(Location::Piece(leader.index() as u16));
    ArrowKey { from, to: at(space), of, kind: kind::PLACE, seat: Some(seat), ordinal: 0 }
}

fn place_change(seat: Seat, leader: LeaderId, space: Space) -> Change {
    let arrow = Arrow { result: Some(codes::DRAFT), refs: Refs::new() };
    Change::Arrow(place_key(seat, leader, space), Some(arrow))
}

/// Returns what lies where, for `observer`.
pub(super) fn board(realm: &Realm, numbers: &Numbers, state: &State, observer: Observer) -> Board {
    let mut board = match observer {
        Observer::Seat(seat) => draft_board(state, seat),
        Observer::Spectator => Board::default(),
    };
    if rules::SEALED.allows(false) {
        let written =
            SIDES.into_iter().flat_map(|seat| Board::default().changes_to(&draft_board(state, seat)));
        written.for_each(|change| board.fold(&change));
    }
    let mut fold = |change: Change| board.fold(&change);
    fold(calendar_change(numbers, state));
    SIDES.into_iter().for_each(|seat| fold(points_change(state, seat)));
    unit_changes(realm, numbers, state, &mut fold);
    realm.spaces().for_each(|space| space_changes(realm, state, space, &mut fold));
    all_leaders().flat_map(|leader| leader_changes(state, leader)).for_each(&mut fold);
    if state.phase == Phase::Retreats {
        state.driven.iter().flat_map(may_retreat_changes).for_each(&mut fold);
    }
    state.report.iter().map(line_change).for_each(fold);
    board
}

/// Returns how what an observer sees has changed between two states: where they differ in what is being written alone, as when some of
/// it was taken back, only that is looked at.
pub(super) fn board_changes(
    realm: &Realm,
    numbers: &Numbers,
    [before, after]: [&State; 2],
    observer: Observer,
) -> Changes {
    let written_alone = State { side_drafts: after.side_drafts, ..*before } == *after;
    match observer {
        Observer::Seat(seat) if written_alone && rules::SEALED.applies(true) => {
            draft_changes(after, seat, &before.side_drafts[seat.index()].draft)
        }
        _ => {
            let [before, after] = [before, after].map(|state| board(realm, numbers, state, observer));
            before.changes_to(&after)
        }
    }
}

/// Returns how what a side alone sees has changed since its draft was `before`.
pub(super) fn draft_changes(state: &State, seat: Seat, before: &Draft) -> Changes {
    let now = &state.side_drafts[seat.index()].draft;
    // Nearly always one thing more is written, or part of one that is not whole yet.
    match (before, now) {
        (Draft::Influence(before), Draft::Influence(now)) => {
            return sorted(amount_changes(kind::FUND, &before.points, &now.points).collect());
        }
        (Draft::Adjustment(before), Draft::Adjustment(now))
            if now.placed.starts_with(&before.placed) && now.placed.len() <= before.placed.len() + 1 =>
        {
            let mut changes: Changes = amount_changes(kind::REMOVE, &before.removed, &now.removed).collect();
            let moved = (before.built | now.built) & !(before.built & now.built);
            let built = |space: Space| u16::from(now.built.contains(space));
            changes.extend(moved.iter().map(|space| amount(space.index(), kind::BUILD, built(space))));
            changes = sorted(changes);
            let placed = roster(seat).zip(now.placed.iter()).skip(before.placed.len());
            changes.extend(placed.map(|(leader, spot)| place_change(seat, leader, spot.0)));
            return changes;
        }
        (Draft::Parts(before), Draft::Parts(now)) => {
            if let Some(added) = now.parts.added_to(&before.parts) {
                let retreat = state.phase == Phase::Retreats;
                return added.map(|part| written_change(seat, part, retreat)).into_iter().collect();
            }
        }
        _ => {}
    }
    board_of(state, seat, before).changes_to(&board_of(state, seat, now))
}

/// A number written on a space, or that it is gone.
fn amount(space: usize, kind: u16, number: u16) -> Change {
    marker(Location::Space(space as u16), kind, (number > 0).then(|| i32::from(number)))
}

/// The numbers of a kind that differ, by space.
fn amount_changes<N: Copy + PartialEq + Into<u16>>(
    kind: u16,
    before: &[N; SPACES_MAX],
    now: &[N; SPACES_MAX],
) -> impl Iterator<Item = Change> {
    let differing = before.iter().zip(now).enumerate().filter(|(_, (before, now))| before != now);
    differing.map(move |(space, (_, &now))| amount(space, kind, now.into()))
}

/// Changes of markers as boards are compared: what is gone first, then by key.
fn sorted(mut changes: Changes) -> Changes {
    changes.sort_by_key(|change| match change {
        Change::Marker(marker, number) => (number.is_some(), Some(*marker)),
        _ => (true, None),
    });
    changes
}

/// Returns what a side alone sees: its draft.
pub(super) fn draft_board(state: &State, seat: Seat) -> Board {
    board_of(state, seat, &state.side_drafts[seat.index()].draft)
}

fn board_of(state: &State, seat: Seat, draft: &Draft) -> Board {
    let mut board = Board::default();
    let mut fold = |change: Change| board.fold(&change);
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
                fold(place_change(seat, leader, spot.0));
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
    let mut refs = Refs::new();
    refs.push(Ref::Number(i32::from(part.armies)));
    refs.extend(leader_refs(part.leaders));
    let arrow = Arrow { result: Some(codes::DRAFT), refs };
    Change::Arrow(draft_key(seat, part, retreat), Some(arrow))
}

/// Retreats that were being written are gone.
pub(super) fn no_more_drafts(side_drafts: &[SideDraft; 2]) -> impl Iterator<Item = Change> {
    let drafts = SIDES.into_iter().zip(side_drafts);
    drafts.flat_map(|(seat, side_draft)| {
        let parts = match &side_draft.draft {
            Draft::Parts(entry) => &entry.parts[..],
            _ => &[],
        };
        parts.iter().map(move |part| Change::Arrow(draft_key(seat, part, true), None))
    })
}
