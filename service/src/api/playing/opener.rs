//! The opener of a seat, where several servers pass channels on to each other ([`Opener`]).

use std::fmt;
use std::str::FromStr;

use http::HeaderName;

use crate::store::ServerId;

/// The header by which a server that passes a channel on tells whose it is. It is worth nothing to anybody else: who bears none takes the
/// seat, as whoever opens it last does.
pub(super) const OPENER: HeaderName = HeaderName::from_static("edgehill-opener");

/// The time, in milliseconds, in which a channel that a client opens is opened where its match is, unless that has to be found first.
const SOON_MS: u64 = 100;

/// A channel that opens a seat, wherever its match is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Opener {
    /// The server that the client has opened it at, and its number there.
    pub(super) server: ServerId,
    pub(super) number: u64,
    /// When the client has, in that server's milliseconds since 1970.
    pub(super) opened_ms: u64,
    pub(super) time: OpeningTime,
}

/// The time at which a channel is opened where its match is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum OpeningTime {
    /// As soon as its client has opened it.
    Soon,
    /// Later, since nobody had the match.
    Late,
    /// Once more: it was open, and its match has moved, or the way to it broke.
    Again,
}

impl Opener {
    /// The same at this moment, in its server's milliseconds since 1970.
    pub(super) const fn at(self, now_ms: u64) -> Self {
        match self.time {
            OpeningTime::Soon if now_ms.saturating_sub(self.opened_ms) > SOON_MS => {
                Self { time: OpeningTime::Late, ..self }
            }
            _ => self,
        }
    }

    /// Returns whether it takes the seat from the channel that has it; `None`: one of which no server has said anything. What a client has
    /// opened since is not to be lost to a channel that they have left, whose server may not know so yet.
    pub(super) fn takes_from(&self, other: Option<&Self>) -> bool {
        let Some(other) = other else { return self.time != OpeningTime::Again };
        let is_same = (self.server, self.number) == (other.server, other.number);
        is_same
            || match (self.time, other.time) {
                (OpeningTime::Soon, _) => true,
                // It was opened where the match has come to: after it had moved.
                (OpeningTime::Again, OpeningTime::Soon) => false,
                _ => self.opened_ms > other.opened_ms,
            }
    }
}

impl OpeningTime {
    const ALL: [(Self, &'static str); 3] =
        [(Self::Soon, "soon"), (Self::Late, "late"), (Self::Again, "again")];
}

impl fmt::Display for Opener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { server, number, opened_ms, time } = self;
        let (_, time) = OpeningTime::ALL[*time as usize];
        write!(f, "{} {number} {opened_ms} {time}", hex::encode(server.as_bytes()))
    }
}

/// The text is none that a server writes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct NotAnOpener;

impl FromStr for Opener {
    type Err = NotAnOpener;

    fn from_str(text: &str) -> Result<Self, NotAnOpener> {
        let mut parts = text.split(' ');
        let mut next = || parts.next().ok_or(NotAnOpener);
        let mut server = [0; 16];
        hex::decode_to_slice(next()?, &mut server).map_err(|_| NotAnOpener)?;
        let opener = Self {
            server: ServerId::from_bytes(server),
            number: next()?.parse().map_err(|_| NotAnOpener)?,
            opened_ms: next()?.parse().map_err(|_| NotAnOpener)?,
            time: {
                let time = next()?;
                let named = OpeningTime::ALL.into_iter().find(|(_, name)| *name == time);
                named.ok_or(NotAnOpener)?.0
            },
        };
        if parts.next().is_some() { Err(NotAnOpener) } else { Ok(opener) }
    }
}

#[cfg(test)]
mod tests {
    use super::OpeningTime::{Again, Late, Soon};
    use super::*;

    fn opener(number: u64, opened_ms: u64, time: OpeningTime) -> Opener {
        Opener { server: ServerId::from_bytes([7; 16]), number, opened_ms, time }
    }

    #[test]
    fn an_opener_is_read_as_it_is_written() {
        for one in [opener(1, 2, Soon), opener(u64::MAX, 0, Again), opener(0, u64::MAX, Late)] {
            assert_eq!(one.to_string().parse(), Ok(one));
        }
        let written = opener(1, 2, Soon).to_string();
        for bad in ["", "07 1 2 soon", &written[1..], &format!("{written} 3"), &written.replace("soon", "1")]
        {
            assert_eq!(bad.parse::<Opener>(), Err(NotAnOpener), "{bad}");
        }
    }

    #[test]
    fn a_channel_takes_the_seat_from_nobody_who_has_opened_it_since() {
        let takes = |(number, opened_ms, time), other: Option<(u64, u64, OpeningTime)>| {
            let other = other.map(|(number, opened_ms, time)| opener(number, opened_ms, time));
            opener(number, opened_ms, time).takes_from(other.as_ref())
        };
        // Of those that clients open now the last has it, whatever the clocks of their servers say.
        for before in [Some((2, 20, Soon)), Some((2, 20, Late)), Some((2, 20, Again)), None] {
            assert!(takes((1, 10, Soon), before), "{before:?}");
        }
        // The other one was opened here, so after the match had come here.
        assert!(!takes((1, 10, Again), Some((2, 5, Soon))) && !takes((1, 10, Again), None));
        for time in [Late, Again] {
            // The client was last at the one that they have opened later.
            assert!(
                takes((2, 20, time), Some((1, 10, Again))) && !takes((1, 10, time), Some((2, 20, Again)))
            );
            assert!(takes((2, 20, time), Some((1, 10, Late))) && !takes((1, 10, time), Some((2, 20, Late))));
            // A seat that it had here itself when the way to it broke.
            assert!(takes((1, 10, time), Some((1, 10, Soon))) && takes((1, 10, time), Some((1, 10, time))));
        }
        assert!(takes((2, 20, Late), Some((1, 10, Soon))) && !takes((1, 10, Late), Some((2, 20, Soon))));
    }

    #[test]
    fn an_opening_that_had_to_wait_is_late() {
        let soon = opener(1, 1_000, Soon);
        assert_eq!([soon.at(1_000 + SOON_MS), soon.at(900)].map(|one| one.time), [Soon, Soon]);
        assert_eq!(soon.at(1_001 + SOON_MS).time, Late);
        assert_eq!(opener(1, 1_000, Again).at(9_000).time, Again);
    }
}
