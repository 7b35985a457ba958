//! The tables inside a transaction ([`Tables`]), and what is written to them: [`RowsMut`].
//!
//! A batch is tried with its appends held back, to be written at once at its end ([`Pending`]): whether a match stands where it is thought
//! to stand, and is not closed, is found out only then. Where it does not, the batch is done again *with care*: every operation
//! is written, and looked at, in its turn.

use std::cell::{Cell, RefCell};

use super::super::act::KeptAct;
use super::super::chain::Head;
use super::super::content::KeptContent;
use super::super::error::{Error, Failure};
use super::super::event::KeptEvent;
use super::super::lengths::lengths_bytes;
use super::super::names::{AccountId, At, MatchId, Position, RequestId, SecretId};
use super::super::quarantine::Quarantine;
use super::super::rows::{Place, Rows, RowsMut};
use super::super::secret::SealedSecret;
use super::super::shards::Shard;
use super::super::uptime::Outage;
use super::appends::Pending;
use super::looks::ReadAhead;
use super::session::{CommitFailure, Session, Values};

/// A number as a column has it. What no column holds is beyond all that is there.
pub(super) fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The position of the envelope of a revision: positions are each match's own here, and those of creations are 1.
pub(super) const fn position_of(revision: u64) -> Position {
    Position(revision.saturating_add(1))
}

/// The tables, inside a transaction.
#[derive(Debug)]
pub(super) struct Tables<'a> {
    session: Session<'a>,
    /// True if nothing is held back.
    is_careful: bool,
    pending: RefCell<Pending>,
    pub(super) ahead: RefCell<ReadAhead>,
    /// A condition was not met: the batch may succeed with care.
    is_unmet: Cell<bool>,
    is_changed: bool,
    appends: u64,
}

/// The end of a transaction that is durable.
#[derive(Copy, Clone, Debug)]
pub(super) struct Done {
    pub(super) is_changed: bool,
    /// Envelopes that were written.
    pub(super) appends: u64,
}

impl<'a> Tables<'a> {
    pub(super) fn new(session: Session<'a>, is_careful: bool) -> Self {
        Self {
            session,
            is_careful,
            pending: RefCell::default(),
            ahead: RefCell::default(),
            is_unmet: Cell::new(false),
            is_changed: false,
            appends: 0,
        }
    }

    pub(super) const fn session(&self) -> &Session<'a> {
        &self.session
    }

    /// Returns whether it has failed for a condition that was not met.
    pub(super) const fn is_unmet(&self) -> bool {
        self.is_unmet.get()
    }

    /// The number of matches in quarantine.
    pub(super) fn quarantined(&self) -> Result<u64, Failure> {
        let rows = self.ask("SELECT count(*) FROM quarantines", &[])?;
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
    }

    fn failed(&self, failure: CommitFailure) -> Failure {
        match failure {
            CommitFailure::Broken(failure) => failure,
            CommitFailure::Unmet => {
                self.is_unmet.set(true);
                Failure(Error::Unavailable { why: "the rows have changed meanwhile".to_owned() })
            }
        }
    }

    /// Writes what is held back, so that whatever is read from here on sees it.
    fn settle(&self) -> Result<(), Failure> {
        let pending = self.pending.take();
        let Some(fence) = self.session.fence().filter(|_| !pending.is_empty()) else { return Ok(()) };
        let written = self.session.begin().and_then(|()| pending.write(&self.session, fence));
        written.map_err(|failure| self.failed(failure))
    }

    /// The rows of a statement.
    pub(super) fn ask(&self, sql: &str, values: Values<'_>) -> Result<Vec<postgres::Row>, Failure> {
        self.settle()?;
        self.session.rows(sql, values).map_err(|failure| self.failed(failure))
    }

    fn run(&mut self, sql: &str, values: Values<'_>) -> Result<u64, Failure> {
        self.settle()?;
        let rows = self.session.run(sql, values).map_err(|failure| self.failed(failure))?;
        self.is_changed |= rows > 0;
        Ok(rows)
    }

    /// Makes it durable.
    pub(super) fn commit(self) -> Result<Done, CommitFailure> {
        let done = Done { is_changed: self.is_changed, appends: self.appends };
        let pending = self.pending.into_inner();
        if let Some(fence) = self.session.fence().filter(|_| !pending.is_empty()) {
            pending.write(&self.session, fence)?;
        }
        self.session.commit()?;
        Ok(done)
    }

    /// Takes it back.
    pub(super) fn roll_back(self) -> Result<(), Failure> {
        self.session.roll_back()
    }
}

