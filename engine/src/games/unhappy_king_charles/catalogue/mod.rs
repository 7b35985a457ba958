//! The static half: seats, map, Brigades, Leaders, cards, markers, and the action table; where things lie on the boards ([`location`]).

mod attributes;
mod boards;
mod charts;
mod markers;
mod pieces;
mod roles;
mod texts;

use crate::action::ActionIndex;
use crate::catalogue::{CatalogEntry, Catalogue, PileDef, PileFacing, PileLayout, ScenarioDef, SeatDef};
use crate::content::{Confidence, ContentError, ContentErrors, ContentFiles};
use crate::ledger::Ledger;
use crate::reference::Location;
use crate::seat::Seat;
use crate::setup::{OptionDef, OptionKind};

use self::markers::HAPPENED_NAMES;
use super::UnhappyKing;
use super::actions::Action;
use super::content::brigades::BrigadeBack;
use super::content::ids::INFRASTRUCTURE_MATS;
use super::content::set_up::RuleOption;
use super::content::{CHITS, Content, FORTRESSES, INFRASTRUCTURES, LEADERS, NOTABLES, PARLIAMENT, ROYALIST};
use super::phrases::phrases;
use super::state::{Happened, Holder, Holding};

/// The first mat that is the inside of a printed Fortress.
pub(super) const INSIDE_MATS: u16 = INFRASTRUCTURE_MATS + INFRASTRUCTURES as u16;
/// The mats of the pools, by seat.
pub(super) const POOL_MATS: u16 = INSIDE_MATS + (FORTRESSES - NOTABLES) as u16;
/// The Unemployed Generals Boxes, by seat.
pub(super) const UNEMPLOYED_MATS: u16 = POOL_MATS + 2;
/// The Reinforcements Boxes, by seat.
pub(super) const REINFORCEMENT_MATS: u16 = UNEMPLOYED_MATS + 2;
/// Generals and Brigades that have not arrived, or have gone and can come back.
pub(super) const AWAY: u16 = REINFORCEMENT_MATS + 2;
/// Brigades lost for good, which events can bring back.
pub(super) const LOST: u16 = AWAY + 1;
/// Out of the game.
pub(super) const OUT: u16 = LOST + 1;
/// Off the map in the North: where Covenanters come from, and go to (6.5).
pub(super) const SCOTLAND: u16 = OUT + 1;

/// Hands, by seat.
pub(super) const HAND: u16 = 0;
/// Stored cards, by seat (6.0).
pub(super) const STORE: u16 = 2;
/// Cards of bonus sets, by seat (10.7).
pub(super) const BONUS: u16 = 4;
/// The Recruitment card of the Turn, by seat (7.3).
pub(super) const RECRUITMENT: u16 = 6;
/// The discard pile: all of it that everybody knows to lie there.
pub(super) const DISCARD: u16 = 8;
/// Discards of which some are among Parliament's bonus cards, nobody else knows which (D15).
pub(super) const DRAWN_FROM: u16 = 9;
/// The Draw Deck.
pub(super) const DECK: u16 = 10;
/// Cards that are still to be added to it (6.7, 6.8).
pub(super) const LATER: u16 = 11;
/// Core Cards that were played this Turn.
pub(super) const ASIDE: u16 = 12;
/// Put aside until the Late War: the New Model Army (6.8).
pub(super) const WAITING: u16 = 13;
/// Out of the game.
pub(super) const REMOVED: u16 = 14;

/// The Turn Record Track.
pub(super) const TURN_TRACK: u16 = 0;
/// The Naval Status Chart.
pub(super) const NAVAL_TRACK: u16 = 1;

