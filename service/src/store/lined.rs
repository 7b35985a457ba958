//! The stores whose writes wait in a line for one thread, and whose look-ups have threads of their own: [`Lined`]. What a
//! [`Store`] does is written here once for all of them, those that are only looked at among them: they have no line.

use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::watch;

use super::act::KeptAct;
use super::content::KeptContent;
use super::create_all::CreateAll;
use super::entry::{Append, Appended, Create, MatchLog, Stored};
use super::error::{Error, Trouble};
use super::event::{self, CompetitionId, KeptEvent};
use super::health::StoreHealth;
use super::list::{Listing, Page, StoreFilter};
use super::names::{MatchId, RequestId, RequestScope, SecretId};
use super::operation::Operation;
use super::parts::Parts;
use super::quarantine::Quarantine;
use super::readers::Look;
use super::rewrite::Rewrite;
use super::rows::Rows;
use super::secret::SealedSecret;
use super::store_ops::StoreOps;
use super::ticket::Reply;
use super::uptime::Outage;
use super::{Stats, Store, Ticket};

/// Bytes that are reckoned for an operation that brings few.
const SMALL_BYTES: usize = 1024;

/// A store with a line to the thread that writes, unless it is only looked at, and threads that read.
pub(super) trait Lined: Send + Sync {
    /// Its parts.
    fn parts(&self) -> &Parts;

    /// Bytes of its file, and of the write-ahead log beside it; none where it has no files of its own.
    fn file_sizes(&self) -> (u64, u64) {
        (0, 0)
    }
}

async fn put(
    store: &impl Lined,
    weight: usize,
    operation: impl FnOnce(Reply<Appended>) -> Operation,
) -> Result<Ticket<Appended>, Error> {
    let line = store.parts().line()?;
    let (reply, ticket) = Ticket::pending();
    line.put(weight, operation(reply)).await?;
    Ok(ticket)
}

/// Puts an operation in line, and waits until it is done.
pub(super) async fn do_now(
    store: &(impl Lined + ?Sized),
    weight: usize,
    operation: impl FnOnce(Reply<()>) -> Operation,
) -> Result<(), Error> {
    let line = store.parts().line()?;
    let (reply, ticket) = Ticket::pending();
    line.put(weight, operation(reply)).await?;
    ticket.await
}

/// Looks, and waits for what is found.
pub(super) async fn look<T: Send + 'static>(
    store: &(impl Lined + ?Sized),
    operation: impl FnOnce(&StoreOps<'_, dyn Rows + '_>) -> Result<T, Trouble> + Send + 'static,
) -> Result<T, Error> {
    let shared = &store.parts().shared;
    let (indexes, unix_ms) = (Arc::clone(&shared.indexes), shared.clock.unix_ms());
    let (reply, ticket) = Ticket::pending();
    let look: Look = Box::new(move |rows| {
        // A caller that has gone away wants no answer.
        reply.send(rows.map(|rows| operation(&StoreOps { rows, indexes: &indexes, unix_ms })));
    });
    store.parts().look(look).await?;
    let ended = ticket.await?;
    if let Err(Trouble::Faulty(id, quarantine)) = &ended {
        // A look-up's finding is kept if there is a line, and room in it; the next one finds it again.
        if let Ok(line) = store.parts().line() {
            quarantine.log(*id);
            line.offer(Operation::NoteFault(*id, quarantine.clone()));
        }
    }
    ended.map_err(|trouble| match Error::from(trouble) {
        // Only the writer waits after a fault of the disk.
        Error::Failed { why } => Error::Unavailable { why },
        other => other,
    })
}

fn bytes_of(events: &[KeptEvent]) -> usize {
    events.iter().map(|event| event.bytes.len()).sum()
}

#[async_trait]
impl<S: Lined> Store for S {
    async fn create(&self, create: Create) -> Result<Ticket<Appended>, Error> {
        create.check()?;
        put(self, create.weight(), |reply| Operation::Create(Box::new(create), reply)).await
    }

    async fn create_all(&self, create: CreateAll) -> Result<Ticket<Appended>, Error> {
        create.check()?;
        put(self, create.weight(), |reply| Operation::CreateAll(Box::new(create), reply)).await
    }

    async fn append(&self, append: Append) -> Result<Ticket<Appended>, Error> {
        append.check()?;
        let id = append.id;
        let indexes = &self.parts().shared.indexes;
        if !indexes.contains(id) {
            // A reader can check the log meanwhile, so that the writer need not. What it finds, the writer says.
            let indexes = Arc::clone(indexes);
            let _ = look(self, move |ops| ops.load(id).map(|index| indexes.offer(Box::new(index)))).await;
        }
        put(self, append.weight(), |reply| Operation::Append(Box::new(append), reply)).await
    }

    async fn read(&self, id: MatchId, from: u64) -> Result<MatchLog, Error> {
        look(self, move |ops| ops.read(id, from)).await
    }

