//! Reading of records: the place of a fault, things by the names that other records give them, sides and Regions as they are written.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Deserialize;

use crate::content::{ContentError, Loader, Records};
use crate::numbered::Numbered;
use crate::seat::Seat;

use super::ids::{RegionId, RegionSet};
use super::{PARLIAMENT, REGIONS, ROYALIST};

/// Ids of the Regions, in order.
pub(super) const REGION_IDS: [&str; REGIONS] = ["south", "east", "wales", "midlands", "north"];

/// A side as it is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Side {
    /// The Royalists.
    Royalist,
    /// Parliament.
    Parliament,
}

impl Side {
    /// Its seat.
    pub(super) const fn seat(self) -> Seat {
        match self {
            Self::Royalist => ROYALIST,
            Self::Parliament => PARLIAMENT,
        }
    }
}

/// A field of a record: where its faults are reported.
#[derive(Copy, Clone)]
pub(super) struct Field<'a> {
    /// The file.
    pub(super) file: &'a str,
    /// The name of the record in it.
    pub(super) record: &'a str,
    /// The path of the field.
    pub(super) path: &'a str,
}

impl Field<'_> {
    /// Reports a fault.
    pub(super) fn fault(self, load: &mut Loader<'_>, what: impl Into<String>) {
        load.report(ContentError::field(self.file, self.record, self.path, what));
    }

    /// A number within bounds, both included; otherwise a fault, and the lower bound.
    pub(super) fn within<N: Copy + PartialOrd + Display>(
        self,
        load: &mut Loader<'_>,
        value: N,
        (least, most): (N, N),
    ) -> N {
        if value >= least && value <= most {
            return value;
        }
        self.fault(load, format!("{value}: a number from {least} to {most} is expected"));
        least
    }

    /// A Region by its id.
    pub(super) fn region(self, load: &mut Loader<'_>, id: &str) -> Option<RegionId> {
        let found = REGION_IDS.iter().position(|&known| known == id).map(RegionId::new);
        if found.is_none() {
            self.fault(load, format!("`{id}`: expected one of {}", REGION_IDS.join(", ")));
        }
        found
    }

    /// Regions by their ids, each once.
    pub(super) fn regions(self, load: &mut Loader<'_>, ids: &[String]) -> RegionSet {
        let mut regions = RegionSet::EMPTY;
        for region in ids.iter().filter_map(|id| self.region(load, id)).collect::<Vec<_>>() {
            if regions.contains(region) {
                self.fault(load, format!("{} comes twice", REGION_IDS[region.index()]));
            }
            regions.insert(region);
        }
        regions
    }
}

/// The things of a table by their ids, of which only so many count.
pub(super) struct Names {
    table: String,
    numbers: BTreeMap<String, usize>,
}

impl Names {
    /// The first `most` records of a table. That there are more is for its own reader to report.
    pub(super) fn of<T>(records: &Records<T>, most: usize) -> Self {
        let names = records.iter().enumerate().take(most).map(|(index, record)| (record.id.clone(), index));
        Self { table: records.name_of("").trim_end().to_owned(), numbers: names.collect() }
    }

    /// Returns whether there is a thing of an id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.numbers.contains_key(id)
    }

    /// The thing of an id, without a fault.
    pub(super) fn get<T: Numbered>(&self, id: &str) -> Option<T> {
        self.numbers.get(id).map(|&index| T::new(index))
    }

    /// The thing of an id; a fault of the field if there is none.
    pub(super) fn find<T: Numbered>(&self, load: &mut Loader<'_>, field: Field<'_>, id: &str) -> Option<T> {
        let found = self.get(id);
        if found.is_none() {
            field.fault(load, format!("there is no {} {id}", self.table));
        }
        found
    }

    /// The things of several ids; a fault for each that there isn't, and for one that comes twice.
    pub(super) fn find_all<T: Numbered>(
        &self,
        load: &mut Loader<'_>,
        field: Field<'_>,
        ids: &[String],
    ) -> Vec<T> {
        let mut found: Vec<T> = Vec::new();
        for id in ids {
            let Some(thing) = self.find(load, field, id) else { continue };
            if found.contains(&thing) {
                field.fault(load, format!("{id} comes twice"));
            } else {
                found.push(thing);
            }
        }
        found
    }
}
