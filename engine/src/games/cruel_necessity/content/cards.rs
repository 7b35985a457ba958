//! Event and Achievement cards, and the lists of operations that they carry out.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::content::{Confidence, ContentError, ContentRecord, Loader, Records};
use crate::numbered::SetOf;

use super::ops::{Compiled, OpRecord, Scope};
use super::{
    ACHIEVEMENTS_MAX, AchievementId, BOXES, CARDS, CARDS_FILE, CardId, ChoiceId, FORT_IDS, FORTS, FortId,
    ListId, Named, Op, OptionId, TRACK_IDS, TRACKS, TrackId, WARS, WarId,
};
use super::{battle, board, known, numbers, position, within};

#[derive(Deserialize)]
struct EventRecord {
    title: String,
    deck: u8,
    place: Place,
    #[serde(default)]
    before: Vec<OpRecord>,
    #[serde(default)]
    military: Vec<OpRecord>,
    #[serde(default)]
    religious: Vec<OpRecord>,
    #[serde(default)]
    political: Vec<OpRecord>,
}

#[derive(Deserialize)]
struct AchievementRecord {
    title: String,
    deck: u8,
    cost: u8,
    vp: i8,
    grades: BTreeMap<String, String>,
    #[serde(default)]
    battle_won: bool,
    #[serde(default)]
    fortresses: BTreeMap<String, u8>,
    effect: Vec<OpRecord>,
}

/// The place of a card in its deck.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Place {
    First,
    Middle,
    Last,
}

/// The kind of a card of the decks.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum CardKind {
    /// An Event, with the list that it carries out.
    Event { list: ListId },
    /// The Achievement of this index.
    Achievement(AchievementId),
}

/// A card of the three decks.
#[derive(Debug)]
pub(crate) struct Card {
    pub(crate) named: Named,
    pub(crate) deck: WarId,
    pub(crate) kind: CardKind,
}

/// An Achievement card.
#[derive(Debug)]
pub(crate) struct Achievement {
    pub(crate) card: CardId,
    pub(crate) cost: u8,
    pub(crate) vp: i8,
    /// The lowest grade that each track may have; 4 (F) asks nothing.
    pub(crate) grades: [u8; TRACKS],
    /// True if a Battle must have been won this turn or the last.
    pub(crate) battle_won: bool,
    /// The least strength of each fortress, which must be Parliament's; 0 asks nothing.
    pub(crate) fortresses: [u8; FORTS],
    pub(crate) list: ListId,
}

/// A choice in blue text.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) card: CardId,
    /// True if none of the options may be taken.
    pub(crate) optional: bool,
    pub(crate) options: SetOf<OptionId>,
}

/// The items that were read; faults are with the loader.
pub(crate) struct Read {
    pub(super) slots: Vec<Option<Card>>,
    ends: [[Option<CardId>; 2]; WARS],
    pub(super) achievements: Vec<Achievement>,
    pub(super) lists: Vec<Vec<Op>>,
    pub(super) choices: Vec<Choice>,
    pub(super) options: Vec<(String, ListId)>,
}

/// The result of a whole set of cards.
pub(super) struct Finished {
    pub(super) cards: Vec<Card>,
    pub(super) decks: [SetOf<CardId>; WARS],
    pub(super) ends: [[CardId; 2]; WARS],
    pub(super) achievements: Vec<Achievement>,
    pub(super) lists: Vec<Vec<Op>>,
    pub(super) choices: Vec<Choice>,
    pub(super) options: Vec<(String, ListId)>,
}

/// The items that the operations may refer to.
struct Around<'a> {
    board: &'a board::Read,
    battle: &'a battle::Read,
    numbers: &'a numbers::Read,
}

