//! The canonical encoding of a state, and reading it back with every bound and invariant checked.
//!
//! Parts that follow from the rest (fresh drafts, the units that are left to order, points that are left) are
//! not written: they are made again, so that no two encodings mean the same state.

use crate::codec::{Coding, DecodeError, Flagged, Reader, Writer};
use crate::flow::Side;
use crate::seat::Seat;

use super::EnglishCivilWar;
use super::adjudicator::{LeaderId, LeaderSet, Order, Space, SpaceSet};
use super::codes;
use super::procedures::side_drafts;
use super::realm::{ARMIES_MAX, LEADERS, Realm, SIDES, side_of};
use super::state::draft::{Adjust, Draft, Entry, Fund, Making, Spot, Written};
use super::state::{
    Clause, DISLODGED_MAX, Date, Driven, Phase, Place, REPORT_MAX, ReportLine, State, Verdict,
};

/// The greatest rating that a saved match can hold: forty seasons of all points and months of occupation stay far below.
const BIAS_MAX: i32 = 20_000;
/// The most points that a side can hold.
const POINTS_MAX: u16 = 20_000;

type Result<T> = std::result::Result<T, DecodeError>;

/// Writes a state.
pub(super) fn encode(game: &EnglishCivilWar, state: &State, to: &mut Writer) {
    to.u8(state.max_seasons);
    to.bool(state.cut_all);
    to.u8(state.date.season);
    to.u8(state.date.month);
    put::<Phase>(&state.phase, to);
    for space in game.realm.spaces() {
        to.i32(i32::from(state.bias[space.index()]));
        to.u8(state.armies[space.index()]);
        put::<Flagged<Side>>(&state.side_in(space), to);
    }
    for (place, &clock) in state.leaders.iter().zip(&state.clocks) {
        put::<Place>(place, to);
        to.u8(clock);
    }
    for seat in SIDES {
        put::<SpaceSet>(&state.regular[seat.index()], to);
        put::<SpaceSet>(&state.founded[seat.index()], to);
        to.u16(state.points[seat.index()]);
    }
    to.list(&state.driven, |to, stack| put::<Driven>(stack, to));
    to.list(&state.report, |to, line| put::<ReportLine>(line, to));
    for side_draft in &state.side_drafts {
        to.bool(side_draft.committed);
        encode_draft(&side_draft.draft, to);
    }
}

impl Coding<Realm> for Space {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u8(value.index() as u8);
    }

    fn decode(realm: &Realm, from: &mut Reader<'_>) -> Result<Self> {
        let error = from.error("a space");
        let index = from.below(realm.counties.len() as u8, "a space")?;
        Self::new(index).ok_or(error)
    }
}

impl Coding<Realm> for SpaceSet {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u64(value.iter().fold(0, |bits, space| bits | 1 << space.index()));
    }

    fn decode(realm: &Realm, from: &mut Reader<'_>) -> Result<Self> {
        let bits = from.u64()?;
        ensure(bits >> realm.counties.len() == 0, from, "spaces of the board")?;
        Ok(realm.spaces().filter(|space| bits >> space.index() & 1 != 0).collect())
    }
}

impl Coding<Realm> for LeaderSet {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u8(value.iter().fold(0, |bits, leader| bits | 1 << leader.index()));
    }

    fn decode(_: &Realm, from: &mut Reader<'_>) -> Result<Self> {
        let bits = from.u8()?;
        Ok((0..LEADERS as u8).filter(|index| bits >> index & 1 != 0).filter_map(LeaderId::new).collect())
    }
}

/// A result, as a report has it.
enum Code {}

impl Coding<Realm> for Code {
    type Value = u8;

    fn encode(value: &u8, to: &mut Writer) {
        to.u8(*value);
    }

    fn decode(_: &Realm, from: &mut Reader<'_>) -> Result<u8> {
        let code = from.below(codes::CODES.len() as u8, "a result")?;
        ensure(codes::plain(code) == code, from, "a result")?;
        Ok(code)
    }
}

crate::coded_choices! {
    Phase, "a phase" of Realm {
        0 Influence,
        1 Adjustment,
        2 Orders,
        3 Retreats,
        4 Over(verdict: Verdict),
    }
    Place, "a leader's place" of Realm {
        0 Unplaced,
        1 At(space: Space),
        2 Dislodged(space: Space),
        3 Lost,
    }
    Order, "an order" of Realm {
        0 Hold,
        1 Move(to: Space),
        2 Merge(to: Space),
        3 SupportHold(at: Space),
        4 SupportMove { from: Space, to: Space },
    }
}

