//! A failing run shrinks to what makes it fail.

use std::sync::Arc;

use edgehill_engine::game::Game;
use edgehill_engine::laws::{
    Care, Law, Laws, MatchCall, Run, Volume, conform, rerun, shrink, shrink_failure,
};

use super::fault::{Fault, Mutant};
use super::{flow, sight};

#[test]
fn what_is_left_can_lose_nothing_more() {
    let numbers: Vec<u32> = (0..1_000).collect();
    let mut asked = 0;
    let kept = shrink(numbers, |left| {
        asked += 1;
        left.contains(&137) && left.contains(&731)
    });
    assert_eq!(kept, [137, 731]);
    assert!(asked < 200, "asked {asked} times");
}

#[test]
fn pairs_that_only_fail_together_are_kept_together() {
    let kept =
        shrink((0..64).collect(), |left: &[u32]| left.iter().filter(|number| *number % 8 == 0).count() >= 3);
    assert_eq!(kept.len(), 3);
}

#[test]
fn nothing_is_left_of_what_always_fails() {
    assert_eq!(shrink(vec![1, 2, 3], |_| true).len(), 0);
    assert_eq!(shrink(Vec::<u8>::new(), |_| true).len(), 0);
}

#[test]
fn what_does_not_fail_is_kept() {
    assert_eq!(shrink(vec![1, 2, 3], |_| false), [1, 2, 3]);
}

/// The shortest run found for a fault, after checks that it still fails.
fn shortest(fault: impl Fault, law: Law) -> (Arc<Mutant>, Run) {
    let game = Arc::new(Mutant::new(fault));
    let volume = Volume { nodes: 4_000, runs: 40, seed: 7 };
    let failure = conform(&game, volume, Laws::from(law), Care::Sampled).expect_err("the fault shows");
    let least = shrink_failure(&game, &failure);
    assert_eq!(least.law, law);
    assert!(least.run.calls.len() <= failure.run.calls.len());
    let again = rerun(&game, &least.run, least.seed, Laws::from(law)).expect_err("what is left still fails");
    assert_eq!(again.law, law);
    (game, least.run)
}

#[test]
fn a_panic_shrinks_to_the_way_there() {
    let (game, run) = shortest(flow::Brittle, Law::Panic);
    let keep = game.catalogue().actions.find("keep", &[]).unwrap();
    assert!(
        matches!(run.calls.last(), Some(MatchCall::Actions { actions, .. }) if *actions == [keep]),
        "{run:?}"
    );
    // Two cards a seat, two choices, a march into a battle, its dice, and the bonus card: a run can hardly be shorter.
    assert!(run.calls.len() <= 24, "{}", run.print(game.catalogue()));
}

#[test]
fn a_leak_shrinks_to_the_deal() {
    let (game, run) = shortest(sight::LeakBySize, Law::Secrecy);
    assert!(run.calls.len() <= 4, "{}", run.print(game.catalogue()));
}

#[test]
fn a_run_is_read_back_from_its_text() {
    let (game, run) = shortest(flow::Brittle, Law::Panic);
    let catalogue = game.catalogue();
    assert_eq!(Run::parse(catalogue, &run.print(catalogue)).as_ref(), Ok(&run));
    let text = "# kept\nscenario skirmish\ndice 7\n\n\
        north until-reveal: card drum; #9999\nsouth undo 3\nsouth revise 0: done; done\n\
        south revise 2 until-reveal: done\nnorth writes \"a \\\"b\\\"\\n\"\nenter roll 3 6\nenter card drum\n\
        enter kind strength-2\nenter piece south-1\nenter number -3\nenter seat south\n\
        north stands always interception; procedure-4; until-attacked\nnorth stands\n\
        north offers\nsouth accepts\n@5 resigns\n";
    let run = Run::parse(catalogue, text).unwrap();
    assert_eq!(run.calls.len(), 16);
    assert_eq!(format!("# kept\n{}", run.print(catalogue)), text.replace("\n\n", "\n"));
    for (line, wrong) in
        [(1, "scenario x"), (1, "option x 1"), (1, "dice x"), (2, "# y\nnorth"), (1, "west: done")]
    {
        let error = Run::parse(catalogue, wrong).expect_err(wrong);
        assert_eq!(error.line, line, "{wrong}: {error}");
    }
}
