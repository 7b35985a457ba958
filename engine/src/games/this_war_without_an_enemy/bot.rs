//! The house bot `captain`: a view and the legal actions, weighed by rules of thumb.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::action::ActionId;
use crate::bot::{Bot, HouseBot};
use crate::chance_source::below;
use crate::reference::Location;
use crate::seat::Seat;
use crate::view::{Marker, View};

use super::ThisWar;
use super::actions::Action;
use super::catalogue::{CONTROL, FACE, MARKER, STRENGTH};
use super::content::things::{AreaId, Place};
use super::state::Flags;

/// The bot `captain`.
#[must_use]
pub fn captain() -> HouseBot<super::ThisWarWithoutAnEnemy> {
    HouseBot {
        name: "captain",
        about: "Takes Cities that are open, attacks where it is stronger, stays together, and keeps its Sieges up.",
        make: |game, seat, seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(seat.index() as u64);
            Box::new(Captain { game: Arc::clone(game), seat, rng })
        },
    }
}

struct Captain {
    game: Arc<ThisWar>,
    seat: Seat,
    rng: ChaCha8Rng,
}

impl Bot for Captain {
    fn choose(&mut self, view: &View, legal: &[ActionId]) -> ActionId {
        assert!(!legal.is_empty(), "a bot is asked only when its seat is to act");
        let scored = legal.iter().map(|&action| (self.worth(view, self.game.actions.get(action)), action));
        let scored: Vec<(i32, ActionId)> = scored.collect();
        let best = scored.iter().map(|&(worth, _)| worth).max().unwrap_or(0);
        let among: Vec<ActionId> =
            scored.into_iter().filter(|&(worth, _)| worth == best).map(|(_, action)| action).collect();
        among[below(among.len() as u64, &mut self.rng) as usize]
    }
}

impl Captain {
    fn marker(view: &View, at: Location, kind: u16) -> Option<i32> {
        view.board.markers.get(&Marker { at, kind }).copied()
    }

    fn strength(&self, view: &View, block: u16) -> i32 {
        Self::marker(view, Location::Piece(block), STRENGTH).unwrap_or(0)
    }

    /// Own strength at a place, and own Infantry and Cavalry blocks there.
    fn own(&self, view: &View, place: impl Into<Place>) -> (i32, i32) {
        let at = place.into().location();
        let mine =
            view.board.pieces.iter().filter(|(_, piece)| {
                piece.owner == Some(self.seat) && piece.at == at && piece.kind < FACE + 2
            });
        mine.fold((0, 0), |(strength, count), (&block, _)| (strength + self.strength(view, block), count + 1))
    }

    /// Enemy blocks at a place.
    fn enemies(&self, view: &View, place: impl Into<Place>) -> i32 {
        let at = place.into().location();
        let backs = view
            .board
            .groups
            .iter()
            .filter(|(group, _)| group.owner == Some(self.seat.other()) && group.at == at);
        let faces = view
            .board
            .pieces
            .values()
            .filter(|piece| piece.owner == Some(self.seat.other()) && piece.at == at);
        backs.map(|(_, &count)| i32::from(count)).sum::<i32>() + faces.count() as i32
    }

    /// Returns the worth of an Area: the City's points while the enemy holds it, and those of neighbours a little.
    fn prize(&self, view: &View, area: AreaId) -> i32 {
        let content = &self.game.content;
        let mut prize = 0;
        if let Some(city) = content.areas[area].city {
            let def = &content.cities[city];
            let holder = Self::marker(view, content.city_place(city).location(), CONTROL);
            let theirs = holder == Some(self.seat.other().index() as i32 + 1);
            prize += i32::from(def.points) * if theirs { 30 } else { 2 };
        }
        prize
    }

    /// Returns how good it is to bring this much to an Area.
    fn goal(&self, view: &View, area: AreaId, strength: i32) -> i32 {
        let content = &self.game.content;
        let enemies = self.enemies(view, area);
        let (here, blocks) = self.own(view, area);
        let prize = self.prize(view, area);
        if enemies > 0 {
            let edge = strength + here - 3 * enemies;
            return if edge > 2 { prize + 20 + edge } else { -40 };
        }
        let city = content.areas[area].city;
        let within = city.map_or(0, |city| self.enemies(view, content.city_place(city)));
        if within > 0 {
            return prize + 10 - 4 * blocks;
        }
        let near: i32 =
            content.areas[area].ways.iter().map(|way| self.prize(view, way.to)).max().unwrap_or(0);
        if prize >= 30 {
            // A prize for the taking: one good block holds it.
            return if here > 0 { 0 } else { prize + 20 };
        }
        near / 5 - 6 * blocks.max(3) + 12
    }

