//! A copy of the store in somebody else's hands.

use std::fs;
use std::path::Path;

use edgehill_proto::v1;

use crate::process::{by, start_in, try_start};

/// All bytes in a folder but those of the server's key.
fn bytes_in(folder: &Path) -> Vec<u8> {
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files = files.filter(|path| path.is_file() && path.file_name().unwrap() != "server.key");
    files.flat_map(|path| fs::read(path).unwrap()).collect()
}

fn has(bytes: &[u8], what: &[u8]) -> bool {
    bytes.windows(what.len()).any(|window| window == what)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_the_store_without_its_key_lets_nobody_in_and_names_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let server = start_in(folder.path());
    let mut client = server.matches().await;
    let (secret, entropy) = ([0xC5; 32], [0x5C; 32]);
    let create = v1::CreateMatchRequest {
        request_id: "the creation of Ada".into(),
        client_secret: secret.to_vec(),
        game: "skirmish".into(),
        ..v1::CreateMatchRequest::default()
    };
    let created = client.create_match(create).await.unwrap().into_inner();
    let match_id = created.r#match.unwrap().config.unwrap().match_id;
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let join = v1::JoinMatchRequest {
            match_id: match_id.clone(),
            request_id: format!("the seat {seat} of Ada"),
            client_secret: secret.to_vec(),
            seat: Some(seat),
            entropy: entropy.to_vec(),
            player: format!("Ada Lovelace {seat}"),
            ..v1::JoinMatchRequest::default()
        };
        tokens.push(client.join_match(join).await.unwrap().into_inner().seat_token);
    }
    let resign = v1::ResignMatchRequest {
        match_id: match_id.clone(),
        request_id: "the end of Ada".into(),
        ..v1::ResignMatchRequest::default()
    };
    client.resign_match(by(&tokens[0], resign)).await.unwrap();
    let look = |when: &str| {
        let copy = bytes_in(folder.path());
        assert!(has(&copy, b"skirmish"), "the copy {when} is of the store");
        for text in ["of Ada", "Ada Lovelace", &tokens[0], &tokens[1]] {
            assert!(!has(&copy, text.as_bytes()), "{text} is in the copy {when}");
        }
        for bytes in [secret, entropy] {
            assert!(!has(&copy, &bytes), "{bytes:x?} is in the copy {when}");
        }
    };
    look("in use");
    server.stop();
    look("at rest");

    // With no key, and with one of their own, nobody serves it; with its key it is as it was.
    let (key, kept) = (folder.path().join("server.key"), folder.path().join("kept"));
    fs::rename(&key, &kept).unwrap();
    let store = ["--store", folder.path().to_str().unwrap()];
    let said = try_start(&store, &[]).err().expect("its key is gone").stderr;
    assert!(said.contains("its key"), "{said}");
    let elsewhere = tempfile::tempdir().unwrap();
    start_in(elsewhere.path()).stop();
    fs::copy(elsewhere.path().join("server.key"), &key).unwrap();
    let said = try_start(&store, &[]).err().expect("the key is another's").stderr;
    assert!(said.contains("another key"), "{said}");
    fs::rename(&kept, &key).unwrap();
    let server = start_in(folder.path());
    let listed = server.matches().await.list_matches(v1::ListMatchesRequest::default()).await.unwrap();
    let state = listed.into_inner().matches[0].state.clone().unwrap();
    assert_eq!(state.seats[1].player, "Ada Lovelace 1");
}
