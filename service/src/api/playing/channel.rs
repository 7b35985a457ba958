//! One seat in one stream ([`Channel`]).

use std::collections::VecDeque;
use std::pin::pin;
use std::time::Duration;

use edgehill_convert::messages::{self, TextMode};
use edgehill_engine::seat::Observer;
use edgehill_proto::v1::play_seats_request::{self, Call};
use edgehill_proto::v1::play_seats_response::{self, Message};
use edgehill_proto::v1::{self, ErrorReason, LegalDetail};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

use super::elsewhere::{Elsewhere, Served};
use super::opener::{Opener, OpeningTime};
use super::seats::OpenSeat;
use super::stream::Out;
use super::update::{News, Notified, Wanted};
use crate::api::outbox::Room;
use crate::api::peers::{OwnCall, Patience};
use crate::api::seating::body_of;
use crate::api::{Matches, field, match_config, seat_calls};
use crate::host::{Follower, SeatCall};
use crate::identity::SeatToken;
use crate::matches::{self, Ask, Phase};
use crate::telemetry::{RefusedCalls, spans};
use crate::wire::Refused;

/// A call of the client.
pub(super) struct Asked {
    pub(super) request_id: String,
    pub(super) call: Call,
    /// The room that it takes up among the calls that wait, until it is taken up.
    pub(super) waits: Option<OwnedSemaphorePermit>,
}

/// The request that opens a channel.
pub(super) struct Opening {
    pub(super) matches: Matches,
    /// The call of the stream, if others may have the match.
    pub(super) own: Option<OwnCall>,
    /// `None`: a client opens it, of a server alone.
    pub(super) opener: Option<Opener>,
    pub(super) token: SeatToken,
    pub(super) legal: LegalDetail,
    pub(super) open: play_seats_request::Open,
    pub(super) outlet: Outlet,
    /// Its place among the openings of the stream, until it is answered.
    pub(super) place: Option<OwnedSemaphorePermit>,
}

/// One seat in one stream.
struct Channel {
    matches: Matches,
    token: SeatToken,
    follower: Follower,
    outlet: Outlet,
    wanted: Wanted,
    notified: Notified,
    /// How often players of the match had been replaced when the token was checked last: it becomes void with another time alone.
    /// `None`: it has to be checked, since the match waits for its seats.
    settled: Option<usize>,
}

/// A channel's way to the client.
#[derive(Clone)]
pub(super) struct Outlet {
    pub(super) number: u32,
    pub(super) out: Out,
    /// Counts what is refused.
    pub(super) refused: RefusedCalls,
    /// The span of the stream's call.
    pub(super) stream: Span,
    /// When its `closed` was said, which is said once.
    pub(super) closed: CancellationToken,
}

/// The cause that ends a channel.
enum Ended {
    /// Nobody listens.
    Gone,
    /// The client has closed it.
    Asked,
    /// The server closes it; why, if it does so before the match is over.
    Close(Option<Refused>),
    /// The match is elsewhere, and this call of it has no answer yet.
    Elsewhere(Option<Asked>),
}

