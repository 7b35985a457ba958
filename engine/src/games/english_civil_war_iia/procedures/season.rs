//! A points/build season: owners, income, influence, adjustment (S1, S3).

use crate::reference::Ref;
use crate::view::Change;

use super::super::actions::{leader_ref, space_ref};
use super::super::flow::{Touch, Umpire};
use super::super::realm::{SIDES, all_leaders, roster, side_of};
use super::super::rules;
use super::super::state::draft::{Adjust, Draft, SideDraft};
use super::super::state::{Phase, Place};
use super::super::view;
use super::super::view::kind;

impl Umpire<'_> {
    /// Opens a season: owners of the regular centres, income, then influence is due.
    pub(in super::super) fn open_season(&mut self) {
        let (year, month) = view::calendar(self.numbers, self.state.date);
        let date = [Ref::Number(year), Ref::Number(month)];
        self.publish("season_opened", rules::SEASON, &date, &[Touch::Calendar]);
        if rules::SEASON.applies(true) {
            self.take_regular_centres();
        }
        for seat in SIDES {
            let income = self.state.income(self.realm, self.numbers, seat);
            let saved = rules::SAVING.gives(self.state.points[seat.index()], 0);
            self.state.points[seat.index()] = saved + income;
            let refs = [Ref::Seat(seat), Ref::Number(i32::from(income)), self.points_ref(seat)];
            self.publish("income", rules::INFLUENCE, &refs, &[Touch::Points(seat)]);
        }
        self.open(Phase::Influence);
    }

    fn points_ref(&self, seat: crate::seat::Seat) -> Ref {
        Ref::Number(i32::from(self.state.points[seat.index()]))
    }

    /// Armies take the regular centres that they stand in (C6).
    fn take_regular_centres(&mut self) {
        for space in self.realm.regular {
            for seat in SIDES {
                let new = self.state.armies_of(seat, space) > 0
                    && !self.state.regular[seat.index()].contains(space);
                if rules::REGULAR_OWNER.applies(new) {
                    self.state.regular[seat.index()].insert(space);
                    self.state.regular[seat.other().index()].remove(space);
                    let refs = [space_ref(space), Ref::Seat(seat)];
                    self.publish("owner", rules::REGULAR_OWNER, &refs, &[Touch::Space(space)]);
                }
            }
        }
    }

    /// Shows and applies the influence of both sides, all at once; then the adjustment is due.
    pub(in super::super) fn settle_influence(&mut self, side_drafts: &[SideDraft; 2]) {
        self.publish("influence_shown", rules::SEALED, &[], &[]);
        let before = rules::INFLUENCE_FIRST.allows(false).then_some(*self.state);
        let funds = [0, 1].map(|index| match &side_drafts[index].draft {
            Draft::Influence(fund) => Some(*fund),
            _ => None,
        });
        for space in self.realm.spaces() {
            let [royalist, parliament] =
                funds.map(|fund| fund.map_or(0, |fund| fund.points[space.index()]) as i16);
            if royalist == 0 && parliament == 0 {
                continue;
            }
            let before = self.state.bias[space.index()];
            let passed = self.rate(space, net(royalist, parliament));
            let after = self.state.bias[space.index()];
            let numbers = [royalist, parliament, before, after].map(|number| Ref::Number(i32::from(number)));
            let refs = [&[space_ref(space)], &numbers[..]].concat();
            let touched = [Touch::Space(space), Touch::Clear(space, kind::FUND)];
            self.publish("funded", rules::CUMULATIVE, &refs, &touched);
            if passed {
                self.publish_control(space);
            }
        }
        for seat in SIDES {
            if let Some(fund) = funds[seat.index()] {
                self.state.points[seat.index()] = fund.left;
                if rules::OPEN_SAVINGS.applies(true) {
                    let refs = [Ref::Seat(seat), self.points_ref(seat)];
                    self.publish("points", rules::OPEN_SAVINGS, &refs, &[Touch::Points(seat)]);
                }
            }
        }
        self.capture("captured.influence", rules::CAPTURE);
        self.stop_clocks();
        self.publish("adjustment_due", rules::INFLUENCE_FIRST, &[], &[]);
        match before {
            None => self.open(Phase::Adjustment),
            Some(before) => self.open_by(Phase::Adjustment, before),
        }
    }

    /// Clocks stop where influence has taken control away (B12).
    fn stop_clocks(&mut self) {
        for leader in all_leaders() {
            if let Place::At(space) = self.state.leaders[leader.index()]
                && rules::CLOCK_STOPS.applies(!self.state.controls(side_of(leader), space))
            {
                self.set_clock(leader, 0, rules::CLOCK_STOPS);
            }
        }
    }

    /// Shows and applies the adjustments of both sides; then the months begin, or the match ends.
    pub(in super::super) fn settle_adjustment(&mut self, side_drafts: &[SideDraft; 2]) {
        self.publish("adjustments_shown", rules::SEALED, &[], &[]);
        for seat in SIDES {
            if let Draft::Adjustment(adjust) = &side_drafts[seat.index()].draft {
                self.adjust(seat, adjust);
            }
        }
        if rules::LEFT_ALONE.applies(true) {
            self.capture("captured.removal", rules::LEFT_ALONE);
        }
        if rules::SEASON.allows(false) {
            self.take_regular_centres();
        }
        if self.check_victory() {
            return;
        }
        if rules::LAST_SEASON.applies(self.state.date.season >= self.state.max_seasons) {
            let verdict = self.state.last_verdict(self.realm);
            self.end(verdict);
            return;
        }
        self.open_month(1);
    }

    fn adjust(&mut self, seat: crate::seat::Seat, adjust: &Adjust) {
        for space in self.realm.spaces().filter(|space| adjust.removed[space.index()] > 0) {
            let removed = adjust.removed[space.index()];
            let left = self.state.armies[space.index()] - removed;
            self.state.set_armies(seat, space, left);
            let refs = [Ref::Seat(seat), space_ref(space), Ref::Number(i32::from(removed))];
            let touched = [Touch::Space(space), Touch::Clear(space, kind::REMOVE)];
            self.publish("removed", rules::ADJUSTMENT, &refs, &touched);
        }
        for space in adjust.built {
            let armies = self.state.armies[space.index()] + 1;
            self.state.set_armies(seat, space, armies);
            let touched = [Touch::Space(space), Touch::Clear(space, kind::BUILD)];
            self.publish("built", rules::ADJUSTMENT, &[Ref::Seat(seat), space_ref(space)], &touched);
        }
        if rules::ROOM.allows(false) {
            for space in adjust.sites.iter().take(usize::from(adjust.room)) {
                self.state.set_armies(seat, space, self.state.armies[space.index()] + 1);
            }
        } else if adjust.room > 0 && !adjust.sites.is_empty() {
            let refs = [Ref::Seat(seat), Ref::Number(i32::from(adjust.room))];
            self.publish("waived", rules::ROOM, &refs, &[]);
        }
        for (leader, spot) in roster(seat).zip(adjust.placed.iter()) {
            self.state.set_leader(leader, Place::At(spot.0));
            let refs = [leader_ref(leader), space_ref(spot.0)];
            let mut changes = self.changes(&[Touch::Leader(leader)], 1);
            changes.push(Change::Arrow(view::place_key(seat, leader, spot.0), None));
            self.publish_with("placed", rules::SET_UP, &refs, changes);
        }
    }
}

/// Returns the sum of both sides' points: Royalist ones raise a rating, Parliament's lower it (I9, I10).
fn net(royalist: i16, parliament: i16) -> i16 {
    let left = rules::CUMULATIVE.gives(parliament, if royalist > 0 { 0 } else { parliament });
    rules::ONE_WAY.gives(royalist - left, royalist + parliament)
}
