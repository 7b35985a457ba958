//! The tables of game.toml, read and checked into the numbers of the rules ([`Numbers`]).

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::content::{ContentError, ContentRecord, Levels, Loader};
use crate::numbered::Numbered;

use super::brigades::{self, Faction};
use super::ids::{
    AreaId, AreaSet, BrigadeFace, FaceSet, GeneralId, LeaderId, LeaderSet, NotableId, RegionId, TurnId,
};
use super::leaders::{self, Arrival};
use super::map;
use super::names::{Field, REGION_IDS};
use super::numbers::{
    Allowance, Attempt, Battle, Brentford, Desertion, Events, Hand, Landing, League, LorraineLanding,
    Movement, Naval, NewModel, Numbers, Optional, Promotion, Queen, Raids, Recruitment, Rising, Siege,
    Standard, TurnhamGreen, Victory,
};
use super::{AREAS, CHITS, PARLIAMENT, TURNS};

/// The file of the numbers.
const FILE: &str = "game.toml";

#[derive(Deserialize)]
struct HandRecord {
    first_deal: u8,
    dealt: u8,
    plays: u8,
    alt_hist: u8,
    mid_war: u8,
}

#[derive(Deserialize)]
struct NavalRecord {
    chits: Vec<i8>,
    ports: Vec<String>,
    held: i8,
    queen_left: i8,
    queen_captured: i8,
    veteran: u8,
    extra: u8,
    siege: u8,
}

#[derive(Deserialize)]
struct RecruitmentRecord {
    new_model_barred: Vec<String>,
    reform_one_of: u8,
}

#[derive(Deserialize)]
struct VictoryRecord {
    capital: String,
    regions: u8,
    turns: u8,
    region_points: u8,
    infrastructure_points: u8,
    points: u8,
}

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
struct BrentfordRecord {
    modifier: u8,
    until: u8,
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

/// The tables that the numbers are about, and what was read of how sure they are.
struct Around<'a> {
    map: &'a map::Read,
    leaders: &'a leaders::Read,
    brigades: &'a brigades::Read,
    levels: Vec<(&'static str, Levels)>,
}

/// Reads the numbers. Faults are with the loader; `None` if a table is missing.
pub(super) fn read(
    load: &mut Loader<'_>,
    map: &map::Read,
    leaders: &leaders::Read,
    brigades: &brigades::Read,
) -> Option<Numbers> {
    let mut around = Around { map, leaders, brigades, levels: Vec::new() };
    // All tables are read, so that all of their faults are told, before the first that is missing ends it.
    let hand = around.hand(load);
    let movement = around.movement(load);
    let allowances = around.allowances(load);
    let interception = around.attempt(load, "interception");
    let evasion = around.attempt(load, "evasion");
    let battle = around.battle(load);
    let siege = around.siege(load);
    let desertion = around.desertion(load);
    let naval = around.naval(load);
    let recruitment = around.recruitment(load);
    let raids = around.record::<Raids>(load, "raids");
    let events = around.record::<Events>(load, "events");
    let victory = around.victory(load);
    let standard = around.standard(load);
    let league = around.league(load);
    let new_model = around.new_model(load);
    let queen = around.queen(load);
    let brentford = around.brentford(load);
    let turnham_green = around.turnham_green(load);
    let landing = around.landing(load);
    let lorraine = around.lorraine(load);
    let rising = around.rising(load);
    let promotion = around.promotion(load);
    let optional = around.optional(load);
    if let Some(raids) = &raids {
        at("raids", "distance").within(load, raids.distance, (1, 9));
    }
    if let Some(events) = &events {
        at("events", "relocation").within(load, events.relocation, (1, 9));
    }
    Some(Numbers {
        hand: hand?,
        movement: movement?,
        allowances,
        interception: interception?,
        evasion: evasion?,
        battle: battle?,
        siege: siege?,
        desertion: desertion?,
        naval: naval?,
        recruitment: recruitment?,
        raids: raids?.value,
        events: events?.value,
        victory: victory?,
        standard: standard?,
        league: league?,
        new_model: new_model?,
        queen: queen?,
        brentford: brentford?,
        turnham_green: turnham_green?,
        landing: landing?,
        lorraine: lorraine?,
        rising: rising?,
        promotion: promotion?,
        optional: optional?,
        levels: around.levels,
    })
}

/// A field of a table of this file.
const fn at<'a>(record: &'a str, path: &'a str) -> Field<'a> {
    Field { file: FILE, record, path }
}

/// Counts and sizes that are at least 1, and the most of them.
const SOME: (u8, u8) = (1, 9);
/// Counts and sizes that may be 0.
const ANY: (u8, u8) = (0, 9);
/// What is added to a die.
const ADDED: (i8, i8) = (-9, 9);

impl Around<'_> {
    /// A table, whose levels are kept.
    fn record<T: DeserializeOwned>(
        &mut self,
        load: &mut Loader<'_>,
        table: &'static str,
    ) -> Option<ContentRecord<T>> {
        let record = load.record::<T>(FILE, table)?;
        self.levels.push((table, record.levels()));
        Some(record)
    }

