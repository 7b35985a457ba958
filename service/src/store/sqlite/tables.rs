//! [`Rows`] and [`RowsMut`] in SQL. The statements are portable but for the schema's.

use std::path::Path;

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use super::super::act::KeptAct;
use super::super::chain::{Head, overview_hash};
use super::super::content::KeptContent;
use super::super::entry::{StoredStatus, Summary};
use super::super::envelope::seats_of;
use super::super::error::{Error, Failure};
use super::super::event::{CompetitionId, KeptEvent};
use super::super::lengths::{lengths_bytes, lengths_of};
use super::super::list::{ListedMatch, Page, StoreFilter};
use super::super::names::{AccountId, At, MatchId, Position, RequestId, SecretId};
use super::super::quarantine::{Quarantine, StoreFault};
use super::super::rows::{Place, Rows, RowsMut};
use super::super::secret::SealedSecret;
use super::super::uptime::Outage;
use super::failure::{corrupt, failure};

/// The columns of a match's row.
pub(super) const COLUMNS: &str = "id, game, scenario, created, position, revision, hash, status, open_seats, lengths, \
                                  seed_group, overview_hash, checksum";
/// Rows of matches, each with its overview: [`read_head`] reads [`COLUMNS`] and `overview` of them.
const MATCHES: &str = "matches LEFT JOIN overviews ON overviews.match = id";

/// The tables, inside a transaction of `connection`.
#[derive(Debug)]
pub(in super::super) struct Tables<'a> {
    connection: &'a Connection,
    path: &'a Path,
    next: u64,
}

impl<'a> Tables<'a> {
    /// With the position of the next envelope.
    pub(in super::super) const fn new(connection: &'a Connection, path: &'a Path, next: u64) -> Self {
        Self { connection, path, next }
    }

    /// The position of the next envelope.
    pub(super) const fn next(&self) -> u64 {
        self.next
    }

    /// The number of matches in quarantine.
    pub(super) fn quarantined(&self) -> Result<u64, Failure> {
        let sql = "SELECT count(*) FROM quarantines";
        Ok(self.one(sql, params![], |row| row.get::<_, i64>(0).map(i64::cast_unsigned))?.unwrap_or_default())
    }

    fn failed(&self, error: rusqlite::Error) -> Failure {
        failure(self.path, &error)
    }

    fn one<T>(
        &self,
        sql: &str,
        params: impl rusqlite::Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>, Failure> {
        let mut statement = self.connection.prepare_cached(sql).map_err(|error| self.failed(error))?;
        statement.query_row(params, read).optional().map_err(|error| self.failed(error))
    }

    /// Returns whether there is such a table: a file that was not opened to be written yet may be of an earlier schema.
    fn has_table(&self, name: &str) -> rusqlite::Result<bool> {
        let sql = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?1";
        self.connection.query_row(sql, params![name], |row| row.get::<_, i64>(0).map(|count| count > 0))
    }

    fn run(&self, sql: &str, params: impl rusqlite::Params) -> Result<usize, Failure> {
        let mut statement = self.connection.prepare_cached(sql).map_err(|error| self.failed(error))?;
        statement.execute(params).map_err(|error| self.failed(error))
    }
}

impl Rows for Tables<'_> {
    fn head(&self, id: MatchId) -> Result<Option<Result<Head, StoreFault>>, Failure> {
        let sql = format!("SELECT {COLUMNS}, overview FROM {MATCHES} WHERE id = ?1");
        let head = self.one(&sql, params![id.as_bytes()], read_head)?;
        Ok(head.map(|read| read.map(|(head, _)| head)))
    }

    fn overview(&self, id: MatchId) -> Result<Option<Vec<u8>>, Failure> {
        self.one("SELECT overview FROM overviews WHERE match = ?1", params![id.as_bytes()], |row| row.get(0))
    }

