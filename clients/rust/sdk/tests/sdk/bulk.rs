//! Matches that are made together.

use std::sync::{Arc, Mutex};

use edgehill_client::v1::match_plan::Seed;
use edgehill_client::v1::{
    CreateMatchResponse, CreateMatchesRequest, CreateMatchesResponse, ErrorReason, GroupPlace, GroupPlan,
    Match, MatchConfig, Refusal,
};
use edgehill_client::{Error, NewMatch, NewMatches, seat_config};
use tonic::Code;

use crate::fake::{Fake, client, refusal, serve};

fn created(number: usize) -> CreateMatchResponse {
    let config = MatchConfig { match_id: format!("m{number}"), ..MatchConfig::default() };
    let r#match = Some(Match { config: Some(config), ..Match::default() });
    CreateMatchResponse { r#match, ..CreateMatchResponse::default() }
}

#[tokio::test]
async fn matches_and_whole_groups_are_made_in_one_call_that_is_repeated() {
    let seen: Arc<Mutex<Vec<CreateMatchesRequest>>> = Arc::default();
    let log = Arc::clone(&seen);
    let create = move |request: CreateMatchesRequest, _: &_| {
        let mut log = log.lock().unwrap();
        log.push(request.clone());
        match log.len() {
            1 => Err(refusal(ErrorReason::StoreUnavailable, Code::Unavailable, Refusal::default())),
            _ => Ok(CreateMatchesResponse { created: (0..request.matches.len()).map(created).collect() }),
        }
    };
    let address = serve(Fake { create_matches: Some(Box::new(create)), ..Fake::default() }).await;
    let client = client(address);
    let one = || NewMatch::of("skirmish").seats([seat_config::open(), seat_config::invited()]);
    let new =
        NewMatches::of([one().chosen_seed([3; 32])]).group(2, [(one(), vec![0, 1]), (one(), vec![1, 0])]);
    let made = client.matches().create_all(new).await.expect("in the end");
    let ids: Vec<&str> = made.iter().map(|one| one.match_id()).collect();
    assert_eq!(ids, ["m0", "m1", "m2"]);
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0], seen[1], "the same call with the same id");
    assert_eq!(seen[0].groups, [GroupPlan { entrants: 2 }]);
    let place =
        |seat_entrants: &[u32]| Seed::Group(GroupPlace { group: 0, seat_entrants: seat_entrants.to_vec() });
    let seeds: Vec<Seed> = seen[0].matches.iter().filter_map(|plan| plan.seed.clone()).collect();
    assert_eq!(seeds, [Seed::ChosenSeed(vec![3; 32]), place(&[0, 1]), place(&[1, 0])]);
    assert!(seen[0].matches.iter().all(|plan| plan.game == "skirmish" && plan.seats.len() == 2));
    assert!(!seen[0].request_id.is_empty() && seen[0].client_secret.len() == 32);
}

#[tokio::test]
async fn an_answer_that_lacks_a_match_is_none() {
    let create = |_: CreateMatchesRequest, _: &_| Ok(CreateMatchesResponse { created: vec![created(0)] });
    let address = serve(Fake { create_matches: Some(Box::new(create)), ..Fake::default() }).await;
    let new = NewMatches::of([NewMatch::of("skirmish"), NewMatch::of("skirmish")]).request_id("mine");
    let answer = client(address).matches().create_all(new).await;
    assert!(matches!(answer, Err(Error::Protocol(_))), "{answer:?}");
}