    async fn read_stopped(&self, id: MatchId) -> Result<MatchLog, Error> {
        look(self, move |ops| ops.read_stopped(id)).await
    }

    async fn list(&self, filter: StoreFilter, page: Page) -> Result<Listing, Error> {
        look(self, move |ops| Ok(Listing::of(ops.rows.list(&filter, page)?, page))).await
    }

    async fn request(&self, scope: RequestScope, id: RequestId) -> Result<Option<Stored>, Error> {
        look(self, move |ops| ops.request(&scope, &id)).await
    }

    async fn keep_secret(&self, id: SecretId, secret: SealedSecret) -> Result<(), Error> {
        do_now(self, SMALL_BYTES, |reply| Operation::Keep(id, secret, reply)).await
    }

    async fn secret(&self, id: SecretId) -> Result<Option<SealedSecret>, Error> {
        look(self, move |ops| Ok(ops.rows.secret(&id)?)).await
    }

    async fn keep_content(&self, content: KeptContent) -> Result<(), Error> {
        content.check()?;
        do_now(self, content.files.len(), |reply| Operation::KeepContent(Box::new(content), reply)).await
    }

    async fn kept_contents(&self) -> Result<Vec<KeptContent>, Error> {
        look(self, |ops| Ok(ops.rows.kept_contents()?)).await
    }

    async fn keep_act(&self, act: KeptAct) -> Result<(), Error> {
        act.check()?;
        do_now(self, SMALL_BYTES, |reply| Operation::KeepAct(act, reply)).await
    }

    async fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Error> {
        look(self, move |ops| ops.kept_acts(after, count)).await
    }

    async fn rewrite_acts(&self, acts: Vec<KeptAct>) -> Result<(), Error> {
        acts.iter().try_for_each(KeptAct::check)?;
        do_now(self, SMALL_BYTES, |reply| Operation::RewriteActs(acts, reply)).await
    }

    async fn keep_events(&self, events: Vec<KeptEvent>) -> Result<(), Error> {
        event::check(&events)?;
        do_now(self, bytes_of(&events), |reply| Operation::KeepEvents(events, reply)).await
    }

    async fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Error> {
        look(self, move |ops| ops.kept_events(competition, after, count)).await
    }

    async fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Error> {
        look(self, move |ops| ops.kept_competitions(after, count)).await
    }

    async fn rewrite_events(&self, events: Vec<KeptEvent>) -> Result<(), Error> {
        event::check(&events)?;
        do_now(self, bytes_of(&events), |reply| Operation::RewriteEvents(events, reply)).await
    }

    async fn rewrite(&self, rewrite: Rewrite) -> Result<(), Error> {
        rewrite.check()?;
        do_now(self, rewrite.weight(), |reply| Operation::Rewrite(Box::new(rewrite), reply)).await
    }

    async fn compact(&self) -> Result<(), Error> {
        do_now(self, SMALL_BYTES, Operation::Compact).await
    }

    async fn quarantine(&self, id: MatchId, quarantine: Quarantine) -> Result<(), Error> {
        quarantine.check()?;
        do_now(self, SMALL_BYTES, |reply| Operation::Quarantine(id, quarantine, reply)).await
    }

    async fn release(&self, id: MatchId) -> Result<(), Error> {
        do_now(self, SMALL_BYTES, |reply| Operation::Release(id, reply)).await
    }

    async fn delete(&self, matches: Vec<MatchId>, secrets: Vec<SecretId>) -> Result<(), Error> {
        do_now(self, SMALL_BYTES, |reply| Operation::Delete(matches, secrets, reply)).await
    }

    async fn start_up(&self, unix_ms: u64) -> Result<Vec<Outage>, Error> {
        do_now(self, SMALL_BYTES, |reply| Operation::StartUp(unix_ms, reply)).await?;
        self.outages().await
    }

    async fn keep_outage(&self, outage: Outage) -> Result<(), Error> {
        do_now(self, SMALL_BYTES, |reply| Operation::KeepOutage(outage, reply)).await
    }

    async fn outages(&self) -> Result<Vec<Outage>, Error> {
        look(self, |ops| Ok(ops.rows.outages()?)).await
    }

    async fn note_up(&self, unix_ms: u64) -> Result<(), Error> {
        do_now(self, SMALL_BYTES, |reply| Operation::NoteUp(unix_ms, reply)).await
    }

    fn stats(&self) -> Stats {
        let (file_bytes, log_bytes) = self.file_sizes();
        Stats { file_bytes, log_bytes, ..self.parts().stats() }
    }

    fn health(&self) -> watch::Receiver<StoreHealth> {
        self.parts().shared.health.follow()
    }

    fn retry(&self) {
        if let Ok(line) = self.parts().line() {
            // Where there is no room in the line, what is in it is tried.
            line.offer(Operation::Retry);
        }
    }

    async fn close(&self) {
        self.parts().close().await;
    }
}
