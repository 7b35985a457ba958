//! The same, of the real server: what it serves of damaged files, or why it does not start.

use std::path::Path;

use edgehill_proto::v1::{self, ErrorReason, MatchStatus};
use edgehill_service::wire::status;
use prost::Message;

use crate::check::events;
use crate::message::HasMatch;
use crate::process::{Running, as_holder, try_start};
use crate::truth::Truth;

/// Starts the server on the files in `folder`, of which one is damaged.
pub(crate) async fn look(folder: &Path, damaged: &Path, truth: &Truth, what: &str) {
    // Of a store, the file that its write-ahead log belongs to.
    let name = damaged.to_str().unwrap().trim_end_matches("-wal");
    let running = match try_start(&["--store", folder.to_str().unwrap()], &[]) {
        Ok(running) => running,
        Err(said) => {
            assert_eq!(said.code, Some(1), "{what}: {}", said.stderr);
            let last = said.stderr.lines().last().unwrap_or_default();
            assert!(last.starts_with("edgehill-server: ") && last.contains(name), "{what}: {}", said.stderr);
            assert!(!said.panicked(), "{what}: {}", said.stderr);
            return;
        }
    };
    let mut client = running.matches().await;
    for (id, truth) in &truth.matches {
        let id = id.to_string();
        let got = match client.get_match(v1::GetMatchRequest { match_id: id.clone() }).await {
            Ok(got) => got.into_inner(),
            Err(gone) if is_gone(&gone) => return assert_ended_by_damage(running, name, what),
            Err(refused) => {
                let reason = status::read(&refused).map(|refusal| refusal.reason());
                let clear = matches!(reason, Some(ErrorReason::UnknownMatch | ErrorReason::Quarantined));
                assert!(clear, "{what}: {refused:?}");
                continue;
            }
        };
        let is_stopped = got.state().status() == MatchStatus::Quarantined;
        let mut lengths = Vec::new();
        let mut views = Vec::new();
        let tokens = truth.tokens.iter().map(ToString::to_string).chain([String::new()]);
        for (observer, token) in tokens.enumerate() {
            let observer = if token.is_empty() { truth.events.len() - 1 } else { observer };
            let ask = v1::GetMatchRequest { match_id: id.clone() };
            let got = match client.get_match(as_holder(&token, ask)).await {
                Ok(got) => got.into_inner(),
                Err(gone) if is_gone(&gone) => return assert_ended_by_damage(running, name, what),
                // The seat's join was cut off with the rest; of a match that is stopped it may be behind the fault.
                Err(refused) => {
                    let reason = status::read(&refused).map(|refusal| refusal.reason());
                    let says = if is_stopped { ErrorReason::Quarantined } else { ErrorReason::BadToken };
                    assert_eq!(reason, Some(says), "{what}: {refused:?}");
                    continue;
                }
            };
            let published = events(&mut client, &id, &token, got.seq()).await;
            assert!(truth.events[observer].starts_with(&published), "{what}: torn or out of order");
            lengths.push((observer, got.seq()));
            let view = v1::GetViewRequest { match_id: id.clone(), ..v1::GetViewRequest::default() };
            if let Ok(view) = client.get_view(as_holder(&token, view)).await {
                views.push((observer, view.into_inner().view.unwrap().encode_to_vec()));
            }
        }
        let fits = truth.moments.iter().any(|moment| {
            lengths.iter().all(|&(observer, seq)| moment.lengths[observer] == seq)
                && views.iter().all(|(observer, view)| moment.views.get(*observer) == Some(view))
        });
        assert!(fits, "{what}: {id} was never so");
    }
    let listed = client.list_matches(v1::ListMatchesRequest::default()).await;
    drop(client);
    let said = match listed {
        Err(gone) if is_gone(&gone) => return assert_ended_by_damage(running, name, what),
        Err(refused) => {
            // Rows that are out of order: the log says so of the file.
            let reason = status::read(&refused).map(|refusal| refusal.reason());
            assert_eq!(reason, Some(ErrorReason::InternalFault), "{what}: {refused:?}");
            let said = tokio::task::block_in_place(|| running.stop());
            assert!(said.stderr.contains(name), "{what}: {}", said.stderr);
            said
        }
        Ok(_) => tokio::task::block_in_place(|| running.stop()),
    };
    assert!(!said.panicked(), "{what}: {}", said.stderr);
}

/// Returns whether the server does not answer any more: what it says itself has details.
fn is_gone(status: &tonic::Status) -> bool {
    status.code() == tonic::Code::Unavailable && status::read(status).is_none()
}

/// Asserts that a server has ended by itself since its own writes met the damage, and says of which file.
fn assert_ended_by_damage(running: Running, name: &str, what: &str) {
    let said = tokio::task::block_in_place(|| running.wait());
    assert_eq!(said.code, Some(3), "{what}: {}", said.stderr);
    assert!(said.stderr.contains(name) && !said.panicked(), "{what}: {}", said.stderr);
}
