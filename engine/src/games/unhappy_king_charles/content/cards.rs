//! The Strategy Cards: decks, kinds, and the lists of operations that they carry out (6.0).

use serde::Deserialize;

use crate::content::{Confidence, ContentError, ContentRecord, Loader, Records};
use crate::deck::CardSet;
use crate::seat::Seat;

use super::compile::{Around, ConditionRecord, OperationRecord};
use super::ids::{CardId, ListId};
use super::names::{Field, Side};
use super::operations::{Condition, Offered, Operation, Paragraph, Step};
use super::{CARDS, DECKS, Named, SEATS};

/// The deck of a card (4.1): what its back shows, but for the Core Cards, which all know.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deck {
    /// Core Cards: each player's two, back in hand every turn (3.0).
    Core,
    /// Mandatory cards (6.5).
    Mandatory,
    /// The Early War.
    Early,
    /// The Mid War, from turn 5 (6.7).
    Mid,
    /// The Late War, when the second deck is drawn (6.8).
    Late,
    /// Alt-Hist cards, two with the Mid War and two with the Late War (6.7, 6.8).
    AltHist,
}

impl Deck {
    /// All decks, in order: the index of what is kept by deck.
    pub const ALL: [Self; super::DECKS] =
        [Self::Core, Self::Mandatory, Self::Early, Self::Mid, Self::Late, Self::AltHist];

    /// Its word in content and in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["core", "mandatory", "early", "mid", "late", "alt-hist"][self as usize]
    }
}

/// The kind of a card, which says how it is played; its first operation says the rest.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CardKind {
    /// An Operations Card of 1 to 3 (6.1).
    Operations,
    /// A Minor or Major Campaign card (6.1).
    Campaign,
    /// A Combat Card (6.4, 10.2).
    Combat,
    /// A Mandatory card (6.5).
    Mandatory,
    /// An event (6.4).
    Event,
    /// A card that is a Response and nothing else (6.4).
    Response,
}

impl CardKind {
    /// All kinds, in order.
    pub const ALL: [Self; 6] =
        [Self::Operations, Self::Campaign, Self::Combat, Self::Mandatory, Self::Event, Self::Response];

    /// Its word in content and in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["operations", "campaign", "combat", "mandatory", "event", "response"][self as usize]
    }
}

/// A Strategy Card.
#[derive(Debug)]
pub struct Card {
    /// Its id and title.
    pub named: Named,
    /// Its deck.
    pub deck: Deck,
    /// Its kind.
    pub kind: CardKind,
    /// The only seat that may play it for its operations, of a Core Card its owner; `None`: either.
    pub side: Option<Seat>,
    /// True if it may be played in the enemy's Activation (6.4).
    pub response: bool,
    /// True if its event occurs once a game (6.6).
    pub once: bool,
    /// The list of what it does.
    pub list: ListId,
    /// When its event is offered.
    pub offered: Offered,
}

impl Card {
    /// Returns whether a seat may play it for its operations.
    #[must_use]
    pub fn is_for(&self, seat: Seat) -> bool {
        self.side.is_none_or(|side| side == seat)
    }

    /// How sure its title, its place in a deck and its effect are, one by one: that its weakest field is reconstructed says little, since
    /// the decks of nearly all cards are.
    #[must_use]
    pub fn marks(&self) -> [(&'static str, Confidence); 3] {
        ["title", "deck", "operations"].map(|field| (field, self.named.levels.of(field)))
    }

    /// Returns whether it can't be stored as an Ace in the Hole (6.0, 6.4).
    #[must_use]
    pub const fn is_never_stored(&self) -> bool {
        matches!(self.deck, Deck::Core | Deck::Mandatory)
            || matches!(self.kind, CardKind::Combat | CardKind::Mandatory)
    }

    /// Returns whether it is an Operations Card in the sense of 3.0: one of 1 to 3, or a Campaign card.
    #[must_use]
    pub const fn is_operations(&self) -> bool {
        matches!(self.kind, CardKind::Operations | CardKind::Campaign)
    }
}

/// The file of cards.
const FILE: &str = "cards.toml";
/// The most lists of operations: what their type can number.
const LISTS: usize = 250;
/// Core Cards of each side (3.0).
const CORE: usize = 2;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfferedRecord {
    #[serde(default)]
    all: Vec<ConditionRecord>,
    #[serde(default)]
    any: Vec<ConditionRecord>,
}

#[derive(Deserialize)]
struct CardRecord {
    title: String,
    deck: Deck,
    kind: CardKind,
    side: Option<Side>,
    #[serde(default)]
    response: bool,
    #[serde(default)]
    once: bool,
    operations: Vec<OperationRecord>,
    #[serde(default)]
    offered: OfferedRecord,
}

/// The cards as they were read; faults are with the loader.
pub(super) struct Read {
    pub(super) cards: Vec<Card>,
    pub(super) lists: Vec<Vec<Step>>,
}

impl Read {
    pub(super) fn of(load: &mut Loader<'_>, around: &Around<'_>) -> Self {
        let records = load.records::<CardRecord>(FILE, "card");
        if records.len() != CARDS {
            load.report(ContentError::file(
                FILE,
                format!("{CARDS} cards are needed, there are {}", records.len()),
            ));
        }
        let mut read = Self { cards: Vec::new(), lists: Vec::new() };
        for record in &records {
            read.card(load, &records, record, around);
        }
        if read.lists.len() > LISTS {
            load.report(ContentError::file(FILE, format!("at most {LISTS} lists of operations")));
        }
        read.check_paragraphs(load);
        read.check_core(load);
        read
    }

