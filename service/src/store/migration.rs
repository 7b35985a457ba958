//! The way of a store's content into another one, of whichever kind: [`migrate`].
//!
//! Each match is taken over in one transaction, read back, and held against what the first store has of it, so that a migration that was
//! cut short goes on where it was. A match whose log is not whole stays where it is, and is named. Nothing of the first store changes.

use std::path::PathBuf;

use super::adopt::{Adopted, AdoptedUptime};
use super::entry::MatchLog;
use super::error::Error;
use super::lined::{self, Lined};
use super::list::{ListedMatch, Page, StoreFilter};
use super::names::{MatchId, SecretId};
use super::operation::Operation;
use super::postgres::{PostgresOptions, PostgresServer, PostgresStore};
use super::rows::Rows;
use super::secret::SealedSecret;
use super::sqlite::{Options, ReadOnlyStore, SqliteStore};
use super::store_ops::StoreOps;
use super::{Store, Ticket, limits};

/// The name of the secret that a store has while it is migrated to. Its value is nothing secret.
const UNFINISHED: &str = "migration unfinished";

/// The most secrets that are read at once.
const SECRETS_READ_MAX: usize = 1_024;

/// The place of a store.
#[derive(Clone, Debug)]
pub enum StorePlace {
    /// A file.
    File(PathBuf),
    /// A database.
    Database(Box<PostgresServer>),
}

/// The counts of all that a migration has brought over.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Migrated {
    /// Matches that were taken over.
    pub matches: u64,
    /// Matches that were there before, the same.
    pub matches_before: u64,
    /// Appends of all these, their creations among them.
    pub appends: u64,
    /// Matches that stay where they are, since their logs are not whole, with the reason.
    pub left: Vec<(MatchId, String)>,
    /// Secrets that both have.
    pub secrets: u64,
    /// Contents of games that both have.
    pub contents: u64,
    /// Acts of administration that both have.
    pub acts: u64,
    /// Competitions whose logs both have.
    pub competitions: u64,
}

impl StorePlace {
    /// Checks that there is a store.
    fn check(&self) -> Result<(), Error> {
        match self {
            Self::File(path) => ReadOnlyStore::open(path).map(drop),
            Self::Database(server) => PostgresStore::open_to_read(server).map(drop),
        }
    }

    /// Opens the store there, which is made if there is none, and which nobody else may have open then.
    fn open(&self) -> Result<Box<dyn Lined>, Error> {
        Ok(match self {
            Self::File(path) => Box::new(SqliteStore::open(path, &Options::default())?),
            Self::Database(server) => Box::new(PostgresStore::open(server, &PostgresOptions::default())?),
        })
    }
}

/// Returns whether a migration to this store was begun and not finished.
///
/// # Errors
/// As [`Store::secret`].
pub async fn is_unfinished(store: &dyn Store) -> Result<bool, Error> {
    Ok(store.secret(SecretId::new(UNFINISHED)?).await?.is_some())
}

