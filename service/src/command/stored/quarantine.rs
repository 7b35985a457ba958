//! `edgehill-server quarantine`: the matches that are closed to play.

use std::fmt::Write as _;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::json;

use super::acts::note;
use super::{check_named, wait_for};
use crate::admin::{Act, MatchAct, MatchActKind};
use crate::command::args::QuarantineVerb;
use crate::command::failure::Failure;
use crate::command::say;
use crate::config::Config;
use crate::server::{open_beside, open_sealed};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{ListedMatch, MatchId, Page, Quarantine, Store, StoreFilter};

/// Lists the matches that are closed to play, or opens some again.
pub(crate) fn quarantine(config: &Config, verb: &QuarantineVerb) -> Result<(), Failure> {
    check_named(config)?;
    match verb {
        QuarantineVerb::List(form) => {
            let store = open_beside(config).map_err(Failure::fault)?;
            let closed = wait_for(closed_matches(&*store))?;
            say(&if form.json { as_json(&closed) } else { as_text(&closed) })
        }
        QuarantineVerb::Release { matches } => wait_for(release(config, matches)),
    }
}

/// The matches that are closed to play, last made first, with the reason.
async fn closed_matches(store: &dyn Store) -> Result<Vec<(ListedMatch, Quarantine)>, Failure> {
    let (mut closed, mut page) = (Vec::new(), Page { before: None, limit: PAGE_MATCHES_MAX });
    loop {
        let listing = store.list(StoreFilter::default(), page).await?;
        let stopped = listing.matches.into_iter().filter_map(|mut row| Some((row.quarantine.take()?, row)));
        closed.extend(stopped.map(|(why, row)| (row, why)));
        match listing.next {
            Some(next) => page.before = Some(next),
            None => return Ok(closed),
        }
    }
}

/// Opens matches again, of which the log is whole; the first that is not ends it.
async fn release(config: &Config, matches: &[MatchId]) -> Result<(), Failure> {
    let (store, key) = open_sealed(config).await.map_err(Failure::fault)?;
    for &id in matches {
        store.release(id).await?;
        let act = MatchAct { id: *id.as_bytes(), what: MatchActKind::Release };
        note(&store, &key, Act::Match(act)).await?;
        say(&format!("{id} is released\n"))?;
    }
    store.close().await;
    Ok(())
}

fn as_text(closed: &[(ListedMatch, Quarantine)]) -> String {
    let mut text = String::new();
    for (row, Quarantine { reason, detail, since_ms }) in closed {
        let game = if row.game.is_empty() { "-" } else { &row.game };
        let _ = writeln!(text, "{} {game} {} {reason}: {detail}", row.id, date(*since_ms));
    }
    text
}

fn as_json(closed: &[(ListedMatch, Quarantine)]) -> String {
    let closed = closed.iter().map(|(row, Quarantine { reason, detail, since_ms })| {
        json!({
            "id": row.id.to_string(),
            "game": row.game,
            "revision": row.revision,
            "since": date(*since_ms),
            "reason": reason,
            "detail": detail,
        })
    });
    format!("{:#}\n", json!(closed.collect::<Vec<_>>()))
}

/// A date as RFC 3339 has it.
fn date(unix_ms: u64) -> String {
    humantime::format_rfc3339_seconds(UNIX_EPOCH + Duration::from_millis(unix_ms)).to_string()
}
