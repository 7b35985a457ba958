//! Everything that was shown to one observer of a match, kept by somebody who need not trust the host ([`Transcript`]).

use std::fmt::Write;

use prost::Message;

use super::{StreamHash, hex, observer, words};
use crate::v1::{Event, Observer, Receipt};

/// The first line of a transcript's text.
const FIRST_LINE: &str = "edgehill transcript 1";

/// Something that a transcript has, in the order in which it came.
#[derive(Clone, PartialEq, Debug)]
pub enum Shown {
    /// An event, without words.
    Event(Event),
    /// A receipt for all events before it.
    Receipt(Receipt),
}

/// The events that were shown to one observer of a match, from number 1 on and without a gap, and the receipts for them.
///
/// Whether the receipts are right is not looked at here, so that a wrong one can be kept as evidence.
#[derive(Clone, PartialEq, Debug)]
pub struct Transcript {
    match_id: String,
    observer: Observer,
    shown: Vec<Shown>,
    seq: u64,
    hash: StreamHash,
}

/// The error of something that is not of a transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TranscriptError {
    /// An event does not follow the last one.
    Gap {
        /// The number of the last event.
        seq: u64,
        /// The number of the event that came.
        event: u64,
    },
    /// A receipt is for another match or observer, or for another number than that of the last event.
    OtherReceipt {
        /// The number of the last event.
        seq: u64,
    },
    /// A line of its text can't be read.
    Line {
        /// Its number, from 1.
        line: usize,
        /// The form that was expected.
        expected: &'static str,
    },
}

impl Transcript {
    /// One in which nothing was shown yet.
    #[must_use]
    pub fn new(match_id: impl Into<String>, of: Observer) -> Self {
        let match_id = match_id.into();
        let hash = StreamHash::start(&match_id, &of);
        Self { match_id, observer: of, shown: Vec::new(), seq: 0, hash }
    }

    /// The match's id.
    #[must_use]
    pub fn match_id(&self) -> &str {
        &self.match_id
    }

    /// The observer.
    #[must_use]
    pub const fn observer(&self) -> Observer {
        self.observer
    }

    /// The number of the last event; 0: none.
    #[must_use]
    pub const fn seq(&self) -> u64 {
        self.seq
    }

    /// The running hash after the last event: what a receipt for its number has to say.
    #[must_use]
    pub const fn hash(&self) -> StreamHash {
        self.hash
    }

    /// All that it has, in order.
    #[must_use]
    pub fn shown(&self) -> &[Shown] {
        &self.shown
    }

