//! `Watch`: an observer's events as they come.

use std::net::SocketAddr;

use edgehill_engine::seat::Observer;
use edgehill_proto::v1;
use edgehill_proto::v1::ErrorReason;
use edgehill_proto::v1::watch_response::Item;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Status;
use tonic::metadata::MetadataMap;

use super::{Matches, field, state};
use crate::host::{Content, Error, Follower};
use crate::identity::{Caller, Role};
use crate::matches::Phase;
use crate::wire::{self, Refused, TextMode};

/// Messages that wait for a slow client.
const WAITING_MAX: usize = 4;
/// The most messages of events that are made in one look at a match.
const BATCHES_MAX: usize = 4;

/// The parts of a watcher.
struct Watcher {
    matches: Matches,
    follower: Follower,
    observer: Observer,
    words: bool,
    /// The number of the last event that it has; `None`: it wants a view first.
    after: Option<u64>,
    state: Option<v1::MatchState>,
}

/// The result of a look at the match.
struct Look {
    items: Vec<Item>,
    /// True if there is more to send at once.
    more: bool,
    /// True if nothing can come any more.
    done: bool,
}

impl Matches {
    pub(super) async fn watch_match(
        &self,
        metadata: &MetadataMap,
        address: Option<SocketAddr>,
        request: v1::WatchRequest,
    ) -> Result<ReceiverStream<Result<v1::WatchResponse, Status>>, Refused> {
        let caller = self.caller_as(Role::Spectator, metadata).await?;
        let id = field::match_id(&request.match_id)?;
        let open = self.0.streams.open(&caller, address)?;
        let mut follower = match self.host().follow(id).await {
            Ok(follower) => follower,
            Err(error) => return Err(self.refused(error, Some(id), None).await),
        };
        let observer = self.watch_as(&mut follower, &caller, &request).await?;
        let watcher = Watcher {
            matches: self.clone(),
            follower,
            observer,
            words: request.words,
            after: request.after_seq,
            state: None,
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
        request: &v1::WatchRequest,
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
    async fn serve(mut self, sender: mpsc::Sender<Result<v1::WatchResponse, Status>>) {
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

    async fn run(&mut self, sender: &mpsc::Sender<Result<v1::WatchResponse, Status>>) -> Result<(), Refused> {
        loop {
            let look = self.look().await?;
            for item in look.items {
                if sender.send(Ok(v1::WatchResponse { item: Some(item) })).await.is_err() {
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
        let Self { matches, follower, observer, words, after, state: told } = self;
        let id = follower.id();
        let batch = matches.limits().message_events;
        let looked = follower.read(|content| {
            let mut items = Vec::new();
            let now = state::of(matches.host(), content);
            if told.as_ref() != Some(&now) {
                items.push(Item::State(now.clone()));
            }
            let mut cursor = *after;
            let (events, more) = news(content, *observer, *words, &mut cursor, batch, &mut items)?;
            items.extend(events.into_iter().map(|events| Item::Events(v1::EventBatch { events })));
            let done = !more && content.course().phase() == Phase::Over;
            Ok((Look { items, more, done }, cursor, now))
        });
        match looked.await {
            Ok((look, cursor, now)) => {
                // Only what is durable was told.
                (*after, *told) = (cursor, Some(now));
                Ok(look)
            }
            Err(error) => Err(matches.refused(error, Some(id), None).await),
        }
    }
}

/// The next events in messages, and whether there are more; a view first, if there is no cursor yet.
fn news(
    content: &Content,
    observer: Observer,
    words: bool,
    after: &mut Option<u64>,
    batch: usize,
    items: &mut Vec<Item>,
) -> Result<(Vec<Vec<v1::Event>>, bool), Error> {
    let length = content.course().length(observer);
    let events: Vec<v1::Event> = match content {
        Content::Closed(closed) => {
            let cursor = match *after {
                Some(cursor) => cursor,
                // There is no present view without rules: all is told from the beginning.
                None => {
                    let view = closed.start(observer).cloned();
                    items.extend(
                        view.map(|view| Item::Snapshot(Box::new(v1::Snapshot { seq: 0, view: Some(view) }))),
                    );
                    0
                }
            };
            *after = Some(length);
            closed.published().since(observer, cursor, TextMode::OFF).collect()
        }
        Content::Live(live) => {
            let Some(table) = live.table() else { return Ok((Vec::new(), false)) };
            let words = TextMode::wanted(table.catalogue(), words);
            let Some(cursor) = *after else {
                let view = Some(wire::view::of(&table.view(observer), words));
                items.push(Item::Snapshot(Box::new(v1::Snapshot { seq: length, view })));
                *after = Some(length);
                return Ok((Vec::new(), false));
            };
            let published = live.published().since(observer, cursor, words).take(BATCHES_MAX * batch);
            *after = Some(cursor + published.len() as u64);
            published.collect()
        }
    };
    let more = after.is_some_and(|after| after < length);
    Ok((events.chunks(batch.max(1)).map(<[v1::Event]>::to_vec).collect(), more))
}
