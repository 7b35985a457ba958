use std::sync::{Arc, Mutex};

use edgehill_client::v1::{ListMatchesRequest, ListMatchesResponse, Match, MatchConfig, MatchStatus};
use edgehill_client::{Error, MatchFilter};
use tokio_stream::StreamExt;

use crate::fake::{Fake, client, serve};

fn one(number: usize) -> Match {
    let config = MatchConfig { match_id: format!("m{number}"), ..MatchConfig::default() };
    Match { config: Some(config), ..Match::default() }
}

/// Seven matches, `page_size` a page; the token is the number of the next one.
fn page(request: &ListMatchesRequest) -> ListMatchesResponse {
    let first: usize = request.page_token.parse().unwrap_or(0);
    let last = (first + request.page_size as usize).min(7);
    let next_page_token = if last < 7 { last.to_string() } else { String::new() };
    ListMatchesResponse { matches: (first..last).map(one).collect(), next_page_token }
}

#[tokio::test]
async fn a_list_is_read_page_by_page_as_it_is_needed() {
    let asked: Arc<Mutex<Vec<ListMatchesRequest>>> = Arc::default();
    let log = Arc::clone(&asked);
    let list = move |request: ListMatchesRequest, _: &_| {
        let page = page(&request);
        log.lock().unwrap().push(request);
        Ok(page)
    };
    let address = serve(Fake { list_matches: Some(Box::new(list)), ..Fake::default() }).await;
    let filter = MatchFilter {
        game: Some("skirmish".to_owned()),
        statuses: vec![MatchStatus::Running],
        page_size: 3,
        ..MatchFilter::default()
    };
    let mut pages = client(address).matches().list(filter.clone());
    assert!(asked.lock().unwrap().is_empty(), "nothing is asked for before it is needed");
    pages.next().await.unwrap();
    assert_eq!(asked.lock().unwrap().len(), 1);

    let stream = client(address).matches().list(filter).into_stream();
    let matches: Vec<Match> = stream.map(Result::unwrap).collect().await;
    assert_eq!(matches, (0..7).map(one).collect::<Vec<_>>());
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), 4);
    assert!(asked.iter().all(|it| it.game == "skirmish" && it.statuses == [3] && it.page_size == 3));
    let tokens: Vec<&str> = asked[1..].iter().map(|it| it.page_token.as_str()).collect();
    assert_eq!(tokens, ["", "3", "6"]);
}

#[tokio::test]
async fn a_list_that_never_ends_is_found_out() {
    let list = |_: ListMatchesRequest, _: &_| {
        Ok(ListMatchesResponse { matches: Vec::new(), next_page_token: "again".to_owned() })
    };
    let address = serve(Fake { list_matches: Some(Box::new(list)), ..Fake::default() }).await;
    let answer = client(address).matches().list(MatchFilter::default()).next().await;
    assert!(matches!(answer, Err(Error::Protocol(_))), "{answer:?}");
}
