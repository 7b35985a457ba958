//! The static half of a game: everything that a bot, a page or a host asks for once ([`Catalogue`]).

mod attribute;
mod board;
mod chart;
mod entry;
mod procedure;
mod seats;
mod template;
mod track;

use std::collections::BTreeMap;

use crate::action::ActionTable;
use crate::content::ContentHash;
use crate::ledger::Ledger;
use crate::reference::{Location, Ref};
use crate::setup::{OptionDef, Setup};
use crate::view::Phrase;

pub use attribute::{Attribute, AttributeDef, AttributeKind, AttributeScope, AttributeValue};
pub use board::{Adjacency, BoardDef, MatDef, SpaceDef, SpaceKindDef};
pub use chart::{Chart, ChartRow};
pub use entry::{
    CatalogEntry, KindDef, MarkerDef, MarkerPriority, PileDef, PileFacing, PileLayout, SHORT_LABEL_MAX,
    ValueName,
};
pub use procedure::{CodeDef, ProcedureDef};
pub use seats::{RoleDef, ScenarioDef, SeatDef, SideDef};
pub use template::{Filled, fill};
pub use track::{BoxRef, TrackBox, TrackDef};

/// The most characters of a line.
pub const LINE_BYTES_MAX: usize = 256;
/// The most actions of one list.
pub const LIST_ACTIONS_MAX: usize = 256;
/// The most actions of a draft.
pub const DRAFT_ACTIONS_MAX: usize = 2_048;

/// The most standing passes of a seat.
pub const STANDING_PASSES_MAX: usize = 64;

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
    /// Sides that nobody plays.
    pub sides: Vec<SideDef>,
    /// The scenarios; the first is the default.
    pub scenarios: Vec<ScenarioDef>,
    /// The options.
    pub options: Vec<OptionDef>,
    /// The declarations of the entries' attributes.
    pub attributes: Vec<AttributeDef>,
    /// The boards; the first is the map.
    pub boards: Vec<BoardDef>,
    /// The kinds of spaces.
    pub space_kinds: Vec<SpaceKindDef>,
    /// The kinds of adjacencies that have one.
    pub adjacency_kinds: Vec<CodeDef>,
    /// The spaces.
    pub spaces: Vec<SpaceDef>,
    /// The mats.
    pub mats: Vec<MatDef>,
    /// The tracks.
    pub tracks: Vec<TrackDef>,
    /// The grades of boxes of tracks.
    pub grades: Vec<CodeDef>,
    /// The piles.
    pub piles: Vec<PileDef>,
    /// The kinds of pieces.
    pub kinds: Vec<KindDef>,
    /// The named pieces.
    pub pieces: Vec<CatalogEntry>,
    /// The cards.
    pub cards: Vec<CatalogEntry>,
    /// The kinds of markers.
    pub markers: Vec<MarkerDef>,
    /// The kinds of arrows.
    pub arrows: Vec<CatalogEntry>,
    /// The results that arrows can have.
    pub arrow_results: Vec<CodeDef>,
    /// The tables of the rules.
    pub charts: Vec<Chart>,
    /// The procedures that can be under way.
    pub procedures: Vec<ProcedureDef>,
    /// The roles of procedures.
    pub roles: Vec<RoleDef>,
    /// Meaning of each bit of a piece's flags.
    pub flags: Vec<&'static str>,
    /// The action table.
    pub actions: ActionTable,
    /// Templates of prompts, events, endings, entitlements and refusals by code, as [`fill`] reads them: `{0}` is the first
    /// reference, `{0|block|blocks}` a word by its number.
    pub phrases: BTreeMap<&'static str, &'static str>,
    /// The rules, in our words, with what becomes of each.
    pub ledger: Ledger,
    /// Codes of events at which a phase has ended.
    pub phase_ends: Vec<&'static str>,
}

