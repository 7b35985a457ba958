//! Decks in segments: what comes of them, what can still come, what of it is public, how they are written down.

use edgehill_engine::chance::{Bag, Chance};
use edgehill_engine::codec::{Coding, Reader, Writer};
use edgehill_engine::deck::{
    CardSet, Deck, DeckKind, DeckOf, DeckPlan, DeckPlanError, DeckSegment, SecondBag,
};

use crate::four_stages::{
    ALT_HIST_BAG, ALT_HIST_CARDS, EARLY, EARLY_CARDS, FIRST, LATE, LATE_CARDS, LEAGUE, LEAGUE_CARD, MID,
    MID_CARDS, SEGMENTS, STANDARD, before_mid, plan,
};

fn bag<const S: usize>(deck: &Deck<S>, plan: &DeckPlan<S>) -> Bag {
    let Some(Chance::Bag(bag)) = deck.draw(plan) else { panic!("a card comes") };
    bag
}

/// The stream and epoch of the next draw, which are published with it.
fn place<const S: usize>(deck: &Deck<S>, plan: &DeckPlan<S>) -> (u32, u32) {
    let bag = bag(deck, plan);
    (bag.stream, bag.epoch)
}

#[test]
fn segments_come_from_the_top_and_a_draw_of_none_is_lost() {
    let plan = plan();
    let mut deck = plan.deck(2);
    assert_eq!((deck.count(&plan), deck.top(&plan)), (39, Some(FIRST)));
    let first = [STANDARD].into_iter().chain(0..9);
    assert!(first.map(|card| deck.take(&plan, card)).all(|segment| segment == Some(FIRST)));
    assert_eq!(deck.can_come(&plan, EARLY), CardSet::of(9..38));
    assert!((9..38).map(|card| deck.take(&plan, card)).all(|segment| segment == Some(EARLY)));
    assert_eq!((deck.draw(&plan), deck.take(&plan, LEAGUE_CARD)), (None, None), "the draw is lost");

    deck.lay();
    deck.lay();
    assert_eq!((deck.laid(), deck.count(&plan), deck.top(&plan)), (4, 30, Some(LEAGUE)));
    assert_eq!(bag(&deck, &plan).cards, [LEAGUE_CARD]);
    assert_eq!(deck.take(&plan, LEAGUE_CARD), Some(LEAGUE));
    assert_eq!(deck.count_of(&plan, LATE), 30, "known before it is laid");
    for card in MID_CARDS.chain([95, 101]) {
        assert_eq!(deck.take(&plan, card), Some(MID));
    }
    assert_eq!((deck.draw(&plan), deck.drawn_of(&plan, MID)), (None, 29));
    deck.lay();
    assert_eq!(deck.can_come(&plan, LATE).len(), 28 + 8, "two of ten are gone");
}

#[test]
fn more_comes_under_what_is_left() {
    let plan = plan();
    let mut deck = plan.deck(2);
    for card in [STANDARD].into_iter().chain(0..30) {
        deck.take(&plan, card);
    }
    deck.lay();
    assert_eq!((deck.top(&plan), deck.count(&plan)), (Some(EARLY), 9));
}

#[test]
fn a_segment_of_a_second_bag_alone_is_drawn_as_that_bag_is() {
    let plan = plan();
    let mut deck = plan.deck(2);
    for card in [STANDARD].into_iter().chain(0..9) {
        deck.take(&plan, card);
    }
    let cards = |from: u16| EARLY_CARDS.skip(usize::from(from)).collect::<Vec<_>>();
    assert_eq!(bag(&deck, &plan), Bag { stream: 3, epoch: 0, cards: cards(9), tokens: Vec::new() });
    deck.take(&plan, 9);
    assert_eq!(bag(&deck, &plan), Bag { stream: 3, epoch: 0, cards: cards(10), tokens: Vec::new() });
}

#[test]
fn tokens_stand_for_the_cards_of_their_second_bag_that_have_not_come() {
    let plan = plan();
    let mut deck = before_mid(&plan);
    deck.take(&plan, 93);
    deck.take(&plan, 38);
    let bag = bag(&deck, &plan);
    assert_eq!((bag.stream, bag.epoch, bag.cards.len()), (4, 2, 26));
    let [token] = bag.tokens.as_slice() else { panic!("one of two is left: {bag:?}") };
    assert_eq!((token.stream, token.epoch), (6, 0));
    assert_eq!(token.cards, ALT_HIST_CARDS.skip(1).collect::<Vec<_>>());
    assert!(!bag.cards.contains(&token.number), "no card has its number");
}

