//! Conditions that content has to keep for the rules to rely on it.

use crate::content::{ContentError, Loader, Records};

use super::super::state::{BLOCKS, CROSSINGS};
use super::build::stage_of;
use super::records::{
    AreaRecord, BlockRecord, BombardmentRecord, BorderRecord, CardEvent, CardRecord, CityClass, CityRecord,
    Class, DealRecord, Kind, Letter, PhaseName, SiegeRecord, Stage, TurnRecord, WithdrawalRecord,
};
use super::{AREAS, BLOCKS_FILE, BORDERS, CARDS, CITIES, TABLES};

/// The most Areas and Cities: with the pool they are places 0 to 63.
pub(in super::super) const AREAS_MAX: usize = 40;
const CITIES_MAX: usize = 16;
/// The most cards of both sides.
const CARDS_MAX: usize = 64;
/// The largest strength of a block.
const STRENGTH_MAX: u8 = 4;

pub(super) fn check_map(
    load: &mut Loader<'_>,
    areas: &Records<AreaRecord>,
    borders: &Records<BorderRecord>,
    cities: &Records<CityRecord>,
) {
    if !(2..=AREAS_MAX).contains(&areas.len()) || areas.iter().any(|area| area.region == Letter::London) {
        let what = format!("2 to {AREAS_MAX} Areas are needed, each in one of the five Regions");
        load.report(ContentError::file(AREAS, what));
    }
    if 2 * borders.len() > CROSSINGS {
        load.report(ContentError::file(BORDERS, format!("at most {} borders", CROSSINGS / 2)));
    }
    for (index, border) in borders.iter().enumerate() {
        let same = |other: &BorderRecord| border.between.iter().all(|end| other.between.contains(end));
        if border.between[0] == border.between[1] || borders.iter().take(index).any(|other| same(other)) {
            let name = borders.name_of(&border.id);
            load.report(ContentError::field(BORDERS, &name, "between", "two Areas, and each pair once"));
        }
    }
    if cities.len() > CITIES_MAX || cities.iter().filter(|c| c.class == CityClass::London).count() != 1 {
        let what = format!("at most {CITIES_MAX} Cities, one of them London");
        load.report(ContentError::file(CITIES, what));
    }
    for (index, city) in cities.iter().enumerate() {
        let name = cities.name_of(&city.id);
        if cities.iter().take(index).any(|other| other.area == city.area) {
            load.report(ContentError::field(CITIES, &name, "area", "an Area has at most one City"));
        }
        if city.size == 0 || city.size > 8 || (city.points > 0) != city.sympathy.is_some() {
            let what = "sizes are 1 to 8, and Victory Cities alone have points and sympathy";
            load.report(ContentError::record(CITIES, &name, what));
        }
        if city.fortified != (city.storm > 0) {
            load.report(ContentError::field(CITIES, &name, "storm", "above 0 for Fortified Cities alone"));
        }
    }
}

pub(super) fn check_blocks(load: &mut Loader<'_>, blocks: &Records<BlockRecord>) {
    if blocks.len() > BLOCKS {
        load.report(ContentError::file(BLOCKS_FILE, format!("at most {BLOCKS} blocks")));
    }
    for block in blocks.iter() {
        let name = blocks.name_of(&block.id);
        if !(1..=STRENGTH_MAX).contains(&block.strength) || block.effectiveness > 6 {
            let what = format!("strength is 1 to {STRENGTH_MAX}, effectiveness 0 to 6");
            load.report(ContentError::record(BLOCKS_FILE, &name, what));
        }
        if matches!(block.kind, Kind::Regional | Kind::RegionalLeader) != block.home.is_some()
            || (block.kind == Kind::RegionalLeader && block.home == Some(Letter::London))
        {
            let what = "Regional blocks and Regional Leaders have a home, the others none";
            load.report(ContentError::field(BLOCKS_FILE, &name, "home", what));
        }
        if (block.kind == Kind::Artillery) != (block.class == Class::Artillery) {
            let what = "artillery is a kind and a class of its own";
            load.report(ContentError::field(BLOCKS_FILE, &name, "kind", what));
        }
    }
}

pub(super) fn check_cards(load: &mut Loader<'_>, cards: &Records<CardRecord>, deal: Option<&DealRecord>) {
    if cards.len() > CARDS_MAX {
        load.report(ContentError::file(CARDS, format!("at most {CARDS_MAX} cards")));
    }
    for card in cards.iter() {
        let name = cards.name_of(&card.id);
        let phase = |event: CardEvent| match event {
            _ if event.operational() => PhaseName::Operational,
            CardEvent::QuartermasterGeneral => PhaseName::Supply,
            _ => PhaseName::Tactical,
        };
        if card.event.map(phase) != card.phase {
            load.report(ContentError::field(CARDS, &name, "phase", "the phase of its event"));
        }
        if card.points == 0 || card.points > 9 || card.amount.unwrap_or(1) > 6 {
            load.report(ContentError::record(CARDS, &name, "points are 1 to 9, amounts at most 6"));
        }
    }
    let Some(deal) = deal else { return };
    let enough = stage_of(cards, Stage::Deck).iter().all(|deck| deck.len() >= usize::from(deal.cards));
    if !enough || deal.cards != 6 || deal.discards != 4 {
        let what = "six cards are dealt and four discarded, and each deck must have as many";
        load.report(ContentError::record(TABLES, "deal", what));
    }
}

pub(super) fn check_tables(
    load: &mut Loader<'_>,
    turns: &Records<TurnRecord>,
    withdrawal: &Records<WithdrawalRecord>,
    bombardment: &Records<BombardmentRecord>,
    siege: &Records<SiegeRecord>,
) {
    let years: Vec<u16> = turns.iter().map(|turn| turn.year).collect();
    if years != [1642, 1642, 1643, 1643, 1643, 1643, 1643, 1643] {
        load.report(ContentError::file(TABLES, "two turns of 1642 and six of 1643 are needed"));
    }
    if withdrawal.len() != 6 || withdrawal.iter().any(|row| row.loss > 9) {
        load.report(ContentError::file(TABLES, "six results of withdrawal, with a loss of at most 9"));
    }
    if bombardment.is_empty() || bombardment.iter().any(|row| row.from == 0 || row.breach > 7) {
        load.report(ContentError::file(TABLES, "rows of bombardment begin at 1 or more"));
    }
    if !(1..=9).contains(&siege.len()) {
        load.report(ContentError::file(TABLES, "one to nine rows of sieges"));
    }
}
