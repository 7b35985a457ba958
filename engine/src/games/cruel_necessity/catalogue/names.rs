//! Places of things in the catalogue's lists, and the references that name them.

use crate::catalogue::MarkerPriority::{self, Bookkeeping, Position, Status};
use crate::catalogue::PileFacing::{self, Everybody, Nobody};
use crate::catalogue::PileLayout::{self, Fan, Stack};
use crate::numbered::Listed;
use crate::reference::{Location, Ref};

use super::super::actions::Target;
use super::super::content::{
    ARMIES, ARMY_IDS, ArmyId, BattleCardId, CARDS, CardId, Content, DEVILTRY, FORT_IDS, FORTS, FormationId,
    FortId, REVOLTS, RevoltKindId, RewardId, SLOTS, SlotId, T_IRELAND, T_SCOTLAND, TRACK_IDS,
};
use super::super::procedures::fortresses::lies_in;

/// Spaces: the areas by region, then London Under Siege, Oxford, the places of both battle lines.
pub(in super::super) const SPACE_LONDON: u16 = 20;
pub(in super::super) const SPACE_OXFORD: u16 = 21;
pub(in super::super) const SPACE_SLOT: u16 = 22;

/// Ids of the places of the battle lines.
pub(in super::super) const SLOT_IDS: [&str; 12] = [
    "p-right-flank",
    "p-left-flank",
    "p-right-inner",
    "p-right-outer",
    "p-left-inner",
    "p-left-outer",
    "r-first",
    "r-second",
    "r-third-inner",
    "r-third-outer",
    "r-fourth-inner",
    "r-fourth-outer",
];
/// The sector of each, from 1.
pub(in super::super) const SLOT_SECTORS: [u8; 12] = [1, 2, 3, 3, 4, 4, 1, 2, 3, 3, 4, 4];
/// Their names among players.
pub(in super::super) const SLOT_NAMES: [&str; 12] = [
    "First sector, Parliament's right flank",
    "Second sector, Parliament's left flank",
    "Third sector, Parliament's right foot, first",
    "Third sector, Parliament's right foot, second",
    "Fourth sector, Parliament's left foot, first",
    "Fourth sector, Parliament's left foot, second",
    "First sector, Royalist horse",
    "Second sector, Royalist horse",
    "Third sector, Royalist foot, first",
    "Third sector, Royalist foot, second",
    "Fourth sector, Royalist foot, first",
    "Fourth sector, Royalist foot, second",
];

/// Mats. The four draw pools come first: Parliament's horse and foot, then the Royalists'.
pub(in super::super) const MAT_HOLDING: u16 = 4;
pub(in super::super) const MAT_RECOVERY: u16 = 5;
pub(in super::super) const MAT_VICTORY: u16 = 6;
pub(in super::super) const MAT_DRAW: u16 = 7;
pub(in super::super) const MAT_DEFEAT: u16 = 8;
pub(in super::super) const MAT_TURNED: u16 = 9;
pub(in super::super) const MAT_OUT: u16 = 10;
pub(in super::super) const MAT_UNUSED: u16 = 11;
pub(in super::super) const MAT_DEVILTRY: u16 = 12;
pub(in super::super) const MAT_REWARDS: u16 = 13;
/// Ids and names of the mats.
pub(in super::super) const MATS: [(&str, &str); 14] = [
    ("p-horse-pool", "Parliament's horse, draw pool"),
    ("p-foot-pool", "Parliament's foot, draw pool"),
    ("r-horse-pool", "Royalist horse, draw pool"),
    ("r-foot-pool", "Royalist foot, draw pool"),
    ("holding", "Holding Box of Named units"),
    ("recovery", "Recovery box"),
    ("victory", "Victory box"),
    ("draw", "Draw box"),
    ("defeat", "Defeat box"),
    ("turned", "Turned on the foot"),
    ("out", "Out of play"),
    ("unused", "Unused markers"),
    ("deviltry", "Deviltry on the map"),
    ("rewards", "Rewards of Deviltry"),
];

