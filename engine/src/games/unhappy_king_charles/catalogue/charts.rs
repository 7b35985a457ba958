//! Charts: the tables of the rules, and what wins.

use crate::catalogue::{AttributeValue, Chart, ChartRow};
use crate::content::Confidence;

use super::super::content::Content;
use super::super::content::map::LineKind;

/// How sure the fields of one of the rules' tables are.
fn level(content: &Content, table: &str, fields: &[&str]) -> Confidence {
    let found = content.numbers.levels.iter().find(|(name, _)| *name == table);
    found.map_or(Confidence::Official, |(_, levels)| levels.of_all(fields))
}

fn official(cells: Vec<AttributeValue>) -> ChartRow {
    ChartRow::new(cells, Confidence::Official)
}

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

pub(in super::super) fn charts(content: &Content) -> Vec<Chart> {
    vec![
        movement(content),
        costs(content),
        attempts(content),
        battle(content),
        bombardment(content),
        assault(content),
        desertion(content),
        victory(content),
    ]
}

/// The Movement Table (9.2).
fn movement(content: &Content) -> Chart {
    let row = |allowance: &super::super::content::numbers::Allowance| {
        official(vec![allowance.up_to.into(), allowance.points.into(), allowance.areas.into()])
    };
    let rows = content.numbers.allowances.iter().map(row).collect();
    let columns = ["Brigades, up to", "Movement Points", "Areas of an Evasion or Retreat"];
    Chart::new("movement", "Movement", &columns, rows).with_rules_text(lines(&[
        "By the size of the Army at that moment; it stops once it has spent as many (rule 9.2).",
    ]))
}

/// Movement Points (9.2 to 9.6).
fn costs(content: &Content) -> Chart {
    let numbers = &content.numbers.movement;
    let line = |kind: LineKind, name: &str| official(vec![name.into(), numbers.lines[kind as usize].into()]);
    let of = |name: &str, points: u8| official(vec![name.into(), points.into()]);
    let rows = vec![
        line(LineKind::Road, "A road"),
        line(LineKind::Mountain, "A way over mountains"),
        line(LineKind::Maritime, "A Maritime line, two Brigades at most on a card"),
        of("A marker in the Area (rule 9.6)", numbers.marker),
        of("A Siege marker is taken off (rule 9.2)", numbers.lift_siege),
        of("Leaving an Area where a Battle was won (rule 9.4)", numbers.leave_battle),
        of("Leaving the map for Scotland (rule 6.5)", numbers.leave_map),
    ];
    Chart::new("costs", "Costs of movement", &["For", "Movement Points"], rows)
}

/// Interception and Evasion (9.7.2, 10.1).
fn attempts(content: &Content) -> Chart {
    let row = |name: &str, one: &super::super::content::numbers::Attempt| {
        official(vec![
            name.into(),
            one.at_least.into(),
            one.better.into(),
            one.worse.into(),
            one.lines[LineKind::Mountain as usize].into(),
            one.lines[LineKind::Maritime as usize].into(),
        ])
    };
    let rows =
        vec![row("Interception", &content.numbers.interception), row("Evasion", &content.numbers.evasion)];
    let columns = ["Attempt", "Least score", "Better rating", "Worse rating", "By mountains", "By sea"];
    Chart::new("attempts", "Interception and Evasion", &columns, rows).with_rules_text(lines(&[
        "A die with these; Strategy Ratings are compared, and the lower one is better (rules 9.7.2, 10.1).",
    ]))
}

/// Results of Battles (10.2, 10.7).
fn battle(content: &Content) -> Chart {
    let numbers = &content.numbers.battle;
    let row = |from: u8, name: &str, loser: u8, winner: u8, cards: u8| {
        official(vec![from.into(), name.into(), loser.into(), winner.into(), cards.into()])
    };
    let rows = vec![
        row(0, "Drawn", numbers.drawn_losses, numbers.drawn_losses, 0),
        row(numbers.drawn.saturating_add(1), "Indecisive", numbers.indecisive_losses, 0, 0),
        row(numbers.major, "Major", numbers.major_losses, 0, numbers.major_cards),
        row(numbers.major, "Decisive", numbers.major_losses, 0, numbers.decisive_cards),
    ];
    let columns = ["Margin, from", "Victory", "Loser loses", "Winner loses", "Cards"];
    Chart::new("battle", "Battle", &columns, rows).with_rules_text(lines(&[
        "A die, the Combat Values, the Battle Rating of the commander and a Combat Card make the score (rule 10.2).",
        "A Major Victory is Decisive if its winner played a Decisive card (rule 10.2).",
        "The Royalist draws bonus cards from the deck, Parliament from the discard pile (rule 10.7).",
    ]))
}

