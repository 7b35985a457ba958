//! A channel whose seat is of a match that another server has, or comes to have ([`Elsewhere`]).
//!
//! The client sees one channel: where the match goes on, it is opened there with the number of the last event that the client has, and the
//! calls that were not answered are made again, under the same request ids.

use std::collections::VecDeque;
use std::time::Duration;

use edgehill_proto::v1::play_seats_request::{self, Call};
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Status, Streaming};

use super::channel::{Asked, Outlet};
use super::opener::{OPENER, Opener, OpeningTime};
use super::stream::CALLS_MAX;
use crate::api::Matches;
use crate::api::peers::{OwnCall, Patience, is_elsewhere};
use crate::store::MatchId;
use crate::wire::{Refused, status};

/// The end of a channel elsewhere.
pub(super) enum Served {
    /// The match is here from now on.
    Here,
    /// Nobody listens.
    Gone,
    /// The channel's last message was said.
    Closed,
    /// It can't be opened, or go on.
    Lost(Refused),
}

/// A channel of which the seat's match is elsewhere.
pub(super) struct Elsewhere {
    pub(super) matches: Matches,
    pub(super) call: OwnCall,
    pub(super) id: MatchId,
    pub(super) opener: Option<Opener>,
    pub(super) outlet: Outlet,
    /// The request that opens it next: with the number of the last event that the client has.
    pub(super) open: play_seats_request::Open,
    /// The client was told that it is open.
    pub(super) is_open: bool,
    /// Calls that have no answer yet, in their order.
    pub(super) unanswered: VecDeque<Asked>,
    pub(super) patience: Patience,
}

/// A stream with this channel alone.
struct Way {
    calls: mpsc::Sender<v1::PlaySeatsRequest>,
    answers: Streaming<v1::PlaySeatsResponse>,
}

impl Way {
    async fn ask(&self, request_id: &str, call: Call) {
        let request =
            v1::PlaySeatsRequest { channel: 0, request_id: request_id.to_owned(), call: Some(call) };
        // Where nobody takes it any more, the answers have ended.
        let _ = self.calls.send(request).await;
    }
}

impl Elsewhere {
    /// Serves the channel until its match is here, or it ends.
    pub(super) async fn serve(&mut self, queue: &mut mpsc::Receiver<Asked>) -> Served {
        let (out, draining) = (self.outlet.out.clone(), self.matches.0.draining.clone());
        loop {
            // For a client who has gone nothing is opened: by another stream of theirs the seat may be open already.
            let way = tokio::select! {
                biased;
                () = out.closed() => return Served::Gone,
                () = draining.cancelled() => return Served::Lost(self.matches.draining()),
                way = self.open() => way,
            };
            let way = match way {
                Ok(Some(way)) => way,
                Ok(None) => return Served::Here,
                Err(status) => return Served::Lost(refused_by(&status)),
            };
            match self.pass_on(way, queue).await {
                Ok(served) => return served,
                Err(status) if is_elsewhere(&status) => tokio::select! {
                    () = out.closed() => return Served::Gone,
                    () = draining.cancelled() => return Served::Lost(self.matches.draining()),
                    () = self.call.peers().changed() => {}
                },
                Err(status) => return Served::Lost(refused_by(&status)),
            }
        }
    }

    async fn open(&mut self) -> Result<Option<Way>, Status> {
        let Self { matches, call, id, opener, is_open, patience, .. } = self;
        if *is_open {
            opener.iter_mut().for_each(|opener| opener.time = OpeningTime::Again);
        }
        let (opener, host) = (*opener, matches.host().clone());
        call.open(matches, *id, patience, |call, app| {
            let call = match opener {
                Some(opener) => call.clone().with(OPENER, &opener.at(host.time_ms()).to_string()),
                None => call.clone(),
            };
            async move {
                let (calls, receiver) = mpsc::channel(2 * CALLS_MAX);
                let answers = call.client(app).play_seats(ReceiverStream::new(receiver)).await?.into_inner();
                Ok(Way { calls, answers })
            }
        })
        .await
    }

    /// Passes calls and answers on; the status with which the other server ends it.
    async fn pass_on(&mut self, mut way: Way, queue: &mut mpsc::Receiver<Asked>) -> Result<Served, Status> {
        way.ask("", Call::Open(self.open.clone())).await;
        for asked in &self.unanswered {
            way.ask(&asked.request_id, asked.call.clone()).await;
        }
        let mut is_open = false;
        loop {
            let answer = tokio::select! {
                biased;
                () = self.outlet.out.closed() => return Ok(Served::Gone),
                answer = way.answers.message() => answer?,
                asked = queue.recv(), if self.unanswered.len() < CALLS_MAX => match asked {
                    None => return Ok(Served::Gone),
                    Some(asked) => {
                        way.ask(&asked.request_id, asked.call.clone()).await;
                        self.unanswered.push_back(asked);
                        continue;
                    }
                },
            };
            let Some(v1::PlaySeatsResponse { request_id, message: Some(message), .. }) = answer else {
                return Err(self.matches.nowhere().into());
            };
            match message {
                Message::Opened(opened) => {
                    is_open = true;
                    self.open.after_seq =
                        opened.r#match.as_ref().map(|shown| shown.seq).or(self.open.after_seq);
                    if !std::mem::replace(&mut self.is_open, true) {
                        self.outlet.send(&request_id, Message::Opened(opened)).await;
                    }
                }
                Message::Update(update) => {
                    self.open.after_seq = Some(update.seq);
                    self.answered(&request_id);
                    self.outlet.send(&request_id, Message::Update(update)).await;
                }
                // It is about to end, and hands over what it has.
                Message::Refusal(refusal) if refusal.reason() == ErrorReason::Draining => {
                    return Err(self.matches.nowhere().into());
                }
                Message::Closed(v1::play_seats_response::Closed { refusal: Some(refusal) })
                    if refusal.reason() == ErrorReason::Draining =>
                {
                    return Err(self.matches.nowhere().into());
                }
                Message::Refusal(refusal) if !is_open => return Ok(Served::Lost(Refused::told(refusal))),
                Message::Refusal(refusal) => {
                    self.answered(&request_id);
                    self.outlet.send(&request_id, Message::Refusal(refusal)).await;
                }
                Message::Closed(closed) => {
                    self.outlet.closed.cancel();
                    self.outlet.send(&request_id, Message::Closed(closed)).await;
                    return Ok(Served::Closed);
                }
            }
        }
    }

    /// The call of this request has its answer.
    fn answered(&mut self, request_id: &str) {
        if !request_id.is_empty()
            && let Some(place) = self.unanswered.iter().position(|asked| asked.request_id == request_id)
        {
            self.unanswered.remove(place);
        }
    }
}

/// The refusal that a status tells.
fn refused_by(told: &Status) -> Refused {
    status::read(told).map_or_else(|| Refused::store_unavailable(Duration::ZERO), Refused::told)
}