/// Tracks after the six Political Tracks.
pub(in super::super) const TRACK_ZEAL: u16 = 6;
pub(in super::super) const TRACK_TURN: u16 = 7;

/// Piles.
pub(in super::super) const PILE_DECK: u16 = 0;
pub(in super::super) const PILE_DISCARD: u16 = 1;
pub(in super::super) const PILE_AVAILABLE: u16 = 2;
pub(in super::super) const PILE_SCORED: u16 = 3;
pub(in super::super) const PILE_BATTLE: u16 = 4;
pub(in super::super) const PILE_HAND: u16 = 5;
pub(in super::super) const PILE_BATTLE_DISCARD: u16 = 6;
pub(in super::super) const PILE_BATTLE_OUT: u16 = 7;
/// Ids and names of the piles, how their cards lie and who sees them.
pub(in super::super) const PILES: [(&str, &str, PileLayout, PileFacing); 8] = [
    ("deck", "Draw Pile of the present war", Stack, Nobody),
    ("discard", "Discard Pile", Stack, Everybody),
    ("available", "Available Achievements", Fan, Everybody),
    ("achieved", "Victory Point pile", Stack, Everybody),
    ("battle-deck", "Battle Events Draw Pile", Stack, Nobody),
    ("battle-hand", "Battle Event cards held", Fan, Everybody),
    ("battle-discard", "Battle Events Discard Pile", Stack, Everybody),
    ("battle-out", "Battle Event cards out of play", Stack, Everybody),
];

/// Ids of the sides, Parliament's the seat's.
pub(in super::super) const PARLIAMENT: &str = "parliament";
pub(in super::super) const ROYALIST: &str = "royalist";
pub(in super::super) const SCOTLAND: &str = "scotland";
pub(in super::super) const IRELAND: &str = "ireland";
pub(in super::super) const UNREST: &str = "unrest";
/// The side of each Army.
pub(in super::super) const ARMY_SIDES: [&str; ARMIES] = [ROYALIST, ROYALIST, SCOTLAND, IRELAND];

/// Kinds of markers.
pub(in super::super) const M_TURN: u16 = 0;
pub(in super::super) const M_WAR: u16 = 1;
pub(in super::super) const M_ZEAL: u16 = 2;
pub(in super::super) const M_BOX: u16 = 3;
/// The grade of the box, with the number printed in it: A, B, C, D, F.
pub(in super::super) const M_GRADE: u16 = 4;
pub(in super::super) const M_CLICK: u16 = 9;
pub(in super::super) const M_VALUE: u16 = 10;
pub(in super::super) const M_STRENGTH: u16 = 11;
pub(in super::super) const M_MARKER: u16 = 12;
pub(in super::super) const M_DRM: u16 = 13;
pub(in super::super) const M_ZEAL_MARKER: u16 = 14;
pub(in super::super) const M_TROUBLES: u16 = 15;
pub(in super::super) const M_ODDS: u16 = 16;
pub(in super::super) const M_POINTS: u16 = 17;
pub(in super::super) const M_SCORE: u16 = 18;
pub(in super::super) const M_FORTIFIED: u16 = 19;
pub(in super::super) const M_SHUFFLES: u16 = 20;
pub(in super::super) const M_OXFORD: u16 = 21;
pub(in super::super) const M_WON: u16 = 22;
pub(in super::super) const M_PLACED: u16 = 23;
pub(in super::super) const M_DESPERATE: u16 = 24;
pub(in super::super) const M_LICENCE: u16 = 25;
pub(in super::super) const M_IMMUNE: u16 = 26;
pub(in super::super) const M_SETTLED: u16 = 27;
pub(in super::super) const M_STRUCK: u16 = 28;
pub(in super::super) const M_WATCHED: u16 = 29;
/// Rewards: 1 waits to be used, 2 was found and used.
pub(in super::super) const M_REWARD: u16 = 30;
/// As [`M_ODDS`], where two dice decide: a search, then a Campaign (12.1).
pub(in super::super) const M_ODDS_OF_TWO: u16 = M_REWARD + DEVILTRY as u16;
/// The grade of the score as it is, from 1 in the order of [`super::super::content::GRADES`].
pub(in super::super) const M_STANDING: u16 = M_ODDS_OF_TWO + 1;
/// The least score of the next grade.
pub(in super::super) const M_NEXT_GRADE: u16 = M_STANDING + 1;
/// A kind of marker: id, short label, name, rank, unit of the number.
pub(in super::super) type MarkerKind =
    (&'static str, &'static str, &'static str, MarkerPriority, &'static str);

