//! The stream of one seat ([`SeatStream`]).
//!
//! A task of its own holds the session: nothing that a bot does may give up an attempt to reach the server, or none would be made
//! while a bot chatters.

use edgehill_client::v1::UndoSpan;
use edgehill_client::{Batch, Channel, Client, Error, OpenOptions, PlayEvent, PlayMessage, PlaySession};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// A call for the seat. One is made at a time.
#[derive(Clone, Debug)]
pub(super) enum SeatCall {
    Apply(Batch),
    Undo(UndoSpan),
    Resign,
    OfferDraw,
    AcceptDraw,
    DeclineDraw,
}

/// A seat that is open on the server, until this is dropped.
pub(super) struct SeatStream {
    calls: mpsc::Sender<SeatCall>,
    messages: mpsc::Receiver<Result<PlayMessage, Error>>,
    task: JoinHandle<()>,
}

impl SeatStream {
    /// Opens the seat of a token.
    pub(super) fn open(client: &Client, token: &str, options: OpenOptions) -> Self {
        let (calls, asked) = mpsc::channel(1);
        let (told, messages) = mpsc::channel(1);
        let mut session = client.play();
        let channel = session.open(token, options);
        let task = tokio::spawn(pass(session, channel, asked, told));
        Self { calls, messages, task }
    }

    /// Makes a call. Its answer is among the messages.
    pub(super) async fn call(&self, call: SeatCall) {
        // A task that has ended has said why.
        let _ = self.calls.send(call).await;
    }

    /// The next message of the server; `None` after the last. May be given up while it waits.
    pub(super) async fn next(&mut self) -> Result<Option<PlayMessage>, Error> {
        self.messages.recv().await.transpose()
    }
}

impl Drop for SeatStream {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn pass(
    mut session: PlaySession,
    channel: Channel,
    mut asked: mpsc::Receiver<SeatCall>,
    told: mpsc::Sender<Result<PlayMessage, Error>>,
) {
    loop {
        let message = tokio::select! {
            call = asked.recv() => match call {
                Some(call) => match make(&mut session, channel, call) {
                    Ok(()) => continue,
                    Err(error) => Err(error),
                },
                None => return,
            },
            event = session.next() => match event {
                Ok(Some(PlayEvent { message, .. })) => Ok(message),
                Ok(None) => return,
                Err(error) => Err(error),
            },
        };
        let is_last = message.is_err();
        if told.send(message).await.is_err() || is_last {
            return;
        }
    }
}

fn make(session: &mut PlaySession, channel: Channel, call: SeatCall) -> Result<(), Error> {
    match call {
        SeatCall::Apply(batch) => session.apply(channel, batch),
        SeatCall::Undo(span) => session.undo(channel, span),
        SeatCall::Resign => session.resign(channel),
        SeatCall::OfferDraw => session.offer_draw(channel),
        SeatCall::AcceptDraw => session.accept_draw(channel),
        SeatCall::DeclineDraw => session.decline_draw(channel),
    }
    .map(drop)
}
