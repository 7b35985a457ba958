//! The switch that turns one rule off (`cargo test --features rule-switch`), and that there is none without it.

use edgehill_engine::ledger::Rule;

const CAPTURE: Rule = Rule::new("L8");
const RETREAT: Rule = Rule::new("L9");

#[cfg(not(feature = "rule-switch"))]
#[test]
fn without_the_switch_every_rule_is_on_at_compile_time() {
    const ON: bool = CAPTURE.on() && RETREAT.on();
    const { assert!(ON) };
}

#[cfg(feature = "rule-switch")]
#[test]
fn the_switch_turns_one_rule_off_on_its_own_thread() {
    use edgehill_engine::ledger::switch::disable;

    assert!(CAPTURE.on() && RETREAT.on());
    disable(Some("L8"));
    assert!(!CAPTURE.on() && RETREAT.on());
    #[expect(clippy::disallowed_methods, reason = "the engine has no threads; its tests do")]
    let elsewhere = std::thread::spawn(|| CAPTURE.on()).join();
    assert!(elsewhere.unwrap(), "other tests go on undisturbed");

    disable(Some("L9"));
    assert!(CAPTURE.on() && !RETREAT.on());
    disable(None);
    assert!(CAPTURE.on() && RETREAT.on());
}
