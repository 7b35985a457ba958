//! A connection whose writes are gathered ([`WriteCoalescer`]).

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The most bytes that are gathered before they are sent without waiting for more.
const BYTES_MAX: usize = 64 << 10;

/// The most bytes of room that a connection keeps while it has nothing to send.
const KEPT: usize = 4 << 10;

/// A connection that sends what many tasks have written with one call of the system.
///
/// HTTP/2 flushes its connection whenever one of the calls on it has something to send, and on a busy server the next call
/// is only a moment behind: without more, each message costs a system call at the one end and a wake-up at the other. Here a
/// flush first lets those tasks run that are ready already (its own goes to the end of the line), and then sends what all of
/// them have written. Nothing waits for time to pass: where nobody else is ready the flush goes on at once. It is what
/// gRPC's implementation in Go does as well (`loopyWriter` in `internal/transport/controlbuf.go`).
///
/// For both ends of a connection, above TLS or below it: above, what is sent together also makes few records.
#[derive(Debug)]
pub struct WriteCoalescer<S> {
    connection: S,
    gathered: Vec<u8>,
    /// Number of its bytes that are sent.
    sent: usize,
    /// True if a flush of what is gathered has let others run.
    waited: bool,
}

impl<S> WriteCoalescer<S> {
    /// Gathers what is written to `connection`.
    #[must_use]
    pub const fn new(connection: S) -> Self {
        Self { connection, gathered: Vec::new(), sent: 0, waited: false }
    }

    /// The connection itself. What was gathered and not flushed is not in it.
    #[must_use]
    pub const fn get_ref(&self) -> &S {
        &self.connection
    }
}

impl<S: AsyncWrite + Unpin> WriteCoalescer<S> {
    /// Sends all that is gathered.
    fn poll_send(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(rest) = self.gathered.get(self.sent..).filter(|rest| !rest.is_empty()) {
            match ready!(Pin::new(&mut self.connection).poll_write(cx, rest))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                sent => self.sent += sent,
            }
        }
        self.gathered.clear();
        self.gathered.shrink_to(KEPT);
        (self.sent, self.waited) = (0, false);
        Poll::Ready(Ok(()))
    }

    /// Makes room for at least a byte; how many there is room for.
    fn poll_room(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if self.gathered.len() >= BYTES_MAX {
            ready!(self.poll_send(cx))?;
        }
        Poll::Ready(Ok(BYTES_MAX - self.gathered.len()))
    }

    /// Takes as much of `bytes` as there is `room` for.
    fn take(&mut self, bytes: &[u8], room: usize) -> usize {
        let taken = bytes.len().min(room);
        self.gathered.extend_from_slice(&bytes[..taken]);
        taken
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteCoalescer<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_read(cx, buf)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteCoalescer<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let room = ready!(self.poll_room(cx))?;
        Poll::Ready(Ok(self.take(buf, room)))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let room = ready!(self.poll_room(cx))?;
        let taken = bufs.iter().fold(0, |taken, buf| taken + self.take(buf, room - taken));
        Poll::Ready(Ok(taken))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.gathered.is_empty() && !self.waited {
            self.waited = true;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        ready!(self.poll_send(cx))?;
        Pin::new(&mut self.connection).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(self.poll_send(cx))?;
        Pin::new(&mut self.connection).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake, Waker};

    use super::*;

    /// A connection that takes so many bytes a call, and keeps each call's apart.
    #[derive(Debug)]
    struct Wire {
        at_once: usize,
        calls: Vec<Vec<u8>>,
        flushed: usize,
        shut: bool,
    }

    impl Wire {
        fn taking(at_once: usize) -> WriteCoalescer<Self> {
            WriteCoalescer::new(Self { at_once, calls: Vec::new(), flushed: 0, shut: false })
        }
    }

    impl AsyncWrite for Wire {
        fn poll_write(mut self: Pin<&mut Self>, _: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
            let taken = buf.len().min(self.at_once);
            self.calls.push(buf[..taken].to_vec());
            Poll::Ready(Ok(taken))
        }

        fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            self.flushed += 1;
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            self.shut = true;
            Poll::Ready(Ok(()))
        }
    }

    /// Counts how often it is woken.
    #[derive(Default)]
    struct Bell(AtomicUsize);

    impl Wake for Bell {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn write(write_coalescer: &mut WriteCoalescer<Wire>, bytes: &[u8]) -> usize {
        let mut cx = Context::from_waker(Waker::noop());
        match Pin::new(write_coalescer).poll_write(&mut cx, bytes) {
            Poll::Ready(Ok(taken)) => taken,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_flush_lets_others_run_once_and_sends_what_all_have_written() {
        let (mut write_coalescer, bell) = (Wire::taking(1_000), Arc::new(Bell::default()));
        let waker = Waker::from(Arc::clone(&bell));
        let mut cx = Context::from_waker(&waker);
        for round in 1..=2 {
            assert_eq!(write(&mut write_coalescer, b"one "), 4);
            assert!(Pin::new(&mut write_coalescer).poll_flush(&mut cx).is_pending());
            assert_eq!(bell.0.load(Ordering::Relaxed), round, "whoever flushes is called again");
            assert_eq!(write(&mut write_coalescer, b"two"), 3);
            assert!(matches!(Pin::new(&mut write_coalescer).poll_flush(&mut cx), Poll::Ready(Ok(()))));
            assert_eq!(write_coalescer.get_ref().calls, vec![b"one two".to_vec(); round]);
            assert_eq!(write_coalescer.get_ref().flushed, round);
        }
        assert_eq!(bell.0.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_flush_of_nothing_is_done_at_once() {
        let mut write_coalescer = Wire::taking(1_000);
        let mut cx = Context::from_waker(Waker::noop());
        assert!(Pin::new(&mut write_coalescer).poll_flush(&mut cx).is_ready());
        assert_eq!((write_coalescer.get_ref().calls.len(), write_coalescer.get_ref().flushed), (0, 1));
    }

    #[test]
    fn what_is_gathered_is_bounded_and_none_of_it_is_lost() {
        let mut write_coalescer = Wire::taking(7_919);
        let mut cx = Context::from_waker(Waker::noop());
        let bytes: Vec<u8> = (0..200_000_u32).map(|number| number as u8).collect();
        let mut written = 0;
        while written < bytes.len() {
            let halves = bytes[written..].split_at((bytes.len() - written) / 2);
            let bufs = [IoSlice::new(halves.0), IoSlice::new(halves.1)];
            match Pin::new(&mut write_coalescer).poll_write_vectored(&mut cx, &bufs) {
                Poll::Ready(Ok(taken)) => written += taken,
                other => panic!("{other:?}"),
            }
            assert!(write_coalescer.gathered.len() <= BYTES_MAX);
        }
        assert!(Pin::new(&mut write_coalescer).poll_shutdown(&mut cx).is_ready());
        assert_eq!(write_coalescer.get_ref().calls.concat(), bytes);
        assert!(write_coalescer.get_ref().shut);
        assert!(write_coalescer.gathered.capacity() <= KEPT, "the room is given back");
    }

    #[test]
    fn a_connection_that_takes_nothing_is_an_error() {
        let mut write_coalescer = Wire::taking(0);
        let mut cx = Context::from_waker(Waker::noop());
        write(&mut write_coalescer, b"one");
        assert!(Pin::new(&mut write_coalescer).poll_flush(&mut cx).is_pending());
        match Pin::new(&mut write_coalescer).poll_flush(&mut cx) {
            Poll::Ready(Err(error)) => assert_eq!(error.kind(), io::ErrorKind::WriteZero),
            other => panic!("{other:?}"),
        }
    }
}
