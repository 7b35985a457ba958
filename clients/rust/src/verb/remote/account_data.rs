//! `edgehill admin export-account-data`: all that a server keeps about an account, as a folder of files.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use edgehill_client::AccountData;
use edgehill_client::v1::export_account_data_response::Part;
use edgehill_client::v1::{
    Account, AccountKey, AccountMatch, AccountRole, AccountSeat, Act, MatchConfig, MatchState, RecordChunk,
};
use serde_json::{Value, json};

use crate::error::Error;

/// The folder's files, each a value a line, but for the records.
const ACCOUNT: &str = "account.json";
const ACTS: &str = "acts.jsonl";
const MATCHES: &str = "matches.jsonl";
const COMPETITIONS: &str = "competitions.jsonl";
const RECORDS: &str = "records";

/// A folder that is filled, and takes its place when it is whole.
struct Export {
    folder: tempfile::TempDir,
    account: BufWriter<File>,
    acts: BufWriter<File>,
    matches: BufWriter<File>,
    competitions: BufWriter<File>,
    /// The record that is written, and its match.
    record: Option<(String, BufWriter<File>)>,
    counts: Counts,
}

/// The number of things that were written, and the matches that can't be read.
#[derive(Default)]
struct Counts {
    acts: usize,
    matches: usize,
    records: usize,
    competitions: usize,
    unreadable: Vec<String>,
}

/// Writes the parts into a new folder at `path`, which is there when all of them are.
pub(super) async fn write(mut data: AccountData, path: &Path, out: &mut dyn Write) -> Result<(), Error> {
    let failed = |error| Error::Write { path: path.to_owned(), error };
    if path.try_exists().map_err(failed)? {
        return Err(failed(io::ErrorKind::AlreadyExists.into()));
    }
    let mut export = Export::new(path).map_err(failed)?;
    while let Some(part) = data.next().await? {
        export.take(part).map_err(failed)?;
    }
    let Counts { acts, matches, records, competitions, unreadable } = export.finish(path).map_err(failed)?;
    writeln!(
        out,
        "{}: acts {acts}, matches {matches}, records {records}, competitions {competitions}",
        path.display()
    )?;
    for id in unreadable {
        writeln!(out, "The match {id} can't be read: the account may have a part in it.")?;
    }
    Ok(())
}

impl Export {
    fn new(path: &Path) -> io::Result<Self> {
        let beside = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Its owner's alone: what is in it is about a person.
            builder.permissions(fs::Permissions::from_mode(0o700));
        }
        let folder = builder.tempdir_in(beside.unwrap_or(Path::new(".")))?;
        fs::create_dir(folder.path().join(RECORDS))?;
        let new = |name: &str| File::create_new(folder.path().join(name)).map(BufWriter::new);
        let (account, acts) = (new(ACCOUNT)?, new(ACTS)?);
        let (matches, competitions) = (new(MATCHES)?, new(COMPETITIONS)?);
        let counts = Counts::default();
        Ok(Self { folder, account, acts, matches, competitions, record: None, counts })
    }

    fn take(&mut self, part: Part) -> io::Result<()> {
        match part {
            Part::Account(account) => writeln!(self.account, "{:#}", of_account(&account)),
            Part::Act(act) => {
                self.counts.acts += 1;
                writeln!(self.acts, "{}", of_act(&act))
            }
            Part::AccountMatch(account_match) => {
                self.counts.matches += 1;
                writeln!(self.matches, "{}", of_match(&account_match))
            }
            Part::RecordChunk(chunk) => self.take_record(&chunk),
            Part::AccountCompetition(of) => {
                self.counts.competitions += 1;
                let line = json!({
                    "competition_id": of.competition_id,
                    "name": of.name,
                    "is_organizer": of.is_organizer,
                    "entrant": of.entrant,
                    "entrant_name": of.entrant_name,
                });
                writeln!(self.competitions, "{line}")
            }
            Part::UnreadableMatchId(id) => {
                writeln!(self.matches, "{}", json!({ "match_id": id, "is_readable": false }))?;
                self.counts.unreadable.push(id);
                Ok(())
            }
        }
    }

    fn take_record(&mut self, chunk: &RecordChunk) -> io::Result<()> {
        if self.record.as_ref().is_none_or(|(of, _)| *of != chunk.match_id) {
            self.end_record()?;
            // The id is the server's word, and the name of a file.
            if !chunk.match_id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "the server sent an id that is none"));
            }
            let path = self.folder.path().join(record_path(&chunk.match_id));
            self.record = Some((chunk.match_id.clone(), BufWriter::new(File::create_new(path)?)));
            self.counts.records += 1;
        }
        let record = self.record.iter_mut();
        record.map(|(_, file)| file).try_for_each(|file| file.write_all(chunk.text.as_bytes()))
    }

    fn end_record(&mut self) -> io::Result<()> {
        self.record.take().map_or(Ok(()), |(_, file)| end(file))
    }

    fn finish(mut self, path: &Path) -> io::Result<Counts> {
        self.end_record()?;
        let Self { folder, account, acts, matches, competitions, counts, .. } = self;
        [account, acts, matches, competitions].into_iter().try_for_each(end)?;
        let written = folder.keep();
        fs::rename(&written, path).inspect_err(|_| drop(fs::remove_dir_all(&written)))?;
        Ok(counts)
    }
}

