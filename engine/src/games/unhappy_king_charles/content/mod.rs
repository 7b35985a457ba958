//! The game's content, typed and checked: map, Brigades, Leaders, cards, Turns, numbers ([`Content`]).
//!
//! Invariant: everything that the rules index is in bounds, so no content that loads can make them panic.

pub mod brigades;
pub mod cards;
mod compile;
pub mod deck;
pub mod ids;
pub mod leaders;
pub mod map;
mod names;
pub mod numbers;
pub mod operations;
mod paragraphs;
pub mod set_up;
mod tables;
pub mod turns;
pub mod wide_set;
pub mod words;

use crate::cards::CardBack;
use crate::content::{Confidence, ContentErrors, ContentFiles, ContentRecord, Levels, Loader};
use crate::deck::{CardSet, DeckPlan};
use crate::seat::Seat;

use super::catalogue::{CardBacks, DECK, card_back_kind};
use brigades::{Brigade, Faction};
use cards::{Card, Deck};
use deck::FIRST_DEAL;
use ids::{
    AreaId, AreaSet, BrigadeFace, CardId, CounterSet, GeneralSet, LeaderId, LineId, NotableSet, RegionId,
};
use leaders::{General, Notable, People};
use map::{Area, Fortress, Infrastructure, Line, Region};
use numbers::Numbers;
use operations::{Paragraph, Step};
use set_up::{OptionalRule, Restricted, SetUp};
use turns::Turn;

/// The Royalists' seat.
pub const ROYALIST: Seat = Seat::new(0);
/// Parliament's seat.
pub const PARLIAMENT: Seat = Seat::new(1);
/// Both seats, in order.
pub const SEATS: [Seat; 2] = [ROYALIST, PARLIAMENT];

/// Areas (17.3).
pub const AREAS: usize = 75;
/// The most lines.
pub const LINES: usize = 250;
/// Kinds of lines (9.3).
pub const LINE_KINDS: usize = 3;
/// Distances in lines of which the Areas within are kept: 0 to 3 (6.5, 6.6, 13.0).
pub const SPHERES: usize = 4;
/// Regions (17.3).
pub const REGIONS: usize = 5;
/// The most Fortresses, those of Local Notables among them.
pub const FORTRESSES: usize = 25;
/// The most economic infrastructures (17.3).
pub const INFRASTRUCTURES: usize = 9;
/// Generals.
pub const GENERALS: usize = 23;
/// Local Notables (13.0).
pub const NOTABLES: usize = 9;
/// Generals and Local Notables.
pub const LEADERS: usize = GENERALS + NOTABLES;
/// The most faces of Brigades.
pub const FACES: usize = 46;
/// The most Brigade counters.
pub const COUNTERS: usize = 68;
/// Cards (2.0).
pub const CARDS: usize = 110;
/// Decks (1.0).
pub const DECKS: usize = 6;
/// Turns (5.0).
pub const TURNS: usize = 11;
/// The highest class of a Fortress (14.4).
pub const CLASS_MAX: u8 = 3;
/// Optional rules.
pub const OPTIONS: usize = 6;
/// Naval Chits (15.0).
pub const CHITS: usize = 5;

/// The content that comes with the engine.
#[must_use]
pub fn builtin() -> ContentFiles {
    crate::builtin_content!(
        "unhappy-king-charles": "areas.toml", "lines.toml", "brigades.toml", "leaders.toml", "turns.toml", "setup.toml",
        "cards.toml", "game.toml", "rules.toml"
    )
}

