//! A movement month: orders, adjudication, retreats, occupation, captures, clocks (S4).

use smallvec::{SmallVec, smallvec};

use crate::reference::{Ref, Refs};
use crate::seat::Seat;
use crate::view::Changes;

use super::actions::{leader_ref, space_ref};
use super::adjudicator::{
    Adjudication, Dislodged, Dislodgement, LeaderSet, Month, Order, OrderSheet, Outcome, Part, PartResult,
    Position, RetreatOrder, RetreatPart, Rules, Settlement, Space, SpaceSet, resolve_retreats,
};
use super::codes;
use super::draft::{Draft, SideDraft};
use super::grounds;
use super::list::List;
use super::realm::{SIDES, all_leaders, side_of};
use super::rules;
use super::state::{Driven, Phase, Place, Told};
use super::umpire::{Touch, Umpire, position_of, side};
use super::view;

impl Umpire<'_> {
    /// Opens the `month`th movement month after a season: every side with units writes orders.
    pub(super) fn open_month(&mut self, month: u8) {
        self.state.date.month = if rules::CALENDAR.on() { month } else { self.numbers.movement_months };
        self.state.report = List::default();
        let (year, month) = view::calendar(self.numbers, self.state.date);
        let date = [Ref::Number(year), Ref::Number(month)];
        self.tell("month_opened", rules::MONTH, &date, &[Touch::Calendar, Touch::Arrows]);
        self.open(Phase::Orders);
    }

    /// Shows the orders of both sides and adjudicates them.
    pub(super) fn settle_orders(&mut self, side_drafts: &[SideDraft; 2]) {
        self.tell("orders_shown", rules::SEALED, &[], &[]);
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
        self.tell_orders(orders.parts(), &adjudication);
        self.open(Phase::Retreats);
    }

    fn adjudication_rules(&self) -> Rules {
        Rules { cut_all: self.state.cut_all, ..Rules::default() }
    }

    /// The month as the adjudicator knows it, with whose ground is whose.
    fn month(&self) -> Month<'_> {
        let month = Month::new(&self.realm.board, self.adjudication_rules());
        SIDES.into_iter().fold(month, |month, seat| {
            let enemy = self.realm.spaces().filter(|&space| self.state.enemy_controls(seat, space));
            let barred = if rules::LONE_RETREAT.on() { enemy.collect() } else { SpaceSet::EMPTY };
            month.with_enemy_ground(side(seat), barred)
        })
    }

    fn report_orders(&mut self, parts: &[Part], adjudication: &Adjudication) {
        self.state.report = List::default();
        // R's parts are told first, then P's, each in board order.
        for seat in SIDES {
            let own = parts.iter().zip(&adjudication.results).filter(|(part, _)| part.side == side(seat));
            for (part, result) in own {
                self.state.report.push(told(seat, part, result));
            }
        }
    }

    /// Puts the units where the adjudicator has them.
    fn take_position(&mut self, after: &Position) {
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
            let Dislodged { space, armies, leaders, retreats: to, lone_retreats: alone_to, .. } = *stack;
            let seat = SIDES[stack.side.index()];
            self.state.driven.push(Driven { space, seat, armies, leaders, to, alone_to });
        }
    }

    fn tell_orders(&mut self, parts: &[Part], adjudication: &Adjudication) {
        if !self.out.is_recording() {
            return;
        }
        let report = self.state.report;
        for told in report.iter() {
            let mut written = *told;
            (written.code, written.dislodged) = (codes::ORDERED, false);
            let changes = Changes::from_iter([view::told_change(&written)]);
            let rule = grounds::of_order(self.state, told);
            self.tell_with("ordered", rule, &view::order_refs(told), changes);
        }
        for told in report.iter() {
            let place = |part: &&Part| part.space == told.space && part.order == told.order;
            let Some(index) = parts.iter().position(|part| place(&part)) else { continue };
            self.tell_result(told, &adjudication.results[index]);
        }
        for space in adjudication.standoffs {
            self.tell("standoff", rules::STANDOFF, &[space_ref(space)], &[]);
        }
        for stack in &adjudication.dislodged {
            self.tell_dislodged(stack);
        }
    }

    fn tell_result(&mut self, told: &Told, result: &PartResult) {
        let code = codes::code_of(&result.outcome);
        let mut refs = view::order_refs(told);
        match result.outcome {
            Outcome::Bounced { attack, against, .. } => {
                refs.extend([attack, against].map(|strength| Ref::Number(i32::from(strength))));
            }
            _ => refs.extend([told.left, told.strength].map(|strength| Ref::Number(i32::from(strength)))),
        }
        let mut touched: SmallVec<[Touch; 4]> = smallvec![Touch::Space(told.space)];
        if let Order::Move(to) | Order::Merge(to) = told.order {
            touched.push(Touch::Space(to));
        }
        touched.extend(told.leaders.iter().map(Touch::Leader));
        let mut changes = self.changes(&touched, 1);
        changes.push(view::told_change(told));
        let rule = grounds::of_result(self.state, told, code);
        self.tell_with(codes::name(code), rule, &refs, changes);
    }

    fn tell_dislodged(&mut self, stack: &Dislodged) {
        let seat = SIDES[stack.side.index()];
        let armies = Ref::Number(i32::from(stack.armies));
        let mut refs = Refs::from_slice(&[Ref::Seat(seat), space_ref(stack.space), armies]);
        refs.extend(stack.by.from.iter().map(space_ref));
        self.tell("dislodged", grounds::of_dislodgement(stack), &refs, &[Touch::Space(stack.space)]);
        let driven = self.state.driven.iter().find(|driven| driven.space == stack.space);
        let changes = driven.into_iter().flat_map(view::may_retreat_changes).collect();
        let mut refs = Refs::from_slice(&[Ref::Seat(seat), space_ref(stack.space)]);
        refs.extend(stack.retreats.iter().map(space_ref));
        let rule = if stack.can_retreat() { rules::RETREAT } else { rules::NO_RETREAT };
        self.tell_with("may_retreat", rule, &refs, changes);
    }

    /// Shows the retreats of both sides and carries them out; then the month ends.
    pub(super) fn settle_retreats(&mut self, side_drafts: &[SideDraft; 2]) {
        let mut orders: List<Sent, 54> = List::default();
        for side_draft in side_drafts {
            let Draft::Parts(entry) = &side_draft.draft else { continue };
            for part in entry.parts.iter() {
                let Order::Move(to) = part.order else { continue };
                orders.push(Sent(Some(RetreatOrder {
                    space: part.space,
                    armies: part.armies,
                    leaders: part.leaders,
                    to: Some(to),
                })));
            }
        }
        if !self.state.driven.is_empty() {
            self.retreat(&orders);
        }
        self.end_month();
    }

    fn retreat(&mut self, sent: &[Sent]) {
        let adjudication = self.open_adjudication();
        let orders: arrayvec::ArrayVec<RetreatOrder, 54> = sent.iter().filter_map(|sent| sent.0).collect();
        let retreats = resolve_retreats(&adjudication, &orders, self.adjudication_rules())
            .unwrap_or_else(|_| unreachable!("drafts name dislodged units only, each once"));
        let driven = std::mem::take(&mut self.state.driven);
        self.take_position(&retreats.after);
        for leader in all_leaders() {
            if matches!(self.state.leaders[leader.index()], Place::Dislodged(_)) {
                self.state.leaders[leader.index()] = Place::Lost;
                self.state.clocks[leader.index()] = 0;
            }
        }
        if self.out.is_recording() {
            let changes = driven.iter().flat_map(view::no_more_retreat_changes).collect();
            self.tell_with("retreats_shown", rules::SEALED, &[], changes);
        }
        for part in &retreats.parts {
            let told = retreat_told(part);
            self.state.report.push(told);
            self.tell_retreat(part, &told);
        }
    }

    /// Returns what the adjudicator needs to know for the retreats, made from the state again.
    fn open_adjudication(&self) -> Adjudication {
        let mut adjudication = Adjudication {
            results: arrayvec::ArrayVec::new(),
            dislodged: arrayvec::ArrayVec::new(),
            standoffs: SpaceSet::EMPTY,
            after: position_of(self.state, self.realm),
            settlement: Settlement::Deduced,
        };
        for stack in self.state.driven.iter() {
            let by = Dislodgement { by: side(stack.seat.other()), from: SpaceSet::EMPTY };
            adjudication.dislodged.push(Dislodged {
                space: stack.space,
                side: side(stack.seat),
                armies: stack.armies,
                leaders: stack.leaders,
                by,
                retreats: stack.to,
                lone_retreats: stack.alone_to,
            });
        }
        adjudication
    }

    fn tell_retreat(&mut self, part: &RetreatPart, told: &Told) {
        if !self.out.is_recording() {
            return;
        }
        let code = codes::retreat_code_of(part.outcome);
        let mut touched: SmallVec<[Touch; 4]> = smallvec![Touch::Space(told.space)];
        touched.extend(part.order.to.map(Touch::Space));
        touched.extend(told.leaders.iter().map(Touch::Leader));
        let mut changes = self.changes(&touched, 1);
        changes.push(view::told_change(told));
        let ordered =
            part.outcome != super::adjudicator::RetreatOutcome::Disbanded || part.order.to.is_some();
        let rule = if ordered { grounds::of_retreat(self.state, told) } else { rules::MISSING };
        self.tell_with(codes::name(code), rule, &view::order_refs(told), changes);
        let Some(capture) = part.capture else { return };
        let (code, rule) = match capture.code() {
            "clash" => ("captured.clash", rules::CLASH),
            "third" => ("captured.third", rules::THIRD),
            _ if part.order.armies > 0 => ("captured.no_retreat", rules::STACK_LEADERS),
            _ => ("captured.no_retreat", rules::LONE_RETREAT),
        };
        for leader in part.captured.iter() {
            let refs = [leader_ref(leader), space_ref(told.space)];
            self.tell(code, rule, &refs, &[Touch::Leader(leader)]);
        }
    }

    /// Occupation, captures, clocks, victory; then the next month or season.
    fn end_month(&mut self) {
        if !rules::MONTH.on() && self.check_victory() {
            return;
        }
        self.occupy();
        self.capture("captured.alone", rules::CAPTURE);
        self.run_clocks();
        if rules::MONTH.on() && self.check_victory() {
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
        if !rules::OCCUPATION.on() {
            return;
        }
        let stayed = self.stayed();
        for space in self.realm.spaces().filter(|&space| stayed.contains(space)) {
            let Some(seat) = self.state.side_in(space) else { continue };
            let enemy = self.state.enemy_controls(seat, space);
            let neutral = self.state.control(space).is_none() && !rules::TO_NEUTRAL.on();
            let own = self.state.controls(seat, space) && !rules::OWN_GROUND.on();
            if !(enemy || neutral || own) {
                continue;
            }
            let before = self.state.bias[space.index()];
            let passed = self.rate(space, super::realm::sign(seat) * self.numbers.occupation);
            let ratings =
                [before, self.state.bias[space.index()]].map(|rating| Ref::Number(i32::from(rating)));
            let refs = [space_ref(space), Ref::Seat(seat), ratings[0], ratings[1]];
            self.tell("occupied", rules::OCCUPATION, &refs, &[Touch::Space(space)]);
            if passed {
                self.tell_control(space);
            }
        }
    }

    /// The spaces where part of what stood there at the start of the month still does (I5, I12), with an army (C9).
    fn stayed(&self) -> SpaceSet {
        let there = |told: &&Told| {
            let stayed = !codes::left(told.code) || !rules::RELIEF.on();
            let occupies = told.armies > 0 || !rules::ARMIES_OCCUPY.on();
            !told.retreat && stayed && !told.dislodged && occupies
        };
        let stayed = self.state.report.iter().filter(there).map(|told| told.space).collect();
        if rules::WHOLE_MONTH.on() { stayed } else { self.state.occupied() }
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
            let stood = site.filter(|_| !gone.contains(leader) && rules::CLOCK.on());
            let free = stood.filter(|&space| !centres.contains(space) || !rules::NO_SECOND_CENTRE.on());
            let Some(space) = free else {
                self.set_clock(leader, 0, rules::CLOCK);
                continue;
            };
            let months = self.state.clocks[leader.index()] + 1;
            if months < self.numbers.months_for_a_centre {
                self.set_clock(leader, months, rules::CLOCK);
            } else if rules::LEADER_CENTRE.on() {
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
        self.tell("founded", rules::LEADER_CENTRE, &refs, &[Touch::Space(space)]);
        for leader in self.state.leaders_in(space).iter() {
            if rules::ONE_CENTRE.on() {
                self.set_clock(leader, 0, rules::ONE_CENTRE);
            }
        }
    }

    /// The leaders who left their space this month, or were driven out of it.
    fn gone(&self) -> LeaderSet {
        let gone = self.state.report.iter().filter(|told| codes::left(told.code) || told.dislodged);
        gone.fold(LeaderSet::EMPTY, |all, told| all | told.leaders)
    }
}

/// A retreat order in a list; the default fills unused places.
#[derive(Clone, Copy, Default)]
struct Sent(Option<RetreatOrder>);

fn told(seat: Seat, part: &Part, result: &PartResult) -> Told {
    let left = match result.outcome {
        Outcome::Given { strength } => strength,
        Outcome::CutTo { left, .. } => left,
        _ => 0,
    };
    Told {
        seat,
        space: part.space,
        armies: part.armies,
        leaders: part.leaders,
        order: part.order,
        retreat: false,
        code: codes::plain(codes::code_of(&result.outcome)),
        strength: part.strength,
        left,
        dislodged: result.dislodged.is_some(),
    }
}

fn retreat_told(part: &RetreatPart) -> Told {
    let RetreatOrder { space, armies, leaders, to } = part.order;
    Told {
        seat: SIDES[part.side.index()],
        space,
        armies,
        leaders,
        order: to.map_or(Order::Hold, Order::Move),
        retreat: true,
        code: codes::retreat_code_of(part.outcome),
        strength: 0,
        left: 0,
        dislodged: false,
    }
}
