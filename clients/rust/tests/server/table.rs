//! Matches to play with the client crate ([`seated`]).

use edgehill_client::{Client, Join, NewMatch, Seat, SeatConfig};

/// A match of these seats with dice from `seed`, all of them taken.
pub(crate) async fn seated(client: &Client, game: &str, seats: u32, seed: u8) -> (String, Vec<Seat>) {
    let chairs = (0..seats).map(|_| SeatConfig::Open);
    let new = NewMatch::of(game).seats(chairs).chosen_seed([seed; 32]);
    let id = client.matches().create(new).await.expect("made").terms.expect("terms").match_id;
    let mut taken = Vec::new();
    for seat in 0..seats {
        taken.push(client.matches().join(Join::of(&id).seat(seat)).await.expect("taken").seat);
    }
    (id, taken)
}
