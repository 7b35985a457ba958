//! The map, the blocks, the cards and the tables, read from content and checked.

use serde::Deserialize;

use crate::content::{Confidence, ContentError, ContentErrors, ContentFiles, Loader, Records};
use crate::deck::CardSet;
use crate::seat::Seat;

use super::state::{BLOCKS, EDGES, POOL};

/// The most Areas and Cities: with the pool they are places 0 to 63.
const AREAS_MAX: usize = 40;
const CITIES_MAX: usize = 16;
/// The most cards of both sides.
const CARDS_MAX: usize = 64;
/// Regions of the map; the London blocks' home is a sixth letter.
pub(super) const REGIONS: usize = 5;
/// The letter of the London blocks, and the entry of London's Recruitment Points.
pub(super) const LONDON: usize = 5;
/// The largest strength of a block.
const STRENGTH_MAX: u8 = 4;

const AREAS: &str = "areas.toml";
const BORDERS: &str = "borders.toml";
const CITIES: &str = "cities.toml";
const BLOCKS_FILE: &str = "blocks.toml";
const CARDS: &str = "cards.toml";
const TABLES: &str = "tables.toml";

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Side {
    Royalist,
    Parliament,
}

impl Side {
    const fn seat(self) -> Seat {
        Seat::new(self as u8)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Letter {
    North,
    Wales,
    Midlands,
    East,
    South,
    London,
}

#[derive(Deserialize)]
struct Label {
    lon: i32,
    lat: i32,
}

#[derive(Deserialize)]
struct AreaRecord {
    name: String,
    region: Letter,
    #[serde(default)]
    mountain: bool,
    loyal: Option<Side>,
    #[serde(default)]
    yorkshire: bool,
    label: Label,
}

/// What lies between two Areas.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BorderKind {
    Open,
    River,
    Mountain,
}

impl BorderKind {
    pub(super) const fn as_str(self) -> &'static str {
        ["open", "river", "mountain"][self as usize]
    }
}

#[derive(Deserialize)]
struct BorderRecord {
    between: [String; 2],
    kind: BorderKind,
}

#[derive(Deserialize)]
struct LimitsRecord {
    river: u8,
    mountain: u8,
}

/// How large a City is.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum CityClass {
    London,
    Major,
    Minor,
}

#[derive(Deserialize)]
struct CityRecord {
    name: String,
    class: CityClass,
    size: u8,
    area: String,
    points: u8,
    sympathy: Option<Side>,
    fortified: bool,
    port: bool,
    storm: u8,
    supply: u8,
    recruits: u8,
    #[serde(default)]
    incomplete: bool,
}

/// What a block fights as.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Class {
    Infantry,
    Cavalry,
    Artillery,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Leader,
    RegionalLeader,
    Regional,
    Artillery,
}

#[derive(Deserialize)]
struct BlockRecord {
    name: String,
    side: Side,
    class: Class,
    kind: Kind,
    home: Option<Letter>,
    strength: u8,
    effectiveness: u8,
    setup: String,
}

/// What a card does.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CardEvent {
    CampFever,
    Desertion,
    AdvantageousTerrain,
    DeterminedLastStand,
    Mining,
    TerrainDisfavoursCavalry,
    WellPositionedArtillery,
    QuartermasterGeneral,
    Recruitment,
    RecruitmentArtillery,
    FortificationOfLondon,
}

impl CardEvent {
    /// Whether it is enacted in the Operational Phase.
    pub(super) const fn operational(self) -> bool {
        matches!(
            self,
            Self::CampFever
                | Self::Desertion
                | Self::Recruitment
                | Self::RecruitmentArtillery
                | Self::FortificationOfLondon
        )
    }

