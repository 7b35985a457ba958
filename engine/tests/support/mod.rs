//! What several suites share.

pub(crate) mod volume;

use edgehill_engine::laws::Volume;

/// How much the conformance kit checks in this run.
pub(crate) fn laws_volume() -> Volume {
    let full = Volume::FULL;
    let volume::Volume { cases, seed } = volume::volume(full.nodes as usize);
    let nodes = cases as u64;
    Volume { nodes, runs: full.runs * nodes / full.nodes, seed }
}
