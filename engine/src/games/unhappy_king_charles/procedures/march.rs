//! Movement along lines: allowance, costs, where an Army may go, and where it could stop (9.2 to 9.4, AC5 to AC11, X17).

use crate::vocabulary::*;

use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaId, GeneralId};
use super::super::content::map::LineKind;
use super::super::frames::Frame;
use super::super::state::{Happened, Holder, Marks, Post, Queen, State};
use super::super::{UnhappyKing, rules};
use super::company::Meeting;
use super::consequences::Cause;
use super::entry::stages as entering;

/// An active Army on its way: where it stands, or could come to stand.
#[derive(Copy, Clone, Debug)]
pub(in super::super) struct March {
    /// Its commander.
    general: GeneralId,
    /// The Area.
    area: AreaId,
    /// Its Brigades.
    size: u8,
    /// The Movement Points of an Army of this size (9.2).
    allowance: u8,
    /// Movement Points spent.
    spent: u8,
    /// Movement Points that leaving the Area costs beside the line (9.4).
    fee: u8,
    /// Brigades that crossed a Maritime line (AC7).
    shipped: u8,
}

impl March {
    /// Returns whether so many Movement Points more can be paid (9.2).
    #[must_use]
    pub(in super::super) const fn can_pay(self, points: u8) -> bool {
        self.spent.saturating_add(points) <= self.allowance
    }

    /// Movement Points that are left.
    #[must_use]
    pub(in super::super) const fn left(self) -> u8 {
        self.allowance.saturating_sub(self.spent)
    }
}

impl UnhappyKing {
    /// The active Army where it stands.
    #[must_use]
    pub(in super::super) fn march_of(&self, state: &State) -> March {
        let activation = state.ongoing_activation();
        let general = activation.general;
        let size = state.size(state.commander(general));
        let fee = if activation.fee { self.content.numbers.movement.leave_battle } else { 0 };
        March {
            general,
            area: state.area_of(general).expect("an active Army that goes on stands on the map"),
            size,
            allowance: self.content.numbers.allowance(size).points,
            spent: activation.spent,
            fee: rules::BATTLE_FEE.gives(fee, 0),
            shipped: activation.shipped,
        }
    }

    /// The kind of line between two neighbours; of several the cheapest.
    #[must_use]
    pub(in super::super) fn line_kind(&self, from: AreaId, to: AreaId) -> Option<LineKind> {
        LineKind::ALL.into_iter().find(|&kind| self.content.near[kind as usize][from].contains(to))
    }

    /// The Movement Points of a step: the line, and the fee of a Battle won in the Area that is left (AC6, AC8).
    fn step_cost(&self, march: March, kind: LineKind) -> u8 {
        let lines = self.content.numbers.movement.lines;
        rules::MOVEMENT_COST
            .gives(lines[kind as usize], lines[LineKind::Road as usize])
            .saturating_add(march.fee)
    }

    /// Returns whether an Army of this size may cross a line of this kind: few Brigades over a Maritime one, on each card (AC7).
    fn may_cross(&self, march: March, kind: LineKind) -> bool {
        let few = march.shipped.saturating_add(march.size) <= self.content.numbers.movement.maritime_brigades;
        rules::MARITIME_LIMIT.allows(kind != LineKind::Maritime || few)
    }

    /// MC1: before the Standard no Army enters an Area with enemy Brigades, garrisons among them.
    fn may_enter(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        rules::BEFORE_THE_STANDARD.allows(
            state.has(Happened::STANDARD) || state.brigades_in(&self.content, seat.other(), area).is_empty(),
        )
    }

    /// The march behind a step.
    fn march_after(&self, march: March, to: AreaId, kind: LineKind) -> March {
        let shipped = if kind == LineKind::Maritime { march.size } else { 0 };
        March {
            area: to,
            spent: march.spent.saturating_add(self.step_cost(march, kind)),
            fee: 0,
            shipped: march.shipped.saturating_add(shipped),
            ..march
        }
    }

    /// How the active Army and another one become one, if it can pay for that, and does not become too large for its card by taking the
    /// other in (S1 to S4, AC2).
    #[must_use]
    pub(in super::super) fn affordable_meeting(
        &self,
        state: &State,
        march: March,
        other: GeneralId,
    ) -> Option<Meeting> {
        let meeting = self.meeting(state, march.general, other)?;
        let size = march.size + state.size(other);
        let fits = meeting.under == march.general || self.fits_card(state, size);
        (fits && march.can_pay(meeting.cost)).then_some(meeting)
    }

