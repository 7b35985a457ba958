//! Result codes: what became of a part, why, and by which rule.

use std::fmt;

use super::board::SpaceSet;
use super::position::Side;

/// The result of a part's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A hold: the part stays.
    Held,
    /// A move that arrived, and no own unit stayed there.
    Moved,
    /// A move that arrived where own units stayed.
    Joined(Join),
    /// A merge that arrived, all its parts with it.
    Merged,
    /// A move or merge that was not made.
    Bounced {
        /// The cause; if several apply, the first in the order of [`Bounce`].
        cause: Bounce,
        /// The strength it came with; 0 if the cause compares none.
        attack: u16,
        /// The strength it had to exceed; 0 if the cause compares none.
        against: u16,
    },
    /// A support that counted with its whole strength.
    Given {
        /// That strength.
        strength: u8,
    },
    /// A support of which attacks left a part.
    CutTo {
        /// Strength that was left, at least 1.
        left: u8,
        /// Strength that it had.
        of: u8,
    },
    /// A support of which nothing was left, by attacks or since its part was dislodged.
    Cut {
        /// Strength that it had.
        of: u8,
    },
    /// A merge or support, or an illegal order, that counts as a hold.
    Void(Void),
}

/// The cause for which a move ended beside own units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// The part has no army, so own units don't stop it (L7).
    WithoutArmy,
    /// Only own leaders stayed there, and they don't stop an army (L13).
    OntoLeaders,
}

/// The cause for which a move or merge was not made, in the order in which causes are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bounce {
    /// An own army stays in the space (M12).
    OwnUnit,
    /// Own armies would exchange places (M29).
    Exchange,
    /// There would be three leaders in the space (L17).
    Limit,
    /// A strength of 0 gives way to whatever else is in the space or goes there (L19).
    Contested,
    /// An enemy group comes the other way and is not weaker (M11).
    HeadToHead,
    /// The units that hold the space are not weaker (M10).
    Strength,
    /// An own group that goes to the same space is not weaker (M5).
    OwnStandoff,
    /// Another side's group that goes to the same space is not weaker.
    Standoff,
    /// Nothing stops it, but it is one of several moves that depend on each other so that no result satisfies the
    /// rules, or no single one contains all others that do. Then all of them fail (M30).
    Knot,
}

/// The cause for which an order came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Void {
    /// A merge of one part, with no own part in the target that was told to stay (M19).
    MergeOfOne,
    /// A merge that would bring three leaders together (L16).
    ThreeLeaders,
    /// A support of something that was not ordered so (M20).
    Unmatched,
    /// Not an order that the position allows; only imported order lists have such.
    Illegal,
}

impl Outcome {
    /// The result code.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Moved => "moved",
            Self::Joined(_) => "joined",
            Self::Merged => "merged",
            Self::Bounced { .. } => "bounced",
            Self::Given { .. } => "given",
            Self::CutTo { .. } => "cut to",
            Self::Cut { .. } => "cut",
            Self::Void(_) => "void",
        }
    }

    /// The code of the cause, for the codes that have one.
    pub const fn cause(&self) -> Option<&'static str> {
        match self {
            Self::Bounced { cause, .. } => Some(cause.code()),
            Self::Void(cause) => Some(cause.code()),
            _ => None,
        }
    }

    /// The rule or ruling behind it.
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::Held | Self::Moved => "r0",
            Self::Joined(Join::WithoutArmy) => "L7",
            Self::Joined(Join::OntoLeaders) => "L13",
            Self::Merged => "M4",
            Self::Bounced { cause, .. } => cause.rule(),
            Self::Given { .. } => "M7",
            Self::CutTo { .. } | Self::Cut { .. } => "M6",
            Self::Void(cause) => cause.rule(),
        }
    }

    /// Returns whether the part left its space.
    pub const fn left(&self) -> bool {
        matches!(self, Self::Moved | Self::Joined(_) | Self::Merged)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutTo { left, of } => write!(f, "cut to {left} of {of}"),
            other => f.write_str(other.code()),
        }
    }
}

