//! `edgehill-server rotate-key`: a server goes on with another key, and with what the one before has given out.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use edgehill_engine::record::{Record, verify};
use edgehill_engine::registry::Registry;
use edgehill_engine::signing::{Signature, VerifyingKey};
use edgehill_proto::v1::create_match_request::Seed;
use edgehill_proto::{receipts, v1};
use edgehill_service::identity::ServerKey;
use tonic::Code;

use crate::acts::acts_in;
use crate::message::{HasMatch, batch, exported, ids};
use crate::process::{Running, by, key_of, said, start, try_start};

/// A store with an operator in its accounts file, and the player `ada` in the store.
struct Site {
    folder: tempfile::TempDir,
    chief: String,
    ada: String,
}

/// A match in which ada has both seats.
struct Played {
    id: String,
    creator_token: String,
    tokens: Vec<String>,
    /// The id of its seed group; empty without one.
    group: String,
}

impl Site {
    fn new() -> Self {
        let mut site =
            Self { folder: tempfile::tempdir().unwrap(), chief: String::new(), ada: String::new() };
        site.appoint_chief();
        site
    }

    /// Gives the operator a key, and the accounts file its hash.
    fn appoint_chief(&mut self) {
        let (chief, lines) = key_of("chief", "operator", &self.path("store"));
        fs::write(self.folder.path().join("accounts.toml"), lines).unwrap();
        self.chief = chief;
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn key_file(&self) -> PathBuf {
        self.folder.path().join("store/server.key")
    }

    fn key(&self) -> ServerKey {
        ServerKey::read(&self.key_file()).unwrap().unwrap()
    }

    fn start(&self) -> Running {
        start(&["--store", &self.path("store"), "--accounts", &self.path("accounts.toml")], &[])
    }

    /// Runs a command on the store: its exit code and what it said.
    fn run(&self, args: &[&str]) -> (Option<i32>, String, String) {
        said(&[args, &["--store", &self.path("store")]].concat(), &[])
    }

    /// The words of what those who run the server have done.
    async fn acts_of_house(&self) -> Vec<String> {
        let acts = acts_in(&self.folder.path().join("store")).await.into_iter();
        acts.filter(|(actor, _)| actor == "house").map(|(_, words)| words).collect()
    }

    fn rotate(&self) -> String {
        let (code, stdout, stderr) = self.run(&["rotate-key"]);
        assert_eq!((code, &*stderr), (Some(0), ""), "{stdout}");
        stdout
    }

    async fn make_ada(&mut self, server: &Running) {
        let create = v1::CreateAccountRequest {
            request_id: "c".into(),
            account_id: "ada".into(),
            roles: vec![v1::AccountRole::Player.into()],
        };
        server.admin().await.create_account(by(&self.chief, create)).await.unwrap();
        self.ada = self.ada_key(server).await.unwrap();
    }

    /// The answer to the request for ada's first key, now and again.
    async fn ada_key(&self, server: &Running) -> Result<String, tonic::Status> {
        let create = v1::CreateAccountKeyRequest {
            request_id: "k".into(),
            account_id: "ada".into(),
            ..v1::CreateAccountKeyRequest::default()
        };
        let made = server.admin().await.create_account_key(by(&self.chief, create)).await?;
        Ok(made.into_inner().key)
    }

    /// The answer to the request for this match, now and again, and to those for its seats.
    async fn play(&self, server: &Running, request_id: &str) -> Played {
        self.play_with(server, request_id, None).await
    }

    /// The same with the seed of a group.
    async fn play_with(&self, server: &Running, request_id: &str, seed: Option<Seed>) -> Played {
        let mut client = server.matches().await;
        let create = v1::CreateMatchRequest {
            request_id: request_id.into(),
            game: "skirmish".into(),
            seed,
            ..v1::CreateMatchRequest::default()
        };
        let made = client.create_match(by(&self.ada, create)).await.unwrap().into_inner();
        let group = made.config().dice.and_then(|dice| dice.group);
        let (id, creator_token) = (made.id(), made.creator_token);
        let mut tokens = Vec::new();
        for seat in 0..2 {
            let join = v1::JoinMatchRequest {
                match_id: id.clone(),
                request_id: format!("j{seat}"),
                seat: Some(seat),
                entropy: vec![1 + seat as u8; 32],
                ..v1::JoinMatchRequest::default()
            };
            tokens.push(client.join_match(by(&self.ada, join)).await.unwrap().into_inner().seat_token);
        }
        Played { id, creator_token, tokens, group: group.map(|group| group.group_id).unwrap_or_default() }
    }

    /// Gives ada another key, and takes the first away.
    async fn replace_ada_key(&mut self, server: &Running) -> String {
        let rotate = v1::RotateAccountKeyRequest {
            request_id: "k2".into(),
            account_id: "ada".into(),
            key_number: 1,
            ..v1::RotateAccountKeyRequest::default()
        };
        let rotated = server.admin().await.rotate_account_key(by(&self.chief, rotate)).await.unwrap();
        std::mem::replace(&mut self.ada, rotated.into_inner().key)
    }
}

impl Played {
    /// Takes the first action that each seat may.
    async fn act(&self, server: &Running, request_id: &str) {
        let mut client = server.matches().await;
        for token in &self.tokens {
            let list = v1::ListLegalActionsRequest {
                match_id: self.id.clone(),
                ..v1::ListLegalActionsRequest::default()
            };
            let legal = client.list_legal_actions(by(token, list)).await.unwrap().into_inner();
            let Some(&first) = legal.legal_actions.unwrap().ids.first() else { continue };
            let apply = v1::ApplyActionsRequest {
                match_id: self.id.clone(),
                request_id: request_id.into(),
                batch: Some(batch(ids(&[first]))),
                ..v1::ApplyActionsRequest::default()
            };
            client.apply_actions(by(token, apply)).await.unwrap();
        }
    }

