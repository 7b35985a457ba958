//! Two states that differ only in what a seat may not know are the same bytes to it: views, lists, refusals and events.

use std::sync::Arc;

use edgehill_convert::messages::{TextMode, legal, view};
use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::game::Game;
use edgehill_engine::games::english_civil_war_iia::EnglishCivilWar;
use edgehill_engine::games::skirmish::Skirmish;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::{ApplyMode, Table};
use edgehill_proto::v1::LegalDetail;
use edgehill_service::wire::refusal;
use prost::Message;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use tonic::Status;

use crate::{below, published};

/// Everything that `seat` is sent of a match, as bytes; what it asks for leaves the match as it was.
fn sent<G: Game>(table: &Table<G>, seat: Seat, asked: &[ActionId]) -> Vec<Vec<u8>> {
    let catalogue = table.game().catalogue();
    let words = TextMode::of(catalogue);
    let mut bytes = vec![view::of(&table.view(Observer::Seat(seat)), words).encode_to_vec()];
    let list = table.legal(seat);
    for detail in [LegalDetail::Ids, LegalDetail::Notation, LegalDetail::Full] {
        bytes.extend(legal::of(catalogue, &list, detail).map(|list| list.encode_to_vec()));
    }
    for &action in asked {
        let mut probe = table.branch();
        let status = match probe.apply(seat, &[action], ApplyMode::Atomic) {
            // The result of dice may differ: hidden things decide what they are rolled for.
            Ok(_) => continue,
            Err(refused) => Status::from(refusal::of(catalogue, refused)),
        };
        bytes.push(status.details().to_vec());
        bytes.push(status.message().as_bytes().to_vec());
    }
    let published = published::following(table.published(Observer::Seat(seat), 0), 0, words);
    bytes.extend(published.map(|news| news.encode_to_vec()));
    bytes
}

/// Plays, and at each node compares the match with one whose secrets are others. Returns how many pairs differed.
fn check<G: Game>(game: &Arc<G>, seed: u64) -> usize {
    let setup = Setup::default_of(game.catalogue());
    let mut table = Table::open(Arc::clone(game), setup.clone(), ChanceSource::playout(seed));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let size = game.catalogue().actions.len();
    let mut pairs = 0;
    for _ in 0..400 {
        for index in 0..table.seats() {
            let seat = Seat::new(index as u8);
            if (0..table.seats()).any(|other| !table.draft(Seat::new(other as u8)).is_empty()) {
                continue; // drafts are in the table, and a state alone does not have them
            }
            let twin = game.scramble(table.state(), seat, &mut rng);
            pairs += usize::from(twin != *table.state());
            let asked: Vec<ActionId> = (0..8).map(|_| ActionId(below(size + 2, &mut rng) as u16)).collect();
            let from =
                |state| Table::from_state(Arc::clone(game), setup.clone(), None, state, ChanceSource::Manual);
            let (mut left, mut right) = (from(table.state().clone()), from(twin));
            assert_eq!(sent(&left, seat, &asked), sent(&right, seat, &asked), "{seat}, seed {seed}");
            // The next action of another seat is published alike, where it may do the same in both.
            for other in left.node().to_act().iter().filter(|other| *other != seat) {
                let both: Vec<ActionId> = left
                    .legal(other)
                    .into_iter()
                    .filter(|action| right.legal(other).contains(action))
                    .collect();
                let Some(&action) = both.get(below(both.len(), &mut rng)) else { continue };
                for table in [&mut left, &mut right] {
                    table.apply(other, &[action], ApplyMode::Atomic).expect("it is listed");
                }
                if left.view(Observer::Seat(seat)) == right.view(Observer::Seat(seat)) {
                    assert_eq!(sent(&left, seat, &[]), sent(&right, seat, &[]), "{seat}, seed {seed}");
                }
            }
        }
        let Some(seat) = table.node().to_act().iter().next() else { break };
        let legal = table.legal(seat);
        let action = legal[below(legal.len(), &mut rng)];
        table.apply(seat, &[action], ApplyMode::Atomic).expect("what is listed is accepted");
    }
    pairs
}

#[test]
fn what_a_seat_may_not_know_changes_no_byte_that_it_gets() {
    let skirmish = Arc::new(Skirmish::load(&Skirmish::builtin()).expect("built-in content is accepted"));
    let pairs: usize = (1..=6).map(|seed| check(&skirmish, seed)).sum();
    assert!(pairs > 50, "only {pairs} pairs differed");
    let war = Arc::new(EnglishCivilWar::standard());
    check(&war, 1);
}

/// In the war nothing is hidden but what is being written: the same match with other secret drafts.
#[test]
fn what_another_seat_writes_in_secret_changes_no_byte() {
    let war = Arc::new(EnglishCivilWar::standard());
    let setup = Setup::default_of(war.catalogue());
    let (royalist, parliament) = (Seat::new(0), Seat::new(1));
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..40 {
        let mut twins = [0, 1].map(|_| Table::open(Arc::clone(&war), setup.clone(), ChanceSource::Manual));
        for table in &mut twins {
            for _ in 0..1 + below(12, &mut rng) {
                let legal = table.legal(royalist);
                let Some(&action) = legal.get(below(legal.len(), &mut rng)) else { break };
                table.apply(royalist, &[action], ApplyMode::Atomic).expect("what is listed is accepted");
            }
        }
        let [left, right] = &twins;
        if left.committed(royalist) != right.committed(royalist) {
            continue;
        }
        let asked: Vec<ActionId> = (0..8).map(|_| ActionId(below(700, &mut rng) as u16)).collect();
        assert_eq!(sent(left, parliament, &asked), sent(right, parliament, &asked));
        let spectator =
            |table: &Table<EnglishCivilWar>| view::of(&table.view(Observer::Spectator), TextMode::OFF);
        assert_eq!(spectator(left).encode_to_vec(), spectator(right).encode_to_vec());
    }
}