impl Bounce {
    /// The code of the cause.
    pub const fn code(self) -> &'static str {
        match self {
            Self::OwnUnit | Self::Exchange => "own_unit",
            Self::Limit => "limit",
            Self::Contested => "contested",
            Self::HeadToHead => "head_to_head",
            Self::Strength => "strength",
            Self::OwnStandoff | Self::Standoff => "standoff",
            Self::Knot => "knot",
        }
    }

    /// The rule or ruling behind it.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::OwnUnit => "M12",
            Self::Exchange => "M29",
            Self::Limit => "L17",
            Self::Contested => "L19",
            Self::HeadToHead => "M11",
            Self::Strength => "M10",
            Self::OwnStandoff => "M5",
            Self::Standoff => "r0",
            Self::Knot => "M30",
        }
    }
}

impl Void {
    /// The code of the cause.
    pub const fn code(self) -> &'static str {
        match self {
            Self::MergeOfOne => "merge_of_one",
            Self::ThreeLeaders => "three_leaders",
            Self::Unmatched => "unmatched",
            Self::Illegal => "illegal",
        }
    }

    /// The rule or ruling behind it.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::MergeOfOne => "M19",
            Self::ThreeLeaders => "L16",
            Self::Unmatched => "M20",
            Self::Illegal => "r0",
        }
    }
}

/// By whom a part was dislodged (M13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dislodgement {
    /// The side that took the space.
    pub by: Side,
    /// Spaces that its units came from: one, or the several of a merge.
    pub from: SpaceSet,
}

impl Dislodgement {
    /// The code of a part that is still in a space which others took.
    pub const fn code(&self) -> &'static str {
        "dislodged"
    }

    /// The rule or ruling behind it.
    pub const fn rule(&self) -> &'static str {
        "M13"
    }
}

/// The result of a part: of its order, and of its units if they did not leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartResult {
    /// The result of the order.
    pub outcome: Outcome,
    /// Set if the part did not leave and its space was taken.
    pub dislodged: Option<Dislodgement>,
}

impl fmt::Display for PartResult {
    /// The code, as result lists have it: `bounced`, `cut, dislodged`, and `dislodged` alone for a hold.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.outcome, self.dislodged) {
            (outcome, None) => outcome.fmt(f),
            (Outcome::Held, Some(by)) => f.write_str(by.code()),
            (outcome, Some(by)) => write!(f, "{outcome}, {}", by.code()),
        }
    }
}

/// The result of a part of a dislodged stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetreatOutcome {
    /// Arrived, beside others of its side if they came too (M14).
    Retreated,
    /// Its armies disbanded: so ordered, not ordered, or not allowed there (M27).
    Disbanded,
    /// It met others in the same space, and all were lost (M22).
    Clash,
    /// It had no army, and its leaders were captured.
    Captured,
}

impl RetreatOutcome {
    /// The result code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Retreated => "retreated",
            Self::Disbanded => "disbanded",
            Self::Clash => "clash",
            Self::Captured => "captured",
        }
    }

    /// The rule or ruling behind it.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::Retreated => "M14",
            Self::Disbanded => "M27",
            Self::Clash => "M22",
            Self::Captured => "L9",
        }
    }
}

/// The cause for which a leader was captured in a retreat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capture {
    /// The leader had no retreat, or none was ordered that they could make (L9, L10).
    NoRetreat,
    /// The leader's retreat met the other side's (M22).
    Clash,
    /// The leader came third to a space (L23).
    Third,
}

impl Capture {
    /// The code of the cause.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NoRetreat => "no_retreat",
            Self::Clash => "clash",
            Self::Third => "third",
        }
    }

    /// The rule or ruling behind it.
    pub const fn rule(self) -> &'static str {
        match self {
            Self::NoRetreat => "L9",
            Self::Clash => "M22",
            Self::Third => "L23",
        }
    }
}
