//! `WatchMatch`: an observer's events as they come.

use std::net::SocketAddr;

use edgehill_engine::seat::Observer;
use edgehill_proto::v1;
use edgehill_proto::v1::{ErrorReason, LegalDetail};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;
use tonic::metadata::MetadataMap;

use super::{Matches, field, state};
use crate::host::{Content, Follower};
use crate::identity::{Caller, Role, SeatToken};
use crate::matches::Phase;
use crate::wire::{self, Refused, TextMode};

/// Messages that wait for a slow client.
const WAITING_MAX: usize = 4;
/// The most messages of events that are made in one look at a match.
const BATCHES_MAX: usize = 4;

/// A watcher, and all that it was sent.
struct Watcher {
    matches: Matches,
    follower: Follower,
    observer: Observer,
    /// The token of the caller's own seat, until it can't become void any more.
    token: Option<SeatToken>,
    text: bool,
    /// Detail of the legal actions of the caller's own seat; `None`: none are wanted.
    legal: Option<LegalDetail>,
    /// The number of the last event that it has; `None`: it wants a view first.
    after: Option<u64>,
    state: Option<v1::MatchState>,
    /// The legal actions that were sent last, as the number of calls of the seat that had been carried out then.
    prompted: Option<u64>,
}

/// The result of a look at the match.
struct Look {
    updates: Vec<v1::SeatUpdate>,
    /// True if there is more to send at once.
    more: bool,
    /// True if nothing can come any more.
    done: bool,
}

impl Matches {
    pub(super) async fn watch(
        &self,
        metadata: &MetadataMap,
        address: Option<SocketAddr>,
        request: v1::WatchMatchRequest,
    ) -> Result<ReceiverStream<Result<v1::WatchMatchResponse, Status>>, Refused> {
        let caller = self.caller_as(Role::Spectator, metadata).await?;
        let id = field::match_id(&request.match_id)?;
        let open = self.0.streams.open(&caller, address)?;
        let mut follower = match self.host().follow(id).await {
            Ok(follower) => follower,
            Err(error) => return Err(self.refused(error, Some(id), None).await),
        };
        let legal = wire::legal::detail(request.legal, LegalDetail::None, "legal")?;
        let observer = self.watch_as(&mut follower, &caller, &request).await?;
        let token = match caller {
            Caller::Seat(token) if observer == Observer::Seat(token.seat()) => Some(token),
            _ => None,
        };
        if legal != LegalDetail::None && token.is_none() {
            let what = "legal actions are for the seat itself, with its token";
            return Err(Refused::new(ErrorReason::NotAllowed, what).violation("legal", what));
        }
        let watcher = Watcher {
            matches: self.clone(),
            follower,
            observer,
            token,
            text: request.include_text,
            legal: Some(legal).filter(|legal| *legal != LegalDetail::None),
            after: request.after_seq,
            state: None,
            prompted: None,
        };
        let (sender, receiver) = mpsc::channel(WAITING_MAX);
        tokio::spawn(async move {
            let _open = open;
            let said = sender.clone();
            // A stream that ends well says that the match is over, so it must not end so for another reason.
            if let Err(error) = tokio::spawn(watcher.serve(sender)).await {
                tracing::error!(target: "edgehill::api", %error, "a stream of events failed");
                let _ = said.send(Err(Refused::of(ErrorReason::InternalFault).into())).await;
            }
        });
        Ok(ReceiverStream::new(receiver))
    }

    async fn watch_as(
        &self,
        follower: &mut Follower,
        caller: &Caller,
        request: &v1::WatchMatchRequest,
    ) -> Result<Observer, Refused> {
        let id = follower.id();
        let shown = follower
            .read(|content| {
                let observer = match self.observer(content, caller, request.observer.as_ref())? {
                    Ok(observer) => observer,
                    Err(refused) => return Ok(Err(refused)),
                };
                let length = content.course().length(observer);
                Ok(request.after_seq.map_or(Ok(()), |after| field::cursor(after, length)).map(|()| observer))
            })
            .await;
        match shown {
            Ok(shown) => shown,
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }
}

impl Watcher {
    /// Tells what comes, until the match is over, the server stops or the client goes.
    async fn serve(mut self, sender: mpsc::Sender<Result<v1::WatchMatchResponse, Status>>) {
        let draining = self.matches.0.draining.clone();
        let ended = tokio::select! {
            ended = self.run(&sender) => ended,
            () = draining.cancelled() => Err(self.matches.draining()),
            () = sender.closed() => return,
        };
        if let Err(refused) = ended {
            // Nobody hears it if the client has gone.
            let _ = sender.send(Err(refused.into())).await;
        }
    }

