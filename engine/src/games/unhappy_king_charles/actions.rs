//! The action table: verbs, and the things that they are about. No action is about two things: a choice with more is several actions.

use crate::action::ActionThing;
use crate::numbered::Numbered;
use crate::reference::{Location, Ref};
use crate::seat::Seat;

use super::catalogue;
use super::content::Content;
use super::content::ids::{AreaId, BrigadeFace, CardId, GeneralId, LeaderId, NotableId, RegionId};
use super::state::{Holder, Holding};

crate::actions! {
    /// An action, as the rules read it.
    pub(super) enum Action of Content {
        Play "card" "Choose a card" Card(card: CardId),
        Play "use" "Use it for" Use(way: Usage),
        Play "activate" "Activate" Activate(general: GeneralId),
        Play "bombard" "Bombard with" Bombard(general: GeneralId),
        Play "assault" "Assault" Assault,
        Play "raid" "Raid with" Raid(notable: NotableId),
        Play "general" "Choose" Leader(leader: LeaderId),
        Play "move" "Move to" Move(to: Goal),
        Play "leave" "Leave behind" Leave(general: GeneralId),
        Play "join" "Join, or take in," Join(general: GeneralId),
        Play "from" "Take from" From(holder: Source),
        Play "brigade" "Take the Brigade" Brigade(face: BrigadeFace),
        Play "to" "Place it with" To(holder: Receiver),
        Play "at" "Choose the Area" At(area: AreaId),
        Play "pc" "Place a PC marker" Marker,
        Play "siege" "Siege marker" Siege(marker: SiegeChoice),
        Play "train" "Siege Train" Train(choice: TrainChoice),
        Play "queen" "The Queen" Queen(choice: QueenChoice),
        Play "inside" "Go inside the Fortress" Inside,
        Play "intercept" "Intercept with" Intercept(general: GeneralId),
        Play "lift" "Lift the Siege" Lift,
        Play "surplus" "Fight with the surplus" Surplus,
        Play "evade" "Attempt to Evade" Evade,
        Play "withdraw" "Withdraw into the Fortress" Withdraw,
        Play "disperse" "Disperse" Disperse,
        Play "brentford" "Use the Earl of Brentford" Brentford,
        Play "first" "Name the first player" First(seat: Player),
        Play "option" "Choose the effect" Effect(option: Choice),
        Play "region" "Recruit for" Region(region: RegionId),
        Pass "stand" "Stand" Stand,
        Pass "pass" "Pass" Pass,
        Done "done" "Done" Done,
    }
}

/// The ways to use a card.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Usage {
    /// Its event (6.4).
    Event,
    /// Its Activations, of a Campaign card (6.1).
    Campaign,
    /// To Activate a General for movement (6.1).
    Activate,
    /// To Bombard (6.1).
    Bombard,
    /// To Raid (6.1; discarded: one Local Notable, 6.4).
    Raid,
    /// To place PC markers (6.1; discarded: one, 6.4).
    Markers,
    /// As the Recruitment card of the Turn (7.3).
    Recruit,
    /// It is discarded for nothing (6.4).
    Discard,
}

/// Declares a choice of a few words, in the order of their numbers: how they are written, and that they are numbers in references.
macro_rules! choices {
    ($($(#[$about:meta])* $Choice:ident { $($Variant:ident $word:literal),+ $(,)? })+) => {
        $(
            impl $Choice {
                /// All of them.
                pub(super) const ALL: &[(Self, &'static str)] = &[$((Self::$Variant, $word)),+];
            }

            impl Numbered for $Choice {
                fn new(number: usize) -> Self {
                    Self::ALL[number].0
                }

                fn index(self) -> usize {
                    self as usize
                }
            }

            impl ActionThing<Content> for $Choice {
                type Value = Self;

                fn count(_: &Content) -> usize {
                    Self::ALL.len()
                }

                fn reference(_: &Content, value: Self) -> Ref {
                    Ref::Number(value as i32)
                }

                fn word(_: &Content, value: Self) -> String {
                    Self::ALL[value as usize].1.to_owned()
                }
            }
        )+
    };
}

/// All that can be done with a Siege marker.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum SiegeChoice {
    /// A Siege marker is placed (14.2).
    Place,
    /// A Blockade & Siege marker is placed (14.2).
    Blockade,
    /// It is taken off for a Movement Point (9.2).
    Lift,
}

/// All that can be done with the Siege Train.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum TrainChoice {
    /// It is recruited (7.1.4).
    Recruit,
    /// An Army takes it along (7.1.4).
    Take,
    /// It is taken off the map (7.1.4).
    Remove,
}

/// All that can be done with the Queen.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum QueenChoice {
    /// An Army takes her along (6.6).
    Take,
    /// She stays behind.
    Leave,
    /// She leaves by sea (V11).
    Ship,
}

/// One of two effects of a card.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// The first.
    First,
    /// The second.
    Second,
}

