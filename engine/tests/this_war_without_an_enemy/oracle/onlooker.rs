//! Invariants that must hold after every action of any player, checked by the tests' own reading of the board:
//! 4.15, 6.1, 8.0, 9.1.

use edgehill_engine::game::Game;
use edgehill_engine::games::this_war_without_an_enemy::{State, ThisWarWithoutAnEnemy as ThisWar};
use edgehill_engine::reference::{Location, Ref};
use edgehill_engine::seat::Observer;
use edgehill_engine::view::{Marker, Path, Procedure};

use super::atlas::{Atlas, Kind};
use super::chronicle::read;
use super::umpire::{Play, compare, marker_kind};
use super::world::{Place, World};

/// A moment of a game.
pub(crate) struct Moment<'a> {
    pub(crate) world: World<'a>,
    procedures: Path,
    turn: i32,
}

impl<'a> Moment<'a> {
    pub(crate) fn of(game: &ThisWar, atlas: &'a Atlas, state: &State) -> Self {
        let procedures = game.turn_state(state, Observer::Spectator).procedures;
        let board = game.board(state, Observer::Spectator);
        let turn = Marker { at: Location::Track(0), kind: marker_kind(game.catalogue(), "turn") };
        Self { world: read(game, atlas, state), procedures, turn: board.markers[&turn] }
    }

    fn frame(&self, name: &str) -> Option<&Procedure> {
        self.procedures.iter().find(|procedure| procedure.frame == name)
    }

    pub(crate) fn is_in(&self, name: &str) -> bool {
        self.frame(name).is_some()
    }

    fn role(&self, frame: &str, role: &str) -> Option<Ref> {
        self.frame(frame).and_then(|procedure| procedure.role(role))
    }

    /// Returns the side whose Actions are under way.
    fn acting(&self) -> Option<usize> {
        match self.role("actions", "seat") {
            Some(Ref::Seat(seat)) => Some(seat.index()),
            _ => None,
        }
    }

    /// The Area of the fight under way, and its Attacker.
    fn fight(&self) -> Option<(usize, usize)> {
        match (self.role("fight", "area"), self.role("fight", "attacker")) {
            (Some(Ref::Space(area)), Some(Ref::Seat(seat))) => Some((area.into(), seat.index())),
            _ => None,
        }
    }

    /// Returns whether a Group Move or Muster is under way.
    fn is_moving(&self) -> bool {
        self.is_in("group-move") || self.is_in("muster")
    }
}

/// Watches a game from action to action.
pub(crate) struct Onlooker<'a> {
    atlas: &'a Atlas,
    now: Moment<'a>,
    /// The side that was first in each Contested Area.
    defender: Vec<Option<usize>>,
    /// Blocks that crossed in the present segment into Areas with enemy blocks: from, to, how many.
    crossed: Vec<(usize, usize, usize)>,
    /// Blocks that moved in the action under way, and in earlier ones of the Turn.
    moving: Vec<usize>,
    moved: Vec<usize>,
    /// 6.14: in these Areas so many of these blocks stay.
    pinned: Vec<(usize, usize, Vec<usize>)>,
    /// The world when the Supply Phase began.
    supply: Option<World<'a>>,
    /// Number of times that each check had something to look at.
    pub(crate) seen: std::collections::BTreeMap<&'static str, usize>,
}

impl<'a> Onlooker<'a> {
    pub(crate) fn new(game: &ThisWar, atlas: &'a Atlas, state: &State) -> Self {
        Self {
            atlas,
            now: Moment::of(game, atlas, state),
            defender: vec![None; atlas.areas.len()],
            crossed: Vec::new(),
            moving: Vec::new(),
            moved: Vec::new(),
            pinned: Vec::new(),
            supply: None,
            seen: std::collections::BTreeMap::new(),
        }
    }

    /// Looks at the state after an action or a chance event.
    pub(crate) fn look(&mut self, game: &ThisWar, state: &State) -> Play<()> {
        let before = std::mem::replace(&mut self.now, Moment::of(game, self.atlas, state));
        self.check_blocks()?;
        self.check_control(&before, game, state)?;
        self.check_sieges()?;
        if before.turn != self.now.turn {
            self.moved.clear();
        }
        if let Some(side) = before.acting() {
            self.check_moves(&before, side)?;
        }
        self.check_pinned(&before)?;
        self.check_phases()?;
        self.check_supply(&before)
    }

    fn saw(&mut self, what: &'static str) {
        *self.seen.entry(what).or_default() += 1;
    }

    fn id(&self, area: usize) -> &str {
        &self.atlas.areas[area].id
    }

