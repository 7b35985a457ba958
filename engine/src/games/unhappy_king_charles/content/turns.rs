//! The Turn Record Track (5.0, 7.2.2, 17.2).

use serde::Deserialize;

use crate::content::{ContentError, Loader};

use super::ids::{GeneralId, GeneralSet, TurnId};
use super::leaders::{Arrival, General};
use super::names::Field;
pub use super::set_up::{OptionalRule, Restricted, RuleOption, SetUp, StartStack};
use super::{AREAS, CHITS, Named, TURNS};

/// A Turn.
#[derive(Debug)]
pub struct Turn {
    /// Its id and name.
    pub named: Named,
    /// The Brigades that each side recruits in the Recruitment Phase (7.2.2).
    pub recruits: u8,
    /// The Brigades of a Recruitment Card that is an Operations Card (7.2.2).
    pub card_recruits: u8,
    /// The Brigades of a Recruitment Card that is a discard (7.2.2).
    pub discard_recruits: u8,
    /// The Power Base Number (17.2).
    pub power_base: u8,
    /// The Desertion Number (12.0).
    pub desertion: u8,
    /// True if a Naval Chit is drawn (5.1).
    pub naval_chit: bool,
    /// True if cards are dealt (5.4): the first Turn has the deal of the set-up.
    pub draw: bool,
    /// True if there is a Political Control Phase (5.2).
    pub political_control: bool,
    /// True if the Royalists may recruit a Veteran for a Militia Brigade by Powicke Bridge (7.1.2).
    pub powicke: bool,
    /// True if turncoats are taken (10.6).
    pub turncoats: bool,
    /// True if stored cards can be played (6.0).
    pub stored_cards: bool,
    /// Generals who come from the track (4.4).
    pub arrivals: GeneralSet,
}

/// The file of Turns.
const FILE: &str = "turns.toml";

#[derive(Deserialize)]
struct TurnRecord {
    name: String,
    recruits: u8,
    card_recruits: u8,
    discard_recruits: u8,
    power_base: u8,
    desertion: u8,
    #[serde(default)]
    naval_chit: bool,
    #[serde(default)]
    draw: bool,
    #[serde(default)]
    political_control: bool,
    #[serde(default)]
    powicke: bool,
    #[serde(default)]
    turncoats: bool,
    #[serde(default)]
    stored_cards: bool,
}

/// Reads the Turns; their arrivals are those of these Generals. Faults are with the loader.
pub(super) fn read(load: &mut Loader<'_>, generals: &[General]) -> Vec<Turn> {
    let records = load.records::<TurnRecord>(FILE, "turn");
    if records.len() != TURNS {
        load.report(ContentError::file(
            FILE,
            format!("{TURNS} Turns are needed, there are {}", records.len()),
        ));
    }
    if records.iter().filter(|turn| turn.naval_chit).count() > CHITS {
        load.report(ContentError::file(FILE, format!("at most {CHITS} Turns draw a Naval Chit")));
    }
    if records.first().is_some_and(|turn| turn.draw) {
        let name = records.name_of(&records[0].id);
        Field { file: FILE, record: &name, path: "draw" }
            .fault(load, "the first Turn has the deal of the set-up");
    }
    let mut turns = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let name = records.name_of(&record.id);
        let field = |path| Field { file: FILE, record: &name, path };
        turns.push(Turn {
            named: Named::of(record, &*record.name),
            recruits: field("recruits").within(load, record.recruits, (0, 9)),
            card_recruits: field("card_recruits").within(load, record.card_recruits, (0, 9)),
            discard_recruits: field("discard_recruits").within(load, record.discard_recruits, (0, 9)),
            power_base: field("power_base").within(load, record.power_base, (0, AREAS as u8)),
            desertion: field("desertion").within(load, record.desertion, (0, 9)),
            naval_chit: record.naval_chit,
            draw: record.draw,
            political_control: record.political_control,
            powicke: record.powicke,
            turncoats: record.turncoats,
            stored_cards: record.stored_cards,
            arrivals: arrivals(generals, TurnId::new(index)),
        });
    }
    turns
}

/// Generals who come from the track in a Turn.
fn arrivals(generals: &[General], turn: TurnId) -> GeneralSet {
    let here = generals.iter().enumerate().filter(|(_, general)| general.arrival == Arrival::Turn(turn));
    here.map(|(index, _)| GeneralId::new(index)).collect()
}
