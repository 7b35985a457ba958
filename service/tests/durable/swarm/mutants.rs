//! Messages of every method with bytes changed, taken out, put in and mixed up.

use edgehill_proto::v1::{self, play_seats_request};
use prost::Message;
use tokio_stream::StreamExt;
use tonic::Status;
use tonic::client::Grpc;
use tonic::transport::Channel;

use super::hostile::{Hostile, WINDOW};
use super::own_match::{OwnMatch, create, join};
use crate::line::Client;
use crate::message::{batch, ids, line};
use crate::process::as_holder;
use crate::random::Random;
use crate::raw_codec::Raw;

/// Calls in a match before there is a new one.
const CALLS: usize = 400;
/// The most messages that are read of an answer that is a stream.
const READ_MAX: usize = 3;

/// A method of the API.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Unary,
    ServerStream,
    BothStream,
}

/// A method, and a message that it takes.
type Sample = (&'static str, Kind, Vec<u8>);

pub(crate) async fn attack(mut hostile: Hostile) {
    while !hostile.is_over() {
        let channel = hostile.connect(WINDOW).await;
        let mut client = Client::new(channel.clone());
        let Some(own) = OwnMatch::begin(&mut hostile, &mut client).await else { continue };
        for number in 0..CALLS {
            if hostile.is_over() || one(&mut hostile, &channel, &own, number).await.is_none() {
                break;
            }
        }
    }
}

/// Makes one call; `None` if the server was killed.
async fn one(hostile: &mut Hostile, channel: &Channel, own: &OwnMatch, number: usize) -> Option<()> {
    let (_, seq, legal) = own.to_act(hostile, &mut Client::new(channel.clone())).await.unwrap_or_default();
    let action = *hostile.random.pick(&legal).unwrap_or(&0);
    let samples = samples(own, &format!("m{number}"), action, seq);
    let (path, kind, message) = hostile.random.pick(&samples)?;
    // Now and then it is left as it is, so that the match goes on.
    let message = match hostile.random.percent(20) {
        true => message.clone(),
        false => mutated(message, &samples, &mut hostile.random),
    };
    let tokens: Vec<&str> = own.tokens.iter().map(String::as_str).chain([""]).collect();
    let token = *hostile.random.pick(&tokens)?;
    hostile.made("mutated messages");
    let answer = hostile.answer(call(channel, path, *kind, token, message)).await?;
    let _ = answer.inspect_err(|status| assert!(!status.message().contains("panic"), "{path}: {status:?}"));
    Some(())
}

async fn call(
    channel: &Channel,
    path: &'static str,
    kind: Kind,
    token: &str,
    message: Vec<u8>,
) -> Result<(), Status> {
    let mut grpc = Grpc::new(channel.clone());
    grpc.ready().await.map_err(|error| Status::from_error(Box::new(error)))?;
    let path = http::uri::PathAndQuery::from_static(path);
    let request = as_holder(token, message);
    let mut answers = match kind {
        Kind::Unary => return grpc.unary(request, path, Raw).await.map(drop),
        Kind::ServerStream => grpc.server_streaming(request, path, Raw).await?.into_inner(),
        Kind::BothStream => {
            let both = request.map(|message| tokio_stream::iter([message.clone(), message]));
            grpc.streaming(both, path, Raw).await?.into_inner()
        }
    };
    // A stream may last: its beginning is enough.
    for _ in 0..READ_MAX {
        match tokio::time::timeout(std::time::Duration::from_millis(20), answers.next()).await {
            Ok(Some(message)) => drop(message?),
            Ok(None) | Err(_) => break,
        }
    }
    Ok(())
}

/// Messages as a client of the match would send them.
fn samples(own: &OwnMatch, request_id: &str, action: u32, seq: u64) -> Vec<Sample> {
    let (match_id, request_id) = (own.id.clone(), request_id.to_owned());
    let token = own.tokens[0].clone();
    let mut samples = Vec::new();
    macro_rules! sample {
        ($kind:ident, $service:literal, $method:literal, $message:ident {$($field:ident: $value:expr),*}) => {
            samples.push((
                concat!("/edgehill.v1.", $service, "/", $method),
                Kind::$kind,
                // Some have no fields but these.
                #[allow(clippy::needless_update)]
                v1::$message { $($field: $value,)* ..v1::$message::default() }.encode_to_vec(),
            ))
        };
    }
    let m = || match_id.clone();
    let r = || request_id.clone();
    let taken = || Some(v1::ActionBatch { expected_seq: Some(seq), ..batch(ids(&[action])) });
    sample!(Unary, "CatalogService", "ListGames", ListGamesRequest { page_size: 3 });
    sample!(
        Unary,
        "CatalogService",
        "GetGame",
        GetGameRequest { game: "skirmish".into(), include_rules: true }
    );
    sample!(
        Unary,
        "CatalogService",
        "ListActionDefs",
        ListActionDefsRequest { game: "skirmish".into(), page_size: 9 }
    );
    sample!(Unary, "CatalogService", "GetLimits", GetLimitsRequest {});
    sample!(Unary, "CatalogService", "GetSigningKey", GetSigningKeyRequest {});
    samples.push(("/edgehill.v1.MatchService/CreateMatch", Kind::Unary, create(&request_id).encode_to_vec()));
    let place = v1::GroupPlace { group: 0, seat_entrants: vec![0, 1] };
    let plan = v1::MatchPlan {
        game: "skirmish".into(),
        seed: Some(v1::match_plan::Seed::Group(place)),
        ..v1::MatchPlan::default()
    };
    sample!(
        Unary,
        "MatchService",
        "CreateMatches",
        CreateMatchesRequest {
            request_id: r(),
            client_secret: vec![7; 32],
            matches: vec![plan; 2],
            groups: vec![v1::GroupPlan { entrants: 2 }]
        }
    );
    sample!(Unary, "MatchService", "RematchMatch", RematchMatchRequest { match_id: m(), request_id: r() });
    sample!(
        ServerStream,
        "MatchService",
        "SeekMatch",
        SeekMatchRequest {
            request_id: r(),
            game: "skirmish".into(),
            seat: Some(0),
            wait: Some(edgehill_proto::prost_types::Duration { seconds: 1, nanos: 0 }),
            client_secret: vec![7; 32]
        }
    );
    samples.push(("/edgehill.v1.MatchService/JoinMatch", Kind::Unary, join(&match_id, 1).encode_to_vec()));
    sample!(Unary, "MatchService", "GetMatch", GetMatchRequest { match_id: m() });
    sample!(Unary, "MatchService", "ListMatches", ListMatchesRequest { page_size: 5, open_seats: true });
    sample!(Unary, "MatchService", "LeaveMatch", LeaveMatchRequest { match_id: m(), request_id: r() });
    sample!(
        Unary,
        "MatchService",
        "AbortMatch",
        AbortMatchRequest { match_id: m(), request_id: r(), creator_token: token.clone() }
    );
    sample!(
        Unary,
        "MatchService",
        "RevealEntropy",
        RevealEntropyRequest { match_id: m(), request_id: r(), entropy: vec![5; 32] }
    );
    sample!(Unary, "MatchService", "GetView", GetViewRequest { match_id: m(), include_text: true });
    sample!(
        Unary,
        "MatchService",
        "ListLegalActions",
        ListLegalActionsRequest { match_id: m(), verbs: vec!["card".into()] }
    );
    sample!(
        Unary,
        "MatchService",
        "ExplainAction",
        ExplainActionRequest {
            match_id: m(),
            action: Some(v1::Action { encoding: Some(v1::action::Encoding::Id(action)) })
        }
    );
    sample!(
        Unary,
        "MatchService",
        "ApplyActions",
        ApplyActionsRequest { match_id: m(), request_id: r(), batch: taken() }
    );
    sample!(
        Unary,
        "MatchService",
        "ApplyActions",
        ApplyActionsRequest { match_id: m(), request_id: r(), batch: Some(batch(line("card fife; done"))) }
    );
    sample!(
        Unary,
        "MatchService",
        "UndoActions",
        UndoActionsRequest {
            match_id: m(),
            request_id: r(),
            span: Some(v1::UndoSpan { expected_seq: Some(seq), keep_draft_actions: Some(0) })
        }
    );
    sample!(Unary, "MatchService", "OfferDraw", OfferDrawRequest { match_id: m(), request_id: r() });
    sample!(Unary, "MatchService", "DeclineDraw", DeclineDrawRequest { match_id: m(), request_id: r() });
    sample!(Unary, "MatchService", "AcceptDraw", AcceptDrawRequest { match_id: m(), request_id: r() });
    sample!(
        Unary,
        "MatchService",
        "SetStandingPasses",
        SetStandingPassesRequest {
            match_id: m(),
            request_id: r(),
            standing_passes: vec![v1::StandingPass::default()]
        }
    );
    sample!(
        ServerStream,
        "MatchService",
        "WatchMatch",
        WatchMatchRequest { match_id: m(), after_seq: Some(0), include_text: true }
    );
    sample!(ServerStream, "MatchService", "ExportRecord", ExportRecordRequest { match_id: m() });
    let open = play_seats_request::Open { seat_token: token, after_seq: Some(0), ..Default::default() };
    let open = play_seats_request::Call::Open(open);
    sample!(
        BothStream,
        "MatchService",
        "PlaySeats",
        PlaySeatsRequest { channel: 1, request_id: r(), call: Some(open) }
    );
    let apply = taken().map(play_seats_request::Call::Apply);
    sample!(
        BothStream,
        "MatchService",
        "PlaySeats",
        PlaySeatsRequest { channel: 1, request_id: r(), call: apply }
    );
    samples
}

/// A message with one to four changes.
fn mutated(message: &[u8], samples: &[Sample], random: &mut Random) -> Vec<u8> {
    let mut bytes = message.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let span = at..(at + random.below(12)).min(bytes.len());
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            2 => drop(bytes.drain(span)),
            3 => {
                let again = bytes[span].to_vec();
                bytes.splice(at..at, again);
            }
            4 => bytes.truncate(at),
            // The largest number that a field can have, or one that goes on for too long.
            5 => drop(bytes.splice(at..at, std::iter::repeat_n(0xff, random.below(11)).chain([0x01]))),
            6 => {
                let (_, _, other) = random.pick(samples).expect("samples");
                let from = random.below(other.len() + 1);
                bytes.splice(at..at, other[from..].iter().copied());
            }
            _ => {
                let new: Vec<u8> = (0..random.below(20)).map(|_| random.below(256) as u8).collect();
                bytes.splice(at..at, new);
            }
        }
    }
    bytes
}
