//! Leaders: Generals with their ratings, and Local Notables (8.0, 13.0).

use serde::Deserialize;

use crate::content::{ContentError, ContentRecord, Loader, Records};
use crate::numbered::Numbered;
use crate::seat::Seat;

use super::brigades::Faction;
use super::ids::{
    AreaId, FortressId, GeneralId, GeneralSet, LeaderId, NotableId, NotableSet, RegionSet, TurnId,
};
use super::map::{self, AreaShape};
use super::names::{Field, Names, Side};
use super::{GENERALS, NOTABLES, Named, TURNS};

/// The way in which a General comes into the game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// At the start, in an Area, with the Brigades of its stack in the set-up (4.2).
    Area(AreaId),
    /// At the start, in their side's Reinforcements Box (4.2).
    Reinforcements,
    /// From the Turn Record Track, at the start of a Turn (4.4, 5.1).
    Turn(TurnId),
    /// By a card's event (4.4).
    Event,
}

/// A General (8.0).
#[derive(Debug)]
pub struct General {
    /// Their id and name.
    pub named: Named,
    /// The seat that they serve.
    pub side: Seat,
    /// The faction that they lead: Covenanter and Lorrainer Brigades have Generals of their own (8.3).
    pub faction: Faction,
    /// Their Strategy Rating against the number of a card (6.1), 1 to 3; less is better.
    pub activation: u8,
    /// Their Strategy Rating for all else, such as Interception and Evasion: above `activation` of a General of 2/3* (2.2).
    pub strategy: u8,
    /// Their Battle Rating, 0 to 3 (10.2).
    pub battle: u8,
    /// The Regions of a Regional General; none of a Field General (2.2).
    pub regions: RegionSet,
    /// Their level of subordination, 1 (highest) to 4 (9.5).
    pub level: u8,
    /// The most Brigades of an Army under them (8.4).
    pub limit: u8,
    /// True of one who may Assault at once, with too little a Bombardment Value (14.5).
    pub assaults: bool,
    /// How they come into the game.
    pub arrival: Arrival,
}

impl General {
    /// Returns whether they are a Regional General.
    #[must_use]
    pub const fn is_regional(&self) -> bool {
        !self.regions.is_empty()
    }
}

/// A Local Notable (13.0).
#[derive(Debug)]
pub struct Notable {
    /// Their id and name.
    pub named: Named,
    /// The seat that they serve.
    pub side: Seat,
    /// Their Area, which is a Fortress while they are in play.
    pub area: AreaId,
    /// That Fortress.
    pub fortress: FortressId,
    /// True of one who is on the map at the start (4.2); the others come by event.
    pub at_start: bool,
    /// The most Brigades on their Command Display (13.0).
    pub limit: u8,
}

/// Generals of whom the rules speak by name.
#[derive(Copy, Clone, Debug)]
pub struct People {
    /// King Charles, whose Surrender ends the game (17.1).
    pub king: GeneralId,
    /// Prince Rupert (6.6).
    pub rupert: GeneralId,
    /// Newcastle, of the optional rule 18.4.
    pub newcastle: GeneralId,
    /// Langdale, who takes his place there.
    pub langdale: GeneralId,
    /// Charles of Lorraine (6.6).
    pub lorraine: GeneralId,
    /// Essex (9.5, 18.5).
    pub essex: GeneralId,
    /// Waller (6.5, 9.5).
    pub waller: GeneralId,
    /// Manchester, of the optional rule 18.3.
    pub manchester: GeneralId,
    /// Tom Fairfax's Northern counter (6.5).
    pub tom_fairfax: GeneralId,
    /// The Lord General, who takes its place (6.5).
    pub lord_general: GeneralId,
    /// Cromwell (6.5).
    pub cromwell: GeneralId,
    /// Poyntz (6.5).
    pub poyntz: GeneralId,
    /// Leven (6.5).
    pub leven: GeneralId,
    /// Callander (6.5).
    pub callander: GeneralId,
    /// Willoughby, whose display takes Brigades by the optional rule 18.3.
    pub willoughby: NotableId,
}

/// The file of Leaders.
const FILE: &str = "leaders.toml";

/// The way in which a General comes into the game, as it is written.
#[derive(Copy, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ArrivalWord {
    SetUp,
    Reinforcements,
    Track,
    Event,
}

#[derive(Deserialize)]
struct GeneralRecord {
    name: String,
    side: Side,
    faction: Faction,
    activation: u8,
    strategy: u8,
    battle: u8,
    #[serde(default)]
    regions: Vec<String>,
    level: u8,
    limit: u8,
    #[serde(default)]
    assaults: bool,
    arrival: ArrivalWord,
    turn: Option<u8>,
}

