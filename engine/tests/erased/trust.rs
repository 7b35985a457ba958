//! Forged records: whoever writes a record can write a consistent one, so a check may not say that nothing is wrong with it
//! unless a host that the checker knows has signed it.

use edgehill_engine::dice::{Entropy, ServerSeed};
use edgehill_engine::record::{
    Dice, Origin, Record, RecordPart, RecordReport, SeatEntropy, SignatureCheck, verify,
};
use edgehill_engine::registry::{AnyGame, AnyTable};
use edgehill_engine::seat::Seat;
use edgehill_engine::signing::SigningKey;
use sha2::{Digest, Sha256};

use super::{committed, game, play, setup};

const HOST: [u8; 32] = [11; 32];

/// A match, its record as its host would give it out, and forgeries of that record, each with the part that was forged.
struct Forgeries {
    genuine: Record,
    forged: Vec<(&'static str, RecordPart, Record)>,
}

fn forgeries(game: &dyn AnyGame) -> Forgeries {
    let (table, origin) = committed(game, setup(game, "pair", 2), 4, 1_000);
    let record = |table: &dyn AnyTable, origin: &Origin| Record::of(table, origin).expect("a match");
    let mut withheld = origin.clone();
    let Dice::Committed { secrets, entropies, .. } = &mut withheld.dice else { panic!("committed") };
    *secrets = None;
    entropies.clear();
    let (early, _) = committed(game, setup(game, "pair", 2), 4, 4);
    let mut resigned = early.clone_box();
    resigned.resign(Seat::new(1)).expect("it may");
    let mut names = origin.clone();
    names.players = vec!["Mallory".to_owned(), "Ann".to_owned()];
    let (redone, redone_origin) = other_entropy(game, &origin);
    let forged = vec![
        ("dice edited", RecordPart::Seed, edited_dice(&record(&*table, &withheld))),
        ("cut", RecordPart::End, record(&*early, &origin)),
        ("a resignation put in", RecordPart::End, record(&*resigned, &origin)),
        ("names changed", RecordPart::Names, record(&*table, &names)),
        ("entropy changed", RecordPart::Entropy, record(&*redone, &redone_origin)),
    ];
    Forgeries { genuine: record(&*table, &origin), forged }
}

/// The match played with the host's own server seed and other entropies, none of which was committed to.
fn other_entropy(game: &dyn AnyGame, origin: &Origin) -> (Box<dyn AnyTable>, Origin) {
    let mut origin = origin.clone();
    let match_id = origin.match_id.clone();
    let Dice::Committed { secrets: Some(secrets), entropies, .. } = &mut origin.dice else {
        panic!("revealed")
    };
    let server_seed: &ServerSeed = &secrets.server_seed;
    let other = [Entropy::from_bytes([200; 32]), Entropy::ABSENT];
    let seed = server_seed.seed(&match_id, &other).expect("a short id");
    *entropies = other.map(|entropy| SeatEntropy { entropy, commitment: None }).to_vec();
    let chance_source = edgehill_engine::chance_source::ChanceSource::Seeded(seed);
    let mut table = game.open(setup(game, "pair", 2), chance_source);
    play(&mut *table, game, 4, 1_000);
    (table, origin)
}

/// The record with another outcome of its last draw by lot, and the digest of its text made again.
fn edited_dice(record: &Record) -> Record {
    let text = record.to_text();
    let at = text.rfind("\ndice 1/").expect("a roll");
    let face = at + text[at..].find(": ").expect("faces") + 2;
    let other = if text[face..].starts_with('6') { "5" } else { "6" };
    let mut edited = text.clone();
    edited.replace_range(face..=face, other);
    assert_ne!(edited, text);
    Record::parse(&with_end(&edited)).expect("a record")
}

/// The text with its line `end` made again, as a forger does it; all lines are short.
fn with_end(text: &str) -> String {
    let unwrapped = text.replace("\n  ", " ");
    let (lines, _) = unwrapped.rsplit_once("\nend ").expect("an end");
    let end = hex::encode(Sha256::digest(format!("edgehill/record/2{lines}\n")));
    let (lines, _) = text.rsplit_once("\nend ").expect("an end");
    format!("{lines}\nend {end}\n")
}

fn has(report: &RecordReport, part: RecordPart) -> bool {
    report.unchecked.iter().any(|unchecked| unchecked.part == part)
}

#[test]
fn a_forged_record_is_consistent_at_most_and_its_forged_part_unchecked() {
    let game = game();
    for (what, part, record) in forgeries(&*game).forged {
        let report = verify(&*game, &record, &[]);
        let text = report.to_string();
        assert!(!report.is_fully_checked() && !text.contains("nothing is wrong"), "{what}: {text}");
        assert!(has(&report, part), "{what}: {text}");
        if report.is_consistent() {
            let verdict = text.lines().last().unwrap_or_default();
            assert!(verdict.starts_with("consistent, but unchecked: "), "{what}: {text}");
            assert!(verdict.contains(part.name()), "{what}: {text}");
        } else {
            // A roll that was edited may lead where the rules do not.
            assert_eq!(what, "dice edited", "{text}");
        }
    }
}

#[test]
fn a_forged_record_with_the_signature_of_the_genuine_one_is_refused() {
    let game = game();
    let host = SigningKey::from_bytes(&HOST);
    let Forgeries { genuine, forged } = forgeries(&*game);
    let signed = genuine.signed_with(&host).to_text();
    let signature = &signed[signed.find("\nsigner ").expect("it is signed") + 1..];
    for (what, _, record) in forged {
        let code = |text: &str, signers: &[_]| {
            let report = verify(&*game, &Record::parse(text).expect(what), signers);
            assert!(!report.is_fully_checked(), "{what}: {report}");
            report.findings.last().map(|finding| finding.fault.code())
        };
        let moved = record.to_text() + signature;
        assert_eq!(code(&moved, &[]), Some("SIGNATURE_MISMATCH"), "{what}");
        assert_eq!(code(&moved, &[host.verifying_key()]), Some("SIGNATURE_MISMATCH"), "{what}");
        assert_eq!(code(&record.to_text(), &[host.verifying_key()]), Some("UNSIGNED"), "{what}");
        let own = record.signed_with(&SigningKey::from_bytes(&[12; 32])).to_text();
        assert_eq!(code(&own, &[host.verifying_key()]), Some("OTHER_SIGNER"), "{what}");
    }
}

#[test]
fn nothing_is_wrong_with_a_record_that_a_known_host_has_signed_and_with_no_other() {
    let game = game();
    let host = SigningKey::from_bytes(&HOST);
    let unsigned = forgeries(&*game).genuine;
    let signed = unsigned.clone().signed_with(&host);
    assert_eq!(Record::parse(&signed.to_text()).as_ref(), Ok(&signed));
    let report =
        verify(&*game, &signed, &[SigningKey::from_bytes(&[9; 32]).verifying_key(), host.verifying_key()]);
    assert!(report.is_fully_checked(), "{report}");
    assert_eq!(report.signature, SignatureCheck::Known(host.verifying_key()));
    assert!(report.to_string().ends_with("\nnothing is wrong"), "{report}");
    let all = [RecordPart::Entropy, RecordPart::End, RecordPart::Names, RecordPart::HostsWord];
    for (record, signature) in
        [(&signed, SignatureCheck::Unknown(host.verifying_key())), (&unsigned, SignatureCheck::Unsigned)]
    {
        let report = verify(&*game, record, &[]);
        assert!(report.is_consistent(), "{report}");
        assert_eq!(report.unchecked.iter().map(|unchecked| unchecked.part).collect::<Vec<_>>(), all);
        assert_eq!(report.signature, signature);
        assert!(report.to_string().ends_with("but unchecked: entropy, end, names, host's word"), "{report}");
    }
}

#[test]
fn what_is_withheld_or_yet_to_come_is_unchecked_whoever_has_signed_it() {
    let game = game();
    let host = SigningKey::from_bytes(&HOST);
    let (table, mut origin) = committed(&*game, setup(&*game, "pair", 2), 4, 4);
    let check = |origin: &Origin| {
        let record = Record::of(&*table, origin).expect("a match").signed_with(&host);
        let report = verify(&*game, &record, &[host.verifying_key()]);
        assert!(report.is_consistent(), "{report}");
        report.unchecked.iter().map(|unchecked| unchecked.part).collect::<Vec<_>>()
    };
    assert_eq!(check(&origin), [RecordPart::End]);
    let Dice::Committed { secrets, entropies, .. } = &mut origin.dice else { panic!("committed") };
    *secrets = None;
    entropies.clear();
    assert_eq!(check(&origin), [RecordPart::Seed, RecordPart::Entropy, RecordPart::End]);
    origin.dice = Dice::Entered;
    assert_eq!(check(&origin), [RecordPart::Seed, RecordPart::End]);
}

/// Each bit of each byte: what is left is refused, or is the same record in another form of its text.
#[test]
fn no_flipped_bit_of_a_signed_record_goes_unnoticed() {
    let game = game();
    let host = SigningKey::from_bytes(&HOST);
    let (table, origin) = committed(&*game, setup(&*game, "pair", 1), 4, 1_000);
    let text = Record::of(&*table, &origin).expect("a match").signed_with(&host).to_text();
    let mut read = 0;
    for bit in 0..text.len() * 8 {
        let mut bytes = text.clone().into_bytes();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let Ok(flipped) = String::from_utf8(bytes) else { continue };
        let Ok(record) = Record::parse_damaged(&flipped) else { continue };
        read += 1;
        let report = verify(&*game, &record, &[host.verifying_key()]);
        assert_eq!(report.is_consistent(), record.to_text() == text, "bit {bit}: {report}\n{flipped}");
    }
    assert!(read > 1_000, "only {read} of the flipped texts were records");
}
