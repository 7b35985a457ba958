//! The tables as they are read: [`Rows`]. A log is read some of it at a time ([`ReadAhead`]).

use std::collections::BTreeMap;

use postgres::Row;
use postgres::types::{FromSql, ToSql};

use super::super::act::KeptAct;
use super::super::chain::{Head, overview_hash};
use super::super::content::KeptContent;
use super::super::entry::{StoredStatus, Summary};
use super::super::envelope::seats_of;
use super::super::error::{Error, Failure};
use super::super::event::{CompetitionId, KeptEvent};
use super::super::lengths::lengths_of;
use super::super::list::{ListedMatch, Page, StoreFilter};
use super::super::names::{AccountId, At, MatchId, Position, RequestId, SecretId};
use super::super::quarantine::{Quarantine, StoreFault};
use super::super::rows::Rows;
use super::super::secret::SealedSecret;
use super::super::shards::{Shard, ShardSet};
use super::super::uptime::Outage;
use super::failure::foreign;
use super::tables::{Tables, position_of, whole};

/// The columns of a match's row, and its overview: [`read_head`] reads them.
const COLUMNS: &str = "id, game, scenario, revision, hash, status, open_seats, lengths, seed_group, overview_hash, \
                       checksum, overview";
/// Rows of matches, each with its overview.
const MATCHES: &str = "matches LEFT JOIN overviews ON overviews.match_id = id";

/// The most envelopes that are read at once. The first time it is fewer, since many look-ups need one.
const AHEAD_MAX: i64 = 512;

/// Envelopes of one match that were read before they are asked for: whoever reads a log reads it from its end.
#[derive(Debug, Default)]
pub(super) struct ReadAhead {
    of: Option<MatchId>,
    envelopes: BTreeMap<u64, Vec<u8>>,
    count: i64,
}

impl ReadAhead {
    /// Forgets the envelopes of a match, since its log changes.
    pub(super) fn forget(&mut self, id: MatchId) {
        if self.of == Some(id) {
            *self = Self::default();
        }
    }

    /// The number of envelopes to read next of this match.
    fn next(&mut self, id: MatchId) -> i64 {
        let is_further = self.of == Some(id);
        self.count = if is_further { (self.count * 8).min(AHEAD_MAX) } else { 1 };
        self.of = Some(id);
        self.envelopes.clear();
        self.count
    }
}

impl Tables<'_> {
    /// The column of a row, which is of this kind in our schema.
    fn column<'a, T: FromSql<'a>>(&self, row: &'a Row, column: usize) -> Result<T, Failure> {
        row.try_get(column).map_err(|error| foreign(&self.session().name(), &error.to_string()))
    }

    fn number(&self, row: &Row, column: usize) -> Result<u64, Failure> {
        self.column::<i64>(row, column).map(i64::cast_unsigned)
    }

    fn array<const N: usize>(&self, row: &Row, column: usize) -> Result<[u8; N], Failure> {
        let bytes: &[u8] = self.column(row, column)?;
        let wrong = || foreign(&self.session().name(), "a column has bytes that are not its own");
        bytes.try_into().map_err(|_| wrong())
    }

    fn quarantine_in(&self, row: &Row, first: usize) -> Result<Quarantine, Failure> {
        Ok(Quarantine {
            reason: self.column(row, first)?,
            detail: self.column(row, first + 1)?,
            since_ms: self.number(row, first + 2)?,
        })
    }
}

