//! The selection of deserters by categories of Areas (12.1, 12.2, H2 to H12).

use crate::vocabulary::*;

use super::super::actions::Action;
use super::super::content::brigades::Faction;
use super::super::content::ids::{AreaId, AreaSet, CounterSet, GeneralId, RegionId};
use super::super::frames::Frame;
use super::super::state::{Holder, Post, State};
use super::super::{UnhappyKing, rules};
use super::brigade_choice::{BrigadeChoice, ChoiceStep};

/// All that a selection remembers in its frame.
#[derive(Copy, Clone, Debug)]
pub(in super::super) struct Selection {
    /// The category, from 1.
    pub(in super::super) category: u8,
    /// Brigades that are still due.
    pub(in super::super) left: u8,
    /// Somebody was selected.
    pub(in super::super) picked: bool,
    /// Areas that have lost one in this category.
    pub(in super::super) done: AreaSet,
    /// The Area, once it is chosen.
    pub(in super::super) at: Option<AreaId>,
    /// The place there, once it is chosen.
    pub(in super::super) from: Option<Holder>,
}

impl UnhappyKing {
    /// H11: Irish and Covenanters, who desert only once there are few others.
    fn steadfast(&self) -> CounterSet {
        self.content.band(Faction::Irish) | self.content.band(Faction::Covenanter)
    }

    /// H10, H11: the Brigades of a side that may desert now; none once it is down to five.
    pub(in super::super) fn able_to_desert(&self, state: &State, seat: Seat) -> CounterSet {
        self.able_among(self.not_deserting(state, state.on_map(&self.content, seat)))
    }

    /// Those who may desert of all Brigades that a side still has on the map.
    fn able_among(&self, own: CounterSet) -> CounterSet {
        let floor = u32::from(self.content.numbers.desertion.floor);
        if rules::DESERTION_LIMIT.applies(own.count() <= floor) {
            return CounterSet::EMPTY;
        }
        let steadfast = own & self.steadfast();
        let others = own - steadfast;
        rules::FOREIGN_DESERTERS.gives(if others.count() > floor { others } else { steadfast }, own)
    }

    /// The Brigades of an Area among whom a category takes one: of the Armies that fit, in the last category all of them (H4).
    fn category_in(&self, state: &State, seat: Seat, category: u8, area: AreaId) -> CounterSet {
        if rules::DESERTERS.allows(category >= self.content.numbers.desertion.categories) {
            return self.not_deserting(state, state.brigades_in(&self.content, seat, area));
        }
        let inside = state.commanders_inside(&self.content, seat, area);
        let armies = state.commanders_at(&self.content, seat, area).chain(inside);
        let fitting = armies.filter(|&general| self.fits_category(state, seat, category, general, area));
        let led = fitting.map(|general| state.led_by(state.army(general)));
        self.not_deserting(state, led.fold(CounterSet::EMPTY, |all, army| all | army))
    }

    /// H6 to H9: whether an Army is of a category.
    fn fits_category(
        &self,
        state: &State,
        seat: Seat,
        category: u8,
        general: GeneralId,
        area: AreaId,
    ) -> bool {
        match category {
            1 => rules::OUT_OF_REGION
                .applies(state.army(general).iter().any(|general| self.is_abroad(state, general, area))),
            2 => {
                let army = self.not_deserting(state, state.led_by(state.army(general)));
                let large = u32::from(self.content.numbers.desertion.large_army);
                rules::LARGE_ARMIES.applies(army.count() >= large)
            }
            3 => rules::NEAR_THE_ENEMY.applies(self.is_near_enemy(state, seat, area)),
            _ => rules::UNDER_ENEMY_CONTROL.applies(state.controller(area) == Some(seat.other())),
        }
    }

