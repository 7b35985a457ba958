//! The map, the blocks, the cards and the tables, read from content and checked.

mod build;
mod check;
mod records;
pub(super) mod things;

use crate::content::{Confidence, ContentError, ContentErrors, ContentFiles, ContentRecord, Levels, Loader};
use crate::deck::CardSet;
use crate::reference::Location;
use crate::seat::Seat;

use build::{card_def, stage_of};
pub(super) use check::AREAS_MAX;
use check::{check_blocks, check_cards, check_map, check_tables};
use records::{
    AreaRecord, BlockRecord, BombardmentRecord, BorderRecord, CardRecord, CityRecord, DealRecord,
    LimitsRecord, SiegeRecord, SupplyRecord, TurnRecord, VictoryRecord, WithdrawalRecord,
};
pub(super) use records::{AttritionCell, BorderKind, CardEvent, CityClass, Class, Kind, PhaseName, Stage};
use things::{AreaId, AreaSet, BlockId, BlockSet, CityId, CrossingId, Place, RegionId};

/// Regions of the map; the London blocks' home is a sixth letter.
pub(super) const REGIONS: usize = 5;

const AREAS: &str = "areas.toml";
const BORDERS: &str = "borders.toml";
const CITIES: &str = "cities.toml";
const BLOCKS_FILE: &str = "blocks.toml";
const CARDS: &str = "cards.toml";
const TABLES: &str = "tables.toml";

/// Something with an id, a name and a confidence; how sure each field of its record is.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) confidence: Confidence,
    pub(super) levels: Levels,
}

/// How sure the numbers of the tables are.
#[derive(Debug)]
pub(super) struct TableLevels {
    pub(super) turns: Vec<Levels>,
    pub(super) withdrawal: Vec<Levels>,
    pub(super) bombardment: Vec<Levels>,
    pub(super) siege: Vec<Levels>,
    pub(super) limits: Levels,
    pub(super) supply: Levels,
    pub(super) victory: Levels,
    pub(super) deal: Levels,
}

/// A way across a border.
#[derive(Copy, Clone, Debug)]
pub(super) struct Way {
    pub(super) to: AreaId,
    pub(super) kind: BorderKind,
    /// The most blocks across it where a limit applies.
    pub(super) limit: u8,
    /// How sure it is that there is a border, and of this kind.
    pub(super) confidence: Confidence,
    /// From here to `to`.
    pub(super) out: CrossingId,
    /// The way back.
    pub(super) back: CrossingId,
}

/// An Area.
#[derive(Debug)]
pub(super) struct Area {
    pub(super) named: Named,
    pub(super) region: RegionId,
    pub(super) loyal: Option<Seat>,
    pub(super) mountain: bool,
    pub(super) yorkshire: bool,
    /// Where its name goes: east and south, in hundredths of a degree.
    pub(super) label: (i32, i32),
    pub(super) ways: Vec<Way>,
    /// Its neighbours.
    pub(super) near: AreaSet,
    pub(super) city: Option<CityId>,
    /// Number of blocks that it supplies, and number of them that may be Cavalry.
    pub(super) supply: (u8, u8),
}

/// A City.
#[derive(Debug)]
pub(super) struct City {
    pub(super) named: Named,
    pub(super) class: CityClass,
    pub(super) size: u8,
    pub(super) area: AreaId,
    pub(super) points: u8,
    pub(super) sympathy: Option<Seat>,
    pub(super) fortified: bool,
    pub(super) port: bool,
    pub(super) storm: u8,
    pub(super) supply: u8,
    pub(super) recruits: u8,
    pub(super) incomplete: bool,
    /// Seat that holds it at the start.
    pub(super) start: Option<Seat>,
}

/// A block's printed half.
#[derive(Debug)]
pub(super) struct BlockDef {
    pub(super) named: Named,
    pub(super) side: Seat,
    pub(super) class: Class,
    pub(super) rank: Kind,
    /// The letter of its Home Region.
    pub(super) letter: Option<RegionId>,
    pub(super) strength: u8,
    pub(super) effectiveness: u8,
    /// Its place at the start.
    pub(super) setup: Place,
    /// Its Home Region: everywhere for blocks without one.
    pub(super) home: AreaSet,
    /// Places where it may be deployed and to which it returns.
    pub(super) base: AreaSet,
    /// Blocks that may take it out of its Home Region.
    pub(super) chaperones: BlockSet,
}

