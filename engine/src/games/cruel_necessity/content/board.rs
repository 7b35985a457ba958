//! Map and tracks: areas, fortresses, counters of Armies, boxes.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::content::{ContentError, Levels, Loader, Records};

use super::{ARMIES, ARMY_IDS, BOARD, FORT_IDS, FORTS, Named, TRACK_IDS, TRACKS, TRACKS_FILE};
use super::{ArmyId, CounterId, TrackId, exactly, known, position, within};

/// Boxes of a track.
pub(crate) const BOXES: usize = 6;

#[derive(Deserialize)]
struct AreaRecord {
    name: String,
    region: String,
    number: u8,
    x: i32,
    y: i32,
}

#[derive(Deserialize)]
struct FortressRecord {
    name: String,
    areas: Vec<String>,
    clicks: Vec<u8>,
    permission: bool,
    vp: i8,
}

#[derive(Deserialize)]
struct ArmyRecord {
    name: String,
    region: String,
    strength: i8,
    vp: i8,
}

#[derive(Deserialize)]
struct TrackRecord {
    name: String,
    godly: bool,
    opposite: String,
    shared_middle: bool,
}

#[derive(Deserialize)]
struct BoxRecord {
    track: String,
    index: u8,
    number: Option<u8>,
    grade: String,
    vp: i8,
}

/// An area of a region.
#[derive(Debug)]
pub(crate) struct Area {
    pub(crate) named: Named,
    pub(crate) x: i32,
    pub(crate) y: i32,
}

/// A fortress.
#[derive(Debug)]
pub(crate) struct Fortress {
    pub(crate) named: Named,
    /// Its strength by click.
    pub(crate) values: [u8; BOXES],
    /// The number of its area in each region where it lies.
    pub(crate) lies: [Option<u8>; ARMIES],
    /// True if it may be besieged only once a card allows it.
    pub(crate) permission: bool,
    /// Triangles for its owner.
    pub(crate) vp: i8,
}

/// A counter that stands for an Army.
#[derive(Debug)]
pub(crate) struct Counter {
    pub(crate) named: Named,
    pub(crate) army: ArmyId,
    pub(crate) strength: i8,
    pub(crate) vp: i8,
}

/// A Political Track.
#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) named: Named,
    /// True if it is of the lower half.
    pub(crate) godly: bool,
    pub(crate) opposite: TrackId,
    /// True if its column has one middle box for both markers.
    pub(crate) shared: bool,
    pub(crate) numbers: [u8; BOXES],
    /// 0 is A, 4 is F.
    pub(crate) grades: [u8; BOXES],
    pub(crate) vp: [i8; BOXES],
    /// How sure each box is.
    pub(crate) levels: [Levels; BOXES],
}

/// The items that were read; faults are with the loader.
pub(crate) struct Read {
    areas: Vec<Area>,
    forts: Vec<Fortress>,
    pub(super) counters: Vec<Counter>,
    tracks: Vec<Track>,
}

impl Read {
    pub(super) fn of(load: &mut Loader<'_>) -> Self {
        let areas = load.records::<AreaRecord>(BOARD, "area");
        let fortresses = load.records::<FortressRecord>(BOARD, "fortress");
        let armies = load.records::<ArmyRecord>(BOARD, "army");
        let tracks = load.records::<TrackRecord>(TRACKS_FILE, "track");
        let boxes = load.records::<BoxRecord>(TRACKS_FILE, "box");
        let (areas, places) = read_areas(load, &areas);
        Self {
            areas,
            forts: read_forts(load, &fortresses, &places),
            counters: read_counters(load, &armies),
            tracks: read_tracks(load, &tracks, &boxes),
        }
    }

    /// The counter of this id, if it is one of the later ones.
    pub(super) fn later_counter(&self, id: &str) -> Option<CounterId> {
        let found = self.counters.iter().position(|counter| counter.named.id == id)?;
        (found >= ARMIES).then_some(CounterId::new(found))
    }

    pub(super) fn finish(self) -> (Vec<Fortress>, Vec<Counter>, Vec<Track>, Vec<Area>) {
        (self.forts, self.counters, self.tracks, self.areas)
    }
}

/// Region and number of an area by its id.
type Places = BTreeMap<String, (ArmyId, u8)>;

fn read_areas(load: &mut Loader<'_>, records: &Records<AreaRecord>) -> (Vec<Area>, Places) {
    let mut slots: Vec<Option<Area>> = (0..ARMIES * 5).map(|_| None).collect();
    let mut places = Places::new();
    for record in records {
        let name = records.name_of(&record.id);
        let region: Option<ArmyId> = known(load, BOARD, &name, "region", &ARMY_IDS, &record.region);
        let number = within(load, BOARD, &name, "number", record.number, (1, 5));
        let Some(region) = region else { continue };
        places.insert(record.id.clone(), (region, number));
        let slot = &mut slots[region.index() * 5 + usize::from(number) - 1];
        if slot.is_some() {
            load.report(ContentError::field(BOARD, &name, "number", "the region has this area already"));
        }
        let named = Named::of(record, &*record.name);
        *slot = Some(Area { named, x: record.x, y: record.y });
    }
    let all = slots.iter().all(Option::is_some);
    if !all {
        load.report(ContentError::file(BOARD, "each region needs the areas 1 to 5"));
    }
    (slots.into_iter().flatten().collect(), places)
}

