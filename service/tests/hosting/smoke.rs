//! A whole game of a campaign over the wire.

use edgehill_proto::v1::{self, LegalDetail, MatchStatus};

use crate::kit::{HasBatch, HasMatch, HasResult, batch, by, exported, ids};
use crate::running::Start;

#[tokio::test(flavor = "multi_thread")]
async fn two_clients_play_a_whole_game_and_its_record_is_verified() {
    let running = Start::default().run().await;
    let mut client = running.client().await;
    let created = client
        .create_match(v1::CreateMatchRequest {
            request_id: "a".into(),
            game: "english-civil-war-iia".into(),
            options: vec![v1::OptionValue { id: "max_seasons".into(), value: "2".into() }],
            client_secret: vec![7; 32],
            ..v1::CreateMatchRequest::default()
        })
        .await
        .unwrap()
        .into_inner();
    let id = created.id();
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let joined = client
            .join_match(v1::JoinMatchRequest {
                match_id: id.clone(),
                request_id: format!("join-{seat}"),
                entropy: vec![seat + 1; 32],
                client_secret: vec![7; 32],
                ..v1::JoinMatchRequest::default()
            })
            .await
            .unwrap()
            .into_inner();
        tokens.push(joined.seat_token);
    }
    let mut actions = 0;
    'match_: loop {
        for token in &tokens {
            loop {
                let legal = client
                    .list_legal_actions(by(
                        token,
                        v1::ListLegalActionsRequest {
                            match_id: id.clone(),
                            ..v1::ListLegalActionsRequest::default()
                        },
                    ))
                    .await
                    .unwrap()
                    .into_inner();
                if !legal.to_act {
                    break;
                }
                let listed = legal.legal_actions.unwrap().ids;
                let action = listed[actions * 7 % listed.len()];
                actions += 1;
                let applied = client
                    .apply_actions(by(
                        token,
                        v1::ApplyActionsRequest {
                            match_id: id.clone(),
                            request_id: format!("s-{actions}"),
                            batch: Some(batch(ids(&[action])).expecting(legal.seq)),
                            response_options: Some(v1::ResponseOptions {
                                include_view: true,
                                legal: LegalDetail::Full.into(),
                                include_events: true,
                                include_text: true,
                            }),
                        },
                    ))
                    .await
                    .unwrap()
                    .into_inner();
                assert_eq!(applied.result().actions, 1);
                if applied.update.unwrap().status() == MatchStatus::Finished {
                    break 'match_;
                }
            }
        }
    }
    let record =
        exported(client.export_record(v1::ExportRecordRequest { match_id: id.clone() }).await).await.unwrap();
    assert!(record.complete);
    let record = edgehill_engine::record::Record::parse(&record.text).unwrap();
    let game = running.host.registry().game("english-civil-war-iia").unwrap();
    let report = edgehill_engine::record::verify(&**game, &record, &[]);
    assert!(report.is_consistent(), "{report}");
}
