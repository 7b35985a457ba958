//! 1: blocks; and 2.1, what the deck is made of.

use crate::cards::quiet_turn;
use crate::play::{Match, NORTH, SOUTH, backs_in, faces_in, id, pile_size};

const DAWN: &str = "fife,drum,colours,partisan";

#[test]
fn rule_1_1_four_blocks_a_side_begin_upright_in_its_camp() {
    let start = Match::start("skirmish", DAWN);
    for (own, other, camp) in [(NORTH, SOUTH, "north-camp"), (SOUTH, NORTH, "south-camp")] {
        let strengths: Vec<String> = (1..=4).map(|strength| format!("{camp} {strength}")).collect();
        assert_eq!(start.blocks(own), strengths);
        for view in [start.view(other), start.spectated()] {
            assert_eq!(faces_in(&view, own), [""; 0], "others see no face");
            assert_eq!(backs_in(&view, own), [format!("{camp} 4")], "but four backs");
        }
    }
}

#[test]
fn rule_2_1_dawn_comes_before_dusk_and_a_card_of_each_stays_out() {
    let mut deck = Match::start("skirmish", &format!("{DAWN},matchlock,waggon,sconce,halberd,lantern,spur"));
    let piles = |deck: &Match| ["dawn", "dusk"].map(|pile| pile_size(&deck.spectated(), pile));
    assert_eq!(piles(&deck), [1, 5], "five of six dawn cards come, and four are dealt");
    quiet_turn(&mut deck);
    assert_eq!(piles(&deck), [0, 4], "the last dawn card, then the first dusk card");
    quiet_turn(&mut deck);
    quiet_turn(&mut deck);
    assert_eq!(piles(&deck), [0, 0], "ten cards of twelve have come");

    let unseen = |deck: &Match| -> Vec<Vec<String>> {
        let known = deck.spectated().known;
        let cards = known.iter().filter(|set| set.owner.is_none());
        cards.map(|set| set.faces.iter().map(|&(card, _)| id(card)).collect()).collect()
    };
    quiet_turn(&mut deck);
    assert!(unseen(&deck)[0].contains(&"trumpet".to_owned()), "nobody has seen the card that stayed out");
    assert!(unseen(&deck)[1].contains(&"forlorn".to_owned()));
}