impl RowsMut for Tables<'_> {
    fn next_position(&self, revision: u64) -> Position {
        position_of(revision)
    }

    fn closed_to_appends(&self, id: MatchId) -> Result<Option<Quarantine>, Failure> {
        // A batch that is tried finds out at its end.
        if self.is_careful { self.quarantine(id) } else { Ok(None) }
    }

    fn push_envelope(&mut self, id: MatchId, at: At, bytes: Vec<u8>) -> Result<(), Failure> {
        self.appends += 1;
        if !self.is_careful {
            self.is_changed = true;
            self.pending.get_mut().push(id, at.revision, bytes);
            return Ok(());
        }
        let sql = "INSERT INTO appends (match_id, revision, envelope) VALUES ($1, $2, $3)";
        self.run(sql, &[&&id.as_bytes()[..], &whole(at.revision), &bytes]).map(drop)
    }

    fn remove_envelope(&mut self, id: MatchId, at: At) -> Result<(), Failure> {
        self.ahead.get_mut().forget(id);
        let sql = "DELETE FROM appends WHERE match_id = $1 AND revision = $2";
        self.run(sql, &[&&id.as_bytes()[..], &whole(at.revision)]).map(drop)
    }

    fn insert_head(&mut self, head: &Head, overview: &[u8]) -> Result<(), Failure> {
        let sql = "INSERT INTO matches (id, game, scenario, revision, hash, status, open_seats, lengths, seed_group, \
                   overview_hash, checksum, shard) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
        let id = &head.id.as_bytes()[..];
        self.run(
            sql,
            &[
                &id,
                &head.game,
                &head.scenario,
                &whole(head.at.revision),
                &&head.hash[..],
                &i16::from(head.summary.status.number()),
                &i16::from(head.summary.seat_bits()),
                &lengths_bytes(&head.summary.lengths),
                &head.group,
                &&head.overview[..],
                &&head.checksum()[..],
                &Shard::of(head.id).number(),
            ],
        )?;
        self.run("INSERT INTO overviews (match_id, overview) VALUES ($1, $2)", &[&id, &overview]).map(drop)
    }

    fn move_head(&mut self, old: Place, new: &Head, overview: Option<&[u8]>) -> Result<bool, Failure> {
        if !self.is_careful {
            self.pending.get_mut().move_head(old.at.revision, new, overview);
            return Ok(true);
        }
        let sql = "UPDATE matches SET revision = $3, hash = $4, status = $5, open_seats = $6, lengths = $7, \
                   overview_hash = $8, checksum = $9 WHERE id = $1 AND revision = $2";
        let id = &new.id.as_bytes()[..];
        let moved = self.run(
            sql,
            &[
                &id,
                &whole(old.at.revision),
                &whole(new.at.revision),
                &&new.hash[..],
                &i16::from(new.summary.status.number()),
                &i16::from(new.summary.seat_bits()),
                &lengths_bytes(&new.summary.lengths),
                &&new.overview[..],
                &&new.checksum()[..],
            ],
        )?;
        match overview {
            Some(overview) if moved == 1 => {
                let sql = "UPDATE overviews SET overview = $2 WHERE match_id = $1";
                Ok(self.run(sql, &[&id, &overview])? == 1)
            }
            _ => Ok(moved == 1),
        }
    }

    fn note_creation(
        &mut self,
        account: &AccountId,
        request: &RequestId,
        id: MatchId,
    ) -> Result<(), Failure> {
        let sql = "INSERT INTO creations (account, request, match_id) VALUES ($1, $2, $3)";
        self.run(sql, &[&account.as_bytes(), &request.as_bytes(), &&id.as_bytes()[..]]).map(drop)
    }

    fn remove_match(&mut self, id: MatchId) -> Result<(), Failure> {
        for sql in [
            "DELETE FROM matches WHERE id = $1",
            "DELETE FROM overviews WHERE match_id = $1",
            "DELETE FROM quarantines WHERE match_id = $1",
        ] {
            self.run(sql, &[&&id.as_bytes()[..]])?;
        }
        Ok(())
    }

    fn forget_creation(&mut self, account: &AccountId, request: &RequestId) -> Result<(), Failure> {
        let sql = "DELETE FROM creations WHERE account = $1 AND request = $2";
        self.run(sql, &[&account.as_bytes(), &request.as_bytes()]).map(drop)
    }

    fn remove_secret(&mut self, id: &SecretId) -> Result<(), Failure> {
        self.run("DELETE FROM secrets WHERE id = $1", &[&id.as_bytes()]).map(drop)
    }

    fn set_quarantine(&mut self, id: MatchId, quarantine: &Quarantine) -> Result<(), Failure> {
        let sql = "INSERT INTO quarantines (match_id, reason, detail, since_ms) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT DO NOTHING";
        // Its texts hold no character 0.
        let text = |text: &str| text.replace('\0', "\u{fffd}");
        let (reason, detail) = (text(&quarantine.reason), text(&quarantine.detail));
        self.run(sql, &[&&id.as_bytes()[..], &reason, &detail, &whole(quarantine.since_ms)]).map(drop)
    }

    fn lift_quarantine(&mut self, id: MatchId) -> Result<(), Failure> {
        self.run("DELETE FROM quarantines WHERE match_id = $1", &[&&id.as_bytes()[..]]).map(drop)
    }

    fn set_last_up(&mut self, unix_ms: u64) -> Result<(), Failure> {
        let sql = "INSERT INTO last_up (only_row, unix_ms) VALUES (1, $1) \
                   ON CONFLICT (only_row) DO UPDATE SET unix_ms = excluded.unix_ms";
        self.run(sql, &[&whole(unix_ms)]).map(drop)
    }

    fn set_outages(&mut self, outages: &[Outage]) -> Result<(), Failure> {
        self.run("DELETE FROM outages", &[])?;
        let sql = "INSERT INTO outages (from_ms, until_ms) SELECT * FROM unnest($1::INT8[], $2::INT8[])";
        let (from, until): (Vec<i64>, Vec<i64>) =
            outages.iter().map(|outage| (whole(outage.from_ms), whole(outage.until_ms))).unzip();
        self.run(sql, &[&from, &until]).map(drop)
    }

    fn keep_content(&mut self, content: &KeptContent) -> Result<(), Failure> {
        let sql = "INSERT INTO contents (hash, game, files) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        self.run(sql, &[&&content.hash[..], &content.game, &content.files]).map(drop)
    }

    fn push_act(&mut self, act: &KeptAct) -> Result<(), Failure> {
        let sql = "INSERT INTO acts (number, act) VALUES ($1, $2)";
        self.run(sql, &[&whole(act.number), &act.bytes]).map(drop)
    }

    fn replace_act(&mut self, act: &KeptAct) -> Result<bool, Failure> {
        let sql = "UPDATE acts SET act = $2 WHERE number = $1";
        Ok(self.run(sql, &[&whole(act.number), &act.bytes])? == 1)
    }

    fn push_event(&mut self, event: &KeptEvent) -> Result<(), Failure> {
        let sql = "INSERT INTO competition_events (competition, number, event) VALUES ($1, $2, $3)";
        let competition = &event.competition.as_bytes()[..];
        self.run(sql, &[&competition, &whole(event.number), &event.bytes]).map(drop)
    }

    fn replace_event(&mut self, event: &KeptEvent) -> Result<bool, Failure> {
        let sql = "UPDATE competition_events SET event = $3 WHERE competition = $1 AND number = $2";
        let competition = &event.competition.as_bytes()[..];
        Ok(self.run(sql, &[&competition, &whole(event.number), &event.bytes])? == 1)
    }

    fn insert_secret(&mut self, id: &SecretId, secret: &SealedSecret) -> Result<(), Failure> {
        let sql = "INSERT INTO secrets (id, sealed) VALUES ($1, $2)";
        self.run(sql, &[&id.as_bytes(), &secret.as_bytes()]).map(drop)
    }
}
