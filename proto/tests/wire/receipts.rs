//! Running hashes and transcripts (docs/record.md, "Receipts"), against hashes reckoned by another program.

use edgehill_proto::receipts::{StreamHash, Transcript, TranscriptError, digest};
use edgehill_proto::v1::change::Entry;
use edgehill_proto::v1::{Change, Event, Observer, Phrase, Receipt, TurnState};

const NORTH: Observer = Observer { seat: Some(0) };

fn event(seq: u64, text: &str) -> Event {
    let prompt = Some(Phrase { code: "choose".to_owned(), text: text.to_owned(), ..Phrase::default() });
    let turn_state = Entry::TurnState(Box::new(TurnState { prompt, ..TurnState::default() }));
    Event {
        seq,
        code: "drew".to_owned(),
        rule: "3.1".to_owned(),
        text: text.to_owned(),
        changes: vec![Change { entry: Some(turn_state) }],
        ..Event::default()
    }
}

#[test]
fn hashes_are_those_that_the_page_describes() {
    // By Python's hashlib, and an encoder of protobuf of six lines.
    let start = StreamHash::start("m", &NORTH);
    assert_eq!(start.to_string(), "d06729f731f8bb373f32a3bb83c996f460a08b4c25f4f2b91cceb9e2a9ce8d7c");
    assert_eq!(
        start.after(&event(1, "")).to_string(),
        "d2c91efe681ff55ec1072e72678a5e1c95cd5a043f0e144a11b10dad07e679e2"
    );
    let receipt = Receipt {
        match_id: "m".to_owned(),
        observer: Some(Observer { seat: None }),
        seq: 1,
        stream_hash: vec![7; 32],
        ..Receipt::default()
    };
    let bytes: String = digest(&receipt).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(bytes, "179ca5176bd994a0e5f0a2d96cc481e830dbaa9ce0d1a076c80f10e010830d78");
}

#[test]
fn words_and_numbers_are_not_hashed() {
    let start = StreamHash::start("m", &NORTH);
    assert_eq!(start.after(&event(1, "")), start.after(&event(9, "Choose a card")));
    assert_ne!(start.after(&event(1, "")), start.after(&Event { rule: "3.2".to_owned(), ..event(1, "") }));
    assert_ne!(start, StreamHash::start("m", &Observer { seat: None }));
    assert_ne!(start, StreamHash::start("n", &NORTH));
    let said = Event { stream_hash: vec![1; 32], ..event(1, "") };
    assert_eq!(start.after(&said), StreamHash::from([1; 32]));
}

#[test]
fn a_transcript_is_what_its_text_says() {
    let mut kept = Transcript::new("m", NORTH);
    kept.push(&event(1, "Choose a card")).unwrap();
    kept.push(&event(1, "")).expect("one that is there already is passed over");
    assert_eq!(kept.push(&event(3, "")), Err(TranscriptError::Gap { seq: 1, event: 3 }));
    let receipt = Receipt {
        match_id: "m".to_owned(),
        observer: Some(NORTH),
        seq: 1,
        stream_hash: vec![1; 32],
        signer: vec![2; 32],
        signature: vec![3; 64],
    };
    let other = Receipt { seq: 2, ..receipt.clone() };
    assert_eq!(kept.push_receipt(other), Err(TranscriptError::OtherReceipt { seq: 1 }));
    kept.push_receipt(receipt).unwrap();
    let text = kept.to_text();
    assert!(
        text.starts_with("edgehill transcript 1\nmatch m\nobserver 0\nevent 1204647265771a03332e31"),
        "{text}"
    );
    assert_eq!(Transcript::parse(&text), Ok(kept.clone()));
    assert_eq!(Transcript::parse(&text.replace('\n', "\r\n")), Ok(kept), "as a mail may have it");
    for (wrong, line) in [
        (String::new(), 1),
        (text.replace("script 1", "script 2"), 1),
        (text.replace("match m", "game m"), 2),
        (text.replace("observer 0", "observer north"), 3),
        (text.replace("event 12", "event 1G"), 4),
        (text.replace("event 12", "event 1"), 4),
        (text.replace("event 12", "event 02"), 4),
        (text.replace("receipt 01", "receipt 0"), 5),
        (text.replace("receipt", "recipe"), 5),
    ] {
        let read = Transcript::parse(&wrong);
        assert!(
            matches!(read, Err(TranscriptError::Line { line: at, .. }) if at == line),
            "{wrong}: {read:?}"
        );
    }
}
