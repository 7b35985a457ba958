//! A client that plays seats over one `PlaySeats` stream, and opens another with its cursors whenever it breaks.

use edgehill_proto::v1::play_seats_request::Call;
use edgehill_proto::v1::play_seats_response::Message;
use edgehill_proto::v1::{self, ErrorReason};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;

use crate::date::pause;
use crate::line::{DEADLINE, Line, passes};
use crate::message::{HasMatch, batch, ids};
use crate::seat::{Ask, Asked, Seat, is_expected};
use crate::unary;

/// The longest that a player waits for the answer of a call: what it thinks before comes to it.
const PATIENCE: u32 = 3;

/// A seat in a channel.
struct Channel {
    seat: Seat,
    /// Asked, and not answered yet.
    pending: Option<Asked>,
    /// The prompt that is outstanding: the actions, and the number of the sequence.
    legal: Vec<u32>,
    seq: u64,
    over: bool,
    closed: bool,
}

type Calls = mpsc::Sender<v1::PlaySeatsRequest>;

/// Plays all seats until their matches are over.
pub(crate) async fn play(seats: Vec<Seat>, mut line: Line) {
    let channel =
        |seat| Channel { seat, pending: None, legal: Vec::new(), seq: 0, over: false, closed: false };
    let mut channels: Vec<Channel> = seats.into_iter().map(channel).collect();
    while channels.iter().any(|channel| !channel.closed) {
        play_on(&mut channels, &mut line).await;
        line.pause().await;
    }
    for channel in channels {
        // A call that the server carried out before the stream broke may not have been answered since: the match was over first.
        if let Some(asked) = channel.pending {
            let answered = unary::make(&channel.seat, &mut line, &asked).await;
            assert!(answered.as_ref().err().is_none_or(is_expected), "{asked:?}: {answered:?}");
        }
    }
}

/// Plays over one stream, until all matches are over or it breaks.
async fn play_on(channels: &mut [Channel], line: &mut Line) {
    let (calls, receiver) = mpsc::channel(64);
    let mut client = line.client().await;
    let mut answers = match timeout(DEADLINE, client.play_seats(ReceiverStream::new(receiver))).await {
        Ok(Ok(answers)) => answers.into_inner(),
        Ok(Err(status)) => {
            assert_eq!(line.lost(&status), None);
            return;
        }
        Err(_) => return line.leave(),
    };
    for (number, channel) in channels.iter_mut().enumerate().filter(|(_, channel)| !channel.closed) {
        channel.legal.clear();
        let open = v1::play_seats_request::Open {
            seat_token: channel.seat.log.token.clone(),
            after_seq: Some(channel.seat.len()),
            ..v1::play_seats_request::Open::default()
        };
        let _ = calls.send(call(number, "", Call::Open(open))).await;
        // A request that was not answered is sent again; and one that was answered, as often as not.
        let repeated = channel.seat.last().filter(|_| channel.seat.random.percent(50));
        if let Some(asked) = channel.pending.clone().or(repeated) {
            channel.ask(number, asked, &calls);
        }
    }
    while channels.iter().any(|channel| !channel.closed) {
        let Ok(answer) = timeout(DEADLINE * PATIENCE, answers.message()).await else {
            // Nothing comes where nobody is asked, and where the connection is cut.
            return line.leave();
        };
        match answer {
            Ok(Some(answer)) => {
                let number = answer.channel as usize;
                if refused(&answer).is_some_and(passes) {
                    return line.leave();
                }
                channels[number].take(number, answer, &calls);
            }
            Ok(None) => panic!("the stream ended before its channels"),
            Err(status) => {
                assert_eq!(line.lost(&status), None, "the stream was refused");
                return;
            }
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
    fn take(&mut self, number: usize, answer: v1::PlaySeatsResponse, calls: &Calls) {
        match answer.message.unwrap() {
            Message::Opened(opened) => assert_eq!(opened.seq(), self.seat.len()),
            Message::Update(update) => {
                self.seat.take(update.events, true);
                assert_eq!(self.seat.len(), update.seq);
                self.over |= update.state.is_some_and(|state| unary::is_over(state.status()));
                if let Some(result) = update.apply_result {
                    let asked = self.pending.take().expect("nothing was asked");
                    assert_eq!(answer.request_id, asked.request);
                    self.seat.acknowledge(&asked, result.actions, update.seq);
                    self.legal.clear();
                } else if self.pending.as_ref().is_some_and(|asked| asked.request == answer.request_id) {
                    let asked = self.pending.take().expect("it was looked at");
                    self.seat.acknowledge(&asked, 0, update.seq);
                }
                if let Some(legal_actions) = update.legal_actions {
                    (self.legal, self.seq) = (legal_actions.ids, update.seq);
                }
            }
            // The match was over before the call came: whether it was carried out before is asked at the end.
            Message::Refusal(refusal) if refusal.reason() == ErrorReason::UnknownChannel => {
                assert!(self.over);
            }
            Message::Refusal(refusal) => {
                let asked = self.pending.take();
                assert!(is_expected(&refusal), "{asked:?}: {refusal:?}");
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
        let again = self.seat.last().filter(|_| self.seat.random.percent(5));
        let asked = match again {
            Some(asked) => asked,
            None => self.seat.choose(&self.legal, self.seq),
        };
        self.ask(number, asked, calls);
    }

    fn ask(&mut self, number: usize, asked: Asked, calls: &Calls) {
        let asks = match asked.ask {
            Ask::Action(action) => {
                Call::Apply(v1::ActionBatch { expected_seq: asked.expected, ..batch(ids(&[action])) })
            }
            Ask::Undo => Call::Undo(v1::UndoSpan { expected_seq: asked.expected, ..v1::UndoSpan::default() }),
            Ask::Resign => Call::Resign(v1::play_seats_request::Resign {}),
        };
        let request = call(number, &asked.request, asks);
        let (thought, calls) = (self.seat.thought(), calls.clone());
        tokio::spawn(async move {
            pause(thought).await;
            // It fails where the stream has broken, which the other direction notices.
            let _ = calls.send(request).await;
        });
        self.pending = Some(asked);
    }
}

fn call(number: usize, request: &str, call: Call) -> v1::PlaySeatsRequest {
    v1::PlaySeatsRequest { channel: number as u32, request_id: request.to_owned(), call: Some(call) }
}
