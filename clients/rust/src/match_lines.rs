//! Matches of a competition as lines of JSON, with what was played in them ([`with_records`]).

use std::collections::BTreeMap;

use edgehill_client::{Client, Error as ClientError};
use edgehill_engine::event::ChanceRef;
use edgehill_engine::record::{Record, Recorded, RecordedResult};
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// The part of a server's line that says which match it is of.
#[derive(Deserialize)]
struct MatchOf {
    match_id: String,
    verdict: Option<String>,
}

/// The fields that come to a line of a match that has a verdict.
#[derive(Serialize)]
#[serde(untagged)]
enum Played {
    /// Its record is there for the caller.
    Told {
        rules: u32,
        content: String,
        scenario: String,
        options: BTreeMap<String, String>,
        result: Option<ResultLine>,
        given_up: Option<String>,
        entries: Vec<Entry>,
    },
    /// The server refuses it: the reason, as docs/errors.md has it.
    Refused { record_refused: String },
}

#[derive(Serialize)]
struct ResultLine {
    code: String,
    rule: String,
    returns: Vec<i32>,
    grade: String,
}

impl ResultLine {
    fn of(result: &RecordedResult) -> Self {
        let RecordedResult { code, rule, returns, grade } = result.clone();
        Self { code, rule, returns, grade }
    }
}

/// An entry of a record, as docs/record.md has them.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Entry {
    Actions { seat: String, line: String },
    Dice { at: String, faces: Vec<u8> },
    Draw { at: String, what: String },
    Resigned { seat: String },
    Agreed,
}

impl Entry {
    fn of(recorded: &Recorded) -> Self {
        let at = |place: &ChanceRef| format!("{}/{}", place.stream, place.n);
        match recorded.clone() {
            Recorded::Commit { seat, line } => Self::Actions { seat, line },
            Recorded::Roll { chance_ref, faces } => Self::Dice { at: at(&chance_ref), faces },
            Recorded::Pick { chance_ref, what } => Self::Draw { at: at(&chance_ref), what },
            Recorded::Resigned { seat } => Self::Resigned { seat },
            Recorded::Agreed => Self::Agreed,
        }
    }
}

/// The lines of a server, in which each match that has a verdict also has what its record tells: the result and all that was played; or the reason
/// for which the server does not give its record to this caller.
///
/// # Errors
/// If the server does not answer, or its lines or records can't be read.
pub(crate) async fn with_records(client: &Client, lines: &str) -> Result<String, Error> {
    let mut played = String::with_capacity(lines.len());
    for line in lines.lines() {
        let of: MatchOf = serde_json::from_str(line).map_err(|error| unreadable(line, &error.to_string()))?;
        if of.verdict.is_none() {
            played.push_str(line);
        } else {
            let added = serde_json::to_string(&of_record(client, &of.match_id).await?);
            let added = added.map_err(|error| Error::Fault(error.to_string()))?;
            // Both are objects with fields: one goes on where the other ends, so that the server's own part stays as it was.
            let open =
                line.trim_end().strip_suffix('}').ok_or_else(|| unreadable(line, "it does not end"))?;
            played.push_str(open);
            played.push(',');
            played.push_str(added.trim_start_matches('{'));
        }
        played.push('\n');
    }
    Ok(played)
}

async fn of_record(client: &Client, match_id: &str) -> Result<Played, Error> {
    let text = match client.matches().record(match_id).await {
        Ok(exported) => exported.text,
        Err(ClientError::Refused(refusal)) => {
            return Ok(Played::Refused { record_refused: refusal.reason_name() });
        }
        Err(error) => return Err(error.into()),
    };
    let record = Record::parse(&text)
        .map_err(|error| Error::Fault(format!("the record of match {match_id} can't be read: {error}")))?;
    let header = record.header();
    Ok(Played::Told {
        rules: header.begun_under.rules_version,
        content: header.begun_under.content.to_string(),
        scenario: header.scenario.clone(),
        options: header.options.clone(),
        result: record.result().map(ResultLine::of),
        given_up: record.given_up().map(str::to_owned),
        entries: record.entries().iter().map(|entry| Entry::of(&entry.what)).collect(),
    })
}

fn unreadable(line: &str, why: &str) -> Error {
    Error::Fault(format!("the server's line of a match can't be read: {why}: {line}"))
}
