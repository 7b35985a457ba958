package edgehill

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/keepalive"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// A connection that died without a word is noticed in half a minute, also by a client that only listens.
var pings = keepalive.ClientParameters{Time: 20 * time.Second, Timeout: 10 * time.Second}

// ConnectOption says who the caller is, and how patient they are.
type ConnectOption func(*connectSettings)

type connectSettings struct {
	key          string
	hasKey       bool
	clientSecret []byte
	retry        RetryPolicy
	certificates certificates
}

// WithKey has the client call as an account, by its key, where the server asks for accounts.
func WithKey(key string) ConnectOption {
	return func(s *connectSettings) { s.key, s.hasKey = key, true }
}

// WithClientSecret gives the 32 bytes that tell this client's requests from others' where there are no accounts: who repeats
// a request with them after a restart is given the same. Without it they are drawn.
func WithClientSecret(secret []byte) ConnectOption {
	return func(s *connectSettings) { s.clientSecret = secret }
}

// WithRetry sets the times for connecting, and for repeating calls that got no answer, instead of [DefaultRetry].
func WithRetry(policy RetryPolicy) ConnectOption {
	return func(s *connectSettings) { s.retry = policy }
}

// WithCA names the authorities that the server's certificate may be of, as PEM, instead of those that the system knows. It
// goes with https.
func WithCA(pem []byte) ConnectOption {
	return func(s *connectSettings) { s.certificates.ca, s.certificates.hasCA = pem, true }
}

// WithCertificate gives the certificate that is shown to a server which asks for one, and its private key, as PEM. It goes
// with https.
func WithCertificate(cert, certKey []byte) ConnectOption {
	return func(s *connectSettings) {
		s.certificates.cert, s.certificates.key, s.certificates.hasOwn = cert, certKey, true
	}
}

// Connect returns a client of a server: host:port, http://host:port, or https://host for one behind TLS.
//
// It waits until the server answers: at most for [RetryPolicy].Connect, and as long as the context lasts; the client lives
// on until [Client.Close]. The errors are [InvalidOption] for an address, a key or a certificate that is none,
// [ConnectFailed] if no server answers, and the context's own.
func Connect(ctx context.Context, server string, options ...ConnectOption) (*Client, error) {
	settings := connectSettings{retry: DefaultRetry()}
	for _, option := range options {
		option(&settings)
	}
	address, err := parseServer(server)
	if err != nil {
		return nil, err
	}
	if settings.hasKey {
		if err := checkToken(settings.key); err != nil {
			return nil, err
		}
	}
	secured, err := settings.certificates.credentials(address)
	if err != nil {
		return nil, err
	}
	dialled, err := grpc.NewClient("dns:///"+address.target,
		grpc.WithTransportCredentials(secured),
		grpc.WithUserAgent("edgehill-go/"+Version),
		grpc.WithKeepaliveParams(pings),
		grpc.WithDisableServiceConfig(),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: backoff.Config{
				BaseDelay:  max(settings.retry.PauseMin, time.Millisecond),
				Multiplier: 2,
				Jitter:     0.2,
				MaxDelay:   max(settings.retry.PauseMax, time.Millisecond),
			},
			MinConnectTimeout: 5 * time.Second,
		}),
	)
	if err != nil {
		return nil, &InvalidOption{Message: expectedServer + ": " + err.Error()}
	}
	connection := newConnection(dialled, address.origin, settings.retry)
	if err := connection.waitUntilReady(ctx); err != nil {
		connection.close()
		return nil, err
	}
	if settings.clientSecret == nil {
		settings.clientSecret = randomBytes(32)
	}
	return newClient(connection, settings.key, settings.clientSecret), nil
}

// waitUntilReady waits until the server has said that it speaks HTTP/2: one that only takes the connection is silent.
func (c *connection) waitUntilReady(ctx context.Context) error {
	within, cancel := context.WithTimeout(ctx, c.policy.Connect)
	defer cancel()
	fault := &CallFailed{Message: "no answer within " + c.policy.Connect.String()}
	for {
		// A state that has changed already is told without a look at the context.
		if ctx.Err() != nil {
			return cancelled(ctx)
		}
		state := c.conn.GetState()
		switch state {
		case connectivity.Ready:
			return nil
		case connectivity.Idle:
			c.conn.Connect()
		case connectivity.TransientFailure:
			// A call that fails at once says why; should the connection be there by now, it is answered.
			_, err := v1.NewCatalogServiceClient(c.conn).GetSigningKey(within, &v1.GetSigningKeyRequest{})
			if err == nil {
				return nil
			}
			if within.Err() == nil {
				fault.Message, fault.cause = err.Error(), err
			}
		}
		if !c.conn.WaitForStateChange(within, state) && ctx.Err() == nil {
			return c.connectFailed(fault)
		}
	}
}