    fn secrets(
        &self,
        after: Option<&SecretId>,
        count: usize,
    ) -> Result<Vec<(SecretId, SealedSecret)>, Failure> {
        let read = || -> rusqlite::Result<Vec<(Vec<u8>, Vec<u8>)>> {
            let sql = "SELECT id, sealed FROM secrets WHERE id > ?1 ORDER BY id LIMIT ?2";
            let mut statement = self.connection.prepare_cached(sql)?;
            let after = after.map_or_else(Vec::new, |after| after.as_bytes().to_vec());
            let page = params![after, i64::try_from(count).unwrap_or(i64::MAX)];
            let kept = statement.query_map(page, |row| Ok((row.get(0)?, row.get(1)?)))?;
            kept.collect()
        };
        let kept = read().map_err(|error| self.failed(error))?;
        let secret = |(id, sealed)| Ok((SecretId::new(id)?, SealedSecret::from_bytes(sealed)?));
        let secrets: Result<_, Error> = kept.into_iter().map(secret).collect();
        secrets.map_err(|error| Failure(corrupt(self.path, error.to_string())))
    }

    fn envelope(&self, _: MatchId, at: At) -> Result<Option<Vec<u8>>, Failure> {
        let sql = "SELECT envelope FROM appends WHERE position = ?1";
        // Beyond the column's range there is nothing.
        let Ok(position) = i64::try_from(at.position.0) else { return Ok(None) };
        self.one(sql, params![position], |row| row.get(0))
    }

    fn envelopes_of(
        &self,
        id: MatchId,
        from: Position,
        take: &mut dyn FnMut(Position, &[u8]),
    ) -> Result<(), Failure> {
        let sql = "SELECT position, envelope FROM appends WHERE position >= ?1 AND substr(envelope, 2, 16) = ?2 \
                   ORDER BY position";
        let Ok(from) = i64::try_from(from.0) else { return Ok(()) };
        let mut read = || -> rusqlite::Result<()> {
            let mut statement = self.connection.prepare_cached(sql)?;
            let mut rows = statement.query(params![from, id.as_bytes()])?;
            while let Some(row) = rows.next()? {
                let position = Position(row.get::<_, i64>(0)?.cast_unsigned());
                take(position, row.get_ref(1)?.as_blob()?);
            }
            Ok(())
        };
        read().map_err(|error| self.failed(error))
    }

