//! The store's operations on [`Rows`], written once for every kind of store.

#[cfg(test)]
mod tests;

use super::chain::{Ascent, Descent, Head, overview_hash};
use super::entry::{
    Append, Appended, Create, MatchLog, Replaced, Request, Stored, StoredRecord, StoredStatus,
};
use super::envelope::{Body, Envelope, Link, Writing};
use super::error::{Error, Failure, Trouble};
use super::index::{Index, Indexes};
use super::limits::LOG_BYTES_MAX;
use super::names::{AccountId, At, MatchId, Party, Position, RequestId, RequestScope, SecretId};
use super::quarantine::{Quarantine, StoreFault};
use super::rewrite::{self, Rewrite};
use super::rows::{Place, Rows, RowsMut};
use super::secret::SealedSecret;
use super::uptime::{self, Outage};

/// The store's operations, with what they need besides the rows.
pub(super) struct StoreOps<'a, R: ?Sized> {
    pub(super) rows: &'a mut R,
    pub(super) indexes: &'a Indexes,
    /// The date, for quarantines.
    pub(super) unix_ms: u64,
}

/// The appends whose place another takes, and where it stands.
struct Superseded {
    /// The append before them.
    previous: Link,
    /// Bytes of the log without them.
    bytes_before: u64,
    places: Vec<At>,
}

impl Superseded {
    /// None: the next append comes after all that the index has.
    fn none(index: &Index) -> Self {
        let At { revision, position } = index.head.at;
        let previous = Link { revision, position: position.0, hash: index.head.hash };
        Self { previous, bytes_before: index.bytes, places: Vec::new() }
    }
}

