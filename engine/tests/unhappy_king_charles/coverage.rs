//! The checklist of the 110 cards: each with its full effect, a partial effect, refused, and discarded. The test prints it as a table.
//!
//! Cards of one kind are played alike: Operations, Campaigns, Combat Cards, Mandatory cards. Events have a position each, in
//! engine/tests/data/unhappy-king-charles/card_coverage.json. A cell that can't be says why.

use edgehill_engine::games::unhappy_king_charles::content::cards::CardKind;
use edgehill_engine::games::unhappy_king_charles::content::operations::Operation;
use serde_json::{Value, json};

use crate::built_in::{card, content, operations};
use crate::play::{Match, SPECTATOR, at, merged, position};

const EVENTS: &str = include_str!("../data/unhappy-king-charles/card_coverage.json");

/// The columns of the checklist.
struct Cells {
    full: String,
    partial: String,
    refused: String,
    discarded: String,
}

/// A position in which a seat is on turn with a card in hand.
fn holding(seat: &str, turn: &str, id: &str, more: &Value) -> Value {
    let mut hands = json!({});
    if !content_is_core(id) {
        hands[seat] = json!([id]);
    }
    let rest = match id.as_bytes()[0] {
        b'L' => json!({ "late_war": true, "hands": hands }),
        b'A' => json!({ "with_mid": [id], "hands": hands }),
        _ => json!({ "hands": hands }),
    };
    position(turn, seat, &merged(rest, more))
}

fn content_is_core(id: &str) -> bool {
    id.starts_with('C')
}

/// The first Turn that all cards of a deck can be in, by their letter.
fn turn_of(id: &str) -> &'static str {
    match id.as_bytes()[0] {
        b'M' | b'A' => "early-1644",
        b'L' => "early-1645",
        _ => "early-1643",
    }
}

/// The seat that a card is for; the Royalist of one for both.
fn seat_of(id: &str) -> &'static str {
    match content().cards[card(id)].side.map(edgehill_engine::seat::Seat::index) {
        Some(1) => "parliament",
        _ => "royalist",
    }
}

/// The number of events of a code that everybody was told.
fn told(table: &Match, code: &str) -> usize {
    table.published(SPECTATOR).iter().filter(|seen| seen.code == code).count()
}

/// Goes on with the first action that is neither a pass nor the end of a list, until a card is to be played or nobody is asked.
fn drive(table: &mut Match) {
    while table.frame() != "play" && !table.offered().is_empty() {
        let offered = table.offered();
        let ends = |action: &&String| !["done", "pass", "stand"].contains(&action.as_str());
        let action = offered.iter().find(ends).unwrap_or(&offered[0]).clone();
        table.act(&action);
    }
}

/// The seat that plays next shows a card: nobody can take back what was done before it.
fn release(table: &mut Match) {
    if table.frame() == "play" {
        let card = table.offered()[0].clone();
        table.act(&format!("{card}; use discard"));
    }
}

/// The effect that a cell of an event shows: how often which codes were published.
fn shown(event: &Value, cell: &Value) -> String {
    if let Some(why) = cell["none"].as_str() {
        return format!("- {why}");
    }
    let (id, seat, turn) = (text(event, "card"), text(event, "seat"), text(event, "turn"));
    let described = merged(holding(seat, turn, id, &event["position"]), &cell["position"]);
    let mut table = at(described, cell["script"].as_str().unwrap_or_default());
    table.act(&format!("card {id}; use event"));
    match cell["line"].as_str() {
        Some(line) => {
            table.act(line);
        }
        None => drive(&mut table),
    }
    release(&mut table);
    let shows = cell["shows"].as_object().expect("a cell says what it shows");
    for (code, times) in shows {
        assert_eq!(told(&table, code) as u64, times.as_u64().expect("a number"), "{id}: {code}, {cell}");
    }
    shows.iter().map(|(code, times)| format!("{code} {times}")).collect::<Vec<_>>().join(", ")
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} is missing in {value}"))
}

/// A use of a card that is refused by a rule.
fn refused(described: Value, id: &str, way: &str, rule: &str) -> String {
    let mut table = at(described, "");
    table.act(&format!("card {id}"));
    table.refuses(&format!("use {way}"), rule);
    format!("use {way}: {rule}")
}

/// A card is discarded for nothing, before all.
fn discarded(described: Value, id: &str) -> String {
    let mut table = at(described, "");
    table.act(&format!("card {id}; use discard"));
    let pile = if content_is_core(id) { "aside" } else { "discard" };
    assert!(told(&table, "discards") == 1 && table.cards(pile).contains(&id.to_owned()), "{id}");
    pile.to_owned()
}

