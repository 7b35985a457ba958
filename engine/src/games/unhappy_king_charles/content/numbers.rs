//! The numbers of the rules: hands, movement, Battle, sieges, desertion, naval, victory ([`Numbers`]).

use serde::Deserialize;

use crate::content::Levels;

use super::ids::{
    AreaId, AreaSet, FaceSet, GeneralId, GeneralSet, LeaderSet, NotableId, RegionId, RegionSet, TurnId,
};

/// Cards and plays (4.1, 5.4, 5.5, 6.7, 6.8).
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Hand {
    /// Early War cards among which the Standard is shuffled for the first deal.
    pub first_deal: u8,
    /// Cards dealt to each player in a turn.
    pub dealt: u8,
    /// Plays after which a player may pass.
    pub plays: u8,
    /// Alt-Hist cards that join the Mid War, and as many the Late War.
    pub alt_hist: u8,
    /// Number of the Turn at whose start the Mid War cards are added.
    pub mid_war: u8,
}

/// Movement (6.2, 9.2 to 9.6).
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Movement {
    /// Movement Points of a line, by kind: road, mountain, maritime.
    pub lines: [u8; super::LINE_KINDS],
    /// The most Brigades that may cross a maritime line at once, by one card.
    pub maritime_brigades: u8,
    /// Movement Points of a marker.
    pub marker: u8,
    /// Movement Points of taking a Siege marker off.
    pub lift_siege: u8,
    /// Movement Points of leaving an Area where a Battle was won.
    pub leave_battle: u8,
    /// Movement Points of leaving the map into Scotland (6.5).
    pub leave_map: u8,
    /// The least Brigades of a Major Army.
    pub major_army: u8,
    /// The number of the card that Activates a Major Army.
    pub major_card: u8,
}

/// A row of the Movement Table (9.2).
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Allowance {
    /// The most Brigades of the Army.
    pub up_to: u8,
    /// Its Movement Points.
    pub points: u8,
    /// The most Areas of an Evasion or Retreat.
    pub areas: u8,
}

/// The roll of an Interception or Evasion (9.7.2, 10.1).
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Attempt {
    /// The least score that succeeds.
    pub at_least: u8,
    /// Added for a Strategy Rating that is less than the enemy's.
    pub better: i8,
    /// Added for one that is greater.
    pub worse: i8,
    /// Added for each kind of line: that of the Interception, or the one by which the enemy came.
    pub lines: [i8; super::LINE_KINDS],
}

/// Battle (10.2 to 10.7).
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Battle {
    /// The greatest margin of a Drawn Battle.
    pub drawn: u8,
    /// The least margin of a Major Victory; what lies between is Indecisive.
    pub major: u8,
    /// Brigades that each side loses by a draw.
    pub drawn_losses: u8,
    /// Brigades lost by an Indecisive Victory.
    pub indecisive_losses: u8,
    /// Brigades lost by a Major or Decisive Victory.
    pub major_losses: u8,
    /// Cards for a Major Victory.
    pub major_cards: u8,
    /// Cards for a Decisive Victory.
    pub decisive_cards: u8,
    /// Brigades lost to the first enemy marker that a Retreat enters (10.3).
    pub retreat_losses: u8,
}

/// Bombardment, Surrender and Assault (14.3 to 14.5).
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Siege {
    /// The most Brigades in a Limited Fortress.
    pub limited_room: u8,
    /// Added to a Bombardment with the Siege Train or enough of the New Model Army.
    pub train: i8,
    /// New Model Army Brigades that do as a Siege Train.
    pub new_model: u8,
    /// Added at a Port while the Naval Status is for the besieged.
    pub port: i8,
    /// Added against a Local Notable.
    pub notable: i8,
    /// The greatest roll of the Honours of War that Disperses the garrison.
    pub honours: u8,
    /// The Bombardment Value with which any General may Assault, and below which an Assault is hindered.
    pub assault_value: u8,
    /// The least score of an Assault that succeeds.
    pub assault: u8,
    /// The most attacking Brigades that count.
    pub attackers: u8,
    /// Added to an Assault by class of the Fortress, 0 to 3.
    pub classes: [i8; 4],
    /// Added below the Bombardment Value of `assault_value`.
    pub early: i8,
}