fn end(file: BufWriter<File>) -> io::Result<()> {
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

fn record_path(match_id: &str) -> PathBuf {
    Path::new(RECORDS).join(format!("{match_id}.edg"))
}

fn roles(roles: impl Iterator<Item = AccountRole>) -> Vec<&'static str> {
    roles.map(|role| role.as_str_name()).collect()
}

/// A moment as text; nothing for none.
fn time<T: ToString>(time: Option<&T>) -> Value {
    time.map_or(Value::Null, |time| Value::String(time.to_string()))
}

fn of_account(account: &Account) -> Value {
    let quota = account.quota.as_ref().map(|quota| {
        json!({
            "open_matches": quota.open_matches,
            "bot_matches": quota.bot_matches,
            "streams": quota.streams,
            "calls": quota.calls,
            "calls_per_second": quota.calls_per_second,
            "bytes_per_second": quota.bytes_per_second,
        })
    });
    json!({
        "id": account.id,
        "roles": roles(account.roles()),
        "source": account.source().as_str_name(),
        "is_suspended": account.is_suspended,
        "is_deleted": account.is_deleted,
        "create_time": time(account.create_time.as_ref()),
        "quota": quota,
        "keys": account.keys.iter().map(of_key).collect::<Vec<_>>(),
    })
}

fn of_key(key: &AccountKey) -> Value {
    json!({
        "number": key.number,
        "label": key.label,
        "scopes": roles(key.scopes()),
        "create_time": time(key.create_time.as_ref()),
        "expire_time": time(key.expire_time.as_ref()),
        "revoke_time": time(key.revoke_time.as_ref()),
    })
}

fn of_act(act: &Act) -> Value {
    json!({
        "number": act.number,
        "act_time": time(act.act_time.as_ref()),
        "actor": act.actor,
        "request_id": act.request_id,
        "kind": act.kind().as_str_name(),
        "account_id": act.account_id,
        "key_number": act.key_number,
        "match_id": act.match_id,
        "text": act.text,
    })
}

fn of_match(account_match: &AccountMatch) -> Value {
    let whole = account_match.r#match.clone().unwrap_or_default();
    let (config, state): (MatchConfig, MatchState) =
        (whole.config.unwrap_or_default(), whole.state.unwrap_or_default());
    let result = state.result.as_ref().map(|result| {
        json!({
            "returns": result.returns,
            "code": result.code,
            "termination": result.termination().as_str_name(),
        })
    });
    let record = account_match.has_record.then(|| record_path(&config.match_id));
    json!({
        "match_id": config.match_id,
        "is_readable": true,
        "game": config.game,
        "scenario": config.scenario,
        "status": state.status().as_str_name(),
        "create_time": time(config.create_time.as_ref()),
        "end_time": time(state.end_time.as_ref()),
        "is_creator": account_match.is_creator,
        "seats": account_match.seats.iter().map(of_seat).collect::<Vec<_>>(),
        "invited_seats": account_match.invited_seats,
        "result": result,
        "corrected_returns": state.corrected_returns,
        "record": record,
    })
}

fn of_seat(seat: &AccountSeat) -> Value {
    json!({
        "seat": seat.seat,
        "player": seat.player,
        "join_time": time(seat.join_time.as_ref()),
        "leave_time": time(seat.leave_time.as_ref()),
    })
}