/// Kinds of markers before the rewards.
pub(in super::super) const MARKERS: [MarkerKind; 30] = [
    ("turn", "T", "Game Turn", Position, ""),
    ("war", "war", "Civil War", Status, ""),
    ("zeal", "Z", "Zeal Points", Position, "Zeal Points"),
    ("box", "box", "Box from the top, counted from 0", Position, ""),
    ("A", "A", "Grade A", Status, ""),
    ("B", "B", "Grade B", Status, ""),
    ("C", "C", "Grade C", Status, ""),
    ("D", "D", "Grade D", Status, ""),
    ("F", "F", "Grade F", Status, ""),
    ("click", "clk", "Click of the fortress", Bookkeeping, ""),
    ("value", "CV", "Combat Value", Status, ""),
    ("strength", "str", "Strength with all markers", Status, ""),
    ("markers", "mks", "Strength markers of this turn", Bookkeeping, ""),
    ("drm", "drm", "Modifier of this turn's Politics rolls", Status, ""),
    ("zeal-marker", "ZM", "Zeal marker, +1 on rolls", Status, ""),
    ("troubles", "tro", "Irish Troubles marker", Status, ""),
    ("wins-in-6", "/6", "Faces of 6 with which the player's next roll here succeeds", Status, "in 6"),
    ("points", "VP", "Victory Points", Status, "points"),
    ("score", "sum", "Victory Points in all", Status, "points"),
    ("fortified", "frt", "Clicks paid for this turn", Bookkeeping, ""),
    ("shuffles", "shf", "How often the discards came back", Bookkeeping, ""),
    ("oxford", "oxf", "Siege of Oxford", Bookkeeping, ""),
    ("won", "won", "Battle won", Bookkeeping, ""),
    ("placed", "plc", "Zeal marker placed", Bookkeeping, ""),
    ("desperate", "dsp", "Desperate Act", Bookkeeping, ""),
    ("licence", "lic", "Free Zeal marker", Bookkeeping, ""),
    ("immune", "imm", "Religious Reactions may be ignored", Bookkeeping, ""),
    ("settled", "set", "English settlers sent", Bookkeeping, ""),
    ("struck", "stk", "The strike of 12.5 is made", Bookkeeping, ""),
    ("watched", "wat", "Looked at when the turn ends", Bookkeeping, ""),
];

/// Kinds of markers after the rewards.
pub(in super::super) const LATER_MARKERS: [MarkerKind; 3] = [
    (
        "wins-in-36",
        "/36",
        "Ways in 36 that the player's next search and Campaign here succeed",
        Status,
        "in 36",
    ),
    ("victory", "grd", "Grade at this score", Status, ""),
    ("next-grade", "nxt", "Victory Points from which the next grade begins", Status, "points"),
];

