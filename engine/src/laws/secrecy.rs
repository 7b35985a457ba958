//! Laws `secrecy` and `spectator`: states that differ only in what a seat may not know are one to that seat.

use rand_chacha::ChaCha8Rng;

use crate::action::ActionId;
use crate::game::Game;
use crate::seat::{Observer, Seat};
use crate::table::Table;

use super::failure::{ensure, same, same_view};
use super::segment::{pick, seen_by};
use super::{Law, LawResult};

/// Number of ids that are asked about where the whole table is not.
const RANDOM_IDS: usize = 16;

/// For each seat: view, list with its order, refusals with their reasons, and what is played in its default_action do not depend on
/// what it may not know. Returns how many pairs of different states were compared.
///
/// # Errors
/// If something does.
pub fn secrecy<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng, whole: bool) -> LawResult<u32> {
    let game = table.game().as_ref();
    let mut pairs = 0;
    for index in 0..table.seats() {
        let seat = Seat::new(index as u8);
        let observer = Observer::Seat(seat);
        let state = seen_by(table, observer);
        let twin = game.scramble(state, seat, rng);
        pairs += u32::from(twin != *state);
        alike(game, state, &twin, seat, &mut rng.clone(), whole)?;
        let released = table.released();
        if game.node(released).to_act().contains(seat) && table.draft(seat).is_empty() {
            let twin = game.scramble(released, seat, rng);
            let default_actions =
                (game.default_action(released, seat, &[]), game.default_action(&twin, seat, &[]));
            let what = "its default action depends on what it may not know";
            same(Law::Secrecy, Some(observer), what, &default_actions.0, &default_actions.1)?;
        }
    }
    Ok(pairs)
}

/// `seat` can't tell the two states apart.
pub(super) fn alike<G: Game>(
    game: &G,
    state: &G::State,
    twin: &G::State,
    seat: Seat,
    rng: &mut ChaCha8Rng,
    whole: bool,
) -> LawResult {
    let (law, observer) = (Law::Secrecy, Some(Observer::Seat(seat)));
    let views = (game.view(state, Observer::Seat(seat)), game.view(twin, Observer::Seat(seat)));
    let what = "the view depends on what the seat may not know";
    same_view(law, what, game.catalogue(), &views.0, &views.1)?;
    let acts = |state| game.node(state).to_act().contains(seat);
    same(
        law,
        observer,
        "whether it is to act depends on what the seat may not know",
        &acts(state),
        &acts(twin),
    )?;
    let (mut legal, mut twin_legal) = (Vec::new(), Vec::new());
    game.legal(state, seat, &mut legal);
    game.legal(twin, seat, &mut twin_legal);
    let written = |actions: &[ActionId]| -> Vec<String> {
        actions.iter().map(|&action| game.catalogue().actions.notation(action)).collect()
    };
    ensure(legal == twin_legal, law, || {
        let (left, right) = (written(&legal), written(&twin_legal));
        format!("the list of {seat} depends on what it may not know:\n- {left:?}\n+ {right:?}")
    })?;
    if !acts(state) {
        return Ok(());
    }
    let size = game.catalogue().actions.len();
    let ids: Vec<ActionId> = if whole {
        game.catalogue().actions.ids().collect()
    } else {
        (0..RANDOM_IDS).map(|_| ActionId(pick(size.max(1), rng) as u16)).collect()
    };
    for action in ids {
        let rule_violations =
            (game.rule_violations(state, seat, action), game.rule_violations(twin, seat, action));
        let what = format!(
            "why `{}` is refused depends on what the seat may not know",
            game.catalogue().actions.notation(action)
        );
        same(law, observer, &what, &rule_violations.0, &rule_violations.1)?;
    }
    Ok(())
}

/// Checks that where a seat's view does not tell two states apart, a spectator's does not either. Returns how
/// many pairs of different states were compared.
///
/// # Errors
/// If it does.
pub fn spectator<G: Game>(table: &Table<G>, rng: &mut ChaCha8Rng) -> LawResult<u32> {
    let game = table.game().as_ref();
    let state = seen_by(table, Observer::Spectator);
    let mut pairs = 0;
    for index in 0..table.seats() {
        let seat = Seat::new(index as u8);
        let twin = game.scramble(state, seat, rng);
        if twin == *state || game.view(state, Observer::Seat(seat)) != game.view(&twin, Observer::Seat(seat))
        {
            continue;
        }
        pairs += 1;
        let views = (game.view(state, Observer::Spectator), game.view(&twin, Observer::Spectator));
        let what = format!("a spectator sees what {seat} does not");
        same_view(Law::Spectator, &what, game.catalogue(), &views.0, &views.1)?;
    }
    Ok(pairs)
}
