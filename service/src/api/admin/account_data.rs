//! `ExportAccountData`: all that the server keeps about an account, part by part; and `EraseAccountData`.
//!
//! Invariant of an export: no more is in memory of it than a page of acts or rows, one match's log and record, and what waits for the client.

use edgehill_engine::seat::Observer;
use edgehill_proto::v1::export_account_data_response::Part;
use edgehill_proto::v1::{self, ErrorReason};
use tonic::metadata::MetadataMap;

use super::{Admin, fields, messages, refused};
use crate::admin::Act;
use crate::api::outbox::{Outbox, Outgoing, outbox};
use crate::api::revocation::Standing;
use crate::api::{match_service, refusing, state};
use crate::erasure;
use crate::host::{self, AccountMatch, Host, RecordReader};
use crate::identity::{CallerKey, Role};
use crate::limits::PAGE_ACTS_MAX;
use crate::matches::Phase;
use crate::store::{AccountId, MatchId};
use crate::wire::Refused;

/// An export on its way to a client.
struct AccountExport {
    admin: Admin,
    /// The operator who asked.
    operator: AccountId,
    account: AccountId,
    out: Outbox<v1::ExportAccountDataResponse>,
    /// True once a part was sent.
    has_parts: bool,
}

impl Admin {
    pub(super) fn answer_export(
        &self,
        metadata: &MetadataMap,
        counted_as: CallerKey,
        request: &v1::ExportAccountDataRequest,
    ) -> Result<Outgoing<v1::ExportAccountDataResponse>, Refused> {
        let standing = self.matches.standing(metadata, Some(Role::Operator));
        let operator = self.operator(metadata)?;
        let account = fields::account_id(&request.account_id)?;
        let max = self.matches.limits_of(&counted_as).streams;
        let open = self.matches.0.streams.open(counted_as, max)?;
        let (out, outgoing) = outbox(open);
        let export =
            AccountExport { admin: self.clone(), operator, account, out: out.clone(), has_parts: false };
        tokio::spawn(async move {
            // A stream that ends well says that this was all, so it must not end so for another reason.
            if let Err(error) = tokio::spawn(export.serve(standing)).await {
                tracing::error!(%error, "the export of an account's data failed");
                out.end(Refused::of(ErrorReason::InternalFault).into());
            }
        });
        Ok(outgoing)
    }
}

impl Admin {
    pub(super) async fn answer_erase(
        &self,
        metadata: &MetadataMap,
        request: v1::EraseAccountDataRequest,
    ) -> Result<v1::EraseAccountDataResponse, Refused> {
        let actor = self.operator(metadata)?;
        let account = fields::account_id(&request.account_id)?;
        let ask = self.ask(&request.request_id, &request)?;
        let erased = self.erasure.erase(actor, ask, account).await.map_err(|error| match error {
            erasure::Error::Administration(error) => refused(error),
            erasure::Error::Host(error) => of_host(error),
            erasure::Error::Competitions(error) => crate::api::competitions::refused(error),
        })?;
        let count = |matches: usize| u32::try_from(matches).unwrap_or(u32::MAX);
        Ok(v1::EraseAccountDataResponse {
            pseudonym: messages::text(erased.pseudonym.as_bytes()),
            waiting_matches: count(erased.waiting_matches),
            unreadable_matches: count(erased.unreadable_matches),
        })
    }
}

impl AccountExport {
    /// Sends all parts, unless the caller is not let in any more, the server stops or the client goes.
    async fn serve(mut self, standing: Standing) {
        let (draining, matches, out) =
            (self.admin.draining.clone(), self.admin.matches.clone(), self.out.clone());
        let ended = tokio::select! {
            ended = self.run() => ended,
            () = draining.cancelled() => Err(matches.draining()),
            refused = standing.revoked() => Err(refused),
            () = out.closed() => return,
        };
        if let Err(refused) = ended {
            out.end(refused.into());
        }
    }

    async fn run(&mut self) -> Result<(), Refused> {
        if let Some(account) = self.admin.account_or_deleted(&self.account) {
            self.send(Part::Account(account)).await?;
        }
        self.send_acts().await?;
        self.send_matches().await?;
        self.send_competitions().await?;
        if self.has_parts { Ok(()) } else { Err(Refused::of(ErrorReason::UnknownAccount)) }
    }