impl Opening {
    /// Opens the channel, and serves it until it is closed.
    pub(super) async fn run(mut self, mut queue: mpsc::Receiver<Asked>) {
        let (outlet, mut place) = (self.outlet.clone(), self.place.take());
        let (mut is_open, mut unanswered) = (false, VecDeque::new());
        loop {
            match self.open().await {
                Ok((opened, mut seat)) => {
                    if !std::mem::replace(&mut is_open, true) {
                        outlet.send("", Message::Opened(Box::new(opened))).await;
                    }
                    drop(place.take());
                    match seat.serve(&mut unanswered, &mut queue).await {
                        Ended::Elsewhere(asked) => {
                            self.open.after_seq = Some(seat.channel.notified.seq);
                            // In the order in which they came.
                            asked.into_iter().for_each(|asked| unanswered.push_front(asked));
                        }
                        ended => return outlet.end(queue, ended).await,
                    }
                    self.goes_on(true);
                }
                Err(refused) if refused.is_elsewhere().is_some() => {}
                Err(refused) if is_open => return outlet.end(queue, Ended::Close(Some(refused))).await,
                Err(refused) => return outlet.end_unopened(queue, refused).await,
            }
            let Some(own) = self.own.clone() else {
                // The server that has handed it on goes where it is.
                let elsewhere = Refused::elsewhere(self.token.match_id(), Duration::ZERO);
                return outlet.out.end(elsewhere.into());
            };
            let mut elsewhere = Elsewhere {
                matches: self.matches.clone(),
                call: own,
                id: self.token.match_id(),
                opener: self.opener,
                outlet: outlet.clone(),
                open: self.open.clone(),
                is_open,
                unanswered,
                patience: Patience::new(self.matches.host().elapsed()),
            };
            drop(place.take());
            match elsewhere.serve(&mut queue).await {
                Served::Here => {}
                Served::Gone => return outlet.end(queue, Ended::Gone).await,
                Served::Closed => return outlet.end(queue, Ended::Close(None)).await,
                Served::Lost(refused) if elsewhere.is_open => {
                    return outlet.end(queue, Ended::Close(Some(refused))).await;
                }
                Served::Lost(refused) => return outlet.end_unopened(queue, refused).await,
            }
            self.open = elsewhere.open;
            (is_open, unanswered) = (elsewhere.is_open, elsewhere.unanswered);
            self.goes_on(is_open);
        }
    }

    /// Notes that the client was told that it is open, if so.
    fn goes_on(&mut self, is_open: bool) {
        for opener in self.opener.iter_mut().filter(|_| is_open) {
            opener.time = OpeningTime::Again;
        }
    }

