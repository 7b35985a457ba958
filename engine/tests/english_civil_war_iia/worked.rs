//! The worked examples, played through the whole game: single facts, months, points seasons, victories.

use serde_json::{Value, json};

use edgehill_engine::game::Game;
use edgehill_engine::reference::Ref;
use edgehill_engine::seat::Seat;

use crate::play::{Match, P, R, SIDES, game, marker, results, say, units};

const EXAMPLES: &str = include_str!("../data/english-civil-war-iia/worked_examples.json");
const LETTERS: [&str; 2] = ["R", "P"];

fn examples(kind: &str) -> Vec<Value> {
    let file: Value = serde_json::from_str(EXAMPLES).expect("the examples are JSON");
    let all = file["examples"].as_array().expect("there are examples").clone();
    all.into_iter().filter(|example| example["kind"] == kind).collect()
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|text| text.as_str().expect("a text").to_owned()).collect()
}

fn sorted(mut list: Vec<String>) -> Vec<String> {
    list.sort();
    list
}

/// Ratings that changed between two views, by space.
fn changed(before: &edgehill_engine::view::View, after: &edgehill_engine::view::View) -> Value {
    let mut changed = serde_json::Map::new();
    for county in &game().realm().counties {
        let rating = marker(after, &county.id, "bias");
        if rating != marker(before, &county.id, "bias") {
            changed.insert(county.id.clone(), json!(rating));
        }
    }
    Value::Object(changed)
}

#[test]
fn worked_months() {
    let all = examples("month");
    assert_eq!(all.len(), 35);
    for example in all {
        month(&example);
    }
}

fn month(example: &Value) {
    let (id, given, expected) = (&example["id"], &example["given"], &example["expected"]);
    let mut position = json!({ "units": given["units"] });
    for field in ["bias", "clocks"] {
        if given[field].is_object() {
            position[field] = given[field].clone();
        }
    }
    let cut_all = if example["options"]["cut_all"] == true { "true" } else { "false" };
    let mut game = Match::at_with(&position, &[("cut_all", cut_all)]);
    let before = game.view();
    game.news();
    let [royalist, parliament] = LETTERS.map(|side| texts(&example["orders"][side]).join("; "));
    if id == "C16" {
        // A merge that can have no second part is for imports only: actions and lines refuse it. What the adjudicator makes
        // of it is tested there.
        let refused = game.table.apply_line(R, &royalist, edgehill_engine::table::ApplyMode::Atomic);
        assert!(refused.is_err_and(|refusal| refusal.to_string().contains("NO_PARTNER, rule M19")));
        return;
    }
    game.both(&royalist, &parliament);
    let mut news = game.news();
    if let Some(stacks) = expected["dislodged"].as_object() {
        let count = news.iter().filter(|seen| seen.code == "dislodged").count();
        assert_eq!(count, stacks.len(), "{id}");
        for (space, stack) in stacks {
            dislodged(&game, &news, id, space, stack);
        }
    }
    if game.frame() == "Retreats" {
        let [royalist, parliament] = LETTERS.map(|side| retreats(example, side));
        game.both(&royalist, &parliament);
        news.extend(game.news());
    }
    let found = results(&news);
    for (line, code) in expected["results"].as_object().into_iter().flatten() {
        let result = found.iter().find(|result| !result.retreat && result.line == *line);
        let result = result.unwrap_or_else(|| panic!("{id}: no result of {line} in {found:?}"));
        assert_eq!(json!(result.code), *code, "{id}: {line}");
    }
    for (line, code) in expected["retreats"].as_object().into_iter().flatten() {
        let result = found.iter().find(|result| result.retreat && result.line == *line);
        assert_eq!(result.map(|result| json!(result.code)), Some(code.clone()), "{id}: {line}");
    }
    let facts: Vec<String> = news.iter().map(say).collect();
    if expected["standoffs"].is_array() {
        let standoffs = facts.iter().filter_map(|fact| fact.strip_prefix("standoff "));
        assert_eq!(standoffs.collect::<Vec<_>>(), texts(&expected["standoffs"]), "{id}");
    }
    let after = game.view();
    for (seat, side) in SIDES.into_iter().zip(LETTERS) {
        if expected["end"][side].is_array() {
            assert_eq!(sorted(units(&after, seat)), sorted(texts(&expected["end"][side])), "{id}: {side}");
        }
    }
    if expected["bias"].is_object() {
        assert_eq!(changed(&before, &after), expected["bias"], "{id}");
    }
    if expected["captured"].is_array() {
        assert_eq!(captured(&facts), texts(&expected["captured"]), "{id}");
    }
    if expected["founded"].is_object() {
        let founded = facts.iter().filter_map(|fact| fact.strip_prefix("founded "));
        let founded: Vec<String> = founded.map(str::to_owned).collect();
        let expected = expected["founded"].as_object().into_iter().flatten();
        let names = |side: &Value| if *side == "R" { "royalist" } else { "parliament" };
        let expected: Vec<String> =
            expected.map(|(space, side)| format!("{space} {}", names(side))).collect();
        assert_eq!(founded, expected, "{id}");
    }
    if expected["clocks"].is_object() {
        let mut clocks = serde_json::Map::new();
        for leader in &crate::play::game().realm().leaders {
            if let Some(months) = marker(&after, &leader.id, "clock") {
                let stands = SIDES.into_iter().flat_map(|seat| units(&after, seat));
                let mut space = stands
                    .filter(|unit| unit.contains(&leader.id))
                    .map(|unit| unit[unit.len() - 3..].to_owned());
                clocks.insert(leader.id.clone(), json!([space.next_back(), months]));
            }
        }
        assert_eq!(Value::Object(clocks), expected["clocks"], "{id}");
    }
}