/// The Turn.
pub(super) const TURN: u16 = 0;
/// The Naval Status (15.0).
pub(super) const NAVAL: u16 = 1;
/// The part of the Naval Status that events made.
pub(super) const FLEET: u16 = 2;
/// Political Control: the seat's number and 1.
pub(super) const CONTROL: u16 = 3;
/// A Siege: 1 a Siege marker, 2 a Blockade & Siege marker.
pub(super) const SIEGE: u16 = 4;
/// The Bombardment Value of a Siege.
pub(super) const VALUE: u16 = 5;
/// Added to the next Bombardment of a Siege.
pub(super) const SIEGE_BONUS: u16 = 6;
/// Before a General: they may make no further Assault.
pub(super) const MAY_NOT: u16 = 7;
/// Brigades of a place that were selected for Desertion.
pub(super) const DESERTERS: u16 = 8;
/// Before the seat that plays first.
pub(super) const FIRST: u16 = 9;
/// Plays of a seat in the Turn.
pub(super) const PLAYS: u16 = 10;
/// Before a seat that has passed.
pub(super) const PASSED: u16 = 11;
/// Turns in a row at whose end the Royalist has passed the test of their automatic victory.
pub(super) const ASCENDANCY: u16 = 12;
/// On a card: its event can't happen any more.
pub(super) const SPENT: u16 = 13;
/// On an Alt-Hist card that was seen: it came with the Mid cards.
pub(super) const WITH_MID: u16 = 14;
/// On the Campaign card by which the first play was claimed.
pub(super) const CLAIM: u16 = 15;
/// On the Draw Deck: the parts of it that are laid.
pub(super) const LAID: u16 = 16;
/// On the discard pile: draws from it, each of which shuffles it.
pub(super) const PILE_DRAWS: u16 = 17;
/// Naval Chits that were drawn, a kind of marker each.
pub(super) const CHIT: u16 = 18;
/// All that has happened, a kind of marker each, in the order of the bits ([`happened_kind`]).
pub(super) const HAPPENED: u16 = CHIT + CHITS as u16;
/// PC markers of a seat that are in play (5.8).
pub(super) const MARKERS_IN_PLAY: u16 = HAPPENED + HAPPENED_NAMES.len() as u16;
/// Plays that a seat still owes before it may pass (5.5).
pub(super) const PLAYS_LEFT: u16 = MARKERS_IN_PLAY + 1;
/// The Power Base Number of the Turn (17.2).
pub(super) const POWER_BASE: u16 = PLAYS_LEFT + 1;
/// Parliament's points, if the war ended now (17.3).
pub(super) const POINTS: u16 = POWER_BASE + 1;
/// The Surrender Value of a Fortress under Siege (14.4).
pub(super) const SURRENDER: u16 = POINTS + 1;

/// The Queen, among the pieces.
pub(super) const QUEEN: u16 = LEADERS as u16;
/// The Siege Trains, by seat.
pub(super) const TRAIN: u16 = QUEEN + 1;

/// Flags of the Queen: she left by sea.
pub(super) const LEFT_BY_SEA: u32 = 1 << 15;

/// Names of flags: marks of Brigades by their bits, then those of the Queen.
const FLAGS: [&str; 16] = [
    "seen by the enemy",
    "seen by all",
    "moved on this card",
    "turncoat",
    "deserting",
    "lost in this Battle",
    "picked",
    "moving",
    "moved before the bonus cards",
    "mark-9",
    "mark-10",
    "mark-11",
    "mark-12",
    "mark-13",
    "mark-14",
    "left by sea",
];

/// The kind of marker of something that has happened.
pub(super) fn happened_kind(what: Happened) -> u16 {
    let before = Happened::all().bits() & what.bits().wrapping_sub(1);
    HAPPENED + before.count_ones() as u16
}

/// The kind of a back of Brigades: they follow the faces.
pub(super) fn back_kind(content: &Content, back: BrigadeBack) -> u16 {
    (content.faces.len() + back as usize) as u16
}

/// The first of the backs of cards: they follow those of Brigades, in the order of [`CardBacks`].
pub(super) fn card_back_kind(content: &Content, back: CardBacks) -> u16 {
    (content.faces.len() + BrigadeBack::ALL.len() + back as usize) as u16
}

/// The first of the kinds of pieces that are no Brigades: General, Local Notable, Queen, Siege Train.
pub(super) fn leader_kind(content: &Content, kind: LeaderKind) -> u16 {
    (content.faces.len() + BrigadeBack::ALL.len() + CardBacks::ALL.len() + kind as usize) as u16
}

/// All that is known of a card from behind: the part of the deck that it came with (Y8).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum CardBacks {
    /// Core Cards.
    Core,
    /// Mandatory cards that all know of.
    Mandatory,
    /// The Early War, the Standard among it.
    Early,
    /// The Mid War, Alt-Hist cards among it.
    Mid,
    /// The Late War, Alt-Hist cards among it.
    Late,
}

impl CardBacks {
    /// All of them, in order.
    pub(super) const ALL: [Self; 5] = [Self::Core, Self::Mandatory, Self::Early, Self::Mid, Self::Late];
}

/// Kinds of pieces that are no Brigades.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum LeaderKind {
    /// A General.
    General,
    /// A Local Notable.
    Notable,
    /// The Queen.
    Queen,
    /// A Siege Train.
    Train,
}

/// The location on the board of a place of Brigades.
pub(super) fn location(_: &Content, holder: Holder) -> Location {
    match holder.holding() {
        Holding::General(_) | Holding::Notable(_) => Location::Piece(holder.index() as u16),
        Holding::Outside(area) => Location::Space(area.index() as u16),
        Holding::Inside(fortress) => Location::Mat(INSIDE_MATS + fortress.index() as u16),
        Holding::Pool(seat) => Location::Mat(POOL_MATS + seat.index() as u16),
        Holding::Unemployed(seat) => Location::Mat(UNEMPLOYED_MATS + seat.index() as u16),
        Holding::Away => Location::Mat(AWAY),
        Holding::Lost => Location::Mat(LOST),
        Holding::Out => Location::Mat(OUT),
    }
}

