//! Signatures of hosts: of one kind of thing, of one thing, by one key.

use edgehill_engine::signing::{Signature, SigningKey, VerifyingKey};

const KIND: &str = "edgehill record v2";

fn signature(bytes: &[u8; 64]) -> Signature {
    hex::encode(bytes).parse().expect("128 digits")
}

/// RFC 8032, section 7.1, test 2: the key and its public half. The message there is one byte, which is no digest.
#[test]
fn the_public_key_is_that_of_the_standard() {
    let mut secret = [0; 32];
    let text = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
    hex::decode_to_slice(text, &mut secret).expect("64 digits");
    let key = SigningKey::from_bytes(&secret).verifying_key();
    assert_eq!(key.to_string(), "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
    assert_eq!(key.to_string().parse(), Ok(key));
}

#[test]
fn a_signature_holds_for_its_kind_its_digest_and_its_key_only() {
    let (key, other) = (SigningKey::from_bytes(&[1; 32]), SigningKey::from_bytes(&[2; 32]));
    let signed = key.sign(KIND, &[3; 32]);
    let public = key.verifying_key();
    assert!(public.has_signed(KIND, &[3; 32], &signed));
    assert!(!public.has_signed("edgehill record v3", &[3; 32], &signed));
    assert!(!public.has_signed(KIND, &[4; 32], &signed));
    assert!(!other.verifying_key().has_signed(KIND, &[3; 32], &signed));
    assert_eq!(signed.to_string().parse(), Ok(signed));
    let mut bytes = [0; 64];
    hex::decode_to_slice(signed.to_string(), &mut bytes).expect("128 digits");
    for bit in 0..512 {
        let mut changed = bytes;
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(!public.has_signed(KIND, &[3; 32], &signature(&changed)), "bit {bit}");
    }
}

/// With the neutral point as its key, and the neutral point and 0 as the signature, the plain equation holds for any message.
#[test]
fn a_key_of_small_order_has_signed_nothing() {
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let key = VerifyingKey::from_bytes(&neutral).expect("a point of the curve");
    let mut plain = [0; 64];
    plain[0] = 1;
    assert!(!key.has_signed(KIND, &[3; 32], &signature(&plain)));
}

#[test]
fn nothing_of_the_secret_is_printed() {
    assert_eq!(format!("{:?}", SigningKey::from_bytes(&[1; 32])), "SigningKey(<secret>)");
}