/// The retreat orders of a side: given ones, else those whose results are expected.
fn retreats(example: &Value, side: &str) -> String {
    let given = texts(&example["retreats"][side]);
    if !given.is_empty() {
        return given.join("; ");
    }
    let expected = example["expected"]["retreats"].as_object();
    let lines = expected.into_iter().flatten().map(|(line, _)| line.clone());
    let own = |line: &String| {
        let end = line.find(" R ").unwrap_or(line.len());
        texts(&example["given"]["units"][side]).contains(&line[..end].to_owned())
    };
    lines.filter(own).collect::<Vec<_>>().join("; ")
}

fn captured(facts: &[String]) -> Vec<String> {
    let facts = facts.iter().filter(|fact| fact.starts_with("captured."));
    facts.filter_map(|fact| fact.split(' ').nth(1)).map(str::to_owned).collect()
}

/// A dislodged stack: where the attackers came from, and where it may go.
fn dislodged(
    game: &Match,
    news: &[edgehill_engine::table::ObservedEvent],
    id: &Value,
    space: &str,
    stack: &Value,
) {
    let facts: Vec<String> = news.iter().map(say).collect();
    let prefix = format!("dislodged {} {space} {}", side(stack), stack["armies"]);
    let fact =
        facts.iter().find(|fact| fact.starts_with(&prefix)).unwrap_or_else(|| panic!("{id}: {facts:?}"));
    let origins: Vec<String> = fact.split(' ').skip(4).map(str::to_owned).collect();
    assert_eq!(sorted(origins), sorted(texts(&stack["origins"])), "{id}");
    let view = game.view();
    let catalogue = crate::play::game().catalogue();
    let name = |at: edgehill_engine::reference::Location| catalogue.id_of(Ref::from(at));
    let open = |who: &[&str]| -> Vec<String> {
        let arrows = view.board.arrows.iter().filter(|(key, arrow)| {
            name(key.from) == space && arrow.result.is_some_and(|result| who.contains(&result))
        });
        sorted(arrows.map(|(key, _)| name(key.to)).collect())
    };
    // Leaders without an army are offered nothing that L9 bars.
    let retreats = if stack["armies"] == 0 { &stack["leader_alone_retreats"] } else { &stack["retreats"] };
    assert_eq!(open(&["all", "army"]), sorted(texts(retreats)), "{id}");
    assert_eq!(open(&["all"]), sorted(texts(&stack["leader_alone_retreats"])), "{id}");
}

