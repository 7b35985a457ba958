//! A client that plays seats over one `PlaySeats` stream, and opens another with its cursors when the server dies.

use std::time::Instant;

use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;

use crate::history::Answer;
use crate::line::{DEADLINE, Line, Waits};
use crate::message::{HasMatch, batch, ids};
use crate::seat::{Ask, Asked, Seat, is_expected};
use crate::unary;

/// A seat in a channel.
struct Channel {
    seat: Seat,
    /// Asked, and not answered yet.
    pending: Option<Asked>,
    /// When the seat began to think about what it asks, and when it asks that.
    begun: Instant,
    asked: Instant,
    /// The actions of the prompt that is outstanding.
    legal: Vec<u32>,
    over: bool,
    closed: bool,
}

type Calls = mpsc::Sender<v1::PlaySeatsRequest>;

/// Plays all seats until their matches are over.
pub(crate) async fn play(seats: Vec<Seat>, mut line: Line) {
    let mut channels: Vec<Channel> = seats
        .into_iter()
        .map(|seat| Channel {
            seat,
            pending: None,
            begun: Instant::now(),
            asked: Instant::now(),
            legal: Vec::new(),
            over: false,
            closed: false,
        })
        .collect();
    while channels.iter().any(|channel| !channel.closed) {
        let (calls, receiver) = mpsc::channel(64);
        let mut client = line.client().await;
        let mut answers = match client.play_seats(ReceiverStream::new(receiver)).await {
            Ok(answers) => answers.into_inner(),
            Err(status) => {
                line.lost(&status);
                continue;
            }
        };
        for (number, channel) in channels.iter_mut().enumerate().filter(|(_, channel)| !channel.closed) {
            channel.legal.clear();
            let after_seq = Some(channel.seat.len());
            let open = v1::play_seats_request::Open {
                seat_token: channel.seat.token.clone(),
                after_seq,
                ..v1::play_seats_request::Open::default()
            };
            let _ = calls.send(call(number, "", Call::Open(open))).await;
            channel.unanswered();
            // A request that was not answered is sent again; and one that was answered, as often as not.
            let repeated = channel.seat.last.as_ref().map(|(asked, _)| asked.clone());
            let repeated = repeated.filter(|_| channel.seat.random.percent(50));
            if let Some(asked) = channel.pending.clone().or(repeated) {
                channel.ask(number, asked, &calls);
            }
        }
        while channels.iter().any(|channel| !channel.closed) {
            let answer = answers.message();
            let answer = if channels.iter().any(|channel| channel.pending.is_some()) {
                // A thought takes its time, too.
                let Ok(answer) = timeout(DEADLINE, answer).await else {
                    line.outlived();
                    break;
                };
                answer
            } else {
                answer.await
            };
            match answer {
                Ok(Some(answer)) => {
                    let number = answer.channel as usize;
                    if refused(&answer).is_some_and(|refusal| line.asks_again(refusal)) {
                        line.leave();
                        break;
                    }
                    channels[number].take(number, answer, &calls, &line.waits);
                }
                Ok(None) => panic!("the stream ended before its channels"),
                Err(status) => {
                    line.lost(&status);
                    break;
                }
            }
        }
    }
    for mut channel in channels {
        // A call that the server carried out before it died may not have been answered since: the match was
        // over first.
        channel.unanswered();
        if let Some(asked) = channel.pending {
            let answered = unary::ask(&mut channel.seat, &mut line, &asked).await;
            assert!(answered.as_ref().err().is_none_or(is_expected), "{asked:?}: {answered:?}");
        }
    }
}

/// The refusal that a message is, or that a channel closes with.
fn refused(answer: &v1::PlaySeatsResponse) -> Option<&v1::Refusal> {
    match answer.message.as_ref()? {
        Message::Refusal(refusal) => Some(refusal),
        Message::Closed(closed) => closed.refusal.as_ref(),
        Message::Opened(_) | Message::Update(_) => None,
    }
}