    fn hand(&mut self, load: &mut Loader<'_>) -> Option<Hand> {
        let record = self.record::<HandRecord>(load, "hand")?;
        let field = |path| at("hand", path);
        // The first Turn's cards are dealt with the set-up.
        let mid_war = field("mid_war").within(load, record.mid_war, (2, TURNS as u8));
        Some(Hand {
            first_deal: field("first_deal").within(load, record.first_deal, (1, 19)),
            dealt: field("dealt").within(load, record.dealt, SOME),
            plays: field("plays").within(load, record.plays, (1, 19)),
            alt_hist: field("alt_hist").within(load, record.alt_hist, ANY),
            mid_war: turn(load, field("mid_war"), mid_war),
        })
    }

    fn movement(&mut self, load: &mut Loader<'_>) -> Option<Movement> {
        let record = self.record::<Movement>(load, "movement")?.value;
        let field = |path| at("movement", path);
        for points in record.lines {
            field("lines").within(load, points, SOME);
        }
        for (path, value) in [
            ("maritime_brigades", record.maritime_brigades),
            ("marker", record.marker),
            ("leave_map", record.leave_map),
            ("major_army", record.major_army),
            ("major_card", record.major_card),
        ] {
            field(path).within(load, value, SOME);
        }
        field("lift_siege").within(load, record.lift_siege, SOME);
        field("leave_battle").within(load, record.leave_battle, ANY);
        Some(record)
    }

    fn allowances(&mut self, load: &mut Loader<'_>) -> Vec<Allowance> {
        let records = load.records::<Allowance>(FILE, "allowance");
        let mut least = 1;
        for record in &records {
            let name = records.name_of(&record.id);
            let field = |path| at(&name, path);
            field("up_to").within(load, record.up_to, (least, 99));
            field("points").within(load, record.points, SOME);
            field("areas").within(load, record.areas, SOME);
            least = record.up_to.saturating_add(1).min(99);
        }
        if records.is_empty() {
            load.report(ContentError::file(FILE, "the Movement Table needs a row"));
        }
        records.into_vec().into_iter().map(|record| record.value).collect()
    }

    fn attempt(&mut self, load: &mut Loader<'_>, table: &'static str) -> Option<Attempt> {
        let record = self.record::<Attempt>(load, table)?.value;
        at(table, "at_least").within(load, record.at_least, (1, 9));
        at(table, "better").within(load, record.better, ADDED);
        at(table, "worse").within(load, record.worse, ADDED);
        for added in record.lines {
            at(table, "lines").within(load, added, ADDED);
        }
        Some(record)
    }

