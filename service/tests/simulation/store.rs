//! The store of one life of the server ([`LifeStore`]): a line, and a task that flushes batches of it to the [`Disk`].
//!
//! A batch is durable all at once, before anybody is answered. The server's crash takes the task with it: at whatever moment of a flush
//! that is, the disk has all of the batch or nothing, and nobody was told.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use edgehill_service::store::{
    Append, Appended, At, CompetitionId, Create, CreateAll, Error, KeptAct, KeptContent, KeptEvent, Listing,
    MatchId, MatchLog, Outage, Page, Position, Quarantine, RequestId, RequestScope, Rewrite, SealedSecret,
    SecretId, Stats, Store, StoreFilter, StoreHealth, Stored, Ticket,
};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::date::{now, pause};
use crate::disk::{Disk, Fate};
use crate::flaw::Flaw;
use crate::job::{Job, Operation, job};

/// The most operations that wait, and that one flush takes.
const LINE_MAX: usize = 64;
const BATCH_MAX: usize = 16;

/// The store of one life of the server.
pub(crate) struct LifeStore {
    disk: Arc<Disk>,
    line: Mutex<Option<mpsc::Sender<Box<dyn Job>>>>,
    flushing: Mutex<Option<JoinHandle<()>>>,
    health: watch::Sender<StoreHealth>,
}

/// An operation of the rows, as one in line.
macro_rules! in_line {
    ($rows:ident => $call:expr) => {
        Box::new(move |disk: Arc<Disk>| {
            Box::pin(async move {
                let $rows = &disk.rows;
                $call.await
            })
        })
    };
}

impl LifeStore {
    /// A store on the disk, whose task runs on the host that this is called on.
    pub(crate) fn open(disk: Arc<Disk>) -> Arc<Self> {
        let (line, waiting) = mpsc::channel(LINE_MAX);
        let health = watch::Sender::new(StoreHealth::Writable);
        let flushing = tokio::spawn(flush_all(Arc::clone(&disk), waiting, health.clone()));
        Arc::new(Self { disk, line: Mutex::new(Some(line)), flushing: Mutex::new(Some(flushing)), health })
    }

    fn line(&self) -> Result<mpsc::Sender<Box<dyn Job>>, Error> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner).clone().ok_or(Error::Closed)
    }

    async fn put<T: Send + 'static>(&self, operation: Operation<T>) -> Result<Ticket<T>, Error> {
        let (job, ticket) = job(operation);
        self.line()?.send(job).await.map_err(|_| Error::Closed)?;
        Ok(ticket)
    }

    async fn do_now<T: Send + 'static>(&self, operation: Operation<T>) -> Result<T, Error> {
        self.put(operation).await?.await
    }

    /// The rows, after the time that it takes to look.
    async fn rows(&self) -> Result<&dyn Store, Error> {
        self.line()?;
        pause(self.disk.look()).await;
        Ok(&*self.disk.rows)
    }
}

/// Flushes what is in line, batch after batch, until nothing comes any more.
async fn flush_all(
    disk: Arc<Disk>,
    mut waiting: mpsc::Receiver<Box<dyn Job>>,
    health: watch::Sender<StoreHealth>,
) {
    while let Some(first) = waiting.recv().await {
        let mut batch = vec![first];
        let flush = disk.flush();
        pause(flush.before).await;
        while batch.len() < BATCH_MAX
            && let Ok(next) = waiting.try_recv()
        {
            batch.push(next);
        }
        disk.trace.note(now(), format_args!("flush of {} {:?}", batch.len(), flush.fate));
        if matches!(flush.fate, Fate::Lands | Fate::Unknown { lands: true }) {
            for job in &mut batch {
                job.land(&disk).await;
            }
        }
        pause(flush.after).await;
        let becomes = if flush.fate == Fate::Lands { StoreHealth::Writable } else { StoreHealth::Failing };
        health.send_if_modified(|now| std::mem::replace(now, becomes) != becomes);
        for job in batch {
            match flush.fate {
                Fate::Lands => job.answer(),
                Fate::Fails => job.fail(Error::Unavailable { why: "a flush of the world".into() }),
                Fate::Unknown { .. } => {
                    job.fail(Error::OutcomeUnknown { why: "a flush of the world".into() })
                }
            }
        }
    }
}

/// An append as an operation in line, which was put there at this time.
fn appending(append: Append, put: Duration) -> Operation<Appended> {
    Box::new(move |disk| {
        Box::pin(async move {
            let (id, lengths) = (append.id, append.summary.lengths.clone());
            let appended = disk.rows.append(append).await?.await?;
            if let Appended::Written(at) = &appended {
                disk.note(id, at.revision, put, &lengths);
            }
            Ok(appended)
        })
    })
}

