//! The places that a table gives its chance events are those that a checker expects (docs/dice.md).

use edgehill_engine::chance::{Bag, Chance, Outcome};
use edgehill_engine::chance_source::{ChanceSource, seeded};
use edgehill_engine::dice::{Audit, Claim, Nonce, Seed};
use edgehill_engine::event::ChanceRef;
use edgehill_engine::game::Node;
use edgehill_engine::reference::Ref;
use edgehill_engine::registry::DueChance;
use edgehill_engine::seat::{Observer, Seat, SeatSet};
use edgehill_engine::setup::Setup;
use edgehill_engine::table::ApplyMode;

use crate::{all_games, setup};

#[test]
fn every_chance_event_of_a_match_passes_the_audit() {
    let seed = Seed::from_bytes([7; 32]);
    let (mut counted, mut bags) = (0, 0);
    for game in all_games() {
        let toy = game.catalogue().id == "prize";
        let setup = if toy { setup(&*game, "pair", 3) } else { Setup::default_of(game.catalogue()) };
        let mut table = game.open(setup, ChanceSource::Manual);
        let bot = |seat: Seat| game.bot("random", seat, 3).expect("every game has it");
        let mut bots: Vec<_> = SeatSet::first(table.seats()).iter().map(bot).collect();
        let mut audit = Audit::new(seed.clone());
        for _ in 0..600 {
            if let Some(due) = table.chance() {
                let outcome =
                    seeded(&seed, &due.chance, due.chance_ref).expect("within the bounds of the page");
                check(&mut audit, &due, &outcome);
                let bag = matches!(due.chance, Chance::Bag(_));
                (counted, bags) = (counted + u32::from(!bag), bags + u32::from(bag));
                table.enter(&outcome).expect("it fits");
                continue;
            }
            let (Some(seat), true) = (table.node().to_act().iter().next(), table.node() != Node::Over) else {
                break;
            };
            let action = bots[seat.index()].choose(&table.view(Observer::Seat(seat)), &table.legal(seat));
            table.apply(seat, &[action], ApplyMode::Atomic).expect("bots choose from the list");
        }
    }
    assert!(counted > 5 && bags > 5, "{counted} rolls and choices, {bags} draws from bags");
}

fn check(audit: &mut Audit, due: &DueChance, outcome: &Outcome) {
    let nonce = Nonce { stream: due.chance_ref.stream, n: due.chance_ref.n };
    let checked = match (&due.chance, outcome) {
        (Chance::Roll { sides, .. }, Outcome::Roll(faces)) => {
            let faces: Vec<u16> = faces.iter().map(|&face| u16::from(face)).collect();
            audit.check(&Claim::Roll { nonce, sides: u16::from(*sides), faces: &faces })
        }
        (Chance::Choice { options, .. }, Outcome::Pick(what)) => {
            let weights: Vec<u32> = options.iter().map(|option| option.weight).collect();
            let index = options.iter().position(|option| option.what == *what).expect("one of the options");
            audit.check(&Claim::Choice { nonce, weights: &weights, index })
        }
        (Chance::Bag(bag), Outcome::Pick(Ref::Card(card))) => {
            assert_eq!(
                due.chance_ref,
                ChanceRef { stream: bag.stream, n: bag.epoch },
                "its epoch is its place"
            );
            check_draw(audit, bag, *card)
        }
        _ => panic!("{outcome:?} of {:?}", due.chance),
    };
    checked.unwrap_or_else(|error| panic!("{:?}: {error}", due.chance_ref));
}

/// A token is not named by the record, so of those that lead to the card one has to be what the seed gives: by D13 of *Unhappy King
/// Charles!* nine tokens can lie in one bag.
fn check_draw(audit: &mut Audit, bag: &Bag, card: u16) -> Result<(), edgehill_engine::dice::VerifyError> {
    let mut cards = bag.cards.clone();
    cards.extend(bag.tokens.iter().map(|token| token.number));
    let claim = |card| Claim::Bag { stream: bag.stream, epoch: bag.epoch, cards: &cards, card };
    if bag.cards.contains(&card) {
        return audit.check(&claim(card));
    }
    let leading = bag.tokens.iter().filter(|token| token.cards.contains(&card));
    let mut tried: Vec<_> = leading.map(|token| (token, audit.check(&claim(token.number)))).collect();
    let drawn = tried.iter().position(|(_, checked)| checked.is_ok()).unwrap_or(0);
    let (token, checked) = tried.swap_remove(drawn);
    checked?;
    let (stream, epoch, cards) = (token.stream, token.epoch, &token.cards);
    audit.check(&Claim::Bag { stream, epoch, cards, card })
}