    /// 45 blocks, each at a place with a strength that it can have, or in the Pool with none; Cities hold what they can.
    fn check_blocks(&self) -> Play<()> {
        for (def, piece) in self.atlas.blocks.iter().zip(&self.now.world.pieces) {
            let most = if piece.place == Place::Pool { 0 } else { def.strength };
            if piece.strength > most || (piece.strength == 0) != (piece.place == Place::Pool) {
                return Err(format!("{} is {piece:?}", def.id));
            }
        }
        for (city, def) in self.atlas.cities.iter().enumerate() {
            let within = [0, 1].map(|side| self.now.world.inside(city, side));
            if !within[0].is_empty() && !within[1].is_empty() {
                return Err(format!("both sides are in {}", def.id));
            }
            if within.iter().any(|blocks| !blocks.is_empty()) && !def.fortified {
                return Err(format!("blocks are in {}", def.id));
            }
            if within.into_iter().any(|blocks| self.now.world.field(blocks).len() > def.size) {
                return Err(format!("too many are in {}", def.id));
            }
        }
        Ok(())
    }

    /// 4.15, 4.21, 4.51: control of each Area and City, and the points.
    fn check_control(&mut self, before: &Moment<'_>, game: &ThisWar, state: &State) -> Play<()> {
        for area in 0..self.atlas.areas.len() {
            if !self.now.world.is_contested(area) {
                self.defender[area] = None;
            } else if !before.world.is_contested(area) {
                self.defender[area] = (0..2).find(|&side| !before.world.outside(area, side).is_empty());
                self.saw("contested");
            }
        }
        // 7.1: the roles may have changed in the fight under way.
        if let Some((area, attacker)) = self.now.fight() {
            self.defender[area] = Some(1 - attacker);
        }
        self.now.world.defender.clone_from(&self.defender);
        compare(game, state, &self.now.world)
    }

    /// 8.0, 8.01: who is Besieged, and the markers.
    fn check_sieges(&mut self) -> Play<()> {
        for (city, def) in self.atlas.cities.iter().enumerate() {
            let world = &self.now.world;
            let Some(side) = world.garrison(city) else {
                if world.besieged[city] || world.marker[city].is_some() {
                    return Err(format!("nobody is in {}, which is Besieged", def.id));
                }
                continue;
            };
            let fought = self.now.fight().is_some_and(|(area, _)| area == def.area);
            let besiegers = world.outside(def.area, 1 - side);
            if besiegers.is_empty() && !fought {
                return Err(format!("blocks are in {} without an enemy outside", def.id));
            }
            let enough = world.field(besiegers).len() >= def.size;
            let relief = world.is_contested(def.area);
            if !world.besieged[city] && !relief && !fought {
                return Err(format!("{} is Besieged, and isn't marked so", def.id));
            }
            if world.marker[city].is_some() && !(enough && world.besieged[city]) {
                return Err(format!("too few besiegers at {} for a marker", def.id));
            }
            if world.marker[city].is_none() && enough && world.besieged[city] && !fought {
                return Err(format!("enough besiegers at {} for a marker", def.id));
            }
            self.saw("siege");
        }
        Ok(())
    }

    /// 6.02, 6.13, 6.16, 6.17, 6.18: who crossed a border in Actions.
    fn check_moves(&mut self, before: &Moment<'_>, side: usize) -> Play<()> {
        let mut parties: Vec<(usize, usize, usize)> = Vec::new();
        for (block, def) in self.atlas.blocks.iter().enumerate() {
            let (from, to) = (before.world.pieces[block].place, self.now.world.pieces[block].place);
            let (Place::Area(from), Place::Area(to)) = (from, to) else { continue };
            if from == to || def.side != side || !before.is_moving() {
                continue;
            }
            if self.moved.contains(&block) {
                return Err(format!("{} moves twice", def.id));
            }
            if !self.moving.contains(&block) {
                self.moving.push(block);
            }
            let yorkshire = |area: usize| self.id(area).ends_with("-riding");
            if before.turn == 0 && yorkshire(to) && !yorkshire(from) {
                return Err(format!("{} enters Yorkshire", def.id));
            }
            match parties.iter_mut().find(|party| (party.0, party.1) == (from, to)) {
                Some(party) => party.2 += 1,
                None => parties.push((from, to, 1)),
            }
        }
        for (from, to, count) in parties {
            if before.world.outside(to, 1 - side).is_empty() {
                continue;
            }
            self.saw("attack");
            if before.turn == 7 {
                return Err(format!("an attack on {} in Winter", self.id(to)));
            }
            let crossed = self.crossed.iter_mut().find(|crossed| (crossed.0, crossed.1) == (from, to));
            let sum = match crossed {
                Some(crossed) => {
                    crossed.2 += count;
                    crossed.2
                }
                None => {
                    self.crossed.push((from, to, count));
                    count
                }
            };
            let way = self.atlas.areas[from].next.iter().find(|(next, _)| *next == to);
            if way.is_none_or(|&(_, limit)| sum > limit) {
                return Err(format!("{sum} blocks cross from {} to {}", self.id(from), self.id(to)));
            }
            self.saw(if sum == way.map_or(0, |way| way.1) { "full border" } else { "border" });
        }
        if before.is_moving() && !self.now.is_moving() {
            self.end_action()?;
        }
        if self.now.acting() != Some(side) {
            self.crossed.clear();
        }
        Ok(())
    }

