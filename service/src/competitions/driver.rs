//! The driver of a competition: it does what is due, and writes down what it did.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use edgehill_competition::{CompetitionEvent, CompetitionPhase, Due, EntrantId, Format, MatchSlot, Verdict};
use edgehill_engine::seat::Observer;
use tokio::task::{AbortHandle, JoinSet};

use super::ending::{self, Ending, ScoreRange};
use super::error::Error;
use super::hosted::HostedCompetition;
use super::{Inner, Slot};
use crate::host::{self, Content, Host};
use crate::matches::Phase;
use crate::store::{self, MatchId};

/// The time after which something is tried again that could not be done.
const RETRY_AFTER: Duration = Duration::from_secs(2);

struct Driver {
    inner: Arc<Inner>,
    slot: Arc<Slot>,
    watched: HashMap<MatchSlot, AbortHandle>,
    ended: JoinSet<(MatchSlot, Ending)>,
    /// Matches that were taken back.
    taken_back: HashSet<MatchId>,
}

/// Drives a competition until it is over, or the server closes.
pub(super) fn start(inner: Arc<Inner>, slot: Arc<Slot>) {
    let driver =
        Driver { inner, slot, watched: HashMap::new(), ended: JoinSet::new(), taken_back: HashSet::new() };
    tokio::spawn(driver.run());
}

/// The state of a driver after a look.
enum Stand {
    /// Something was written: there may be more to do.
    GoesOn,
    /// Matches are played, or somebody is waited for.
    Waits,
    /// It is over.
    Done,
}

impl Driver {
    async fn run(mut self) {
        let closing = self.inner.closing.clone();
        loop {
            let stand = tokio::select! {
                stand = self.step() => stand,
                () = closing.cancelled() => return,
            };
            let retry = match stand {
                Ok(Stand::GoesOn) => continue,
                Ok(Stand::Done) => {
                    self.slot.set_trouble("");
                    self.inner.keep_recent(self.slot.id);
                    return;
                }
                Ok(Stand::Waits) => {
                    self.slot.set_trouble("");
                    None
                }
                Err(trouble) => {
                    tracing::warn!(competition = %self.slot.id, trouble, "a competition does not go on");
                    self.slot.set_trouble(&trouble);
                    Some(RETRY_AFTER)
                }
            };
            let clock = &self.inner.clock;
            let retry_at = retry.map(|after| clock.elapsed().saturating_add(after));
            tokio::select! {
                () = closing.cancelled() => return,
                () = self.slot.changed.notified() => {}
                Some(ended) = self.ended.join_next() => self.note(ended.ok().into_iter().collect()).await,
                () = async {
                    match retry_at {
                        Some(at) => clock.reach(at).await,
                        None => std::future::pending().await,
                    }
                } => {}
            }
        }
    }

    /// Does what is due.
    ///
    /// # Errors
    /// The trouble, in words for people: it is tried again.
    async fn step(&mut self) -> Result<Stand, String> {
        let told = |error: Error| error.to_string();
        let hosted = self.inner.state(&self.slot).await.map_err(told)?;
        self.take_back_what_is_void(&hosted).await?;
        if hosted.competition().phase() != CompetitionPhase::Running {
            self.ended.abort_all();
            return Ok(Stand::Done);
        }
        let (mut begun, mut watched) = (Vec::new(), HashSet::new());
        for due in hosted.competition().due() {
            match due {
                Due::Pair { round, encounters } => {
                    let paired = vec![CompetitionEvent::RoundPaired { round, encounters }];
                    self.inner.append(&self.slot, paired).await.map_err(told)?;
                    return Ok(Stand::GoesOn);
                }
                Due::Finish => {
                    self.inner.append(&self.slot, vec![CompetitionEvent::Finished]).await.map_err(told)?;
                    return Ok(Stand::GoesOn);
                }
                Due::Begin(planned) => match self.inner.make_match(&hosted, &planned).await {
                    Ok(id) => begun
                        .push(CompetitionEvent::MatchBegun { slot: planned.slot, match_id: id.to_string() }),
                    // Those that were made are written down first.
                    Err(trouble) if begun.is_empty() => return Err(trouble),
                    Err(_) => break,
                },
                Due::Watch { slot, seats, match_id } => {
                    watched.insert(slot);
                    self.watch(&hosted, slot, seats, &match_id)?;
                }
            }
        }
        if !begun.is_empty() {
            self.inner.append(&self.slot, begun).await.map_err(told)?;
            return Ok(Stand::GoesOn);
        }
        self.watched.retain(|slot, task| {
            let is_due = watched.contains(slot);
            if !is_due {
                task.abort();
            }
            is_due
        });
        Ok(Stand::Waits)
    }

