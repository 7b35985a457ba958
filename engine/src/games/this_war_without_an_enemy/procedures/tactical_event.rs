//! Tactical events: their Areas, and what they bring to a fight (6.02, 7.01, T2).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::{Action, offer_each};
use super::super::content::CardEvent;
use super::super::content::things::{AreaId, BlockSet, CityId};
use super::super::state::{Fight, FightKind, Flags, Stage, State, UNMARKED};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// Every Area, then to decline.
    pub(in super::super) fn offer_tactic(&self, _: &State, _: Seat, offer: &mut impl FnMut(Action)) {
        AreaId::all(&self.content).map(Action::Tactic).for_each(&mut *offer);
        offer(Action::Decline);
    }

    /// 7.01: there is a fight in the Area that the event is for.
    pub(in super::super) fn examine_tactic(
        &self,
        state: &State,
        seat: Seat,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        match action {
            Action::Tactic(area) => {
                let fits = self.tactic_fits(state, seat, area);
                why.require(fits, rules::TACTICAL, "NO_FIGHT_THERE", &[Ref::from(area)])
            }
            Action::Decline => ControlFlow::Continue(()),
            _ => why.refuse(CONTRACT, "NOT_NOW"),
        }
    }

    pub(in super::super) fn apply_tactic(
        &self,
        state: &mut State,
        seat: Seat,
        action: Action,
        out: &mut Events,
    ) {
        let who = Ref::Seat(seat);
        let Action::Tactic(area) = action else {
            state.frames.close();
            return out.emit(|| Event::new("declines", rules::TACTICAL, &[who]));
        };
        let scene = Scene::open(self, state, 2, out);
        state.tactic[seat.index()] = Some(area);
        state.frames.close();
        let card = Ref::Card(state.cards[seat.index()].unwrap_or(0));
        let refs = [who, card, Ref::from(area)];
        scene.publish(self, state, out, || Event::new("tactic", rules::TACTICAL, &refs));
    }

    /// 7.01 (T2): whether a seat's Tactical event can be given to an Area.
    pub(in super::super) fn tactic_fits(&self, state: &State, seat: Seat, area: AreaId) -> bool {
        let content = &self.content;
        let city = content.areas[area].city.filter(|&c| state.siege[c] >= UNMARKED);
        let contested = state.contested(content, area);
        match self.event_of(state, seat) {
            Some(CardEvent::AdvantageousTerrain) => {
                let defends = contested && state.attacker(content, area) != seat;
                let besieges = city.is_some() && !state.inside(content, area, seat.other()).is_empty();
                let besieged = city.is_some_and(|city| {
                    !state.inside(content, area, seat).is_empty() && !self.open_walls(state, city)
                });
                defends || besieges || besieged
            }
            Some(_) => contested || city.is_some(),
            None => false,
        }
    }

    /// 8.3: London before its Fortification.
    pub(in super::super) fn open_walls(&self, state: &State, city: CityId) -> bool {
        rules::LONDON_WALLS.applies(self.content.cities[city].incomplete && !state.walls)
    }

    /// The events that work in a fight that begins here; they are used up.
    pub(in super::super) fn bring_tactics(&self, state: &mut State, fight: &mut Fight) {
        for side in 0..2 {
            let seat = Seat::new(side as u8);
            if state.tactic[side] != Some(fight.area) {
                continue;
            }
            let storm = fight.kind == FightKind::Storm;
            let force = match self.event_of(state, seat) {
                Some(CardEvent::AdvantageousTerrain)
                    if rules::ADVANTAGE.applies(
                        fight.defender() == seat && !(storm && self.open_walls(state, fight.siege_city())),
                    ) =>
                {
                    Fight::ADVANTAGE << side
                }
                Some(CardEvent::DeterminedLastStand) => rules::LAST_STAND.gives(Fight::STAND << side, 0),
                Some(CardEvent::TerrainDisfavoursCavalry) => rules::DISFAVOUR.gives(Fight::DISFAVOUR, 0),
                Some(CardEvent::WellPositionedArtillery) if rules::WELL_POSITIONED.applies(!storm) => {
                    Fight::WELL << side
                }
                _ => continue,
            };
            fight.force |= force;
            state.tactic[side] = None;
        }
    }

    /// Blocks for the event that is asked about, or to pass.
    pub(in super::super) fn offer_named_block(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        offer: &mut impl FnMut(Action),
    ) {
        let make = if fight.stage == Stage::Stand { Action::Stand } else { Action::Gun };
        offer_each(self.nameable(state, fight, seat), make, offer);
        offer(Action::Pass);
    }

    /// 7.92, 7.97: Infantry for a Last Stand, Artillery that is Well-positioned.
    pub(in super::super) fn examine_named_block(
        &self,
        state: &State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        why: &mut Why,
    ) -> ControlFlow<()> {
        let rule = match (fight.stage, action) {
            (Stage::Stand, Action::Stand(_)) => rules::LAST_STAND,
            (Stage::Well, Action::Gun(_)) => rules::WELL_POSITIONED,
            (_, Action::Pass) => return ControlFlow::Continue(()),
            _ => return why.refuse(CONTRACT, "NOT_NOW"),
        };
        let (Action::Stand(block) | Action::Gun(block)) = action else { return ControlFlow::Continue(()) };
        why.require(self.nameable(state, fight, seat).contains(block), rule, "NOT_HERE", &[block.into()])
    }

    pub(in super::super) fn apply_named_block(
        &self,
        state: &mut State,
        seat: Seat,
        fight: &Fight,
        action: Action,
        out: &mut Events,
    ) {
        let (who, mut fight) = (Ref::Seat(seat), *fight);
        fight.ask = fight.ask.without(seat);
        match action {
            Action::Stand(block) => {
                fight.stand[seat.index()] = Some(block);
                Self::go_on(state, fight, ("last_stand", rules::LAST_STAND), &[who, block.into()], out);
            }
            Action::Gun(block) => {
                fight.well[seat.index()] = Some(block);
                Self::go_on(state, fight, ("well_placed", rules::WELL_POSITIONED), &[who, block.into()], out);
            }
            Action::Pass => Self::go_on(state, fight, ("passes", rules::TACTICAL), &[who], out),
            _ => unreachable!("an illegal action of a fight"),
        }
    }

    /// Returns the blocks that a side can name for the event that is asked about.
    pub(in super::super) fn nameable(&self, state: &State, fight: &Fight, side: Seat) -> BlockSet {
        let own = self.fighters(state, fight, side, Flags::FIGHTING);
        own & if fight.stage == Stage::Stand { self.content.foot } else { self.content.guns }
    }

    /// Returns the seat whose event is asked about: the Defender's first.
    pub(in super::super) const fn asked(fight: &Fight) -> Seat {
        if fight.ask.contains(fight.defender()) { fight.defender() } else { fight.attacker }
    }

    /// 7.92, 7.97: who has an event and a block for it is asked.
    pub(in super::super) fn ask_next(&self, state: &mut State, fight: &Fight) -> bool {
        let mut next = *fight;
        while !next.ask.is_empty() {
            let side = Self::asked(&next);
            if !self.nameable(state, &next, side).is_empty() {
                state.fight = Some(next);
                return false;
            }
            next.ask = next.ask.without(side);
        }
        if next.stage == Stage::Stand {
            next.stage = Stage::Well;
            if next.round == 2 {
                for side in [0, 1].map(Seat::new) {
                    if next.has(Fight::WELL, side) && next.well[side.index()].is_none() {
                        next.ask = next.ask.with(side);
                    }
                }
            }
        } else {
            next.stage = if next.kind == FightKind::Storm { Stage::GunsFirstRoll } else { Stage::GunsFirst };
        }
        state.fight = Some(next);
        true
    }
}
