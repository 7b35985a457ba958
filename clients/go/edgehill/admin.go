package edgehill

import (
	"context"
	"iter"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// Admin has the calls of those who look after a server: accounts, their keys, their part of what callers share, and the log of what
// was done. [Client.Admin] gives it.
//
// Each needs the key of an account with the role operator, and is [Refused] without it: NOT_ALLOWED, or BAD_TOKEN for a key that is
// none. All are refused with UNKNOWN_ACCOUNT where they name one that is not there, and with INVALID_FIELD for what is out of bounds;
// those that change an account with ACCOUNT_IN_FILE for one of the accounts file. What was done stands in the log for good.
type Admin struct{ client *Client }

// Admin returns the calls of those who look after the server, which need an operator's key.
func (c *Client) Admin() *Admin { return &Admin{client: c} }

// AccountOption says how [Admin.UpdateAccount] changes an account: [WithRoles], [WithSuspended], [WithRequestID]. What is not named
// stays.
type AccountOption interface {
	set(*settings)
	account()
}

// AccountChangeOption is an option of [Admin.UpdateAccount] alone.
type AccountChangeOption struct{ setter }

func (AccountChangeOption) account() {}

// WithRoles gives the account these roles in the place of those that it has, at least one.
func WithRoles(roles ...v1.AccountRole) AccountChangeOption {
	return AccountChangeOption{func(s *settings) { s.roles = roles }}
}

// WithSuspended has the account do nothing from now on (true), or lets it go on (false). A suspended account's streams end, and
// nobody plays its seats.
func WithSuspended(isSuspended bool) AccountChangeOption {
	return AccountChangeOption{func(s *settings) { s.isSuspended = &isSuspended }}
}

// KeyOption says which key [Admin.CreateAccountKey] gives: [WithLabel], [WithScopes], [WithExpires], [WithRequestID].
type KeyOption interface {
	set(*settings)
	key()
}

// NewKeyOption is an option of [Admin.CreateAccountKey] alone.
type NewKeyOption struct{ setter }

func (NewKeyOption) key() {}

// WithLabel names the key for people, in 0 to 64 bytes, such as laptop.
func WithLabel(label string) NewKeyOption {
	return NewKeyOption{func(s *settings) { s.label = label }}
}

// WithScopes names the roles that the key is for; without it, all that the account has, whichever they are when it is used.
func WithScopes(roles ...v1.AccountRole) NewKeyOption {
	return NewKeyOption{func(s *settings) { s.scopes = roles }}
}

// RotationOption says which key [Admin.RotateAccountKey] gives: [WithOverlap], [WithExpires], [WithRequestID].
type RotationOption interface {
	set(*settings)
	rotate()
}

// OverlapOption is an option of [Admin.RotateAccountKey] alone.
type OverlapOption struct{ setter }

func (OverlapOption) rotate() {}

// WithOverlap has the old key go on for a while, at most 90 days; without it, not at all.
func WithOverlap(overlap time.Duration) OverlapOption {
	return OverlapOption{func(s *settings) { s.overlap = &overlap }}
}

// ExpiryOption is the end of a key that is made.
type ExpiryOption struct{ setter }

func (ExpiryOption) key()    {}
func (ExpiryOption) rotate() {}

// WithExpires has the key end by itself at a moment to come; without it, it does not.
func WithExpires(expires time.Time) ExpiryOption {
	return ExpiryOption{func(s *settings) { s.expires = &expires }}
}

// CreateAccount makes an account that is kept in the server's store, with at least one role. It has no key yet. The id is 1 to 64
// letters, digits, -, _ and dots; one that there is or was is refused with ACCOUNT_EXISTS.
func (a *Admin) CreateAccount(
	ctx context.Context, accountID string, roles []v1.AccountRole, options ...ChangeOption,
) (*v1.Account, error) {
	request := &v1.CreateAccountRequest{RequestId: a.client.requestID(options), AccountId: accountID, Roles: roles}
	return account(call(ctx, a.client.connection, a.client.key, a.client.connection.admin.CreateAccount, request))
}

// Account gets an account, with its keys but without their texts.
func (a *Admin) Account(ctx context.Context, accountID string) (*v1.Account, error) {
	request := &v1.GetAccountRequest{AccountId: accountID}
	return account(call(ctx, a.client.connection, a.client.key, a.client.connection.admin.GetAccount, request))
}

// Accounts lists all accounts by id: those of the accounts file, and those of the store. Each page is asked for when it is needed. An
// error is the last thing that comes.
func (a *Admin) Accounts(ctx context.Context) iter.Seq2[*v1.Account, error] {
	return pages(func(token string) ([]*v1.Account, string, error) {
		request := &v1.ListAccountsRequest{PageToken: token}
		page, err := call(ctx, a.client.connection, a.client.key, a.client.connection.admin.ListAccounts, request)
		return page.GetAccounts(), page.GetNextPageToken(), err
	})
}

// UpdateAccount gives an account other roles, suspends it, or lets it go on.
func (a *Admin) UpdateAccount(ctx context.Context, accountID string, options ...AccountOption) (*v1.Account, error) {
	said := gathered(options)
	request := &v1.UpdateAccountRequest{
		RequestId: a.client.ids.next(said.requestID), AccountId: accountID, Roles: said.roles, IsSuspended: said.isSuspended,
	}
	return account(call(ctx, a.client.connection, a.client.key, a.client.connection.admin.UpdateAccount, request))
}

// DeleteAccount takes an account's rights and keys away for ever. Its id is not given again.
func (a *Admin) DeleteAccount(ctx context.Context, accountID string, options ...ChangeOption) error {
	request := &v1.DeleteAccountRequest{RequestId: a.client.requestID(options), AccountId: accountID}
	_, err := call(ctx, a.client.connection, a.client.key, a.client.connection.admin.DeleteAccount, request)
	return err
}

// CreateAccountKey gives an account a key, whose text the answer has: a secret, which is told this once, and again to who repeats the
// call with its request id. LIMIT_REACHED for an account with 16 keys that have not ended.
func (a *Admin) CreateAccountKey(
	ctx context.Context, accountID string, options ...KeyOption,
) (*v1.CreateAccountKeyResponse, error) {
	said := gathered(options)
	request := &v1.CreateAccountKeyRequest{
		RequestId:  a.client.ids.next(said.requestID),
		AccountId:  accountID,
		Label:      said.label,
		Scopes:     said.scopes,
		ExpireTime: moment(said.expires),
	}
	return withKey(call(ctx, a.client.connection, a.client.key, a.client.connection.admin.CreateAccountKey, request))
}

// RotateAccountKey gives an account a key in the place of another, by its number, with its label and its scopes. The old one goes on
// for a while, if [WithOverlap] says so. UNKNOWN_ACCOUNT_KEY for a number that is no key's, or that of one that has ended.
func (a *Admin) RotateAccountKey(
	ctx context.Context, accountID string, keyNumber uint32, options ...RotationOption,
) (*v1.RotateAccountKeyResponse, error) {
	said := gathered(options)
	request := &v1.RotateAccountKeyRequest{
		RequestId:  a.client.ids.next(said.requestID),
		AccountId:  accountID,
		KeyNumber:  keyNumber,
		ExpireTime: moment(said.expires),
	}
	if said.overlap != nil {
		request.Overlap = durationpb.New(*said.overlap)
	}
	return withKey(call(ctx, a.client.connection, a.client.key, a.client.connection.admin.RotateAccountKey, request))
}

// RevokeAccountKey takes a key away at once, by its number. Streams that were opened with it end. UNKNOWN_ACCOUNT_KEY for one that has
// ended.
func (a *Admin) RevokeAccountKey(
	ctx context.Context, accountID string, keyNumber uint32, options ...ChangeOption,
) (*v1.AccountKey, error) {
	request := &v1.RevokeAccountKeyRequest{
		RequestId: a.client.requestID(options), AccountId: accountID, KeyNumber: keyNumber,
	}
	answer, err := withKey(call(ctx, a.client.connection, a.client.key, a.client.connection.admin.RevokeAccountKey, request))
	return answer.GetAccountKey(), err
}

// SetAccountQuota sets the part that an account has of what callers share, in the place of that which it had: at most 1,000,000 of
// each, and 1,000,000,000 bytes a second. What is absent is as the server has it for everybody.
func (a *Admin) SetAccountQuota(
	ctx context.Context, accountID string, quota *v1.AccountQuota, options ...ChangeOption,
) (*v1.Account, error) {
	request := &v1.SetAccountQuotaRequest{RequestId: a.client.requestID(options), AccountId: accountID, Quota: quota}
	return account(call(ctx, a.client.connection, a.client.key, a.client.connection.admin.SetAccountQuota, request))
}

// Acts lists what was done, in order: by an account or about it, or by all (empty). Each page is asked for when it is needed. An error
// is the last thing that comes.
func (a *Admin) Acts(ctx context.Context, accountID string) iter.Seq2[*v1.Act, error] {
	return pages(func(token string) ([]*v1.Act, string, error) {
		request := &v1.ListActsRequest{AccountId: accountID, PageToken: token}
		page, err := call(ctx, a.client.connection, a.client.key, a.client.connection.admin.ListActs, request)
		return page.GetActs(), page.GetNextPageToken(), err
	})
}

// ExportAccountData streams all that the server keeps about an account, a deleted one too, for the person whose it is: the account,
// its acts, its matches, newest first, each with its record behind it, and its competitions. UNKNOWN_ACCOUNT if there is nothing. The
// server looks through its whole store for it.
//
// The first part is waited for as long as the [RetryPolicy] says. A stream that is lost behind it ends with [CallFailed]: it is asked
// for anew. An error is the last thing that comes.
func (a *Admin) ExportAccountData(ctx context.Context, accountID string) iter.Seq2[*v1.ExportAccountDataResponse, error] {
	return func(yield func(*v1.ExportAccountDataResponse, error) bool) {
		session := &accountDataSession{request: &v1.ExportAccountDataRequest{AccountId: accountID}}
		resumed(ctx, a.client.connection, a.client.key, session)(yield)
	}
}

// EraseAccountData takes a deleted account's id, and the names that its holder gave, out of all that the server keeps. The answer has
// the pseudonym in their place, and how much has to wait. ACCOUNT_NOT_DELETED for an account that was not deleted.
//
// The server looks through its whole store first: where that takes longer than an attempt may, it goes on by itself, and the call is
// made again.
func (a *Admin) EraseAccountData(
	ctx context.Context, accountID string, options ...ChangeOption,
) (*v1.EraseAccountDataResponse, error) {
	request := &v1.EraseAccountDataRequest{RequestId: a.client.requestID(options), AccountId: accountID}
	return call(ctx, a.client.connection, a.client.key, a.client.connection.admin.EraseAccountData, request)
}