/// Desertion and Supply Attrition (12.0).
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Desertion {
    /// Brigades on the map below which Desertion takes nobody.
    pub floor: u8,
    /// The least Brigades of an Army of the second category.
    pub large_army: u8,
    /// The least Brigades in an Area that loses one to Supply Attrition.
    pub attrition: u8,
    /// The number of categories.
    pub categories: u8,
}

/// The Naval Status Chart (15.0). Up is good for Parliament.
#[derive(Clone, Debug)]
pub struct Naval {
    /// The Naval Chits.
    pub chits: Vec<i8>,
    /// Areas of which the Royalists' control, of one or more, moves the status by `held`.
    pub ports: AreaSet,
    /// See `ports`.
    pub held: i8,
    /// Added once the Queen has left uncaptured.
    pub queen_left: i8,
    /// Added once the Queen is captured.
    pub queen_captured: i8,
    /// Distance from 0 at which a side may recruit a Veteran for a Militia Brigade.
    pub veteran: u8,
    /// Distance from 0 at which it may recruit one more Brigade instead.
    pub extra: u8,
    /// Distance from 0 at which it hurts besiegers of Ports.
    pub siege: u8,
}

/// Recruitment (7.0).
#[derive(Clone, Debug)]
pub struct Recruitment {
    /// Regions in which New Model Army Brigades can't be recruited (7.1.3).
    pub new_model_barred: RegionSet,
    /// The Brigades of which one reforms: half of the Dispersed are 1 of 2 (7.1.7).
    pub reform_one_of: u8,
}

/// Local Notables (13.0).
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Raids {
    /// The most lines to an Area that is raided.
    pub distance: u8,
}

/// Events by the general rules of 6.4, and moves after the New Model Army and the Bishops.
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Events {
    /// The most Areas that a stack without its General is moved (6.5, 6.6).
    pub relocation: u8,
}

/// Victory (17.0).
#[derive(Clone, Debug)]
pub struct Victory {
    /// The Area that the Royalists' automatic victory needs, and the Lostwithiel rule goes by: London.
    pub capital: AreaId,
    /// Regions that the Royalists' automatic victory needs.
    pub regions: u8,
    /// Turns in a row at whose end it holds.
    pub turns: u8,
    /// Points of each Region of Parliament at the end.
    pub region_points: u8,
    /// Points of each economic infrastructure of Parliament at the end.
    pub infrastructure_points: u8,
    /// Points with which Parliament wins.
    pub points: u8,
}

/// Raising of the Standard (6.5).
#[derive(Clone, Debug)]
pub struct Standard {
    /// Brigades that Parliament recruits, if it played the card.
    pub recruits: u8,
    /// Generals who do not move before.
    pub held: GeneralSet,
}

/// The Solemn League (6.5).
#[derive(Clone, Debug)]
pub struct League {
    /// Areas of entry, and of leaving.
    pub entries: AreaSet,
    /// Brigades that come with each Covenanter General: all counters of these faces.
    pub brigades: Vec<(GeneralId, FaceSet)>,
    /// Number of the Turn from which Callander may come (ruling MC8).
    pub callander_from: u8,
    /// Brigades that the Royalists recruit, if they played the card.
    pub recruits: u8,
    /// Regions whose Brigades these can't be.
    pub barred: RegionSet,
}

/// The New Model Army (6.5).
#[derive(Clone, Debug)]
pub struct NewModel {
    /// Leaders who leave the game.
    pub lords: LeaderSet,
    /// Brigades that leave the game.
    pub lost: u8,
    /// Local Notables, and the Generals who take their places.
    pub exchanges: Vec<(NotableId, GeneralId)>,
    /// New Model Army Brigades with Cromwell.
    pub cromwell: u8,
    /// New Model Army Brigades with the Lord General.
    pub lord_general: u8,
    /// Area to which Cromwell comes.
    pub cromwell_at: AreaId,
    /// Region to which he comes if that won't do.
    pub cromwell_in: RegionId,
    /// Regions to which the Lord General comes from off the map.
    pub lord_general_in: RegionSet,
}

