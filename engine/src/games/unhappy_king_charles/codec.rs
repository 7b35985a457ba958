//! The canonical encoding of a state: its fields, in the order of their bytes; what is read holds together ([`check`]).

use crate::cards::read_card_set;
use crate::codec::{Coding, DecodeError, Flagged, Reader, Writer};
use crate::deck::{CardSet, DeckOf};
use crate::flow::{Count, Frames, Side};
use crate::numbered::Listed;
use crate::seat::Seat;

use super::UnhappyKing;
use super::content::cards::Deck;
use super::content::deck::SEGMENTS;
use super::content::ids::{AreaId, AreaSet, CardId, GeneralId, TurnId};
use super::content::{CARDS, COUNTERS, Content, FORTRESSES, GENERALS, NOTABLES, OPTIONS, SEATS};
use super::frames::Frame;
use super::state::{
    Activation, Battle, BonusSet, Brigades, Cards, Counter, DEPTH, GeneralStatus, Generals, Happened, Holder,
    Marks, Post, Presence, Queen, Recruiting, SETS, Siege, SiegeMarker, State, Train, Verdict, WarDeck,
};

crate::coded! {
    Counter, of Content { at: Holder, marks: Marks }

    GeneralStatus, of Content { post: Post, may_not_assault: bool }

    Siege, of Content { marker: SiegeMarker, value: Count, bonus: Count }

    BonusSet, of Content { seat: Side, cards: CardSet, due: Count, among: CardSet }

    State, of Content {
        options: [bool; OPTIONS],
        turn: TurnId,
        brigades: Brigades,
        generals: Generals,
        notables: Each<Presence, NOTABLES>,
        control: [AreaSet; 2],
        sieges: Each<Siege, FORTRESSES>,
        trains: Each<Train, 2>,
        queen: Queen,
        chits: u8,
        fleet: Signed,
        happened: Happened,
        spent: CardSet,
        cards: Cards,
        ascendancy: u8,
        claim: Option<CardId>,
        first: Side,
        plays: [u8; 2],
        passed: [bool; 2],
        procedures: u16,
        recruiting: Flagged<Recruiting>,
        activation: Flagged<Activation>,
        battle: Flagged<Battle>,
        frames: Frames<Frame, DEPTH>,
        result: Flagged<Verdict>,
    }
}

/// So many things of a kind, one after the other.
#[derive(Debug)]
struct Each<K, const N: usize>(std::marker::PhantomData<K>);

impl<K: Coding<Content>, const N: usize> Coding<Content> for Each<K, N> {
    type Value = [K::Value; N];

    fn encode(value: &Self::Value, to: &mut Writer) {
        value.iter().for_each(|one| K::encode(one, to));
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self::Value, DecodeError> {
        let error = from.error("as many things as there are");
        let all: Vec<K::Value> = (0..N).map(|_| K::decode(content, from)).collect::<Result<_, _>>()?;
        all.try_into().map_err(|_| error)
    }
}

impl Coding<Content> for CardSet {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u128(value.0);
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        read_card_set(from, CARDS)
    }
}

/// A number between -128 and 127.
#[derive(Debug)]
enum Signed {}

impl Coding<Content> for Signed {
    type Value = i8;

    fn encode(value: &i8, to: &mut Writer) {
        to.u8(value.to_le_bytes()[0]);
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<i8, DecodeError> {
        from.u8().map(|byte| i8::from_le_bytes([byte]))
    }
}

/// Gives sets of flags their encoding, of which only declared bits may be set.
macro_rules! flags {
    ($($Flags:ty, $expected:literal;)+) => {
        $(impl Coding<Content> for $Flags {
            type Value = Self;

            fn encode(value: &Self, to: &mut Writer) {
                to.u16(value.bits());
            }

            fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
                let error = from.error($expected);
                Self::from_bits(from.u16()?).ok_or(error)
            }
        })+
    };
}

flags! {
    Marks, "marks of a Brigade";
    Happened, "what has happened";
}

