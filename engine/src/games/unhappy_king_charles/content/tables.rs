//! The tables of game.toml, read and checked into the numbers of the rules ([`Numbers`]).

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::content::{ContentError, ContentRecord, Levels, Loader};

use super::ids::{AreaId, AreaSet};
use super::names::{Field, REGION_IDS};
use super::numbers::{
    Allowance, Attempt, Battle, Desertion, Events, Hand, Movement, Naval, Numbers, Raids, Recruitment, Siege,
    Victory,
};
use super::{CHITS, TURNS, brigades, leaders, map};

/// The file of the numbers.
pub(super) const FILE: &str = "game.toml";

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

/// The tables that the numbers are about, and what was read of how sure they are.
pub(super) struct Around<'a> {
    map: &'a map::Read,
    pub(super) leaders: &'a leaders::Read,
    pub(super) brigades: &'a brigades::Read,
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
pub(super) const fn at<'a>(record: &'a str, path: &'a str) -> Field<'a> {
    Field { file: FILE, record, path }
}

/// Counts and sizes that are at least 1, and the most of them.
pub(super) const SOME: (u8, u8) = (1, 9);
/// Counts and sizes that may be 0.
pub(super) const ANY: (u8, u8) = (0, 9);
/// Modifiers of dice.
const ADDED: (i8, i8) = (-9, 9);

impl Around<'_> {
    /// A table, whose levels are kept.
    pub(super) fn record<T: DeserializeOwned>(
        &mut self,
        load: &mut Loader<'_>,
        table: &'static str,
    ) -> Option<ContentRecord<T>> {
        let record = load.record::<T>(FILE, table)?;
        self.levels.push((table, record.levels()));
        Some(record)
    }

    fn hand(&mut self, load: &mut Loader<'_>) -> Option<Hand> {
        let record = self.record::<Hand>(load, "hand")?.value;
        let field = |path| at("hand", path);
        field("first_deal").within(load, record.first_deal, (1, 19));
        field("dealt").within(load, record.dealt, SOME);
        field("plays").within(load, record.plays, (1, 19));
        field("alt_hist").within(load, record.alt_hist, ANY);
        // The first Turn's cards are dealt with the set-up.
        field("mid_war").within(load, record.mid_war, (2, TURNS as u8));
        Some(record)
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

    /// The Area of an id.
    pub(super) fn area(&self, load: &mut Loader<'_>, field: Field<'_>, id: &str) -> AreaId {
        self.map.names.find(load, field, id).unwrap_or_default()
    }

    /// The Areas of some ids, each once.
    pub(super) fn areas(&self, load: &mut Loader<'_>, field: Field<'_>, ids: &[String]) -> AreaSet {
        self.map.names.find_all::<AreaId>(load, field, ids).into_iter().collect()
    }
}

/// The number of a Turn, from 1 to 11.
pub(super) fn turn(load: &mut Loader<'_>, field: Field<'_>, number: u8) -> u8 {
    field.within(load, number, (1, TURNS as u8))
}