/// Something with an id, a name and a confidence; how sure each field of its record is.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its id in content, in positions and in notation.
    pub id: String,
    /// Its name, for people.
    pub name: String,
    /// How sure its weakest field is.
    pub confidence: Confidence,
    /// How sure each field of its record is.
    pub levels: Levels,
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
pub struct Content {
    /// The 75 Areas.
    pub areas: Vec<Area>,
    /// The lines.
    pub lines: Vec<Line>,
    /// Neighbours of each Area, by kind of line: `near[kind as usize][area]`.
    pub near: [[AreaSet; AREAS]; LINE_KINDS],
    /// Neighbours of each Area by lines of any kind (2.1).
    pub adjacent: [AreaSet; AREAS],
    /// The least number of lines of any kind between two Areas; 255 if there is no way.
    pub distances: Vec<[u8; AREAS]>,
    /// Neighbours of each Area by lines that are not Maritime, those that chains of supply go over (11.3).
    pub by_land: [AreaSet; AREAS],
    /// Areas at most so many lines away from each Area: `spheres[lines][area]`.
    pub spheres: [[AreaSet; AREAS]; SPHERES],
    /// The five Regions.
    pub regions: Vec<Region>,
    /// Fortresses: the printed ones, then the Local Notables' ones.
    pub fortresses: Vec<Fortress>,
    /// Economic infrastructures.
    pub infrastructures: Vec<Infrastructure>,
    /// Areas of Fortresses that are printed as such: not of Local Notables.
    pub fortified: AreaSet,
    /// Ports.
    pub ports: AreaSet,
    /// Areas where each seat may recruit Brigades of each Region: `drummers[seat][region]` (7.2).
    pub drummers: [[AreaSet; REGIONS]; 2],
    /// Areas with a marker of each seat at the start (4.3).
    pub start: [AreaSet; 2],
    /// Faces of Brigades.
    pub faces: Vec<Brigade>,
    /// The face of each counter.
    pub face_of: Vec<BrigadeFace>,
    /// Counters whose face is of each seat's side.
    pub counters_of: [CounterSet; 2],
    /// Counters of each faction, by its number.
    pub bands: [CounterSet; Faction::ALL.len()],
    /// The 23 Generals.
    pub generals: Vec<General>,
    /// The Generals of each seat.
    pub generals_of: [GeneralSet; 2],
    /// Local Notables, by seat.
    pub notables_of: [NotableSet; 2],
    /// The nine Local Notables.
    pub notables: Vec<Notable>,
    /// Generals of whom the rules speak by name.
    pub people: People,
    /// The eleven Turns.
    pub turns: Vec<Turn>,
    /// The set-up.
    pub set_up: SetUp,
    /// The optional rules, as [`RuleOption`](set_up::RuleOption) has them.
    pub options: Vec<OptionalRule>,
    /// The Brigades that they restrict.
    pub restricted: Restricted,
    /// The 110 cards.
    pub cards: Vec<Card>,
    /// The cards of each deck, by [`Deck`].
    pub decks: [CardSet; DECKS],
    /// The make of the Draw Deck: the first ten cards, the rest of the Early ones, the Solemn League, Mid and Late with Alt-Hist cards
    /// (4.1, 6.7, 6.8).
    pub deck: DeckPlan<{ deck::SEGMENTS }>,
    /// The card that each paragraph of the rulebook stands on, by [`Paragraph`]; those of Mandatory cards are always there.
    pub paragraphs: [Option<CardId>; Paragraph::ALL.len()],
    /// Lists of operations: what cards do.
    pub lists: Vec<Vec<Step>>,
    /// The numbers of the rules.
    pub numbers: Numbers,
}

impl Content {
    /// Counters of a faction.
    #[must_use]
    pub const fn band(&self, faction: Faction) -> CounterSet {
        self.bands[faction as usize]
    }

    /// Counters of the factions that a condition holds of.
    #[must_use]
    pub fn bands_that(&self, holds: impl Fn(Faction) -> bool) -> CounterSet {
        let factions = Faction::ALL.into_iter().filter(|&faction| holds(faction));
        factions.fold(CounterSet::EMPTY, |all, faction| all | self.band(faction))
    }

    /// Reads and checks a content set.
    ///
    /// # Errors
    /// Every fault of the content, by file, record and field.
    pub fn load(files: &ContentFiles) -> Result<Self, ContentErrors> {
        let mut load = Loader::new(files);
        let map = map::Read::of(&mut load);
        let mut leaders = leaders::Read::of(&mut load, &map);
        let brigades = brigades::Read::of(&mut load);
        let numbers = tables::read(&mut load, &map, &leaders, &brigades);
        let limited_room = numbers.as_ref().map_or(u8::MAX, |numbers| numbers.siege.limited_room);
        let set_up = set_up::Read::of(&mut load, &map, &mut leaders, &brigades, limited_room);
        let turns = turns::read(&mut load, &leaders.generals);
        let around = compile::Around { map: &map, leaders: &leaders, distances: map.distances() };
        let cards = cards::Read::of(&mut load, &around);
        let deck = numbers.as_ref().and_then(|numbers| cards.plan(&mut load, numbers.hand));
        load.finish(|| Self::assemble(map, leaders, brigades, set_up, turns, (cards, deck?), numbers?))
    }

