//! The game's content, typed and checked: map, tracks, cards, formations, numbers ([`Content`]).
//!
//! Invariant: everything that the rules index is in bounds, so no content that loads can make them panic.

mod battle;
mod board;
mod cards;
mod checks;
mod ids;
mod numbers;
mod ops;
mod starts;

use crate::content::{
    Confidence, ContentError, ContentErrors, ContentFiles, ContentRecord, Levels, Loader, Records,
};
use crate::numbered::{Listed, Numbered, SetOf};

pub(crate) use battle::{Arm, BattleCard, CardEffect, Dice, Formation, Target, Timing};
pub(crate) use board::{Area, BOXES, Counter, Fortress, Track};
pub(crate) use cards::{Achievement, Card, CardKind, Choice};
pub(crate) use ids::{
    AchievementId, ArmyId, BattleCardId, CardId, ChoiceId, CounterId, DeviltryId, FormationId, FortId,
    ListId, OptionId, RevoltId, RevoltKindId, RewardId, SECTORS, SLOTS, SectorId, SlotId, TrackId, WARS,
    WarId,
};
pub(crate) use numbers::{GRADES, Numbers, Reward, RewardEffect};
pub(crate) use ops::Op;

/// Armies, and their regions.
pub(crate) const ARMIES: usize = 4;
/// Fortresses.
pub(crate) const FORTS: usize = 6;
/// Political Tracks.
pub(crate) const TRACKS: usize = 6;
/// Revolt markers.
pub(crate) const REVOLTS: usize = 4;
/// Deviltry markers.
pub(crate) const DEVILTRY: usize = 8;
/// The most kinds of formations.
pub(crate) const KINDS_MAX: usize = 32;
/// The most Achievement cards.
pub(crate) const ACHIEVEMENTS_MAX: usize = 20;
/// Cards of the three decks.
pub(crate) const CARDS: usize = 60;
/// The most Battle Event cards.
pub(crate) const BATTLE_CARDS_MAX: usize = 16;

pub(crate) const NORTH: ArmyId = ArmyId::new(0);
pub(crate) const WEST: ArmyId = ArmyId::new(1);
pub(crate) const SCOTLAND: ArmyId = ArmyId::new(2);
pub(crate) const IRELAND: ArmyId = ArmyId::new(3);
/// Ids of armies and regions, in order.
pub(crate) const ARMY_IDS: [&str; ARMIES] = ["north", "west", "scotland", "ireland"];

pub(crate) const LONDON: FortId = FortId::new(0);
pub(crate) const HULL: FortId = FortId::new(1);
pub(crate) const BRISTOL: FortId = FortId::new(2);
pub(crate) const OXFORD: FortId = FortId::new(3);
pub(crate) const DUBLIN: FortId = FortId::new(5);
/// Ids of fortresses, in order.
pub(crate) const FORT_IDS: [&str; FORTS] = ["london", "hull", "bristol", "oxford", "edinburgh", "dublin"];

/// The kind of revolts that fights both sides.
pub(crate) const CLUBMEN: RevoltKindId = RevoltKindId::new(0);

/// Ids of tracks, in order: the three of the upper half, then those opposite to them.
pub(crate) const TRACK_IDS: [&str; TRACKS] =
    ["ireland", "monarchy", "catholicism", "scotland", "parliament", "puritanism"];
pub(crate) const T_IRELAND: TrackId = TrackId::new(0);
pub(crate) const T_MONARCHY: TrackId = TrackId::new(1);
pub(crate) const T_CATHOLICISM: TrackId = TrackId::new(2);
pub(crate) const T_SCOTLAND: TrackId = TrackId::new(3);
pub(crate) const T_PARLIAMENT: TrackId = TrackId::new(4);
pub(crate) const T_PURITANISM: TrackId = TrackId::new(5);

pub(super) const BOARD: &str = "board.toml";
pub(super) const TRACKS_FILE: &str = "tracks.toml";
pub(super) const CARDS_FILE: &str = "cards.toml";
pub(super) const BATTLE: &str = "battle.toml";
pub(super) const GAME: &str = "game.toml";

/// The files of a content set.
pub(crate) fn builtin() -> ContentFiles {
    crate::builtin_content!(
        "cruel-necessity": "board.toml", "tracks.toml", "cards.toml", "battle.toml", "game.toml", "rules.toml"
    )
}

/// Something with an id, a name and a confidence; how sure each field of its record is.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) confidence: Confidence,
    pub(crate) levels: Levels,
}

impl Named {
    /// A record, and what players call it.
    fn of<T>(record: &ContentRecord<T>, name: impl Into<String>) -> Self {
        Self {
            id: record.id.clone(),
            name: name.into(),
            confidence: record.weakest(),
            levels: record.levels(),
        }
    }
}

/// All content, by index.
#[derive(Debug)]
pub(crate) struct Content {
    /// Areas 1 to 5 of each region: `region * 5 + number - 1`.
    pub(crate) areas: Vec<Area>,
    pub(crate) forts: Vec<Fortress>,
    /// Counters of Armies; the first four are those that begin.
    pub(crate) counters: Vec<Counter>,
    pub(crate) tracks: Vec<Track>,
    /// By number - 1.
    pub(crate) cards: Vec<Card>,
    pub(crate) achievements: Vec<Achievement>,
    /// Lists of operations: what cards do.
    pub(crate) lists: Vec<Vec<Op>>,
    pub(crate) choices: Vec<Choice>,
    /// Name of each option of a choice, and the list that it carries out.
    pub(crate) options: Vec<(String, ListId)>,
    /// The cards of each deck.
    pub(crate) decks: [SetOf<CardId>; WARS],
    /// The first and the last card of each deck.
    pub(crate) ends: [[CardId; 2]; WARS],
    pub(crate) formations: Vec<Formation>,
    /// By formation, the Event card that brings it into the game: a Named unit of Parliament has one at most.
    pub(crate) brought_by: Vec<Option<CardId>>,
    pub(crate) battle_cards: Vec<BattleCard>,
    pub(crate) numbers: Numbers,
}

