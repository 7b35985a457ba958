//! Brigades: faces, their counters, the factions that they belong to (2.2).

use serde::Deserialize;

use crate::content::{ContentError, Loader};
use crate::seat::Seat;

use super::ids::{BrigadeFace, CounterId, CounterSet, RegionId};
use super::names::{Field, Names};
use super::{COUNTERS, FACES, Named, PARLIAMENT, ROYALIST};

/// A faction: the band or badge of a Brigade, or of the General who leads such Brigades.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Faction {
    /// The King's.
    Royalist,
    /// Royalists from the army in Ireland: by event only, under any Royalist General (6.6, 7.1.6).
    Irish,
    /// The Duke of Lorraine's: by event only, under him alone (6.6, 8.3).
    Lorrainer,
    /// Parliament's.
    Parliament,
    /// Parliament's New Model Army (7.1.3): after its card only.
    NewModel,
    /// The Scots: by event only, under their own Generals (6.5, 8.3).
    Covenanter,
}

impl Faction {
    /// All factions, in order.
    pub const ALL: [Self; 6] =
        [Self::Royalist, Self::Irish, Self::Lorrainer, Self::Parliament, Self::NewModel, Self::Covenanter];

    /// Its word in content and in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["royalist", "irish", "lorrainer", "parliament", "new-model", "covenanter"][self as usize]
    }

    /// The seat that it fights for.
    #[must_use]
    pub const fn seat(self) -> Seat {
        match self {
            Self::Royalist | Self::Irish | Self::Lorrainer => ROYALIST,
            Self::Parliament | Self::NewModel | Self::Covenanter => PARLIAMENT,
        }
    }

    /// The back of its counters: all that the other side sees of one (rulings Y1, X11).
    #[must_use]
    pub const fn back(self) -> BrigadeBack {
        match self {
            Self::Royalist | Self::Irish => BrigadeBack::Royalist,
            Self::Lorrainer => BrigadeBack::Lorrainer,
            Self::Parliament | Self::NewModel => BrigadeBack::Parliament,
            Self::Covenanter => BrigadeBack::Covenanter,
        }
    }

    /// Returns whether it is foreign: it never Disperses of its own will and never enters a pool (10.1, ruling R19).
    #[must_use]
    pub const fn is_foreign(self) -> bool {
        matches!(self, Self::Lorrainer | Self::Covenanter)
    }

    /// Returns whether its Brigades can be recruited at some time (7.1.3, 7.1.6).
    #[must_use]
    pub const fn is_recruited(self) -> bool {
        matches!(self, Self::Royalist | Self::Parliament | Self::NewModel)
    }
}

/// The back of a Brigade counter. A turncoat is under the first back of the side that it serves now (ruling X11).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BrigadeBack {
    /// Royalists, Irish among them.
    Royalist,
    /// Parliament's, New Model Army among them.
    Parliament,
    /// Covenanters.
    Covenanter,
    /// Lorrainers.
    Lorrainer,
}

impl BrigadeBack {
    /// All backs, in order.
    pub const ALL: [Self; 4] = [Self::Royalist, Self::Parliament, Self::Covenanter, Self::Lorrainer];

    /// The first back of a seat's side: that of its turncoats (X11).
    #[must_use]
    pub fn first_of(seat: Seat) -> Self {
        if seat == ROYALIST { Self::Royalist } else { Self::Parliament }
    }

    /// Its word in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["royalist", "parliament", "covenanter", "lorrainer"][self as usize]
    }
}

/// A face of Brigades: all counters that look alike.
#[derive(Debug)]
pub struct Brigade {
    /// Its id and name.
    pub named: Named,
    /// Its faction.
    pub faction: Faction,
    /// Its Region letter (2.2): `None` of Irish, Lorrainers, New Model Army and Covenanters.
    pub region: Option<RegionId>,
    /// Its Combat Value: 1 of Militia, 2 of Veterans.
    pub value: u8,
    /// The first of its counters; the others follow.
    pub first: CounterId,
    /// The number of its counters, at least 1.
    pub count: u8,
}

impl Brigade {
    /// Its counters.
    #[must_use]
    pub fn counters(&self) -> CounterSet {
        let first = self.first.index();
        CounterSet::first_of(first + usize::from(self.count)) - CounterSet::first_of(first)
    }

    /// Returns whether it is a Veteran (3.0).
    #[must_use]
    pub const fn is_veteran(&self) -> bool {
        self.value > 1
    }
}

/// The file of Brigades.
const FILE: &str = "brigades.toml";

#[derive(Deserialize)]
struct BrigadeRecord {
    name: String,
    faction: Faction,
    region: Option<String>,
    value: u8,
    count: u8,
}

/// The Brigades as they were read; faults are with the loader.
pub(super) struct Read {
    /// Faces by id.
    pub(super) names: Names,
    /// Faces.
    pub(super) faces: Vec<Brigade>,
}

impl Read {
    pub(super) fn of(load: &mut Loader<'_>) -> Self {
        let records = load.records::<BrigadeRecord>(FILE, "brigade");
        if !(1..=FACES).contains(&records.len()) {
            load.report(ContentError::file(FILE, format!("1 to {FACES} faces of Brigades are needed")));
        }
        let mut first = 0;
        let mut faces = Vec::new();
        for record in &records {
            let name = records.name_of(&record.id);
            let field = |path| Field { file: FILE, record: &name, path };
            let region = record.region.as_deref().and_then(|id| field("region").region(load, id));
            let regional = matches!(record.faction, Faction::Royalist | Faction::Parliament);
            if regional != record.region.is_some() {
                let what = "Royalists and Parliament's have a Region, the other factions none";
                field("region").fault(load, what);
            }
            let count = field("count").within(load, record.count, (1, COUNTERS as u8));
            faces.push(Brigade {
                named: Named::of(record, &*record.name),
                faction: record.faction,
                region,
                value: field("value").within(load, record.value.value, (1, 2)),
                first: CounterId::new(first.min(COUNTERS)),
                count,
            });
            first += usize::from(count);
        }
        if first > COUNTERS {
            load.report(ContentError::file(FILE, format!("at most {COUNTERS} counters, there are {first}")));
        }
        Self { names: Names::of(&records, FACES), faces }
    }

    /// The number of counters of a faction.
    pub(super) fn counters(&self, faction: Faction) -> u32 {
        self.faces.iter().filter(|face| face.faction == faction).map(|face| u32::from(face.count)).sum()
    }
}

/// The face of each counter.
pub(super) fn face_of(faces: &[Brigade]) -> Vec<BrigadeFace> {
    let counters = |(index, face): (usize, &Brigade)| {
        std::iter::repeat_n(BrigadeFace::new(index), usize::from(face.count))
    };
    faces.iter().enumerate().flat_map(counters).collect()
}

/// The counters of the factions that a condition holds of.
pub(super) fn counters_of(faces: &[Brigade], holds: impl Fn(Faction) -> bool) -> CounterSet {
    let of = faces.iter().filter(|face| holds(face.faction));
    of.fold(CounterSet::EMPTY, |all, face| all | face.counters())
}