    fn all_envelopes(&self, take: &mut dyn FnMut(Position, &[u8])) -> Result<(), Failure> {
        let mut read = || -> rusqlite::Result<()> {
            let sql = "SELECT position, envelope FROM appends ORDER BY position";
            let mut statement = self.connection.prepare(sql)?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let position = Position(row.get::<_, i64>(0)?.cast_unsigned());
                // A value of another kind is no envelope.
                take(position, row.get_ref(1)?.as_blob().unwrap_or_default());
            }
            Ok(())
        };
        read().map_err(|error| self.failed(error))
    }

    fn all_heads(&self, take: &mut dyn FnMut(MatchId, Result<Head, StoreFault>)) -> Result<(), Failure> {
        let mut read = || -> rusqlite::Result<()> {
            let mut statement =
                self.connection.prepare(&format!("SELECT {COLUMNS}, overview FROM {MATCHES}"))?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                take(MatchId::from_bytes(row.get(0)?), read_head(row)?.map(|(head, _)| head));
            }
            Ok(())
        };
        read().map_err(|error| self.failed(error))
    }

    fn created_by(&self, account: &AccountId, request: &RequestId) -> Result<Option<MatchId>, Failure> {
        let sql = "SELECT match FROM creations WHERE account = ?1 AND request = ?2";
        let id = self.one(sql, params![account.as_bytes(), request.as_bytes()], |row| row.get(0))?;
        Ok(id.map(MatchId::from_bytes))
    }

    fn quarantine(&self, id: MatchId) -> Result<Option<Quarantine>, Failure> {
        let sql = "SELECT reason, detail, since_ms FROM quarantines WHERE match = ?1";
        self.one(sql, params![id.as_bytes()], |row| read_quarantine(row, 0))
    }

    fn last_up(&self) -> Result<Option<u64>, Failure> {
        let sql = "SELECT unix_ms FROM last_up";
        self.one(sql, params![], |row| row.get::<_, i64>(0).map(i64::cast_unsigned))
    }

    fn outages(&self) -> Result<Vec<Outage>, Failure> {
        let sql = "SELECT from_ms, until_ms FROM outages ORDER BY from_ms";
        let mut statement = self.connection.prepare_cached(sql).map_err(|error| self.failed(error))?;
        let number = |row: &Row<'_>, column| row.get::<_, i64>(column).map(i64::cast_unsigned);
        let outage = |row: &Row<'_>| Ok(Outage { from_ms: number(row, 0)?, until_ms: number(row, 1)? });
        let outages = statement.query_map([], outage).map_err(|error| self.failed(error))?;
        outages.collect::<rusqlite::Result<_>>().map_err(|error| self.failed(error))
    }

    fn secret(&self, id: &SecretId) -> Result<Option<SealedSecret>, Failure> {
        let sql = "SELECT sealed FROM secrets WHERE id = ?1";
        let sealed = self.one(sql, params![id.as_bytes()], |row| row.get(0))?;
        let read = sealed.map(SealedSecret::from_bytes).transpose();
        read.map_err(|error| Failure(corrupt(self.path, error.to_string())))
    }

    fn last_act(&self) -> Result<u64, Failure> {
        let last =
            self.one("SELECT coalesce(max(number), 0) FROM acts", params![], |row| row.get::<_, i64>(0))?;
        Ok(last.unwrap_or(0).cast_unsigned())
    }

    fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Failure> {
        let read = || -> rusqlite::Result<Vec<KeptAct>> {
            if !self.has_table("acts")? {
                return Ok(Vec::new());
            }
            let sql = "SELECT number, act FROM acts WHERE number > ?1 ORDER BY number LIMIT ?2";
            let mut statement = self.connection.prepare_cached(sql)?;
            let page =
                params![i64::try_from(after).unwrap_or(i64::MAX), i64::try_from(count).unwrap_or(i64::MAX)];
            let kept = statement.query_map(page, |row| {
                Ok(KeptAct { number: row.get::<_, i64>(0)?.cast_unsigned(), bytes: row.get(1)? })
            })?;
            kept.collect()
        };
        read().map_err(|error| self.failed(error))
    }

    fn last_event(&self, competition: CompetitionId) -> Result<u64, Failure> {
        let sql = "SELECT coalesce(max(number), 0) FROM competition_events WHERE competition = ?1";
        let last = self.one(sql, params![competition.as_bytes()], |row| row.get::<_, i64>(0))?;
        Ok(last.unwrap_or(0).cast_unsigned())
    }

    fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Failure> {
        let read = || -> rusqlite::Result<Vec<KeptEvent>> {
            if !self.has_table("competition_events")? {
                return Ok(Vec::new());
            }
            let sql = "SELECT number, event FROM competition_events \
                       WHERE competition = ?1 AND number > ?2 ORDER BY number LIMIT ?3";
            let mut statement = self.connection.prepare_cached(sql)?;
            let page = params![
                competition.as_bytes(),
                i64::try_from(after).unwrap_or(i64::MAX),
                i64::try_from(count).unwrap_or(i64::MAX)
            ];
            let kept = statement.query_map(page, |row| {
                let number = row.get::<_, i64>(0)?.cast_unsigned();
                Ok(KeptEvent { competition, number, bytes: row.get(1)? })
            })?;
            kept.collect()
        };
        read().map_err(|error| self.failed(error))
    }

    fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Failure> {
        let read = || -> rusqlite::Result<Vec<CompetitionId>> {
            if !self.has_table("competition_events")? {
                return Ok(Vec::new());
            }
            // Every log begins with its first event.
            let sql = "SELECT competition FROM competition_events \
                       WHERE competition > ?1 AND number = 1 ORDER BY competition LIMIT ?2";
            let mut statement = self.connection.prepare_cached(sql)?;
            let after = after.map_or_else(Vec::new, |after| after.as_bytes().to_vec());
            let page = params![after, i64::try_from(count).unwrap_or(i64::MAX)];
            let kept = statement.query_map(page, |row| Ok(CompetitionId::from_bytes(row.get(0)?)))?;
            kept.collect()
        };
        read().map_err(|error| self.failed(error))
    }

    fn kept_contents(&self) -> Result<Vec<KeptContent>, Failure> {
        let read = || -> rusqlite::Result<Vec<KeptContent>> {
            if !self.has_table("contents")? {
                return Ok(Vec::new());
            }
            let sql = "SELECT game, hash, files FROM contents ORDER BY game, hash";
            let mut statement = self.connection.prepare_cached(sql)?;
            let kept = statement.query_map([], |row| {
                Ok(KeptContent { game: row.get(0)?, hash: row.get(1)?, files: row.get(2)? })
            })?;
            kept.collect()
        };
        read().map_err(|error| self.failed(error))
    }

    fn list(&self, filter: &StoreFilter, page: Page) -> Result<Vec<ListedMatch>, Failure> {
        let (condition, values) = conditions(filter, page);
        let sql = format!(
            "SELECT {COLUMNS}, overview, reason, detail, since_ms FROM {MATCHES} \
             LEFT JOIN quarantines ON quarantines.match = id {condition} ORDER BY id DESC LIMIT {}",
            if filter.shards.is_none() { (page.size() + 1) as i64 } else { -1 }
        );
        let mut statement = self.connection.prepare_cached(&sql).map_err(|error| self.failed(error))?;
        let listed = statement.query_map(params_from_iter(values), read_listed);
        let listed = listed.map_err(|error| self.failed(error))?;
        // The shard of a match is none of its columns: a file has one owner for all of them.
        let is_in = |row: &rusqlite::Result<ListedMatch>| {
            row.as_ref().ok().zip(filter.shards).is_none_or(|(row, shards)| shards.has(row.id))
        };
        let listed = listed.filter(is_in).take(page.size() + 1);
        let listed: Vec<ListedMatch> =
            listed.collect::<rusqlite::Result<_>>().map_err(|error| self.failed(error))?;
        // SQLite takes the order of rows for granted: where one name is damaged, others are not found by theirs.
        if listed.windows(2).any(|pair| pair[0].id <= pair[1].id) {
            return Err(Failure(corrupt(self.path, "the rows of its matches are out of order")));
        }
        Ok(listed)
    }
}