    /// Puts together what was read without a fault.
    fn assemble(
        map: map::Read,
        mut leaders: leaders::Read,
        brigades: brigades::Read,
        set_up: set_up::Read,
        turns: Vec<Turn>,
        (cards, deck): (cards::Read, DeckPlan<{ deck::SEGMENTS }>),
        numbers: Numbers,
    ) -> Option<Self> {
        let map = map.finish(&mut leaders.notables, numbers.siege.limited_room);
        let near = map::neighbours(&map.lines);
        let adjacent = map::adjacent(&near);
        let of_areas = |holds: &dyn Fn(&Area) -> bool| -> AreaSet {
            let found = map.areas.iter().enumerate().filter(|(_, area)| holds(area));
            found.map(|(index, _)| AreaId::new(index)).collect()
        };
        let regions: [RegionId; REGIONS] = std::array::from_fn(RegionId::new);
        let drummers = SEATS
            .map(|seat| regions.map(|region| of_areas(&|area| area.drummers[seat.index()].contains(region))));
        Some(Self {
            near,
            adjacent,
            distances: map::distances(&adjacent),
            by_land: map::by_land(&near),
            spheres: map::spheres(&adjacent),
            fortified: of_areas(&|area| area.shape.is_fortress()),
            ports: of_areas(&|area| area.port),
            drummers,
            start: SEATS.map(|seat| of_areas(&|area| area.start == Some(seat))),
            areas: map.areas,
            lines: map.lines,
            regions: map.regions,
            fortresses: map.fortresses,
            infrastructures: map.infrastructures,
            face_of: brigades::face_of(&brigades.faces),
            counters_of: SEATS
                .map(|seat| brigades::counters_of(&brigades.faces, |faction| faction.seat() == seat)),
            bands: Faction::ALL.map(|faction| brigades::counters_of(&brigades.faces, |of| of == faction)),
            faces: brigades.faces,
            notables_of: SEATS.map(|seat| leaders::notables_of(&leaders.notables, seat)),
            generals_of: SEATS.map(|seat| leaders::generals_of(&leaders.generals, seat)),
            generals: leaders.generals,
            notables: leaders.notables,
            people: leaders.people?,
            turns,
            set_up: set_up.set_up,
            options: set_up.options,
            restricted: set_up.restricted?,
            decks: cards.decks(),
            paragraphs: cards.paragraphs(),
            cards: cards.cards,
            deck,
            lists: cards.lists,
            numbers,
        })
    }

    /// The line between two Areas, if there is one.
    #[must_use]
    pub fn line_between(&self, from: AreaId, to: AreaId) -> Option<LineId> {
        let joins = |line: &Line| line.between == [from, to] || line.between == [to, from];
        self.lines.iter().position(joins).map(LineId::new)
    }

    /// Areas at most so many lines of any kind away from one, itself among them.
    #[must_use]
    pub fn within(&self, area: AreaId, distance: u8) -> AreaSet {
        if let Some(spheres) = self.spheres.get(usize::from(distance)) {
            return spheres[area];
        }
        let near = self.distances[area].iter().enumerate().filter(|&(_, &lines)| lines <= distance);
        near.map(|(index, _)| AreaId::new(index)).collect()
    }

    /// The backs of cards, by the part of the deck that they came with.
    pub(super) fn backs(&self) -> Vec<CardBack> {
        let of = |deck: Deck| self.decks[deck as usize];
        let standard = self.deck.cards(FIRST_DEAL);
        let backs = [
            (CardBacks::Core, of(Deck::Core)),
            (CardBacks::Mandatory, of(Deck::Mandatory) - standard),
            (CardBacks::Early, of(Deck::Early) | standard),
            (CardBacks::Mid, of(Deck::Mid)),
            (CardBacks::Late, of(Deck::Late) | of(Deck::AltHist)),
        ];
        let back =
            |(back, cards)| CardBack { kind: card_back_kind(self, back), owner: None, cards, deck: DECK };
        backs.map(back).into()
    }

    /// The name of a Leader.
    #[must_use]
    pub fn leader(&self, leader: LeaderId) -> &Named {
        match (leader.general(), leader.notable()) {
            (Some(general), _) => &self.generals[general].named,
            (None, notable) => &self.notables[notable.unwrap_or_default()].named,
        }
    }

    /// The card of a paragraph of the rulebook, if there is one: of a Mandatory card there is.
    #[must_use]
    pub const fn paragraph_card(&self, paragraph: Paragraph) -> Option<CardId> {
        self.paragraphs[paragraph as usize]
    }

    /// Areas of some Regions.
    #[must_use]
    pub fn areas_of(&self, regions: impl IntoIterator<Item = RegionId>) -> AreaSet {
        regions.into_iter().fold(AreaSet::EMPTY, |areas, region| areas | self.regions[region].areas)
    }
}
