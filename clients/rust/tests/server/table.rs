//! Matches to play with the client crate ([`seated`]).

use edgehill_client::{Client, JoinRequest, NewMatch, SeatHandle, seat_config};

/// A match of these seats with dice from `seed`, all of them taken.
pub(crate) async fn seated(client: &Client, game: &str, seats: u32, seed: u8) -> (String, Vec<SeatHandle>) {
    let configs = (0..seats).map(|_| seat_config::open());
    let new = NewMatch::of(game).seats(configs).chosen_seed([seed; 32]);
    let id = client.matches().create(new).await.expect("made").config.match_id;
    let mut taken = Vec::new();
    for seat in 0..seats {
        taken.push(client.matches().join(JoinRequest::of(&id).seat(seat)).await.expect("taken").handle);
    }
    (id, taken)
}