    async fn send_acts(&mut self) -> Result<(), Refused> {
        let mut after = Some(0);
        while let Some(number) = after {
            let listed = self.admin.administration.acts(number, Some(&self.account), PAGE_ACTS_MAX).await;
            let (acts, next) = listed.map_err(refused)?;
            for act in &acts {
                self.send(Part::Act(messages::act(act))).await?;
            }
            after = next;
        }
        Ok(())
    }

    async fn send_matches(&mut self) -> Result<(), Refused> {
        let host = self.admin.matches.host().clone();
        let mut before = None;
        loop {
            let (rows, next) = host.rows_before(before).await.map_err(of_host)?;
            for row in &rows {
                match host.account_match(&self.account, row).await.map_err(of_host)? {
                    None => {}
                    Some(AccountMatch::Unreadable(id)) => {
                        self.send(Part::UnreadableMatchId(id.to_string())).await?;
                    }
                    Some(AccountMatch::Found(listed, part)) => {
                        let is_over = listed.course().phase() == Phase::Over;
                        let reader = RecordReader::Account(self.account.clone());
                        let record = if is_over { record(&host, row.id, &reader).await? } else { None };
                        let shown = v1::AccountMatch {
                            r#match: Some(state::listed(&host, &listed, Observer::Spectator, true)),
                            is_creator: part.is_creator,
                            seats: part.seats.into_iter().map(messages::account_seat).collect(),
                            has_record: record.is_some(),
                            invited_seats: part.invited.iter().map(|seat| seat.index() as u32).collect(),
                        };
                        self.send(Part::AccountMatch(shown)).await?;
                        self.send_record(row.id, record).await?;
                    }
                }
            }
            match next {
                Some(next) => before = Some(next),
                None => return Ok(()),
            }
        }
    }

    async fn send_competitions(&mut self) -> Result<(), Refused> {
        let competitions = self.admin.competitions.clone();
        for overview in competitions.overviews() {
            let hosted = competitions.get(overview.id).await.map_err(crate::api::competitions::refused)?;
            let is_organizer = overview.organizer == self.account;
            let entrant = hosted.entrant_of(&self.account);
            if !is_organizer && entrant.is_none() {
                continue;
            }
            let named = entrant.and_then(|entrant| hosted.competition().entrant(entrant));
            let part = v1::AccountCompetition {
                competition_id: overview.id.to_string(),
                name: overview.settings.name,
                is_organizer,
                entrant: entrant.map_or(0, |entrant| entrant.number().into()),
                entrant_name: named.map(|entrant| entrant.name.clone()).unwrap_or_default(),
            };
            self.send(Part::AccountCompetition(part)).await?;
        }
        Ok(())
    }

    async fn send_record(&mut self, id: MatchId, record: Option<String>) -> Result<(), Refused> {
        for text in record.iter().flat_map(|text| match_service::chunks(text)) {
            let chunk = v1::RecordChunk { match_id: id.to_string(), text: text.to_owned() };
            self.send(Part::RecordChunk(chunk)).await?;
        }
        Ok(())
    }

    /// Sends a part. Before the first it is written down that they are read: of an account that was never there are none.
    async fn send(&mut self, part: Part) -> Result<(), Refused> {
        if !self.has_parts {
            let act = Act::Export { account: self.account.clone() };
            self.admin.administration.note(self.operator.clone(), act).await.map_err(refused)?;
        }
        self.has_parts = true;
        self.out.send(v1::ExportAccountDataResponse { part: Some(part) }).await;
        Ok(())
    }
}

/// The record of a match that is over, as this reader gets it; `None`: it is not for them yet, it never began, or can't be read by its rules.
async fn record(host: &Host, id: MatchId, reader: &RecordReader) -> Result<Option<String>, Refused> {
    let refused = match host.record(id, reader).await {
        Ok(record) => return Ok(Some(record.text)),
        Err(error) => of_host(error),
    };
    match refused.reason() {
        ErrorReason::MatchNotStarted
        | ErrorReason::Unplayable
        | ErrorReason::Quarantined
        | ErrorReason::NotPublished
        | ErrorReason::UnknownMatch => Ok(None),
        _ => Err(refused),
    }
}

fn of_host(error: host::Error) -> Refused {
    refusing::of(error, None, None)
}
