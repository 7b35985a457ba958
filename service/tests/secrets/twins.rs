//! Non-interference over the wire: two matches that differ only in what one seat hides give everybody else the same bytes.
//!
//! Each test plays on two servers at once, and holds every reply, refusal, header and message of a stream of one against those
//! of the other. Ids of matches, salted hashes and times are set aside; see [`crate::mask`].

use std::collections::BTreeSet;

use edgehill_engine::chance_source::ChanceSource;
use edgehill_engine::dice::Seed;
use edgehill_engine::registry::Registry;
use edgehill_engine::seat::{Observer, Seat};
use edgehill_engine::setup::Setup;
use edgehill_proto::v1;

use crate::course::Course;
use crate::muster::Muster;
use crate::pair::Pair;
use crate::random::Random;
use crate::receiver::{Receiver, labels};
use crate::volume::volume;

/// Pairs of each game in the full run.
const PAIRS: usize = 60;

fn create(game: &str, seed: [u8; 32], options: &[(&str, &str)]) -> v1::CreateMatchRequest {
    let options = options.iter().map(|&(id, value)| v1::OptionValue { id: id.into(), value: value.into() });
    v1::CreateMatchRequest {
        game: game.to_owned(),
        options: options.collect(),
        seed: Some(v1::create_match_request::Seed::ChosenSeed(seed.to_vec())),
        client_secret: vec![7; 32],
        ..v1::CreateMatchRequest::default()
    }
}

/// The labels of all metrics, and the names and attributes of all spans.
fn names(receiver: &Receiver) -> (BTreeSet<String>, BTreeSet<String>) {
    let metrics = receiver.metrics.lock().unwrap();
    let points = metrics.iter().flat_map(|metric| {
        let name = metric.name.clone();
        labels(metric).into_iter().map(move |mut labels| {
            labels.sort_by(|one, other| one.key.cmp(&other.key));
            format!("{name} {labels:?}")
        })
    });
    let points = points.collect();
    let spans = receiver.spans.lock().unwrap();
    // The thread and the duration are the machine's.
    let is_ours =
        |key: &str| key.starts_with("rpc.") || key.starts_with("edgehill.") || key.starts_with("otel.");
    let spans = spans.iter().map(|span| {
        let attributes: BTreeSet<String> = span
            .attributes
            .iter()
            .filter(|attribute| is_ours(&attribute.key))
            .map(|attribute| format!("{attribute:?}"))
            .collect();
        let keys: BTreeSet<&str> = span.attributes.iter().map(|attribute| &*attribute.key).collect();
        format!("{} {keys:?} {attributes:?} {:?}", span.name, span.status)
    });
    let spans = spans.collect();
    (points, spans)
}

