package edgehill

import (
	"time"

	v1 "edgehill.dev/gen/edgehill/v1"
)

// RefusedOf returns the error for a refusal, for tests.
func RefusedOf(refusal *v1.Refusal) *Refused { return &Refused{refusal: refusal} }

// HasSigned is hasSigned, for tests.
var HasSigned = hasSigned

// SmallOrder is smallOrder, for tests.
var SmallOrder = smallOrder

// Quoted is quoted, for tests.
var Quoted = quoted

// TimeLeftOf returns the time that is left so long after an update has come, for tests.
func TimeLeftOf(update *v1.SeatUpdate, after time.Duration) (time.Duration, bool) {
	now := time.Now()
	return deadlineOf(update, now).left(now.Add(after))
}

// PausesOf returns the pauses of a stream's outage after so many failures with this error, at moments that the clock names.
func PausesOf(policy RetryPolicy, err error, moments ...time.Duration) ([]time.Duration, error) {
	return streamOutage(policy).pausesAt(err, moments)
}

// PausesOfCall returns those of a call's.
func PausesOfCall(policy RetryPolicy, err error, moments ...time.Duration) ([]time.Duration, error) {
	return callOutage(policy).pausesAt(err, moments)
}

func (outage *outage) pausesAt(err error, moments []time.Duration) ([]time.Duration, error) {
	begin := time.Now()
	var pauses []time.Duration
	for _, moment := range moments {
		outage.now = func() time.Time { return begin.Add(moment) }
		pause, err := outage.pause(err)
		if err != nil {
			return pauses, err
		}
		pauses = append(pauses, pause)
	}
	return pauses, nil
}
