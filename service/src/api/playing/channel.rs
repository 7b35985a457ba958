//! One seat in one stream ([`Channel`]).

use edgehill_engine::seat::Observer;
use edgehill_proto::v1::play_request::Call;
use edgehill_proto::v1::play_response::Message;
use edgehill_proto::v1::{self, LegalDetail, Reason};
use tokio::sync::mpsc;

use super::seats::OpenSeat;
use super::stream::Sender;
use super::update::{Told, Update, Wanted};
use crate::api::seating::body_of;
use crate::api::{Matches, field, seat_calls, terms};
use crate::host::{Follower, SeatCall};
use crate::identity::SeatToken;
use crate::matches::{self, Ask};
use crate::wire::{self, Refused, Words};

/// A call of the client.
pub(super) struct Asked {
    pub(super) request_id: String,
    pub(super) call: Call,
}

/// One seat in one stream.
pub(super) struct Channel {
    matches: Matches,
    number: u32,
    token: SeatToken,
    follower: Follower,
    out: Sender,
    after: Option<u64>,
    wanted: Wanted,
    told: Told,
}

/// What ends a channel.
enum Ended {
    /// It was told why, or nobody listens.
    Told,
    /// It has to be told.
    Close(Option<Refused>),
}

impl Channel {
    pub(super) fn new(
        matches: Matches,
        number: u32,
        token: SeatToken,
        open: &v1::Open,
        legal: LegalDetail,
        out: Sender,
    ) -> Self {
        let follower = matches.host().follow(token.match_id());
        let wanted = Wanted {
            seat: token.seat(),
            legal,
            views: open.views,
            events: !open.no_events,
            words: open.words,
            batch: matches.limits().message_events,
        };
        Self { matches, number, token, follower, out, after: open.after_seq, wanted, told: Told::default() }
    }

    pub(super) async fn run(mut self, mut queue: mpsc::Receiver<Asked>) {
        let opened = match self.open().await {
            Ok(opened) => opened,
            Err(refused) => {
                queue.close();
                self.send("", Message::Refusal(refused.into_refusal())).await;
                return;
            }
        };
        let ended = self.serve(&opened, &mut queue).await;
        // From here on the channel can be opened again.
        drop(opened);
        queue.close();
        if let Ended::Close(why) = ended {
            let refusal = why.map(Refused::into_refusal);
            self.send("", Message::Closed(v1::Closed { refusal })).await;
        }
    }

    /// Opens the seat: tells the client where it stands.
    async fn open(&mut self) -> Result<OpenSeat, Refused> {
        let (matches, token, after) = (&self.matches, &self.token, self.after);
        let words = self.wanted.words;
        let shown = self
            .follower
            .read(|content| {
                let seat = matches.host().check_token(content, token)?;
                let live = content.live()?;
                let length = live.course().length(Observer::Seat(seat));
                if let Some(after) = after
                    && let Err(refused) = field::cursor(after, length)
                {
                    return Ok(Err(refused));
                }
                let view = live.table().filter(|_| after.is_none()).map(|table| {
                    wire::view::of(&table.view(Observer::Seat(seat)), Words::wanted(table.catalogue(), words))
                });
                Ok(Ok(v1::Opened {
                    seat: seat.index() as u32,
                    terms: Some(terms::of(live.course())),
                    seq: after.unwrap_or(if view.is_some() { length } else { 0 }),
                    view,
                }))
            })
            .await;
        let opened = match shown {
            Ok(shown) => shown?,
            Err(error) => return Err(self.refused(error).await),
        };
        self.told.seq = opened.seq;
        self.told.view_due = after.is_none() && opened.view.is_none();
        let seat = self.matches.0.seats.open(self.token.match_id(), self.token.seat());
        self.send("", Message::Opened(Box::new(opened))).await;
        Ok(seat)
    }

    async fn serve(&mut self, opened: &OpenSeat, queue: &mut mpsc::Receiver<Asked>) -> Ended {
        let draining = self.matches.0.draining.clone();
        loop {
            let told = tokio::select! {
                biased;
                () = opened.taken() => Err(Ended::Close(Some(Refused::of(Reason::OpenedElsewhere)))),
                () = draining.cancelled() => Err(Ended::Close(Some(self.matches.draining()))),
                asked = queue.recv() => match asked {
                    None => Err(Ended::Told),
                    Some(Asked { call: Call::Close(_), .. }) => Err(Ended::Close(None)),
                    Some(asked) => self.answer(asked).await,
                },
                () = self.follower.changed() => self.tell().await,
            };
            match told {
                Err(ended) => return ended,
                Ok(()) if self.told.over => return Ended::Close(None),
                Ok(()) => {}
            }
        }
    }