    /// Watches a match to its end, unless that is done.
    fn watch(
        &mut self,
        hosted: &HostedCompetition,
        slot: MatchSlot,
        seats: Vec<EntrantId>,
        match_id: &str,
    ) -> Result<(), String> {
        if self.watched.contains_key(&slot) {
            return Ok(());
        }
        let id = parsed(match_id)?;
        let settings = hosted.settings();
        let range = match settings.format {
            Format::Series { least, most, .. } => Some((least, most)),
            _ => None,
        };
        let other = settings.encounter.mirrored.then(|| partner(hosted, slot)).flatten();
        let watch = WatchedMatch { host: self.inner.host.clone(), id, seats, range, other };
        let clock = Arc::clone(&self.inner.clock);
        let task = self.ended.spawn(async move {
            loop {
                match watch.end().await {
                    Ok(ending) => return (slot, ending),
                    Err(error) => {
                        tracing::debug!(match_id = %watch.id, %error, "a match of a competition can't be watched");
                        clock.reach(clock.elapsed().saturating_add(RETRY_AFTER)).await;
                    }
                }
            }
        });
        self.watched.insert(slot, task);
        Ok(())
    }

    /// Writes the ends of matches down; what can't be written is found again by the next look.
    async fn note(&mut self, mut ended: Vec<(MatchSlot, Ending)>) {
        // Those that ended together are written together.
        while let Some(more) = self.ended.try_join_next() {
            ended.extend(more.ok());
        }
        let events = ended.into_iter().filter_map(|(slot, ending)| {
            self.watched.remove(&slot);
            Some(match ending {
                Ending::Verdict(verdict, evidence) => {
                    CompetitionEvent::MatchEnded { slot, verdict, evidence }
                }
                Ending::Void { replay, evidence } => CompetitionEvent::MatchVoided { slot, replay, evidence },
                // It is looked at again.
                Ending::Unbegun => return None,
            })
        });
        let events = events.collect();
        if let Err(error) = self.inner.append(&self.slot, events).await {
            tracing::warn!(competition = %self.slot.id, %error, "ends of matches are not written down yet");
        }
    }

    /// Ends the matches that count for nothing: those that were voided and, of a competition that was cancelled, all that are not over.
    async fn take_back_what_is_void(&mut self, hosted: &HostedCompetition) -> Result<(), String> {
        let competition = hosted.competition();
        let is_cancelled = competition.phase() == CompetitionPhase::Cancelled;
        for (slot, played) in competition.matches() {
            let is_void = played.replayed || played.verdict == Some(Verdict::Void);
            let is_left = is_cancelled && played.verdict.is_none();
            if !is_void && !is_left {
                continue;
            }
            let id = parsed(&played.match_id)?;
            if self.taken_back.contains(&id) {
                continue;
            }
            let reason = if is_void { "voided by the competition" } else { "the competition was cancelled" };
            match self.inner.host.take_back(id, reason).await {
                // One that is stopped takes nothing, and one that was deleted is no more.
                Ok(()) | Err(host::Error::Match(_)) => {}
                Err(host::Error::Store(store::Error::NotFound(_))) => {}
                Err(error) => return Err(format!("match {slot} can't be taken back: {error}")),
            }
            self.taken_back.insert(id);
        }
        Ok(())
    }
}

fn parsed(match_id: &str) -> Result<MatchId, String> {
    match_id.parse().map_err(|_| format!("`{match_id}` is no match's id"))
}

/// The other match of a mirrored pair, with the entrants in the order of its seats.
fn partner(hosted: &HostedCompetition, slot: MatchSlot) -> Option<(MatchId, Vec<EntrantId>)> {
    let index = slot.index() ^ 1;
    let encounter = hosted.competition().encounter_of(slot)?;
    let same = |(of, _): &(MatchSlot, _)| {
        of.encounter == slot.encounter && of.index() == index && of.attempt == slot.attempt
    };
    let (_, played) = hosted.competition().matches().find(same)?;
    Some((played.match_id.parse().ok()?, encounter.seats(index)))
}

/// A match that is watched to its end.
struct WatchedMatch {
    host: Host,
    id: MatchId,
    seats: Vec<EntrantId>,
    range: ScoreRange,
    other: Option<(MatchId, Vec<EntrantId>)>,
}

impl WatchedMatch {
    /// Returns how it has ended, when it has.
    async fn end(&self) -> Result<Ending, host::Error> {
        let mut follower = self.host.follow(self.id).await?;
        loop {
            let look = |content: &Content| {
                let course = content.course();
                let expires_ms = self.host.expire_ms(course).filter(|_| course.phase() == Phase::Waiting);
                Ok((Ending::of(course, &self.seats, self.range), expires_ms))
            };
            let (ending, expires_ms) = follower.read(look).await?;
            match ending {
                Some(Ending::Unbegun) => return self.unbegun().await,
                Some(ending) => return Ok(ending),
                None => {}
            }
            tokio::select! {
                () = follower.changed(Observer::Spectator) => {}
                () = self.host.reach(expires_ms) => self.host.expire(self.id).await?,
            }
        }
    }

    /// The end of one that did not begin: who is missing in the other match of its pair?
    async fn unbegun(&self) -> Result<Ending, host::Error> {
        let Some((other, seats)) = &self.other else { return Ok(Ending::without(&[])) };
        let missing = self.host.read(*other, |content| Ok(ending::missing(content.course(), seats))).await?;
        Ok(Ending::without(&missing))
    }
}
