//! Nothing that a server writes holds a secret, however much it is asked to write, whatever goes wrong, and however it ends:
//! neither its output nor its files.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use data_encoding::{BASE32_NOPAD, BASE64, BASE64URL_NOPAD};
use edgehill_proto::v1;
use prost::Message;
use tonic::Code;

use crate::mask::find;
use crate::message::{self, HasMatch, batch, exported};
use crate::process::{Running, Said, start};
use crate::random::Random;
use crate::raw;

const CHOSEN: [u8; 32] = *b"\xC5hosen seed that nobody may read";

/// A server that logs all that it can, and what has to stay secret of it.
struct Logged {
    running: Running,
    /// Secrets in text, with the part that would be enough to find them.
    texts: Vec<String>,
    matches: Vec<(String, Vec<String>)>,
}

impl Logged {
    async fn start(folder: &Path, format: &str) -> Self {
        let env = [("EDGEHILL_LOG__FILTER", "trace"), ("EDGEHILL_LOG__FORMAT", format)];
        let running = start(&["--store", folder.to_str().unwrap()], &env);
        let key = fs::read_to_string(folder.join("server.key")).unwrap().trim().to_owned();
        Self { running, texts: vec![key], matches: Vec::new() }
    }

    /// Makes a match with an invitation and takes its seats.
    async fn begin(&mut self, game: &str, chosen: bool) -> usize {
        let mut client = self.running.matches().await;
        let create = v1::CreateMatchRequest {
            request_id: format!("match {}", self.matches.len()),
            game: game.to_owned(),
            seats: vec![v1::SeatConfig { kind: v1::SeatKind::Invited.into(), ..v1::SeatConfig::default() }],
            seed: chosen.then(|| v1::create_match_request::Seed::ChosenSeed(CHOSEN.to_vec())),
            client_secret: vec![7; 32],
            ..v1::CreateMatchRequest::default()
        };
        let created = client.create_match(create).await.unwrap().into_inner();
        let id = created.id();
        let invitation = created.invitations[0].invitation.clone();
        let mut tokens = Vec::new();
        for (seat, invitation) in [(0, invitation.clone()), (1, String::new())] {
            let join = v1::JoinMatchRequest {
                match_id: id.clone(),
                request_id: format!("seat {seat}"),
                seat: Some(seat),
                invitation,
                client_secret: vec![7; 32],
                ..v1::JoinMatchRequest::default()
            };
            tokens.push(client.join_match(join).await.unwrap().into_inner().seat_token);
        }
        self.texts.push(invitation);
        self.texts.push(created.creator_token);
        self.texts.extend(tokens.clone());
        self.matches.push((id, tokens));
        self.matches.len() - 1
    }

    /// Has two callers who seek a match paired, and takes their seats.
    async fn pair(&mut self) -> usize {
        let mut client = self.running.matches().await;
        let mut streams = Vec::new();
        for secret in [7, 8] {
            let seek = v1::SeekMatchRequest {
                request_id: "seek".to_owned(),
                game: "skirmish".to_owned(),
                client_secret: vec![secret; 32],
                ..v1::SeekMatchRequest::default()
            };
            streams.push((secret, client.seek_match(seek).await.unwrap().into_inner()));
        }
        let (mut id, mut tokens) = (String::new(), vec![String::new(); 2]);
        for (secret, mut stream) in streams {
            let paired = loop {
                let item = stream.message().await.unwrap().expect("no stream ends without a seat");
                if let Some(paired) = item.paired {
                    break paired;
                }
            };
            id = paired.id();
            let join = v1::JoinMatchRequest {
                match_id: id.clone(),
                request_id: format!("seat {}", paired.seat),
                seat: Some(paired.seat),
                invitation: paired.invitation.clone(),
                client_secret: vec![secret; 32],
                ..v1::JoinMatchRequest::default()
            };
            tokens[paired.seat as usize] = client.join_match(join).await.unwrap().into_inner().seat_token;
            self.texts.push(paired.invitation);
        }
        self.texts.extend(tokens.clone());
        self.matches.push((id, tokens));
        self.matches.len() - 1
    }

