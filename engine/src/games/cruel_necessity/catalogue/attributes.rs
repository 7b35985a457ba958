//! Attributes: what the catalogue declares, and what each entry carries of it.

use crate::catalogue::AttributeKind::{Number, Reference, Text};
use crate::catalogue::{Attribute, AttributeDef, AttributeScope as On};
use crate::content::Confidence;
use crate::numbered::Listed;
use crate::reference::Ref;

use super::super::actions::Target;
use super::super::content::{
    Achievement, Arm, ArmyId, BattleCard, Card, CardId, CardKind, Content, Counter, Formation, FortId,
    ListId, Op, Reward, RewardEffect, SlotId, Timing, Track, TrackId,
};
use super::super::procedures::fortresses::lies_in;
use super::names::{ARMY_SIDES, PARLIAMENT, ROYALIST, SLOT_SECTORS, UNREST, area_space, kind_revolt};

/// Indices of the declarations.
const KIND: u16 = 0;
const WAR: u16 = 1;
const PLACE: u16 = 2;
const COST: u16 = 3;
const POINTS: u16 = 4;
const ASKS_TRACKS: u16 = 5;
const ASKS_GRADES: u16 = 6;
const ASKS_FORTRESSES: u16 = 7;
const ASKS_VALUES: u16 = 8;
const ASKS_BATTLE: u16 = 9;
const BATTLES: u16 = 10;
const ACTIVATES: u16 = 11;
const ACTIVATION_MARKERS: u16 = 12;
const MOVES_TRACKS: u16 = 13;
const ARROWS: u16 = 14;
const MODIFIES_TRACKS: u16 = 15;
const MODIFIERS: u16 = 16;
const ZEAL: u16 = 17;
const TIMING: u16 = 18;
const STRENGTH: u16 = 19;
const STRENGTHS: u16 = 20;
const AREAS: u16 = 21;
const PERMISSION: u16 = 22;
const ARM: u16 = 23;
const SIDE: u16 = 24;
const COUNT: u16 = 25;
const CALLS: u16 = 26;
const TURNS: u16 = 27;
const REVOLT_KIND: u16 = 28;
const BROUGHT_BY: u16 = 29;
const ARMY: u16 = 30;
const NUMBER: u16 = 31;
const SECTOR: u16 = 32;
const BEATS: u16 = 33;
const REWARD_TARGETS: u16 = 34;
const REWARD_VALUE: u16 = 35;

/// Letters of the grades.
pub(in super::super) const LETTERS: [&str; 5] = ["A", "B", "C", "D", "F"];

/// The declarations, in the order of their indices.
pub(in super::super) fn declared() -> Vec<AttributeDef> {
    let (cards, units) = (&[On::Cards][..], &[On::Kinds, On::Pieces][..]);
    vec![
        AttributeDef::new("kind", "Kind of card", Text, cards),
        AttributeDef::new("war", "Civil War of its deck", Number, cards),
        AttributeDef::new("place", "Place in its deck", Text, cards),
        AttributeDef::new("cost", "Price", Number, cards).unit("Zeal Points"),
        AttributeDef::new(
            "victory-points",
            "Victory Points",
            Number,
            &[On::Cards, On::Kinds, On::Pieces, On::Markers, On::Boxes],
        ),
        AttributeDef::new("asks-tracks", "Asks for a grade of", Reference, cards).many(),
        AttributeDef::new("asks-grades", "The lowest grade of each of these", Text, cards).many(),
        AttributeDef::new("asks-fortresses", "Asks for a Combat Value of", Reference, cards).many(),
        AttributeDef::new("asks-values", "The least Combat Value of each of these", Number, cards).many(),
        AttributeDef::flag("asks-battle", "Asks for a Battle won this turn or the last", cards),
        AttributeDef::new("battles", "Calls for a Battle", Number, cards),
        AttributeDef::new("activates", "Activates, each time it is named", Reference, cards).many(),
        AttributeDef::new("activation-markers", "Strength marker of each of these", Number, cards).many(),
        AttributeDef::new("moves-tracks", "Moves", Reference, cards).many(),
        AttributeDef::new("arrows", "Boxes that each of these goes, up if above 0", Number, cards).many(),
        AttributeDef::new("modifies-tracks", "Modifies this turn's Politics rolls on", Reference, cards)
            .many(),
        AttributeDef::new("modifiers", "Modifier on each of these", Number, cards).many(),
        AttributeDef::new("zeal", "Zeal Points that it gives", Number, cards),
        AttributeDef::new("timing", "When it is used", Text, cards),
        AttributeDef::new("strength", "Strength", Number, units),
        AttributeDef::new("strengths", "Combat Value at each click, from 0", Number, &[On::Pieces]).many(),
        AttributeDef::new("areas", "Lies in", Reference, &[On::Pieces]).many(),
        AttributeDef::flag("permission", "Besieged only once a card allows it", &[On::Pieces]),
        AttributeDef::new("arm", "Arm", Text, units),
        AttributeDef::new("side", "Side", Text, units),
        AttributeDef::new("count", "How many there are", Number, &[On::Kinds]),
        AttributeDef::flag("calls-event", "Calls for a Battle Event card", units),
        AttributeDef::new("turns", "Adds to the foot of its wing after winning its sector", Number, units),
        AttributeDef::new("revolt-kind", "Kind of revolt", Reference, &[On::Pieces]),
        AttributeDef::new("brought-by", "Comes with", Reference, &[On::Pieces]),
        AttributeDef::new("army", "Army", Reference, &[On::Kinds, On::Spaces]),
        AttributeDef::new("number", "Number in its region", Number, &[On::Spaces]),
        AttributeDef::new("sector", "Sector of the Battle", Number, &[On::Spaces]),
        AttributeDef::new("beats", "A Politics roll into it must exceed", Number, &[On::Boxes]),
        AttributeDef::new("reward-targets", "About", Reference, &[On::Markers]).many(),
        AttributeDef::new("reward-value", "By", Number, &[On::Markers]),
    ]
}

