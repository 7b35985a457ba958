//! Rematches.

use edgehill_engine::seat::Observer;
use edgehill_proto::v1;
use tonic::metadata::MetadataMap;

use super::seating::SeatRequest;
use super::{Matches, state};
use crate::identity::CallerKey;
use crate::wire::Refused;

impl Matches {
    pub(super) async fn answer_rematch(
        &self,
        metadata: &MetadataMap,
        counted_as: CallerKey,
        request: v1::RematchMatchRequest,
    ) -> Result<v1::RematchMatchResponse, Refused> {
        let v1::RematchMatchRequest { match_id, request_id } = request;
        let request = SeatRequest { match_id, request_id, expected_seq: None, options: None };
        let asked = self.read(metadata, request)?;
        let made = match self.host().rematch(&asked.token, counted_as).await {
            Ok(made) => made,
            Err(error) => return Err(self.refused(error, Some(asked.id), None).await),
        };
        let shown =
            self.host().read(made.id, |content| Ok(state::whole(self.host(), content, Observer::Spectator)));
        match shown.await {
            Ok(shown) => Ok(v1::RematchMatchResponse {
                r#match: Some(shown),
                seat: made.seat.index() as u32,
                invitation: self.host().key().invitation(&made.id, made.seat).to_string(),
            }),
            Err(error) => Err(self.refused(error, Some(made.id), None).await),
        }
    }
}
