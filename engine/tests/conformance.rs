//! Every game keeps every law. A game joins by one line at the end of this file.

mod support;

use std::sync::Arc;

use edgehill_engine::game::Game;
use edgehill_engine::laws::{Care, Law, Laws, conform};
use support::laws_volume;

fn keeps_the_laws<G: Game>(game: G) {
    let game = Arc::new(game);
    let laws = Laws::ALL.without(Law::Golden);
    match conform(&game, laws_volume(), laws, Care::Sampled) {
        Ok(tally) => println!("{tally}"),
        Err(failure) => panic!("{}", failure.report(game.catalogue())),
    }
}

#[test]
fn skirmish() {
    use edgehill_engine::games::skirmish::Skirmish;
    keeps_the_laws(Skirmish::load(&Skirmish::builtin()).unwrap());
}