/// An entry of ours.
fn ours(id: impl Into<String>, name: impl Into<String>) -> CatalogEntry {
    CatalogEntry::new(id, name, Confidence::Official)
}

/// Ids and names of the sides, by seat.
const SIDES: [(&str, &str); 2] = [("royalist", "Royalist"), ("parliament", "Parliament")];

pub(super) fn build(
    content: &Content,
    files: &ContentFiles,
) -> Result<(Catalogue, ActionIndex<Action>), ContentErrors> {
    let (table, actions) = Action::table(content)
        .map_err(|error| ContentErrors::from(ContentError::file("cards.toml", error.to_string())))?;
    let catalogue = Catalogue {
        summary: "The whole First English Civil War for two, 1642 to 1645: cards, hidden Brigades, sieges. The map, most ratings and most \
                  events are a reconstruction.",
        seats: vec![
            SeatDef { id: SIDES[0].0, name: SIDES[0].1, color: "#3b5ba5", emblem: "crown" },
            SeatDef { id: SIDES[1].0, name: SIDES[1].1, color: "#d8782f", emblem: "portcullis" },
        ],
        scenarios: vec![ScenarioDef {
            id: "civil-war",
            title: "The Civil War, 1642 to 1645",
            seats: 2,
            returns_min: -1,
            returns_max: 1,
        }],
        options: options(content),
        attributes: attributes::declared(),
        boards: boards::boards(content),
        space_kinds: boards::space_kinds(),
        adjacency_kinds: boards::adjacency_kinds(),
        spaces: boards::spaces(content),
        mats: boards::mats(content),
        tracks: boards::tracks(content),
        piles: piles(),
        kinds: pieces::kinds(content),
        pieces: pieces::pieces(content),
        cards: pieces::cards(content),
        markers: markers::markers(content),
        charts: charts::charts(content),
        procedures: roles::procedures(),
        roles: roles::roles(content),
        flags: FLAGS.to_vec(),
        phrases: phrases().collect(),
        phase_ends: vec!["turn_begins", "first_named", "stored", "turn_ends"],
        ..Catalogue::new(
            UnhappyKing::ID,
            "Unhappy King Charles!",
            1,
            files.hash(),
            Ledger::load(files)?,
            table,
        )
    };
    Ok((catalogue, actions))
}

/// The optional rules (17.1, 18.0).
fn options(content: &Content) -> Vec<OptionDef> {
    let option = |rule: RuleOption| OptionDef {
        id: rule.as_str(),
        title: texts::option(rule),
        kind: OptionKind::Flag,
        default: content.options[rule as usize].default.into(),
    };
    RuleOption::ALL.map(option).into()
}

/// Piles: those of each seat, then those of both.
fn piles() -> Vec<PileDef> {
    use PileFacing::{Everybody, Nobody, Owner};
    use PileLayout::{Fan, Stack};
    let sided = [
        ("hand", "hand", Fan, Owner),
        ("store", "stored cards", Fan, Owner),
        ("bonus", "bonus cards", Fan, Owner),
        ("recruitment", "Recruitment card", Stack, Everybody),
    ];
    let common = [
        ("discard", "Discard pile", Stack, Everybody),
        ("drawn-from", "Discards that a bonus card was drawn from", Stack, Nobody),
        ("deck", "Draw Deck", Stack, Nobody),
        ("later", "Cards to be added to the deck", Stack, Nobody),
        ("aside", "Core Cards played", Stack, Everybody),
        ("waiting", "Put aside until the Late War", Stack, Everybody),
        ("removed", "Out of the game", Stack, Everybody),
    ];
    let mut piles = Vec::new();
    for (id, name, layout, facing) in sided {
        for (seat, (side, title)) in [ROYALIST, PARLIAMENT].into_iter().zip(SIDES) {
            let entry = ours(format!("{side}-{id}"), format!("{title} {name}"));
            piles.push(PileDef::new(entry, Some(seat), layout, facing));
        }
    }
    let of_both =
        |(id, name, layout, facing): (&str, &str, _, _)| PileDef::new(ours(id, name), None, layout, facing);
    piles.extend(common.map(of_both));
    piles
}

/// The pile of a seat.
pub(super) fn pile(first: u16, seat: Seat) -> u16 {
    first + seat.index() as u16
}

/// All bits of what happens have a marker.
const _: () = assert!(Happened::all().bits().count_ones() as usize == markers::HAPPENED_NAMES.len());