    fn battle(&mut self, load: &mut Loader<'_>) -> Option<Battle> {
        let record = self.record::<Battle>(load, "battle")?.value;
        let field = |path| at("battle", path);
        field("drawn").within(load, record.drawn, ANY);
        field("major").within(load, record.major, (record.drawn.saturating_add(1), 20));
        for (path, value) in [
            ("drawn_losses", record.drawn_losses),
            ("indecisive_losses", record.indecisive_losses),
            ("major_losses", record.major_losses),
            ("major_cards", record.major_cards),
            ("decisive_cards", record.decisive_cards),
            ("retreat_losses", record.retreat_losses),
        ] {
            field(path).within(load, value, ANY);
        }
        Some(record)
    }

    fn siege(&mut self, load: &mut Loader<'_>) -> Option<Siege> {
        let record = self.record::<Siege>(load, "siege")?.value;
        let field = |path| at("siege", path);
        field("limited_room").within(load, record.limited_room, ANY);
        field("train").within(load, record.train, ADDED);
        field("new_model").within(load, record.new_model, SOME);
        field("port").within(load, record.port, ADDED);
        field("notable").within(load, record.notable, ADDED);
        field("honours").within(load, record.honours, (0, 6));
        field("assault_value").within(load, record.assault_value, (0, 99));
        field("assault").within(load, record.assault, (0, 20));
        field("attackers").within(load, record.attackers, ANY);
        for added in record.classes {
            field("classes").within(load, added, ADDED);
        }
        field("early").within(load, record.early, ADDED);
        Some(record)
    }

    fn desertion(&mut self, load: &mut Loader<'_>) -> Option<Desertion> {
        let record = self.record::<Desertion>(load, "desertion")?.value;
        let field = |path| at("desertion", path);
        field("floor").within(load, record.floor, (0, 99));
        field("large_army").within(load, record.large_army, (1, 99));
        field("attrition").within(load, record.attrition, (1, 99));
        // Each category is a rule of its own (12.2).
        field("categories").within(load, record.categories, (5, 5));
        Some(record)
    }

    fn naval(&mut self, load: &mut Loader<'_>) -> Option<Naval> {
        let record = self.record::<NavalRecord>(load, "naval")?.value;
        let field = |path| at("naval", path);
        if record.chits.len() != CHITS {
            field("chits").fault(load, format!("{CHITS} Naval Chits are needed"));
        }
        for &chit in &record.chits {
            field("chits").within(load, chit, ADDED);
        }
        Some(Naval {
            ports: self.areas(load, field("ports"), &record.ports),
            held: field("held").within(load, record.held, ADDED),
            queen_left: field("queen_left").within(load, record.queen_left, ADDED),
            queen_captured: field("queen_captured").within(load, record.queen_captured, ADDED),
            veteran: field("veteran").within(load, record.veteran, (1, 99)),
            extra: field("extra").within(load, record.extra, (record.veteran.clamp(1, 99), 99)),
            siege: field("siege").within(load, record.siege, (1, 99)),
            chits: record.chits,
        })
    }

    fn recruitment(&mut self, load: &mut Loader<'_>) -> Option<Recruitment> {
        let record = self.record::<RecruitmentRecord>(load, "recruitment")?;
        let field = |path| at("recruitment", path);
        Some(Recruitment {
            new_model_barred: field("new_model_barred").regions(load, &record.new_model_barred),
            reform_one_of: field("reform_one_of").within(load, record.reform_one_of, SOME),
        })
    }

    fn victory(&mut self, load: &mut Loader<'_>) -> Option<Victory> {
        let record = self.record::<VictoryRecord>(load, "victory")?;
        let field = |path| at("victory", path);
        Some(Victory {
            capital: self.area(load, field("capital"), &record.capital),
            regions: field("regions").within(load, record.regions, (0, REGION_IDS.len() as u8)),
            turns: field("turns").within(load, record.turns, (1, TURNS as u8)),
            region_points: field("region_points").within(load, record.region_points, ANY),
            infrastructure_points: field("infrastructure_points").within(
                load,
                record.infrastructure_points,
                ANY,
            ),
            points: field("points").within(load, record.points, (0, 200)),
        })
    }