/// A row of [`MATCHES`], held against its checksum, and the match's overview.
fn read_head(row: &Row) -> Result<(Head, Vec<u8>), StoreFault> {
    let damaged = |what: &str| StoreFault::RowDamaged { what: what.to_owned() };
    let unreadable = |error: postgres::Error| damaged(&error.to_string());
    let array = |column| {
        let bytes: &[u8] = row.try_get(column).map_err(unreadable)?;
        <[u8; 32]>::try_from(bytes).map_err(|_| damaged("a column has bytes that are not its own"))
    };
    let byte = |column| {
        let number: i16 = row.try_get(column).map_err(unreadable)?;
        u8::try_from(number).map_err(|_| damaged("a column has a number that is not its own"))
    };
    let id: &[u8] = row.try_get(0).map_err(unreadable)?;
    let id = id.try_into().map(MatchId::from_bytes).map_err(|_| damaged("its name has not 16 bytes"))?;
    let revision = row.try_get::<_, i64>(3).map_err(unreadable)?.cast_unsigned();
    let status = StoredStatus::of(byte(5)?).ok_or_else(|| damaged("its status is none"))?;
    let lengths: &[u8] = row.try_get(7).map_err(unreadable)?;
    let head = Head {
        id,
        game: row.try_get(1).map_err(unreadable)?,
        scenario: row.try_get(2).map_err(unreadable)?,
        group: row.try_get(8).map_err(unreadable)?,
        created: position_of(0),
        at: At { revision, position: position_of(revision) },
        hash: array(4)?,
        summary: Summary { status, open_seats: seats_of(byte(6)?), lengths: lengths_of(lengths) },
        overview: array(9)?,
    };
    if head.checksum() != array(10)? {
        return Err(damaged("its checksum does not fit"));
    }
    let overview: Option<Vec<u8>> = row.try_get(11).map_err(unreadable)?;
    match overview.filter(|overview| overview_hash(overview) == head.overview) {
        Some(overview) => Ok((head, overview)),
        None => Err(damaged("its overview is not its own")),
    }
}

