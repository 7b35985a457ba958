//! Matches to be made together ([`NewMatches`]).

use edgehill_proto::v1::match_plan::Seed;
use edgehill_proto::v1::{CreateMatchesRequest, GroupPlace, GroupPlan};

use crate::connection::Connection;
use crate::new_match::NewMatch;

/// Matches to be made together, all of them or none.
///
/// ```
/// use edgehill_client::{NewMatch, NewMatches};
///
/// // A mirrored pair, whose matches have the same dice, and a match beside it.
/// let match_of = || NewMatch::of("skirmish");
/// let new = NewMatches::of([match_of()]).group(2, [(match_of(), vec![0, 1]), (match_of(), vec![1, 0])]);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NewMatches(CreateMatchesRequest);

impl NewMatches {
    /// These matches, each with its own dice. A request id that one of them names is not sent; one that names a seed group of
    /// its own ([`NewMatch::group`]) is refused.
    #[must_use]
    pub fn of(matches: impl IntoIterator<Item = NewMatch>) -> Self {
        let matches = matches.into_iter().map(NewMatch::plan).collect();
        Self(CreateMatchesRequest { matches, ..CreateMatchesRequest::default() })
    }

    /// Adds a new seed group of so many entrants: its matches, each with the entrant that takes each of its seats, in seat order.
    /// They have the group's seed, and no other.
    #[must_use]
    pub fn group(mut self, entrants: u32, matches: impl IntoIterator<Item = (NewMatch, Vec<u32>)>) -> Self {
        // A request has far fewer groups.
        let group = self.0.groups.len() as u32;
        self.0.groups.push(GroupPlan { entrants });
        self.0.matches.extend(matches.into_iter().map(|(new, seat_entrants)| {
            let mut plan = new.plan();
            plan.seed = Some(Seed::Group(GroupPlace { group, seat_entrants }));
            plan
        }));
        self
    }

    /// Under a request id of the caller's own, as [`NewMatch::request_id`].
    #[must_use]
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.0.request_id = id.into();
        self
    }

    /// The call of a client, with an id of its own if this has none.
    pub(crate) fn request(mut self, connection: &Connection) -> CreateMatchesRequest {
        if self.0.request_id.is_empty() {
            self.0.request_id = connection.next_request_id();
        }
        self.0.client_secret = connection.client_secret().as_bytes().to_vec();
        self.0
    }
}