fn event(row: &Value) -> Cells {
    let (id, turn) = (text(row, "card"), text(row, "turn"));
    let against = &row["refused"];
    let seat = against["seat"].as_str().unwrap_or(text(row, "seat"));
    let position = merged(row["position"].clone(), &against["position"]);
    Cells {
        full: shown(row, &row["full"]),
        partial: shown(row, &row["partial"]),
        refused: refused(holding(seat, turn, id, &position), id, "event", text(against, "rule")),
        discarded: discarded(holding(text(row, "seat"), turn, id, &row["position"]), id),
    }
}

/// An Operations card places as many markers as its value, or fewer; without a General nobody is Activated.
fn operations_card(id: &str, value: u8) -> Cells {
    let (seat, turn) = (seat_of(id), turn_of(id));
    let mut control = json!({});
    control[seat] = json!(["oxford"]);
    let more = json!({ "control": control });
    let place = |line: &str| {
        let mut table = at(holding(seat, turn, id, &more), "");
        table.act(&format!("card {id}; use markers; {line}"));
        format!("markers {}", told(&table, "marker_placed"))
    };
    let all = ["at newbury", "at warwick", "at northampton"];
    let full = place(&all[..value.into()].join("; "));
    assert_eq!(full, format!("markers {value}"), "{id}");
    let partial = if value == 1 { "- one marker, or nothing".to_owned() } else { place("at newbury; done") };
    Cells {
        full,
        partial,
        refused: refused(holding(seat, turn, id, &more), id, "activate", "6.1"),
        discarded: discarded(holding(seat, turn, id, &more), id),
    }
}

/// A Campaign card Activates two or three Generals, or fewer; nobody where there is none.
fn campaign_card(id: &str, activations: u8) -> Cells {
    let (seat, turn) = ("parliament", turn_of(id));
    let more = json!({
        "generals": { "essex": "london", "waller": "reigate", "bedford": "exeter" },
        "brigades": { "essex": ["fiennes"], "waller": ["western-association"], "bedford": ["pophams"] },
    });
    let lead = |generals: &[&str], end: &str| {
        let mut table = at(holding(seat, turn, id, &more), "");
        let line: Vec<String> = generals.iter().map(|general| format!("activate {general}; done")).collect();
        table.act(&format!("card {id}; use campaign; {}{end}", line.join("; ")));
        assert_eq!(told(&table, "activated"), generals.len(), "{id}");
        assert_eq!(table.frame(), "play", "{id}");
        format!("activated {}", generals.len())
    };
    Cells {
        full: lead(&["essex", "bedford", "waller"][..activations.into()], ""),
        partial: lead(&["essex"], "; done"),
        refused: refused(holding(seat, turn, id, &json!({})), id, "campaign", "K3"),
        discarded: discarded(holding(seat, turn, id, &more), id),
    }
}

/// A Battle at Warwick, as far as its dice and its result: Hopton and Waller have two Militia Brigades each; a card is played, or not.
fn battle(attacker: &str, holder: &str, id: &str, (play, script): (bool, &str)) -> Match {
    let (core, general, enemy) =
        if attacker == "royalist" { ("C02", "hopton", "waller") } else { ("C04", "waller", "hopton") };
    let more = json!({
        "on_turn": attacker, "generals": { general: "oxford", enemy: "warwick" },
        "brigades": { "hopton": ["stawells", "berkeleys"], "waller": ["pophams", "western-association"] },
    });
    let mut table = at(holding(holder, turn_of(id), id, &more), script);
    table.act(&format!("card {core}; use activate; activate {general}; move warwick"));
    let card = format!("card {id}");
    while told(&table, "battle_dice") == 0 {
        let declines = ["stand", "pass"].into_iter().find(|action| table.offers(action));
        let action = if play && table.offers(&card) {
            card.as_str()
        } else {
            declines.expect("windows can be declined")
        };
        let action = action.to_owned();
        table.act(&action);
    }
    table
}

/// The scores of the attacker and of the defender.
fn scores(table: &Match) -> [i32; 2] {
    let dice =
        table.published(SPECTATOR).iter().find(|seen| seen.code == "battle_dice").expect("dice were thrown");
    let mut numbers = dice.form.refs.iter().rev().filter_map(|what| match what {
        edgehill_engine::reference::Ref::Number(number) => Some(*number),
        _ => None,
    });
    let defender = numbers.next().expect("a score");
    [numbers.next().expect("a score"), defender]
}