impl RowsMut for Tables<'_> {
    fn next_position(&self, _: u64) -> Position {
        Position(self.next)
    }

    fn push_envelope(&mut self, _: MatchId, _: At, bytes: Vec<u8>) -> Result<(), Failure> {
        let sql = "INSERT INTO appends (position, envelope) VALUES (?1, ?2)";
        let no_room = || Failure(corrupt(self.path, "no position is left for an append"));
        let next = i64::try_from(self.next).map_err(|_| no_room())?;
        self.run(sql, params![next, bytes])?;
        self.next += 1;
        Ok(())
    }

    fn remove_envelope(&mut self, _: MatchId, at: At) -> Result<(), Failure> {
        let sql = "DELETE FROM appends WHERE position = ?1";
        self.run(sql, params![at.position.0 as i64]).map(|_| ())
    }

    fn insert_head(&mut self, head: &Head, overview: &[u8]) -> Result<(), Failure> {
        let sql = format!(
            "INSERT INTO matches ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)"
        );
        let values = params![
            head.id.as_bytes(),
            head.game,
            head.scenario,
            head.created.0 as i64,
            head.at.position.0 as i64,
            head.at.revision as i64,
            head.hash,
            head.summary.status.number(),
            head.summary.seat_bits(),
            lengths_bytes(&head.summary.lengths),
            head.group,
            head.overview,
            head.checksum(),
        ];
        self.run(&sql, values)?;
        let sql = "INSERT INTO overviews (match, overview) VALUES (?1, ?2)";
        self.run(sql, params![head.id.as_bytes(), overview]).map(|_| ())
    }

    fn move_head(&mut self, old: Place, new: &Head, overview: Option<&[u8]>) -> Result<bool, Failure> {
        let sql = "UPDATE matches SET position = ?3, revision = ?4, hash = ?5, open_seats = ?6, lengths = ?7, \
                   checksum = ?8, overview_hash = ?9 WHERE id = ?1 AND position = ?2";
        let values = params![
            new.id.as_bytes(),
            old.at.position.0 as i64,
            new.at.position.0 as i64,
            new.at.revision as i64,
            new.hash,
            new.summary.seat_bits(),
            lengths_bytes(&new.summary.lengths),
            new.checksum(),
            new.overview,
        ];
        if self.run(sql, values)? == 0 {
            return Ok(false);
        }
        if old.status != new.summary.status {
            // Apart, since it touches an index and is rare.
            let sql = "UPDATE matches SET status = ?2 WHERE id = ?1";
            self.run(sql, params![new.id.as_bytes(), new.summary.status.number()])?;
        }
        if let Some(overview) = overview {
            let sql = "UPDATE overviews SET overview = ?2 WHERE match = ?1";
            return Ok(self.run(sql, params![new.id.as_bytes(), overview])? == 1);
        }
        Ok(true)
    }

    fn note_creation(
        &mut self,
        account: &AccountId,
        request: &RequestId,
        id: MatchId,
    ) -> Result<(), Failure> {
        let sql = "INSERT INTO creations (account, request, match) VALUES (?1, ?2, ?3)";
        self.run(sql, params![account.as_bytes(), request.as_bytes(), id.as_bytes()]).map(|_| ())
    }

    fn remove_match(&mut self, id: MatchId) -> Result<(), Failure> {
        for sql in [
            "DELETE FROM matches WHERE id = ?1",
            "DELETE FROM overviews WHERE match = ?1",
            "DELETE FROM quarantines WHERE match = ?1",
        ] {
            self.run(sql, params![id.as_bytes()])?;
        }
        Ok(())
    }

    fn forget_creation(&mut self, account: &AccountId, request: &RequestId) -> Result<(), Failure> {
        let sql = "DELETE FROM creations WHERE account = ?1 AND request = ?2";
        self.run(sql, params![account.as_bytes(), request.as_bytes()]).map(|_| ())
    }

    fn remove_secret(&mut self, id: &SecretId) -> Result<(), Failure> {
        self.run("DELETE FROM secrets WHERE id = ?1", params![id.as_bytes()]).map(|_| ())
    }

    fn set_quarantine(&mut self, id: MatchId, quarantine: &Quarantine) -> Result<(), Failure> {
        let sql = "INSERT INTO quarantines (match, reason, detail, since_ms) VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT DO NOTHING";
        let since = i64::try_from(quarantine.since_ms).unwrap_or(i64::MAX);
        let values = params![id.as_bytes(), quarantine.reason, quarantine.detail, since];
        self.run(sql, values).map(|_| ())
    }

    fn lift_quarantine(&mut self, id: MatchId) -> Result<(), Failure> {
        self.run("DELETE FROM quarantines WHERE match = ?1", params![id.as_bytes()]).map(|_| ())
    }

    fn set_last_up(&mut self, unix_ms: u64) -> Result<(), Failure> {
        let sql = "INSERT INTO last_up (only_row, unix_ms) VALUES (1, ?1) \
                   ON CONFLICT DO UPDATE SET unix_ms = excluded.unix_ms";
        self.run(sql, params![milliseconds(unix_ms)]).map(|_| ())
    }

    fn set_outages(&mut self, outages: &[Outage]) -> Result<(), Failure> {
        self.run("DELETE FROM outages", params![])?;
        let sql = "INSERT INTO outages (from_ms, until_ms) VALUES (?1, ?2)";
        for outage in outages {
            self.run(sql, params![milliseconds(outage.from_ms), milliseconds(outage.until_ms)])?;
        }
        Ok(())
    }

    fn keep_content(&mut self, content: &KeptContent) -> Result<(), Failure> {
        let sql = "INSERT INTO contents (hash, game, files) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        self.run(sql, params![content.hash, content.game, content.files]).map(|_| ())
    }

    fn push_act(&mut self, act: &KeptAct) -> Result<(), Failure> {
        let sql = "INSERT INTO acts (number, act) VALUES (?1, ?2)";
        self.run(sql, params![i64::try_from(act.number).unwrap_or(i64::MAX), act.bytes]).map(|_| ())
    }

    fn replace_act(&mut self, act: &KeptAct) -> Result<bool, Failure> {
        let sql = "UPDATE acts SET act = ?2 WHERE number = ?1";
        let changed = self.run(sql, params![i64::try_from(act.number).unwrap_or(i64::MAX), act.bytes])?;
        Ok(changed == 1)
    }

    fn push_event(&mut self, event: &KeptEvent) -> Result<(), Failure> {
        let sql = "INSERT INTO competition_events (competition, number, event) VALUES (?1, ?2, ?3)";
        let number = i64::try_from(event.number).unwrap_or(i64::MAX);
        self.run(sql, params![event.competition.as_bytes(), number, event.bytes]).map(|_| ())
    }

    fn replace_event(&mut self, event: &KeptEvent) -> Result<bool, Failure> {
        let sql = "UPDATE competition_events SET event = ?3 WHERE competition = ?1 AND number = ?2";
        let number = i64::try_from(event.number).unwrap_or(i64::MAX);
        let changed = self.run(sql, params![event.competition.as_bytes(), number, event.bytes])?;
        Ok(changed == 1)
    }

    fn insert_secret(&mut self, id: &SecretId, secret: &SealedSecret) -> Result<(), Failure> {
        let sql = "INSERT INTO secrets (id, sealed) VALUES (?1, ?2)";
        self.run(sql, params![id.as_bytes(), secret.as_bytes()]).map(|_| ())
    }
}

