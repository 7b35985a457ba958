//! `WatchMatch`: an observer's events as they come.

use edgehill_convert::messages::{self, TextMode};
use edgehill_engine::seat::Observer;
use edgehill_proto::v1;
use edgehill_proto::v1::{ErrorReason, LegalDetail};
use tonic::metadata::MetadataMap;
use tonic::{Status, Streaming};

use super::looking::Eyes;
use super::outbox::{Outbox, Outgoing, outbox};
use super::peers::{OwnCall, Patience};
use super::revocation::Standing;
use super::watching_elsewhere::{Elsewhere, Watched};
use super::{Matches, clock, field, state};
use crate::host::{Content, Follower};
use crate::identity::{Caller, CallerKey, Role, SeatToken};
use crate::matches::Phase;
use crate::store::MatchId;
use crate::wire::{self, Refused};

/// A watcher, and all that it was sent.
struct Watcher {
    matches: Matches,
    follower: Follower,
    observer: Observer,
    /// The token of the caller's own seat.
    token: Option<SeatToken>,
    /// How often players of the match had been replaced when the token was checked last: it becomes void with another time alone.
    /// `None`: it has to be checked, since the match waits for its seats.
    settled: Option<usize>,
    text: bool,
    /// Detail of the legal actions of the caller's own seat; `None`: none are wanted.
    legal: Option<LegalDetail>,
    /// The number of the last event that it has; `None`: it wants a view first.
    after: Option<u64>,
    state: Option<v1::MatchState>,
    /// The legal actions that were sent last, by the number of the prompt ([`LiveMatch::prompt_of`](crate::matches::LiveMatch::prompt_of)).
    prompted: Option<u64>,
}

/// The result of a look at the match.
struct Look {
    update: Option<v1::SeatUpdate>,
    /// True if there is more to send at once.
    more: bool,
    /// True if nothing can come any more.
    done: bool,
    /// When there is more to see though nothing happen, in the host's milliseconds since 1970.
    more_ms: Option<u64>,
}

impl Matches {
    pub(super) async fn answer_watch(
        &self,
        (metadata, own): (&MetadataMap, Option<OwnCall>),
        counted_as: CallerKey,
        request: v1::WatchMatchRequest,
    ) -> Result<Outgoing<v1::WatchMatchResponse>, Status> {
        let standing = self.standing(metadata, Some(Role::Spectator));
        let id = field::match_id(&request.match_id);
        let elsewhere = own.zip(id.as_ref().ok().copied());
        let mut elsewhere = elsewhere.map(|(call, id)| Elsewhere {
            matches: self.clone(),
            call,
            id,
            request: request.clone(),
            patience: Patience::new(self.host().elapsed()),
        });
        let there = match &mut elsewhere {
            Some(elsewhere) if !self.host().shards().has(elsewhere.id) => elsewhere.open().await?,
            _ => None,
        };
        let max = self.limits_of(&counted_as).streams;
        let (open, at) = match there {
            Some(stream) => (self.0.streams.open(counted_as, max)?, At::There(Box::new(stream))),
            None => {
                let caller = self.caller_as(Role::Spectator, metadata).await?;
                let id = id?;
                let open = self.0.streams.open(counted_as, max)?;
                (open, At::Here(Box::new(self.watcher(&caller, id, &request).await?)))
            }
        };
        let watch = Watch { matches: self.clone(), metadata: metadata.clone(), elsewhere };
        let (out, outgoing) = outbox(open);
        tokio::spawn(async move {
            let said = out.clone();
            // A stream that ends well says that the match is over, so it must not end so for another reason.
            if let Err(error) = tokio::spawn(watch.serve(at, standing, out)).await {
                tracing::error!(%error, "a stream of events failed");
                said.end(Refused::of(ErrorReason::InternalFault).into());
            }
        });
        Ok(outgoing)
    }