impl Catalogue {
    /// A catalogue with nothing in it but a game's name, actions and ledger: what a game has is given beside it.
    #[must_use]
    pub const fn new(
        id: &'static str,
        title: &'static str,
        rules_version: u32,
        content: ContentHash,
        ledger: Ledger,
        actions: ActionTable,
    ) -> Self {
        Self {
            id,
            title,
            summary: "",
            rules_version,
            content,
            seats: Vec::new(),
            sides: Vec::new(),
            scenarios: Vec::new(),
            options: Vec::new(),
            attributes: Vec::new(),
            boards: Vec::new(),
            space_kinds: Vec::new(),
            adjacency_kinds: Vec::new(),
            spaces: Vec::new(),
            mats: Vec::new(),
            tracks: Vec::new(),
            grades: Vec::new(),
            piles: Vec::new(),
            kinds: Vec::new(),
            pieces: Vec::new(),
            cards: Vec::new(),
            markers: Vec::new(),
            arrows: Vec::new(),
            arrow_results: Vec::new(),
            charts: Vec::new(),
            procedures: Vec::new(),
            roles: Vec::new(),
            flags: Vec::new(),
            actions,
            phrases: BTreeMap::new(),
            ledger,
            phase_ends: Vec::new(),
        }
    }

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
        let template = *self.phrases.get(phrase.code).unwrap_or(&phrase.code);
        self.fill(template, &phrase.refs).text
    }

    /// Fills a template in the words of this catalogue, as [`fill`] reads it.
    #[must_use]
    pub(crate) fn fill(&self, template: &str, refs: &[Ref]) -> Filled {
        fill(template, refs, |what, marker| match (what, marker) {
            (Ref::Number(number), Some(marker)) => self.value_of(marker, number),
            _ => self.name_of(what),
        })
    }

    /// Returns what a number stands for as a value of the marker of this id; the number itself if it has no such value.
    fn value_of(&self, marker: &str, number: i32) -> String {
        let def = self.markers.iter().find(|def| def.entry.id == marker);
        let value = def.and_then(|def| def.entry.values.iter().find(|value| value.number == number));
        value.map_or_else(|| number.to_string(), |value| value.name.clone())
    }

    /// The procedure of this name.
    #[must_use]
    pub fn procedure(&self, name: &str) -> Option<&ProcedureDef> {
        self.procedures.iter().find(|procedure| procedure.name == name)
    }

    /// The players' name for what takes a role: of a number the name that it has there.
    #[must_use]
    pub(crate) fn name_in_role(&self, name: &str, what: Ref) -> String {
        match (what, self.role(name)) {
            (Ref::Number(number), Some(role)) => role.value(number),
            _ => self.name_of(what),
        }
    }

    /// The role of this name.
    #[must_use]
    pub fn role(&self, name: &str) -> Option<&RoleDef> {
        self.roles.iter().find(|role| role.name == name)
    }

    /// The fact of this declared name that the entry of a reference carries.
    #[must_use]
    pub fn attribute(&self, what: Ref, id: &str) -> Option<&Attribute> {
        let def = self.attributes.iter().position(|def| def.id == id)?;
        self.entry(what)?.attribute(def as u16)
    }

    /// The entry that a reference names; seats and numbers have none.
    #[must_use]
    pub fn entry(&self, what: Ref) -> Option<&CatalogEntry> {
        match what {
            Ref::Space(i) => self.spaces.get(usize::from(i)).map(|space| &space.entry),
            Ref::Mat(i) => self.mats.get(usize::from(i)).map(|mat| &mat.entry),
            Ref::Track(i) => self.tracks.get(usize::from(i)).map(|track| &track.entry),
            Ref::Pile(i) => self.piles.get(usize::from(i)).map(|pile| &pile.entry),
            Ref::Piece(i) => self.pieces.get(usize::from(i)),
            Ref::Kind(i) => self.kinds.get(usize::from(i)).map(|kind| &kind.entry),
            Ref::Card(i) => self.cards.get(usize::from(i)),
            Ref::Marker(i) => self.markers.get(usize::from(i)).map(|marker| &marker.entry),
            Ref::Seat(_) | Ref::Number(_) => None,
        }
    }
}
