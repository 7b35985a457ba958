//! The beginning of a connection, which a client has to send in time: [`Opening`].

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Sleep, sleep};

/// The preface of HTTP/2 (RFC 9113, 3.4).
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The end of the head of a request of HTTP/1 (RFC 9112, 2.1).
const HEAD_END: &[u8; 4] = b"\r\n\r\n";

/// The beginning of a connection: HTTP/2's preface, or the head of the first request of HTTP/1.
#[derive(Debug)]
pub(super) struct Opening {
    deadline: Pin<Box<Sleep>>,
    read: usize,
    last: [u8; 4],
    is_http2: bool,
}

impl Opening {
    /// A beginning that has to come `within` this time.
    #[expect(clippy::disallowed_methods, reason = "a deadline of the network's time, which no match knows")]
    pub(super) fn new(within: Duration) -> Self {
        Self { deadline: Box::pin(sleep(within)), read: 0, last: [0; 4], is_http2: true }
    }

    /// Ready once the time is over.
    pub(super) fn poll_late(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.deadline.as_mut().poll(cx)
    }

    /// Takes up what was read next. Returns true if the beginning ends in it.
    pub(super) fn ends_in(&mut self, bytes: &[u8]) -> bool {
        for &byte in bytes {
            self.is_http2 = self.is_http2 && PREFACE.get(self.read) == Some(&byte);
            self.read += 1;
            self.last.rotate_left(1);
            self.last[3] = byte;
            let ended = if self.is_http2 { self.read == PREFACE.len() } else { self.last == *HEAD_END };
            if ended {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of bytes after which `text` is a beginning, byte by byte and all at once.
    fn end(text: &[u8]) -> Option<usize> {
        let mut opening = Opening::new(Duration::from_secs(1));
        let end = text.iter().position(|&byte| opening.ends_in(&[byte]));
        assert_eq!(Opening::new(Duration::from_secs(1)).ends_in(text), end.is_some());
        end.map(|last| last + 1)
    }

    #[tokio::test]
    async fn a_beginning_ends_with_the_preface_or_with_a_head() {
        assert_eq!(end(PREFACE), Some(24));
        assert_eq!(end(&[PREFACE, b"\0\0\0\x04"].concat()), Some(24));
        assert_eq!(end(b"PRI * HTTP/2.0\r\n\r\n"), None);
        assert_eq!(end(b"PRI * HTTP/2.0\r\n\r\nno\r\n\r\n"), Some(24));
        assert_eq!(end(b"POST / HTTP/1.1\r\nhost: a\r\n\r\nbody"), Some(28));
        assert_eq!(end(b"POST / HTTP/1.1\r\nhost: a\r\n"), None);
        assert_eq!(end(b""), None);
    }
}
