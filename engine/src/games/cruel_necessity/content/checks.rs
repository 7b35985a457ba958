//! Points on which the files must agree among themselves.

use crate::content::{ContentError, Loader};
use crate::numbered::SetOf;

use super::{BATTLE, CARDS_FILE, CardId, CardKind, FormationId, GAME, KINDS_MAX, Op};
use super::{battle, cards, numbers};

/// Horse and foot that each side needs for its line.
const LINE: [(battle::Arm, u32); 2] = [(battle::Arm::Horse, 2), (battle::Arm::Foot, 4)];

pub(super) fn check(
    load: &mut Loader<'_>,
    cards: &cards::Read,
    battle: &battle::Read,
    numbers: &numbers::Read,
) {
    starts(load, cards, battle, numbers);
    named_units(load, cards, battle);
    lines_can_be_filled(load, cards, battle, numbers);
}

/// Cards that a set-up lays out are Achievements, and its Named units are Parliament's.
fn starts(load: &mut Loader<'_>, cards: &cards::Read, battle: &battle::Read, numbers: &numbers::Read) {
    for (war, start) in numbers.starts.iter().enumerate() {
        let name = format!("start {}", war + 1);
        let laid_out = start.scored | start.available | start.discarded;
        let event = |card: &CardId| {
            let card = cards.slots.get(card.index()).and_then(Option::as_ref);
            card.is_none_or(|card| matches!(card.kind, CardKind::Event { .. }))
        };
        if let Some(card) = laid_out.iter().find(event) {
            let what = format!("card {} is no Achievement", card.index() + 1);
            load.report(ContentError::record(GAME, &name, what));
        }
        for (kind, formation) in battle.formations.iter().enumerate().take(KINDS_MAX) {
            let kind = FormationId::new(kind);
            let ours = formation.is_named && !formation.royalist;
            if start.named.contains(kind) && !ours {
                let what = format!("{} is no Named unit of Parliament", formation.named.id);
                load.report(ContentError::field(GAME, &name, "named", what));
            }
            let removed = start.removed.iter().filter(|&&removed| removed == kind).count();
            if removed > usize::from(formation.count) {
                let what = format!("there are only {} of {}", formation.count, formation.named.id);
                load.report(ContentError::field(GAME, &name, "removed", what));
            }
        }
    }
}

/// Cards add Named units of Parliament, and each once.
fn named_units(load: &mut Loader<'_>, cards: &cards::Read, battle: &battle::Read) {
    let mut added = SetOf::<FormationId>::EMPTY;
    for op in cards.lists.iter().flatten() {
        let Op::AddNamedUnits { units } = *op else { continue };
        let theirs = |kind: FormationId| {
            battle
                .formations
                .get(kind.index())
                .is_none_or(|formation| !formation.is_named || formation.royalist)
        };
        if units.iter().any(theirs) || added.meets(units) {
            let what = "a card adds Named units of Parliament, and no other card the same";
            load.report(ContentError::file(CARDS_FILE, what));
        }
        added |= units;
    }
}

/// Formations that nothing takes out of play suffice for a line of each side.
fn lines_can_be_filled(
    load: &mut Loader<'_>,
    cards: &cards::Read,
    battle: &battle::Read,
    numbers: &numbers::Read,
) {
    let mut removed = SetOf::<FormationId>::EMPTY;
    for op in cards.lists.iter().flatten() {
        if let Op::RemoveUnits { units } = op {
            removed |= *units;
        }
    }
    for royalist in [false, true] {
        for (arm, needed) in LINE {
            let mut left = 0u32;
            for (kind, formation) in battle.formations.iter().enumerate().take(KINDS_MAX) {
                let counts = formation.royalist == royalist && formation.arm == arm && !formation.is_named;
                let kind = FormationId::new(kind);
                if counts && !removed.contains(kind) {
                    let out = |start: &super::starts::Start| {
                        start.removed.iter().filter(|&&gone| gone == kind).count()
                    };
                    let most = numbers.starts.iter().map(out).max().unwrap_or(0);
                    left += u32::from(formation.count).saturating_sub(most as u32);
                }
            }
            if left < needed {
                let side = if royalist { "the Royalists" } else { "Parliament" };
                let what =
                    format!("{side} must always have {needed} formations of each {arm:?} that can't be lost");
                load.report(ContentError::file(BATTLE, what));
            }
        }
    }
}
