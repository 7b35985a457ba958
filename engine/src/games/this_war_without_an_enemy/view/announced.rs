//! Knowledge of hidden faces beyond the bags: what Cities hold, what Siege Markers show, and what was announced in the
//! procedure under way.

use crate::numbered::Listed;
use crate::seat::Seat;

use super::super::ThisWar;
use super::super::content::things::{AreaId, BlockSet, CityId};
use super::super::frames::Frame;
use super::super::state::{Fight, FightKind, Flags, Relief, Stage, State, UNMARKED};

/// Returns how far a state is from what everybody knows; 0 in every true one. Nothing is asked of the blocks
/// of `own`, which are seen.
pub(in super::super) fn faults(game: &ThisWar, state: &State, own: Option<Seat>) -> u32 {
    let hidden = |seat: Seat| Some(seat) != own;
    let mut faults = sieges(game, state, own);
    if let Some(fight) = &state.fight {
        faults += of_fight(game, state, fight, own);
    }
    for frame in state.frames.iter() {
        faults += match *frame {
            Frame::Supply { done, area } if hidden(state.player(done)) => {
                let seat = state.player(done);
                let off = |area: AreaId| {
                    let none = BlockSet::EMPTY;
                    game.shortage(state, seat, area, none, none).abs_diff(state.short[area].into())
                };
                AreaId::all(&game.content).skip(area).map(off).sum()
            }
            Frame::Short { seat, area, left, picked, .. } if hidden(seat) => {
                game.shortage(state, seat, area, picked, BlockSet::EMPTY).abs_diff(left.into())
            }
            Frame::FeverLoss { seat, area, left, first } if hidden(seat) && first.is_none() => {
                let field = (state.out(&game.content, area, seat) & game.content.field()).count();
                let most = u32::from(game.amount_of(state, seat.other()));
                field.min(most).abs_diff(left.into())
            }
            Frame::Desertion { seat, regional } if hidden(seat) => {
                let abroad = game.abroad(state, seat).count();
                if regional { u32::from(abroad == 0) } else { abroad }
            }
            Frame::Attrition { city, left, horse, .. } if hidden(game.besieged(state, city)) => {
                let within = state.at(game.content.city_place(city));
                let field = state.strength(within & game.content.field());
                u32::from(left).saturating_sub(field) + u32::from(horse && !within.meets(game.content.horse))
            }
            Frame::GroupMove { seat, .. } if hidden(seat) => on_the_way(game, state, seat),
            _ => 0,
        };
    }
    faults
}

/// 6.16: a Group Move that waits for the other side can be completed: blocks alone outside home can still
/// step home, but not where enemies may yet stop them.
fn on_the_way(game: &ThisWar, state: &State, seat: Seat) -> u32 {
    let entered = state.frames.iter().find_map(|frame| match frame {
        Frame::Window { area, .. } => Some(*area),
        _ => None,
    });
    let going = game.own_with(state, seat, Flags::ACTING | Flags::MOVING);
    let mut faults = 0;
    for area in AreaId::all(&game.content) {
        let party = going & state.at(area);
        let alone = game.unattended(party, area, party);
        let moving = state.flagged(alone, Flags::MOVING);
        faults += (alone - moving).count();
        faults += if entered == Some(area) || moving.is_empty() {
            moving.count()
        } else {
            game.homeless(state, seat, area, [moving, BlockSet::EMPTY, BlockSet::EMPTY]).count()
        };
    }
    faults
}

/// 6.15, 8.01: Cities hold no more than their Size; a marker tells how many besiege at least, none how many at most.
fn sieges(game: &ThisWar, state: &State, own: Option<Seat>) -> u32 {
    let content = &game.content;
    let mut faults = 0;
    for id in CityId::all(content) {
        let city = &content.cities[id];
        let within = state.at(content.city_place(id));
        if within.is_empty() {
            continue;
        }
        let side = Seat::new(u8::from(!within.meets(content.of_side[0])));
        let size = u32::from(city.size);
        if Some(side) != own {
            faults += (within & content.field()).count().saturating_sub(size);
        }
        if state.siege[id] < UNMARKED || Some(side.other()) == own {
            continue;
        }
        let outside = (state.out(content, city.area, side.other()) & content.field()).count();
        let marked = state.siege[id] > UNMARKED;
        // While they fight, a marker that has gone may be owed again.
        let fighting = state.fight.is_some_and(|fight| fight.area == city.area);
        if marked {
            faults += size.saturating_sub(outside);
        } else if !fighting {
            faults += (outside + 1).saturating_sub(size);
        }
    }
    faults
}

/// 7.2, 8.1, 8.2, 8.3: what was announced in a fight, and who alone may have been named for it.
fn of_fight(game: &ThisWar, state: &State, fight: &Fight, own: Option<Seat>) -> u32 {
    let content = &game.content;
    let hidden = |seat: Seat| Some(seat) != own;
    let (attacker, defender) = (fight.attacker, fight.defender());
    let horse = |set: BlockSet| (set & content.horse).count();
    let mut faults = 0;
    if fight.tried && fight.round == 0 && fight.stage <= Stage::Retreat {
        let (defence, attack) = (game.defence(state, fight), game.attack(state, fight));
        if hidden(defender) {
            faults += horse(defence).abs_diff(fight.horse[0].into());
            faults += u32::from(defence.meets(content.guns) != fight.guns);
            let others = !(defence - content.horse).is_empty();
            let spent = fight.stage > Stage::WithdrawLoss && fight.horse[0] == 0;
            faults += u32::from(if fight.horse_only { others } else { !others && !spent });
        }
        if hidden(attacker) {
            faults += horse(attack).abs_diff(fight.horse[1].into());
            if fight.waits {
                let foot = |set: BlockSet| (set & content.foot).count();
                let own = state.out(content, fight.area, attacker) | attack;
                let waiting = state.flagged(own, Flags::RESERVE);
                let main = waiting.that(|block| state.blocks[block].by == fight.main);
                faults += foot(attack) + (main.count() - foot(main));
            }
        }
    }
    if fight.relief == Relief::Maintained && hidden(defender) {
        let own = state.out(content, fight.area, defender);
        let held = state.flagged(own, Flags::HELD);
        let size = fight.city.map_or(0, |city| u32::from(content.cities[city].size));
        faults += size.saturating_sub((held & content.field()).count());
        if fight.round == 0 {
            faults += u32::from(!(own - held).meets(content.field()));
        }
    }
    if matches!(fight.kind, FightKind::Sally | FightKind::SallyBattle) && hidden(attacker) {
        // Artillery may come along to a Battle, not alone; not against a marker.
        let out = game.fighters(state, fight, attacker, Flags::JOINED);
        let guns = out - content.field();
        faults += match fight.kind {
            FightKind::Sally => guns.count(),
            _ => u32::from(fight.stage > Stage::SallyPick && !out.is_empty() && out == guns),
        };
    }
    if fight.stage == Stage::BombardRoll && hidden(attacker) {
        faults += state.strength(game.besieging_guns(state, fight)).abs_diff(fight.owed.into());
    }
    faults
}
