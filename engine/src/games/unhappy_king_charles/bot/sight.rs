//! The world as the bot sees it ([`Sight`]): stacks and their strengths, and the worth of each Area.

use std::cell::Cell;

use crate::seat::Seat;

use super::super::UnhappyKing;
use super::super::content::ids::{AreaId, AreaSet, CounterId, CounterSet, GeneralId};
use super::super::content::{AREAS, Content, GENERALS};
use super::super::state::{Happened, Holding, Marks, State};

/// Strength is counted in tenths of a Combat Value.
pub(super) const TENTHS: i32 = 10;

/// A body of Brigades that may fight.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Force {
    /// Combat Values and Battle Rating, in tenths; of faces that are hidden the mean.
    pub(super) strength: i32,
    /// Brigades.
    pub(super) size: u8,
    /// The King commands or follows.
    pub(super) king: bool,
}

/// An enemy Army on the map.
#[derive(Copy, Clone, Debug)]
pub(super) struct EnemyArmy {
    /// Its commander.
    pub(super) general: GeneralId,
    /// Its Area.
    pub(super) area: AreaId,
    /// The Army.
    pub(super) force: Force,
}

/// An enemy Fortress.
#[derive(Copy, Clone, Debug)]
pub(super) struct Target {
    /// Its Area.
    pub(super) area: AreaId,
    /// The worth of taking it.
    pub(super) worth: i32,
    /// The Brigades that a Siege needs.
    pub(super) need: u8,
}

/// A world that a view allows, and all that the bot derives of it once a decision.
pub(super) struct Sight<'a> {
    pub(super) game: &'a UnhappyKing,
    pub(super) content: &'a Content,
    pub(super) state: State,
    pub(super) me: Seat,
    pub(super) foe: Seat,
    /// Areas that are Fortresses now.
    pub(super) fortresses: AreaSet,
    /// Enemy Brigades outside, by Area.
    pub(super) against: [u8; AREAS],
    /// Areas with enemy Brigades, outside or inside.
    pub(super) held: AreaSet,
    /// Enemy Armies.
    pub(super) enemies: Vec<EnemyArmy>,
    /// Enemy Fortresses.
    pub(super) targets: Vec<Target>,
    /// The worth of an Activation of each General, once it was asked for.
    pub(super) marches: [Cell<Option<i32>>; GENERALS],
    /// The worth of a marker of one's own in each Area, in hundredths of a plain one; 0 where there is one.
    pub(super) gains: [i32; AREAS],
    /// Mean Combat Value of enemy faces that are hidden, in tenths.
    hidden: i32,
}

impl<'a> Sight<'a> {
    pub(super) fn new(game: &'a UnhappyKing, state: State, me: Seat) -> Self {
        let content = &game.content;
        let foe = me.other();
        let mut sight = Self {
            game,
            content,
            fortresses: game.fortress_areas(&state),
            state,
            me,
            foe,
            against: [0; AREAS],
            held: AreaSet::EMPTY,
            enemies: Vec::new(),
            targets: Vec::new(),
            marches: std::array::from_fn(|_| Cell::new(None)),
            gains: [0; AREAS],
            hidden: 0,
        };
        sight.hidden = sight.mean_hidden();
        sight.gains = sight.marker_gains();
        sight.muster_enemies();
        let enemy = sight.fortresses & sight.state.control[foe.index()];
        let target = |area| Target {
            area,
            worth: sight.fortress_worth(area),
            need: game.siege_need(&sight.state, area),
        };
        sight.targets = enemy.iter().map(target).collect();
        sight
    }

    /// The mean Combat Value of the enemy's hidden faces that are on the map or may come to it.
    fn mean_hidden(&self) -> i32 {
        let brigades = &self.state.brigades;
        let (mut sum, mut count) = (0, 0);
        for (index, counter) in brigades.counters().iter().enumerate().take(self.content.face_of.len()) {
            let id = CounterId::new(index);
            if counter.at.is_of_map()
                && !counter.marks.intersects(Marks::KNOWLEDGE)
                && brigades.side(self.content, id) == self.foe
            {
                sum += i32::from(self.content.faces[self.content.face_of[id]].value);
                count += 1;
            }
        }
        // Of two kinds: a little above Militia if all are known.
        if count == 0 { 13 } else { sum * TENTHS / count }
    }

    fn muster_enemies(&mut self) {
        for general in State::generals_of(self.content, self.foe) {
            if !self.state.commands(general) {
                continue;
            }
            let Some(area) = self.state.area_of(general) else { continue };
            self.enemies.push(EnemyArmy { general, area, force: self.army(general) });
        }
        for (index, counter) in
            self.state.brigades.counters().iter().enumerate().take(self.content.face_of.len())
        {
            if !counter.at.is_of_map()
                || self.state.brigades.side(self.content, CounterId::new(index)) != self.foe
            {
                continue;
            }
            let Some(area) = self.state.area_of_holder(self.content, counter.at) else { continue };
            self.held.insert(area);
            let outside = match counter.at.holding() {
                Holding::General(general) => !self.state.is_inside(general),
                Holding::Outside(_) => true,
                _ => false,
            };
            self.against[area] += u8::from(outside);
        }
    }

    /// The Combat Values of some Brigades of one side, in tenths.
    pub(super) fn value(&self, counters: CounterSet) -> i32 {
        let of = |counter: CounterId| {
            let known = self.state.brigades.side(self.content, counter) == self.me
                || self.state.brigades.get(counter).marks.intersects(Marks::KNOWLEDGE);
            if known {
                TENTHS * i32::from(self.content.faces[self.content.face_of[counter]].value)
            } else {
                self.hidden
            }
        };
        counters.iter().map(of).sum()
    }

    /// The Army of a commander.
    pub(super) fn army(&self, commander: GeneralId) -> Force {
        let generals = self.state.army(commander);
        let brigades = self.state.led_by(generals);
        Force {
            strength: self.value(brigades) + TENTHS * i32::from(self.content.generals[commander].battle),
            size: brigades.count() as u8,
            king: generals.contains(self.content.people.king),
        }
    }

    /// All that stands outside in an Area of a side, under its Army's General.
    pub(super) fn stack(&self, seat: Seat, area: AreaId) -> Force {
        let brigades = self.state.stack(self.content, seat, area);
        let commander = self.state.commander_at(self.content, seat, area);
        let rating = commander.map_or(0, |general| self.content.generals[general].battle);
        let king =
            commander.is_some_and(|general| self.state.army(general).contains(self.content.people.king));
        Force {
            strength: self.value(brigades) + TENTHS * i32::from(rating),
            size: brigades.count() as u8,
            king,
        }
    }

    /// Returns whether the war has begun (6.5).
    pub(super) fn is_war(&self) -> bool {
        self.state.has(Happened::STANDARD)
    }

    /// The number of the Turn, 1 to 11.
    pub(super) fn turn(&self) -> i32 {
        i32::from(self.state.turn.number())
    }

    /// Lines between two Areas.
    pub(super) fn lines(&self, from: AreaId, to: AreaId) -> i32 {
        i32::from(self.content.distances[from][to.index()])
    }
}