/// A card.
#[derive(Debug)]
pub(super) struct CardDef {
    pub(super) named: Named,
    pub(super) side: Seat,
    pub(super) points: u8,
    pub(super) stage: Stage,
    pub(super) event: Option<CardEvent>,
    pub(super) phase: Option<PhaseName>,
    /// The number in its event; 1 where it has none.
    pub(super) amount: u8,
    /// Returns whether its event has a number.
    pub(super) counts: bool,
    pub(super) removed: bool,
}

/// The game's numbers and names.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) areas: Vec<Area>,
    pub(super) cities: Vec<City>,
    pub(super) blocks: Vec<BlockDef>,
    pub(super) cards: Vec<CardDef>,
    /// The borders, each way: from, to.
    pub(super) crossings: Vec<(AreaId, AreaId)>,
    pub(super) turns: Vec<(String, u16)>,
    pub(super) withdrawal: Vec<(bool, u8)>,
    pub(super) bombardment: Vec<(u8, u8)>,
    pub(super) siege: Vec<([AttritionCell; 6], [bool; 6])>,
    pub(super) levels: TableLevels,
    /// The most blocks across a river and across mountains.
    pub(super) limits: [u8; 2],
    pub(super) start_points: u8,
    pub(super) major: u8,
    pub(super) deal: u8,
    pub(super) discards: u8,
    /// Cards of the first year, and those that join for the second, by side.
    pub(super) first_deck: [CardSet; 2],
    pub(super) second_deck: [CardSet; 2],
    /// The Area of London.
    pub(super) london: AreaId,
    /// Blocks of each side and kind.
    pub(super) of_side: [BlockSet; 2],
    pub(super) horse: BlockSet,
    pub(super) foot: BlockSet,
    pub(super) guns: BlockSet,
    pub(super) regional: BlockSet,
    pub(super) regional_leaders: BlockSet,
    pub(super) leaders: BlockSet,
    /// Areas of Yorkshire.
    pub(super) yorkshire: AreaSet,
}

impl Content {
    pub(super) fn load(files: &ContentFiles) -> Result<Self, ContentErrors> {
        let mut load = Loader::new(files);
        let areas = load.records::<AreaRecord>(AREAS, "area");
        let borders = load.records::<BorderRecord>(BORDERS, "border");
        let limits = load.record::<LimitsRecord>(BORDERS, "limits");
        let cities = load.records::<CityRecord>(CITIES, "city");
        let blocks = load.records::<BlockRecord>(BLOCKS_FILE, "block");
        let cards = load.records::<CardRecord>(CARDS, "card");
        let turns = load.records::<TurnRecord>(TABLES, "turn");
        let withdrawal = load.records::<WithdrawalRecord>(TABLES, "withdrawal");
        let bombardment = load.records::<BombardmentRecord>(TABLES, "bombardment");
        let siege = load.records::<SiegeRecord>(TABLES, "siege");
        let supply = load.record::<SupplyRecord>(TABLES, "supply");
        let victory = load.record::<VictoryRecord>(TABLES, "victory");
        let deal = load.record::<DealRecord>(TABLES, "deal");
        load.check_references(&borders, "between", &areas, |border| {
            border.between.iter().map(String::as_str)
        });
        load.check_references(&cities, "area", &areas, |city| [city.area.as_str()]);
        load.check_references(&blocks, "setup", &areas, |block| {
            Some(block.setup.as_str()).filter(|setup| *setup != "pool")
        });
        check_map(&mut load, &areas, &borders, &cities);
        check_blocks(&mut load, &blocks);
        check_cards(&mut load, &cards, deal.as_deref());
        check_tables(&mut load, &turns, &withdrawal, &bombardment, &siege);
        if limits.as_deref().is_some_and(|limits| limits.river == 0 || limits.mountain == 0) {
            load.report(ContentError::record(BORDERS, "limits", "limits are at least 1"));
        }
        if supply.as_deref().is_some_and(|s| s.blocks.max(s.mountain_blocks) > 32) {
            load.report(ContentError::record(TABLES, "supply", "at most 32 blocks"));
        }
        load.finish(|| {
            let mut content = Self {
                areas: Vec::new(),
                cities: Vec::new(),
                blocks: Vec::new(),
                cards: cards.iter().map(card_def).collect(),
                crossings: Vec::new(),
                turns: turns.iter().map(|turn| (turn.name.clone(), turn.year)).collect(),
                withdrawal: withdrawal.iter().map(|row| (row.success, row.loss)).collect(),
                bombardment: bombardment.iter().map(|row| (row.from, row.breach)).collect(),
                siege: siege.iter().map(|row| (row.attrition, row.surrender)).collect(),
                levels: TableLevels {
                    turns: turns.iter().map(ContentRecord::levels).collect(),
                    withdrawal: withdrawal.iter().map(ContentRecord::levels).collect(),
                    bombardment: bombardment.iter().map(ContentRecord::levels).collect(),
                    siege: siege.iter().map(ContentRecord::levels).collect(),
                    limits: limits.as_ref()?.levels(),
                    supply: supply.as_ref()?.levels(),
                    victory: victory.as_ref()?.levels(),
                    deal: deal.as_ref()?.levels(),
                },
                limits: [limits.as_deref()?.river, limits.as_deref()?.mountain],
                start_points: victory.as_deref()?.start,
                major: victory.as_deref()?.major,
                deal: deal.as_deref()?.cards,
                discards: deal.as_deref()?.discards,
                first_deck: stage_of(&cards, Stage::Deck),
                second_deck: stage_of(&cards, Stage::YearEnd),
                london: AreaId::new(0),
                of_side: [BlockSet::EMPTY; 2],
                horse: BlockSet::EMPTY,
                foot: BlockSet::EMPTY,
                guns: BlockSet::EMPTY,
                regional: BlockSet::EMPTY,
                regional_leaders: BlockSet::EMPTY,
                leaders: BlockSet::EMPTY,
                yorkshire: AreaSet::EMPTY,
            };
            content.draw_map(&areas, &borders, limits.as_deref()?, supply.as_deref()?);
            content.found_cities(&areas, &cities);
            content.raise_blocks(&areas, &blocks);
            content.hold_cities();
            Some(content)
        })
    }
    /// A card.
    pub(super) fn card(&self, card: u16) -> &CardDef {
        &self.cards[usize::from(card)]
    }

