//! The tables of game.toml that paragraphs of the rulebook go by, and the optional rules: read and checked.

use serde::Deserialize;

use crate::content::{ContentError, Loader};

use super::brigades::Faction;
use super::ids::{BrigadeFace, FaceSet, GeneralId, LeaderId, LeaderSet, NotableId, RegionId};
use super::leaders::Arrival;
use super::names::Field;
use super::numbers::{
    Brentford, Landing, League, LorraineLanding, NewModel, Optional, Promotion, Queen, Rising, Standard,
    TurnhamGreen,
};
use super::tables::{ANY, Around, FILE, SOME, at, turn};
use super::{AREAS, PARLIAMENT};

#[derive(Deserialize)]
struct StandardRecord {
    recruits: u8,
    held: Vec<String>,
}

#[derive(Deserialize)]
struct LeagueRecord {
    entries: Vec<String>,
    leven: Vec<String>,
    callander: Vec<String>,
    callander_from: u8,
    recruits: u8,
    barred: Vec<String>,
}

#[derive(Deserialize)]
struct NewModelRecord {
    lords: Vec<String>,
    lost: u8,
    exchanges: Vec<[String; 2]>,
    cromwell: u8,
    lord_general: u8,
    cromwell_at: String,
    cromwell_in: String,
    lord_general_in: Vec<String>,
}

#[derive(Deserialize)]
struct QueenRecord {
    landing: Vec<String>,
    stays: u8,
}

#[derive(Deserialize)]
struct TurnhamGreenRecord {
    at: String,
    distance: u8,
}

#[derive(Deserialize)]
struct LandingRecord {
    regions: Vec<String>,
    naval_regions: Vec<String>,
}

#[derive(Deserialize)]
struct LorraineRecord {
    at: Vec<String>,
}

#[derive(Deserialize)]
struct RisingRecord {
    at: String,
    at_least: i8,
}

#[derive(Deserialize)]
struct OptionalRecord {
    laughter_region: String,
    laughter_brigades: u8,
    lostwithiel: u8,
    cornish_at: String,
    others_at: String,
    manchester_at: String,
    manchester_in: String,
}