crate::coded! {
    Verdict, of Realm { winner: Flagged<Side>, clause: Clause }
    Driven, of Realm {
        space: Space,
        seat: Side,
        armies: u8,
        leaders: LeaderSet,
        to: SpaceSet,
        alone_to: SpaceSet,
    }
    ReportLine, of Realm {
        seat: Side,
        space: Space,
        armies: u8,
        leaders: LeaderSet,
        order: Order,
        retreat: bool,
        code: Code,
        strength: u8,
        left: u8,
        dislodged: bool,
    }
    Making, of Realm { armies: u8, leaders: LeaderSet, ask: LeaderSet }
    Written, of Realm { space: Space, armies: u8, leaders: LeaderSet, order: Order }
}

fn put<K: Coding<Realm>>(value: &K::Value, to: &mut Writer) {
    K::encode(value, to);
}

fn encode_draft(draft: &Draft, to: &mut Writer) {
    match draft {
        Draft::Nothing => {}
        Draft::Influence(fund) => {
            let used: Vec<(u8, u16)> = amounts(fund.points.iter().copied());
            to.list(&used, |to, &(space, points)| {
                to.u8(space);
                to.u16(points);
            });
        }
        Draft::Adjustment(adjust) => {
            let removed: Vec<(u8, u16)> = amounts(adjust.removed.iter().map(|&armies| u16::from(armies)));
            to.list(&removed, |to, &(space, armies)| {
                to.u8(space);
                to.u8(armies as u8);
            });
            put::<SpaceSet>(&adjust.built, to);
            to.list(&adjust.placed, |to, spot| put::<Space>(&spot.0, to));
        }
        Draft::Parts(entry) => {
            put::<SpaceSet>(&entry.open, to);
            if !entry.open.is_empty() {
                put::<Space>(&entry.at, to);
                to.bool(entry.picked);
                put::<Flagged<Making>>(&entry.part, to);
            }
            to.list(&entry.parts, |to, part| put::<Written>(part, to));
        }
    }
}

fn amounts(by_space: impl Iterator<Item = u16>) -> Vec<(u8, u16)> {
    let numbered = by_space.enumerate().map(|(space, amount)| (space as u8, amount));
    numbered.filter(|&(_, amount)| amount > 0).collect()
}

/// Reads a state back.
///
/// # Errors
/// Names the byte and what should stand there.
pub(super) fn decode(game: &EnglishCivilWar, from: &mut Reader<'_>) -> Result<State> {
    Decoder { game }.state(from)
}

struct Decoder<'a> {
    game: &'a EnglishCivilWar,
}

/// An error unless `holds`.
fn ensure(holds: bool, from: &Reader<'_>, expected: &'static str) -> Result<()> {
    if holds { Ok(()) } else { Err(from.error(expected)) }
}

