//! `WatchAccount`: the matches of an account, as they come to concern it.
//!
//! A match is shown as it stands, not by what has happened to it: a client that goes on from a cursor is shown all that is not over
//! again, and what it is shown twice changes nothing.

use std::collections::HashMap;
use std::num::NonZeroUsize;

use edgehill_engine::seat::{Observer, Seat};
use edgehill_proto::v1::{self, ErrorReason};
use lru::LruCache;
use prost::Message;
use tonic::Status;
use tonic::metadata::MetadataMap;

use super::accounts_elsewhere::{Elsewhere, Heard};
use super::outbox::{Outbox, Outgoing, outbox};
use super::peers::OwnCall;
use super::revocation::Standing;
use super::{Matches, clock, invitations, state};
use crate::host::{self, AccountFollower, AccountNews, Content, Host, RESULTS_KEPT};
use crate::identity::{Caller, CallerKey, Role};
use crate::store::{self, AccountId, BodyHash, MatchId};
use crate::wire::Refused;

/// Matches that are over of which a watch remembers how they were shown.
const ENDED_KEPT: NonZeroUsize = NonZeroUsize::new(RESULTS_KEPT).unwrap();

/// Somebody who watches an account, and what they were shown of it.
struct AccountWatcher {
    matches: Matches,
    account: AccountId,
    watch: AccountFollower,
    /// The matches that other servers have; `None`: there are none.
    elsewhere: Option<Elsewhere>,
    /// All matches were shown that were here at the beginning, and whether more were settled than are remembered; taken once it is said.
    caught_up: Option<bool>,
    /// The hash of what was shown last of each match that is not over.
    shown: HashMap<MatchId, BodyHash>,
    /// The same of those that are, the last ones: whoever comes to have such a match tells of it again.
    ended: LruCache<MatchId, BodyHash>,
}

impl Matches {
    pub(super) async fn answer_watch_account(
        &self,
        (metadata, own): (&MetadataMap, Option<OwnCall>),
        counted_as: CallerKey,
        request: v1::WatchAccountRequest,
    ) -> Result<Outgoing<v1::WatchAccountResponse>, Refused> {
        let standing = self.standing(metadata, Some(Role::Spectator));
        let account = match self.caller_as(Role::Spectator, metadata).await? {
            Caller::Account { id, .. } => id,
            Caller::Anonymous => return Err(Refused::of(ErrorReason::NoAccounts)),
            Caller::Seat(_) => {
                let words = "a seat token plays its seat and nothing else; this needs the key of an account";
                return Err(Refused::new(ErrorReason::NotAllowed, words));
            }
        };
        let since_ms = cursor(&request.cursor, self.host().time_ms())?;
        let max = self.limits_of(&counted_as).streams;
        let open = self.0.streams.open(counted_as, max)?;
        let watch = match self.host().follow_account(account.clone(), since_ms).await {
            Ok(watch) => watch,
            Err(error) => return Err(self.refused(error, None, None).await),
        };
        let began = self.host().time_ms().to_string();
        let elsewhere = own.map(|own| Elsewhere::follow(own, request, began));
        let watcher = AccountWatcher {
            matches: self.clone(),
            account,
            watch,
            elsewhere,
            caught_up: None,
            shown: HashMap::new(),
            ended: LruCache::new(ENDED_KEPT),
        };
        let (out, outgoing) = outbox(open);
        tokio::spawn(async move {
            let said = out.clone();
            if let Err(error) = tokio::spawn(watcher.serve(standing, out)).await {
                tracing::error!(%error, "a stream of an account's matches failed");
                said.end(Refused::of(ErrorReason::InternalFault).into());
            }
        });
        Ok(outgoing)
    }
}

impl AccountWatcher {
    /// Sends what comes, until the caller is not let in any more, the server stops or the client goes.
    async fn serve(mut self, standing: Standing, out: Outbox<v1::WatchAccountResponse>) {
        let matches = self.matches.clone();
        let draining = matches.0.draining.clone();
        let status = tokio::select! {
            status = self.run(&out) => status,
            () = draining.cancelled() => matches.draining().into(),
            refused = standing.revoked() => refused.into(),
            () = out.closed() => return,
        };
        out.end(status);
    }

