//! `ExportRecord`: the parts of a record make what the engine writes.

use edgehill_engine::record::{Record, verify};
use edgehill_proto::v1;
use edgehill_service::host::RecordReader;
use edgehill_service::limits::RECORD_CHUNK_BYTES;

use crate::kit::{HasMatch, skirmish, soon};
use crate::running::Start;

/// The game that is played.
const GAME: &str = "cruel-necessity";

#[tokio::test(flavor = "multi_thread")]
async fn the_parts_of_a_record_make_the_text_that_the_engine_writes() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let bot = v1::SeatConfig {
        kind: v1::SeatKind::HouseBot.into(),
        bot: "ironside".into(),
        ..v1::SeatConfig::default()
    };
    let war = v1::CreateMatchRequest { game: GAME.into(), seats: vec![bot], ..skirmish("war") };
    let id = client.create_match(war).await.unwrap().into_inner().id();
    let watch = v1::WatchMatchRequest { match_id: id.clone(), ..v1::WatchMatchRequest::default() };
    let mut watch = client.watch_match(watch).await.unwrap().into_inner();
    soon(async { while watch.message().await.unwrap().is_some() {} }).await;

    let written = running.host.record(id.parse().unwrap(), &RecordReader::Anybody).await.unwrap();
    assert!(written.complete && written.text.is_ascii());
    let request = v1::ExportRecordRequest { match_id: id };
    let mut stream = client.export_record(request).await.unwrap().into_inner();
    let mut parts = Vec::new();
    while let Some(part) = soon(stream.message()).await.unwrap() {
        assert!(part.complete, "the same in all parts");
        parts.push(part.text);
    }
    let (last, whole) = parts.split_last().unwrap();
    assert!(!whole.is_empty(), "a war that takes several parts");
    assert!(whole.iter().all(|part| part.len() == RECORD_CHUNK_BYTES));
    assert!((1..=RECORD_CHUNK_BYTES).contains(&last.len()));
    assert_eq!(parts.concat(), written.text);
    let record = Record::parse(&parts.concat()).unwrap();
    let report = verify(&**running.host.registry().game(GAME).unwrap(), &record, &[]);
    assert!(report.is_consistent(), "{report}");
}
