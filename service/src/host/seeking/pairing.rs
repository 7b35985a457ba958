//! Pairings: the match that is made for callers who fit each other, with a seat for each.

use std::time::Duration;

use edgehill_engine::seat::Seat;
use tracing::Instrument;

use super::super::Host;
use super::super::create::{Creator, MatchPlan};
use super::super::error::Error;
use super::super::shards::NewPlace;
use super::pool::{OpenSeek, Rank};
use crate::entropy::{EntropyError, EntropySource};
use crate::identity::{CallerKey, HOUSE_ID};
use crate::matches::{Ask, PairedOutcome, SeedTerms};
use crate::store::{AccountId, Appended, MatchId, Request, RequestId};
use crate::telemetry::spans;

/// Those whom a pairing brings together, those who have sought for longest first.
struct Pairing {
    plan: MatchPlan,
    /// The one with whose matches it counts.
    counted_as: CallerKey,
    /// The name and the request of each, and the seat that they want.
    seeks: Vec<(RequestId, Ask, Option<Seat>)>,
}

impl Host {
    /// Makes the match of those who were brought together, and tells each of them their seat.
    pub(super) async fn pair(&self, ranks: Vec<Rank>) {
        let mut tried = Vec::new();
        let made = loop {
            match self.make_paired(&ranks, &mut tried).await {
                Err(error) if error.passes() => {
                    tracing::warn!(%error, "a match of callers who were paired is not made yet");
                    if !self.wait_to_repeat().await {
                        break Err(error);
                    }
                }
                made => break made,
            }
        };
        let mut seeks = self.0.seeks.pool().take_out(&ranks);
        if let Ok(id) = made
            && tried.contains(&id)
        {
            let first = seeks.first_mut().map(|seek| std::mem::take(&mut seek.reserved));
            first.into_iter().flatten().for_each(|reserved| reserved.keep(id));
            self.expire_paired(id, self.now_ms().saturating_add(self.paired_ms()));
        }
        for OpenSeek { name, ask, said, .. } in seeks {
            let told = match &made {
                // The store tells, since a request of theirs may have been answered before: then the others are to seek again.
                Ok(_) => self.paired_by(&name, ask.body, &ask.id).await,
                Err(error) => Err(error.clone()),
            };
            // Whoever has gone meanwhile asks again.
            let _ = said.send(told.and_then(|paired| paired.ok_or(Error::NothingDone)));
        }
    }

    /// Makes the match, and returns the one that the requests have made, now or before. `tried` are those that this pairing may have
    /// made.
    async fn make_paired(&self, ranks: &[Rank], tried: &mut Vec<MatchId>) -> Result<MatchId, Error> {
        let pairing = self.pairing(ranks)?;
        let house = AccountId::new(HOUSE_ID)?;
        // The server's own: none of those who play in it may take it back.
        let creator = Creator { account: house.clone(), secret: None, counted_as: pairing.counted_as };
        let wishes: Vec<Option<Seat>> = pairing.seeks.iter().map(|(_, _, seat)| *seat).collect();
        let seats = deal(&wishes, &*self.0.parts.entropy)?;
        let placing = self.placing().await;
        let settled =
            self.settle_alone(self.new_id(NewPlace::Anywhere)?, &pairing.plan, SeedTerms::Server, None)?;
        let (mut create, _) = self.prepare(&creator, &pairing.plan, settled)?;
        for ((name, ask, _), seat) in pairing.seeks.into_iter().zip(seats) {
            let outcome = PairedOutcome { seat: seat.index() as u8 }.to_bytes();
            create.requests.push((house.clone(), Request { id: name, body: ask.body, outcome }));
        }
        let id = create.id;
        tried.push(id);
        let append = spans::store_append();
        let ticket = self.store().create(create).instrument(append.clone()).await?;
        // It concerns nobody yet: who was paired takes a seat of it.
        match self.made(placing, ticket, Vec::new(), Vec::new()).instrument(append).await?? {
            Appended::Written(_) => Ok(id),
            Appended::Repeated(stored) => Ok(stored.id),
        }
    }