    /// Its events, in order.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.shown.iter().filter_map(|shown| match shown {
            Shown::Event(event) => Some(event),
            Shown::Receipt(_) => None,
        })
    }

    /// Adds an event as it was sent; one that it has already is passed over.
    ///
    /// # Errors
    /// [`TranscriptError::Gap`] if events are missing before it.
    pub fn push(&mut self, event: &Event) -> Result<(), TranscriptError> {
        if event.seq <= self.seq && event.seq > 0 {
            return Ok(());
        }
        if event.seq != self.seq + 1 {
            return Err(TranscriptError::Gap { seq: self.seq, event: event.seq });
        }
        self.hash = self.hash.after(event);
        self.seq += 1;
        self.shown.push(Shown::Event(Event { seq: self.seq, ..words::without(event) }));
        Ok(())
    }

    /// Adds a receipt, right or wrong, for what it has by now.
    ///
    /// # Errors
    /// [`TranscriptError::OtherReceipt`] if it is for something else.
    pub fn push_receipt(&mut self, receipt: Receipt) -> Result<(), TranscriptError> {
        let who = receipt.observer.unwrap_or_default();
        if receipt.match_id != self.match_id || who != self.observer || receipt.seq != self.seq {
            return Err(TranscriptError::OtherReceipt { seq: self.seq });
        }
        self.shown.push(Shown::Receipt(receipt));
        Ok(())
    }

    /// Its text: the content of an `.edt` file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let who = observer(&self.observer);
        let mut text = format!("{FIRST_LINE}\nmatch {}\nobserver {who}\n", self.match_id);
        for shown in &self.shown {
            let _ = match shown {
                Shown::Event(event) => {
                    let bytes = Event { seq: 0, ..event.clone() }.encode_to_vec();
                    writeln!(text, "event {}", hex(&bytes))
                }
                Shown::Receipt(receipt) => {
                    let [hash, signer, signature] =
                        [&receipt.stream_hash, &receipt.signer, &receipt.signature].map(|bytes| hex(bytes));
                    writeln!(text, "receipt {hash} {signer} {signature}")
                }
            };
        }
        text
    }

    /// Returns whether a text begins as that of a transcript does.
    #[must_use]
    pub fn is_one(text: &str) -> bool {
        text.lines().next().is_some_and(|line| line.trim_end() == FIRST_LINE)
    }

    /// Reads its text.
    ///
    /// # Errors
    /// [`TranscriptError::Line`] with the line that can't be read.
    pub fn parse(text: &str) -> Result<Self, TranscriptError> {
        let mut lines = text.lines().map(str::trim_end).enumerate();
        let fault = |index: usize, expected| TranscriptError::Line { line: index + 1, expected };
        let mut header = |word: &str, expected| {
            let (index, line) = lines.next().unwrap_or((0, ""));
            let rest = line.strip_prefix(word).ok_or_else(|| fault(index, expected))?;
            Ok::<_, TranscriptError>((index, rest.to_owned()))
        };
        let (index, rest) = header(FIRST_LINE, "`edgehill transcript 1`")?;
        if !rest.is_empty() {
            return Err(fault(index, "`edgehill transcript 1`"));
        }
        let (_, match_id) = header("match ", "`match` and its id")?;
        let (index, who) = header("observer ", "`observer` and a seat's number or `spectator`")?;
        let seat = match &*who {
            "spectator" => None,
            seat => Some(seat.parse().map_err(|_| fault(index, "a seat's number, from 0, or `spectator`"))?),
        };
        let mut read = Self::new(match_id, Observer { seat });
        for (index, line) in lines.filter(|(_, line)| !line.is_empty()) {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["event", bytes] => {
                    let bytes =
                        unhex(bytes).ok_or_else(|| fault(index, "an event's bytes in hexadecimal digits"))?;
                    let event =
                        Event::decode(&bytes[..]).map_err(|_| fault(index, "the bytes of an event"))?;
                    let _ = read.push(&Event { seq: read.seq + 1, ..event });
                }
                ["receipt", hash, signer, signature] => {
                    let digits = "a hash, a key and a signature in hexadecimal digits";
                    let bytes = |text| unhex(text).ok_or_else(|| fault(index, digits));
                    read.shown.push(Shown::Receipt(Receipt {
                        match_id: read.match_id.clone(),
                        observer: Some(read.observer),
                        seq: read.seq,
                        stream_hash: bytes(hash)?,
                        signer: bytes(signer)?,
                        signature: bytes(signature)?,
                    }));
                }
                _ => {
                    return Err(fault(
                        index,
                        "`event` and its bytes, or `receipt` with hash, key and signature",
                    ));
                }
            }
        }
        Ok(read)
    }
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).filter(|_| !byte.is_ascii_uppercase());
    let pair = |pair: &[u8]| Some((digit(pair[0])? << 4 | digit(pair[1])?) as u8);
    digits.len().is_multiple_of(2).then(|| digits.chunks_exact(2).map(pair).collect::<Option<Vec<u8>>>())?
}

impl std::fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Gap { seq, event } => write!(f, "event {event} does not follow number {seq}"),
            Self::OtherReceipt { seq } => {
                write!(f, "the receipt is not for this match, this observer and number {seq}")
            }
            Self::Line { line, expected } => write!(f, "line {line}: {expected} expected"),
        }
    }
}

impl std::error::Error for TranscriptError {}
