//! Lists are made of rows: of matches that nobody has opened since the server started they are what they are of matches in
//! memory, and none is opened for them.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use edgehill_engine::dice::Entropy;
use edgehill_proto::v1::create_match_request::Seed;
use edgehill_proto::v1::{self, MatchStatus};
use edgehill_service::clock::{Clock, ManualClock};
use edgehill_service::limits::Limits;

use crate::expiry::end;
use crate::kit::{HasMatch, Seated, by, ids, join, resign};
use crate::running::{Client, File, Running, Start};
use crate::trouble::Full;

/// Matches of each game in each state.
const EACH: usize = 6;
const WAITING_SECONDS: u64 = 1_000;

/// A match of a game, with the seed that the server draws.
fn of(game: &str, name: &str) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        request_id: format!("{game} {name}"),
        game: game.to_owned(),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    }
}

async fn make(client: &mut Client, request: v1::CreateMatchRequest) -> v1::CreateMatchResponse {
    client.create_match(request).await.unwrap().into_inner()
}

/// A match whose seats were taken, by players with names and entropy.
async fn seated(client: &mut Client, request: v1::CreateMatchRequest) -> Seated {
    let made = make(client, request).await;
    let mut tokens = Vec::new();
    for seat in 0..made.state().seats.len() as u32 {
        let player = format!("player {seat}");
        let join = join(&made.id(), &format!("j{seat}"), seat);
        let join = v1::JoinMatchRequest { player, entropy: vec![7; 32], ..join };
        tokens.push(client.join_match(join).await.unwrap().into_inner().seat_token);
    }
    Seated { id: made.id(), tokens }
}

/// Makes matches of a game in all states but EXPIRED. Returns one that runs.
async fn fill(client: &mut Client, game: &str, number: usize) -> Seated {
    let of = |name: &str| of(game, &format!("{name} {number}"));
    make(client, of("waiting")).await;
    let aborted = make(client, of("aborted")).await;
    let (match_id, creator_token) = (aborted.id(), aborted.creator_token.clone());
    let abort = v1::AbortMatchRequest { match_id, request_id: "a".into(), creator_token };
    client.abort_match(abort).await.unwrap();
    let running = seated(client, of("running")).await;
    let over = seated(client, of("over")).await;
    client.resign_match(by(&over.tokens[0], resign(&over.id, "r"))).await.unwrap();

    let offered = seated(client, of("offered")).await;
    if offered.tokens.len() > 1 {
        let offer = v1::OfferDrawRequest { match_id: offered.id.clone(), request_id: "d".into() };
        client.offer_draw(by(&offered.tokens[0], offer)).await.unwrap();
        let accepted = seated(client, of("accepted")).await;
        let offer = v1::OfferDrawRequest { match_id: accepted.id.clone(), request_id: "d".into() };
        client.offer_draw(by(&accepted.tokens[0], offer)).await.unwrap();
        let accept = v1::AcceptDrawRequest {
            match_id: accepted.id.clone(),
            request_id: "d".into(),
            response_options: None,
        };
        client.accept_draw(by(&accepted.tokens[1], accept)).await.unwrap();
    }
    reveal(client, of("revealing")).await;
    grouped(client, &of("grouped"), number.is_multiple_of(2)).await;
    running
}

/// A match whose seats have committed to entropy that they still have to reveal.
async fn reveal(client: &mut Client, request: v1::CreateMatchRequest) {
    let entropy_mode = v1::EntropyMode::CommitReveal.into();
    let made = make(client, v1::CreateMatchRequest { entropy_mode, ..request }).await;
    for seat in 0..made.state().seats.len() as u32 {
        let entropy_commitment =
            Entropy::from_bytes([9; 32]).commit(&made.id(), seat).unwrap().as_bytes().to_vec();
        let join = v1::JoinMatchRequest { entropy_commitment, ..join(&made.id(), &format!("j{seat}"), seat) };
        client.join_match(join).await.unwrap();
    }
}

/// A seed group of two matches; the first is over, and the second if `ends`.
async fn grouped(client: &mut Client, request: &v1::CreateMatchRequest, ends: bool) {
    let seats = if request.game == "cruel-necessity" { 1 } else { 2 };
    let (mut group_id, mut ids) = (String::new(), Vec::new());
    for number in 0..2 {
        let new = 2 * u32::from(group_id.is_empty());
        let seat_entrants = (0..seats).collect();
        let group = v1::SeedGroup { group_id, matches: new, entrants: new, seat_entrants };
        let request_id = format!("{} {number}", request.request_id);
        let seed = Some(Seed::Group(group));
        let made = make(client, v1::CreateMatchRequest { request_id, seed, ..request.clone() }).await;
        group_id = crate::kit::group_id(&made);
        ids.push(made.id());
    }
    let mut tokens = Vec::new();
    for id in &ids {
        for seat in 0..seats {
            let joined = client.join_match(join(id, &format!("j{seat}"), seat)).await.unwrap();
            tokens.push(joined.into_inner().seat_token);
        }
    }
    client.resign_match(by(&tokens[0], resign(&ids[0], "r"))).await.unwrap();
    if ends {
        client.resign_match(by(tokens.last().unwrap(), resign(&ids[1], "r"))).await.unwrap();
    }
}