#[derive(Deserialize)]
struct NotableRecord {
    name: String,
    side: Side,
    area: String,
    #[serde(default)]
    at_start: bool,
    limit: u8,
}

#[derive(Deserialize)]
struct PeopleRecord {
    king: String,
    rupert: String,
    newcastle: String,
    langdale: String,
    lorraine: String,
    essex: String,
    waller: String,
    manchester: String,
    tom_fairfax: String,
    lord_general: String,
    cromwell: String,
    poyntz: String,
    leven: String,
    callander: String,
    willoughby: String,
}

/// The Leaders as they were read; faults are with the loader.
pub(super) struct Read {
    /// Generals by id.
    pub(super) general_names: Names,
    /// Local Notables by id.
    pub(super) notable_names: Names,
    /// Generals; `Arrival::Area` still without their Area.
    pub(super) generals: Vec<General>,
    /// Local Notables; their Fortress is not known yet.
    pub(super) notables: Vec<Notable>,
    /// Those whom the rules name.
    pub(super) people: Option<People>,
}

impl Read {
    pub(super) fn of(load: &mut Loader<'_>, map: &map::Read) -> Self {
        let generals = load.records::<GeneralRecord>(FILE, "general");
        let notables = load.records::<NotableRecord>(FILE, "notable");
        for (what, count, needed) in
            [("Generals", generals.len(), GENERALS), ("Local Notables", notables.len(), NOTABLES)]
        {
            if count != needed {
                load.report(ContentError::file(
                    FILE,
                    format!("{needed} {what} are needed, there are {count}"),
                ));
            }
        }
        let mut read = Self {
            general_names: Names::of(&generals, GENERALS),
            notable_names: Names::of(&notables, NOTABLES),
            generals: generals.iter().map(|record| read_general(load, &generals, record)).collect(),
            notables: Vec::new(),
            people: None,
        };
        for record in &notables {
            read.notable(load, &notables, record, map);
        }
        for (index, area) in map.areas.iter().enumerate() {
            let here = read.notables.iter().filter(|notable| notable.area == AreaId::new(index)).count();
            if here != usize::from(area.shape == AreaShape::LocalNotable) {
                let name = format!("area {}", area.named.id);
                let what =
                    format!("{here} Local Notables: one is needed in such an Area, and none elsewhere");
                load.report(ContentError::field("areas.toml", &name, "shape", what));
            }
        }
        for general in read.generals.iter().filter(|one| read.notable_names.has(&one.named.id)) {
            let name = format!("general {}", general.named.id);
            load.report(ContentError::field(FILE, &name, "id", "a Local Notable has this id"));
        }
        read.people = read.read_people(load);
        read
    }

    fn notable(
        &mut self,
        load: &mut Loader<'_>,
        records: &Records<NotableRecord>,
        record: &ContentRecord<NotableRecord>,
        map: &map::Read,
    ) {
        let name = records.name_of(&record.id);
        let field = |path| Field { file: FILE, record: &name, path };
        let area = map.names.find(load, field("area"), &record.area).unwrap_or_default();
        self.notables.push(Notable {
            named: Named::of(record, &*record.name),
            side: record.side.seat(),
            area,
            fortress: FortressId::default(),
            at_start: record.at_start,
            limit: field("limit").within(load, record.limit, (1, LIMIT_MAX)),
        });
    }