    /// A watcher of a match that is here.
    async fn watcher(
        &self,
        caller: &Caller,
        id: MatchId,
        request: &v1::WatchMatchRequest,
    ) -> Result<Watcher, Refused> {
        let mut follower = match self.host().follow(id).await {
            Ok(follower) => follower,
            Err(error) => return Err(self.refused(error, Some(id), None).await),
        };
        let legal = wire::legal::detail(request.legal, LegalDetail::None, "legal")?;
        let eyes = self.watch_as(&mut follower, caller, request).await?;
        let observer = eyes.observer;
        let token = match caller {
            Caller::Seat(token) if observer == Observer::Seat(token.seat()) => Some(token.clone()),
            _ => None,
        };
        if legal != LegalDetail::None && token.is_none() {
            let what = "legal actions are for the seat itself, with its token";
            return Err(Refused::new(ErrorReason::NotAllowed, what).violation("legal", what));
        }
        if let Some(seat) = eyes.noted_seat() {
            self.note_look(caller, id, Some(seat)).await?;
        }
        Ok(Watcher {
            matches: self.clone(),
            follower,
            observer,
            token,
            settled: None,
            text: request.include_text,
            legal: Some(legal).filter(|legal| *legal != LegalDetail::None),
            after: request.after_seq,
            state: None,
            prompted: None,
        })
    }

    async fn watch_as(
        &self,
        follower: &mut Follower,
        caller: &Caller,
        request: &v1::WatchMatchRequest,
    ) -> Result<Eyes, Refused> {
        let id = follower.id();
        let shown = follower
            .read(|content| {
                let eyes = match self.eyes(content, caller, request.observer.as_ref())? {
                    Ok(eyes) => eyes,
                    Err(refused) => return Ok(Err(refused)),
                };
                let length = self.host().sight(content.course(), eyes.observer).seq;
                Ok(request.after_seq.map_or(Ok(()), |after| field::cursor(after, length)).map(|()| eyes))
            })
            .await;
        match shown {
            Ok(shown) => shown,
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }
}

/// A watch, wherever its match is.
struct Watch {
    matches: Matches,
    metadata: MetadataMap,
    /// `None`: no other server may have it.
    elsewhere: Option<Elsewhere>,
}

/// The place of a watched match.
enum At {
    Here(Box<Watcher>),
    There(Box<Streaming<v1::WatchMatchResponse>>),
}

impl Watch {
    /// Sends what comes, until the match is over, the caller is not let in any more, the server stops or the client goes.
    async fn serve(mut self, at: At, standing: Standing, out: Outbox<v1::WatchMatchResponse>) {
        let matches = self.matches.clone();
        let draining = matches.0.draining.clone();
        let ended = tokio::select! {
            ended = self.run(at, &out) => ended,
            () = draining.cancelled() => Err(matches.draining().into()),
            refused = standing.revoked() => Err(refused.into()),
            () = out.closed() => return,
        };
        if let Err(status) = ended {
            out.end(status);
        }
    }

    async fn run(&mut self, mut at: At, out: &Outbox<v1::WatchMatchResponse>) -> Result<(), Status> {
        loop {
            let there = match at {
                At::Here(mut watcher) => match watcher.run(out).await {
                    Ok(()) => return Ok(()),
                    Err(refused) => match &mut self.elsewhere {
                        Some(elsewhere) if refused.is_elsewhere().is_some() => {
                            elsewhere.request.after_seq = watcher.after;
                            elsewhere.open().await?
                        }
                        _ => return Err(refused.into()),
                    },
                },
                At::There(stream) => match &mut self.elsewhere {
                    Some(elsewhere) => match elsewhere.pass_on(*stream, out).await? {
                        Watched::Here => None,
                        Watched::Over | Watched::Gone => return Ok(()),
                    },
                    None => return Ok(()),
                },
            };
            at = match (there, &self.elsewhere) {
                (Some(stream), _) => At::There(Box::new(stream)),
                (None, Some(Elsewhere { id, request, .. })) => {
                    let caller = self.matches.caller_as(Role::Spectator, &self.metadata).await?;
                    At::Here(Box::new(self.matches.watcher(&caller, *id, request).await?))
                }
                (None, None) => return Ok(()),
            };
        }
    }
}

impl Watcher {
    async fn run(&mut self, out: &Outbox<v1::WatchMatchResponse>) -> Result<(), Refused> {
        loop {
            let look = self.look().await?;
            if let Some(update) = look.update {
                out.send(v1::WatchMatchResponse { update: Some(update) }).await;
            }
            if look.done {
                return Ok(());
            }
            if !look.more {
                tokio::select! {
                    () = self.follower.changed(self.observer) => {}
                    () = self.matches.host().reach(look.more_ms) => {}
                }
            }
        }
    }