    /// Whether it is given to an Area at the start of the Tactical Phase.
    pub(super) const fn tactical(self) -> bool {
        matches!(
            self,
            Self::AdvantageousTerrain
                | Self::DeterminedLastStand
                | Self::TerrainDisfavoursCavalry
                | Self::WellPositionedArtillery
        )
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PhaseName {
    Operational,
    Tactical,
    Supply,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Stage {
    Deck,
    YearEnd,
    Out,
}

#[derive(Deserialize)]
struct CardRecord {
    name: String,
    side: Side,
    points: u8,
    stage: Stage,
    event: Option<CardEvent>,
    phase: Option<PhaseName>,
    amount: Option<u8>,
    #[serde(default)]
    removed: bool,
}

#[derive(Deserialize)]
struct TurnRecord {
    name: String,
    year: u16,
}

#[derive(Deserialize)]
struct WithdrawalRecord {
    success: bool,
    loss: u8,
}

#[derive(Deserialize)]
struct BombardmentRecord {
    from: u8,
    breach: u8,
}

/// Who loses strength in a besieged City.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum AttritionCell {
    None,
    Cavalry,
    NonPort,
    CavalryOrNonPort,
    All,
}

#[derive(Deserialize)]
struct SiegeRecord {
    attrition: [AttritionCell; 6],
    surrender: [bool; 6],
}

#[derive(Deserialize)]
struct SupplyRecord {
    blocks: u8,
    cavalry: u8,
    mountain_blocks: u8,
    mountain_cavalry: u8,
}

#[derive(Deserialize)]
struct VictoryRecord {
    start: u8,
    major: u8,
}

#[derive(Deserialize)]
struct DealRecord {
    cards: u8,
    discards: u8,
}

/// Something with an id, a name and a badge.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) badge: Confidence,
}

/// A way across a border.
#[derive(Copy, Clone, Debug)]
pub(super) struct Way {
    pub(super) to: u8,
    pub(super) kind: BorderKind,
    /// The most blocks across it where a limit applies.
    pub(super) limit: u8,
    /// Its number among the directed borders: from here to `to`.
    pub(super) out: u8,
    /// The number of the way back.
    pub(super) back: u8,
}

/// An Area.
#[derive(Debug)]
pub(super) struct Area {
    pub(super) named: Named,
    pub(super) region: usize,
    pub(super) loyal: Option<Seat>,
    pub(super) yorkshire: bool,
    pub(super) label: (i32, i32),
    pub(super) ways: Vec<Way>,
    /// Its neighbours, a bit an Area.
    pub(super) near: u64,
    /// Its City, by index.
    pub(super) city: Option<u8>,
    /// What it supplies, and how many of it as Cavalry.
    pub(super) supply: (u8, u8),
}

/// A City.
#[derive(Debug)]
pub(super) struct City {
    pub(super) named: Named,
    pub(super) class: CityClass,
    pub(super) size: u8,
    pub(super) area: u8,
    pub(super) points: u8,
    pub(super) sympathy: Option<Seat>,
    pub(super) fortified: bool,
    pub(super) port: bool,
    pub(super) storm: u8,
    pub(super) supply: u8,
    pub(super) recruits: u8,
    pub(super) incomplete: bool,
    /// Who holds it at the start.
    pub(super) start: Option<Seat>,
}

/// A block's printed half.
#[derive(Debug)]
pub(super) struct BlockDef {
    pub(super) named: Named,
    pub(super) side: Seat,
    pub(super) class: Class,
    pub(super) strength: u8,
    pub(super) effectiveness: u8,
    /// Its place at the start.
    pub(super) setup: u8,
    /// Its Home Region, a bit an Area: everywhere for blocks without one.
    pub(super) home: u64,
    /// Where it may be deployed and returns to.
    pub(super) base: u64,
    /// Who may take it out of its Home Region, a bit a block.
    pub(super) chaperones: u64,
}

/// A card.
#[derive(Debug)]
pub(super) struct CardDef {
    pub(super) named: Named,
    pub(super) side: Seat,
    pub(super) points: u8,
    pub(super) event: Option<CardEvent>,
    pub(super) amount: u8,
    pub(super) removed: bool,
}

/// The game's numbers and names.
#[derive(Debug)]
pub(super) struct Content {
    pub(super) areas: Vec<Area>,
    pub(super) cities: Vec<City>,
    pub(super) blocks: Vec<BlockDef>,
    pub(super) cards: Vec<CardDef>,
    /// The directed borders: from, to.
    pub(super) edges: Vec<(u8, u8)>,
    pub(super) turns: Vec<(String, u16)>,
    pub(super) withdrawal: Vec<(bool, u8)>,
    bombardment: Vec<(u8, u8)>,
    siege: Vec<([AttritionCell; 6], [bool; 6])>,
    pub(super) start_points: u8,
    pub(super) major: u8,
    pub(super) deal: u8,
    pub(super) discards: u8,
    /// Cards of the first year, and those that join for the second, by side.
    pub(super) first_deck: [CardSet; 2],
    pub(super) second_deck: [CardSet; 2],
    /// The Area of London.
    pub(super) london: u8,
    /// Blocks of each side and kind, a bit a block.
    pub(super) of_side: [u64; 2],
    pub(super) horse: u64,
    pub(super) foot: u64,
    pub(super) guns: u64,
    pub(super) regional: u64,
    pub(super) regional_leaders: u64,
    pub(super) leaders: u64,
    /// Areas of Yorkshire.
    pub(super) yorkshire: u64,
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
                cards: cards.iter().map(|card| card_def(&card.id, card.badge(), card)).collect(),
                edges: Vec::new(),
                turns: turns.iter().map(|turn| (turn.name.clone(), turn.year)).collect(),
                withdrawal: withdrawal.iter().map(|row| (row.success, row.loss)).collect(),
                bombardment: bombardment.iter().map(|row| (row.from, row.breach)).collect(),
                siege: siege.iter().map(|row| (row.attrition, row.surrender)).collect(),
                start_points: victory.as_deref()?.start,
                major: victory.as_deref()?.major,
                deal: deal.as_deref()?.cards,
                discards: deal.as_deref()?.discards,
                first_deck: stage_of(&cards, Stage::Deck),
                second_deck: stage_of(&cards, Stage::YearEnd),
                london: 0,
                of_side: [0; 2],
                horse: 0,
                foot: 0,
                guns: 0,
                regional: 0,
                regional_leaders: 0,
                leaders: 0,
                yorkshire: 0,
            };
            content.draw_map(&areas, &borders, limits.as_deref()?, supply.as_deref()?);
            content.found_cities(&areas, &cities);
            content.raise_blocks(&areas, &blocks);
            content.hold_cities();
            Some(content)
        })
    }

    fn draw_map(
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
                named: named(&area.id, &area.name, area.badge()),
                region: area.region as usize,
                loyal: area.loyal.map(Side::seat),
                yorkshire: area.yorkshire,
                // A degree of longitude is about six tenths of one of latitude here.
                label: (area.label.lon * 3 / 5, -area.label.lat),
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
            let edge = self.edges.len() as u8;
            for (from, to, out, back) in
                [(ends[0], ends[1], edge, edge + 1), (ends[1], ends[0], edge + 1, edge)]
            {
                self.edges.push((from as u8, to as u8));
                let way = Way { to: to as u8, kind: border.kind, limit, out, back };
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

    fn found_cities(&mut self, areas: &Records<AreaRecord>, cities: &Records<CityRecord>) {
        for (index, city) in cities.iter().enumerate() {
            let area = areas.position(&city.area).unwrap_or(0);
            self.areas[area].city = Some(index as u8);
            if city.class == CityClass::London {
                self.london = area as u8;
            }
            self.cities.push(City {
                named: named(&city.id, &city.name, city.badge()),
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

    fn raise_blocks(&mut self, areas: &Records<AreaRecord>, blocks: &Records<BlockRecord>) {
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
            let mine = |other: &&crate::content::Record<BlockRecord>| {
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
                named: named(&block.id, &block.name, block.badge()),
                side: block.side.seat(),
                class: block.class,
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
    fn hold_cities(&mut self) {
        for index in 0..self.cities.len() {
            let area = self.cities[index].area;
            let here = self.blocks.iter().find(|block| block.setup == area).map(|block| block.side);
            let held = here.or(self.areas[usize::from(area)].loyal).or(self.cities[index].sympathy);
            self.cities[index].start = held;
        }
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
    pub(super) fn way(&self, from: u8, to: u8) -> Option<&Way> {
        self.areas.get(usize::from(from))?.ways.iter().find(|way| way.to == to)
    }

    /// The place of a City.
    pub(super) fn city_place(&self, city: u8) -> u8 {
        self.areas.len() as u8 + city
    }

    /// The City of a place, if it is one.
    pub(super) fn city_at(&self, place: u8) -> Option<u8> {
        place.checked_sub(self.areas.len() as u8).filter(|city| usize::from(*city) < self.cities.len())
    }

    /// The Area that a place is or lies in; `None` for the pool.
    pub(super) fn area_of(&self, place: u8) -> Option<u8> {
        if usize::from(place) < self.areas.len() {
            return Some(place);
        }
        self.city_at(place).map(|city| self.cities[usize::from(city)].area)
    }

    /// How many places the map has.
    pub(super) fn places(&self) -> usize {
        self.areas.len() + self.cities.len()
    }

    /// Infantry and Cavalry.
    pub(super) const fn field(&self) -> u64 {
        self.horse | self.foot
    }

    /// Whether a block is a Regional block and this Area is outside its Home Region.
    pub(super) fn abroad(&self, block: usize, area: u8) -> bool {
        self.regional >> block & 1 != 0 && self.blocks[block].home >> area & 1 == 0
    }
}

fn named(id: &str, name: &str, badge: Confidence) -> Named {
    Named { id: id.to_owned(), name: name.to_owned(), badge }
}

fn card_def(id: &str, badge: Confidence, card: &CardRecord) -> CardDef {
    CardDef {
        named: named(id, &card.name, badge),
        side: card.side.seat(),
        points: card.points,
        event: card.event,
        amount: card.amount.unwrap_or(1),
        removed: card.removed,
    }
}

fn stage_of(cards: &Records<CardRecord>, stage: Stage) -> [CardSet; 2] {
    [Side::Royalist, Side::Parliament].map(|side| {
        let at = cards.iter().enumerate().filter(|(_, card)| card.side == side && card.stage == stage);
        CardSet::of(at.map(|(index, _)| index as u16))
    })
}

fn check_map(
    load: &mut Loader<'_>,
    areas: &Records<AreaRecord>,
    borders: &Records<BorderRecord>,
    cities: &Records<CityRecord>,
) {
    if !(2..=AREAS_MAX).contains(&areas.len()) || areas.iter().any(|area| area.region == Letter::London) {
        let what = format!("2 to {AREAS_MAX} Areas are needed, each in one of the five Regions");
        load.report(ContentError::file(AREAS, what));
    }
    if 2 * borders.len() > EDGES {
        load.report(ContentError::file(BORDERS, format!("at most {} borders", EDGES / 2)));
    }
    for (index, border) in borders.iter().enumerate() {
        let same = |other: &BorderRecord| border.between.iter().all(|end| other.between.contains(end));
        if border.between[0] == border.between[1] || borders.iter().take(index).any(|other| same(other)) {
            let name = borders.name_of(&border.id);
            load.report(ContentError::field(BORDERS, &name, "between", "two Areas, and each pair once"));
        }
    }
    if cities.len() > CITIES_MAX || cities.iter().filter(|c| c.class == CityClass::London).count() != 1 {
        let what = format!("at most {CITIES_MAX} Cities, one of them London");
        load.report(ContentError::file(CITIES, what));
    }
    for (index, city) in cities.iter().enumerate() {
        let name = cities.name_of(&city.id);
        if cities.iter().take(index).any(|other| other.area == city.area) {
            load.report(ContentError::field(CITIES, &name, "area", "an Area has at most one City"));
        }
        if city.size == 0 || city.size > 8 || (city.points > 0) != city.sympathy.is_some() {
            let what = "sizes are 1 to 8, and Victory Cities alone have points and sympathy";
            load.report(ContentError::record(CITIES, &name, what));
        }
        if city.fortified != (city.storm > 0) {
            load.report(ContentError::field(CITIES, &name, "storm", "above 0 for Fortified Cities alone"));
        }
    }
}

fn check_blocks(load: &mut Loader<'_>, blocks: &Records<BlockRecord>) {
    if blocks.len() > BLOCKS {
        load.report(ContentError::file(BLOCKS_FILE, format!("at most {BLOCKS} blocks")));
    }
    for block in blocks.iter() {
        let name = blocks.name_of(&block.id);
        if !(1..=STRENGTH_MAX).contains(&block.strength) || block.effectiveness > 6 {
            let what = format!("strength is 1 to {STRENGTH_MAX}, effectiveness 0 to 6");
            load.report(ContentError::record(BLOCKS_FILE, &name, what));
        }
        if matches!(block.kind, Kind::Regional | Kind::RegionalLeader) != block.home.is_some()
            || (block.kind == Kind::RegionalLeader && block.home == Some(Letter::London))
        {
            let what = "Regional blocks and Regional Leaders have a home, the others none";
            load.report(ContentError::field(BLOCKS_FILE, &name, "home", what));
        }
        if (block.kind == Kind::Artillery) != (block.class == Class::Artillery) {
            let what = "artillery is a kind and a class of its own";
            load.report(ContentError::field(BLOCKS_FILE, &name, "kind", what));
        }
    }
}

fn check_cards(load: &mut Loader<'_>, cards: &Records<CardRecord>, deal: Option<&DealRecord>) {
    if cards.len() > CARDS_MAX {
        load.report(ContentError::file(CARDS, format!("at most {CARDS_MAX} cards")));
    }
    for card in cards.iter() {
        let name = cards.name_of(&card.id);
        let phase = |event: CardEvent| match event {
            _ if event.operational() => PhaseName::Operational,
            CardEvent::QuartermasterGeneral => PhaseName::Supply,
            _ => PhaseName::Tactical,
        };
        if card.event.map(phase) != card.phase {
            load.report(ContentError::field(CARDS, &name, "phase", "the phase of its event"));
        }
        if card.points == 0 || card.points > 9 || card.amount.unwrap_or(1) > 6 {
            load.report(ContentError::record(CARDS, &name, "points are 1 to 9, amounts at most 6"));
        }
    }
    let Some(deal) = deal else { return };
    let enough = stage_of(cards, Stage::Deck).iter().all(|deck| deck.len() >= usize::from(deal.cards));
    if !enough || deal.cards != 6 || deal.discards != 4 {
        let what = "six cards are dealt and four discarded, and each deck must have as many";
        load.report(ContentError::record(TABLES, "deal", what));
    }
}

fn check_tables(
    load: &mut Loader<'_>,
    turns: &Records<TurnRecord>,
    withdrawal: &Records<WithdrawalRecord>,
    bombardment: &Records<BombardmentRecord>,
    siege: &Records<SiegeRecord>,
) {
    let years: Vec<u16> = turns.iter().map(|turn| turn.year).collect();
    if years != [1642, 1642, 1643, 1643, 1643, 1643, 1643, 1643] {
        load.report(ContentError::file(TABLES, "two turns of 1642 and six of 1643 are needed"));
    }
    if withdrawal.len() != 6 || withdrawal.iter().any(|row| row.loss > 9) {
        load.report(ContentError::file(TABLES, "six results of withdrawal, with a loss of at most 9"));
    }
    if bombardment.is_empty() || bombardment.iter().any(|row| row.from == 0 || row.breach > 7) {
        load.report(ContentError::file(TABLES, "rows of bombardment begin at 1 or more"));
    }
    if !(1..=9).contains(&siege.len()) {
        load.report(ContentError::file(TABLES, "one to nine rows of sieges"));
    }
}
