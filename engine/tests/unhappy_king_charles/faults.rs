//! Faults of content: each is named by file, record and field, and none panics.

use crate::built_in::replaced;

/// Asserts that a change of a file is refused, in words that begin and contain these.
fn refuses(file: &str, from: &str, to: &str, expected: &[&str]) {
    let errors = replaced(file, from, to).err().unwrap_or_else(|| panic!("{file}: {to:?} was taken"));
    let said = errors.to_string();
    let found = said.lines().any(|line| expected.iter().all(|part| line.contains(part)));
    assert!(found, "{file}: {to:?} is refused in other words:\n{said}");
}

#[test]
fn faults_of_the_map() {
    let areas = "areas.toml";
    for (from, to, expected) in [
        ("region = \"east\"", "region = \"fens\"", ["area london: region:", "expected one of"]),
        ("class = 3\n", "", ["area plymouth: class:", "have a class"]),
        ("class = 3\n", "class = 4\n", ["area plymouth: class: 4:", "1 to 3"]),
        ("surrender = 11", "surrender = 0", ["area plymouth: surrender:", "1 to 99"]),
        (
            "infrastructure = \"wine-trade\"",
            "infrastructure = \"tin\"",
            ["area bristol:", "no infrastructure tin"],
        ),
        ("majority = 11", "majority = 22", ["region south: majority:", "1 to 21"]),
        (
            "drummers = { royalist = [\"wales\"] }",
            "drummers = { scots = [] }",
            ["area shrewsbury: drummers", "scots"],
        ),
        (
            "shape = \"local-notable\"",
            "shape = \"limited-fortress\"",
            ["area lyme: shape:", "Local Notables"],
        ),
        ("id = \"truro\"", "id = \"turo\"", ["lines.toml", "no area truro"]),
        ("label = { lon = -505,", "label = { lon = -30000,", ["area truro: label:", "-18000"]),
        ("id = \"east\"", "id = \"easter\"", ["areas.toml", "in this order"]),
    ] {
        refuses(areas, from, to, &expected);
    }
    let lines = "lines.toml";
    let same = "between = [\"hull\", \"hull\"]";
    refuses(
        lines,
        "between = [\"hull\", \"gainsborough\"]",
        same,
        &["line hull--gainsborough: between:", "two Areas"],
    );
    let twice = "between = [\"newbury\", \"salisbury\"]";
    refuses(
        lines,
        "between = [\"newbury\", \"reading\"]",
        twice,
        &["line newbury--reading: between:", "once"],
    );
    refuses(lines, "kind = \"maritime\"", "kind = \"canal\"", &["line hull--gainsborough: kind", "canal"]);
}

#[test]
fn faults_of_brigades_and_leaders() {
    let brigades = "brigades.toml";
    refuses(brigades, "count = 5", "count = 6", &["at most 68 counters"]);
    refuses(brigades, "count = 5", "count = 0", &["brigade new-model-army: count:"]);
    refuses(brigades, "value = 2", "value = 3", &["brigade kings-lifeguard: value:"]);
    refuses(brigades, "region = \"midlands\"\n", "", &["brigade kings-lifeguard: region:"]);
    refuses(brigades, "faction = \"irish\"", "faction = \"french\"", &["brigade irish: faction"]);
    refuses(brigades, "faction = \"irish\"", "faction = \"royalist\"", &["brigade irish: region:"]);
    let leaders = "leaders.toml";
    refuses(leaders, "level = 1", "level = 5", &["general king-charles-i: level:"]);
    refuses(leaders, "strategy = 3", "strategy = 1", &["general newcastle: strategy:", "from 2 to 3"]);
    refuses(leaders, "turn = 3\n", "", &["general goring: turn:"]);
    refuses(leaders, "turn = 3\n", "turn = 12\n", &["general goring: turn:"]);
    refuses(
        leaders,
        "faction = \"lorrainer\"",
        "faction = \"irish\"",
        &["general charles-of-lorraine: faction:"],
    );
    refuses(leaders, "king = \"king-charles-i\"", "king = \"prince-rupert\"", &["people: rupert:"]);
    refuses(leaders, "king = \"king-charles-i\"", "king = \"essex\"", &["people: king:", "royalist"]);
    refuses(leaders, "leven = \"leven\"", "leven = \"gustavus\"", &["people: leven:", "no general gustavus"]);
    refuses(leaders, "area = \"lyme\"", "area = \"poole\"", &["areas.toml", "area lyme: shape:"]);
    refuses(leaders, "id = \"blake\"", "id = \"hopton\"", &["general hopton: id:"]);
}