    /// The strength of the own blocks that are being picked.
    fn taken(&self, view: &View) -> i32 {
        let mine = view.board.pieces.iter().filter(|(_, piece)| {
            piece.owner == Some(self.seat) && piece.flags & u32::from(Flags::TAKEN.bits()) != 0
        });
        mine.map(|(&block, _)| self.strength(view, block)).sum()
    }

    /// Returns whether leaving an Area gives up a City of one's own.
    fn anchor(&self, view: &View, area: AreaId) -> i32 {
        let content = &self.game.content;
        let Some(city) = content.areas[area].city else { return 0 };
        let def = &content.cities[city];
        let held = Self::marker(view, content.city_place(city).location(), CONTROL)
            == Some(self.seat.index() as i32 + 1);
        let besieges = self.enemies(view, content.city_place(city)) > 0;
        if def.points == 0 || !(held || besieges) {
            return 0;
        }
        let faithful = def.sympathy == Some(self.seat) && !besieges;
        if faithful { 5 } else { 60 }
    }

    fn worth(&self, view: &View, action: Action) -> i32 {
        let content = &self.game.content;
        match action {
            Action::Play(card) => i32::from(content.card(card).points),
            Action::Discard(card) => -i32::from(content.card(card).points),
            Action::First(seat) => i32::from(seat != self.seat),
            Action::Event | Action::Mine | Action::Bombard => 5,
            Action::Fever(area) => 10 * self.enemies(view, area) + self.prize(view, area),
            Action::Group(area) => {
                let (strength, blocks) = self.own(view, area);
                let spare = if blocks > 1 { strength } else { strength - self.anchor(view, area) };
                let ways = content.areas[area].ways.iter();
                let best = ways.map(|way| self.goal(view, way.to, spare)).max().unwrap_or(-50);
                if best > 15 { best + 10 } else { best - 20 }
            }
            Action::Muster(_) => -60,
            Action::Raise(block) => 8 - self.strength(view, block.index() as u16),
            Action::Deploy(block) => 6 + i32::from(content.blocks[block].strength),
            Action::At(area) => {
                2 * self.prize(view, area) + 3 * self.enemies(view, area) + self.anchor(view, area)
            }
            Action::Take(block) => {
                let block = block.index() as u16;
                let area = view.board.pieces.get(&block).and_then(|piece| content.area_in(piece.at));
                let Some(area) = area else { return -5 };
                let (_, blocks) = self.own(view, area);
                let taken = self.taken(view);
                let last = if blocks <= 1 { self.anchor(view, area) } else { 0 };
                12 - last - taken / 6 + self.strength(view, block)
            }
            Action::Go(area) => {
                let strength = self.taken(view);
                self.goal(view, area, strength) + strength.min(12)
            }
            Action::Via(_) | Action::Hit(_) | Action::Main(_) | Action::Storm(_) => 4,
            Action::Stop => {
                let moving = view.board.pieces.values().find(|piece| {
                    piece.owner == Some(self.seat) && piece.flags & u32::from(Flags::MOVING.bits()) != 0
                });
                let area = moving.and_then(|piece| content.area_in(piece.at));
                14 + area.map_or(0, |area| self.prize(view, area))
            }
            Action::Withdraw(_)
            | Action::Sally(_)
            | Action::Maintain
            | Action::Exempt(_)
            | Action::Fire(_) => 3,
            Action::Battle(area) | Action::Tactic(area) | Action::Regroup(area) => self.prize(view, area) - 1,
            Action::Retire => -5,
            Action::Lose(block) => self.strength(view, block.index() as u16),
            Action::Siege(city) => {
                Self::marker(view, content.city_place(city).location(), MARKER).unwrap_or(0)
            }
            Action::To(place) => {
                let (_, blocks) = self.own(view, place);
                content.as_area(place).map_or(5, |area| 3 * blocks.min(3) + self.prize(view, area))
            }
            Action::On => 1,
            _ => 1,
        }
    }
}