    /// Sends what comes. Returns why it can't go on.
    async fn run(&mut self, out: &Outbox<v1::WatchAccountResponse>) -> Status {
        loop {
            let heard = async {
                match &mut self.elsewhere {
                    Some(elsewhere) => elsewhere.next().await,
                    None => std::future::pending().await,
                }
            };
            let response = tokio::select! {
                news = self.watch.next() => {
                    // A look from here on is at least as new.
                    let cursor = self.matches.host().time_ms().to_string();
                    let response = match news {
                        AccountNews::CaughtUp { results_missing } => {
                            self.caught_up = Some(results_missing);
                            None
                        }
                        AccountNews::Match(id) => match self.look(id).await {
                            Ok(shown) => shown.map(shown_alone),
                            Err(refused) => return refused.into(),
                        },
                    };
                    response.map(|response| v1::WatchAccountResponse { cursor, ..response })
                }
                heard = heard => match heard {
                    Heard::Match(shown) => {
                        let cursor = self.matches.host().time_ms().to_string();
                        let shown = self.news_of(*shown).map(shown_alone);
                        shown.map(|response| v1::WatchAccountResponse { cursor, ..response })
                    }
                    Heard::CaughtUp { .. } => None,
                    Heard::Refused(status) => return status,
                },
            };
            if let Some(response) = response {
                out.send(response).await;
            }
            if !self.elsewhere.as_ref().is_some_and(Elsewhere::is_behind)
                && let Some(missing_here) = self.caught_up.take()
            {
                let missing_there = self.elsewhere.as_ref().is_some_and(Elsewhere::results_missing);
                let results_missing = missing_here || missing_there;
                let cursor = self.matches.host().time_ms().to_string();
                out.send(v1::WatchAccountResponse {
                    cursor,
                    caught_up: true,
                    results_missing,
                    ..Default::default()
                })
                .await;
            }
        }
    }

    /// A match as another server shows it, if that says something new.
    fn news_of(&mut self, now: v1::WatchedMatch) -> Option<v1::WatchedMatch> {
        let config = now.r#match.as_ref().and_then(|shown| shown.config.as_ref());
        let id: MatchId = config.and_then(|config| config.match_id.parse().ok())?;
        let is_over = now.r#match.as_ref().is_some_and(|shown| {
            let status = shown.state.as_ref().map(v1::MatchState::status);
            matches!(
                status,
                Some(v1::MatchStatus::Finished | v1::MatchStatus::Aborted | v1::MatchStatus::Expired)
            )
        });
        self.is_news(id, &now, is_over).then_some(now)
    }

    /// Notes what is shown of a match; returns whether that says something new.
    fn is_news(&mut self, id: MatchId, now: &v1::WatchedMatch, is_over: bool) -> bool {
        let has_part = now.is_creator || !now.seats.is_empty();
        let hash = lasting(now);
        if is_over {
            let was_shown = self.shown.remove(&id).is_some();
            // The last of a match is shown to those alone who were shown something of it.
            return if has_part { self.ended.put(id, hash) != Some(hash) } else { was_shown };
        }
        self.ended.pop(&id);
        if has_part { self.shown.insert(id, hash) != Some(hash) } else { self.shown.remove(&id).is_some() }
    }

    /// The match as it is to be shown; `None` if that says nothing new.
    async fn look(&mut self, id: MatchId) -> Result<Option<v1::WatchedMatch>, Refused> {
        let (matches, account) = (self.matches.clone(), self.account.clone());
        let host = matches.host();
        let looked = host.read(id, |content| {
            let is_over = content.course().settled_ms().is_some();
            Ok((watched(host, content, &account), is_over))
        });
        match looked.await {
            Ok((now, is_over)) => Ok(self.is_news(id, &now, is_over).then_some(now)),
            // It was deleted.
            Err(host::Error::Store(store::Error::NotFound(_))) => {
                self.shown.remove(&id);
                Ok(None)
            }
            // The server that has it tells of it.
            Err(host::Error::Elsewhere(_)) => Ok(None),
            Err(error) => Err(matches.refused(error, Some(id), None).await),
        }
    }
}