/// Names of numbers that stand for something, by kind of marker; those of rewards are [`REWARD_VALUES`].
pub(in super::super) const MARKER_VALUES: [(u16, &[(i32, &str)]); 11] = [
    (M_ZEAL_MARKER, &[(1, "+1")]),
    (M_TROUBLES, &[(1, "here")]),
    (M_OXFORD, &[(1, "allowed")]),
    (M_WON, &[(1, "this turn"), (2, "last turn"), (3, "this turn and the last")]),
    (M_PLACED, &[(1, "this turn")]),
    (M_DESPERATE, &[(1, "this turn")]),
    (M_LICENCE, &[(1, "next turn"), (2, "now"), (3, "now and next turn")]),
    (M_IMMUNE, &[(1, "yes")]),
    (M_SETTLED, &[(1, "yes")]),
    (M_STRUCK, &[(1, "yes")]),
    (M_WATCHED, &[(1, "yes")]),
];
/// Names of the numbers of a reward that was found.
pub(in super::super) const REWARD_VALUES: [(i32, &str); 2] = [(1, "waits to be used"), (2, "used")];

/// The number that stands for a grade, by its place in [`super::super::content::GRADES`].
pub(in super::super) const fn grade_number(grade: usize) -> i32 {
    grade as i32 + 1
}

/// Flags of pieces.
pub(in super::super) const FLAG_DISORDERED: u32 = 1;
/// Meaning of each bit of a piece's flags.
pub(in super::super) const FLAGS: [&str; 1] = ["Disordered"];

/// The first of the Named units among the pieces.
pub(in super::super) const PIECE_NAMED: u16 = (ARMIES + FORTS + REVOLTS + DEVILTRY) as u16;

/// Kinds of pieces: counters of Armies, fortresses of each side, revolts by kind, Deviltry, formations.
pub(in super::super) fn kind_fort(content: &Content, royalist: bool) -> u16 {
    content.counters.len() as u16 + u16::from(royalist)
}

pub(in super::super) fn kind_revolt(content: &Content, kind: RevoltKindId) -> u16 {
    content.counters.len() as u16 + 2 + kind.index() as u16
}

pub(in super::super) fn kind_deviltry(content: &Content) -> u16 {
    kind_revolt(content, RevoltKindId::new(content.numbers.revolt_kinds.len()))
}

pub(in super::super) fn kind_formation(content: &Content, kind: FormationId) -> u16 {
    kind_deviltry(content) + 1 + kind.index() as u16
}

/// Kinds of Parliament's Named units, in order.
pub(in super::super) fn own_named(content: &Content) -> impl Iterator<Item = FormationId> + '_ {
    named(content).filter(|&kind| !content.formations[kind].royalist)
}

/// Kinds of the Named units of both sides, in order.
pub(in super::super) fn named(content: &Content) -> impl Iterator<Item = FormationId> + '_ {
    FormationId::all(content).filter(|&kind| content.formations[kind].is_named)
}

/// The piece of a Named unit.
pub(in super::super) fn named_piece(content: &Content, kind: FormationId) -> u16 {
    PIECE_NAMED + named(content).position(|named| named == kind).expect("a Named unit") as u16
}

/// A formation: the piece of a Named unit, the kind of any other.
pub(in super::super) fn formation_ref(content: &Content, kind: FormationId) -> Ref {
    if content.formations[kind].is_named {
        Ref::Piece(named_piece(content, kind))
    } else {
        Ref::Kind(kind_formation(content, kind))
    }
}

/// The formation that [`formation_ref`] names.
pub(in super::super) fn formation_of(content: &Content, what: Ref) -> Option<FormationId> {
    match what {
        Ref::Piece(piece) => named(content).nth(usize::from(piece.checked_sub(PIECE_NAMED)?)),
        Ref::Kind(kind) => {
            let kind = usize::from(kind.checked_sub(kind_formation(content, FormationId::default()))?);
            (kind < content.formations.len()).then(|| FormationId::new(kind))
        }
        _ => None,
    }
}

