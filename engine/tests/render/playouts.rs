use std::collections::BTreeMap;

use edgehill_engine::bot::Bot;
use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::registry::{AnyGame, AnyTable, Registry};
use edgehill_engine::render;
use edgehill_engine::seat::{Observer, SeatSet};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::ApplyMode;
use edgehill_engine::view::View;

/// In matches of every game, different views have different texts, and equal ones equal texts.
#[test]
fn views_of_playouts_can_be_told_apart_by_their_text() {
    let registry = Registry::built_in().expect("the games load");
    for game in registry.games() {
        for seed in 0..3 {
            let mut met = Met::default();
            play(game.as_ref(), seed, |table| met.look(table));
            assert!(met.views > 20, "{}: only {} views", game.catalogue().id, met.views);
        }
    }
}

/// Texts that were met, with the view that each is of.
#[derive(Default)]
struct Met {
    by_text: BTreeMap<String, View>,
    views: usize,
}

impl Met {
    fn look(&mut self, table: &dyn AnyTable) {
        for observer in Observer::all(table.seats()) {
            let view = table.view(observer);
            let text = render::view(table.catalogue(), &view);
            match self.by_text.get(&text) {
                Some(other) => assert_eq!(*other, view, "two views have this text:\n{text}"),
                None => {
                    self.by_text.insert(text, view);
                    self.views += 1;
                }
            }
        }
    }
}

fn play(game: &dyn AnyGame, seed: u64, mut look: impl FnMut(&dyn AnyTable)) {
    let mut table = game.open(Setup::default_of(game.catalogue()), ChanceSource::playout(seed));
    let seats: Vec<_> = SeatSet::first(table.seats()).iter().collect();
    let mut bots: Vec<Box<dyn Bot>> =
        seats.iter().map(|&seat| game.bot("random", seat, seed).expect("every game has it")).collect();
    // Long games are left early: what there is to draw has been drawn many times.
    for _ in 0..300 {
        look(&*table);
        for (&seat, bot) in seats.iter().zip(&mut bots) {
            let legal = table.legal(seat);
            if !legal.is_empty() {
                let action = bot.choose(&table.view(Observer::Seat(seat)), &legal);
                table.apply(seat, &[action], ApplyMode::Atomic).expect("what is listed is accepted");
            }
        }
        if table.result().is_some() {
            return look(&*table);
        }
    }
}
