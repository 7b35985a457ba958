//! The small vocabulary of what cards do ([`Operation`]) and of when an event is offered ([`Condition`]), compiled from their records.

use serde::Deserialize;

use crate::seat::Seat;

use super::brigades::Faction;
use super::ids::{AreaId, AreaSet, FortressSet, GeneralId, GeneralSet, ListId, NotableId, RegionSet, TurnId};

/// A use of an Operations Card (6.1).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CardUse {
    /// Recruitment Card of the turn (7.3).
    Recruit,
    /// A Bombardment (14.3).
    Bombard,
    /// Raids of Local Notables (13.0).
    Raid,
    /// An Activation for movement (9.1).
    Activate,
    /// Political Control markers (11.1).
    Markers,
}

impl CardUse {
    /// All uses, in order.
    pub const ALL: [Self; 5] = [Self::Recruit, Self::Bombard, Self::Raid, Self::Activate, Self::Markers];

    /// Its word in content and in the catalogue.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        ["recruit", "bombard", "raid", "activate", "markers"][self as usize]
    }
}

/// A set of uses.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct CardUses(u8);

impl CardUses {
    /// No use.
    pub const NONE: Self = Self(0);

    /// Returns whether a use is among them.
    #[must_use]
    pub const fn contains(self, one: CardUse) -> bool {
        self.0 >> one as u8 & 1 != 0
    }

    /// These and one more.
    #[must_use]
    pub const fn with(self, one: CardUse) -> Self {
        Self(self.0 | 1 << one as u8)
    }

    /// The uses in order.
    pub fn iter(self) -> impl Iterator<Item = CardUse> + Clone {
        CardUse::ALL.into_iter().filter(move |&one| self.contains(one))
    }
}

/// The Areas in which an event may put markers (6.4).
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkerMode {
    /// Areas without any marker.
    Open,
    /// Also Areas with an enemy's, which are no Fortress and hold no enemy Army, Brigade or Local Notable.
    Any,
}

/// The way in which an operation says which Areas it is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// All of them.
    Everywhere,
    /// Those of some Regions.
    Regions(RegionSet),
    /// Those within a distance of one, by lines of any kind, itself among them.
    Near {
        /// The one.
        area: AreaId,
        /// The most lines.
        distance: u8,
    },
}

/// The Brigades that an event places.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Placed {
    /// Of one of these Regions, as the player chooses; Militia before Veterans, those lost in Battle last (6.4).
    OfRegions(RegionSet),
    /// Irish (6.6, 7.1.6).
    Irish,
    /// New Model Army, in the place of Brigades of the Regions where they can be recruited (7.1.3).
    NewModel,
}

/// The Areas in which an event places Brigades, beyond what 6.4 asks of each.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Places {
    /// Areas of the Brigade's own Region.
    OwnRegion,
    /// This Area alone.
    Area(AreaId),
    /// Ports of these Regions under the player's control.
    OwnPort(RegionSet),
}

/// The Brigades that an event takes off, besides their Region.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// Wherever they stand.
    Anywhere,
    /// Outside of Fortresses; those of a Local Notable count as inside.
    Outside,
    /// Not inside a Besieged Fortress.
    NotBesieged,
}

/// The whereabouts of Brigades that an event takes off.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Removal {
    /// To their pool: free to be recruited.
    Pool,
    /// Out of the game.
    Out,
}

/// The seat that an operation is about.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Whose {
    /// A fixed seat.
    Seat(Seat),
    /// The enemy of whoever plays the card.
    Enemy,
}

impl Whose {
    /// The seat, when `player` plays the card.
    #[must_use]
    pub const fn seat(self, player: Seat) -> Seat {
        match self {
            Self::Seat(seat) => seat,
            Self::Enemy => player.other(),
        }
    }
}

/// The state in which a Fortress must be to change hands by an event.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weakness {
    /// Any.
    None,
    /// No Brigade inside.
    Unoccupied,
    /// Under a Siege marker of the player, or no Brigade inside.
    BesiegedOrUnoccupied,
}

/// The change of hands that an event brings to a Fortress.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FortressChange {
    /// A roll of this or more changes control and Disperses what is inside; `less_inside`: the Brigades inside are taken off the roll.
    Roll {
        /// The least roll that succeeds, 2 to 6.
        at_least: u8,
        /// True if each Brigade inside takes 1 off the roll.
        less_inside: bool,
    },
    /// It Surrenders by 14.4, without a roll.
    Surrender,
}

