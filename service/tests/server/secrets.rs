//! Nothing that a server writes holds a secret, however much it is asked to write.

use std::fs;

use edgehill_proto::v1;
use tonic::metadata::MetadataValue;

use crate::message::{self, HasMatch, batch};
use crate::process::{Said, by, player_key, start};

/// Plays a little with every kind of secret, with all logs on; what was written, and the secrets.
async fn run(format: &str) -> (Said, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let store = store.to_str().unwrap();
    let (key, made) = player_key("ada", store);
    let accounts = folder.path().join("accounts.toml");
    fs::write(&accounts, &made).unwrap();
    let env = [("EDGEHILL_LOG__FILTER", "trace"), ("EDGEHILL_LOG__FORMAT", format)];
    let server = start(&["--store", store, "--accounts", accounts.to_str().unwrap()], &env);
    let mut client = server.matches().await;

    let (seed, entropy) = ([0xC5; 32], [0xE7; 32]);
    let create = v1::CreateMatchRequest {
        request_id: "a".into(),
        game: "skirmish".into(),
        seats: vec![
            v1::SeatConfig { kind: v1::SeatKind::Invited.into(), ..v1::SeatConfig::default() },
            v1::SeatConfig { kind: v1::SeatKind::Open.into(), ..v1::SeatConfig::default() },
        ],
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    };
    let chosen = v1::CreateMatchRequest {
        request_id: "b".into(),
        game: "skirmish".into(),
        seed: Some(v1::create_match_request::Seed::ChosenSeed(seed.to_vec())),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    };
    client.create_match(by(&key, chosen)).await.unwrap();
    let made = client.create_match(by(&key, create)).await.unwrap().into_inner();
    let match_id = made.id();
    let invitation = made.invitations[0].invitation.clone();
    let mut tokens = Vec::new();
    for (seat, invitation) in [(0, invitation.clone()), (1, String::new())] {
        let join = v1::JoinMatchRequest {
            match_id: match_id.clone(),
            request_id: format!("j{seat}"),
            seat: Some(seat),
            invitation,
            entropy: entropy.to_vec(),
            client_secret: vec![7; 32],
            ..v1::JoinMatchRequest::default()
        };
        tokens.push(client.join_match(by(&key, join)).await.unwrap().into_inner().seat_token);
    }
    let legal =
        v1::ListLegalActionsRequest { match_id: match_id.clone(), ..v1::ListLegalActionsRequest::default() };
    let ids = client
        .list_legal_actions(by(&tokens[0], legal))
        .await
        .unwrap()
        .into_inner()
        .legal_actions
        .unwrap()
        .ids;
    let apply = v1::ApplyActionsRequest {
        match_id: match_id.clone(),
        request_id: "s".into(),
        batch: Some(batch(message::ids(&ids[..1]))),
        ..v1::ApplyActionsRequest::default()
    };
    client.apply_actions(by(&tokens[0], apply)).await.unwrap();
    // Refused texts are not repeated either: mistyped, of another kind, in the wrong place.
    let mistyped = format!("{}b", &tokens[1][..tokens[1].len() - 1]);
    for secret in [&mistyped, &invitation] {
        let legal = v1::ListLegalActionsRequest {
            match_id: match_id.clone(),
            ..v1::ListLegalActionsRequest::default()
        };
        client.list_legal_actions(by(secret, legal)).await.unwrap_err();
    }
    let mut bare = tonic::Request::new(v1::ListMatchesRequest::default());
    bare.metadata_mut().insert("authorization", MetadataValue::try_from(key.clone()).unwrap());
    client.list_matches(bare).await.unwrap_err();
    drop(client);

    let server_key = fs::read_to_string(format!("{store}/server.key")).unwrap().trim().to_owned();
    let mut secrets = vec![key, invitation, server_key];
    secrets.extend(tokens);
    // Without prefix, and without what a cut or a quote might take away.
    let mut secrets: Vec<String> =
        secrets.iter().map(|secret| secret[10..secret.len() - 4].to_owned()).collect();
    for bytes in [seed, entropy] {
        secrets.push(hex::encode(&bytes[..8]));
        secrets.push(format!("{:?}", &bytes[..8]).trim_matches(['[', ']']).to_owned());
        secrets.push(bytes[..4].escape_ascii().to_string());
    }
    (server.stop(), secrets)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_log_of_any_level_holds_a_secret() {
    for format in ["text", "json"] {
        let (said, secrets) = run(format).await;
        assert!(said.code == Some(0) && !said.panicked(), "{:?}", said.code);
        assert!(said.stderr.contains("edgehill.v1.MatchService"), "calls are logged at this level");
        for secret in secrets {
            let place = said.stderr.find(&secret).or_else(|| said.stdout.find(&secret));
            let around = place
                .map(|place| &said.stderr[place.saturating_sub(200)..(place + 100).min(said.stderr.len())]);
            assert_eq!(around, None, "{format}: {secret}");
        }
        if format == "json" {
            for line in said.stderr.lines() {
                serde_json::from_str::<serde_json::Value>(line)
                    .unwrap_or_else(|error| panic!("{line}: {error}"));
            }
        }
    }
}
