package edgehill

import (
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc/codes"
)

// RetryPolicy has the times within which a client connects, and repeats what got no answer.
type RetryPolicy struct {
	// Connect is the time for the first connection; then [ConnectFailed]. A connection that is lost later is a matter of
	// Deadline.
	Connect time.Duration
	// Deadline is the time that a call or stream may go without an answer before its error is returned. 0: nothing is
	// repeated.
	Deadline time.Duration
	// Attempt is the time that one attempt of a call may take; 0: no limit. Streams have none.
	Attempt time.Duration
	// PauseMin is the longest pause before the first repetition; each further one is up to twice as long.
	PauseMin time.Duration
	// PauseMax is the longest pause of all, except where the server names one.
	PauseMax time.Duration
}

// DefaultRetry returns the times of a client that is given none.
func DefaultRetry() RetryPolicy {
	return RetryPolicy{
		Connect:  1500 * time.Millisecond,
		Deadline: time.Minute,
		Attempt:  30 * time.Second,
		PauseMin: 50 * time.Millisecond,
		PauseMax: 2 * time.Second,
	}
}

// LeastPause returns the least pause before a call that has failed so many times in a row is repeated; false: to repeat it
// is of no use (docs/errors.md). Every call may be repeated: its request id makes it happen once.
func LeastPause(err error, failures int) (time.Duration, bool) {
	if refused := new(Refused); errors.As(err, &refused) {
		after, isNamed := refused.RetryAfter()
		switch refused.Code() {
		case codes.ResourceExhausted:
			return after, isNamed
		case codes.Unavailable:
			return after, true
		default:
			return 0, refused.Code() == codes.Internal && failures == 1
		}
	}
	failed := new(CallFailed)
	if !errors.As(err, &failed) {
		return 0, false
	}
	switch failed.Code {
	case codes.Unavailable, codes.DeadlineExceeded:
		return 0, true
	case codes.Internal, codes.Unknown, codes.Canceled:
		return 0, failures == 1
	default:
		return 0, false
	}
}

// outage has the failures of one call, however long its attempts take, or of a stream between two answers: that of a stream
// begins anew after a quiet time as long as the deadline.
type outage struct {
	policy   RetryPolicy
	isStream bool
	now      func() time.Time
	began    time.Time
	last     time.Time
	failures int
}

func callOutage(policy RetryPolicy) *outage {
	return &outage{policy: policy, now: time.Now}
}

func streamOutage(policy RetryPolicy) *outage {
	return &outage{policy: policy, isStream: true, now: time.Now}
}

// pause returns the time to wait before the next attempt, or the error itself if there is to be none.
func (o *outage) pause(err error) (time.Duration, error) {
	now := o.now()
	if o.failures == 0 || o.isStream && now.Sub(o.last) > o.policy.Deadline {
		o.failures = 0
		o.began = now
	}
	o.failures++
	o.last = now
	least, again := LeastPause(err, o.failures)
	if !again {
		return 0, err
	}
	ceiling := min(float64(o.policy.PauseMin)*math.Pow(2, float64(min(o.failures-1, 30))), float64(o.policy.PauseMax))
	// Spread, so that the clients of a server that comes back don't all come back at once.
	chosen := max(least, time.Duration((0.5+rand.Float64()/2)*ceiling))
	if o.policy.Deadline <= 0 || now.Add(chosen).After(o.began.Add(o.policy.Deadline)) {
		return 0, err
	}
	return chosen, nil
}

// end takes note of an answer.
func (o *outage) end() { o.failures = 0 }
