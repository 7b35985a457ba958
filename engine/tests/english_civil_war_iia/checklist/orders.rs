//! Order kinds by composition of the part.

use std::panic::catch_unwind;

use crate::play::{Match, R, month};

/// A part: its name, what stands in the space, the part as lines have it, and its space.
const PARTS: [(&str, &str, &str, &str); 8] = [
    ("one army", "A OXF", "A", "OXF"),
    ("whole stack", "2A OXF", "2A", "OXF"),
    ("part of a stack", "3A OXF", "2A", "OXF"),
    ("with one leader", "A+Rupert OXF", "A+Rupert", "OXF"),
    ("with two leaders", "A+Charles+Rupert OXF", "A+Charles+Rupert", "OXF"),
    ("leader alone, strength 1", "L Rupert OXF", "L Rupert", "OXF"),
    ("leader alone, strength 0", "L Rupert BRK", "L Rupert", "BRK"),
    ("two leaders alone", "L Charles+Rupert OXF", "L Charles+Rupert", "OXF"),
];

/// An order: its name, what it is with `X` for the part's space and `Y` for the other army's, what the other army does, and
/// the code that it gets.
const ORDERS: [(&str, &str, &str, &str); 5] = [
    ("hold", "X H", "", "held"),
    ("move", "X-Z", "", "moved"),
    ("merge", "X MERGE Y", "", "merged"),
    ("support hold", "X S Y", "", "given"),
    ("support move", "X S Y-BUC", "A Y-BUC", "given"),
];

/// Plays and prints the table; gives the cells that did not come out.
pub(super) fn table() -> Vec<String> {
    let mut failed = Vec::new();
    println!("{:<26}{}", "", ORDERS.map(|(name, ..)| format!("{name:<14}")).concat());
    for part in PARTS {
        let mut row = format!("{:<26}", part.0);
        for order in ORDERS {
            let weak = part.3 == "BRK" && order.0.starts_with("support");
            let expected = if weak { "refused" } else { order.3 };
            let played = catch_unwind(|| if weak { refuse(part) } else { give(part, order) });
            row += &format!("{:<14}", if played.is_ok() { expected } else { "FAILED" });
            if played.is_err() {
                failed.push(format!("{}, {}", part.0, order.0));
            }
        }
        println!("{row}");
    }
    failed
}

fn give(part: (&str, &str, &str, &str), (kind, order, others, code): (&str, &str, &str, &str)) {
    let (_, units, who, space) = part;
    let (other, free) = if space == "OXF" { ("BRK", "NHP") } else { ("OXF", "WIL") };
    let fill = |text: &str| text.replace('X', space).replace('Y', other).replace('Z', free);
    let line = format!("{who} {}", order.replace('X', space).replace('Y', other).replace('Z', free));
    // The part that holds is the one that the others leave behind.
    let orders = match (kind, who) {
        ("hold", "2A") if units == "3A OXF" => "A OXF-NHP".to_owned(),
        ("hold", _) => String::new(),
        _ => format!("{line}; {}", fill(others)),
    };
    let army = format!("A {other}");
    month([&[units, &army], &["A LON"]], [&orders, ""]).gave(&[(&line, code)]);
}

/// A leader without strength supports nobody (L2).
fn refuse((_, units, ..): (&str, &str, &str, &str)) {
    let mut game = Match::month(&[units, "A OXF"], &["A LON"]);
    game.write(R, "pick BRK");
    for action in ["support OXF", "support OXF-BUC"] {
        assert_eq!(game.refusal(R, action), [("NO_STRENGTH", "L2")]);
    }
}
