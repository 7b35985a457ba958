//! Random games: they end, nothing panics, invariants hold at every node, and saved states read back.

use edgehill_engine::action::ActionId;
use edgehill_engine::chance_source::below;
use edgehill_engine::codec::Reader;
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::games::english_civil_war_iia::State;
use edgehill_engine::seat::{Observer, Seat};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::play::{SIDES, game, setup};

/// Plays a game at random with silent events, and looks at the state after each action.
fn play(seed: u64, options: &[(&str, &str)], mut look: impl FnMut(&State, u32)) -> State {
    let game = game();
    let setup = setup(options);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut state = game.start(&setup);
    let mut legal: Vec<ActionId> = Vec::new();
    let mut actions = 0;
    while let Node::Sealed(to_act) = game.node(&state) {
        let seats: Vec<Seat> = to_act.iter().collect();
        let seat = seats[below(seats.len() as u64, &mut rng) as usize];
        game.legal(&state, seat, &mut legal);
        assert!(!legal.is_empty(), "a dead end after {actions} actions of game {seed}");
        let action = legal[below(legal.len() as u64, &mut rng) as usize];
        game.apply(&mut state, seat, action, &mut Events::silent());
        actions += 1;
        assert!(actions <= game.bound(&setup), "past the bound");
        look(&state, actions);
    }
    state
}

#[test]
fn random_games_end_within_their_bound() {
    for seed in 0..20 {
        let state = play(seed, &[], |_, _| {});
        assert!(game().result(&state).is_some());
    }
}

#[test]
fn saved_states_read_back() {
    let game = game();
    for seed in 0..4 {
        play(seed, &[("max_seasons", "3")], |state, actions| {
            if actions % 7 == 0 {
                let bytes = game.encoded(state);
                let mut reader = Reader::new(&bytes);
                let read = game
                    .decode(&mut reader)
                    .unwrap_or_else(|error| panic!("game {seed}, action {actions}: {error}"));
                assert!(reader.finish().is_ok());
                assert_eq!(read, *state, "game {seed}, action {actions}");
            }
        });
    }
}

#[test]
fn a_resampled_state_shows_the_same() {
    let game = game();
    for seed in 0..4 {
        let options = [("max_seasons", "3")];
        let mut drafts: [Vec<ActionId>; 2] = [Vec::new(), Vec::new()];
        let mut rng = ChaCha8Rng::seed_from_u64(seed + 100);
        let mut state = game.start(&setup(&options));
        let mut legal = Vec::new();
        let mut actions = 0;
        while let Node::Sealed(to_act) = game.node(&state) {
            let seats: Vec<Seat> = to_act.iter().collect();
            let seat = seats[below(seats.len() as u64, &mut rng) as usize];
            game.legal(&state, seat, &mut legal);
            let action = legal[below(legal.len() as u64, &mut rng) as usize];
            let frame = game.turn_state(&state, Observer::Spectator).procedures;
            game.apply(&mut state, seat, action, &mut Events::silent());
            drafts[seat.index()].push(action);
            if game.turn_state(&state, Observer::Spectator).procedures != frame {
                drafts = [Vec::new(), Vec::new()];
            }
            actions += 1;
            if actions % 11 != 0 {
                continue;
            }
            for observer in Observer::all(2) {
                let mut view = game.view(&state, observer);
                if let Observer::Seat(seat) = observer {
                    view.draft.clone_from(&drafts[seat.index()]);
                }
                let world = game.resample(&setup(&options), &view, &mut rng);
                let mut again = game.view(&world, observer);
                again.draft.clone_from(&view.draft);
                assert_eq!(again, view, "game {seed}, action {actions}");
                if let Observer::Seat(seat) = observer {
                    let (mut before, mut after) = (Vec::new(), Vec::new());
                    game.legal(&state, seat, &mut before);
                    game.legal(&world, seat, &mut after);
                    assert_eq!(before, after);
                    let scrambled = game.scramble(&state, seat, &mut rng);
                    assert_eq!(game.view(&scrambled, observer).board, view.board);
                    assert_eq!(game.view(&scrambled, observer).turn_state, view.turn_state);
                }
            }
        }
    }
}

#[test]
fn invariants_hold_after_every_node() {
    let game = game();
    for seed in 50..60 {
        play(seed, &[("max_seasons", "6")], |state, actions| {
            if actions % 5 != 0 {
                return;
            }
            let view = game.view(state, Observer::Spectator);
            let led =
                |seat: Seat| view.board.pieces.values().filter(|piece| piece.owner == Some(seat)).count();
            for seat in SIDES {
                assert_eq!(led(seat), 4, "leaders on the board and lost");
                let name = game.catalogue().seats[seat.index()].id;
                assert!(crate::play::marker(&view, name, "points") >= Some(0));
            }
        });
    }
}
