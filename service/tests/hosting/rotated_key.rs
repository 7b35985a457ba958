//! A host whose key was rotated.

use std::sync::Arc;

use edgehill_service::clock::ManualClock;
use edgehill_service::entropy::SystemEntropy;
use edgehill_service::host::{Host, Parts};

use crate::running::{KEY, Start};

/// The names of matches tell the key that they are of: with the time of a clock that was set back it would be one of before.
#[tokio::test]
async fn matches_are_of_the_key_of_now_although_the_clock_is_behind_it() {
    let start = Start { clock: Arc::new(ManualClock::new(1_000)), ..Start::default() };
    let key = KEY.rotated(50_000, &SystemEntropy).unwrap();
    let host = Host::open(Parts { key: key.clone(), ..start.parts() }).await.unwrap();
    for (game, made) in host.exhibit().await.unwrap() {
        assert!(!key.is_former_of(&made.id), "{game}: {}", made.id.unix_ms());
        assert_eq!(made.id.unix_ms(), 50_000, "{game}");
        assert_eq!(host.key().creator_token(&made.id), key.without_former().creator_token(&made.id));
    }
    host.close().await;
}
