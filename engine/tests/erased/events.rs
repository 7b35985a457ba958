//! The events of a replay as text: complete, the same for the same match, different where the rules made a difference.

use edgehill_engine::record::{Record, events_text};
use edgehill_engine::seat::Observer;
use edgehill_engine::setup::Setup;

use super::{all_games, committed, game, setup};

#[test]
fn every_event_of_every_observer_is_a_line() {
    for game in all_games() {
        for seed in 0..10 {
            let (table, origin) = committed(&*game, Setup::default_of(game.catalogue()), seed, 10_000);
            let record = Record::of(&*table, &origin).expect("a match");
            let replayed = game.replay(&record).expect("its own record");
            let text = events_text(&record, &*game);
            assert_eq!(text, events_text(&Record::parse(&record.to_text()).expect("a record"), &*game));
            let published = |table: &dyn edgehill_engine::registry::AnyTable| {
                Observer::all(table.seats()).map(|observer| table.published_count(observer)).sum::<usize>()
            };
            assert_eq!(text.lines().count(), published(&*replayed));
            let codes =
                Observer::all(table.seats()).flat_map(|o| replayed.published(o, 0)).map(|seen| seen.code);
            for code in codes {
                assert!(text.contains(&format!(" {code} ")), "{code}");
            }
        }
    }
}

#[test]
fn the_replay_says_where_it_stops() {
    let game = game();
    let (table, origin) = committed(&*game, setup(&*game, "pair", 1), 1, 1_000);
    let text = Record::of(&*table, &origin).expect("a match").to_text();
    let whole = events_text(&Record::parse(&text).expect("a record"), &*game);
    // Another rules version, with the same rules: the same events.
    let later = Record::parse_damaged(&text.replacen("rules 3", "rules 2", 1)).expect("a record");
    assert_eq!(events_text(&later, &*game), whole);
    // An action that is not legal by these rules.
    let other = Record::parse_damaged(&text.replacen("; done", "; bid 0", 1)).expect("a record");
    let stopped = events_text(&other, &*game);
    let (published, last) = stopped.trim_end().rsplit_once('\n').expect("lines");
    assert!(whole.starts_with(published));
    assert_eq!(
        last,
        "4 stopped: `bid 0` is not legal: BID_THEN_DONE (rule P1); one of bid 0; bid 1; bid 2; bid 3 expected"
    );
}