impl Decoder<'_> {
    fn state(&self, from: &mut Reader<'_>) -> Result<State> {
        let [least, most, _] = self.game.numbers.seasons;
        let max_seasons = from.u8()?;
        ensure((least..=most).contains(&max_seasons), from, "a number of seasons")?;
        let mut state = State::bare(&self.game.realm, max_seasons, from.bool()?);
        state.date = Date { season: from.u8()?, month: from.u8()? };
        let dated = (1..=max_seasons).contains(&state.date.season);
        ensure(dated && state.date.month <= self.game.numbers.movement_months, from, "a date")?;
        state.phase = self.get::<Phase>(from)?;
        let in_season = matches!(state.phase, Phase::Influence | Phase::Adjustment);
        let in_month = matches!(state.phase, Phase::Orders | Phase::Retreats);
        let fits = if state.date.month == 0 { !in_month } else { !in_season };
        ensure(fits, from, "a phase of the date")?;
        self.units(&mut state, from)?;
        for seat in SIDES {
            state.regular[seat.index()] = self.get::<SpaceSet>(from)?;
            state.founded[seat.index()] = self.get::<SpaceSet>(from)?;
            state.points[seat.index()] = from.u16()?;
            ensure(state.points[seat.index()] <= POINTS_MAX, from, "fewer points")?;
        }
        let [one, other] = state.regular;
        let shared = (one & other).is_empty() && one | other == self.game.realm.regular;
        ensure(shared, from, "an owner for each regular centre")?;
        let homes = self.game.realm.homes[0] | self.game.realm.homes[1] | self.game.realm.regular;
        let [one, other] = state.founded;
        let free = (one & other).is_empty() && ((one | other) & homes).is_empty();
        ensure(free, from, "new centres beside the old ones")?;
        self.aftermath(&mut state, from)?;
        state.side_drafts = side_drafts::fresh(&self.game.realm, &self.game.actions, &state);
        for seat in SIDES {
            self.side_draft(&mut state, seat, from)?;
        }
        let over = matches!(state.phase, Phase::Over(_));
        ensure(over == state.to_act().is_empty(), from, "a node where somebody owes, or an ending")?;
        Ok(state)
    }

    fn get<K: Coding<Realm>>(&self, from: &mut Reader<'_>) -> Result<K::Value> {
        K::decode(&self.game.realm, from)
    }

    fn units(&self, state: &mut State, from: &mut Reader<'_>) -> Result<()> {
        let mut total = 0_u16;
        for space in self.game.realm.spaces() {
            let bias = from.i32()?;
            ensure((-BIAS_MAX..=BIAS_MAX).contains(&bias), from, "a rating")?;
            state.bias[space.index()] = bias as i16;
            let armies = from.u8()?;
            total += u16::from(armies);
            state.armies[space.index()] = armies;
            let side = self.get::<Flagged<Side>>(from)?;
            ensure(armies == 0 || side.is_some(), from, "the side of the armies")?;
            if let Some(seat) = side {
                state.stands[seat.index()].insert(space);
            }
        }
        ensure(total <= u16::from(ARMIES_MAX), from, "fewer armies")?;
        for index in 0..LEADERS {
            let place = self.get::<Place>(from)?;
            state.leaders[index] = place;
            let clock = from.u8()?;
            let stands = matches!(place, Place::At(_) | Place::Dislodged(_)) || clock == 0;
            ensure(stands && clock < self.game.numbers.months_for_a_centre, from, "a clock")?;
            state.clocks[index] = clock;
        }
        for seat in SIDES {
            for space in self.game.realm.spaces() {
                let own = state.leaders_in(space).iter().filter(|&leader| side_of(leader) == seat).count();
                ensure(own <= 2, from, "two leaders a space")?;
                let there =
                    own > 0 || (state.armies[space.index()] > 0 && state.side_in(space) == Some(seat));
                let stands = state.stands[seat.index()].contains(space);
                ensure(stands == there, from, "one side's units a space")?;
            }
        }
        Ok(())
    }

    /// Dislodged stacks and the report of the month.
    fn aftermath(&self, state: &mut State, from: &mut Reader<'_>) -> Result<()> {
        for stack in from.list(DISLODGED_MAX, |from| self.get::<Driven>(from))? {
            let later = state.driven.last().is_none_or(|last| last.space < stack.space);
            let own = |leader: LeaderId| {
                state.leaders[leader.index()] == Place::Dislodged(stack.space)
                    && side_of(leader) == stack.seat
            };
            let led = stack.leaders.iter().all(own) && stack.leaders.len() <= 2;
            let units = (1..=ARMIES_MAX).contains(&stack.armies) || !stack.leaders.is_empty();
            let driven_off = state.side_in(stack.space) == Some(stack.seat.other());
            ensure(later && led && units && driven_off, from, "a dislodged stack")?;
            let open = self.game.realm.near(stack.space) & !state.occupied();
            ensure(
                stack.to & !open == SpaceSet::EMPTY && stack.alone_to & !stack.to == SpaceSet::EMPTY,
                from,
                "open retreats",
            )?;
            state.driven.push(stack);
        }
        let retreats = state.phase == Phase::Retreats;
        ensure(retreats || state.driven.is_empty(), from, "dislodged stacks at retreats only")?;
        let driven = state.leaders.iter().filter(|place| matches!(place, Place::Dislodged(_))).count();
        let led: usize = state.driven.iter().map(|stack| stack.leaders.len()).sum();
        ensure(driven == led, from, "a stack for each dislodged leader")?;
        for line in from.list(REPORT_MAX, |from| self.get::<ReportLine>(from))? {
            state.report.push(line);
        }
        Ok(())
    }

    fn side_draft(&self, state: &mut State, seat: Seat, from: &mut Reader<'_>) -> Result<()> {
        let committed = from.bool()?;
        let mut draft = state.side_drafts[seat.index()].draft;
        match &mut draft {
            Draft::Nothing => ensure(!committed, from, "a side that is asked")?,
            Draft::Influence(fund) => self.fund(fund, from)?,
            Draft::Adjustment(adjust) => self.adjust(state, seat, adjust, from)?,
            Draft::Parts(entry) => self.entry(state, seat, entry, from)?,
        }
        let complete = match &draft {
            Draft::Nothing | Draft::Influence(_) => true,
            Draft::Adjustment(adjust) => {
                adjust.owed == 0 && adjust.placed.len() == usize::from(adjust.to_place)
            }
            Draft::Parts(entry) => entry.open.is_empty(),
        };
        ensure(complete || !committed, from, "a complete draft before it is committed")?;
        let side_draft = &mut state.side_drafts[seat.index()];
        (side_draft.draft, side_draft.committed) = (draft, committed);
        Ok(())
    }

    fn fund(&self, fund: &mut Fund, from: &mut Reader<'_>) -> Result<()> {
        let mut last = None;
        for (space, points) in
            from.list(self.game.realm.counties.len(), |from| Ok((self.get::<Space>(from)?, from.u16()?)))?
        {
            let affordable = (1..=fund.left).contains(&points) && last < Some(space);
            ensure(affordable, from, "points that the side has, in board order")?;
            fund.points[space.index()] = points;
            fund.left -= points;
            last = Some(space);
        }
        Ok(())
    }

    fn adjust(&self, state: &State, seat: Seat, adjust: &mut Adjust, from: &mut Reader<'_>) -> Result<()> {
        let mut last = None;
        for (space, armies) in
            from.list(self.game.realm.counties.len(), |from| Ok((self.get::<Space>(from)?, from.u8()?)))?
        {
            let there = (1..=state.armies_of(seat, space).min(adjust.owed)).contains(&armies);
            ensure(there && last < Some(space), from, "armies that are owed, in board order")?;
            adjust.removed[space.index()] = armies;
            adjust.owed -= armies;
            last = Some(space);
        }
        let built = self.get::<SpaceSet>(from)?;
        let count = built.len();
        let allowed =
            adjust.owed == 0 && count <= usize::from(adjust.room) && (built & !adjust.sites).is_empty();
        ensure(count == 0 || allowed, from, "builds that are possible")?;
        adjust.built = built;
        adjust.room -= count as u8;
        for space in from.list(usize::from(adjust.to_place), |from| self.get::<Space>(from))? {
            let home = self.game.realm.homes[seat.index()].contains(space);
            ensure(home && adjust.owed == 0, from, "a home centre")?;
            adjust.placed.push(Spot(space));
        }
        Ok(())
    }

    fn entry(&self, state: &State, seat: Seat, entry: &mut Entry, from: &mut Reader<'_>) -> Result<()> {
        let due = entry.open;
        let scribe = self.game.scribe(state, seat);
        let open = self.get::<SpaceSet>(from)?;
        ensure((open & !due).is_empty(), from, "spaces with units to order")?;
        *entry = scribe.begin(open);
        let mut making = None;
        if !open.is_empty() {
            let at = self.get::<Space>(from)?;
            ensure(open.contains(at), from, "an open space")?;
            scribe.go_to(entry, at);
            entry.picked = from.bool()?;
            making = self.get::<Flagged<Making>>(from)?;
        }
        let mut used = [(0_u8, LeaderSet::EMPTY); super::realm::SPACES_MAX];
        for part in from.list(super::state::draft::PARTS_MAX, |from| self.get::<Written>(from))? {
            let later =
                entry.parts.last().is_none_or(|last| (last.space, last.order) < (part.space, part.order));
            let here = due.contains(part.space) && (part.space == entry.at || !open.contains(part.space));
            let (armies, led) = scribe.units_at(part.space);
            let (spent, gone) = &mut used[part.space.index()];
            *spent = spent.saturating_add(part.armies);
            let free = *spent <= armies && (led - *gone).contains_all(part.leaders);
            *gone = *gone | part.leaders;
            let units = part.armies > 0 || !part.leaders.is_empty();
            ensure(later && here && free && units, from, "parts of the side's units, in order")?;
            ensure(scribe.is_order(part.space, part.order), from, "an order of the board")?;
            entry.parts.push(part);
            if part.space == entry.at && open.contains(part.space) {
                entry.armies -= part.armies;
                entry.leaders = entry.leaders - part.leaders;
                entry.last = Some(part.order);
            }
        }
        ensure(open.is_empty() || !entry.used_up(), from, "a space with units left to order")?;
        if let Some(part) = making {
            let led =
                entry.leaders.contains_all(part.leaders | part.ask) && (part.leaders & part.ask).is_empty();
            let units = part.armies > 0 || !part.leaders.is_empty();
            ensure(part.armies <= entry.armies && led && units, from, "a part of the units left")?;
        }
        entry.part = making;
        Ok(())
    }
}