    fn card(
        &mut self,
        load: &mut Loader<'_>,
        records: &Records<CardRecord>,
        record: &ContentRecord<CardRecord>,
        around: &Around<'_>,
    ) {
        let name = records.name_of(&record.id);
        let field = |path| Field { file: FILE, record: &name, path };
        let first = self.lists.len();
        let list = around.compile(load, field("operations"), &record.operations, &mut self.lists);
        let mut conditions = |path, records: &[ConditionRecord]| -> Vec<Condition> {
            records.iter().filter_map(|record| around.condition(load, field(path), record)).collect()
        };
        let offered = Offered {
            all: conditions("offered.all", &record.offered.all),
            any: conditions("offered.any", &record.offered.any),
        };
        let card = Card {
            named: Named::of(record, &*record.title),
            deck: record.deck,
            kind: record.kind,
            side: record.side.map(Side::seat),
            response: record.response,
            once: record.once,
            list,
            offered,
        };
        let steps: Vec<Operation> = self.lists[first..].iter().flatten().map(|step| step.operation).collect();
        check_kind(load, field("kind"), &card, &steps);
        check_response(load, field("response"), &card, &steps);
        check_conditions(load, field("offered"), &card, &steps);
        self.cards.push(card);
    }

    /// Each paragraph has one card at most; those of Mandatory cards have one each, in the deck of these.
    fn check_paragraphs(&self, load: &mut Loader<'_>) {
        for paragraph in Paragraph::ALL {
            let of = |card: &&Card| {
                let mut steps = self.lists[card.list].iter();
                steps.any(|step| step.operation == Operation::Paragraph(paragraph))
            };
            let cards: Vec<&Card> = self.cards.iter().filter(of).collect();
            let placed = cards.iter().all(|card| (card.deck == Deck::Mandatory) == paragraph.is_mandatory());
            if cards.len() > 1 || (paragraph.is_mandatory() && cards.is_empty()) || !placed {
                let what = format!(
                    "`{}`: at most one card; a Mandatory one has its deck, which is of the three alone",
                    paragraph.as_str()
                );
                load.report(ContentError::file(FILE, what));
            }
        }
    }

    /// Each side has two Core Cards (3.0).
    fn check_core(&self, load: &mut Loader<'_>) {
        let core = |seat: Seat| {
            let core = self.cards.iter().filter(|card| card.deck == Deck::Core && card.side == Some(seat));
            core.count()
        };
        if SEATS.map(core) != [CORE; 2]
            || self.cards.iter().filter(|card| card.deck == Deck::Core).count() != 2 * CORE
        {
            load.report(ContentError::file(
                FILE,
                format!("each side has {CORE} Core Cards, and nobody else one"),
            ));
        }
    }

    /// The cards of each deck.
    pub(super) fn decks(&self) -> [CardSet; DECKS] {
        let of = |deck: Deck| {
            let cards = self.cards.iter().enumerate().filter(|(_, card)| card.deck == deck);
            CardSet::of(cards.map(|(index, _)| CardId::new(index).index() as u16))
        };
        Deck::ALL.map(of)
    }

    /// The card of each paragraph.
    pub(super) fn paragraphs(&self) -> [Option<CardId>; Paragraph::ALL.len()] {
        let of = |paragraph| {
            let stands = |card: &Card| {
                self.lists[card.list].iter().any(|step| step.operation == Operation::Paragraph(paragraph))
            };
            self.cards.iter().position(stands).map(CardId::new)
        };
        Paragraph::ALL.map(of)
    }

