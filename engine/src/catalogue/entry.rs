//! Things with an id, a name and facts: entries, piles, kinds of pieces, kinds of markers.

use crate::content::Confidence;
use crate::reference::Ref;
use crate::seat::Seat;

use super::{Attribute, SeatDef};

/// The most characters of a short label.
pub const SHORT_LABEL_MAX: usize = 4;

/// Something with an id and a name, and all that is printed on it: a card, a piece, a mat, a kind of arrow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CatalogEntry {
    /// Stable name, as in notation.
    pub id: String,
    /// Name in players' words.
    pub name: String,
    /// Level of its weakest field: how far it can be taken for the published game's.
    pub confidence: Confidence,
    /// Effects and demands, line by line, in our words; a page can show them before the entry is met in play.
    pub rules_text: Vec<String>,
    /// Names of a kind of marker's numbers, where these stand for something; empty where they are plain numbers.
    pub values: Vec<ValueName>,
    /// Typed facts, ascending by [`Attribute::def`]; at most one for each declaration.
    pub attributes: Vec<Attribute>,
}

impl CatalogEntry {
    /// An entry without facts.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>, confidence: Confidence) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            confidence,
            rules_text: Vec::new(),
            values: Vec::new(),
            attributes: Vec::new(),
        }
    }

    /// An entry that the game itself states, without facts.
    #[must_use]
    pub fn official(id: impl Into<String>, name: impl Into<String>) -> Self {
        Self::new(id, name, Confidence::Official)
    }

    /// The same with its rules.
    #[must_use]
    pub fn with_rules_text(self, rules_text: Vec<String>) -> Self {
        Self { rules_text, ..self }
    }

    /// The same with names for its numbers.
    #[must_use]
    pub fn with_values(self, values: Vec<ValueName>) -> Self {
        Self { values, ..self }
    }

    /// The same with these facts, put in order.
    #[must_use]
    pub fn with_attributes(self, mut attributes: Vec<Attribute>) -> Self {
        attributes.sort_by_key(|attribute| attribute.def);
        Self { attributes, ..self }
    }

    /// A short label of at most four characters: initials of an id of several words, its numbers whole (Roman ones, too), or the beginning of one
    /// word.
    #[must_use]
    pub fn initials(&self) -> String {
        let words: Vec<&str> = self.id.split('-').filter(|word| !word.is_empty()).collect();
        let number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || b"ivx".contains(&byte));
        let first = |word: &str| if number(word) { word.to_uppercase() } else { capital(word, 1) };
        let label = match words.as_slice() {
            [word] => capital(word, 3),
            words => words.iter().map(|word| first(word)).collect(),
        };
        label.chars().take(SHORT_LABEL_MAX).collect()
    }

    /// The name of a number of this kind of marker, or the number itself.
    #[must_use]
    pub fn value(&self, number: i32) -> String {
        ValueName::in_words(&self.values, number)
    }

    /// The fact of this declaration, if the entry has one.
    #[must_use]
    pub fn attribute(&self, def: u16) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.def == def)
    }
}

/// The first letters of a word, the first of them a capital.
fn capital(word: &str, letters: usize) -> String {
    let first = word.chars().take(1).flat_map(char::to_uppercase);
    first.chain(word.chars().skip(1)).take(letters).collect()
}

/// A name of a number that stands for something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueName {
    /// The number.
    pub number: i32,
    /// Name in players' words.
    pub name: String,
    /// The thing that it stands for, such as the seat that controls a place.
    pub what: Option<Ref>,
}

impl ValueName {
    /// A name of something that the catalogue does not list.
    #[must_use]
    pub fn new(number: i32, name: impl Into<String>) -> Self {
        Self { number, name: name.into(), what: None }
    }

    /// The name of something of the catalogue.
    #[must_use]
    pub(crate) fn of(number: i32, name: impl Into<String>, what: Ref) -> Self {
        Self { what: Some(what), ..Self::new(number, name) }
    }

