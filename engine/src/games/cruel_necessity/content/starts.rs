//! Set-ups by the war that they begin with (3.0, B.0).

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::content::{ContentError, Loader};
use crate::numbered::SetOf;

use super::numbers::{Deviltry, card_number};
use super::{
    ARMIES, ARMY_IDS, BATTLE_CARDS_MAX, BOXES, BattleCardId, CardId, CounterId, DEVILTRY, DeviltryId,
    FORT_IDS, FORTS, FormationId, FortId, GAME, KINDS_MAX, TRACK_IDS, TRACKS, battle, board, exactly, known,
    position, within,
};

#[derive(Deserialize)]
struct StartRecord {
    zeal: u8,
    royalist: Vec<String>,
    clicks: BTreeMap<String, u8>,
    areas: BTreeMap<String, u8>,
    counters: Vec<String>,
    boxes: BTreeMap<String, u8>,
    troubles: String,
    oxford_permitted: bool,
    #[serde(default)]
    deviltry: Vec<String>,
    #[serde(default)]
    scored: Vec<String>,
    #[serde(default)]
    available: Vec<String>,
    #[serde(default)]
    discarded: Vec<String>,
    #[serde(default)]
    named: Vec<String>,
    #[serde(default)]
    removed: Vec<String>,
    #[serde(default)]
    removed_cards: Vec<String>,
}

/// A set-up.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) zeal: u8,
    pub(crate) royalist: SetOf<FortId>,
    pub(crate) clicks: [u8; FORTS],
    pub(crate) areas: [u8; ARMIES],
    /// The counter of each Army.
    pub(crate) counters: [CounterId; ARMIES],
    pub(crate) boxes: [u8; TRACKS],
    pub(crate) troubles: u8,
    pub(crate) oxford_permitted: bool,
    pub(crate) deviltry: SetOf<DeviltryId>,
    pub(crate) scored: SetOf<CardId>,
    pub(crate) available: SetOf<CardId>,
    pub(crate) discarded: SetOf<CardId>,
    /// Named units in the Holding box.
    pub(crate) named: SetOf<FormationId>,
    /// Kinds of formations out of play, with how many.
    pub(crate) removed: Vec<FormationId>,
    /// Battle Event cards out of play.
    pub(crate) removed_cards: SetOf<BattleCardId>,
}

pub(super) fn read(
    load: &mut Loader<'_>,
    board: &board::Read,
    battle: &battle::Read,
    deviltry: &[Deviltry],
) -> Vec<Start> {
    let records = load.records::<StartRecord>(GAME, "start");
    let found = exactly(load, &records, &["1", "2", "3"]);
    let mut starts = Vec::new();
    for (id, record) in ["1", "2", "3"].into_iter().zip(found) {
        let Some(record) = record else { continue };
        starts.push(read_start(load, &records.name_of(id), record, board, battle, deviltry));
    }
    starts
}

fn read_start(
    load: &mut Loader<'_>,
    name: &str,
    record: &StartRecord,
    board: &board::Read,
    battle: &battle::Read,
    deviltry: &[Deviltry],
) -> Start {
    fn by_id<const N: usize>(
        load: &mut Loader<'_>,
        name: &str,
        field: &str,
        ids: &[&str; N],
        given: &BTreeMap<String, u8>,
        bounds: (u8, u8),
    ) -> [u8; N] {
        let mut values = [bounds.0; N];
        for (id, &value) in given {
            if let Some(index) = position(load, GAME, name, field, ids, id) {
                values[index] = within(load, GAME, name, field, value, bounds);
            }
        }
        if given.len() != N {
            let what = format!("a number for each of {} is expected", ids.join(", "));
            load.report(ContentError::field(GAME, name, field, what));
        }
        values
    }
    let royalist = record
        .royalist
        .iter()
        .filter_map(|fort| known(load, GAME, name, "royalist", &FORT_IDS, fort))
        .collect();
    let mut counters = [0, 1, 2, 3].map(CounterId::new);
    for id in &record.counters {
        match board.later_counter(id) {
            Some(counter) => counters[board.counters[counter].army] = counter,
            None => {
                load.report(ContentError::reference(GAME, name, "counters", format!("later counter {id}")))
            }
        }
    }
    let mut cards = |field: &str, ids: &[String]| -> SetOf<CardId> {
        ids.iter().filter_map(|id| card_number(load, name, field, id)).collect()
    };
    let (scored, available) = (cards("scored", &record.scored), cards("available", &record.available));
    let discarded = cards("discarded", &record.discarded);
    if scored.meets(available | discarded) || available.meets(discarded) || available.count() > 3 {
        let what = "a card lies in one place, and at most three are available";
        load.report(ContentError::field(GAME, name, "available", what));
    }
    let mut markers = SetOf::EMPTY;
    for id in &record.deviltry {
        match deviltry.iter().position(|marker| marker.named.id == *id) {
            Some(index) if index < DEVILTRY => markers.insert(DeviltryId::new(index)),
            _ => {
                load.report(ContentError::reference(GAME, name, "deviltry", format!("Deviltry marker {id}")))
            }
        }
    }
    let mut kinds = |field: &str, ids: &[String]| -> Vec<FormationId> {
        let mut kinds = Vec::new();
        for id in ids {
            match battle.formation(id).filter(|kind| kind.index() < KINDS_MAX) {
                Some(kind) => kinds.push(kind),
                None => load.report(ContentError::reference(GAME, name, field, format!("formation {id}"))),
            }
        }
        kinds
    };
    let named = kinds("named", &record.named);
    let removed = kinds("removed", &record.removed);
    let mut removed_cards = SetOf::EMPTY;
    for id in &record.removed_cards {
        match battle.card(id) {
            Some(card) if card.index() < BATTLE_CARDS_MAX => removed_cards.insert(card),
            _ => {
                let what = format!("Battle Event card {id}");
                load.report(ContentError::reference(GAME, name, "removed_cards", what));
            }
        }
    }
    let boxes = by_id(load, name, "boxes", &TRACK_IDS, &record.boxes, (0, BOXES as u8 - 1));
    Start {
        zeal: within(load, GAME, name, "zeal", record.zeal, (0, 9)),
        royalist,
        clicks: by_id(load, name, "clicks", &FORT_IDS, &record.clicks, (1, BOXES as u8 - 1)),
        areas: by_id(load, name, "areas", &ARMY_IDS, &record.areas, (1, 5)),
        counters,
        boxes,
        troubles: position(load, GAME, name, "troubles", &TRACK_IDS[3..], &record.troubles).unwrap_or(0)
            as u8,
        oxford_permitted: record.oxford_permitted,
        deviltry: markers,
        scored,
        available,
        discarded,
        named: named.into_iter().collect(),
        removed,
        removed_cards,
    }
}
