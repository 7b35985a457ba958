package edgehill

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// certificates are those that a client trusts and shows, as PEM.
type certificates struct {
	ca, cert, key []byte
	hasCA, hasOwn bool
}

// credentials returns the way in which a connection to a server is secured.
func (c certificates) credentials(server serverURL) (credentials.TransportCredentials, error) {
	if !server.secure {
		if c.hasCA || c.hasOwn {
			return nil, &InvalidOption{Message: "certificates go with https://"}
		}
		return insecure.NewCredentials(), nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: server.host}
	if c.hasCA {
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(c.ca) {
			return nil, &InvalidOption{Message: "ca holds no certificate in PEM"}
		}
	}
	if c.hasOwn {
		if !bytes.Contains(c.cert, []byte("-----BEGIN CERTIFICATE-----")) {
			return nil, &InvalidOption{Message: "cert holds no certificate in PEM"}
		}
		if !bytes.Contains(c.key, []byte("PRIVATE KEY-----")) {
			return nil, &InvalidOption{Message: "certKey holds no private key in PEM"}
		}
		own, err := tls.X509KeyPair(c.cert, c.key)
		if err != nil {
			return nil, &InvalidOption{Message: "a certificate goes with its key: " + err.Error()}
		}
		config.Certificates = []tls.Certificate{own}
	}
	return credentials.NewTLS(config), nil
}