/// The Queen (6.6).
#[derive(Clone, Debug)]
pub struct Queen {
    /// Areas where she can land.
    pub landing: AreaSet,
    /// Number of the Turn in which she isn't moved, and after which she may leave.
    pub stays: u8,
}

/// Earl of Brentford (6.6).
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Brentford {
    /// Added to the King's Battle Score.
    pub modifier: u8,
    /// Number of the last Turn in which it is.
    pub until: u8,
}

/// Turnham Green (6.6).
#[derive(Clone, Debug)]
pub struct TurnhamGreen {
    /// Area to which Parliament gathers, a neighbour of which a Royalist Army must be in.
    pub at: AreaId,
    /// The most lines from which it gathers.
    pub distance: u8,
}

/// The Cessation (6.6).
#[derive(Clone, Debug)]
pub struct Landing {
    /// Regions in whose Ports the Irish land.
    pub regions: RegionSet,
    /// Regions that join them while the Naval Status is for the Royalists.
    pub naval_regions: RegionSet,
}

/// Charles of Lorraine (6.6).
#[derive(Clone, Debug)]
pub struct LorraineLanding {
    /// Areas where he lands.
    pub at: AreaSet,
}

/// London Rising (6.6).
#[derive(Clone, Debug)]
pub struct Rising {
    /// Area that rises.
    pub at: AreaId,
    /// The least score that succeeds.
    pub at_least: i8,
}

/// Lieutenant General of His Majesty's Armies (6.6, 8.4).
#[derive(Copy, Clone, Debug, Deserialize)]
pub struct Promotion {
    /// Rupert's level from then on.
    pub level: u8,
    /// The most Brigades of his Army from then on.
    pub limit: u8,
}

/// The Laughter of the Court and Lostwithiel (18.4, 18.5).
#[derive(Clone, Debug)]
pub struct Optional {
    /// Region of the Laughter: whose markers and Brigades.
    pub laughter_region: RegionId,
    /// Brigades that it costs.
    pub laughter_brigades: u8,
    /// The least lines from London at which Lostwithiel Disperses.
    pub lostwithiel: u8,
    /// Area in which only the Cornish are recruited (18.1).
    pub cornish_at: AreaId,
    /// Area in which the other Southern Brigades are (18.1).
    pub others_at: AreaId,
    /// Area in which Manchester's Brigades are recruited (18.3).
    pub manchester_at: AreaId,
    /// Region in which they come to his display (18.3).
    pub manchester_in: RegionId,
}

/// All numbers.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "each is named as its type, which has the rule")]
pub struct Numbers {
    pub hand: Hand,
    pub movement: Movement,
    /// The Movement Table, from the smallest Army (9.2).
    pub allowances: Vec<Allowance>,
    pub interception: Attempt,
    pub evasion: Attempt,
    pub battle: Battle,
    pub siege: Siege,
    pub desertion: Desertion,
    pub naval: Naval,
    pub recruitment: Recruitment,
    pub raids: Raids,
    pub events: Events,
    pub victory: Victory,
    pub standard: Standard,
    pub league: League,
    pub new_model: NewModel,
    pub queen: Queen,
    pub brentford: Brentford,
    pub turnham_green: TurnhamGreen,
    pub landing: Landing,
    pub lorraine: LorraineLanding,
    pub rising: Rising,
    pub promotion: Promotion,
    pub optional: Optional,
    /// How sure the numbers are, by table of game.toml.
    pub levels: Vec<(&'static str, Levels)>,
}

impl Numbers {
    /// The row of the Movement Table for so many Brigades; the last one for more than any (9.2).
    #[must_use]
    pub fn allowance(&self, brigades: u8) -> Allowance {
        let row = self.allowances.iter().find(|row| brigades <= row.up_to).or(self.allowances.last());
        *row.expect("the Movement Table has a row")
    }

    /// The Turn of a number of these tables, which are checked on load.
    ///
    /// # Panics
    /// If it is not from 1 to 11.
    #[must_use]
    pub const fn turn(number: u8) -> TurnId {
        TurnId::of_number(number).expect("the numbers of Turns are checked on load")
    }
}
