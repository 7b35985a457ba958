//! Servers that share a database, and what is asked of them until they answer.

use std::path::Path;

use edgehill_proto::v1::{self, ErrorReason};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use crate::message::HasMatch;
use crate::process::{Running, soon, start};
use crate::real_postgres::postgres;
use crate::start::reason;

/// The settings that the servers of a test share.
pub(crate) struct Shared {
    pub(crate) variables: Vec<(&'static str, String)>,
}

impl Shared {
    /// On a new database, with a key in this folder; `None` where PostgreSQL is not installed.
    pub(crate) fn new(folder: &Path, lease_seconds: u32) -> Option<Self> {
        let key = folder.join("server.key").to_str().unwrap().to_owned();
        let variables = vec![
            ("EDGEHILL_POSTGRES__ADDRESS", postgres()?.database()),
            ("EDGEHILL_KEY_FILE", key),
            ("EDGEHILL_CLUSTER__ADDRESS", "http://127.0.0.1:0".to_owned()),
            ("EDGEHILL_CLUSTER__LEASE_SECONDS", lease_seconds.to_string()),
        ];
        Some(Self { variables })
    }

    pub(crate) fn variables(&self) -> Vec<(&str, &str)> {
        self.variables.iter().map(|(name, value)| (*name, &**value)).collect()
    }

    /// Starts one more, and waits until it makes matches.
    pub(crate) async fn start(&self) -> Running {
        self.start_with(&[]).await
    }

    /// Waits until so many servers have each its share of the shards, and takes calls for all of them.
    pub(crate) async fn shared_by(&self, servers: usize) {
        let share = format!("{}", 1_024 / servers);
        let least = "SELECT min(shards)::TEXT FROM (SELECT count(*) AS shards FROM shards \
                     JOIN servers ON servers.id = shards.server GROUP BY servers.id) AS counted";
        let count = "SELECT count(*)::TEXT FROM servers";
        let (postgres, address) = (postgres().unwrap(), &self.variables[0].1);
        soon(async {
            while postgres.text(address, least).as_deref() != Some(&*share)
                || postgres.text(address, count) != Some(servers.to_string())
            {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }

    /// Lets nobody into the database, and ends who is in.
    pub(crate) fn database_goes(&self) {
        let (beside, name) = self.beside();
        let postgres = postgres().unwrap();
        postgres.run(&beside, &format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false"));
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname";
        postgres.run(&beside, &format!("{end} = '{name}'"));
    }

    pub(crate) fn database_comes_back(&self) {
        let (beside, name) = self.beside();
        postgres().unwrap().run(&beside, &format!("ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true"));
    }

    /// The address of another database of the same server, and the name of this one.
    fn beside(&self) -> (String, String) {
        let address = &self.variables[0].1;
        let named = address.split(' ').find_map(|part| part.strip_prefix("dbname=")).unwrap();
        (address.replace(&format!("dbname={named}"), "dbname=postgres"), named.to_owned())
    }

    pub(crate) async fn start_with(&self, more: &[(&str, &str)]) -> Running {
        let server = start(&[], &[&self.variables(), more].concat());
        answered(&server, create("warm")).await;
        server
    }
}

pub(crate) fn create(request_id: &str) -> v1::CreateMatchRequest {
    v1::CreateMatchRequest {
        request_id: request_id.into(),
        client_secret: vec![9; 32],
        game: "skirmish".into(),
        ..v1::CreateMatchRequest::default()
    }
}

/// Waits for as long as a refusal says; not at all, if it is none of the server's.
pub(crate) async fn wait_as_told(status: &Status) {
    let told = status.get_details_retry_info().and_then(|told| told.retry_delay);
    #[expect(clippy::disallowed_methods, reason = "a client waits as it is told")]
    tokio::time::sleep(told.unwrap_or_default()).await;
}

/// Repeats a call as its refusals ask for, until it is answered: the id of the match.
pub(crate) async fn answered(server: &Running, message: v1::CreateMatchRequest) -> String {
    let mut client = server.matches().await;
    let repeated = async {
        loop {
            match client.create_match(message.clone()).await {
                Ok(created) => return created.into_inner().id(),
                Err(status) => {
                    assert_eq!(status.code(), Code::Unavailable, "{status:?}");
                    wait_as_told(&status).await;
                }
            }
        }
    };
    soon(repeated).await
}

/// Waits until somebody has a match.
pub(crate) async fn there(server: &Running, id: &str) {
    soon(async {
        while let Err(status) = get(server, id).await {
            assert_eq!(status.code(), Code::Unavailable, "{status:?}");
            wait_as_told(&status).await;
        }
    })
    .await;
}

/// Asks for a match until that is refused for this reason, and returns how often it was refused before, for want of a store.
pub(crate) async fn refused_until(server: &Running, id: &str, wanted: ErrorReason) -> u32 {
    let mut refused = 0;
    soon(async {
        loop {
            if let Err(status) = get(server, id).await {
                if reason(&status) == wanted {
                    return refused;
                }
                assert_eq!(reason(&status), ErrorReason::StoreUnavailable, "{status:?}");
                refused += 1;
                wait_as_told(&status).await;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

pub(crate) async fn get(server: &Running, id: &str) -> Result<v1::GetMatchResponse, Status> {
    let ask = v1::GetMatchRequest { match_id: id.into() };
    Ok(server.matches().await.get_match(ask).await?.into_inner())
}
