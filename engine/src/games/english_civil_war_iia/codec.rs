//! The canonical encoding of a state, and reading it back with every bound and invariant checked.
//!
//! Parts that follow from the rest (fresh drafts, the units that are left to order, points that are left) are
//! not written: they are made again, so that no two encodings mean the same state.

use crate::codec::{DecodeError, Reader, Writer};
use crate::seat::Seat;

use super::EnglishCivilWar;
use super::adjudicator::{LeaderId, LeaderSet, Order, Space, SpaceSet};
use super::codes;
use super::procedures::side_drafts;
use super::realm::{ARMIES_MAX, LEADERS, SIDES, side_of};
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
    encode_phase(state.phase, to);
    for space in game.realm.spaces() {
        to.i32(i32::from(state.bias[space.index()]));
        to.u8(state.armies[space.index()]);
        to.option(state.side_in(space), |to, seat| to.u8(seat.index() as u8));
    }
    for (place, &clock) in state.leaders.iter().zip(&state.clocks) {
        match place {
            Place::Unplaced => to.u8(0),
            Place::At(space) => {
                to.u8(1);
                encode_space(*space, to);
            }
            Place::Dislodged(space) => {
                to.u8(2);
                encode_space(*space, to);
            }
            Place::Lost => to.u8(3),
        }
        to.u8(clock);
    }
    for seat in SIDES {
        encode_set(state.regular[seat.index()], to);
        encode_set(state.founded[seat.index()], to);
        to.u16(state.points[seat.index()]);
    }
    to.list(&state.driven, encode_driven);
    to.list(&state.report, encode_line);
    for side_draft in &state.side_drafts {
        to.bool(side_draft.committed);
        encode_draft(&side_draft.draft, to);
    }
}

fn encode_phase(phase: Phase, to: &mut Writer) {
    match phase {
        Phase::Influence => to.u8(0),
        Phase::Adjustment => to.u8(1),
        Phase::Orders => to.u8(2),
        Phase::Retreats => to.u8(3),
        Phase::Over(Verdict { winner, clause }) => {
            to.u8(4);
            to.option(winner, |to, seat| to.u8(seat.index() as u8));
            to.u8(Clause::ALL.iter().position(|one| *one == clause).unwrap_or(0) as u8);
        }
    }
}

fn encode_space(space: Space, to: &mut Writer) {
    to.u8(space.index() as u8);
}

fn encode_set(set: SpaceSet, to: &mut Writer) {
    to.u64(set.iter().fold(0, |bits, space| bits | 1 << space.index()));
}

fn encode_leaders(leaders: LeaderSet, to: &mut Writer) {
    to.u8(leaders.iter().fold(0, |bits, leader| bits | 1 << leader.index()));
}

fn encode_order(order: Order, to: &mut Writer) {
    let (tag, from, at) = match order {
        Order::Hold => (0, None, None),
        Order::Move(at) => (1, None, Some(at)),
        Order::Merge(at) => (2, None, Some(at)),
        Order::SupportHold(at) => (3, None, Some(at)),
        Order::SupportMove { from, to } => (4, Some(from), Some(to)),
    };
    to.u8(tag);
    from.into_iter().chain(at).for_each(|space| encode_space(space, to));
}

fn encode_driven(to: &mut Writer, stack: &Driven) {
    encode_space(stack.space, to);
    to.u8(stack.seat.index() as u8);
    to.u8(stack.armies);
    encode_leaders(stack.leaders, to);
    encode_set(stack.to, to);
    encode_set(stack.alone_to, to);
}

fn encode_line(to: &mut Writer, line: &ReportLine) {
    to.u8(line.seat.index() as u8);
    encode_space(line.space, to);
    to.u8(line.armies);
    encode_leaders(line.leaders, to);
    encode_order(line.order, to);
    to.bool(line.retreat);
    to.u8(line.code);
    to.u8(line.strength);
    to.u8(line.left);
    to.bool(line.dislodged);
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
            encode_set(adjust.built, to);
            to.list(&adjust.placed, |to, spot| encode_space(spot.0, to));
        }
        Draft::Parts(entry) => {
            encode_set(entry.open, to);
            if !entry.open.is_empty() {
                encode_space(entry.at, to);
                to.bool(entry.picked);
                to.option(entry.part, |to, part| {
                    to.u8(part.armies);
                    encode_leaders(part.leaders, to);
                    encode_leaders(part.ask, to);
                });
            }
            to.list(&entry.parts, |to, part| {
                encode_space(part.space, to);
                to.u8(part.armies);
                encode_leaders(part.leaders, to);
                encode_order(part.order, to);
            });
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
    Decoder { game, spaces: game.realm.counties.len() as u8 }.state(from)
}