impl Channel {
    fn take(&mut self, number: usize, answer: v1::PlaySeatsResponse, calls: &Calls, waits: &Waits) {
        match answer.message.unwrap() {
            Message::Opened(opened) => assert_eq!(opened.seq(), self.seat.len()),
            Message::Update(update) => {
                let mut published = self.seat.published.lock().unwrap();
                update.events.into_iter().for_each(|event| published.next(event));
                assert_eq!(published.len(), update.seq);
                let seen = published.digest(update.seq);
                drop(published);
                self.over |= update.state.is_some_and(|state| state.status() == MatchStatus::Finished);
                if let Some(result) = update.apply_result {
                    let asked = self.pending.take().expect("nothing was asked");
                    assert_eq!(answer.request_id, asked.request);
                    waits.answered(self.asked);
                    let answer = Answer::Done { count: result.actions, seq: update.seq, seen };
                    self.seat.tried(&asked, self.begun, answer);
                    self.seat.acknowledge(&asked, result.actions, update.seq);
                    self.legal.clear();
                }
                if let Some(legal_actions) = update.legal_actions {
                    self.legal = legal_actions.ids;
                }
            }
            // The match was over before the call came: whether it was carried out in an earlier life is asked below.
            Message::Refusal(refusal) if refusal.reason() == ErrorReason::UnknownChannel => {
                assert!(self.over)
            }
            Message::Refusal(refusal) => {
                waits.answered(self.asked);
                let asked = self.pending.take();
                assert!(is_expected(&refusal), "{asked:?}: {refusal:?}");
                if let Some(asked) = asked {
                    self.seat.tried(&asked, self.begun, Answer::Refused(refusal.reason().as_str_name()));
                }
            }
            Message::Closed(closed) => {
                assert_eq!(closed.refusal, None);
                assert!(self.over, "closed before the match was over");
                self.closed = true;
            }
        }
        self.go_on(number, calls);
    }

    /// Answers the prompt, if one is outstanding and nothing was asked since.
    fn go_on(&mut self, number: usize, calls: &Calls) {
        if self.pending.is_some() || self.legal.is_empty() || self.over {
            return;
        }
        let again = self.seat.last.as_ref().map(|(asked, _)| asked.clone());
        let asked = match again.filter(|_| self.seat.random.percent(5)) {
            Some(asked) => asked,
            None => {
                // Half of them on a condition: another seat may be first.
                let expected = self.seat.random.percent(50).then(|| self.seat.len());
                self.seat.choose(&self.legal, expected)
            }
        };
        self.ask(number, asked, calls);
    }

    /// Notes in the history that what is pending has no answer, where it was asked.
    fn unanswered(&self) {
        if let Some(asked) = &self.pending {
            self.seat.tried(asked, self.begun, Answer::Unknown);
        }
    }

    fn ask(&mut self, number: usize, asked: Asked, calls: &Calls) {
        let asks = match asked.ask {
            Ask::Action(action) => {
                Call::Apply(v1::ActionBatch { expected_seq: asked.expected, ..batch(ids(&[action])) })
            }
            Ask::Undo => Call::Undo(v1::UndoSpan::default()),
        };
        let request = call(number, &asked.request, asks);
        let (thought, calls) = (self.seat.thought(), calls.clone());
        self.begun = Instant::now();
        self.asked = self.begun + thought;
        tokio::spawn(async move {
            #[expect(clippy::disallowed_methods, reason = "a player thinks")]
            tokio::time::sleep(thought).await;
            // It fails where the server has died, which the other direction notices.
            let _ = calls.send(request).await;
        });
        self.pending = Some(asked);
    }
}

fn call(number: usize, request: &str, call: Call) -> v1::PlaySeatsRequest {
    v1::PlaySeatsRequest { channel: number as u32, request_id: request.to_owned(), call: Some(call) }
}
