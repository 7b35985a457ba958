//! Knowledge of hidden faces beyond the bags: what Cities hold, what Siege Markers show, and what was announced in the
//! procedure under way.

use crate::seat::Seat;

use super::super::ThisWar;
use super::super::frames::Frame;
use super::super::state::{
    ACTING, Fight, FightKind, HELD, JOINED, MOVING, NONE, RESERVE, Relief, Stage, State, UNMARKED, each,
};

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
                let off = |area: u8| {
                    game.shortage(state, seat, area, 0, 0).abs_diff(state.short[usize::from(area)].into())
                };
                (area..game.content.areas.len() as u8).map(off).sum()
            }
            Frame::Short { seat, area, left, picked, .. } if hidden(seat) => {
                game.shortage(state, seat, area, picked, 0).abs_diff(left.into())
            }
            Frame::FeverLoss { seat, area, left, first } if hidden(seat) && first == NONE => {
                let field = (state.out(&game.content, area, seat) & game.content.field()).count_ones();
                let most = u32::from(game.amount_of(state, seat.other()));
                field.min(most).abs_diff(left.into())
            }
            Frame::Desertion { seat, regional } if hidden(seat) => {
                let abroad = game.abroad(state, seat).count_ones();
                if regional { u32::from(abroad == 0) } else { abroad }
            }
            Frame::Attrition { city, left, horse, .. } if hidden(game.besieged(state, city)) => {
                let within = state.at(game.content.city_place(city));
                let field = state.strength(within & game.content.field());
                u32::from(left).saturating_sub(field) + u32::from(horse && within & game.content.horse == 0)
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
    let going = game.own_with(state, seat, ACTING | MOVING);
    let mut faults = 0;
    for area in 0..game.content.areas.len() as u8 {
        let party = going & state.at(area);
        let alone = game.unattended(party, area, party);
        let moving = state.flagged(alone, MOVING);
        faults += (alone & !moving).count_ones();
        faults += if entered == Some(area) || moving == 0 {
            moving.count_ones()
        } else {
            game.homeless(state, seat, area, [moving, 0, 0]).count_ones()
        };
    }
    faults
}

/// 6.15, 8.01: Cities hold no more than their Size; a marker tells how many besiege at least, none how many at most.
fn sieges(game: &ThisWar, state: &State, own: Option<Seat>) -> u32 {
    let content = &game.content;
    let mut faults = 0;
    for (index, city) in content.cities.iter().enumerate() {
        let within = state.at(content.city_place(index as u8));
        if within == 0 {
            continue;
        }
        let side = Seat::new(u8::from(within & content.of_side[0] == 0));
        let size = u32::from(city.size);
        if Some(side) != own {
            faults += (within & content.field()).count_ones().saturating_sub(size);
        }
        if state.siege[index] < UNMARKED || Some(side.other()) == own {
            continue;
        }
        let outside = (state.out(content, city.area, side.other()) & content.field()).count_ones();
        let marked = state.siege[index] > UNMARKED;
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
    let horse = |set: u64| (set & content.horse).count_ones();
    let mut faults = 0;
    if fight.tried && fight.round == 0 && fight.stage <= Stage::Retreat {
        let (defence, attack) = (game.defence(state, fight), game.attack(state, fight));
        if hidden(defender) {
            faults += horse(defence).abs_diff(fight.horse[0].into());
            faults += u32::from((defence & content.guns != 0) != fight.guns);
            let others = defence & !content.horse != 0;
            let spent = fight.stage > Stage::WithdrawLoss && fight.horse[0] == 0;
            faults += u32::from(if fight.horse_only { others } else { !others && !spent });
        }
        if hidden(attacker) {
            faults += horse(attack).abs_diff(fight.horse[1].into());
            if fight.waits {
                let foot = |set: u64| (set & content.foot).count_ones();
                let own = state.out(content, fight.area, attacker) | attack;
                let waiting = state.flagged(own, RESERVE);
                let main = each(waiting).filter(|&block| state.blocks[block].by == fight.main);
                let main = main.fold(0u64, |set, block| set | 1 << block);
                faults += foot(attack) + (main.count_ones() - foot(main));
            }
        }
    }
    if fight.relief == Relief::Maintained && hidden(defender) {
        let own = state.out(content, fight.area, defender);
        let held = state.flagged(own, HELD);
        let size = content.cities.get(usize::from(fight.city)).map_or(0, |city| u32::from(city.size));
        faults += size.saturating_sub((held & content.field()).count_ones());
        if fight.round == 0 {
            faults += u32::from(own & !held & content.field() == 0);
        }
    }
    if matches!(fight.kind, FightKind::Sally | FightKind::SallyBattle) && hidden(attacker) {
        // Artillery may come along to a Battle, not alone; not against a marker.
        let out = game.fighters(state, fight, attacker, JOINED);
        let guns = out & !content.field();
        faults += match fight.kind {
            FightKind::Sally => guns.count_ones(),
            _ => u32::from(fight.stage > Stage::SallyPick && out != 0 && out == guns),
        };
    }
    if fight.stage == Stage::BombardRoll && hidden(attacker) {
        faults += state.strength(game.besieging_guns(state, fight)).abs_diff(fight.owed.into());
    }
    faults
}