/// A Combat Card adds to its side's score in a Battle; one that makes a Major Victory Decisive does nothing more in a lost Battle.
fn combat_card(id: &str) -> Cells {
    let found = operations(id);
    let Some(Operation::Combat { modifier, decisive, defender }) = found.first().copied() else {
        panic!("{id} is a Combat Card");
    };
    let holder = seat_of(id);
    let enemy = if holder == "royalist" { "parliament" } else { "royalist" };
    let attacker = if defender { enemy } else { holder };
    let side = usize::from(defender);
    let (wins, loses) = if defender { ("1,6", "6,1") } else { ("6,1", "1,6") };
    let with = battle(attacker, holder, id, (true, wins));
    let without = battle(attacker, holder, id, (false, wins));
    let added = scores(&with)[side] - scores(&without)[side];
    assert_eq!(added, i32::from(modifier), "{id}");
    assert_eq!(told(&with, "decisive_victory"), usize::from(decisive), "{id}");
    let partial = if decisive {
        let lost = battle(attacker, holder, id, (true, loses));
        assert_eq!(told(&lost, "decisive_victory"), 0, "{id}");
        "the score alone, in a Battle that is lost".to_owned()
    } else {
        "- a number is added, or nothing".to_owned()
    };
    Cells {
        full: format!("+{added}{}", if decisive { ", Decisive" } else { "" }),
        partial,
        refused: refused(holding(holder, turn_of(id), id, &json!({})), id, "activate", "K1"),
        discarded: discarded(holding(holder, turn_of(id), id, &json!({})), id),
    }
}

/// A Mandatory card takes place whoever plays it, with more or less of it for that seat; it is never discarded.
fn mandatory_card(id: &str) -> Cells {
    let turn = match id {
        "X01" => "late-1642",
        "X02" => "winter-1643",
        _ => "early-1645",
    };
    let more = json!({
        "late_war": id == "X03", "happened": if id == "X01" { json!([]) } else { json!(["standard"]) },
        "control": { "royalist": ["oxford"], "parliament": ["london"] },
    });
    let (own, other, code) = match id {
        "X01" => ("parliament", "royalist", "recruitment_done"),
        "X02" => ("royalist", "parliament", "recruitment_done"),
        // All of it is Parliament's; without Brigades nobody is given up.
        _ => ("parliament", "royalist", "new_model_formed"),
    };
    let play = |seat: &str| {
        let mut table = at(holding(seat, turn, id, &more), "");
        table.act(&format!("card {id}; use event"));
        while table.frame() != "play" {
            let offered = table.offered();
            let ends = offered.iter().find(|action| *action == "done").unwrap_or(&offered[0]).clone();
            table.act(&ends);
        }
        assert!(!table.offers("use discard"), "{id}");
        format!("{code} {}", told(&table, code))
    };
    Cells {
        full: play(own),
        partial: play(other),
        refused: refused(holding(own, turn, id, &more), id, "discard", "6.5"),
        discarded: "- never".to_owned(),
    }
}

/// A Response is played in its window.
fn interception_card(id: &str) -> Cells {
    let play = |script: &str| {
        let more = json!({
            "on_turn": "parliament", "generals": { "waller": "london", "hopton": "oxford" },
            "brigades": { "waller": ["western-association"], "hopton": ["stawells"] },
        });
        let mut table = at(holding("royalist", turn_of(id), id, &more), script);
        table.act("card C04; use activate; activate waller; move bedford; intercept hopton");
        table.act(&format!("card {id}"));
        drive_interception(&mut table);
        ["interception_succeeds", "interception_fails"]
            .map(|code| format!("{code} {}", told(&table, code)))
            .join(", ")
    };
    Cells {
        full: play("2"),
        partial: play("1"),
        refused: refused(holding("royalist", turn_of(id), id, &json!({})), id, "activate", "K1"),
        discarded: discarded(holding("royalist", turn_of(id), id, &json!({})), id),
    }
}

fn drive_interception(table: &mut Match) {
    while told(table, "interception_succeeds") + told(table, "interception_fails") == 0 {
        table.act("done");
    }
}

fn cells(id: &str, events: &[Value]) -> Cells {
    let found = operations(id);
    match (content().cards[card(id)].kind, found.first().copied()) {
        (CardKind::Operations, Some(Operation::Operations { value, .. })) => operations_card(id, value),
        (CardKind::Campaign, Some(Operation::Campaign { activations, .. })) => campaign_card(id, activations),
        (CardKind::Combat, _) => combat_card(id),
        (CardKind::Mandatory, _) => mandatory_card(id),
        (CardKind::Response, _) => interception_card(id),
        _ => event(events.iter().find(|row| row["card"] == id).unwrap_or_else(|| panic!("{id} has no row"))),
    }
}

#[test]
fn every_card_with_full_effect_partial_effect_refused_and_discarded() {
    let file: Value = serde_json::from_str(EVENTS).expect("the rows are JSON");
    let events = file["events"].as_array().expect("there are rows");
    println!(
        "{:<4} {:<44} | {:<42} | {:<20} | discarded",
        "card", "full effect", "partial effect", "refused"
    );
    let mut printed = 0;
    for one in content().cards.iter() {
        let id = one.named.id.as_str();
        let Cells { full, partial, refused, discarded } = cells(id, events);
        println!("{id:<4} {full:<44} | {partial:<42} | {refused:<20} | {discarded}");
        printed += 1;
    }
    assert_eq!(printed, 110);
}