/// A paragraph of the rulebook that a card stands for: code that names it. Its numbers are among the
/// [`Numbers`](super::numbers::Numbers).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Paragraph {
    /// Raising of the Standard (6.5).
    Standard,
    /// Army of the Solemn League and Covenant (6.5).
    SolemnLeague,
    /// New Model Army (6.5).
    NewModelArmy,
    /// The Queen (6.6).
    Queen,
    /// Earl of Brentford (6.6).
    Brentford,
    /// Turnham Green (6.6).
    TurnhamGreen,
    /// The Cessation (6.6).
    Cessation,
    /// Lieutenant General of His Majesty's Armies (6.6).
    LieutenantGeneral,
    /// Prince Rupert Dismissed (6.6).
    RupertDismissed,
    /// The King Abandons the Bishops (6.6).
    Bishops,
    /// Charles of Lorraine (6.6).
    Lorraine,
    /// London Rising (6.6).
    LondonRising,
}

impl Paragraph {
    /// All of them, in order.
    pub const ALL: [Self; 12] = [
        Self::Standard,
        Self::SolemnLeague,
        Self::NewModelArmy,
        Self::Queen,
        Self::Brentford,
        Self::TurnhamGreen,
        Self::Cessation,
        Self::LieutenantGeneral,
        Self::RupertDismissed,
        Self::Bishops,
        Self::Lorraine,
        Self::LondonRising,
    ];

    /// Its word in content.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        [
            "standard",
            "solemn-league",
            "new-model-army",
            "queen",
            "brentford",
            "turnham-green",
            "cessation",
            "lieutenant-general",
            "rupert-dismissed",
            "bishops",
            "lorraine",
            "london-rising",
        ][self as usize]
    }

    /// The section of the rulebook that it stands in.
    #[must_use]
    pub const fn section(self) -> &'static str {
        match self {
            Self::Standard | Self::SolemnLeague | Self::NewModelArmy => "6.5",
            _ => "6.6",
        }
    }

    /// Returns whether it is of a Mandatory card (6.5).
    #[must_use]
    pub const fn is_mandatory(self) -> bool {
        matches!(self, Self::Standard | Self::SolemnLeague | Self::NewModelArmy)
    }
}

/// A thing that a card does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// One of the uses of an Operations Card of this value (6.1).
    Operations {
        /// 1 to 3.
        value: u8,
        /// The uses of which one is chosen.
        uses: CardUses,
    },
    /// Activations, one after another, each of another General or Local Notable (6.1, ruling K3); or the Recruitment Card of the turn
    /// (ruling X2).
    Campaign {
        /// The most Activations, 2 or 3.
        activations: u8,
        /// The kinds of Activations, and `Recruit`, which takes the place of all.
        uses: CardUses,
    },
    /// A Combat Card (10.2).
    Combat {
        /// Added to the owner's Battle Score, 1 to 5.
        modifier: u8,
        /// True if it turns the owner's Major Victory into a Decisive one (10.2).
        decisive: bool,
        /// True if only the defender may play it.
        defender: bool,
    },
    /// Markers of the player in different Areas, at least one of them; after a Brigade up to one (ruling X15).
    Markers {
        /// The most markers, 1 to 9.
        most: u8,
        /// The Areas that are free for them.
        mode: MarkerMode,
        /// The Areas among which they go.
        within: AreaSet,
        /// How these are said.
        reach: Reach,
        /// True after an operation that placed a Brigade: none is enough then.
        follows: bool,
    },
    /// Brigades of the player come to the map (6.4, ruling K15).
    PlaceBrigades {
        /// The number of them, 1 to 9.
        count: u8,
        /// The kind of Brigades.
        brigades: Placed,
        /// The Areas.
        places: Places,
        /// True if they come only once the New Model Army card was played.
        after_new_model: bool,
    },
    /// The owner takes Brigades of their own choice off the map, or as many as there are (ruling K16).
    RemoveBrigades {
        /// The owner, who chooses.
        owner: Whose,
        /// The number of them, 1 to 9.
        count: u8,
        /// The only faction that counts, if any.
        faction: Option<Faction>,
        /// The only Combat Value that counts, if any.
        value: Option<u8>,
        /// The Areas in which they stand.
        within: AreaSet,
        /// How these are said.
        reach: Reach,
        /// How they stand there.
        standing: Standing,
        /// Their whereabouts from then on.
        to: Removal,
    },
    /// Cards at random out of a hand, stored ones apart (6.4, ruling K12).
    RemoveCards {
        /// The seat that loses them.
        from: Whose,
        /// The number of them, 1 to 9; or all that there are.
        count: u8,
    },
    /// Cards from the Draw Deck into the player's hand; what it lacks is lost.
    Draw {
        /// The number of them, 1 to 9.
        count: u8,
    },
    /// Naval Status moves (15.0): up is good for Parliament.
    Naval {
        /// From -9 to 9, not 0.
        by: i8,
    },
    /// A Local Notable comes to their Area (13.0).
    PlaceNotable {
        /// The Local Notable.
        notable: NotableId,
    },
    /// An enemy Fortress that the player names may change hands (11.1).
    TakeFortress {
        /// Those of which one is named, if the enemy controls it.
        among: FortressSet,
        /// The state that it must be in.
        weakness: Weakness,
        /// How it changes hands.
        change: FortressChange,
    },
    /// Brigades go from one General of the player to another.
    Transfer {
        /// The most Brigades, 1 to 9; at least one.
        most: u8,
        /// The most lines between the two Generals' Areas.
        distance: u8,
    },
    /// A marker on one Siege of the player: added to its next Bombardment.
    BombardModifier {
        /// 1 to 9.
        modifier: u8,
    },
    /// An Activation for movement of one of these Generals, as by a Campaign card.
    Activate {
        /// Of whom one is named.
        generals: GeneralSet,
        /// True if Waller may be Subordinated to Essex until the Turn End Phase (9.5, ruling S9).
        lifts_rivalry: bool,
    },
    /// Response: added to the roll of the Interception that is declared (9.7.2).
    InterceptModifier {
        /// 1 to 9.
        modifier: u8,
    },
    /// The player chooses one of two lists, of which only such are offered as can do something.
    Choice {
        /// Both lists.
        options: [ListId; 2],
    },
    /// Each seat has a list of its own.
    BySide {
        /// The Royalists' list, and Parliament's.
        lists: [ListId; 2],
    },
    /// A paragraph of the rulebook.
    Paragraph(Paragraph),
}

