//! Receipts: the server's signed word for what it has published to an observer (docs/record.md).

use edgehill_convert::messages;
use edgehill_engine::seat::Observer;
use edgehill_engine::signing::SigningKey;
use edgehill_proto::{receipts, v1};
use tonic::metadata::MetadataMap;

use super::{Matches, field};
use crate::host::{Content, Error, Host};
use crate::identity::Role;
use crate::wire::Refused;

impl Matches {
    /// Gives a receipt to whoever may see the observer's view, of a match that can't be played any more, too.
    pub(super) async fn answer_receipt(
        &self,
        metadata: &MetadataMap,
        request: v1::GetReceiptRequest,
    ) -> Result<v1::GetReceiptResponse, Refused> {
        let caller = self.caller_as(Role::Spectator, metadata).await?;
        let id = field::match_id(&request.match_id)?;
        let published = |content: &Content| -> Result<Result<v1::Receipt, Refused>, Error> {
            // A hash shows nothing of what it is of, so that no referee's look at it is written down.
            let eyes = self.eyes(content, &caller, request.observer.as_ref())?;
            Ok(eyes.map(|eyes| unsigned(self.host(), content, eyes.observer)))
        };
        match self.host().read(id, published).await {
            Ok(Ok(receipt)) => {
                let receipt = Some(signed(receipt, &self.host().key().signing()));
                Ok(v1::GetReceiptResponse { receipt })
            }
            Ok(Err(refused)) => Err(refused),
            Err(error) => Err(self.refused(error, Some(id), None).await),
        }
    }
}

/// The receipt for all that was published to an observer so far, and that they may see.
fn unsigned(host: &Host, content: &Content, observer: Observer) -> v1::Receipt {
    let seq = host.sight(content.course(), observer).seq;
    v1::Receipt {
        match_id: content.course().id().to_string(),
        observer: Some(messages::observer::of(observer)),
        seq,
        stream_hash: content.published().stream_hash_at(observer, seq).to_vec(),
        ..v1::Receipt::default()
    }
}

fn signed(receipt: v1::Receipt, key: &SigningKey) -> v1::Receipt {
    let signature = key.sign(receipts::SIGNED_KIND, &receipts::digest(&receipt));
    v1::Receipt {
        signer: key.verifying_key().as_bytes().to_vec(),
        signature: signature.as_bytes().to_vec(),
        ..receipt
    }
}