    /// Names of 0 and 1 where these say that something is not so, or is.
    #[must_use]
    pub(crate) fn no_and_yes() -> Vec<Self> {
        vec![Self::new(0, "no"), Self::new(1, "yes")]
    }

    /// A number by its name among `values`, or as digits if it has none there.
    #[must_use]
    pub(crate) fn in_words(values: &[Self], number: i32) -> String {
        let named = values.iter().find(|value| value.number == number);
        named.map_or_else(|| number.to_string(), |value| value.name.clone())
    }
}

/// The way in which the cards of a pile lie: a hint for drawing.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum PileLayout {
    /// On each other: the count and the top card matter.
    Stack,
    /// Side by side: each card matters.
    Fan,
}

/// The observers that the faces of a pile's cards are turned to.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum PileFacing {
    /// All: the cards lie face up.
    Everybody,
    /// The pile's owner: a hand.
    Owner,
    /// None: the cards lie face down.
    Nobody,
}

/// A pile of cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PileDef {
    /// Id, name, facts.
    pub entry: CatalogEntry,
    /// Owner, if a seat's.
    pub owner: Option<Seat>,
    /// Tells that the order of its visible cards means something.
    pub ordered: bool,
    /// The way in which its cards lie.
    pub layout: PileLayout,
    /// The observers that see its cards as a rule.
    pub facing: PileFacing,
}

impl PileDef {
    /// A pile whose order means nothing.
    #[must_use]
    pub const fn new(
        entry: CatalogEntry,
        owner: Option<Seat>,
        layout: PileLayout,
        facing: PileFacing,
    ) -> Self {
        Self { entry, owner, ordered: false, layout, facing }
    }

    /// The piles of these seats for one purpose, in their order ([`pile_of`](crate::cards::pile_of)): with the id `hand` and the name
    /// `'s hand` they are `north-hand`, "North's hand", and so on.
    #[must_use]
    pub fn of_each(
        seats: &[SeatDef],
        id: &str,
        name: &str,
        layout: PileLayout,
        facing: PileFacing,
    ) -> Vec<Self> {
        let pile = |(index, seat): (u8, &SeatDef)| {
            let entry = CatalogEntry::official(format!("{}-{id}", seat.id), format!("{}{name}", seat.name));
            Self::new(entry, Some(Seat::new(index)), layout, facing)
        };
        (0..).zip(seats).map(pile).collect()
    }
}

/// A kind of piece: a face or a back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindDef {
    /// Id, name, facts.
    pub entry: CatalogEntry,
    /// Tells a back: what is on the other side can't be seen.
    pub back: bool,
    /// Label of one to four characters, for where a name has no room.
    pub short_label: String,
}

impl KindDef {
    /// A kind whose short label is its initials.
    #[must_use]
    pub fn new(entry: CatalogEntry, back: bool) -> Self {
        Self { short_label: entry.initials(), entry, back }
    }

    /// The same with another short label.
    #[must_use]
    pub(crate) fn with_short_label(self, label: &str) -> Self {
        Self { short_label: label.to_owned(), ..self }
    }
}

/// The rank of a kind of marker where there is no room for all, first things first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MarkerPriority {
    /// Tells a state that the game turns on: who holds a place, how strong a piece is.
    Status,
    /// Stands in a box of a track: its number is the box's.
    Position,
    /// Remembers something for a while: that a thing was done, what is left to be done.
    Bookkeeping,
}

/// A kind of marker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MarkerDef {
    /// Id, name, facts; [`CatalogEntry::values`] names its numbers.
    pub entry: CatalogEntry,
    /// Rank where there is no room for all.
    pub priority: MarkerPriority,
    /// Unit of its number, such as "in 6"; empty if it counts things that its name tells, or none.
    pub unit: &'static str,
    /// Label of one to four characters, for where a name has no room.
    pub short_label: String,
}

impl MarkerDef {
    /// A kind of marker whose number needs no unit.
    #[must_use]
    pub fn new(entry: CatalogEntry, priority: MarkerPriority, short_label: &str) -> Self {
        Self { entry, priority, unit: "", short_label: short_label.to_owned() }
    }
}
