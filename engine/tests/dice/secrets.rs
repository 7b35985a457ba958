//! Secrets do not print themselves, and public values read back what they printed.

use edgehill_engine::dice::{
    Commitment, Entropy, EntropyCommitment, Error, KeyStream, Nonce, Seed, ServerSeed,
};

const HEX: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff";

#[test]
fn secrets_are_not_in_their_debug_form() {
    let seed = Seed::from_hex(HEX).expect("64 digits");
    let shown = [
        format!("{:?}", ServerSeed::from_hex(HEX)),
        format!("{:?}", Entropy::from_hex(HEX)),
        format!("{seed:?} {seed:#?}"),
        format!("{:?}", KeyStream::new(&seed, Nonce { stream: 0, n: 0 })),
    ];
    for text in shown {
        assert!(text.contains("<secret>") && !text.chars().any(|c| c.is_ascii_digit()), "{text}");
    }
    assert_eq!(format!("{:?}", Entropy::ABSENT), "Entropy(absent)");
}

#[test]
fn hex_is_read_and_written() {
    assert_eq!(Seed::from_hex(HEX).expect("64 digits").to_hex(), HEX);
    assert_eq!(ServerSeed::from_hex(&HEX.to_uppercase()).expect("64 digits").to_hex(), HEX);
    let commitment: Commitment = HEX.parse().expect("64 digits");
    assert_eq!(commitment.to_string(), HEX);
    assert_eq!(format!("{commitment:?}"), format!("Commitment({HEX})"));
    let commitment: EntropyCommitment = HEX.parse().expect("64 digits");
    assert_eq!(commitment.to_string(), HEX);
    for text in ["", "00", &HEX[1..], &format!("{HEX}00"), &HEX.replace('f', "g"), &HEX.replace("ff", "é")] {
        assert_eq!(Seed::from_hex(text), Err(Error::Hex), "{text:?}");
    }
}

#[test]
fn zeros_are_no_entropy() {
    assert!(Entropy::from_bytes([0; 32]).is_absent());
    assert!(!Entropy::from_hex(HEX).expect("64 digits").is_absent());
}
