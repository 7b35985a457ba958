//! Transcripts of matches of every game, as they are and as a host or a keeper would like them.

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Node;
use edgehill_engine::record::{Origin, Record};
use edgehill_engine::registry::{AnyGame, AnyTable, Registry};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::signing::SigningKey;
use edgehill_engine::table::ApplyMode;
use edgehill_proto::receipts::{Shown, Transcript, digest};
use edgehill_proto::v1;

use super::{Fault, check, check_against};
use crate::messages::{self, TextMode};

const ID: &str = "a-match";
/// Calls of a match at most.
const CALLS: usize = 4_000;

fn key() -> SigningKey {
    SigningKey::from_bytes(&[5; 32])
}

/// A receipt for a transcript as it is, signed by `key`.
fn receipt(transcript: &Transcript, key: &SigningKey) -> v1::Receipt {
    let receipt = v1::Receipt {
        match_id: transcript.match_id().to_owned(),
        observer: Some(transcript.observer()),
        seq: transcript.seq(),
        stream_hash: transcript.hash().as_bytes().to_vec(),
        ..v1::Receipt::default()
    };
    let signature = key.sign("edgehill receipt v1", &digest(&receipt));
    let signer = key.verifying_key().as_bytes().to_vec();
    v1::Receipt { signer, signature: signature.as_bytes().to_vec(), ..receipt }
}

/// A match by chance; `drafting` seats take back what they have drafted now and then.
fn played(game: &dyn AnyGame, drafting: bool) -> Box<dyn AnyTable> {
    let mut table = game.open(Setup::default_of(game.catalogue()), ChanceSource::playout(7));
    for number in 0..CALLS {
        let to_act = table.node().to_act();
        let Some(seat) = to_act.iter().find(|&seat| !table.committed(seat)) else { break };
        let legal = table.legal(seat);
        table.apply(seat, &[legal[number * 7 % legal.len()]], ApplyMode::Atomic).expect("it is legal");
        if drafting && number % 5 == 0 && !table.draft(seat).is_empty() && !table.committed(seat) {
            table.undo(seat, 0).expect("a draft can be taken back");
        }
    }
    if table.node() != Node::Over {
        table.resign(Seat::new(0)).expect("it is not over");
    }
    table
}

/// The events of an observer.
fn events(table: &dyn AnyTable, observer: Observer) -> Vec<v1::Event> {
    let mut seq = 0;
    let event = |seen| {
        let mut bytes = Vec::new();
        messages::written::event(seen, &mut bytes);
        seq += 1;
        messages::event::read(&bytes, seq, TextMode::of(table.catalogue())).expect("it was just written")
    };
    table.published(observer, 0).iter().map(event).collect()
}

fn transcript(observer: Observer, events: &[v1::Event], signer: &SigningKey) -> Transcript {
    let mut transcript = Transcript::new(ID, messages::observer::of(observer));
    for (event, seq) in events.iter().zip(1..) {
        transcript.push(&v1::Event { seq, ..event.clone() }).expect("it follows");
        if seq == events.len() as u64 / 2 {
            transcript.push_receipt(receipt(&transcript, signer)).expect("it is for this");
        }
    }
    transcript.push_receipt(receipt(&transcript, signer)).expect("it is for this");
    transcript
}

fn record(table: &dyn AnyTable) -> Record {
    let origin = Origin { match_id: ID.to_owned(), ..Origin::local(table.chance_source()) };
    Record::of(table, &origin).expect("a match by chance can be written")
}

#[test]
fn what_a_record_tells_was_shown_in_every_game_to_everybody() {
    for game in Registry::built_in().expect("the games are there").games() {
        for drafting in [false, true] {
            let table = played(&**game, drafting);
            let record = record(&*table);
            for observer in Observer::all(table.seats()) {
                let kept = transcript(observer, &events(&*table, observer), &key());
                let kept = Transcript::parse(&kept.to_text()).expect("its own text");
                let report = check_against(&kept, &[key().verifying_key()], &record, &**game);
                assert!(report.is_fully_checked(), "{} {observer:?}: {report}", game.catalogue().id);
                assert!(report.receipts == 2 && report.facts > 0, "{report}");
                if observer == Observer::Spectator {
                    assert_eq!(report.drafted, 0, "drafts are shown to nobody else");
                }
            }
        }
    }
}

/// A match for two, and what a spectator and North were shown of it.
fn skirmish() -> (Box<dyn AnyTable>, Record, Registry) {
    let registry = Registry::built_in().expect("the games are there");
    let table = played(&**registry.game("skirmish").expect("the specimen"), false);
    let record = record(&*table);
    (table, record, registry)
}

