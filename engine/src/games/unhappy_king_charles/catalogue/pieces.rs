//! Kinds of pieces, pieces and cards.

use crate::catalogue::{CatalogEntry, KindDef};
use crate::numbered::Listed;
use crate::seat::Seat;

use super::super::content::brigades::BrigadeBack;
use super::super::content::ids::{BrigadeFace, CardId, GeneralId, NotableId};
use super::super::content::{Content, PARLIAMENT, ROYALIST, SEATS, words};
use super::{SIDES, attributes, ours, texts};

/// Faces of Brigades, their backs, the backs of cards, then General, Local Notable, Queen and Siege Train.
pub(in super::super) fn kinds(content: &Content) -> Vec<KindDef> {
    let mut kinds: Vec<KindDef> = BrigadeFace::all(content).map(|face| face_kind(content, face)).collect();
    let backs = [
        ("a Royalist Brigade", "R?", ROYALIST),
        ("a Brigade of Parliament", "P?", PARLIAMENT),
        ("a Covenanter Brigade", "C?", PARLIAMENT),
        ("a Lorrainer Brigade", "L?", ROYALIST),
    ];
    for (back, (name, label, seat)) in BrigadeBack::ALL.into_iter().zip(backs) {
        let entry = ours(format!("{}-brigade", back.as_str()), name)
            .with_rules_text(texts::brigade_back(back))
            .with_attributes(attributes::of_back(seat, back));
        kinds.push(KindDef::new(entry, true).with_short_label(label));
    }
    let cards = [
        (
            "core-card",
            "a Core Card",
            "cC",
            "One of the two Core Cards that a side has in hand every turn (rule 3.0)",
        ),
        (
            "mandatory-card",
            "a Mandatory card",
            "cX",
            "A Mandatory card, to be played in the turn in which it came (rule 6.5)",
        ),
        (
            "early-card",
            "a card of the Early War",
            "cE",
            "A card of the Early War; in the first deal one of ten is the Standard (rule 4.1)",
        ),
        (
            "mid-card",
            "a card of the Mid War",
            "cM",
            "A card that came with the Mid War: one of its own, or an Alt-Hist card (rule 6.7)",
        ),
        (
            "late-card",
            "a card of the Late War",
            "cL",
            "A card that came with the Late War: one of its own, or an Alt-Hist card (rule 6.8)",
        ),
    ];
    kinds.extend(cards.map(|(id, name, label, text)| {
        KindDef::new(ours(id, name).with_rules_text(vec![text.to_owned()]), true).with_short_label(label)
    }));
    let pieces = [
        ("general", "General", "Gen", texts::general_kind as fn() -> Vec<String>),
        ("local-notable", "Local Notable", "LN", texts::notable_kind),
        ("queen", "The Queen", "Qn", texts::queen),
        ("siege-train", "Siege Train", "Tr", texts::train),
    ];
    kinds.extend(pieces.map(|(id, name, label, text)| {
        KindDef::new(ours(id, name).with_rules_text(text()), false).with_short_label(label)
    }));
    kinds
}

/// A face; its label is its Region's letter, its value, and a letter that tells it from others of both.
fn face_kind(content: &Content, face: BrigadeFace) -> KindDef {
    let brigade = &content.faces[face];
    let entry = CatalogEntry::new(&*brigade.named.id, &*brigade.named.name, brigade.named.confidence)
        .with_rules_text(texts::brigade(content, face))
        .with_attributes(attributes::of_face(content, brigade));
    let stem = |face: BrigadeFace| {
        let one = &content.faces[face];
        let letter = one.region.map_or('-', |region| content.regions[region].letter);
        let side = ['R', 'P'][one.faction.seat().index()];
        format!("{side}{letter}{}", one.value)
    };
    let before =
        BrigadeFace::all(content).take(face.index()).filter(|&other| stem(other) == stem(face)).count();
    let letter = char::from(b'a' + (before % 26) as u8);
    KindDef::new(entry, false).with_short_label(&format!("{}{letter}", stem(face)))
}

/// Leaders, the Queen, the Siege Trains.
pub(in super::super) fn pieces(content: &Content) -> Vec<CatalogEntry> {
    let general = |general: GeneralId| {
        let one = &content.generals[general];
        CatalogEntry::new(&*one.named.id, &*one.named.name, one.named.confidence)
            .with_rules_text(texts::general(content, general))
            .with_attributes(attributes::of_general(content, one))
    };
    let notable = |notable: NotableId| {
        let one = &content.notables[notable];
        CatalogEntry::new(&*one.named.id, &*one.named.name, one.named.confidence)
            .with_rules_text(texts::notable(content, notable))
            .with_attributes(attributes::of_notable(one))
    };
    let train = |(seat, (side, title)): (Seat, (&str, &str))| {
        ours(format!("{side}-train"), format!("{title} Siege Train"))
            .with_rules_text(texts::train())
            .with_attributes(attributes::of_side(seat))
    };
    let queen = ours("queen-henrietta-maria", "The Queen")
        .with_rules_text(texts::queen())
        .with_attributes(attributes::of_side(ROYALIST));
    let generals = GeneralId::all(content).map(general);
    let notables = NotableId::all(content).map(notable);
    let trains = SEATS.into_iter().zip(SIDES).map(train);
    generals.chain(notables).chain([queen]).chain(trains).collect()
}

pub(in super::super) fn cards(content: &Content) -> Vec<CatalogEntry> {
    let card = |id: CardId| {
        let card = &content.cards[id];
        CatalogEntry::new(&*card.named.id, &*card.named.name, card.named.confidence)
            .with_rules_text(words::lines(content, id))
            .with_attributes(attributes::of_card(content, card))
    };
    CardId::all(content).map(card).collect()
}
