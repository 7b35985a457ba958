//! Faults of determinization.

use std::ops::Range;

use edgehill_engine::codec::{DecodeError, Reader};
use edgehill_engine::game::Game;
use edgehill_engine::games::skirmish::{Skirmish, State};
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_engine::view::{NodeView, View};
use rand_core::{Rng, SeedableRng};

use super::fault::Fault;
use super::tools::Clock;

/// Each resampled state depends on how many there were before.
#[derive(Default)]
pub(crate) struct Counting(Clock);

impl Fault for Counting {
    fn resample(&self, game: &Skirmish, setup: &Setup, view: &View, _rng: &mut dyn Rng) -> State {
        let mut own = rand_chacha::ChaCha8Rng::seed_from_u64(self.0.tick());
        game.resample(setup, view, &mut own)
    }
}

/// The seat's own hand is dealt anew, too.
pub(crate) struct Redealt;

impl Fault for Redealt {
    fn resample(&self, game: &Skirmish, setup: &Setup, view: &View, rng: &mut dyn Rng) -> State {
        let made = game.resample(setup, view, rng);
        match view.observer {
            Observer::Seat(seat) => game.scramble(&made, seat.other(), rng),
            Observer::Spectator => made,
        }
    }
}

/// A bound that real matches keep, if they are short, and what plays on from a resampled state does not.
pub(crate) struct Endless;

impl Fault for Endless {
    fn bound(&self, _game: &Skirmish, _setup: &Setup) -> u32 {
        45
    }
}

/// A scramble that does not keep to what the seat may not know.
pub(crate) struct Careless;

impl Fault for Careless {
    fn scramble(&self, game: &Skirmish, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        game.scramble(state, seat.other(), rng)
    }
}

/// Of two deals the one that is encoded lower is taken.
pub(crate) struct Biased;

impl Fault for Biased {
    fn resample(&self, game: &Skirmish, setup: &Setup, view: &View, rng: &mut dyn Rng) -> State {
        let first = game.encoded(&game.resample(setup, view, rng));
        let second = game.encoded(&game.resample(setup, view, rng));
        let mut from = Reader::new(if first < second { &first } else { &second });
        game.decode(&mut from).expect("an encoding that was just made")
    }
}

/// Whatever the generator says, one deal comes out.
pub(crate) struct Stubborn;

impl Fault for Stubborn {
    fn resample(&self, game: &Skirmish, setup: &Setup, view: &View, _rng: &mut dyn Rng) -> State {
        game.resample(setup, view, &mut rand_chacha::ChaCha8Rng::seed_from_u64(1642))
    }
}

/// Of two worlds the one that is encoded lower is taken, but not at the start, where all deals are counted.
pub(crate) struct BiasedLater;

impl Fault for BiasedLater {
    fn resample(&self, game: &Skirmish, setup: &Setup, view: &View, rng: &mut dyn Rng) -> State {
        match view.turn_state.node {
            NodeView::Sealed { .. } => game.resample(setup, view, rng),
            _ => Biased.resample(game, setup, view, rng),
        }
    }
}

/// Worlds that are alike are declared to be more likely the lower they are encoded.
pub(crate) struct Misweighed;

impl Fault for Misweighed {
    fn world_weight(&self, game: &Skirmish, state: &State, seat: Seat) -> u64 {
        let twin = game.scramble(state, seat, &mut rand_chacha::ChaCha8Rng::seed_from_u64(1642));
        if game.encoded(state) < game.encoded(&twin) { 9 } else { 1 }
    }
}

/// A card that was picked in secret stays picked when it has left the hand.
pub(crate) struct StalePick;

impl Fault for StalePick {
    fn scramble(&self, game: &Skirmish, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        let (before, mut bytes) = (game.encoded(state), game.encoded(&game.scramble(state, seat, rng)));
        let picks = picks(&before);
        if before.len() == bytes.len() && picks == self::picks(&bytes) {
            bytes[picks.clone()].copy_from_slice(&before[picks]);
        }
        game.decode(&mut Reader::new(&bytes)).expect("each field is within its bounds")
    }
}

/// The bytes of a state's encoding that say what both seats have picked.
fn picks(bytes: &[u8]) -> Range<usize> {
    let mut from = Reader::new(bytes);
    let mut read = || -> Result<Range<usize>, DecodeError> {
        from.bool()?;
        from.u8()?;
        for _ in 0..8 {
            from.u32()?;
        }
        from.u128()?;
        from.u128()?;
        from.list(2, |from| Ok((from.u128()?, from.u8()?)))?;
        from.u128()?;
        from.option(Reader::u16)?;
        from.option(Reader::u16)?;
        let start = from.error("the picks").at;
        for _ in 0..2 {
            from.option(Reader::u16)?;
            from.bool()?;
        }
        Ok(start..from.error("what follows").at)
    };
    read().expect("an encoding of the specimen")
}
