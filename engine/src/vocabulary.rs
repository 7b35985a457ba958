//! The contract's words that most files of a game's rules need: `use crate::vocabulary::*`.

pub(crate) use std::ops::ControlFlow;

pub(crate) use crate::action::ActionId;
pub(crate) use crate::chance::{Chance, Class, Outcome};
pub(crate) use crate::event::{Event, Events, Scene};
pub(crate) use crate::game::{CONTRACT, Game, MatchResult, Node};
pub(crate) use crate::reference::{Location, Ref};
pub(crate) use crate::refusal::Why;
pub(crate) use crate::seat::{Observer, Seat, SeatSet};
pub(crate) use crate::setup::Setup;
