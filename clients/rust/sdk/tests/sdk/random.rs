use std::collections::BTreeSet;

use edgehill_client::GameCatalog;
use edgehill_client::bot::{ClientBot, RandomBot, Turn};
use edgehill_client::v1::{ActionDef, Game, MatchConfig, Verb, VerbKind};

/// Actions 0 to 9 play, 10 to 19 move the attention.
fn game() -> GameCatalog {
    let verb = |kind: VerbKind| Verb { kind: kind.into(), ..Verb::default() };
    let action = |id: u32| ActionDef { id, verb: id / 10, ..ActionDef::default() };
    let verbs = vec![verb(VerbKind::Play), verb(VerbKind::Navigate)];
    let game = Game { verbs, action_count: 20, ..Game::default() };
    GameCatalog { game, action_defs: (0..20).map(action).collect() }
}

fn choices(bot: &mut RandomBot, legal: &[u32], count: usize) -> Vec<u32> {
    let config = MatchConfig::default();
    let turn = Turn { config: &config, seat: 0, seq: 0, view: None, legal, answer_deadline: None };
    (0..count).flat_map(|_| bot.choose(&turn)).collect()
}

#[test]
fn every_action_comes_and_no_other_and_attention_is_not_moved() {
    let legal: Vec<u32> = (3..20).collect();
    let chosen = choices(&mut RandomBot::new(&game(), 0, 1), &legal, 400);
    assert_eq!(chosen.len(), 400);
    assert_eq!(chosen.into_iter().collect::<BTreeSet<_>>(), (3..10).collect());
    let only = choices(&mut RandomBot::new(&game(), 0, 1), &[12, 15], 100);
    assert_eq!(only.into_iter().collect::<BTreeSet<_>>(), BTreeSet::from([12, 15]));
}

#[test]
fn a_seed_and_a_seat_settle_what_it_does() {
    let legal: Vec<u32> = (0..10).collect();
    let of = |seat, seed| choices(&mut RandomBot::new(&game(), seat, seed), &legal, 50);
    assert_eq!(of(0, 1), of(0, 1));
    assert_ne!(of(0, 1), of(1, 1));
    assert_ne!(of(0, 1), of(0, 2));
}
