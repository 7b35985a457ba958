use std::fs;
use std::path::Path;

use edgehill_client::entropy;
use serde_json::Value;

fn bytes(value: &Value) -> [u8; 32] {
    hex::decode(value.as_str().unwrap()).unwrap().try_into().unwrap()
}

/// The vectors of docs/dice.md.
#[test]
fn commitments_are_those_of_the_vectors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../engine/tests/data/dice_vectors.json");
    let vectors: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let vectors = vectors["entropy_commitments"].as_array().unwrap();
    assert!(vectors.len() > 3);
    for vector in vectors {
        let seat = vector["seat"].as_u64().unwrap() as u32;
        let made = entropy::commitment(vector["id"].as_str().unwrap(), seat, &bytes(&vector["entropy"]));
        assert_eq!(made, bytes(&vector["commitment"]), "{vector}");
    }
}

#[test]
fn fresh_entropy_is_never_the_same() {
    assert_ne!(entropy::fresh().unwrap(), entropy::fresh().unwrap());
}