/// Both servers have logged the same, and counted under the same names.
async fn left_nothing_behind(pair: Pair) {
    let [left, right] = pair.sides;
    let ((left, left_told), (right, right_told)) = (left.stop().await, right.stop().await);
    assert_eq!((left.code, right.code), (Some(0), Some(0)));
    assert!(!left.panicked() && !left.stderr.contains("ERROR"), "{}", left.stderr);
    assert_eq!(left.stderr, right.stderr, "the logs differ");
    let (left, right) = (names(&left_told), names(&right_told));
    assert!(left.0.len() > 10 && left.1.len() > 10, "{left:?}");
    let differ = |left: &BTreeSet<String>, right: &BTreeSet<String>| -> Vec<String> {
        left.symmetric_difference(right).cloned().collect()
    };
    assert!(left.0 == right.0, "labels of metrics: {:#?}", differ(&left.0, &right.0));
    assert!(left.1 == right.1, "attributes of spans: {:#?}", differ(&left.1, &right.1));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_seat_hides_changes_no_byte_that_others_get() {
    let volume = volume(PAIRS);
    let mut pair = Pair::start().await;
    let games: [(&str, &[(&str, &str)]); 2] =
        [("skirmish", &[]), ("english-civil-war-iia", &[("max_seasons", "1")])];
    let mut differences = 0;
    for (index, (id, options)) in games.into_iter().enumerate() {
        let game = pair.game(id).await;
        for case in 0..volume.cases {
            let mut random = Random::new(volume.seed ^ ((case * games.len() + index) as u64) << 20);
            let seed = [random.next() as u8; 32];
            let create = create(id, seed, options);
            let secret = random.below(2);
            pair.begin([create.clone(), create], secret).await;
            // In a third of the cases the course is the same in public up to its end.
            let alike = if random.percent(33) { 1_000 } else { random.below(4) };
            let what = format!("{id}, case {case}, seat {secret} hides");
            let mut course = Course::new(&mut pair, &game, random, alike);
            course.play(&what).await;
            differences += course.differences;
        }
    }
    eprintln!("{differences} differences, {} answers compared, {} refused", pair.compared, pair.refused);
    assert!(differences >= volume.cases * games.len() && pair.compared > 100 && pair.refused > 50);
    left_nothing_behind(pair).await;
}

/// Two seeds that deal `seat` the same cards and the other seat others.
fn seeds(registry: &Registry, seat: Seat, from: u8) -> [[u8; 32]; 2] {
    let game = registry.game("skirmish").unwrap();
    let setup = Setup::new(game.catalogue(), None, &std::collections::BTreeMap::new()).unwrap();
    let deal = |seed: [u8; 32]| {
        let table = game.open(setup.clone(), ChanceSource::Seeded(Seed::from_bytes(seed)));
        let (own, other) = (Observer::Seat(seat), Observer::Seat(Seat::new(1 - seat.index() as u8)));
        // In which order its cards came is known to it, too.
        (format!("{:?} {:?}", table.view(own), table.published(own, 0)), table.view(other).board)
    };
    let first = [from; 32];
    let (seen, hidden) = deal(first);
    let second = (0..=u16::MAX).find_map(|number| {
        let mut seed = [0xAB; 32];
        seed[..2].copy_from_slice(&number.to_le_bytes());
        let (also_seen, also_hidden) = deal(seed);
        (also_seen == seen && also_hidden != hidden).then_some(seed)
    });
    [first, second.expect("a deal that the seat can't tell from the first")]
}

#[tokio::test(flavor = "multi_thread")]
async fn cards_in_another_hand_change_no_byte() {
    let volume = volume(PAIRS);
    let registry = Registry::built_in().unwrap();
    let mut pair = Pair::start().await;
    let game = pair.game("skirmish").await;
    let mut differences = 0;
    for case in 0..volume.cases {
        let mut random = Random::new(volume.seed ^ (case as u64) << 20);
        let secret = random.below(2);
        let seeds = seeds(&registry, Seat::new(1 - secret as u8), random.next() as u8);
        pair.begin(seeds.map(|seed| create("skirmish", seed, &[])), secret).await;
        let mut course = Course::new(&mut pair, &game, random, 0);
        course.play(&format!("case {case}, seat {secret} has other cards")).await;
        differences += course.differences;
    }
    assert!(differences >= volume.cases && pair.compared > 50 && pair.refused > 20);
    left_nothing_behind(pair).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn brigades_that_nobody_has_seen_change_no_byte() {
    let volume = volume(PAIRS);
    let mut pair = Pair::start().await;
    let game = pair.game("unhappy-king-charles").await;
    let mut differences = 0;
    for case in 0..volume.cases {
        let mut random = Random::new(volume.seed ^ (case as u64) << 20);
        let create = create("unhappy-king-charles", [random.next() as u8; 32], &[]);
        let secret = case % 2;
        pair.begin([create.clone(), create], secret).await;
        let mut muster = Muster::new(&mut pair, &game, random);
        muster.play(&format!("case {case}, seat {secret} has other Brigades")).await;
        differences += muster.differences;
    }
    eprintln!("{differences} differences, {} answers compared, {} refused", pair.compared, pair.refused);
    assert!(differences >= volume.cases && pair.compared > 50 && pair.refused > 20);
    left_nothing_behind(pair).await;
}