impl Around<'_> {
    pub(super) fn standard(&mut self, load: &mut Loader<'_>) -> Option<Standard> {
        let record = self.record::<StandardRecord>(load, "standard")?;
        let held =
            self.leaders.general_names.find_all::<GeneralId>(load, at("standard", "held"), &record.held);
        Some(Standard {
            recruits: at("standard", "recruits").within(load, record.recruits, ANY),
            held: held.into_iter().collect(),
        })
    }

    pub(super) fn league(&mut self, load: &mut Loader<'_>) -> Option<League> {
        let record = self.record::<LeagueRecord>(load, "league")?;
        let field = |path| at("league", path);
        let leven = self.covenanters(load, field("leven"), &record.leven);
        let callander = self.covenanters(load, field("callander"), &record.callander);
        if leven.meets(callander) {
            field("callander").fault(load, "Leven has the same Brigades");
        }
        if record.entries.is_empty() {
            field("entries").fault(load, "an Area is needed");
        }
        let people = self.leaders.people.as_ref();
        let brigades: Vec<(GeneralId, FaceSet)> = people
            .map(|people| vec![(people.leven, leven), (people.callander, callander)])
            .unwrap_or_default();
        for (&(general, faces), path) in brigades.iter().zip(["leven", "callander"]) {
            let limit = self.leaders.generals.get(general.index()).map_or(0, |one| u32::from(one.limit));
            let counters: u32 = faces.iter().map(|face| u32::from(self.brigades.faces[face].count)).sum();
            if !(1..=limit).contains(&counters) {
                field(path).fault(load, format!("{counters} Brigades: 1 to {limit} are expected"));
            }
        }
        Some(League {
            entries: self.areas(load, field("entries"), &record.entries),
            brigades,
            callander_from: turn(load, field("callander_from"), record.callander_from),
            recruits: field("recruits").within(load, record.recruits, ANY),
            barred: field("barred").regions(load, &record.barred),
        })
    }

    /// Covenanter faces.
    fn covenanters(&self, load: &mut Loader<'_>, field: Field<'_>, ids: &[String]) -> FaceSet {
        let faces = self.brigades.names.find_all::<BrigadeFace>(load, field, ids);
        let mut found = FaceSet::EMPTY;
        for face in faces {
            let known = self.brigades.faces.get(face.index());
            if known.is_some_and(|one| one.faction == Faction::Covenanter) {
                found.insert(face);
            } else {
                field.fault(load, "Covenanters are expected");
            }
        }
        found
    }

    pub(super) fn new_model(&mut self, load: &mut Loader<'_>) -> Option<NewModel> {
        let record = self.record::<NewModelRecord>(load, "new_model")?;
        let field = |path| at("new_model", path);
        let mut lords = LeaderSet::EMPTY;
        for id in &record.lords {
            let Some(lord) = self.leaders.leader(load, field("lords"), id) else { continue };
            if lords.contains(lord) || self.leaders.side(lord) != Some(PARLIAMENT) {
                field("lords").fault(load, format!("{id}: a Leader of Parliament, once"));
            }
            lords.insert(lord);
        }
        let cromwell = field("cromwell").within(load, record.cromwell, ANY);
        let lord_general = field("lord_general").within(load, record.lord_general, ANY);
        if u32::from(cromwell) + u32::from(lord_general) > self.brigades.counters(Faction::NewModel) {
            field("lord_general").fault(load, "there are not as many New Model Army Brigades");
        }
        Some(NewModel {
            lords,
            lost: field("lost").within(load, record.lost, ANY),
            exchanges: self.exchanges(load, &record.exchanges, lords),
            cromwell,
            lord_general,
            cromwell_at: self.area(load, field("cromwell_at"), &record.cromwell_at),
            cromwell_in: field("cromwell_in").region(load, &record.cromwell_in).unwrap_or_default(),
            lord_general_in: field("lord_general_in").regions(load, &record.lord_general_in),
        })
    }

    /// Local Notables, and the Generals of their side, who arrive by event, that take their places.
    fn exchanges(
        &self,
        load: &mut Loader<'_>,
        pairs: &[[String; 2]],
        lords: LeaderSet,
    ) -> Vec<(NotableId, GeneralId)> {
        let field = at("new_model", "exchanges");
        let mut exchanges: Vec<(NotableId, GeneralId)> = Vec::new();
        for [notable, general] in pairs {
            let Some(out) = self.leaders.notable_names.find::<NotableId>(load, field, notable) else {
                continue;
            };
            let Some(comes) = self.leaders.general_names.find::<GeneralId>(load, field, general) else {
                continue;
            };
            let again = exchanges.iter().any(|&(before, taken)| before == out || taken == comes);
            let gone = lords.contains(out.into()) || lords.contains(comes.into());
            let arrival = self.leaders.generals.get(comes.index()).map(|one| one.arrival);
            let same_side = self.leaders.side(out.into()) == self.leaders.side(LeaderId::from(comes));
            if again || gone || arrival != Some(Arrival::Event) || !same_side {
                let what =
                    format!("{notable}, {general}: one of the same side who arrives by event, each once");
                field.fault(load, what);
            }
            exchanges.push((out, comes));
        }
        exchanges
    }

    pub(super) fn queen(&mut self, load: &mut Loader<'_>) -> Option<Queen> {
        let record = self.record::<QueenRecord>(load, "queen")?;
        Some(Queen {
            landing: self.areas(load, at("queen", "landing"), &record.landing),
            stays: turn(load, at("queen", "stays"), record.stays),
        })
    }

    pub(super) fn brentford(&mut self, load: &mut Loader<'_>) -> Option<Brentford> {
        let record = self.record::<Brentford>(load, "brentford")?.value;
        at("brentford", "modifier").within(load, record.modifier, SOME);
        turn(load, at("brentford", "until"), record.until);
        Some(record)
    }

    pub(super) fn turnham_green(&mut self, load: &mut Loader<'_>) -> Option<TurnhamGreen> {
        let record = self.record::<TurnhamGreenRecord>(load, "turnham_green")?;
        Some(TurnhamGreen {
            at: self.area(load, at("turnham_green", "at"), &record.at),
            distance: at("turnham_green", "distance").within(load, record.distance, (0, AREAS as u8)),
        })
    }

    pub(super) fn landing(&mut self, load: &mut Loader<'_>) -> Option<Landing> {
        let record = self.record::<LandingRecord>(load, "landing")?;
        Some(Landing {
            regions: at("landing", "regions").regions(load, &record.regions),
            naval_regions: at("landing", "naval_regions").regions(load, &record.naval_regions),
        })
    }

    pub(super) fn lorraine(&mut self, load: &mut Loader<'_>) -> Option<LorraineLanding> {
        let record = self.record::<LorraineRecord>(load, "lorraine")?;
        if let Some(people) = &self.leaders.people {
            let limit =
                self.leaders.generals.get(people.lorraine.index()).map_or(0, |one| u32::from(one.limit));
            let counters = self.brigades.counters(Faction::Lorrainer);
            if !(1..=limit).contains(&counters) {
                let what = format!("there are {counters} Lorrainers: 1 to {limit} are expected");
                load.report(ContentError::record(FILE, "lorraine", what));
            }
        }
        Some(LorraineLanding { at: self.areas(load, at("lorraine", "at"), &record.at) })
    }

    pub(super) fn rising(&mut self, load: &mut Loader<'_>) -> Option<Rising> {
        let record = self.record::<RisingRecord>(load, "rising")?;
        Some(Rising {
            at: self.area(load, at("rising", "at"), &record.at),
            at_least: at("rising", "at_least").within(load, record.at_least, (-20, 20)),
        })
    }

    pub(super) fn promotion(&mut self, load: &mut Loader<'_>) -> Option<Promotion> {
        let record = self.record::<Promotion>(load, "promotion")?.value;
        at("promotion", "level").within(load, record.level, (1, 4));
        at("promotion", "limit").within(load, record.limit, SOME);
        Some(record)
    }

    pub(super) fn optional(&mut self, load: &mut Loader<'_>) -> Option<Optional> {
        let record = self.record::<OptionalRecord>(load, "optional")?;
        let field = |path| at("optional", path);
        let region = |load: &mut Loader<'_>, path, id: &str| -> RegionId {
            field(path).region(load, id).unwrap_or_default()
        };
        Some(Optional {
            laughter_region: region(load, "laughter_region", &record.laughter_region),
            laughter_brigades: field("laughter_brigades").within(load, record.laughter_brigades, ANY),
            lostwithiel: field("lostwithiel").within(load, record.lostwithiel, (0, AREAS as u8)),
            cornish_at: self.area(load, field("cornish_at"), &record.cornish_at),
            others_at: self.area(load, field("others_at"), &record.others_at),
            manchester_at: self.area(load, field("manchester_at"), &record.manchester_at),
            manchester_in: region(load, "manchester_in", &record.manchester_in),
        })
    }
}
