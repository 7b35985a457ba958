//! Adjournments on a real server, which is stopped and started again meanwhile.

use edgehill_proto::prost_types;
use edgehill_proto::v1::{self, ErrorReason, MatchStatus};

use crate::message::HasMatch;
use crate::process::by;
use crate::site::{Site, said};
use crate::start::reason;

fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_match_stays_adjourned_whatever_becomes_of_the_server() {
    let site = Site::new();
    let server = site.start();
    let (mut operator, mut matches) = (server.admin().await, server.matches().await);
    let create = v1::CreateAccountRequest {
        request_id: "ada".into(),
        account_id: "ada".into(),
        roles: vec![v1::AccountRole::Player.into()],
    };
    said(operator.create_account(by(&site.chief, create)).await);
    let key = v1::CreateAccountKeyRequest {
        request_id: "key".into(),
        account_id: "ada".into(),
        ..v1::CreateAccountKeyRequest::default()
    };
    let ada = said(operator.create_account_key(by(&site.chief, key)).await).key;
    let clock = v1::ClockConfig {
        decision_limit: seconds(3_600),
        at_end: v1::TimeoutRule::Forfeit.into(),
        ..v1::ClockConfig::default()
    };
    let create = v1::CreateMatchRequest {
        request_id: "m".into(),
        game: "skirmish".into(),
        clock: Some(clock),
        ..Default::default()
    };
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
    let (match_id, adjourn_for) = (id.clone(), seconds(86_400));
    let offer = v1::OfferAdjournmentRequest { match_id, request_id: "o".into(), adjourn_for };
    said(matches.offer_adjournment(by(&tokens[0], offer)).await);
    let accept =
        v1::AcceptAdjournmentRequest { match_id: id.clone(), request_id: "a".into(), adjourn_for: None };
    let adjourned = said(matches.accept_adjournment(by(&tokens[1], accept.clone())).await);
    let begun = adjourned.state().adjournment.unwrap().adjourn_time;
    let resume = |id: &str| v1::ResumeMatchRequest { match_id: id.into(), request_id: "r".into() };
    said(matches.resume_match(by(&tokens[0], resume(&id))).await);
    assert_eq!(server.stop().code, Some(0));

    let server = site.start();
    let mut matches = server.matches().await;
    let again = said(matches.accept_adjournment(by(&tokens[1], accept)).await).state();
    let adjournment = again.adjournment.unwrap();
    assert_eq!((adjournment.adjourn_time, &*adjournment.resume_requests), (begun, &[0][..]));
    assert!(again.clocks.iter().all(|clock| clock.answer_deadline.is_none()));
    let pass = v1::SetStandingPassesRequest {
        match_id: id.clone(),
        request_id: "s".into(),
        ..v1::SetStandingPassesRequest::default()
    };
    let refused = matches.set_standing_passes(by(&tokens[0], pass)).await.unwrap_err();
    assert_eq!(reason(&refused), ErrorReason::Adjourned);
    let resumed = said(matches.resume_match(by(&tokens[1], resume(&id))).await).state();
    assert_eq!((resumed.status(), resumed.adjournment), (MatchStatus::Running, None));
    assert!(resumed.clocks.iter().all(|clock| clock.answer_deadline.is_some()));
    assert_eq!(server.stop().code, Some(0));
}