    /// AC2: an Army that a small card has Activated stays below the size of a Major Army.
    #[must_use]
    pub(in super::super) fn fits_card(&self, state: &State, size: u8) -> bool {
        let major = size >= self.content.numbers.movement.major_army;
        rules::MAJOR_BY_PICK_UP.allows(!major || state.ongoing_activation().warrant.moves_major_armies())
    }

    /// X17: an Army may stop where nobody of its own is whom it can't join, where an enemy stack stands outside, or where it can leave
    /// the map.
    #[must_use]
    pub(in super::super) fn can_stop(&self, state: &State, march: March) -> bool {
        let seat = self.content.generals[march.general].side;
        let company = self.company(state, march.general, march.area);
        company.is_empty()
            || !state.stack(&self.content, seat.other(), march.area).is_empty()
            || company.count() == 1
                && company.iter().all(|other| self.affordable_meeting(state, march, other).is_some())
            || self.can_leave_map(state, march)
    }

    /// Returns whether an Army stops, or goes on to an Area where it may, with the Movement Points that it has (X17).
    #[must_use]
    fn march_can_end(&self, state: &State, march: March) -> bool {
        self.can_stop(state, march) || self.can_go_on(state, march)
    }

    /// Returns whether a further step leads to an Area where an Army can finish.
    #[must_use]
    pub(in super::super) fn can_go_on(&self, state: &State, march: March) -> bool {
        let seat = self.content.generals[march.general].side;
        LineKind::ALL.into_iter().any(|kind| {
            march.can_pay(self.step_cost(march, kind))
                && self.may_cross(march, kind)
                && self.content.near[kind as usize][march.area].iter().any(|to| {
                    self.may_enter(state, seat, to)
                        && self.march_can_end(state, self.march_after(march, to, kind))
                })
        })
    }

    /// Returns what keeps the active Army where it is, whatever the goal: a Siege marker, Brigades that have moved on this card, the Queen in
    /// the Turn in which she stays (9.2, K4, V8).
    pub(in super::super) fn examine_setting_out(&self, state: &State, why: &mut Why) -> ControlFlow<()> {
        let activation = state.ongoing_activation();
        let general = activation.general;
        let army = state.army(general);
        let moved = state.brigades.marked(state.led_by(army), Marks::MOVED);
        why.require(moved.is_empty(), rules::ONCE_A_CARD, "HAS_MOVED", &[Ref::from(general)])?;
        why.require(
            !activation.besieging,
            rules::UNDER_SIEGE_MARKER,
            "HAS_SIEGE_MARKER",
            &[Ref::from(general)],
        )?;
        let with_queen = matches!(state.queen, Queen::With(escort) if army.contains(escort));
        let stays = state.turn.number() == self.content.numbers.queen.stays;
        why.require(!with_queen || !stays, rules::QUEEN, "QUEEN_STAYS", &[])
    }

    /// 9.2, 9.3, AC11: a neighbour by a line that can be paid and crossed, from where the Army could finish.
    pub(in super::super) fn examine_march(
        &self,
        state: &State,
        to: AreaId,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let march = self.march_of(state);
        let seat = state.ongoing_activation().seat;
        let goal = [Ref::from(march.area), Ref::from(to)];
        let kind = self.line_kind(march.area, to);
        why.demand(kind.is_some(), rules::MOVEMENT_COST, "NOT_ADJACENT", &goal)?;
        let Some(kind) = kind else { return ControlFlow::Break(()) };
        let cost = self.step_cost(march, kind);
        let points = [goal[1], Ref::Number(cost.into()), Ref::Number(march.left().into())];
        why.require(march.can_pay(cost), rules::ALLOWANCE, "TOO_FEW_POINTS", &points)?;
        why.require(self.may_cross(march, kind), rules::MARITIME_LIMIT, "TOO_MANY_FOR_SEA", &goal)?;
        why.require(
            self.may_enter(state, seat, to),
            rules::BEFORE_THE_STANDARD,
            "NO_FIGHT_BEFORE_STANDARD",
            &goal[1..],
        )?;
        self.examine_setting_out(state, why)?;
        let finishes = self.march_can_end(state, self.march_after(march, to, kind));
        why.require(finishes, rules::NO_CORNER, "NOWHERE_TO_STOP", &goal[1..])
    }

