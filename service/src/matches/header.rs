//! The terms that are settled when a match is created ([`MatchHeader`]). Of them only the rules that it goes on by can change.

use edgehill_engine::catalogue::Catalogue;
use edgehill_engine::content::ContentHash;
use edgehill_engine::record::RulesPin;
use edgehill_engine::seat::Seat;
use edgehill_engine::setup::Setup;
use serde::{Deserialize, Serialize};

use super::clock::ClockTerms;
use super::conduct::Conduct;
use super::spectator_delay::SpectatorDelay;
use super::stored::{self, StoredError};
use crate::identity::{GroupId, HOUSE_ID};
use crate::store::MatchId;

/// The plan of who may take a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SeatConfig {
    /// Open to anyone: the first who comes has it.
    Open,
    /// The holder of the seat's invitation, which follows from the server's key.
    Invited,
    /// The house bot of this name, from the beginning.
    Bot(String),
    /// This account, with its key.
    Account(Vec<u8>),
}

/// The way in which seats give entropy.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EntropyMode {
    /// With their join.
    Open,
    /// A commitment with their join, and the entropy when all have joined.
    CommitReveal,
}

/// The source of the seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SeedTerms {
    /// Drawn by the server for this match, and committed to.
    Server,
    /// Chosen by the match's creator.
    Chosen,
    /// That of a group of matches.
    Group(GroupTerms),
}

/// A match's place in its seed group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GroupTerms {
    /// The group's id, a secret until the group is over ([`GroupId`]).
    pub id: String,
    /// Number of its matches.
    pub matches: u32,
    /// Number of its entrants; 0 for a common series, in which nobody gives entropy.
    pub entrants: u32,
    /// The entrant that takes each seat of this match.
    pub seat_entrants: Vec<u32>,
}

/// [`RulesPin`] as it is stored.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PinNote {
    /// The rules version.
    pub rules_version: u32,
    /// The hash of the content.
    pub content: [u8; 32],
}

impl From<RulesPin> for PinNote {
    fn from(pin: RulesPin) -> Self {
        Self { rules_version: pin.rules_version, content: *pin.content.as_bytes() }
    }
}

impl From<PinNote> for RulesPin {
    fn from(note: PinNote) -> Self {
        Self { rules_version: note.rules_version, content: ContentHash::from_bytes(note.content) }
    }
}

/// The terms that are settled when a match is created.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchHeader {
    /// The game's id.
    pub game: String,
    /// The rules that it was begun under.
    pub rules_version: u32,
    /// The content that it was begun with.
    pub content: [u8; 32],
    /// The scenario's id.
    pub scenario: String,
    /// Every option, as it is written, with its id, in the catalogue's order.
    pub options: Vec<(String, String)>,
    /// The salted hash of scenario, options and position (docs/dice.md).
    pub options_hash: [u8; 32],
    /// The described position that it begins from, as JSON.
    pub position: Option<String>,
    /// The plan of who may take each seat.
    pub seats: Vec<SeatConfig>,
    /// The way in which seats give entropy.
    pub entropy_mode: EntropyMode,
    /// The source of the seed.
    pub seed: SeedTerms,
    /// The server's commitment; `None` for a chosen seed.
    pub commitment: Option<[u8; 32]>,
    /// Milliseconds since 1970.
    pub created_ms: u64,
    /// The account that created it.
    pub creator: Vec<u8>,
    /// Those with whose matches it counts: an account or, for anyone without one, the keyed hash of an address.
    pub counted_as: Vec<u8>,
    /// Its clocks.
    #[serde(skip)]
    pub clock: Option<ClockTerms>,
    /// The rules that took it up since, as they lead where it had led.
    #[serde(skip)]
    pub repinned: Option<RulesPin>,
    /// The delay of its spectators.
    #[serde(skip)]
    pub spectator_delay: Option<SpectatorDelay>,
    /// Its terms beside the rules; `None`: there are none.
    #[serde(skip)]
    pub conduct: Option<Conduct>,
}

impl GroupTerms {
    /// The group's first match, whose log knows the others; `None` for an id that no group has.
    #[must_use]
    pub fn first(&self) -> Option<MatchId> {
        self.id.parse::<GroupId>().ok().map(|id| id.match_id())
    }
}

/// Every option of a setup, as it is written, with its id, in the catalogue's order.
pub(crate) fn written_options(catalogue: &Catalogue, setup: &Setup) -> Vec<(String, String)> {
    let options = catalogue.options.iter().enumerate();
    options.map(|(index, def)| (def.id.to_owned(), def.kind.print(setup.option(index)))).collect()
}

impl MatchHeader {
    /// The bytes to store.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        if let Some(conduct) = &self.conduct {
            return stored::to_bytes_conducted(self, &(self.clock.as_ref(), &self.spectator_delay, conduct));
        }
        match &self.spectator_delay {
            None => stored::to_bytes_clocked(self, self.clock.as_ref(), 0),
            Some(delay) => stored::to_bytes_delayed(self, &(self.clock.as_ref(), delay)),
        }
    }

    /// Reads stored bytes.
    ///
    /// # Errors
    /// If they are of another version, or no header.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        if let Some((header, (clock, spectator_delay, conduct))) = stored::from_bytes_conducted(bytes)? {
            let header: Self = header;
            return Ok(Self { clock, spectator_delay, conduct: Some(conduct), ..header });
        }
        if let Some((header, (clock, delay))) = stored::from_bytes_delayed(bytes)? {
            let header: Self = header;
            return Ok(Self { clock, spectator_delay: Some(delay), ..header });
        }
        let (header, clock) = stored::from_bytes_clocked(bytes)?;
        Ok(Self { clock, ..header })
    }

    /// The rules that it was begun under, which its commitment names.
    #[must_use]
    pub const fn begun_under(&self) -> RulesPin {
        RulesPin { rules_version: self.rules_version, content: ContentHash::from_bytes(self.content) }
    }

    /// The rules that it is played by.
    #[must_use]
    pub fn played_by(&self) -> RulesPin {
        self.repinned.unwrap_or(self.begun_under())
    }

    /// Returns whether house bots have all seats.
    #[must_use]
    pub fn is_of_bots(&self) -> bool {
        self.seats.iter().all(|plan| matches!(plan, SeatConfig::Bot(_)))
    }

    /// Returns whether the server has made it for callers whom it has paired. Its other matches are between house bots.
    #[must_use]
    pub fn is_paired(&self) -> bool {
        self.creator == HOUSE_ID.as_bytes() && !self.is_of_bots()
    }

    /// The account that a seat is kept for, if it is kept for one.
    #[must_use]
    pub fn invited_account(&self, seat: Seat) -> Option<&[u8]> {
        match self.seats.get(seat.index()) {
            Some(SeatConfig::Account(account)) => Some(account),
            _ => None,
        }
    }

    /// The seats that are kept for an account, ascending.
    pub fn seats_kept_for(&self, account: &[u8]) -> impl Iterator<Item = Seat> {
        let seats = (0..self.seats.len()).map(|index| Seat::new(index as u8));
        seats.filter(move |seat| self.invited_account(*seat) == Some(account))
    }

    /// Returns whether each match of its seed group begins by itself, with nobody's entropy: those of a common series.
    #[must_use]
    pub fn is_of_series(&self) -> bool {
        self.group().is_some_and(|group| group.entrants == 0)
    }

    /// Its seed group, if it has one.
    #[must_use]
    pub const fn group(&self) -> Option<&GroupTerms> {
        if let SeedTerms::Group(group) = &self.seed { Some(group) } else { None }
    }
}
