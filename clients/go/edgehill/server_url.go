package edgehill

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

const expectedServer = "a server is host:port, http://host:port or https://host"

var (
	hostAndPort    = regexp.MustCompile(`^(\[[0-9A-Fa-f:.]+\]|[^\s:/[\]@?#]+):(\d+)$`)
	printableToken = regexp.MustCompile(`^[!-~]+$`)
)

// serverURL is the address of a server, checked.
type serverURL struct {
	// origin is the address as it is shown: http://localhost:7400.
	origin string
	// target has host and port.
	target string
	// host is the name that a certificate has to be of.
	host string
	// secure is true for https.
	secure bool
}

// parseServer reads localhost:7400, http://localhost:7400, https://play.example.
func parseServer(server string) (serverURL, error) {
	wrong := &InvalidOption{Message: fmt.Sprintf("%s; found %q", expectedServer, server)}
	whole := server
	if !strings.Contains(server, "://") {
		if !hostAndPort.MatchString(server) {
			return serverURL{}, wrong
		}
		whole = "http://" + server
	}
	parsed, err := url.Parse(whole)
	if err != nil || parsed.Hostname() == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return serverURL{}, wrong
	}
	if (parsed.Path != "" && parsed.Path != "/") || parsed.User != nil || strings.ContainsAny(server, "?#@ ") {
		return serverURL{}, wrong
	}
	port := parsed.Port()
	if number, err := strconv.Atoi(port); port != "" && (err != nil || number < 1 || number > 65535) {
		return serverURL{}, wrong
	}
	if port == "" {
		if strings.HasSuffix(parsed.Host, ":") {
			return serverURL{}, wrong
		}
		port = map[string]string{"http": "80", "https": "443"}[parsed.Scheme]
	}
	return serverURL{
		origin: parsed.Scheme + "://" + parsed.Host,
		target: net.JoinHostPort(parsed.Hostname(), port),
		host:   parsed.Hostname(),
		secure: parsed.Scheme == "https",
	}, nil
}

// checkToken refuses an account's key or a seat's token that no header takes.
func checkToken(token string) error {
	if !printableToken.MatchString(token) {
		// The text stays out of the message: it may be a secret with a line feed at its end.
		return &InvalidOption{Message: "a key or token is printable ASCII without blanks, at least one character"}
	}
	return nil
}