/// Whatever came, as many draws leave the next one at the same place: it is public, and tells no token and no Standard.
#[test]
fn the_place_of_a_draw_is_a_matter_of_counting() {
    let plan = plan();
    let after = |mut deck: Deck<SEGMENTS>, cards: &[u16]| {
        for &card in cards {
            deck.take(&plan, card);
        }
        place(&deck, &plan)
    };
    let deal = plan.deck(2);
    assert_eq!(after(deal, &[]), (7, 0));
    assert_eq!(after(deal, &[STANDARD, 4, 20]), (7, 3));
    assert_eq!(after(deal, &[11, 4, 20]), (7, 3));
    let mid = before_mid(&plan);
    assert_eq!(after(mid, &[94, 102, 40]), (4, 3), "no token is left");
    assert_eq!(after(mid, &[94, 41, 40]), (4, 3), "one is");
    assert_eq!(after(mid, &[42, 41, 40]), (4, 3), "both are");
}

/// It is known whether a single token came, so its segment needs one epoch only.
#[test]
fn a_single_token_has_no_epochs_of_its_own() {
    let rare = SecondBag { stream: 1, cards: CardSet::of(10..13) };
    let plan =
        DeckPlan::new([DeckSegment::of_cards(0, CardSet::of(0..4)).with_tokens(1, 0)], vec![rare]).unwrap();
    let mut deck = plan.deck(1);
    for card in [2, 11, 0] {
        assert_eq!(place(&deck, &plan), (0, 0));
        deck.take(&plan, card);
    }
}

#[test]
fn cards_that_are_put_back_can_come_again() {
    let plan = plan();
    let mut deck = before_mid(&plan);
    let before = deck;
    for card in [93, 50, 99] {
        deck.take(&plan, card);
    }
    assert!(!deck.can_come(&plan, MID).contains(97), "both tokens have come");
    deck.put_back(&plan, MID, 99);
    assert_eq!((deck.tokens(MID), deck.count_of(&plan, MID)), (1, 27));
    assert_eq!(deck.behind_tokens(&plan, MID).len(), 9, "all but the one that is gone");
    deck.put_back(&plan, MID, 50);
    deck.put_back(&plan, MID, 93);
    assert_eq!(deck, before);
}

#[test]
fn the_plan_knows_the_segment_of_a_card_with_one_place() {
    let plan = plan();
    let of = |card| plan.segment_of(card);
    assert_eq!([STANDARD, LEAGUE_CARD, 38, 92].map(of), [Some(FIRST), Some(LEAGUE), Some(MID), Some(LATE)]);
    assert_eq!([0, 93, 120].map(of), [None; 3], "it comes of more than one, or of none");
    assert_eq!(plan.second_bag(LATE), Some(plan.second_bags()[ALT_HIST_BAG]));
    assert_eq!(plan.second_bag(LEAGUE), None);
    let sizes: Vec<u8> = (0..SEGMENTS).map(|segment| plan.size_of(segment)).collect();
    assert_eq!(sizes, [10, 29, 1, 29, 30]);
}

#[test]
fn a_plan_that_can_not_be_dealt_is_refused() {
    let cards = |cards: std::ops::Range<u16>| CardSet::of(cards);
    let second = |stream, of| SecondBag { stream, cards: cards(of) };
    let one = |segment, bags: Vec<SecondBag>| DeckPlan::new([segment], bags).map(drop);
    let own = DeckSegment::of_cards(0, cards(0..5));
    assert_eq!(one(own, vec![]), Ok(()));
    assert_eq!(one(own.with_tokens(3, 0), vec![second(1, 5..8)]), Ok(()));

    let empty = DeckSegment::of_cards(0, cards(0..0));
    assert_eq!(one(empty, vec![second(1, 5..8)]), Err(DeckPlanError::Empty(0)));
    let no_bag = DeckPlanError::NoSuchBag { segment: 0, second: 1, bags: 1 };
    assert_eq!(one(own.with_tokens(1, 1), vec![second(1, 5..8)]), Err(no_bag));
    assert_eq!(one(own.with_tokens(1, 0), vec![second(1, 4..8)]), Err(DeckPlanError::Repeated(4)));
    assert_eq!(one(own.with_tokens(1, 0), vec![second(0, 5..8)]), Err(DeckPlanError::Stream(0)));
    let few = DeckPlanError::Tokens { second: 0, tokens: 4, cards: 3 };
    assert_eq!(one(own.with_tokens(4, 0), vec![second(1, 5..8)]), Err(few.clone()));

    let two = |other| DeckPlan::new([own.with_tokens(2, 0), other], vec![second(1, 5..8)]).map(drop);
    assert_eq!(two(DeckSegment::of_second_bag(0, 1)), Ok(()));
    assert_eq!(two(DeckSegment::of_second_bag(0, 2)), Err(few));
    assert_eq!(two(DeckSegment::of_cards(2, cards(3..4))), Err(DeckPlanError::Repeated(3)));
    assert_eq!(two(DeckSegment::of_cards(0, cards(9..10))), Err(DeckPlanError::Stream(0)));
}

