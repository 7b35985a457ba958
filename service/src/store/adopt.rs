//! Matches that are taken over from another store as they stand there ([`Adopted`]): the same revisions, requests, entries and summaries,
//! chained anew.

use super::chain::{Head, overview_hash};
use super::entry::{Appended, MatchLog};
use super::envelope::{Body, Envelope, Link};
use super::error::{Error, Trouble};
use super::names::{At, MatchId, Position};
use super::quarantine::Quarantine;
use super::rows::{Rows, RowsMut};
use super::store_ops::StoreOps;
use super::uptime::Outage;

/// A match as another store has it, its log whole.
#[derive(Clone, Debug)]
pub(super) struct Adopted {
    /// The seed group that it belongs to.
    pub(super) group: Option<String>,
    pub(super) log: MatchLog,
    /// All that lists show of it besides.
    pub(super) overview: Vec<u8>,
    /// The reason that it is closed to play.
    pub(super) quarantine: Option<Quarantine>,
}

/// When another store's server was up.
#[derive(Clone, Debug)]
pub(super) struct AdoptedUptime {
    pub(super) last_up: Option<u64>,
    pub(super) outages: Vec<Outage>,
}

impl Adopted {
    /// Bytes that it takes while it waits.
    pub(super) fn weight(&self) -> usize {
        let entries = self.log.records.iter().map(|record| record.entry.len() + 128).sum::<usize>();
        self.log.header.bytes.len() + self.overview.len() + entries + 1024
    }

    /// Its envelopes from the creation on, not chained yet.
    fn envelopes(&self) -> impl Iterator<Item = Envelope> {
        let header = &self.log.header;
        let envelope = |revision, summary, body| Envelope {
            id: header.id,
            revision,
            previous: Link::default(),
            bytes_before: 0,
            summary,
            body,
        };
        let creation = Body::Create {
            game: header.game.clone(),
            scenario: header.scenario.clone(),
            header: header.bytes.clone(),
            requests: header.requests.clone(),
        };
        let appends = self.log.records.iter().map(move |record| {
            let body = Body::Append { entry: record.entry.clone(), requests: record.requests.clone() };
            envelope(record.at.revision, record.summary.clone(), body)
        });
        std::iter::once(envelope(0, header.summary.clone(), creation)).chain(appends)
    }
}

impl<R: Rows + ?Sized> StoreOps<'_, R> {
    /// A match as it is kept, although it may be in quarantine.
    pub(super) fn kept_match(&self, id: MatchId) -> Result<Adopted, Trouble> {
        let head = self.head(id)?;
        let overview = self.rows.overview(id)?.unwrap_or_default();
        let quarantine = self.rows.quarantine(id)?;
        let log = self.read_from(&head, 0)?;
        Ok(Adopted { group: head.group, log, overview, quarantine })
    }
}

impl<R: RowsMut> StoreOps<'_, R> {
    /// Takes a match over, which is not there yet.
    pub(super) fn adopt(&mut self, adopted: &Adopted) -> Result<Appended, Trouble> {
        let header = &adopted.log.header;
        let id = header.id;
        if self.rows.head(id)?.is_some() {
            return Err(Error::MatchExists(id).into());
        }
        for (account, request) in &header.requests {
            if self.rows.created_by(account, &request.id)?.is_some_and(|created| created != id) {
                return Err(Error::RequestReused.into());
            }
        }
        let (mut last, mut bytes_before, mut created) = (Link::default(), 0, Position(0));
        let mut summary = header.summary.clone();
        for mut envelope in adopted.envelopes() {
            let at = At { revision: envelope.revision, position: self.rows.next_position(envelope.revision) };
            if envelope.revision == 0 {
                created = at.position;
            }
            (envelope.previous, envelope.bytes_before) = (last, bytes_before);
            let (bytes, hash) = envelope.encode();
            bytes_before += bytes.len() as u64;
            last = Link { revision: at.revision, position: at.position.0, hash };
            self.rows.push_envelope(id, at, bytes)?;
            summary = envelope.summary;
        }
        let at = At { revision: last.revision, position: Position(last.position) };
        let head = Head {
            id,
            game: header.game.clone(),
            scenario: header.scenario.clone(),
            group: adopted.group.clone(),
            created,
            at,
            hash: last.hash,
            summary,
            overview: overview_hash(&adopted.overview),
        };
        self.rows.insert_head(&head, &adopted.overview)?;
        for (account, request) in &header.requests {
            self.rows.note_creation(account, &request.id, id)?;
        }
        if let Some(quarantine) = &adopted.quarantine {
            self.rows.set_quarantine(id, quarantine)?;
        }
        Ok(Appended::Written(at))
    }

    /// Takes over when a server was up.
    pub(super) fn adopt_uptime(&mut self, uptime: &AdoptedUptime) -> Result<(), Trouble> {
        self.rows.set_outages(&uptime.outages)?;
        if let Some(last_up) = uptime.last_up {
            self.rows.set_last_up(last_up)?;
        }
        Ok(())
    }
}
