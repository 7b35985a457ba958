//! The views of each observer and the events published to them, from the first deal to a battle.

use edgehill_engine::game::Game;
use edgehill_engine::seat::Observer;
use serde_json::json;

use crate::play::{
    Match, NORTH, SOUTH, SPECTATOR, backs_in, cards_in, faces_in, game, hand_of, pile_size, setup,
};

#[test]
fn a_hand_is_its_seats_alone() {
    let deal = Match::start("skirmish", "fife,drum,colours,partisan");
    for (own, cards) in [(NORTH, ["fife", "colours"]), (SOUTH, ["drum", "partisan"])] {
        assert_eq!(deal.hand(own), cards);
        for view in [deal.view(own.other()), deal.spectated()] {
            assert_eq!(cards_in(&view, hand_of(own)), [""; 0]);
            assert_eq!(pile_size(&view, hand_of(own)), 2, "how many is public");
        }
    }
    let back = "dealt south dawn-back";
    assert_eq!(deal.facts(SPECTATOR)[1], back);
    assert_eq!(deal.facts(Observer::Seat(NORTH))[1], back);
    assert_eq!(deal.facts(Observer::Seat(SOUTH))[1], "dealt south drum");
    assert_eq!(deal.facts(Observer::Seat(NORTH))[0], "dealt north fife");
}

#[test]
fn a_march_shows_backs_to_others_and_faces_to_its_seat() {
    let position = json!({
        "blocks": { "north": { "1": "bridge", "3": "bridge", "4": "bridge" } },
        "hands": { "north": ["partisan"], "south": ["colours"] },
    });
    let mut march = Match::acting(position, "");
    march.play(NORTH, "march bridge village; take north-1; take north-4; go");
    for view in [march.view(SOUTH), march.spectated()] {
        assert_eq!(backs_in(&view, NORTH), ["bridge 3", "north-camp 1"], "not published before it is final");
    }
    march.play(NORTH, "done");
    for view in [march.view(SOUTH), march.spectated()] {
        assert_eq!(backs_in(&view, NORTH), ["bridge 1", "north-camp 1", "village 2"]);
        assert_eq!(faces_in(&view, NORTH), [""; 0]);
    }
    assert_eq!(march.blocks(NORTH), ["bridge 3", "north-camp 2", "village 1", "village 4"]);
    let taken = |observer| march.facts(observer).iter().filter(|event| event.starts_with("takes")).count();
    assert_eq!([taken(Observer::Seat(NORTH)), taken(Observer::Seat(SOUTH)), taken(SPECTATOR)], [2, 0, 0]);
}

#[test]
fn who_marched_makes_no_difference_to_what_others_see() {
    let published = |block: u8| {
        let position = json!({
            "blocks": { "north": { "1": "bridge", "4": "bridge" } },
            "hands": { "north": ["partisan"], "south": ["colours"] },
        });
        let mut march = Match::acting(position, "");
        march.play(NORTH, &format!("march bridge village; take north-{block}; go; done"));
        [Observer::Seat(SOUTH), SPECTATOR]
            .map(|observer| (march.0.view(observer), march.published(observer).to_vec()))
    };
    assert_eq!(published(1), published(4));
}

#[test]
fn events_fold_into_the_view_for_every_observer() {
    let deals = "drum,trumpet,fife,colours, partisan,waggon";
    let script = format!("{deals}, 6 1 6, sconce,south-2, 1 6 6, halberd, lantern,spur");
    let start = game().start(&setup("skirmish"));
    let mut folded = Match::start("skirmish", &script);
    folded.play(NORTH, "card drum; done").play(SOUTH, "card trumpet; done");
    folded.play(SOUTH, "march south-camp mill; take south-4; go; done");
    folded.play(NORTH, "march north-camp bridge; take north-1; take north-2; go").play(SOUTH, "pass");
    folded.play(NORTH, "march north-camp ford; take north-3");
    folded.0.undo(NORTH, 1).expect("the march is not made yet");
    folded.play(NORTH, "take north-4; go; done");

    folded.play(NORTH, "card partisan; done").play(SOUTH, "card colours; done");
    folded.play(NORTH, "march bridge mill; take north-1; take north-2; go").play(NORTH, "done");
    folded.play(NORTH, "scout south-camp");
    folded.play(SOUTH, "march south-camp mill; take south-3; go").play(SOUTH, "done").play(NORTH, "keep");
    for observer in Observer::all(2) {
        let mut view = game().view(&start, observer);
        folded
            .published(observer)
            .iter()
            .flat_map(|seen| &seen.form.changes)
            .for_each(|change| view.fold(change));
        assert_eq!(view, folded.0.view(observer), "{observer:?}");
    }
}
