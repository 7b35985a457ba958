//! Retreat and Regroup (7.6, 7.7).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::{Action, offer_each};
use super::super::content::things::{AreaId, AreaSet, BlockId, BlockSet, Place, PlaceSet};
use super::super::frames::Frame;
use super::super::state::{Fight, FightKind, Flags, Relief, Stage, State, UNMARKED};
use super::super::{ThisWar, rules};
use super::control::{Control, chaperoned};

impl ThisWar {
    /// The Loser's blocks that have still to go.
    pub(in super::super) fn offer_retreat(
        &self,
        state: &State,
        _: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        offer_each(self.retreating(state, fight), Action::Retreat, offer);
        offer(Action::Done);
    }

    /// 7.6: a block with a way out; to end when nobody has one.
    pub(in super::super) fn examine_retreat(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Retreat(block) => {
                let goes = self.retreating(state, fight).contains(block) && fight.loser == Some(seat);
                why.demand(goes, rules::RETREAT, "NOT_THERE", &[block.into()])?;
                let goals = self.retreat_goals(state, fight, block);
                why.require(!goals.is_empty(), rules::RETREAT, "NO_WAY_OUT", &[fight.area.into()])
            }
            Action::Done => {
                let has_way = |block| !self.retreat_goals(state, fight, block).is_empty();
                let able = self.retreating(state, fight).iter().any(has_way);
                why.require(!able, rules::RETREAT, "MUST_RETREAT", &[])
            }
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_retreat(
        &self,
        state: &mut State,
        seat: Seat,
        _: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        match action {
            Action::Retreat(block) => self.open_goals(state, seat, block, out),
            _ => self.retreat_over(state, out),
        }
    }

    /// 7.5: the Loser's blocks that have still to go.
    pub(in super::super) fn retreating(&self, state: &State, fight: &Fight) -> BlockSet {
        let Some(loser) = fight.loser else { return BlockSet::EMPTY };
        let own = state.out(&self.content, fight.area, loser);
        // Blocks that kept up the Siege go, too; those that came out of the City in mid-Battle have no part in it.
        let aside = if fight.relief == Relief::Maintained {
            BlockSet::EMPTY
        } else {
            state.flagged(own, Flags::HELD)
        };
        (own - aside) | self.fighters(state, fight, loser, Flags::JOINED)
    }

    /// 7.6: where a block may retreat to.
    pub(in super::super) fn retreat_goals(&self, state: &State, fight: &Fight, block: BlockId) -> PlaceSet {
        let content = &self.content;
        let index = block;
        let seat = content.blocks[index].side;
        let mut goals = PlaceSet::EMPTY;
        for way in &content.areas[fight.area].ways {
            let open = self.free_for(state, seat, way.to);
            let used = state.crossed[way.out];
            let room = rules::RETREAT_LIMIT.allows(used < way.limit);
            let entered = state.entered[way.back] == seat.other().index() as u8 + 1;
            let barred = rules::RETREAT_BORDERS.applies(entered);
            let company = state.out(content, way.to, seat);
            let settled = rules::REGIONAL_RETREAT
                .allows(!content.abroad(index, way.to) || chaperoned(content, index, company));
            if open && room && !barred && settled {
                goals.insert(way.to.into());
            }
        }
        if let Some(city) = content.areas[fight.area].city {
            let place = content.city_place(city);
            let joined = state.blocks[index].flags.contains(Flags::JOINED);
            let relieved =
                fight.kind != FightKind::Battle || fight.relief != super::super::state::Relief::None;
            let defends =
                seat == fight.defender() && !relieved && self.shelter(state, fight.area) == Some(seat);
            let within = state.at(place);
            let waiting = state.flagged(within, Flags::JOINED);
            let field = ((within - waiting) & content.field()).count();
            let gun = content.guns.contains(block);
            let room = gun || field < u32::from(content.cities[city].size);
            if rules::RETREAT_CITY.applies((joined || defends) && room) {
                goals.insert(place);
            }
        }
        goals
    }

    /// 7.6, 7.7: a Friendly or Vacant Area.
    pub(in super::super) fn free_for(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        state.control(&self.content, area) == Control::Of(seat) || state.vacant(&self.content, area)
    }

    /// 7.6: a block retreats.
    pub(in super::super) fn retreat(&self, state: &mut State, block: BlockId, to: Place, out: &mut Events) {
        let mut fight = state.ongoing_fight();
        let scene = Scene::open(self, state, 2, out);
        state.frames.close();
        let index = block;
        let area = self.content.area_of(to).expect("a block retreats on the map");
        let inside = self.content.city_at(to).is_some();
        if let Some(way) = self.content.way(fight.area, area).filter(|_| !inside) {
            let count = &mut state.crossed[way.out];
            *count = count.saturating_add(1);
        }
        let city = self.content.areas[area].city;
        let besieges = !inside && city.is_some_and(|city| state.siege[city] >= UNMARKED);
        fight.touched |= AreaSet::one(area);
        state.fight = Some(fight);
        // Its look changes with its place: both are one departure.
        state.depart(&self.content, BlockSet::one(index));
        let flags = &mut state.blocks[index].flags;
        *flags -= Flags::FIGHTING | Flags::RESERVE | Flags::HELD | Flags::JOINED;
        if inside {
            *flags |= Flags::WITHDREW;
        } else if besieges {
            *flags |= Flags::TIRED;
        }
        state.blocks[index].by = None;
        let (seat, from) = (self.content.blocks[index].side, state.blocks[index].at);
        state.put(index, to);
        for area in [fight.area, area] {
            state.touch(&self.content, area);
        }
        let refs = |what| [Ref::Seat(seat), what, Ref::from(from), Ref::from(to)];
        let back = Ref::Kind(super::super::catalogue::BACK + seat.index() as u16);
        scene.publish(self, state, out, || {
            Event::new("retreats", rules::RETREAT, &refs(back)).private(seat, &refs(Ref::from(block)), [])
        });
    }

    /// 7.6: who can't retreat is lost.
    pub(in super::super) fn retreat_over(&self, state: &mut State, out: &mut Events) {
        let mut fight = state.ongoing_fight();
        let scene = Scene::open(self, state, 2, out);
        let left = self.retreating(state, &fight);
        fight.stage = Stage::Regroup;
        state.fight = Some(fight);
        left.iter().for_each(|block| state.eliminate(&self.content, block));
        // 7.7: the Besieged who joined and won are outside now.
        let victor = fight.loser.unwrap_or(fight.attacker).other();
        if state.out(&self.content, fight.area, victor.other()).is_empty() {
            let joined = self.fighters(state, &fight, victor, Flags::JOINED);
            joined.iter().for_each(|block| state.put(block, fight.area.into()));
            state.touch(&self.content, fight.area);
        }
        let refs = [Ref::Seat(victor.other()), Ref::Number(left.count() as i32)];
        scene.publish(self, state, out, || Event::new("retreat_over", rules::RETREAT, &refs));
    }

    /// The frame in which a block's goal is named.
    pub(in super::super) fn open_goals(
        &self,
        state: &mut State,
        seat: Seat,
        block: BlockId,
        out: &mut Events,
    ) {
        state.frames.open(Frame::RetreatTo { seat, block });
        let refs = [Ref::Seat(seat), Ref::from(block)];
        out.emit(|| Event::only(seat, "picked_block", rules::RETREAT, &refs));
    }
}
