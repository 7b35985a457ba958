package edgehill

import (
	"context"
	"iter"

	"google.golang.org/grpc"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// Client is a server, as one caller has it: an account, by its key, or a caller without a name. [Connect] makes one.
//
// Calls that get no answer are repeated with their request ids, as the [RetryPolicy] says: each happens once. The errors of
// all calls are [Refused] (the server has refused it), [CallFailed] (it failed on its way, and the deadline has passed),
// [ErrClosed], and the context's own.
type Client struct {
	connection   *connection
	key          string
	clientSecret []byte
	ids          *requestIDs
}

func newClient(connection *connection, key string, clientSecret []byte) *Client {
	return &Client{connection: connection, key: key, clientSecret: clientSecret, ids: newRequestIDs()}
}

// ClientSecret returns the 32 bytes that tell this client's requests from others' where there are no accounts.
func (c *Client) ClientSecret() []byte { return c.clientSecret }

// Close ends all calls and streams, with [ErrClosed]. Closing twice does nothing.
func (c *Client) Close() { c.connection.close() }

// Conn returns the connection with the client's key, for generated clients of services, such as one that only a newer server has.
// Calls are repeated as the client's own, and refused with [Refused]; streams are opened once, and fail with a status of gRPC.
func (c *Client) Conn() grpc.ClientConnInterface {
	return keyedConn{connection: c.connection, key: c.key}
}

// GameOption says what is asked of a game: [WithContentHash], and for [Client.Game] [WithIncludeRules].
type GameOption interface {
	set(*settings)
	game()
}

// DefsOption says which action table is asked for: [WithContentHash].
type DefsOption interface {
	set(*settings)
	defs()
}

// ContentOption names the content of a game.
type ContentOption struct{ setter }

func (ContentOption) game() {}
func (ContentOption) defs() {}

// WithContentHash names the content of a match that was begun before the server's changed, by its hash of 32 bytes; without it,
// that of new matches.
func WithContentHash(hash []byte) ContentOption {
	return ContentOption{func(s *settings) { s.contentHash = hash }}
}

// LedgerOption asks for a game's rules ledger.
type LedgerOption struct{ setter }

func (LedgerOption) game() {}

// WithIncludeRules asks for the game's rules ledger, too.
func WithIncludeRules() LedgerOption {
	return LedgerOption{func(s *settings) { s.includeRules = true }}
}

// Games lists the games that the server plays.
func (c *Client) Games(ctx context.Context) ([]*v1.GameSummary, error) {
	return paged(func(token string) ([]*v1.GameSummary, string, error) {
		page, err := call(ctx, c.connection, c.key, c.connection.catalog.ListGames, &v1.ListGamesRequest{PageToken: token})
		return page.GetGames(), page.GetNextPageToken(), err
	})
}

// Game gets the static half of a game. Keep it.
func (c *Client) Game(ctx context.Context, game string, options ...GameOption) (*v1.Game, error) {
	said := gathered(options)
	request := &v1.GetGameRequest{Game: game, IncludeRules: said.includeRules, ContentHash: said.contentHash}
	found, err := call(ctx, c.connection, c.key, c.connection.catalog.GetGame, request)
	if err == nil && found.GetGame() == nil {
		err = incomplete("the game")
	}
	return found.GetGame(), err
}

// ActionDefs lists a game's whole action table: the place of each entry is its id. Keep it.
func (c *Client) ActionDefs(ctx context.Context, game string, options ...DefsOption) ([]*v1.ActionDef, error) {
	said := gathered(options)
	return paged(func(token string) ([]*v1.ActionDef, string, error) {
		request := &v1.ListActionDefsRequest{Game: game, ContentHash: said.contentHash, PageToken: token}
		page, err := call(ctx, c.connection, c.key, c.connection.catalog.ListActionDefs, request)
		return page.GetActionDefs(), page.GetNextPageToken(), err
	})
}

// Limits gets the limits of this server, in the units that v1.LimitName says.
func (c *Client) Limits(ctx context.Context) (map[v1.LimitName]uint64, error) {
	found, err := call(ctx, c.connection, c.key, c.connection.catalog.GetLimits, &v1.GetLimitsRequest{})
	if err != nil {
		return nil, err
	}
	limits := make(map[v1.LimitName]uint64, len(found.GetLimits()))
	for _, limit := range found.GetLimits() {
		limits[limit.GetName()] = limit.GetValue()
	}
	return limits, nil
}

// SigningKey gets the public key, of 32 bytes, with which the server signs records. Keep it: [WithSigningKeys] takes it.
func (c *Client) SigningKey(ctx context.Context) ([]byte, error) {
	keys, err := c.SigningKeys(ctx)
	if err != nil {
		return nil, err
	}
	return keys[0], nil
}

// SigningKeys gets all public keys that the server has signed with and still vouches for: that of now, then the last
// replaced. [WithSigningKeys] takes them.
func (c *Client) SigningKeys(ctx context.Context) ([][]byte, error) {
	found, err := call(ctx, c.connection, c.key, c.connection.catalog.GetSigningKey, &v1.GetSigningKeyRequest{})
	if err != nil {
		return nil, err
	}
	keys := [][]byte{found.GetSigningKey()}
	for _, former := range found.GetFormerSigningKeys() {
		keys = append(keys, former.GetSigningKey())
	}
	return keys, nil
}

// paged asks for page after page.
func paged[T any](page func(token string) (items []T, next string, err error)) ([]T, error) {
	var listed []T
	for item, err := range pages(page) {
		if err != nil {
			return nil, err
		}
		listed = append(listed, item)
	}
	return listed, nil
}

// pages hands out all that is listed; each page is asked for when it is needed. An error is the last thing that comes.
func pages[T any](page func(token string) (items []T, next string, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for token := ""; ; {
			items, next, err := page(token)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range items {
				if !yield(item, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			token = next
		}
	}
}
