//! The faults that are made on purpose, to see that they are found ([`Flaw`]).

/// A part that breaks its promise.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Flaw {
    /// The store answers before it has flushed.
    AnswersEarly,
    /// The store keeps no requests.
    ForgetsRequests,
    /// The store forgets when the server was down.
    ForgetsOutages,
    /// The server takes the date for the time that has gone by.
    TrustsDate,
}

impl Flaw {
    const ALL: [Self; 4] =
        [Self::AnswersEarly, Self::ForgetsRequests, Self::ForgetsOutages, Self::TrustsDate];

    /// The name by which a process of its own is told of it.
    pub(crate) fn name(self) -> String {
        format!("{self:?}")
    }

    /// The flaw of this name.
    pub(crate) fn named(name: &str) -> Self {
        Self::ALL.into_iter().find(|flaw| flaw.name() == name).expect("a flaw of that name")
    }
}
