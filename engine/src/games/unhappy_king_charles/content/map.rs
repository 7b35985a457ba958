//! The map: Areas, the lines between them, Regions, Fortresses, economic infrastructures (2.1).

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::content::{ContentError, ContentRecord, Levels, Loader, Records};
use crate::seat::Seat;

use super::ids::{AreaId, AreaSet, FortressId, InfrastructureId, NotableId, RegionId, RegionSet};
use super::leaders::Notable;
use super::names::{Field, Names, REGION_IDS, Side};
use super::{AREAS, CLASS_MAX, FORTRESSES, INFRASTRUCTURES, LINE_KINDS, LINES, NOTABLES, Named, SPHERES};

/// The shape of an Area on the map (2.1).
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AreaShape {
    /// A circle: an ordinary Area.
    Standard,
    /// A diamond: the place of a Local Notable, a Fortress while that one is in play (13.0).
    LocalNotable,
    /// A pentagon: a Fortress with room for one Brigade that does not keep off Isolation (11.3, 14.1).
    LimitedFortress,
    /// A hexagon: a Fortress that keeps off Isolation (11.3).
    SupplyFortress,
}

impl AreaShape {
    /// All shapes, in order.
    pub const ALL: [Self; 4] =
        [Self::Standard, Self::LocalNotable, Self::LimitedFortress, Self::SupplyFortress];

    /// Its word in content and in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["standard", "local-notable", "limited-fortress", "supply-fortress"][self as usize]
    }

    /// Returns whether it is a Fortress whoever is there, a printed one.
    #[must_use]
    pub const fn is_fortress(self) -> bool {
        matches!(self, Self::LimitedFortress | Self::SupplyFortress)
    }
}

/// The kind of a movement line (9.3).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LineKind {
    /// A road.
    Road,
    /// A way over mountains, which hinders Interception and Evasion.
    Mountain,
    /// A way over water, for few Brigades, which serves neither Interception nor a chain against Isolation.
    Maritime,
}

impl LineKind {
    /// All kinds, in order: the index of what is kept by kind.
    pub const ALL: [Self; super::LINE_KINDS] = [Self::Road, Self::Mountain, Self::Maritime];

    /// Its word in content and in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["road", "mountain", "maritime"][self as usize]
    }
}

/// An Area.
#[derive(Debug)]
pub struct Area {
    /// Its id and name.
    pub named: Named,
    /// Its Region.
    pub region: RegionId,
    /// Its shape.
    pub shape: AreaShape,
    /// True of an Area with an anchor: a Port counts for events and Bombardment, never for movement (2.1).
    pub port: bool,
    /// The Fortress that it is; of a Local Notable's Area the one that it is while the Notable is in play (13.0).
    pub fortress: Option<FortressId>,
    /// The Local Notable whose Area it is.
    pub notable: Option<NotableId>,
    /// The economic infrastructure that it is part of (17.3).
    pub infrastructure: Option<InfrastructureId>,
    /// The side whose marker lies there at the start (4.3); `None` of a neutral Area.
    pub start: Option<Seat>,
    /// The Regions whose Brigades each seat may recruit there: its drummers (7.2).
    pub drummers: [RegionSet; 2],
    /// The place of its name: east and south, in hundredths of a degree.
    pub label: (i32, i32),
}

/// A movement line.
#[derive(Debug)]
pub struct Line {
    /// Its id, from the ids of both ends.
    pub id: String,
    /// Its ends, in the order of its record.
    pub between: [AreaId; 2],
    /// Its kind.
    pub kind: LineKind,
    /// How sure it is that there is a line, and of this kind: fields `between` and `kind`.
    pub levels: Levels,
}

/// A Region.
#[derive(Debug)]
pub struct Region {
    /// Its id and name.
    pub named: Named,
    /// Its letter on Brigades and Generals (2.2).
    pub letter: char,
    /// Its Areas.
    pub areas: AreaSet,
    /// The least number of markers that controls it (17.3).
    pub majority: u8,
}

/// A Fortress (14.0); a Local Notable's one only while they are in play.
#[derive(Debug)]
pub struct Fortress {
    /// Its Area.
    pub area: AreaId,
    /// The Local Notable who makes it one.
    pub notable: Option<NotableId>,
    /// Its class, 0 to 3: 0 of a Local Notable's one, which is besieged by as many Brigades as are inside (14.2).
    pub class: u8,
    /// Its Surrender Value: the Bombardment Points that make it Surrender (14.4).
    pub surrender: u8,
    /// The most Brigades inside (14.1; 13.0 of a Local Notable's one).
    pub room: u8,
    /// True of a Supply Fortress, which keeps off Isolation (11.3).
    pub supplies: bool,
}

