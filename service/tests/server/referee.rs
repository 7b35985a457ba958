//! Referees on a real server: accounts with their roles, the log of acts, and what is there after a restart.

use edgehill_proto::v1::admin_service_client::AdminServiceClient;
use edgehill_proto::v1::referee_service_client::RefereeServiceClient;
use edgehill_proto::v1::{self, AccountRole, ActKind, ErrorReason, MatchStatus, RefereeActKind};
use tonic::transport::Channel;

use crate::message::{HasMatch, exported};
use crate::process::{Running, by};
use crate::site::{Site, said};
use crate::start::reason;

/// Makes an account with a role, and gives it a key.
async fn account(
    site: &Site,
    operator: &mut AdminServiceClient<Channel>,
    id: &str,
    role: AccountRole,
) -> String {
    let create =
        v1::CreateAccountRequest { request_id: id.into(), account_id: id.into(), roles: vec![role.into()] };
    said(operator.create_account(by(&site.chief, create)).await);
    let key = v1::CreateAccountKeyRequest {
        request_id: format!("{id}-key"),
        account_id: id.into(),
        ..v1::CreateAccountKeyRequest::default()
    };
    said(operator.create_account_key(by(&site.chief, key)).await).key
}

async fn referee(server: &Running) -> RefereeServiceClient<Channel> {
    RefereeServiceClient::new(server.channel().await)
}

fn void(id: &str) -> v1::VoidMatchRequest {
    v1::VoidMatchRequest { match_id: id.into(), request_id: "v".into(), reason: "a fire".into() }
}

/// The looks of a referee that were written down: their kinds and words.
async fn looks(
    operator: &mut AdminServiceClient<Channel>,
    chief: &str,
    umpire: &str,
) -> Vec<(ActKind, String)> {
    let acts = acts(operator, chief, umpire).await.into_iter().filter(|act| act.actor == umpire);
    acts.map(|act| (act.kind(), act.text)).collect()
}

async fn acts(operator: &mut AdminServiceClient<Channel>, chief: &str, account: &str) -> Vec<v1::Act> {
    let request = v1::ListActsRequest { account_id: account.into(), ..v1::ListActsRequest::default() };
    said(operator.list_acts(by(chief, request)).await).acts
}

