//! Delta debugging: the shortest run that still breaks the same law ([`shrink`]).

use std::sync::Arc;

use crate::game::Game;

use super::walk::guarded;
use super::{Failure, Law, Laws, MatchCall, Run, rerun, written_out};

/// Takes items out, in ever smaller pieces, as long as `still_fails` holds of what is left: what remains can't lose any one
/// item more.
pub fn shrink<T: Clone>(items: Vec<T>, mut still_fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = items;
    let mut piece = kept.len().div_ceil(2);
    while piece > 0 && !kept.is_empty() {
        let mut taken_out = false;
        // From the end: what comes last rests on what comes first.
        let mut end = kept.len();
        while end > 0 {
            let start = end.saturating_sub(piece);
            let without: Vec<T> = kept[..start].iter().chain(&kept[end..]).cloned().collect();
            if still_fails(&without) {
                kept = without;
                taken_out = true;
            }
            end = start.min(kept.len());
        }
        piece = match piece {
            1 if taken_out => 1,
            1 => 0,
            larger => larger.div_ceil(2),
        };
    }
    kept
}

/// The failure with the shortest run found that breaks the same law: outcomes are written down, lists taken apart, calls left
/// out, lists shortened. The failure itself, if its run does not break its law again.
#[must_use]
pub fn shrink_failure<G: Game>(game: &Arc<G>, failure: &Failure) -> Failure {
    let mut best = failure.clone();
    for run in [written(game, &failure.run), failure.run.clone()] {
        for run in [singled(&run), run] {
            if let Some(found) = fails(game, &run, failure) {
                best = *found;
                return shortened(game, best);
            }
        }
    }
    best
}

fn shortened<G: Game>(game: &Arc<G>, failure: Failure) -> Failure {
    let mut best = failure;
    loop {
        let (setup, luck, length) = (best.run.setup.clone(), best.run.luck, best.run.calls.len());
        let calls = best.run.calls.clone();
        shrink(calls, |calls| {
            let run = Run { setup: setup.clone(), luck, calls: calls.to_vec() };
            match fails(game, &run, &best) {
                Some(found) => {
                    best = *found;
                    true
                }
                None => false,
            }
        });
        // The law may break earlier in a shorter run: then there is less to take out of.
        if best.run.calls.len() == length {
            return best;
        }
    }
}

/// Returns how `run` breaks the law that `failure` is about, if it does.
fn fails<G: Game>(game: &Arc<G>, run: &Run, failure: &Failure) -> Option<Box<Failure>> {
    let found = rerun(game, run, failure.seed, Laws::from(failure.law)).err()?;
    (found.law == failure.law).then_some(found)
}

fn written<G: Game>(game: &Arc<G>, run: &Run) -> Run {
    guarded(Law::Panic, || Ok(written_out(game, run))).unwrap_or_else(|_| run.clone())
}

/// Lists as their actions one by one.
fn singled(run: &Run) -> Run {
    let single = |call: &MatchCall| -> Vec<MatchCall> {
        match call {
            MatchCall::Actions { seat, actions, mode } => actions
                .iter()
                .map(|&action| MatchCall::Actions { seat: *seat, actions: vec![action], mode: *mode })
                .collect(),
            other => vec![other.clone()],
        }
    };
    Run { calls: run.calls.iter().flat_map(single).collect(), ..run.clone() }
}
