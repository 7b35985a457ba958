//! `edgehill-server replay-all`: what this build would do to the matches of a store.

use std::fmt::Write as _;
use std::sync::Arc;

use serde_json::json;

use super::acts::note;
use super::{check_named, wait_for};
use crate::admin::{Act, ServerAct};
use crate::clock::{Clock, SystemClock};
use crate::command::args::ReplayAll;
use crate::command::failure::Failure;
use crate::command::say;
use crate::config::Config;
use crate::host::{MatchReader, Replayed};
use crate::server::{open_to_change, open_to_read};
use crate::store::limits::PAGE_MATCHES_MAX;
use crate::store::{ListedMatch, MatchId, Page, Store, StoreFilter};

/// The outcome for all matches.
#[derive(Debug, Default)]
struct Outcome {
    same: u64,
    taken_up: Vec<(MatchId, String)>,
    left: Vec<Left>,
}

/// A match that does not go on as it was.
#[derive(Debug)]
struct Left {
    id: MatchId,
    game: String,
    /// The name of what a server would make of it.
    reason: &'static str,
    why: String,
}

/// Plays all matches again, has the rules at hand take up those that they lead where they had led, and lists the rest.
///
/// # Errors
/// [`Failure::Fault`] if some would not go on; the others are taken up nevertheless.
pub(crate) fn replay_all(config: &Config, what: &ReplayAll) -> Result<(), Failure> {
    // A store without a name is told before anything is opened.
    check_named(config)?;
    let outcome = wait_for(replay(config, what))?;
    say(&if what.form.json { as_json(&outcome, what.check) } else { as_text(&outcome, what.check) })?;
    match outcome.left.len() {
        0 => Ok(()),
        left => Err(Failure::Fault(format!("{left} matches do not go on with this build as they were"))),
    }
}

async fn replay(config: &Config, what: &ReplayAll) -> Result<Outcome, Failure> {
    let opened = if what.check { open_to_read(config).await } else { open_to_change(config).await };
    let (store, reader) = opened.map_err(Failure::fault)?;
    let now_ms = SystemClock::new().unix_ms();
    let (mut outcome, mut page) = (Outcome::default(), Page { before: None, limit: PAGE_MATCHES_MAX });
    loop {
        let listing = store.list(StoreFilter::default(), page).await?;
        for row in listing.matches {
            outcome.note(&reader, &store, row, (now_ms, what.check)).await?;
        }
        match listing.next {
            Some(next) => page.before = Some(next),
            None => break,
        }
    }
    let taken_up = outcome.taken_up.len() as u64;
    if taken_up > 0 && !what.check {
        note(&store, reader.key(), Act::Server(ServerAct::MatchesTakenUp { count: taken_up })).await?;
    }
    store.close().await;
    Ok(outcome)
}

impl Outcome {
    async fn note(
        &mut self,
        reader: &MatchReader,
        store: &Arc<dyn Store>,
        row: ListedMatch,
        (now_ms, check): (u64, bool),
    ) -> Result<(), Failure> {
        let ListedMatch { id, game, quarantine, .. } = row;
        let (reason, why) = match quarantine {
            Some(quarantine) => ("QUARANTINED", format!("{}: {}", quarantine.reason, quarantine.detail)),
            None => match reader.replayed(id, now_ms).await {
                Ok(Replayed::Same) => {
                    self.same += 1;
                    return Ok(());
                }
                Ok(Replayed::TakenUp(append)) => {
                    if !check {
                        store.append(append).await?.await?;
                    }
                    self.taken_up.push((id, game));
                    return Ok(());
                }
                Ok(Replayed::Unplayable(why)) => ("UNPLAYABLE", why),
                Ok(Replayed::Stops(why)) => ("QUARANTINED", why),
                Ok(Replayed::ShowsOther(why)) => ("SHOWS_OTHER", why),
                Err(error) => ("UNREADABLE", error.to_string()),
            },
        };
        self.left.push(Left { id, game, reason, why });
        Ok(())
    }
}

fn as_text(outcome: &Outcome, check: bool) -> String {
    let taken_up = if check { "could be taken up" } else { "taken up" };
    let mut text = String::new();
    for (id, game) in &outcome.taken_up {
        let _ = writeln!(text, "{id} {game} {taken_up}");
    }
    for Left { id, game, reason, why } in &outcome.left {
        let game = if game.is_empty() { "-" } else { game };
        let _ = writeln!(text, "{id} {game} {reason}: {why}");
    }
    let (same, taken, left) = (outcome.same, outcome.taken_up.len(), outcome.left.len());
    let _ = writeln!(text, "{same} as they were, {taken} {taken_up}, {left} left");
    text
}

fn as_json(outcome: &Outcome, check: bool) -> String {
    let taken_up = outcome.taken_up.iter().map(|(id, game)| json!({ "id": id.to_string(), "game": game }));
    let left = outcome.left.iter().map(
        |Left { id, game, reason, why }| json!({ "id": id.to_string(), "game": game, "reason": reason, "detail": why }),
    );
    let report = json!({
        "changed": !check,
        "same": outcome.same,
        "taken_up": taken_up.collect::<Vec<_>>(),
        "left": left.collect::<Vec<_>>(),
    });
    format!("{report:#}\n")
}
