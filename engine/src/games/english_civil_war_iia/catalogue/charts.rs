//! Charts: the year, income, strengths, victory.

use crate::catalogue::{Chart, ChartRow};

use super::super::content::{Numbers, Printed};
use super::super::view::{calendar, date_of};
use super::boards::MONTHS;

pub(in super::super) fn charts(numbers: &Numbers, printed: &Printed) -> Vec<Chart> {
    vec![year(numbers, printed), influence(numbers, printed), strengths(printed), victory(numbers, printed)]
}

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

/// Purpose of each month of the first year, from the start on.
fn year(numbers: &Numbers, printed: &Printed) -> Chart {
    let level = printed.figures.calendar.of_all(&["first_month", "movement_months"]);
    let rows = (0..12).map(|passed| {
        let date = date_of(numbers, passed);
        let (_, month) = calendar(numbers, date);
        let what = if date.month == 0 { "points/build season" } else { "movement" };
        ChartRow::new(vec![MONTHS[(month - 1) as usize % 12].into(), date.month.into(), what.into()], level)
    });
    let columns = ["Month", "Movement month, or 0", "What it is for"];
    Chart::new("year", "The first year", &columns, rows.collect()).with_rules_text(lines(&[
        "A points/build season: income, influence in secret, then removals and builds in secret (rule S1).",
        "A movement month: orders in secret, their outcome, retreats, occupation (rule S4).",
    ]))
}

fn influence(numbers: &Numbers, printed: &Printed) -> Chart {
    let figures = &printed.figures;
    let rows = vec![
        ChartRow::new(
            vec![
                "Counties under one's control for a point of income, a remainder bringing one more".into(),
                numbers.counties_per_point.into(),
            ],
            figures.influence.of("counties_per_point"),
        ),
        ChartRow::new(
            vec!["Points by which a month of occupation moves a rating".into(), numbers.occupation.into()],
            figures.occupation.of("points_per_month"),
        ),
        ChartRow::new(
            vec![
                "Movement months that a leader stays in a space to make it a centre".into(),
                numbers.months_for_a_centre.into(),
            ],
            figures.leader.of("months_for_a_centre"),
        ),
    ];
    Chart::new("influence", "Influence", &["What", "Number"], rows).with_rules_text(lines(&[
        "A rating above 0 is the King's, one below 0 Parliament's, at 0 nobody controls the space (rule I1).",
        "Points go anywhere, move ratings at once, and may be saved (rules 4, I3).",
    ]))
}

fn strengths(printed: &Printed) -> Chart {
    let (strengths, figures) = (printed.figures.strengths, &printed.figures);
    let rows = vec![
        ChartRow::new(vec!["An army".into(), strengths.army.into()], figures.army.of("strength")),
        ChartRow::new(
            vec!["A leader alone, in a space that his side controls".into(), strengths.at_home.into()],
            figures.leader.of("strength_at_home"),
        ),
        ChartRow::new(
            vec!["A leader alone elsewhere".into(), strengths.elsewhere.into()],
            figures.leader.of("strength_elsewhere"),
        ),
        ChartRow::new(
            vec!["Each leader with armies adds".into(), strengths.with_army.into()],
            figures.leader.of("strength_with_army"),
        ),
    ];
    Chart::new("strengths", "Strengths", &["What", "Strength"], rows).with_rules_text(vec![
        "The same in defence, attack and support (rules L1, L3, M2).".to_owned(),
        format!("At most {} leaders in a space (rule L6).", strengths.leaders_a_space),
    ])
}

fn victory(numbers: &Numbers, printed: &Printed) -> Chart {
    let figures = &printed.figures;
    let (ratio, limit) = (figures.victory.of("unit_ratio"), figures.limit.of("default"));
    let [_, _, seasons] = numbers.seasons;
    let rows = vec![
        ChartRow::new(
            vec![
                format!("{} times the other side's units", numbers.unit_ratio).into(),
                "at the end of a month or season".into(),
                "11".into(),
            ],
            ratio,
        ),
        ChartRow::new(
            vec![
                "More units, the other side's great leader being lost".into(),
                "at the end of a month or season".into(),
                "11".into(),
            ],
            figures.victory.of("unit_ratio"),
        ),
        ChartRow::new(
            vec![
                "More units; of equals, more counties".into(),
                format!("after so many seasons as the option says, usually {seasons}").into(),
                "V9".into(),
            ],
            limit,
        ),
    ];
    Chart::new("victory", "Victory", &["Who has", "When", "Rule"], rows)
        .with_rules_text(lines(&["Every army is a unit, and so is every leader (rule M16)."]))
}
