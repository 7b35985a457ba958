//! The tasks of the thread that writes, whatever it writes to: [`Operation`].

use super::act::KeptAct;
use super::adopt::{Adopted, AdoptedUptime};
use super::content::KeptContent;
use super::create_all::CreateAll;
use super::entry::{Append, Appended, Create};
use super::error::{Error, Trouble};
use super::event::KeptEvent;
use super::names::{At, MatchId, Position, SecretId};
use super::quarantine::Quarantine;
use super::rewrite::Rewrite;
use super::rows::RowsMut;
use super::secret::SealedSecret;
use super::store_ops::StoreOps;
use super::ticket::Reply;
use super::uptime::Outage;

/// A task of the thread that writes, and who waits for it.
#[derive(Debug)]
pub(super) enum Operation {
    Create(Box<Create>, Reply<Appended>),
    CreateAll(Box<CreateAll>, Reply<Appended>),
    Append(Box<Append>, Reply<Appended>),
    Keep(SecretId, SealedSecret, Reply<()>),
    KeepContent(Box<KeptContent>, Reply<()>),
    KeepAct(KeptAct, Reply<()>),
    RewriteActs(Vec<KeptAct>, Reply<()>),
    KeepEvents(Vec<KeptEvent>, Reply<()>),
    RewriteEvents(Vec<KeptEvent>, Reply<()>),
    Rewrite(Box<Rewrite>, Reply<()>),
    Adopt(Box<Adopted>, Reply<Appended>),
    AdoptUptime(AdoptedUptime, Reply<()>),
    /// The file is written anew, apart from transactions.
    Compact(Reply<()>),
    /// The server has started at this moment.
    StartUp(u64, Reply<()>),
    /// The server is up at this moment.
    NoteUp(u64, Reply<()>),
    /// Matches were without a server for this time.
    KeepOutage(Outage, Reply<()>),
    Quarantine(MatchId, Quarantine, Reply<()>),
    Release(MatchId, Reply<()>),
    Delete(Vec<MatchId>, Vec<SecretId>, Reply<()>),
    /// A look-up found a damaged match.
    NoteFault(MatchId, Quarantine),
    /// Somebody wants to know whether writes succeed again.
    Retry,
}

/// The value that stands for "done" where an operation has no place in the log.
pub(super) const DONE: Appended = Appended::Written(At { revision: 0, position: Position(0) });

impl Operation {
    /// Does it, inside a transaction.
    pub(super) fn run<R: RowsMut>(&self, ops: &mut StoreOps<'_, R>) -> Result<Appended, Trouble> {
        match self {
            Self::Create(create, _) => ops.create(create),
            Self::CreateAll(create, _) => ops.create_all(create),
            Self::Append(append, _) => ops.append(append),
            Self::Keep(id, secret, _) => ops.keep(id, secret).map(|()| DONE),
            Self::KeepContent(content, _) => Ok(ops.rows.keep_content(content)?).map(|()| DONE),
            Self::KeepAct(act, _) => ops.keep_act(act).map(|()| DONE),
            Self::RewriteActs(acts, _) => ops.rewrite_acts(acts).map(|()| DONE),
            Self::KeepEvents(events, _) => ops.keep_events(events).map(|()| DONE),
            Self::RewriteEvents(events, _) => ops.rewrite_events(events).map(|()| DONE),
            Self::Rewrite(rewrite, _) => ops.rewrite(rewrite).map(|()| DONE),
            Self::Adopt(adopted, _) => ops.adopt(adopted),
            Self::AdoptUptime(uptime, _) => ops.adopt_uptime(uptime).map(|()| DONE),
            Self::StartUp(unix_ms, _) => ops.start_up(*unix_ms).map(|()| DONE),
            Self::NoteUp(unix_ms, _) => ops.note_up(*unix_ms).map(|()| DONE),
            Self::KeepOutage(outage, _) => ops.keep_outage(*outage).map(|()| DONE),
            Self::Quarantine(id, quarantine, _) => ops.quarantine(*id, quarantine).map(|()| DONE),
            Self::NoteFault(id, quarantine) => ops.quarantine(*id, quarantine).map(|()| DONE),
            Self::Release(id, _) => ops.release(*id).map(|()| DONE),
            Self::Delete(matches, secrets, _) => ops.delete(matches, secrets).map(|()| DONE),
            // Taken out before.
            Self::Compact(_) | Self::Retry => Ok(DONE),
        }
    }

