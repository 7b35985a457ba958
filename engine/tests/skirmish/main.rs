//! The rules of the skirmish, by number: from described positions, with scripted dice that must be used up.

#[macro_use]
#[path = "../support/play.rs"]
mod support;

mod battle;
mod bonus;
mod cards;
mod content;
mod default_action;
mod depth;
mod drill;
mod endings;
mod interception;
mod knowledge;
mod manual;
mod marches;
mod odds;
mod page;
mod pieces;
mod play;
mod positions;
mod sealed;
mod secrets;
mod standing;
mod undo;

notices_each_rule! {
    edgehill_engine::games::skirmish::Skirmish:
    cards, marches, interception, battle, bonus, knowledge, endings, drill,
}