impl<R: Rows + ?Sized> StoreOps<'_, R> {
    /// A match's log from a revision on.
    pub(super) fn read(&self, id: MatchId, from: u64) -> Result<MatchLog, Trouble> {
        self.read_from(&self.playable_head(id)?, from)
    }

    /// A match's log, although it may be in quarantine; of one that is not whole what stands before its fault.
    pub(super) fn read_stopped(&self, id: MatchId) -> Result<MatchLog, Trouble> {
        let (created, read) = match self.head(id) {
            Ok(head) => (head.created, self.read_from(&head, 0)),
            // Wherever it was created.
            Err(trouble) => (Position(0), Err(trouble)),
        };
        match read {
            Err(Trouble::Faulty(id, quarantine)) => {
                self.whole_part(id, created)?.ok_or(Trouble::Faulty(id, quarantine))
            }
            read => read,
        }
    }

    /// A match's log from its creation on, as far as it is whole; `None` if not even that is there.
    fn whole_part(&self, id: MatchId, created: Position) -> Result<Option<MatchLog>, Trouble> {
        let (mut ascent, mut header, mut records) = (Ascent::default(), None, Vec::new());
        self.rows.envelopes_of(id, created, &mut |position, bytes| {
            let Ok((envelope, hash)) = Envelope::decode(bytes) else { return };
            if !ascent.take(position, &envelope, hash) {
                return;
            }
            match envelope.body {
                Body::Create { .. } => {
                    header = envelope.into_header(position).map(|header| (header, bytes.len() as u64));
                }
                Body::Append { .. } => records.extend(envelope.into_record(position)),
            }
        })?;
        let revision = ascent.link().map_or(0, |last| last.revision);
        Ok(header.map(|(header, header_bytes)| MatchLog { header, revision, records, header_bytes }))
    }

    /// The log of the match of this row, from a revision on.
    pub(super) fn read_from(&self, head: &Head, from: u64) -> Result<MatchLog, Trouble> {
        let mut records: Vec<StoredRecord> = Vec::new();
        let mut header = None;
        let mut index = (from == 0).then(|| Box::new(Index::new(head.clone())));
        let mut descent = Descent::new(head);
        while let Some(at) = descent.next().filter(|at| at.revision >= from) {
            let (envelope, len) = self.take(&mut descent, at, head.id)?;
            if let Some(index) = &mut index {
                index.note(&envelope, at.position, len);
            }
            match envelope.body {
                Body::Create { .. } => {
                    header = envelope.into_header(at.position).map(|header| (header, len));
                }
                Body::Append { .. } => records.extend(envelope.into_record(at.position)),
            }
        }
        records.reverse();
        let (header, header_bytes) = match header {
            Some(header) => header,
            None => {
                let envelope = self.creation(head)?;
                let bytes = envelope.encode().0.len();
                (envelope.into_header(head.created).ok_or_else(|| self.displaced(head))?, bytes)
            }
        };
        let header_bytes = header_bytes as u64;
        index.into_iter().for_each(|index| self.indexes.offer(index));
        Ok(MatchLog { header, revision: head.at.revision, records, header_bytes })
    }

    /// The outcome of a request.
    pub(super) fn request(&self, scope: &RequestScope, id: &RequestId) -> Result<Option<Stored>, Trouble> {
        match scope {
            RequestScope::Account(account) => match self.rows.created_by(account, id)? {
                Some(created) => self.creation_request(created, account, id).map(Some),
                None => Ok(None),
            },
            RequestScope::Match(of, party) => {
                let head = self.playable_head(*of)?;
                let at = match self.indexes.find(*of, head.at.position, *party, id) {
                    Some(at) => at,
                    None => {
                        let index = Box::new(self.load(*of)?);
                        let at = index.find(*party, id);
                        self.indexes.offer(index);
                        at
                    }
                };
                match at.filter(|at| at.position <= head.at.position) {
                    Some(at) => self.append_request(&head, at, *party, id).map(Some),
                    None => Ok(None),
                }
            }
        }
    }

    /// Reads and checks a match's whole log.
    pub(super) fn load(&self, id: MatchId) -> Result<Index, Trouble> {
        let head = self.playable_head(id)?;
        self.load_from(head)
    }

    fn load_from(&self, head: Head) -> Result<Index, Trouble> {
        let mut index = Index::new(head.clone());
        let mut descent = Descent::new(&head);
        while let Some(at) = descent.next() {
            let (envelope, len) = self.take(&mut descent, at, head.id)?;
            index.note(&envelope, at.position, len);
        }
        Ok(index)
    }

    /// A match's row, unless it is in quarantine or damaged.
    fn playable_head(&self, id: MatchId) -> Result<Head, Trouble> {
        if let Some(quarantine) = self.rows.quarantine(id)? {
            return Err(Error::Quarantined { id, quarantine }.into());
        }
        self.head(id)
    }

    /// A match's row, unless it is damaged.
    pub(super) fn head(&self, id: MatchId) -> Result<Head, Trouble> {
        match self.rows.head(id)? {
            Some(Ok(head)) => Ok(head),
            Some(Err(fault)) => Err(self.fault(id, &fault)),
            None => Err(Error::NotFound(id).into()),
        }
    }

    fn take(&self, descent: &mut Descent<'_>, at: At, id: MatchId) -> Result<(Envelope, usize), Trouble> {
        let bytes = self.rows.envelope(id, at)?;
        let envelope = descent.take(bytes.as_deref()).map_err(|fault| self.fault(id, &fault))?;
        Ok((envelope, bytes.map_or(0, |bytes| bytes.len())))
    }

    fn fault(&self, id: MatchId, fault: &StoreFault) -> Trouble {
        Trouble::Faulty(id, Quarantine::of(fault, self.unix_ms))
    }

    fn displaced(&self, head: &Head) -> Trouble {
        self.fault(head.id, &StoreFault::Displaced { revision: 0, position: head.created })
    }

    /// One envelope of a match, checked by itself.
    fn envelope(&self, head: &Head, at: At) -> Result<Envelope, Trouble> {
        let At { revision, position } = at;
        let bytes = self.rows.envelope(head.id, at)?;
        let bytes = bytes.ok_or_else(|| self.fault(head.id, &StoreFault::Missing { revision, position }))?;
        let decoded = Envelope::decode(&bytes);
        let (envelope, _) =
            decoded.map_err(|what| self.fault(head.id, &StoreFault::Damaged { revision, position, what }))?;
        if envelope.id == head.id && envelope.revision == revision {
            return Ok(envelope);
        }
        Err(self.fault(head.id, &StoreFault::Displaced { revision, position }))
    }

    fn creation(&self, head: &Head) -> Result<Envelope, Trouble> {
        self.envelope(head, At { revision: 0, position: head.created })
    }

    fn creation_request(
        &self,
        id: MatchId,
        account: &AccountId,
        request_id: &RequestId,
    ) -> Result<Stored, Trouble> {
        let head = self.head(id)?;
        let at = At { revision: 0, position: head.created };
        let Body::Create { requests, .. } = self.creation(&head)?.body else {
            return Err(self.displaced(&head));
        };
        let same = |(owner, request): &(AccountId, Request)| owner == account && request.id == *request_id;
        let (_, request) = requests.into_iter().find(same).ok_or_else(|| self.displaced(&head))?;
        Ok(Stored { id, at, request })
    }

    fn append_request(&self, head: &Head, at: At, party: Party, id: &RequestId) -> Result<Stored, Trouble> {
        let Body::Append { requests, .. } = self.envelope(head, at)?.body else {
            return Err(self.displaced(head));
        };
        let same = |(p, r): &(Party, Request)| *p == party && r.id == *id;
        let fault = StoreFault::Displaced { revision: at.revision, position: at.position };
        let (_, request) = requests.into_iter().find(same).ok_or_else(|| self.fault(head.id, &fault))?;
        Ok(Stored { id: head.id, at, request })
    }
}

