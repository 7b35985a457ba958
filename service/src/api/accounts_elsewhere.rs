//! The matches of an account that other servers have, for somebody who watches it here ([`Elsewhere`]).
//!
//! Each server has some of the matches: a stream is open to each of the others, is opened anew where it broke off, and to servers that
//! come. A match that moves is told of by whoever has it, so that the same may be heard twice: what was heard last is not said again.

use std::collections::HashMap;

use edgehill_proto::v1;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tonic::Status;

use super::peers::{OwnCall, PeerApp, is_elsewhere};
use crate::store::ServerId;

/// Messages of others that wait until they are said.
const WAITING_MAX: usize = 16;

/// Something that another server says.
pub(super) enum Heard {
    /// A match as the account sees it.
    Match(Box<v1::WatchedMatch>),
    /// All that there were have said what there was.
    CaughtUp { results_missing: bool },
    /// The caller is not let in there, or has too many streams.
    Refused(Status),
}

/// The streams from other servers. They end when this is dropped.
pub(super) struct Elsewhere {
    heard: mpsc::Receiver<(ServerId, Heard)>,
    /// Those of which not all was heard that there was.
    behind: Vec<ServerId>,
    results_missing: bool,
    _following: JoinSet<()>,
}

impl Elsewhere {
    /// Follows the account at all other servers, from this request on, which began then, as cursors tell it.
    pub(super) fn follow(call: OwnCall, request: v1::WatchAccountRequest, began: String) -> Self {
        let (tell, heard) = mpsc::channel(WAITING_MAX);
        let first = call.peers().others();
        let behind = first.iter().map(|(id, _)| *id).collect();
        let mut following = JoinSet::new();
        following.spawn(follow_all(call, request, began, tell));
        Self { heard, behind, results_missing: false, _following: following }
    }

    /// Returns whether there is something yet to be heard of what there was at the beginning.
    pub(super) fn is_behind(&self) -> bool {
        !self.behind.is_empty()
    }

    /// Returns whether others have had more results than are remembered there.
    pub(super) const fn results_missing(&self) -> bool {
        self.results_missing
    }

    /// The next that another server says; never returns where there is none.
    pub(super) async fn next(&mut self) -> Heard {
        let Some((id, heard)) = self.heard.recv().await else { return std::future::pending().await };
        if let Heard::CaughtUp { results_missing } = heard {
            self.behind.retain(|other| *other != id);
            self.results_missing |= results_missing;
        }
        heard
    }
}

type Tell = mpsc::Sender<(ServerId, Heard)>;

/// Follows each server that there is, and those that come.
async fn follow_all(call: OwnCall, mut request: v1::WatchAccountRequest, began: String, tell: Tell) {
    let mut streams: HashMap<ServerId, tokio::task::AbortHandle> = HashMap::new();
    let mut following = JoinSet::new();
    while !tell.is_closed() {
        let others = call.peers().others();
        let gone: Vec<ServerId> =
            streams.keys().filter(|id| !others.iter().any(|(other, _)| other == *id)).copied().collect();
        for id in gone {
            streams.remove(&id).into_iter().for_each(|stream| stream.abort());
            // Those who have its matches now say what it had to say.
            let _ = tell.send((id, Heard::CaughtUp { results_missing: false })).await;
        }
        for (id, app) in others {
            streams.entry(id).or_insert_with(|| {
                let asked = (request.clone(), began.clone());
                following.spawn(follow_one(call.clone(), (id, app), asked, tell.clone()))
            });
        }
        go_on_from(&mut request, &began);
        tokio::select! {
            () = call.peers().changed() => {}
            () = tell.closed() => {}
        }
        while following.try_join_next().is_some() {}
    }
}

/// Has a request that is made once more go on from where the first began, unless it goes on from somewhere.
fn go_on_from(request: &mut v1::WatchAccountRequest, began: &str) {
    if request.cursor.is_empty() {
        began.clone_into(&mut request.cursor);
    }
}

/// Follows at one server, again and again.
async fn follow_one(
    call: OwnCall,
    (id, app): (ServerId, PeerApp),
    (mut request, began): (v1::WatchAccountRequest, String),
    tell: Tell,
) {
    loop {
        let ended = match call.client(app.clone()).watch_account(request.clone()).await {
            Ok(stream) => {
                let mut stream = stream.into_inner();
                loop {
                    match stream.message().await {
                        Ok(Some(said)) => {
                            request.cursor = said.cursor;
                            let heard = match (said.r#match, said.caught_up) {
                                (Some(shown), _) => Heard::Match(Box::new(shown)),
                                (None, true) => Heard::CaughtUp { results_missing: said.results_missing },
                                (None, false) => continue,
                            };
                            if tell.send((id, heard)).await.is_err() {
                                return;
                            }
                        }
                        Ok(None) => break Status::unavailable("it has ended"),
                        Err(status) => break status,
                    }
                }
            }
            Err(status) => status,
        };
        if !is_elsewhere(&ended) {
            let _ = tell.send((id, Heard::Refused(ended))).await;
            return;
        }
        go_on_from(&mut request, &began);
        call.peers().changed().await;
    }
}