    /// Takes so many actions at random, with views, text and events in the answers.
    async fn play(&self, number: usize, actions: usize, random: &mut Random) {
        let (id, tokens) = &self.matches[number];
        let mut client = self.running.matches().await;
        for action in 0..actions {
            let mut acted = false;
            for token in tokens {
                let legal = v1::ListLegalActionsRequest {
                    match_id: id.clone(),
                    detail: v1::LegalDetail::Full.into(),
                    ..v1::ListLegalActionsRequest::default()
                };
                let legal = client.list_legal_actions(raw::request(token, legal)).await.unwrap().into_inner();
                let Some(ids) = legal.legal_actions.filter(|_| legal.to_act).map(|legal| legal.ids) else {
                    continue;
                };
                acted = true;
                let apply = v1::ApplyActionsRequest {
                    match_id: id.clone(),
                    request_id: format!("action {action}"),
                    batch: Some(batch(message::ids(&[*random.pick(&ids).unwrap()]))),
                    response_options: Some(v1::ResponseOptions {
                        include_view: true,
                        legal: v1::LegalDetail::Full.into(),
                        include_events: true,
                        include_text: true,
                    }),
                };
                client.apply_actions(raw::request(token, apply)).await.unwrap();
            }
            if !acted {
                return;
            }
        }
    }

    /// Sends what is refused, with secrets in all the wrong places.
    async fn go_wrong(&self, number: usize) {
        let (id, tokens) = &self.matches[number];
        let channel = self.running.channel().await;
        let get = v1::GetMatchRequest { match_id: id.clone() }.encode_to_vec();
        let legal =
            v1::ListLegalActionsRequest { match_id: id.clone(), ..v1::ListLegalActionsRequest::default() }
                .encode_to_vec();
        // Mistyped, of another match, an invitation, the server's own key.
        let mistyped = format!("{}b", &tokens[0][..tokens[0].len() - 1]);
        let foreign = self.matches.iter().find(|(other, _)| other != id).map(|(_, tokens)| tokens[0].clone());
        for bad in [mistyped, foreign.unwrap(), self.texts[1].clone(), self.texts[0].clone()] {
            let answer = raw::call(&channel, "ListLegalActions", &bad, legal.clone()).await;
            assert!(!answer.is_ok());
            assert!(find(&answer.details, bad.as_bytes()).is_none() && !answer.words.contains(&bad));
        }
        // As a field that nobody knows, in every place that takes text, and as the name of a match.
        let unknown = [&get[..], &[0xFA, 0x3E, tokens[1].len() as u8], tokens[1].as_bytes()].concat();
        assert!(raw::call(&channel, "GetMatch", "", unknown).await.is_ok(), "an unknown field is none");
        let named = v1::GetMatchRequest { match_id: tokens[1].clone() }.encode_to_vec();
        raw::call(&channel, "GetMatch", "", named).await;
        for line in [&tokens[1], &self.texts[1]] {
            let apply = v1::ApplyActionsRequest {
                match_id: id.clone(),
                request_id: "wrong".to_owned(),
                batch: Some(batch(message::line(line))),
                ..v1::ApplyActionsRequest::default()
            };
            let answer = raw::call(&channel, "ApplyActions", &tokens[0], apply.encode_to_vec()).await;
            assert!(!answer.is_ok());
        }
        // Bytes that are no message.
        let answer =
            raw::call(&channel, "ListLegalActions", &tokens[0], tokens[1].clone().into_bytes()).await;
        assert_eq!(answer.code, Code::Internal as i32, "{answer:?}");
    }
}

/// A key or token in all the forms in which it might be written. What it begins with is no secret (of a token, its match),
/// and its end might be cut or quoted.
fn forms(text: &str) -> Vec<Vec<u8>> {
    let body = text.rsplit('_').next().unwrap();
    let part = &body[body.len() - 34..body.len() - 10];
    let bytes = BASE32_NOPAD.decode(body.to_uppercase().as_bytes()).unwrap();
    let mut forms = forms_of_bytes(&bytes[bytes.len() - 24..]);
    forms.push(part.as_bytes().to_vec());
    forms
}

/// Bytes in all the forms in which they might be written.
fn forms_of_bytes(bytes: &[u8]) -> Vec<Vec<u8>> {
    let part = &bytes[..12];
    let list = |open| format!("{part:?}").trim_matches(open).to_owned();
    vec![
        part.to_vec(),
        hex::encode(part).into_bytes(),
        hex::encode_upper(part).into_bytes(),
        BASE64.encode(part).into_bytes(),
        BASE64URL_NOPAD.encode(part).into_bytes(),
        list(['[', ']']).into_bytes(),
        part.escape_ascii().to_string().into_bytes(),
        format!("{part:02x?}").trim_matches(['[', ']']).to_owned().into_bytes(),
    ]
}