    /// A step is taken, and the Area entered (9.2, 9.3).
    pub(in super::super) fn take_step(&self, state: &mut State, to: AreaId, out: &mut Events) {
        let march = self.march_of(state);
        let kind = self.line_kind(march.area, to).expect("an Army goes to a neighbour");
        let after = self.march_after(march, to, kind);
        let scene = Scene::open(self, state, 2, out);
        self.pay_and_mark(state, after.spent);
        let activation = state.ongoing_activation_mut();
        (activation.shipped, activation.line) = (after.shipped, Some(kind));
        activation.path.push(to);
        let seat = activation.seat;
        state.generals.place(march.general, Post::Area(to));
        let cost = after.spent - march.spent;
        let refs = [march.general.into(), march.area.into(), to.into(), Ref::Number(cost.into())];
        scene.publish(self, state, out, || Event::new("marches", rules::MOVEMENT_COST, &refs));
        state.frames.open(Frame::Entry { seat, stage: entering::ENTERED, surplus: false, lifted: false });
    }

    /// Movement Points are paid for a step: the fee with them; what is in the Army moves (X6).
    fn pay_and_mark(&self, state: &mut State, spent: u8) {
        let activation = state.ongoing_activation_mut();
        (activation.spent, activation.fee) = (spent, false);
        let army = state.led_by(state.army(state.ongoing_activation().general));
        state.brigades.mark(&self.content, army, Marks::MOVING);
    }

    /// MC9: whether a Covenanter Army stands where it can leave the map, has the Movement Point, and none but Covenanters.
    fn can_leave_map(&self, state: &State, march: March) -> bool {
        self.content.numbers.league.entries.contains(march.area)
            && march.can_pay(self.content.numbers.movement.leave_map.saturating_add(march.fee))
            && self.is_covenanter_army(state, march.general)
    }

    /// Returns whether all Generals and Brigades of an Army are Covenanters.
    fn is_covenanter_army(&self, state: &State, general: GeneralId) -> bool {
        let army = state.army(general);
        army.iter().all(|general| self.content.generals[general].faction == Faction::Covenanter)
            && state.led_by(army).is_within(self.content.band(Faction::Covenanter))
    }

    /// 6.5, MC9: a whole Covenanter Army leaves the map by Carlisle or Berwick.
    pub(in super::super) fn examine_leaving_map(&self, state: &State, why: &mut Why) -> ControlFlow<()> {
        let march = self.march_of(state);
        let who = [Ref::from(march.general), Ref::from(march.area)];
        let scots = self.is_covenanter_army(state, march.general);
        why.demand(scots, rules::COVENANTERS_LEAVE, "COVENANTERS_ALONE", &who)?;
        let entry = self.content.numbers.league.entries.contains(march.area);
        why.require(entry, rules::COVENANTERS_LEAVE, "NO_WAY_TO_SCOTLAND", &who)?;
        let cost = self.content.numbers.movement.leave_map.saturating_add(march.fee);
        let points = [who[1], Ref::Number(cost.into()), Ref::Number(march.left().into())];
        why.require(march.can_pay(cost), rules::ALLOWANCE, "TOO_FEW_POINTS", &points)?;
        self.examine_setting_out(state, why)
    }

    /// MC9: the Army is gone for good.
    pub(in super::super) fn leave_map(&self, state: &mut State, out: &mut Events) {
        let march = self.march_of(state);
        let held = self.held_under_siege(state);
        let scene = Scene::open(self, state, 2, out);
        let cost = self.content.numbers.movement.leave_map.saturating_add(march.fee);
        self.pay_and_mark(state, march.spent.saturating_add(cost));
        for general in state.army(march.general) {
            self.leave_display(state, general, march.area);
            state.brigades.put_all(&self.content, general.into(), Holder::OUT);
            state.generals.place(general, Post::Out);
        }
        state.ongoing_activation_mut().over = true;
        let refs = [Ref::from(march.general), Ref::from(march.area)];
        scene.publish(self, state, out, || Event::new("leaves_map", rules::COVENANTERS_LEAVE, &refs));
        self.consequences(state, held, Cause::Other, out);
    }
}
