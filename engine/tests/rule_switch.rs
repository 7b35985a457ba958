//! The switch that turns one rule off (`cargo test --features rule-switch`), and that there is none without it.

use edgehill_engine::ledger::Rule;

const CAPTURE: Rule = Rule::new("L8");
const RETREAT: Rule = Rule::new("L9");

fn on(rule: Rule) -> bool {
    rule.applies(true)
}

#[cfg(not(feature = "rule-switch"))]
#[test]
fn without_the_switch_every_rule_is_on() {
    assert!(on(CAPTURE) && on(RETREAT));
    assert_eq!((CAPTURE.applies(false), CAPTURE.allows(false), CAPTURE.gives(1, 2)), (false, false, 1));
}

#[cfg(feature = "rule-switch")]
#[test]
fn the_switch_turns_one_rule_off_on_its_own_thread() {
    use edgehill_engine::ledger::switch::disable;

    assert!(on(CAPTURE) && on(RETREAT));
    disable(Some("L8"));
    assert!(!on(CAPTURE) && on(RETREAT));
    assert_eq!((CAPTURE.applies(true), CAPTURE.allows(false), CAPTURE.gives(1, 2)), (false, true, 2));
    #[expect(clippy::disallowed_methods, reason = "the engine has no threads; its tests do")]
    let elsewhere = std::thread::spawn(|| on(CAPTURE)).join();
    assert!(elsewhere.unwrap(), "other tests go on undisturbed");

    disable(Some("L9"));
    assert!(on(CAPTURE) && !on(RETREAT));
    disable(None);
    assert!(on(CAPTURE) && on(RETREAT));
}