    /// Tells what has happened, if the client should hear of it now.
    async fn tell(&mut self) -> Result<(), Ended> {
        let (wanted, told, host) = (self.wanted, &self.told, self.matches.host());
        let shown = self.follower.read(|content| Ok(Update::of(host, content, wanted, told, false)?)).await;
        match shown {
            Ok(update) if update.is_due() => self.send_update("", update, None).await,
            Ok(_) => Ok(()),
            Err(crate::host::Error::Unavailable) => Ok(()),
            Err(error) => Err(Ended::Close(Some(self.refused(error).await))),
        }
    }

    /// Carries a call out, and answers it.
    async fn answer(&mut self, asked: Asked) -> Result<(), Ended> {
        let Asked { request_id, call } = asked;
        let (call, expected) = match self.read(&request_id, call).await {
            Ok(read) => read,
            Err(refused) => return self.refuse(&request_id, refused).await,
        };
        let (wanted, told, matches) = (self.wanted, &self.told, &self.matches);
        let shown = self
            .follower
            .call(&self.token, SeatCall { expected, ..call }, |live, outcome| {
                let update = Update::of_live(matches.host(), live, wanted, told, true);
                Ok((update, v1::Accepted { steps: outcome.steps, line: outcome.line.clone() }))
            })
            .await;
        match shown {
            Ok((update, accepted)) => self.send_update(&request_id, update, Some(accepted)).await,
            Err(error) => {
                let refused = self.refused(error).await;
                self.refuse(&request_id, refused).await
            }
        }
    }

    /// Reads a call.
    async fn read(&self, request_id: &str, call: Call) -> Result<(SeatCall, Option<u64>), Refused> {
        self.matches.check_open()?;
        let id = field::request_id(request_id, self.matches.limits())?;
        let (call, expected) = match call {
            Call::Apply(apply) => {
                let expected = apply.expected_seq;
                let read = self.matches.read_steps(self.token.match_id(), apply).await;
                (read.map_err(|refused| refused.within("apply"))?, expected)
            }
            Call::Undo(undo) => (matches::Call::Undo { keep: undo.keep }, undo.expected_seq),
            Call::Resign(_) => (matches::Call::Resign, None),
            Call::OfferDraw(_) => (matches::Call::OfferDraw, None),
            Call::AcceptDraw(_) => (matches::Call::AcceptDraw, None),
            Call::SetStandingPasses(set) => {
                let read = seat_calls::stand(&set.standing_passes);
                (read.map_err(|refused| refused.within("set_standing_passes"))?, None)
            }
            Call::Open(_) | Call::Close(_) => return Err(Refused::of(Reason::InternalFault)),
        };
        let ask = Ask { id, body: body_of(&call) };
        Ok((SeatCall { call, ask, expected }, expected))
    }

    async fn refused(&self, error: crate::host::Error) -> Refused {
        self.matches.refused(error, Some(self.token.match_id()), Some(self.token.seat())).await
    }

    async fn refuse(&self, request_id: &str, refused: Refused) -> Result<(), Ended> {
        self.send(request_id, Message::Refusal(refused.into_refusal())).await;
        if self.out.is_closed() { Err(Ended::Told) } else { Ok(()) }
    }

    async fn send_update(
        &mut self,
        request_id: &str,
        update: Update,
        accepted: Option<v1::Accepted>,
    ) -> Result<(), Ended> {
        for message in update.messages(accepted, self.wanted.batch, &mut self.told) {
            self.send(request_id, Message::Update(message)).await;
        }
        if self.out.is_closed() { Err(Ended::Told) } else { Ok(()) }
    }

    async fn send(&self, request_id: &str, message: Message) {
        let response = v1::PlayResponse {
            channel: self.number,
            request_id: request_id.to_owned(),
            message: Some(message),
        };
        // Fails where the client has gone, which whoever sends looks at himself.
        let _ = self.out.send(Ok(response)).await;
    }
}
