//! The laws that the games rely on.

use edgehill_engine::dice::{
    CHOICE_TOTAL_MAX, DICE_MAX, Entropy, KeyStream, Nonce, SIDES_MAX, SIDES_MIN, Seed, ServerSeed, Terms,
    bag, choice, residue, roll,
};
use proptest::prelude::*;

fn bags(least: usize) -> impl Strategy<Value = Vec<u16>> {
    let cards = prop_oneof![0..80_u16, any::<u16>()];
    prop::collection::btree_set(cards, least..60).prop_map(Vec::from_iter).prop_shuffle()
}

/// The cards in the order in which the bag gives them.
fn order(seed: &Seed, stream: u32, epoch: u32, cards: &[u16]) -> Vec<u16> {
    let mut left = cards.to_vec();
    let draw = |_: &u16| left.remove(bag(seed, stream, epoch, &left).expect("not empty"));
    cards.iter().map(draw).collect()
}

proptest! {
    /// Accepted numbers are whole runs of residues, and not one run too few.
    #[test]
    fn residues_come_in_whole_runs(total in 1..=CHOICE_TOTAL_MAX, below in 0_u64..1 << 33) {
        prop_assert_eq!(bound(total) % u128::from(total), 0);
        prop_assert!((1 << 64) - bound(total) < u128::from(total));
        let r = u64::MAX - below;
        let expected = (u128::from(r) < bound(total)).then_some(r % total);
        prop_assert_eq!(residue(r, total), expected);
    }

    #[test]
    fn a_bag_gives_every_card_once(key: [u8; 32], stream: u32, epoch: u32, mut cards in bags(0)) {
        let mut drawn = order(&Seed::from_bytes(key), stream, epoch, &cards);
        drawn.sort_unstable();
        cards.sort_unstable();
        prop_assert_eq!(drawn, cards);
    }

    /// The mirrored pair: whatever else one game took out, the rest comes in the same order in both.
    #[test]
    fn other_cards_do_not_matter(
        key: [u8; 32],
        stream: u32,
        epoch: u32,
        (cards, kept) in bags(1).prop_flat_map(|cards| {
            let kept = prop::sample::subsequence(cards.clone(), 1..=cards.len()).prop_shuffle();
            (Just(cards), kept)
        }),
    ) {
        let seed = Seed::from_bytes(key);
        let mut expected = order(&seed, stream, epoch, &cards);
        expected.retain(|card| kept.contains(card));
        prop_assert_eq!(order(&seed, stream, epoch, &kept), expected);
    }

    #[test]
    fn the_listing_of_a_bag_does_not_matter(key: [u8; 32], mut cards in bags(1)) {
        let seed = Seed::from_bytes(key);
        let drawn = cards[bag(&seed, 0, 0, &cards).expect("not empty")];
        cards.reverse();
        prop_assert_eq!(cards[bag(&seed, 0, 0, &cards).expect("not empty")], drawn);
    }

    /// Events know only their own place: in whatever order a match asks its streams, each gives the same.
    #[test]
    fn streams_do_not_wait_for_each_other(key: [u8; 32], calls in prop::collection::vec(0..4_u32, 1..40)) {
        let seed = Seed::from_bytes(key);
        let mut next = [0; 4];
        let mut seen = [const { Vec::new() }; 4];
        for stream in calls {
            let at = usize::try_from(stream).expect("0 to 3");
            let nonce = Nonce { stream, n: next[at] };
            seen[at].push(roll(&seed, nonce, 20, 6).expect("in range"));
            next[at] += 1;
        }
        for (stream, faces) in (0..).zip(seen) {
            let alone = |n| roll(&seed, Nonce { stream, n }, 20, 6).expect("in range");
            prop_assert!(faces.into_iter().eq((0..next[stream as usize]).map(alone)));
        }
    }

    #[test]
    fn fewer_dice_are_the_beginning_of_more(key: [u8; 32], n: u32, dice in 1..=DICE_MAX, sides in 2..=256_u16) {
        let seed = Seed::from_bytes(key);
        let nonce = Nonce { stream: 0, n };
        let all = roll(&seed, nonce, DICE_MAX, sides).expect("in range");
        prop_assert!(all.iter().all(|face| (1..=sides).contains(face)));
        let some = roll(&seed, nonce, dice, sides).expect("in range");
        prop_assert_eq!(some.as_slice(), &all[..dice]);
    }

    /// Entries of weight 0 may be left out without a change; the result keeps its place among the others.
    #[test]
    fn weight_zero_is_absence(key: [u8; 32], n: u32, weights in prop::collection::vec(0..3_u32, 1..30)) {
        prop_assume!(weights.iter().any(|weight| *weight > 0));
        let (seed, nonce) = (Seed::from_bytes(key), Nonce { stream: 0, n });
        let present: Vec<usize> = (0..weights.len()).filter(|&index| weights[index] > 0).collect();
        let dense: Vec<u32> = present.iter().map(|&index| weights[index]).collect();
        let chosen = choice(&seed, nonce, &weights).expect("in range");
        prop_assert_eq!(chosen, present[choice(&seed, nonce, &dense).expect("in range")]);
    }
}

