//! Messages on their way to a client that may read slowly: [`outbox`].

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use prost::Message;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::Stream;
use tonic::Status;

use super::streams::OpenStream;

/// The most bytes of messages that wait for a client, as they are on the wire. A larger message waits alone.
const ROOM_BYTES: usize = 64 * 1024;

/// The bytes that a message takes up besides its own: an empty one is not free.
const MESSAGE_BYTES: usize = 64;

/// The way to a client. Copies share its room.
#[derive(Debug)]
pub(super) struct Outbox<T> {
    messages: mpsc::UnboundedSender<Waiting<T>>,
    room: Arc<Semaphore>,
}

/// A message and its room, or the end. It is boxed, since a channel has places for many from its beginning on.
type Waiting<T> = (Result<Box<T>, Status>, Option<Room>);

/// Room for a message, until the client's transport has taken it.
#[derive(Debug)]
pub(super) struct Room(#[expect(dead_code, reason = "it is held")] OwnedSemaphorePermit);

/// The messages as the transport takes them.
#[derive(Debug)]
pub(super) struct Outgoing<T> {
    messages: mpsc::UnboundedReceiver<Waiting<T>>,
    /// `None`: it has ended.
    open: Option<OpenStream>,
}

/// A way to a client, with room for [`ROOM_BYTES`], of a stream that is open until its end is taken: a client who hears of the end comes
/// again at once, with all of their streams, and has to find room.
///
/// What is made for a client is made once there is room for it: who finds none lets go of what they have, and makes it anew
/// when there is.
#[expect(clippy::disallowed_methods, reason = "its bound is the room: in bytes, not in messages")]
pub(super) fn outbox<T: Message>(open: OpenStream) -> (Outbox<T>, Outgoing<T>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let outgoing = Outgoing { messages: receiver, open: Some(open) };
    (Outbox { messages: sender, room: Arc::new(Semaphore::new(ROOM_BYTES)) }, outgoing)
}

/// Bytes of room that a message of this length takes.
fn room_of(bytes: usize) -> u32 {
    (bytes + MESSAGE_BYTES).min(ROOM_BYTES) as u32
}

impl<T: Message> Outbox<T> {
    /// Room for a message of `bytes`, if there is.
    pub(super) fn room(&self, bytes: usize) -> Option<Room> {
        Arc::clone(&self.room).try_acquire_many_owned(room_of(bytes)).ok().map(Room)
    }

    /// Waits for room for a message of about `bytes`.
    pub(super) async fn wait(&self, bytes: usize) -> Option<Room> {
        Arc::clone(&self.room).acquire_many_owned(room_of(bytes)).await.ok().map(Room)
    }

    /// Sends a message for which there is room. Nobody gets it if the client has gone, which each sender checks itself.
    pub(super) fn put(&self, room: Room, message: T) {
        let _ = self.messages.send((Ok(Box::new(message)), Some(room)));
    }

    /// Sends a message as soon as there is room for it.
    pub(super) async fn send(&self, message: T) {
        if let Some(room) = self.wait(message.encoded_len()).await {
            self.put(room, message);
        }
    }

    /// Says that the stream ends, and why. Nothing comes after that.
    pub(super) fn end(&self, status: Status) {
        let _ = self.messages.send((Err(status), None));
    }

    /// Returns whether the client has gone.
    pub(super) fn is_closed(&self) -> bool {
        self.messages.is_closed()
    }

    /// Returns when the client has gone.
    pub(super) async fn closed(&self) {
        self.messages.closed().await;
    }
}

impl<T> Clone for Outbox<T> {
    fn clone(&self) -> Self {
        Self { messages: self.messages.clone(), room: Arc::clone(&self.room) }
    }
}

impl<T> Stream for Outgoing<T> {
    type Item = Result<T, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = std::task::ready!(self.messages.poll_recv(cx)).map(|(message, _room)| message);
        if !matches!(next, Some(Ok(_))) {
            self.open = None;
        }
        Poll::Ready(next.map(|message| message.map(|boxed| *boxed)))
    }
}

#[cfg(test)]
mod tests {
    use edgehill_proto::v1::WatchMatchResponse;
    use tokio_stream::StreamExt;

    use super::super::streams::OpenStreams;
    use super::*;
    use crate::identity::CallerKey;

    /// The one stream that a caller may have.
    fn one_of(streams: &OpenStreams) -> OpenStream {
        streams.open(CallerKey::at("192.0.2.1".parse().unwrap()), 1).unwrap()
    }

    #[tokio::test]
    async fn a_client_who_hears_of_the_end_may_come_again() {
        let streams = OpenStreams::default();
        let (outbox, mut outgoing) = outbox::<WatchMatchResponse>(one_of(&streams));
        let still_there = outbox.clone();
        outbox.end(Status::unavailable("the end"));
        outgoing.next().await.unwrap().unwrap_err();
        let (outbox, mut outgoing) = super::outbox::<WatchMatchResponse>(one_of(&streams));
        drop((outbox, still_there));
        assert!(outgoing.next().await.is_none());
        let (_outbox, outgoing) = super::outbox::<WatchMatchResponse>(one_of(&streams));
        drop(outgoing);
        one_of(&streams);
    }

    #[tokio::test]
    async fn messages_wait_up_to_their_bytes_and_a_large_one_alone() {
        let (outbox, mut outgoing) = outbox::<WatchMatchResponse>(one_of(&OpenStreams::default()));
        let large = outbox.room(10 * ROOM_BYTES).unwrap();
        assert!(outbox.room(0).is_none());
        outbox.put(large, WatchMatchResponse::default());
        assert!(outbox.room(0).is_none(), "it has not been taken yet");
        outgoing.next().await.unwrap().unwrap();
        let mut waiting = 0;
        while let Some(room) = outbox.room(0) {
            outbox.put(room, WatchMatchResponse::default());
            waiting += 1;
        }
        assert_eq!(waiting, ROOM_BYTES / MESSAGE_BYTES);
        outbox.end(Status::unavailable("the end"));
        drop(outbox);
        assert_eq!(outgoing.collect::<Vec<_>>().await.len(), waiting + 1);
    }

    #[tokio::test]
    async fn nobody_waits_for_a_client_who_has_gone() {
        let (outbox, outgoing) = outbox::<WatchMatchResponse>(one_of(&OpenStreams::default()));
        let waiting = outbox.clone();
        outbox.put(outbox.room(ROOM_BYTES).unwrap(), WatchMatchResponse::default());
        let waiting = tokio::spawn(async move { waiting.send(WatchMatchResponse::default()).await });
        drop(outgoing);
        waiting.await.unwrap();
        assert!(outbox.is_closed());
        outbox.closed().await;
    }
}