fn army(army: ArmyId) -> Ref {
    Target::Army(army).reference()
}

/// Sums of the operations of a list, but for the options of its choices.
fn of_list(content: &Content, list: ListId, level: Confidence) -> Vec<Attribute> {
    let ops = &content.lists[list];
    let battles = ops.iter().filter(|op| **op == Op::Battle).count() as i32;
    let mut activates = Vec::new();
    let mut moves = Vec::new();
    let mut modifies = Vec::new();
    let mut zeal = 0;
    for op in ops {
        match *op {
            Op::Activate { army: who, times, strength } => {
                activates.extend((0..times).map(|_| (army(who), i32::from(strength))));
            }
            Op::Track { track, arrows } => moves.push((Target::Track(track).reference(), i32::from(arrows))),
            Op::TrackDrm { track, drm } => modifies.push((Target::Track(track).reference(), i32::from(drm))),
            Op::Zeal { zeal: gained } => zeal += i32::from(gained),
            _ => {}
        }
    }
    let mut facts = Vec::new();
    if battles > 0 {
        facts.push(Attribute::new(BATTLES, battles, level));
    }
    if zeal != 0 {
        facts.push(Attribute::new(ZEAL, zeal, level));
    }
    for ((whom, by), pairs) in
        [(ACTIVATES, ACTIVATION_MARKERS), (MOVES_TRACKS, ARROWS), (MODIFIES_TRACKS, MODIFIERS)]
            .into_iter()
            .zip([activates, moves, modifies])
    {
        if !pairs.is_empty() {
            facts.push(Attribute::list(whom, pairs.iter().map(|&(what, _)| what), level));
            facts.push(Attribute::list(by, pairs.iter().map(|&(_, number)| number), level));
        }
    }
    facts
}

/// A card of the three decks, by its number - 1.
pub(in super::super) fn of_card(content: &Content, id: CardId) -> Vec<Attribute> {
    let card = &content.cards[id];
    let levels = &card.named.levels;
    let mut facts = vec![Attribute::new(WAR, card.deck.index() as i32 + 1, levels.of("deck"))];
    match card.kind {
        CardKind::Event { list } => {
            facts.push(Attribute::new(KIND, "event", Confidence::Official));
            facts.push(Attribute::new(PLACE, place(content, card, id), levels.of("place")));
            let ops = levels.of_all(&["before", "military", "religious", "political"]);
            facts.extend(of_list(content, list, ops));
        }
        CardKind::Achievement(achievement) => {
            facts.push(Attribute::new(KIND, "achievement", Confidence::Official));
            facts.extend(of_achievement(content, card, &content.achievements[achievement]));
        }
    }
    facts
}

