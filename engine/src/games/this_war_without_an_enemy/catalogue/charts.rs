//! Charts: the tables of the rules.

use crate::catalogue::{AttributeValue, Chart, ChartRow};
use crate::content::Confidence;
use crate::reference::Ref;

use super::super::content::{Class, Content};
use super::FACE;

pub(in super::super) fn charts(content: &Content) -> Vec<Chart> {
    vec![
        rounds(),
        withdrawal(content),
        bombardment(content),
        siege(content),
        borders(content),
        supply(content),
        victory(content),
        deal(content),
    ]
}

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

/// Fire and its targets, in the order of a Round.
fn rounds() -> Chart {
    let class = |class: Class| AttributeValue::from(Ref::Kind(FACE + class as u16));
    let row = |order: i32, one: Class, rounds: &str, at: &str| {
        let cells = vec![order.into(), class(one), rounds.into(), at.into()];
        ChartRow::new(cells, Confidence::Official)
    };
    let rows = vec![
        row(
            1,
            Class::Artillery,
            "1",
            "Cavalry with one less, or Infantry, as each gun declares (rules 7.41, T13)",
        ),
        row(2, Class::Cavalry, "1 to 3", "Cavalry; where there is none, Infantry with one more (rule 7.42)"),
        row(3, Class::Infantry, "1 to 3", "Infantry; then Cavalry (rules 7.44, T15)"),
    ];
    Chart::new("rounds", "A Battle Round", &["Order", "Class", "Rounds", "Hits"], rows).with_rules_text(lines(&[
        "In each step the Defender's blocks roll first, then the Attacker's (rule 7.3).",
        "A block rolls as many dice as it has strength; a die hits that shows no more than its effectiveness (rules 3.11, 3.12).",
    ]))
}

fn withdrawal(content: &Content) -> Chart {
    let last = content.withdrawal.len();
    let rows = (1..).zip(content.withdrawal.iter().zip(&content.levels.withdrawal));
    let rows = rows.map(|(roll, (&(success, loss), levels))| {
        let label = match roll {
            1 => "1 or less".to_owned(),
            roll if roll == last => format!("{roll} or more"),
            roll => roll.to_string(),
        };
        let cells = vec![(roll as i32).into(), label.into(), success.into(), loss.into()];
        ChartRow::new(cells, levels.of_all(&["success", "loss"]))
    });
    let columns = ["Roll", "In words", "Withdraws", "Strength lost"];
    Chart::new("withdrawal", "Withdraw before Battle", &columns, rows.collect()).with_rules_text(lines(&[
        "A die, and one more for each Cavalry block of the Defender, one less for each of the Attacker's (rule 7.2).",
        "One more if the Defender has Cavalry alone, one less if he has Artillery (rule T8).",
        "With Cavalry on one side alone no die is rolled: the Defender's withdraws without loss, against the Attacker's he fails as with the lowest roll (rule T9).",
    ]))
}

fn bombardment(content: &Content) -> Chart {
    let rows = content.bombardment.iter().zip(&content.levels.bombardment).map(|(&(from, least), levels)| {
        let cells = vec![from.into(), least.into(), 7u8.saturating_sub(least).into()];
        ChartRow::new(cells, levels.of_all(&["from", "breach"]))
    });
    let columns = ["Strength of the Artillery, from", "Least die", "A breach, in 6"];
    Chart::new("bombardment", "Bombardment", &columns, rows.collect()).with_rules_text(lines(&[
        "The strength of all the besieger's Artillery together, which is announced; below the first row there is no roll (rule G16).",
    ]))
}

