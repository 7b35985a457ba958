//! ChaCha20 written from RFC 8439, slowly and plainly, and the module compared with it.
//!
//! Nothing here comes from `rand_chacha`: that the two agree is the proof that no client needs it.

use edgehill_engine::dice::{KeyStream, Nonce, Seed, choice, roll};
use proptest::prelude::*;

/// Section 2.1: the quarter round on words a, b, c, d of the state.
fn quarter_round(state: &mut [u32; 16], a: usize, b: usize, c: usize, d: usize) {
    for (to, by, into, turn) in [(a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)] {
        state[to] = state[to].wrapping_add(state[by]);
        state[into] = (state[into] ^ state[to]).rotate_left(turn);
    }
}

fn words<const N: usize>(bytes: &[u8]) -> [u32; N] {
    std::array::from_fn(|i| (0..4).map(|k| u32::from(bytes[4 * i + k]) << (8 * k)).sum())
}

/// Section 2.3: constants, key, block counter, nonce.
fn block(key: &[u8; 32], counter: u32, nonce: &[u8; 12]) -> Vec<u8> {
    let mut start = [0; 16];
    start[..4].copy_from_slice(&words::<4>(b"expand 32-byte k"));
    start[4..12].copy_from_slice(&words::<8>(key));
    start[12] = counter;
    start[13..].copy_from_slice(&words::<3>(nonce));
    let mut state = start;
    for _ in 0..10 {
        for i in 0..4 {
            quarter_round(&mut state, i, 4 + i, 8 + i, 12 + i);
        }
        for i in 0..4 {
            quarter_round(&mut state, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
        }
    }
    state.iter().zip(start).flat_map(|(word, first)| word.wrapping_add(first).to_le_bytes()).collect()
}

/// The key stream of an event.
pub(crate) fn key_stream(key: [u8; 32], nonce: Nonce) -> impl Iterator<Item = u8> {
    let nonce = nonce.to_bytes();
    (0..).flat_map(move |counter| block(&key, counter, &nonce))
}

/// A roll as `docs/dice.md` states it.
fn slow_roll(bytes: impl Iterator<Item = u8>, dice: usize, sides: u16) -> Vec<u16> {
    let accepted = bytes.map(u16::from).filter(|byte| *byte < 256 / sides * sides);
    accepted.map(|byte| byte % sides + 1).take(dice).collect()
}

/// A choice as `docs/dice.md` states it, in 128 bits.
fn slow_choice(mut bytes: impl Iterator<Item = u8>, weights: &[u32]) -> usize {
    let total: u128 = weights.iter().copied().map(u128::from).sum();
    let point = loop {
        let r: u128 = (0..8).map(|k| u128::from(bytes.next().expect("endless")) << (8 * k)).sum();
        if r < (1 << 64) / total * total {
            break r % total;
        }
    };
    let reached = |last: usize| weights[..=last].iter().copied().map(u128::from).sum::<u128>();
    (0..weights.len()).find(|&index| reached(index) > point).expect("the point is below the total")
}

#[test]
fn the_rfc_s_own_vectors() {
    let mut state = [0; 16];
    state[..4].copy_from_slice(&[0x1111_1111, 0x0102_0304, 0x9b8d_6f43, 0x0123_4567]); // 2.1.1
    quarter_round(&mut state, 0, 1, 2, 3);
    assert_eq!(state[..4], [0xea2a_92f4, 0xcb1c_f8ce, 0x4581_472e, 0x5881_c4bb]);

    let key = std::array::from_fn(|i| u8::try_from(i).expect("32 bytes"));
    let nonce = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0]; // 2.3.2
    let expected = "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e\
                    d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e";
    assert_eq!(hex::encode(block(&key, 1, &nonce)), expected);
}

#[test]
fn the_check_vector_of_the_design() {
    let nonce = Nonce { stream: 3, n: 5 };
    assert_eq!(hex::encode(nonce.to_bytes()), "000000000300000005000000");
    let bytes: Vec<u8> = key_stream([7; 32], nonce).take(16).collect();
    assert_eq!(hex::encode(bytes), "e72b5e1ad1a063f0375f927005c30f5b");
}

fn nonces() -> impl Strategy<Value = Nonce> {
    let edge = prop_oneof![Just(0), Just(1), Just(u32::MAX), any::<u32>()];
    (edge.clone(), edge).prop_map(|(stream, n)| Nonce { stream, n })
}

proptest! {
    #[test]
    fn the_key_stream_is_rfc_8439(key: [u8; 32], nonce in nonces()) {
        let mut ours = KeyStream::new(&Seed::from_bytes(key), nonce);
        for (at, byte) in key_stream(key, nonce).take(600).enumerate() {
            prop_assert_eq!(ours.next_byte(), byte, "byte {}", at);
        }
    }

    #[test]
    fn rolls_agree(key: [u8; 32], nonce in nonces(), dice in 1..=128_usize, sides in 2..=256_u16) {
        let ours = roll(&Seed::from_bytes(key), nonce, dice, sides).expect("in range");
        prop_assert_eq!(ours.as_slice(), slow_roll(key_stream(key, nonce), dice, sides));
    }

    #[test]
    fn choices_agree(
        key: [u8; 32],
        nonce in nonces(),
        weights in prop::collection::vec(prop_oneof![Just(0), 0..10_u32, 0..1_u32 << 24], 1..=256),
    ) {
        prop_assume!(weights.iter().any(|weight| *weight > 0));
        let ours = choice(&Seed::from_bytes(key), nonce, &weights).expect("in range");
        prop_assert_eq!(ours, slow_choice(key_stream(key, nonce), &weights));
        prop_assert!(weights[ours] > 0);
    }
}