impl Rows for Tables<'_> {
    fn head(&self, id: MatchId) -> Result<Option<Result<Head, StoreFault>>, Failure> {
        let sql = format!("SELECT {COLUMNS} FROM {MATCHES} WHERE id = $1");
        let rows = self.ask(&sql, &[&&id.as_bytes()[..]])?;
        Ok(rows.first().map(|row| read_head(row).map(|(head, _)| head)))
    }

    fn overview(&self, id: MatchId) -> Result<Option<Vec<u8>>, Failure> {
        let rows = self.ask("SELECT overview FROM overviews WHERE match_id = $1", &[&&id.as_bytes()[..]])?;
        rows.first().map(|row| self.column(row, 0)).transpose()
    }

    fn secrets(
        &self,
        after: Option<&SecretId>,
        count: usize,
    ) -> Result<Vec<(SecretId, SealedSecret)>, Failure> {
        let sql = "SELECT id, sealed FROM secrets WHERE id > $1 ORDER BY id LIMIT $2";
        let after = after.map_or_else(Vec::new, |after| after.as_bytes().to_vec());
        let rows = self.ask(sql, &[&after, &whole(count as u64)])?;
        let damaged = |error: Error| foreign(&self.session().name(), &error.to_string());
        let secret = |row| {
            let id = SecretId::new(self.column::<&[u8]>(row, 0)?).map_err(damaged)?;
            Ok((id, SealedSecret::from_bytes(self.column(row, 1)?).map_err(damaged)?))
        };
        rows.iter().map(secret).collect()
    }

    fn envelope(&self, id: MatchId, at: At) -> Result<Option<Vec<u8>>, Failure> {
        // An envelope elsewhere than at its revision's place is none of ours.
        if at.position != position_of(at.revision) {
            return Ok(None);
        }
        let known = {
            let mut ahead = self.ahead.borrow_mut();
            if ahead.of == Some(id) { ahead.envelopes.remove(&at.revision) } else { None }
        };
        if known.is_some() {
            return Ok(known);
        }
        let count = self.ahead.borrow_mut().next(id);
        let sql = "SELECT revision, envelope FROM appends WHERE match_id = $1 AND revision <= $2 \
                   ORDER BY revision DESC LIMIT $3";
        let rows = self.ask(sql, &[&&id.as_bytes()[..], &whole(at.revision), &count])?;
        let mut ahead = self.ahead.borrow_mut();
        for row in &rows {
            ahead.envelopes.insert(self.number(row, 0)?, self.column(row, 1)?);
        }
        Ok(ahead.envelopes.remove(&at.revision))
    }

    fn envelopes_of(
        &self,
        id: MatchId,
        from: Position,
        take: &mut dyn FnMut(Position, &[u8]),
    ) -> Result<(), Failure> {
        let sql = "SELECT revision, envelope FROM appends WHERE match_id = $1 AND revision >= $2 \
                   ORDER BY revision LIMIT $3";
        let mut from = from.0.saturating_sub(1);
        loop {
            let rows = self.ask(sql, &[&&id.as_bytes()[..], &whole(from), &AHEAD_MAX])?;
            for row in &rows {
                let revision = self.number(row, 0)?;
                take(position_of(revision), self.column(row, 1)?);
                from = revision.saturating_add(1);
            }
            if (rows.len() as i64) < AHEAD_MAX {
                return Ok(());
            }
        }
    }

    fn all_envelopes(&self, take: &mut dyn FnMut(Position, &[u8])) -> Result<(), Failure> {
        let sql = "SELECT match_id, revision, envelope FROM appends WHERE (match_id, revision) > ($1, $2) \
                   ORDER BY match_id, revision LIMIT $3";
        let (mut id, mut revision) = (Vec::<u8>::new(), -1_i64);
        loop {
            let rows = self.ask(sql, &[&id, &revision, &AHEAD_MAX])?;
            for row in &rows {
                (id, revision) = (self.column(row, 0)?, self.column(row, 1)?);
                take(position_of(revision.cast_unsigned()), self.column(row, 2)?);
            }
            if (rows.len() as i64) < AHEAD_MAX {
                return Ok(());
            }
        }
    }

    fn all_heads(&self, take: &mut dyn FnMut(MatchId, Result<Head, StoreFault>)) -> Result<(), Failure> {
        let sql = format!("SELECT {COLUMNS} FROM {MATCHES} WHERE id > $1 ORDER BY id LIMIT $2");
        let mut after = Vec::<u8>::new();
        loop {
            let rows = self.ask(&sql, &[&after, &AHEAD_MAX])?;
            for row in &rows {
                let id = self.array(row, 0)?;
                take(MatchId::from_bytes(id), read_head(row).map(|(head, _)| head));
                after = id.to_vec();
            }
            if (rows.len() as i64) < AHEAD_MAX {
                return Ok(());
            }
        }
    }

    fn created_by(&self, account: &AccountId, request: &RequestId) -> Result<Option<MatchId>, Failure> {
        let sql = "SELECT match_id FROM creations WHERE account = $1 AND request = $2";
        let rows = self.ask(sql, &[&account.as_bytes(), &request.as_bytes()])?;
        rows.first().map(|row| self.array(row, 0).map(MatchId::from_bytes)).transpose()
    }

    fn quarantine(&self, id: MatchId) -> Result<Option<Quarantine>, Failure> {
        let sql = "SELECT reason, detail, since_ms FROM quarantines WHERE match_id = $1";
        let rows = self.ask(sql, &[&&id.as_bytes()[..]])?;
        rows.first().map(|row| self.quarantine_in(row, 0)).transpose()
    }

    fn last_up(&self) -> Result<Option<u64>, Failure> {
        let rows = self.ask("SELECT unix_ms FROM last_up", &[])?;
        rows.first().map(|row| self.number(row, 0)).transpose()
    }

    fn outages(&self) -> Result<Vec<Outage>, Failure> {
        let rows = self.ask("SELECT from_ms, until_ms FROM outages ORDER BY from_ms", &[])?;
        let outage = |row| Ok(Outage { from_ms: self.number(row, 0)?, until_ms: self.number(row, 1)? });
        rows.iter().map(outage).collect()
    }

    fn secret(&self, id: &SecretId) -> Result<Option<SealedSecret>, Failure> {
        let rows = self.ask("SELECT sealed FROM secrets WHERE id = $1", &[&id.as_bytes()])?;
        let Some(row) = rows.first() else { return Ok(None) };
        let sealed = SealedSecret::from_bytes(self.column(row, 0)?);
        sealed.map(Some).map_err(|error| foreign(&self.session().name(), &error.to_string()))
    }

    fn kept_contents(&self) -> Result<Vec<KeptContent>, Failure> {
        let rows = self.ask("SELECT game, hash, files FROM contents ORDER BY game, hash", &[])?;
        let content = |row| {
            Ok(KeptContent {
                game: self.column(row, 0)?,
                hash: self.array(row, 1)?,
                files: self.column(row, 2)?,
            })
        };
        rows.iter().map(content).collect()
    }

    fn last_act(&self) -> Result<u64, Failure> {
        let rows = self.ask("SELECT coalesce(max(number), 0) FROM acts", &[])?;
        rows.first().map_or(Ok(0), |row| self.number(row, 0))
    }

    fn kept_acts(&self, after: u64, count: usize) -> Result<Vec<KeptAct>, Failure> {
        let sql = "SELECT number, act FROM acts WHERE number > $1 ORDER BY number LIMIT $2";
        let rows = self.ask(sql, &[&whole(after), &whole(count as u64)])?;
        let act = |row| Ok(KeptAct { number: self.number(row, 0)?, bytes: self.column(row, 1)? });
        rows.iter().map(act).collect()
    }

    fn last_event(&self, competition: CompetitionId) -> Result<u64, Failure> {
        let sql = "SELECT coalesce(max(number), 0) FROM competition_events WHERE competition = $1";
        let rows = self.ask(sql, &[&&competition.as_bytes()[..]])?;
        rows.first().map_or(Ok(0), |row| self.number(row, 0))
    }

    fn kept_events(
        &self,
        competition: CompetitionId,
        after: u64,
        count: usize,
    ) -> Result<Vec<KeptEvent>, Failure> {
        let sql = "SELECT number, event FROM competition_events \
                   WHERE competition = $1 AND number > $2 ORDER BY number LIMIT $3";
        let values: [&(dyn ToSql + Sync); 3] =
            [&&competition.as_bytes()[..], &whole(after), &whole(count as u64)];
        let rows = self.ask(sql, &values)?;
        let event =
            |row| Ok(KeptEvent { competition, number: self.number(row, 0)?, bytes: self.column(row, 1)? });
        rows.iter().map(event).collect()
    }

    fn kept_competitions(
        &self,
        after: Option<CompetitionId>,
        count: usize,
    ) -> Result<Vec<CompetitionId>, Failure> {
        // Every log begins with its first event.
        let sql = "SELECT competition FROM competition_events \
                   WHERE competition > $1 AND number = 1 ORDER BY competition LIMIT $2";
        let after = after.map_or_else(Vec::new, |after| after.as_bytes().to_vec());
        let rows = self.ask(sql, &[&after, &whole(count as u64)])?;
        rows.iter().map(|row| self.array(row, 0).map(CompetitionId::from_bytes)).collect()
    }

    fn list(&self, filter: &StoreFilter, page: Page) -> Result<Vec<ListedMatch>, Failure> {
        // No text of a database has it, so that it would refuse the question.
        let texts = [&filter.game, &filter.scenario, &filter.group];
        if texts.into_iter().flatten().any(|text| text.contains('\0')) {
            return Ok(Vec::new());
        }
        let before = page.before.map(|before| before.as_bytes().to_vec());
        let status = filter.status.map(|status| i16::from(status.number()));
        let mut values: Vec<&(dyn ToSql + Sync)> = Vec::new();
        let mut conditions = Vec::new();
        let mut add = |condition: &str, value| {
            values.push(value);
            conditions.push(format!("{condition} (${})", values.len()));
        };
        before.iter().for_each(|before| add("id <", before));
        filter.game.iter().for_each(|game| add("game =", game));
        filter.scenario.iter().for_each(|scenario| add("scenario =", scenario));
        status.iter().for_each(|status| add("status =", status));
        filter.group.iter().for_each(|group| add("seed_group =", group));
        let shards = filter.shards.filter(|shards| *shards != ShardSet::ALL);
        let shards = shards.map(|shards| shards.iter().map(Shard::number).collect::<Vec<_>>());
        shards.iter().for_each(|shards| add("shard = ANY", shards));
        if filter.with_open_seats {
            add("open_seats <>", &0_i16);
        }
        let limit = whole(page.size() as u64 + 1);
        values.push(&limit);
        let condition = match conditions.is_empty() {
            true => String::new(),
            false => format!("WHERE {}", conditions.join(" AND ")),
        };
        let sql = format!(
            "SELECT {COLUMNS}, reason, detail, since_ms FROM {MATCHES} \
             LEFT JOIN quarantines ON quarantines.match_id = id {condition} ORDER BY id DESC LIMIT ${}",
            values.len()
        );
        self.ask(&sql, &values)?.iter().map(|row| self.listed(row)).collect()
    }
}

impl Tables<'_> {
    fn listed(&self, row: &Row) -> Result<ListedMatch, Failure> {
        let id = MatchId::from_bytes(self.array(row, 0)?);
        let is_noted = self.column::<Option<&str>>(row, 12)?.is_some();
        let noted = is_noted.then(|| self.quarantine_in(row, 12)).transpose()?;
        Ok(match read_head(row) {
            Ok((head, overview)) => ListedMatch::of(head, overview, noted),
            Err(fault) => ListedMatch::damaged(id, &fault, noted.as_ref()),
        })
    }
}