/// Bombardment (14.3).
fn bombardment(content: &Content) -> Chart {
    let numbers = &content.numbers.siege;
    let rows = vec![
        official(vec!["With the Siege Train, or enough of the New Model Army".into(), numbers.train.into()]),
        official(vec!["At a Port, with the Naval Status for the besieged".into(), numbers.port.into()]),
        official(vec!["Against a Local Notable".into(), numbers.notable.into()]),
    ];
    Chart::new("bombardment", "Bombardment", &["When", "Added to the die"], rows).with_rules_text(lines(&[
        "What is above 0 adds to the Bombardment Value; at the Surrender Value the Fortress Surrenders (rules 14.3, 14.4).",
    ]))
}

/// Assault (14.5).
fn assault(content: &Content) -> Chart {
    let numbers = &content.numbers.siege;
    let mut rows = vec![official(vec!["Attacking Brigades, at most".into(), numbers.attackers.into()])];
    for (class, &added) in numbers.classes.iter().enumerate().skip(1) {
        rows.push(official(vec![format!("A Fortress of class {class}").into(), added.into()]));
    }
    rows.push(official(vec!["Each defending Brigade".into(), (-1).into()]));
    let early = format!("With a Bombardment Value below {}", numbers.assault_value);
    rows.push(official(vec![early.into(), numbers.early.into()]));
    Chart::new("assault", "Assault", &["What counts", "Added to two dice"], rows).with_rules_text(vec![
        format!(
            "With {} or more the Fortress falls; the best Brigade is lost in any case (rule 14.5).",
            numbers.assault
        ),
    ])
}

/// Desertion (12.2).
fn desertion(content: &Content) -> Chart {
    let large = format!("Armies of {} or more", content.numbers.desertion.large_army);
    let of = |order: i32, what: AttributeValue| official(vec![order.into(), what]);
    let rows = vec![
        of(1, "Armies of Regional Generals outside of their Regions".into()),
        of(2, large.into()),
        of(3, "Armies beside an enemy Army".into()),
        of(4, "Armies on an enemy marker".into()),
        of(5, "Any Area".into()),
    ];
    Chart::new("desertion", "Desertion", &["Order", "Who deserts"], rows).with_rules_text(vec![format!(
        "One Brigade an Area in each category, round and round, until the Desertion Number is met; never below {} on the map (rules 12.1, 12.2).",
        content.numbers.desertion.floor
    )])
}

/// What wins (17.0).
fn victory(content: &Content) -> Chart {
    let numbers = &content.numbers.victory;
    let capital = &content.areas[numbers.capital].named.name;
    let level =
        level(content, "victory", &["regions", "turns", "points", "region_points", "infrastructure_points"]);
    let row = |when: String, who: &str| ChartRow::new(vec![when.into(), who.into()], level);
    let rows = vec![
        row("King Charles Surrenders (rule 17.1)".to_owned(), "Parliament"),
        row(
            format!(
                "{capital} and most of {} Regions for {} Turns in a row (rule 17.1)",
                numbers.regions, numbers.turns
            ),
            "The Royalist",
        ),
        row("The enemy alone is below the Power Base Number (rule 17.2)".to_owned(), "The other side"),
        row("Both are below it (rule 17.2)".to_owned(), "Nobody"),
        row(
            format!(
                "After the last Turn {} points of Regions ({} each) and infrastructures ({} each) (rule 17.3)",
                numbers.points, numbers.region_points, numbers.infrastructure_points
            ),
            "Parliament; with fewer the Royalist",
        ),
    ];
    Chart::new("victory", "Victory", &["When", "Who wins"], rows)
}
