//! Tactical events: their Areas, and what they bring to a fight (6.02, 7.01, T2).

use std::ops::ControlFlow;

use crate::event::{Event, Events, Scene};
use crate::game::CONTRACT;
use crate::reference::Ref;
use crate::refusal::Why;
use crate::seat::Seat;

use super::super::actions::Action;
use super::super::content::CardEvent;
use super::super::state::{Fight, FightKind, NONE, State, UNMARKED};
use super::super::{ThisWar, rules};

impl ThisWar {
    /// Every Area, then to decline.
    pub(in super::super) fn offer_tactic(&self, offer: &mut impl FnMut(Action)) {
        self.areas().map(Action::Tactic).for_each(&mut *offer);
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
                why.require(fits, rules::TACTICAL, "NO_FIGHT_THERE", &[Ref::Space(area.into())])
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
        state.tactic[seat.index()] = area;
        state.frames.close();
        let card = Ref::Card(state.cards[seat.index()].unwrap_or(0));
        let refs = [who, card, Ref::Space(area.into())];
        scene.publish(self, state, out, || Event::new("tactic", rules::TACTICAL, &refs));
    }

    /// 7.01 (T2): whether a seat's Tactical event can be given to an Area.
    pub(in super::super) fn tactic_fits(&self, state: &State, seat: Seat, area: u8) -> bool {
        let content = &self.content;
        let city = content.areas[usize::from(area)].city.filter(|&c| state.siege[usize::from(c)] >= UNMARKED);
        let contested = state.contested(content, area);
        match self.event_of(state, seat) {
            Some(CardEvent::AdvantageousTerrain) => {
                let defends = contested && state.attacker(content, area) != seat;
                let besieges = city.is_some() && state.inside(content, area, seat.other()) != 0;
                let besieged = city.is_some_and(|city| {
                    state.inside(content, area, seat) != 0 && !self.open_walls(state, city)
                });
                defends || besieges || besieged
            }
            Some(_) => contested || city.is_some(),
            None => false,
        }
    }

    /// 8.3: London before its Fortification.
    pub(in super::super) fn open_walls(&self, state: &State, city: u8) -> bool {
        self.content.cities[usize::from(city)].incomplete && !state.walls && rules::LONDON_WALLS.on()
    }

    /// The events that work in a fight that begins here; they are used up.
    pub(in super::super) fn bring_tactics(&self, state: &mut State, fight: &mut Fight) {
        for side in 0..2 {
            let seat = Seat::new(side as u8);
            if state.tactic[side] != fight.area {
                continue;
            }
            let storm = fight.kind == FightKind::Storm;
            let force = match self.event_of(state, seat) {
                Some(CardEvent::AdvantageousTerrain)
                    if fight.defender() == seat
                        && !(storm && self.open_walls(state, fight.city))
                        && rules::ADVANTAGE.on() =>
                {
                    Fight::ADVANTAGE << side
                }
                Some(CardEvent::DeterminedLastStand) if rules::LAST_STAND.on() => Fight::STAND << side,
                Some(CardEvent::TerrainDisfavoursCavalry) if rules::DISFAVOUR.on() => Fight::DISFAVOUR,
                Some(CardEvent::WellPositionedArtillery) if !storm && rules::WELL_POSITIONED.on() => {
                    Fight::WELL << side
                }
                _ => continue,
            };
            fight.force |= force;
            state.tactic[side] = NONE;
        }
    }
}
