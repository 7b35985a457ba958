//! A table at which matches are played, one after the other ([`play`]).

use std::sync::{Arc, Mutex};

use edgehill_proto::{prost_types, v1};

use crate::line::{Client, Line};
use crate::message::HasMatch;
use crate::random::Random;
use crate::seat::{Seat, SeatLog};
use crate::world::{Played, World};
use crate::{stream, unary, watcher};

/// Actions after which a player of a game gives up: the least, and how many more it may be.
const SHORT: (u32, usize) = (2, 8);
const LONG: (u32, usize) = (10, 40);

/// A match that somebody wants to make.
struct Wish {
    game: String,
    seats: usize,
    clock: Option<v1::ClockConfig>,
    request: String,
}

/// Plays so many matches, one after the other.
pub(crate) async fn play(world: Arc<World>, number: usize, rounds: usize) {
    let mut random = world.random(1_000 + number as u64);
    for round in 0..rounds {
        let wish = wish(&world, &mut random, format!("table {number}, match {round}"));
        let mut line = world.line(&mut random);
        let created = create(&mut line, &wish, &mut random).await;
        let config = created.config();
        let played = Played {
            id: config.match_id.clone(),
            game: wish.game.clone(),
            commitment: config.dice.unwrap().commitment,
            players: wish.seats,
            seats: Mutex::default(),
        };
        let played = world.made(played);
        world.note(format_args!("{} made: {}", played.id, wish.request));
        if random.percent(6) {
            abort(&mut line, &played, &created.creator_token, &mut random).await;
        } else if random.percent(3) {
            // Nobody comes: it expires.
        } else {
            let is_full = sit_down(&world, &mut line, &played, created.invitations, &mut random).await;
            if is_full {
                match_up(&world, &played, &mut random).await;
            } else {
                world.note(format_args!("{} has expired", played.id));
            }
        }
    }
}

fn seconds(seconds: i64) -> Option<prost_types::Duration> {
    Some(prost_types::Duration { seconds, nanos: 0 })
}

/// The game that is played next: the specimen mostly, which is the shortest.
fn wish(world: &World, random: &mut Random, request: String) -> Wish {
    let games: Vec<_> = world.registry.games().map(|game| game.catalogue()).collect();
    let catalogue = match random.percent(85) {
        true => games.iter().find(|catalogue| catalogue.id == "skirmish").expect("it is built in"),
        false => random.pick(&games).expect("there are games"),
    };
    let limit = seconds(2 + random.below(6) as i64);
    let clock = match random.below(5) {
        0 => Some(v1::ClockConfig {
            decision_limit: limit,
            at_end: v1::TimeoutRule::Forfeit.into(),
            ..v1::ClockConfig::default()
        }),
        1 => Some(v1::ClockConfig {
            decision_limit: limit,
            at_end: v1::TimeoutRule::DefaultAction.into(),
            strikes: 3,
            ..v1::ClockConfig::default()
        }),
        2 => Some(v1::ClockConfig {
            bank: seconds(15),
            increment: seconds(1),
            at_end: v1::TimeoutRule::Forfeit.into(),
            ..v1::ClockConfig::default()
        }),
        _ => None,
    };
    Wish { game: catalogue.id.to_owned(), seats: catalogue.seats.len(), clock, request }
}

/// Makes a match, now and then twice.
async fn create(line: &mut Line, wish: &Wish, random: &mut Random) -> v1::CreateMatchResponse {
    let invited = v1::SeatConfig { kind: v1::SeatKind::Invited.into(), ..v1::SeatConfig::default() };
    let create = v1::CreateMatchRequest {
        request_id: wish.request.clone(),
        game: wish.game.clone(),
        seats: vec![invited; wish.seats],
        client_secret: vec![7; 32],
        clock: wish.clock,
        ..v1::CreateMatchRequest::default()
    };
    let mut first: Option<v1::CreateMatchResponse> = None;
    for _ in 0..1 + random.below(2) {
        let created = line.insist(|mut client: Client| {
            let request = create.clone();
            async move { client.create_match(request).await }
        });
        let created = created.await.unwrap().into_inner();
        if let Some(first) = &first {
            assert_eq!(
                first.config().match_id,
                created.config().match_id,
                "another match for the same request"
            );
            assert_eq!(first.invitations, created.invitations, "others are invited");
        }
        first = Some(created);
    }
    first.expect("it was made")
}

