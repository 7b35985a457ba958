//! Accounts, keys and acts as messages.

use edgehill_proto::v1;

use super::super::field::timestamp;
use crate::admin::{Act, LoggedAct, MatchActKind, ServerAct};
use crate::identity::{Account, AccountAct, AccountQuota, AccountRoles, KeptAccount, KeptAccountKey, Role};
use crate::matches::{HeldSeat, RefereeAct};
use crate::store::AccountId;

/// An account of the accounts file.
pub(super) fn account_in_file(account: &Account) -> v1::Account {
    v1::Account {
        id: text(account.id.as_bytes()),
        roles: roles(account.roles),
        source: v1::AccountSource::File.into(),
        ..v1::Account::default()
    }
}

/// An account that is kept in the store; of one that was deleted neither roles nor keys are left.
pub(super) fn kept_account(id: &AccountId, account: &KeptAccount) -> v1::Account {
    v1::Account {
        id: text(id.as_bytes()),
        roles: roles(account.roles),
        source: v1::AccountSource::Store.into(),
        is_suspended: account.is_suspended,
        create_time: Some(timestamp(account.created_ms)),
        keys: account.keys.iter().map(account_key).collect(),
        quota: Some(quota(&account.quota)),
        is_deleted: account.is_deleted,
    }
}

fn quota(quota: &AccountQuota) -> v1::AccountQuota {
    let AccountQuota { open_matches, bot_matches, streams, calls, calls_per_second, bytes_per_second } =
        *quota;
    v1::AccountQuota { open_matches, bot_matches, streams, calls, calls_per_second, bytes_per_second }
}

/// A key, without its text.
pub(super) fn account_key(kept: &KeptAccountKey) -> v1::AccountKey {
    let key = &kept.key;
    v1::AccountKey {
        number: key.number,
        label: key.label.clone(),
        scopes: roles(key.scopes),
        create_time: Some(timestamp(kept.created_ms)),
        expire_time: key.expires_ms.map(timestamp),
        revoke_time: kept.revoked_ms.map(timestamp),
    }
}

/// An act of the log.
pub(super) fn act(logged: &LoggedAct) -> v1::Act {
    let (kind, key_number, match_id) = match &logged.act {
        Act::Account(act) => (account_act_kind(act), act.key().unwrap_or_default(), String::new()),
        Act::Match(act) => (match_act_kind(&act.what), 0, act.match_id().to_string()),
        Act::Server(act) => (server_act_kind(act), 0, String::new()),
        Act::Export { .. } => (v1::ActKind::DataExported, 0, String::new()),
    };
    v1::Act {
        number: logged.number,
        act_time: Some(timestamp(logged.at_ms)),
        actor: text(logged.actor.as_bytes()),
        request_id: text(logged.request.as_bytes()),
        kind: kind.into(),
        account_id: logged.act.account().map(|account| text(account.as_bytes())).unwrap_or_default(),
        key_number,
        text: logged.act.to_string(),
        match_id,
    }
}

/// A seat that an account took.
pub(super) fn account_seat(held: HeldSeat) -> v1::AccountSeat {
    let HeldSeat { seat, player, joined_ms, left_ms } = held;
    v1::AccountSeat {
        seat: seat.into(),
        player,
        join_time: Some(timestamp(joined_ms)),
        leave_time: left_ms.map(timestamp),
    }
}

const fn account_act_kind(act: &AccountAct) -> v1::ActKind {
    match act {
        AccountAct::Create { .. } => v1::ActKind::AccountCreated,
        AccountAct::Update { .. } => v1::ActKind::AccountUpdated,
        AccountAct::Delete { .. } => v1::ActKind::AccountDeleted,
        AccountAct::CreateKey { .. } => v1::ActKind::KeyCreated,
        AccountAct::RotateKey { .. } => v1::ActKind::KeyRotated,
        AccountAct::RevokeKey { .. } => v1::ActKind::KeyRevoked,
        AccountAct::SetQuota { .. } => v1::ActKind::QuotaSet,
        AccountAct::Erase { .. } => v1::ActKind::DataErased,
        AccountAct::CompleteErasure { .. } => v1::ActKind::ErasureCompleted,
    }
}

const fn match_act_kind(what: &MatchActKind) -> v1::ActKind {
    match what {
        MatchActKind::Abort => v1::ActKind::MatchAborted,
        MatchActKind::View { .. } => v1::ActKind::ViewRead,
        MatchActKind::Record => v1::ActKind::RecordRead,
        MatchActKind::Release => v1::ActKind::MatchReleased,
        MatchActKind::Referee { act, .. } => match act {
            RefereeAct::AddTime { .. } => v1::ActKind::TimeAdded,
            RefereeAct::ReplacePlayer { .. } => v1::ActKind::PlayerReplaced,
            RefereeAct::Void => v1::ActKind::MatchVoided,
            RefereeAct::CorrectResult { .. } => v1::ActKind::ResultCorrected,
            RefereeAct::Adjourn { .. } => v1::ActKind::MatchAdjourned,
            RefereeAct::EndAdjournment => v1::ActKind::AdjournmentEnded,
        },
    }
}

const fn server_act_kind(act: &ServerAct) -> v1::ActKind {
    match act {
        ServerAct::ConfigurationRead => v1::ActKind::ConfigurationRead,
        ServerAct::MatchesTakenUp { .. } => v1::ActKind::MatchesTakenUp,
        ServerAct::KeyRotated => v1::ActKind::ServerKeyRotated,
        ServerAct::KeysForgotten { .. } => v1::ActKind::ServerKeysForgotten,
    }
}

fn roles(roles: AccountRoles) -> Vec<i32> {
    let role = |role| match role {
        Role::Player => v1::AccountRole::Player,
        Role::Spectator => v1::AccountRole::Spectator,
        Role::Referee => v1::AccountRole::Referee,
        Role::Operator => v1::AccountRole::Operator,
    };
    roles.iter().map(|one| role(one).into()).collect()
}

/// A name as text: ids of accounts are ASCII, and requests came as text.
pub(super) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
