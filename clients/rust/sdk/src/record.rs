//! The record of a match, joined from the parts of its stream ([`ExportedRecord`]).

use edgehill_proto::v1::ExportRecordRequest;
use tokio::time::timeout;
use tonic::Status;

use crate::connection::{Connection, MatchWire};
use crate::error::Error;
use crate::retry::{Outage, RetryPolicy, late};

/// The record of a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExportedRecord {
    /// The text of an `.edg` file.
    pub text: String,
    /// True if the match is finished and the record complete. One of a seed group has its seed only when the group is done.
    pub complete: bool,
}

/// Exports a record; a stream that is lost begins anew.
pub(crate) async fn export(
    connection: &Connection,
    token: Option<&str>,
    match_id: &str,
) -> Result<ExportedRecord, Error> {
    let wire = connection.match_wire(token)?;
    let mut outage = Outage::new(connection.retry_policy());
    loop {
        match attempt(wire.clone(), connection.retry_policy(), match_id).await {
            Ok(record) => {
                connection.contact().note();
                return Ok(record);
            }
            Err(status) => outage.pause(status, connection.contact()).await?,
        }
    }
}

async fn attempt(
    mut wire: MatchWire,
    retry_policy: &RetryPolicy,
    match_id: &str,
) -> Result<ExportedRecord, Status> {
    let late = |_| late(retry_policy);
    let request = ExportRecordRequest { match_id: match_id.to_owned() };
    let answer = timeout(retry_policy.attempt, wire.export_record(request)).await.map_err(late)??;
    let mut parts = answer.into_inner();
    let mut record = ExportedRecord::default();
    while let Some(part) = timeout(retry_policy.attempt, parts.message()).await.map_err(late)?? {
        record.text.push_str(&part.text);
        record.complete = part.complete;
    }
    Ok(record)
}