    async fn look(&mut self) -> Result<Look, Refused> {
        let Self { matches, follower, observer, token, settled, text, legal, after, state: sent, prompted } =
            self;
        let id = follower.id();
        let batch = matches.limits().message_events.max(1);
        let looked = follower.read(|content| {
            // A seat that was given back, or whose player was replaced, may be somebody else's by now.
            let replaced = Some(content.course().players_replaced());
            if let Some(token) = token.as_ref().filter(|_| *settled != replaced) {
                matches.host().check_token(content.course(), token)?;
            }
            let checked = replaced.filter(|_| content.course().phase() != Phase::Waiting);
            let now = state::of(matches.host(), content, *observer);
            let sight = matches.host().sight(content.course(), *observer);
            let mut cursor = *after;
            let (view, events) = news(content, (*observer, sight.seq), *text, &mut cursor, batch);
            let seq = cursor.unwrap_or(0);
            let more = cursor.is_some_and(|cursor| cursor < sight.seq);
            // All that comes before the last of the events has the state only where it is the first of all.
            let state_due = sent.as_ref() != Some(&now) && (!more || sent.is_none());
            let mut update = v1::SeatUpdate {
                seq,
                status: now.status,
                view,
                events,
                state: state_due.then(|| now.clone()),
                ..v1::SeatUpdate::default()
            };
            let mut calls = *prompted;
            if let (Observer::Seat(seat), Content::Live(live), false) = (*observer, content, more) {
                update.to_act = live.to_act().contains(seat);
                if update.to_act {
                    update.time_left = clock::time_left(matches.host(), live.course(), seat);
                }
                let asked = Some(live.prompt_of(seat));
                let legal = legal.filter(|_| !live.course().withheld().legal_actions);
                if let (Some(table), Some(detail), true) = (live.table(), legal, update.to_act)
                    && asked != calls
                {
                    calls = asked;
                    let actions = messages::legal::of(table.catalogue(), &table.legal(seat), detail);
                    update.legal_actions = Some(actions.unwrap_or_default());
                }
            }
            let done = !more && content.course().phase() == Phase::Over;
            let update = Some(update).filter(is_new);
            Ok((
                Look { update, more, done, more_ms: sight.more_ms },
                cursor,
                state_due.then_some(now),
                calls,
                checked,
            ))
        });
        match looked.await {
            Ok((look, cursor, now, calls, checked)) => {
                // Only what is durable was sent.
                (*after, *prompted) = (cursor, calls);
                if now.is_some() {
                    *sent = now;
                }
                *settled = checked;
                Ok(look)
            }
            Err(error) => Err(matches.refused(error, Some(id), None).await),
        }
    }
}

/// Returns whether an update has anything in it.
const fn is_new(update: &v1::SeatUpdate) -> bool {
    update.view.is_some()
        || update.state.is_some()
        || update.legal_actions.is_some()
        || !update.events.is_empty()
}

/// The next events of an observer who sees that far, at most `max`; a view instead, if there is no cursor yet and there is a view.
fn news(
    content: &Content,
    (observer, seen): (Observer, u64),
    text: bool,
    after: &mut Option<u64>,
    max: usize,
) -> (Option<v1::View>, Vec<v1::Event>) {
    let text = match content {
        Content::Closed(_) => TextMode::OFF,
        Content::Live(live) => {
            let Some(table) = live.table() else { return (None, Vec::new()) };
            TextMode::wanted(table.catalogue(), text)
        }
    };
    let Some(cursor) = *after else {
        *after = Some(seen);
        return (view(content, (observer, seen), text), Vec::new());
    };
    let ahead = usize::try_from(seen.saturating_sub(cursor)).unwrap_or(usize::MAX);
    let published = content.published().since(observer, cursor).take(max.min(ahead));
    *after = Some(cursor + published.len() as u64);
    (None, published.map(|one| wire::encoder::event(&one, text)).collect())
}

/// The view of an observer who sees that far, if it has begun.
fn view(content: &Content, (observer, seen): (Observer, u64), text: TextMode<'_>) -> Option<v1::View> {
    match content {
        Content::Closed(closed) => wire::encoder::view_at(closed, observer, seen),
        Content::Live(live) if seen < live.course().length(observer) => {
            wire::encoder::live_view_at(live, observer, seen, text).ok()
        }
        Content::Live(live) => Some(messages::view::of(&live.table()?.view(observer), text)),
    }
}
