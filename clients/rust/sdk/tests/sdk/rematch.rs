//! The match that follows a finished one.

use edgehill_client::Error;
use edgehill_client::v1::{Match, MatchConfig, RematchMatchRequest, RematchMatchResponse};

use crate::fake::{Fake, client, serve};

#[tokio::test]
async fn a_seat_gets_the_match_its_new_seat_and_an_invitation_that_no_log_shows() {
    let rematch = |request: RematchMatchRequest, metadata: &tonic::metadata::MetadataMap| {
        assert_eq!(metadata.get("authorization").unwrap(), "Bearer the-token");
        assert!(request.match_id == "m" && !request.request_id.is_empty());
        let config = MatchConfig { match_id: "n".to_owned(), ..MatchConfig::default() };
        let r#match = Some(Match { config: Some(config), ..Match::default() });
        Ok(RematchMatchResponse { r#match, seat: 1, invitation: "a-secret".to_owned() })
    };
    let address = serve(Fake { rematch_match: Some(Box::new(rematch)), ..Fake::default() }).await;
    let again = client(address).seat("m", "the-token").rematch().await.expect("made");
    assert_eq!((again.config.match_id.as_str(), again.seat, again.invitation.as_str()), ("n", 1, "a-secret"));
    assert!(!format!("{again:?} {:?}", again.join_request()).contains("a-secret"));
}

#[tokio::test]
async fn an_answer_without_a_match_is_none() {
    let rematch = |_, _: &_| Ok(RematchMatchResponse::default());
    let address = serve(Fake { rematch_match: Some(Box::new(rematch)), ..Fake::default() }).await;
    let answer = client(address).seat("m", "the-token").rematch().await;
    assert!(matches!(answer, Err(Error::Protocol(_))), "{answer:?}");
}
