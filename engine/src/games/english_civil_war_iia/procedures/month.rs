//! A movement month: orders, adjudication, retreats, occupation, captures, clocks (S4).

use smallvec::{SmallVec, smallvec};

use crate::reference::{Ref, Refs};
use crate::seat::Seat;
use crate::view::Changes;

use super::super::actions::space_ref;
use super::super::adjudicator::{
    Adjudication, Dislodged, LeaderSet, Month, Order, OrderSheet, Outcome, Part, PartResult, Position, Rules,
    Space, SpaceSet,
};
use super::super::codes;
use super::super::flow::{Touch, Umpire, position_of, side};
use super::super::realm::{SIDES, all_leaders, side_of};
use super::super::rules;
use super::super::state::draft::{Draft, SideDraft};
use super::super::state::list::List;
use super::super::state::{Driven, Phase, Place, ReportLine};
use super::super::view;
use super::grounds;

impl Umpire<'_> {
    /// Opens the `month`th movement month after a season: every side with units writes orders. The results of the last month stay
    /// on the board until the orders are shown.
    pub(in super::super) fn open_month(&mut self, month: u8) {
        self.state.date.month = rules::CALENDAR.gives(month, self.numbers.movement_months);
        let (year, month) = view::calendar(self.numbers, self.state.date);
        let date = [Ref::Number(year), Ref::Number(month)];
        self.publish("month_opened", rules::MONTH, &date, &[Touch::Calendar]);
        self.open(Phase::Orders);
    }

    /// Shows the orders of both sides and adjudicates them.
    pub(in super::super) fn settle_orders(&mut self, side_drafts: &[SideDraft; 2]) {
        self.state.report = List::default();
        self.publish("orders_shown", rules::SEALED, &[], &[Touch::Arrows]);
        let position = position_of(self.state, self.realm);
        let mut sheet = OrderSheet::new(&position);
        for side_draft in side_drafts {
            let Draft::Parts(entry) = &side_draft.draft else { continue };
            for part in entry.parts.iter() {
                let given = sheet.give(part.space, part.armies, part.leaders, part.order);
                debug_assert!(given.is_ok(), "{given:?}");
            }
        }
        let orders =
            sheet.finish().unwrap_or_else(|_| unreachable!("fewer parts than the adjudicator's limit"));
        let adjudication = self.month().adjudicate(&orders);
        self.report_orders(orders.parts(), &adjudication);
        self.take_position(&adjudication.after);
        self.drive_out(&adjudication.dislodged);
        self.publish_orders(orders.parts(), &adjudication);
        self.open(Phase::Retreats);
    }

    pub(super) fn adjudication_rules(&self) -> Rules {
        Rules { cut_all: self.state.cut_all, ..Rules::default() }
    }

    /// The month as the adjudicator knows it, with whose ground is whose.
    fn month(&self) -> Month<'_> {
        let month = Month::new(&self.realm.board, self.adjudication_rules());
        SIDES.into_iter().fold(month, |month, seat| {
            let enemy = self.realm.spaces().filter(|&space| self.state.enemy_controls(seat, space));
            let barred = rules::LONE_RETREAT.gives(enemy.collect(), SpaceSet::EMPTY);
            month.with_enemy_ground(side(seat), barred)
        })
    }

    fn report_orders(&mut self, parts: &[Part], adjudication: &Adjudication) {
        self.state.report = List::default();
        // R's parts come first, then P's, each in board order.
        for seat in SIDES {
            let own = parts.iter().zip(&adjudication.results).filter(|(part, _)| part.side == side(seat));
            for (part, result) in own {
                self.state.report.push(report_line(seat, part, result));
            }
        }
    }

    /// Puts the units where the adjudicator has them.
    pub(super) fn take_position(&mut self, after: &Position) {
        let state = &mut *self.state;
        state.armies.fill(0);
        state.stands = [SpaceSet::EMPTY; 2];
        for leader in all_leaders() {
            if let Place::At(space) = state.leaders[leader.index()] {
                state.leaders[leader.index()] = Place::Dislodged(space);
            }
        }
        for (space, stack) in after.stacks() {
            state.armies[space.index()] = stack.armies;
            state.stands[stack.side.index()].insert(space);
            for leader in stack.leaders.iter() {
                state.leaders[leader.index()] = Place::At(space);
            }
        }
    }

    fn drive_out(&mut self, dislodged: &[Dislodged]) {
        self.state.driven = List::default();
        for stack in dislodged {
            let Dislodged { space, armies, leaders, lone_retreats: alone_to, .. } = *stack;
            let to = open_to(stack);
            let seat = SIDES[stack.side.index()];
            self.state.driven.push(Driven { space, seat, armies, leaders, to, alone_to });
        }
    }

    fn publish_orders(&mut self, parts: &[Part], adjudication: &Adjudication) {
        if !self.out.is_recording() {
            return;
        }
        let report = self.state.report;
        for line in report.iter() {
            let mut written = *line;
            (written.code, written.dislodged) = (codes::ORDERED, false);
            let changes = Changes::from_iter([view::line_change(&written)]);
            let rule = grounds::of_order(self.state, line);
            self.publish_with(codes::ordered(line.order), rule, &view::order_refs(line), changes);
        }
        // A hold that was dislodged has no other result: the event of its stack follows.
        for line in report.iter().filter(|line| line.code != codes::DISLODGED) {
            let place = |part: &&Part| part.space == line.space && part.order == line.order;
            let Some(index) = parts.iter().position(|part| place(&part)) else { continue };
            self.publish_result(line, &adjudication.results[index]);
        }
        for space in adjudication.standoffs {
            self.publish("standoff", rules::STANDOFF, &[space_ref(space)], &[]);
        }
        for stack in &adjudication.dislodged {
            self.publish_dislodged(stack);
        }
    }

    fn publish_result(&mut self, line: &ReportLine, result: &PartResult) {
        let code = codes::code_of(&result.outcome);
        let mut refs = view::order_refs(line);
        match result.outcome {
            Outcome::Bounced { attack, against, .. } => {
                refs.extend([attack, against].map(|strength| Ref::Number(i32::from(strength))));
            }
            _ => refs.extend([line.left, line.strength].map(|strength| Ref::Number(i32::from(strength)))),
        }
        let mut touched: SmallVec<[Touch; 4]> = smallvec![Touch::Space(line.space)];
        if let Order::Move(to) | Order::Merge(to) = line.order {
            touched.push(Touch::Space(to));
        }
        touched.extend(line.leaders.iter().map(Touch::Leader));
        let mut changes = self.changes(&touched, 1);
        changes.push(view::line_change(line));
        let rule = grounds::of_result(self.state, line, code);
        self.publish_with(codes::name(code), rule, &refs, changes);
    }

    fn publish_dislodged(&mut self, stack: &Dislodged) {
        let seat = SIDES[stack.side.index()];
        let armies = Ref::Number(i32::from(stack.armies));
        let mut refs = Refs::from_slice(&[Ref::Seat(seat), space_ref(stack.space), armies]);
        refs.extend(stack.by.from.iter().map(space_ref));
        let leaders = stack.leaders.iter().map(Touch::Leader);
        let touched: SmallVec<[Touch; 4]> = leaders.chain([Touch::Space(stack.space)]).collect();
        let report = self.state.report;
        let held = report.iter().filter(|line| line.space == stack.space && line.code == codes::DISLODGED);
        let mut changes = self.changes(&touched, 1);
        changes.extend(held.map(view::line_change));
        self.publish_with("dislodged", grounds::of_dislodgement(stack), &refs, changes);
        let driven = self.state.driven.iter().find(|driven| driven.space == stack.space);
        let changes = driven.into_iter().flat_map(view::may_retreat_changes).collect();
        let mut refs = Refs::from_slice(&[Ref::Seat(seat), space_ref(stack.space)]);
        refs.extend(open_to(stack).iter().map(space_ref));
        let rule = match stack {
            _ if !stack.can_retreat() => rules::NO_RETREAT,
            Dislodged { armies: 0, .. } => rules::LONE_RETREAT,
            _ => rules::RETREAT,
        };
        self.publish_with("may_retreat", rule, &refs, changes);
    }

    /// Occupation, captures, clocks, victory; then the next month or season.
    pub(super) fn end_month(&mut self) {
        if rules::MONTH.allows(false) && self.check_victory() {
            return;
        }
        self.occupy();
        self.capture("captured.alone", rules::CAPTURE);
        self.run_clocks();
        if rules::MONTH.applies(true) && self.check_victory() {
            return;
        }
        if self.state.date.month < self.numbers.movement_months {
            self.open_month(self.state.date.month + 1);
        } else {
            self.state.date.season += 1;
            self.state.date.month = 0;
            self.open_season();
        }
    }

    /// Armies that were there all month turn enemy ground one step towards their side (r5).
    fn occupy(&mut self) {
        let stayed = self.stayed();
        for space in self.realm.spaces().filter(|&space| stayed.contains(space)) {
            let Some(seat) = self.state.side_in(space) else { continue };
            let enemy = self.state.enemy_controls(seat, space);
            let neutral = rules::TO_NEUTRAL.gives(false, self.state.control(space).is_none());
            let own = rules::OWN_GROUND.gives(false, self.state.controls(seat, space));
            if !rules::OCCUPATION.applies(enemy || neutral || own) {
                continue;
            }
            let before = self.state.bias[space.index()];
            let passed = self.rate(space, super::super::realm::sign(seat) * self.numbers.occupation);
            let ratings =
                [before, self.state.bias[space.index()]].map(|rating| Ref::Number(i32::from(rating)));
            let refs = [space_ref(space), Ref::Seat(seat), ratings[0], ratings[1]];
            self.publish("occupied", rules::OCCUPATION, &refs, &[Touch::Space(space)]);
            if passed {
                self.publish_control(space);
            }
        }
    }

    /// The spaces where part of what stood there at the start of the month still does (I5, I12), with an army (C9).
    fn stayed(&self) -> SpaceSet {
        let there = |line: &&ReportLine| {
            let stayed = rules::RELIEF.allows(!codes::left(line.code));
            let occupies = rules::ARMIES_OCCUPY.allows(line.armies > 0);
            !line.retreat && stayed && !line.dislodged && occupies
        };
        let stayed = self.state.report.iter().filter(there).map(|line| line.space).collect();
        rules::WHOLE_MONTH.gives(stayed, self.state.occupied())
    }

    /// Leaders who have stood all month come nearer to a centre (B7); those who have stood long enough make one (B6, B8).
    fn run_clocks(&mut self) {
        let gone = self.gone();
        let centres = self.state.any_centre(self.realm);
        let mut founded: [SpaceSet; 2] = [SpaceSet::EMPTY; 2];
        for leader in all_leaders() {
            let seat = side_of(leader);
            let site = match self.state.leaders[leader.index()] {
                Place::At(space) if self.state.controls(seat, space) => Some(space),
                _ => None,
            };
            let stood = site.filter(|_| rules::CLOCK.applies(!gone.contains(leader)));
            let free = stood.filter(|&space| rules::NO_SECOND_CENTRE.allows(!centres.contains(space)));
            let Some(space) = free else {
                self.set_clock(leader, 0, rules::CLOCK);
                continue;
            };
            let months = self.state.clocks[leader.index()] + 1;
            if months < self.numbers.months_for_a_centre {
                self.set_clock(leader, months, rules::CLOCK);
            } else if rules::LEADER_CENTRE.applies(true) {
                founded[seat.index()].insert(space);
            }
        }
        for seat in SIDES {
            for space in founded[seat.index()] {
                self.found(seat, space);
            }
        }
    }

    fn found(&mut self, seat: Seat, space: Space) {
        self.state.founded[seat.index()].insert(space);
        let refs = [space_ref(space), Ref::Seat(seat)];
        self.publish("founded", rules::LEADER_CENTRE, &refs, &[Touch::Space(space)]);
        for leader in self.state.leaders_in(space).iter() {
            let months = self.state.clocks[leader.index()];
            self.set_clock(leader, rules::ONE_CENTRE.gives(0, months), rules::ONE_CENTRE);
        }
    }

    /// The leaders who left their space this month, or were driven out of it.
    fn gone(&self) -> LeaderSet {
        let gone = self.state.report.iter().filter(|line| codes::left(line.code) || line.dislodged);
        gone.fold(LeaderSet::EMPTY, |all, line| all | line.leaders)
    }
}

/// The spaces to which anything of a dislodged stack may retreat: leaders without an army go only where L9 lets them.
const fn open_to(stack: &Dislodged) -> SpaceSet {
    if stack.armies == 0 { stack.lone_retreats } else { stack.retreats }
}

fn report_line(seat: Seat, part: &Part, result: &PartResult) -> ReportLine {
    let left = match result.outcome {
        Outcome::Given { strength } => strength,
        Outcome::CutTo { left, .. } => left,
        _ => 0,
    };
    let code = match (&result.outcome, result.dislodged) {
        (Outcome::Held, Some(_)) => codes::DISLODGED,
        (outcome, _) => codes::plain(codes::code_of(outcome)),
    };
    ReportLine {
        seat,
        space: part.space,
        armies: part.armies,
        leaders: part.leaders,
        order: part.order,
        retreat: false,
        code,
        strength: part.strength,
        left,
        dislodged: result.dislodged.is_some(),
    }
}
