//! The laws that every game must keep ([`Law`]) and sets of them ([`Laws`]).

use std::fmt;

/// A law that must hold of every game; each has a function of its own in this module's files.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Law {
    /// Every listed action is accepted, and listed once.
    Listed,
    /// Everything else is refused with a reason, and a refused call leaves no trace and has asked for no die.
    Refused,
    /// Every node is a decision with a legal action, a chance event, or an end with its returns.
    DeadEnd,
    /// From every draft some run of actions ends the segment without undo.
    Corner,
    /// A match is never longer than its bound.
    Length,
    /// Id, structure and notation of an action name each other.
    Encodings,
    /// A printed line parses back to actions that lead to the same state.
    Lines,
    /// A state encodes and decodes to itself; no other bytes are accepted, and none panic.
    Codec,
    /// A saved and restored match goes on exactly as the one that was saved.
    Saved,
    /// The log replays to the same states and the same events.
    Replay,
    /// Undo restores what was, ends at what was revealed, and can't carry knowledge back.
    Undo,
    /// A list is its actions one by one, and never runs across a reveal.
    Lists,
    /// Classes, weights and outcomes of a chance event agree, and it has a public form.
    Chance,
    /// An observer's first view with their events folded over it is their last view.
    Folding,
    /// Every code and reference that is shown has words in the catalogue.
    Phrases,
    /// Views are well formed and agree with the driver.
    Views,
    /// An open window is one for everybody, and can be declined.
    Windows,
    /// A spectator's view is a function of each seat's view.
    Spectator,
    /// Facts that a seat may not know change nothing that it sees, may do, or is notified of.
    Secrecy,
    /// Two matches that a seat can't tell apart stay so under the same public course, event for event.
    Course,
    /// In a sealed node nothing of the others is published but that they have committed, and the order makes no difference.
    Sealed,
    /// A resampled state is a function of view and generator, and its seat can't tell it from the true one.
    Resample,
    /// Consistent worlds come up with the declared distribution.
    Distribution,
    /// Rules are functions: same state, same action, same result, listened to or not.
    Pure,
    /// The actions played for an absent seat are legal to the end of its segment.
    DefaultAction,
    /// The sight that every observer has of known playouts has not changed.
    Golden,
    /// No call panics.
    Panic,
}

impl Law {
    /// All of them, in the order of their definition.
    pub const ALL: [Self; 27] = [
        Self::Listed,
        Self::Refused,
        Self::DeadEnd,
        Self::Corner,
        Self::Length,
        Self::Encodings,
        Self::Lines,
        Self::Codec,
        Self::Saved,
        Self::Replay,
        Self::Undo,
        Self::Lists,
        Self::Chance,
        Self::Folding,
        Self::Phrases,
        Self::Views,
        Self::Windows,
        Self::Spectator,
        Self::Secrecy,
        Self::Course,
        Self::Sealed,
        Self::Resample,
        Self::Distribution,
        Self::Pure,
        Self::DefaultAction,
        Self::Golden,
        Self::Panic,
    ];

    /// Stable name in lower case.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Refused => "refused",
            Self::DeadEnd => "dead-end",
            Self::Corner => "corner",
            Self::Length => "length",
            Self::Encodings => "encodings",
            Self::Lines => "lines",
            Self::Codec => "codec",
            Self::Saved => "saved",
            Self::Replay => "replay",
            Self::Undo => "undo",
            Self::Lists => "lists",
            Self::Chance => "chance",
            Self::Folding => "folding",
            Self::Phrases => "phrases",
            Self::Views => "views",
            Self::Windows => "windows",
            Self::Spectator => "spectator",
            Self::Secrecy => "secrecy",
            Self::Course => "course",
            Self::Sealed => "sealed",
            Self::Resample => "resample",
            Self::Distribution => "distribution",
            Self::Pure => "pure",
            Self::DefaultAction => "default-action",
            Self::Golden => "golden",
            Self::Panic => "panic",
        }
    }

    /// The law of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|law| law.name() == name)
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of laws.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub struct Laws(u32);

impl Laws {
    /// No law.
    pub const NONE: Self = Self(0);
    /// Every law.
    pub const ALL: Self = Self((1 << Law::ALL.len()) - 1);
    /// Those that cost little enough for every node of a fuzzer's run.
    pub const CHEAP: Self = Self::NONE
        .with(Law::Refused)
        .with(Law::DeadEnd)
        .with(Law::Length)
        .with(Law::Undo)
        .with(Law::Folding)
        .with(Law::Phrases)
        .with(Law::Panic);

    /// This set and `law`.
    #[must_use]
    pub const fn with(self, law: Law) -> Self {
        Self(self.0 | 1 << law as u32)
    }

    /// This set without `law`.
    #[must_use]
    pub const fn without(self, law: Law) -> Self {
        Self(self.0 & !(1 << law as u32))
    }

    /// Returns whether `law` is in it.
    #[must_use]
    pub const fn contains(self, law: Law) -> bool {
        self.0 & 1 << law as u32 != 0
    }

    /// The laws in it.
    pub fn iter(self) -> impl Iterator<Item = Law> {
        Law::ALL.into_iter().filter(move |&law| self.contains(law))
    }
}

impl From<Law> for Laws {
    fn from(law: Law) -> Self {
        Self::NONE.with(law)
    }
}

impl fmt::Debug for Laws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