impl Read {
    pub(super) fn of(
        load: &mut Loader<'_>,
        board: &board::Read,
        battle: &battle::Read,
        numbers: &numbers::Read,
    ) -> Self {
        let events = load.records::<EventRecord>(CARDS_FILE, "event");
        let achievements = load.records::<AchievementRecord>(CARDS_FILE, "achievement");
        let around = Around { board, battle, numbers };
        let mut read = Self {
            slots: (0..CARDS).map(|_| None).collect(),
            ends: [[None; 2]; WARS],
            achievements: Vec::new(),
            lists: Vec::new(),
            choices: Vec::new(),
            options: Vec::new(),
        };
        for record in &events {
            read.event(load, &events, record, &around);
        }
        let mut sorted: Vec<&ContentRecord<AchievementRecord>> = achievements.iter().collect();
        sorted.sort_by_key(|record| record.id.parse::<u8>().unwrap_or(0));
        for record in sorted {
            read.achievement(load, &achievements, record, &around);
        }
        if read.slots.iter().any(Option::is_none) {
            load.report(ContentError::file(
                CARDS_FILE,
                format!("each number from 1 to {CARDS} needs a card"),
            ));
        }
        if read.ends.iter().flatten().any(Option::is_none) {
            let what = "each deck needs a first and a last Event card";
            load.report(ContentError::file(CARDS_FILE, what));
        }
        if read.achievements.len() > ACHIEVEMENTS_MAX
            || read.lists.len() > 200
            || read.choices.len() > 16
            || read.options.len() > 32
        {
            let what = format!("at most {ACHIEVEMENTS_MAX} Achievements, 16 choices and 32 options");
            load.report(ContentError::file(CARDS_FILE, what));
        }
        read
    }

    pub(super) fn finish(self) -> Finished {
        let cards: Vec<Card> = self.slots.into_iter().flatten().collect();
        let mut decks = [SetOf::EMPTY; WARS];
        for (index, card) in cards.iter().enumerate() {
            decks[card.deck].insert(CardId::new(index));
        }
        Finished {
            cards,
            decks,
            ends: self.ends.map(|ends| ends.map(|end| end.unwrap_or_default())),
            achievements: self.achievements,
            lists: self.lists,
            choices: self.choices,
            options: self.options,
        }
    }

    /// Puts a card into its place, which its number names.
    fn place(&mut self, load: &mut Loader<'_>, name: &str, id: &str, card: Card) -> Option<CardId> {
        let number = id.parse::<usize>().ok().filter(|number| (1..=CARDS).contains(number));
        let Some(number) = number else {
            let what = format!("a card's id is its number, from 1 to {CARDS}");
            load.report(ContentError::field(CARDS_FILE, name, "id", what));
            return None;
        };
        if self.slots[number - 1].is_some() {
            load.report(ContentError::field(CARDS_FILE, name, "id", "another card has this number"));
        }
        self.slots[number - 1] = Some(card);
        Some(CardId::new(number - 1))
    }

    fn event(
        &mut self,
        load: &mut Loader<'_>,
        records: &Records<EventRecord>,
        record: &ContentRecord<EventRecord>,
        around: &Around<'_>,
    ) {
        let name = records.name_of(&record.id);
        let deck = deck_of(load, &name, record.deck);
        let list = ListId::new(self.lists.len());
        self.lists.push(Vec::new());
        let title_known = record.confidence("title") != Some(Confidence::Reconstructed);
        let title = battle::marked(&record.title, title_known, record.weakest());
        let named = Named::of(record, format!("{}. {title}", record.id));
        let card = self.place(load, &name, &record.id, Card { named, deck, kind: CardKind::Event { list } });
        let Some(card) = card else { return };
        let end = match record.place {
            Place::First => 0,
            Place::Last => 1,
            Place::Middle => 2,
        };
        if let Some(end) = self.ends[deck].get_mut(end) {
            if end.is_some() {
                load.report(ContentError::field(CARDS_FILE, &name, "place", "another card has this place"));
            }
            *end = Some(card);
        }
        for (field, ops) in [
            ("before", &record.before),
            ("military", &record.military),
            ("religious", &record.religious),
            ("political", &record.political),
        ] {
            self.compile(load, &name, field, card, ops, list, around);
        }
    }

