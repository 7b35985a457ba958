//! Texts: what armies and leaders do, from the numbers.

use super::super::adjudicator::LeaderId;
use super::super::content::{Figures, Numbers};
use super::super::realm::{Leader, ROYALIST, side_of};

pub(in super::super) fn army(figures: &Figures) -> Vec<String> {
    let strengths = figures.strengths;
    vec![
        format!(
            "Strength {}; armies of a side may stand together and act as one (rules M1, M2)",
            strengths.army
        ),
        "Needs the support of a centre, or is removed in the next points/build season (rules 7, B1)"
            .to_owned(),
        "In enemy ground for a whole month it moves the rating towards its side (rule 5)".to_owned(),
    ]
}

pub(in super::super) fn leader_kind(numbers: &Numbers, figures: &Figures) -> Vec<String> {
    let strengths = figures.strengths;
    vec![
        format!(
            "Alone it has strength {} in ground of its side and {} elsewhere; with armies it adds {} (rules L1, L3)",
            strengths.at_home, strengths.elsewhere, strengths.with_army
        ),
        format!(
            "After {} movement months in one space it makes a centre there (rules B6, B7)",
            numbers.months_for_a_centre
        ),
        "Alone under enemy control it is taken, and lost for good (rules L8, L12)".to_owned(),
    ]
}

pub(in super::super) fn leader(
    numbers: &Numbers,
    figures: &Figures,
    id: LeaderId,
    leader: &Leader,
) -> Vec<String> {
    let side = if side_of(id) == ROYALIST { "the Royalists" } else { "Parliament" };
    let mut text = vec![format!("A leader of {side}, who begins in a home centre of their choice (rule 10)")];
    text.extend(leader_kind(numbers, figures));
    if leader.decisive {
        text.push("Once it is lost the other side wins with more units (rule 11)".to_owned());
    }
    text
}
