//! All that a server keeps about an account, as an operator exports it and has it erased.

use std::sync::Arc;

use edgehill_proto::prost::Message;
use edgehill_proto::v1::competition_service_client::CompetitionServiceClient;
use edgehill_proto::v1::export_account_data_response::Part;
use edgehill_proto::v1::referee_service_client::RefereeServiceClient;
use edgehill_proto::v1::{
    self, AccountRole, AccountSource, ActKind, ErrorReason, MatchStatus, competition_format,
};
use edgehill_service::identity::ServerKey;
use edgehill_service::store::{Page, ReadOnlyStore, Store, StoreFilter};
use rusqlite::{Connection, params};
use tonic::Status;

use crate::message::{HasMatch, exported};
use crate::process::{Running, by, soon};
use crate::site::{Site, said};
use crate::start::reason;

/// The players of these tests, and their keys.
struct Players {
    ada: String,
    bob: String,
    umpire: String,
}

/// An export, put together from its parts.
#[derive(Default, Debug)]
struct Export {
    account: Option<v1::Account>,
    acts: Vec<v1::Act>,
    competitions: Vec<v1::AccountCompetition>,
    matches: Vec<(v1::AccountMatch, String)>,
    unreadable: Vec<String>,
}

impl Export {
    fn of(&self, id: &str) -> &(v1::AccountMatch, String) {
        self.matches
            .iter()
            .find(|(of, _)| of.r#match.as_ref().unwrap().id() == id)
            .expect("it has a part in it")
    }
}

async fn export(server: &Running, key: &str, account: &str) -> Result<Export, Status> {
    let request = v1::ExportAccountDataRequest { account_id: account.into() };
    let mut parts = server.admin().await.export_account_data(by(key, request)).await?.into_inner();
    let mut export = Export::default();
    while let Some(response) = soon(parts.message()).await? {
        match response.part.expect("a part") {
            Part::Account(account) => {
                assert!(export.account.is_none() && export.acts.is_empty() && export.matches.is_empty());
                export.account = Some(account);
            }
            Part::Act(act) => {
                assert!(export.competitions.is_empty() && export.matches.is_empty());
                export.acts.push(act);
            }
            Part::AccountCompetition(competition) => export.competitions.push(competition),
            Part::AccountMatch(account_match) => {
                assert!(export.competitions.is_empty());
                export.matches.push((account_match, String::new()));
            }
            Part::RecordChunk(chunk) => {
                let (of, text) = export.matches.last_mut().expect("a match stands before its record");
                assert_eq!(of.r#match.as_ref().unwrap().id(), chunk.match_id);
                *text += &chunk.text;
            }
            Part::UnreadableMatchId(id) => export.unreadable.push(id),
        }
    }
    Ok(export)
}

/// Makes an account with a role, and gives it a key.
async fn account(server: &Running, site: &Site, id: &str, role: AccountRole) -> String {
    let mut operator = server.admin().await;
    let create =
        v1::CreateAccountRequest { request_id: id.into(), account_id: id.into(), roles: vec![role.into()] };
    said(operator.create_account(by(&site.chief, create)).await);
    let key = v1::CreateAccountKeyRequest {
        request_id: format!("{id}-key"),
        account_id: id.into(),
        label: format!("{id}'s laptop"),
        ..v1::CreateAccountKeyRequest::default()
    };
    said(operator.create_account_key(by(&site.chief, key)).await).key
}

async fn players(server: &Running, site: &Site) -> Players {
    Players {
        ada: account(server, site, "ada", AccountRole::Player).await,
        bob: account(server, site, "bob", AccountRole::Player).await,
        umpire: account(server, site, "umpire", AccountRole::Referee).await,
    }
}

/// A seat that is kept for this account.
fn kept_for(account: &str) -> v1::SeatConfig {
    v1::SeatConfig { kind: v1::SeatKind::Invited.into(), account_id: account.into(), ..Default::default() }
}

async fn create(server: &Running, key: &str, request: &str) -> String {
    let create =
        v1::CreateMatchRequest { request_id: request.into(), game: "skirmish".into(), ..Default::default() };
    said(server.matches().await.create_match(by(key, create)).await).id()
}

/// Takes a seat of a match under a name; its token.
async fn join(server: &Running, key: &str, id: &str, seat: u32, player: &str) -> String {
    let join = v1::JoinMatchRequest {
        match_id: id.into(),
        request_id: format!("{id} {seat}"),
        seat: Some(seat),
        player: player.into(),
        ..Default::default()
    };
    said(server.matches().await.join_match(by(key, join)).await).seat_token
}

async fn resign(server: &Running, token: &str, id: &str) {
    let resign = v1::ResignMatchRequest { match_id: id.into(), request_id: "r".into(), ..Default::default() };
    said(server.matches().await.resign_match(by(token, resign)).await);
}

/// A competition of the training game in which these enrol; its id.
async fn competition(server: &Running, organizer: &str, entrants: &[(&str, &str)]) -> String {
    let mut calls = CompetitionServiceClient::new(server.channel().await);
    let format = competition_format::Format::RoundRobin(v1::RoundRobinFormat { cycles: 1 });
    let settings = v1::CompetitionSettings {
        name: "Spring cup".into(),
        game: "skirmish".into(),
        format: Some(v1::CompetitionFormat { format: Some(format) }),
        ..Default::default()
    };
    let create = v1::CreateCompetitionRequest { request_id: "c".into(), settings: Some(settings) };
    let id = said(calls.create_competition(by(organizer, create)).await).competition.unwrap().id;
    for (key, name) in entrants {
        let enrol = v1::EnrolEntrantRequest {
            request_id: "e".into(),
            competition_id: id.clone(),
            name: (*name).into(),
            ..Default::default()
        };
        said(calls.enrol_entrant(by(key, enrol)).await);
    }
    id
}

async fn record(server: &Running, key: &str, id: &str) -> String {
    let request = v1::ExportRecordRequest { match_id: id.into() };
    exported(server.matches().await.export_record(by(key, request)).await).await.unwrap().text
}

async fn acts(server: &Running, site: &Site, account: &str) -> Vec<v1::Act> {
    let (mut acts, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = v1::ListActsRequest { account_id: account.into(), page_size: 0, page_token };
        let page = said(server.admin().await.list_acts(by(&site.chief, request)).await);
        acts.extend(page.acts);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return acts;
        }
    }
}

fn refused<T: std::fmt::Debug>(answer: Result<T, Status>) -> ErrorReason {
    reason(&answer.unwrap_err())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_has_all_that_is_kept_of_an_account_and_nothing_of_others() {
    let site = Site::new();
    let server = site.start();
    let Players { ada, bob, umpire } = players(&server, &site).await;
    // Played to its end, and made by her.
    let finished = create(&server, &ada, "finished").await;
    let tokens =
        [join(&server, &ada, &finished, 0, "Countess").await, join(&server, &bob, &finished, 1, "Bob").await];
    resign(&server, &tokens[1], &finished).await;
    // Waiting: a seat that she gave back.
    let waiting = create(&server, &bob, "waiting").await;
    let token = join(&server, &ada, &waiting, 1, "").await;
    let leave = v1::LeaveMatchRequest { match_id: waiting.clone(), request_id: "l".into() };
    said(server.matches().await.leave_match(by(&token, leave)).await);
    // Running: a referee took her seat from her.
    let running = create(&server, &bob, "running").await;
    join(&server, &ada, &running, 0, "Ada").await;
    join(&server, &bob, &running, 1, "Bob").await;
    let replace = v1::ReplaceMatchPlayerRequest {
        match_id: running.clone(),
        request_id: "p".into(),
        seat: 0,
        account_id: "bob".into(),
        ..Default::default()
    };
    let mut referee = RefereeServiceClient::new(server.channel().await);
    said(referee.replace_match_player(by(&umpire, replace)).await);
    let others = create(&server, &bob, "others").await;
    // A seat is kept for the account, and not taken.
    let kept = v1::CreateMatchRequest {
        request_id: "kept".into(),
        game: "skirmish".into(),
        seats: vec![v1::SeatConfig::default(), kept_for("ada")],
        ..Default::default()
    };
    let kept = said(server.matches().await.create_match(by(&bob, kept)).await).id();
    let cup = competition(&server, &umpire, &[(&bob, "Bob"), (&ada, "Countess")]).await;
    // More acts than a page has.
    for number in 0..110 {
        let quota = v1::AccountQuota { streams: Some(number), ..v1::AccountQuota::default() };
        let set = v1::SetAccountQuotaRequest {
            request_id: format!("q{number}"),
            account_id: "ada".into(),
            quota: Some(quota),
        };
        said(server.admin().await.set_account_quota(by(&site.chief, set)).await);
    }

    let of_ada = export(&server, &site.chief, "ada").await.unwrap();
    let get = v1::GetAccountRequest { account_id: "ada".into() };
    let shown = said(server.admin().await.get_account(by(&site.chief, get)).await).account;
    assert_eq!(of_ada.account, shown);
    let shown = shown.unwrap();
    assert_eq!((shown.keys[0].label.as_str(), shown.quota.unwrap().streams), ("ada's laptop", Some(109)));
    assert_eq!(of_ada.acts, acts(&server, &site, "ada").await);
    assert_eq!(of_ada.acts.len(), 113);
    let last = of_ada.acts.last().unwrap();
    assert_eq!((last.kind(), &*last.actor, &*last.account_id), (ActKind::DataExported, "chief", "ada"));
    let ids: Vec<String> = of_ada.matches.iter().map(|(of, _)| of.r#match.as_ref().unwrap().id()).collect();
    assert_eq!(ids, [&kept, &running, &waiting, &finished].map(String::clone), "newest first, and no others");
    let (of_kept, _) = of_ada.of(&kept);
    assert_eq!(
        (of_kept.is_creator, &of_kept.seats[..], &of_kept.invited_seats[..]),
        (false, &[][..], &[1][..])
    );
    assert!(of_ada.unreadable.is_empty());

    let (of_finished, text) = of_ada.of(&finished);
    assert!(of_finished.is_creator && of_finished.has_record);
    let get = v1::GetMatchRequest { match_id: finished.clone() };
    let whole = said(server.matches().await.get_match(by(&bob, get)).await).r#match;
    assert_eq!(of_finished.r#match, whole);
    assert_eq!(whole.unwrap().state().result.unwrap().returns, [1, -1]);
    assert_eq!(*text, record(&server, &bob, &finished).await);
    let [seat] = &of_finished.seats[..] else { panic!("{of_finished:?}") };
    assert_eq!((seat.seat, seat.player.as_str(), &seat.leave_time), (0, "Countess", &None));
    assert!(seat.join_time.is_some());

    let (of_waiting, text) = of_ada.of(&waiting);
    assert_eq!((of_waiting.is_creator, of_waiting.has_record, text.as_str()), (false, false, ""));
    let [seat] = &of_waiting.seats[..] else { panic!("{of_waiting:?}") };
    assert_eq!((seat.seat, seat.player.as_str(), seat.leave_time.is_some()), (1, "", true));

    // No record of a running match, whose hidden parts are the seats'.
    let (of_running, text) = of_ada.of(&running);
    assert_eq!(of_running.r#match.as_ref().unwrap().state().status(), MatchStatus::Running);
    assert_eq!((of_running.has_record, text.as_str()), (false, ""));
    let [seat] = &of_running.seats[..] else { panic!("{of_running:?}") };
    assert_eq!((seat.player.as_str(), seat.leave_time.is_some()), ("Ada", true));

    let entered = v1::AccountCompetition {
        competition_id: cup.clone(),
        name: "Spring cup".into(),
        is_organizer: false,
        entrant: 2,
        entrant_name: "Countess".into(),
    };
    assert_eq!(of_ada.competitions, [entered]);

    let of_bob = export(&server, &site.chief, "bob").await.unwrap();
    assert_eq!(of_bob.competitions.iter().map(|of| of.entrant).collect::<Vec<_>>(), [1]);
    let ids: Vec<String> = of_bob.matches.iter().map(|(of, _)| of.r#match.as_ref().unwrap().id()).collect();
    assert_eq!(ids, [&kept, &others, &running, &waiting, &finished].map(String::clone));
    assert!(of_bob.matches.iter().all(|(of, _)| of.invited_seats.is_empty()));
    assert!(of_bob.of(&others).0.seats.is_empty());
    let of_umpire = export(&server, &site.chief, "umpire").await.unwrap();
    assert!(
        of_umpire.acts.iter().any(|act| act.kind() == ActKind::PlayerReplaced && act.match_id == running)
    );
    assert!(of_umpire.matches.is_empty());
    let [organised] = &of_umpire.competitions[..] else { panic!("{of_umpire:?}") };
    assert_eq!((&organised.competition_id, organised.is_organizer, organised.entrant), (&cup, true, 0));
    // Neither keys nor tokens are in it, of which the server has hashes alone.
    let secrets = [&ada, &bob, &tokens[0], &tokens[1]].map(|secret| &secret[4..]);
    for (account_match, text) in &of_ada.matches {
        let bytes = [account_match.encode_to_vec(), text.clone().into_bytes()].concat();
        for secret in secrets {
            assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_of_a_deleted_account_is_exported_as_long_as_it_is_there() {
    let site = Site::new();
    let server = site.start();
    let Players { ada, bob, .. } = players(&server, &site).await;
    let id = create(&server, &ada, "m").await;
    let token = join(&server, &ada, &id, 0, "Countess").await;
    join(&server, &bob, &id, 1, "Bob").await;
    resign(&server, &token, &id).await;
    let delete = v1::DeleteAccountRequest { request_id: "d".into(), account_id: "ada".into() };
    said(server.admin().await.delete_account(by(&site.chief, delete)).await);
    let text = record(&server, &bob, &id).await;
    assert_eq!(server.stop().code, Some(0));

    let server = site.start();
    let of_ada = export(&server, &site.chief, "ada").await.unwrap();
    let account = of_ada.account.as_ref().unwrap();
    assert!(account.is_deleted && account.keys.is_empty() && account.roles.is_empty());
    let kinds: Vec<ActKind> = of_ada.acts.iter().map(v1::Act::kind).collect();
    assert!(kinds.ends_with(&[ActKind::AccountDeleted, ActKind::DataExported]), "{kinds:?}");
    assert_eq!(of_ada.of(&id).1, text);
    assert_eq!(of_ada.of(&id).0.seats[0].player, "Countess");
    // One of the file, which the store knows by its acts.
    let of_chief = export(&server, &site.chief, "chief").await.unwrap();
    assert_eq!(of_chief.account.unwrap().source(), AccountSource::File);
    assert_eq!(of_chief.acts.len(), 9, "seven, and two exports");
    assert_eq!(of_chief.acts, acts(&server, &site, "chief").await);
    assert_eq!(server.stop().code, Some(0));

    // Of a log that can't be read nobody knows whose it is.
    let file = Connection::open(site.path("store").join("edgehill.sqlite")).unwrap();
    let gone = file.execute("DELETE FROM appends WHERE position = (SELECT created FROM matches)", params![]);
    assert_eq!(gone, Ok(1));
    drop(file);
    let server = site.start();
    for account in ["ada", "umpire"] {
        let export = export(&server, &site.chief, account).await.unwrap();
        assert_eq!((export.matches.len(), &export.unreadable[..]), (0, &[id.clone()][..]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_for_operators_alone_and_of_accounts_that_there_are() {
    let site = Site::new();
    let server = site.start();
    let Players { ada, umpire, .. } = players(&server, &site).await;
    for stranger in [&ada, &umpire] {
        assert_eq!(refused(export(&server, stranger, "ada").await), ErrorReason::NotAllowed);
    }
    let request = v1::ExportAccountDataRequest { account_id: "ada".into() };
    let nobody = server.admin().await.export_account_data(request).await;
    assert_eq!(refused(nobody), ErrorReason::BadToken);
    assert_eq!(refused(export(&server, &site.chief, "cyd").await), ErrorReason::UnknownAccount);
    assert!(acts(&server, &site, "cyd").await.is_empty(), "nothing was read of nobody");
    for none in ["", "a b", "house", "anonymous"] {
        let status = export(&server, &site.chief, none).await.unwrap_err();
        assert_eq!(reason(&status), ErrorReason::InvalidField);
        assert!(status.message().starts_with("account_id: "), "{status:?}");
    }
}

async fn erase(
    server: &Running,
    key: &str,
    request: &str,
    account: &str,
) -> Result<v1::EraseAccountDataResponse, Status> {
    let request = v1::EraseAccountDataRequest { request_id: request.into(), account_id: account.into() };
    server.admin().await.erase_account_data(by(key, request)).await.map(|answer| answer.into_inner())
}

async fn delete(server: &Running, site: &Site, account: &str) {
    let delete =
        v1::DeleteAccountRequest { request_id: format!("delete {account}"), account_id: account.into() };
    said(server.admin().await.delete_account(by(&site.chief, delete)).await);
}

/// Returns whether a text stands in what the store keeps, once it is unsealed.
async fn is_kept(site: &Site, text: &str) -> bool {
    let key = ServerKey::read(&site.path("store").join("server.key")).unwrap().unwrap();
    let store = ReadOnlyStore::open(site.path("store").join("edgehill.sqlite")).unwrap();
    let store = key.seal_store(Arc::new(store));
    let listed = store.list(StoreFilter::default(), Page::FIRST).await.unwrap().matches;
    let mut kept: Vec<Vec<u8>> =
        store.kept_acts(0, 1_000).await.unwrap().into_iter().map(|act| act.bytes).collect();
    for row in listed {
        kept.push(row.overview);
        let log = store.read(row.id, 0).await.unwrap();
        kept.push(log.header.bytes);
        kept.extend(log.records.into_iter().map(|record| record.entry));
    }
    kept.iter().any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_erased_account_goes_by_its_pseudonym_and_its_id_is_given_to_nobody() {
    let site = Site::new();
    let server = site.start();
    let bob = account(&server, &site, "bob", AccountRole::Player).await;
    let ada = account(&server, &site, "ada-augusta", AccountRole::Player).await;
    let finished = create(&server, &ada, "finished").await;
    let tokens =
        [join(&server, &ada, &finished, 0, "Countess").await, join(&server, &bob, &finished, 1, "Bob").await];
    resign(&server, &tokens[0], &finished).await;
    let running = create(&server, &bob, "running").await;
    join(&server, &ada, &running, 0, "Countess").await;
    let token = join(&server, &bob, &running, 1, "Bob").await;
    let text = record(&server, &bob, &finished).await;
    for (account, expected) in [
        ("ada-augusta", ErrorReason::AccountNotDeleted),
        ("chief", ErrorReason::AccountInFile),
        ("cyd", ErrorReason::UnknownAccount),
        ("a b", ErrorReason::InvalidField),
    ] {
        assert_eq!(refused(erase(&server, &site.chief, "e", account).await), expected, "{account}");
    }
    assert_eq!(refused(erase(&server, &bob, "e", "ada-augusta").await), ErrorReason::NotAllowed);
    delete(&server, &site, "ada-augusta").await;

    let erased = erase(&server, &site.chief, "e", "ada-augusta").await.unwrap();
    let pseudonym = erased.pseudonym.as_str();
    assert!(pseudonym.starts_with("erased-"), "{pseudonym}");
    assert_eq!((erased.waiting_matches, erased.unreadable_matches), (1, 0));
    let again = v1::CreateAccountRequest {
        request_id: "again".into(),
        account_id: "ada-augusta".into(),
        roles: vec![AccountRole::Player.into()],
    };
    let again = server.admin().await.create_account(by(&site.chief, again)).await;
    assert_eq!(refused(again), ErrorReason::AccountExists);
    assert!(acts(&server, &site, "ada-augusta").await.is_empty());
    let kinds: Vec<ActKind> = acts(&server, &site, pseudonym).await.iter().map(v1::Act::kind).collect();
    let expected =
        [ActKind::AccountCreated, ActKind::KeyCreated, ActKind::AccountDeleted, ActKind::DataErased];
    assert_eq!(kinds, expected);
    // All that is left by her id is the match that goes on.
    let of_ada = export(&server, &site.chief, "ada-augusta").await.unwrap();
    assert_eq!((of_ada.account, of_ada.acts.len(), of_ada.matches.len()), (None, 0, 1));
    let after = record(&server, &bob, &finished).await;
    assert!(text.contains("Countess") && !after.contains("Countess") && after.contains(pseudonym));
    resign(&server, &token, &running).await;
    let complete = erase(&server, &site.chief, "e", "ada-augusta").await.unwrap();
    assert_eq!((complete.pseudonym.as_str(), complete.waiting_matches), (pseudonym, 0));
    assert_eq!(refused(export(&server, &site.chief, "ada-augusta").await), ErrorReason::UnknownAccount);
    let by_pseudonym = export(&server, &site.chief, pseudonym).await.unwrap();
    let ids: Vec<String> =
        by_pseudonym.matches.iter().map(|(of, _)| of.r#match.as_ref().unwrap().id()).collect();
    assert_eq!(ids, [running, finished.clone()]);
    assert_eq!(by_pseudonym.of(&finished).0.seats[0].player, pseudonym);
    // Calls that named her are answered still.
    delete(&server, &site, "ada-augusta").await;
    assert_eq!(server.stop().code, Some(0));
    for name in ["ada-augusta", "Countess"] {
        assert!(!is_kept(&site, name).await, "{name}");
    }
    assert!(is_kept(&site, "Bob").await && is_kept(&site, pseudonym).await);

    let server = site.start();
    delete(&server, &site, "ada-augusta").await;
    assert_eq!(erase(&server, &site.chief, "e", "ada-augusta").await.unwrap(), complete);
    let acts = acts(&server, &site, pseudonym).await;
    let [.., completed, exported] = &acts[..] else { panic!("{acts:?}") };
    assert_eq!((completed.kind(), completed.actor.as_str()), (ActKind::ErasureCompleted, "house"));
    assert_eq!((exported.kind(), exported.actor.as_str()), (ActKind::DataExported, "chief"));
    assert_eq!(record(&server, &bob, &finished).await, after);
}