/// A moment as a column has it.
fn milliseconds(unix_ms: u64) -> i64 {
    i64::try_from(unix_ms).unwrap_or(i64::MAX)
}

/// A row of [`MATCHES`], held against its checksum, and the match's overview.
pub(super) fn read_head(row: &Row<'_>) -> rusqlite::Result<Result<(Head, Vec<u8>), StoreFault>> {
    let damaged = |what: &str| StoreFault::RowDamaged { what: what.to_owned() };
    let read = (|| -> rusqlite::Result<(Head, [u8; 32], Option<Vec<u8>>)> {
        let status = StoredStatus::of(row.get(7)?).ok_or(rusqlite::Error::IntegralValueOutOfRange(7, -1))?;
        let number = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
        let head = Head {
            id: MatchId::from_bytes(row.get(0)?),
            game: row.get(1)?,
            scenario: row.get(2)?,
            created: Position(number(3)?),
            at: At { position: Position(number(4)?), revision: number(5)? },
            hash: row.get(6)?,
            summary: Summary {
                status,
                open_seats: seats_of(row.get(8)?),
                lengths: lengths_of(&row.get::<_, Vec<u8>>(9)?),
            },
            group: row.get(10)?,
            overview: row.get(11)?,
        };
        Ok((head, row.get(12)?, row.get(13)?))
    })();
    Ok(match read {
        Ok((head, checksum, _)) if head.checksum() != checksum => Err(damaged("its checksum does not fit")),
        Ok((head, _, Some(overview))) if overview_hash(&overview) == head.overview => Ok((head, overview)),
        Ok(_) => Err(damaged("its overview is not its own")),
        Err(error) if error.sqlite_error().is_some() => return Err(error),
        Err(error) => Err(damaged(&error.to_string())),
    })
}

