//! Charts: the two tables that a player rolls on, and what wins.

use crate::catalogue::{Chart, ChartRow};
use crate::content::Confidence;

use super::super::content::Content;
use super::super::state::SIDE;

pub(in super::super) fn charts(content: &Content) -> Vec<Chart> {
    let hits = |strength: usize| {
        ChartRow::new(vec![(strength as i32).into(), (strength as i32).into()], Confidence::Official)
    };
    let least = content.interception_at_least;
    let attempt =
        ChartRow::new(vec![least.into(), (7 - least).into()], content.levels.of("interception_at_least"));
    let victory =
        |when: &str, winner: &str| ChartRow::new(vec![when.into(), winner.into()], Confidence::Official);
    let victories = vec![
        victory("at the end of an activation (rule 8.1)", "who stands alone in the enemy's camp"),
        victory("after a battle (rule 8.2)", "who has blocks left where the enemy has none"),
        victory("after the last turn (rule 8.3)", "who has more blocks; equal numbers are a draw"),
    ];
    vec![
        Chart::new("victory", "Victory", &["When", "The side that wins"], victories)
            .with_rules_text(vec!["In the drill the player loses after the last turn (rules 8.3, 9.1).".to_owned()]),
        Chart::new("battle", "Battle", &["Strength of the block", "It hits, in 6"], (1..=SIDE).map(hits).collect())
            .with_rules_text(vec!["Each block of both sides rolls a die, and hits if it shows no more than its strength (rule 5.1).".to_owned()]),
        Chart::new("interception", "Interception", &["Least die", "It succeeds, in 6"], vec![attempt])
            .with_rules_text(vec!["A stack that tries to intercept rolls one die (rule 4.2).".to_owned()]),
    ]
}
