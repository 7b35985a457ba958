//! The mutants of the model: [`Flaw`].

/// A part of the protocol that is left out.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Flaw {
    /// A batch does not look for its epoch.
    NoFence,
    /// A batch's lock lets the epoch be raised.
    KeyShare,
    /// A commit counts before the standbys have it.
    AnswerBeforeQuorum,
    /// The log is read again before something else was committed.
    ReadUnsettled,
    /// An owner answers for as long as it likes.
    NoLease,
    /// A lease can be renewed while another server takes over.
    RenewsMeanwhile,
    /// An owner answers on until it hears that it has handed over, or later.
    AnswersWhileHandingOver,
    /// A server that is handed the match answers as soon as it sees that, before it has committed anything.
    TakesUpUnsettled,
    /// Requests are not remembered.
    ForgetsRequests,
    /// A retry is answered by the log as it is now, and not by the one after which its request was acted on.
    AnswersRetriesAnew,
    /// A claim leaves the epoch as it is.
    ClaimsWithoutRaising,
    /// A watcher is shown what an owner has written, before the standbys have it.
    ShowsBeforeQuorum,
}
