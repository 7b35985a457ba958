//! The published vectors, `tests/data/dice_vectors.json`: frozen, and the same for every client language.
//!
//! A vector may be added. None may change: that would be another derivation, with other tags.

use edgehill_engine::dice::{
    Audit, Claim, Commitment, Entropy, EntropyCommitment, KeyStream, Nonce, OptionsSalt, Seed, ServerSeed,
    Terms, bag, choice, roll,
};
use serde::Deserialize;

use crate::rfc8439;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    format: String,
    key_streams: Vec<KeyStreamVector>,
    options_hashes: Vec<OptionsHashVector>,
    commitments: Vec<CommitmentVector>,
    entropy_commitments: Vec<EntropyCommitmentVector>,
    seeds: Vec<SeedVector>,
    series: Vec<SeriesVector>,
    rolls: Vec<RollVector>,
    choices: Vec<ChoiceVector>,
    bags: Vec<BagVector>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyStreamVector {
    seed: String,
    stream: u32,
    n: u32,
    bytes: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionsHashVector {
    salt: String,
    scenario: String,
    options: Vec<(String, String)>,
    position: String,
    options_hash: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CommitmentVector {
    id: String,
    game: String,
    rules_version: String,
    content_hash: String,
    options_hash: String,
    server_seed: String,
    commitment: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EntropyCommitmentVector {
    id: String,
    seat: u32,
    entropy: String,
    commitment: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeedVector {
    id: String,
    server_seed: String,
    entropies: Vec<Option<String>>,
    seed: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesVector {
    series_seed: String,
    account: String,
    n: u32,
    server_seed: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RollVector {
    seed: String,
    stream: u32,
    n: u32,
    dice: usize,
    sides: u16,
    rejected: usize,
    faces: Vec<u16>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChoiceVector {
    seed: String,
    stream: u32,
    n: u32,
    weights: Vec<u32>,
    rejected: usize,
    index: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BagVector {
    seed: String,
    stream: u32,
    epoch: u32,
    cards: Vec<u16>,
    order: Vec<u16>,
}

fn vectors() -> Vectors {
    let vectors: Vectors =
        serde_json::from_str(include_str!("../data/dice_vectors.json")).expect("the vectors parse");
    assert_eq!(vectors.format, "edgehill-dice-vectors/1");
    vectors
}

fn seed(hex: &str) -> Seed {
    Seed::from_hex(hex).expect("64 digits")
}

fn bytes32(hex: &str) -> [u8; 32] {
    *seed(hex).as_bytes()
}

#[test]
fn key_streams() {
    for v in vectors().key_streams {
        let mut stream = KeyStream::new(&seed(&v.seed), Nonce { stream: v.stream, n: v.n });
        let bytes: Vec<u8> = (0..v.bytes.len() / 2).map(|_| stream.next_byte()).collect();
        assert_eq!(hex::encode(bytes), v.bytes);
    }
}

#[test]
fn options_hashes() {
    for v in vectors().options_hashes {
        let options = v.options.iter().map(|(id, value)| (id.as_str(), value.as_str()));
        let salt = OptionsSalt::from_hex(&v.salt).expect("64 digits");
        let hash = salt.options_hash(&v.scenario, options, &v.position);
        assert_eq!(hex::encode(hash), v.options_hash);
    }
}

#[test]
fn commitments() {
    for v in vectors().commitments {
        let terms = Terms {
            id: &v.id,
            game: &v.game,
            rules_version: &v.rules_version,
            content_hash: bytes32(&v.content_hash),
            options_hash: bytes32(&v.options_hash),
        };
        let server_seed = ServerSeed::from_hex(&v.server_seed).expect("64 digits");
        let published: Commitment = v.commitment.parse().expect("64 digits");
        assert_eq!(server_seed.commit(&terms), Ok(published));
        assert_eq!(published.verify(&terms, &server_seed), Ok(()));
    }
}

#[test]
fn entropy_commitments() {
    for v in vectors().entropy_commitments {
        let entropy = Entropy::from_hex(&v.entropy).expect("64 digits");
        let published: EntropyCommitment = v.commitment.parse().expect("64 digits");
        assert_eq!(entropy.commit(&v.id, v.seat), Ok(published));
        assert_eq!(published.verify(&v.id, v.seat, &entropy), Ok(()));
    }
}

#[test]
fn seeds() {
    for v in vectors().seeds {
        let server_seed = ServerSeed::from_hex(&v.server_seed).expect("64 digits");
        let entropy = |hex: &Option<String>| match hex {
            Some(hex) => Entropy::from_hex(hex).expect("64 digits"),
            None => Entropy::ABSENT,
        };
        let entropies: Vec<Entropy> = v.entropies.iter().map(entropy).collect();
        assert_eq!(server_seed.seed(&v.id, &entropies), Ok(seed(&v.seed)));
    }
}

#[test]
fn series() {
    for v in vectors().series {
        let series = ServerSeed::from_hex(&v.series_seed).expect("64 digits");
        let derived = series.in_series(&v.account, v.n).expect("an account");
        assert_eq!(derived.to_hex(), v.server_seed);
    }
}

#[test]
fn rolls() {
    let vectors = vectors().rolls;
    assert!(vectors.iter().any(|v| v.rejected > 0), "a roll with a rejected byte");
    assert!(vectors.iter().any(|v| v.dice + v.rejected > 256), "a roll of more than four blocks");
    for v in vectors {
        let nonce = Nonce { stream: v.stream, n: v.n };
        assert_eq!(roll(&seed(&v.seed), nonce, v.dice, v.sides).expect("in range").as_slice(), v.faces);
        let taken = rfc8439::key_stream(bytes32(&v.seed), nonce).take(v.dice + v.rejected);
        let rejected = taken.filter(|byte| u16::from(*byte) >= 256 / v.sides * v.sides).count();
        assert_eq!(rejected, v.rejected);
        assert_eq!(Claim::Roll { nonce, sides: v.sides, faces: &v.faces }.verify(&seed(&v.seed)), Ok(()));
    }
}

#[test]
fn choices() {
    let vectors = vectors().choices;
    assert!(vectors.iter().any(|v| v.rejected > 0), "a choice with a rejected number");
    for v in vectors {
        let nonce = Nonce { stream: v.stream, n: v.n };
        assert_eq!(choice(&seed(&v.seed), nonce, &v.weights), Ok(v.index));
        let total: u128 = v.weights.iter().copied().map(u128::from).sum();
        let taken: Vec<u8> =
            rfc8439::key_stream(bytes32(&v.seed), nonce).take(8 * (v.rejected + 1)).collect();
        let numbers = taken.chunks_exact(8).map(|r| u64::from_le_bytes(r.try_into().expect("8 bytes")));
        let rejected = numbers.filter(|&r| u128::from(r) >= (1 << 64) / total * total).count();
        assert_eq!(rejected, v.rejected);
        let claim = Claim::Choice { nonce, weights: &v.weights, index: v.index };
        assert_eq!(claim.verify(&seed(&v.seed)), Ok(()));
    }
}

#[test]
fn bags() {
    for v in vectors().bags {
        let seed = seed(&v.seed);
        let (mut left, mut audit) = (v.cards, Audit::new(seed.clone()));
        for card in v.order {
            let claim = Claim::Bag { stream: v.stream, epoch: v.epoch, cards: &left, card };
            assert_eq!(audit.check(&claim), Ok(()));
            let index = bag(&seed, v.stream, v.epoch, &left).expect("not empty");
            assert_eq!(left.remove(index), card);
        }
        assert!(left.is_empty());
    }
}

/// The vectors that `docs/dice.md` prints are those of the file.
#[test]
fn the_document_quotes_the_vectors() {
    let document = include_str!("../../../docs/dice.md");
    let v = vectors();
    let spaced = |numbers: &[u16]| numbers.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
    let hash =
        |commitment: &EntropyCommitmentVector| [commitment.entropy.clone(), commitment.commitment.clone()];
    let ten_dice = v.rolls.iter().find(|v| v.dice == 10 && v.sides == 6).expect("10d6");
    let rejected = v.choices.iter().find(|v| v.rejected > 0).expect("a rejected number");
    let quotes = [
        [v.key_streams[0].bytes[..16].to_owned(), v.key_streams[0].bytes[16..32].to_owned()],
        [v.options_hashes[0].scenario.clone(), v.options_hashes[0].options_hash.clone()],
        [v.options_hashes[1].position.clone(), v.options_hashes[1].options_hash.clone()],
        [v.commitments[0].content_hash.clone(), v.commitments[0].options_hash.clone()],
        [v.commitments[0].commitment.clone(), v.commitments[0].id.clone()],
        hash(&v.entropy_commitments[0]),
        hash(&v.entropy_commitments[2]),
        [v.seeds[2].seed.clone(), v.seeds[3].seed.clone()],
        [v.series[0].account.clone(), v.series[0].server_seed.clone()],
        [spaced(&ten_dice.faces), spaced(&v.bags[0].order)],
        [format!("stream {}, n {}", rejected.stream, rejected.n), format!("gives entry {}", rejected.index)],
    ];
    for quote in quotes.iter().flatten() {
        assert!(document.contains(quote), "{quote}");
    }
}