choices! {
    Usage {
        Event "event", Campaign "campaign", Activate "activate", Bombard "bombard", Raid "raid", Markers "markers",
        Recruit "recruit", Discard "discard",
    }
    SiegeChoice { Place "place", Blockade "blockade", Lift "lift" }
    TrainChoice { Recruit "recruit", Take "take", Remove "remove" }
    QueenChoice { Take "take", Leave "leave", Ship "ship" }
    Choice { First "1", Second "2" }
}

crate::action_words! {
    of Content;
    AreaId: |content, area| content.areas[area].named.id.clone();
    RegionId: |content, region| content.regions[region].named.id.clone();
    GeneralId: |content, general| content.generals[general].named.id.clone();
    NotableId: |content, notable| content.notables[notable].named.id.clone();
    LeaderId: |content, leader| leader_id(content, leader).to_owned();
    BrigadeFace: |content, face| content.faces[face].named.id.clone();
    CardId: |content, card| content.cards[card].named.id.clone();
}

/// Where a movement leads: an Area, or off the map (MC9), which is the last.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Goal(pub(super) Option<AreaId>);

impl Numbered for Goal {
    fn new(number: usize) -> Self {
        Self((number < super::content::AREAS).then(|| AreaId::new(number)))
    }

    fn index(self) -> usize {
        self.0.map_or(super::content::AREAS, AreaId::index)
    }
}

impl ActionThing<Content> for Goal {
    type Value = Self;

    fn count(_: &Content) -> usize {
        super::content::AREAS + 1
    }

    fn reference(_: &Content, goal: Self) -> Ref {
        goal.0.map_or(Ref::Mat(catalogue::SCOTLAND), Ref::from)
    }

    fn word(content: &Content, goal: Self) -> String {
        goal.0.map_or_else(|| "off-map".to_owned(), |area| AreaId::word(content, area))
    }
}

/// A place that Brigades are taken from.
pub(super) enum Source {}

/// A place that a Brigade is put to.
pub(super) enum Receiver {}

/// How a place of Brigades is written.
fn holder_word(content: &Content, holder: Holder) -> String {
    match holder.holding() {
        Holding::General(general) => GeneralId::word(content, general),
        Holding::Notable(notable) => NotableId::word(content, notable),
        // An Area and a General may share their id.
        Holding::Outside(area) => format!("unled-{}", AreaId::word(content, area)),
        Holding::Inside(fortress) => {
            format!("inside-{}", AreaId::word(content, content.fortresses[fortress].area))
        }
        Holding::Pool(seat) => format!("pool-{}", Player::word(content, seat)),
        Holding::Unemployed(seat) => format!("unemployed-{}", Player::word(content, seat)),
        Holding::Away | Holding::Lost | Holding::Out => unreachable!("no Brigade is chosen from there"),
    }
}

impl ActionThing<Content> for Source {
    type Value = Holder;

    fn count(_: &Content) -> usize {
        Holder::AWAY.index()
    }

    fn reference(content: &Content, holder: Holder) -> Ref {
        catalogue::location(content, holder).into()
    }

    fn word(content: &Content, holder: Holder) -> String {
        holder_word(content, holder)
    }
}

impl ActionThing<Content> for Receiver {
    type Value = Holder;

    fn count(_: &Content) -> usize {
        Holder::of_map().count()
    }

    fn reference(content: &Content, holder: Holder) -> Ref {
        catalogue::location(content, holder).into()
    }

    fn word(content: &Content, holder: Holder) -> String {
        holder_word(content, holder)
    }
}

impl Numbered for Holder {
    fn new(number: usize) -> Self {
        Self::new(number)
    }

    fn index(self) -> usize {
        self.index()
    }
}

/// A player.
pub(super) enum Player {}

impl ActionThing<Content> for Player {
    type Value = Seat;

    fn count(_: &Content) -> usize {
        2
    }

    fn reference(_: &Content, seat: Seat) -> Ref {
        Ref::Seat(seat)
    }

    fn word(_: &Content, seat: Seat) -> String {
        ["royalist", "parliament"][seat.index()].to_owned()
    }
}

/// The place of Brigades that a location of the board is; none of other locations.
pub(super) fn holder_at(content: &Content, at: Location) -> Option<Holder> {
    (0..Holder::BOUND).map(Holder::new).find(|&holder| catalogue::location(content, holder) == at)
}

/// The content id of a Leader.
fn leader_id(content: &Content, leader: LeaderId) -> &str {
    let general = leader.general().map(|general| &content.generals[general].named.id);
    let notable = leader.notable().map(|notable| &content.notables[notable].named.id);
    general.or(notable).expect("a Leader is a General or a Local Notable")
}