    /// Finds the seat, and takes it from wherever it was open.
    async fn open(&self) -> Result<(play_seats_response::Opened, OpenChannel), Refused> {
        let Self { matches, token, legal, open, outlet, .. } = self;
        let (id, seat) = (token.match_id(), token.seat());
        let follower = matches.host().follow(id).await;
        let mut follower = match follower {
            Ok(follower) => follower,
            Err(error) => return Err(matches.refused(error, Some(id), Some(seat)).await),
        };
        let shown = follower.read(|content| {
            matches.host().check_token(content.course(), token)?;
            let live = content.live()?;
            let length = live.course().length(Observer::Seat(seat));
            if let Some(after) = open.after_seq
                && let Err(refused) = field::cursor(after, length)
            {
                return Ok(Err(refused.within("open")));
            }
            let view = live.table().filter(|_| open.after_seq.is_none()).map(|table| {
                messages::view::of(
                    &table.view(Observer::Seat(seat)),
                    TextMode::wanted(table.catalogue(), open.include_text),
                )
            });
            let seq = open.after_seq.unwrap_or(if view.is_some() { length } else { 0 });
            let config = Some(match_config::of(live.course()));
            let shown = Some(v1::Match { config, state: None, seq });
            Ok(Ok(play_seats_response::Opened { seat: seat.index() as u32, r#match: shown, view }))
        });
        let opened = match shown.await {
            Ok(shown) => shown?,
            Err(error) => return Err(matches.refused(error, Some(id), Some(seat)).await),
        };
        let wanted = Wanted {
            seat,
            legal: *legal,
            view: open.include_view,
            events: !open.omit_events,
            text: open.include_text,
            batch: matches.limits().message_events,
        };
        let view_due = open.after_seq.is_none() && opened.view.is_none();
        let seq = opened.r#match.as_ref().map_or(0, |shown| shown.seq);
        let notified = Notified::new(seq, view_due);
        let opener = self.opener.map(|opener| opener.at(matches.host().time_ms()));
        let claim = matches.0.seats.open((id, seat), opener, &matches.0.draining);
        let claim = claim.ok_or_else(|| Refused::of(ErrorReason::OpenedElsewhere))?;
        let channel = Channel {
            matches: matches.clone(),
            token: token.clone(),
            follower,
            outlet: outlet.clone(),
            wanted,
            notified,
            settled: None,
        };
        Ok((opened, OpenChannel { channel, claim }))
    }
}

/// A channel that has its seat.
struct OpenChannel {
    channel: Channel,
    claim: OpenSeat,
}

impl OpenChannel {
    async fn serve(&mut self, unanswered: &mut VecDeque<Asked>, queue: &mut mpsc::Receiver<Asked>) -> Ended {
        let Self { channel, claim } = self;
        channel.serve(claim, unanswered, queue).await
    }
}

impl Channel {
    /// Serves it, beginning with the calls that were `unanswered` elsewhere.
    async fn serve(
        &mut self,
        claim: &OpenSeat,
        unanswered: &mut VecDeque<Asked>,
        queue: &mut mpsc::Receiver<Asked>,
    ) -> Ended {
        let accounts = self.matches.0.accounts.clone();
        let mut replaced = pin!(accounts.replaced().cancelled_owned());
        while let Some(asked) = unanswered.pop_front() {
            if let Err(ended) = self.answer(asked).await {
                return ended;
            }
        }
        // The first update comes unasked.
        let mut said = self.notify().await;
        // Once for all messages, not once for each.
        let mut lost = pin!(claim.lost());
        let me = Observer::Seat(self.wanted.seat);
        loop {
            match said {
                Err(ended) => return ended,
                Ok(()) if self.notified.over => {
                    // The end of its group may have opened the secrets of the dice since.
                    return self.notify().await.err().unwrap_or(Ended::Close(None));
                }
                Ok(()) => {}
            }
            said = tokio::select! {
                biased;
                () = &mut lost => {
                    let drains = self.matches.0.draining.is_cancelled();
                    let elsewhere = || Refused::of(ErrorReason::OpenedElsewhere);
                    Err(Ended::Close(Some(if drains { self.matches.draining() } else { elsewhere() })))
                }
                asked = queue.recv() => match asked {
                    None => Err(Ended::Gone),
                    Some(Asked { call: Call::Close(_), .. }) => Err(Ended::Asked),
                    Some(asked) => self.answer(asked).await,
                },
                () = &mut replaced => {
                    replaced.set(accounts.replaced().cancelled_owned());
                    // The account that took the seat may be gone.
                    self.settled = None;
                    self.notify().await
                }
                () = self.follower.changed(me) => self.notify().await,
            };
        }
    }

    /// Sends what has happened, if the client should be notified of it now.
    async fn notify(&mut self) -> Result<(), Ended> {
        let news = self.look(false).await?;
        if news.is_due() { self.send_news("", news, None).await } else { Ok(()) }
    }

    /// Looks at what is new. `answers`: it goes with the answer to a call that was executed.
    async fn look(&mut self, answers: bool) -> Result<News, Ended> {
        let (wanted, notified, host) = (self.wanted, &self.notified, self.matches.host());
        let (token, settled) = (&self.token, self.settled);
        let shown = self.follower.read(|content| {
            let course = content.course();
            // A seat that was given back, or whose player was replaced, may be somebody else's by now.
            let replaced = Some(course.players_replaced());
            if settled != replaced {
                host.check_token(course, token)?;
            }
            let settled = replaced.filter(|_| course.phase() != Phase::Waiting);
            Ok((News::of(host, content, wanted, notified, answers)?, settled))
        });
        match shown.await {
            Ok((news, settled)) => {
                self.settled = settled;
                Ok(news)
            }
            Err(crate::host::Error::Elsewhere(_)) => Err(Ended::Elsewhere(None)),
            Err(error) => Err(Ended::Close(Some(self.refused(error).await))),
        }
    }

    /// Has a call executed, and answers it: in a trace of its own.
    async fn answer(&mut self, asked: Asked) -> Result<(), Ended> {
        let span = spans::message(&self.outlet.stream);
        self.execute(asked).instrument(span).await
    }

    async fn execute(&mut self, asked: Asked) -> Result<(), Ended> {
        let Asked { request_id, call, waits } = asked;
        drop(waits);
        if matches!(call, Call::Close(_)) {
            return Err(Ended::Asked);
        }
        // Where others may come to have the match, it may have to be made again.
        let again = self.matches.peers().map(|_| Asked {
            request_id: request_id.clone(),
            call: call.clone(),
            waits: None,
        });
        let (call, expected) = match self.read(&request_id, call).await {
            Ok(read) => read,
            Err(refused) => return self.refuse(&request_id, refused).await,
        };
        let tells_result = matches!(call.call, matches::Call::Apply { .. } | matches::Call::Undo { .. });
        let field = field_of(&call.call);
        let (wanted, notified, matches) = (self.wanted, &self.notified, &self.matches);
        let shown = self
            .follower
            .execute(&self.token, SeatCall { expected, ..call }, |live, outcome| {
                let news = News::of_live(matches.host(), live, wanted, notified, true);
                let result = v1::ApplyResult { actions: outcome.actions, line: outcome.line.clone() };
                Ok((news, tells_result.then_some(result)))
            })
            .await;
        match shown {
            Ok((news, result)) => match self.send_news(&request_id, news, result).await {
                // It was done, and is answered there.
                Err(Ended::Elsewhere(None)) => Err(Ended::Elsewhere(again)),
                sent => sent,
            },
            Err(crate::host::Error::Elsewhere(_)) => Err(Ended::Elsewhere(again)),
            Err(error) => {
                let refused = self.refused(error).await;
                self.refuse(&request_id, refused.within(field)).await
            }
        }
    }

    /// Reads a call.
    async fn read(&self, request_id: &str, call: Call) -> Result<(SeatCall, Option<u64>), Refused> {
        self.matches.check_open()?;
        let id = field::request_id(request_id, &self.matches.limits())?;
        let (call, expected) = match call {
            Call::Apply(apply) => {
                let expected = apply.expected_seq;
                let read = match self.follower.game().await {
                    Ok(game) => seat_calls::read_batch(game.catalogue(), apply),
                    Err(error) => Err(self.refused(error).await),
                };
                (read.map_err(|refused| refused.within("apply"))?, expected)
            }
            Call::Undo(undo) => (matches::Call::Undo { keep: undo.keep_draft_actions }, undo.expected_seq),
            Call::Resign(_) => (matches::Call::Resign, None),
            Call::OfferDraw(_) => (matches::Call::OfferDraw, None),
            Call::AcceptDraw(_) => (matches::Call::AcceptDraw, None),
            Call::DeclineDraw(_) => (matches::Call::DeclineDraw, None),
            Call::OfferAdjournment(offer) => {
                let read = seat_calls::read_adjournment_offer(offer.adjourn_for.as_ref());
                (read.map_err(|refused| refused.within("offer_adjournment"))?, None)
            }
            Call::AcceptAdjournment(answer) => {
                let read = seat_calls::read_adjournment_answer(answer.adjourn_for.as_ref());
                (read.map_err(|refused| refused.within("accept_adjournment"))?, None)
            }
            Call::DeclineAdjournment(_) => (matches::Call::DeclineAdjournment, None),
            Call::Resume(_) => (matches::Call::ResumeMatch, None),
            Call::SetStandingPasses(set) => {
                let read = seat_calls::read_passes(&set.standing_passes);
                (read.map_err(|refused| refused.within("set_standing_passes"))?, None)
            }
            Call::Open(_) | Call::Close(_) => return Err(Refused::of(ErrorReason::InternalFault)),
        };
        let ask = Ask { id, body: body_of(&call) };
        Ok((SeatCall { call, ask, expected }, expected))
    }

    async fn refused(&self, error: crate::host::Error) -> Refused {
        self.matches.refused(error, Some(self.token.match_id()), Some(self.token.seat())).await
    }

    async fn refuse(&self, request_id: &str, refused: Refused) -> Result<(), Ended> {
        self.outlet.refuse(request_id, refused).await;
        self.outlet.is_listened_to()
    }

    /// Sends news in as many messages as it takes, the last of which answers the request. Nothing of them waits for a client
    /// that reads slowly: when there is room for more, what is new is looked at again.
    async fn send_news(
        &mut self,
        request_id: &str,
        mut news: News,
        mut result: Option<v1::ApplyResult>,
    ) -> Result<(), Ended> {
        let answers = !request_id.is_empty();
        let mut reserved = None;
        loop {
            self.outlet.is_listened_to()?;
            let bytes = news.bytes();
            let Some(room) = reserved.take().or_else(|| self.outlet.out.room(bytes)) else {
                drop(news);
                reserved = self.outlet.out.wait(bytes).await;
                news = self.look(answers).await?;
                continue;
            };
            let is_all = news.is_all();
            let mut update = news.sent(&mut self.notified);
            if is_all {
                update.apply_result = result.take();
            }
            self.outlet.put(room, if is_all { request_id } else { "" }, Message::Update(update));
            if is_all {
                return self.outlet.is_listened_to();
            }
            news = self.look(answers).await?;
        }
    }
}

/// The field of `PlaySeatsRequest` that a call came in.
const fn field_of(call: &matches::Call) -> &'static str {
    match call {
        matches::Call::Apply { .. } => "apply",
        matches::Call::Undo { .. } => "undo",
        matches::Call::Resign => "resign",
        matches::Call::OfferDraw => "offer_draw",
        matches::Call::AcceptDraw => "accept_draw",
        matches::Call::DeclineDraw => "decline_draw",
        matches::Call::Stand(_) => "set_standing_passes",
        matches::Call::OfferAdjournment { .. } => "offer_adjournment",
        matches::Call::AcceptAdjournment { .. } => "accept_adjournment",
        matches::Call::DeclineAdjournment => "decline_adjournment",
        matches::Call::ResumeMatch => "resume",
    }
}

impl Outlet {
    /// Says the last of a channel that was open.
    async fn end(&self, mut queue: mpsc::Receiver<Asked>, ended: Ended) {
        queue.close();
        let answers_close = matches!(ended, Ended::Close(_));
        match ended {
            // The others end with their stream.
            Ended::Gone | Ended::Elsewhere(_) => {}
            Ended::Asked => self.close(None).await,
            Ended::Close(why) => self.close(why).await,
        }
        self.refuse_rest(queue, answers_close).await;
    }

    /// Says that a channel was not opened.
    async fn end_unopened(&self, mut queue: mpsc::Receiver<Asked>, refused: Refused) {
        queue.close();
        self.refuse("", refused).await;
        self.refuse_rest(queue, false).await;
    }

    /// Says that the channel is closed, unless it was said before; why, if the server closes it before the match is over.
    pub(super) async fn close(&self, why: Option<Refused>) {
        if self.closed.is_cancelled() {
            return;
        }
        if let Some(refused) = &why {
            self.refused.count_message(refused.reason());
        }
        let refusal = why.map(Refused::into_refusal);
        self.send("", Message::Closed(play_seats_response::Closed { refusal })).await;
        self.closed.cancel();
    }

    /// Refuses the calls that were under way when the channel ended. `answers_close`: its `closed` has answered the first of
    /// them that closes it.
    async fn refuse_rest(&self, mut queue: mpsc::Receiver<Asked>, mut answers_close: bool) {
        while let Some(asked) = queue.recv().await {
            if matches!(asked.call, Call::Close(_)) && std::mem::take(&mut answers_close) {
                continue;
            }
            self.refuse(&asked.request_id, Refused::of(ErrorReason::UnknownChannel)).await;
        }
    }

    async fn refuse(&self, request_id: &str, refused: Refused) {
        self.refused.count_message(refused.reason());
        self.send(request_id, Message::Refusal(refused.into_refusal())).await;
    }

    pub(super) async fn send(&self, request_id: &str, message: Message) {
        // Nobody gets it if the client has gone, which each sender checks itself.
        self.out.send(self.response(request_id, message)).await;
    }

    fn put(&self, room: Room, request_id: &str, message: Message) {
        self.out.put(room, self.response(request_id, message));
    }

    fn response(&self, request_id: &str, message: Message) -> v1::PlaySeatsResponse {
        let request_id = request_id.to_owned();
        v1::PlaySeatsResponse { channel: self.number, request_id, message: Some(message) }
    }

    fn is_listened_to(&self) -> Result<(), Ended> {
        if self.out.is_closed() { Err(Ended::Gone) } else { Ok(()) }
    }
}