fn side(stack: &Value) -> &'static str {
    if stack["side"] == "R" { "royalist" } else { "parliament" }
}

#[test]
fn worked_points_seasons() {
    let all = examples("points_build");
    assert_eq!(all.len(), 7);
    for example in all {
        season(&example);
    }
}

fn season(example: &Value) {
    let (id, given, expected) = (&example["id"], &example["given"], &example["expected"]);
    let first = given["units"] == "start";
    let mut position = json!({ "units": given["units"], "season": if first { 1 } else { 2 }, "month": 0 });
    for field in ["bias", "regular"] {
        if given[field].is_object() {
            position[field] = given[field].clone();
        }
    }
    let mut game = Match::at(&position);
    let before = game.view();
    for (seat, side) in SIDES.into_iter().zip(LETTERS) {
        if let Some(income) = expected["income"][side].as_i64() {
            let name = crate::play::game().catalogue().seats[seat.index()].id;
            assert_eq!(marker(&before, name, "points"), Some(income as i32), "{id}: {side}");
        }
    }
    let [royalist, parliament] = LETTERS.map(|side| influence(&given["influence"][side]));
    game.both(&royalist, &parliament);
    let facts = game.facts();
    let after = game.view();
    if expected["bias"].is_object() {
        assert_eq!(changed(&before, &after), expected["bias"], "{id}");
    }
    if expected["captured"].is_array() {
        assert_eq!(captured(&facts), texts(&expected["captured"]), "{id}");
    }
    for (seat, side) in SIDES.into_iter().zip(LETTERS) {
        adjustment(&game, id, expected, seat, side);
    }
}

fn influence(points: &Value) -> String {
    let items = points.as_object().into_iter().flatten().map(|(space, points)| format!("I {space} {points}"));
    items.collect::<Vec<_>>().join("; ")
}

fn adjustment(play: &Match, id: &Value, expected: &Value, seat: Seat, side: &str) {
    let view = play.view();
    let game = game();
    let name = game.catalogue().seats[seat.index()].id;
    if let Some(saved) = expected["saved"][side].as_i64() {
        assert_eq!(marker(&view, name, "points"), Some(saved as i32), "{id}: {side}");
    }
    if let Some(capacity) = expected["capacity"][side].as_i64() {
        let [owed, room] = ["owed", "room"].map(|role| play.number(&format!("{name}_{role}")).unwrap_or(0));
        let armies: u16 =
            view.board.groups.iter().filter(|(key, _)| key.owner == Some(seat)).map(|(_, &n)| n).sum();
        assert_eq!(i64::from(armies) + i64::from(room - owed), capacity, "{id}: {side}");
    }
    if expected["sites"][side].is_array() {
        let legal = play.legal(seat);
        let sites = legal.iter().filter_map(|action| action.strip_prefix("build "));
        assert_eq!(sites.collect::<Vec<_>>(), texts(&expected["sites"][side]), "{id}: {side}");
    }
    if let Some(owed) = expected["removals"][side].as_i64() {
        assert_eq!(play.number(&format!("{name}_owed")), Some(owed as i32), "{id}: {side}");
    }
    if expected["default_removals"][side].is_array() && play.owes(seat) {
        let default_action = game.default_action(play.table.state(), seat, &[]);
        let actions = default_action.actions.iter().map(|&action| game.catalogue().actions.notation(action));
        let removed = actions.filter_map(|action| action.strip_prefix("remove ").map(str::to_owned));
        assert_eq!(removed.collect::<Vec<_>>(), texts(&expected["default_removals"][side]), "{id}: {side}");
    }
}

#[test]
fn worked_victories() {
    let all = examples("victory");
    assert_eq!(all.len(), 4);
    for example in all {
        victory(&example);
    }
}

