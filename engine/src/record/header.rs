//! Settings made before a match: game, versions, setup, players, and the source of the dice.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::chance_source::ChanceSource;
use crate::content::ContentHash;
use crate::dice::{Commitment, Entropy, EntropyCommitment, Error, OptionsSalt, Seed, ServerSeed};

use super::recorded_act::RecordedAct;
use super::recorded_adjournment::RecordedAdjournment;

/// The most bytes of a player's name, a match's id or a group's id.
pub const NAME_BYTES_MAX: usize = 256;

/// Facts of a match that its table does not know, and its record says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The match's id; empty for a match that has none.
    pub match_id: String,
    /// Names of the players, in seat order; empty where nobody is named. Those that are missing are empty.
    pub players: Vec<String>,
    /// Source of the outcomes.
    pub dice: Dice,
    /// The rules that it was begun under, where they are not those of its table: it was taken up by these since.
    pub begun_under: Option<RulesPin>,
    /// The id of the seat that gave up while the host could not play the match, if one did.
    pub given_up: Option<String>,
    /// The times for which it was adjourned, in order.
    pub adjournments: Vec<RecordedAdjournment>,
    /// The acts of referees on it, in order.
    pub referee_acts: Vec<RecordedAct>,
}

/// A rules version and a content: what a match is played by.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RulesPin {
    /// The rules version.
    pub rules_version: u32,
    /// The hash of the content.
    pub content: ContentHash,
}

/// A seat and who played it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// The seat's id.
    pub seat: String,
    /// The player's name; may be empty.
    pub name: String,
}

/// The gift of a seat (in a group of matches: of an entrant) to the seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatEntropy {
    /// Its entropy, or [`Entropy::ABSENT`].
    pub entropy: Entropy,
    /// The commitment that had bound it, where the match asked for one.
    pub commitment: Option<EntropyCommitment>,
}

/// The secrets of a host that a commitment binds it to. They are revealed together, or withheld together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HostSecrets {
    /// The host's part of the seed.
    pub server_seed: ServerSeed,
    /// The salt of the options hash.
    pub salt: OptionsSalt,
}

/// A seed that somebody chose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenSeed {
    /// The seed.
    pub seed: Seed,
    /// The salt of the options hash; `None` for a match of which no such hash was published.
    pub salt: Option<OptionsSalt>,
}

/// The source of a match's outcomes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dice {
    /// From a seed that the host was bound to before anyone sat down.
    Committed {
        /// The id of the group of matches that shares the seed; `None`: the match has its own.
        group: Option<String>,
        /// As published at creation.
        commitment: Commitment,
        /// As revealed; `None` while they are not.
        secrets: Option<HostSecrets>,
        /// In seat order, or in the group's order; may be empty while the secrets are not revealed.
        entropies: Vec<SeatEntropy>,
    },
    /// From a seed that somebody chose; `None` while it is not revealed.
    Chosen(Option<ChosenSeed>),
    /// From a script.
    Scripted,
    /// A person entered them.
    Entered,
    /// From dice of one's own that leave no evidence.
    Playout,
}

/// The settings made before a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordHeader {
    /// The game's id.
    pub game: String,
    /// The rules that it was begun under, which the commitment names.
    pub begun_under: RulesPin,
    /// The rules that took it up since, as they lead where it had led; `None`: all of it was played by those that it was begun
    /// under.
    pub repinned: Option<RulesPin>,
    /// The scenario's id.
    pub scenario: String,
    /// Every option of the game, as it is written, by id.
    pub options: BTreeMap<String, String>,
    /// The match's id; may be empty.
    pub match_id: String,
    /// The seats, in order.
    pub players: Vec<Player>,
    /// The described position that it was started from, if it was.
    pub position: Option<Value>,
    /// Source of the outcomes.
    pub dice: Dice,
    /// The line of each part, by its first word, and of the first of several; of options, seats and entropies by two words.
    pub(super) lines: BTreeMap<String, usize>,
}

impl Origin {
    /// A match without id and names, whose dice are as its chance_source says: a seed counts as chosen, for nobody was bound to it.
    #[must_use]
    pub fn local(chance_source: &ChanceSource) -> Self {
        Self {
            match_id: String::new(),
            players: Vec::new(),
            dice: Dice::of(chance_source),
            begun_under: None,
            given_up: None,
            adjournments: Vec::new(),
            referee_acts: Vec::new(),
        }
    }
}

impl Dice {
    /// Returns what a chance source says of itself; a seed counts as chosen.
    #[must_use]
    pub fn of(chance_source: &ChanceSource) -> Self {
        match chance_source {
            ChanceSource::Seeded(seed) => Self::Chosen(Some(ChosenSeed { seed: seed.clone(), salt: None })),
            ChanceSource::Scripted(_) => Self::Scripted,
            ChanceSource::Manual => Self::Entered,
            ChanceSource::Playout(_) => Self::Playout,
        }
    }

    /// Returns whether the outcomes came from a seed, revealed or not.
    #[must_use]
    pub(crate) const fn has_seed(&self) -> bool {
        matches!(self, Self::Committed { .. } | Self::Chosen(_))
    }
}

impl RecordHeader {
    /// The rules that it can be played again by.
    #[must_use]
    pub fn played_by(&self) -> RulesPin {
        self.repinned.unwrap_or(self.begun_under)
    }

    /// The id that seeds and commitments are bound to: the group's, or else the match's.
    #[must_use]
    pub(crate) fn dice_id(&self) -> &str {
        match &self.dice {
            Dice::Committed { group: Some(group), .. } => group,
            _ => &self.match_id,
        }
    }

    /// The seed, if it is revealed.
    ///
    /// # Errors
    /// If the id can't be part of a seed.
    pub(crate) fn seed(&self) -> Result<Option<Seed>, Error> {
        match &self.dice {
            Dice::Committed { secrets: Some(secrets), entropies, .. } => {
                let entropies: Vec<Entropy> = entropies.iter().map(|seat| seat.entropy.clone()).collect();
                secrets.server_seed.seed(self.dice_id(), &entropies).map(Some)
            }
            Dice::Chosen(chosen) => Ok(chosen.as_ref().map(|chosen| chosen.seed.clone())),
            _ => Ok(None),
        }
    }

    /// Returns whether the match has a seed that is withheld.
    #[must_use]
    pub(crate) const fn is_seed_withheld(&self) -> bool {
        matches!(self.dice, Dice::Committed { secrets: None, .. } | Dice::Chosen(None))
    }

    /// The line in which the part `key` begins; the first line for a part that is not there.
    pub(super) fn line(&self, key: &str) -> usize {
        self.lines.get(key).copied().unwrap_or(1)
    }
}