impl<R: RowsMut> StoreOps<'_, R> {
    /// Creates a match, unless a request of it did so before.
    pub(super) fn create(&mut self, create: &Create) -> Result<Appended, Trouble> {
        if let Some(stored) = self.created_before(create)? {
            return Ok(Appended::Repeated(stored));
        }
        self.check_creation(create)?;
        self.write_creation(create).map(Appended::Written)
    }

    /// The answer to a request of a creation that was answered before, if there was one.
    pub(super) fn created_before(&self, create: &Create) -> Result<Option<Stored>, Trouble> {
        for (account, request) in &create.requests {
            let Some(created) = self.rows.created_by(account, &request.id)? else { continue };
            let stored = self.creation_request(created, account, &request.id)?;
            stored.outcome_for(&request.body)?;
            return Ok(Some(stored));
        }
        Ok(None)
    }

    /// Checks that nothing is in the way of a creation.
    pub(super) fn check_creation(&self, create: &Create) -> Result<(), Trouble> {
        if self.rows.head(create.id)?.is_some() {
            return Err(Error::MatchExists(create.id).into());
        }
        for (id, secret) in &create.secrets {
            if self.rows.secret(id)?.is_some_and(|kept| kept != *secret) {
                return Err(Error::SecretKept.into());
            }
        }
        Ok(())
    }

    /// Writes a creation that was checked.
    pub(super) fn write_creation(&mut self, create: &Create) -> Result<At, Trouble> {
        for (id, secret) in &create.secrets {
            self.keep(id, secret)?;
        }
        let envelope = Envelope {
            id: create.id,
            revision: 0,
            previous: Link::default(),
            bytes_before: 0,
            summary: create.summary.clone(),
            body: Body::Create {
                game: create.game.clone(),
                scenario: create.scenario.clone(),
                header: create.header.clone(),
                requests: create.requests.clone(),
            },
        };
        let (bytes, hash) = envelope.encode();
        let position = self.rows.next_position(0);
        let head = Head {
            id: create.id,
            game: create.game.clone(),
            scenario: create.scenario.clone(),
            group: create.group.clone(),
            created: position,
            at: At { revision: 0, position },
            hash,
            summary: create.summary.clone(),
            overview: overview_hash(&create.overview),
        };
        let mut index = Box::new(Index::new(head));
        index.note(&envelope, position, bytes.len());
        self.rows.push_envelope(create.id, index.head.at, bytes)?;
        self.rows.insert_head(&index.head, &create.overview)?;
        for (account, request) in &create.requests {
            self.rows.note_creation(account, &request.id, create.id)?;
        }
        let at = index.head.at;
        self.indexes.put(index);
        Ok(at)
    }

    /// Appends to a match, unless a request of it was answered before.
    pub(super) fn append(&mut self, append: &Append) -> Result<Appended, Trouble> {
        if let Some(quarantine) = self.rows.closed_to_appends(append.id)? {
            return Err(Error::Quarantined { id: append.id, quarantine }.into());
        }
        if let Some(mut index) = self.indexes.take(append.id) {
            match self.append_after(&mut index, append) {
                Ok(Some(ended)) => {
                    self.indexes.put(index);
                    return ended.map_err(Trouble::Refused);
                }
                ended => {
                    self.indexes.forget(append.id);
                    ended?;
                }
            }
        }
        // There was no index, or the log has gone on without it.
        let mut index = Box::new(self.load(append.id)?);
        match self.append_after(&mut index, append)? {
            Some(ended) => {
                self.indexes.put(index);
                ended.map_err(Trouble::Refused)
            }
            None => {
                Err(Error::Unavailable { why: "the match's row moved within a transaction".into() }.into())
            }
        }
    }

    /// As [`StoreOps::append`], if `index` is up to date; `None` if it is not.
    fn append_after(
        &mut self,
        index: &mut Index,
        append: &Append,
    ) -> Result<Option<Result<Appended, Error>>, Trouble> {
        let asked = Index::names(&append.requests);
        for ((party, request), name) in append.requests.iter().zip(&asked) {
            if let Some(at) = index.named(name) {
                let stored = self.append_request(&index.head, at, *party, &request.id)?;
                let same = stored.outcome_for(&request.body).map(|_| ());
                return Ok(Some(same.map(|()| Appended::Repeated(stored))));
            }
        }
        let current = index.head.at.revision;
        if append.expected != current {
            let up_to_date = self.rows.head(append.id)?.is_some_and(|row| row.as_ref() == Ok(&index.head));
            return Ok(up_to_date.then_some(Err(Error::Conflict { current })));
        }
        let Superseded { previous, bytes_before, places } = match &append.replaces {
            Some(replaced) => self.superseded(&index.head, replaced)?,
            None => Superseded::none(index),
        };
        let (bytes, hash) = Writing { append, previous, bytes_before }.encode();
        let given = bytes_before + bytes.len() as u64;
        if given > LOG_BYTES_MAX {
            return Ok(Some(Err(Error::TooLarge { what: "a match's log", given, max: LOG_BYTES_MAX })));
        }
        let at = At { revision: current + 1, position: self.rows.next_position(current + 1) };
        let old = Place { at: index.head.at, status: index.head.summary.status };
        // A caller that is notified of a failure forgets the index.
        (index.head.at, index.head.hash) = (at, hash);
        index.head.summary.become_as(&append.summary);
        if let Some(overview) = &append.overview {
            index.head.overview = overview_hash(overview);
        }
        if !self.rows.move_head(old, &index.head, append.overview.as_deref())? {
            return Ok(None);
        }
        if append.replaces.is_some() {
            index.forget_after(previous.revision, bytes_before);
        }
        index.note_names(Index::names(append.all_requests()), at, bytes.len());
        for place in places {
            self.rows.remove_envelope(append.id, place)?;
        }
        self.rows.push_envelope(append.id, at, bytes)?;
        Ok(Some(Ok(Appended::Written(at))))
    }

    /// The appends of a log whose place another takes.
    fn superseded(&self, head: &Head, replaced: &Replaced) -> Result<Superseded, Trouble> {
        let (mut descent, mut places, mut bytes_before) = (Descent::new(head), Vec::new(), 0);
        while let Some(at) = descent.next().filter(|at| at.revision > replaced.after) {
            bytes_before = self.take(&mut descent, at, head.id)?.0.bytes_before;
            places.push(at);
        }
        match descent.link().filter(|link| link.revision == replaced.after) {
            Some(previous) => Ok(Superseded { previous, bytes_before, places }),
            None => {
                Err(Error::Invalid { what: "an append replaces those after one that is in the log" }.into())
            }
        }
    }

    /// Notes that a server has started, and that it was down since it was last up. Where the date was set back meanwhile, its time goes
    /// on from then, as after an outage of no time: what has happened is never ahead of it.
    pub(super) fn start_up(&mut self, unix_ms: u64) -> Result<(), Trouble> {
        let Some(last_up) = self.rows.last_up()?.filter(|last_up| *last_up != unix_ms) else {
            return self.note_up(unix_ms);
        };
        let outage = Outage { from_ms: last_up, until_ms: unix_ms.max(last_up) };
        let outages = uptime::with_outage(self.rows.outages()?, outage);
        self.rows.set_outages(&outages)?;
        self.note_up(outage.until_ms)
    }

    /// Keeps an outage beside the others.
    pub(super) fn keep_outage(&mut self, outage: Outage) -> Result<(), Trouble> {
        let outages = uptime::with_another(self.rows.outages()?, outage);
        Ok(self.rows.set_outages(&outages)?)
    }

    /// Notes that the server is up.
    pub(super) fn note_up(&mut self, unix_ms: u64) -> Result<(), Trouble> {
        Ok(self.rows.set_last_up(unix_ms)?)
    }

    /// Keeps a secret, unless another one has its name.
    pub(super) fn keep(&mut self, id: &SecretId, secret: &SealedSecret) -> Result<(), Trouble> {
        match self.rows.secret(id)? {
            None => Ok(self.rows.insert_secret(id, secret)?),
            Some(kept) if kept == *secret => Ok(()),
            Some(_) => Err(Error::SecretKept.into()),
        }
    }

    /// Writes the log of a match that is over anew.
    pub(super) fn rewrite(&mut self, rewrite: &Rewrite) -> Result<(), Trouble> {
        let id = rewrite.id;
        let head = self.playable_head(id)?;
        let current = head.at.revision;
        if rewrite.expected != current {
            return Err(Error::Conflict { current }.into());
        }
        rewrite::check_over(head.summary.status)?;
        let (mut descent, mut log) = (Descent::new(&head), Vec::new());
        while let Some(at) = descent.next() {
            log.push((at, self.take(&mut descent, at, id)?.0));
        }
        log.reverse();
        let revisions = log.iter().skip(1).map(|(_, envelope)| envelope.revision);
        if !revisions.eq(rewrite.entries.iter().map(|(revision, _)| *revision)) {
            return Err(Error::Invalid { what: "a log is written anew entry for entry" }.into());
        }
        let (mut created, mut last, mut bytes_before) = (head.created, Link::default(), 0);
        let mut entries = rewrite.entries.iter();
        for (place, mut envelope) in log {
            self.rows.remove_envelope(id, place)?;
            let position = self.rows.next_position(envelope.revision);
            match &mut envelope.body {
                Body::Create { header, requests, .. } => {
                    created = position;
                    header.clone_from(&rewrite.header);
                    if let Some((of, other)) = &rewrite.creator {
                        for (account, request) in requests.iter_mut().filter(|(account, _)| account == of) {
                            self.rows.forget_creation(of, &request.id)?;
                            self.rows.note_creation(other, &request.id, id)?;
                            account.clone_from(other);
                        }
                    }
                }
                Body::Append { entry, .. } => {
                    entries.next().into_iter().for_each(|(_, other)| entry.clone_from(other));
                }
            }
            (envelope.previous, envelope.bytes_before) = (last, bytes_before);
            let (bytes, hash) = envelope.encode();
            bytes_before += bytes.len() as u64;
            last = Link { revision: envelope.revision, position: position.0, hash };
            self.rows.push_envelope(id, At { revision: envelope.revision, position }, bytes)?;
        }
        let at = At { revision: current, position: Position(last.position) };
        let overview = overview_hash(&rewrite.overview);
        self.rows.remove_match(id)?;
        self.rows.insert_head(&Head { created, at, hash: last.hash, overview, ..head }, &rewrite.overview)?;
        self.indexes.forget(id);
        Ok(())
    }

    /// Keeps what an operation found out about a damaged match.
    pub(super) fn note_fault<T>(&mut self, ended: &Result<T, Trouble>) -> Result<(), Failure> {
        match ended {
            Err(Trouble::Faulty(id, quarantine)) => {
                quarantine.log(*id);
                self.rows.set_quarantine(*id, quarantine)
            }
            _ => Ok(()),
        }
    }

    /// Closes a match to play.
    pub(super) fn quarantine(&mut self, id: MatchId, quarantine: &Quarantine) -> Result<(), Trouble> {
        if self.rows.head(id)?.is_none() {
            return Err(Error::NotFound(id).into());
        }
        self.rows.set_quarantine(id, quarantine)?;
        self.indexes.forget(id);
        Ok(())
    }

    /// Deletes matches that are over, with all that is kept of them, and these secrets.
    pub(super) fn delete(&mut self, matches: &[MatchId], secrets: &[SecretId]) -> Result<(), Trouble> {
        // All are looked through before any goes, since a batch goes on where an operation is refused.
        let mut going = Vec::new();
        for &id in matches {
            let head = self.playable_head(id)?;
            if !matches!(head.summary.status, StoredStatus::Over | StoredStatus::Abandoned) {
                return Err(Error::Invalid { what: "a match that is deleted has to be over" }.into());
            }
            let (mut descent, mut places, mut created_by) = (Descent::new(&head), Vec::new(), Vec::new());
            while let Some(at) = descent.next() {
                places.push(at);
                if let Body::Create { requests, .. } = self.take(&mut descent, at, id)?.0.body {
                    created_by = requests;
                }
            }
            going.push((id, places, created_by));
        }
        for (id, places, created_by) in going {
            for place in places {
                self.rows.remove_envelope(id, place)?;
            }
            for (account, request) in created_by {
                self.rows.forget_creation(&account, &request.id)?;
            }
            self.rows.remove_match(id)?;
            self.indexes.forget(id);
        }
        for secret in secrets {
            self.rows.remove_secret(secret)?;
        }
        Ok(())
    }

    /// Opens a match again, if its log is whole.
    pub(super) fn release(&mut self, id: MatchId) -> Result<(), Trouble> {
        let head = self.head(id)?;
        self.load_from(head)?;
        Ok(self.rows.lift_quarantine(id)?)
    }
}