fn place(content: &Content, card: &Card, id: CardId) -> &'static str {
    let ends = content.ends[card.deck];
    match ends.iter().position(|&end| end == id) {
        Some(0) => "first",
        Some(_) => "last",
        None => "middle",
    }
}

fn of_achievement(content: &Content, card: &Card, achievement: &Achievement) -> Vec<Attribute> {
    let levels = &card.named.levels;
    let mut facts = vec![
        Attribute::new(COST, achievement.cost, levels.of("cost")),
        Attribute::new(POINTS, achievement.vp, levels.of("vp")),
        Attribute::new(ASKS_BATTLE, achievement.battle_won, levels.of("battle_won")),
    ];
    let asked: Vec<(TrackId, u8)> = TrackId::all(content)
        .map(|track| (track, achievement.grades[track]))
        .filter(|&(_, grade)| grade < 4)
        .collect();
    if !asked.is_empty() {
        let tracks = asked.iter().map(|&(track, _)| Target::Track(track).reference());
        facts.push(Attribute::list(ASKS_TRACKS, tracks, levels.of("grades")));
        let grades = asked.iter().map(|&(_, grade)| LETTERS[usize::from(grade)]);
        facts.push(Attribute::list(ASKS_GRADES, grades, levels.of("grades")));
    }
    let held: Vec<(FortId, u8)> = FortId::all(content)
        .map(|fort| (fort, achievement.fortresses[fort]))
        .filter(|&(_, value)| value > 0)
        .collect();
    if !held.is_empty() {
        let forts = held.iter().map(|&(fort, _)| Target::Fort(fort).reference());
        facts.push(Attribute::list(ASKS_FORTRESSES, forts, levels.of("fortresses")));
        facts.push(Attribute::list(
            ASKS_VALUES,
            held.iter().map(|&(_, value)| value),
            levels.of("fortresses"),
        ));
    }
    facts.extend(of_list(content, achievement.list, levels.of("effect")));
    facts
}

pub(in super::super) fn of_battle_card(card: &BattleCard) -> Vec<Attribute> {
    let timing = match card.timing {
        Timing::Immediate => "immediate",
        Timing::Green => "before-sectors",
        Timing::BeforeRoll => "before-roll",
        Timing::AfterRoll => "after-roll",
        Timing::Aftermath => "aftermath",
    };
    vec![
        Attribute::new(KIND, "battle-event", Confidence::Official),
        Attribute::new(TIMING, timing, card.named.levels.of("timing")),
    ]
}

pub(in super::super) fn of_counter(counter: &Counter) -> Vec<Attribute> {
    let levels = &counter.named.levels;
    vec![
        Attribute::new(ARMY, army(counter.army), levels.of("region")),
        Attribute::new(SIDE, ARMY_SIDES[counter.army], Confidence::Official),
        Attribute::new(STRENGTH, counter.strength, levels.of("strength")),
        Attribute::new(POINTS, counter.vp, levels.of("vp")),
    ]
}

/// An Army, which begins as the counter of its name.
pub(in super::super) fn of_army(counter: &Counter) -> Vec<Attribute> {
    let levels = &counter.named.levels;
    vec![
        Attribute::new(SIDE, ARMY_SIDES[counter.army], Confidence::Official),
        Attribute::new(STRENGTH, counter.strength, levels.of("strength")),
        Attribute::new(POINTS, counter.vp, levels.of("vp")),
    ]
}

pub(in super::super) fn of_fort(content: &Content, id: FortId) -> Vec<Attribute> {
    let fort = &content.forts[id];
    let levels = &fort.named.levels;
    let lies = lies_in(content, id);
    let mut areas: Vec<Ref> = lies.map(|(region, area)| Ref::Space(area_space(region, area))).collect();
    areas.dedup();
    vec![
        Attribute::list(STRENGTHS, fort.values, levels.of("clicks")),
        Attribute::list(AREAS, areas, levels.of("areas")),
        Attribute::new(PERMISSION, fort.permission, levels.of("permission")),
        Attribute::new(POINTS, fort.vp, levels.of("vp")),
    ]
}

