//! Procedures under way ([`Frame`]), outermost first on the stack of the state.

/// The way in which a Campaign is paid for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Cost {
    /// With Zeal (8.3).
    Zeal,
    /// A card gives it.
    Card,
    /// The strike of 12.5.
    Strike,
}

/// The next thing in a Game Turn (4.0).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Phase {
    Action,
    EndTimes,
    Housekeeping,
}

/// A procedure under way.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Frame {
    /// The Game Turn, in the phase that comes when what is inside has closed.
    Turn { next: Phase },
    /// A card is turned up.
    Reveal,
    /// A box has to be emptied for this Achievement.
    Displace { card: u8 },
    /// A list of operations, with the next one.
    Items { list: u8, next: u8 },
    /// An Army activates, `left` times more; `troubles`: the Irish Troubles marker moves when what is inside has closed.
    Activate { army: u8, left: u8, troubles: bool },
    /// An Army fights Clubmen.
    Clubmen { army: u8, revolt: u8 },
    /// Royalists besiege a fortress, with so many rolls left; `unrest`: within London.
    Siege { fort: u8, left: u8, unrest: bool },
    /// A track marker moves, `left` arrows more.
    Track { track: u8, up: bool, left: u8 },
    /// A Religious Reaction that the player may ignore.
    Reaction,
    /// Blue text.
    Choice { choice: u8 },
    /// A place for a revolt marker; `region`: `NONE` while a die for it is due, with the faces that mean North.
    Revolt { revolt: u8, region: u8, north: u8 },
    /// The support that the Catholic League sends.
    League,
    /// The Action Phase.
    Actions,
    /// A free Zeal marker looks for its place.
    PlaceMarker,
    /// Is an Army found at all?
    Search { army: u8, cost: Cost },
    /// A Campaign against an Army.
    Campaign { army: u8, cost: Cost },
    /// A Campaign against a Deviltry marker.
    Exorcise { marker: u8 },
    /// The back of a Deviltry marker.
    Reward { marker: u8 },
    /// A fortress is besieged.
    Besiege { fort: u8 },
    /// A revolt is besieged.
    Crush { revolt: u8 },
    /// A Politics roll; `settlers`: of 12.4, without modifiers.
    Politics { track: u8, settlers: bool },
    /// English settlers may be sent.
    Settle,
    /// They are sent: on which track is rolled?
    SettlersTrack,
    /// A Tactical Battle; how far it is stands in the state.
    Battle,
}

impl Frame {
    /// Number of kinds of frames.
    const TAGS: u8 = 24;

    /// The canonical encoding: a tag and three numbers.
    pub(super) fn code(self) -> [u8; 4] {
        let cost = |cost: Cost| cost as u8;
        match self {
            Self::Turn { next } => [0, next as u8, 0, 0],
            Self::Reveal => [1, 0, 0, 0],
            Self::Displace { card } => [2, card, 0, 0],
            Self::Items { list, next } => [3, list, next, 0],
            Self::Activate { army, left, troubles } => [4, army, left, u8::from(troubles)],
            Self::Clubmen { army, revolt } => [5, army, revolt, 0],
            Self::Siege { fort, left, unrest } => [6, fort, left, u8::from(unrest)],
            Self::Track { track, up, left } => [7, track, u8::from(up), left],
            Self::Reaction => [8, 0, 0, 0],
            Self::Choice { choice } => [9, choice, 0, 0],
            Self::Revolt { revolt, region, north } => [10, revolt, region, north],
            Self::League => [11, 0, 0, 0],
            Self::Actions => [12, 0, 0, 0],
            Self::PlaceMarker => [13, 0, 0, 0],
            Self::Search { army, cost: paid } => [14, army, cost(paid), 0],
            Self::Campaign { army, cost: paid } => [15, army, cost(paid), 0],
            Self::Exorcise { marker } => [16, marker, 0, 0],
            Self::Reward { marker } => [17, marker, 0, 0],
            Self::Besiege { fort } => [18, fort, 0, 0],
            Self::Crush { revolt } => [19, revolt, 0, 0],
            Self::Politics { track, settlers } => [20, track, u8::from(settlers), 0],
            Self::Settle => [21, 0, 0, 0],
            Self::SettlersTrack => [22, 0, 0, 0],
            Self::Battle => [23, 0, 0, 0],
        }
    }

    /// The frame of an encoding, if it is one; what its numbers refer to is not looked at.
    pub(super) fn from_code(code: [u8; 4]) -> Option<Self> {
        let [tag, a, b, c] = code;
        let flag = |value: u8| (value < 2).then_some(value == 1);
        let cost = |value: u8| [Cost::Zeal, Cost::Card, Cost::Strike].get(usize::from(value)).copied();
        let phases = [Phase::Action, Phase::EndTimes, Phase::Housekeeping];
        let frame = match tag {
            0 => Self::Turn { next: *phases.get(usize::from(a))? },
            1 => Self::Reveal,
            2 => Self::Displace { card: a },
            3 => Self::Items { list: a, next: b },
            4 => Self::Activate { army: a, left: b, troubles: flag(c)? },
            5 => Self::Clubmen { army: a, revolt: b },
            6 => Self::Siege { fort: a, left: b, unrest: flag(c)? },
            7 => Self::Track { track: a, up: flag(b)?, left: c },
            8 => Self::Reaction,
            9 => Self::Choice { choice: a },
            10 => Self::Revolt { revolt: a, region: b, north: c },
            11 => Self::League,
            12 => Self::Actions,
            13 => Self::PlaceMarker,
            14 => Self::Search { army: a, cost: cost(b)? },
            15 => Self::Campaign { army: a, cost: cost(b)? },
            16 => Self::Exorcise { marker: a },
            17 => Self::Reward { marker: a },
            18 => Self::Besiege { fort: a },
            19 => Self::Crush { revolt: a },
            20 => Self::Politics { track: a, settlers: flag(b)? },
            21 => Self::Settle,
            22 => Self::SettlersTrack,
            _ if tag < Self::TAGS => Self::Battle,
            _ => return None,
        };
        // Numbers that the frame has no use for must be 0.
        (frame.code() == code).then_some(frame)
    }
}