/// Over all 256 bytes, every face of every die comes up equally often, and as often as can be.
#[test]
fn each_face_has_the_same_number_of_bytes() {
    let seed = Seed::from_bytes([7; 32]);
    let nonces = (0..4_000).map(|n| Nonce { stream: 0, n });
    let events: Vec<(Nonce, u8)> =
        nonces.map(|nonce| (nonce, KeyStream::new(&seed, nonce).next_byte())).collect();
    for sides in SIDES_MIN..=SIDES_MAX {
        // A byte that is rejected leaves the face to the next ones, so events that begin with it differ.
        let (mut faces, mut rejected) = ([None; 256], [false; 256]);
        for &(nonce, byte) in &events {
            let face = roll(&seed, nonce, 1, sides).expect("in range")[0];
            rejected[usize::from(byte)] |= *faces[usize::from(byte)].get_or_insert(face) != face;
        }
        let mut count = vec![0; usize::from(sides)];
        for byte in (0..256).filter(|&byte| !rejected[byte]) {
            let face = faces[byte].expect("some event begins with each byte");
            count[usize::from(face - 1)] += 1;
        }
        assert_eq!(count, vec![256 / sides; usize::from(sides)], "{sides} sides");
    }
}

/// The bound of the definition, in 128 bits.
fn bound(total: u64) -> u128 {
    (1 << 64) / u128::from(total) * u128::from(total)
}

#[test]
fn the_bound_is_exact() {
    for total in [1, 2, 3, 6, 52, 255, 1 << 31, (1 << 32) - 65_535, (1 << 32) - 1, 1 << 32] {
        let last = u64::try_from(bound(total) - 1).expect("at most 2^64 - 1");
        assert_eq!(residue(last, total), Some(total - 1), "{total}");
        if let Some(first_rejected) = last.checked_add(1) {
            assert_eq!(residue(first_rejected, total), None, "{total}");
        }
    }
}

/// Over all residues, entry i comes exactly `weights[i]` times.
#[test]
fn each_entry_has_its_weight_in_residues() {
    let seed = Seed::from_bytes([7; 32]);
    for weights in [&[1_u32][..], &[3, 1, 2], &[0, 5, 0, 0, 7, 0], &[0, 0, 1], &[1; 256]] {
        let total: u64 = weights.iter().copied().map(u64::from).sum();
        let mut chosen = vec![None; usize::try_from(total).expect("256 at most")];
        for n in 0..4_000 {
            let nonce = Nonce { stream: 0, n };
            let mut stream = KeyStream::new(&seed, nonce);
            let r = u64::from_le_bytes(std::array::from_fn(|_| stream.next_byte()));
            let Some(point) = residue(r, total) else { continue };
            let index = choice(&seed, nonce, weights).expect("in range");
            let place = &mut chosen[usize::try_from(point).expect("below the total")];
            assert_eq!(*place.get_or_insert(index), index, "a point stands for one entry");
        }
        let mut count = vec![0; weights.len()];
        chosen.into_iter().for_each(|index| count[index.expect("each point is met")] += 1);
        assert_eq!(count, weights);
    }
}

/// The same stream and number with swapped roles, and neighbours of each, are different events.
#[test]
fn every_place_has_its_own_bytes() {
    let seed = Seed::from_bytes([7; 32]);
    let places = (0..16).flat_map(|stream| (0..16).map(move |n| Nonce { stream, n }));
    let mut rolls: Vec<_> = places.map(|nonce| roll(&seed, nonce, 16, 256).expect("in range")).collect();
    rolls.sort_unstable();
    rolls.dedup();
    assert_eq!(rolls.len(), 256);
}

/// Every field of every derivation matters, and no text can borrow bytes from the next.
#[test]
fn derivations_are_injective_where_it_is_easy_to_slip() {
    let server_seed = ServerSeed::from_bytes([1; 32]);
    let terms =
        Terms { id: "ab", game: "cd", rules_version: "1", content_hash: [2; 32], options_hash: [3; 32] };
    let variants = [
        terms,
        Terms { id: "abc", game: "d", ..terms },
        Terms { id: "a", game: "bcd", ..terms },
        Terms { game: "cd1", rules_version: "\u{2}", ..terms },
        Terms { rules_version: "2", ..terms },
        Terms { content_hash: [3; 32], options_hash: [2; 32], ..terms },
        Terms { content_hash: [3; 32], ..terms },
        Terms { options_hash: [2; 32], ..terms },
    ];
    let mut commitments = variants.map(|terms| server_seed.commit(&terms).expect("terms")).to_vec();
    commitments.push(ServerSeed::from_bytes([2; 32]).commit(&terms).expect("terms"));
    let (a, b) = (Entropy::from_bytes([4; 32]), Entropy::from_bytes([5; 32]));
    let none = Entropy::ABSENT;
    let lists = [
        vec![],
        vec![none.clone()],
        vec![none.clone(), none.clone()],
        vec![a.clone()],
        vec![a.clone(), none.clone()],
        vec![none, a.clone()],
        vec![a.clone(), b.clone()],
        vec![b, a.clone()],
    ];
    let mut seeds = lists.map(|list| server_seed.seed("ab", &list).expect("an id").to_hex()).to_vec();
    seeds.push(server_seed.seed("abc", &[a]).expect("an id").to_hex());
    for mut hashes in [commitments.iter().map(ToString::to_string).collect(), seeds] {
        let count = hashes.len();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), count);
    }
}