    fn read_people(&self, load: &mut Loader<'_>) -> Option<People> {
        let record = load.record::<PeopleRecord>(FILE, "people")?;
        let mut named = GeneralSet::EMPTY;
        let mut general = |load: &mut Loader<'_>, path, id: &str, faction: Faction, by_event: bool| {
            let field = Field { file: FILE, record: "people", path };
            let general = self.general_names.find::<GeneralId>(load, field, id).unwrap_or_default();
            let Some(one) = self.generals.get(general.index()) else { return general };
            if one.faction != faction || named.contains(general) {
                field.fault(
                    load,
                    format!("{id}: a General of {} whom no other field names", faction.as_str()),
                );
            }
            if by_event && one.arrival != Arrival::Event {
                field.fault(load, format!("{id}: a General who arrives by event"));
            }
            named.insert(general);
            general
        };
        let (royalist, parliament) = (Faction::Royalist, Faction::Parliament);
        let willoughby = Field { file: FILE, record: "people", path: "willoughby" };
        Some(People {
            king: general(load, "king", &record.king, royalist, false),
            rupert: general(load, "rupert", &record.rupert, royalist, false),
            newcastle: general(load, "newcastle", &record.newcastle, royalist, false),
            langdale: general(load, "langdale", &record.langdale, royalist, false),
            lorraine: general(load, "lorraine", &record.lorraine, Faction::Lorrainer, true),
            essex: general(load, "essex", &record.essex, parliament, false),
            waller: general(load, "waller", &record.waller, parliament, false),
            manchester: general(load, "manchester", &record.manchester, parliament, false),
            tom_fairfax: general(load, "tom_fairfax", &record.tom_fairfax, parliament, false),
            lord_general: general(load, "lord_general", &record.lord_general, parliament, true),
            cromwell: general(load, "cromwell", &record.cromwell, parliament, true),
            poyntz: general(load, "poyntz", &record.poyntz, parliament, true),
            leven: general(load, "leven", &record.leven, Faction::Covenanter, true),
            callander: general(load, "callander", &record.callander, Faction::Covenanter, true),
            willoughby: self.notable_names.find(load, willoughby, &record.willoughby).unwrap_or_default(),
        })
    }

    /// The Leader of an id, a General or a Local Notable; a fault of the field if there is none.
    pub(super) fn leader(&self, load: &mut Loader<'_>, field: Field<'_>, id: &str) -> Option<LeaderId> {
        let notable = self.notable_names.get::<NotableId>(id).map(LeaderId::from);
        let found = self.general_names.get::<GeneralId>(id).map(LeaderId::from).or(notable);
        if found.is_none() {
            field.fault(load, format!("there is no general or notable {id}"));
        }
        found
    }

    /// The seat of a Leader.
    pub(super) fn side(&self, leader: LeaderId) -> Option<Seat> {
        let general = leader.general().and_then(|general| self.generals.get(general.index()));
        let notable = leader.notable().and_then(|notable| self.notables.get(notable.index()));
        general.map(|general| general.side).or(notable.map(|notable| notable.side))
    }
}

fn read_general(
    load: &mut Loader<'_>,
    records: &Records<GeneralRecord>,
    record: &ContentRecord<GeneralRecord>,
) -> General {
    let name = records.name_of(&record.id);
    let field = |path| Field { file: FILE, record: &name, path };
    let led = [Faction::Royalist, Faction::Lorrainer, Faction::Parliament, Faction::Covenanter];
    if record.faction.seat() != record.side.seat() || !led.contains(&record.faction) {
        field("faction")
            .fault(load, "a faction of their side: royalist, lorrainer, parliament or covenanter");
    }
    if (record.arrival == ArrivalWord::Track) != record.turn.is_some() {
        field("turn").fault(load, "those who arrive from the track have a turn, the others none");
    }
    let turn = field("turn").within(load, record.turn.unwrap_or(1), (1, TURNS as u8));
    General {
        named: Named::of(record, &*record.name),
        side: record.side.seat(),
        faction: record.faction,
        activation: field("activation").within(load, record.activation, (1, 3)),
        strategy: field("strategy").within(load, record.strategy, (record.activation.clamp(1, 3), 3)),
        battle: field("battle").within(load, record.battle, (0, 9)),
        regions: field("regions").regions(load, &record.regions),
        level: field("level").within(load, record.level, (1, 4)),
        limit: field("limit").within(load, record.limit, (1, LIMIT_MAX)),
        assaults: record.assaults,
        arrival: match record.arrival {
            ArrivalWord::SetUp => Arrival::Area(AreaId::default()),
            ArrivalWord::Reinforcements => Arrival::Reinforcements,
            ArrivalWord::Track => Arrival::Turn(<TurnId as Numbered>::new(usize::from(turn) - 1)),
            ArrivalWord::Event => Arrival::Event,
        },
    }
}

/// The most Brigades under a Leader.
const LIMIT_MAX: u8 = 9;

/// The Generals of a seat.
pub(super) fn generals_of(generals: &[General], seat: Seat) -> GeneralSet {
    let of = generals.iter().enumerate().filter(|(_, general)| general.side == seat);
    of.map(|(index, _)| GeneralId::new(index)).collect()
}

/// The Local Notables of a seat.
pub(super) fn notables_of(notables: &[Notable], seat: Seat) -> NotableSet {
    let of = notables.iter().enumerate().filter(|(_, notable)| notable.side == seat);
    of.map(|(index, _)| NotableId::new(index)).collect()
}
