//! The catalogue's words for each card: made from the card's data, so that other data give other words.

use edgehill_engine::game::Game;
use edgehill_engine::games::cruel_necessity::CruelNecessity;

use crate::play::game;

fn lines(game: &CruelNecessity, card: &str) -> Vec<String> {
    let entry = game.catalogue().cards.iter().find(|entry| entry.id == card);
    entry.unwrap_or_else(|| panic!("`{card}` is no card")).rules_text.clone()
}

#[test]
fn every_card_says_what_it_does() {
    for card in &game().catalogue().cards {
        println!("{}", card.name);
        assert!(!card.rules_text.is_empty(), "{}", card.id);
        for line in &card.rules_text {
            println!("    {line}");
            let left_over = ["{", "}", "[", "]", "To come:"].iter().any(|mark| line.contains(mark));
            assert!(!left_over && line.len() > 5, "{}: {line}", card.id);
        }
    }
}

#[test]
fn an_achievement_says_its_price_what_it_asks_for_and_what_it_gives() {
    assert_eq!(
        lines(&game(), "17"),
        [
            "Costs 2 Zeal; counts 3 Victory Points",
            "Asks for Parliament track at A",
            "Asks for Puritanism track at B or better",
            "Asks for a Battle won this turn or the last",
            "Out of play for good: Parliament foot of strength 1",
        ]
    );
    let asked = "Asks for Parliament's London with a Combat Value of 3 or more".to_owned();
    assert!(lines(&game(), "21").contains(&asked));
}

#[test]
fn an_event_says_its_items_in_their_order() {
    assert_eq!(
        lines(&game(), "25"),
        [
            "Cromwell and Ironsides join Parliament",
            "A Battle is fought",
            "Army of the North activates 2 times",
            "Army of the West activates",
            "A modifier of 1 on Politics rolls for Puritanism track this turn",
            "Ireland track goes down 1 box",
            "Catholicism track goes down 1 box",
        ]
    );
}

#[test]
fn each_option_of_a_choice_has_a_line() {
    let may = "You may choose: Puritanism track goes down 1 box; Scotland track goes up 2 boxes".to_owned();
    assert_eq!(lines(&game(), "22")[2], may);
    let [.., either, or] = &lines(&game(), "37")[..] else { panic!("two options") };
    assert_eq!(either, "Either: Puritanism track goes up 1 box; Parliament track goes down 1 box");
    assert_eq!(or, "Or: Puritanism track goes down 1 box; 1 Zeal gained");
}

#[test]
fn a_battle_event_card_says_when_and_what() {
    assert_eq!(
        lines(&game(), "trust-in-god"),
        [
            "Held, and played once when the sectors are fought",
            "After a Victory: Benefit Points +1",
            "After a Draw: +1 Zeal, and nothing is lost for having salvaged it",
        ]
    );
    let leveller = lines(&game(), "leveller-mutinies");
    assert_eq!(leveller[1], "New Model Army, first unit, New Model Army, second unit: -2 Strength each");
    assert_eq!(
        leveller[2],
        "If none of them is in the line, a foot of Parliament that you choose: -1 Strength"
    );
}

/// A user who puts other cards in reads of those.
#[test]
fn other_content_has_other_lines() {
    let built = CruelNecessity::builtin();
    let cards = std::str::from_utf8(built.get("cards.toml").expect("a file")).expect("text").to_owned();
    let changed =
        cards.replacen(r#"op = "track", track = "ireland", arrows = -1"#, r#"op = "unrest-in-london""#, 1);
    let files = built.overlay([("cards.toml".to_owned(), changed.into_bytes())]).expect("a file of the game");
    let other = CruelNecessity::load(&files).expect("sound content");
    assert_eq!(lines(&game(), "2")[3], "Ireland track goes down 1 box");
    assert_eq!(lines(&other, "2")[3], "Unrest in London");
}
