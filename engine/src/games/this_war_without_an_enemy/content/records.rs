//! The records of the content files, as they are written there.

use serde::Deserialize;

use crate::seat::Seat;

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    Royalist,
    Parliament,
}

impl Side {
    pub(super) const fn seat(self) -> Seat {
        Seat::new(self as u8)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Letter {
    North,
    Wales,
    Midlands,
    East,
    South,
    London,
}

#[derive(Deserialize)]
pub(super) struct Label {
    pub(super) lon: i32,
    pub(super) lat: i32,
}

#[derive(Deserialize)]
pub(super) struct AreaRecord {
    pub(super) name: String,
    pub(super) region: Letter,
    #[serde(default)]
    pub(super) mountain: bool,
    pub(super) loyal: Option<Side>,
    #[serde(default)]
    pub(super) yorkshire: bool,
    pub(super) label: Label,
}

/// The ground between two Areas.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum BorderKind {
    Open,
    River,
    Mountain,
}

impl BorderKind {
    pub(in super::super) const fn as_str(self) -> &'static str {
        ["open", "river", "mountain"][self as usize]
    }
}

#[derive(Deserialize)]
pub(super) struct BorderRecord {
    pub(super) between: [String; 2],
    pub(super) kind: BorderKind,
}

#[derive(Deserialize)]
pub(super) struct LimitsRecord {
    pub(super) river: u8,
    pub(super) mountain: u8,
}

/// The size of a City.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum CityClass {
    London,
    Major,
    Minor,
}

impl CityClass {
    pub(in super::super) const fn as_str(self) -> &'static str {
        ["london", "major", "minor"][self as usize]
    }
}

#[derive(Deserialize)]
pub(super) struct CityRecord {
    pub(super) name: String,
    pub(super) class: CityClass,
    pub(super) size: u8,
    pub(super) area: String,
    pub(super) points: u8,
    pub(super) sympathy: Option<Side>,
    pub(super) fortified: bool,
    pub(super) port: bool,
    pub(super) storm: u8,
    pub(super) supply: u8,
    pub(super) recruits: u8,
    #[serde(default)]
    pub(super) incomplete: bool,
}

/// The arm that a block fights as.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum Class {
    Infantry,
    Cavalry,
    Artillery,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in super::super) enum Kind {
    Leader,
    RegionalLeader,
    Regional,
    Artillery,
}

impl Kind {
    pub(in super::super) const fn as_str(self) -> &'static str {
        ["leader", "regional-leader", "regional", "artillery"][self as usize]
    }
}

#[derive(Deserialize)]
pub(super) struct BlockRecord {
    pub(super) name: String,
    pub(super) side: Side,
    pub(super) class: Class,
    pub(super) kind: Kind,
    pub(super) home: Option<Letter>,
    pub(super) strength: u8,
    pub(super) effectiveness: u8,
    pub(super) setup: String,
}

/// The event of a card.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in super::super) enum CardEvent {
    CampFever,
    Desertion,
    AdvantageousTerrain,
    DeterminedLastStand,
    Mining,
    TerrainDisfavoursCavalry,
    WellPositionedArtillery,
    QuartermasterGeneral,
    Recruitment,
    RecruitmentArtillery,
    FortificationOfLondon,
}

impl CardEvent {
    pub(in super::super) const fn as_str(self) -> &'static str {
        [
            "camp-fever",
            "desertion",
            "advantageous-terrain",
            "determined-last-stand",
            "mining",
            "terrain-disfavours-cavalry",
            "well-positioned-artillery",
            "quartermaster-general",
            "recruitment",
            "recruitment-artillery",
            "fortification-of-london",
        ][self as usize]
    }

    /// Returns whether it is enacted in the Operational Phase.
    pub(in super::super) const fn operational(self) -> bool {
        matches!(
            self,
            Self::CampFever
                | Self::Desertion
                | Self::Recruitment
                | Self::RecruitmentArtillery
                | Self::FortificationOfLondon
        )
    }

    /// Returns whether it is given to an Area at the start of the Tactical Phase.
    pub(in super::super) const fn tactical(self) -> bool {
        matches!(
            self,
            Self::AdvantageousTerrain
                | Self::DeterminedLastStand
                | Self::TerrainDisfavoursCavalry
                | Self::WellPositionedArtillery
        )
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in super::super) enum PhaseName {
    Operational,
    Tactical,
    Supply,
}

impl PhaseName {
    pub(in super::super) const fn as_str(self) -> &'static str {
        ["operational", "tactical", "supply"][self as usize]
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in super::super) enum Stage {
    Deck,
    YearEnd,
    Out,
}

impl Stage {
    pub(in super::super) const fn as_str(self) -> &'static str {
        ["deck", "year-end", "out"][self as usize]
    }
}

#[derive(Deserialize)]
pub(super) struct CardRecord {
    pub(super) name: String,
    pub(super) side: Side,
    pub(super) points: u8,
    pub(super) stage: Stage,
    pub(super) event: Option<CardEvent>,
    pub(super) phase: Option<PhaseName>,
    pub(super) amount: Option<u8>,
    #[serde(default)]
    pub(super) removed: bool,
}

#[derive(Deserialize)]
pub(super) struct TurnRecord {
    pub(super) name: String,
    pub(super) year: u16,
}

#[derive(Deserialize)]
pub(super) struct WithdrawalRecord {
    pub(super) success: bool,
    pub(super) loss: u8,
}

#[derive(Deserialize)]
pub(super) struct BombardmentRecord {
    pub(super) from: u8,
    pub(super) breach: u8,
}

/// The blocks that lose strength in a besieged City.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(in super::super) enum AttritionCell {
    None,
    Cavalry,
    NonPort,
    CavalryOrNonPort,
    All,
}

impl AttritionCell {
    /// The side that loses strength, in words.
    pub(in super::super) const fn said(self) -> &'static str {
        [
            "nobody",
            "with Cavalry inside",
            "without a Port",
            "with Cavalry inside or without a Port",
            "everybody",
        ][self as usize]
    }
}

#[derive(Deserialize)]
pub(super) struct SiegeRecord {
    pub(super) attrition: [AttritionCell; 6],
    pub(super) surrender: [bool; 6],
}

#[derive(Deserialize)]
pub(super) struct SupplyRecord {
    pub(super) blocks: u8,
    pub(super) cavalry: u8,
    pub(super) mountain_blocks: u8,
    pub(super) mountain_cavalry: u8,
}

#[derive(Deserialize)]
pub(super) struct VictoryRecord {
    pub(super) start: u8,
    pub(super) major: u8,
}

#[derive(Deserialize)]
pub(super) struct DealRecord {
    pub(super) cards: u8,
    pub(super) discards: u8,
}
