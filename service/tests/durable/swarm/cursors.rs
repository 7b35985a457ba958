//! Numbers, moments and page tokens from elsewhere: of the future, of others, of none.

use edgehill_proto::v1;
use edgehill_proto::v1::catalog_service_client::CatalogServiceClient;

use super::hostile::{Hostile, WINDOW};
use super::own_match::OwnMatch;
use crate::line::Client;
use crate::message::{batch, ids};
use crate::process::by;
use crate::random::Random;

/// Rounds in a match before there is a new one.
const ROUNDS: usize = 50;

pub(crate) async fn attack(mut hostile: Hostile) {
    while !hostile.is_over() {
        let channel = hostile.connect(WINDOW).await;
        let mut client = Client::new(channel.clone());
        let mut catalog = CatalogServiceClient::new(channel);
        let seen = hostile.seen(&mut client).await;
        let Some(own) = OwnMatch::begin(&mut hostile, &mut client).await else { continue };
        for _ in 0..ROUNDS {
            if hostile.is_over()
                || round(&mut hostile, &mut client, &mut catalog, &seen, &own).await.is_none()
            {
                break;
            }
        }
    }
}

/// A number that a cursor has now and then, or never.
fn number(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => random.below(4) as u64,
        1 => random.below(100_000) as u64,
        2 => u64::MAX - random.below(3) as u64,
        _ => random.next(),
    }
}

/// A token of a page, some of whose bytes are others; `None` if the server was killed.
async fn page_token(hostile: &mut Hostile, client: &mut Client) -> Option<String> {
    let first = v1::ListMatchesRequest { page_size: 1, ..v1::ListMatchesRequest::default() };
    let token = hostile.answer(client.list_matches(first)).await?.unwrap().into_inner().next_page_token;
    let mut characters: Vec<char> = token.chars().collect();
    for _ in 0..hostile.random.below(3) {
        let at = hostile.random.below(characters.len() + 1);
        characters.insert(at, char::from(b' ' + hostile.random.below(95) as u8));
    }
    Some(characters.into_iter().collect())
}

/// One of each; `None` if the server was killed. That each is answered, and clearly, is looked at by [`Hostile::answer`].
async fn round(
    hostile: &mut Hostile,
    client: &mut Client,
    catalog: &mut CatalogServiceClient<tonic::transport::Channel>,
    seen: &[String],
    own: &OwnMatch,
) -> Option<()> {
    let match_id = hostile.random.pick(seen).unwrap_or(&own.id).clone();
    let after_seq = Some(number(&mut hostile.random));
    let watch = v1::WatchMatchRequest { match_id: match_id.clone(), after_seq, ..Default::default() };
    if let Ok(stream) = hostile.answer(client.watch_match(watch)).await? {
        drop(stream);
    }
    let at_seq = Some(number(&mut hostile.random));
    let view = v1::GetViewRequest { match_id, at_seq, ..Default::default() };
    let _ = hostile.answer(client.get_view(view)).await?;
    let page_token = page_token(hostile, client).await?;
    let page_size = number(&mut hostile.random) as i32;
    let list = v1::ListMatchesRequest { page_token: page_token.clone(), page_size, ..Default::default() };
    let _ = hostile.answer(client.list_matches(list)).await?;
    let list = v1::ListActionDefsRequest {
        game: "skirmish".to_owned(),
        page_token,
        page_size,
        content_hash: Vec::new(),
    };
    let _ = hostile.answer(catalog.list_action_defs(list)).await?;
    let token = hostile.random.pick(&own.tokens)?.clone();
    let apply = v1::ApplyActionsRequest {
        match_id: own.id.clone(),
        request_id: format!("stale {}", hostile.random.next()),
        batch: Some(v1::ActionBatch {
            expected_seq: Some(number(&mut hostile.random)),
            keep_draft_actions: Some(number(&mut hostile.random) as u32),
            ..batch(ids(&[number(&mut hostile.random) as u32]))
        }),
        ..v1::ApplyActionsRequest::default()
    };
    let _ = hostile.answer(client.apply_actions(by(&token, apply))).await?;
    hostile.made("rounds of stale cursors");
    Some(())
}
