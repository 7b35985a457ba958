package edgehill_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"edgehill.dev/edgehill"
)

// certificate is one with its key, made for a test.
type certificate struct {
	parsed    *x509.Certificate
	key       *ecdsa.PrivateKey
	cert, pem []byte // cert and its key, as PEM
}

// certify has an authority certify this machine; an authority certifies itself.
func certify(t *testing.T, name string, by *certificate, usage x509.ExtKeyUsage) *certificate {
	t.Helper()
	key := ok(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(time.Now().UnixNano()),
		Subject:               pkix.Name{CommonName: name},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(48 * time.Hour),
		BasicConstraintsValid: true,
	}
	if by == nil {
		template.IsCA, template.KeyUsage = true, x509.KeyUsageCertSign|x509.KeyUsageDigitalSignature
		by = &certificate{parsed: template, key: key}
	} else {
		template.ExtKeyUsage, template.KeyUsage = []x509.ExtKeyUsage{usage}, x509.KeyUsageDigitalSignature
		template.DNSNames, template.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1)}
	}
	der := ok(x509.CreateCertificate(rand.Reader, template, by.parsed, &key.PublicKey, by.key))(t)
	return &certificate{
		parsed: ok(x509.ParseCertificate(der))(t),
		key:    key,
		cert:   pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem:    pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: ok(x509.MarshalPKCS8PrivateKey(key))(t)}),
	}
}

func TestTLS(t *testing.T) {
	t.Parallel()
	here, clients, elsewhere := certify(t, "here", nil, 0), certify(t, "clients", nil, 0), certify(t, "elsewhere", nil, 0)
	own := certify(t, "server", here, x509.ExtKeyUsageServerAuth)
	ada := certify(t, "ada", clients, x509.ExtKeyUsageClientAuth)
	foreign := certify(t, "foreign", elsewhere, x509.ExtKeyUsageClientAuth)
	folder := t.TempDir()
	path := func(name string, content []byte) string {
		written := filepath.Join(folder, name)
		ok(0, os.WriteFile(written, content, 0o600))(t)
		return written
	}
	// The server asks every client for a certificate.
	secured := startServer(t, "EDGEHILL_TLS__CERTIFICATE="+path("server.pem", own.cert),
		"EDGEHILL_TLS__KEY="+path("server.key", own.pem), "EDGEHILL_TLS__CLIENT_CA="+path("clients.pem", clients.cert))
	url := "https://" + secured.address

	t.Run("a client that trusts and shows the right ones is served", func(t *testing.T) {
		client := connect(t, url, edgehill.WithCA(here.cert), edgehill.WithCertificate(ada.cert, ada.pem))
		north, _ := bothSeats(t, client)
		session := client.PlaySeats()
		session.Open(north)
		equal(t, *pull(t, session.Events(t.Context())).one().Now.Number, 0)
	})
	for name, options := range map[string][]edgehill.ConnectOption{
		"another authority":     {edgehill.WithCA(elsewhere.cert), edgehill.WithCertificate(ada.cert, ada.pem)},
		"the system's":          {edgehill.WithCertificate(ada.cert, ada.pem)},
		"no certificate":        {edgehill.WithCA(here.cert)},
		"a foreign certificate": {edgehill.WithCA(here.cert), edgehill.WithCertificate(foreign.cert, foreign.pem)},
	} {
		t.Run(name+" is not served", func(t *testing.T) {
			retry := edgehill.DefaultRetry()
			retry.Connect, retry.Deadline = 500*time.Millisecond, 0
			client, err := edgehill.Connect(t.Context(), url, append(options, edgehill.WithRetry(retry))...)
			if err == nil {
				// With TLS 1.3 a server looks at the client's certificate when the client is connected already.
				defer client.Close()
				_, err = client.Games(t.Context())
			}
			failed[*edgehill.CallFailed](t, err)
		})
	}
}