    /// A caller who has gone away wants no answer.
    pub(super) fn answer(self, ended: Result<Appended, Error>) {
        match self {
            Self::Create(_, reply)
            | Self::CreateAll(_, reply)
            | Self::Append(_, reply)
            | Self::Adopt(_, reply) => reply.send(ended),
            Self::Keep(_, _, reply)
            | Self::KeepContent(_, reply)
            | Self::KeepAct(_, reply)
            | Self::RewriteActs(_, reply)
            | Self::KeepEvents(_, reply)
            | Self::RewriteEvents(_, reply)
            | Self::Rewrite(_, reply)
            | Self::AdoptUptime(_, reply)
            | Self::Compact(reply)
            | Self::StartUp(_, reply)
            | Self::NoteUp(_, reply)
            | Self::KeepOutage(_, reply)
            | Self::Quarantine(_, _, reply)
            | Self::Delete(_, _, reply)
            | Self::Release(_, reply) => {
                reply.send(ended.map(|_| ()));
            }
            Self::NoteFault(..) | Self::Retry => {}
        }
    }

    /// Returns whether it puts matches into quarantine, or takes them out.
    pub(super) const fn is_of_quarantine(&self) -> bool {
        matches!(
            self,
            Self::Quarantine(..)
                | Self::NoteFault(..)
                | Self::Release(..)
                | Self::Delete(..)
                | Self::Adopt(..)
        )
    }

    /// The matches that it may have changed.
    pub(super) fn matches(&self) -> Vec<MatchId> {
        match self {
            Self::Create(create, _) => vec![create.id],
            Self::CreateAll(create, _) => create.ids().collect(),
            Self::Append(append, _) => vec![append.id],
            Self::Quarantine(id, ..) | Self::NoteFault(id, _) | Self::Release(id, _) => vec![*id],
            Self::Rewrite(rewrite, _) => vec![rewrite.id],
            Self::Adopt(adopted, _) => vec![adopted.log.header.id],
            // Deleted matches have no index any more.
            Self::Delete(..)
            | Self::Keep(..)
            | Self::KeepContent(..)
            | Self::AdoptUptime(..)
            | Self::KeepAct(..)
            | Self::RewriteActs(..)
            | Self::KeepEvents(..)
            | Self::RewriteEvents(..)
            | Self::Compact(_)
            | Self::StartUp(..)
            | Self::NoteUp(..)
            | Self::KeepOutage(..)
            | Self::Retry => Vec::new(),
        }
    }

    /// The matches that it writes, those among them that go.
    pub(super) fn matches_written(&self) -> Vec<MatchId> {
        match self {
            Self::Delete(matches, ..) => matches.clone(),
            other => other.matches(),
        }
    }

    /// Returns whether it writes what is the whole store's, and has an order of its own.
    pub(super) const fn is_of_store(&self) -> bool {
        matches!(
            self,
            Self::RewriteActs(..)
                | Self::KeepEvents(..)
                | Self::RewriteEvents(..)
                | Self::AdoptUptime(..)
                | Self::StartUp(..)
                | Self::NoteUp(..)
        )
    }

    /// Returns whether it writes what each server of the store may write: where two come together, the rows tell who was first.
    pub(super) const fn is_of_all(&self) -> bool {
        matches!(self, Self::Keep(..) | Self::KeepContent(..) | Self::KeepAct(..) | Self::KeepOutage(..))
    }
}
