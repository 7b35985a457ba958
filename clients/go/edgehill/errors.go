package edgehill

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	v1 "edgehill.dev/gen/edgehill/v1"
)

var (
	// ErrClosed is the error of calls of a client that was closed, and of those under way when it was.
	ErrClosed = errors.New("edgehill: the client is closed")
	// ErrSeatClosed is the error of calls of a [PlayedSeat] that is closed in its stream.
	ErrSeatClosed = errors.New("edgehill: the seat is closed in this stream")
	// ErrSessionBusy is the error of a second loop over the events of one [PlaySession].
	ErrSessionBusy = errors.New("edgehill: another loop reads the events of this session")
	// ErrFold is the error of an update that does not give the present view. Ask for one: [Seat.View], [ViewTracker.Look].
	ErrFold = errors.New("edgehill: the update does not give the present view")
	// ErrSequenceGap is an ErrFold: events between the view and the update are missing.
	ErrSequenceGap = fmt.Errorf("%w: events are missing", ErrFold)
	// ErrUnknownChange is an ErrFold: a change of a view that this client does not know, since the server is newer.
	ErrUnknownChange = fmt.Errorf("%w: it has a change that this client does not know", ErrFold)
)

// CallFailed is a call that failed on its way: the server did not answer, or what answered is no Edgehill.
//
// Unless nothing was sent, it is not known if the server carried it out: repeated with its request id it is safe.
type CallFailed struct {
	// Code is the gRPC status code.
	Code codes.Code
	// Message says what failed.
	Message string
	cause   error
}

// Error returns code and message.
func (e *CallFailed) Error() string { return fmt.Sprintf("edgehill: %s: %s", e.Code, e.Message) }

// Unwrap returns the error of the connection, if there was one.
func (e *CallFailed) Unwrap() error { return e.cause }

// ConnectFailed is a [CallFailed]: no server answers at the address, and none did since the client was made. Nothing was sent.
type ConnectFailed struct {
	// URL is the address that was tried.
	URL    string
	failed *CallFailed
}

// Error names the address, the fault, and the first thing to look at.
func (e *ConnectFailed) Error() string {
	return fmt.Sprintf("no server answers at %s: %s\nis the server running? `make run` starts one on 127.0.0.1:7400",
		e.URL, e.failed.Message)
}

// Unwrap returns the CallFailed that it is.
func (e *ConnectFailed) Unwrap() error { return e.failed }

// InvalidOption is an address, a key, a token, a certificate or a value that is none. Nothing was tried.
type InvalidOption struct {
	// Message says what was expected.
	Message string
}

// Error returns the message.
func (e *InvalidOption) Error() string { return "edgehill: " + e.Message }

// Unverified is the error of dice, a record or receipts that do not check.
type Unverified struct {
	// Message says what does not check, what was expected and what was found.
	Message string
}

// Error returns the message.
func (e *Unverified) Error() string { return "edgehill: " + e.Message }

func unverified(format string, given ...any) error {
	return &Unverified{Message: fmt.Sprintf(format, given...)}
}

// failureOf returns the error for a failed attempt of a call.
func failureOf(err error) error {
	if refused := new(Refused); errors.As(err, &refused) {
		return err
	}
	if failed := new(CallFailed); errors.As(err, &failed) {
		return err
	}
	given, _ := status.FromError(err)
	for _, detail := range given.Details() {
		if refusal, ok := detail.(*v1.Refusal); ok {
			return &Refused{refusal: refusal}
		}
	}
	return &CallFailed{Code: given.Code(), Message: given.Message(), cause: err}
}

// cancelled returns the error of a context that was given up, with its cause if that says more.
func cancelled(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if err == nil || errors.Is(cause, err) {
		return cause
	}
	return fmt.Errorf("%w: %w", err, cause)
}

// incomplete is the error of an answer that lacks a field which every server sends.
func incomplete(field string) error {
	return &CallFailed{Code: codes.DataLoss, Message: "the server's answer lacks " + field + ", which every server sends"}
}