/// Brings all that one store has into another, which has nothing else. `tell` is called now and then with how far it is.
///
/// # Errors
/// Of opening either; [`Error::Invalid`] if there is a migration to the first one that was not finished; [`Error::MatchExists`],
/// [`Error::SecretKept`], [`Error::ActConflict`], [`Error::EventConflict`] if the second one has something else already;
/// [`Error::Quarantined`] if a match that it has already is damaged there. Run again, it goes on.
pub async fn migrate(
    from: &StorePlace,
    to: &StorePlace,
    mut tell: impl FnMut(&Migrated),
) -> Result<Migrated, Error> {
    from.check()?;
    let (from, to) = (from.open()?, to.open()?);
    let (from, to) = (&*from, &*to);
    let unfinished = SecretId::new(UNFINISHED)?;
    if secret(from, &unfinished).await?.is_some() {
        return Err(Error::Invalid {
            what: "the store to migrate from is one that was not migrated to its end",
        });
    }
    let mark = SealedSecret::from_bytes(UNFINISHED.as_bytes().to_vec())?;
    lined::do_now(to, 0, |reply| Operation::Keep(unfinished.clone(), mark, reply)).await?;
    let mut migrated = Migrated::default();
    contents(from, to, &mut migrated).await?;
    secrets(from, to, &mut migrated).await?;
    acts(from, to, &mut migrated).await?;
    competitions(from, to, &mut migrated).await?;
    let mut page = Page::FIRST;
    loop {
        let listing = list(from, page).await?;
        let next = listing.len().checked_sub(1).filter(|last| *last == page.size());
        let listed = listing.len() - usize::from(next.is_some());
        for row in &listing[..listed] {
            adopt(from, to, row.id, &mut migrated).await?;
        }
        tell(&migrated);
        match next {
            Some(_) => page.before = Some(listing[listed - 1].id),
            None => break,
        }
    }
    let uptime = lined::look(from, |ops| {
        Ok(AdoptedUptime { last_up: ops.rows.last_up()?, outages: ops.rows.outages()? })
    });
    let uptime = uptime.await?;
    lined::do_now(to, 0, |reply| Operation::AdoptUptime(uptime, reply)).await?;
    if migrated.left.is_empty() {
        lined::do_now(to, 0, |reply| Operation::Delete(Vec::new(), vec![unfinished], reply)).await?;
    }
    to.parts().close().await;
    from.parts().close().await;
    Ok(migrated)
}

async fn list(store: &dyn Lined, page: Page) -> Result<Vec<ListedMatch>, Error> {
    lined::look(store, move |ops| Ok(ops.rows.list(&StoreFilter::default(), page)?)).await
}

async fn secret(store: &dyn Lined, id: &SecretId) -> Result<Option<SealedSecret>, Error> {
    let id = id.clone();
    lined::look(store, move |ops| Ok(ops.rows.secret(&id)?)).await
}

/// A match as a store has it; in words why not, if its log is not whole.
async fn kept(store: &dyn Lined, id: MatchId) -> Result<Result<Adopted, String>, Error> {
    match lined::look(store, move |ops| ops.kept_match(id)).await {
        Ok(kept) => Ok(Ok(kept)),
        Err(Error::Quarantined { quarantine, .. }) => {
            Ok(Err(format!("{}: {}", quarantine.reason, quarantine.detail)))
        }
        Err(error) => Err(error),
    }
}

async fn adopt(from: &dyn Lined, to: &dyn Lined, id: MatchId, migrated: &mut Migrated) -> Result<(), Error> {
    let adopted = match kept(from, id).await? {
        Ok(adopted) => adopted,
        Err(why) => {
            migrated.left.push((id, why));
            return Ok(());
        }
    };
    let (line, (reply, ticket)) = (to.parts().line()?, Ticket::pending());
    line.put(adopted.weight(), Operation::Adopt(Box::new(adopted.clone()), reply)).await?;
    let is_new = match ticket.await {
        Ok(_) => true,
        Err(Error::MatchExists(_)) => false,
        Err(error) => return Err(error),
    };
    // One that is damaged there is refused by its name, with what is the matter.
    let there = lined::look(to, move |ops| ops.kept_match(id)).await?;
    match is_same(&there, &adopted) {
        true => {}
        // Somebody else's, or of another state of this one.
        false if !is_new => return Err(Error::MatchExists(id)),
        false => return Err(Error::Invalid { what: "a match is not read as it was taken over" }),
    }
    *(if is_new { &mut migrated.matches } else { &mut migrated.matches_before }) += 1;
    migrated.appends += adopted.log.records.len() as u64 + 1;
    Ok(())
}