    async fn run(
        &mut self,
        sender: &mpsc::Sender<Result<v1::WatchMatchResponse, Status>>,
    ) -> Result<(), Refused> {
        loop {
            let look = self.look().await?;
            for update in look.updates {
                if sender.send(Ok(v1::WatchMatchResponse { update: Some(update) })).await.is_err() {
                    return Ok(());
                }
            }
            if look.done {
                return Ok(());
            }
            if !look.more {
                self.follower.changed(self.observer).await;
            }
        }
    }

    async fn look(&mut self) -> Result<Look, Refused> {
        let Self { matches, follower, observer, token, text, legal, after, state: sent, prompted } = self;
        let id = follower.id();
        let batch = matches.limits().message_events.max(1);
        let looked = follower.read(|content| {
            // A seat that was given back may be somebody else's by now.
            if let Some(token) = token.as_ref() {
                matches.host().check_token(content.course(), token)?;
            }
            let is_settled = content.course().phase() != Phase::Waiting;
            let now = state::of(matches.host(), content);
            let mut cursor = *after;
            let (view, events) = news(content, *observer, *text, &mut cursor, BATCHES_MAX * batch);
            let seq = cursor.unwrap_or(0);
            let more = cursor.is_some_and(|cursor| cursor < content.course().length(*observer));
            let mut last = v1::SeatUpdate {
                seq,
                status: now.status,
                view,
                state: (sent.as_ref() != Some(&now)).then(|| now.clone()),
                ..v1::SeatUpdate::default()
            };
            let begins = sent.is_none();
            let mut calls = *prompted;
            if let (Observer::Seat(seat), Content::Live(live), false) = (*observer, content, more) {
                last.to_act = live.to_act().contains(seat);
                let asked = Some(live.calls_of(seat));
                if let (Some(table), Some(detail), true) = (live.table(), *legal, last.to_act)
                    && asked != calls
                {
                    calls = asked;
                    let actions = wire::legal::of(table.catalogue(), &table.legal(seat), detail);
                    last.legal_actions = Some(actions.unwrap_or_default());
                }
            }
            let updates = in_batches(events, last, batch, begins);
            let done = !more && content.course().phase() == Phase::Over;
            Ok((Look { updates, more, done }, cursor, now, calls, is_settled))
        });
        match looked.await {
            Ok((look, cursor, now, calls, is_settled)) => {
                // Only what is durable was sent.
                (*after, *sent, *prompted) = (cursor, Some(now), calls);
                if is_settled {
                    *token = None;
                }
                Ok(look)
            }
            Err(error) => Err(matches.refused(error, Some(id), None).await),
        }
    }
}

/// Updates of at most `batch` events each, the last of which is `last` besides; none if there is nothing new. `begins`: the
/// first of them is the first of its stream, and has the state.
fn in_batches(
    events: Vec<v1::Event>,
    mut last: v1::SeatUpdate,
    batch: usize,
    begins: bool,
) -> Vec<v1::SeatUpdate> {
    let mut batches: Vec<Vec<v1::Event>> = events.chunks(batch).map(<[v1::Event]>::to_vec).collect();
    let events = batches.pop().unwrap_or_default();
    let state = if begins && !batches.is_empty() { last.state.take() } else { None };
    let new = last.view.is_some() || last.state.is_some() || last.legal_actions.is_some();
    let mut updates: Vec<v1::SeatUpdate> = batches
        .into_iter()
        .map(|events| {
            let seq = events.last().map_or(last.seq, |event| event.seq);
            v1::SeatUpdate { seq, status: last.status, events, ..v1::SeatUpdate::default() }
        })
        .collect();
    if new || !events.is_empty() {
        updates.push(v1::SeatUpdate { events, ..last });
    }
    if let (Some(first), true) = (updates.first_mut(), state.is_some()) {
        first.state = state;
    }
    updates
}

/// The next events of an observer, at most `max` of a match that can be played; a view instead, if there is no cursor yet.
fn news(
    content: &Content,
    observer: Observer,
    text: bool,
    after: &mut Option<u64>,
    max: usize,
) -> (Option<v1::View>, Vec<v1::Event>) {
    let length = content.course().length(observer);
    match content {
        Content::Closed(closed) => {
            // There is no present view without rules: all is told from the beginning.
            let view = if after.is_none() { closed.start(observer).cloned() } else { None };
            let cursor = after.unwrap_or(0);
            *after = Some(length);
            (view, closed.published().since(observer, cursor, TextMode::OFF).collect())
        }
        Content::Live(live) => {
            let Some(table) = live.table() else { return (None, Vec::new()) };
            let text = TextMode::wanted(table.catalogue(), text);
            let Some(cursor) = *after else {
                *after = Some(length);
                return (Some(wire::view::of(&table.view(observer), text)), Vec::new());
            };
            let published = live.published().since(observer, cursor, text).take(max);
            *after = Some(cursor + published.len() as u64);
            (None, published.collect())
        }
    }
}