    fn achievement(
        &mut self,
        load: &mut Loader<'_>,
        records: &Records<AchievementRecord>,
        record: &ContentRecord<AchievementRecord>,
        around: &Around<'_>,
    ) {
        let name = records.name_of(&record.id);
        let deck = deck_of(load, &name, record.deck);
        let list = ListId::new(self.lists.len());
        self.lists.push(Vec::new());
        let title_known = record.confidence("title") != Some(Confidence::Reconstructed);
        let title = battle::marked(&record.title, title_known, record.weakest());
        let named = Named::of(record, format!("{}. {title}", record.id));
        let kind = CardKind::Achievement(AchievementId::new(self.achievements.len()));
        let Some(card) = self.place(load, &name, &record.id, Card { named, deck, kind }) else { return };
        let mut grades = [4; TRACKS];
        for (track, grade) in &record.grades {
            let track: Option<TrackId> = known(load, CARDS_FILE, &name, "grades", &TRACK_IDS, track);
            let grade = position(load, CARDS_FILE, &name, "grades", &["A", "B", "C", "D", "F"], grade);
            if let (Some(track), Some(grade)) = (track, grade) {
                grades[track] = grade as u8;
            }
        }
        let mut fortresses = [0; FORTS];
        for (fort, &least) in &record.fortresses {
            if let Some(fort) = known::<FortId>(load, CARDS_FILE, &name, "fortresses", &FORT_IDS, fort) {
                fortresses[fort] = within(load, CARDS_FILE, &name, "fortresses", least, (0, 9));
            }
        }
        self.achievements.push(Achievement {
            card,
            cost: within(load, CARDS_FILE, &name, "cost", record.cost, (0, 9)),
            vp: within(load, CARDS_FILE, &name, "vp", record.vp, (-9, 9)),
            grades,
            battle_won: record.battle_won,
            fortresses,
            list,
        });
        self.compile(load, &name, "effect", card, &record.effect, list, around);
        let events = [Op::Battle, Op::Unrest, Op::PoliticalReaction, Op::ReligiousReaction];
        let foreign = |op: &Op| {
            events.contains(op) || matches!(op, Op::Activate { .. } | Op::Choice { .. } | Op::Deviltry { .. })
        };
        if self.lists[list].iter().any(foreign) {
            let what = "battles, activations, unrest, reactions, choices and Deviltry are for Events";
            load.report(ContentError::field(CARDS_FILE, &name, "effect", what));
        }
    }

    /// Appends operations to a list; the options of a choice become lists of their own.
    #[expect(clippy::too_many_arguments, reason = "a record's place, in full, for its faults")]
    fn compile(
        &mut self,
        load: &mut Loader<'_>,
        name: &str,
        field: &str,
        card: CardId,
        ops: &[OpRecord],
        list: ListId,
        around: &Around<'_>,
    ) {
        let number = (card.index() + 1).to_string();
        for (index, op) in ops.iter().enumerate() {
            let formation = |id: &str| around.battle.formation(id);
            let battle_card = |id: &str| around.battle.card(id);
            let counter = |id: &str| around.board.later_counter(id);
            let revolt_kind = |id: &str| around.numbers.revolt_kind(id);
            let scope = Scope {
                name,
                field: format!("{field}[{index}]"),
                formation: &formation,
                battle_card: &battle_card,
                counter: &counter,
                revolt_kind: &revolt_kind,
                deviltry: around.numbers.deviltry(&number),
            };
            match op.compile(load, &scope) {
                None => {}
                Some(Compiled::Op(op)) => self.lists[list.index()].push(op),
                Some(Compiled::Choice { optional, options }) => {
                    let first = self.options.len();
                    for option in options {
                        let own = ListId::new(self.lists.len());
                        self.lists.push(Vec::new());
                        self.options.push((option.id, own));
                        self.compile(load, name, &scope.field, card, &option.ops, own, around);
                        if self.lists[own].iter().any(|op| matches!(op, Op::Choice { .. })) {
                            let what = "an option has no choice of its own";
                            load.report(ContentError::field(CARDS_FILE, name, &scope.field, what));
                        }
                    }
                    let options = (first..self.options.len()).map(OptionId::new).collect();
                    let choice = ChoiceId::new(self.choices.len());
                    self.choices.push(Choice { card, optional, options });
                    self.lists[list.index()].push(Op::Choice { choice });
                }
            }
        }
    }
}

/// The deck of a card: that of its Civil War.
fn deck_of(load: &mut Loader<'_>, name: &str, number: u8) -> WarId {
    WarId::new(usize::from(within(load, CARDS_FILE, name, "deck", number, (1, WARS as u8))) - 1)
}

const _: () = assert!(BOXES == 6, "grades are looked up by box");