#[test]
fn a_host_that_shows_something_else_and_signs_it_is_caught_by_the_record() {
    let (table, record, registry) = skirmish();
    let game = registry.game("skirmish").expect("the specimen");
    for observer in [Observer::Spectator, Observer::Seat(Seat::new(0))] {
        let honest = events(&*table, observer);
        let drawn = honest.iter().rposition(|event| event.chance_ref.is_some()).expect("dice, or a card");
        let mut dropped = honest.clone();
        dropped.remove(drawn);
        let mut other = honest.clone();
        other[drawn].chance_ref = Some(v1::ChanceRef { stream: 9, n: 9 });
        let mut again = honest.clone();
        again.push(honest[drawn].clone());
        let cut = honest[..drawn].to_vec();
        let caught = |events: &[v1::Event]| {
            let kept = transcript(observer, events, &key());
            let report = check_against(&kept, &[key().verifying_key()], &record, &**game);
            assert_eq!(report.receipts, 2, "the receipts are right: {report}");
            report.faults
        };
        for (what, events) in [("dropped", dropped), ("other", other), ("again", again)] {
            let faults = caught(&events);
            assert!(matches!(faults[..], [Fault::Fact { .. } | Fault::Missing { .. }]), "{what}: {faults:?}");
        }
        // A spectator who left early has nothing wrong.
        assert_eq!(caught(&cut), []);
    }
}

#[test]
fn receipts_for_other_events_or_by_other_keys_are_caught_without_a_record() {
    let (table, ..) = skirmish();
    let honest = events(&*table, Observer::Spectator);
    let right = transcript(Observer::Spectator, &honest, &key());
    let last = right.seq();
    let found =
        |text: &str| check(&Transcript::parse(text).expect("a transcript"), &[key().verifying_key()]).faults;
    assert_eq!(found(&right.to_text()), []);
    // Two events change places; one is left out.
    let mut lines: Vec<String> = right.to_text().lines().map(str::to_owned).collect();
    let first = lines.iter().position(|line| line.starts_with("event ")).expect("events");
    lines.swap(first, first + 1);
    let half = last / 2;
    assert_eq!(found(&lines.join("\n")), [Fault::Hash { seq: half }, Fault::Hash { seq: last }]);
    lines.swap(first, first + 1);
    lines.remove(first);
    assert_eq!(found(&lines.join("\n")), [Fault::Hash { seq: half - 1 }, Fault::Hash { seq: last - 1 }]);
    // Another key, and a signature that is another's.
    let stranger = SigningKey::from_bytes(&[6; 32]);
    let forged = transcript(Observer::Spectator, &honest, &stranger);
    let signer = |seq| Fault::Signer { seq, found: stranger.verifying_key() };
    assert_eq!(found(&forged.to_text()), [signer(half), signer(last)]);
    let digits = |key: &SigningKey| key.verifying_key().to_string();
    let renamed = forged.to_text().replace(&digits(&stranger), &digits(&key()));
    assert_eq!(found(&renamed), [Fault::Signature { seq: half }, Fault::Signature { seq: last }]);
    // Without a key to compare with, whose word it is stays open.
    let report = check(&right, &[]);
    assert!(report.is_consistent() && !report.is_fully_checked(), "{report}");
}

#[test]
fn what_no_receipt_proves_is_said() {
    let (table, ..) = skirmish();
    let honest = events(&*table, Observer::Spectator);
    let whole = transcript(Observer::Spectator, &honest, &key());
    let report = |kept: &Transcript| check(kept, &[key().verifying_key()]);
    assert_eq!(report(&whole).unproven(), []);
    let last = whole.seq();
    // A receipt and then one event more.
    let mut more = whole.clone();
    more.push(&v1::Event { seq: last + 1, ..honest[0].clone() }).expect("it follows");
    assert_eq!(report(&more).unproven(), [last + 1..=last + 1]);
    // An event that has taken the place of others says itself what they came to.
    let mut replaced = Transcript::new(ID, v1::Observer::default());
    let stands_for = v1::Event { stream_hash: vec![3; 32], ..honest[2].clone() };
    for (event, seq) in [&honest[0], &stands_for, &honest[1]].into_iter().zip(1..) {
        replaced.push(&v1::Event { seq, ..event.clone() }).expect("it follows");
        if seq == 1 {
            replaced.push_receipt(receipt(&replaced, &key())).expect("it is for this");
        }
    }
    replaced.push_receipt(receipt(&replaced, &key())).expect("it is for this");
    assert_eq!(report(&replaced).unproven(), [2..=2], "the first is proven by the receipt before");
    assert!(matches!(replaced.shown(), [Shown::Event(_), Shown::Receipt(_), ..]));
}

#[test]
fn another_match_and_a_seat_that_is_not_there_are_named() {
    let (_, record, registry) = skirmish();
    let game = registry.game("skirmish").expect("the specimen");
    let other = Transcript::new("another", v1::Observer::default());
    let faults = check_against(&other, &[], &record, &**game).faults;
    assert_eq!(faults, [Fault::OtherMatch { found: ID.to_owned() }]);
    let nobody = Transcript::new(ID, v1::Observer { seat: Some(70_000) });
    assert_eq!(check_against(&nobody, &[], &record, &**game).faults, [Fault::NoSuchSeat]);
}
