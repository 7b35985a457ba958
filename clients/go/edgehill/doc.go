// Package edgehill is a client of Edgehill, a server of board games: typed calls that happen once, streams that go on
// behind a lost connection, views that are kept up to date, bots, and dice, records and receipts that can be checked.
//
// [Connect] gives a [Client], which makes, joins, watches and reads matches; a [Seat] plays one; [RunBot] has a [Bot]
// play. Messages are those of the wire, in package v1 (edgehill.dev/gen/edgehill/v1). docs/sdk-go.md is the manual.
//
// Clients, seats and sessions may be used by several goroutines at once, a [ViewTracker] and a [Transcript] by one.
// Messages that were handed out are shared: read them, and don't change them.
package edgehill

const (
	// Version is the version of this package: clients of all languages move together.
	Version = "0.1.0"
	// API is the API that it speaks.
	API = "edgehill.v1"
)