/// The secrets that are looked for, all of them in one pass.
struct Secrets {
    all: Vec<Vec<u8>>,
    /// Those of them that begin with these two bytes.
    begins: HashMap<[u8; 2], Vec<usize>>,
}

impl Secrets {
    fn new(all: Vec<Vec<u8>>) -> Self {
        let mut begins: HashMap<[u8; 2], Vec<usize>> = HashMap::new();
        for (index, secret) in all.iter().enumerate() {
            begins.entry([secret[0], secret[1]]).or_default().push(index);
        }
        Self { all, begins }
    }

    fn are_not_in(&self, what: &str, bytes: &[u8]) {
        for (at, pair) in bytes.windows(2).enumerate() {
            for &index in self.begins.get(pair).into_iter().flatten() {
                let found = bytes[at..].starts_with(&self.all[index]);
                let around = &bytes[at.saturating_sub(200)..(at + 100).min(bytes.len())];
                assert!(!found, "{what} has a secret: {}", String::from_utf8_lossy(around));
            }
        }
    }
}

/// The seeds of matches, which the server tells when they are over: another one, that logs nothing, ends them.
async fn seeds(folder: &Path, matches: &[(String, Vec<String>)]) -> Vec<Vec<u8>> {
    let running = start(&["--store", folder.to_str().unwrap()], &[("EDGEHILL_LOG__FILTER", "off")]);
    let mut client = running.matches().await;
    let mut seeds = Vec::new();
    for (id, tokens) in matches {
        let resign = v1::ResignMatchRequest {
            match_id: id.clone(),
            request_id: "end".into(),
            ..v1::ResignMatchRequest::default()
        };
        // It may be over already.
        drop(client.resign_match(raw::request(&tokens[0], resign)).await);
        let got = client.get_match(v1::GetMatchRequest { match_id: id.clone() }).await.unwrap().into_inner();
        let reveal = got.state().reveal.unwrap();
        seeds.push(reveal.seed);
        seeds.push(reveal.options_salt);
        seeds.extend(Some(reveal.server_seed).filter(|seed| !seed.is_empty()));
    }
    drop(client);
    let said = tokio::task::block_in_place(|| running.stop());
    assert_eq!((said.code, &*said.stderr), (Some(0), ""), "a log that is off");
    seeds
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let named =
        entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()));
    named.collect()
}

async fn run(format: &str, killed: bool) {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    let mut random = Random::new(11);
    let mut logged = Logged::start(&store, format).await;
    let over = logged.begin("skirmish", false).await;
    let runs = logged.begin("english-civil-war-iia", false).await;
    let chosen = logged.begin("skirmish", true).await;
    let paired = logged.pair().await;
    logged.play(over, 1_000, &mut random).await;
    logged.play(paired, 8, &mut random).await;
    logged.play(runs, 16, &mut random).await;
    logged.play(chosen, 8, &mut random).await;
    logged.go_wrong(runs).await;
    let Logged { running, texts, matches } = logged;
    // At the end of a match its record and its seeds are anybody's, and still not the log's.
    let mut client = running.matches().await;
    let record = client.export_record(v1::ExportRecordRequest { match_id: matches[over].0.clone() }).await;
    assert!(exported(record).await.unwrap().complete);
    drop(client);
    let Said { stdout, stderr, .. } = tokio::task::block_in_place(|| {
        if killed {
            running.signal("KILL");
            running.wait()
        } else {
            running.stop()
        }
    });
    assert!(stderr.contains("edgehill.v1.MatchService"), "calls are logged at this level");
    let left = files(&store);
    assert!(left.iter().any(|(name, bytes)| name.starts_with("edgehill.sqlite") && bytes.len() > 20_000));

    let mut secrets: Vec<Vec<u8>> = texts.iter().flat_map(|text| forms(text)).collect();
    for seed in seeds(&store, &matches).await {
        assert_ne!(seed, [0; 32]);
        secrets.extend(forms_of_bytes(&seed));
    }
    secrets.extend(forms_of_bytes(&CHOSEN));
    let log = format!("{stdout}{stderr}");
    assert!(log.len() > 100_000, "{} bytes are not a whole log", log.len());
    eprintln!("{} bytes of log, {} secrets", log.len(), secrets.len());
    let secrets = Secrets::new(secrets);
    secrets.are_not_in("the log", log.as_bytes());
    for (name, bytes) in left {
        if name != "server.key" {
            secrets.are_not_in(&name, &bytes);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_stopped_has_written_no_secret() {
    run("text", false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_has_written_no_secret() {
    run("json", true).await;
}