    fn standard(&mut self, load: &mut Loader<'_>) -> Option<Standard> {
        let record = self.record::<StandardRecord>(load, "standard")?;
        let held =
            self.leaders.general_names.find_all::<GeneralId>(load, at("standard", "held"), &record.held);
        Some(Standard {
            recruits: at("standard", "recruits").within(load, record.recruits, ANY),
            held: held.into_iter().collect(),
        })
    }

    fn league(&mut self, load: &mut Loader<'_>) -> Option<League> {
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
        if let Some(people) = &self.leaders.people {
            for (path, general, faces) in
                [("leven", people.leven, leven), ("callander", people.callander, callander)]
            {
                let limit = self.leaders.generals.get(general.index()).map_or(0, |one| u32::from(one.limit));
                let counters: u32 = faces.iter().map(|face| u32::from(self.brigades.faces[face].count)).sum();
                if !(1..=limit).contains(&counters) {
                    field(path).fault(load, format!("{counters} Brigades: 1 to {limit} are expected"));
                }
            }
        }
        Some(League {
            entries: self.areas(load, field("entries"), &record.entries),
            leven,
            callander,
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

    fn new_model(&mut self, load: &mut Loader<'_>) -> Option<NewModel> {
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

    fn queen(&mut self, load: &mut Loader<'_>) -> Option<Queen> {
        let record = self.record::<QueenRecord>(load, "queen")?;
        Some(Queen {
            landing: self.areas(load, at("queen", "landing"), &record.landing),
            stays: turn(load, at("queen", "stays"), record.stays),
        })
    }

    fn brentford(&mut self, load: &mut Loader<'_>) -> Option<Brentford> {
        let record = self.record::<BrentfordRecord>(load, "brentford")?;
        Some(Brentford {
            modifier: at("brentford", "modifier").within(load, record.modifier, SOME),
            until: turn(load, at("brentford", "until"), record.until),
        })
    }

    fn turnham_green(&mut self, load: &mut Loader<'_>) -> Option<TurnhamGreen> {
        let record = self.record::<TurnhamGreenRecord>(load, "turnham_green")?;
        Some(TurnhamGreen {
            at: self.area(load, at("turnham_green", "at"), &record.at),
            distance: at("turnham_green", "distance").within(load, record.distance, (0, AREAS as u8)),
        })
    }

    fn landing(&mut self, load: &mut Loader<'_>) -> Option<Landing> {
        let record = self.record::<LandingRecord>(load, "landing")?;
        Some(Landing {
            regions: at("landing", "regions").regions(load, &record.regions),
            naval_regions: at("landing", "naval_regions").regions(load, &record.naval_regions),
        })
    }

    fn lorraine(&mut self, load: &mut Loader<'_>) -> Option<LorraineLanding> {
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

    fn rising(&mut self, load: &mut Loader<'_>) -> Option<Rising> {
        let record = self.record::<RisingRecord>(load, "rising")?;
        Some(Rising {
            at: self.area(load, at("rising", "at"), &record.at),
            at_least: at("rising", "at_least").within(load, record.at_least, (-20, 20)),
        })
    }

    fn promotion(&mut self, load: &mut Loader<'_>) -> Option<Promotion> {
        let record = self.record::<Promotion>(load, "promotion")?.value;
        at("promotion", "level").within(load, record.level, (1, 4));
        at("promotion", "limit").within(load, record.limit, SOME);
        Some(record)
    }

    fn optional(&mut self, load: &mut Loader<'_>) -> Option<Optional> {
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

    fn area(&self, load: &mut Loader<'_>, field: Field<'_>, id: &str) -> AreaId {
        self.map.names.find(load, field, id).unwrap_or_default()
    }

    fn areas(&self, load: &mut Loader<'_>, field: Field<'_>, ids: &[String]) -> AreaSet {
        self.map.names.find_all::<AreaId>(load, field, ids).into_iter().collect()
    }
}

/// The Turn of a number.
fn turn(load: &mut Loader<'_>, field: Field<'_>, number: u8) -> TurnId {
    let number = field.within(load, number, (1, TURNS as u8));
    <TurnId as Numbered>::new(usize::from(number) - 1)
}
