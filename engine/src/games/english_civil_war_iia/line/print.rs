//! Actions into a line: what they wrote, in the sequence of the actions, whatever path they took.

use crate::action::ActionId;
use crate::event::Events;
use crate::game::Game;
use crate::seat::Seat;

use super::super::EnglishCivilWar;
use super::super::actions::Action;
use super::super::adjudicator::{LeaderSet, Order, Space};
use super::super::realm::roster;
use super::super::state::draft::{Adjust, Draft, Entry, Fund, Written};
use super::super::state::{Phase, State};

/// Prints actions of `seat` from `state`; actions that are not legal there print in action notation.
pub(in super::super) fn print(
    game: &EnglishCivilWar,
    state: &State,
    seat: Seat,
    actions: &[ActionId],
) -> String {
    let (started, actions) = actions.split_at(finishing(game, state, seat, actions));
    let mut begun = *state;
    started.iter().for_each(|&action| game.apply(&mut begun, seat, action, &mut Events::silent()));
    let mut items: Vec<String> =
        started.iter().map(|&action| game.catalogue().actions.notation(action)).collect();
    items.extend(print_items(game, &begun, seat, actions));
    items.join("; ")
}

/// Returns the number of `actions` that finish a part that was begun before them: they have no line of their own.
fn finishing(game: &EnglishCivilWar, state: &State, seat: Seat, actions: &[ActionId]) -> usize {
    let is_making = |state: &State| match &state.side_drafts[seat.index()].draft {
        Draft::Parts(entry) => entry.part.is_some(),
        _ => false,
    };
    let mut after = *state;
    for (index, &action) in actions.iter().enumerate() {
        if !is_making(&after) || !game.rule_violations(&after, seat, action).is_empty() {
            return index;
        }
        game.apply(&mut after, seat, action, &mut Events::silent());
    }
    actions.len()
}

fn print_items(game: &EnglishCivilWar, state: &State, seat: Seat, actions: &[ActionId]) -> Vec<String> {
    let mut after = *state;
    let mut open = 0;
    let mut done = false;
    for (index, &action) in actions.iter().enumerate() {
        let act = game.actions().act(action);
        let legal = !done && game.rule_violations(&after, seat, action).is_empty();
        if !legal {
            let rest = actions[index..].iter().map(|&action| game.catalogue().actions.notation(action));
            let mut items = written(game, state, &after, seat, &actions[open..index]);
            items.extend(done.then(|| "Done".to_owned()));
            items.extend(rest);
            return items;
        }
        if act == Some(Action::Done) {
            done = true;
            continue;
        }
        game.apply(&mut after, seat, action, &mut Events::silent());
        if is_settled(&after, seat) {
            open = index + 1;
        }
    }
    let loose = if done { &[] } else { &actions[open.min(actions.len())..] };
    let mut items = written(game, state, &after, seat, loose);
    items.extend(done.then(|| "Done".to_owned()));
    items
}

/// Returns whether nothing is half written: no space of orders that has a part, or was picked, and is not closed.
fn is_settled(state: &State, seat: Seat) -> bool {
    match &state.side_drafts[seat.index()].draft {
        Draft::Parts(entry) => entry.untouched() && !entry.picked,
        _ => true,
    }
}

/// Writes what lies between two states of a draft; `loose` are the actions in an unfinished space.
fn written(
    game: &EnglishCivilWar,
    before: &State,
    after: &State,
    seat: Seat,
    loose: &[ActionId],
) -> Vec<String> {
    let printer = Printer { game, state: after, seat };
    let side_draft = seat.index();
    let mut items = match (&before.side_drafts[side_draft].draft, &after.side_drafts[side_draft].draft) {
        (Draft::Influence(before), Draft::Influence(after)) => printer.influence(before, after),
        (Draft::Adjustment(before), Draft::Adjustment(after)) => printer.adjustment(before, after),
        (Draft::Parts(before), Draft::Parts(after)) => printer.parts(before, after),
        _ => Vec::new(),
    };
    items.extend(loose.iter().map(|&action| game.catalogue().actions.notation(action)));
    items
}

struct Printer<'a> {
    game: &'a EnglishCivilWar,
    state: &'a State,
    seat: Seat,
}

impl Printer<'_> {
    fn id(&self, space: Space) -> &str {
        &self.game.realm().county(space).id
    }

    fn influence(&self, before: &Fund, after: &Fund) -> Vec<String> {
        let spent = |space: Space| after.points[space.index()] - before.points[space.index()];
        let spaces = self.game.realm().spaces().filter(|&space| spent(space) > 0);
        spaces.map(|space| format!("I {} {}", self.id(space), spent(space))).collect()
    }

    fn adjustment(&self, before: &Adjust, after: &Adjust) -> Vec<String> {
        let spaces = || self.game.realm().spaces();
        let mut items = Vec::new();
        for space in spaces() {
            match after.removed[space.index()] - before.removed[space.index()] {
                0 => {}
                1 => items.push(format!("X {}", self.id(space))),
                armies => items.push(format!("X {} {armies}", self.id(space))),
            }
        }
        let built = spaces().filter(|&space| after.built.contains(space) && !before.built.contains(space));
        items.extend(built.map(|space| format!("B {}", self.id(space))));
        let placed = roster(self.seat).zip(after.placed.iter()).skip(before.placed.len());
        items.extend(placed.map(|(leader, spot)| {
            format!("P {} {}", self.game.realm().leaders[leader.index()].id, self.id(spot.0))
        }));
        items
    }

    fn parts(&self, before: &Entry, after: &Entry) -> Vec<String> {
        let closed = before.open & !after.open;
        let mut items = Vec::new();
        for space in closed {
            let (mut armies, mut leaders) = self.game.scribe(self.state, self.seat).units_at(space);
            for part in after.parts.iter().filter(|part| part.space == space) {
                armies -= part.armies;
                leaders = leaders - part.leaders;
                if !before.parts.contains(part) {
                    items.push(self.part(part));
                }
            }
            if armies > 0 || !leaders.is_empty() {
                items.push(self.part(&Written { space, armies, leaders, order: Order::Hold }));
            }
        }
        items
    }

    fn part(&self, part: &Written) -> String {
        let units = self.units(part.armies, part.leaders);
        let at = self.id(part.space);
        match (part.order, self.state.phase == Phase::Retreats) {
            (Order::Move(to), true) => format!("{units} {at} R {}", self.id(to)),
            (_, true) => format!("{units} {at} D"),
            (Order::Hold, _) => format!("{units} {at} H"),
            (Order::Move(to), _) => format!("{units} {at}-{}", self.id(to)),
            (Order::Merge(to), _) => format!("{units} {at} MERGE {}", self.id(to)),
            (Order::SupportHold(to), _) => format!("{units} {at} S {}", self.id(to)),
            (Order::SupportMove { from, to }, _) => {
                format!("{units} {at} S {}-{}", self.id(from), self.id(to))
            }
        }
    }

    fn units(&self, armies: u8, leaders: LeaderSet) -> String {
        let names: Vec<&str> =
            leaders.iter().map(|leader| self.game.realm().leaders[leader.index()].id.as_str()).collect();
        let names = names.join("+");
        match (armies, names.is_empty()) {
            (0, _) => format!("L {names}"),
            (1, true) => "A".to_owned(),
            (1, false) => format!("A+{names}"),
            (_, true) => format!("{armies}A"),
            (_, false) => format!("{armies}A+{names}"),
        }
    }
}