/// An operation in its list.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The thing that is done.
    pub operation: Operation,
    /// The list that is carried out instead if it did nothing: it was not possible, or its roll failed (ruling X16).
    pub otherwise: Option<ListId>,
}

/// A condition of an event's being offered: of public facts, of the player's own pool and of their own hand (Addenda, ruling K19).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Condition {
    /// An Area where one of its operations could put a marker.
    MarkerPlace,
    /// A Brigade counter of the player's own that one of its operations could place, and a place for it.
    BrigadePlace,
    /// A card in the enemy's hand that is not stored.
    EnemyCard,
    /// A card in the Draw Deck.
    DeckCard,
    /// A Fortress that fits one of its operations.
    Fortress,
    /// The counter of the Local Notable whom it would place for the player has never been placed.
    Notable,
    /// A Brigade that, as far as is public, one of its operations would take off.
    Brigade,
    /// Any Brigade of the side that would take one off, on the map: which kind is hidden (ruling X12).
    AnyBrigade,
    /// A pair of Generals between whom Brigades could be transferred.
    GeneralPair,
    /// A Siege marker of the player.
    SiegeMarker,
    /// This seat controls this Area.
    Controls(Seat, AreaId),
    /// The Cessation has occurred.
    Cessation,
    /// An Irish Brigade is off the map and not lost to an Assault (ruling X13).
    IrishOffMap,
    /// This General is not out of the game.
    InGame(GeneralId),
    /// These Generals are all on the map, and inside no Fortress that is Masked or Besieged.
    OnMap(GeneralSet),
    /// An Army of this seat stands in a neighbour of this Area.
    ArmyBeside(Seat, AreaId),
    /// It is this Turn or an earlier one.
    UpTo(TurnId),
    /// An Area where the Queen can land (6.6).
    QueenPlace,
    /// A Port where the Irish can land by the Cessation (6.6).
    LandingPort,
    /// A place for Charles of Lorraine (6.6).
    LorrainePlace,
    /// A Covenanter General or Brigade on the map.
    Covenanters,
    /// An Interception is being declared by the player (9.7).
    Interception,
}

/// When an event is offered: all of the one hold, and one of the other, if there are any (ruling K19). That its side fits and that it is
/// not spent is asked beside it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Offered {
    /// All of these must hold.
    pub all: Vec<Condition>,
    /// One of these must hold; none asks nothing.
    pub any: Vec<Condition>,
}
