//! The worked months of English Civil War IIa, as far as the adjudicator has a say in them: results,
//! dislodgements, retreats, stand-offs, and where the units stand in the end.

use super::land::{LEADERS, Land, Line, Told, leaders, side};
use edgehill_engine::games::english_civil_war_iia::adjudicator::*;
use serde_json::Value;

const EXAMPLES: &str = include_str!("../data/english-civil-war-iia/worked_examples.json");
const SIDES: [&str; 2] = ["R", "P"];

/// The comparisons made, so that an example whose expectations are not understood can't pass for a checked one.
#[derive(Debug, Default, PartialEq, Eq)]
struct Compared {
    months: usize,
    results: usize,
    dislodged: usize,
    standoffs: usize,
    ends: usize,
}

#[test]
fn worked_months_come_out_as_worked() {
    let file: Value = serde_json::from_str(EXAMPLES).expect("the examples are JSON");
    let mut compared = Compared::default();
    for example in file["examples"].as_array().expect("there are examples") {
        if example["kind"] == "month" {
            check(example, &mut compared);
            compared.months += 1;
        }
    }
    let all = Compared { months: 35, results: 104, dislodged: 7, standoffs: 5, ends: 24 };
    assert_eq!(compared, all);
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().expect("a text")).collect()
}

fn both_sides(value: &Value) -> Vec<&str> {
    SIDES.into_iter().flat_map(|side| texts(&value[side])).collect()
}

fn check(example: &Value, compared: &mut Compared) {
    let id = example["id"].as_str().expect("an id");
    let (given, expected) = (&example["given"], &example["expected"]);
    let mut land = Land::new();
    land.rate(&given["bias"]);
    let position = land.position([&texts(&given["units"]["R"]), &texts(&given["units"]["P"])]);
    let orders = land.orders(&position, both_sides(&example["orders"]));
    let rules = Rules { cut_all: example["options"]["cut_all"] == true, ..Rules::default() };
    let adjudication = land.month(rules).adjudicate(&orders);

    for (line, code) in expected["results"].as_object().into_iter().flatten() {
        let result = adjudication.results[part(&land, &orders, line)];
        assert_eq!(result.to_string(), code.as_str().expect("a code"), "{id}: {line}");
        compared.results += 1;
    }
    if let Some(standoffs) = expected.get("standoffs") {
        assert_eq!(land.names(adjudication.standoffs), texts(standoffs), "{id}: stand-offs");
        compared.standoffs += 1;
    }
    if let Some(dislodged) = expected.get("dislodged") {
        let dislodged = dislodged.as_object().expect("dislodged by space");
        assert_eq!(adjudication.dislodged.len(), dislodged.len(), "{id}: dislodged stacks");
        for (space, expected) in dislodged {
            check_dislodged(id, &land, &adjudication, space, expected);
        }
        compared.dislodged += 1;
    }

    let lines = both_sides(&example["retreats"]);
    let retreats: Vec<RetreatOrder> = lines.iter().map(|text| retreat(&land.line(text))).collect();
    let retreats =
        resolve_retreats(&adjudication, &retreats, rules).expect("the retreats are of dislodged units");
    for (line, code) in expected["retreats"].as_object().into_iter().flatten() {
        let order = retreat(&land.line(line));
        let part = retreats.parts.iter().find(|part| part.order == order).expect("the retreat was ordered");
        assert_eq!(part.outcome.code(), code.as_str().expect("a code"), "{id}: {line}");
    }
    check_end(id, &land, &retreats, expected, compared);
}

/// Returns the index in the sheet of the part of `line`.
fn part(land: &Land, orders: &Orders, line: &str) -> usize {
    let Line { space, armies, leaders, told } = land.line(line);
    let is_it = |part: &Part| {
        (part.space, part.armies, part.leaders) == (space, armies, leaders) && Told::Order(part.order) == told
    };
    orders.parts().iter().position(is_it).unwrap_or_else(|| panic!("no part {line}"))
}

fn retreat(line: &Line) -> RetreatOrder {
    let Told::Retreat(to) = line.told else { panic!("no retreat: {line:?}") };
    RetreatOrder { space: line.space, armies: line.armies, leaders: line.leaders, to }
}

fn check_dislodged(id: &str, land: &Land, adjudication: &Adjudication, space: &str, expected: &Value) {
    let stack = adjudication.dislodged.iter().find(|stack| stack.space == land.space(space));
    let stack = stack.unwrap_or_else(|| panic!("{id}: {space} is not dislodged"));
    let sorted = |names: &Value| {
        let spaces: SpaceSet = texts(names).into_iter().map(|name| land.space(name)).collect();
        land.names(spaces).join(" ")
    };
    assert_eq!(SIDES[stack.side.index()], expected["side"], "{id}: {space}");
    assert_eq!(u64::from(stack.armies), expected["armies"], "{id}: {space}");
    assert_eq!(stack.leaders, leaders(&texts(&expected["leaders"]).join("+")), "{id}: {space}");
    assert_eq!(land.names(stack.by.from).join(" "), sorted(&expected["origins"]), "{id}: {space}, origins");
    assert_eq!(
        land.names(stack.retreats).join(" "),
        sorted(&expected["retreats"]),
        "{id}: {space}, retreats"
    );
    let alone = sorted(&expected["leader_alone_retreats"]);
    assert_eq!(land.names(stack.lone_retreats).join(" "), alone, "{id}: {space}, leaders alone");
}

/// The units at the end of the month, after the captures that are the game's to make (L8).
fn check_end(id: &str, land: &Land, retreats: &Retreats, expected: &Value, compared: &mut Compared) {
    let mut captured = retreats.parts.iter().fold(LeaderSet::EMPTY, |set, part| set | part.captured);
    let mut end = Position::default();
    for (space, stack) in retreats.after.stacks() {
        let enemy = 1 - stack.side.index();
        if stack.armies == 0 && land.ground(enemy).contains(space) {
            captured = captured | stack.leaders;
        } else {
            end.place(space, stack.side, stack.armies, stack.leaders).expect("it stood there");
        }
    }
    if let Some(names) = expected.get("captured") {
        assert_eq!(captured, leaders(&texts(names).join("+")), "{id}: captured, of {LEADERS:?}");
    }
    if let Some(units) = expected.get("end") {
        let mut wanted = land.position([&texts(&units["R"]), &texts(&units["P"])]);
        wanted.set_strong_alone(LeaderSet::EMPTY);
        assert_eq!(end.stacks().collect::<Vec<_>>(), wanted.stacks().collect::<Vec<_>>(), "{id}: end");
        compared.ends += 1;
    }
}

#[test]
fn sides_are_numbered_as_the_examples_name_them() {
    let land = Land::new();
    let position = land.position([&["A OXF"], &["A LON"]]);
    assert_eq!(position.stack(land.space("LON")).map(|stack| stack.side), Some(side(1)));
}
