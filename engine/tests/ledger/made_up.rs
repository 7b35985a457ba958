//! The coverage check itself, on small made-up games.

use edgehill_engine::content::ContentFiles;
use edgehill_engine::ledger::{Ledger, RULES_FILE};

use crate::coverage;
use crate::scan::{Citation, File, citations, tests};

/// Rules with these numbers and statuses (`8 enforced`), one a line.
fn ledger(rules: &str) -> Ledger {
    let mut text = "[sources]\npage = \"The rules\"\n".to_owned();
    for rule in rules.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (id, status) = rule.split_once(' ').unwrap();
        let holds = status == "enforced" || status == "content";
        let reason = if holds { "" } else { "reason = \"No need.\"\n" };
        text += &format!(
            "[[rule]]\nid = \"{id}\"\ntitle = \"A rule\"\ntext = \"It says so.\"\nstatus = \"{status}\"\n{reason}ground = \"page\"\n"
        );
    }
    Ledger::load(&ContentFiles::builtin(&[(RULES_FILE, text.leak().as_bytes())])).unwrap()
}

fn file(name: &str, text: &str) -> File {
    File { name: name.to_owned(), text: text.to_owned() }
}

fn check(rules: &str, code: &str, test_code: &str, expected: &[&str]) {
    let code = [file("rules.rs", code)];
    let test_files = [file("tests.rs", test_code)];
    let findings = coverage::check(&ledger(rules), &code, &test_files);
    assert_eq!(findings.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);
}

const CAPTURE: &str = r#"
    pub const CAPTURE: Rule = Rule::new("L8");
    fn month() {
        if CAPTURE.applies(alone) {}
    }
"#;

const CAPTURE_TEST: &str = "#[test]\nfn rule_l8_a_lone_leader_is_captured() {}";

#[test]
fn a_cited_and_tested_rule_is_covered() {
    check("L8 enforced\n9 presentation\n10 not-used", CAPTURE, CAPTURE_TEST, &[]);
}

#[test]
fn an_enforced_rule_without_a_citation_is_found() {
    check(
        "L8 enforced\n6 enforced",
        CAPTURE,
        CAPTURE_TEST,
        &["rule 6 is enforced, but no code cites it", "rule 6 is enforced, but there is no test rule_6_..."],
    );
}

#[test]
fn an_enforced_rule_without_a_test_is_found() {
    check("L8 enforced", CAPTURE, "", &["rule L8 is enforced, but there is no test rule_l8_..."]);
}

#[test]
fn a_citation_of_no_rule_is_found() {
    let code = format!("{CAPTURE}\nreturn refuse(Rule::new(\"L99\"));");
    check("L8 enforced", &code, CAPTURE_TEST, &["rules.rs:7 cites rule L99, which is not in the ledger"]);
}

#[test]
fn a_citation_of_a_rule_that_is_not_enforced_is_found() {
    check("L8 not-used", CAPTURE, "", &["rules.rs:2 cites rule L8, which the ledger calls not-used"]);
}

#[test]
fn a_rule_that_the_content_keeps_needs_a_test_and_no_code() {
    check("C1 content", "", "", &["rule C1 is content, but there is no test rule_c1_..."]);
    check("C1 content", "", "#[test]\nfn rule_c1_the_board_has_44_spaces() {}", &[]);
}

#[test]
fn a_constant_that_nothing_uses_is_no_call_site() {
    let code = r#"pub const CAPTURE: Rule = Rule::new("L8"); // CAPTURE
        #[cfg(test)]
        mod tests { use super::CAPTURE; }"#;
    check("L8 enforced", code, CAPTURE_TEST, &["rules.rs:1 cites rule L8 as CAPTURE, which nothing uses"]);
}

#[test]
fn comments_and_tests_cite_nothing() {
    let code = r#"
        // Rule::new("L8")
        /// Rule::new("L8")
        fn month() {}
        #[cfg(test)]
        const CAPTURE: Rule = Rule::new("L8");
    "#;
    check("L8 enforced", code, CAPTURE_TEST, &["rule L8 is enforced, but no code cites it"]);
}

#[test]
fn a_test_names_the_longest_rule_that_it_can() {
    let code = "a(Rule::new(\"10\"));\nb(Rule::new(\"10.8\"));";
    let rules = "10 enforced\n10.8 enforced";
    check(
        rules,
        code,
        "#[test]\nfn rule_10_8_cards() {}",
        &["rule 10 is enforced, but there is no test rule_10_..."],
    );
    check(rules, code, "#[test]\nfn rule_10_cards() {}\n#[test]\nfn rule_10_8_cards() {}", &[]);
}

#[test]
fn a_test_of_no_rule_is_found() {
    let tests =
        format!("{CAPTURE_TEST}\n#[test]\nfn rule_l88_typo() {{}}\n#[test]\nfn something_else() {{}}");
    check("L8 enforced", CAPTURE, &tests, &["test rule_l88_typo names no rule of the ledger"]);
}

#[test]
fn citations_are_read_with_their_constants() {
    let code = "pub(super) const LONG: Rule =\n    Rule::new(\"L1\");\nlet a = Rule::new(\n    \"L2\",\n);\nRule::new(id)";
    let cited = |rule: &str, constant: Option<&str>, at: &str| Citation {
        rule: rule.to_owned(),
        constant: constant.map(str::to_owned),
        at: at.to_owned(),
    };
    let found = citations(&file("a.rs", code));
    assert_eq!(found, [cited("L1", Some("LONG"), "a.rs:2"), cited("L2", None, "a.rs:3")]);
}

#[test]
fn only_tests_that_run_are_tests() {
    let text = r#"
        #[test]
        #[should_panic]
        /// What it shows.
        fn rule_1_a() {}

        fn rule_2_helper() {}

        #[test]
        #[ignore = "slow"]
        fn rule_3_b() {}

        // #[test]
        fn rule_4_c() {}
    "#;
    assert_eq!(tests(&file("a.rs", text)), ["rule_1_a"]);
}
