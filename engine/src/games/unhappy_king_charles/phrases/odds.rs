//! Odds in words, by the roles that tell them ([`odds`](super::super::odds)).

/// Code and template of each.
pub(super) const PHRASES: &[(&str, &str)] = &[
    ("odds.may-intercept", "{0} may try:"),
    ("odds.intercepts-in-6", "{0} of 6 faces bring the Interception off"),
    ("odds.evades-in-6", "{0} of 6 faces bring the Evasion off"),
    ("odds.battle-ways", "the dice fall in {0} ways; without a further card"),
    ("odds.attacker-drawn", "{0} draw the Battle with the attacker ahead"),
    ("odds.attacker-indecisive", "{0} win the attacker an Indecisive Victory"),
    ("odds.attacker-major", "{0} win the attacker a Major Victory"),
    ("odds.attacker-decisive", "{0} win the attacker a Decisive Victory"),
    ("odds.defender-drawn", "{0} draw the Battle, and the defender stands"),
    ("odds.defender-indecisive", "{0} win the defender an Indecisive Victory"),
    ("odds.defender-major", "{0} win the defender a Major Victory"),
    ("odds.defender-decisive", "{0} win the defender a Decisive Victory"),
    ("odds.may-bombard", "{0} may Bombard:"),
    ("odds.surrenders-in-6", "{0} of 6 faces make the Fortress surrender"),
    ("odds.storms-in-36", "the Assault succeeds in {0} of 36 ways"),
    ("odds.rises-in-6", "London rises with {0} of 6 faces"),
];
