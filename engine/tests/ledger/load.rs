//! The checks that a ledger passes on load, on small made-up files.

use edgehill_engine::content::{ContentErrors, ContentFiles};
use edgehill_engine::ledger::{Ledger, RULES_FILE, Rule, RuleStatus};

fn load(text: &str) -> Result<Ledger, ContentErrors> {
    let text = format!("[sources]\npage = \"The rules page\"\nhouse = \"Our choice\"\n{text}");
    Ledger::load(&ContentFiles::builtin(&[(RULES_FILE, text.leak().as_bytes())]))
}

fn check(text: &str, expected: &[&str]) {
    let errors = load(text).expect_err("the ledger is faulty").to_string();
    assert_eq!(errors.lines().collect::<Vec<_>>(), expected);
}

const CAPTURE: &str = r#"
    [[rule]]
    id = "L8"
    title = "Capture"
    text = "A lone leader in enemy ground is out of the game."
    status = "enforced"
    ground = ["page 8", "house"]
"#;

#[test]
fn rules_are_found_by_number_and_listed_in_order() {
    const CAPTURE_RULE: Rule = Rule::new("L8");
    let last = CAPTURE.replace("L8", "12").replace("enforced", "not-used");
    let ledger = load(&format!("{CAPTURE}{last}reason = \"Nothing in it.\"\nsee = [\"L8\"]")).unwrap();
    assert_eq!(ledger.iter().map(|entry| entry.id.as_str()).collect::<Vec<_>>(), ["L8", "12"]);

    let capture = ledger.get(CAPTURE_RULE.id()).unwrap();
    assert_eq!((capture.title.as_str(), capture.status), ("Capture", RuleStatus::Enforced));
    assert_eq!(
        capture.ground.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["The rules page, 8", "Our choice"]
    );
    assert_eq!(ledger.get("12").unwrap().see, ["L8"]);
    assert_eq!(ledger.get("12").unwrap().reason.as_deref(), Some("Nothing in it."));
    assert_eq!(ledger.get("13"), None);
}

#[test]
fn words_may_be_spread_over_lines() {
    let text =
        CAPTURE.replace("\"A lone leader", "\"\"\"\n A  lone\n leader").replace("game.\"", "game.\"\"\"");
    assert_eq!(load(&text).unwrap().get("L8").unwrap().text, load(CAPTURE).unwrap().get("L8").unwrap().text);
}

#[test]
fn citations_print_as_their_number() {
    const RULE: Rule = Rule::new("10.8");
    assert_eq!((RULE.to_string().as_str(), format!("{RULE:?}").as_str()), ("10.8", "Rule(10.8)"));
    assert!(Rule::new("10") < RULE);
    for bad in ["", " L8", "L 8", "§8", ".8", "12345678901234567"] {
        assert!(std::panic::catch_unwind(|| Rule::new(bad)).is_err(), "{bad:?}");
    }
}

#[test]
fn every_rule_says_what_becomes_of_it_and_why() {
    check(
        &CAPTURE.replace("enforced", "not-used"),
        &["rules.toml: rule L8: reason: missing, and the rule does not hold"],
    );
    check(
        &format!("{CAPTURE}reason = \"So there.\""),
        &["rules.toml: rule L8: reason: a rule that holds needs none"],
    );
    check(
        &format!("{}reason = \" \"", CAPTURE.replace("enforced", "presentation")),
        &["rules.toml: rule L8: reason: expected some words"],
    );
    check(
        &CAPTURE.replace("enforced", "forgotten"),
        &[
            "rules.toml: rule L8: status: unknown variant `forgotten`, expected one of `enforced`, `content`, `presentation`, `not-used`",
        ],
    );
}

#[test]
fn every_rule_stands_on_something() {
    check(
        &CAPTURE.replace("ground = [\"page 8\", \"house\"]", ""),
        &["rules.toml: rule L8: ground: missing"],
    );
    check(
        &CAPTURE.replace("[\"page 8\", \"house\"]", "[]"),
        &["rules.toml: rule L8: ground: expected at least one source"],
    );
    check(
        &CAPTURE.replace("page 8", "paeg 8"),
        &["rules.toml: rule L8: ground: there is no source \"paeg\" in [sources]"],
    );
}

#[test]
fn numbers_are_unique_well_formed_and_distinct_in_names_of_tests() {
    let another = |id| CAPTURE.replace("L8", id);
    check(&format!("{CAPTURE}{CAPTURE}"), &["rules.toml: rule L8: id: comes twice"]);
    check(
        &format!("{CAPTURE}{}", another("l8")),
        &["rules.toml: rule l8: id: can't be told from L8 in the name of a test"],
    );
    check(
        &format!("{}{}", another("6-7"), another("6.7")),
        &["rules.toml: rule 6.7: id: can't be told from 6-7 in the name of a test"],
    );
    check(
        &another("L 8"),
        &["rules.toml: rule L 8: id: a rule's number is letters, digits, dots and hyphens"],
    );
}

#[test]
fn references_lead_to_other_rules() {
    check(
        &format!("{CAPTURE}supersedes = [\"8\"]\nsee = [\"L8\"]"),
        &["rules.toml: rule L8: supersedes: there is no rule 8", "rules.toml: rule L8: see: the rule itself"],
    );
}

#[test]
fn a_ledger_holds_nothing_but_rules() {
    check(
        &format!("{CAPTURE}colour = \"red\"\n[clock]\nmonths = 3"),
        &[
            "rules.toml: rule L8: colour: unknown field, expected one of title, text, status, reason, supersedes, see",
            "rules.toml: clock: unknown table",
        ],
    );
    let none = ContentFiles::builtin(&[]);
    assert_eq!(Ledger::load(&none).unwrap_err().to_string(), "rules.toml: missing");
}