#[test]
fn faults_of_turns_and_the_set_up() {
    let turns = "turns.toml";
    refuses(turns, "power_base = 14", "power_base = 76", &["turn late-1642: power_base:"]);
    refuses(turns, "power_base = 14", "power_base = 14\ndraw = true", &["turn late-1642: draw:"]);
    refuses(
        turns,
        "power_base = 15",
        "power_base = 15\nnavel_chit = true",
        &["turn winter-1642", "navel_chit"],
    );
    let setup = "setup.toml";
    refuses(setup, "area = \"york\"", "area = \"jorvik\"", &["stack york: area:", "no area jorvik"]);
    refuses(
        setup,
        "[\"whitecoats\"]",
        "[\"whitecoats\", \"whitecoats\", \"whitecoats\"]",
        &["3 of whitecoats"],
    );
    refuses(setup, "[\"whitecoats\"]", "[\"ironsides\"]", &["stack newcastle: brigades:", "this side"]);
    refuses(setup, "[\"whitecoats\"]", "[]", &["stack newcastle: brigades:", "1 to 9"]);
    refuses(setup, "leader = \"essex\"", "leader = \"waller\"", &["stack portsmouth: leader:", "twice"]);
    refuses(setup, "leader = \"essex\"", "leader = \"hopton\"", &["stack london: leader:", "other side"]);
    refuses(setup, "leader = \"essex\"", "leader = \"leven\"", &["essex has a stack"]);
    refuses(setup, "area = \"york\"", "area = \"wakefield\"", &["stack york: area:", "other side"]);
    refuses(
        setup,
        "inside = true",
        "inside = true\nleader = \"cromwell\"",
        &["stack london-garrison: inside:"],
    );
    refuses(setup, "id = \"cornish\"", "id = \"cornishmen\"", &["in this order"]);
    refuses(setup, "cornish = [\"grenviles-cornish\"", "cornish = [\"tinners\"", &["restricted: cornish:"]);
}