pub(in super::super) fn of_revolt(content: &Content, index: usize) -> Vec<Attribute> {
    let revolt = &content.numbers.revolts[index];
    let levels = &revolt.named.levels;
    vec![
        Attribute::new(SIDE, UNREST, Confidence::Official),
        Attribute::new(REVOLT_KIND, Ref::Kind(kind_revolt(content, revolt.kind)), levels.of("kind")),
        Attribute::new(STRENGTH, revolt.strength, levels.of("strength")),
        Attribute::new(POINTS, content.numbers.score.revolt, content.numbers.levels.score.of("revolt")),
    ]
}

pub(in super::super) fn of_deviltry(content: &Content, index: usize) -> Vec<Attribute> {
    let (numbers, marker) = (&content.numbers, &content.numbers.deviltry[index]);
    let card = marker.named.id.parse::<u16>().unwrap_or(1).saturating_sub(1);
    vec![
        Attribute::new(SIDE, UNREST, Confidence::Official),
        Attribute::new(STRENGTH, numbers.deviltry_strength, numbers.levels.deviltry.of("strength")),
        Attribute::new(POINTS, numbers.score.deviltry, numbers.levels.score.of("deviltry")),
        // Its record bears the card's number.
        Attribute::new(BROUGHT_BY, Ref::Card(card), marker.named.confidence),
    ]
}

/// A fortress that a side holds.
pub(in super::super) fn of_held(royalist: bool) -> Vec<Attribute> {
    vec![Attribute::new(SIDE, if royalist { ROYALIST } else { PARLIAMENT }, Confidence::Official)]
}

/// A kind of revolt, or Deviltry.
pub(in super::super) fn of_unrest() -> Vec<Attribute> {
    vec![Attribute::new(SIDE, UNREST, Confidence::Official)]
}

/// A formation, as a kind or as a Named piece.
pub(in super::super) fn of_formation(formation: &Formation, as_kind: bool) -> Vec<Attribute> {
    let levels = &formation.named.levels;
    let arm = match formation.arm {
        Arm::Horse => "horse",
        Arm::Foot => "foot",
    };
    let side = if formation.royalist { ROYALIST } else { PARLIAMENT };
    let mut facts = vec![
        Attribute::new(STRENGTH, formation.strength, levels.of("strength")),
        Attribute::new(ARM, arm, levels.of("arm")),
        Attribute::new(SIDE, side, levels.of("side")),
        Attribute::new(CALLS, formation.event, levels.of("event")),
        Attribute::new(TURNS, formation.turns, levels.of("turns")),
    ];
    facts.extend(as_kind.then(|| Attribute::new(COUNT, formation.count, levels.of("count"))));
    facts
}

pub(in super::super) fn of_area(content: &Content, index: usize) -> Vec<Attribute> {
    let levels = &content.areas[index].named.levels;
    vec![
        Attribute::new(ARMY, army(ArmyId::new(index / 5)), levels.of("region")),
        Attribute::new(NUMBER, (index % 5) as i32 + 1, levels.of("number")),
    ]
}

pub(in super::super) fn of_slot(slot: SlotId) -> Vec<Attribute> {
    vec![Attribute::new(SECTOR, SLOT_SECTORS[slot], Confidence::Official)]
}

pub(in super::super) fn of_box(track: &Track, index: usize) -> Vec<Attribute> {
    let levels = &track.levels[index];
    let points = Attribute::new(POINTS, track.vp[index], levels.of("vp"));
    let beats = Attribute::new(BEATS, track.numbers[index], levels.of("number"));
    if track.numbers[index] == 0 { vec![points] } else { vec![points, beats] }
}

pub(in super::super) fn of_reward(reward: &Reward) -> Vec<Attribute> {
    let level = reward.named.levels.of("effect");
    let (targets, value) = match reward.effect {
        RewardEffect::Politics(track) => (vec![Target::Track(track).reference()], None),
        RewardEffect::Siege(forts) => {
            (forts.iter().map(|fort| Target::Fort(fort).reference()).collect(), None)
        }
        RewardEffect::NextDisorder(who) => (vec![army(who)], None),
        RewardEffect::NextStrength(who, value) => (vec![army(who)], Some(value)),
        RewardEffect::Vp(vp) => return vec![Attribute::new(POINTS, vp, level)],
    };
    let mut facts = vec![Attribute::list(REWARD_TARGETS, targets, level)];
    facts.extend(value.map(|value| Attribute::new(REWARD_VALUE, value, level)));
    facts
}