/// Takes a match back, now and then twice.
async fn abort(line: &mut Line, played: &Played, creator_token: &str, random: &mut Random) {
    let abort = v1::AbortMatchRequest {
        match_id: played.id.clone(),
        request_id: "no".to_owned(),
        creator_token: creator_token.to_owned(),
    };
    for _ in 0..1 + random.below(2) {
        let aborted = line.insist(|mut client: Client| {
            let request = abort.clone();
            async move { client.abort_match(request).await }
        });
        let state = aborted.await.unwrap().into_inner().state();
        assert_eq!(state.status(), v1::MatchStatus::Aborted);
    }
}

/// Takes all seats, each now and then twice; returns false if the match has expired meanwhile.
async fn sit_down(
    world: &World,
    line: &mut Line,
    played: &Played,
    invitations: Vec<v1::Invitation>,
    random: &mut Random,
) -> bool {
    for invitation in invitations {
        let number = invitation.seat;
        let join = v1::JoinMatchRequest {
            match_id: played.id.clone(),
            request_id: format!("seat {number}"),
            invitation: invitation.invitation,
            entropy: vec![random.below(255) as u8 + 1; 32],
            client_secret: vec![7; 32],
            ..v1::JoinMatchRequest::default()
        };
        let mut token: Option<String> = None;
        for _ in 0..1 + random.below(2) {
            let joined = line.insist(|mut client: Client| {
                let request = join.clone();
                async move { client.join_match(request).await }
            });
            let joined = match joined.await {
                Ok(joined) => joined.into_inner(),
                // Troubles lasted longer than the match has waited.
                Err(refusal) if refusal.reason() == v1::ErrorReason::MatchExpired => return false,
                Err(refusal) => panic!("{}, seat {number}: {refusal:?}", played.id),
            };
            assert_eq!(joined.seat, number, "the one that was invited to");
            assert!(
                token.is_none_or(|token| token == joined.seat_token),
                "another seat for the same request"
            );
            token = Some(joined.seat_token);
        }
        world.note(format_args!("{} seat {number} taken", played.id));
        let log = SeatLog::new(played.id.clone(), number, token.expect("it was taken"));
        played.seats.lock().unwrap().push(Arc::new(log));
    }
    true
}

/// Plays a match whose seats are taken to its end.
async fn match_up(world: &Arc<World>, played: &Played, random: &mut Random) {
    let (least, more) = if random.percent(85) { SHORT } else { LONG };
    let logs = played.seats.lock().unwrap().clone();
    let mut seats = Vec::new();
    for log in logs {
        let left = least + random.below(more) as u32;
        seats.push(Seat::new(Arc::clone(world), log, Random::new(random.next()), left));
    }
    let watching =
        watcher::watch(Arc::clone(world), played.id.clone(), world.line(random), Random::new(random.next()));
    let watching = tokio::spawn(watching);
    if random.percent(25) {
        stream::play(seats, world.line(random)).await;
    } else {
        let mut playing = tokio::task::JoinSet::new();
        for seat in seats {
            let line = world.line(random);
            if random.percent(50) {
                playing.spawn(unary::play(seat, line));
            } else {
                playing.spawn(stream::play(vec![seat], line));
            }
        }
        while let Some(played) = playing.join_next().await {
            played.expect("a player fails");
        }
    }
    watching.await.expect("a spectator fails");
    world.note(format_args!("{} is over", played.id));
}