    /// 6.16: a Regional block that moved is at home, or with somebody who may lead it.
    fn end_action(&mut self) -> Play<()> {
        for block in std::mem::take(&mut self.moving) {
            self.moved.push(block);
            let led = self.now.world.is_stranded(block);
            if led && self.now.world.is_alive(block) {
                return Err(format!("{} stopped without a chaperone", self.atlas.blocks[block].id));
            }
            if self.atlas.blocks[block].kind == Kind::Regional {
                self.saw("regional move");
            }
        }
        Ok(())
    }

    /// 6.14: from the end of Player 1's Actions so many of Player 2's blocks stay.
    fn check_pinned(&mut self, before: &Moment<'_>) -> Play<()> {
        let first = before.world.first;
        if before.acting() == Some(first) && self.now.acting() != Some(first) {
            for area in 0..self.atlas.areas.len() {
                let (own, enemy) =
                    (self.now.world.outside(area, 1 - first), self.now.world.outside(area, first));
                let pins = self.now.world.is_contested(area) && self.defender[area] == Some(1 - first);
                if pins && self.now.acting().is_some() {
                    self.pinned.push((area, own.len().min(enemy.len()), own));
                    self.saw("pinned");
                }
            }
        }
        if before.acting() != Some(1 - first) {
            return Ok(());
        }
        for (area, count, blocks) in &self.pinned {
            let stayed = blocks.iter().filter(|&&block| before.world.area_of(block) == Some(*area)).count();
            if stayed < *count {
                return Err(format!("{stayed} pinned blocks are left in {}, not {count}", self.id(*area)));
            }
        }
        if self.now.acting() != Some(1 - first) {
            self.pinned.clear();
        }
        Ok(())
    }

    /// 7.02: nothing is Contested once Battles are over.
    fn check_phases(&self) -> Play<()> {
        let open = ["operations", "tactical-events", "battles"].iter().any(|frame| self.now.is_in(frame));
        let contested = (0..self.atlas.areas.len()).find(|&area| self.now.world.is_contested(area));
        match contested {
            Some(area) if !open => Err(format!("{} is Contested after Battles", self.id(area))),
            _ => Ok(()),
        }
    }

    /// 9.12: who was not supplied has lost one strength, and nobody more.
    fn check_supply(&mut self, before: &Moment<'a>) -> Play<()> {
        let supplies = self.now.is_in("supply");
        if supplies && self.supply.is_none() {
            self.supply = Some(self.now.world.clone());
        }
        let fought = |moment: &Moment<'_>| moment.is_in("sieges") || moment.is_in("battles");
        if supplies || fought(&self.now) || !(self.supply.is_some() || fought(before)) {
            return Ok(());
        }
        // Without a Supply Phase that was asked about, nobody was short: as it was when the fights were over, so it is now.
        let start = self.supply.take().unwrap_or_else(|| self.now.world.clone());
        for side in 0..2 {
            let mut exempt = start.exempt[side];
            for area in 0..self.atlas.areas.len() {
                let blocks = start.field(start.outside(area, side));
                let lost =
                    |&block: &usize| start.pieces[block].strength - self.now.world.pieces[block].strength;
                if let Some(block) = blocks.iter().find(|block| lost(block) > 1) {
                    return Err(format!("{} lost too much", self.atlas.blocks[*block].id));
                }
                let kept: Vec<usize> = blocks.iter().copied().filter(|block| lost(block) == 0).collect();
                let short = start.shortage(area, side, &kept);
                if short > exempt {
                    return Err(format!("{short} blocks in {} have no supply", self.id(area)));
                }
                exempt -= short;
                if kept.len() < blocks.len() {
                    self.saw("short");
                    let needed = start.shortage(area, side, &blocks);
                    if blocks.len() - kept.len() > needed {
                        return Err(format!("more than {needed} blocks in {} went short", self.id(area)));
                    }
                }
            }
        }
        Ok(())
    }
}