#[tokio::test(flavor = "multi_thread")]
async fn referees_act_and_operators_see_who_did_it() {
    let site = Site::new();
    let server = site.start();
    let (mut operator, mut matches) = (server.admin().await, server.matches().await);
    let ada = account(&site, &mut operator, "ada", AccountRole::Player).await;
    let bob = account(&site, &mut operator, "bob", AccountRole::Player).await;
    let umpire = account(&site, &mut operator, "umpire", AccountRole::Referee).await;
    let create =
        v1::CreateMatchRequest { request_id: "m".into(), game: "skirmish".into(), ..Default::default() };
    let id = said(matches.create_match(by(&ada, create)).await).id();
    let mut tokens = Vec::new();
    for (seat, key) in [(0, &ada), (1, &ada)] {
        let join = v1::JoinMatchRequest {
            match_id: id.clone(),
            request_id: format!("j{seat}"),
            seat: Some(seat),
            ..Default::default()
        };
        tokens.push(said(matches.join_match(by(key, join)).await).seat_token);
    }
    for stranger in [&ada, &site.chief, &tokens[0]] {
        let refused = referee(&server).await.void_match(by(stranger, void(&id))).await;
        assert_eq!(reason(&refused.unwrap_err()), ErrorReason::NotAllowed);
    }
    let replace = v1::ReplaceMatchPlayerRequest {
        match_id: id.clone(),
        request_id: "p".into(),
        seat: 1,
        account_id: "bob".into(),
        ..Default::default()
    };
    said(referee(&server).await.replace_match_player(by(&umpire, replace)).await);
    let resign =
        v1::ResignMatchRequest { match_id: id.clone(), request_id: "r".into(), ..Default::default() };
    let refused = matches.resign_match(by(&tokens[1], resign)).await;
    assert_eq!(reason(&refused.unwrap_err()), ErrorReason::BadToken);
    let join = v1::JoinMatchRequest { match_id: id.clone(), request_id: "j".into(), ..Default::default() };
    assert_eq!(said(matches.join_match(by(&bob, join)).await).seat, 1);
    assert_eq!(server.stop().code, Some(0));

    // It is there after a restart, and is not done again.
    let server = site.start();
    let (mut operator, mut matches) = (server.admin().await, server.matches().await);
    let first = said(referee(&server).await.void_match(by(&umpire, void(&id))).await);
    assert_eq!(first.state().status(), MatchStatus::Finished);
    let again = said(referee(&server).await.void_match(by(&umpire, void(&id))).await);
    assert_eq!(first, again);
    let shown = said(matches.get_match(by(&ada, v1::GetMatchRequest { match_id: id.clone() })).await).state();
    let kinds: Vec<RefereeActKind> = shown.referee_acts.iter().map(v1::RefereeAct::kind).collect();
    assert_eq!(kinds, [RefereeActKind::PlayerReplaced, RefereeActKind::MatchVoided]);
    let told = acts(&mut operator, &site.chief, "umpire").await;
    let of_umpire: Vec<(ActKind, &str)> = told
        .iter()
        .filter(|act| act.actor == "umpire")
        .map(|act| (act.kind(), act.match_id.as_str()))
        .collect();
    assert_eq!(of_umpire, [(ActKind::PlayerReplaced, id.as_str()), (ActKind::MatchVoided, id.as_str())]);
    assert!(told.last().unwrap().text.ends_with(": a fire"), "{told:?}");
    // The account that is to go on is told of, too.
    let of_bob = acts(&mut operator, &site.chief, "bob").await;
    assert!(of_bob.iter().any(|act| act.kind() == ActKind::PlayerReplaced && act.account_id == "bob"));

    // An operator takes back what is another's.
    let create =
        v1::CreateMatchRequest { request_id: "n".into(), game: "skirmish".into(), ..Default::default() };
    let waits = said(matches.create_match(by(&ada, create)).await).id();
    let abort =
        v1::AbortMatchRequest { match_id: waits.clone(), request_id: "a".into(), ..Default::default() };
    said(matches.abort_match(by(&site.chief, abort)).await);
    let last = acts(&mut operator, &site.chief, "chief").await.pop().unwrap();
    assert_eq!((last.kind(), last.match_id), (ActKind::MatchAborted, waits));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_referees_look_at_what_others_may_not_see_is_written_down() {
    let site = Site::new();
    let server = site.start();
    let (mut operator, mut matches) = (server.admin().await, server.matches().await);
    let ada = account(&site, &mut operator, "ada", AccountRole::Player).await;
    let umpire = account(&site, &mut operator, "umpire", AccountRole::Referee).await;
    let create =
        v1::CreateMatchRequest { request_id: "m".into(), game: "skirmish".into(), ..Default::default() };
    let id = said(matches.create_match(by(&ada, create)).await).id();
    let mut tokens = Vec::new();
    for seat in 0..2 {
        let join = v1::JoinMatchRequest {
            match_id: id.clone(),
            request_id: format!("j{seat}"),
            seat: Some(seat),
            ..Default::default()
        };
        tokens.push(said(matches.join_match(by(&ada, join)).await).seat_token);
    }
    let of_seat = |seat| v1::Observer { seat: Some(seat) };
    let view = |seat: Option<u32>| v1::GetViewRequest {
        match_id: id.clone(),
        observer: seat.map(of_seat),
        ..v1::GetViewRequest::default()
    };
    let record = || v1::ExportRecordRequest { match_id: id.clone() };

    // A look by a seat's own token, or at what everybody sees, is no act.
    said(matches.get_view(by(&tokens[0], view(Some(0)))).await);
    said(matches.get_view(by(&umpire, view(None))).await);
    let refused = matches.get_view(by(&tokens[0], view(Some(1)))).await;
    assert_eq!(reason(&refused.unwrap_err()), ErrorReason::NotAllowed);
    assert_eq!(looks(&mut operator, &site.chief, "umpire").await, []);

    for _ in 0..3 {
        said(matches.get_view(by(&umpire, view(Some(0)))).await);
        exported(matches.export_record(by(&umpire, record())).await).await.unwrap();
    }
    let watch = v1::WatchMatchRequest {
        match_id: id.clone(),
        observer: Some(of_seat(1)),
        ..v1::WatchMatchRequest::default()
    };
    said(matches.watch_match(by(&umpire, watch)).await);
    let expected = [
        (ActKind::ViewRead, format!("looked at the view of seat 0 of the running match {id}")),
        (ActKind::RecordRead, format!("read the record of the running match {id}")),
        (ActKind::ViewRead, format!("looked at the view of seat 1 of the running match {id}")),
    ];
    assert_eq!(looks(&mut operator, &site.chief, "umpire").await, expected, "each once an hour");

    // Of a match that is over, the record is everybody's.
    let resign =
        v1::ResignMatchRequest { match_id: id.clone(), request_id: "r".into(), ..Default::default() };
    said(matches.resign_match(by(&tokens[0], resign)).await);
    exported(matches.export_record(by(&umpire, record())).await).await.unwrap();
    assert_eq!(looks(&mut operator, &site.chief, "umpire").await, expected);
    assert_eq!(server.stop().code, Some(0));
}
