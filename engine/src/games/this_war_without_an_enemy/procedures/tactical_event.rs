//! Tactical events: their Areas, and what they bring to a fight (6.02, 7.01, T2).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::numbered::Listed;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::CardEvent;
use super::super::content::things::{AreaId, CityId};
use super::super::state::{Fight, FightKind, State, UNMARKED};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// Every Area, then to decline.
    pub(in super::super) fn offer_tactic(&self, offer: &mut impl FnMut(Action)) {
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
}
