//! English Civil War IIa: a two-sided Diplomacy variant with stacks of armies, leaders and influence.

pub mod adjudicator;