crate::coded_choices! {
    Train, "the place of a Siege Train" of Content {
        0 Available, 1 Resting, 2 In(area: AreaId), 3 With(general: GeneralId), 4 Out,
    }

    Queen, "the place of the Queen" of Content {
        0 Abroad, 1 In(area: AreaId), 2 With(general: GeneralId), 3 Left, 4 Captured,
    }
}

impl Coding<Content> for SiegeMarker {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        to.u8(*value as u8);
    }

    fn decode(_: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let markers = [Self::None, Self::Siege, Self::Blockade];
        Ok(markers[usize::from(from.below(3, "a Siege marker")?)])
    }
}

impl Coding<Content> for Brigades {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        value.counters().iter().for_each(|counter| Counter::encode(counter, to));
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let error = from.error("Brigade counters, alike ones in the order of their places");
        let counters = <Each<Counter, COUNTERS>>::decode(content, from)?;
        let brigades = Self::of(content, counters);
        let absent = Counter { at: Holder::OUT, marks: Marks::empty() };
        let beyond = counters.iter().skip(content.face_of.len()).all(|&counter| counter == absent);
        // Whoever sees what all see is everybody.
        let known = |counter: &Counter| {
            !counter.marks.contains(Marks::PUBLIC) || counter.marks.contains(Marks::KNOWN)
        };
        let fits = brigades.counters() == &counters && beyond && counters.iter().all(known);
        if fits { Ok(brigades) } else { Err(error) }
    }
}

impl Coding<Content> for Generals {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        <Each<GeneralStatus, GENERALS>>::encode(value.each(), to);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        <Each<GeneralStatus, GENERALS>>::decode(content, from).map(Self::of)
    }
}

impl Coding<Content> for Cards {
    type Value = Self;

    fn encode(value: &Self, to: &mut Writer) {
        let pairs = [value.hands, value.stores, value.recruitment];
        pairs.iter().flatten().for_each(|cards| CardSet::encode(cards, to));
        let sets = [value.aside, value.discard, value.removed, value.waiting, value.with_mid];
        sets.iter().for_each(|cards| CardSet::encode(cards, to));
        to.list(&value.sets, |to, set| BonusSet::encode(set, to));
        <DeckOf<WarDeck, SEGMENTS> as Coding<Content>>::encode(&value.deck, to);
        to.u8(value.pile_draws);
        <Option<CardId> as Coding<Content>>::encode(&value.exchanged, to);
    }

    fn decode(content: &Content, from: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let error = from.error("cards, each in one place");
        let mut set = || CardSet::decode(content, from);
        let [hands, stores, recruitment] = [[set()?, set()?], [set()?, set()?], [set()?, set()?]];
        let [aside, discard, removed, waiting, with_mid] = [set()?, set()?, set()?, set()?, set()?];
        let cards = Self {
            hands,
            stores,
            recruitment,
            aside,
            discard,
            removed,
            waiting,
            with_mid,
            sets: from.list(SETS, |from| BonusSet::decode(content, from))?,
            deck: <DeckOf<WarDeck, SEGMENTS> as Coding<Content>>::decode(content, from)?,
            pile_draws: from.u8()?,
            exchanged: <Option<CardId> as Coding<Content>>::decode(content, from)?,
        };
        if each_in_one_place(content, &cards) { Ok(cards) } else { Err(error) }
    }
}

