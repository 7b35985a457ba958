//! The map and the blocks, put together from their records.

use crate::content::{ContentRecord, Records};
use crate::deck::CardSet;

use super::super::state::POOL;
use super::records::{
    AreaRecord, BlockRecord, BorderKind, BorderRecord, CardRecord, CityClass, CityRecord, Class, Kind,
    LimitsRecord, Side, Stage, SupplyRecord,
};
use super::{Area, BlockDef, CardDef, City, Content, LONDON, Named, Way};

impl Content {
    pub(super) fn draw_map(
        &mut self,
        areas: &Records<AreaRecord>,
        borders: &Records<BorderRecord>,
        limits: &LimitsRecord,
        supply: &SupplyRecord,
    ) {
        for area in areas.iter() {
            let supply = if area.mountain {
                (supply.mountain_blocks, supply.mountain_cavalry)
            } else {
                (supply.blocks, supply.cavalry)
            };
            self.areas.push(Area {
                named: named(area, &area.name),
                region: area.region as usize,
                loyal: area.loyal.map(Side::seat),
                mountain: area.mountain,
                yorkshire: area.yorkshire,
                label: (area.label.lon, -area.label.lat),
                ways: Vec::new(),
                near: 0,
                city: None,
                supply,
            });
        }
        for border in borders.iter() {
            let ends = [0, 1].map(|end| areas.position(&border.between[end]).unwrap_or(0));
            let limit = match border.kind {
                BorderKind::Open => u8::MAX,
                BorderKind::River => limits.river,
                BorderKind::Mountain => limits.mountain,
            };
            let confidence = border.levels().of_all(&["between", "kind"]);
            let edge = self.edges.len() as u8;
            for (from, to, out, back) in
                [(ends[0], ends[1], edge, edge + 1), (ends[1], ends[0], edge + 1, edge)]
            {
                self.edges.push((from as u8, to as u8));
                let way = Way { to: to as u8, kind: border.kind, limit, confidence, out, back };
                self.areas[from].ways.push(way);
                self.areas[from].near |= 1 << to;
            }
        }
        for area in &mut self.areas {
            area.ways.sort_by_key(|way| way.to);
        }
        let ridings = self.areas.iter().enumerate().filter(|(_, area)| area.yorkshire);
        self.yorkshire = ridings.fold(0, |set, (index, _)| set | 1 << index);
    }

    pub(super) fn found_cities(&mut self, areas: &Records<AreaRecord>, cities: &Records<CityRecord>) {
        for (index, city) in cities.iter().enumerate() {
            let area = areas.position(&city.area).unwrap_or(0);
            self.areas[area].city = Some(index as u8);
            if city.class == CityClass::London {
                self.london = area as u8;
            }
            self.cities.push(City {
                named: named(city, &city.name),
                class: city.class,
                size: city.size,
                area: area as u8,
                points: city.points,
                sympathy: city.sympathy.map(Side::seat),
                fortified: city.fortified,
                port: city.port,
                storm: city.storm,
                supply: city.supply,
                recruits: city.recruits,
                incomplete: city.incomplete,
                start: None,
            });
        }
    }

    pub(super) fn raise_blocks(&mut self, areas: &Records<AreaRecord>, blocks: &Records<BlockRecord>) {
        let everywhere = u64::MAX >> (64 - self.areas.len());
        for (index, block) in blocks.iter().enumerate() {
            let bit = 1u64 << index;
            let letter = block.home.map(|letter| letter as usize);
            let region = |letter: usize| self.region(letter);
            let home = match letter {
                Some(LONDON) => 1 << self.london | self.areas[usize::from(self.london)].near,
                Some(letter) => region(letter),
                None => everywhere,
            };
            let base = match letter {
                Some(LONDON) => 1 << self.london,
                _ => home,
            };
            self.of_side[block.side as usize] |= bit;
            match block.class {
                Class::Infantry => self.foot |= bit,
                Class::Cavalry => self.horse |= bit,
                Class::Artillery => self.guns |= bit,
            }
            match block.kind {
                Kind::Leader => self.leaders |= bit,
                Kind::RegionalLeader => self.regional_leaders |= bit,
                Kind::Regional => self.regional |= bit,
                Kind::Artillery => {}
            }
            let mine = |other: &&ContentRecord<BlockRecord>| {
                other.side == block.side
                    && (other.kind == Kind::Leader
                        || (other.kind == Kind::RegionalLeader && other.home == block.home))
            };
            let chaperones = blocks
                .iter()
                .enumerate()
                .filter(|(_, other)| block.kind == Kind::Regional && mine(other))
                .fold(0, |set, (other, _)| set | 1u64 << other);
            self.blocks.push(BlockDef {
                named: named(block, &block.name),
                side: block.side.seat(),
                class: block.class,
                rank: block.kind,
                letter,
                strength: block.strength,
                effectiveness: block.effectiveness,
                setup: areas.position(&block.setup).map_or(POOL, |area| area as u8),
                home,
                base,
                chaperones,
            });
        }
    }

    /// Areas of a Region.
    pub(super) fn region(&self, region: usize) -> u64 {
        let areas = self.areas.iter().enumerate().filter(|(_, area)| area.region == region);
        areas.fold(0, |set, (index, _)| set | 1 << index)
    }

    /// 4.21: who holds each City at the start.
    pub(super) fn hold_cities(&mut self) {
        for index in 0..self.cities.len() {
            let area = self.cities[index].area;
            let here = self.blocks.iter().find(|block| block.setup == area).map(|block| block.side);
            let held = here.or(self.areas[usize::from(area)].loyal).or(self.cities[index].sympathy);
            self.cities[index].start = held;
        }
    }
}

fn named<T>(record: &ContentRecord<T>, name: &str) -> Named {
    let (id, name) = (record.id.clone(), name.to_owned());
    Named { id, name, confidence: record.weakest(), levels: record.levels() }
}

pub(super) fn card_def(card: &ContentRecord<CardRecord>) -> CardDef {
    CardDef {
        named: named(card, &card.name),
        side: card.side.seat(),
        points: card.points,
        stage: card.stage,
        event: card.event,
        phase: card.phase,
        amount: card.amount.unwrap_or(1),
        counts: card.amount.is_some(),
        removed: card.removed,
    }
}

pub(super) fn stage_of(cards: &Records<CardRecord>, stage: Stage) -> [CardSet; 2] {
    [Side::Royalist, Side::Parliament].map(|side| {
        let at = cards.iter().enumerate().filter(|(_, card)| card.side == side && card.stage == stage);
        CardSet::of(at.map(|(index, _)| index as u16))
    })
}