struct Decoder<'a> {
    game: &'a EnglishCivilWar,
    spaces: u8,
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
        state.phase = phase(from)?;
        let in_season = matches!(state.phase, Phase::Influence | Phase::Adjustment);
        let in_month = matches!(state.phase, Phase::Orders | Phase::Retreats);
        let fits = if state.date.month == 0 { !in_month } else { !in_season };
        ensure(fits, from, "a phase of the date")?;
        self.units(&mut state, from)?;
        for seat in SIDES {
            state.regular[seat.index()] = self.set(from)?;
            state.founded[seat.index()] = self.set(from)?;
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

    fn space(&self, from: &mut Reader<'_>) -> Result<Space> {
        let index = from.below(self.spaces, "a space")?;
        Space::new(index).ok_or_else(|| from.error("a space"))
    }

    fn set(&self, from: &mut Reader<'_>) -> Result<SpaceSet> {
        let bits = from.u64()?;
        ensure(bits >> self.spaces == 0, from, "spaces of the board")?;
        Ok((0..self.spaces).filter(|index| bits & 1 << index != 0).filter_map(Space::new).collect())
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
            let side = from.option(seat)?;
            ensure(armies == 0 || side.is_some(), from, "the side of the armies")?;
            if let Some(seat) = side {
                state.stands[seat.index()].insert(space);
            }
        }
        ensure(total <= u16::from(ARMIES_MAX), from, "fewer armies")?;
        for index in 0..LEADERS {
            let place = match from.below(4, "a leader's place")? {
                0 => Place::Unplaced,
                1 => Place::At(self.space(from)?),
                2 => Place::Dislodged(self.space(from)?),
                _ => Place::Lost,
            };
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
        for stack in from.list(DISLODGED_MAX, |from| self.driven(from))? {
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
        for line in from.list(REPORT_MAX, |from| self.report_line(from))? {
            state.report.push(line);
        }
        Ok(())
    }

    fn driven(&self, from: &mut Reader<'_>) -> Result<Driven> {
        let space = self.space(from)?;
        let seat = seat(from)?;
        let armies = from.u8()?;
        let leaders = leaders(from)?;
        Ok(Driven { space, seat, armies, leaders, to: self.set(from)?, alone_to: self.set(from)? })
    }

    fn order(&self, from: &mut Reader<'_>) -> Result<Order> {
        Ok(match from.below(5, "an order")? {
            0 => Order::Hold,
            1 => Order::Move(self.space(from)?),
            2 => Order::Merge(self.space(from)?),
            3 => Order::SupportHold(self.space(from)?),
            _ => Order::SupportMove { from: self.space(from)?, to: self.space(from)? },
        })
    }

    fn report_line(&self, from: &mut Reader<'_>) -> Result<ReportLine> {
        let seat = seat(from)?;
        let space = self.space(from)?;
        let armies = from.u8()?;
        let leaders = leaders(from)?;
        let order = self.order(from)?;
        let retreat = from.bool()?;
        let code = from.below(codes::CODES.len() as u8, "a result")?;
        ensure(codes::plain(code) == code, from, "a result")?;
        let (strength, left, dislodged) = (from.u8()?, from.u8()?, from.bool()?);
        Ok(ReportLine { seat, space, armies, leaders, order, retreat, code, strength, left, dislodged })
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
            from.list(usize::from(self.spaces), |from| Ok((self.space(from)?, from.u16()?)))?
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
            from.list(usize::from(self.spaces), |from| Ok((self.space(from)?, from.u8()?)))?
        {
            let there = (1..=state.armies_of(seat, space).min(adjust.owed)).contains(&armies);
            ensure(there && last < Some(space), from, "armies that are owed, in board order")?;
            adjust.removed[space.index()] = armies;
            adjust.owed -= armies;
            last = Some(space);
        }
        let built = self.set(from)?;
        let count = built.len();
        let allowed =
            adjust.owed == 0 && count <= usize::from(adjust.room) && (built & !adjust.sites).is_empty();
        ensure(count == 0 || allowed, from, "builds that are possible")?;
        adjust.built = built;
        adjust.room -= count as u8;
        for space in from.list(usize::from(adjust.to_place), |from| self.space(from))? {
            let home = self.game.realm.homes[seat.index()].contains(space);
            ensure(home && adjust.owed == 0, from, "a home centre")?;
            adjust.placed.push(Spot(space));
        }
        Ok(())
    }

    fn entry(&self, state: &State, seat: Seat, entry: &mut Entry, from: &mut Reader<'_>) -> Result<()> {
        let due = entry.open;
        let scribe = self.game.scribe(state, seat);
        let open = self.set(from)?;
        ensure((open & !due).is_empty(), from, "spaces with units to order")?;
        *entry = scribe.begin(open);
        let mut making = None;
        if !open.is_empty() {
            let at = self.space(from)?;
            ensure(open.contains(at), from, "an open space")?;
            scribe.go_to(entry, at);
            entry.picked = from.bool()?;
            making = from.option(|from| {
                Ok(Making { armies: from.u8()?, leaders: leaders(from)?, ask: leaders(from)? })
            })?;
        }
        let mut used = [(0_u8, LeaderSet::EMPTY); super::realm::SPACES_MAX];
        for part in from.list(super::state::draft::PARTS_MAX, |from| self.written(from))? {
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

    fn written(&self, from: &mut Reader<'_>) -> Result<Written> {
        let space = self.space(from)?;
        let armies = from.u8()?;
        let leaders = leaders(from)?;
        Ok(Written { space, armies, leaders, order: self.order(from)? })
    }
}

fn seat(from: &mut Reader<'_>) -> Result<Seat> {
    from.below(2, "a side").map(Seat::new)
}

fn leaders(from: &mut Reader<'_>) -> Result<LeaderSet> {
    let bits = from.u8()?;
    Ok((0..LEADERS as u8).filter(|index| bits & 1 << index != 0).filter_map(LeaderId::new).collect())
}

fn phase(from: &mut Reader<'_>) -> Result<Phase> {
    Ok(match from.below(5, "a phase")? {
        0 => Phase::Influence,
        1 => Phase::Adjustment,
        2 => Phase::Orders,
        3 => Phase::Retreats,
        _ => {
            let winner = from.option(seat)?;
            let clause = Clause::ALL[usize::from(from.below(Clause::ALL.len() as u8, "a clause")?)];
            Phase::Over(Verdict { winner, clause })
        }
    })
}
