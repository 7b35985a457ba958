//! The database's schema: made, recognised, brought up to date.
//!
//! Statements are of the SQL that databases of PostgreSQL's kind share. A schema is numbered, and goes forward only: a server that knows
//! an earlier one refuses it.

use std::path::Path;

use postgres::error::SqlState;

use super::super::error::Error;
use super::super::names::MatchId;
use super::super::shards::{SHARDS, Shard};
use super::failure::{corrupt, opening};
use super::session::Connection;

/// The table that says which schema it is.
const VERSION_TABLE: &str = "
    CREATE TABLE IF NOT EXISTS edgehill_schema (
        only_row INT2 PRIMARY KEY CHECK (only_row = 1),
        version INT8 NOT NULL
    );
    INSERT INTO edgehill_schema (only_row, version) VALUES (1, 0) ON CONFLICT DO NOTHING;
";

/// The statements that lead from each schema to the next, from an empty database on.
const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE shards (
        shard INT4 PRIMARY KEY,
        epoch INT8 NOT NULL,
        renewals INT8 NOT NULL
    );
    CREATE TABLE appends (
        match_id BYTEA NOT NULL,
        revision INT8 NOT NULL,
        envelope BYTEA NOT NULL,
        PRIMARY KEY (match_id, revision)
    );
    CREATE TABLE matches (
        id BYTEA PRIMARY KEY,
        game TEXT NOT NULL,
        scenario TEXT NOT NULL,
        revision INT8 NOT NULL,
        hash BYTEA NOT NULL,
        status INT2 NOT NULL,
        open_seats INT2 NOT NULL,
        lengths BYTEA NOT NULL,
        seed_group TEXT,
        overview_hash BYTEA NOT NULL,
        checksum BYTEA NOT NULL
    );
    CREATE TABLE overviews (match_id BYTEA PRIMARY KEY, overview BYTEA NOT NULL);
    CREATE INDEX matches_by_status ON matches (status, id);
    CREATE INDEX matches_by_game ON matches (game, id);
    CREATE INDEX matches_by_group ON matches (seed_group, id) WHERE seed_group IS NOT NULL;
    CREATE TABLE creations (
        account BYTEA NOT NULL,
        request BYTEA NOT NULL,
        match_id BYTEA NOT NULL,
        PRIMARY KEY (account, request)
    );
    CREATE TABLE quarantines (
        match_id BYTEA PRIMARY KEY,
        reason TEXT NOT NULL,
        detail TEXT NOT NULL,
        since_ms INT8 NOT NULL
    );
    CREATE TABLE secrets (id BYTEA PRIMARY KEY, sealed BYTEA NOT NULL);
    CREATE TABLE contents (hash BYTEA PRIMARY KEY, game TEXT NOT NULL, files BYTEA NOT NULL);
    CREATE TABLE acts (number INT8 PRIMARY KEY, act BYTEA NOT NULL);
    CREATE TABLE competition_events (
        competition BYTEA NOT NULL,
        number INT8 NOT NULL,
        event BYTEA NOT NULL,
        PRIMARY KEY (competition, number)
    );
    CREATE TABLE last_up (only_row INT2 PRIMARY KEY CHECK (only_row = 1), unix_ms INT8 NOT NULL);
    CREATE TABLE outages (from_ms INT8 PRIMARY KEY, until_ms INT8 NOT NULL);
",
    // Servers with a lease, and the one that has taken a shard over.
    "
    CREATE TABLE servers (id BYTEA PRIMARY KEY, address TEXT NOT NULL, until TIMESTAMPTZ NOT NULL);
    ALTER TABLE shards ADD COLUMN server BYTEA;
",
    // The shard of each match, so that who takes one over finds its matches ([`fill_shards`]).
    "
    ALTER TABLE matches ADD COLUMN shard INT4;
    CREATE INDEX matches_by_shard ON matches (shard, status, id);
",
    // Servers that stop, and are handed nothing any more.
    "
    ALTER TABLE servers ADD COLUMN leaving BOOLEAN NOT NULL DEFAULT false;
",
];

/// The most rows that get their shards at once.
const FILLED_AT_ONCE: i64 = 10_000;