impl Content {
    /// Reads and checks a content set.
    pub(crate) fn load(files: &ContentFiles) -> Result<Self, ContentErrors> {
        let mut load = Loader::new(files);
        let board = board::Read::of(&mut load);
        let battle = battle::Read::of(&mut load);
        let numbers = numbers::Read::of(&mut load, &board, &battle);
        let cards = cards::Read::of(&mut load, &board, &battle, &numbers);
        checks::check(&mut load, &cards, &battle, &numbers);
        load.finish(|| {
            let (forts, counters, tracks, areas) = board.finish();
            let cards = cards.finish();
            let brings = |card: &Card, unit: FormationId| match card.kind {
                CardKind::Event { list } => cards.lists[list].iter().any(|op| op.adds(unit)),
                CardKind::Achievement(_) => false,
            };
            let bringing = |unit| cards.cards.iter().position(|card| brings(card, unit)).map(CardId::new);
            let units = (0..battle.formations.len()).map(FormationId::new);
            Some(Self {
                brought_by: units.map(bringing).collect(),
                areas,
                forts,
                counters,
                tracks,
                decks: cards.decks,
                ends: cards.ends,
                cards: cards.cards,
                achievements: cards.achievements,
                lists: cards.lists,
                choices: cards.choices,
                options: cards.options,
                formations: battle.formations,
                battle_cards: battle.cards,
                numbers: numbers.finish()?,
            })
        })
    }

    /// The Achievement that a card is.
    pub(crate) fn achievement(&self, card: CardId) -> Option<AchievementId> {
        match self.cards[card].kind {
            CardKind::Achievement(achievement) => Some(achievement),
            CardKind::Event { .. } => None,
        }
    }

    /// The card whose list this is.
    pub(crate) fn list_owner(&self, list: ListId) -> Option<CardId> {
        let event = |&card: &CardId| self.cards[card].kind == CardKind::Event { list };
        let achievement = || self.achievements.iter().find(|one| one.list == list).map(|one| one.card);
        CardId::all(self).find(event).or_else(achievement)
    }

    /// The card of an option in blue text, and the option's number on it, from 1.
    pub(crate) fn printed_option(&self, option: OptionId) -> Option<(CardId, u8)> {
        let card = self.choices.iter().find(|choice| choice.options.contains(option))?.card;
        Some((card, (option.index() - self.first_option(card)?.index()) as u8 + 1))
    }

    /// The option of this number on a card, as a place in `options`.
    pub(crate) fn option_of(&self, card: CardId, number: u8) -> Option<OptionId> {
        OptionId::all(self).find(|&option| self.printed_option(option) == Some((card, number)))
    }

    /// The card of a choice, and the choice's number on it, from 1.
    pub(crate) fn printed_choice(&self, choice: ChoiceId) -> (CardId, u8) {
        let card = self.choices[choice].card;
        let before = self.choices[..choice.index()].iter().filter(|other| other.card == card);
        (card, before.count() as u8 + 1)
    }

    /// The choice of this number on a card, as a place in `choices`.
    pub(crate) fn choice_of(&self, card: CardId, number: u8) -> Option<ChoiceId> {
        ChoiceId::all(self).find(|&choice| self.printed_choice(choice) == (card, number))
    }

    /// The first option of a card; the others follow it, since a card is read as a whole.
    fn first_option(&self, card: CardId) -> Option<OptionId> {
        self.choices.iter().find(|choice| choice.card == card)?.options.first()
    }
}

/// The thing of an id in a fixed list; a fault of the field otherwise.
fn known<T: Numbered>(
    load: &mut Loader<'_>,
    file: &str,
    record: &str,
    field: &str,
    ids: &[&str],
    id: &str,
) -> Option<T> {
    position(load, file, record, field, ids, id).map(T::new)
}

/// The index of an id in a fixed list; a fault of the field otherwise.
fn position(
    load: &mut Loader<'_>,
    file: &str,
    record: &str,
    field: &str,
    ids: &[&str],
    id: &str,
) -> Option<usize> {
    let found = ids.iter().position(|known| *known == id);
    if found.is_none() {
        let what = format!("`{id}`: expected one of {}", ids.join(", "));
        load.report(ContentError::field(file, record, field, what));
    }
    found
}

/// A number within bounds, both included; a fault of the field, and the lower bound, otherwise.
fn within<N: Copy + PartialOrd + std::fmt::Display>(
    load: &mut Loader<'_>,
    file: &str,
    record: &str,
    field: &str,
    value: N,
    (least, most): (N, N),
) -> N {
    if value >= least && value <= most {
        return value;
    }
    let what = format!("{value}: a number from {least} to {most} is expected");
    load.report(ContentError::field(file, record, field, what));
    least
}

/// A table must have exactly these records, whatever their order: they come back in this one.
fn exactly<'r, T>(
    load: &mut Loader<'_>,
    records: &'r Records<T>,
    ids: &[&str],
) -> Vec<Option<&'r ContentRecord<T>>> {
    for record in records.iter().filter(|record| !ids.contains(&record.id.as_str())) {
        let what = format!("unknown: expected one of {}", ids.join(", "));
        load.report(ContentError::record(records.file(), &records.name_of(&record.id), what));
    }
    for id in ids.iter().filter(|id| records.get(id).is_none()) {
        load.report(ContentError::record(records.file(), &records.name_of(id), "missing"));
    }
    ids.iter().map(|id| records.get(id)).collect()
}