/// Returns whether each card lies in one place, and what is remembered of cards fits with that.
fn each_in_one_place(content: &Content, cards: &Cards) -> bool {
    let plan = &content.deck;
    let to_come = (0..SEGMENTS).fold(CardSet::default(), |all, segment| all | cards.deck.own(plan, segment));
    let second = plan.second_bags().iter().fold(CardSet::default(), |all, bag| all | bag.cards);
    let mut lying = to_come;
    let piles = [cards.hands, cards.stores, cards.recruitment].into_iter().flatten();
    let piles = piles.chain([cards.aside, cards.discard, cards.removed, cards.waiting]);
    for pile in piles.chain(cards.sets.iter().map(|set| set.cards)) {
        if !(lying & pile).is_empty() {
            return false;
        }
        lying = lying | pile;
    }
    // Cards of the second bags that lie nowhere are behind tokens, or don't come.
    let all = CardSet(u128::MAX >> (128 - CARDS));
    let missing = all - lying;
    let undrawn =
        (0..SEGMENTS).fold(CardSet::default(), |all, segment| all | cards.deck.behind_tokens(plan, segment));
    let stored = |card: u16| !content.cards[CardId::new(card.into())].is_never_stored();
    let alt_hist = content.decks[Deck::AltHist as usize];
    (missing - second).is_empty()
        && (lying & undrawn).is_empty()
        && cards.stores.iter().all(|store| store.iter().all(stored))
        && (cards.with_mid - (alt_hist & lying)).is_empty()
        && cards.exchanged.is_none_or(|card| cards.holds(super::content::ROYALIST, card))
        && cards.sets.iter().all(|set| !set.cards.is_empty() || set.among.is_empty())
}

/// Returns what fields of a state that was read have to do with each other, in words if it can't be so.
pub(super) fn check(game: &UnhappyKing, state: &State) -> Result<(), &'static str> {
    let content = &game.content;
    let frames = |wanted: fn(&Frame) -> bool| state.frames.iter().filter(|frame| wanted(frame)).count();
    let [activations, battles, recruitments] = [
        frames(|frame| matches!(frame, Frame::Activation { .. })),
        frames(|frame| matches!(frame, Frame::Battle { .. })),
        frames(|frame| matches!(frame, Frame::Recruitment { .. })),
    ];
    let under_way = [
        (activations, state.activation.is_some(), "an Activation, and the procedure that it is"),
        (battles, state.battle.is_some(), "a Battle, and the procedure that it is"),
        (recruitments, state.recruiting.is_some(), "a recruitment, and the procedure that it is"),
    ];
    if let Some((_, _, what)) = under_way.iter().find(|&&(count, held, _)| count > 0 && !held) {
        return Err(what);
    }
    let fits = |seat: Seat| {
        let [veteran, chance] = [Happened::veteran(seat), Happened::chance(seat)];
        (!state.has(veteran) || state.has(chance))
            && !(state.has(chance) && state.has(Happened::benefit(seat)))
    };
    if !SEATS.into_iter().all(fits) {
        return Err("a naval benefit that went to a Veteran where it may have, or to an extra Brigade");
    }
    if state.frames.is_empty() != state.result.is_some() {
        return Err("procedures of a match that goes on, or the way it ended");
    }
    let turn_first = matches!(state.frames.iter().next(), Some(Frame::Turn { .. }) | None);
    if !turn_first || frames(|frame| matches!(frame, Frame::Turn { .. })) > 1 {
        return Err("a Turn, and procedures within it");
    }
    if state.frames.top().is_some_and(|frame| !game.is_awaited(state, *frame)) {
        return Err("an innermost procedure that waits for somebody or for dice");
    }
    if !(state.control[0].meets(state.control[1]))
        && generals_stand(content, state)
        && sieges_stand(content, state)
    {
        Ok(())
    } else {
        Err("one marker an Area, Generals where they can be, and Sieges of Fortresses")
    }
}

/// Returns whether each Subordinate has a commander who commands, and who is inside has a Fortress around them.
fn generals_stand(content: &Content, state: &State) -> bool {
    let printed = |area: AreaId| content.fortified.contains(area) && content.areas[area].fortress.is_some();
    GeneralId::all(content).all(|general| match state.generals[general].post {
        Post::Under(commander) => {
            commander != general
                && content.generals[commander].side == content.generals[general].side
                && !matches!(state.generals[commander].post, Post::Under(_))
        }
        Post::Inside(area) => printed(area),
        _ => true,
    })
}

/// Returns whether there are Sieges of Fortresses alone, each of which somebody controls.
fn sieges_stand(content: &Content, state: &State) -> bool {
    state.sieges.iter().enumerate().all(|(number, siege)| {
        let controlled =
            content.fortresses.get(number).is_some_and(|one| state.controller(one.area).is_some());
        *siege == Siege::NONE || controlled
    })
}