/// An economic infrastructure (17.3).
#[derive(Debug)]
pub struct Infrastructure {
    /// Its id and name.
    pub named: Named,
    /// Its number in the rulebook's list, from 1.
    pub number: u8,
    /// Its Areas: one or several.
    pub areas: AreaSet,
}

/// The file of Regions, infrastructures and Areas.
const FILE: &str = "areas.toml";
/// The file of lines.
const LINES_FILE: &str = "lines.toml";

#[derive(Deserialize)]
struct RegionRecord {
    name: String,
    letter: char,
    majority: u8,
}

#[derive(Deserialize)]
struct InfrastructureRecord {
    name: String,
    number: u8,
}

#[derive(Deserialize)]
struct Label {
    lon: i16,
    lat: i16,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Drummers {
    #[serde(default)]
    royalist: Vec<String>,
    #[serde(default)]
    parliament: Vec<String>,
}

#[derive(Deserialize)]
struct AreaRecord {
    name: String,
    region: String,
    shape: AreaShape,
    class: Option<u8>,
    surrender: Option<u8>,
    #[serde(default)]
    port: bool,
    start: Option<Side>,
    #[serde(default)]
    drummers: Drummers,
    infrastructure: Option<String>,
    label: Label,
}

#[derive(Deserialize)]
struct LineRecord {
    between: [String; 2],
    kind: LineKind,
}

/// The map as it was read; faults are with the loader.
pub(super) struct Read {
    /// Areas by id.
    pub(super) names: Names,
    /// Areas, whose Fortress and Notable are not known yet.
    pub(super) areas: Vec<Area>,
    /// Class and Surrender Value of each Area that is a Fortress, by index.
    numbers: Vec<Option<(u8, u8)>>,
    regions: Vec<Region>,
    infrastructures: Vec<Infrastructure>,
    lines: Vec<Line>,
}

/// The map, put together.
pub(super) struct Finished {
    pub(super) areas: Vec<Area>,
    pub(super) lines: Vec<Line>,
    pub(super) regions: Vec<Region>,
    pub(super) fortresses: Vec<Fortress>,
    pub(super) infrastructures: Vec<Infrastructure>,
}

impl Read {
    pub(super) fn of(load: &mut Loader<'_>) -> Self {
        let regions = load.records::<RegionRecord>(FILE, "region");
        let infrastructures = load.records::<InfrastructureRecord>(FILE, "infrastructure");
        let areas = load.records::<AreaRecord>(FILE, "area");
        let lines = load.records::<LineRecord>(LINES_FILE, "line");
        let mut read = Self {
            names: Names::of(&areas, AREAS),
            areas: Vec::new(),
            numbers: Vec::new(),
            regions: read_regions(load, &regions),
            infrastructures: read_infrastructures(load, &infrastructures),
            lines: Vec::new(),
        };
        if areas.len() != AREAS {
            load.report(ContentError::file(
                FILE,
                format!("{AREAS} Areas are needed, there are {}", areas.len()),
            ));
        }
        let infrastructures = Names::of(&infrastructures, INFRASTRUCTURES);
        for record in &areas {
            read.area(load, &areas, record, &infrastructures);
        }
        if read.areas.iter().filter(|area| area.shape.is_fortress()).count() > FORTRESSES - NOTABLES {
            let what = format!("at most {} Fortresses beside the Local Notables", FORTRESSES - NOTABLES);
            load.report(ContentError::file(FILE, what));
        }
        read.gather(load);
        read.lines(load, &lines);
        read
    }

