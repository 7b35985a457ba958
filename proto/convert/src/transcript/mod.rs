//! Transcripts checked ([`check`], [`check_against`]): docs/record.md, "Receipts".
//!
//! What is shown to an observer is a function of the record: so a host that has shown something else than what its record says, or
//! not in that order, is caught by the transcript and the receipts in it.

mod facts;
mod report;
#[cfg(test)]
mod tests;

pub use report::{Fault, TranscriptReport};

use edgehill_engine::record::{Record, replay};
use edgehill_engine::registry::AnyGame;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::signing::{Signature, VerifyingKey};
use edgehill_engine::view::{NodeView, View};
use edgehill_proto::receipts::{self, Shown, StreamHash, Transcript};
use edgehill_proto::v1;

use crate::values;
use facts::{Fact, Told};

/// Checks the receipts of a transcript against its events: hashes and signatures. `signers` are the keys that are known to be the host's.
#[must_use]
pub fn check(transcript: &Transcript, signers: &[VerifyingKey]) -> TranscriptReport {
    let mut report = TranscriptReport::new(transcript.seq());
    let mut hash = StreamHash::start(transcript.match_id(), &transcript.observer());
    let mut seq = 0;
    for shown in transcript.shown() {
        match shown {
            Shown::Event(event) => {
                hash = hash.after(event);
                seq = event.seq;
                if !event.stream_hash.is_empty() {
                    // The events before it went into a hash that can't be reckoned any more.
                    report.note_jump(seq);
                }
            }
            Shown::Receipt(receipt) => {
                if receipt.stream_hash == hash.as_bytes() {
                    check_signature(receipt, signers, &mut report);
                } else {
                    report.faults.push(Fault::Hash { seq });
                }
            }
        }
    }
    report
}

fn check_signature(receipt: &v1::Receipt, signers: &[VerifyingKey], report: &mut TranscriptReport) {
    let seq = receipt.seq;
    let key =
        <[u8; 32]>::try_from(&receipt.signer[..]).ok().and_then(|key| VerifyingKey::from_bytes(&key).ok());
    let signature = <[u8; 64]>::try_from(&receipt.signature[..]).ok().map(Signature::from_bytes);
    let (Some(key), Some(signature)) = (key, signature) else {
        report.faults.push(Fault::Signature { seq });
        return;
    };
    if !key.has_signed(receipts::SIGNED_KIND, &receipts::digest(receipt), &signature) {
        report.faults.push(Fault::Signature { seq });
    } else if signers.is_empty() {
        report.note_receipt(seq, key, false);
    } else if signers.contains(&key) {
        report.note_receipt(seq, key, true);
    } else {
        report.faults.push(Fault::Signer { seq, found: key });
    }
}

/// Checks a transcript as [`check`] does, and what was shown in it against a record of the match, which is played again by the rules of
/// `game`. What the record itself is worth is not looked into ([`edgehill_engine::record::verify`]).
#[must_use]
pub fn check_against(
    transcript: &Transcript,
    signers: &[VerifyingKey],
    record: &Record,
    game: &dyn AnyGame,
) -> TranscriptReport {
    let mut report = check(transcript, signers);
    if record.header().match_id != transcript.match_id() {
        report.faults.push(Fault::OtherMatch { found: record.header().match_id.clone() });
        return report;
    }
    if let Err(fault) = compare(transcript, record, game, &mut report) {
        report.faults.push(fault);
    }
    report
}

fn compare(
    transcript: &Transcript,
    record: &Record,
    game: &dyn AnyGame,
    report: &mut TranscriptReport,
) -> Result<(), Fault> {
    let table = replay(game, record).map_err(|error| Fault::Record { why: error.to_string() })?;
    let observer = match transcript.observer().seat {
        None => Observer::Spectator,
        Some(seat) if (seat as usize) < table.seats() => Observer::Seat(Seat::new(seat as u8)),
        Some(_) => return Err(Fault::NoSuchSeat),
    };
    let mut view = table.first_view(observer).map_err(|error| Fault::Record { why: error.to_string() })?;
    let mut shown = Vec::new();
    for event in transcript.events() {
        let seen = values::event(event).map_err(|_| Fault::Garbled { seq: event.seq })?;
        seen.form.changes.iter().for_each(|change| view.fold(change));
        shown.extend(Fact::of(&seen).map(|fact| (event.seq, fact)));
    }
    let told: Vec<Fact> = table.published(observer, 0).iter().filter_map(Fact::of).collect();
    let Told { facts, drafted, next } = facts::compare(observer, &shown, &told)?;
    (report.facts, report.drafted) = (facts, drafted);
    // The last view can only be compared where both have come to the end.
    if record.result().is_some() && matches!(view.turn_state.node, NodeView::Over(_)) {
        if let Some(told) = next {
            return Err(Fault::Missing { told });
        }
        let last = View { calls: view.calls.clone(), ..table.view(observer) };
        if last != view {
            return Err(Fault::View);
        }
        report.is_whole = true;
    }
    Ok(())
}