#[async_trait]
impl Store for LifeStore {
    async fn create(&self, create: Create) -> Result<Ticket<Appended>, Error> {
        let put = now();
        let operation: Operation<Appended> = Box::new(move |disk| {
            Box::pin(async move {
                let (id, lengths) = (create.id, create.summary.lengths.clone());
                let appended = disk.rows.create(create).await?.await?;
                if let Appended::Written(at) = &appended {
                    disk.note(id, at.revision, put, &lengths);
                }
                Ok(appended)
            })
        });
        self.put(operation).await
    }

    async fn create_all(&self, create: CreateAll) -> Result<Ticket<Appended>, Error> {
        self.put(Box::new(move |disk| Box::pin(async move { disk.rows.create_all(create).await?.await })))
            .await
    }

    async fn append(&self, mut append: Append) -> Result<Ticket<Appended>, Error> {
        let put = now();
        match self.disk.flaw {
            Some(Flaw::AnswersEarly) => {
                let (revision, position) = (append.expected + 1, Position(0));
                drop(self.put(appending(append, put)).await?);
                let (reply, ticket) = Ticket::pending();
                reply.send(Ok(Appended::Written(At { revision, position })));
                return Ok(ticket);
            }
            Some(Flaw::ForgetsRequests) => append.requests.clear(),
            _ => {}
        }
        self.put(appending(append, put)).await
    }

    async fn read(&self, id: MatchId, from: u64) -> Result<MatchLog, Error> {
        self.rows().await?.read(id, from).await
    }

    async fn read_stopped(&self, id: MatchId) -> Result<MatchLog, Error> {
        self.rows().await?.read_stopped(id).await
    }

    async fn list(&self, filter: StoreFilter, page: Page) -> Result<Listing, Error> {
        self.rows().await?.list(filter, page).await
    }

    async fn request(&self, scope: RequestScope, id: RequestId) -> Result<Option<Stored>, Error> {
        self.rows().await?.request(scope, id).await
    }

    async fn keep_secret(&self, id: SecretId, secret: SealedSecret) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.keep_secret(id, secret))).await
    }

    async fn secret(&self, id: SecretId) -> Result<Option<SealedSecret>, Error> {
        self.rows().await?.secret(id).await
    }

    async fn keep_content(&self, content: KeptContent) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.keep_content(content))).await
    }

    async fn kept_contents(&self) -> Result<Vec<KeptContent>, Error> {
        self.rows().await?.kept_contents().await
    }

    async fn keep_act(&self, act: KeptAct) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.keep_act(act))).await
    }

    async fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Error> {
        self.rows().await?.kept_acts(after, count).await
    }

    async fn rewrite_acts(&self, acts: Vec<KeptAct>) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.rewrite_acts(acts))).await
    }

    async fn keep_events(&self, events: Vec<KeptEvent>) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.keep_events(events))).await
    }

    async fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Error> {
        self.rows().await?.kept_events(competition, after, count).await
    }

    async fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Error> {
        self.rows().await?.kept_competitions(after, count).await
    }

    async fn rewrite_events(&self, events: Vec<KeptEvent>) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.rewrite_events(events))).await
    }

    async fn rewrite(&self, rewrite: Rewrite) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.rewrite(rewrite))).await
    }

    async fn compact(&self) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.compact())).await
    }

    async fn quarantine(&self, id: MatchId, quarantine: Quarantine) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.quarantine(id, quarantine))).await
    }

    async fn release(&self, id: MatchId) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.release(id))).await
    }

    async fn delete(&self, matches: Vec<MatchId>, secrets: Vec<SecretId>) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.delete(matches, secrets))).await
    }

    async fn start_up(&self, unix_ms: u64) -> Result<Vec<Outage>, Error> {
        let outages = self.do_now(in_line!(rows => rows.start_up(unix_ms))).await?;
        self.disk.trace.note(now(), format_args!("starts at {unix_ms} after {outages:?}"));
        Ok(if self.disk.flaw == Some(Flaw::ForgetsOutages) { Vec::new() } else { outages })
    }

    async fn keep_outage(&self, outage: Outage) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.keep_outage(outage))).await
    }

    async fn outages(&self) -> Result<Vec<Outage>, Error> {
        self.disk.rows.outages().await
    }

    async fn note_up(&self, unix_ms: u64) -> Result<(), Error> {
        self.do_now(in_line!(rows => rows.note_up(unix_ms))).await
    }

    fn stats(&self) -> Stats {
        self.disk.rows.stats()
    }

    fn health(&self) -> watch::Receiver<StoreHealth> {
        self.health.subscribe()
    }

    fn retry(&self) {
        let (job, ticket) = job::<()>(Box::new(|_| Box::pin(async { Ok(()) })));
        drop(ticket);
        if let Ok(line) = self.line() {
            // Where there is no room in the line, what is in it is tried.
            let _ = line.try_send(job);
        }
    }

    async fn close(&self) {
        drop(self.line.lock().unwrap_or_else(PoisonError::into_inner).take());
        let flushing = self.flushing.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(flushing) = flushing {
            flushing.await.expect("flushes do not panic");
        }
    }
}
