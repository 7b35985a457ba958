//! The deck in its parts, and what is drawn from it (4.1, 5.4, 6.7, 6.8, D1 to D13), by number.

use edgehill_engine::chance::{Chance, Outcome};
use edgehill_engine::event::Events;
use edgehill_engine::game::{Game, Node};
use edgehill_engine::setup::Setup;
use serde_json::{Value, json};

use crate::play::{P, at, game, id, phase, position, start, waiting};

/// Cards of a deck, by its letter and their numbers.
fn cards(letter: char, numbers: std::ops::RangeInclusive<u8>) -> Vec<String> {
    numbers.map(|number| format!("{letter}{number:02}")).collect()
}

/// A Draw Phase of Early 1644 with so many Mid cards left, and nothing before them.
fn mid_left(left: u8) -> Value {
    let discard = [cards('M', 1..=27 - left), vec!["A01".to_owned(), "A02".to_owned()]].concat();
    json!({ "discard": discard, "with_mid": ["A01", "A02"], "removed": ["X02"] })
}

rules! {
    #[test]
    fn rule_d1_ten_cards_five_each_with_the_standard_among_them() {
        let table = start("E01,E02,E03,E04,E05,E06,E07,E08,E09,X01");
        assert_eq!(table.cards("royalist-hand"), ["C01", "C02", "E01", "E03", "E05", "E07", "E09"]);
        assert_eq!(table.cards("parliament-hand"), ["C03", "C04", "E02", "E04", "E06", "E08", "X01"]);
    }

    #[test]
    fn rule_d1_the_standard_is_each_card_with_one_chance_in_those_left() {
        let game = game();
        let setup = Setup::default_of(game.catalogue());
        let mut state = game.start(&setup);
        let mut out = Events::silent();
        game.open(&mut state, &mut out);
        for left in (2..=10_u64).rev() {
            let chance = game.chance(&state);
            let options = chance.options();
            let total: u64 = options.iter().map(|&(_, weight)| weight).sum();
            let weight_of = |card: &str| options.iter().find(|&&(what, _)| id(what) == card).map(|&(_, weight)| weight);
            assert_eq!(weight_of("X01").map(|weight| weight * left), Some(total), "{left} left");
            let early = options.iter().find(|&&(what, _)| id(what) != "X01").map(|&(what, _)| what).expect("an Early card");
            game.resolve(&mut state, &Outcome::Pick(early), &mut out);
        }
    }

    #[test]
    fn rule_d3_the_league_and_then_the_mid_cards_lie_beneath_the_early_ones() {
        let seen = json!({ "discard": cards('E', 1..=37) });
        let mut table = at(phase("late-1643", "end", &seen), "E38,X02,M01,M02,M03,M04,M05,A01");
        assert_eq!(table.number_of("turn", None), 5);
        table.act("done; done");
        assert_eq!(table.cards("royalist-hand"), ["C01", "C02", "E38", "M01", "M03", "M05"]);
        assert_eq!(table.cards("parliament-hand"), ["A01", "C03", "C04", "M02", "M04", "X02"]);
    }

    #[test]
    fn rule_d5_the_late_cards_come_when_a_card_is_due_and_there_is_none() {
        let table = at(phase("early-1644", "draw", &mid_left(0)), "L01,L02,L03,L04,L05,L06,A03");
        assert_eq!(table.cards("royalist-hand"), ["C01", "C02", "L01", "L02", "L04", "L06"]);
        assert_eq!(table.number_of("laid", None), 5);
    }

    #[test]
    fn rule_d6_parliaments_card_after_the_royalists_last_of_the_old_deck_is_the_new_model_army() {
        let table = at(phase("early-1644", "draw", &mid_left(1)), "M27,L01,L02,L03,L04,L05,L06");
        assert_eq!(table.cards("royalist-hand"), ["C01", "C02", "L01", "L03", "L05", "M27"]);
        assert_eq!(table.cards("parliament-hand"), ["C03", "C04", "L02", "L04", "L06", "X03"]);
    }

    #[test]
    fn rule_d7_the_old_decks_last_card_goes_on_to_the_royalist() {
        let table = at(phase("early-1644", "draw", &mid_left(2)), "M26,M27,L01,L02,L03,L04,L05");
        assert_eq!(table.cards("royalist-hand"), ["C01", "C02", "L02", "L04", "M26", "M27"]);
        assert_eq!(table.cards("parliament-hand"), ["C03", "C04", "L01", "L03", "L05", "X03"]);
    }

    #[test]
    fn rule_d8_without_a_card_of_the_old_deck_parliaments_first_is_the_new_model_army() {
        let table = at(phase("early-1644", "draw", &mid_left(0)), "L01,L02,L03,L04,L05,L06,L07");
        assert_eq!(table.cards("royalist-hand"), ["C01", "C02", "L01", "L02", "L04", "L06"]);
        assert_eq!(table.cards("parliament-hand"), ["C03", "C04", "L03", "L05", "L07", "X03"]);
    }

    #[test]
    fn rule_d11_parliaments_bonus_draw_may_bring_the_card_of_this_activation() {
        let more = json!({
            "hands": { "parliament": ["E03"] }, "aside": ["C01"],
            "generals": { "waller": "oxford", "hopton": "warwick" },
            "brigades": { "waller": ["pophams", "western-association"], "hopton": ["stawells", "berkeleys"] },
        });
        let mut table = at(position("early-1643", "parliament", &more), "6,1,E03");
        table.act("card E03; use activate; activate waller; move warwick");
        while table.frame() != "play" {
            // Everybody declines; what must be chosen is the first of its list.
            let declines = ["stand", "pass", "done"].into_iter().find(|action| table.offers(action));
            let action = declines.map_or_else(|| table.offered()[0].clone(), str::to_owned);
            table.act(&action);
        }
        assert_eq!((table.to_act(), table.cards("parliament-bonus"), table.options("card")), (P, vec!["E03".to_owned()], vec!["E03".to_owned()]));
    }

    #[test]
    fn rule_d11_core_and_recruitment_cards_of_the_turn_are_not_among_the_discards() {
        let more = json!({
            "hands": { "parliament": ["E03"] }, "aside": ["C01", "C03"], "discard": ["E10"],
            "recruitment": { "royalist": ["E01"], "parliament": ["E02"] },
            "generals": { "waller": "oxford", "hopton": "warwick" },
            "brigades": { "waller": ["pophams", "western-association"], "hopton": ["stawells", "berkeleys"] },
        });
        let mut table = waiting(position("early-1643", "parliament", &more));
        table.act("card E03; use activate; activate waller; move warwick");
        let mut dice = Some(Outcome::Roll([6, 1].into_iter().collect()));
        loop {
            if table.asked() == Node::Chance {
                let Some(dice) = dice.take() else { break };
                table.0.enter(&dice).expect("two dice are rolled");
                continue;
            }
            let declines = ["stand", "pass", "done"].into_iter().find(|action| table.offers(action));
            let action = declines.map_or_else(|| table.offered()[0].clone(), str::to_owned);
            table.act(&action);
        }
        assert_eq!(table.chances(), ["E03", "E10"]);
    }

    #[test]
    fn rule_d13_each_draw_begins_a_new_epoch() {
        let game = game();
        let setup = Setup::default_of(game.catalogue());
        let mut state = game.start(&setup);
        let mut out = Events::silent();
        game.open(&mut state, &mut out);
        let mut epochs = Vec::new();
        while game.node(&state) == Node::Chance {
            let Chance::Bag(bag) = game.chance(&state) else { panic!("cards are dealt from a bag") };
            epochs.push(bag.epoch);
            let what = Chance::Bag(bag).options()[0].0;
            game.resolve(&mut state, &Outcome::Pick(what), &mut out);
        }
        let mut distinct = epochs.clone();
        distinct.dedup();
        assert_eq!((epochs.len(), distinct.len()), (10, 10), "{epochs:?}");
    }
}
