//! The map and the blocks, put together from their records.

use crate::content::{ContentRecord, Records};
use crate::deck::CardSet;
use crate::numbered::Listed;

use super::records::{
    AreaRecord, BlockRecord, BorderKind, BorderRecord, CardRecord, CityClass, CityRecord, Class, Kind,
    LimitsRecord, Side, Stage, SupplyRecord,
};
use super::things::{AreaId, AreaSet, BlockId, BlockSet, CityId, CrossingId, Place, RegionId};
use super::{Area, BlockDef, CardDef, City, Content, Named, Way};

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
                region: RegionId::new(area.region as usize),
                loyal: area.loyal.map(Side::seat),
                mountain: area.mountain,
                yorkshire: area.yorkshire,
                label: (area.label.lon, -area.label.lat),
                ways: Vec::new(),
                near: AreaSet::EMPTY,
                city: None,
                supply,
            });
        }
        for border in borders.iter() {
            let ends = [0, 1].map(|end| AreaId::new(areas.position(&border.between[end]).unwrap_or(0)));
            let limit = match border.kind {
                BorderKind::Open => u8::MAX,
                BorderKind::River => limits.river,
                BorderKind::Mountain => limits.mountain,
            };
            let confidence = border.levels().of_all(&["between", "kind"]);
            let [there, back] = [0, 1].map(|way| CrossingId::new(self.crossings.len() + way));
            for (from, to, out, back) in [(ends[0], ends[1], there, back), (ends[1], ends[0], back, there)] {
                self.crossings.push((from, to));
                let way = Way { to, kind: border.kind, limit, confidence, out, back };
                self.areas[from].ways.push(way);
                self.areas[from].near.insert(to);
            }
        }
        for area in &mut self.areas {
            area.ways.sort_by_key(|way| way.to);
        }
        self.yorkshire = AreaId::all(self).filter(|&area| self.areas[area].yorkshire).collect();
    }

    pub(super) fn found_cities(&mut self, areas: &Records<AreaRecord>, cities: &Records<CityRecord>) {
        for (index, city) in cities.iter().enumerate() {
            let area = AreaId::new(areas.position(&city.area).unwrap_or(0));
            self.areas[area].city = Some(CityId::new(index));
            if city.class == CityClass::London {
                self.london = area;
            }
            self.cities.push(City {
                named: named(city, &city.name),
                class: city.class,
                size: city.size,
                area,
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
        for (index, block) in blocks.iter().enumerate() {
            let one = BlockSet::one(BlockId::new(index));
            let letter = block.home.map(|letter| RegionId::new(letter as usize));
            let home = match letter {
                Some(RegionId::LONDON) => AreaSet::one(self.london) | self.areas[self.london].near,
                Some(letter) => self.region(letter),
                None => AreaId::all(self).collect(),
            };
            let base = match letter {
                Some(RegionId::LONDON) => AreaSet::one(self.london),
                _ => home,
            };
            self.of_side[block.side as usize] |= one;
            match block.class {
                Class::Infantry => self.foot |= one,
                Class::Cavalry => self.horse |= one,
                Class::Artillery => self.guns |= one,
            }
            match block.kind {
                Kind::Leader => self.leaders |= one,
                Kind::RegionalLeader => self.regional_leaders |= one,
                Kind::Regional => self.regional |= one,
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
                .map(|(other, _)| BlockId::new(other))
                .collect();
            self.blocks.push(BlockDef {
                named: named(block, &block.name),
                side: block.side.seat(),
                class: block.class,
                rank: block.kind,
                letter,
                strength: block.strength,
                effectiveness: block.effectiveness,
                setup: areas.position(&block.setup).map_or(Place::POOL, Place::new),
                home,
                base,
                chaperones,
            });
        }
    }

    /// Areas of a Region.
    pub(super) fn region(&self, region: RegionId) -> AreaSet {
        AreaId::all(self).filter(|&area| self.areas[area].region == region).collect()
    }

    /// 4.21: who holds each City at the start.
    pub(super) fn hold_cities(&mut self) {
        for city in CityId::all(self) {
            let area = self.cities[city].area;
            let here = self.blocks.iter().find(|block| block.setup == area.into()).map(|block| block.side);
            let held = here.or(self.areas[area].loyal).or(self.cities[city].sympathy);
            self.cities[city].start = held;
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