/// The last schema that this program knows.
pub(super) const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Brings the database's schema up to date.
pub(super) fn settle(connection: &mut Connection) -> Result<(), Error> {
    let name = connection.name().to_owned();
    let sql = |error: postgres::Error| opening(&name, &error);
    // Two servers may come to an empty database at once: one of them finds what the other has made meanwhile.
    let made = connection.client().batch_execute(VERSION_TABLE);
    if made.is_err_and(|error| error.code().is_some()) {
        connection.client().batch_execute(VERSION_TABLE).map_err(sql)?;
    }
    // A connection that can't settle it is given up, and the transaction with it.
    connection.client().batch_execute("BEGIN").map_err(sql)?;
    migrate(connection, &name)?;
    connection.client().batch_execute("COMMIT").map_err(sql)
}

/// Checks that there is a schema which is known, to look at what it holds.
pub(super) fn check(connection: &mut Connection) -> Result<(), Error> {
    let name = connection.name().to_owned();
    let found = connection.client().query_opt("SELECT version FROM edgehill_schema WHERE only_row = 1");
    let found = found.map_err(|error| match error.code() {
        Some(code) if *code == SqlState::UNDEFINED_TABLE => {
            Error::Open { path: name.clone(), why: "there is no store in it".to_owned() }
        }
        _ => opening(&name, &error),
    })?;
    let found: i64 = found.ok_or_else(|| corrupt(&name, "it has no schema"))?.get(0);
    let known = KNOWN;
    match found {
        found if found > known => Err(Error::SchemaTooNew { path: name, found, known }),
        // An earlier one lacks tables: a server brings it up to date.
        found if found < known => Err(Error::Open {
            path: name,
            why: format!("it has schema {found}, which a server brings to {known}"),
        }),
        _ => Ok(()),
    }
}

fn migrate(connection: &mut Connection, name: &Path) -> Result<(), Error> {
    let sql = |error: postgres::Error| match error.code() {
        // Somebody else's tables have the names of ours.
        Some(code) if *code == SqlState::DUPLICATE_TABLE => Error::NotAStore { path: name.to_owned() },
        _ => opening(name, &error),
    };
    let version = "SELECT version FROM edgehill_schema WHERE only_row = 1 FOR UPDATE";
    let found = connection.client().query_opt(version);
    let found: i64 = found.map_err(sql)?.ok_or_else(|| corrupt(name, "it has no schema"))?.get(0);
    let known = KNOWN;
    if found > known {
        return Err(Error::SchemaTooNew { path: name.to_owned(), found, known });
    }
    let done = usize::try_from(found).map_err(|_| corrupt(name, "it has no schema"))?;
    for migration in &MIGRATIONS[done..] {
        connection.client().batch_execute_unhurried(migration).map_err(sql)?;
    }
    if found < known {
        let rows = "INSERT INTO shards (shard, epoch, renewals) SELECT shard, 0, 0 \
                    FROM generate_series(0, $1::INT4 - 1) AS shard ON CONFLICT DO NOTHING";
        connection.query(rows, &[&(SHARDS as i32)]).map_err(sql)?;
        let set = "UPDATE edgehill_schema SET version = $1 WHERE only_row = 1";
        connection.query(set, &[&known]).map_err(sql)?;
    }
    fill_shards(connection).map_err(sql)
}

/// Writes their shards to rows of matches that servers of an earlier schema have made: while they are replaced one after the other, the
/// last of them goes on with that.
pub(super) fn fill_shards(connection: &mut Connection) -> Result<(), postgres::Error> {
    loop {
        let without =
            connection.query("SELECT id FROM matches WHERE shard IS NULL LIMIT $1", &[&FILLED_AT_ONCE])?;
        let ids: Vec<&[u8]> = without.iter().map(|row| row.get(0)).collect();
        if ids.is_empty() {
            return Ok(());
        }
        // A name of another length is no match's, and its row is found to be damaged by whoever reads it.
        let shard = |id: &&[u8]| {
            <[u8; 16]>::try_from(*id).map_or(0, |id| Shard::of(MatchId::from_bytes(id)).number())
        };
        let shards: Vec<i32> = ids.iter().map(shard).collect();
        let sql = "UPDATE matches SET shard = new.shard FROM unnest($1::BYTEA[], $2::INT4[]) AS new (id, shard) \
                   WHERE matches.id = new.id";
        connection.query(sql, &[&ids, &shards])?;
    }
}
