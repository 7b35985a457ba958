//! The answers to an operator's calls.

use edgehill_proto::v1::{self, ErrorReason};
use tonic::metadata::MetadataMap;

use super::{Admin, fields, messages, refused};
use crate::admin::{self, Act, LoggedAct};
use crate::api::field;
use crate::identity::{
    AccountAct, AccountActError, AccountRoles, Accounts, NewAccountKey, Role, TokenHash, check_id,
};
use crate::limits::{PAGE_ACCOUNTS_MAX, PAGE_ACTS_MAX};
use crate::store::AccountId;
use crate::wire::Refused;

impl Admin {
    pub(super) async fn answer_create(
        &self,
        metadata: &MetadataMap,
        request: v1::CreateAccountRequest,
    ) -> Result<v1::CreateAccountResponse, Refused> {
        let actor = self.operator(metadata)?;
        let account = fields::account_id(&request.account_id)?;
        let roles = fields::roles("roles", &request.roles)?;
        if roles.is_empty() {
            return Err(Refused::field(
                "roles",
                "expected at least one of player, spectator, referee, operator",
            ));
        }
        let act = AccountAct::Create { account: account.clone(), roles };
        self.perform(actor, &request.request_id, &request, move |_, _| Ok(act)).await?;
        Ok(v1::CreateAccountResponse { account: Some(self.account(&account)?) })
    }

    pub(super) fn answer_get(
        &self,
        metadata: &MetadataMap,
        request: &v1::GetAccountRequest,
    ) -> Result<v1::GetAccountResponse, Refused> {
        self.operator(metadata)?;
        let account = self.account(&fields::account_id(&request.account_id)?)?;
        Ok(v1::GetAccountResponse { account: Some(account) })
    }

    pub(super) fn answer_list(
        &self,
        metadata: &MetadataMap,
        request: &v1::ListAccountsRequest,
    ) -> Result<v1::ListAccountsResponse, Refused> {
        self.operator(metadata)?;
        let size = field::page_size(request.page_size, PAGE_ACCOUNTS_MAX)?;
        let after = fields::page_token(&request.page_token, |token| check_id(token).ok())?;
        // One more, to know whether there is one.
        let mut ids = self.administration.accounts().ids_after(after.as_ref(), size + 1);
        let more = ids.len() > size;
        ids.truncate(size);
        // One that was deleted meanwhile is left out.
        let accounts = ids.iter().filter_map(|id| self.account(id).ok()).collect();
        let next = ids.last().filter(|_| more).map(|id| String::from_utf8_lossy(id.as_bytes()).into_owned());
        Ok(v1::ListAccountsResponse { accounts, next_page_token: next.unwrap_or_default() })
    }

    pub(super) async fn answer_update(
        &self,
        metadata: &MetadataMap,
        request: v1::UpdateAccountRequest,
    ) -> Result<v1::UpdateAccountResponse, Refused> {
        let actor = self.operator(metadata)?;
        let account = fields::account_id(&request.account_id)?;
        let is_suspended = request.is_suspended;
        let roles = Some(fields::roles("roles", &request.roles)?).filter(|roles| !roles.is_empty());
        if roles.is_none() && is_suspended.is_none() {
            return Err(Refused::field("roles", "expected roles, or `is_suspended`: nothing would change"));
        }
        let act = AccountAct::Update { account: account.clone(), roles, is_suspended };
        self.perform(actor, &request.request_id, &request, move |_, _| Ok(act)).await?;
        Ok(v1::UpdateAccountResponse { account: Some(self.account(&account)?) })
    }

    pub(super) async fn answer_delete(
        &self,
        metadata: &MetadataMap,
        request: v1::DeleteAccountRequest,
    ) -> Result<v1::DeleteAccountResponse, Refused> {
        let actor = self.operator(metadata)?;
        let act = AccountAct::Delete { account: fields::account_id(&request.account_id)? };
        self.perform(actor, &request.request_id, &request, move |_, _| Ok(act)).await?;
        Ok(v1::DeleteAccountResponse {})
    }

    pub(super) async fn answer_create_key(
        &self,
        metadata: &MetadataMap,
        request: v1::CreateAccountKeyRequest,
    ) -> Result<v1::CreateAccountKeyResponse, Refused> {
        let actor = self.operator(metadata)?;
        let account = fields::account_id(&request.account_id)?;
        let scopes = scopes(fields::roles("scopes", &request.scopes)?);
        let (label, expire_time) = (fields::label(&request.label)?, request.expire_time);
        let server = self.administration.key().clone();
        let make = move |accounts: &Accounts, now_ms| {
            let number = next_key(accounts, &account)?;
            let hash = server.hash_account_key(&server.account_key(&account, number)).0;
            let expires_ms = fields::expires_ms(expire_time, now_ms)?;
            Ok(AccountAct::CreateKey {
                account,
                key: NewAccountKey { number, label, scopes, hash, expires_ms },
            })
        };
        let logged = self.perform(actor, &request.request_id, &request, make).await?;
        let (key, account_key) = self.made_key(&logged)?;
        Ok(v1::CreateAccountKeyResponse { key, account_key: Some(account_key) })
    }