    async fn resign(&self, server: &Running) -> Result<(), tonic::Status> {
        let resign = v1::ResignMatchRequest {
            match_id: self.id.clone(),
            request_id: "r".into(),
            ..v1::ResignMatchRequest::default()
        };
        server.matches().await.resign_match(by(&self.tokens[0], resign)).await.map(|_| ())
    }

    /// The view of a seat, which its token alone gives.
    async fn look(&self, server: &Running) -> Result<(), tonic::Status> {
        let view = v1::GetViewRequest { match_id: self.id.clone(), ..v1::GetViewRequest::default() };
        server.matches().await.get_view(by(&self.tokens[0], view)).await.map(|_| ())
    }

    async fn record(&self, server: &Running, key: &str) -> String {
        let ask = v1::ExportRecordRequest { match_id: self.id.clone() };
        exported(server.matches().await.export_record(by(key, ask)).await).await.unwrap().text
    }

    async fn receipt(&self, server: &Running, key: &str) -> v1::Receipt {
        let ask = v1::GetReceiptRequest { match_id: self.id.clone(), observer: None };
        let answer = server.matches().await.get_receipt(by(key, ask)).await.unwrap();
        answer.into_inner().receipt.unwrap()
    }
}

/// The public keys that a server names: that of now, then those of before.
async fn public_keys(server: &Running) -> Vec<VerifyingKey> {
    let answer = server.catalog().await.get_signing_key(v1::GetSigningKeyRequest {}).await.unwrap();
    let keys = answer.into_inner();
    let former = keys.former_signing_keys.iter().map(|former| {
        assert!(former.replace_time.is_some());
        &former.signing_key
    });
    let keys = std::iter::once(&keys.signing_key).chain(former);
    keys.map(|key| VerifyingKey::from_bytes(key.as_slice().try_into().unwrap()).unwrap()).collect()
}

fn is_in_order(record: &str, signers: &[VerifyingKey]) -> bool {
    let registry = Registry::built_in().unwrap();
    verify(&**registry.game("skirmish").unwrap(), &Record::parse(record).unwrap(), signers).is_fully_checked()
}

/// Returns whether one of these has signed a receipt.
fn is_signed(receipt: &v1::Receipt, signers: &[VerifyingKey]) -> bool {
    let signature: Signature = hex::encode(&receipt.signature).parse().unwrap();
    let digest = receipts::digest(receipt);
    signers.iter().any(|key| {
        receipt.signer == key.as_bytes() && key.has_signed(receipts::SIGNED_KIND, &digest, &signature)
    })
}

/// The status code with which this key lists matches.
async fn code(server: &Running, key: &str) -> Code {
    let listed = server.matches().await.list_matches(by(key, v1::ListMatchesRequest::default())).await;
    listed.map_or_else(|status| status.code(), |_| Code::Ok)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_given_out_before_a_rotation_is_good_after_it() {
    let mut site = Site::new();
    let server = site.start();
    site.make_ada(&server).await;
    let (running, over) = (site.play(&server, "running").await, site.play(&server, "over").await);
    running.act(&server, "a1").await;
    over.act(&server, "a1").await;
    over.resign(&server).await.unwrap();
    let (record, receipt) = (over.record(&server, &site.ada).await, over.receipt(&server, &site.ada).await);
    let before = public_keys(&server).await;
    assert!(before.len() == 1 && is_in_order(&record, &before) && is_signed(&receipt, &before));
    let (exit, _, stderr) = site.run(&["rotate-key"]);
    assert!(exit == Some(1) && stderr.contains("STORE_LOCKED"), "a server has it open: {stderr}");
    server.stop();

    let words = site.rotate();
    assert!(words.contains("rotated") && words.contains(", 1 before it are kept"), "{words}");
    assert!(words.contains("2 matches sealed anew"), "{words}");
    let server = site.start();
    let keys = public_keys(&server).await;
    assert_eq!((keys.len(), keys[1], keys[0] == before[0]), (2, before[0], false));
    // Those who were seated play on, by the tokens that they have and by those that they ask for again; so do accounts.
    running.act(&server, "a2").await;
    let again = site.play(&server, "running").await;
    assert_eq!((&again.id, &again.tokens), (&running.id, &running.tokens));
    assert_eq!(again.creator_token, running.creator_token);
    assert_eq!(site.ada_key(&server).await.unwrap(), site.ada);
    assert_eq!((code(&server, &site.chief).await, code(&server, &site.ada).await), (Code::Ok, Code::Ok));
    // Records of before are the server's word, and those of now are signed with the other key.
    assert!(is_in_order(&record, &keys) && !is_in_order(&record, &keys[..1]));
    assert!(is_signed(&receipt, &keys) && !is_signed(&receipt, &keys[..1]));
    let later = over.record(&server, &site.ada).await;
    assert!(is_in_order(&later, &keys[..1]) && later != record);
    let later = over.receipt(&server, &site.ada).await;
    assert_eq!(later.stream_hash, receipt.stream_hash);
    assert!(is_signed(&later, &keys[..1]));
    // A match that is made now is of the other key alone.
    let new = site.play(&server, "new").await;
    new.act(&server, "a1").await;
    let alone = site.key().without_former();
    let id = new.id.parse().unwrap();
    assert_eq!(alone.creator_token(&id).to_string(), new.creator_token);
    assert_ne!(alone.creator_token(&running.id.parse().unwrap()).to_string(), running.creator_token);
    running.resign(&server).await.unwrap();
    server.stop();

    // And once more: three keys are at work.
    site.rotate();
    let server = site.start();
    assert_eq!(public_keys(&server).await.len(), 3);
    assert!(is_in_order(&record, &public_keys(&server).await));
    new.act(&server, "a2").await;
    over.look(&server).await.unwrap();
    assert_eq!(code(&server, &site.ada).await, Code::Ok);
    server.stop();
    let of_house: Vec<String> = site.acts_of_house().await;
    assert_eq!(of_house, ["sealed the store with another key"; 2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn former_keys_are_forgotten_once_nothing_needs_them_and_what_they_made_is_refused() {
    let mut site = Site::new();
    let server = site.start();
    site.make_ada(&server).await;
    let played = site.play(&server, "m").await;
    played.act(&server, "a1").await;
    let receipt = played.receipt(&server, &site.ada).await;
    server.stop();
    let (exit, stdout, _) = site.run(&["rotate-key", "--forget"]);
    assert!(exit == Some(0) && stdout.contains("no former key is held"), "{stdout}");
    site.rotate();
    let text = fs::read(site.key_file()).unwrap();
    let (exit, _, stderr) = site.run(&["rotate-key", "--forget"]);
    assert_eq!(exit, Some(1), "{stderr}");
    assert!(
        stderr.contains("1 matches of their time are not over") && stderr.contains(&played.id),
        "{stderr}"
    );
    assert!(stderr.contains("1 keys of accounts are of their time") && stderr.contains("ada 1"), "{stderr}");
    assert_eq!(fs::read(site.key_file()).unwrap(), text, "none was forgotten");

    // The match ends, ada has another key, and the operator one of the accounts file.
    let server = site.start();
    played.resign(&server).await.unwrap();
    let first = site.replace_ada_key(&server).await;
    let (former, new) = (public_keys(&server).await[1], site.play(&server, "n").await);
    server.stop();
    let first_chief = site.chief.clone();
    site.appoint_chief();
    let (exit, stdout, stderr) = site.run(&["rotate-key", "--forget"]);
    assert!(exit == Some(0) && stdout.contains("1 former keys are forgotten"), "{stdout}{stderr}");
    assert!(fs::read_to_string(site.key_file()).unwrap().lines().all(|line| !line.starts_with("ehformer_")));

    let server = site.start();
    assert_eq!(played.look(&server).await.unwrap_err().code(), Code::Unauthenticated);
    for key in [&first, &first_chief] {
        assert_eq!(code(&server, key).await, Code::Unauthenticated);
    }
    assert_eq!((code(&server, &site.chief).await, code(&server, &site.ada).await), (Code::Ok, Code::Ok));
    let refused = site.ada_key(&server).await.unwrap_err();
    assert_eq!(refused.code(), Code::NotFound, "a key that is good no more is not given again: {refused}");
    // The former key's word is nobody's any more; the record itself can be had, signed anew.
    let keys = public_keys(&server).await;
    assert!(is_signed(&receipt, &[former]) && !is_signed(&receipt, &keys));
    assert!(keys.len() == 1 && !keys.contains(&former));
    assert!(is_in_order(&played.record(&server, &site.ada).await, &keys));
    new.act(&server, "a1").await;
    server.stop();
    assert_eq!(site.acts_of_house().await, ["sealed the store with another key", "forgot 1 former keys"]);
}

/// The seed of a group of two, new or of this id.
fn grouped(group_id: &str) -> Option<Seed> {
    let (matches, entrants) = if group_id.is_empty() { (2, 2) } else { (0, 0) };
    Some(Seed::Group(v1::SeedGroup {
        group_id: group_id.into(),
        matches,
        entrants,
        seat_entrants: vec![0, 1],
    }))
}

/// A group is of the time of its first match, whenever the others are made.
#[tokio::test(flavor = "multi_thread")]
async fn a_seed_group_goes_on_with_its_key_and_tells_its_seed_without_it() {
    let mut site = Site::new();
    let server = site.start();
    site.make_ada(&server).await;
    let first = site.play_with(&server, "g1", grouped("")).await;
    server.stop();
    site.rotate();
    let server = site.start();
    let second = site.play_with(&server, "g2", grouped(&first.group)).await;
    assert_eq!(second.group, first.group);
    first.act(&server, "a1").await;
    first.resign(&server).await.unwrap();
    site.replace_ada_key(&server).await;
    server.stop();
    let (exit, _, stderr) = site.run(&["rotate-key", "--forget"]);
    assert!(exit == Some(1) && stderr.contains(&second.id) && !stderr.contains(&first.id), "{stderr}");

    let server = site.start();
    second.resign(&server).await.unwrap();
    server.stop();
    let (exit, _, stderr) = site.run(&["rotate-key", "--forget"]);
    assert_eq!((exit, &*stderr), (Some(0), ""));
    let server = site.start();
    let keys = public_keys(&server).await;
    for played in [&first, &second] {
        assert!(is_in_order(&played.record(&server, &site.ada).await, &keys), "its seed is told");
    }
}

/// A store of before the rotation, and the key's file of after it: as a rotation that was cut short leaves them, or a backup.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_is_sealed_with_a_former_key_is_told_and_completed() {
    let mut site = Site::new();
    let server = site.start();
    site.make_ada(&server).await;
    let played = site.play(&server, "m").await;
    server.stop();
    let file = site.folder.path().join("store/edgehill.sqlite");
    let (store, old_key) = (fs::read(&file).unwrap(), fs::read(site.key_file()).unwrap());
    site.rotate();
    let key = fs::read(site.key_file()).unwrap();
    fs::write(&file, &store).unwrap();

    let args = ["--store", &site.path("store"), "--accounts", &site.path("accounts.toml")];
    let ended = try_start(&args, &[]).err().expect("it is sealed with a former key");
    assert!(ended.code == Some(1) && ended.stderr.contains("sealed with a former key"), "{ended:?}");
    assert!(ended.stderr.contains("rotate-key"), "{ended:?}");
    for args in [&["replay-all"][..], &["export", "--to", &site.path("records")], &["rotate-key", "--forget"]]
    {
        let (exit, _, stderr) = site.run(args);
        assert!(exit == Some(1) && stderr.contains("sealed with a former key"), "{args:?}: {stderr}");
    }
    let words = site.rotate();
    assert!(words.contains("completed, and no other key was made"), "{words}");
    assert_eq!(fs::read(site.key_file()).unwrap(), key);
    let server = site.start();
    played.act(&server, "a1").await;
    server.stop();

    // The key's file of before has not got the key of now.
    fs::write(site.key_file(), &old_key).unwrap();
    let ended = try_start(&args, &[]).err().expect("its key is gone");
    assert!(ended.stderr.contains("made with another key"), "{ended:?}");
    let (exit, _, stderr) = site.run(&["rotate-key"]);
    assert!(exit == Some(1) && stderr.contains("made with another key"), "{stderr}");
    // A file that has lost all but its first line is no key of the store either.
    fs::write(site.key_file(), key.split_inclusive(|&byte| byte == b'\n').next().unwrap()).unwrap();
    let ended = try_start(&args, &[]).err().expect("the key of names is gone");
    assert!(ended.stderr.contains("made with another key"), "{ended:?}");
    // Where former keys are lost, so is all that they made.
    let text = String::from_utf8(key).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("ehformer_")).collect();
    fs::write(site.key_file(), lines.join("\n")).unwrap();
    let server = site.start();
    assert_eq!(played.look(&server).await.unwrap_err().code(), Code::Unauthenticated);
    assert_eq!(code(&server, &site.ada).await, Code::Unauthenticated);
}

/// The store of a build that knew of no other key than the first, at an earlier schema.
#[test]
fn a_store_of_before_keys_were_rotated_is_sealed_anew() {
    let site = Site { folder: tempfile::tempdir().unwrap(), chief: String::new(), ada: String::new() };
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept/api-1");
    fs::create_dir(site.path("store")).unwrap();
    for name in ["edgehill.sqlite", "server.key"] {
        fs::copy(kept.join(name), site.folder.path().join("store").join(name)).unwrap();
    }
    fs::set_permissions(site.key_file(), fs::Permissions::from_mode(0o600)).unwrap();
    for former in 1..=2 {
        let words = site.rotate();
        assert!(words.contains(&format!(", {former} before it are kept")), "{words}");
        // Each match leads where it led, and shows every observer what it showed.
        let (exit, stdout, stderr) = site.run(&["replay-all", "--check"]);
        assert!(exit == Some(0) && stdout.ends_with(", 0 could be taken up, 0 left\n"), "{stdout}{stderr}");
        assert!(!stdout.starts_with("0 as they were"), "{stdout}");
    }
}

#[test]
fn a_key_without_a_store_or_a_name_is_not_rotated() {
    let (exit, _, stderr) = said(&["rotate-key"], &[]);
    assert!(exit == Some(2) && stderr.contains("--store"), "{stderr}");
    let folder = tempfile::tempdir().unwrap();
    let (exit, _, stderr) = said(&["rotate-key", "--store", folder.path().to_str().unwrap()], &[]);
    assert!(exit == Some(1) && stderr.contains("there is no such file"), "{stderr}");
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "nothing is made");
}