/// The deck of four stages, as content of a game.
#[derive(Debug)]
enum FourStages {}

impl DeckKind<DeckPlan<SEGMENTS>, SEGMENTS> for FourStages {
    fn plan(content: &DeckPlan<SEGMENTS>) -> &DeckPlan<SEGMENTS> {
        content
    }
}

type Kind = DeckOf<FourStages, SEGMENTS>;

fn encoded(deck: &Deck<SEGMENTS>) -> Vec<u8> {
    let mut writer = Writer::new();
    <Kind as Coding<DeckPlan<SEGMENTS>>>::encode(deck, &mut writer);
    writer.finish()
}

fn decoded(bytes: &[u8]) -> Option<Deck<SEGMENTS>> {
    let mut reader = Reader::new(bytes);
    let deck = Kind::decode(&plan(), &mut reader).ok()?;
    reader.finish().is_ok().then_some(deck)
}

/// Every deck of one course, from the first card to the last.
fn course() -> Vec<Deck<SEGMENTS>> {
    let plan = plan();
    let mut deck = plan.deck(2);
    let mut met = vec![deck];
    let cards = (0..5).chain([STANDARD]).chain(5..38).chain([LEAGUE_CARD]);
    for card in cards.chain([93]).chain(MID_CARDS).chain([94, 95]).chain(LATE_CARDS).chain([102]) {
        while deck.top(&plan).is_none() {
            deck.lay();
            met.push(deck);
        }
        deck.take(&plan, card);
        met.push(deck);
    }
    assert_eq!((deck.laid(), deck.draw(&plan)), (SEGMENTS, None));
    met
}

#[test]
fn a_deck_is_read_as_it_was_written() {
    for deck in course() {
        let bytes = encoded(&deck);
        assert_eq!(decoded(&bytes), Some(deck));
        assert!((0..bytes.len()).all(|end| decoded(&bytes[..end]).is_none()), "bytes are missing");
    }
}

/// Whatever bit is turned, a deck that is read is written with the same bytes, and draws lead to it: it counts as its plan does.
#[test]
fn bytes_that_no_deck_has_are_refused() {
    let plan = plan();
    let mut refused = 0;
    for deck in course() {
        let bytes = encoded(&deck);
        for bit in 0..bytes.len() * 8 {
            let mut turned = bytes.clone();
            turned[bit / 8] ^= 1 << (bit % 8);
            let Some(read) = decoded(&turned) else {
                refused += 1;
                continue;
            };
            assert_eq!(encoded(&read), turned);
            for segment in 0..SEGMENTS {
                let come = read.drawn_of(&plan, segment);
                assert!(come == 0 || read.top(&plan).is_none_or(|top| segment <= top), "{read:?}");
                assert!(come == 0 || segment < read.laid(), "{read:?}");
                let behind = read.behind_tokens(&plan, segment).len();
                assert!(behind >= usize::from(read.tokens(segment)), "{read:?}");
            }
        }
    }
    assert!(refused > 10_000, "{refused}");

    let mid = before_mid(&plan);
    let byte = |at: usize, value: u8| {
        let mut bytes = encoded(&mid);
        bytes[at] = value;
        decoded(&bytes)
    };
    let bytes = encoded(&mid);
    assert_eq!(bytes.len(), 16 + SEGMENTS + 1);
    assert_eq!(byte(16 + MID, 3), None, "more tokens than there were");
    assert_eq!(byte(16 + MID, 1), None, "a token has come, and no card by it");
    assert_eq!(byte(16 + SEGMENTS, 6), None, "more segments than there are");
    assert_eq!(byte(16 + SEGMENTS, 2), None, "the League has come, and is not laid");
    assert_eq!(byte(15, 0x80), None, "a card that is none of the deck's");
    assert_eq!(byte(16 + SEGMENTS, 5).map(|deck| deck.laid()), Some(5), "Late lies in it, too");
}