    /// The decks from which cards are dealt have as many as the rules deal at once.
    pub(super) fn check_decks(&self, load: &mut Loader<'_>, first_deal: u8, alt_hist: u8) {
        let count = |deck: Deck| self.cards.iter().filter(|card| card.deck == deck).count();
        for (deck, least) in [
            // One more than the first deal takes is left for a deck.
            (Deck::Early, usize::from(first_deal) + 1),
            (Deck::AltHist, 2 * usize::from(alt_hist)),
            (Deck::Mid, 1),
            (Deck::Late, 1),
        ] {
            if count(deck) < least {
                let what =
                    format!("the deck {} needs {least} cards, there are {}", deck.as_str(), count(deck));
                load.report(ContentError::file(FILE, what));
            }
        }
    }
}

/// The operations of a card are of its kind, and those of Operations, Campaign, Combat and Mandatory cards are its only one.
fn check_kind(load: &mut Loader<'_>, field: Field<'_>, card: &Card, steps: &[Operation]) {
    let kind = |operation: &Operation| match operation {
        Operation::Operations { .. } => CardKind::Operations,
        Operation::Campaign { .. } => CardKind::Campaign,
        Operation::Combat { .. } => CardKind::Combat,
        Operation::Paragraph(paragraph) if paragraph.is_mandatory() => CardKind::Mandatory,
        Operation::InterceptModifier { .. } => CardKind::Response,
        _ => CardKind::Event,
    };
    let alone = card.kind != CardKind::Event;
    let fits = steps.iter().all(|operation| kind(operation) == card.kind);
    if !fits || (alone && steps.len() != 1) {
        let what = format!("{}: its operations are of another kind, or several", card.kind.as_str());
        field.fault(load, what);
    }
    let paragraph = steps.iter().any(|operation| matches!(operation, Operation::Paragraph(_)));
    if paragraph && steps.len() != 1 {
        field.fault(load, "a paragraph is all that its card does");
    }
    let core = card.deck == Deck::Core;
    let mandatory = card.kind == CardKind::Mandatory;
    if core != (card.kind == CardKind::Operations && card.side.is_some())
        || mandatory != (card.deck == Deck::Mandatory)
    {
        field.fault(
            load,
            "Core Cards are Operations Cards of one side, and the Mandatory deck has Mandatory cards alone",
        );
    }
    if mandatory && card.side.is_some() {
        field.fault(load, "either side may hold a Mandatory card");
    }
}

/// Responses are one kind of card, and Turnham Green (6.4).
fn check_response(load: &mut Loader<'_>, field: Field<'_>, card: &Card, steps: &[Operation]) {
    let turnham_green = steps.contains(&Operation::Paragraph(Paragraph::TurnhamGreen));
    if card.response != (card.kind == CardKind::Response || turnham_green) {
        field.fault(load, "Responses are cards of that kind, and Turnham Green");
    }
    let one_sided = card.side.is_some();
    if card.response && !one_sided {
        field.fault(load, "a Response has a side");
    }
}

/// A condition that asks of an operation has one to ask of; other cards than events have no condition.
fn check_conditions(load: &mut Loader<'_>, field: Field<'_>, card: &Card, steps: &[Operation]) {
    let conditions = card.offered.all.iter().chain(&card.offered.any);
    for condition in conditions.clone() {
        let asks = |operation: &Operation| match condition {
            Condition::MarkerPlace => matches!(operation, Operation::Markers { .. }),
            Condition::BrigadePlace => matches!(operation, Operation::PlaceBrigades { .. }),
            Condition::EnemyCard => matches!(operation, Operation::RemoveCards { .. }),
            Condition::DeckCard => matches!(operation, Operation::Draw { .. }),
            Condition::Fortress => matches!(operation, Operation::TakeFortress { .. }),
            Condition::Notable => matches!(operation, Operation::PlaceNotable { .. }),
            Condition::Brigade | Condition::AnyBrigade => {
                matches!(operation, Operation::RemoveBrigades { .. })
            }
            Condition::GeneralPair => matches!(operation, Operation::Transfer { .. }),
            Condition::SiegeMarker => matches!(operation, Operation::BombardModifier { .. }),
            Condition::Interception => matches!(operation, Operation::InterceptModifier { .. }),
            _ => true,
        };
        if !steps.iter().any(asks) {
            field.fault(load, format!("{condition:?}: the card has no operation that it is about"));
        }
    }
    if conditions.count() > 0 && !matches!(card.kind, CardKind::Event | CardKind::Response) {
        field.fault(load, "events and Responses alone have conditions");
    }
}