    fn pairing(&self, ranks: &[Rank]) -> Result<Pairing, Error> {
        let pool = self.0.seeks.pool();
        let first = pool.paired(ranks).next().map(|seek| (seek.plan.clone(), seek.counted_as.clone()));
        let (plan, counted_as) = first.ok_or_else(|| Error::Fault("a pairing without a seek".to_owned()))?;
        let seeks = pool.paired(ranks).map(|seek| (seek.name.clone(), seek.ask.clone(), seek.seat));
        Ok(Pairing { plan, counted_as, seeks: seeks.collect() })
    }

    /// Lets a match of callers who were paired expire at this moment, in milliseconds since 1970, if seats are free then.
    pub(in super::super) fn expire_paired(&self, id: MatchId, at_ms: u64) {
        let left = Duration::from_millis(at_ms.saturating_sub(self.now_ms()));
        let at = self.0.parts.clock.elapsed().saturating_add(left);
        let host = self.clone();
        self.0.tasks.spawn(async move {
            tokio::select! {
                () = host.0.closing.cancelled() => return,
                () = host.0.parts.clock.reach(at) => {}
            }
            if let Err(error) = host.insist(|| host.expire(id)).await {
                tracing::debug!(match_id = %id, %error, "a match does not expire");
            }
        });
    }
}

/// A seat for each wish. Wishes for a seat differ; those who have none get one of what is left, each as likely as the others.
fn deal(wishes: &[Option<Seat>], entropy: &dyn EntropySource) -> Result<Vec<Seat>, EntropyError> {
    let seats = (0..wishes.len()).map(|index| Seat::new(index as u8));
    let mut left: Vec<Seat> = seats.filter(|seat| !wishes.contains(&Some(*seat))).collect();
    let mut dealt = Vec::with_capacity(wishes.len());
    for wish in wishes {
        dealt.push(match wish {
            Some(seat) => *seat,
            None => left.swap_remove(below(left.len(), entropy)?),
        });
    }
    Ok(dealt)
}

/// A number below `count`, at most 256, each as likely as the others.
fn below(count: usize, entropy: &dyn EntropySource) -> Result<usize, EntropyError> {
    // The values of a byte beyond the last multiple would favour the first numbers.
    let fair = 256 - 256 % count;
    loop {
        let mut byte = [0];
        entropy.fill(&mut byte)?;
        let drawn = usize::from(byte[0]);
        if drawn < fair {
            return Ok(drawn % count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    #[test]
    fn wishes_are_kept_and_the_rest_is_drawn() {
        let entropy = SeededEntropy::new(1);
        let [north, south] = [0, 1].map(Seat::new);
        for _ in 0..100 {
            assert_eq!(deal(&[Some(south), None], &entropy), Ok(vec![south, north]));
            assert_eq!(deal(&[None, Some(south)], &entropy), Ok(vec![north, south]));
            assert_eq!(deal(&[Some(south), Some(north)], &entropy), Ok(vec![south, north]));
        }
        let firsts = (0..1_000).filter(|_| deal(&[None, None], &entropy).unwrap()[0] == north).count();
        // Five standard deviations.
        assert!((420..=580).contains(&firsts), "{firsts} of 1000");
        let mut met = [0; 3];
        for _ in 0..3_000 {
            let dealt = deal(&[None, Some(Seat::new(1)), None, None], &entropy).unwrap();
            assert_eq!(dealt[1], Seat::new(1));
            let place = dealt.iter().position(|seat| *seat == Seat::new(3)).unwrap();
            met[[0, 9, 1, 2][place]] += 1;
        }
        assert!(met.iter().all(|count| (870..=1_130).contains(count)), "{met:?}");
    }
}