/// Homes for leaders who are to stand safely, by side.
const SAFE: [[&str; 2]; 2] = [["CON", "NLD"], ["SFK", "ESX"]];
const CAMPS: [&str; 2] = ["OXF", "LON"];

fn victory(example: &Value) {
    let (id, given, expected) = (&example["id"], &example["given"], &example["expected"]);
    let lost = texts(&given["lost"]);
    let mut sides = serde_json::Map::new();
    for ((side, camp), safe) in LETTERS.into_iter().zip(CAMPS).zip(SAFE) {
        let seat = if side == "R" { R } else { P };
        let roster = &game().realm().leaders[seat.index() * 4..seat.index() * 4 + 4];
        let led: Vec<&str> =
            roster.iter().map(|one| one.id.as_str()).filter(|id| !lost.contains(&(*id).to_owned())).collect();
        assert_eq!(led.len() as i64, given[side]["leaders"].as_i64().expect("a number"), "{id}");
        let mut list = vec![format!("{}A {camp}", given[side]["armies"])];
        list.extend(led.chunks(2).zip(safe).map(|(pair, space)| format!("L {} {space}", pair.join("+"))));
        sides.insert(side.to_owned(), json!(list));
    }
    let last = given["last_season"] == true;
    let mut position = json!({ "units": sides, "lost": lost });
    if last {
        // 19 counties against 21.
        position["month"] = json!(0);
        position["bias"] = json!({ "DUR": 0, "WML": 0, "STF": 0, "SSX": 0 });
    }
    let options = if last { [("max_seasons", "1")] } else { [("max_seasons", "12")] };
    let mut play = Match::at_with(&position, &options);
    play.both("", "");
    if last {
        play.both("", "");
    }
    let winner = expected["winner"]
        .as_str()
        .map(|side| (expected["code"].as_str().expect("a code"), Some(if side == "R" { R } else { P })));
    assert_eq!(play.result(), winner, "{id}");
}

#[test]
fn worked_facts() {
    // U01, U02: influence from both sides, and from one.
    for (royalist, parliament, rating) in [("I PEM 4", "I PEM 2", -1), ("I PEM 4", "", 1)] {
        let mut play = Match::start();
        play.both(royalist, parliament);
        assert_eq!(marker(&play.view(), "PEM", "bias"), Some(rating));
    }
    // U03: 22 counties bring 8 points.
    let play = Match::start();
    assert_eq!(marker(&play.view(), "royalist", "points"), Some(8));
    // U04: a merge of two against one that enters too.
    let mut play = Match::month(&["A BRK", "A OXF"], &["A LON"]);
    play.both("A BRK MERGE BUC; A OXF MERGE BUC", "A LON-BUC");
    assert_eq!(units(&play.view(), R), ["2A BUC"]);
    // U05: two armies and a leader hold with three.
    let mut play = Match::month(&["2A+Rupert OXF"], &["A LON"]);
    play.news();
    play.both("", "");
    let held = results(&play.news()).into_iter().find(|result| result.line == "2A+Rupert OXF H");
    assert_eq!(held.map(|result| result.strength), Some(3));
    // U07: a leader alone in enemy ground after the moves.
    let mut play = Match::month(&["A+Rupert OXF"], &["A LON"]);
    play.news();
    play.both("L Rupert OXF-BUC", "");
    assert!(play.facts().contains(&"captured.alone Rupert BUC".to_owned()));
}

#[test]
fn worked_partial_cut() {
    // U06: an army cuts one of two points.
    let mut play = Match::month(&["2A OXF", "A GLO"], &["A WAR"]);
    play.news();
    play.both("2A OXF S GLO-BRK; A GLO-BRK", "A WAR-OXF");
    let found = results(&play.news());
    assert!(found.iter().any(|result| result.code == "cut to 1 of 2"), "{found:?}");
}

bodies! {
    worked_months,
    worked_points_seasons,
    worked_victories,
    worked_facts,
    worked_partial_cut,
}