/// The draw pool of a kind of formation; the Holding Box for Parliament's Named units.
pub(in super::super) fn pool_mat(content: &Content, kind: FormationId) -> u16 {
    let formation = &content.formations[kind];
    match (formation.is_named, formation.royalist, formation.arm) {
        (true, false, _) => MAT_HOLDING,
        (_, royalist, arm) => 2 * u16::from(royalist) + arm as u16,
    }
}

/// The space of a place of the line.
pub(in super::super) const fn slot_space(slot: SlotId) -> u16 {
    SPACE_SLOT + slot.index() as u16
}

pub(in super::super) const fn slot_ref(slot: SlotId) -> Ref {
    Ref::Space(slot_space(slot))
}

/// The place of the line that a reference names.
pub(in super::super) fn slot_of(what: Ref) -> Option<SlotId> {
    match what {
        Ref::Space(space) => {
            let slot = usize::from(space.checked_sub(SPACE_SLOT)?);
            (slot < SLOTS).then(|| SlotId::new(slot))
        }
        _ => None,
    }
}

pub(in super::super) const fn battle_card_ref(card: BattleCardId) -> Ref {
    Ref::Card((CARDS + card.index()) as u16)
}

/// The Battle Event card that a reference names.
pub(in super::super) fn battle_card_of(content: &Content, what: Ref) -> Option<BattleCardId> {
    match what {
        Ref::Card(card) => {
            let card = usize::from(card).checked_sub(CARDS)?;
            (card < content.battle_cards.len()).then(|| BattleCardId::new(card))
        }
        _ => None,
    }
}

/// A card of the three decks.
pub(in super::super) const fn card_ref(card: CardId) -> Ref {
    Ref::Card(card.index() as u16)
}

/// The card of the three decks that a reference names.
pub(in super::super) fn card_of(content: &Content, what: Ref) -> Option<CardId> {
    match what {
        Ref::Card(card) if usize::from(card) < content.cards.len() => Some(CardId::new(card.into())),
        _ => None,
    }
}

pub(in super::super) const fn zeal_ref() -> Ref {
    Ref::Track(TRACK_ZEAL)
}

pub(in super::super) const fn reward_ref(reward: RewardId) -> Ref {
    Ref::Marker(M_REWARD + reward.index() as u16)
}

/// The reward that a reference names.
pub(in super::super) fn reward_of(what: Ref) -> Option<RewardId> {
    match what {
        Ref::Marker(marker) => {
            let reward = usize::from(marker.checked_sub(M_REWARD)?);
            (reward < DEVILTRY).then(|| RewardId::new(reward))
        }
        _ => None,
    }
}

/// The space of an area of a region; 0 is London Under Siege.
pub(in super::super) const fn area_space(region: ArmyId, area: u8) -> u16 {
    if area == 0 { SPACE_LONDON } else { (region.index() * 5 + area as usize - 1) as u16 }
}

/// Returns the place of a fortress.
pub(in super::super) fn fort_space(content: &Content, fort: FortId) -> Location {
    let mut regions = lies_in(content, fort);
    Location::Space(match (regions.next(), regions.next()) {
        (Some((region, area)), None) => area_space(region, area),
        (Some((_, 0)), Some(_)) => SPACE_LONDON,
        _ => SPACE_OXFORD,
    })
}

/// Returns the name of a target in notation.
pub(in super::super) fn target_id(content: &Content, target: Target) -> String {
    match target {
        Target::Army(army) => ARMY_IDS[army].to_owned(),
        Target::Fort(fort) => FORT_IDS[fort].to_owned(),
        Target::Revolt(revolt) => content.numbers.revolts[revolt].named.id.clone(),
        Target::Deviltry(marker) => {
            format!("deviltry-{}", content.numbers.deviltry[marker].named.id)
        }
        // Ireland and Scotland are Armies, too: what is rolled for is the track.
        Target::Track(track @ (T_IRELAND | T_SCOTLAND)) => format!("{}-track", TRACK_IDS[track]),
        Target::Track(track) => TRACK_IDS[track].to_owned(),
    }
}
