//! Files that were cut short or lost bits: what is served of each match is a prefix of what it was, or it is stopped, or the
//! server says which file is damaged and does not start.

use std::path::Path;

use edgehill_service::host::{Error, Host, ListEntry, ListFilter, SeatCall};
use edgehill_service::identity::ServerKey;
use edgehill_service::matches::MatchError;
use edgehill_service::store;

use crate::over_the_wire;
use crate::random::Random;
use crate::truth::{KEY, Match, Truth, action, ask, open};
use crate::volume::volume;

/// Cuts of the full run, and as many copies with flipped bits.
const CUTS: usize = 2_000;
/// One copy in so many is served by the real server.
const SERVED: usize = 25;

/// The results, over all copies and matches.
#[derive(Default, Debug)]
struct Found {
    keys_refused: u32,
    stores_refused: u32,
    whole: u32,
    shorter: u32,
    stopped: u32,
    gone: u32,
}

fn cut(bytes: &mut Vec<u8>, random: &mut Random) -> String {
    let len = random.below(bytes.len());
    bytes.truncate(len);
    format!("cut at {len}")
}

fn flip(bytes: &mut [u8], random: &mut Random) -> String {
    let bits: Vec<usize> = (0..=random.below(4)).map(|_| random.below(bytes.len() * 8)).collect();
    bits.iter().for_each(|bit| bytes[bit / 8] ^= 1 << (bit % 8));
    format!("bits {bits:?}")
}

/// An error that says that, and what, is damaged, and for the whole store where.
fn is_clear(error: &store::Error) -> bool {
    matches!(error, store::Error::NotFound(_) | store::Error::Quarantined { .. }) || names_file(error)
}

fn names_file(error: &store::Error) -> bool {
    use store::Error::{Corrupt, NotAStore, Open, SchemaTooNew};
    let names = matches!(error, Corrupt { .. } | NotAStore { .. } | Open { .. } | SchemaTooNew { .. });
    names && error.to_string().contains("edgehill.sqlite")
}

async fn look(folder: &Path, truth: &Truth, found: &mut Found, random: &mut Random, what: &str) {
    if let Err(error) = ServerKey::read(&folder.join(KEY)) {
        assert!(error.to_string().contains(KEY), "{what}: {error}");
        found.keys_refused += 1;
        return;
    }
    let host = match open(folder, 3).await {
        Ok(host) => host,
        Err(Error::Store(error)) => {
            assert!(names_file(&error), "{what}: {error:?}");
            found.stores_refused += 1;
            return;
        }
        Err(error) => panic!("{what}: {error:?}"),
    };
    let mut stopped = 0;
    for (&id, truth) in &truth.matches {
        let seen = host.read(id, |content| Ok((truth.hold(content, what), content.live().is_ok()))).await;
        match seen {
            Ok((revision, true)) => {
                let last = truth.moments.len() as u64 - 1;
                *(if revision == last { &mut found.whole } else { &mut found.shorter }) += 1;
                goes_on(&host, truth, random, what, id).await;
            }
            Ok((_, false)) => stopped += 1,
            Err(Error::Store(error)) => {
                assert!(is_clear(&error), "{what}: {error:?}");
                match error {
                    store::Error::NotFound(_) => found.gone += 1,
                    _ => stopped += 1,
                }
            }
            Err(error) => panic!("{what}: {error:?}"),
        }
    }
    found.stopped += stopped;
    // One damaged match does not keep the others out of the list.
    let listed = host.list(&ListFilter::default(), None, 100, |listed| listed.why_closed().is_none()).await;
    match listed {
        Ok(page) => {
            let live = page.matches.iter().filter(|entry| matches!(entry, ListEntry::Shown(true))).count();
            // A page that can't be read is whole again once an append to another match has written it anew: what can be
            // served grows by that.
            let mut served = 0;
            for &id in truth.matches.keys() {
                let live = host.read(id, |content| Ok(content.live().is_ok())).await;
                served += usize::from(matches!(live, Ok(true)));
            }
            assert!(live <= served, "{what}: {live} are listed to play, {served} can be");
        }
        Err(Error::Store(error)) => assert!(names_file(&error), "{what}: {error:?}"),
        Err(error) => panic!("{what}: {error:?}"),
    }
    host.close().await;
}

/// A match that is served goes on from where it is served, or says clearly why it does not.
async fn goes_on(
    host: &Host,
    truth: &Match,
    random: &mut Random,
    what: &str,
    id: edgehill_service::store::MatchId,
) {
    let next = host.read(id, |content| Ok((action(content, random), content.course().revision()))).await;
    let Ok((Some((seat, call)), revision)) = next else { return };
    if truth.tokens.len() < 2 {
        return;
    }
    let call = SeatCall { call, ask: ask(100_000), expected: None };
    let played = host
        .execute(host.hold(id), &truth.tokens[seat.index()], call, |live, _| Ok(live.course().revision()))
        .await;
    match played {
        Ok(now) => assert_eq!(now, revision + 1, "{what}"),
        Err(Error::Store(error)) => assert!(is_clear(&error), "{what}: {error:?}"),
        // The seat's join was cut off with the rest; or the append met the damage.
        Err(Error::Match(MatchError::BadToken) | Error::Unavailable) => {}
        Err(error) => panic!("{what}: {error:?}"),
    }
}

async fn damage(name: &str, salt: u64, change: impl Fn(&mut Vec<u8>, &mut Random) -> String + Copy) -> Found {
    let truth = Truth::make().await;
    let volume = volume(CUTS);
    let mut found = Found::default();
    for case in 0..volume.cases {
        let mut random = Random::new(volume.seed ^ salt ^ (case as u64) << 20);
        let folder = tempfile::tempdir().unwrap();
        let (damaged, what) = truth.write(folder.path(), &mut random, change);
        let what = format!("case {case}: {what}");
        if case % SERVED == 0 {
            over_the_wire::look(folder.path(), &damaged, &truth, &what).await;
        } else {
            look(folder.path(), &truth, &mut found, &mut random, &what).await;
        }
    }
    eprintln!("{name}: {found:?}");
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn of_files_that_were_cut_short_prefixes_are_served_or_nothing() {
    let found = damage("cut", 0, cut).await;
    assert!(found.keys_refused > 0 && found.stores_refused > 0 && found.shorter > 0, "{found:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_files_that_lost_bits_prefixes_are_served_or_nothing() {
    let found = damage("flipped", 1 << 60, |bytes, random| flip(bytes, random)).await;
    assert!(found.keys_refused > 0 && found.stopped > 0 && found.whole > 0, "{found:?}");
}
