//! The times at which the server was down ([`Outage`]).

/// Outages that begin so many milliseconds after the one before, or sooner, count as one with it: a server that is started
/// again and again was not up for anybody.
const APART_MS: u64 = 60_000;

/// The most outages that are kept. The oldest are forgotten.
const OUTAGES_MAX: usize = 4_096;

/// A time at which the server was down, in milliseconds since 1970. It is no time where the date was set back to before the server was
/// last up.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Outage {
    /// When it was last known to be up.
    pub from_ms: u64,
    /// When it was up again.
    pub until_ms: u64,
}

/// The outages with one more, which is the last.
pub(super) fn with_outage(mut outages: Vec<Outage>, one: Outage) -> Vec<Outage> {
    // A clock that was set back has them overlap.
    outages.retain(|before| before.from_ms < one.from_ms);
    match outages.last_mut().filter(|before| one.from_ms <= before.until_ms.saturating_add(APART_MS)) {
        Some(before) => before.until_ms = one.until_ms.max(before.until_ms),
        None => outages.push(one),
    }
    let forgotten = outages.len().saturating_sub(OUTAGES_MAX);
    outages.drain(..forgotten);
    outages
}

/// The outages with one more, whenever that was.
pub(super) fn with_another(mut outages: Vec<Outage>, one: Outage) -> Vec<Outage> {
    outages.push(one);
    outages.sort_unstable_by_key(|outage| outage.from_ms);
    outages.dedup_by(|next, before| {
        let overlap = next.from_ms <= before.until_ms;
        if overlap {
            before.until_ms = before.until_ms.max(next.until_ms);
        }
        overlap
    });
    let forgotten = outages.len().saturating_sub(OUTAGES_MAX);
    outages.drain(..forgotten);
    outages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outage(from_ms: u64, until_ms: u64) -> Outage {
        Outage { from_ms, until_ms }
    }

    #[test]
    fn a_server_that_is_started_again_and_again_was_down_all_the_time() {
        let once = with_outage(Vec::new(), outage(1_000, 2_000));
        let twice = with_outage(once.clone(), outage(2_000 + APART_MS, 70_000));
        assert_eq!((once, &*twice), (vec![outage(1_000, 2_000)], &[outage(1_000, 70_000)][..]));
        let later = with_outage(twice, outage(70_001 + APART_MS, 200_000));
        assert_eq!(later, [outage(1_000, 70_000), outage(70_001 + APART_MS, 200_000)]);
    }

    #[test]
    fn an_outage_of_some_matches_stands_among_the_others() {
        let outages = vec![outage(100, 200), outage(400, 500)];
        let with = |from_ms, until_ms| with_another(outages.clone(), outage(from_ms, until_ms));
        assert_eq!(with(250, 300), [outage(100, 200), outage(250, 300), outage(400, 500)]);
        assert_eq!(with(150, 450), [outage(100, 500)]);
        assert_eq!(with(0, 50)[0], outage(0, 50));
        assert_eq!(with(120, 130), outages);
    }

    #[test]
    fn outages_never_overlap_and_never_become_too_many() {
        let mut outages = Vec::new();
        for number in 0..2 * OUTAGES_MAX as u64 {
            let from = number * 10 * APART_MS;
            outages = with_outage(outages, outage(from, from + 5));
        }
        assert_eq!(outages.len(), OUTAGES_MAX);
        // The clock was set back.
        outages = with_outage(outages, outage(0, 7));
        assert_eq!(outages, [outage(0, 7)]);
    }
}
