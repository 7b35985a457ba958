//! The action table: verbs, their actions, and the two ways between ids and actions.

use std::collections::BTreeMap;

use crate::action::{ActionId, ActionTable, ActionTableError, VerbKind};
use crate::reference::Ref;

use super::content::Content;
use super::state::{BLOCKS, SIDE};

/// An action, as the rules read it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Action {
    Card(u16),
    Done,
    March(u8, u8),
    Take(u8),
    Go,
    Intercept(u8),
    Pass,
    Retreat(u8),
    Scout(u8),
    Keep,
}

/// The two ways between ids and actions.
#[derive(Debug, Default)]
pub(super) struct Actions {
    list: Vec<Action>,
    ids: BTreeMap<Action, ActionId>,
}

impl Actions {
    /// The action of an id that the table has.
    pub(super) fn get(&self, id: ActionId) -> Action {
        self.list[usize::from(id.0)]
    }

    /// The id of an action that the table has.
    pub(super) fn id(&self, action: Action) -> ActionId {
        self.ids[&action]
    }
}

/// The table, and the meaning of its ids.
pub(super) fn action_table(content: &Content) -> Result<(ActionTable, Actions), ActionTableError> {
    let mut table = ActionTable::default();
    let mut actions = Actions::default();
    let mut add = |table: &mut ActionTable, verb: u8, action: Action, refs: &[Ref], notation: String| {
        let id = table.add(verb, refs, notation)?;
        actions.list.push(action);
        actions.ids.insert(action, id);
        Ok::<(), ActionTableError>(())
    };
    let name = |space: u8| &content.spaces[usize::from(space)].id;
    let spaces = 0..content.spaces.len() as u8;
    let verb = table.verb("card", VerbKind::Play, "Choose a card", &["card"]);
    for (card, named) in content.card_names.iter().enumerate() {
        let card = card as u16;
        add(&mut table, verb, Action::Card(card), &[Ref::Card(card)], format!("card {}", named.id))?;
    }
    let verb = table.verb("march", VerbKind::Play, "March along a road", &["from", "to"]);
    for from in spaces.clone() {
        for &to in &content.roads[usize::from(from)] {
            let refs = [Ref::Space(from.into()), Ref::Space(to.into())];
            add(
                &mut table,
                verb,
                Action::March(from, to),
                &refs,
                format!("march {} {}", name(from), name(to)),
            )?;
        }
    }
    let verb = table.verb("take", VerbKind::Play, "Take a block along", &["block"]);
    for block in 0..BLOCKS as u8 {
        let side = ["north", "south"][usize::from(block) / SIDE];
        let notation = format!("take {side}-{}", usize::from(block) % SIDE + 1);
        add(&mut table, verb, Action::Take(block), &[Ref::Piece(block.into())], notation)?;
    }
    let over_spaces: [(&str, &str, &[&str]); 3] = [
        ("intercept", "Intercept with the stack at", &["from"]),
        ("retreat", "Retreat to", &["to"]),
        ("scout", "Turn up a block at", &["at"]),
    ];
    for (id, title, refs) in over_spaces {
        let verb = table.verb(id, VerbKind::Play, title, refs);
        for space in spaces.clone() {
            let action = match id {
                "intercept" => Action::Intercept(space),
                "retreat" => Action::Retreat(space),
                _ => Action::Scout(space),
            };
            add(&mut table, verb, action, &[Ref::Space(space.into())], format!("{id} {}", name(space)))?;
        }
    }
    for (id, kind, title, action) in [
        ("go", VerbKind::Play, "March with those", Action::Go),
        ("keep", VerbKind::Pass, "Keep the bonus card", Action::Keep),
        ("pass", VerbKind::Pass, "Let them pass", Action::Pass),
        ("done", VerbKind::Done, "Done", Action::Done),
    ] {
        let verb = table.verb(id, kind, title, &[]);
        add(&mut table, verb, action, &[], id.to_owned())?;
    }
    Ok((table, actions))
}
