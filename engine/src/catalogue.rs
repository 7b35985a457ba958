//! The static half of a game: everything that a bot, a page or a host asks for once ([`Catalogue`]).

use std::collections::BTreeMap;

use crate::action::ActionTable;
use crate::content::{Confidence, ContentHash};
use crate::ledger::Ledger;
use crate::reference::{Location, Ref};
use crate::seat::Seat;
use crate::setup::{OptionDef, Setup};
use crate::view::Phrase;

/// The most characters of a line.
pub const LINE_BYTES_MAX: usize = 256;
/// The most actions of one list.
pub const LIST_ACTIONS_MAX: usize = 256;
/// The most actions of a draft.
pub const DRAFT_ACTIONS_MAX: usize = 2_048;

/// The most standing passes of a seat.
pub const STANDING_PASSES_MAX: usize = 64;

/// A seat of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatDef {
    /// Stable name in lower case.
    pub id: &'static str,
    /// The name that players use.
    pub name: &'static str,
}

/// A scenario of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioDef {
    /// Stable name in lower case.
    pub id: &'static str,
    /// The title that players use.
    pub title: &'static str,
    /// Number of the game's seats, from the first, that it is for.
    pub seats: usize,
}

/// Something with an id, a name and a badge: a mat, a card, a kind of marker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Stable name, as in notation.
    pub id: String,
    /// The name that players use.
    pub name: String,
    /// Its weakest field: how far it can be taken for the published game's.
    pub badge: Confidence,
    /// Effects or demands, line by line, in our words; empty where the name says it all. A page can show them
    /// before it is met.
    pub lines: Vec<String>,
    /// Of a kind of marker: what players call its numbers, where these stand for something; empty where they are numbers.
    pub values: Vec<(i32, String)>,
}

impl Entry {
    /// An entry of our own making or of the rules page itself.
    #[must_use]
    pub fn new(id: impl Into<String>, name: impl Into<String>, badge: Confidence) -> Self {
        Self { id: id.into(), name: name.into(), badge, lines: Vec::new(), values: Vec::new() }
    }

    /// The same with what it does.
    #[must_use]
    pub fn with_lines(self, lines: Vec<String>) -> Self {
        Self { lines, ..self }
    }

    /// The same with what its numbers are called.
    #[must_use]
    pub fn with_values(self, values: Vec<(i32, String)>) -> Self {
        Self { values, ..self }
    }

    /// Returns the players' name for a number of this kind of marker: its name, or the number itself.
    #[must_use]
    pub fn value(&self, number: i32) -> String {
        let named = self.values.iter().find(|&&(of, _)| of == number);
        named.map_or_else(|| number.to_string(), |(_, name)| name.clone())
    }
}

/// A space of the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpaceDef {
    /// Id, name, badge.
    pub entry: Entry,
    /// The part of the board that it is shown with, such as a Region, as players call it; empty where the board has no parts.
    pub region: String,
    /// Position of its label to the right, in the units of [`Catalogue::map_unit`].
    pub x: i32,
    /// Position of its label downwards.
    pub y: i32,
    /// Neighbours with the kind of border or road, empty where all are alike.
    pub links: Vec<(u16, &'static str)>,
}

/// A pile of cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PileDef {
    /// Id, name, badge.
    pub entry: Entry,
    /// Owner, if it belongs to a seat.
    pub owner: Option<Seat>,
    /// True if the order of its visible cards means something.
    pub ordered: bool,
}

/// A kind of piece: a face or a back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindDef {
    /// Id, name, badge.
    pub entry: Entry,
    /// True if it is a back: what is on the other side can't be seen.
    pub back: bool,
}

