//! All that a server keeps about an account, part by part ([`AccountData`]).

use edgehill_proto::v1::ExportAccountDataResponse;
use edgehill_proto::v1::export_account_data_response::Part;
use tonic::Streaming;

use crate::error::{Error, required};

/// The parts of what a server keeps about an account, in the order in which it sends them: the account, its acts, its matches, each
/// with its record behind it.
#[derive(Debug)]
pub struct AccountData {
    parts: Streaming<ExportAccountDataResponse>,
}

impl AccountData {
    pub(crate) const fn new(parts: Streaming<ExportAccountDataResponse>) -> Self {
        Self { parts }
    }

    /// The next part; `None` after the last one.
    ///
    /// # Errors
    /// If the server refuses, or the stream is cut short: nothing tells then which parts are missing, and all of it is asked for
    /// anew ([`AdminCalls::export_account_data`](crate::AdminCalls::export_account_data)).
    pub async fn next(&mut self) -> Result<Option<Part>, Error> {
        match self.parts.message().await.map_err(Error::of)? {
            Some(response) => required(response.part, "part").map(Some),
            None => Ok(None),
        }
    }
}