/// Returns whether two stores have the same match: all but where it stands in them.
fn is_same(one: &Adopted, other: &Adopted) -> bool {
    let Adopted { group, log, overview, quarantine } = one;
    let records = |log: &MatchLog| {
        log.records.clone().into_iter().map(|r| (r.at.revision, r.entry, r.requests, r.summary))
    };
    let header = |log: &MatchLog| {
        let header = log.header.clone();
        (header.game, header.scenario, header.bytes, header.requests, header.summary)
    };
    (group, overview, quarantine) == (&other.group, &other.overview, &other.quarantine)
        && log.revision == other.log.revision
        && header(log) == header(&other.log)
        && records(log).eq(records(&other.log))
}

async fn contents(from: &dyn Lined, to: &dyn Lined, migrated: &mut Migrated) -> Result<(), Error> {
    for content in lined::look(from, |ops| Ok(ops.rows.kept_contents()?)).await? {
        let bytes = content.files.len();
        lined::do_now(to, bytes, |reply| Operation::KeepContent(Box::new(content), reply)).await?;
        migrated.contents += 1;
    }
    Ok(())
}

async fn secrets(from: &dyn Lined, to: &dyn Lined, migrated: &mut Migrated) -> Result<(), Error> {
    let mut after: Option<SecretId> = None;
    loop {
        let behind = after.take();
        let page =
            lined::look(from, move |ops| Ok(ops.rows.secrets(behind.as_ref(), SECRETS_READ_MAX)?)).await?;
        let is_last = page.len() < SECRETS_READ_MAX;
        after = page.last().map(|(id, _)| id.clone());
        for (id, secret) in page {
            lined::do_now(to, 0, |reply| Operation::Keep(id, secret, reply)).await?;
            migrated.secrets += 1;
        }
        if is_last {
            return Ok(());
        }
    }
}

async fn acts(from: &dyn Lined, to: &dyn Lined, migrated: &mut Migrated) -> Result<(), Error> {
    loop {
        let after = migrated.acts;
        let page = move |ops: &StoreOps<'_, dyn Rows + '_>| ops.kept_acts(after, limits::ACTS_READ_MAX);
        let (acts, there) = (lined::look(from, page).await?, lined::look(to, page).await?);
        if there.iter().zip(&acts).any(|(there, act)| there != act) || there.len() > acts.len() {
            return Err(Error::ActConflict { next: after + 1 });
        }
        for act in acts.iter().skip(there.len()).cloned() {
            lined::do_now(to, act.bytes.len(), |reply| Operation::KeepAct(act, reply)).await?;
        }
        migrated.acts += acts.len() as u64;
        if acts.len() < limits::ACTS_READ_MAX {
            return Ok(());
        }
    }
}

async fn competitions(from: &dyn Lined, to: &dyn Lined, migrated: &mut Migrated) -> Result<(), Error> {
    let mut after = None;
    loop {
        let behind = after;
        let page =
            lined::look(from, move |ops| ops.kept_competitions(behind, limits::EVENTS_READ_MAX)).await?;
        for &competition in &page {
            let mut done = 0;
            loop {
                let events = move |ops: &StoreOps<'_, dyn Rows + '_>| {
                    ops.kept_events(competition, done, limits::EVENTS_KEPT_MAX)
                };
                let (events, there) = (lined::look(from, events).await?, lined::look(to, events).await?);
                if there.iter().zip(&events).any(|(there, event)| there != event)
                    || there.len() > events.len()
                {
                    return Err(Error::EventConflict { next: done + 1 });
                }
                let new: Vec<_> = events.iter().skip(there.len()).cloned().collect();
                if !new.is_empty() {
                    let bytes = new.iter().map(|event| event.bytes.len()).sum();
                    lined::do_now(to, bytes, |reply| Operation::KeepEvents(new, reply)).await?;
                }
                done += events.len() as u64;
                if events.len() < limits::EVENTS_KEPT_MAX {
                    break;
                }
            }
            migrated.competitions += 1;
        }
        after = page.last().copied();
        if page.len() < limits::EVENTS_READ_MAX {
            return Ok(());
        }
    }
}