fn siege(content: &Content) -> Chart {
    let mut rows = Vec::new();
    for (marker, ((attrition, surrender), levels)) in
        (1..).zip(content.siege.iter().zip(&content.levels.siege))
    {
        for die in 0..6 {
            let cells = vec![
                AttributeValue::Number(marker),
                (die as i32 + 1).into(),
                attrition[die].said().into(),
                surrender[die].into(),
            ];
            rows.push(ChartRow::new(cells, levels.of_all(&["attrition", "surrender"])));
        }
    }
    let columns = ["Siege Marker", "Die", "Who loses strength", "Surrender"];
    Chart::new("siege", "Siege Resolution", &columns, rows).with_rules_text(lines(&[
        "One die for each City with a marker of 1 or more, in order (rule 9.2).",
        "Those who lose strength lose as much as they have Infantry and Cavalry blocks (rule 9.21).",
        "Then every marker that is left rises by one, up to the last row (rule 9.3).",
    ]))
}

fn borders(content: &Content) -> Chart {
    let limits = &content.levels.limits;
    let rows = vec![
        ChartRow::new(vec!["open".into(), "no limit".into()], Confidence::Official),
        ChartRow::new(vec!["river".into(), content.limits[0].to_string().into()], limits.of("river")),
        ChartRow::new(vec!["mountain".into(), content.limits[1].to_string().into()], limits.of("mountain")),
    ];
    Chart::new("borders", "Borders", &["Border", "Blocks across it"], rows).with_rules_text(lines(&[
        "Blocks of a side that may cross into Areas with enemies outside a City, for each direction and each Operational Phase (rule 6.13).",
        "No more than that cross it in a Retreat either (rule V3).",
    ]))
}

fn supply(content: &Content) -> Chart {
    let levels = &content.levels.supply;
    let of =
        |mountain: bool| content.areas.iter().find(|area| area.mountain == mountain).map(|area| area.supply);
    let rows = [
        (false, "Area", ["blocks", "cavalry"]),
        (true, "Mountain Area", ["mountain_blocks", "mountain_cavalry"]),
    ];
    let rows = rows.into_iter().filter_map(|(mountain, name, fields)| {
        let (blocks, horse) = of(mountain)?;
        Some(ChartRow::new(vec![name.into(), blocks.into(), horse.into()], levels.of_all(&fields)))
    });
    let columns = ["RuleViolation", "Blocks supplied", "Of these at most as Cavalry"];
    Chart::new("supply", "Supply", &columns, rows.collect()).with_rules_text(lines(&[
        "Infantry and Cavalry blocks; a City supplies more Infantry, but not to a besieger (rule 9.11).",
        "As few blocks as possible go short, picked by their owner, and lose one strength each (rule 9.12).",
    ]))
}

fn victory(content: &Content) -> Chart {
    let level = content.levels.victory.of("major");
    let major = i32::from(content.major);
    let row = |least: AttributeValue, most: AttributeValue, when: &str, grade: &str| {
        ChartRow::new(vec![least, most, when.into(), grade.into()], level)
    };
    let open = || AttributeValue::Text(String::new());
    let rows = vec![
        row(major.into(), open(), "in any Victory Phase", "Royalist Major Victory"),
        row(1.into(), (major - 1).into(), "after the last Turn", "Royalist Minor Victory"),
        row((1 - major).into(), 0.into(), "after the last Turn", "Parliamentarian Minor Victory"),
        row(open(), (-major).into(), "in any Victory Phase", "Parliamentarian Major Victory"),
    ];
    let columns = ["Royalists' points, least", "Most", "When", "Victory"];
    Chart::new("victory", "Victory", &columns, rows).with_rules_text(lines(&[
        "Each change of hands of a Victory City moves the marker at once, by the City's points (rule 4.51).",
        "There is no Victory Phase in 1642 (rule A10).",
    ]))
}

fn deal(content: &Content) -> Chart {
    let levels = &content.levels.deal;
    let rows = vec![
        ChartRow::new(
            vec!["Dealt to each side at the start of a year".into(), content.deal.into()],
            levels.of("cards"),
        ),
        ChartRow::new(
            vec!["Laid aside by each side in 1642".into(), content.discards.into()],
            levels.of("discards"),
        ),
    ];
    Chart::new("deal", "Cards of a year", &["What", "Cards"], rows)
}