    fn area(
        &mut self,
        load: &mut Loader<'_>,
        areas: &Records<AreaRecord>,
        record: &ContentRecord<AreaRecord>,
        infrastructures: &Names,
    ) {
        let name = areas.name_of(&record.id);
        let field = |path| Field { file: FILE, record: &name, path };
        let region = field("region").region(load, &record.region).unwrap_or_default();
        let infrastructure = record.infrastructure.as_deref();
        let infrastructure =
            infrastructure.and_then(|id| infrastructures.find(load, field("infrastructure"), id));
        let numbers = record.class.zip(record.surrender);
        let fortress = record.shape != AreaShape::Standard;
        if (record.class.is_some(), record.surrender.is_some()) != (fortress, fortress) {
            let what =
                "Fortresses and Areas of Local Notables have a class and a Surrender Value, the others none";
            field("class").fault(load, what);
        }
        if let Some((class, surrender)) = numbers {
            let least = u8::from(record.shape != AreaShape::LocalNotable);
            field("class").within(load, class, (least, CLASS_MAX));
            field("surrender").within(load, surrender, (1, 99));
        }
        let label = (i32::from(record.label.lon), -i32::from(record.label.lat));
        field("label").within(load, label.0, (-18_000, 18_000));
        field("label").within(load, label.1, (-9_000, 9_000));
        let royalist = field("drummers.royalist").regions(load, &record.drummers.royalist);
        let parliament = field("drummers.parliament").regions(load, &record.drummers.parliament);
        self.numbers.push(numbers);
        self.areas.push(Area {
            named: Named::of(record, &*record.name),
            region,
            shape: record.shape,
            port: record.port,
            fortress: None,
            notable: None,
            infrastructure,
            start: record.start.map(Side::seat),
            drummers: [royalist, parliament],
            label,
        });
    }

    /// The class of a Fortress.
    pub(super) fn class(&self, area: AreaId) -> Option<u8> {
        self.numbers.get(area.index()).copied().flatten().map(|(class, _)| class)
    }

    /// Areas of the printed Fortresses, which are numbered in this order.
    pub(super) fn printed(&self) -> Vec<AreaId> {
        let printed = self.areas.iter().enumerate().take(AREAS).filter(|(_, area)| area.shape.is_fortress());
        printed.map(|(index, _)| AreaId::new(index)).collect()
    }

    /// Areas of some Regions.
    pub(super) fn areas_of(&self, regions: RegionSet) -> AreaSet {
        let found = regions.iter().filter_map(|region| self.regions.get(region.index()));
        found.fold(AreaSet::EMPTY, |areas, region| areas | region.areas)
    }

    /// The least number of lines between each two Areas.
    pub(super) fn distances(&self) -> Vec<[u8; AREAS]> {
        distances(&adjacent(&neighbours(&self.lines)))
    }

    /// Gives Regions and infrastructures their Areas.
    fn gather(&mut self, load: &mut Loader<'_>) {
        for (index, area) in self.areas.iter().enumerate().take(AREAS) {
            if let Some(region) = self.regions.get_mut(area.region.index()) {
                region.areas.insert(AreaId::new(index));
            }
            let infrastructure = area.infrastructure.map(InfrastructureId::index);
            if let Some(one) = infrastructure.and_then(|index| self.infrastructures.get_mut(index)) {
                one.areas.insert(AreaId::new(index));
            }
        }
        for region in &self.regions {
            if region.majority == 0 || u32::from(region.majority) > region.areas.count() {
                let what = format!("1 to {}, the number of its Areas", region.areas.count());
                let record = format!("region {}", region.named.id);
                Field { file: FILE, record: &record, path: "majority" }.fault(load, what);
            }
        }
        for one in self.infrastructures.iter().filter(|one| one.areas.is_empty()) {
            let record = format!("infrastructure {}", one.named.id);
            load.report(ContentError::record(FILE, &record, "no Area is part of it"));
        }
    }

    fn lines(&mut self, load: &mut Loader<'_>, lines: &Records<LineRecord>) {
        if lines.len() > LINES {
            load.report(ContentError::file(LINES_FILE, format!("at most {LINES} lines")));
        }
        let mut pairs = BTreeSet::new();
        for record in lines {
            let name = lines.name_of(&record.id);
            let field = Field { file: LINES_FILE, record: &name, path: "between" };
            let ends = [0, 1].map(|end| self.names.find::<AreaId>(load, field, &record.between[end]));
            let [Some(from), Some(to)] = ends else { continue };
            if from == to || !pairs.insert((from.min(to), from.max(to))) {
                field.fault(load, "two Areas are expected, and each pair once");
            }
            let levels = record.levels();
            self.lines.push(Line { id: record.id.clone(), between: [from, to], kind: record.kind, levels });
        }
    }