    pub(super) async fn answer_rotate_key(
        &self,
        metadata: &MetadataMap,
        request: v1::RotateAccountKeyRequest,
    ) -> Result<v1::RotateAccountKeyResponse, Refused> {
        let actor = self.operator(metadata)?;
        let account = fields::account_id(&request.account_id)?;
        let (replaced, expire_time) = (request.key_number, request.expire_time);
        let overlap_ms = fields::overlap_ms(request.overlap)?;
        let server = self.administration.key().clone();
        let make = move |accounts: &Accounts, now_ms: u64| {
            let number = next_key(accounts, &account)?;
            let (label, scopes) = {
                let kept = accounts.kept();
                let old = kept.get(&account).and_then(|account| account.key(replaced));
                let old = old.ok_or(AccountActError::UnknownKey)?;
                (old.key.label.clone(), old.key.scopes)
            };
            let hash = server.hash_account_key(&server.account_key(&account, number)).0;
            let expires_ms = fields::expires_ms(expire_time, now_ms)?;
            let key = NewAccountKey { number, label, scopes, hash, expires_ms };
            Ok(AccountAct::RotateKey { account, replaced, until_ms: now_ms + overlap_ms, key })
        };
        let logged = self.perform(actor, &request.request_id, &request, make).await?;
        let (key, account_key) = self.made_key(&logged)?;
        Ok(v1::RotateAccountKeyResponse { key, account_key: Some(account_key) })
    }

    pub(super) async fn answer_revoke_key(
        &self,
        metadata: &MetadataMap,
        request: v1::RevokeAccountKeyRequest,
    ) -> Result<v1::RevokeAccountKeyResponse, Refused> {
        let actor = self.operator(metadata)?;
        let (account, number) = (fields::account_id(&request.account_id)?, request.key_number);
        let act = AccountAct::RevokeKey { account: account.clone(), number };
        self.perform(actor, &request.request_id, &request, move |_, _| Ok(act)).await?;
        Ok(v1::RevokeAccountKeyResponse { account_key: Some(self.key(&account, number)) })
    }

    pub(super) async fn answer_set_quota(
        &self,
        metadata: &MetadataMap,
        request: v1::SetAccountQuotaRequest,
    ) -> Result<v1::SetAccountQuotaResponse, Refused> {
        let actor = self.operator(metadata)?;
        let (account, quota) = (fields::account_id(&request.account_id)?, fields::quota(request.quota)?);
        let act = AccountAct::SetQuota { account: account.clone(), quota };
        self.perform(actor, &request.request_id, &request, move |_, _| Ok(act)).await?;
        Ok(v1::SetAccountQuotaResponse { account: Some(self.account(&account)?) })
    }

    pub(super) async fn answer_list_acts(
        &self,
        metadata: &MetadataMap,
        request: v1::ListActsRequest,
    ) -> Result<v1::ListActsResponse, Refused> {
        self.operator(metadata)?;
        let size = field::page_size(request.page_size, PAGE_ACTS_MAX)?;
        let account = match request.account_id.as_str() {
            "" => None,
            id => Some(fields::account_id(id)?),
        };
        let after = fields::page_token(&request.page_token, |token| token.parse().ok())?.unwrap_or(0);
        let listed = self.administration.acts(after, account.as_ref(), size).await;
        let (acts, next) = listed.map_err(refused)?;
        Ok(v1::ListActsResponse {
            acts: acts.iter().map(messages::act).collect(),
            next_page_token: next.map(|number| number.to_string()).unwrap_or_default(),
        })
    }

    /// An account as it is now.
    fn account(&self, id: &AccountId) -> Result<v1::Account, Refused> {
        let account = self.account_or_deleted(id).filter(|account| !account.is_deleted);
        account.ok_or_else(|| Refused::of(ErrorReason::UnknownAccount))
    }

    /// An account as it is now, or what is left of one that was deleted; `None` if there never was one here.
    pub(super) fn account_or_deleted(&self, id: &AccountId) -> Option<v1::Account> {
        let accounts = self.administration.accounts();
        if let Some(account) = accounts.of_file(id) {
            return Some(messages::account_in_file(&account));
        }
        let kept = accounts.kept();
        kept.get(id).map(|account| messages::kept_account(id, account))
    }

    /// A key of an account as it is now; of a deleted account nothing but its number is left.
    fn key(&self, id: &AccountId, number: u32) -> v1::AccountKey {
        let accounts = self.administration.accounts();
        let kept = accounts.kept();
        let key = kept.get(id).and_then(|account| account.key(number));
        key.map_or_else(|| v1::AccountKey { number, ..v1::AccountKey::default() }, messages::account_key)
    }

    /// The text of the key that an act has made, and what is known of the key. One that a forgotten key of the server has made is
    /// good no more.
    fn made_key(&self, logged: &LoggedAct) -> Result<(String, v1::AccountKey), Refused> {
        let Act::Account(made) = &logged.act else { return Ok(<(String, v1::AccountKey)>::default()) };
        let text = made.new_key().and_then(|key| {
            let hash = TokenHash(key.hash);
            self.administration.key().made_account_key(made.account(), key.number, &hash)
        });
        let text = text.ok_or_else(|| refused(AccountActError::UnknownKey.into()))?;
        Ok((text.to_string(), self.key(made.account(), made.key().unwrap_or_default())))
    }
}

/// The roles that a key is for: all, where none is named.
fn scopes(named: AccountRoles) -> AccountRoles {
    if named.is_empty() { Role::ALL.into_iter().collect() } else { named }
}

/// The number of an account's next key.
fn next_key(accounts: &Accounts, account: &AccountId) -> Result<u32, admin::Error> {
    if accounts.is_in_file(account) {
        return Err(admin::Error::InFile);
    }
    let kept = accounts.kept();
    let next = kept.get(account).filter(|account| !account.is_deleted).map(|account| account.next_key());
    Ok(next.ok_or(AccountActError::Unknown)?)
}