    /// H6: a Regional General outside their Regions; a Covenanter outside the North, with Brigades of Parliament's.
    fn is_abroad(&self, state: &State, general: GeneralId, area: AreaId) -> bool {
        let of = &self.content.generals[general];
        let region = self.content.areas[area].region;
        if of.faction != Faction::Covenanter {
            return of.is_regional() && !of.regions.contains(region);
        }
        let own = self.not_deserting(state, state.brigades.at(general));
        region != RegionId::NORTH && !own.is_within(self.content.band(Faction::Covenanter))
    }

    /// H8: an enemy Army in the Area or next to it, but inside a Fortress that this side Masks or Besieges.
    fn is_near_enemy(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        let near = self.content.adjacent[area].with(area);
        let [outside, inside] = state.armies_by_post(&self.content, seat.other());
        near.meets(outside) || (inside & near).iter().any(|there| !state.invests(&self.content, seat, there))
    }

    /// The Areas where a category finds one of these Brigades.
    fn areas_of_category(&self, state: &State, seat: Seat, category: u8, may: CounterSet) -> AreaSet {
        if rules::DESERTERS.allows(category >= self.content.numbers.desertion.categories) {
            let at = |holder: Holder| state.area_of_holder(&self.content, holder);
            return self.holders_of(state, may).iter().filter_map(at).collect();
        }
        let fitting = state.commanders_of(&self.content, seat).iter().filter_map(|general| {
            match state.generals[general].post {
                Post::Area(area) | Post::Inside(area)
                    if self.fits_category(state, seat, category, general, area)
                        && state.led_by(state.army(general)).meets(may) =>
                {
                    Some(area)
                }
                _ => None,
            }
        });
        fitting.collect()
    }

    /// H3: the Areas that a category asks now, and of these the ones that come first: where two Brigades or more remain, if they can't all
    /// be asked.
    fn asked_areas(&self, state: &State, seat: Seat, of: Selection) -> (AreaSet, AreaSet) {
        let all = self.not_deserting(state, state.on_map(&self.content, seat));
        let may = self.able_among(all);
        if may.is_empty() {
            return (AreaSet::EMPTY, AreaSet::EMPTY);
        }
        let areas = self.areas_of_category(state, seat, of.category, may) - of.done;
        // H10 to H12: what would take a side below the limit is not due, nor one of the others once Irish and Covenanters must go.
        let bound = if may.meets(self.steadfast()) { all } else { may };
        let spare = bound.count().saturating_sub(self.content.numbers.desertion.floor.into());
        let due = spare.min(of.left.into());
        if areas.count() <= rules::DESERTION_LIMIT.gives(due, of.left.into()) {
            return (areas, areas);
        }
        let several = areas
            .that(|area| self.not_deserting(state, state.brigades_in(&self.content, seat, area)).count() > 1);
        (areas, if several.is_empty() { areas } else { several })
    }

    fn change_selection(&self, state: &mut State, change: impl FnOnce(&mut Selection)) {
        let Some(Frame::Deserters { category, left, picked, done, at, from, .. }) = state.frames.top_mut()
        else {
            unreachable!("a selection is the innermost procedure when it goes on");
        };
        let mut of = Selection {
            category: *category,
            left: *left,
            picked: *picked,
            done: *done,
            at: *at,
            from: *from,
        };
        change(&mut of);
        (*category, *left, *picked, *done, *at, *from) =
            (of.category, of.left, of.picked, of.done, of.at, of.from);
    }