    /// Puts the map together: Fortresses, and the Areas of these Notables. Nothing was faulty.
    pub(super) fn finish(mut self, notables: &mut [Notable], limited_room: u8) -> Finished {
        let mut fortresses = Vec::new();
        for index in 0..self.areas.len() {
            let area = &mut self.areas[index];
            let printed = area.shape.is_fortress();
            let Some((class, surrender)) = self.numbers[index].filter(|_| printed) else { continue };
            let supplies = area.shape == AreaShape::SupplyFortress;
            area.fortress = Some(FortressId::new(fortresses.len()));
            let room = if supplies { class } else { limited_room };
            let area = AreaId::new(index);
            fortresses.push(Fortress { area, notable: None, class, surrender, room, supplies });
        }
        for (index, notable) in notables.iter_mut().enumerate() {
            let area = &mut self.areas[notable.area];
            let (class, surrender) = self.numbers[notable.area.index()].unwrap_or_default();
            notable.fortress = FortressId::new(fortresses.len());
            area.fortress = Some(notable.fortress);
            area.notable = Some(NotableId::new(index));
            fortresses.push(Fortress {
                area: notable.area,
                notable: area.notable,
                class,
                surrender,
                room: notable.limit,
                supplies: false,
            });
        }
        let Self { areas, regions, infrastructures, lines, .. } = self;
        Finished { areas, lines, regions, fortresses, infrastructures }
    }
}

fn read_regions(load: &mut Loader<'_>, records: &Records<RegionRecord>) -> Vec<Region> {
    if records.iter().map(|record| record.id.as_str()).ne(REGION_IDS) {
        let what = format!("the Regions are, in this order, {}", REGION_IDS.join(", "));
        load.report(ContentError::file(FILE, what));
    }
    let region = |record: &ContentRecord<RegionRecord>| Region {
        named: Named::of(record, &*record.name),
        letter: record.letter,
        areas: AreaSet::EMPTY,
        majority: record.majority,
    };
    records.iter().map(region).collect()
}

fn read_infrastructures(
    load: &mut Loader<'_>,
    records: &Records<InfrastructureRecord>,
) -> Vec<Infrastructure> {
    if records.len() > INFRASTRUCTURES {
        load.report(ContentError::file(FILE, format!("at most {INFRASTRUCTURES} infrastructures")));
    }
    let infrastructure = |record: &ContentRecord<InfrastructureRecord>| Infrastructure {
        named: Named::of(record, &*record.name),
        number: record.number,
        areas: AreaSet::EMPTY,
    };
    records.iter().map(infrastructure).collect()
}

/// Neighbours by kind of line.
pub(super) fn neighbours(lines: &[Line]) -> [[AreaSet; AREAS]; LINE_KINDS] {
    let mut near = [[AreaSet::EMPTY; AREAS]; LINE_KINDS];
    for line in lines {
        let [from, to] = line.between;
        near[line.kind as usize][from].insert(to);
        near[line.kind as usize][to].insert(from);
    }
    near
}

/// Neighbours by lines of any kind.
pub(super) fn adjacent(near: &[[AreaSet; AREAS]; LINE_KINDS]) -> [AreaSet; AREAS] {
    let mut adjacent = [AreaSet::EMPTY; AREAS];
    for kind in near {
        for (all, some) in adjacent.iter_mut().zip(kind) {
            *all |= *some;
        }
    }
    adjacent
}

/// Neighbours by lines that are not Maritime.
pub(super) fn by_land(near: &[[AreaSet; AREAS]; LINE_KINDS]) -> [AreaSet; AREAS] {
    let [roads, mountains] = [LineKind::Road, LineKind::Mountain].map(|kind| &near[kind as usize]);
    std::array::from_fn(|area| roads[area] | mountains[area])
}

/// Areas at most so many lines away from each Area.
pub(super) fn spheres(adjacent: &[AreaSet; AREAS]) -> [[AreaSet; AREAS]; SPHERES] {
    let mut spheres = [[AreaSet::EMPTY; AREAS]; SPHERES];
    for start in (0..AREAS).map(AreaId::new) {
        let mut reached = AreaSet::one(start);
        for sphere in &mut spheres {
            sphere[start] = reached;
            reached = reached.iter().fold(reached, |all, area| all | adjacent[area]);
        }
    }
    spheres
}

/// The least number of lines between each two Areas; 255 if there is no way.
pub(super) fn distances(adjacent: &[AreaSet; AREAS]) -> Vec<[u8; AREAS]> {
    let from = |start: usize| {
        let mut lines = [u8::MAX; AREAS];
        let mut reached = AreaSet::one(AreaId::new(start));
        let mut rim = reached;
        let mut distance = 0;
        while !rim.is_empty() {
            rim.iter().for_each(|area| lines[area] = distance);
            let beyond = rim.iter().fold(AreaSet::EMPTY, |beyond, area| beyond | adjacent[area]);
            rim = beyond - reached;
            reached |= rim;
            distance += 1;
        }
        lines
    };
    (0..AREAS).map(from).collect()
}
