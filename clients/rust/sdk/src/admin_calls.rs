//! Calls of those who look after a server ([`AdminCalls`]).

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, SystemTime};

use edgehill_proto::prost_types;
use edgehill_proto::v1::{
    Account, AccountKey, AccountQuota, AccountRole, Act, CreateAccountKeyRequest, CreateAccountRequest,
    DeleteAccountRequest, EraseAccountDataRequest, EraseAccountDataResponse, ExportAccountDataRequest,
    GetAccountRequest, ListAccountsRequest, ListActsRequest, RevokeAccountKeyRequest,
    RotateAccountKeyRequest, SetAccountQuotaRequest, UpdateAccountRequest,
};

use crate::account_data::AccountData;
use crate::connection::Connection;
use crate::error::{Error, required};
use crate::pages::next_token;
use crate::retry::until_answered;

/// Calls of those who look after a server, by the key of an account with the role [`AccountRole::Operator`]. Each that changes
/// something is made with a request id, and repeated with it while the connection is down: it happens once.
#[derive(Copy, Clone, Debug)]
pub struct AdminCalls<'a> {
    connection: &'a Connection,
}

/// A key that was made.
#[derive(Clone, PartialEq)]
pub struct CreatedKey {
    /// The key, a secret, which acts as the account. The server tells it this once.
    pub key: String,
    /// The rest that is known of it.
    pub account_key: AccountKey,
}

/// Without the key.
impl fmt::Debug for CreatedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CreatedKey").field("account_key", &self.account_key).finish_non_exhaustive()
    }
}

/// A key to make. The default is for all that its account may do, and does not end by itself.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct NewKey {
    /// A name for people, at most 64 bytes.
    pub label: String,
    /// The roles that it is for; none: all of the account's.
    pub scopes: Vec<AccountRole>,
    /// When it ends by itself.
    pub expires: Option<SystemTime>,
}

/// Makes one call until it has an answer.
macro_rules! call {
    ($calls:ident . $method:ident($request:expr)) => {{
        let wire = $calls.connection.admin_wire()?;
        let request = $request;
        let answer = until_answered($calls.connection.retry_policy(), $calls.connection.contact(), || {
            let (mut wire, request) = (wire.clone(), request.clone());
            async move { wire.$method(request).await }
        });
        answer.await
    }};
}

impl<'a> AdminCalls<'a> {
    pub(crate) const fn new(connection: &'a Connection) -> Self {
        Self { connection }
    }