fn read_forts(load: &mut Loader<'_>, records: &Records<FortressRecord>, places: &Places) -> Vec<Fortress> {
    let found = exactly(load, records, &FORT_IDS);
    let mut forts = Vec::with_capacity(FORTS);
    for (id, record) in FORT_IDS.iter().zip(found) {
        let Some(record) = record else { continue };
        let name = records.name_of(id);
        let mut lies = [None; ARMIES];
        if *id == "london" {
            lies[..2].fill(Some(0));
        }
        for area in &record.areas {
            match places.get(area) {
                Some(&(region, number)) => lies[region] = Some(number),
                None => load.report(ContentError::reference(BOARD, &name, "areas", format!("area {area}"))),
            }
        }
        if lies.iter().all(Option::is_none) {
            load.report(ContentError::field(BOARD, &name, "areas", "it must lie somewhere"));
        }
        let mut values = [0; BOXES];
        if record.clicks.len() == BOXES && record.clicks[0] == 0 && record.clicks.iter().all(|&c| c <= 9) {
            values.copy_from_slice(&record.clicks);
        } else {
            let what = "six strengths up to 9 are expected, the first of them 0";
            load.report(ContentError::field(BOARD, &name, "clicks", what));
        }
        let vp = within(load, BOARD, &name, "vp", record.vp, (-9, 9));
        let named = Named::of(record, &*record.name);
        forts.push(Fortress { named, values, lies, permission: record.permission, vp });
    }
    forts
}

fn read_counters(load: &mut Loader<'_>, records: &Records<ArmyRecord>) -> Vec<Counter> {
    let mut counters = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let name = records.name_of(&record.id);
        let army = known(load, BOARD, &name, "region", &ARMY_IDS, &record.region).unwrap_or_default();
        if index < ARMIES && record.id != ARMY_IDS[index] {
            let what = format!("the first four counters are {}, in this order", ARMY_IDS.join(", "));
            load.report(ContentError::record(BOARD, &name, what));
        }
        let strength = within(load, BOARD, &name, "strength", record.strength, (1, 9));
        let vp = within(load, BOARD, &name, "vp", record.vp, (-9, 9));
        let named = Named::of(record, &*record.name);
        counters.push(Counter { named, army, strength, vp });
    }
    if !(ARMIES..=16).contains(&counters.len()) {
        load.report(ContentError::file(BOARD, "4 to 16 counters of Armies are needed"));
    }
    counters
}

fn read_tracks(
    load: &mut Loader<'_>,
    records: &Records<TrackRecord>,
    boxes: &Records<BoxRecord>,
) -> Vec<Track> {
    let found = exactly(load, records, &TRACK_IDS);
    let mut tracks = Vec::with_capacity(TRACKS);
    for (index, (id, record)) in TRACK_IDS.iter().zip(found).enumerate() {
        let Some(record) = record else { continue };
        let name = records.name_of(id);
        let opposite = (index + TRACKS / 2) % TRACKS;
        if record.opposite != TRACK_IDS[opposite] || record.godly != (index >= TRACKS / 2) {
            let what =
                format!("its opposite is {}, and the last three tracks are godly", TRACK_IDS[opposite]);
            load.report(ContentError::field(TRACKS_FILE, &name, "opposite", what));
        }
        tracks.push(Track {
            named: Named::of(record, &*record.name),
            godly: record.godly,
            opposite: TrackId::new(opposite),
            shared: record.shared_middle,
            numbers: [0; BOXES],
            grades: [0; BOXES],
            vp: [0; BOXES],
            levels: Default::default(),
        });
    }
    for pair in 0..tracks.len() / 2 {
        let opposite = pair + TRACKS / 2;
        if tracks.get(opposite).is_some_and(|other| other.shared != tracks[pair].shared) {
            let what = "opposite tracks share their middle box both, or neither";
            load.report(ContentError::field(TRACKS_FILE, TRACK_IDS[pair], "shared_middle", what));
        }
    }
    let mut there = [[false; BOXES]; TRACKS];
    for record in boxes {
        let name = boxes.name_of(&record.id);
        let track: Option<TrackId> = known(load, TRACKS_FILE, &name, "track", &TRACK_IDS, &record.track);
        let index =
            usize::from(within(load, TRACKS_FILE, &name, "index", record.index, (0, BOXES as u8 - 1)));
        let grade = position(load, TRACKS_FILE, &name, "grade", &["A", "B", "C", "D", "F"], &record.grade);
        let number = within(load, TRACKS_FILE, &name, "number", record.number.unwrap_or(0), (0, 9));
        let vp = within(load, TRACKS_FILE, &name, "vp", record.vp, (-9, 9));
        let Some(track) = track else { continue };
        there[track][index] = true;
        if let Some(of) = tracks.get_mut(track.index()) {
            of.named.confidence = of.named.confidence.weakest(record.weakest());
            of.numbers[index] = number;
            of.grades[index] = grade.unwrap_or(0) as u8;
            of.vp[index] = vp;
            of.levels[index] = record.levels();
        }
    }
    if there.iter().flatten().any(|there| !there) || boxes.len() != TRACKS * BOXES {
        load.report(ContentError::file(TRACKS_FILE, "each track needs its boxes 0 to 5, once each"));
    }
    tracks
}