/// All matches, page by page.
async fn list(client: &mut Client, token: Option<&str>) -> Vec<v1::Match> {
    let (mut matches, mut page_token) = (Vec::new(), String::new());
    loop {
        let request = v1::ListMatchesRequest { page_token, ..v1::ListMatchesRequest::default() };
        let request = token.map_or(tonic::Request::new(request.clone()), |token| by(token, request));
        let page = client.list_matches(request).await.unwrap().into_inner();
        matches.extend(page.matches);
        page_token = page.next_page_token;
        if page_token.is_empty() {
            return matches;
        }
    }
}

/// All matches as each of them is shown alone, which opens it.
async fn shown(client: &mut Client, listed: &[v1::Match]) -> Vec<v1::Match> {
    let mut shown = Vec::new();
    for one in listed {
        let got = client.get_match(v1::GetMatchRequest { match_id: one.id() }).await.unwrap();
        shown.push(got.into_inner().r#match.unwrap());
    }
    shown
}

/// A server with hundreds of matches, and one of them that runs.
async fn filled(start: Start, clock: &ManualClock) -> (Running, Seated) {
    let running = start.run().await;
    let mut client = running.client().await;
    let games = running.host.registry().ids();
    let mut waiting = Vec::new();
    for game in &games {
        for number in 0..EACH {
            waiting.push(make(&mut client, of(game, &format!("expired {number}"))).await.id());
        }
    }
    clock.advance(Duration::from_secs(WAITING_SECONDS));
    for id in waiting {
        assert_eq!(end(&mut client, &id).await.status(), MatchStatus::Expired);
    }
    let mut played = None;
    for game in games {
        for number in 0..EACH {
            let running = fill(&mut client, game, number).await;
            // Its first choice is sealed: who makes it is notified of more than the others.
            played = if game == "skirmish" { Some(running) } else { played };
        }
    }
    let played = played.unwrap();
    let card = played.legal(&mut client, 0).await.legal_actions.unwrap().ids[0];
    played.take(&mut client, 0, "card", ids(&[card])).await;
    (running, played)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_started_again_lists_all_matches_as_before_and_opens_none() {
    let file = File::new();
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let limits = Limits { waiting_seconds: WAITING_SECONDS, ..Limits::default() };
    let start = Start { clock: clock.clone(), limits, ..Start::on(file.open()) };
    let (running, played) = filled(start, &clock).await;
    let mut client = running.client().await;
    let before = list(&mut client, None).await;
    assert!(before.len() >= 200, "{} matches", before.len());
    for status in [
        MatchStatus::Waiting,
        MatchStatus::Revealing,
        MatchStatus::Running,
        MatchStatus::Finished,
        MatchStatus::Aborted,
        MatchStatus::Expired,
    ] {
        let of_status = before.iter().filter(|one| one.state().status() == status).count();
        assert!(of_status >= 4 * EACH, "{of_status} matches are {status:?}");
    }
    let revealed = before.iter().filter(|one| one.state().reveal.is_some()).count();
    assert!(revealed > 4 * EACH && before.iter().any(|one| !one.state().draw_offers.is_empty()));
    assert_eq!(shown(&mut client, &before).await, before);
    let own = list(&mut client, Some(&played.tokens[0])).await;
    assert_ne!(own, before, "the number is the caller's own");
    running.close().await;

    let reads = Arc::new(Full::new(file.open()));
    let running = Start { clock: clock.clone(), limits, ..Start::on(reads.clone()) }.run().await;
    let mut client = running.client().await;
    assert_eq!(list(&mut client, None).await, before);
    assert_eq!((running.host.loaded_matches(), reads.reads.load(Ordering::SeqCst)), (0, 0));
    // All are opened, and listed as they were when none was.
    assert_eq!(shown(&mut client, &before).await, before);
    assert_eq!(running.host.loaded_matches(), before.len());
    assert_eq!(list(&mut client, None).await, before);
    assert_eq!(list(&mut client, Some(&played.tokens[0])).await, own);
    assert_eq!(clock.unix_ms(), 1_700_001_000_000);
}