    /// Makes an account that is kept in the server's store.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn create_account(&self, id: &str, roles: &[AccountRole]) -> Result<Account, Error> {
        let request = CreateAccountRequest {
            request_id: self.connection.next_request_id(),
            account_id: id.to_owned(),
            roles: numbers(roles),
        };
        required(call!(self.create_account(request))?.account, "account")
    }

    /// An account, with its keys.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn account(&self, id: &str) -> Result<Account, Error> {
        let request = GetAccountRequest { account_id: id.to_owned() };
        required(call!(self.get_account(request))?.account, "account")
    }

    /// All accounts, by id; page after page.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn accounts(&self) -> Result<Vec<Account>, Error> {
        let (mut accounts, mut request) = (Vec::new(), ListAccountsRequest::default());
        loop {
            let page = call!(self.list_accounts(request.clone()))?;
            accounts.extend(page.accounts);
            match next_token(&request.page_token, page.next_page_token)? {
                Some(token) => request.page_token = token,
                None => return Ok(accounts),
            }
        }
    }

    /// Gives an account these roles in the place of those that it has, unless there is none; and suspends it or lets it go on.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn update_account(
        &self,
        id: &str,
        roles: &[AccountRole],
        is_suspended: Option<bool>,
    ) -> Result<Account, Error> {
        let request = UpdateAccountRequest {
            request_id: self.connection.next_request_id(),
            account_id: id.to_owned(),
            roles: numbers(roles),
            is_suspended,
        };
        required(call!(self.update_account(request))?.account, "account")
    }

    /// Takes an account's rights and keys away for ever.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn delete_account(&self, id: &str) -> Result<(), Error> {
        let request_id = self.connection.next_request_id();
        let request = DeleteAccountRequest { request_id, account_id: id.to_owned() };
        call!(self.delete_account(request)).map(|_| ())
    }

    /// Gives an account a key.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn create_key(&self, account_id: &str, new: NewKey) -> Result<CreatedKey, Error> {
        let request = CreateAccountKeyRequest {
            request_id: self.connection.next_request_id(),
            account_id: account_id.to_owned(),
            label: new.label,
            scopes: numbers(&new.scopes),
            expire_time: new.expires.map(prost_types::Timestamp::from),
        };
        let made = call!(self.create_account_key(request))?;
        Ok(CreatedKey { key: made.key, account_key: required(made.account_key, "account_key")? })
    }

    /// Gives an account a key in the place of another, which goes on for `overlap`.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn rotate_key(
        &self,
        account_id: &str,
        number: u32,
        overlap: Duration,
        expires: Option<SystemTime>,
    ) -> Result<CreatedKey, Error> {
        let request = RotateAccountKeyRequest {
            request_id: self.connection.next_request_id(),
            account_id: account_id.to_owned(),
            key_number: number,
            // One that is too long for the message is too long for the server, which says so.
            overlap: prost_types::Duration::try_from(overlap.min(Duration::from_secs(u32::MAX.into()))).ok(),
            expire_time: expires.map(prost_types::Timestamp::from),
        };
        let made = call!(self.rotate_account_key(request))?;
        Ok(CreatedKey { key: made.key, account_key: required(made.account_key, "account_key")? })
    }

    /// Takes a key away at once.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn revoke_key(&self, account_id: &str, number: u32) -> Result<AccountKey, Error> {
        let request = RevokeAccountKeyRequest {
            request_id: self.connection.next_request_id(),
            account_id: account_id.to_owned(),
            key_number: number,
        };
        required(call!(self.revoke_account_key(request))?.account_key, "account_key")
    }

    /// Sets the part that an account has of what callers share, in the place of that which it had.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn set_quota(&self, account_id: &str, quota: AccountQuota) -> Result<Account, Error> {
        let request = SetAccountQuotaRequest {
            request_id: self.connection.next_request_id(),
            account_id: account_id.to_owned(),
            quota: Some(quota),
        };
        required(call!(self.set_account_quota(request))?.account, "account")
    }

    /// Acts of this account, or of all, in order; pages are asked for as they are needed.
    #[must_use]
    pub fn acts(&self, account_id: Option<&str>) -> ActPages {
        let account_id = account_id.unwrap_or_default().to_owned();
        let request = ListActsRequest { account_id, ..ListActsRequest::default() };
        ActPages { connection: self.connection.clone(), request, page: VecDeque::new(), is_last: false }
    }

    /// Has a deleted account's id, and the names that its holder gave, taken out of all that the server keeps, and says how much of that
    /// has to wait. The server looks through its whole store first, which may take longer than a call has: it goes on by itself, and
    /// the call is made again.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn erase_account_data(&self, account_id: &str) -> Result<EraseAccountDataResponse, Error> {
        let request_id = self.connection.next_request_id();
        let request = EraseAccountDataRequest { request_id, account_id: account_id.to_owned() };
        call!(self.erase_account_data(request))
    }

    /// Asks for all that the server keeps about an account, a deleted one too: for the person whose it is. The server looks through
    /// its whole store for it.
    ///
    /// # Errors
    /// If the server refuses, or does not answer.
    pub async fn export_account_data(&self, account_id: &str) -> Result<AccountData, Error> {
        let request = ExportAccountDataRequest { account_id: account_id.to_owned() };
        call!(self.export_account_data(request)).map(AccountData::new)
    }
}

/// Acts of those who look after a server, in order; pages are asked for as they are needed.
#[derive(Debug)]
pub struct ActPages {
    connection: Connection,
    request: ListActsRequest,
    page: VecDeque<Act>,
    is_last: bool,
}

impl ActPages {
    /// The next act; `None` after the last one.
    ///
    /// # Errors
    /// If the server refuses the list, or does not answer.
    pub async fn next(&mut self) -> Result<Option<Act>, Error> {
        loop {
            if let Some(act) = self.page.pop_front() {
                return Ok(Some(act));
            }
            if self.is_last {
                return Ok(None);
            }
            let page = call!(self.list_acts(self.request.clone()))?;
            self.page = page.acts.into();
            match next_token(&self.request.page_token, page.next_page_token)? {
                Some(token) => self.request.page_token = token,
                None => self.is_last = true,
            }
        }
    }
}

fn numbers(roles: &[AccountRole]) -> Vec<i32> {
    roles.iter().map(|&role| role.into()).collect()
}