    /// 8.3: the least roll that makes a breach with so much Artillery; `None` if there is too little.
    pub(super) fn breach(&self, strength: u32) -> Option<u8> {
        self.bombardment
            .iter()
            .filter(|(from, _)| u32::from(*from) <= strength)
            .max_by_key(|(from, _)| *from)
            .map(|&(_, breach)| breach)
    }

    /// 9.2: what a roll does to a City whose marker shows this.
    pub(super) fn siege(&self, marker: i8, die: u8) -> (AttritionCell, bool) {
        let row = &self.siege[(marker.max(1) as usize - 1).min(self.siege.len() - 1)];
        (row.0[usize::from(die) - 1], row.1[usize::from(die) - 1])
    }

    /// The greatest value of a Siege Marker.
    pub(super) fn marker_max(&self) -> i8 {
        self.siege.len() as i8
    }

    /// The way from one Area to another, if they touch.
    pub(super) fn way(&self, from: AreaId, to: AreaId) -> Option<&Way> {
        self.areas[from].ways.iter().find(|way| way.to == to)
    }

    /// The place of a City.
    pub(super) const fn city_place(&self, city: CityId) -> Place {
        Place::new(self.areas.len() + city.index())
    }

    /// The Area that a place is, if it is one.
    pub(super) fn as_area(&self, place: Place) -> Option<AreaId> {
        (place.index() < self.areas.len()).then(|| AreaId::new(place.index()))
    }

    /// The City of a place, if it is one.
    pub(super) fn city_at(&self, place: Place) -> Option<CityId> {
        let city = place.index().checked_sub(self.areas.len());
        city.filter(|&city| city < self.cities.len()).map(CityId::new)
    }

    /// The Area that a place is or lies in; `None` for the pool.
    pub(super) fn area_of(&self, place: Place) -> Option<AreaId> {
        self.as_area(place).or_else(|| self.city_at(place).map(|city| self.cities[city].area))
    }

    /// The Area that a location is, if it is one.
    pub(super) fn area_in(&self, at: Location) -> Option<AreaId> {
        Place::referred(self, at.into()).and_then(|place| self.as_area(place))
    }

    /// Returns the number of places of the map.
    pub(super) fn places(&self) -> usize {
        self.areas.len() + self.cities.len()
    }

    /// Infantry and Cavalry.
    pub(super) fn field(&self) -> BlockSet {
        self.horse | self.foot
    }

    /// Returns whether a block is a Regional block and this Area is outside its Home Region.
    pub(super) fn abroad(&self, block: BlockId, area: AreaId) -> bool {
        self.regional.contains(block) && !self.blocks[block].home.contains(area)
    }
}