fn shown_alone(shown: v1::WatchedMatch) -> v1::WatchAccountResponse {
    v1::WatchAccountResponse { r#match: Some(shown), ..Default::default() }
}

/// The match as the account sees it.
fn watched(host: &Host, content: &Content, account: &AccountId) -> v1::WatchedMatch {
    let course = content.course();
    let part = course.current_part(account);
    let to_act = content.live().map(|live| live.to_act()).unwrap_or_default();
    let seat = |seat: Seat| {
        let to_act = part.held.contains(seat) && to_act.contains(seat);
        v1::WatchedSeat {
            seat: seat.index() as u32,
            is_invited: part.invited.contains(seat),
            to_act,
            time_left: to_act.then(|| clock::time_left(host, course, seat)).flatten(),
        }
    };
    let seats = (0..course.seats().len() as u8).map(Seat::new);
    // A player knows of their match what spectators are told later.
    let mut shown = match part.held.is_empty() {
        true => state::whole(host, content, Observer::Spectator),
        false => state::whole_of_all(host, content),
    };
    invitations::show_to(&mut shown, course, account);
    v1::WatchedMatch {
        r#match: Some(shown),
        is_creator: part.is_creator,
        seats: seats.filter(|&of| part.held.contains(of) || part.invited.contains(of)).map(seat).collect(),
    }
}

/// The hash of what is shown of a match, but for its clocks and the length of its sequence, which change with every action.
fn lasting(shown: &v1::WatchedMatch) -> BodyHash {
    let mut lasting = shown.clone();
    lasting.seats.iter_mut().for_each(|seat| seat.time_left = None);
    if let Some(shown) = &mut lasting.r#match {
        shown.seq = 0;
        shown.state.iter_mut().for_each(|state| state.clocks.clear());
    }
    BodyHash::of(&lasting.encode_to_vec())
}

/// `cursor`: the moment of it, in milliseconds since 1970; `None` for an empty one.
///
/// # Errors
/// INVALID_FIELD for one that this server has not given out.
fn cursor(given: &str, now_ms: u64) -> Result<Option<u64>, Refused> {
    if given.is_empty() {
        return Ok(None);
    }
    let written = |moment_ms: &u64| moment_ms.to_string() == given;
    let Some(moment_ms) = given.parse().ok().filter(written) else {
        return Err(Refused::field("cursor", "expected `cursor` of a response of this server, or nothing"));
    };
    // The machine's date may have been set back between two starts.
    Ok(Some(moment_ms.min(now_ms)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_one_that_was_given_out() {
        assert_eq!(cursor("", 5).unwrap(), None);
        assert_eq!(cursor("5", 5).unwrap(), Some(5));
        assert_eq!(cursor("6", 5).unwrap(), Some(5));
        for bad in ["05", "+5", "-1", " 5", "x", "18446744073709551616"] {
            let refused = cursor(bad, 5).unwrap_err();
            assert_eq!(refused.reason(), ErrorReason::InvalidField, "{bad}");
        }
    }

    #[test]
    fn clocks_and_lengths_are_no_news_and_turns_are() {
        let shown = |seq, to_act, left: i64| v1::WatchedMatch {
            r#match: Some(v1::Match {
                seq,
                state: Some(v1::MatchState {
                    clocks: vec![v1::SeatClock::default(); left as usize],
                    ..Default::default()
                }),
                ..Default::default()
            }),
            is_creator: false,
            seats: vec![v1::WatchedSeat { to_act, ..Default::default() }],
        };
        assert_eq!(lasting(&shown(1, true, 1)), lasting(&shown(9, true, 2)));
        assert_ne!(lasting(&shown(1, true, 1)), lasting(&shown(1, false, 1)));
    }
}