    /// A selection goes on by itself: to the next category (H5), to its end if nobody was selected, past a place that is the only one.
    /// The next category and that nobody goes are published: Irish and Covenanters lie face down, and who is passed over with them shows
    /// in nothing else (H11).
    pub(in super::super) fn advance_deserters(
        &self,
        state: &mut State,
        seat: Seat,
        of: Selection,
        out: &mut Events,
    ) -> bool {
        if let Some(area) = of.at {
            let among = self.category_in(state, seat, of.category, area);
            let only = self.only_holder(state, among).filter(|_| of.from.is_none());
            if let Some(only) = only {
                self.change_selection(state, |selection| selection.from = Some(only));
            }
            return only.is_some();
        }
        let categories = self.content.numbers.desertion.categories;
        let (areas, _) = self.asked_areas(state, seat, of);
        if of.left > 0 && !areas.is_empty() {
            return false;
        }
        if of.left > 0 && !self.able_to_desert(state, seat).is_empty() {
            // The last category has every Area with somebody who may desert: there is always one.
            let next = if of.category >= categories { 1 } else { of.category + 1 };
            self.change_selection(state, |selection| {
                selection.category = next;
                selection.done = AreaSet::EMPTY;
            });
            let refs = [Ref::Seat(seat), Ref::Number(next.into())];
            out.emit(|| Event::new("desertion_category", rules::DESERTION_CYCLE, &refs));
            return true;
        }
        if !of.picked {
            state.frames.close();
            out.emit(|| Event::new("nobody_deserts", rules::DESERTION, &[Ref::Seat(seat)]));
        }
        !of.picked
    }

    fn deserter_choice(&self, state: &State, seat: Seat, of: Selection) -> BrigadeChoice {
        let area = of.at.expect("a Brigade is chosen in an Area");
        let among = self.category_in(state, seat, of.category, area);
        let allowed = among & self.able_to_desert(state, seat);
        BrigadeChoice { among, allowed, from: of.from, rule: rules::FOREIGN_DESERTERS }
    }

    /// The Areas of the category, or the Brigades there; to be done once all are selected.
    pub(in super::super) fn offer_deserters(
        &self,
        state: &State,
        seat: Seat,
        of: Selection,
        offer: &mut impl FnMut(Action),
    ) {
        if of.at.is_some() {
            return self.offer_brigades(state, self.deserter_choice(state, seat, of), offer);
        }
        if of.left > 0 {
            self.asked_areas(state, seat, of).0.iter().map(Action::At).for_each(&mut *offer);
        }
        offer(Action::Done);
    }

    pub(in super::super) fn examine_deserters(
        &self,
        state: &State,
        seat: Seat,
        of: Selection,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        if of.at.is_some() {
            return self.examine_brigades(state, self.deserter_choice(state, seat, of), action, why);
        }
        let (areas, first) =
            if of.left > 0 { self.asked_areas(state, seat, of) } else { (AreaSet::EMPTY, AreaSet::EMPTY) };
        match action {
            Action::At(area) => {
                why.demand(
                    areas.contains(area),
                    rules::DESERTION_CYCLE,
                    "NOT_OF_THE_CATEGORY",
                    &[area.into()],
                )?;
                why.require(first.contains(area), rules::DESERTION_AREAS, "OTHERS_HAVE_MORE", &[area.into()])
            }
            Action::Done => why.require(areas.is_empty(), rules::DESERTION, "DESERTERS_ARE_DUE", &[]),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_deserters(
        &self,
        state: &mut State,
        seat: Seat,
        of: Selection,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Done => {
                state.frames.close();
                // H15: final, whoever is asked next.
                out.release();
                out.emit(|| Event::new("deserters_selected", rules::DESERTION_SECRECY, &[Ref::Seat(seat)]));
            }
            Action::At(area) => self.change_selection(state, |selection| selection.at = Some(area)),
            _ => {
                let choice = self.deserter_choice(state, seat, of);
                let counter = match self.choice_step(state, choice, action) {
                    ChoiceStep::Brigade(counter) => counter,
                    ChoiceStep::Place(holder) => {
                        let there = choice.among & state.brigades.at(holder);
                        if there.count() > 1 {
                            return self.change_selection(state, |selection| selection.from = Some(holder));
                        }
                        there.first().expect("somebody is there")
                    }
                };
                self.change_selection(state, |selection| {
                    selection.done.extend(of.at);
                    (selection.left, selection.picked) = (of.left - 1, true);
                    (selection.at, selection.from) = (None, None);
                });
                self.select_deserter(
                    state,
                    seat,
                    counter,
                    ("selects_deserter", rules::SELECTED_BRIGADES),
                    out,
                );
            }
        }
    }
}
