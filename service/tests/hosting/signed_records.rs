//! The records that a server gives out are signed by it, and a record that somebody has changed is not.

use edgehill_engine::record::{Record, RecordPart, RecordReport, verify};
use edgehill_engine::signing::VerifyingKey;
use edgehill_proto::v1;
use sha2::{Digest, Sha256};

use crate::accounts::Keys;
use crate::kit::{Seated, by, exported, resign, skirmish};
use crate::running::{KEY, Running, Start};

fn key() -> VerifyingKey {
    KEY.signing().verifying_key()
}

fn check(running: &Running, text: &str) -> RecordReport {
    let game = running.host.registry().game("skirmish").unwrap();
    verify(&**game, &Record::parse(text).unwrap(), &[key()])
}

/// The record of a match that South has given up, and the server that it was played on.
async fn finished() -> (Running, String) {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let request = v1::CreateMatchRequest { seed: None, ..skirmish("m") };
    let seated = Seated::of(&mut client, request).await;
    seated.choose_cards(&mut client).await;
    client.resign_match(by(&seated.tokens[1], resign(&seated.id, "r"))).await.unwrap();
    let request = v1::ExportRecordRequest { match_id: seated.id };
    let text = exported(client.export_record(request).await).await.unwrap().text;
    (running, text)
}

/// `text` up to `end`, which is made again as a forger does it.
fn with_end(lines: &str) -> String {
    let unwrapped = lines.replace("\n  ", " ");
    format!("{lines}end {}\n", hex::encode(Sha256::digest(format!("edgehill/record/2{unwrapped}"))))
}

#[tokio::test]
async fn nothing_is_wrong_with_the_record_of_a_match_that_is_over() {
    let (running, text) = finished().await;
    let report = check(&running, &text);
    assert!(report.is_fully_checked(), "{report}");
    // A server that starts again with its key has the same.
    let restarted = Start::on(running.store.clone()).run().await;
    assert_eq!(restarted.host.key().signing().verifying_key(), key());
}

#[tokio::test]
async fn a_record_that_was_changed_is_refused_with_the_signature_that_it_had_and_without() {
    let (running, text) = finished().await;
    let (lines, rest) = text.split_once("end ").unwrap();
    let signature = &rest[rest.find("signer ").unwrap()..];
    let resigned = lines.find("resigned south").unwrap();
    let edits = [
        ("names", lines.replacen("seat north \"", "seat north \"Mallory ", 1)),
        ("cut", format!("{}result none\n", &lines[..resigned])),
        ("another resigns", lines.replacen("resigned south", "resigned north", 1)),
        ("id", lines.replacen("match \"", "match \"0", 1)),
    ];
    for (what, edited) in edits {
        assert_ne!(edited, lines, "{what}");
        for (forged, code) in
            [(with_end(&edited) + signature, "SIGNATURE_MISMATCH"), (with_end(&edited), "UNSIGNED")]
        {
            let report = check(&running, &forged);
            assert!(report.findings.iter().any(|finding| finding.fault.code() == code), "{what}: {report}");
        }
    }
}

#[tokio::test]
async fn the_record_of_a_running_match_is_signed_and_vouches_for_no_end() {
    let keys = Keys::new();
    let running = Start { accounts: keys.accounts(), ..Start::default() }.run().await;
    let mut client = running.client().await;
    let request = v1::CreateMatchRequest { seed: None, ..skirmish("r") };
    let created = client.create_match(by(&keys.ada, request)).await.unwrap().into_inner();
    let id = crate::kit::HasMatch::id(&created);
    for seat in 0..2 {
        client.join_match(by(&keys.ada, crate::kit::join(&id, &format!("j{seat}"), seat))).await.unwrap();
    }
    let request = by(&keys.umpire, v1::ExportRecordRequest { match_id: id });
    let text = exported(client.export_record(request).await).await.unwrap().text;
    let report = check(&running, &text);
    assert!(report.is_consistent() && !report.is_fully_checked(), "{report}");
    let parts: Vec<RecordPart> = report.unchecked.iter().map(|unchecked| unchecked.part).collect();
    assert_eq!(parts, [RecordPart::Seed, RecordPart::Entropy, RecordPart::End]);
}