fn read_quarantine(row: &Row<'_>, first: usize) -> rusqlite::Result<Quarantine> {
    Ok(Quarantine {
        reason: row.get(first)?,
        detail: row.get(first + 1)?,
        since_ms: row.get::<_, i64>(first + 2)?.cast_unsigned(),
    })
}

fn read_listed(row: &Row<'_>) -> rusqlite::Result<ListedMatch> {
    let id = MatchId::from_bytes(row.get(0)?);
    let noted = match row.get_ref(14)? {
        rusqlite::types::ValueRef::Null => None,
        _ => Some(read_quarantine(row, 14)?),
    };
    Ok(match read_head(row)? {
        Ok((head, overview)) => ListedMatch::of(head, overview, noted),
        Err(fault) => ListedMatch::damaged(id, &fault, noted.as_ref()),
    })
}

fn conditions(filter: &StoreFilter, page: Page) -> (String, Vec<Value>) {
    let mut parts: Vec<&str> = Vec::new();
    let mut values = Vec::new();
    let mut add = |part, value| {
        parts.push(part);
        values.push(value);
    };
    if let Some(before) = page.before {
        add("id < ?", Value::Blob(before.as_bytes().to_vec()));
    }
    if let Some(game) = &filter.game {
        add("game = ?", Value::Text(game.clone()));
    }
    if let Some(scenario) = &filter.scenario {
        add("scenario = ?", Value::Text(scenario.clone()));
    }
    if let Some(status) = filter.status {
        add("status = ?", Value::Integer(i64::from(status.number())));
    }
    if let Some(group) = &filter.group {
        add("seed_group = ?", Value::Text(group.clone()));
    }
    if filter.with_open_seats {
        add("open_seats <> ?", Value::Integer(0));
    }
    let condition = if parts.is_empty() { String::new() } else { format!("WHERE {}", parts.join(" AND ")) };
    (condition, values)
}