/// The static half of a game. Indices in references, views and events are indices into these lists.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// The game's id.
    pub id: &'static str,
    /// The game's title.
    pub title: &'static str,
    /// Description of the game, in a sentence of ours.
    pub summary: &'static str,
    /// Counts changes of the rules, of the encoding and of the action table.
    pub rules_version: u32,
    /// Hash of the content that it was loaded from.
    pub content: ContentHash,
    /// The seats.
    pub seats: Vec<SeatDef>,
    /// The scenarios; the first is the default.
    pub scenarios: Vec<ScenarioDef>,
    /// The options.
    pub options: Vec<OptionDef>,
    /// Unit of the spaces' coordinates, in words.
    pub map_unit: &'static str,
    /// The spaces.
    pub spaces: Vec<SpaceDef>,
    /// The mats.
    pub mats: Vec<Entry>,
    /// The tracks.
    pub tracks: Vec<Entry>,
    /// The piles.
    pub piles: Vec<PileDef>,
    /// The kinds of pieces.
    pub kinds: Vec<KindDef>,
    /// The named pieces.
    pub pieces: Vec<Entry>,
    /// The cards.
    pub cards: Vec<Entry>,
    /// The kinds of markers.
    pub markers: Vec<Entry>,
    /// The kinds of arrows.
    pub arrows: Vec<Entry>,
    /// Meaning of each bit of a piece's flags.
    pub flags: Vec<&'static str>,
    /// The action table.
    pub actions: ActionTable,
    /// Templates of prompts, events, endings, entitlements and refusals by code: `{0}` is the first reference.
    pub phrases: BTreeMap<&'static str, &'static str>,
    /// The rules, in our words, with what becomes of each.
    pub ledger: Ledger,
    /// Codes of events at which a phase has ended.
    pub phase_ends: Vec<&'static str>,
}

impl Catalogue {
    /// Returns the number of seats of a match of this setup.
    #[must_use]
    pub fn seats_of(&self, setup: &Setup) -> usize {
        self.scenarios.get(setup.scenario()).map_or(self.seats.len(), |scenario| scenario.seats)
    }

    /// The id of what a reference names, as notation and records write it; numbers as digits.
    #[must_use]
    pub fn id_of(&self, what: Ref) -> String {
        let unknown = || format!("{what:?}");
        match what {
            Ref::Number(number) => number.to_string(),
            Ref::Seat(seat) => self.seats.get(seat.index()).map_or_else(unknown, |s| s.id.to_owned()),
            other => self.entry(other).map_or_else(unknown, |entry| entry.id.clone()),
        }
    }

    /// Returns the players' name for what a reference names.
    #[must_use]
    pub fn name_of(&self, what: Ref) -> String {
        let unknown = || format!("{what:?}");
        match what {
            Ref::Number(number) => number.to_string(),
            Ref::Seat(seat) => self.seats.get(seat.index()).map_or_else(unknown, |s| s.name.to_owned()),
            other => self.entry(other).map_or_else(unknown, |entry| entry.name.clone()),
        }
    }

    /// Returns the players' name for a place.
    #[must_use]
    pub fn place(&self, at: Location) -> String {
        self.name_of(at.into())
    }

    /// A phrase in words; a code without a template prints as itself.
    #[must_use]
    pub fn say(&self, phrase: &Phrase) -> String {
        let mut text = (*self.phrases.get(phrase.code).unwrap_or(&phrase.code)).to_owned();
        for (index, &what) in phrase.refs.iter().enumerate() {
            text = text.replace(&format!("{{{index}}}"), &self.name_of(what));
        }
        text
    }

    fn entry(&self, what: Ref) -> Option<&Entry> {
        match what {
            Ref::Space(i) => self.spaces.get(usize::from(i)).map(|space| &space.entry),
            Ref::Mat(i) => self.mats.get(usize::from(i)),
            Ref::Track(i) => self.tracks.get(usize::from(i)),
            Ref::Pile(i) => self.piles.get(usize::from(i)).map(|pile| &pile.entry),
            Ref::Piece(i) => self.pieces.get(usize::from(i)),
            Ref::Kind(i) => self.kinds.get(usize::from(i)).map(|kind| &kind.entry),
            Ref::Card(i) => self.cards.get(usize::from(i)),
            Ref::Marker(i) => self.markers.get(usize::from(i)),
            Ref::Seat(_) | Ref::Number(_) => None,
        }
    }
}