#[test]
fn faults_of_cards() {
    let cards = "cards.toml";
    let charge = "op = \"combat\", modifier = 2, decisive = true";
    for (from, to, expected) in [
        ("op = \"naval\", by = 1", "op = \"naval\", by = 0", ["card E31: operations[0]:", "nothing"]),
        ("op = \"naval\", by = 1", "op = \"navel\", by = 1", ["card E31: operations[0]", "navel"]),
        ("op = \"naval\", by = 1", "op = \"naval\", by = 1, to = 3", ["card E31: operations[0]", "to"]),
        ("op = \"draw\", count = 1", "op = \"draw\", count = 0", ["card E24: operations[0]:", "1 to 9"]),
        (
            "op = \"draw\", count = 1",
            "op = \"operations\", value = 1, uses = [\"raid\"]",
            ["card E24: kind:", "kind"],
        ),
        (charge, "op = \"combat\", modifier = 10", ["card E13: operations[0]:", "0 to 9"]),
        ("among = [\"hull\", \"plymouth\"]", "among = [\"truro\"]", ["card E19: operations[0]:", "Fortress"]),
        ("among = [\"hull\", \"plymouth\"]", "among = [\"hull\"], class = 1", ["card E19:", "either"]),
        (
            "near = { area = \"derby\"",
            "near = { area = \"darby\"",
            ["card E37: operations[0]:", "no area darby"],
        ),
        ("notable = \"blake\"", "notable = \"massey\"", ["card E29: operations[0]:", "at the start"]),
        ("paragraph = \"queen\"", "paragraph = \"brentford\"", ["cards.toml", "`brentford`: at most one"]),
        ("paragraph = \"standard\"", "paragraph = \"queen\"", ["card X01: kind:", "kind"]),
        (
            "offered = { all = [{ if = \"deck-card\" }] }",
            "offered = { all = [{ if = \"fortress\" }] }",
            ["card E24: offered:", "Fortress"],
        ),
        (
            "{ if = \"queen-place\" }",
            "{ if = \"queen-place\", area = \"york\" }",
            ["card E21: offered", "area"],
        ),
        (
            "{ if = \"up-to\", turn = 7 }",
            "{ if = \"up-to\", turn = 12 }",
            ["card E22: offered.all:", "1 to 11"],
        ),
        ("generals = [\"essex\", \"waller\"]", "generals = []", ["card M20: operations[0]:", "General"]),
        ("deck = \"core\"", "deck = \"early\"", ["card C01: kind:", "Core Cards"]),
        (
            "uses = [\"recruit\", \"activate\", \"bombard\", \"raid\"]",
            "uses = [\"markers\"]",
            ["card E10:", "markers"],
        ),
        ("title = \"Turnham Green\"\n", "", ["card E28", "title"]),
    ] {
        refuses(cards, from, to, &expected);
    }
    let nested = "{ op = \"remove-cards\", from = \"royalist\", count = 1 }";
    let deep =
        "{ op = \"choice\", options = [[{ op = \"draw\", count = 1 }], [{ op = \"draw\", count = 1 }]] }";
    let choice = format!("options = [[{nested}]");
    refuses(
        cards,
        &choice,
        &format!("options = [[{deep}]"),
        &["card M22: operations[0][0]:", "none of its own"],
    );
    let whole = "[[card]]\nid = \"C01\"";
    refuses(cards, whole, "[[card]]\nid = \"C02\"", &["card C02: id: comes twice"]);
}

#[test]
fn faults_of_the_numbers() {
    let game = "game.toml";
    for (from, to, expected) in [
        ("lines = [1, 2, 2]", "lines = [0, 2, 2]", ["movement: lines:", "1 to 9"]),
        ("lines = [1, 2, 2]", "lines = [1, 2]", ["movement: lines", ""]),
        ("up_to = 6", "up_to = 3", ["allowance middling: up_to:", "from 4"]),
        ("major = 5", "major = 1", ["battle: major:", "from 2"]),
        ("chits = [3, 2, 1, -1, -2]", "chits = [3, 2]", ["naval: chits:", "5 Naval Chits"]),
        ("capital = \"london\"", "capital = \"paris\"", ["victory: capital:", "no area paris"]),
        ("lord_general = 3", "lord_general = 4", ["new_model: lord_general:", "as many"]),
        (
            "[\"lord-herbert\", \"gerard\"]",
            "[\"lord-herbert\", \"poyntz\"]",
            ["new_model: exchanges:", "same side"],
        ),
        (
            "callander = [\"covenanter-callanders\"]",
            "callander = [\"irish\"]",
            ["league: callander:", "Covenanters"],
        ),
        ("categories = 5", "categories = 6", ["desertion: categories:", "5"]),
        ("mid_war = 5", "mid_war = 1", ["hand: mid_war:", "2 to 11"]),
        ("alt_hist = 2", "alt_hist = 6", ["alt-hist", "12 cards"]),
        ("first_deal = 9", "first_deal = 38", ["hand: first_deal:", "1 to 19"]),
        ("first_deal = 9", "first_deal = 9\nspeed = 1", ["hand: speed", "unknown field"]),
        ("[raids]\ndistance = 2", "[raid]\ndistance = 2", ["raids", "expected a record"]),
    ] {
        refuses(game, from, to, &expected);
    }
}

/// Several faults are told at once.
#[test]
fn all_faults_are_told() {
    let errors =
        replaced("brigades.toml", "value = 2\ncount = 1", "value = 9\ncount = 0").expect_err("it is faulty");
    let said = errors.to_string();
    assert!(said.contains("kings-lifeguard: value") && said.contains("kings-lifeguard: count"), "{said}");
}
