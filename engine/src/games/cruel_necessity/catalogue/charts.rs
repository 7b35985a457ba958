//! Charts: victory and defeat, income, the score, what a Battle brings, where revolts come.

use crate::catalogue::{AttributeValue, Chart, ChartRow};
use crate::content::Confidence;
use crate::numbered::Listed;

use super::super::content::{ArmyId, CardId, Content, GRADES};

pub(in super::super) fn charts(content: &Content) -> Vec<Chart> {
    vec![
        bands(content),
        defeat(content),
        income(content),
        score(content),
        sectors(content),
        benefits(content),
        quick(content),
        reconnaissance(content),
    ]
}

fn lines(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

/// Victory by the last war and the score; an empty cell is open.
fn bands(content: &Content) -> Chart {
    let numbers = &content.numbers;
    let mut rows = Vec::new();
    for (war, (bands, levels)) in (1..).zip(numbers.bands.iter().zip(&numbers.band_levels)) {
        for (place, (&(least, grade), &level)) in bands.iter().zip(levels).enumerate() {
            let open = || AttributeValue::Text(String::new());
            let least = if least == i32::MIN { open() } else { least.into() };
            let most = bands.get(place + 1).map_or_else(open, |&(next, _)| (next - 1).into());
            let grade = GRADES[usize::from(grade)].1;
            rows.push(ChartRow::new(vec![AttributeValue::Number(war), least, most, grade.into()], level));
        }
    }
    let columns = ["Last war", "Least points", "Most points", "Grade"];
    Chart::new("victory", "Victory", &columns, rows).with_rules_text(lines(&[
        "The score after the last card of the last war that is played; an empty cell is open (rules 11.2, B.0).",
    ]))
}

/// Automatic defeats by the war in which they come: the first three grades, from the worst (11.1).
fn defeat(content: &Content) -> Chart {
    let level = content.numbers.levels.defeat.of("f_grades");
    let rows = (1..).zip(&GRADES[..3]).map(|(war, &(_, name))| {
        ChartRow::new(vec![AttributeValue::Number(war), name.into()], Confidence::Official)
    });
    let mut chart = Chart::new("defeat", "Automatic defeat", &["War", "Grade"], rows.collect());
    chart.entry.confidence = chart.entry.confidence.weakest(level);
    chart.with_rules_text(vec![format!(
        "At the end of a turn the match is lost without London, or with {} markers in boxes of grade F (rules 9.0, 11.1).",
        content.numbers.f_grades
    )])
}

fn income(content: &Content) -> Chart {
    let (zeal, levels) = (&content.numbers.zeal, &content.numbers.levels.zeal);
    let row = |what: &str, number: AttributeValue, field: &str| {
        ChartRow::new(vec![what.into(), number], levels.of(field))
    };
    let rows = vec![
        row("London is Parliament's", zeal.london.into(), "london"),
        row("Each of Hull, Bristol and Oxford that is Parliament's", zeal.fortress.into(), "fortress"),
        row("Catholicism in its top box", zeal.catholicism_top.into(), "catholicism_top"),
        row("Puritanism in its bottom box", zeal.puritanism_bottom.into(), "puritanism_bottom"),
    ];
    Chart::new("income", "Income of Zeal", &["While", "Zeal Points"], rows).with_rules_text(vec![format!(
        "At the end of each turn; never more than {} in all (rule 10.2).",
        zeal.max
    )])
}

fn score(content: &Content) -> Chart {
    let (score, levels) = (&content.numbers.score, &content.numbers.levels.score);
    let row = |what: &str, points: i8, field: &str| {
        ChartRow::new(vec![what.into(), points.into()], levels.of(field))
    };
    let mut rows = vec![
        row("Each Army in its area 4 or 5", score.rear_area, "rear_area"),
        row("Each Disordered Army", score.disordered, "disordered"),
        row("Each Deviltry marker on the map", score.deviltry, "deviltry"),
        row("Each revolt marker on the map", score.revolt, "revolt"),
    ];
    rows.extend(content.forts.iter().filter(|fort| fort.vp != 0).map(|fort| {
        let what = format!("{}, if Parliament's; as much less if the Royalists'", fort.named.name);
        ChartRow::new(vec![what.into(), fort.vp.into()], fort.named.levels.of("vp"))
    }));
    Chart::new("score", "Score", &["What", "Victory Points"], rows).with_rules_text(lines(&[
        "And what boxes of tracks, counters of Armies, rewards and achieved cards say of themselves (rule 5.0).",
    ]))
}

fn sectors(content: &Content) -> Chart {
    let (margin, level) =
        (i32::from(content.numbers.battle.margin), content.numbers.levels.battle.of("margin"));
    let open = || AttributeValue::Text(String::new());
    let row = |least: AttributeValue, most: AttributeValue, place: &str| {
        ChartRow::new(vec![least, most, place.into()], level)
    };
    let rows = vec![
        row(margin.into(), open(), "Victory"),
        row((1 - margin).into(), (margin - 1).into(), "Draw"),
        row(open(), (-margin).into(), "Defeat"),
    ];
    let columns = ["Parliament ahead by, least", "Most", "Its formations go to"];
    Chart::new("sectors", "Sectors of a Battle", &columns, rows).with_rules_text(lines(&[
        "Each side adds a die to the strength of its formations in the sector (rule 7.0).",
        "Where most of Parliament's six formations end decides the Battle (rule 7.0).",
    ]))
}

fn benefits(content: &Content) -> Chart {
    let (costs, levels) = (&content.numbers.battle, &content.numbers.levels.battle);
    let row =
        |what: &str, cost: u8, field: &str| ChartRow::new(vec![what.into(), cost.into()], levels.of(field));
    let rows = vec![
        row("A Zeal Point", costs.zeal_cost, "zeal_cost"),
        row("A track marker up one box", costs.track_cost, "track_cost"),
        row("A click for a fortress of the region", costs.fortress_cost, "fortress_cost"),
        row("The Army weaker by 1 this turn", costs.weaken_one_cost, "weaken_one_cost"),
        row("The Army weaker by 2 this turn", costs.weaken_two_cost, "weaken_two_cost"),
    ];
    Chart::new("benefits", "Benefits of a Major Victory", &["What", "Benefit Points"], rows).with_rules_text(
        vec![format!("A point for each formation in the Victory box beyond {} (rule 7.2).", costs.major)],
    )
}

fn quick(content: &Content) -> Chart {
    let (numbers, levels) = (&content.numbers.quick, &content.numbers.levels.quick);
    let card = |card: CardId| format!("after card {}", content.cards[card].named.id);
    let row = |outcome: &str, when: String, by: i8, fields: &[&str]| {
        ChartRow::new(vec![outcome.into(), when.into(), by.into()], levels.of_all(fields))
    };
    let cromwell = card(content.numbers.cromwell_card);
    let new_model = card(content.numbers.new_model_card);
    let rows = vec![
        row("Victory", "at first".to_owned(), numbers.victory, &["victory"]),
        row("Victory", cromwell, numbers.victory_cromwell, &["victory_cromwell", "cromwell_card"]),
        row("Victory", new_model, numbers.victory_new_model, &["victory_new_model", "new_model_card"]),
        row("Defeat", "always".to_owned(), -numbers.defeat, &["defeat"]),
    ];
    let columns = ["Outcome", "When", "Parliament's die ahead by"];
    Chart::new("quick", "Quick Combat", &columns, rows)
        .with_rules_text(lines(&["An option: one die a side; anything between is a Draw (rule 12.3)."]))
}

/// Dice that find an Army, by Army (12.1).
fn reconnaissance(content: &Content) -> Chart {
    let rows = ArmyId::all(content).map(|army| {
        let found = (1..=6).filter(|&die| super::super::CruelNecessity::is_found(army, die)).count() as i32;
        let army = super::super::actions::Target::Army(army).reference();
        ChartRow::new(vec![army.into(), found.into()], Confidence::Official)
    });
    Chart::new("reconnaissance", "Limited Reconnaissance", &["Army", "Found, in 6"], rows.collect())
        .with_rules_text(lines(&["An option: before a Campaign the Army has to be found (rule 12.1)."]))
}
