//! Checking a record against rules, commitment, seed and signature ([`verify`]).

use crate::dice::{Terms, VerifyError};
use crate::registry::AnyGame;
use crate::signing::VerifyingKey;

use super::fault::{Finding, RecordFault};
use super::header::{Dice, HostSecrets, RulesPin};
use super::replay::Replay;
use super::report::{DiceCheck, RecordPart, RecordReport, SignatureCheck, Unchecked};
use super::terms::options_hash;
use super::{Record, Recorded, SIGNED_KIND};

/// Checks everything about a record that can be checked: commitments, the seed's derivation, each action by the rules, each
/// outcome by the seed, each digest, the result, the text, the signature. The check goes on after a fault as long as the
/// replay can. What can't be checked is in [`RecordReport::unchecked`].
///
/// `signers` are keys of hosts that the caller knows: one of them has to have signed the record. With none given, a record
/// need not be signed, and whose signature it has remains unchecked.
///
/// A record can't prove which commitment was shown before the match: compare it with the one that you were shown.
#[must_use]
pub fn verify(game: &dyn AnyGame, record: &Record, signers: &[VerifyingKey]) -> RecordReport {
    let mut findings = Vec::new();
    let mut played = 0;
    if let Some(mut replay) = Replay::open(game, record, &mut findings) {
        check_dice(game, record, &replay, &mut findings);
        while replay.action(&mut findings) {}
        played = replay.played;
        if played == record.entries.len() {
            replay.check_result(&mut findings);
        }
    }
    if record.end != record.derived {
        let fault = RecordFault::Text { expected: record.derived, found: record.end };
        findings.push(Finding { line: record.end_line, fault });
    }
    let signature = check_signature(record, signers, &mut findings);
    findings.sort_by_key(|finding| finding.line);
    let chance =
        |entry: &&super::RecordEntry| matches!(entry.what, Recorded::Roll { .. } | Recorded::Pick { .. });
    let dice = match &record.header.dice {
        _ if record.header.is_seed_withheld() => DiceCheck::Withheld,
        Dice::Committed { .. } => DiceCheck::Committed,
        Dice::Chosen(_) => DiceCheck::Chosen,
        _ => DiceCheck::NoSeed,
    };
    let outcomes = record.entries[..played].iter().filter(chance).count();
    let unchecked = unchecked(record, dice, signature);
    let entries = (played, record.entries.len());
    RecordReport { findings, unchecked, entries, outcomes, dice, signature }
}

/// The signature over the lines as they are, whatever the line `end` says of them.
fn check_signature(record: &Record, signers: &[VerifyingKey], findings: &mut Vec<Finding>) -> SignatureCheck {
    let mut note = |fault| findings.push(Finding { line: record.signature_line, fault });
    let known = || signers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ");
    let Some(signed) = &record.signature else {
        if !signers.is_empty() {
            note(RecordFault::Unsigned { expected: known() });
        }
        return SignatureCheck::Unsigned;
    };
    if !signed.signer.has_signed(SIGNED_KIND, record.derived.as_bytes(), &signed.signature) {
        note(RecordFault::Signature { signer: signed.signer });
        return SignatureCheck::Invalid(signed.signer);
    }
    if signers.contains(&signed.signer) {
        return SignatureCheck::Known(signed.signer);
    }
    if !signers.is_empty() {
        note(RecordFault::Signer { expected: known(), found: signed.signer });
    }
    SignatureCheck::Unknown(signed.signer)
}

/// The parts that nothing vouches for. A known signature covers all that stands in the record, and nothing that is withheld.
fn unchecked(record: &Record, dice: DiceCheck, signature: SignatureCheck) -> Vec<Unchecked> {
    let mut unchecked = Vec::new();
    let mut add = |part, why| unchecked.push(Unchecked { part, why });
    match dice {
        DiceCheck::Withheld => add(RecordPart::Seed, "it is withheld: outcomes and digests can be any"),
        DiceCheck::NoSeed => add(RecordPart::Seed, "there is none: outcomes can be any"),
        DiceCheck::Committed | DiceCheck::Chosen => {}
    }
    let whose = match signature {
        SignatureCheck::Known(_) => None,
        SignatureCheck::Unknown(_) => Some("whose key has signed it is not known"),
        SignatureCheck::Unsigned => Some("it is not signed"),
        SignatureCheck::Invalid(_) => Some("its signature does not fit"),
    };
    let committed = matches!(record.header.dice, Dice::Committed { .. });
    match (dice, whose) {
        (DiceCheck::Withheld, _) if committed => add(RecordPart::Entropy, "it is withheld with the seed"),
        (_, Some(why)) if committed => add(RecordPart::Entropy, why),
        _ => {}
    }
    match whose {
        _ if !record.is_over() => add(RecordPart::End, "the match was not over when it was recorded"),
        Some(why) => add(RecordPart::End, why),
        None => {}
    }
    if let Some(why) = whose {
        add(RecordPart::Names, why);
        add(RecordPart::HostsWord, why);
    }
    unchecked
}

/// The commitment of the host and those of the seats, and that each seat has a part in the seed.
fn check_dice(game: &dyn AnyGame, record: &Record, replay: &Replay<'_>, findings: &mut Vec<Finding>) {
    let header = &record.header;
    let Dice::Committed { group, commitment, secrets, entropies } = &header.dice else { return };
    let mut note = |part: &str, fault: RecordFault| findings.push(Finding { line: header.line(part), fault });
    for (index, seat) in entropies.iter().enumerate() {
        let opened = seat
            .commitment
            .as_ref()
            .map_or(Ok(()), |commitment| commitment.verify(header.dice_id(), index as u32, &seat.entropy));
        if let Err(error) = opened {
            note(&format!("entropy {index}"), error.into());
        }
    }
    let Some(HostSecrets { server_seed, salt }) = secrets else { return };
    // In a group there is one for each entrant, and only the group knows how many those are.
    if group.is_none() && entropies.len() != replay.table.seats() {
        let fault = RecordFault::Entropies { expected: replay.table.seats(), found: entropies.len() };
        note("server-seed", fault);
    }
    let RulesPin { rules_version, content } = header.begun_under;
    let rules_version = rules_version.to_string();
    let catalogue = game.catalogue();
    let terms = Terms {
        id: header.dice_id(),
        game: &header.game,
        rules_version: &rules_version,
        content_hash: *content.as_bytes(),
        options_hash: options_hash(catalogue, replay.table.setup(), header.position.as_ref(), salt),
    };
    match commitment.verify(&terms, server_seed) {
        Ok(()) => {}
        Err(error @ VerifyError::Request(_)) => note("match", error.into()),
        Err(error) => note("commitment", error.into()),
    }
}
