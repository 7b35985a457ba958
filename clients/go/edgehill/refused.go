package edgehill

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	v1 "edgehill.dev/gen/edgehill/v1"
)

const reasonPrefix = "ERROR_REASON_"

// Refused is the error of a call that the server has refused: nothing has changed, and no die was asked for.
// docs/errors.md is the list of reasons, and says what to do about each.
type Refused struct {
	refusal *v1.Refusal
}

// RefusedFor returns the refusal in an error if it is for this reason, and nil otherwise.
func RefusedFor(err error, reason v1.ErrorReason) *Refused {
	if refused := new(Refused); errors.As(err, &refused) && refused.Reason() == reason {
		return refused
	}
	return nil
}

// Refusal returns all that the server has said.
func (e *Refused) Refusal() *v1.Refusal { return e.refusal }

// Reason returns the reason that programs go by, such as ERROR_REASON_ILLEGAL_ACTION; a newer server has others.
func (e *Refused) Reason() v1.ErrorReason { return e.refusal.GetReason() }

// ReasonName returns the reason as docs/errors.md has it, such as ILLEGAL_ACTION; the number of one that this client does
// not know.
func (e *Refused) ReasonName() string {
	return strings.TrimPrefix(e.Reason().String(), reasonPrefix)
}

// Code returns the gRPC status code; Unknown for a number that is none.
func (e *Refused) Code() codes.Code {
	code := e.refusal.GetCode()
	if code < 0 || code > int32(codes.Unauthenticated) {
		return codes.Unknown
	}
	return codes.Code(code)
}

// RuleViolations returns every rule that the action at Index would violate.
func (e *Refused) RuleViolations() []*v1.RuleViolation { return e.refusal.GetRuleViolations() }

// FieldViolations returns the fields of the request that are at fault.
func (e *Refused) FieldViolations() []*v1.FieldViolation { return e.refusal.GetFieldViolations() }

// Index returns the place of the action at fault in the list or line that was sent, from 0; false if there is none.
func (e *Refused) Index() (int, bool) {
	return int(e.refusal.GetIndex()), e.refusal != nil && e.refusal.Index != nil
}

// Seq returns the last number of the caller's own sequence, with STALE_SEQUENCE; false if there is none.
func (e *Refused) Seq() (uint64, bool) {
	return e.refusal.GetSeq(), e.refusal != nil && e.refusal.Seq != nil
}

// RetryAfter returns the time to wait before the same call makes sense again; false: to repeat it is of no use.
func (e *Refused) RetryAfter() (time.Duration, bool) {
	after := e.refusal.GetRetryAfter()
	return after.AsDuration(), after != nil
}

// GRPCStatus returns the refusal as a gRPC status, which package status finds.
func (e *Refused) GRPCStatus() *status.Status {
	plain := status.New(e.Code(), e.refusal.GetMessage())
	if e.refusal == nil {
		return plain
	}
	if detailed, err := plain.WithDetails(protoadapt.MessageV1Of(e.refusal)); err == nil {
		return detailed
	}
	return plain
}

// Error says everything once: the server's sentence often has the violations already.
func (e *Refused) Error() string {
	said := []string{e.ReasonName() + ": " + e.refusal.GetMessage()}
	add := func(text string) {
		if !strings.Contains(e.refusal.GetMessage(), text) {
			said = append(said, text)
		}
	}
	for _, violation := range e.FieldViolations() {
		add(violation.GetField() + ": " + violation.GetDescription())
	}
	for _, violation := range e.RuleViolations() {
		add(cited(violation))
	}
	return strings.Join(said, "; ")
}

func cited(violation *v1.RuleViolation) string {
	words := violation.GetText()
	if words == "" {
		words = violation.GetCode()
	}
	if rule := violation.GetRule(); rule != "" && rule != "contract" {
		return fmt.Sprintf("%s (rule %s)", words, rule)
	}
	return words
}
