//! How much the suites check: a twentieth with fixed seeds each time, all of it with fresh seeds where
//! `EDGEHILL_VOLUME=full` says so.

use edgehill_engine::laws::Volume;

/// The volume of this run; fresh seeds are printed.
#[expect(clippy::disallowed_types, reason = "the engine has no clock; its tests do")]
pub(crate) fn volume() -> Volume {
    if !is_full() {
        return Volume::ROUTINE;
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let volume = Volume { seed: edgehill_engine::laws::spread(now.as_nanos() as u64), ..Volume::FULL };
    println!("seeds from {} on", volume.seed);
    volume
}

/// Whether the full figures are asked for.
#[expect(clippy::disallowed_methods, reason = "the engine has no environment; its tests do")]
pub(crate) fn is_full() -> bool {
    std::env::var("EDGEHILL_VOLUME").is_ok_and(|volume| volume == "full")
}
